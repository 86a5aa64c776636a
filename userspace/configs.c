// SPDX-License-Identifier: GPL-2.0-or-later
/* Configurations that bench compares. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "configs.h"
#include "profiles.h"
#include "util.h"

static const struct {
	const char *name;
	const char *settings;
} shorts[] = {
	{ "off", "mode=off" },
	{ "observe", "mode=observe" },
	{ "enforce", "mode=enforce" },
	{ "wake", "mode=enforce+wake=1+fork_exec=1+ilb=0+packing=0+idle_core=0+node=0" },
	{ "ilb", "mode=enforce+wake=0+fork_exec=0+ilb=1+packing=0+idle_core=0+node=0" },
	{ "packing", "mode=enforce+wake=0+fork_exec=0+ilb=0+packing=1+idle_core=0+node=0" },
	{ "all", "mode=enforce+wake=1+fork_exec=1+ilb=1+packing=1+idle_core=1+node=1" },
	{ "smt-off", "mode=off+smt=off" },
};

static char *short_names(const char *sep)
{
	char *names = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shorts); i++)
		append(&names, sep, "%s", shorts[i].name);
	return names;
}

void configs_help(void)
{
	char *names = short_names(", ");

	printf("\nConfigurations: %s,\n"
	       "profiles by name, and KEY=VALUE+... with the keys of set, or smt=on, smt=off.\n"
	       "wake, ilb, packing: it alone; all: all of them; smt-off: mode off, SMT off.\n",
	       names);
	free(names);
}

char *configs_names(void)
{
	return short_names(" ");
}

static const char *short_settings(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(shorts); i++)
		if (!strcmp(shorts[i].name, name))
			return shorts[i].settings;
	return NULL;
}

/* KEY=VALUE words of one configuration. */
struct words {
	char **list;
	int nr;
	int nr_short;		/* the first ones came from a short name */
};

static size_t key_length(const char *word)
{
	return strcspn(word, "=");
}

/* A word takes the place of one that a short name stands for. */
static void add_word(struct words *w, const char *word)
{
	size_t len = key_length(word);
	int i;

	for (i = 0; i < w->nr_short; i++) {
		if (key_length(w->list[i]) != len ||
		    strncmp(w->list[i], word, len))
			continue;
		free(w->list[i]);
		w->list[i] = xstrdup(word);
		return;
	}
	w->list = xrealloc(w->list, (w->nr + 1) * sizeof(*w->list));
	w->list[w->nr++] = xstrdup(word);
}

static void add_words(struct words *w, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *word;

	while ((word = strsep(&rest, "+")))
		add_word(w, word);
	free(copy);
}

static void words_free(struct words *w)
{
	int i;

	for (i = 0; i < w->nr; i++)
		free(w->list[i]);
	free(w->list);
}

/* Of a profile, "+" between them, to be freed; NULL: there is no such one. */
static char *profile_settings(const char *name)
{
	char *text = NULL;
	size_t nr, i;
	struct profile *list = profiles_read(&nr);
	int j;

	for (i = 0; i < nr; i++)
		for (j = 0; !strcmp(list[i].name, name) &&
		     j < list[i].nr_words; j++)
			append(&text, "+", "%s", list[i].words[j]);
	profiles_free(list, nr);
	return text;
}

/* What a name stands for, to be freed, or NULL. */
static char *named_settings(const char *name)
{
	const char *settings = short_settings(name);

	return settings ? xstrdup(settings) : profile_settings(name);
}

static int bad_config(const char *cmd, const char *name, const char *part)
{
	char *names = short_names(", ");

	fail("%s: configuration '%s': bad '%s', allowed: %s, a profile, KEY=VALUE+KEY=VALUE...",
	     cmd, name, part, names);
	free(names);
	return -1;
}

/* "smt=on" is no knob of the module: take it out of the words. */
static int take_smt(struct config *c, struct words *w, const char *cmd)
{
	int i, kept = 0, err = 0;

	for (i = 0; i < w->nr; i++) {
		char *word = w->list[i];

		if (strncmp(word, "smt=", 4)) {
			w->list[kept++] = word;
			continue;
		}
		if (!strcmp(word + 4, "on") || !strcmp(word + 4, "off")) {
			free(c->smt);
			c->smt = xstrdup(word + 4);
		} else if (!err) {
			fail("%s: smt: bad value '%s', allowed: on, off", cmd,
			     word + 4);
			err = -1;
		}
		free(word);
	}
	w->nr = kept;
	return err;
}

static int parse_config(struct config *c, const char *cmd, const char *text)
{
	char *copy = xstrdup(text), *rest = copy, *part;
	struct words w = { 0 };
	int err = 0;

	*c = (struct config){ .name = xstrdup(text) };
	while (!err && (part = strsep(&rest, "+"))) {
		char *settings = w.nr ? NULL : named_settings(part);

		if (settings) {
			add_words(&w, settings);
			w.nr_short = w.nr;
		} else if (strchr(part, '=')) {
			add_word(&w, part);
		} else {
			err = bad_config(cmd, text, part);
		}
		free(settings);
	}
	if (!err)
		err = take_smt(c, &w, cmd);
	if (!err && w.nr)
		err = settings_parse(&c->knobs, cmd, w.list, w.nr);
	words_free(&w);
	free(copy);
	return err;
}

static int add_config(struct configs *c, const char *cmd, const char *text)
{
	struct config config;
	size_t i;
	int err;

	for (i = 0; i < c->nr; i++) {
		if (strcmp(c->list[i].name, text))
			continue;
		fail("%s: configuration '%s' is given twice, allowed: once",
		     cmd, text);
		return -1;
	}
	err = parse_config(&config, cmd, text);
	c->list = xrealloc(c->list, (c->nr + 1) * sizeof(*c->list));
	c->list[c->nr++] = config;
	c->knobs |= !!config.knobs.value;
	c->smt |= !!config.smt;
	return err;
}

/* The end of a configuration: a comma, but not one inside "cpus=0,4-7". */
static size_t config_length(const char *text)
{
	size_t len = strcspn(text, ",");

	while (text[len] && isdigit((unsigned char)text[len + 1]))
		len += 1 + strcspn(text + len + 1, ",");
	return len;
}

int configs_parse(struct configs *c, const char *cmd, const char *text)
{
	int err = 0;

	*c = (struct configs){ 0 };
	for (;;) {
		size_t len = config_length(text);
		char *one = xprintf("%.*s", (int)len, text);

		err = add_config(c, cmd, one);
		free(one);
		text += len;
		if (err || !*text)
			break;
		text++;
	}
	if (err)
		configs_free(c);
	return err;
}

void configs_free(struct configs *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++) {
		free(c->list[i].name);
		free(c->list[i].smt);
		settings_free(&c->list[i].knobs);
	}
	free(c->list);
	*c = (struct configs){ 0 };
}
