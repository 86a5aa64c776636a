/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is asked of every CPU before a task is put there.
 */
#ifndef SMTPRIO_CANDIDATE_H
#define SMTPRIO_CANDIDATE_H

#include <linux/cpumask.h>
#include <linux/sched.h>

#include "symbols.h"

/* Is @cpu active, and may @p use it? Context: any. */
static __always_inline bool
smtprio_candidate_allowed(const struct task_struct *p, int cpu)
{
	return cpumask_test_cpu(cpu, p->cpus_ptr) && cpu_active(cpu);
}

/* Is @cpu idle, and not taken away by the host? Context: any. */
static __always_inline bool smtprio_candidate_available(int cpu)
{
	return smtprio_call(idle_cpu)(cpu) && !vcpu_is_preempted(cpu);
}

#endif /* SMTPRIO_CANDIDATE_H */
