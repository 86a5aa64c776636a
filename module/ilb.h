/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ilb hook: which CPU does the idle load balancing for the others.
 */
#ifndef SMTPRIO_ILB_H
#define SMTPRIO_ILB_H

#include <linux/cpumask.h>
#include <linux/sched/isolation.h>
#include <linux/static_call.h>

#include "hook.h"

const struct cpumask *smtprio_ilb_cpumask(enum hk_type type);
DECLARE_STATIC_CALL(smtprio_ilb_original, smtprio_ilb_cpumask);

u64 smtprio_ilb_reached(const struct smtprio_hook *hook);
int smtprio_ilb_exercise(void);
int smtprio_ilb_check(void);

#endif /* SMTPRIO_ILB_H */
