/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The knobs: one list. Module parameters, files in sysfs and their parsers come
 * from it.
 */
#ifndef SMTPRIO_KNOBS_H
#define SMTPRIO_KNOBS_H

#include "config.h"

/* X(name, what is allowed) */
#define SMTPRIO_KNOBS(X)						\
	X(mode, "off, observe or enforce")				\
	X(wake, "0 or 1")						\
	X(fork_exec, "0 or 1")						\
	X(ilb, "0 or 1")						\
	X(idle_core, "0 or 1")						\
	X(node, "0 or 1")						\
	X(node_scan, "auto or a number of CPUs, 1 to 65535")		\
	X(packing, "0 or 1")						\
	X(account, "0 or 1")						\
	X(qualify_ns, "nanoseconds from 0 to 1000000000")		\
	X(cpus, "a list of possible CPUs such as 0-7,16, not empty")	\
	X(priority_source, "number, reverse, arch or custom")

/**
 * struct smtprio_knob - one knob
 * @name: of the parameter and of the file
 * @allowed: for messages
 * @show: print the value with a newline, as sysfs wants it; returns its length
 * @parse: change the settings; -EINVAL when the value is not allowed,
 *	-EOPNOTSUPP after a log line when this kernel cannot do it
 */
struct smtprio_knob {
	const char *name;
	const char *allowed;
	int (*show)(const struct smtprio_settings *settings, char *page);
	int (*parse)(struct smtprio_settings *settings, const char *value);
};

enum smtprio_knob_id {
#define SMTPRIO_KNOB_ENUM(name, allowed) SMTPRIO_KNOB_##name,
	SMTPRIO_KNOBS(SMTPRIO_KNOB_ENUM)
#undef SMTPRIO_KNOB_ENUM
	SMTPRIO_NR_KNOBS
};

extern const struct smtprio_knob smtprio_knobs[SMTPRIO_NR_KNOBS];

const char *smtprio_mode_name(enum smtprio_mode mode);

#endif /* SMTPRIO_KNOBS_H */
