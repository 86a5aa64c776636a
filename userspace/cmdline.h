/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_CMDLINE_H
#define SMTPRIOCTL_CMDLINE_H

/*
 * The module's parameters on the kernel's command line (smtprio.KEY=VALUE), as
 * nr words KEY=VALUE in their order; the words and the list are to be freed.
 * modprobe passes them on after those of modprobe.d, so they win there.
 */
char **cmdline_words(int *nr);
void cmdline_free(char **words, int nr);

#endif
