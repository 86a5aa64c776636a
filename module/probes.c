// SPDX-License-Identifier: GPL-2.0
/*
 * Probes on the kernel's tracepoints that tell when a thread gets active or
 * idle. An active thread runs a task other than the idle one, or an interrupt
 * or a softirq on top of that.
 *
 * Not seen is what has no tracepoint: NMIs, machine checks, a hypervisor's own
 * vectors, the idle loop's own work, and wakeups of a polling idle CPU that run
 * nothing.
 */
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <trace/events/irq.h>
#include <trace/events/sched.h>

#include "account.h"
#include "probes.h"

static void smtprio_activity_switch(void *data, bool preempt,
				    struct task_struct *prev,
				    struct task_struct *next,
				    unsigned int prev_state)
{
	struct smtprio_account_thread *thread =
		this_cpu_ptr(&smtprio_account_threads);
	bool busy = !is_idle_task(next);

	/* Not from prev: a task of idle injection gets PF_IDLE as it runs. */
	if (likely(busy == thread->busy))
		return;
	thread->busy = busy;
	thread->depth = 0;
	smtprio_account_change(thread, busy);
}

/* Softirqs run with interrupts on. */
static __always_inline void smtprio_activity_enter(void)
{
	struct smtprio_account_thread *thread =
		raw_cpu_ptr(&smtprio_account_threads);
	unsigned long flags;

	if (thread->busy)
		return;
	local_irq_save(flags);
	if (!thread->depth++)
		smtprio_account_change(thread, true);
	local_irq_restore(flags);
}

/* The entry may have been before our probes were. */
static __always_inline void smtprio_activity_leave(void)
{
	struct smtprio_account_thread *thread =
		raw_cpu_ptr(&smtprio_account_threads);
	unsigned long flags;

	if (thread->busy)
		return;
	local_irq_save(flags);
	if (thread->depth && !--thread->depth)
		smtprio_account_change(thread, false);
	local_irq_restore(flags);
}

/* Probes by the arguments of their tracepoints. */
static void smtprio_activity_irq_entry(void *data, int irq,
				       struct irqaction *action)
{
	smtprio_activity_enter();
}

static void smtprio_activity_irq_exit(void *data, int irq,
				      struct irqaction *action, int ret)
{
	smtprio_activity_leave();
}

static void smtprio_activity_softirq_entry(void *data, unsigned int nr)
{
	smtprio_activity_enter();
}

static void smtprio_activity_softirq_exit(void *data, unsigned int nr)
{
	smtprio_activity_leave();
}

static void smtprio_activity_vector_entry(void *data, int vector)
{
	smtprio_activity_enter();
}

static void smtprio_activity_vector_exit(void *data, int vector)
{
	smtprio_activity_leave();
}

static void smtprio_activity_ipi_entry(void *data, const char *reason)
{
	smtprio_activity_enter();
}

static void smtprio_activity_ipi_exit(void *data, const char *reason)
{
	smtprio_activity_leave();
}

/* Their arguments are those of this kernel, or it does not build. */
static void __maybe_unused smtprio_activity_check(void)
{
	check_trace_callback_type_sched_switch(smtprio_activity_switch);
	check_trace_callback_type_irq_handler_entry(smtprio_activity_irq_entry);
	check_trace_callback_type_irq_handler_exit(smtprio_activity_irq_exit);
	check_trace_callback_type_softirq_entry(smtprio_activity_softirq_entry);
	check_trace_callback_type_softirq_exit(smtprio_activity_softirq_exit);
}

/* In the order of attaching: exits first, so that each entry has its exit. */
static struct smtprio_tracepoint {
	const char *name;
	void *probe;
	struct tracepoint *tp;
} smtprio_probes_table[] = {
#define SMTPRIO_PROBE(tracepoint, function) \
	{ .name = #tracepoint, .probe = smtprio_activity_##function }
#define SMTPRIO_VECTORS(phase)						\
	/* x86 */							\
	SMTPRIO_PROBE(local_timer_##phase, vector_##phase),		\
	SMTPRIO_PROBE(reschedule_##phase, vector_##phase),		\
	SMTPRIO_PROBE(call_function_##phase, vector_##phase),		\
	SMTPRIO_PROBE(call_function_single_##phase, vector_##phase),	\
	SMTPRIO_PROBE(irq_work_##phase, vector_##phase),		\
	SMTPRIO_PROBE(x86_platform_ipi_##phase, vector_##phase),	\
	SMTPRIO_PROBE(thermal_apic_##phase, vector_##phase),		\
	/* arm64 */							\
	SMTPRIO_PROBE(ipi_##phase, ipi_##phase),			\
	/* all */							\
	SMTPRIO_PROBE(irq_handler_##phase, irq_##phase),		\
	SMTPRIO_PROBE(softirq_##phase, softirq_##phase)

	SMTPRIO_VECTORS(exit),
	SMTPRIO_VECTORS(entry),
	SMTPRIO_PROBE(sched_switch, switch),
#undef SMTPRIO_VECTORS
#undef SMTPRIO_PROBE
};

static void smtprio_activity_match(struct tracepoint *tp, void *unused)
{
	for (int i = 0; i < ARRAY_SIZE(smtprio_probes_table); i++)
		if (!strcmp(tp->name, smtprio_probes_table[i].name))
			smtprio_probes_table[i].tp = tp;
}

/* Takes away the first @n, the last attached first. */
static void smtprio_probes_unregister(int n)
{
	while (n--) {
		const struct smtprio_tracepoint *p = &smtprio_probes_table[n];

		if (p->tp)
			tracepoint_probe_unregister(p->tp, p->probe, NULL);
	}
	tracepoint_synchronize_unregister();
}

/**
 * smtprio_probes_attach() - attach to all tracepoints that this kernel has
 *
 * Return: 0; -EOPNOTSUPP on a kernel without sched_switch, or another negative
 * error: then nothing is attached and one log line tells the reason.
 * Context: process, may sleep; not attached.
 */
int smtprio_probes_attach(void)
{
	const int n = ARRAY_SIZE(smtprio_probes_table);

	for_each_kernel_tracepoint(smtprio_activity_match, NULL);
	if (!smtprio_probes_table[n - 1].tp) {
		pr_err("account: this kernel has no tracepoint %s\n",
		       smtprio_probes_table[n - 1].name);
		return -EOPNOTSUPP;
	}

	for (int i = 0; i < n; i++) {
		const struct smtprio_tracepoint *p = &smtprio_probes_table[i];
		int err;

		if (!p->tp)
			continue;
		err = tracepoint_probe_register(p->tp, p->probe, NULL);
		if (err) {
			pr_err("account: no probe on tracepoint %s: error %d\n",
			       p->name, err);
			smtprio_probes_unregister(i);
			return err;
		}
	}
	return 0;
}

/**
 * smtprio_probes_detach() - detach; after it no CPU runs a probe
 *
 * Context: process, may sleep (RCU waits); attached.
 */
void smtprio_probes_detach(void)
{
	smtprio_probes_unregister(ARRAY_SIZE(smtprio_probes_table));
}
