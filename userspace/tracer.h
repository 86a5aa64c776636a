/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_TRACER_H
#define SMTPRIOCTL_TRACER_H

#include <stdbool.h>

/* A decision of the module. Texts live until the next one. */
struct decision {
	double time;		/* seconds of the trace clock, since boot */
	int cpu;		/* that decided */
	bool wake;		/* of a wakeup, fork or exec; else of an ILB choice */
	const char *event;
	const char *comm;	/* wakeups only, as are pids */
	int pid;
	int kernel_cpu;
	int target_cpu;
	const char *reason;
};

struct tracer;

/*
 * The module's events in a tracefs instance of their own, which others do not
 * see; of task pid alone unless it is 0. NULL with the message printed.
 */
struct tracer *tracer_open(int pid);
/* The instance goes, and the events are off again. */
void tracer_close(struct tracer *t);

/*
 * Call fn for each decision since the last time, until there are no more or fn
 * returns false. 0, or -1 with the message printed.
 */
int tracer_read(struct tracer *t, bool (*fn)(const struct decision *d, void *data),
		void *data);

/* How many decisions were lost because the buffers were full. */
unsigned long long tracer_lost(struct tracer *t);

#endif
