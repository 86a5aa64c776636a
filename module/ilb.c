// SPDX-License-Identifier: GPL-2.0
/*
 * The ilb hook replaces housekeeping_cpumask() for find_new_ilb() alone, which
 * is inlined everywhere: that call is the only way in. The mask returned makes
 * the kernel's own loop (the first idle CPU in nohz.idle_cpus_mask AND this
 * mask) land on our choice.
 */
#include <linux/cpumask.h>
#include <linux/smp.h>

#include "config.h"
#include "ilb.h"
#include "policy.h"
#include "stats.h"
#include "symbols.h"
#include "trace.h"

DEFINE_STATIC_CALL_RET0(smtprio_ilb_original, smtprio_ilb_cpumask);

struct smtprio_ilb_scan {
	const struct smtprio_config *config;
	const struct cpumask *stopped;
	const struct cpumask *housekeeping;
	int self;
};

/*
 * Stands in for nohz.idle_cpus_mask where that has no symbol. A CPU whose tick
 * is stopped is in that mask unless it has no scheduling domain (isolcpus=):
 * then it shares no cache with its siblings as the scheduler sees it, and a CPU
 * without siblings is not known to have one.
 */
static noinline bool
smtprio_ilb_tick_stopped(const struct smtprio_ilb_scan *scan, int cpu)
{
	const struct smtprio_config *config = scan->config;
	const struct smtprio_core *core = &config->core[config->core_of[cpu]];
	int other;

	if (core->n < 2 || !smtprio_call(tick_nohz_tick_stopped_cpu)(cpu))
		return false;

	other = core->cpu[0] == cpu ? core->cpu[1] : core->cpu[0];
	return smtprio_same_domain(cpu, other);
}

static __always_inline int smtprio_ilb_next(const void *ctx, int cpu)
{
	const struct smtprio_ilb_scan *scan = ctx;

	if (likely(scan->stopped)) {
		cpu = cpumask_next_and(cpu, scan->stopped, scan->housekeeping);
	} else {
		do {
			cpu = cpumask_next(cpu, scan->housekeeping);
		} while (cpu < nr_cpu_ids &&
			 !smtprio_ilb_tick_stopped(scan, cpu));
	}
	return cpu < nr_cpu_ids ? cpu : -1;
}

static __always_inline bool smtprio_ilb_candidate(const void *ctx, int cpu)
{
	const struct smtprio_ilb_scan *scan = ctx;

	if (cpu == scan->self || !cpumask_test_cpu(cpu, scan->housekeeping))
		return false;
	return likely(scan->stopped) ? cpumask_test_cpu(cpu, scan->stopped) :
				       smtprio_ilb_tick_stopped(scan, cpu);
}

/* The CPU that asks is in its tick: never the answer, its core never idle. */
static __always_inline bool smtprio_ilb_idle(const void *ctx, int cpu)
{
	const struct smtprio_ilb_scan *scan = ctx;

	return cpu != scan->self && smtprio_call(idle_cpu)(cpu);
}

/* Every decision ends here: the counter, and the event when it is on. */
#define smtprio_ilb_decided(scan, first, cpu, reason) do {		\
	smtprio_count(reason);						\
	trace_smtprio_ilb((scan)->self, first, cpu,			\
			  SMTPRIO_STAT_##reason);			\
} while (0)

/**
 * smtprio_ilb_cpumask() - replacement of housekeeping_cpumask() in find_new_ilb
 * @type: what find_new_ilb() asks for
 *
 * Return: a mask of one CPU, the best thread of the first fully idle core; or
 * the kernel's own mask when no core is fully idle or when the first idle CPU
 * is that thread anyway.
 * Context: the tick, interrupts off: RCU read side.
 */
const struct cpumask *smtprio_ilb_cpumask(enum hk_type type)
{
	const struct cpumask *housekeeping =
		static_call(smtprio_ilb_original)(type);
	const struct smtprio_config *config =
		rcu_dereference_sched(smtprio_config);
	const struct smtprio_ilb_scan scan = {
		.config = config,
		.stopped = smtprio_nohz_idle_mask(),
		.housekeeping = housekeeping,
		.self = smp_processor_id(),
	};
	int first, cpu;

	if (!config->ilb)
		return housekeeping;

	smtprio_count(ilb_seen);

	cpu = smtprio_policy_ilb(config->core, config->core_of, &scan,
				 smtprio_ilb_next, smtprio_ilb_candidate,
				 smtprio_ilb_idle, &first);
	if (cpu < 0) {
		smtprio_ilb_decided(&scan, first, first, ilb_kept_partial);
		return housekeeping;
	}
	if (cpu == first) {
		smtprio_ilb_decided(&scan, first, cpu, ilb_kept_best);
		return housekeeping;
	}
	if (!config->enforce) {
		smtprio_ilb_decided(&scan, first, cpu, ilb_would);
		return housekeeping;
	}
	smtprio_ilb_decided(&scan, first, cpu, ilb_redirected);
	return cpumask_of(cpu);
}

/**
 * smtprio_ilb_reached() - has the self-test's call got to the hook
 * @hook: the ilb hook
 *
 * Return: a number that grows with every such call.
 */
u64 smtprio_ilb_reached(const struct smtprio_hook *hook)
{
	return READ_ONCE(hook->probed);
}

/**
 * smtprio_ilb_exercise() - call the site as find_new_ilb() does
 *
 * A real choice cannot be forced; that the callers are right was proved from
 * their code when the hook was resolved.
 *
 * Return: 0. Context: any.
 */
int smtprio_ilb_exercise(void)
{
	return housekeeping_cpumask(0) ? 0 : -EIO;
}

/**
 * smtprio_ilb_check() - is there what the hook needs to know
 *
 * Return: 0; or -ENOENT, with a log line, on a kernel that does not tell which
 * CPUs stopped their tick. Context: process, may sleep.
 */
int smtprio_ilb_check(void)
{
	if (smtprio_nohz_idle_mask() ||
	    smtprio_symbol("tick_nohz_tick_stopped_cpu"))
		return 0;

	pr_err("this kernel has neither nohz nor tick_nohz_tick_stopped_cpu as a usable symbol\n");
	return -ENOENT;
}
