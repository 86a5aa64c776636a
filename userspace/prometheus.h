/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_PROMETHEUS_H
#define SMTPRIOCTL_PROMETHEUS_H

/* All there is to watch, in Prometheus' text format; an exit status. */
int prometheus_print(void);

#endif
