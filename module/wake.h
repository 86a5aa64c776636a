/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The wake hook: where a waking, forked or executing task is put.
 */
#ifndef SMTPRIO_WAKE_H
#define SMTPRIO_WAKE_H

#include <linux/sched.h>
#include <linux/static_call.h>

#include "compat/direct.h"
#include "hook.h"

int smtprio_wake_select(struct task_struct *p, int prev_cpu, int wake_flags);
int smtprio_wake_sibling(struct task_struct *p, int prev, int target);
SMTPRIO_DECLARE_DIRECT(smtprio_wake_select)
SMTPRIO_DECLARE_DIRECT(smtprio_wake_sibling)
DECLARE_STATIC_CALL(smtprio_wake_original, smtprio_wake_select);
DECLARE_STATIC_CALL(smtprio_wake_original_sibling, smtprio_wake_sibling);

u64 smtprio_wake_reached(const struct smtprio_hook *hook);
int smtprio_wake_exercise(void);

#endif /* SMTPRIO_WAKE_H */
