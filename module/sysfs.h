/* SPDX-License-Identifier: GPL-2.0 */
/*
 * /sys/kernel/smtprio
 */
#ifndef SMTPRIO_SYSFS_H
#define SMTPRIO_SYSFS_H

int smtprio_sysfs_init(void);
void smtprio_sysfs_exit(void);

#endif /* SMTPRIO_SYSFS_H */
