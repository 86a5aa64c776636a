/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_CPULIST_H
#define SMTPRIOCTL_CPULIST_H

#include <stdbool.h>
#include <stddef.h>

/* CPU numbers, ascending, each once. */
struct cpulist {
	int *cpu;
	size_t nr;
};

/* "0-3,8": 0, or -EINVAL. The empty text is the empty list. */
int cpulist_parse(const char *text, struct cpulist *list);
char *cpulist_format(const struct cpulist *list);
void cpulist_free(struct cpulist *list);

void cpulist_append(struct cpulist *list, int cpu);
bool cpulist_has(const struct cpulist *list, int cpu);
/* The first CPU of list that is not in of, or -1. */
int cpulist_outside(const struct cpulist *list, const struct cpulist *of);

#endif
