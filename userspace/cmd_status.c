// SPDX-License-Identifier: GPL-2.0-or-later
/* status */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "counters.h"
#include "cputime.h"
#include "json.h"
#include "knobs.h"
#include "sysfs.h"
#include "table.h"
#include "topology.h"
#include "util.h"

#define DEFAULT_INTERVAL	0.2

static int not_loaded(const struct options *opt)
{
	if (opt->json) {
		json_open(NULL, '{');
		json_bool("loaded", false);
		json_string("hint", LOAD_HINT);
		json_close('}');
	} else {
		puts("smtprio is not loaded; " LOAD_HINT);
	}
	return EXIT_FAILURE;
}

static void show_knobs(const struct options *opt, char *const *values)
{
	static const struct column columns[] = {
		{ "", NULL, COL_TEXT, 0 },
		{ "", NULL, COL_TEXT, 60 },
	};
	struct table *t = table_new(columns, ARRAY_SIZE(columns));
	char *version = sysfs_read(SMTPRIO "/version");
	char *stand_ins = sysfs_read(SMTPRIO "/stand_ins");
	char *about = xprintf("loaded, version %s",
			      version ? version : "unknown");
	size_t i;

	if (opt->json) {
		json_bool("loaded", true);
		json_string("version", version);
		json_string("stand_ins", stand_ins);
		json_open("knobs", '{');
	} else {
		table_row(t, "smtprio", about);
		if (stand_ins && strcmp(stand_ins, "none"))
			table_row(t, "stand-ins", stand_ins);
	}
	for (i = 0; i < nr_knobs; i++) {
		if (opt->json && !values[i])
			json_string(knobs[i].name, NULL);
		else if (opt->json)
			knob_json(&knobs[i], values[i]);
		else
			table_row(t, knobs[i].name, values[i]);
	}
	if (opt->json)
		json_close('}');
	else
		table_print(t);
	table_free(t);
	free(about);
	free(stand_ins);
	free(version);
}

static void show_hooks(const struct options *opt)
{
	static const struct column columns[] = {
		{ "HOOK", "name", COL_TEXT, 0 },
		{ "ACTIVE", "active", COL_BOOL, 0 },
		{ "WAY", "way", COL_TEXT, 0 },
		{ "SITE", "site", COL_TEXT, 0 },
		{ "CALLERS", "callers", COL_WORDS, 30 },
	};
	struct table *t = table_new(columns, ARRAY_SIZE(columns));
	char **names = sysfs_list(SMTPRIO "/hooks");
	size_t i;

	for (i = 0; names && names[i]; i++) {
		char *active = sysfs_read(SMTPRIO "/hooks/%s/active", names[i]);
		char *way = sysfs_read(SMTPRIO "/hooks/%s/way", names[i]);
		char *site = sysfs_read(SMTPRIO "/hooks/%s/site", names[i]);
		char *callers = sysfs_read(SMTPRIO "/hooks/%s/callers",
					   names[i]);

		table_row(t, names[i],
			  active ? strcmp(active, "1") ? "no" : "yes" : NULL,
			  way, site, callers);
		free(active);
		free(way);
		free(site);
		free(callers);
	}
	if (opt->json) {
		table_json(t, "hooks");
	} else {
		putchar('\n');
		table_print(t);
	}
	sysfs_list_free(names);
	table_free(t);
}

/* "wakeups 5000, moved 12 (0.2%)" */
static char *decisions_text(const struct counters *c, const char *what,
			    const char *kind)
{
	char *seen = xprintf("%sseen", kind);
	unsigned long long all = counters_sum(c, NULL, seen);
	unsigned long long yes = counters_moved(c, NULL, kind);
	unsigned long long maybe = counters_would(c, NULL, kind);
	double part = all ? 100.0 / all : 0;
	char *text = xprintf("%s %llu, moved %llu (%.1f%%)", what, all, yes,
			     part * yes);

	if (maybe)
		append(&text, ", ", "would be %llu (%.1f%%)", maybe,
		       part * maybe);
	free(seen);
	return text;
}

static void show_decisions(const struct options *opt)
{
	struct counters c;
	char *wake, *ilb;
	size_t i;

	if (counters_read(&c, NULL))
		return;
	if (opt->json) {
		json_open("stats", '{');
		for (i = 0; i < c.nr; i++) {
			char *value = xprintf("%llu", c.values[i]);

			json_number(c.names[i], value);
			free(value);
		}
		json_close('}');
	} else {
		wake = decisions_text(&c, "wakeups", "wake_");
		ilb = decisions_text(&c, "idle balancing", "ilb_");
		printf("\n%s\n%s\n", wake, ilb);
		free(wake);
		free(ilb);
	}
	counters_free(&c);
}

static void add_time(struct cputime *sum, const struct cputime *t)
{
	sum->busy += t->busy;
	sum->total += t->total;
}

/* Per cent, or NULL when no time was measured. */
static char *percent(const struct cputime *t)
{
	if (!t->total)
		return NULL;
	return xprintf("%.1f", 100.0 * t->busy / t->total);
}

static char *core_priorities(const struct topology *t, const struct core *core)
{
	char *list = NULL;
	size_t i;

	for (i = 0; i < core->cpus.nr; i++) {
		const char *prio = t->priority[core->cpus.cpu[i]];

		if (!prio) {
			free(list);
			return NULL;
		}
		append(&list, ",", "%s", prio);
	}
	return list;
}

static void core_row(struct table *out, const struct topology *t, size_t nr,
		     const struct cputime *times, struct cputime *sum)
{
	const struct core *core = &t->cores[nr];
	char *index = xprintf("%zu", nr);
	char *cpus = cpulist_format(&core->cpus);
	char *prios = core_priorities(t, core);
	char *preferred = cpulist_format(&core->preferred);
	struct cputime mine[2] = { 0 };
	char *busy[2] = { NULL, NULL };
	size_t i;

	for (i = 0; times && i < core->cpus.nr; i++) {
		int cpu = core->cpus.cpu[i];

		add_time(&mine[!cpulist_has(&core->preferred, cpu)],
			 &times[cpu]);
	}
	for (i = 0; i < 2; i++) {
		/* Only cores with a preference tell how well it is kept. */
		if (core->preferred.nr)
			add_time(&sum[i], &mine[i]);
		busy[i] = percent(&mine[i]);
	}
	table_row(out, index, cpus, prios, preferred,
		  core->preferred.nr ? preferred : NULL, busy[0], busy[1]);
	free(index);
	free(cpus);
	free(prios);
	free(preferred);
	free(busy[0]);
	free(busy[1]);
}

static void show_smt(const struct options *opt, const struct topology *t)
{
	char *control = sysfs_read(CPU_DIR "/smt/control");
	size_t i;

	if (opt->json) {
		json_bool("smt", t->smt);
		json_string("smt_control", control);
		json_open("offline_cpus", '[');
		for (i = 0; i < t->offline.nr; i++) {
			char *cpu = xprintf("%d", t->offline.cpu[i]);

			json_number(NULL, cpu);
			free(cpu);
		}
		json_close(']');
	} else if (!t->smt) {
		printf("\nno SMT: no core has two online threads%s%s%s\n",
		       control ? " (smt/control: " : "", control ? control : "",
		       control ? ")" : "");
	}
	free(control);
}

static void show_load(const struct options *opt, const struct cputime *sum)
{
	char *preferred = percent(&sum[0]), *others = percent(&sum[1]);

	if (opt->json) {
		json_open("load", '{');
		json_number("preferred_busy_percent", preferred);
		json_number("others_busy_percent", others);
		json_close('}');
	} else if (preferred && others) {
		printf("\npreferred threads busy %s%%, others %s%%\n",
		       preferred, others);
	}
	free(preferred);
	free(others);
}

static void show_cores(const struct options *opt, const struct topology *t,
		       const struct cputime *times)
{
	static const struct column columns[] = {
		{ "CORE", "core", COL_NUMBER, 0 },
		{ "SIBLINGS", "cpus", COL_CPUS, 18 },
		{ "PRIORITY", "priorities", COL_INTS, 18 },
		{ NULL, "preferred", COL_CPUS, 0 },
		{ "PREFERRED", NULL, COL_TEXT, 12 },
		{ "BUSY%", "preferred_busy_percent", COL_NUMBER, 0 },
		{ "OTHERS%", "others_busy_percent", COL_NUMBER, 0 },
	};
	struct table *out = table_new(columns, ARRAY_SIZE(columns));
	struct cputime sum[2] = { 0 };
	size_t i;

	for (i = 0; i < t->nr_cores; i++)
		core_row(out, t, i, times, sum);
	if (opt->json) {
		table_json(out, "cores");
	} else {
		if (t->offline.nr) {
			char *offline = cpulist_format(&t->offline);

			table_row(out, NULL, offline, NULL, NULL, "offline",
				  NULL, NULL);
			free(offline);
		}
		if (t->smt || t->offline.nr) {
			putchar('\n');
			table_print(out);
		}
	}
	show_load(opt, sum);
	table_free(out);
}

int cmd_status(const struct options *opt, char **args, int nr)
{
	/* A recorded tree does not move: show the time since its boot. */
	double interval = sysfs_rooted() ? 0 :
			  opt->interval ? opt->interval : DEFAULT_INTERVAL;
	char **values;
	struct topology t;
	struct cputime *times;
	size_t i;

	(void)args;
	(void)nr;
	if (!sysfs_exists(SMTPRIO))
		return not_loaded(opt);
	if (topology_read(&t, "status"))
		return EXIT_FAILURE;
	topology_read_priorities(&t);
	times = cputime_measure(t.nr_cpus, interval);
	values = xalloc(nr_knobs * sizeof(*values));
	for (i = 0; i < nr_knobs; i++)
		values[i] = sysfs_read(SMTPRIO "/%s", knobs[i].name);

	if (opt->json)
		json_open(NULL, '{');
	show_knobs(opt, values);
	show_hooks(opt);
	show_decisions(opt);
	show_smt(opt, &t);
	show_cores(opt, &t, times);
	if (opt->json)
		json_close('}');

	for (i = 0; i < nr_knobs; i++)
		free(values[i]);
	free(values);
	free(times);
	topology_free(&t);
	return EXIT_SUCCESS;
}
