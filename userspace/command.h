/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_COMMAND_H
#define SMTPRIOCTL_COMMAND_H

#include <stddef.h>
#include <sys/types.h>

/* How a command ran. */
struct command_end {
	int error;		/* errno when it could not be started */
	int status;		/* as wait() tells it */
	int asked;		/* the signal that asked us to end, or 0 */
	double wall;		/* seconds */
	double user;		/* with the children it waited for */
	double system;
	char *output;		/* what it wrote, to be freed */
};

/* What to do while it runs. */
struct command_watch {
	void (*started)(void *arg, pid_t group);	/* 0: ended */
	void (*tick)(void *arg);	/* about twice a second */
	void *arg;
};

/*
 * Run it in a process group of its own, without input, and wait for it. The
 * signals that ask us to end must be held (clock.h): they end the command too.
 */
void command_run(char **argv, const struct command_watch *watch,
		 struct command_end *end);
/* Why it counts as failed, to be freed, or NULL when it did not fail. */
char *command_failure(char **argv, const struct command_end *end);

#endif
