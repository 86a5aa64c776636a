// SPDX-License-Identifier: GPL-2.0-or-later
/* trace */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "cmd.h"
#include "json.h"
#include "sysfs.h"
#include "tracer.h"
#include "util.h"

/* Seconds between two looks into the buffers. */
#define PERIOD	0.1
/* A busy machine has new events all the time: look for signals now and then. */
#define EVENTS_A_LOOK	64

struct output {
	const struct options *opt;
	int nr;
	bool done;
};

static void print_json(const struct decision *d)
{
	char *time = xprintf("%.6f", d->time);
	char *cpu = xprintf("%d", d->cpu);
	char *pid = d->wake ? xprintf("%d", d->pid) : NULL;
	char *kernel_cpu = xprintf("%d", d->kernel_cpu);
	char *target_cpu = xprintf("%d", d->target_cpu);

	json_one_line(true);
	json_open(NULL, '{');
	json_number("time", time);
	json_number("cpu", cpu);
	json_string("event", d->event);
	json_string("comm", d->comm);
	json_number("pid", pid);
	json_number("kernel_cpu", kernel_cpu);
	json_number("target_cpu", target_cpu);
	json_string("reason", d->reason);
	json_close('}');
	json_one_line(false);
	free(target_cpu);
	free(kernel_cpu);
	free(pid);
	free(cpu);
	free(time);
}

/* A stream cannot wait for its longest cell, so the widths are given. */
static void print_human(const struct decision *d)
{
	char comm[17] = "-", pid[16] = "-";
	size_t i;

	if (d->wake) {
		snprintf(comm, sizeof(comm), "%s", d->comm ? d->comm : "?");
		for (i = 0; comm[i]; i++)
			if (!isprint((unsigned char)comm[i]))
				comm[i] = '?';
		snprintf(pid, sizeof(pid), "%d", d->pid);
	}
	printf("%13.6f %4d %-16s %7s %6d %6d %s\n", d->time, d->cpu, comm, pid,
	       d->kernel_cpu, d->target_cpu, d->reason);
}

static bool print(const struct decision *d, void *data)
{
	struct output *out = data;

	(out->opt->json ? print_json : print_human)(d);
	out->nr++;
	if (out->nr == out->opt->count)
		out->done = true;
	else if (out->nr % EVENTS_A_LOOK == 0 && clock_pause(0, false))
		out->done = true;
	return !out->done;
}

int cmd_trace(const struct options *opt, char **args, int nr)
{
	struct output out = { .opt = opt };
	unsigned long long lost;
	struct tracer *t;
	int err = 0;

	(void)args;
	(void)nr;
	if (!need_loaded("trace"))
		return EXIT_FAILURE;
	clock_hold_signals();
	t = tracer_open(opt->pid);
	if (!t)
		return EXIT_FAILURE;
	if (!opt->json)
		printf("%13s %4s %-16s %7s %6s %6s %s\n", "TIME", "CPU", "TASK",
		       "PID", "KERNEL", "TARGET", "REASON");
	while (!out.done) {
		/* A reader that is gone, or a full disk: main() says it. */
		if (fflush(stdout) || clock_pause(clock_now() + PERIOD, false))
			break;
		err = tracer_read(t, print, &out);
		if (!err && !sysfs_exists(SMTPRIO)) {
			fail("trace: the module was unloaded");
			err = -1;
		}
		if (err)
			break;
	}
	lost = tracer_lost(t);
	tracer_close(t);
	if (lost)
		fail("trace: %llu events were lost, the buffers were full", lost);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}
