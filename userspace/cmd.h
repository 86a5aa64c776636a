/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_CMD_H
#define SMTPRIOCTL_CMD_H

#include <stdbool.h>

/* What apply reads when no file is named. */
#define CONF_FILE	"/etc/smtprio.conf"

/* What the command line asks for, beside the command and its arguments. */
struct options {
	unsigned int given;	/* bit N: the option of key N (options.h) */
	bool json;
	bool reset;
	bool csv;
	bool once;
	const char *file;
	const char *configs;
	const char *metric;
	const char *html;
	double interval;
	int pid;		/* 0: any */
	int count;		/* 0: no end, or the command's default */
	int columns;		/* 0: as the terminal has */
	int lines;
	bool dashes;		/* the arguments stood after "--" */
};

/* Each returns the exit status; args are nr arguments after the command. */
int cmd_status(const struct options *opt, char **args, int nr);
int cmd_get(const struct options *opt, char **args, int nr);
int cmd_set(const struct options *opt, char **args, int nr);
int cmd_mode(const struct options *opt, char **args, int nr);
int cmd_apply(const struct options *opt, char **args, int nr);
int cmd_priority(const struct options *opt, char **args, int nr);
int cmd_profile(const struct options *opt, char **args, int nr);
int cmd_stats(const struct options *opt, char **args, int nr);
int cmd_trace(const struct options *opt, char **args, int nr);
int cmd_top(const struct options *opt, char **args, int nr);
int cmd_bench(const struct options *opt, char **args, int nr);
int cmd_load(const struct options *opt, char **args, int nr);
int cmd_unload(const struct options *opt, char **args, int nr);
int cmd_doctor(const struct options *opt, char **args, int nr);

/* Is the module there? If not, say so. */
bool need_loaded(const char *cmd);

#endif
