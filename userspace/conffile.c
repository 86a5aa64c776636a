// SPDX-License-Identifier: GPL-2.0-or-later
/* Files like /etc/smtprio.conf, through libinih. */
#include <errno.h>
#include <ini.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conffile.h"
#include "sysfs.h"
#include "util.h"

struct reading {
	struct conffile *f;
	FILE *stream;
	int line;
	bool midway;		/* the last line had no end yet */
	int bad_line;		/* 0: none */
	const char *bad;
};

static void complain(struct reading *r, const char *text)
{
	if (r->bad_line)
		return;
	r->bad_line = r->line;
	r->bad = text;
}

/* libinih takes a line that is too long for two lines, so it must not pass. */
static char *read_line(char *str, int num, void *arg)
{
	struct reading *r = arg;
	char *line = fgets(str, num, r->stream);

	if (!line)
		return NULL;
	if (r->midway)
		complain(r, "the line is too long");
	else
		r->line++;
	r->midway = !strchr(line, '\n');
	return line;
}

static void add(char ***words, int *nr, const char *name, const char *value)
{
	*words = xrealloc(*words, (*nr + 1) * sizeof(**words));
	(*words)[(*nr)++] = xprintf("%s=%s", name, value);
}

static int take(void *arg, const char *section, const char *name,
		const char *value)
{
	struct reading *r = arg;
	struct conffile *f = r->f;

	if (!strcmp(section, "priority"))
		add(&f->priorities, &f->nr_priorities, name, value);
	else if (*section)
		complain(r, "unknown section, allowed: [priority]");
	else if (strcmp(name, "profile"))
		add(&f->words, &f->nr_words, name, value);
	else if (f->profile)
		complain(r, "profile is given twice, allowed: once");
	else
		f->profile = xstrdup(value);
	return 1;
}

int conffile_read(struct conffile *f, const char *cmd, const char *path)
{
	struct reading r = { .f = f };
	int err;

	*f = (struct conffile){ 0 };
	r.stream = sysfs_stream(path);
	if (!r.stream) {
		fail("%s: cannot read %s: %m", cmd, path);
		return -1;
	}
	errno = 0;
	err = ini_parse_stream(read_line, &r, take, &r);
	if (ferror(r.stream)) {
		fail("%s: cannot read %s: %m", cmd, path);
		err = -1;
	} else if (err < 0) {
		fail("%s: cannot read %s: no memory", cmd, path);
	} else if (r.bad_line && (!err || r.bad_line <= err)) {
		fail("%s: %s: line %d: %s", cmd, path, r.bad_line, r.bad);
		err = -1;
	} else if (err) {
		fail("%s: %s: line %d: it is not KEY = VALUE", cmd, path, err);
		err = -1;
	}
	fclose(r.stream);
	return err;
}

static void free_words(char **words, int nr)
{
	while (nr)
		free(words[--nr]);
	free(words);
}

void conffile_free(struct conffile *f)
{
	free(f->profile);
	free_words(f->words, f->nr_words);
	free_words(f->priorities, f->nr_priorities);
	*f = (struct conffile){ 0 };
}
