/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints: one event for each decision of a hook. The reason is the counter
 * that counts the decision (stats.h), so events and counters tell the same.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM smtprio

#if !defined(SMTPRIO_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SMTPRIO_TRACE_H

#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "stats.h"

#define SMTPRIO_TRACE_ENUM(name, text) \
	TRACE_DEFINE_ENUM(SMTPRIO_STAT_##name);
SMTPRIO_STATS(SMTPRIO_TRACE_ENUM)
#undef SMTPRIO_TRACE_ENUM

#undef SMTPRIO_TRACE_NAME
#define SMTPRIO_TRACE_NAME(name, text) \
	, { SMTPRIO_STAT_##name, #name }
#undef smtprio_trace_reason
#define smtprio_trace_reason(reason) \
	__print_symbolic(reason, { -1, "?" } SMTPRIO_STATS(SMTPRIO_TRACE_NAME))

/*
 * @kernel_cpu is what the kernel chose, @target_cpu what the policy says: where
 * @p goes, but in mode observe (a reason with "would"), where it goes to the former.
 */
TRACE_EVENT(smtprio_wake,

	TP_PROTO(const struct task_struct *p, int kernel_cpu, int target_cpu,
		 enum smtprio_stat reason),

	TP_ARGS(p, kernel_cpu, target_cpu, reason),

	TP_STRUCT__entry(
		__array(char, comm, TASK_COMM_LEN)
		__field(pid_t, pid)
		__field(int, kernel_cpu)
		__field(int, target_cpu)
		__field(int, reason)
	),

	TP_fast_assign(
		memcpy(__entry->comm, p->comm, TASK_COMM_LEN);
		__entry->pid = p->pid;
		__entry->kernel_cpu = kernel_cpu;
		__entry->target_cpu = target_cpu;
		__entry->reason = reason;
	),

	TP_printk("comm=%s pid=%d kernel_cpu=%d target_cpu=%d reason=%s",
		  __entry->comm, __entry->pid, __entry->kernel_cpu,
		  __entry->target_cpu, smtprio_trace_reason(__entry->reason))
);

/*
 * @kernel_cpu is the first idle CPU, which kernels before 7.3 take, @target_cpu
 * the one that the policy says; -1 when there is none.
 */
TRACE_EVENT(smtprio_ilb,

	TP_PROTO(int this_cpu, int kernel_cpu, int target_cpu,
		 enum smtprio_stat reason),

	TP_ARGS(this_cpu, kernel_cpu, target_cpu, reason),

	TP_STRUCT__entry(
		__field(int, this_cpu)
		__field(int, kernel_cpu)
		__field(int, target_cpu)
		__field(int, reason)
	),

	TP_fast_assign(
		__entry->this_cpu = this_cpu;
		__entry->kernel_cpu = kernel_cpu;
		__entry->target_cpu = target_cpu;
		__entry->reason = reason;
	),

	TP_printk("this_cpu=%d kernel_cpu=%d target_cpu=%d reason=%s",
		  __entry->this_cpu, __entry->kernel_cpu, __entry->target_cpu,
		  smtprio_trace_reason(__entry->reason))
);

#endif /* SMTPRIO_TRACE_H */

/* Found through the -I that Kbuild gives to trace.c. */
#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
