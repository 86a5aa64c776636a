// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another owner of a kernel function, as a livepatch would be: attaches an
 * IPMODIFY ftrace user to the function named by the parameter and then leaves
 * it alone.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/string.h>

static char *function = "select_task_rq_fair";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "kernel function to own");

static void notrace leave_alone(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops, struct ftrace_regs *regs)
{
}

static struct ftrace_ops other_ops = {
	.func = leave_alone,
	.flags = FTRACE_OPS_FL_DYNAMIC | FTRACE_OPS_FL_IPMODIFY
#ifndef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
		 | FTRACE_OPS_FL_SAVE_REGS
#endif
};

static int __init other_init(void)
{
	int err;

	err = ftrace_set_filter(&other_ops, function, strlen(function), 1);
	if (err)
		return err;
	err = register_ftrace_function(&other_ops);
	if (err)
		goto err_filter;
	pr_info("owns %s\n", function);
	return 0;

err_filter:
	ftrace_free_filter(&other_ops);
	return err;
}

static void __exit other_exit(void)
{
	unregister_ftrace_function(&other_ops);
	ftrace_free_filter(&other_ops);
}

module_init(other_init);
module_exit(other_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Another IPMODIFY owner, for smtprio's tests");
