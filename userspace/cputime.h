/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_CPUTIME_H
#define SMTPRIOCTL_CPUTIME_H

/* Clock ticks a CPU was busy, and all its ticks, since boot or between. */
struct cputime {
	unsigned long long busy;
	unsigned long long total;
};

/*
 * Time by CPU number below nr_cpus: over an interval of so many seconds, or
 * since boot when it is 0. NULL with errno when /proc/stat is unreadable.
 */
struct cputime *cputime_measure(int nr_cpus, double interval);

#endif
