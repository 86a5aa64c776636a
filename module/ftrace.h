/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the ways that go through ftrace share.
 */
#ifndef SMTPRIO_FTRACE_H
#define SMTPRIO_FTRACE_H

#include "hook.h"

int smtprio_ftrace_resolve(struct smtprio_hook *hook);
int smtprio_ftrace_aim(struct smtprio_hook *hook, ftrace_func_t func,
		       unsigned long flags);
int smtprio_ftrace_refused(struct smtprio_hook *hook, int err);

#endif /* SMTPRIO_FTRACE_H */
