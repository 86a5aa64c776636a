/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every difference between kernel versions and architectures, by feature probe
 * where possible. Nothing outside this folder asks for a version.
 */
#ifndef SMTPRIO_COMPAT_H
#define SMTPRIO_COMPAT_H

#include <linux/ftrace.h>
#include <linux/ptrace.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "smtprio needs Linux 6.1 or later"
#endif

#if !defined(CONFIG_DYNAMIC_FTRACE) || !defined(CONFIG_KPROBES)
#error "smtprio needs CONFIG_DYNAMIC_FTRACE and CONFIG_KPROBES"
#endif

/*
 * Without static calls the originals are called through pointers, past their
 * entry: there is neither a landing pad nor a type hash.
 */
#if defined(CONFIG_ARM64) && (defined(CONFIG_ARM64_BTI_KERNEL) || \
	defined(CONFIG_CFI_CLANG) || defined(CONFIG_CFI))
#error "smtprio does not work on arm64 kernels with BTI or CFI for their own code"
#endif

/*
 * wake_flags of select_task_rq_fair() are private to the scheduler and stable
 * from 6.1 to 7.3 (kernel/sched/sched.h). 0x40 was WF_ON_CPU in 6.1, which
 * never reached select_task_rq_fair(); WF_CURRENT_CPU came in 6.6, "sched: add
 * WF_CURRENT_CPU and externise ttwu".
 */
#define SMTPRIO_WF_EXEC		0x02
#define SMTPRIO_WF_FORK		0x04
#define SMTPRIO_WF_TTWU		0x08
#define SMTPRIO_WF_CURRENT_CPU	0x40

/* What an ftrace_ops must ask for to change the instruction pointer. */
#ifdef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
#define SMTPRIO_FTRACE_REGS	0
#else
#define SMTPRIO_FTRACE_REGS	FTRACE_OPS_FL_SAVE_REGS
#endif

/* Continue at @ip when the ftrace handler returns. */
static __always_inline void
smtprio_ftrace_set_ip(struct ftrace_regs *fregs, unsigned long ip)
{
#ifndef CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS
	instruction_pointer_set(ftrace_get_regs(fregs), ip);
#elif defined(ftrace_instruction_pointer_set)	/* renamed in 6.2 */
	ftrace_instruction_pointer_set(fregs, ip);
#else
	ftrace_regs_set_instruction_pointer(fregs, ip);
#endif
}

bool smtprio_text_calls(unsigned long start, unsigned long size,
			unsigned long target);

#endif /* SMTPRIO_COMPAT_H */
