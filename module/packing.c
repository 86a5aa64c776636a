// SPDX-License-Identifier: GPL-2.0
/*
 * The packing hook gives the load balancer the same preference that a kernel
 * booted with sched_smt_asym_packing=on has: SD_ASYM_PACKING on the SMT level
 * of the scheduling domains, and arch_asym_cpu_priority() answering with our
 * priorities. The kernel asks for the flags whenever it builds domains, so they
 * survive hotplug and cpusets.
 *
 * Equal domains are kept by a rebuild, unless arch_update_cpu_topology() says
 * that the topology changed: it does so around ours.
 *
 * The three functions are rare, and some cannot be patched by ftrace on arm64:
 * they are redirected by kprobes that change the instruction pointer.
 */
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/topology.h>
#include <linux/stringify.h>
#include <linux/topology.h>

#include "compat/compat.h"
#include "config.h"
#include "packing.h"
#include "symbols.h"

#define SMTPRIO_REBUILD_TRIES	50
#define SMTPRIO_REBUILD_WAIT_MS	10

static int smtprio_packing_flags(void);
DEFINE_STATIC_CALL_RET0(smtprio_packing_stock, smtprio_packing_flags);

static u64 smtprio_packing_asked;
static u64 smtprio_packing_updates;
static bool smtprio_packing_rebuilding;

/* This CPU asks the kernel's own function: not to be redirected. */
static DEFINE_PER_CPU(bool, smtprio_packing_inside);

/* ITMT sets SD_ASYM_PACKING while the system runs: ask anew. */
static int smtprio_packing_flags(void)
{
	unsigned long irqs;
	int flags;

	local_irq_save(irqs);
	__this_cpu_write(smtprio_packing_inside, true);
	flags = static_call(smtprio_packing_stock)();
	__this_cpu_write(smtprio_packing_inside, false);
	local_irq_restore(irqs);

	WRITE_ONCE(smtprio_packing_asked, smtprio_packing_asked + 1);
	return flags | SD_ASYM_PACKING;
}

/**
 * smtprio_packing_stock_priority() - the kernel's own priority of a CPU
 * @cpu: a possible CPU
 *
 * Return: what arch_asym_cpu_priority() says without the hook.
 * Context: any; it was checked with smtprio_have_arch_priority().
 */
int smtprio_packing_stock_priority(int cpu)
{
	unsigned long flags;
	int priority;

	local_irq_save(flags);
	__this_cpu_write(smtprio_packing_inside, true);
	priority = smtprio_call(arch_asym_cpu_priority)(cpu);
	__this_cpu_write(smtprio_packing_inside, false);
	local_irq_restore(flags);
	return priority;
}

/*
 * Where the kernel itself packs (ITMT), it does so between cores too, on other
 * levels than SMT: there its own order stays. Without ITMT nobody compares
 * threads of different cores.
 */
static int smtprio_packing_priority(int cpu)
{
	const struct smtprio_config *config;
	const struct smtprio_core *core;
	int stock[SMTPRIO_MAX_THREADS];
	int priority;

	rcu_read_lock();
	config = rcu_dereference(smtprio_config);
	core = &config->core[config->core_of[cpu]];
	if (!IS_ENABLED(CONFIG_SCHED_MC_PRIO)) {
		priority = config->rank[cpu];
	} else if (!core->n) {
		priority = smtprio_packing_stock_priority(cpu) *
			   SMTPRIO_MAX_THREADS;
	} else {
		for (int i = 0; i < core->n; i++)
			stock[i] = smtprio_packing_stock_priority(core->cpu[i]);
		priority = smtprio_policy_packing(stock, core->n,
						  config->rank[cpu]);
	}
	rcu_read_unlock();
	return priority;
}

static int smtprio_packing_update(void)
{
	WRITE_ONCE(smtprio_packing_updates, smtprio_packing_updates + 1);
	return 1;
}

/**
 * struct smtprio_probe - a function redirected by a kprobe
 * @kp: the kprobe
 * @replacement: what runs instead
 * @only_if: redirect while this is true; NULL is always
 */
struct smtprio_probe {
	struct kprobe kp;
	void *replacement;
	const bool *only_if;
};

static int smtprio_packing_redirect(struct kprobe *kp, struct pt_regs *regs)
{
	const struct smtprio_probe *probe =
		container_of(kp, struct smtprio_probe, kp);

	if (probe->only_if && !READ_ONCE(*probe->only_if))
		return 0;
	if (__this_cpu_read(smtprio_packing_inside))
		return 0;
	instruction_pointer_set(regs, (unsigned long)probe->replacement);
	return 1;
}

/* That there is one keeps the kprobe from being optimized to a plain jump. */
static void smtprio_packing_post(struct kprobe *kp, struct pt_regs *regs,
				 unsigned long flags)
{
}

/* The flags come last: what is attached before them changes no domain. */
enum { SMTPRIO_PROBE_PRIORITY, SMTPRIO_PROBE_UPDATE, SMTPRIO_PROBE_FLAGS,
	SMTPRIO_NR_PROBES };

static struct smtprio_probe smtprio_probes[SMTPRIO_NR_PROBES] = {
	[SMTPRIO_PROBE_PRIORITY] = {
		.kp.symbol_name = "arch_asym_cpu_priority",
		.replacement = smtprio_packing_priority,
	},
	[SMTPRIO_PROBE_FLAGS] = {
		.kp.symbol_name = "cpu_smt_flags",
		.replacement = smtprio_packing_flags,
	},
	[SMTPRIO_PROBE_UPDATE] = {
		/* arm64 has it as a macro of another name. */
		.kp.symbol_name = __stringify(arch_update_cpu_topology),
		.replacement = smtprio_packing_update,
		.only_if = &smtprio_packing_rebuilding,
	},
};

/*
 * Kprobes at the start of a function live on ftrace, and die quietly when it is
 * switched off (sysctl kernel.ftrace_enabled): a permanent user has that
 * refused. It sits on a rare function and does nothing.
 */
static void smtprio_packing_traced(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops,
				   struct ftrace_regs *fregs)
{
}

static struct ftrace_ops smtprio_packing_guard = {
	.func = smtprio_packing_traced,
	.flags = FTRACE_OPS_FL_PERMANENT,
};

static unsigned long smtprio_packing_guarded;

static int smtprio_packing_guard_on(struct smtprio_hook *hook)
{
	int err = ftrace_set_filter_ip(&smtprio_packing_guard,
				       smtprio_packing_guarded, 0, 0);

	if (!err)
		err = register_ftrace_function(&smtprio_packing_guard);
	if (!err)
		return 0;

	if (err == -EBUSY)
		pr_err("hook %s: ftrace is switched off (sysctl kernel.ftrace_enabled=0)\n",
		       hook->name);
	else
		pr_err("hook %s: ftrace refuses rebuild_sched_domains: error %d\n",
		       hook->name, err);
	ftrace_set_filter_ip(&smtprio_packing_guard, smtprio_packing_guarded,
			     1, 0);
	return err;
}

static void smtprio_packing_guard_off(struct smtprio_hook *hook)
{
	int err = unregister_ftrace_function(&smtprio_packing_guard);

	if (!smtprio_hook_stuck(hook, "rebuild_sched_domains", err))
		ftrace_set_filter_ip(&smtprio_packing_guard,
				     smtprio_packing_guarded, 1, 0);
}

static int smtprio_packing_resolve(struct smtprio_hook *hook)
{
	struct smtprio_probe *flags = &smtprio_probes[SMTPRIO_PROBE_FLAGS];
	unsigned long rebuild;

	/* What x86 up to 6.12 has on the SMT level instead of cpu_smt_flags. */
	if (smtprio_symbol("x86_smt_flags")) {
		hook->site = "x86_smt_flags";
		flags->kp.symbol_name = hook->site;
	}

	for (int i = 0; i < SMTPRIO_NR_PROBES; i++) {
		if (smtprio_symbol(smtprio_probes[i].kp.symbol_name))
			continue;
		pr_info("hook %s cannot be had: this kernel has no symbol %s\n",
			hook->name, smtprio_probes[i].kp.symbol_name);
		return -ENOENT;
	}
	rebuild = smtprio_symbol("rebuild_sched_domains");
	if (!rebuild) {
		pr_info("hook %s cannot be had: this kernel has no cpusets (CONFIG_CPUSETS)\n",
			hook->name);
		return -ENOENT;
	}

	smtprio_packing_guarded = smtprio_call(ftrace_location)(rebuild);
	if (!smtprio_packing_guarded) {
		pr_info("hook %s cannot be had: ftrace cannot patch rebuild_sched_domains\n",
			hook->name);
		return -ENOENT;
	}

	static_call_update(smtprio_packing_stock,
			   (void *)smtprio_symbol(flags->kp.symbol_name));
	return 0;
}

/*
 * The kernel does nothing when asked while cpusets have yet to learn of a CPU
 * that came or went; that takes it some milliseconds. False: it never did, or
 * the kprobes are switched off (debugfs kprobes/enabled).
 */
static bool smtprio_packing_rebuild(void)
{
	u64 before = READ_ONCE(smtprio_packing_updates);

	WRITE_ONCE(smtprio_packing_rebuilding, true);
	for (int i = 0; i < SMTPRIO_REBUILD_TRIES; i++) {
		smtprio_call(rebuild_sched_domains)();
		if (READ_ONCE(smtprio_packing_updates) != before)
			break;
		msleep(SMTPRIO_REBUILD_WAIT_MS);
	}
	WRITE_ONCE(smtprio_packing_rebuilding, false);
	return READ_ONCE(smtprio_packing_updates) != before;
}

/* After it no task is in a replacement, preempted there included. */
static void smtprio_packing_wait(void)
{
	synchronize_rcu_tasks();
	synchronize_rcu();
}

/* The self-test that follows builds the domains. */
static int smtprio_packing_attach(struct smtprio_hook *hook)
{
	int err = smtprio_packing_guard_on(hook);
	int i;

	if (err)
		return err;

	for (i = 0; i < SMTPRIO_NR_PROBES; i++) {
		struct kprobe *kp = &smtprio_probes[i].kp;

		/* A kprobe remembers where it was: it starts afresh. */
		kp->addr = NULL;
		kp->flags = 0;
		kp->pre_handler = smtprio_packing_redirect;
		kp->post_handler = smtprio_packing_post;
		err = register_kprobe(kp);
		if (err) {
			pr_err("hook %s: no kprobe on %s: error %d\n",
			       hook->name, kp->symbol_name, err);
			break;
		}
	}
	if (!err)
		return 0;

	while (i--)
		unregister_kprobe(&smtprio_probes[i].kp);
	smtprio_packing_wait();
	smtprio_packing_guard_off(hook);
	return err;
}

/* The rebuild makes domains without our flag, and groups without our order. */
static void smtprio_packing_detach(struct smtprio_hook *hook)
{
	unregister_kprobe(&smtprio_probes[SMTPRIO_PROBE_FLAGS].kp);
	unregister_kprobe(&smtprio_probes[SMTPRIO_PROBE_PRIORITY].kp);
	if (!smtprio_packing_rebuild())
		pr_warn("hook %s: the scheduling domains could not be built anew, they prefer threads until they are\n",
			hook->name);
	unregister_kprobe(&smtprio_probes[SMTPRIO_PROBE_UPDATE].kp);
	smtprio_packing_wait();
	smtprio_packing_guard_off(hook);
}

/* Scheduling groups remember their preferred CPU from when they were built. */
static void smtprio_packing_ranks_changed(struct smtprio_hook *hook)
{
	if (!smtprio_packing_rebuild())
		pr_warn("hook %s: the scheduling domains could not be built anew, they keep the old order until they are\n",
			hook->name);
}

const struct smtprio_way smtprio_way_packing = {
	.name = "kprobes",
	.resolve = smtprio_packing_resolve,
	.attach = smtprio_packing_attach,
	.detach = smtprio_packing_detach,
	.ranks_changed = smtprio_packing_ranks_changed,
};

/**
 * smtprio_packing_reached() - how often the kernel asked for the SMT flags
 * @hook: the packing hook
 *
 * Return: a number that grows whenever domains are built. Context: any.
 */
u64 smtprio_packing_reached(const struct smtprio_hook *hook)
{
	return READ_ONCE(smtprio_packing_asked);
}

/**
 * smtprio_packing_exercise() - build the scheduling domains anew
 *
 * Return: 0, or -EBUSY when the kernel does not. Context: process, may sleep,
 * CPU hotplug lock not held.
 */
int smtprio_packing_exercise(void)
{
	return smtprio_packing_rebuild() ? 0 : -EBUSY;
}
