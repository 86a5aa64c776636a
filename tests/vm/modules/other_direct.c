// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A direct user of a kernel function, as BPF's fentry programs are: a trampoline
 * that is called in place of ftrace and counts.
 */
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/string.h>

static char *function = "select_task_rq_fair";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "kernel function to be called at");

static unsigned long other_direct_calls;
module_param_named(calls, other_direct_calls, ulong, 0444);
MODULE_PARM_DESC(calls, "how often it was");

void other_direct_count(void);
void other_direct_tramp(void);

void other_direct_count(void)
{
	WRITE_ONCE(other_direct_calls, other_direct_calls + 1);
}

/* In 7.2 and later bit 0 of its address has a meaning. */
asm("	.pushsection	.text, \"ax\", @progbits\n"
"	.balign		16\n"
"	.type		other_direct_tramp, @function\n"
"	.globl		other_direct_tramp\n"
"other_direct_tramp:\n"
	ASM_ENDBR
"	pushq		%rbp\n"
"	movq		%rsp, %rbp\n"
"	pushq		%rdi\n"
"	pushq		%rsi\n"
"	pushq		%rdx\n"
"	pushq		%rcx\n"
"	call		other_direct_count\n"
"	popq		%rcx\n"
"	popq		%rdx\n"
"	popq		%rsi\n"
"	popq		%rdi\n"
"	leave\n"
	ASM_RET
"	.size		other_direct_tramp, .-other_direct_tramp\n"
"	.popsection\n");

static struct ftrace_ops direct_ops;

/* Before 6.3 what takes an ftrace_ops was called register_ftrace_direct_multi(). */
#define takes_ops(function)						\
	__builtin_types_compatible_p(typeof(function) *,		\
				     int (*)(struct ftrace_ops *, unsigned long))

static int direct_register(void)
{
	int (*reg)(struct ftrace_ops *ops, unsigned long tramp) =
		(void *)register_ftrace_direct;

	if (!takes_ops(register_ftrace_direct))
		return -EOPNOTSUPP;
	return reg(&direct_ops, (unsigned long)other_direct_tramp);
}

static int __init direct_init(void)
{
	int err;

	err = ftrace_set_filter(&direct_ops, function, strlen(function), 1);
	if (err)
		return err;
	err = direct_register();
	if (err)
		ftrace_free_filter(&direct_ops);
	return err;
}

static void __exit direct_exit(void)
{
	int (*unreg)(struct ftrace_ops *ops, unsigned long tramp, bool free) =
		(void *)unregister_ftrace_direct;

	unreg(&direct_ops, (unsigned long)other_direct_tramp, true);
}

module_init(direct_init);
module_exit(direct_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A direct user of a function, for smtprio's tests");
