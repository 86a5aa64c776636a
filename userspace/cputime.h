/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_CPUTIME_H
#define SMTPRIOCTL_CPUTIME_H

/* Clock ticks a CPU was busy, and all its ticks, since boot or between. */
struct cputime {
	unsigned long long busy;
	unsigned long long total;
};

/* Since boot, by CPU number; NULL with errno. */
struct cputime *cputime_read(int nr_cpus);
/* Make of the later one the time that passed between. */
void cputime_subtract(struct cputime *now, const struct cputime *before,
		      int nr_cpus);
/*
 * Time by CPU number below nr_cpus: over an interval of so many seconds, or
 * since boot when it is 0. NULL with errno when /proc/stat is unreadable.
 */
struct cputime *cputime_measure(int nr_cpus, double interval);

#endif
