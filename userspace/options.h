/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_OPTIONS_H
#define SMTPRIOCTL_OPTIONS_H

#include <stdbool.h>

#include "cmd.h"

enum option_key {
	OPT_NONE,
	/* Every command takes these. */
	OPT_JSON,
	OPT_SYSROOT,
	OPT_HELP,
	OPT_VERSION,
	/* A command lists those it takes. */
	OPT_RESET,
	OPT_FILE,
	OPT_INTERVAL,
	OPT_COUNT,
	OPT_PID,
	OPT_CONFIGS,
	OPT_METRIC,
	OPT_CSV,
	OPT_HTML,
	OPT_ONCE,
	OPT_COLUMNS,
	OPT_LINES,
	OPT_PROMETHEUS,
	OPT_CHECK,
	NR_OPTIONS
};

/* An option of one command, as its help shows it. */
struct option_use {
	enum option_key key;	/* OPT_NONE ends a list */
	const char *name;
	const char *help;
};

/* The command line, taken apart. */
struct request {
	struct options opt;
	char **args;		/* the command and its arguments */
	int nr;
	int nr_before;		/* of them, how many stood before "--" */
};

/* 0, or -1 with the message printed. r->args is to be freed after both. */
int options_parse(struct request *r, int argc, char **argv);
/* Without the dashes before it. */
const char *option_name(enum option_key key);
bool option_given(const struct options *opt, enum option_key key);
/* Does a command that takes these options take all that are given? */
bool options_allowed(const struct options *opt, const char *cmd,
		     const struct option_use *uses);

#endif
