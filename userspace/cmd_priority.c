// SPDX-License-Identifier: GPL-2.0-or-later
/* priority */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "cmd.h"
#include "json.h"
#include "priorities.h"
#include "sysfs.h"
#include "table.h"
#include "topology.h"
#include "util.h"

/*
 * Takes words "CPU=PRIORITY" of one write, to be in force all at once. sysfs
 * passes on no more than a page at a time, so what is longer is split: then
 * each part is in force at once, one after another.
 */
#define PRIORITIES	SMTPRIO "/priorities"
#define PRIORITIES_MAX	4095

/* What the arguments ask for. */
struct request {
	const char *cmd;
	struct cpulist cpus;	/* in the order given */
	char **value;		/* beside cpus.cpu, NULL to show */
	bool write;
	bool show;
};

static void request_free(struct request *r)
{
	size_t i;

	for (i = 0; i < r->cpus.nr; i++)
		free(r->value[i]);
	free(r->value);
	cpulist_free(&r->cpus);
}

/* The number as the kernel writes it, or NULL. */
static char *parse_int(const char *text)
{
	const char *digits = text + (*text == '-' || *text == '+');
	long n;

	if (!*digits || digits[strspn(digits, "0123456789")])
		return NULL;
	errno = 0;
	n = strtol(text, NULL, 10);
	if (errno || n < INT_MIN || n > INT_MAX)
		return NULL;
	return xprintf("%ld", n);
}

static int add_cpu(struct request *r, const struct topology *t, int cpu,
		   const char *value)
{
	size_t i;

	if (!cpulist_has(&t->present, cpu) ||
	    (sysfs_exists(SMTPRIO) &&
	     !sysfs_exists(SMTPRIO "/cpu%d/priority", cpu))) {
		char *present = cpulist_format(&t->present);

		fail("%s: CPU %d does not exist, allowed: CPUs of %s", r->cmd,
		     cpu, present);
		free(present);
		return -1;
	}
	for (i = 0; i < r->cpus.nr; i++) {
		if (r->cpus.cpu[i] == cpu) {
			fail("%s: CPU %d is given twice, allowed: once",
			     r->cmd, cpu);
			return -1;
		}
	}
	r->value = xrealloc(r->value, (r->cpus.nr + 1) * sizeof(*r->value));
	r->value[r->cpus.nr] = value ? xstrdup(value) : NULL;
	cpulist_append(&r->cpus, cpu);
	return 0;
}

/* "CPU" or "CPU=N"; CPU may be a list. */
static int parse_arg(struct request *r, const struct topology *t,
		     const char *arg)
{
	const char *text = strchr(arg, '=');
	char *cpus = xprintf("%.*s", (int)strcspn(arg, "="), arg);
	char *value = text ? parse_int(text + 1) : NULL;
	struct cpulist list = { 0 };
	int err = 0;
	size_t i;

	if (cpulist_parse(cpus, &list) || !list.nr) {
		fail("%s: bad CPU '%s', allowed: a number or list as in 0,4-7",
		     r->cmd, cpus);
		err = -1;
	} else if (text && !value) {
		fail("%s: CPU %s: bad priority '%s', allowed: whole numbers from %d to %d",
		     r->cmd, cpus, text + 1, INT_MIN, INT_MAX);
		err = -1;
	}
	for (i = 0; !err && i < list.nr; i++)
		err = add_cpu(r, t, list.cpu[i], value);
	if (text)
		r->write = true;
	else
		r->show = true;
	cpulist_free(&list);
	free(cpus);
	free(value);
	return err;
}

static int check_custom(void)
{
	char *source = sysfs_read(SMTPRIO "/priority_source");
	int err = 0;

	if (!source) {
		fail("priority: cannot read %s/priority_source: %m", SMTPRIO);
		err = -1;
	} else if (strcmp(source, "custom")) {
		fail("priority: priority_source is %s, priorities can be written only when it is custom; do: smtprioctl set priority_source=custom",
		     source);
		err = -1;
	}
	free(source);
	return err;
}

static void show_cpu(struct table *out, const struct topology *t, int cpu)
{
	int nr = t->core_of[cpu];
	char *name = xprintf("%d", cpu);
	char *core = nr < 0 ? NULL : xprintf("%d", nr);
	const char *preferred = NULL;

	if (nr >= 0 && t->cores[nr].preferred.nr)
		preferred = cpulist_has(&t->cores[nr].preferred, cpu) ?
			    "yes" : "no";
	table_row(out, name, core, t->priority[cpu], preferred,
		  nr < 0 ? "offline" : preferred, nr < 0 ? "no" : "yes");
	free(name);
	free(core);
}

static int show(const struct options *opt, struct topology *t,
		const struct cpulist *cpus)
{
	static const struct column columns[] = {
		{ "CPU", "cpu", COL_NUMBER, 0 },
		{ "CORE", "core", COL_NUMBER, 0 },
		{ "PRIORITY", "priority", COL_NUMBER, 0 },
		{ NULL, "preferred", COL_BOOL, 0 },
		{ "PREFERRED", NULL, COL_TEXT, 0 },
		{ NULL, "online", COL_BOOL, 0 },
	};
	struct table *out = table_new(columns, ARRAY_SIZE(columns));
	size_t i;

	topology_read_priorities(t);
	for (i = 0; i < cpus->nr; i++)
		show_cpu(out, t, cpus->cpu[i]);
	if (opt->json) {
		json_open(NULL, '{');
		table_json(out, "priorities");
		json_close('}');
	} else {
		table_print(out);
	}
	table_free(out);
	return EXIT_SUCCESS;
}

/* What is in force for the CPUs of words "CPU=PRIORITY", as such words. */
static char *read_words(const char *words)
{
	char *copy = xstrdup(words), *rest = copy, *word, *now = NULL;

	while ((word = strsep(&rest, " "))) {
		int cpu = atoi(word);
		char *value = sysfs_read(SMTPRIO "/cpu%d/priority", cpu);

		if (!value) {
			free(now);
			now = NULL;
			break;
		}
		append(&now, " ", "%d=%s", cpu, value);
		free(value);
	}
	free(copy);
	return now;
}

/*
 * The CPUs from number i on whose words fit into one write, and the newline;
 * returns the number of the first that does not.
 */
static size_t add_words(struct batch *b, const struct request *r, size_t i)
{
	struct cpulist cpus = { 0 };
	char *words = NULL, *list, *label;
	size_t len = 0;

	for (; i < r->cpus.nr; i++) {
		char *word = xprintf("%d=%s", r->cpus.cpu[i], r->value[i]);

		len += strlen(word) + 1;
		if (len <= PRIORITIES_MAX) {
			append(&words, " ", "%s", word);
			cpulist_append(&cpus, r->cpus.cpu[i]);
		}
		free(word);
		if (len > PRIORITIES_MAX)
			break;
	}
	list = cpulist_format(&cpus);
	label = xprintf("CPU%s %s", cpus.nr > 1 ? "s" : "", list);
	batch_add_unreadable(b, xstrdup(PRIORITIES), label, words, read_words);
	free(label);
	free(list);
	free(words);
	cpulist_free(&cpus);
	return i;
}

static void add_cpu_file(struct batch *b, int cpu, const char *value)
{
	char *label = xprintf("CPU %d", cpu);

	batch_add(b, xprintf(SMTPRIO "/cpu%d/priority", cpu), label, value);
	free(label);
}

/* Several CPUs in one step, unless the module is too old for that. */
static void add_all(struct batch *b, const struct request *r)
{
	bool together = r->cpus.nr > 1 && sysfs_exists(PRIORITIES);
	size_t i = 0;

	while (i < r->cpus.nr) {
		if (together) {
			i = add_words(b, r, i);
		} else {
			add_cpu_file(b, r->cpus.cpu[i], r->value[i]);
			i++;
		}
	}
}

static int write_all(const struct request *r)
{
	struct batch b = { 0 };

	add_all(&b, r);
	return batch_run(&b, "priority");
}

int priorities_add(struct batch *b, const char *cmd, char **words, int nr)
{
	struct request r = { .cmd = cmd };
	struct topology t;
	int err = 0, i;

	if (!nr)
		return 0;
	if (topology_read(&t, cmd))
		return -1;
	for (i = 0; !err && i < nr; i++)
		err = parse_arg(&r, &t, words[i]);
	if (!err)
		add_all(b, &r);
	request_free(&r);
	topology_free(&t);
	return err;
}

int cmd_priority(const struct options *opt, char **args, int nr)
{
	struct request r = { .cmd = "priority" };
	int status = EXIT_FAILURE, i;
	struct topology t;

	if (!need_loaded("priority") || topology_read(&t, "priority"))
		return EXIT_FAILURE;
	for (i = 0; i < nr; i++)
		if (parse_arg(&r, &t, args[i]))
			goto out;
	if (r.write && r.show) {
		fail("priority: CPU and CPU=N together, allowed: all of one kind");
		goto out;
	}
	if (r.write) {
		if (check_custom())
			goto out;
		status = write_all(&r);
		if (status || !opt->json)
			goto out;
	}
	status = show(opt, &t, nr ? &r.cpus : &t.present);
out:
	request_free(&r);
	topology_free(&t);
	return status;
}
