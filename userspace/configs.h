/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_CONFIGS_H
#define SMTPRIOCTL_CONFIGS_H

#include <stdbool.h>
#include <stddef.h>

#include "knobs.h"

/* A configuration to compare: what it changes of the one in force. */
struct config {
	char *name;
	struct settings knobs;	/* value is NULL where it touches none */
	char *smt;		/* "on", "off", or NULL */
};

struct configs {
	struct config *list;
	size_t nr;
	bool knobs;		/* some touch knobs */
	bool smt;		/* some touch SMT */
};

/*
 * "off,enforce,wake=1+ilb=0": short names or profiles, and KEY=VALUE, with "+"
 * between, separated by commas. 0, or -1 with the message printed.
 */
int configs_parse(struct configs *c, const char *cmd, const char *text);
void configs_free(struct configs *c);
/* The short names, for help texts. */
void configs_help(void);
/* They alone, with spaces between; to be freed. */
char *configs_names(void);

#endif
