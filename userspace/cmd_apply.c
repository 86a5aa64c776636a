// SPDX-License-Identifier: GPL-2.0-or-later
/* apply */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "cmd.h"
#include "cmdline.h"
#include "conffile.h"
#include "knobs.h"
#include "options.h"
#include "priorities.h"
#include "profiles.h"
#include "sysfs.h"
#include "util.h"

/* The settings of a profile; 0, or -1 with the message printed. */
static int take_profile(struct settings *s, const char *cmd, const char *name)
{
	struct profile *list;
	const struct profile *p;
	size_t nr;
	int err = -1;

	if (!name)
		return settings_parse(s, cmd, NULL, 0);
	list = profiles_read(&nr);
	p = profile_find(list, nr, cmd, name);
	if (p)
		err = settings_parse(s, cmd, p->words, p->nr_words);
	profiles_free(list, nr);
	return err;
}

/* The profile's, then the file's own: the latter win. */
static int take_file(struct settings *s, const struct conffile *f,
		     const char *cmd)
{
	struct settings own;

	if (take_profile(s, cmd, f->profile))
		return -1;
	if (settings_parse(&own, cmd, f->words, f->nr_words)) {
		settings_free(s);
		return -1;
	}
	settings_merge(s, &own);
	return 0;
}

/*
 * What the kernel's command line says wins, as it does when modprobe loads the
 * module: that is how a machine is booted without what its files ask for.
 */
static int take_cmdline(struct settings *s, const char *path)
{
	int nr, i, err = 0;
	char **words = cmdline_words(&nr);

	for (i = 0; !err && i < nr; i++) {
		char *key = xprintf("%.*s", (int)strcspn(words[i], "="),
				    words[i]);
		const struct knob *knob = knob_find(key);
		struct settings one;

		free(key);
		/* Not all parameters are knobs. */
		if (!knob)
			continue;
		err = settings_parse(&one, "apply: kernel command line",
				     &words[i], 1);
		if (err)
			break;
		if (s->value[knob - knobs] &&
		    strcmp(s->value[knob - knobs], one.value[knob - knobs]))
			fail("apply: smtprio.%s on the kernel's command line wins over %s",
			     words[i], path);
		settings_merge(s, &one);
	}
	cmdline_free(words, nr);
	return err;
}

static bool is_custom(const struct settings *s)
{
	const char *source = s->value[knob_find("priority_source") - knobs];

	return source && !strcmp(source, "custom");
}

static int check_source(const struct settings *s, const struct conffile *f,
			const char *cmd)
{
	if (!f->nr_priorities || is_custom(s))
		return 0;
	fail("%s: [priority] needs priority_source = custom", cmd);
	return -1;
}

/* All writes, in the order of the knobs, priorities last. */
static int fill(struct batch *b, struct settings *s, const struct conffile *f,
		const char *path)
{
	char *cmd = xprintf("apply: %s", path);
	int err = take_file(s, f, cmd);
	size_t i;

	if (!err)
		err = check_source(s, f, cmd) || take_cmdline(s, path);
	for (i = 0; !err && i < nr_knobs; i++)
		if (s->value[i])
			batch_add(b, xprintf(SMTPRIO "/%s", knobs[i].name),
				  knobs[i].name, s->value[i]);
	/* The command line may have said another source. */
	if (!err && is_custom(s))
		err = priorities_add(b, cmd, f->priorities, f->nr_priorities);
	free(cmd);
	return err;
}

static int drop(struct batch *b)
{
	batch_free(b);
	return EXIT_SUCCESS;
}

int cmd_apply(const struct options *opt, char **args, int nr)
{
	const char *path = nr ? args[0] : CONF_FILE;
	int status = EXIT_FAILURE;
	struct settings s = { 0 };
	struct batch b = { 0 };
	struct conffile f;

	if (conffile_read(&f, "apply", path) || fill(&b, &s, &f, path))
		batch_free(&b);
	else if (option_given(opt, OPT_CHECK))
		status = drop(&b);
	else if (need_loaded("apply"))
		status = batch_run(&b, "apply");
	else
		batch_free(&b);
	if (!status && opt->json)
		settings_print(&s, true);
	settings_free(&s);
	conffile_free(&f);
	return status;
}
