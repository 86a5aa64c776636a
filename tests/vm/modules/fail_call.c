// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a call of a kernel function fail without running it: the Nth that a task
 * of the given name makes from smtprio while the parameter nth is not 0: the kernel
 * calls some of them itself when it loads a module. The function must
 * return an error number, an error pointer or NULL.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/linkage.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#ifdef CONFIG_X86_64
#include <asm/ibt.h>
#endif

static char *function;
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "kernel function whose call fails");

static char *comm = "insmod";
module_param(comm, charp, 0444);
MODULE_PARM_DESC(comm, "name of the task that calls it");

static int nth;
module_param(nth, int, 0644);
MODULE_PARM_DESC(nth, "which call from now on; 0 none; counts down");

static int error = -12;
module_param(error, int, 0644);
MODULE_PARM_DESC(error, "what it returns; 0 is NULL for a pointer");

#ifdef CONFIG_X86_64
/*
 * A function that returns at once: a kprobe that ftrace makes does not take a
 * changed stack pointer.
 */
void fail_return(void);
asm(".pushsection .text\n"
	".balign 16\n"
	".type fail_return, @function\n"
	"fail_return:\n"
	ASM_ENDBR
	ASM_RET
	".size fail_return, .-fail_return\n"
	".popsection\n");
#endif

static void return_error(struct pt_regs *regs)
{
	regs_set_return_value(regs, error);
#ifdef CONFIG_X86_64
	instruction_pointer_set(regs, (unsigned long)fail_return);
#else
	instruction_pointer_set(regs, procedure_link_pointer(regs));
#endif
}

static bool called_by_smtprio(struct pt_regs *regs)
{
	char caller[KSYM_SYMBOL_LEN];
#ifdef CONFIG_X86_64
	unsigned long address = *(unsigned long *)regs->sp;
#else
	unsigned long address = procedure_link_pointer(regs);
#endif

	snprintf(caller, sizeof(caller), "%ps", (void *)address);
	return strstr(caller, "[smtprio]");
}

static int fail_pre(struct kprobe *kp, struct pt_regs *regs)
{
	if (nth <= 0 || strncmp(current->comm, comm, TASK_COMM_LEN) ||
	    !called_by_smtprio(regs))
		return 0;
	if (--nth)
		return 0;
	return_error(regs);
	return 1;
}

/* That there is one lets the other change the instruction pointer. */
static void fail_post(struct kprobe *kp, struct pt_regs *regs,
		      unsigned long flags)
{
}

static struct kprobe fail_kp = {
	.pre_handler = fail_pre,
	.post_handler = fail_post,
};

static int __init fail_init(void)
{
	fail_kp.symbol_name = function;
	return function ? register_kprobe(&fail_kp) : -EINVAL;
}

static void __exit fail_exit(void)
{
	unregister_kprobe(&fail_kp);
}

module_init(fail_init);
module_exit(fail_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Calls that fail, for smtprio's tests");
