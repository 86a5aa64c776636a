// SPDX-License-Identifier: GPL-2.0
/*
 * Names to addresses, with what is missing named.
 *
 * kallsyms_lookup_name() is not exported; a kprobe on it tells its address.
 * Only exact names are asked for, so a clone (.isra, .constprop, .part, .cold)
 * is never taken for the function itself.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/sched/isolation.h>
#include <linux/uaccess.h>

#include "symbols.h"

#define SMTPRIO_DEFINE_CALL(function, required) \
	DEFINE_STATIC_CALL_RET0(smtprio_##function, function);
SMTPRIO_FUNCTIONS(SMTPRIO_DEFINE_CALL)
SMTPRIO_DEFINE_CALL(kallsyms_lookup_name, true)
#undef SMTPRIO_DEFINE_CALL

struct smtprio_function {
	const char *name;
	bool required;
	struct static_call_key *key;
	void *tramp;
};

static const struct smtprio_function smtprio_functions[] = {
#define SMTPRIO_FUNCTION(function, is_required) {			\
	.name = #function,						\
	.required = is_required,					\
	.key = &STATIC_CALL_KEY(smtprio_##function),			\
	.tramp = STATIC_CALL_TRAMP_ADDR(smtprio_##function),		\
},
	SMTPRIO_FUNCTIONS(SMTPRIO_FUNCTION)
#undef SMTPRIO_FUNCTION
};

struct sched_domain __rcu * __percpu *smtprio_sd_llc;
const struct cpumask *smtprio_domain_cpus = cpu_possible_mask;
struct sched_domain_shared __rcu * __percpu *smtprio_sd_llc_shared;
struct sched_domain __rcu * __percpu *smtprio_sd_asym;

static bool smtprio_arch_priority;
static cpumask_var_t *smtprio_nohz;
static int *smtprio_ftrace_enabled;

static int smtprio_find_kallsyms(unsigned long *address)
{
	/* Never armed: nothing is patched, and taking it back cannot fail. */
	struct kprobe kp = {
		.symbol_name = "kallsyms_lookup_name",
		.flags = KPROBE_FLAG_DISABLED,
	};
	int err;

	err = register_kprobe(&kp);
	if (err) {
		pr_err("no kprobe on kallsyms_lookup_name: error %d\n", err);
		return err;
	}
	/* May be symbol+4, behind the ENDBR: right for a direct call. */
	*address = (unsigned long)kp.addr;
	unregister_kprobe(&kp);
	return 0;
}

/*
 * struct nohz is private to fair.c; that idle_cpus_mask is its first member
 * holds from 6.1 to 7.3. Believe it only when what is there looks like a
 * cpumask: readable, and no CPU in it that cannot exist.
 */
static cpumask_var_t *smtprio_find_nohz(void)
{
	cpumask_var_t *nohz = (cpumask_var_t *)smtprio_symbol("nohz");
	unsigned long word;

	if (!nohz)
		return NULL;
#ifdef CONFIG_CPUMASK_OFFSTACK
	if (!virt_addr_valid(READ_ONCE(*nohz)))
		return NULL;
#endif
	for (int i = 0; i < BITS_TO_LONGS(nr_cpu_ids); i++) {
		if (copy_from_kernel_nofault(&word, cpumask_bits(*nohz) + i,
					     sizeof(word)))
			return NULL;
		if (word & ~cpumask_bits(cpu_possible_mask)[i])
			return NULL;
	}
	return nohz;
}

/*
 * Believe a per-CPU pointer to a domain only when every CPU's is none or one
 * that holds the CPU itself.
 */
static struct sched_domain __rcu * __percpu *
smtprio_find_domain(const char *name)
{
	struct sched_domain __rcu * __percpu *domain =
		(void __percpu *)smtprio_symbol(name);
	struct sched_domain *sd;
	bool good = true;
	int cpu;

	if (!domain)
		return NULL;

	rcu_read_lock();
	for_each_possible_cpu(cpu) {
		sd = rcu_dereference(*per_cpu_ptr(domain, cpu));
		if (sd && (!virt_addr_valid(sd) ||
			   !cpumask_test_cpu(cpu, sched_domain_span(sd))))
			good = false;
	}
	rcu_read_unlock();
	return good ? domain : NULL;
}

/*
 * Believe sd_llc_shared only when what it says of each LLC is possible. (7.2 and
 * later have a flag of the domain in nr_idle_scan until it is first balanced.)
 */
static struct sched_domain_shared __rcu * __percpu *
smtprio_find_sd_llc_shared(void)
{
	struct sched_domain_shared __rcu * __percpu *shared =
		(void __percpu *)smtprio_symbol("sd_llc_shared");
	const struct sched_domain_shared *sds;
	const struct sched_domain *sd;
	bool good = true;
	int cpu;

	if (!shared || !smtprio_sd_llc)
		return NULL;

	rcu_read_lock();
	for_each_possible_cpu(cpu) {
		sd = rcu_dereference(*per_cpu_ptr(smtprio_sd_llc, cpu));
		sds = rcu_dereference(*per_cpu_ptr(shared, cpu));
		if (!sd || !sds)
			continue;
		if (!virt_addr_valid(sds) || READ_ONCE(sds->nr_idle_scan) < 0 ||
		    atomic_read(&sds->nr_busy_cpus) > (int)sd->span_weight ||
		    (READ_ONCE(sds->has_idle_cores) & ~1))
			good = false;
	}
	rcu_read_unlock();
	return good ? shared : NULL;
}

#ifdef CONFIG_SCHED_CORE
static struct static_key *smtprio_core_key;
#endif

/**
 * smtprio_symbol() - address of a kernel symbol by its exact name
 * @name: function or data
 *
 * Return: the address, or 0 when this kernel has no such symbol.
 * Context: process, after smtprio_symbols_init().
 */
unsigned long smtprio_symbol(const char *name)
{
	return smtprio_call(kallsyms_lookup_name)(name);
}

/**
 * smtprio_symbols_init() - find all that the module needs by name
 *
 * Return: 0; -ENOENT after one log line that names what is missing; or the error
 * of the kprobe, logged too.
 * Context: process, may sleep; once, before anything else here is called.
 */
int smtprio_symbols_init(void)
{
	unsigned long address;
	int err;

	err = smtprio_find_kallsyms(&address);
	if (err)
		return err;
	static_call_update(smtprio_kallsyms_lookup_name,
			   (typeof(kallsyms_lookup_name) *)address);

	for (int i = 0; i < ARRAY_SIZE(smtprio_functions); i++) {
		const struct smtprio_function *f = &smtprio_functions[i];

		address = smtprio_symbol(f->name);
		if (!address && f->required) {
			pr_err("this kernel has no symbol %s\n", f->name);
			return -ENOENT;
		}
		if (address)
			__static_call_update(f->key, f->tramp, (void *)address);
		if (f->key == &STATIC_CALL_KEY(smtprio_arch_asym_cpu_priority))
			smtprio_arch_priority = address;
	}

	/*
	 * cpus_share_cache() tells domains apart too, but only up to 6.x:
	 * "sched/cache: Make LLC id continuous" made its ids those of the
	 * hardware.
	 */
	cpus_read_lock();
	smtprio_sd_llc = smtprio_find_domain("sd_llc");
	smtprio_sd_llc_shared = smtprio_find_sd_llc_shared();
	smtprio_sd_asym = smtprio_find_domain("sd_asym_cpucapacity");
	cpus_read_unlock();
	if (!smtprio_sd_llc && (!smtprio_symbol("cpus_share_cache") ||
				smtprio_symbol("sched_domains_free_llc_id"))) {
		pr_err("this kernel has no usable symbol sd_llc\n");
		return -ENOENT;
	}
	if (!smtprio_sd_llc)
		smtprio_domain_cpus = housekeeping_cpumask(HK_TYPE_DOMAIN);

#ifdef CONFIG_SCHED_CORE
	smtprio_core_key = (void *)smtprio_symbol("__sched_core_enabled");
#endif
	smtprio_ftrace_enabled = (int *)smtprio_symbol("ftrace_enabled");
	smtprio_nohz = smtprio_find_nohz();
	return 0;
}

/**
 * smtprio_ftrace_state() - is sysctl kernel.ftrace_enabled on
 *
 * Return: 1 when it is; 0 when it has been set to 0; -ENOENT when that cannot
 * be known (a kernel without KALLSYMS_ALL). Context: any.
 */
int smtprio_ftrace_state(void)
{
	if (!smtprio_ftrace_enabled)
		return -ENOENT;
	return !!READ_ONCE(*smtprio_ftrace_enabled);
}

/**
 * smtprio_stand_ins() - which functions stand in for data without a symbol
 *
 * Kernels without CONFIG_KALLSYMS_ALL (Debian's 6.1 for arm64) have none.
 *
 * Return: words, or "none". Context: any.
 */
const char *smtprio_stand_ins(void)
{
	static const char * const words[] = {
		"none", "nohz=tick_nohz_tick_stopped_cpu",
		"sd_llc=cpus_share_cache",
		"nohz=tick_nohz_tick_stopped_cpu sd_llc=cpus_share_cache",
	};

	return words[(smtprio_nohz ? 0 : 1) + (smtprio_sd_llc ? 0 : 2)];
}

/**
 * smtprio_have_llcs() - can LLCs other than a task's own be searched
 *
 * Return: true when the domains and their hints were found. Context: any.
 */
bool smtprio_have_llcs(void)
{
	return smtprio_sd_llc && smtprio_sd_llc_shared;
}

/**
 * smtprio_core_scheduling() - may tasks have core scheduling cookies
 *
 * Return: true while any task has one, or when that is not known; false on a
 * kernel without core scheduling. Context: any.
 */
bool smtprio_core_scheduling(void)
{
#ifdef CONFIG_SCHED_CORE
	return !smtprio_core_key || atomic_read(&smtprio_core_key->enabled);
#else
	return false;
#endif
}

/**
 * smtprio_have_arch_priority() - can priority_source be "arch" on this kernel
 *
 * Return: true when arch_asym_cpu_priority() was found. Context: any.
 */
bool smtprio_have_arch_priority(void)
{
	return smtprio_arch_priority;
}

/**
 * smtprio_nohz_idle_mask() - the CPUs that stopped their tick
 *
 * Return: the kernel's nohz.idle_cpus_mask, or NULL where it has no symbol or
 * does not look like one. Context: any, also interrupts off.
 */
const struct cpumask *smtprio_nohz_idle_mask(void)
{
	return smtprio_nohz ? *smtprio_nohz : NULL;
}
