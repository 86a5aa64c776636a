/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_PRIORITIES_H
#define SMTPRIOCTL_PRIORITIES_H

#include "batch.h"

/*
 * Check words CPUS=N and add their writes to the batch, after one that makes
 * priority_source custom. Without the module they are only checked. 0, or -1
 * with the message printed.
 */
int priorities_add(struct batch *b, const char *cmd, char **words, int nr);

#endif
