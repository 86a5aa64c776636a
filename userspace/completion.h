/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_COMPLETION_H
#define SMTPRIOCTL_COMPLETION_H

#include "options.h"

/*
 * The script for bash, on stdout, in parts: the beginning, a command each, the
 * end.
 */
void completion_begin(void);
void completion_command(const char *name, const struct option_use *options);
void completion_end(const char *commands);

#endif
