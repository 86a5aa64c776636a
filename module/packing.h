/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packing hook: asymmetric packing in the kernel's load balancer, on the
 * SMT level, by our priorities.
 */
#ifndef SMTPRIO_PACKING_H
#define SMTPRIO_PACKING_H

#include "hook.h"

extern const struct smtprio_way smtprio_way_packing;

int smtprio_packing_stock_priority(int cpu);
u64 smtprio_packing_reached(const struct smtprio_hook *hook);
int smtprio_packing_exercise(void);

#endif /* SMTPRIO_PACKING_H */
