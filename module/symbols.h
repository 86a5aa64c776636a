/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel functions and data that are not exported: one list.
 *
 * Functions are called through static calls only, which are direct calls on
 * x86: stock kernels seal the ENDBR of some of them, so a call through a
 * pointer is a fault on CPUs with IBT.
 */
#ifndef SMTPRIO_SYMBOLS_H
#define SMTPRIO_SYMBOLS_H

#include <linux/cpuset.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <linux/sched/topology.h>
#include <linux/static_call.h>
#include <linux/tick.h>

/* X(function, required). The type is that of the kernel's own declaration. */
#define SMTPRIO_FUNCTIONS(X)			\
	X(kallsyms_lookup_size_offset, true)	\
	X(ftrace_location, true)		\
	X(idle_cpu, true)			\
	X(cpus_share_cache, false)		\
	X(rebuild_sched_domains, false)		\
	X(tick_nohz_tick_stopped_cpu, false)	\
	X(arch_asym_cpu_priority, false)

#define SMTPRIO_DECLARE_CALL(function, required) \
	DECLARE_STATIC_CALL(smtprio_##function, function);
SMTPRIO_FUNCTIONS(SMTPRIO_DECLARE_CALL)
SMTPRIO_DECLARE_CALL(kallsyms_lookup_name, true)
#undef SMTPRIO_DECLARE_CALL

/* Call a looked-up function: a direct call where the kernel has them. */
#define smtprio_call(function) static_call(smtprio_##function)

/*
 * The kernel's per-CPU pointer to the highest domain whose CPUs share a cache;
 * NULL where it has no symbol. Set once, before any hook attaches.
 */
extern struct sched_domain __rcu * __percpu *smtprio_sd_llc;

/* That domain's hints for searches, which are read only; NULL: no symbol. */
extern struct sched_domain_shared __rcu * __percpu *smtprio_sd_llc_shared;

/* The lowest domain with all capacities there are; NULL: no symbol. */
extern struct sched_domain __rcu * __percpu *smtprio_sd_asym;

/* CPUs that isolcpus= left in domains; set where smtprio_sd_llc is NULL. */
extern const struct cpumask *smtprio_domain_cpus;

/*
 * What stands in for smtprio_sd_llc: are two CPUs in one domain that shares a
 * cache? A CPU that never had a domain keeps LLC id 0, so cpus_share_cache()
 * alone takes all of isolcpus= for neighbours of CPU 0.
 */
static __always_inline bool smtprio_share_domain(int a, int b)
{
	return cpumask_test_cpu(a, smtprio_domain_cpus) &&
	       cpumask_test_cpu(b, smtprio_domain_cpus) &&
	       smtprio_call(cpus_share_cache)(a, b);
}

/**
 * smtprio_same_domain() - are two CPUs in one domain that shares a cache
 * @a: a CPU
 * @b: another
 *
 * Return: false also when one has no domain. Context: interrupts off.
 */
static __always_inline bool smtprio_same_domain(int a, int b)
{
	struct sched_domain *sd;

	if (!smtprio_sd_llc)
		return smtprio_share_domain(a, b);

	sd = rcu_dereference_sched(*per_cpu_ptr(smtprio_sd_llc, a));
	return sd && cpumask_test_cpu(b, sched_domain_span(sd));
}

int smtprio_symbols_init(void);
unsigned long smtprio_symbol(const char *name);
int smtprio_ftrace_state(void);
bool smtprio_have_arch_priority(void);
bool smtprio_have_llcs(void);
const char *smtprio_stand_ins(void);
bool smtprio_core_scheduling(void);
const struct cpumask *smtprio_nohz_idle_mask(void);

#endif /* SMTPRIO_SYMBOLS_H */
