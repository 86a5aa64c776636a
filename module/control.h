/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changing the configuration: all of a change takes effect, or nothing.
 */
#ifndef SMTPRIO_CONTROL_H
#define SMTPRIO_CONTROL_H

#include "config.h"

/*
 * Changes the settings or priorities of a copy of the present configuration;
 * a negative error refuses the whole change.
 */
typedef int (*smtprio_change_t)(struct smtprio_config *config,
				const void *data);

int smtprio_control_change(smtprio_change_t change, const void *data);
const char *smtprio_control_hook_way(int hook);
void smtprio_control_stop(void);

#endif /* SMTPRIO_CONTROL_H */
