// SPDX-License-Identifier: GPL-2.0
/*
 * Beyond the core that the kernel chose. Both steps are off by default: they
 * cost a search.
 *
 * idle_core: the choice is idle, but its core is not, and the LLC may have a
 * core that is. 7.2 and later do that where capacities differ, no kernel does it
 * where the waker's or the task's last CPU happens to be idle.
 *
 * node: the choice is busy, so the kernel found nothing idle in its LLC; the
 * node may have other LLCs. "sched/fair: Multi-LLC select_idle_sibling()" did
 * that in the scheduler tree in 2023 and was taken back: hackbench with few
 * groups won 16 to 20 percent, overloaded machines lost 24 to 34. Each wakeup
 * that found its own LLC full went through all other LLCs (7 there), by the
 * search meant for its own one. That search has no bound while it believes that
 * there is an idle core; it believes has_idle_cores, which it then writes, so
 * all LLCs write each other's cache line; and its bound, nr_idle_scan, is that
 * of one LLC, taken as many times as there are LLCs. None of it is left here:
 *
 * - nothing of another LLC is written, ever;
 * - an LLC whose nr_idle_scan is 0, which is one that is 85 percent used (see
 *   update_idle_cpu_scan()), costs one load, so an overloaded machine is not
 *   searched at all;
 * - the bound holds for the search for an idle core too;
 * - at most SMTPRIO_NODE_LLCS are searched ("scanning up to 4 CCDs isn't too much
 *   of a bother", the patch's author when he saw the losses), others by the next
 *   search;
 * - a search in vain makes the CPU leave out the next wakeups of the same clock
 *   tick, up to 63 of 64: what no bound stops costs little, however often it is
 *   tried.
 */
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "beyond.h"
#include "candidate.h"
#include "policy.h"
#include "stats.h"
#include "symbols.h"

#define SMTPRIO_NODE_LLCS	4

/*
 * Of that many wakeups and one, one searches where searches are in vain; hinted:
 * for an idle core while the kernel believes that there is one.
 */
#define SMTPRIO_IDLE_CORE_SKIP	15
#define SMTPRIO_HINTED_SKIP	3
#define SMTPRIO_NODE_SKIP	63

/**
 * struct smtprio_beyond_cpu - what a CPU that wakes tasks remembers
 * @idle_core: searches for a fully idle core
 * @node: searches of other LLCs
 * @at: the CPU that the last search of another LLC came to; begins as the CPU
 *	itself, so that not all CPUs look at the same ones at the same time
 */
struct smtprio_beyond_cpu {
	struct smtprio_backoff idle_core;
	struct smtprio_backoff node;
	int at;
};

static DEFINE_PER_CPU(struct smtprio_beyond_cpu, smtprio_beyond_cpus);

/* CPUs not searched yet, used with interrupts off. */
static struct cpumask __percpu *smtprio_beyond_left;

/**
 * struct smtprio_beyond - what the tests are about
 * @p: the task
 * @config: tables
 * @choice: the kernel's choice
 * @span: the domain that is searched; NULL: what shares a cache with @choice
 */
struct smtprio_beyond {
	const struct task_struct *p;
	const struct smtprio_config *config;
	int choice;
	const struct cpumask *span;
};

static __always_inline bool smtprio_beyond_usable(const void *ctx, int cpu)
{
	const struct smtprio_beyond *b = ctx;

	return arch_scale_cpu_capacity(cpu) >=
	       arch_scale_cpu_capacity(b->choice) &&
	       smtprio_candidate_allowed(b->p, cpu);
}

static __always_inline bool smtprio_beyond_available(const void *ctx, int cpu)
{
	return smtprio_candidate_available(cpu);
}

static __always_inline bool
smtprio_beyond_same_domain(const void *ctx, int cpu)
{
	const struct smtprio_beyond *b = ctx;

	if (likely(b->span))
		return cpumask_test_cpu(cpu, b->span);
	return smtprio_share_domain(b->choice, cpu);
}

/* One bit a core: words without any are skipped. */
static __always_inline int smtprio_beyond_next(const void *ctx, int cpu)
{
	const struct smtprio_beyond *b = ctx;
	const struct cpumask *leaders = &b->config->leaders;

	if (likely(b->span)) {
		cpu = cpumask_next_and(cpu, b->span, leaders);
	} else {
		do {
			cpu = cpumask_next(cpu, leaders);
		} while (cpu < nr_cpu_ids &&
			 !smtprio_beyond_same_domain(b, cpu));
	}
	return cpu < nr_cpu_ids ? cpu : -1;
}

static noinline int smtprio_beyond_search(const struct smtprio_beyond *b,
					  struct smtprio_search *search)
{
	return smtprio_policy_search(search, b, smtprio_beyond_next,
				     smtprio_beyond_usable,
				     smtprio_beyond_available,
				     smtprio_beyond_same_domain);
}

static struct sched_domain *
smtprio_beyond_domain(struct sched_domain __rcu * __percpu *domain, int cpu)
{
	return rcu_dereference_sched(*per_cpu_ptr(domain, cpu));
}

static const struct sched_domain_shared *smtprio_beyond_hints(int cpu)
{
	if (!smtprio_sd_llc_shared)
		return NULL;
	return rcu_dereference_sched(*per_cpu_ptr(smtprio_sd_llc_shared, cpu));
}

/* May there be a fully idle core in the LLC? A hint, see select_idle_cpu(). */
static bool smtprio_beyond_has_core(const struct sched_domain_shared *hints)
{
	return hints && READ_ONCE(hints->has_idle_cores);
}

/*
 * Sets what is searched for a fully idle core: the LLC, or where the kernel would
 * search when capacities differ. Returns false without a domain; then there are
 * no siblings either.
 */
static bool smtprio_beyond_set_span(struct smtprio_beyond *b, bool *has_core)
{
	const struct sched_domain_shared *hints;
	struct sched_domain *sd;

	b->span = NULL;
	*has_core = false;
	if (!smtprio_sd_llc)
		return true;

	if (smtprio_sd_asym) {
		sd = smtprio_beyond_domain(smtprio_sd_asym, b->choice);
		if (unlikely(sd)) {
			b->span = sched_domain_span(sd);
			return true;
		}
	}

	sd = smtprio_beyond_domain(smtprio_sd_llc, b->choice);
	if (!sd)
		return false;
	b->span = sched_domain_span(sd);
	hints = smtprio_beyond_hints(b->choice);
	*has_core = smtprio_beyond_has_core(hints);
	return true;
}

static int smtprio_beyond_leader(const struct smtprio_core *core)
{
	int leader = core->cpu[0];

	for (int i = 1; i < core->n; i++)
		leader = min_t(int, leader, core->cpu[i]);
	return leader;
}

/**
 * smtprio_beyond_idle_core() - a fully idle core instead of a shared one
 * @p: the task
 * @choice: the kernel's choice
 * @config: the configuration in force
 *
 * The kernel's has_idle_cores says for sure only that there was one: a search
 * for a task with few CPUs clears it for everybody, and cores that idle for
 * moments set it all the time. So it does not stop a search, and does not make
 * one; with it fewer wakeups are left out after searches in vain.
 *
 * A fully idle core is right for any core scheduling cookie.
 *
 * Return: the best thread of a fully idle core that @p may use, with at least
 * the capacity of @choice; or -1.
 * Context: as smtprio_wake_select().
 */
int smtprio_beyond_idle_core(const struct task_struct *p, int choice,
			     const struct smtprio_config *config)
{
	struct smtprio_beyond b = { .p = p, .config = config, .choice = choice };
	struct smtprio_backoff *backoff =
		&this_cpu_ptr(&smtprio_beyond_cpus)->idle_core;
	const struct smtprio_core *core = &config->core[config->core_of[choice]];
	struct smtprio_search search = {
		.core = config->core,
		.core_of = config->core_of,
		.want = SMTPRIO_WANT_CORE,
		.bound = UINT_MAX,
	};
	bool has_core;
	int cpu;

	if (!smtprio_candidate_available(choice) ||
	    !smtprio_beyond_set_span(&b, &has_core))
		return -1;
	if (!smtprio_policy_shares_core(core, choice, &b,
					smtprio_beyond_available,
					smtprio_beyond_same_domain))
		return -1;
	if (smtprio_backoff_skips(backoff, jiffies)) {
		smtprio_count(idle_core_skipped);
		return -1;
	}

	search.after = smtprio_beyond_leader(core);
	cpu = smtprio_beyond_search(&b, &search);
	smtprio_backoff_note(backoff, jiffies, cpu >= 0,
			     has_core ? SMTPRIO_HINTED_SKIP :
					SMTPRIO_IDLE_CORE_SKIP);
	if (cpu < 0)
		smtprio_count(idle_core_none);
	return cpu;
}

/* The CPUs of the node: the highest domain above the LLC that is no NUMA one. */
static const struct cpumask *smtprio_beyond_node_span(struct sched_domain *llc)
{
	struct sched_domain *sd = rcu_dereference_sched(llc->parent);
	struct sched_domain *node = NULL;

	for (; sd && !(sd->flags & SD_NUMA);
	     sd = rcu_dereference_sched(sd->parent))
		node = sd;
	return node ? sched_domain_span(node) : NULL;
}

/* The LLC of @cpu, whose domain is @llc. */
static int smtprio_beyond_llc(struct smtprio_beyond *b,
			      struct smtprio_beyond_cpu *me, int cpu,
			      struct sched_domain *llc)
{
	const struct sched_domain_shared *hints = smtprio_beyond_hints(cpu);
	struct smtprio_search search = {
		.core = b->config->core,
		.core_of = b->config->core_of,
		.bound = b->config->settings.node_scan,
		.after = me->at,
	};

	if (!search.bound)
		search.bound = hints ? READ_ONCE(hints->nr_idle_scan) : 0;
	if (!search.bound)
		return -1;

	/*
	 * What cookie a half-busy core has is known to the scheduler alone, and
	 * a task without one does not match a core that has one.
	 */
	if (smtprio_core_scheduling())
		search.want = SMTPRIO_WANT_CORE;
	else if (smtprio_beyond_has_core(hints))
		search.want = SMTPRIO_WANT_CORE_FIRST;
	else
		search.want = SMTPRIO_WANT_CPU;

	b->span = sched_domain_span(llc);
	cpu = smtprio_beyond_search(b, &search);
	me->at = search.after;
	return cpu;
}

/**
 * smtprio_beyond_node() - another LLC of the node instead of a busy CPU
 * @p: the task
 * @choice: the kernel's choice
 * @config: the configuration in force
 *
 * The walk over the LLCs begins where the last one ended, and so does the walk
 * over the cores of one.
 *
 * Return: a CPU that @p may use, with at least the capacity of @choice: the best
 * thread of a fully idle core, or any idle one; or -1.
 * Context: as smtprio_wake_select().
 */
int smtprio_beyond_node(const struct task_struct *p, int choice,
			const struct smtprio_config *config)
{
	struct smtprio_beyond b = { .p = p, .config = config, .choice = choice };
	struct smtprio_beyond_cpu *me = this_cpu_ptr(&smtprio_beyond_cpus);
	struct cpumask *left = this_cpu_ptr(smtprio_beyond_left);
	const struct cpumask *node;
	struct sched_domain *llc;
	int found = -1;
	int cpu;

	if (smtprio_candidate_available(choice) || !smtprio_have_llcs())
		return -1;
	llc = smtprio_beyond_domain(smtprio_sd_llc, choice);
	node = llc ? smtprio_beyond_node_span(llc) : NULL;
	if (!node)
		return -1;
	if (smtprio_backoff_skips(&me->node, jiffies)) {
		smtprio_count(node_skipped);
		return -1;
	}

	if (!cpumask_andnot(left, node, sched_domain_span(llc)) ||
	    !cpumask_and(left, left, p->cpus_ptr))
		return -1;

	for (int llcs = 0; llcs < SMTPRIO_NODE_LLCS && found < 0; llcs++) {
		cpu = cpumask_next(me->at - 1, left);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(left);
		if (cpu >= nr_cpu_ids)
			break;

		/* It may have lost its domain a moment ago. */
		__cpumask_clear_cpu(cpu, left);
		llc = smtprio_beyond_domain(smtprio_sd_llc, cpu);
		if (!llc)
			continue;
		cpumask_andnot(left, left, sched_domain_span(llc));
		found = smtprio_beyond_llc(&b, me, cpu, llc);
	}

	smtprio_backoff_note(&me->node, jiffies, found >= 0, SMTPRIO_NODE_SKIP);
	if (found < 0)
		smtprio_count(node_none);
	return found;
}

/**
 * smtprio_beyond_init() - memory for searches
 *
 * Return: 0 or -ENOMEM. Context: process, may sleep.
 */
int smtprio_beyond_init(void)
{
	int cpu;

	smtprio_beyond_left = __alloc_percpu(cpumask_size(), sizeof(long));
	if (!smtprio_beyond_left)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		per_cpu(smtprio_beyond_cpus, cpu).at = cpu;
	return 0;
}

/**
 * smtprio_beyond_exit() - free it
 *
 * Context: process; the wake hook is detached.
 */
void smtprio_beyond_exit(void)
{
	free_percpu(smtprio_beyond_left);
}
