// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles: built in and saved. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "knobs.h"
#include "profiles.h"
#include "sysfs.h"
#include "util.h"

static const struct {
	const char *name;
	const char *whom;
	const char *settings;
} builtin[] = {
	{ "olympus",
	  "cores that split in two when both threads run (NVIDIA Vera): all that keeps them whole",
	  "mode=enforce wake=1 fork_exec=1 ilb=1 packing=1 idle_core=1 node=0 priority_source=number"
	},
	{ "parity",
	  "what the kernel does by itself after 7.3 with sched_smt_asym_packing=on, on older kernels",
	  "mode=enforce wake=1 fork_exec=0 ilb=1 packing=1 idle_core=0 node=0 priority_source=number"
	},
	{ "spread",
	  "any SMT machine whose tasks are to have a core each while there are idle ones",
	  "mode=enforce wake=1 fork_exec=1 ilb=1 packing=0 idle_core=1 node=0" },
	{ "node",
	  "many small last-level caches in a NUMA node (AMD EPYC), not overloaded",
	  "mode=enforce wake=1 fork_exec=1 ilb=1 packing=0 idle_core=1 node=1" },
	{ "observe",
	  "a first look on a production machine: counts, changes nothing",
	  "mode=observe wake=1 fork_exec=1 ilb=1" },
};

static void add_word(struct profile *p, const char *word)
{
	char *key = xprintf("%.*s", (int)strcspn(word, "="), word);

	/* What this version does not have is off by itself. */
	if (strchr(word, '=') && (p->saved || knob_find(key))) {
		p->words = xrealloc(p->words,
				    (p->nr_words + 1) * sizeof(*p->words));
		p->words[p->nr_words++] = xstrdup(word);
	}
	free(key);
}

static void add_words(struct profile *p, const char *text, const char *sep)
{
	char *copy = xstrdup(text), *rest = copy, *word;

	while ((word = strsep(&rest, sep)))
		if (*word && *word != '#')
			add_word(p, word);
	free(copy);
}

/* Does this version have all the knobs that the profile switches on? */
static bool is_possible(const char *settings)
{
	char *copy = xstrdup(settings), *rest = copy, *word;
	bool possible = true;

	while ((word = strsep(&rest, " "))) {
		char *key = strsep(&word, "=");

		if (!knob_find(key) && word && strcmp(word, "0"))
			possible = false;
	}
	free(copy);
	return possible;
}

static struct profile *grow(struct profile **list, size_t *nr)
{
	*list = xrealloc(*list, (*nr + 1) * sizeof(**list));
	(*list)[*nr] = (struct profile){ 0 };
	return &(*list)[(*nr)++];
}

static void read_saved(struct profile **list, size_t *nr)
{
	char **names = sysfs_list(PROFILE_DIR);
	size_t i;

	for (i = 0; names && names[i]; i++) {
		char *text = sysfs_read(PROFILE_DIR "/%s", names[i]);
		struct profile *p;

		if (!text)
			continue;
		p = grow(list, nr);
		p->name = xstrdup(names[i]);
		p->whom = xstrdup("saved here");
		p->saved = true;
		add_words(p, text, "\n");
		free(text);
	}
	sysfs_list_free(names);
}

struct profile *profiles_read(size_t *nr)
{
	struct profile *list = NULL;
	size_t i;

	*nr = 0;
	for (i = 0; i < ARRAY_SIZE(builtin); i++) {
		struct profile *p;

		if (!is_possible(builtin[i].settings))
			continue;
		p = grow(&list, nr);
		p->name = xstrdup(builtin[i].name);
		p->whom = xstrdup(builtin[i].whom);
		add_words(p, builtin[i].settings, " ");
	}
	read_saved(&list, nr);
	return list;
}

void profiles_free(struct profile *list, size_t nr)
{
	size_t i;
	int j;

	for (i = 0; i < nr; i++) {
		free(list[i].name);
		free(list[i].whom);
		for (j = 0; j < list[i].nr_words; j++)
			free(list[i].words[j]);
		free(list[i].words);
	}
	free(list);
}

const struct profile *profile_find(const struct profile *list, size_t nr,
				   const char *cmd, const char *name)
{
	char *names = NULL;
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(list[i].name, name))
			return &list[i];
	for (i = 0; i < nr; i++)
		append(&names, ", ", "%s", list[i].name);
	fail("%s: unknown profile '%s', allowed: %s", cmd, name, names);
	free(names);
	return NULL;
}

int profile_check_name(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(builtin); i++) {
		if (strcmp(name, builtin[i].name))
			continue;
		fail("profile: '%s' is built in, allowed: another name", name);
		return -1;
	}
	if (*name && strlen(name) < 64 && strspn(name, letters) == strlen(name))
		return 0;
	fail("profile: bad name '%s', allowed: up to 63 letters, digits, - and _",
	     name);
	return -1;
}

/* The folder of profiles, made where it is missing. */
static int open_dir(void)
{
	static const char *const parts[] = { "/etc", "smtprio", "profiles" };
	int dir = sysfs_open("/", O_PATH | O_DIRECTORY), next;
	char *path = xstrdup("");
	size_t i;

	for (i = 0; dir >= 0 && i < ARRAY_SIZE(parts); i++) {
		const char *name = parts[i] + (*parts[i] == '/');

		append(&path, "/", "%s", name);
		mkdirat(dir, name, 0755);
		/* Each from the root: a link must not lead out of it. */
		next = sysfs_open(path, O_PATH | O_DIRECTORY);
		close(dir);
		dir = next;
	}
	free(path);
	return dir;
}

static int write_file(int dir, const char *name, const char *text)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW |
			O_CLOEXEC, 0644);
	size_t len = strlen(text);
	int err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != (ssize_t)len || fsync(fd))
		err = errno ? -errno : -EIO;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

int profile_write(const char *name, const char *text)
{
	/* No name of a profile starts so, and lists leave it out. */
	char *temporary = xprintf(".%s", name);
	int dir = open_dir(), err;

	err = dir < 0 ? -errno : write_file(dir, temporary, text);
	if (!err && renameat(dir, temporary, dir, name))
		err = -errno;
	if (err && dir >= 0)
		unlinkat(dir, temporary, 0);
	if (dir >= 0)
		close(dir);
	free(temporary);
	return err;
}
