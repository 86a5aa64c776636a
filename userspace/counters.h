/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_COUNTERS_H
#define SMTPRIOCTL_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>

#define STATS_DIR	"/sys/kernel/smtprio/stats"

/* The module's counters at one moment, sorted by name. */
struct counters {
	char **names;			/* NULL at the end */
	unsigned long long *values;
	size_t nr;
	double when;			/* clock_now() */
};

/* All of them or none: 0, or -1 with the message printed unless cmd is NULL. */
int counters_read(struct counters *c, const char *cmd);
void counters_free(struct counters *c);

/*
 * Have they only grown since before, and are they the same ones? If not, they
 * were reset or the module was loaded anew, and a difference means nothing.
 */
bool counters_follow(const struct counters *now, const struct counters *before);
/*
 * Sums of those that count choices changed, or that would have been in mode
 * observe, of a kind ("wake_", "ilb_", "" for both); before is NULL for all
 * there is. counters_sum() is one of them by its name.
 */
unsigned long long counters_moved(const struct counters *now,
				  const struct counters *before,
				  const char *kind);
unsigned long long counters_would(const struct counters *now,
				  const struct counters *before,
				  const char *kind);
unsigned long long counters_sum(const struct counters *now,
				const struct counters *before,
				const char *name);
/* Does the module account for the modes of cores (the knob account)? */
bool counters_account(void);

#endif
