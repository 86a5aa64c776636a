// SPDX-License-Identifier: GPL-2.0
/*
 * The knobs: how each is shown and parsed.
 */
#include <linux/cpumask.h>
#include <linux/kstrtox.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "account.h"
#include "knobs.h"
#include "priority.h"
#include "symbols.h"

static const char * const smtprio_mode_names[] = {
	[SMTPRIO_MODE_OFF] = "off",
	[SMTPRIO_MODE_OBSERVE] = "observe",
	[SMTPRIO_MODE_ENFORCE] = "enforce",
};

/**
 * smtprio_mode_name() - a mode's name, as in sysfs
 * @mode: the mode
 *
 * Return: a constant string.
 */
const char *smtprio_mode_name(enum smtprio_mode mode)
{
	return smtprio_mode_names[mode];
}

static int smtprio_show_mode(const struct smtprio_settings *s, char *page)
{
	return sysfs_emit(page, "%s\n", smtprio_mode_names[s->mode]);
}

static int smtprio_parse_mode(struct smtprio_settings *s, const char *value)
{
	int mode = sysfs_match_string(smtprio_mode_names, value);

	if (mode < 0)
		return -EINVAL;
	s->mode = mode;
	return 0;
}

/* kstrtobool() looks at the first letter only and would take "1st". */
static int smtprio_parse_bool(bool *flag, const char *value)
{
	static const char * const words[] = { "0", "1", "n", "y", "off", "on" };
	int word = sysfs_match_string(words, value);

	if (word < 0)
		return -EINVAL;
	*flag = word & 1;
	return 0;
}

#define SMTPRIO_BOOL_KNOB(name)						\
static int smtprio_show_##name(const struct smtprio_settings *s, char *page) \
{									\
	return sysfs_emit(page, "%d\n", s->name);			\
}									\
									\
static int smtprio_parse_##name(struct smtprio_settings *s, const char *value) \
{									\
	return smtprio_parse_bool(&s->name, value);			\
}

SMTPRIO_BOOL_KNOB(wake)
SMTPRIO_BOOL_KNOB(fork_exec)
SMTPRIO_BOOL_KNOB(ilb)
SMTPRIO_BOOL_KNOB(idle_core)
SMTPRIO_BOOL_KNOB(packing)
SMTPRIO_BOOL_KNOB(account)

static int smtprio_show_qualify_ns(const struct smtprio_settings *s,
				   char *page)
{
	return sysfs_emit(page, "%u\n", s->qualify_ns);
}

static int smtprio_parse_qualify_ns(struct smtprio_settings *s,
				    const char *value)
{
	unsigned int ns;

	if (kstrtouint(value, 10, &ns) || ns > SMTPRIO_QUALIFY_MAX)
		return -EINVAL;
	s->qualify_ns = ns;
	return 0;
}

static int smtprio_show_node(const struct smtprio_settings *s, char *page)
{
	return sysfs_emit(page, "%d\n", s->node);
}

static int smtprio_parse_node(struct smtprio_settings *s, const char *value)
{
	int err = smtprio_parse_bool(&s->node, value);

	if (!err && s->node && !smtprio_have_llcs()) {
		pr_err("node=1: this kernel has no usable symbols sd_llc and sd_llc_shared\n");
		return -EOPNOTSUPP;
	}
	return err;
}

static int smtprio_show_node_scan(const struct smtprio_settings *s, char *page)
{
	return s->node_scan ? sysfs_emit(page, "%u\n", s->node_scan) :
			      sysfs_emit(page, "auto\n");
}

static int smtprio_parse_node_scan(struct smtprio_settings *s,
				   const char *value)
{
	u16 scan = 0;

	if (!sysfs_streq(value, "auto") &&
	    (kstrtou16(value, 10, &scan) || !scan))
		return -EINVAL;
	s->node_scan = scan;
	return 0;
}

static int smtprio_show_cpus(const struct smtprio_settings *s, char *page)
{
	return sysfs_emit(page, "%*pbl\n", cpumask_pr_args(&s->cpus));
}

static int smtprio_parse_cpus(struct smtprio_settings *s, const char *value)
{
	const char *end = strchrnul(value, '\n');

	/*
	 * cpulist_parse() takes what follows a first line, an empty list, and
	 * CPUs that cannot exist.
	 */
	if ((end[0] && end[1]) || cpulist_parse(value, &s->cpus) || cpumask_empty(&s->cpus) ||
	    !cpumask_subset(&s->cpus, cpu_possible_mask))
		return -EINVAL;
	return 0;
}

static int smtprio_show_priority_source(const struct smtprio_settings *s,
					char *page)
{
	return sysfs_emit(page, "%s\n", smtprio_source_names[s->source]);
}

static int smtprio_parse_priority_source(struct smtprio_settings *s,
					 const char *value)
{
	int source = __sysfs_match_string(smtprio_source_names,
					  smtprio_nr_sources, value);

	if (source < 0)
		return -EINVAL;
	if (source == SMTPRIO_SOURCE_ARCH && !smtprio_have_arch_priority())
		return -EINVAL;
	s->source = source;
	return 0;
}

const struct smtprio_knob smtprio_knobs[SMTPRIO_NR_KNOBS] = {
#define SMTPRIO_KNOB_ROW(knob, text)					\
	[SMTPRIO_KNOB_##knob] = {					\
		.name = #knob,						\
		.allowed = text,					\
		.show = smtprio_show_##knob,				\
		.parse = smtprio_parse_##knob,				\
	},
	SMTPRIO_KNOBS(SMTPRIO_KNOB_ROW)
#undef SMTPRIO_KNOB_ROW
};
