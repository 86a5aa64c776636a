/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The decisions alone: no ftrace, no sysfs, no globals.
 *
 * Everything here works on small dense arrays and on tests given by the
 * caller, so the same lines run in the kernel (wake.c, ilb.c, topology.c), in
 * tests/unit and in KUnit. The thinking is done when the configuration
 * changes: a wakeup only walks what smtprio_policy_better() left for it.
 *
 * Context: any, interrupts off included. No function here sleeps, locks or
 * allocates. The tests given by the caller must not either.
 */
#ifndef SMTPRIO_POLICY_H
#define SMTPRIO_POLICY_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif
#endif

/* POWER has SMT8; no core of a supported machine has more threads. */
#define SMTPRIO_MAX_THREADS	8

/**
 * struct smtprio_thread - one thread of a core while the tables are built
 * @cpu: CPU number, 0 to 65535
 * @priority: higher wins, equal values are ties and change nothing
 * @capacity: arch_scale_cpu_capacity(), 0 to 1024
 */
struct smtprio_thread {
	int cpu;
	int priority;
	unsigned long capacity;
};

/* Steps that may leave the core of a choice: bits of smtprio_better.beyond. */
#define SMTPRIO_BEYOND_IDLE_CORE	0x1
#define SMTPRIO_BEYOND_NODE		0x2

/**
 * struct smtprio_better - where else a task may go when one CPU was chosen
 * @n: how many threads of the core are strictly better, 0 to
 *	SMTPRIO_MAX_THREADS - 1
 * @beyond: the steps that may leave the core, SMTPRIO_BEYOND_*
 * @cpu: the better threads' CPU numbers, the best first
 *
 * 16 bytes: a wakeup whose choice has nothing of it ends after one load.
 */
struct smtprio_better {
	u8 n;
	u8 beyond;
	u16 cpu[SMTPRIO_MAX_THREADS - 1];
};

/**
 * struct smtprio_core - the threads of one core
 * @n: how many, at most SMTPRIO_MAX_THREADS; 0: no preference applies to it
 * @cpu: their CPU numbers, the highest priority first
 */
struct smtprio_core {
	u16 n;
	u16 cpu[SMTPRIO_MAX_THREADS];
};

/**
 * enum smtprio_verdict - why a CPU was chosen
 * @SMTPRIO_KEPT_BEST: no thread of the core is better than the kernel's choice
 * @SMTPRIO_KEPT_AFFINITY: no better thread is active and allowed to the task
 * @SMTPRIO_KEPT_BUSY: no better thread that the task may use is idle
 * @SMTPRIO_KEPT_DOMAIN: all idle better threads are in other scheduling domains
 * @SMTPRIO_MOVED: a better thread was taken
 *
 * In the order in which a candidate passes the tests: the verdict on a wakeup
 * is how far its most successful candidate came.
 */
enum smtprio_verdict {
	SMTPRIO_KEPT_BEST,
	SMTPRIO_KEPT_AFFINITY,
	SMTPRIO_KEPT_BUSY,
	SMTPRIO_KEPT_DOMAIN,
	SMTPRIO_MOVED,
};

/* A question about @cpu (and about what @ctx stands for): true or false. */
typedef bool (*smtprio_cpu_test_t)(const void *ctx, int cpu);

/* The first CPU after @cpu (-1 to start) that is to be looked at, or -1. */
typedef int (*smtprio_cpu_next_t)(const void *ctx, int cpu);

/**
 * smtprio_policy_sort() - order the threads of a core, the best first
 * @thread: the threads of one core
 * @n: how many
 *
 * Higher priority first; ties keep the order given (ascending CPU number).
 */
static inline void smtprio_policy_sort(struct smtprio_thread *thread, int n)
{
	for (int i = 1; i < n; i++) {
		struct smtprio_thread t = thread[i];
		int j = i;

		for (; j > 0 && thread[j - 1].priority < t.priority; j--)
			thread[j] = thread[j - 1];
		thread[j] = t;
	}
}

/**
 * smtprio_policy_better() - the threads strictly better than one of a core
 * @better: filled in
 * @thread: all threads of the core as smtprio_policy_sort() left them
 * @n: how many, at most SMTPRIO_MAX_THREADS
 * @self: index in @thread of the CPU the answer is for
 *
 * Better means a higher priority and at least the same capacity: a task that
 * fits the kernel's choice must fit ours.
 */
static inline void smtprio_policy_better(struct smtprio_better *better,
					 const struct smtprio_thread *thread,
					 int n, int self)
{
	better->n = 0;
	better->beyond = 0;
	for (int i = 0; i < n; i++) {
		if (thread[i].priority <= thread[self].priority)
			break;
		if (thread[i].capacity >= thread[self].capacity)
			better->cpu[better->n++] = thread[i].cpu;
	}
}

/**
 * smtprio_policy_rank() - how many threads of a core are worse than one of it
 * @thread: all threads of the core as smtprio_policy_sort() left them
 * @n: how many
 * @self: index in @thread of the CPU the answer is for
 *
 * Return: 0 to @n - 1; the same for threads that tie.
 */
static inline int smtprio_policy_rank(const struct smtprio_thread *thread,
				      int n, int self)
{
	int i = self;

	while (i < n && thread[i].priority == thread[self].priority)
		i++;
	return n - i;
}

/**
 * smtprio_policy_packing() - the load balancer's priority of a thread
 * @stock: the kernel's own priorities of the threads of the core; is sorted
 * @n: how many, 1 to SMTPRIO_MAX_THREADS
 * @rank: how many threads of the core are worse than this one, 0 to @n - 1
 *
 * The core's own priorities, given to its threads in our order. So the order
 * between cores stays as ITMT made it, which in 6.1 ranks the second siblings
 * of large cores below small cores.
 *
 * Return: higher wins; equal for threads of equal rank.
 */
static inline int smtprio_policy_packing(int *stock, int n, int rank)
{
	for (int i = 1; i < n; i++) {
		int priority = stock[i];
		int j = i;

		for (; j > 0 && stock[j - 1] > priority; j--)
			stock[j] = stock[j - 1];
		stock[j] = priority;
	}
	return stock[rank] * SMTPRIO_MAX_THREADS + rank;
}

/**
 * smtprio_policy_sibling() - refine the CPU chosen for a waking task
 * @better: the threads better than @choice, the best first
 * @n: how many
 * @choice: the kernel's choice
 * @ctx: passed to the tests
 * @allowed: is this CPU active and may the task use it
 * @available: is this CPU idle and not a preempted virtual CPU
 * @same_domain: is this CPU in the scheduling domains of @choice
 * @verdict: why
 *
 * All tests are asked of the one CPU that is returned: validating one thread
 * and returning its sibling is a fault that such searches had.
 *
 * Return: the best thread that passes all tests, or @choice.
 */
static __always_inline int
smtprio_policy_sibling(const u16 *better, int n, int choice, const void *ctx,
		       smtprio_cpu_test_t allowed,
		       smtprio_cpu_test_t available,
		       smtprio_cpu_test_t same_domain,
		       enum smtprio_verdict *verdict)
{
	*verdict = SMTPRIO_KEPT_BEST;

	for (int i = 0; i < n; i++) {
		enum smtprio_verdict v = SMTPRIO_MOVED;
		int cpu = better[i];

		if (!allowed(ctx, cpu))
			v = SMTPRIO_KEPT_AFFINITY;
		else if (!available(ctx, cpu))
			v = SMTPRIO_KEPT_BUSY;
		else if (!same_domain(ctx, cpu))
			v = SMTPRIO_KEPT_DOMAIN;

		if (v > *verdict)
			*verdict = v;
		if (v == SMTPRIO_MOVED)
			return cpu;
	}
	return choice;
}

/**
 * smtprio_policy_shares_core() - does an idle CPU have a busy sibling
 * @core: the core of @choice
 * @choice: the kernel's choice, an idle CPU
 * @ctx: passed to the tests
 * @available: is this CPU idle and not a preempted virtual CPU
 * @same_domain: is this CPU in the domain that would be searched
 *
 * Return: true when @choice would share its core while a search for a fully
 * idle one could help; false also when no preference applies to the core or
 * when it is split among domains, which is for somebody else to arrange.
 */
static __always_inline bool
smtprio_policy_shares_core(const struct smtprio_core *core, int choice,
			   const void *ctx, smtprio_cpu_test_t available,
			   smtprio_cpu_test_t same_domain)
{
	bool shares = false;

	for (int i = 0; i < core->n; i++) {
		int cpu = core->cpu[i];

		if (!same_domain(ctx, cpu))
			return false;
		if (cpu != choice && !available(ctx, cpu))
			shares = true;
	}
	return shares;
}

/**
 * enum smtprio_want - what a search for another core is to find
 * @SMTPRIO_WANT_CORE: a fully idle core or nothing
 * @SMTPRIO_WANT_CORE_FIRST: a fully idle core, else an idle CPU
 * @SMTPRIO_WANT_CPU: any idle CPU
 */
enum smtprio_want {
	SMTPRIO_WANT_CORE,
	SMTPRIO_WANT_CORE_FIRST,
	SMTPRIO_WANT_CPU,
};

/**
 * struct smtprio_search - a search for another core
 * @core: all cores
 * @core_of: index in @core of each CPU
 * @want: what is to be found
 * @bound: another core is looked at while the cores before it had fewer CPUs
 * @after: the CPU after which the walk begins, -1 for the lowest one; it goes
 *	on from the lowest and ends with @after. Set to the last CPU that the
 *	walk came to, where the next search may begin.
 */
struct smtprio_search {
	const struct smtprio_core *core;
	const u16 *core_of;
	enum smtprio_want want;
	unsigned int bound;
	int after;
};

/* The best usable idle thread of a core, or -1; -1 too unless @whole is met. */
static __always_inline int
smtprio_policy_thread(const struct smtprio_core *core, bool whole, bool *idle,
		      const void *ctx, smtprio_cpu_test_t usable,
		      smtprio_cpu_test_t available,
		      smtprio_cpu_test_t same_domain)
{
	int best = -1;

	*idle = true;
	for (int i = 0; i < core->n; i++) {
		int cpu = core->cpu[i];

		if (!same_domain(ctx, cpu))
			return -1;
		if (!available(ctx, cpu)) {
			*idle = false;
			if (whole)
				return -1;
		} else if (best < 0 && usable(ctx, cpu)) {
			best = cpu;
		}
	}
	return best;
}

/**
 * smtprio_policy_search() - find another core for a task
 * @search: how to search
 * @ctx: passed to the tests
 * @next: walks one CPU of each core of the domain, ascending
 * @usable: is this CPU active, allowed to the task, and large enough for it
 * @available: is this CPU idle and not a preempted virtual CPU
 * @same_domain: is this CPU in the domain that is searched
 *
 * A core that is split among domains is left alone. Nothing is asked about a
 * core after its first busy thread once only a fully idle core will do.
 *
 * Return: the best usable idle thread of the first core that is what is wanted,
 * or -1. As with the sibling, all tests are asked of the CPU returned.
 */
static __always_inline int
smtprio_policy_search(struct smtprio_search *search, const void *ctx,
		      smtprio_cpu_next_t next, smtprio_cpu_test_t usable,
		      smtprio_cpu_test_t available,
		      smtprio_cpu_test_t same_domain)
{
	const int end = search->after;
	unsigned int looked = 0;
	bool wrapped = end < 0;
	int partly = -1;
	int cpu = end;

	for (;;) {
		const struct smtprio_core *core;
		bool idle;
		int best;

		cpu = next(ctx, cpu);
		if (cpu < 0 && !wrapped) {
			wrapped = true;
			cpu = next(ctx, -1);
		}
		if (cpu < 0 || (wrapped && end >= 0 && cpu > end))
			return partly;
		if (looked >= search->bound)
			return partly;

		search->after = cpu;
		core = &search->core[search->core_of[cpu]];
		looked += core->n;
		best = smtprio_policy_thread(core, partly >= 0 || search->want ==
					     SMTPRIO_WANT_CORE, &idle, ctx,
					     usable, available, same_domain);
		if (best < 0)
			continue;
		if (idle || search->want == SMTPRIO_WANT_CPU)
			return best;
		partly = best;
	}
}

/**
 * struct smtprio_backoff - what the last searches of one kind came to
 * @tick: when the last search was
 * @skip: wakeups of that tick that do not search any more
 * @width: those that did not after the last search
 */
struct smtprio_backoff {
	u32 tick;
	u8 skip;
	u8 width;
};

/**
 * smtprio_backoff_skips() - is this wakeup one that does not search
 * @backoff: is counted down
 * @tick: the present clock tick
 *
 * A CPU that wakes few tasks may search for each of them: what it learnt is old
 * by then, and a search a tick costs little.
 */
static inline bool smtprio_backoff_skips(struct smtprio_backoff *backoff,
					 u32 tick)
{
	if (!backoff->skip || backoff->tick != tick)
		return false;
	backoff->skip--;
	return true;
}

/**
 * smtprio_backoff_note() - remember how a search ended
 * @backoff: changed
 * @tick: the present clock tick
 * @found: it found what it wanted
 * @most: wakeups to leave out at most, 2^n - 1, 0 to 127
 *
 * Each search in vain leaves out more wakeups: 1, 3, 7 and so on to @most.
 */
static inline void smtprio_backoff_note(struct smtprio_backoff *backoff,
					u32 tick, bool found, u8 most)
{
	if (found)
		backoff->width = 0;
	else if (backoff->width < most)
		backoff->width = 2 * backoff->width + 1;
	else
		backoff->width = most;
	backoff->skip = backoff->width;
	backoff->tick = tick;
}

/**
 * smtprio_policy_ilb() - choose the NOHZ idle load balancer
 * @core: all cores
 * @core_of: index in @core of each CPU
 * @ctx: passed to the tests
 * @next: walks the CPUs that the kernel's own loop would look at, ascending
 * @candidate: would the kernel's own loop look at this CPU
 * @idle: is this CPU idle right now; false for the CPU that asks
 * @first: the first idle candidate, which is what kernels before 7.3 take, or
 *	-1 when there is none
 *
 * Every CPU that @next returns must have its @core_of.
 *
 * Return: the highest-priority idle candidate of the first fully idle core to
 * which a preference applies; or -1, then the kernel's own loop is right: no
 * such core is fully idle, or no preference applies to the core of @first.
 */
static __always_inline int
smtprio_policy_ilb(const struct smtprio_core *core, const u16 *core_of,
		   const void *ctx, smtprio_cpu_next_t next,
		   smtprio_cpu_test_t candidate, smtprio_cpu_test_t idle,
		   int *first)
{
	*first = -1;

	for (int cpu = next(ctx, -1); cpu >= 0; cpu = next(ctx, cpu)) {
		const struct smtprio_core *c = &core[core_of[cpu]];
		int best = -1;
		int i;

		if (!idle(ctx, cpu))
			continue;
		if (*first < 0) {
			*first = cpu;
			if (!c->n)
				return -1;
		}

		for (i = 0; i < c->n; i++) {
			if (c->cpu[i] != cpu && !idle(ctx, c->cpu[i]))
				break;
			if (best < 0 && candidate(ctx, c->cpu[i]))
				best = c->cpu[i];
		}
		if (i == c->n && best >= 0)
			return best;
	}
	return -1;
}

#endif /* SMTPRIO_POLICY_H */
