/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_SAVED_H
#define SMTPRIOCTL_SAVED_H

#include <stdbool.h>

#define SMT_CONTROL	"/sys/devices/system/cpu/smt/control"

/* What was in force, to be put back. */
struct saved {
	char **knobs;		/* by number; NULL when they are not known */
	char *smt;		/* smt/control, NULL when not known */
	char *online;		/* list of CPUs */
};

/* 0, or -1 with the message printed. Only what is asked for must be there. */
int saved_take(struct saved *s, const char *cmd, bool knobs, bool smt);
void saved_free(struct saved *s);

/*
 * Bring in force what was, but for the knobs and the SMT state given (NULL:
 * none). All of it or nothing; the exit status of a command.
 */
int saved_apply(const struct saved *s, const char *cmd, char *const *knobs,
		const char *smt);
/*
 * Put back what was, as far as it goes: EXIT_SUCCESS, or EXIT_PARTIAL with what
 * could not be put back named.
 */
int saved_restore(const struct saved *s, const char *cmd);

#endif
