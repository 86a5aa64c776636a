// SPDX-License-Identifier: GPL-2.0
/*
 * The wake hook replaces select_task_rq_fair(), or select_idle_sibling() where
 * that is a function: it takes the kernel's choice and refines it within the
 * core, and beyond it if that is wanted.
 */
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "beyond.h"
#include "candidate.h"
#include "compat/compat.h"
#include "config.h"
#include "policy.h"
#include "stats.h"
#include "symbols.h"
#include "trace.h"
#include "wake.h"

DEFINE_STATIC_CALL_RET0(smtprio_wake_original, smtprio_wake_select);
DEFINE_STATIC_CALL_RET0(smtprio_wake_original_sibling, smtprio_wake_sibling);

SMTPRIO_DEFINE_DIRECT(smtprio_wake_select);
SMTPRIO_DEFINE_DIRECT(smtprio_wake_sibling);

struct smtprio_wakeup {
	const struct task_struct *p;
	int choice;
};

static __always_inline bool smtprio_wake_allowed(const void *ctx, int cpu)
{
	const struct smtprio_wakeup *w = ctx;

	return smtprio_candidate_allowed(w->p, cpu);
}

static __always_inline bool smtprio_wake_available(const void *ctx, int cpu)
{
	return smtprio_candidate_available(cpu);
}

/*
 * Siblings are in one domain that shares a cache, unless isolcpus= or a cpuset
 * partition put them into different ones, or one has none at all.
 */
static __always_inline bool smtprio_wake_same_domain(const void *ctx, int cpu)
{
	const struct smtprio_wakeup *w = ctx;

	return smtprio_same_domain(w->choice, cpu);
}

/* Gives @cpu back so that the hot path need not keep it across the call. */
static noinline __cold int
smtprio_wake_traced(const struct task_struct *p, int choice, int cpu,
		    enum smtprio_stat reason)
{
	trace_smtprio_wake(p, choice, cpu, reason);
	return cpu;
}

/* Every decision ends here: the counter, and the event when it is on. */
#define smtprio_wake_decided(p, choice, cpu, reason) ({			\
	smtprio_count(reason);						\
	trace_smtprio_wake_enabled() ?					\
		smtprio_wake_traced(p, choice, cpu,			\
				    SMTPRIO_STAT_##reason) : (cpu);	\
})

/* A better CPU than @choice was found; in mode observe it is only counted. */
#define smtprio_wake_found(p, choice, cpu, config, reason, would) ({	\
	int go_ = cpu;							\
	if ((config)->enforce) {					\
		smtprio_wake_decided(p, choice, go_, reason);		\
	} else {							\
		smtprio_wake_decided(p, choice, go_, would);		\
		go_ = choice;						\
	}								\
	go_;								\
})

/*
 * A kthread bound to this CPU wakes a task that ran here last, and the kernel lets
 * it stay: the kthread did something for the task and is about to sleep. (Mostly
 * the end of I/O; see select_idle_sibling(), whose prev is wake_cpu: that need
 * not be kept across the call of the original.)
 */
static bool smtprio_wake_stacks(const struct task_struct *p, int choice)
{
	return (current->flags & PF_KTHREAD) && current->nr_cpus_allowed == 1 &&
	       choice == p->wake_cpu && choice == smp_processor_id();
}

/* Ends a wakeup of which smtprio_policy_sibling() made @cpu and @verdict. */
static __always_inline int
smtprio_wake_ends(const struct task_struct *p, int choice, int cpu,
		  const struct smtprio_config *config,
		  enum smtprio_verdict verdict)
{
	switch (verdict) {
	case SMTPRIO_MOVED:
		return smtprio_wake_found(p, choice, cpu, config,
					  wake_redirected, wake_would);
	case SMTPRIO_KEPT_DOMAIN:
		return smtprio_wake_decided(p, choice, choice,
					    wake_kept_domain);
	case SMTPRIO_KEPT_BUSY:
		return smtprio_wake_decided(p, choice, choice,
					    wake_kept_busy);
	case SMTPRIO_KEPT_AFFINITY:
		return smtprio_wake_decided(p, choice, choice,
					    wake_kept_affinity);
	case SMTPRIO_KEPT_BEST:
		return smtprio_wake_decided(p, choice, choice,
					    wake_kept_best);
	}
	return choice;
}

static __always_inline int
smtprio_wake_ask(const struct task_struct *p, int choice, const u16 *better,
		 int n, enum smtprio_verdict *verdict)
{
	const struct smtprio_wakeup w = { .p = p, .choice = choice };

	return smtprio_policy_sibling(better, n, choice, &w,
				      smtprio_wake_allowed,
				      smtprio_wake_available,
				      smtprio_wake_same_domain, verdict);
}

/* Staying in the core, where an idle sibling is, comes before node. */
static noinline int
smtprio_wake_beyond(const struct task_struct *p, int choice, int wake_flags,
		    const struct smtprio_config *config,
		    const struct smtprio_better *better)
{
	unsigned int beyond = better->beyond;
	enum smtprio_verdict verdict;
	int found, cpu;

	if (smtprio_wake_stacks(p, choice))
		beyond = 0;
	/*
	 * For forks and execs the kernel went through all LLCs; and the CPU of
	 * an exec is busy, with the task itself.
	 */
	if (!(wake_flags & SMTPRIO_WF_TTWU))
		beyond &= ~SMTPRIO_BEYOND_NODE;

	/* What it finds is the best thread of its core already. */
	if (beyond & SMTPRIO_BEYOND_IDLE_CORE) {
		found = smtprio_beyond_idle_core(p, choice, config);
		if (found >= 0)
			return smtprio_wake_found(p, choice, found, config,
						  wake_idle_core,
						  wake_idle_core_would);
	}

	cpu = smtprio_wake_ask(p, choice, better->cpu, better->n, &verdict);

	if ((beyond & SMTPRIO_BEYOND_NODE) && verdict != SMTPRIO_MOVED) {
		found = smtprio_beyond_node(p, choice, config);
		if (found >= 0)
			return smtprio_wake_found(p, choice, found, config,
						  wake_node, wake_node_would);
	}
	return smtprio_wake_ends(p, choice, cpu, config, verdict);
}

/*
 * These are out of line: most wakeups end before, and need not save their
 * registers. And with one better thread, all that SMT2 has, there is no loop,
 * whose state would be kept across the question whether it is idle.
 */
static noinline int
smtprio_wake_one(const struct task_struct *p, int choice,
		 const struct smtprio_config *config,
		 const struct smtprio_better *better)
{
	enum smtprio_verdict verdict;
	int cpu = smtprio_wake_ask(p, choice, better->cpu, 1, &verdict);

	return smtprio_wake_ends(p, choice, cpu, config, verdict);
}

static noinline int
smtprio_wake_several(const struct task_struct *p, int choice,
		     const struct smtprio_config *config,
		     const struct smtprio_better *better)
{
	enum smtprio_verdict verdict;
	int cpu = smtprio_wake_ask(p, choice, better->cpu, better->n, &verdict);

	return smtprio_wake_ends(p, choice, cpu, config, verdict);
}

/* The answer to a wakeup for which the kernel chose @cpu. */
static __always_inline int
smtprio_wake_answer(const struct task_struct *p, int cpu, int wake_flags)
{
	const struct smtprio_config *config =
		rcu_dereference_sched(smtprio_config);
	const struct smtprio_better *better;

	smtprio_count(wake_seen);

	if (unlikely((unsigned int)cpu >= nr_cpu_ids))
		return cpu;

	better = &config->better[cpu];
	if (!better->n && !better->beyond)
		return smtprio_wake_decided(p, cpu, cpu, wake_kept_best);

	if (!(wake_flags & config->wake_flags))
		return smtprio_wake_decided(p, cpu, cpu, wake_kept_off);

	if (unlikely(wake_flags & SMTPRIO_WF_CURRENT_CPU) &&
	    cpu == smp_processor_id())
		return smtprio_wake_decided(p, cpu, cpu, wake_kept_current);

	if (unlikely(better->beyond))
		return smtprio_wake_beyond(p, cpu, wake_flags, config, better);
	if (better->n == 1)
		return smtprio_wake_one(p, cpu, config, better);
	return smtprio_wake_several(p, cpu, config, better);
}

/**
 * smtprio_wake_select() - replacement of select_task_rq_fair()
 * @p: the task that wakes, was forked or executes
 * @prev_cpu: where it ran last
 * @wake_flags: WF_* of kernel/sched/sched.h
 *
 * Return: the kernel's choice, or an idle CPU that @p may use: a better thread
 * of the same core; with idle_core a thread of a fully idle core; with node one
 * of another LLC.
 * Context: @p->pi_lock held, interrupts off: RCU read side.
 */
int smtprio_wake_select(struct task_struct *p, int prev_cpu, int wake_flags)
{
	int cpu = static_call(smtprio_wake_original)(p, prev_cpu, wake_flags);

	return smtprio_wake_answer(p, cpu, wake_flags);
}

/**
 * smtprio_wake_sibling() - replacement of select_idle_sibling()
 * @p: the task that wakes
 * @prev: where it ran last
 * @target: where the kernel begins to look for an idle CPU
 *
 * Only ordinary wakeups get here: forks, execs and wakers that ask for their
 * own CPU do not.
 *
 * Return and context: as smtprio_wake_select().
 */
int smtprio_wake_sibling(struct task_struct *p, int prev, int target)
{
	int cpu = static_call(smtprio_wake_original_sibling)(p, prev, target);

	return smtprio_wake_answer(p, cpu, SMTPRIO_WF_TTWU);
}

/**
 * smtprio_wake_reached() - has any wakeup got to the hook
 * @hook: the wake hook
 *
 * Return: a number that grows with every wakeup seen.
 */
u64 smtprio_wake_reached(const struct smtprio_hook *hook)
{
	return smtprio_stat_since_load(SMTPRIO_STAT_wake_seen);
}

static int smtprio_wake_thread(void *unused)
{
	return 0;
}

/**
 * smtprio_wake_exercise() - wake a task that has a choice of CPUs
 *
 * Return: 0, or a negative error when no thread could be made.
 * Context: process, may sleep.
 */
int smtprio_wake_exercise(void)
{
	struct task_struct *t = kthread_create(smtprio_wake_thread, NULL,
					       "smtprio-selftest");

	if (IS_ERR(t))
		return PTR_ERR(t);

	/* With one allowed CPU the scheduler asks nobody (nohz_full). */
	set_cpus_allowed_ptr(t, cpu_online_mask);
	get_task_struct(t);
	wake_up_process(t);
	kthread_stop(t);
	put_task_struct(t);
	return 0;
}
