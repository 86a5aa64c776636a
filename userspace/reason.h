/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_REASON_H
#define SMTPRIOCTL_REASON_H

/* What a negative error of the module means and what to do. */
const char *reason(int err);

/*
 * The module's own log line tells more than an error number. Mark the log
 * before asking the kernel for something; then explain() gives the last line
 * the module wrote since, or reason() when there is none that we may read. To
 * be freed.
 */
void kernel_log_mark(void);
char *explain(int err);

#endif
