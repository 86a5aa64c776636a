// SPDX-License-Identifier: GPL-2.0-or-later
/* Names to addresses: exact ones only, and data that is not believed unseen. */
#include <kunit/test.h>

#include "symbols.c"

static int symbols_suite_init(struct kunit_suite *suite)
{
	return smtprio_symbols_init();
}

static void finding_twice_is_the_same(struct kunit *test)
{
	unsigned long idle = smtprio_symbol("idle_cpu");

	KUNIT_EXPECT_EQ(test, smtprio_symbols_init(), 0);
	KUNIT_EXPECT_EQ(test, smtprio_symbol("idle_cpu"), idle);
}

/* Names go both ways for every function of the list that is there. */
static void names_match_addresses(struct kunit *test)
{
	static char text[KSYM_SYMBOL_LEN];

	for (int i = 0; i < ARRAY_SIZE(smtprio_functions); i++) {
		const struct smtprio_function *f = &smtprio_functions[i];
		unsigned long address = smtprio_symbol(f->name);

		if (f->required)
			KUNIT_EXPECT_NE_MSG(test, address, 0, "%s", f->name);
		if (!address)
			continue;
		snprintf(text, sizeof(text), "%ps", (void *)address);
		KUNIT_EXPECT_STREQ(test, text, f->name);
	}
}

static void only_exact_names(struct kunit *test)
{
	static const char * const absent[] = {
		"", "idle_cp", "idle_cpu ", "idle_cpu.part.0", "Idle_cpu",
		"idle_cpu.isra.0", "smtprio_no_such_function",
	};

	for (int i = 0; i < ARRAY_SIZE(absent); i++)
		KUNIT_EXPECT_EQ_MSG(test, smtprio_symbol(absent[i]), 0, "\"%s\"",
				    absent[i]);
}

/* The calls go where they should: to functions that are exported too. */
static void calls_reach_the_kernel(struct kunit *test)
{
	unsigned long address = smtprio_symbol("idle_cpu");
	unsigned long size = 0, offset = 1;
	int found;

	KUNIT_EXPECT_EQ(test, smtprio_call(kallsyms_lookup_name)("idle_cpu"),
			address);
	found = smtprio_call(kallsyms_lookup_size_offset)(address, &size,
							  &offset);
	KUNIT_EXPECT_NE(test, found, 0);
	KUNIT_EXPECT_GT(test, size, 0);
	KUNIT_EXPECT_EQ(test, offset, 0);
	/* This very CPU is not idle. */
	preempt_disable();
	KUNIT_EXPECT_EQ(test, smtprio_call(idle_cpu)(smp_processor_id()), 0);
	preempt_enable();
}

static void ftrace_is_on(struct kunit *test)
{
	KUNIT_EXPECT_NE(test, smtprio_ftrace_state(), 0);
}

static void nohz_mask_is_a_cpumask(struct kunit *test)
{
	const struct cpumask *mask = smtprio_nohz_idle_mask();

	if (!mask)
		kunit_skip(test, "no symbol nohz");
	KUNIT_EXPECT_TRUE(test, cpumask_subset(mask, cpu_possible_mask));
}

static void llc_domains_hold_their_cpu(struct kunit *test)
{
	struct sched_domain *sd;
	int cpu;

	if (!smtprio_sd_llc)
		kunit_skip(test, "no symbol sd_llc");
	rcu_read_lock();
	for_each_online_cpu(cpu) {
		sd = rcu_dereference(*per_cpu_ptr(smtprio_sd_llc, cpu));
		KUNIT_EXPECT_TRUE(test, !sd ||
				  cpumask_test_cpu(cpu, sched_domain_span(sd)));
	}
	rcu_read_unlock();
}

static struct kunit_case symbols_cases[] = {
	KUNIT_CASE(finding_twice_is_the_same),
	KUNIT_CASE(names_match_addresses),
	KUNIT_CASE(only_exact_names),
	KUNIT_CASE(calls_reach_the_kernel),
	KUNIT_CASE(ftrace_is_on),
	KUNIT_CASE(nohz_mask_is_a_cpumask),
	KUNIT_CASE(llc_domains_hold_their_cpu),
	{}
};

static struct kunit_suite symbols_suite = {
	.name = "smtprio-symbols",
	.suite_init = symbols_suite_init,
	.test_cases = symbols_cases,
};

kunit_test_suite(symbols_suite);
