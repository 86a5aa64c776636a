// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * modes BEFORE AFTER QUALIFY_NS MS CPU,CPU... [CPU,CPU...]...
 *
 * Compares the module's accounting of single and multi mode with a trace. Each
 * list of CPUs is a core. BEFORE and AFTER are tracefs instances with the same
 * events enabled, BEFORE's before the module's probes were attached, AFTER's after:
 * probes are called in that order, so the moment that the module took for an event
 * lies between the two traces' times of it, however long the host lets a virtual
 * CPU wait between them.
 *
 * Records for MS milliseconds and reads the module's figures at both ends; then
 * replays the trace with the rule in its plain words: a core is in multi mode from
 * when a second thread gets active until there is a thread such that all others
 * have been idle for QUALIFY_NS without a break.
 *
 * Prints for each core a line core=CPU events=N, and for each figure NAME=MODULE,
 * trace_NAME=TRACE, times in microseconds. The two may differ by what is not known:
 * slack_us, the sum of the distances between the two times of the events at which a
 * thread got active, or idle if that is more, and the time it took to read the
 * figures; and
 * slack_n, the number of decisions that depend on where between them the moment
 * was: is a break as long as QUALIFY_NS, which of two siblings was first.
 * unpaired=N is how many events are in one trace only.
 */
#include "common.h"

#define MAX_THREADS 8
#define MAX_CORES 32
#define MAX_EVENTS 400000
#define LOOK_AHEAD 64
#define NEVER INT64_MAX
#define TICK_NS 1000	/* of the times in a trace */

enum { TO_MULTI, TO_SINGLE, MULTI, BOTH, WASTED, NR_FIGURES };

static const char * const names[] = { "to_multi", "to_single", "multi_ns", "both_ns", "wasted_ns" };

enum { SWITCH_IDLE, SWITCH_TASK, STEP_IN, STEP_OUT, MARK_BEGIN, MARK_END };

struct event {
	int64_t at;	/* nanoseconds, cut off to microseconds */
	int64_t until;	/* it was no later than that */
	int cpu, kind;
	bool task;	/* what ran was no idle task */
	uint32_t text;	/* a sum of what the line says */
	bool used;
};

struct trace {
	struct event *event;
	int nr;
};

struct core {
	int nr, cpu[MAX_THREADS];
	int64_t idle_since[MAX_THREADS];	/* NEVER: active */
	int64_t idle_until[MAX_THREADS];	/* no later than that it was */
	bool task[MAX_THREADS];
	int depth[MAX_THREADS];
	bool multi, was_multi;
	int64_t at;
	int last;		/* thread of the last event that changed a state */
	int64_t last_until;
	int64_t figure[NR_FIGURES], more_ns, less_ns;
	int slack_n, events;
	long long before[NR_FIGURES], after[NR_FIGURES];
	int fd[NR_FIGURES];
};

static struct core cores[MAX_CORES];
static int nr_cores;
static int64_t qualify;
static bool counting;

/* When the core gets single if nothing more happens. */
static int64_t back_at(const struct core *c)
{
	int64_t best = NEVER;

	for (int one = 0; one < c->nr; one++) {
		int64_t when = 0;

		for (int i = 0; i < c->nr; i++)
			if (i != one && c->idle_since[i] > when)
				when = c->idle_since[i];
		if (when != NEVER && when + qualify < best)
			best = when + qualify;
	}
	return best;
}

static int nr_active(const struct core *c)
{
	int n = 0;

	for (int i = 0; i < c->nr; i++)
		n += c->idle_since[i] == NEVER;
	return n;
}

static void pass(struct core *c, int64_t until)
{
	if (counting && c->multi && until > c->at) {
		c->figure[MULTI] += until - c->at;
		if (nr_active(c) >= 2)
			c->figure[BOTH] += until - c->at;
		else if (nr_active(c) == 1)
			c->figure[WASTED] += until - c->at;
	}
	if (until > c->at)
		c->at = until;
}

static void advance(struct core *c, int64_t now)
{
	int64_t back = back_at(c);

	if (c->multi && back <= now) {
		pass(c, back);
		c->multi = false;
		c->figure[TO_SINGLE] += counting;
	}
	pass(c, now);
}

/* What the trace leaves open about the event that changes the state of thread @i. */
static void doubt(struct core *c, int i, const struct event *e)
{
	int64_t least = e->at - c->idle_until[i], most = e->until - c->idle_since[i];

	/* A thread that gets idle later, or active, was so for longer, or less. */
	if (c->idle_since[i] == NEVER)
		c->more_ns += e->until - e->at;
	else
		c->less_ns += e->until - e->at;
	c->events++;
	if (c->idle_since[i] != NEVER && least <= qualify && most >= qualify)
		c->slack_n++;
	/* In multi mode it does not matter. */
	if (c->last != i && e->at <= c->last_until && !(c->multi && c->was_multi))
		c->slack_n++;
}

static void thread_is(struct core *c, int i, const struct event *e)
{
	bool active = c->task[i] || c->depth[i];
	bool was = c->idle_since[i] == NEVER;

	if (active == was)
		return;
	advance(c, e->at);
	if (counting)
		doubt(c, i, e);
	c->was_multi = c->multi;
	c->last = i;
	c->last_until = e->until;
	c->idle_since[i] = active ? NEVER : e->at;
	c->idle_until[i] = e->until;
	if (!c->multi && nr_active(c) >= 2) {
		c->multi = true;
		c->figure[TO_MULTI] += counting;
	}
}

static struct core *core_of(int cpu, int *thread)
{
	for (int i = 0; i < nr_cores; i++)
		for (*thread = 0; *thread < cores[i].nr; ++*thread)
			if (cores[i].cpu[*thread] == cpu)
				return &cores[i];
	return NULL;
}

static void replay_event(const struct event *e)
{
	int thread;
	struct core *c;

	if (e->kind == MARK_BEGIN || e->kind == MARK_END) {
		for (int i = 0; i < nr_cores; i++)
			advance(&cores[i], e->at);
		counting = e->kind == MARK_BEGIN;
		return;
	}
	c = core_of(e->cpu, &thread);
	if (!c)
		return;
	switch (e->kind) {
	case SWITCH_IDLE:
	case SWITCH_TASK:
		c->task[thread] = e->kind == SWITCH_TASK;
		c->depth[thread] = 0;
		break;
	default:	/* a hog does not switch; a begin may have been before the trace's */
		c->task[thread] = e->task;
		if (e->kind == STEP_IN)
			c->depth[thread]++;
		else if (c->depth[thread])
			c->depth[thread]--;
	}
	thread_is(c, thread, e);
}

/* STEP_IN or STEP_OUT for an interrupt or softirq, else -1. */
static int step_of(const char *event)
{
	static const char * const kinds[] = {
		"irq_handler", "softirq", "local_timer", "reschedule", "call_function",
		"call_function_single", "irq_work", "x86_platform_ipi", "thermal_apic", "ipi",
	};
	size_t len;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		len = strlen(kinds[i]);
		if (strncmp(event, kinds[i], len))
			continue;
		if (!strncmp(event + len, "_entry:", 7))
			return STEP_IN;
		if (!strncmp(event + len, "_exit:", 6))
			return STEP_OUT;
	}
	return -1;
}

/* "  comm-pid   [003] d..2. 12.345678: event: ..." */
static bool parse(const char *line, struct event *e)
{
	const char *at = strstr(line, " ["), *text, *next, *pid;
	long seconds, us;

	if (*line == '#' || !at ||
	    sscanf(at, " [%d] %*s %ld.%ld:", &e->cpu, &seconds, &us) != 3)
		return false;
	text = strstr(at, ": ");
	if (!text)
		return false;
	text += 2;
	pid = memrchr(line, '-', at - line);
	e->task = pid && atoi(pid + 1);
	e->at = (seconds * 1000000 + us) * 1000;
	e->until = e->at + TICK_NS;
	e->used = false;
	e->text = 0;
	for (const char *p = text; *p; p++)
		e->text = e->text * 31 + *p;
	if (!strncmp(text, "sched_switch:", 13)) {
		next = strstr(text, " next_pid=");
		e->kind = next && atoi(next + 10) ? SWITCH_TASK : SWITCH_IDLE;
	} else if (strstr(text, "account begin")) {
		e->kind = MARK_BEGIN;
	} else if (strstr(text, "account end")) {
		e->kind = MARK_END;
	} else {
		e->kind = step_of(text);
	}
	return e->kind >= 0;
}

static void read_trace(struct trace *t, const char *instance)
{
	static char line[1024];
	FILE *file;

	snprintf(line, sizeof(line), "%s/trace", instance);
	file = fopen(line, "r");
	t->event = malloc(MAX_EVENTS * sizeof(*t->event));
	if (!file || !t->event)
		die("%s", line);
	while (fgets(line, sizeof(line), file)) {
		if (t->nr == MAX_EVENTS)
			die("more than %d events", MAX_EVENTS);
		t->nr += parse(line, &t->event[t->nr]);
	}
	fclose(file);
}

/*
 * Finds each event in the other trace. The next of its CPU there, as a rule; an
 * interrupt may come between the probes of a softirq.
 */
static int pair_up(struct trace *before, struct trace *after)
{
	static int from[MAX_CPUS];
	int unpaired = 0;
	bool inside = false;

	for (int i = 0; i < before->nr; i++) {
		struct event *e = &before->event[i], *other = NULL;
		int looked = 0;

		if (e->kind == MARK_BEGIN || e->kind == MARK_END) {
			inside = e->kind == MARK_BEGIN;
			e->until = e->at;
			continue;
		}
		if (e->cpu >= MAX_CPUS)
			continue;
		for (int j = from[e->cpu]; j < after->nr && looked < LOOK_AHEAD; j++) {
			struct event *o = &after->event[j];

			if (o->cpu != e->cpu || o->used || o->at < e->at) {
				if (!looked)
					from[e->cpu] = j + 1;
				continue;
			}
			looked++;
			if (o->text == e->text) {
				other = o;
				break;
			}
		}
		if (other) {
			other->used = true;
			e->until = other->at + TICK_NS;
		} else {
			unpaired += inside;
		}
	}
	return unpaired;
}

static void put(const char *dir, const char *name, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_TRUNC);
	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		die("%s", path);
	close(fd);
}

static void open_core(struct core *c, const char *list)
{
	uint64_t mask = cpulist(list);
	char path[128];

	c->last = -1;
	for (int cpu = 0; cpu < MAX_CPUS && c->nr < MAX_THREADS; cpu++)
		if (in_mask(cpu, mask))
			c->cpu[c->nr++] = cpu;
	for (int i = 0; i < NR_FIGURES; i++) {
		snprintf(path, sizeof(path), "/sys/kernel/smtprio/cpu%d/account/%s",
			 c->cpu[0], names[i]);
		c->fd[i] = open(path, O_RDONLY);
		if (c->fd[i] < 0)
			die("%s", path);
	}
}

static void read_figures(bool after)
{
	for (int i = 0; i < nr_cores; i++)
		for (int f = 0; f < NR_FIGURES; f++) {
			char text[32] = "";

			if (pread(cores[i].fd[f], text, sizeof(text) - 1, 0) <= 0)
				die("%s", names[f]);
			(after ? cores[i].after : cores[i].before)[f] = atoll(text);
		}
}

/* LOAD: process numbers. Where all CPUs take turns, reading is quicker without it. */
static void load(int signal)
{
	const char *pid = getenv("LOAD");
	char *end;

	for (; pid && *pid; pid = end) {
		long n = strtol(pid, &end, 10);

		if (end == pid || n <= 1)
			return;
		kill(n, signal);
	}
}

int main(int argc, char **argv)
{
	struct sched_param first = { .sched_priority = 50 };
	struct trace before = { 0 }, after = { 0 };
	uint64_t skew, begin;
	int unpaired;
	long ms;

	if (argc < 6 || argc - 5 > MAX_CORES)
		die("usage: modes BEFORE AFTER QUALIFY_NS MS CPUS...");
	qualify = number(argv[3], 0, INT_MAX);
	ms = number(argv[4], 1, 100000);
	for (int i = 5; i < argc; i++)
		open_core(&cores[nr_cores++], argv[i]);

	/* What is to be read in one moment is not to wait for the load. */
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		die("sched_setscheduler");
	put(argv[1], "trace", "");
	put(argv[2], "trace", "");
	/* All that is in the first is in the second. */
	put(argv[2], "tracing_on", "1");
	put(argv[1], "tracing_on", "1");
	sleep_us(20000);	/* each thread shows what it does */
	begin = now_us();
	put(argv[1], "trace_marker", "account begin");
	read_figures(false);
	skew = now_us() - begin;
	sleep_us(ms * 1000);
	begin = now_us();
	put(argv[1], "trace_marker", "account end");
	read_figures(true);
	skew += now_us() - begin;
	put(argv[1], "tracing_on", "0");
	put(argv[2], "tracing_on", "0");
	load(SIGSTOP);

	read_trace(&before, argv[1]);
	read_trace(&after, argv[2]);
	unpaired = pair_up(&before, &after);
	for (int i = 0; i < before.nr; i++)
		replay_event(&before.event[i]);

	for (int i = 0; i < nr_cores; i++) {
		const struct core *c = &cores[i];

		int64_t slack = c->more_ns > c->less_ns ? c->more_ns : c->less_ns;

		printf("core=%d events=%d unpaired=%d slack_n=%d slack_us=%llu skew_us=%llu",
		       c->cpu[0], c->events, unpaired, c->slack_n,
		       (unsigned long long)slack / 1000 + skew,
		       (unsigned long long)skew);
		for (int f = 0; f < NR_FIGURES; f++) {
			int unit = f < MULTI ? 1 : 1000;

			printf(" %s=%lld trace_%s=%lld", names[f],
			       (c->after[f] - c->before[f]) / unit,
			       names[f], (long long)c->figure[f] / unit);
		}
		printf("\n");
	}
	load(SIGCONT);
	return 0;
}
