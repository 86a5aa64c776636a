// SPDX-License-Identifier: GPL-2.0-or-later
/* The priority table: every source, and what switching between them keeps. */
#include <kunit/test.h>

#include "priority.c"
#include "symbols.h"

static struct smtprio_config config;

static int priority_init(struct kunit *test)
{
	memset(&config, 0, sizeof(config));
	config.priority = kunit_kcalloc(test, nr_cpu_ids, sizeof(int),
					GFP_KERNEL);
	return config.priority ? 0 : -ENOMEM;
}

static void fill(enum smtprio_source source)
{
	config.settings.source = source;
	smtprio_priority_fill(&config);
}

static void every_source_has_a_name(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, smtprio_nr_sources, SMTPRIO_SOURCE_CUSTOM + 1);
	for (int i = 0; i < smtprio_nr_sources; i++)
		KUNIT_EXPECT_NOT_NULL(test, smtprio_source_names[i]);
}

static void number_prefers_the_lower(struct kunit *test)
{
	int last = INT_MAX;
	int cpu;

	fill(SMTPRIO_SOURCE_NUMBER);
	for_each_possible_cpu(cpu) {
		KUNIT_EXPECT_LT(test, config.priority[cpu], last);
		last = config.priority[cpu];
	}
}

static void reverse_prefers_the_higher(struct kunit *test)
{
	int last = INT_MIN;
	int cpu;

	fill(SMTPRIO_SOURCE_REVERSE);
	for_each_possible_cpu(cpu) {
		KUNIT_EXPECT_GT(test, config.priority[cpu], last);
		last = config.priority[cpu];
	}
}

static void custom_keeps_what_there_was(struct kunit *test)
{
	int cpu;

	fill(SMTPRIO_SOURCE_REVERSE);
	fill(SMTPRIO_SOURCE_CUSTOM);
	for_each_possible_cpu(cpu)
		KUNIT_EXPECT_EQ(test, config.priority[cpu], cpu);

	config.priority[0] = INT_MIN;
	fill(SMTPRIO_SOURCE_CUSTOM);
	KUNIT_EXPECT_EQ(test, config.priority[0], INT_MIN);

	fill(SMTPRIO_SOURCE_NUMBER);
	KUNIT_EXPECT_EQ(test, config.priority[0], 0);
}

/* The kernel's default of arch_asym_cpu_priority() is the number. */
static void arch_says_what_the_kernel_says(struct kunit *test)
{
	int cpu;

	if (!smtprio_have_arch_priority())
		kunit_skip(test, "no arch_asym_cpu_priority()");
	fill(SMTPRIO_SOURCE_ARCH);
	for_each_possible_cpu(cpu)
		KUNIT_EXPECT_EQ(test, config.priority[cpu],
				smtprio_packing_stock_priority(cpu));
}

static struct kunit_case priority_cases[] = {
	KUNIT_CASE(every_source_has_a_name),
	KUNIT_CASE(number_prefers_the_lower),
	KUNIT_CASE(reverse_prefers_the_higher),
	KUNIT_CASE(custom_keeps_what_there_was),
	KUNIT_CASE(arch_says_what_the_kernel_says),
	{}
};

static int priority_suite_init(struct kunit_suite *suite)
{
	return smtprio_symbols_init();
}

static struct kunit_suite priority_suite = {
	.name = "smtprio-priority",
	.suite_init = priority_suite_init,
	.init = priority_init,
	.test_cases = priority_cases,
};

kunit_test_suite(priority_suite);
