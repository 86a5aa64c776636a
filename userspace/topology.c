// SPDX-License-Identifier: GPL-2.0-or-later
/* Cores and their threads. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sysfs.h"
#include "topology.h"
#include "util.h"

static int read_list(const char *name, struct cpulist *list)
{
	char *text = sysfs_read(CPU_DIR "/%s", name);
	int err;

	if (!text)
		return -1;
	err = cpulist_parse(text, list);
	free(text);
	return err || !list->nr ? -1 : 0;
}

/* The online siblings of a CPU: at least itself. */
static void read_siblings(const struct topology *t, int cpu,
			  struct cpulist *list)
{
	struct cpulist all = { 0 };
	char *name = xprintf("cpu%d/topology/thread_siblings_list", cpu);
	size_t i;

	*list = (struct cpulist){ 0 };
	if (!read_list(name, &all) && cpulist_has(&all, cpu)) {
		for (i = 0; i < all.nr; i++)
			if (cpulist_has(&t->online, all.cpu[i]))
				cpulist_append(list, all.cpu[i]);
	} else {
		cpulist_append(list, cpu);
	}
	cpulist_free(&all);
	free(name);
}

static void add_core(struct topology *t, int cpu)
{
	struct core core = { 0 };
	size_t i;

	read_siblings(t, cpu, &core.cpus);
	/*
	 * The files are read one after another: a CPU may come or go between
	 * them, so keep the first answer where two differ.
	 */
	for (i = 0; i < core.cpus.nr; i++)
		if (t->core_of[core.cpus.cpu[i]] < 0)
			t->core_of[core.cpus.cpu[i]] = t->nr_cores;
	if (core.cpus.nr > 1)
		t->smt = true;
	t->cores = xrealloc(t->cores, (t->nr_cores + 1) * sizeof(*t->cores));
	t->cores[t->nr_cores++] = core;
}

int topology_read(struct topology *t, const char *cmd)
{
	size_t i;
	int cpu;

	*t = (struct topology){ 0 };
	if (read_list("online", &t->online)) {
		if (cmd)
			fail("%s: cannot read the CPU list %s/online", cmd,
			     CPU_DIR);
		return -1;
	}
	if ((read_list("present", &t->present) &&
	     read_list("possible", &t->present)) ||
	    cpulist_outside(&t->online, &t->present) >= 0) {
		if (cmd)
			fail("%s: cannot make sense of %s/present", cmd,
			     CPU_DIR);
		topology_free(t);
		return -1;
	}

	t->nr_cpus = t->present.cpu[t->present.nr - 1] + 1;
	t->core_of = xalloc(t->nr_cpus * sizeof(*t->core_of));
	t->priority = xalloc(t->nr_cpus * sizeof(*t->priority));
	for (cpu = 0; cpu < t->nr_cpus; cpu++)
		t->core_of[cpu] = -1;
	for (i = 0; i < t->present.nr; i++)
		if (!cpulist_has(&t->online, t->present.cpu[i]))
			cpulist_append(&t->offline, t->present.cpu[i]);
	for (i = 0; i < t->online.nr; i++)
		if (t->core_of[t->online.cpu[i]] < 0)
			add_core(t, t->online.cpu[i]);
	return 0;
}

/* The threads of the highest priority; none unless they beat another. */
static void find_preferred(const struct topology *t, struct core *core)
{
	long best = LONG_MIN;
	size_t i;

	for (i = 0; i < core->cpus.nr; i++) {
		const char *text = t->priority[core->cpus.cpu[i]];
		long prio;

		if (!text) {
			cpulist_free(&core->preferred);
			return;
		}
		prio = strtol(text, NULL, 10);
		if (prio < best)
			continue;
		if (prio > best)
			cpulist_free(&core->preferred);
		best = prio;
		cpulist_append(&core->preferred, core->cpus.cpu[i]);
	}
	if (core->preferred.nr == core->cpus.nr)
		cpulist_free(&core->preferred);
}

void topology_read_priorities(struct topology *t)
{
	size_t i;

	for (i = 0; i < t->present.nr; i++) {
		int cpu = t->present.cpu[i];

		t->priority[cpu] = sysfs_read(SMTPRIO "/cpu%d/priority", cpu);
	}
	for (i = 0; i < t->nr_cores; i++)
		find_preferred(t, &t->cores[i]);
}

void topology_free(struct topology *t)
{
	size_t i;
	int cpu;

	for (i = 0; i < t->nr_cores; i++) {
		cpulist_free(&t->cores[i].cpus);
		cpulist_free(&t->cores[i].preferred);
	}
	free(t->cores);
	for (cpu = 0; t->priority && cpu < t->nr_cpus; cpu++)
		free(t->priority[cpu]);
	free(t->priority);
	free(t->core_of);
	cpulist_free(&t->present);
	cpulist_free(&t->online);
	cpulist_free(&t->offline);
}
