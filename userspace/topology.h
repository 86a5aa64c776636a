/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_TOPOLOGY_H
#define SMTPRIOCTL_TOPOLOGY_H

#include <stdbool.h>

#include "cpulist.h"

#define CPU_DIR	"/sys/devices/system/cpu"

/* The online threads of one core, as the kernel lists them. */
struct core {
	struct cpulist cpus;
	/* The best threads; empty where no thread is better than another. */
	struct cpulist preferred;
};

struct topology {
	struct cpulist present;
	struct cpulist online;
	struct cpulist offline;		/* present ones */
	struct core *cores;		/* by their first CPU */
	size_t nr_cores;
	bool smt;			/* some core has two online threads */
	/* By CPU number, both up to nr_cpus; valid for present CPUs. */
	int nr_cpus;
	int *core_of;			/* index in cores, -1 when offline */
	char **priority;		/* as text, NULL when unknown */
};

/* 0, or -1 with the message printed, unless cmd is NULL. */
int topology_read(struct topology *t, const char *cmd);
/* Fill in the priorities and preferred threads from the module's files. */
void topology_read_priorities(struct topology *t);
void topology_free(struct topology *t);

#endif
