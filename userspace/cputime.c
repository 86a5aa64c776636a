// SPDX-License-Identifier: GPL-2.0-or-later
/* How busy the CPUs are, from /proc/stat. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cputime.h"
#include "sysfs.h"
#include "util.h"

enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, NR_STATES };

/* "cpuN user nice system idle iowait irq softirq steal guest guest_nice" */
static void parse_line(const char *line, struct cputime *times, int nr_cpus)
{
	unsigned long long n[NR_STATES] = { 0 };
	struct cputime t = { 0 };
	int cpu, i;

	if (sscanf(line, "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu", &cpu,
		   &n[USER], &n[NICE], &n[SYSTEM], &n[IDLE], &n[IOWAIT],
		   &n[IRQ], &n[SOFTIRQ], &n[STEAL]) < 5)
		return;
	if (cpu < 0 || cpu >= nr_cpus)
		return;
	/* guest times are part of user and nice already. */
	for (i = 0; i < NR_STATES; i++)
		t.total += n[i];
	t.busy = t.total - n[IDLE] - n[IOWAIT];
	times[cpu] = t;
}

struct cputime *cputime_read(int nr_cpus)
{
	char *text = sysfs_read("/proc/stat"), *rest = text, *line;
	struct cputime *times;

	if (!text)
		return NULL;
	times = xalloc(nr_cpus * sizeof(*times));
	while ((line = strsep(&rest, "\n")))
		if (!strncmp(line, "cpu", 3))
			parse_line(line, times, nr_cpus);
	free(text);
	return times;
}

/* iowait may go backwards: no time is the answer then, not a huge one. */
static unsigned long long since(unsigned long long now,
				unsigned long long before)
{
	return now > before ? now - before : 0;
}

void cputime_subtract(struct cputime *now, const struct cputime *before,
		      int nr_cpus)
{
	int i;

	for (i = 0; i < nr_cpus; i++) {
		now[i].total = since(now[i].total, before[i].total);
		now[i].busy = since(now[i].busy, before[i].busy);
		if (now[i].busy > now[i].total)
			now[i].busy = now[i].total;
	}
}

struct cputime *cputime_measure(int nr_cpus, double interval)
{
	struct timespec ts = {
		.tv_sec = interval,
		.tv_nsec = (interval - (long)interval) * 1e9,
	};
	struct cputime *before, *now;

	before = cputime_read(nr_cpus);
	if (!before || !interval)
		return before;
	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
	now = cputime_read(nr_cpus);
	if (now)
		cputime_subtract(now, before, nr_cpus);
	free(before);
	return now;
}
