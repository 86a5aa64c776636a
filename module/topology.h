/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cores and their threads as the policy sees them.
 */
#ifndef SMTPRIO_TOPOLOGY_H
#define SMTPRIO_TOPOLOGY_H

#include "config.h"

void smtprio_topology_build(struct smtprio_config *config,
			    const struct cpumask *cpus);
bool smtprio_topology_may_have_smt(void);

#endif /* SMTPRIO_TOPOLOGY_H */
