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
typedef uint16_t u16;
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

/**
 * struct smtprio_better - the threads of a core strictly better than one CPU
 * @n: how many, 0 to SMTPRIO_MAX_THREADS - 1
 * @cpu: their CPU numbers, the best first
 *
 * 16 bytes: a wakeup whose choice has none ends after one load.
 */
struct smtprio_better {
	u16 n;
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

/* The first CPU after @cpu (-1 to start) that may be taken, or -1. */
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
 * @better: the threads better than @choice
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
smtprio_policy_sibling(const struct smtprio_better *better, int choice,
		       const void *ctx, smtprio_cpu_test_t allowed,
		       smtprio_cpu_test_t available,
		       smtprio_cpu_test_t same_domain,
		       enum smtprio_verdict *verdict)
{
	*verdict = SMTPRIO_KEPT_BEST;

	for (int i = 0; i < better->n; i++) {
		enum smtprio_verdict v = SMTPRIO_MOVED;
		int cpu = better->cpu[i];

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
