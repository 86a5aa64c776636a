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

static bool share;
module_param(share, bool, 0444);
MODULE_PARM_DESC(share, "let one owner redirect the function, as BPF does");

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

/*
 * May another redirect the function too: yes. The trampoline returns to where the
 * redirection put its return address. (The kernel gives more arguments, which
 * differ; they are of no interest.)
 */
static int direct_share(struct ftrace_ops *ops)
{
	return 0;
}

#ifdef HAVE_DIRECT_MULTI
#define direct_register(ops, addr)	register_ftrace_direct_multi(ops, addr)
#define direct_unregister(ops, addr)	unregister_ftrace_direct_multi(ops, addr)
#else
#define direct_register(ops, addr)	register_ftrace_direct(ops, addr)
#define direct_unregister(ops, addr)	unregister_ftrace_direct(ops, addr, false)
#endif

static int __init direct_init(void)
{
	int err;

	err = ftrace_set_filter(&direct_ops, function, strlen(function), 1);
	if (err)
		return err;
	if (share)
		direct_ops.ops_func = (void *)direct_share;
	err = direct_register(&direct_ops, (unsigned long)other_direct_tramp);
	if (err)
		ftrace_free_filter(&direct_ops);
	return err;
}

static void __exit direct_exit(void)
{
	direct_unregister(&direct_ops, (unsigned long)other_direct_tramp);
	ftrace_free_filter(&direct_ops);
}

module_init(direct_init);
module_exit(direct_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A direct user of a function, for smtprio's tests");
