/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Beyond the core that the kernel chose: a fully idle core of the same LLC, and
 * other LLCs of the node.
 */
#ifndef SMTPRIO_BEYOND_H
#define SMTPRIO_BEYOND_H

#include <linux/sched.h>

#include "config.h"

int smtprio_beyond_idle_core(const struct task_struct *p, int choice,
			     const struct smtprio_config *config);
int smtprio_beyond_node(const struct task_struct *p, int choice,
			const struct smtprio_config *config);
int smtprio_beyond_init(void);
void smtprio_beyond_exit(void);

#endif /* SMTPRIO_BEYOND_H */
