/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_KNOBS_H
#define SMTPRIOCTL_KNOBS_H

#include <stdbool.h>
#include <stddef.h>

enum knob_kind {
	KNOB_CHOICE,
	KNOB_BOOL,
	KNOB_CPUS,
	KNOB_NUMBER,
	KNOB_NS,
};

/* The largest value of a KNOB_NUMBER. */
#define KNOB_MOST	65535

/* A file of /sys/kernel/smtprio and, of the same name, a load parameter. */
struct knob {
	const char *name;
	enum knob_kind kind;
	const char *choices;	/* of KNOB_CHOICE; word of KNOB_NUMBER */
	const char *help;
};

extern const struct knob knobs[];
extern const size_t nr_knobs;

const struct knob *knob_find(const char *name);
/* All names, for messages. */
char *knob_names(void);
/* The table, for help texts. */
void knob_help(void);
/* Member KEY of a JSON object with the knob's value as sysfs shows it. */
void knob_json(const struct knob *knob, const char *value);

/* For each knob the value asked for, as the kernel wants it, or NULL. */
struct settings {
	char **value;
};

/*
 * Check KEY=VALUE arguments. 0, or -1 with the message printed. Nothing is
 * to be freed after a failure.
 */
int settings_parse(struct settings *s, const char *cmd, char **args, int nr);
void settings_free(struct settings *s);
/* Those given, as KEY=VALUE lines or one JSON object. */
void settings_print(const struct settings *s, bool json);
/* Let those of "over" win; "over" is used up. */
void settings_merge(struct settings *s, struct settings *over);

#endif
