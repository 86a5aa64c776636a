/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When does a thread get active or idle?
 */
#ifndef SMTPRIO_PROBES_H
#define SMTPRIO_PROBES_H

int smtprio_probes_attach(void);
void smtprio_probes_detach(void);

#endif /* SMTPRIO_PROBES_H */
