/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between kernels in direct calls: ftrace calls, or jumps to, a
 * function of ours in place of its own entry code.
 *
 * SMTPRIO_DEFINE_DIRECT(replacement) makes what is called directly so that
 * @replacement runs with the arguments and the return address of the site;
 * SMTPRIO_DIRECT(replacement) is its address, NULL where there are no direct
 * calls.
 */
#ifndef SMTPRIO_COMPAT_DIRECT_H
#define SMTPRIO_COMPAT_DIRECT_H

#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/version.h>

#if !defined(CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS)

#define SMTPRIO_DECLARE_DIRECT(replacement)
#define SMTPRIO_DEFINE_DIRECT(replacement)
#define SMTPRIO_DIRECT(replacement)	NULL

static inline int smtprio_direct_register(struct ftrace_ops *ops, void *direct)
{
	return -EOPNOTSUPP;
}

static inline int smtprio_direct_unregister(struct ftrace_ops *ops, void *direct)
{
	return -EOPNOTSUPP;
}

#else /* CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */

/* Bit 0 of a direct address would mean a jump: trampolines are aligned. */
#define SMTPRIO_DIRECT_TRAMPOLINE(name, code)				\
	asm("	.pushsection .text, \"ax\", @progbits\n"		\
	    "	.balign 16\n"						\
	    "	.type " name ", @function\n"				\
	    "	.globl " name "\n"					\
	    name ":\n"							\
	    code							\
	    "	.size " name ", . - " name "\n"				\
	    "	.popsection\n")

#if defined(CONFIG_DYNAMIC_FTRACE_WITH_JMP)

/* The site jumps: nothing is on the stack that has to be taken off. */
#define SMTPRIO_DECLARE_DIRECT(replacement)
#define SMTPRIO_DEFINE_DIRECT(replacement)
#define SMTPRIO_DIRECT(replacement)	replacement

#elif defined(CONFIG_X86_64)

#include <asm/ibt.h>
#include <linux/linkage.h>
#include <asm/nospec-branch.h>

#ifndef CALL_DEPTH_ACCOUNT	/* came in 6.2 */
#define CALL_DEPTH_ACCOUNT ""
#endif

/*
 * The site's call left its own address on top of its caller's. A return to the
 * replacement from there, not a jump, keeps the CPU's return stack in step.
 */
#define SMTPRIO_DEFINE_DIRECT(replacement)				\
	SMTPRIO_DIRECT_TRAMPOLINE(#replacement "_direct",		\
		ASM_ENDBR						\
		CALL_DEPTH_ACCOUNT					\
		"	movq $" #replacement ", (%rsp)\n"		\
		ASM_RET)

#elif defined(CONFIG_ARM64)

/*
 * x30 is in the site, x9 its caller; x9 to x17 are free (entry-ftrace.S). The
 * return is for the CPU's return stack. hint 34 is "bti c".
 */
#define SMTPRIO_DEFINE_DIRECT(replacement)				\
	SMTPRIO_DIRECT_TRAMPOLINE(#replacement "_direct",		\
		"	hint 34\n"					\
		"	adr x10, " #replacement "\n"			\
		"	mov x30, x9\n"					\
		"	ret x10\n")

#endif

#ifndef SMTPRIO_DIRECT
#define SMTPRIO_DECLARE_DIRECT(replacement)	\
	void replacement##_direct(void);
#define SMTPRIO_DIRECT(replacement)	replacement##_direct
#endif

static inline int smtprio_direct_register(struct ftrace_ops *ops, void *direct)
{
	unsigned long address = (unsigned long)direct;

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_JMP
	if (ftrace_is_jmp(address))
		return -EOPNOTSUPP;
	address = ftrace_jmp_set(address);
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	return register_ftrace_direct_multi(ops, address);
#else
	return register_ftrace_direct(ops, address);
#endif
}

static inline int smtprio_direct_unregister(struct ftrace_ops *ops, void *direct)
{
	unsigned long address = (unsigned long)direct;

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_JMP
	address = ftrace_jmp_set(address);
#endif
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	return unregister_ftrace_direct_multi(ops, address);
#else
	return unregister_ftrace_direct(ops, address, false);
#endif
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS */

#endif /* SMTPRIO_COMPAT_DIRECT_H */
