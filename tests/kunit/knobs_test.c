// SPDX-License-Identifier: GPL-2.0-or-later
/* Knobs: what each parser takes and refuses, and that refusing changes nothing. */
#include <kunit/test.h>

#include "knobs.c"

static struct smtprio_settings settings;
static char page[PAGE_SIZE] __aligned(PAGE_SIZE);

static int knobs_init(struct kunit *test)
{
	memset(&settings, 0, sizeof(settings));
	cpumask_copy(&settings.cpus, cpu_possible_mask);
	return 0;
}

static int knob_id(struct kunit *test, const char *name)
{
	for (int i = 0; i < SMTPRIO_NR_KNOBS; i++)
		if (!strcmp(smtprio_knobs[i].name, name))
			return i;
	KUNIT_FAIL(test, "no knob %s", name);
	return 0;
}

/* Writes @value and expects that the file then reads @want. */
static void takes(struct kunit *test, const char *name, const char *value,
		  const char *want)
{
	const struct smtprio_knob *knob = &smtprio_knobs[knob_id(test, name)];

	KUNIT_EXPECT_EQ_MSG(test, knob->parse(&settings, value), 0, "%s=%s",
			    name, value);
	knob->show(&settings, page);
	KUNIT_EXPECT_STREQ_MSG(test, strim(page), want, "%s=%s", name, value);
}

static void refuses(struct kunit *test, const char *name, const char *value)
{
	const struct smtprio_knob *knob = &smtprio_knobs[knob_id(test, name)];
	struct smtprio_settings before = settings;

	/* The CPU list may have been parsed into the copy that is thrown away. */
	KUNIT_EXPECT_EQ_MSG(test, knob->parse(&settings, value), -EINVAL,
			    "%s=\"%s\"", name, value);
	settings.cpus = before.cpus;
	KUNIT_EXPECT_EQ_MSG(test, memcmp(&before, &settings, sizeof(before)), 0,
			    "%s=\"%s\" changed something", name, value);
}

static void rows_are_whole(struct kunit *test)
{
	for (int i = 0; i < SMTPRIO_NR_KNOBS; i++) {
		KUNIT_EXPECT_GT(test, strlen(smtprio_knobs[i].name), 0);
		KUNIT_EXPECT_GT(test, strlen(smtprio_knobs[i].allowed), 0);
		KUNIT_EXPECT_NOT_NULL(test, smtprio_knobs[i].show);
		KUNIT_EXPECT_NOT_NULL(test, smtprio_knobs[i].parse);
	}
}

/* What a knob shows it takes. */
static void shown_values_are_taken(struct kunit *test)
{
	for (int i = 0; i < SMTPRIO_NR_KNOBS; i++) {
		const struct smtprio_knob *knob = &smtprio_knobs[i];
		struct smtprio_settings before = settings;
		int len = knob->show(&settings, page);

		KUNIT_ASSERT_GT(test, len, 1);
		KUNIT_EXPECT_EQ(test, page[len - 1], '\n');
		KUNIT_EXPECT_EQ_MSG(test, knob->parse(&settings, page), 0,
				    "%s=%s", knob->name, page);
		KUNIT_EXPECT_EQ(test, memcmp(&before, &settings, sizeof(before)), 0);
	}
}

/* No knob takes an empty value, or one with something behind it. */
static void rubbish_is_refused(struct kunit *test)
{
	static const char * const rubbish[] = {
		"", "\n", " ", "x", "0x", "-", "--", "=", ",", "1st",
		"\xff", "observe enforce", "99999999999999999999", "-1",
		"0-", "1-0", "0,,1x", "%s%n", "\t", "nan", "on\non",
	};

	for (int i = 0; i < SMTPRIO_NR_KNOBS; i++)
		for (int j = 0; j < ARRAY_SIZE(rubbish); j++)
			refuses(test, smtprio_knobs[i].name, rubbish[j]);
}

static void mode_values(struct kunit *test)
{
	takes(test, "mode", "observe", "observe");
	takes(test, "mode", "enforce\n", "enforce");
	takes(test, "mode", "off", "off");
	refuses(test, "mode", "Off");
	refuses(test, "mode", "of");
	refuses(test, "mode", "offf");
	KUNIT_EXPECT_STREQ(test, smtprio_mode_name(SMTPRIO_MODE_ENFORCE),
			   "enforce");
}

static void bool_values(struct kunit *test)
{
	static const char * const knobs[] = { "wake", "fork_exec", "ilb",
					      "packing" };

	for (int i = 0; i < ARRAY_SIZE(knobs); i++) {
		takes(test, knobs[i], "1", "1");
		takes(test, knobs[i], "n", "0");
		takes(test, knobs[i], "on\n", "1");
		takes(test, knobs[i], "0\n", "0");
		takes(test, knobs[i], "y", "1");
		takes(test, knobs[i], "off", "0");
		refuses(test, knobs[i], "true");
		refuses(test, knobs[i], "10");
		refuses(test, knobs[i], "yes");
		refuses(test, knobs[i], "1 1");
		refuses(test, knobs[i], "1\n1");
	}
}

static void cpu_lists(struct kunit *test)
{
	char text[32];

	takes(test, "cpus", "0", "0");
	takes(test, "cpus", "0,0,0\n", "0");
	snprintf(text, sizeof(text), "0-%u", nr_cpu_ids - 1);
	takes(test, "cpus", text, text);
	takes(test, "cpus", "all", text);
	if (nr_cpu_ids >= 4) {
		takes(test, "cpus", "0-1,3", "0-1,3");
		takes(test, "cpus", "3,1,0", "0-1,3");
		takes(test, "cpus", "0-3:1/2", "0,2");
	}
	/* One too many, and a number that 32 bits cannot hold. */
	snprintf(text, sizeof(text), "0-%u", nr_cpu_ids);
	refuses(test, "cpus", text);
	snprintf(text, sizeof(text), "%u", nr_cpu_ids);
	refuses(test, "cpus", text);
	refuses(test, "cpus", "4294967296");
	refuses(test, "cpus", "0-4294967295");
	refuses(test, "cpus", "0-1-2");
}

static void source_values(struct kunit *test)
{
	takes(test, "priority_source", "reverse", "reverse");
	takes(test, "priority_source", "custom\n", "custom");
	takes(test, "priority_source", "number", "number");
	refuses(test, "priority_source", "numbers");
	/* Whether there is an arch priority is the symbol table's to say. */
	if (smtprio_have_arch_priority())
		takes(test, "priority_source", "arch", "arch");
	else
		refuses(test, "priority_source", "arch");
}

static struct kunit_case knobs_cases[] = {
	KUNIT_CASE(rows_are_whole),
	KUNIT_CASE(shown_values_are_taken),
	KUNIT_CASE(rubbish_is_refused),
	KUNIT_CASE(mode_values),
	KUNIT_CASE(bool_values),
	KUNIT_CASE(cpu_lists),
	KUNIT_CASE(source_values),
	{}
};

static struct kunit_suite knobs_suite = {
	.name = "smtprio-knobs",
	.init = knobs_init,
	.test_cases = knobs_cases,
};

kunit_test_suite(knobs_suite);
