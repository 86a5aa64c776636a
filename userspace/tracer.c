// SPDX-License-Identifier: GPL-2.0-or-later
/* The module's tracepoints, through libtracefs. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "reason.h"
#include "sysfs.h"
#include "tracer.h"
#include "util.h"

#define TRACEFS		"/sys/kernel/tracing"
#define SYSTEM		"smtprio"
#define WAKE		"smtprio_wake"
#define ILB		"smtprio_ilb"
#define INSTANCE	"smtprioctl-"

struct tracer {
	struct tep_handle *tep;
	struct tracefs_instance *instance;
	bool (*fn)(const struct decision *d, void *data);
	void *data;
};

/* Is everything there? If not, say what is missing and what to do. */
static bool can_trace(void)
{
	const char *dir = TRACEFS;
	char *events;
	bool found;

	if (!sysfs_rooted()) {
		if (geteuid()) {
			fail("trace: %s", reason(-EPERM));
			return false;
		}
		/* Mounts it when it is not. */
		dir = tracefs_tracing_dir();
	}
	events = xprintf("%s/events", dir ? dir : TRACEFS);
	if (!dir || !sysfs_exists("%s", events)) {
		fail("trace: no tracefs at %s; mount it with: mount -t tracefs none %s",
		     TRACEFS, TRACEFS);
		free(events);
		return false;
	}
	found = sysfs_exists("%s/" SYSTEM, events);
	free(events);
	if (!found)
		fail("trace: the loaded module has no tracepoints; load version %s",
		     SMTPRIO_VERSION);
	else if (sysfs_rooted())
		fail("trace: only the running kernel can be traced, not one below --sysroot");
	return found && !sysfs_rooted();
}

/* Instances of those that were killed before they could remove them. */
static void remove_stale(void)
{
	char **names = tracefs_instances("^" INSTANCE "[0-9]*$");
	size_t i;

	for (i = 0; names && names[i]; i++) {
		struct tracefs_instance *stale;

		if (!kill(atoi(names[i] + strlen(INSTANCE)), 0) || errno != ESRCH)
			continue;
		stale = tracefs_instance_create(names[i]);
		if (stale)
			tracefs_instance_destroy(stale);
		tracefs_instance_free(stale);
	}
	if (names)
		tracefs_list_free(names);
}

/* 0 or -errno. */
static int enable(struct tracer *t, int pid)
{
	char *own = xprintf("%d", getpid());
	char *filter = xprintf("pid == %d", pid);
	int err = 0;

	errno = EIO;	/* should the library set none */
	/* Wakeups by this tool, or each line printed would bring the next. */
	tracefs_instance_file_write(t->instance, "set_event_notrace_pid", own);
	if (pid && tracefs_event_file_write(t->instance, SYSTEM, WAKE, "filter", filter) < 0)
		err = -errno;
	if (!err && tracefs_event_enable(t->instance, SYSTEM, WAKE))
		err = -errno;
	if (!err && !pid && tracefs_event_enable(t->instance, SYSTEM, ILB))
		err = -errno;
	free(filter);
	free(own);
	return err;
}

struct tracer *tracer_open(int pid)
{
	const char *const systems[] = { SYSTEM, NULL };
	struct tracer *t;
	char *name;
	int err;

	if (!can_trace())
		return NULL;
	/* The library's own complaints would be lines of another form. */
	tracefs_set_loglevel(TEP_LOG_NONE);
	remove_stale();

	t = xalloc(sizeof(*t));
	t->tep = tracefs_local_events_system(NULL, systems);
	if (!t->tep) {
		fail("trace: cannot read the formats of the events: %m");
		tracer_close(t);
		return NULL;
	}
	name = xprintf(INSTANCE "%d", getpid());
	t->instance = tracefs_instance_create(name);
	free(name);
	if (!t->instance) {
		fail("trace: cannot make a tracefs instance: %s", reason(-errno));
		tracer_close(t);
		return NULL;
	}
	err = enable(t, pid);
	if (err) {
		fail("trace: cannot switch the events on: %s", reason(err));
		tracer_close(t);
		return NULL;
	}
	return t;
}

void tracer_close(struct tracer *t)
{
	if (t->instance) {
		tracefs_instance_destroy(t->instance);
		tracefs_instance_free(t->instance);
	}
	if (t->tep)
		tep_free(t->tep);
	free(t);
}

static int number(struct tep_event *event, struct tep_record *record, const char *name)
{
	unsigned long long value = 0;

	if (tep_get_field_val(NULL, event, name, record, &value, 0))
		return -1;
	return (int)value;
}

/* The names of the values are in the event's format. */
static const char *symbol(struct tep_event *event, int value)
{
	const struct tep_print_arg *arg;
	const struct tep_print_flag_sym *sym;

	for (arg = event->print_fmt.args; arg; arg = arg->next)
		if (arg->type == TEP_PRINT_SYMBOL)
			for (sym = arg->symbol.symbols; sym; sym = sym->next)
				if (strtol(sym->value, NULL, 0) == value)
					return sym->str;
	return "?";
}

static int on_event(struct tep_event *event, struct tep_record *record, int cpu, void *context)
{
	struct tracer *t = context;
	struct decision d = {
		.time = record->ts / 1e9,
		.cpu = cpu,
		.event = event->name,
		.wake = !strcmp(event->name, WAKE),
		.kernel_cpu = number(event, record, "kernel_cpu"),
		.target_cpu = number(event, record, "target_cpu"),
		.reason = symbol(event, number(event, record, "reason")),
	};
	int len;

	if (d.wake) {
		d.comm = tep_get_field_raw(NULL, event, "comm", record, &len, 0);
		d.pid = number(event, record, "pid");
	}
	return !t->fn(&d, t->data);
}

int tracer_read(struct tracer *t, bool (*fn)(const struct decision *d, void *data),
		void *data)
{
	t->fn = fn;
	t->data = data;
	/* A stop by fn, and empty buffers, are no failures. */
	if (!tracefs_iterate_raw_events(t->tep, t->instance, NULL, 0, on_event, t))
		return 0;
	if (!sysfs_exists(SMTPRIO))
		fail("trace: the module was unloaded");
	else
		fail("trace: cannot read the trace: %m");
	return -1;
}

unsigned long long tracer_lost(struct tracer *t)
{
	unsigned long long sum = 0;
	long cpu, nr = sysconf(_SC_NPROCESSORS_CONF);

	for (cpu = 0; cpu < nr; cpu++) {
		char *file = xprintf("per_cpu/cpu%ld/stats", cpu);
		char *text = tracefs_instance_file_read(t->instance, file, NULL);
		const char *at = text ? strstr(text, "overrun: ") : NULL;

		if (at)
			sum += strtoull(at + strlen("overrun: "), NULL, 10);
		free(text);
		free(file);
	}
	return sum;
}
