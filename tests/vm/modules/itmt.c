// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turbo Boost Max 3.0 by hand: gives each CPU the ITMT priority in "priorities",
 * and switches ITMT on; "asym" tells what arch_asym_cpu_priority() says.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sysfs.h>

static int priorities[64];
static int given;
module_param_array(priorities, int, &given, 0444);
MODULE_PARM_DESC(priorities, "of CPU 0, 1, ...");

static void (*set_priority)(int priority, int cpu);
static int (*set_support)(void);
static int (*asym_priority)(int cpu);

static int asym_get(char *page, const struct kernel_param *kp)
{
	int cpu, at = 0;

	for_each_online_cpu(cpu)
		at += sysfs_emit_at(page, at, "%d ", asym_priority(cpu));
	return at + sysfs_emit_at(page, at, "\n");
}

static const struct kernel_param_ops asym_ops = {
	.get = asym_get,
};

module_param_cb(asym, &asym_ops, NULL, 0444);
MODULE_PARM_DESC(asym, "arch_asym_cpu_priority() of each CPU");

/* A kprobe knows where a function is. */
static void *find(const char *name)
{
	struct kprobe kp = { .symbol_name = name };
	void *address;

	if (register_kprobe(&kp))
		return NULL;
	address = kp.addr;
	unregister_kprobe(&kp);
	return address;
}

static int __init itmt_init(void)
{
	set_priority = find("sched_set_itmt_core_prio");
	set_support = find("sched_set_itmt_support");
	asym_priority = find("arch_asym_cpu_priority");
	if (!set_priority || !set_support || !asym_priority)
		return -ENOENT;

	for (int cpu = 0; cpu < given; cpu++)
		set_priority(priorities[cpu], cpu);
	return set_support();
}

static void __exit itmt_exit(void)
{
}

module_init(itmt_init);
module_exit(itmt_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("ITMT priorities, for smtprio's tests");
