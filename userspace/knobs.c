// SPDX-License-Identifier: GPL-2.0-or-later
/* The knobs: names, allowed values, checking. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cpulist.h"
#include "json.h"
#include "knobs.h"
#include "sysfs.h"
#include "topology.h"
#include "util.h"

#define MAX_NS	1000000000

/*
 * Written in this order. priority_source is last: leaving "custom" loses the
 * custom priorities, so no later write may fail and ask for it back.
 */
const struct knob knobs[] = {
	{ "mode", KNOB_CHOICE, "off observe enforce",
	  "detached, only count, or act" },
	{ "wake", KNOB_BOOL, NULL, "act on ordinary wakeups" },
	{ "fork_exec", KNOB_BOOL, NULL, "act on fork and exec" },
	{ "ilb", KNOB_BOOL, NULL, "act on the idle balancer's choice" },
	{ "idle_core", KNOB_BOOL, NULL, "leave shared cores for idle ones" },
	{ "node", KNOB_BOOL, NULL, "use other LLCs when one is full" },
	{ "node_scan", KNOB_NUMBER, "auto", "CPUs of an LLC that node looks at" },
	{ "packing", KNOB_BOOL, NULL, "act in the load balancer (packing)" },
	{ "account", KNOB_BOOL, NULL, "count transitions of cores" },
	{ "qualify_ns", KNOB_NS, NULL, "idle so long counts as idle" },
	{ "cpus", KNOB_CPUS, NULL, "the CPUs it applies to" },
	{ "priority_source", KNOB_CHOICE, "number reverse arch custom",
	  "where priorities come from" },
};

const size_t nr_knobs = ARRAY_SIZE(knobs);

const struct knob *knob_find(const char *name)
{
	size_t i;

	for (i = 0; i < nr_knobs; i++)
		if (!strcmp(knobs[i].name, name))
			return &knobs[i];
	return NULL;
}

char *knob_names(void)
{
	char *names = NULL;
	size_t i;

	for (i = 0; i < nr_knobs; i++)
		append(&names, ", ", "%s", knobs[i].name);
	return names;
}

/* "a b c" as "a, b, c" */
static char *choice_list(const char *choices)
{
	char *copy = xstrdup(choices), *rest = copy, *word, *list = NULL;

	while ((word = strsep(&rest, " ")))
		append(&list, ", ", "%s", word);
	free(copy);
	return list;
}

static char *allowed_text(const struct knob *knob, const char *cpus)
{
	switch (knob->kind) {
	case KNOB_CHOICE:
		return choice_list(knob->choices);
	case KNOB_BOOL:
		return xstrdup("1, 0, on, off, yes, no");
	case KNOB_CPUS:
		return cpus ? xprintf("all, or CPUs of %s as in 0,4-7", cpus) :
			      xstrdup("all, or CPUs as in 0,4-7");
	case KNOB_NUMBER:
		return xprintf("%s, or 1 to %d", knob->choices, KNOB_MOST);
	case KNOB_NS:
		return xprintf("nanoseconds, 0 to %d", MAX_NS);
	}
	return NULL;
}

void knob_help(void)
{
	size_t i;

	puts("\nKeys and values:");
	for (i = 0; i < nr_knobs; i++) {
		char *allowed = allowed_text(&knobs[i], NULL);

		printf("  %-16s %s: %s\n", knobs[i].name, allowed,
		       knobs[i].help);
		free(allowed);
	}
}

void knob_json(const struct knob *knob, const char *value)
{
	if (knob->kind == KNOB_BOOL)
		json_bool(knob->name, !strcmp(value, "1"));
	else if (knob->kind == KNOB_NS ||
		 (knob->kind == KNOB_NUMBER && strcmp(value, knob->choices)))
		json_number(knob->name, value);
	else
		json_string(knob->name, value);
}

static char *parse_choice(const struct knob *knob, const char *text)
{
	size_t len = strlen(text);
	const char *p = knob->choices;

	while (*p) {
		size_t word = strcspn(p, " ");

		if (word == len && !memcmp(p, text, len))
			return xstrdup(text);
		p += word;
		p += *p == ' ';
	}
	return NULL;
}

static char *parse_bool(const char *text)
{
	static const char *const words[][4] = {
		{ "0", "n", "no", "off" },
		{ "1", "y", "yes", "on" },
	};
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		for (j = 0; j < ARRAY_SIZE(words[i]); j++)
			if (!strcasecmp(words[i][j], text))
				return xprintf("%zu", i);
	return NULL;
}

static char *parse_number(const struct knob *knob, const char *text)
{
	unsigned long number;
	char *end;

	if (!strcmp(knob->choices, text))
		return xstrdup(text);
	/* strtoul() takes signs and spaces too. */
	if (*text < '0' || *text > '9')
		return NULL;
	number = strtoul(text, &end, 10);
	if (*end || number < 1 || number > KNOB_MOST)
		return NULL;
	return xprintf("%lu", number);
}

static char *parse_cpus(const char *text, const char *possible)
{
	struct cpulist list, all;
	char *value = NULL;

	if (cpulist_parse(strcmp(text, "all") ? text : possible, &list))
		return NULL;
	if (!cpulist_parse(possible, &all)) {
		if (list.nr && cpulist_outside(&list, &all) < 0)
			value = cpulist_format(&list);
		cpulist_free(&all);
	}
	cpulist_free(&list);
	return value;
}

static char *parse_ns(const char *text)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	/* strtol() takes signs and spaces too. */
	if (*text < '0' || *text > '9' || errno || *end || n > MAX_NS)
		return NULL;
	return xprintf("%ld", n);
}

static int parse_value(const struct knob *knob, const char *cmd,
		       const char *text, char **value)
{
	char *possible = NULL, *allowed;

	switch (knob->kind) {
	case KNOB_CHOICE:
		*value = parse_choice(knob, text);
		break;
	case KNOB_BOOL:
		*value = parse_bool(text);
		break;
	case KNOB_NUMBER:
		*value = parse_number(knob, text);
		break;
	case KNOB_CPUS:
		possible = sysfs_read(CPU_DIR "/possible");
		if (!possible) {
			fail("%s: cannot read %s/possible: %m", cmd, CPU_DIR);
			return -1;
		}
		*value = parse_cpus(text, possible);
		break;
	case KNOB_NS:
		*value = parse_ns(text);
		break;
	}
	if (!*value) {
		allowed = allowed_text(knob, possible);
		fail("%s: %s: bad value '%s', allowed: %s", cmd, knob->name,
		     text, allowed);
		free(allowed);
	}
	free(possible);
	return *value ? 0 : -1;
}

static int parse_setting(struct settings *s, const char *cmd, const char *arg)
{
	const char *text = strchr(arg, '=');
	const struct knob *knob;
	char *name, *names;
	int err = -1;

	if (!text) {
		fail("%s: '%s' is not KEY=VALUE", cmd, arg);
		return -1;
	}
	name = xprintf("%.*s", (int)(text - arg), arg);
	knob = knob_find(name);
	if (!knob) {
		names = knob_names();
		fail("%s: unknown key '%s', allowed: %s", cmd, name, names);
		free(names);
	} else if (s->value[knob - knobs]) {
		fail("%s: %s is given twice, allowed: once", cmd, name);
	} else {
		err = parse_value(knob, cmd, text + 1,
				  &s->value[knob - knobs]);
	}
	free(name);
	return err;
}

int settings_parse(struct settings *s, const char *cmd, char **args, int nr)
{
	int i;

	s->value = xalloc(nr_knobs * sizeof(*s->value));
	for (i = 0; i < nr; i++) {
		if (parse_setting(s, cmd, args[i])) {
			settings_free(s);
			return -1;
		}
	}
	return 0;
}

void settings_free(struct settings *s)
{
	size_t i;

	for (i = 0; s->value && i < nr_knobs; i++)
		free(s->value[i]);
	free(s->value);
	s->value = NULL;
}

void settings_print(const struct settings *s, bool json)
{
	size_t i;

	if (json)
		json_open(NULL, '{');
	for (i = 0; i < nr_knobs; i++) {
		if (!s->value[i])
			continue;
		if (json)
			knob_json(&knobs[i], s->value[i]);
		else
			printf("%s=%s\n", knobs[i].name, s->value[i]);
	}
	if (json)
		json_close('}');
}

void settings_merge(struct settings *s, struct settings *over)
{
	size_t i;

	for (i = 0; i < nr_knobs; i++) {
		if (!over->value[i])
			continue;
		free(s->value[i]);
		s->value[i] = over->value[i];
		over->value[i] = NULL;
	}
	settings_free(over);
}
