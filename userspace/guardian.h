/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_GUARDIAN_H
#define SMTPRIOCTL_GUARDIAN_H

#include <sys/types.h>

/*
 * A process that outlives this one: when this one ends without a word, however
 * that came, it kills the command that runs and puts things right.
 */
struct guardian {
	pid_t pid;
	int fd;
};

/* 0, or -1 with errno. right runs in the guardian. */
int guardian_start(struct guardian *g, void (*right)(void *arg), void *arg);
/* Tell it of the process group that runs now, or 0. */
void guardian_watch(struct guardian *g, pid_t group);
/* All is right already. */
void guardian_dismiss(struct guardian *g);

#endif
