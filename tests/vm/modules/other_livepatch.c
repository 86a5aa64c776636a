// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A livepatch of housekeeping_cpumask(), which is right as long as no CPU is
 * isolated.
 */
#include <linux/cpumask.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/sched/isolation.h>

static const struct cpumask *patched_housekeeping_cpumask(enum hk_type type)
{
	return cpu_possible_mask;
}

static struct klp_func funcs[] = {
	{
		.old_name = "housekeeping_cpumask",
		.new_func = patched_housekeeping_cpumask,
	},
	{}
};

static struct klp_object objs[] = {
	{ .funcs = funcs },	/* no name: the kernel itself */
	{}
};

static struct klp_patch patch = {
	.mod = THIS_MODULE,
	.objs = objs,
};

static int __init livepatch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit livepatch_exit(void)
{
}

module_init(livepatch_init);
module_exit(livepatch_exit);

MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
MODULE_DESCRIPTION("A livepatch, for smtprio's tests");
