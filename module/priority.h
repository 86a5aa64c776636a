/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thread priorities: one int for each CPU, higher wins, ties change nothing.
 */
#ifndef SMTPRIO_PRIORITY_H
#define SMTPRIO_PRIORITY_H

#include "config.h"

extern const char * const smtprio_source_names[];
extern const size_t smtprio_nr_sources;

void smtprio_priority_fill(struct smtprio_config *config);

#endif /* SMTPRIO_PRIORITY_H */
