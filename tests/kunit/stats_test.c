// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters: sums over CPUs, and resets that touch no counter. */
#include <kunit/test.h>

#include "stats.c"

static void set_all(u64 value)
{
	int cpu, i;

	for_each_possible_cpu(cpu)
		for (i = 0; i < SMTPRIO_NR_STATS; i++)
			per_cpu(smtprio_stats, cpu)[i] = value;
	memset(smtprio_stats_base, 0, sizeof(smtprio_stats_base));
}

static int stats_init(struct kunit *test)
{
	set_all(0);
	return 0;
}

static void names_are_distinct(struct kunit *test)
{
	for (int i = 0; i < SMTPRIO_NR_STATS; i++)
		for (int j = 0; j < i; j++)
			KUNIT_EXPECT_STRNEQ(test, smtprio_stat_name(i),
					    smtprio_stat_name(j));
}

static void sum_is_over_all_cpus(struct kunit *test)
{
	u64 want = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		per_cpu(smtprio_stats, cpu)[SMTPRIO_STAT_wake_seen] = cpu + 1;
		want += cpu + 1;
	}
	KUNIT_EXPECT_EQ(test, smtprio_stat_read(SMTPRIO_STAT_wake_seen), want);
	KUNIT_EXPECT_EQ(test, smtprio_stat_read(SMTPRIO_STAT_wake_would), 0);
}

static void count_counts_one(struct kunit *test)
{
	preempt_disable();
	smtprio_count(ilb_seen);
	smtprio_count(ilb_seen);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, smtprio_stat_read(SMTPRIO_STAT_ilb_seen), 2);
	KUNIT_EXPECT_EQ(test, smtprio_stat_read(SMTPRIO_STAT_wake_seen), 0);
}

static void reset_starts_again_from_0(struct kunit *test)
{
	set_all(7);
	smtprio_stats_reset();
	for (int i = 0; i < SMTPRIO_NR_STATS; i++) {
		/* Those of accounting, which does not run here, are no counters of CPUs. */
		bool cpus = i < SMTPRIO_STAT_core_to_multi;

		KUNIT_EXPECT_EQ(test, smtprio_stat_read(i), 0);
		KUNIT_EXPECT_EQ(test, smtprio_stat_since_load(i),
				cpus ? 7 * num_possible_cpus() : 0);
	}
	preempt_disable();
	smtprio_count(wake_seen);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, smtprio_stat_read(SMTPRIO_STAT_wake_seen), 1);
}

/* A counter that overflows while it is added up still tells the difference. */
static void sums_wrap_like_counters(struct kunit *test)
{
	set_all(0);
	per_cpu(smtprio_stats, 0)[SMTPRIO_STAT_wake_seen] = U64_MAX;
	smtprio_stats_reset();
	per_cpu(smtprio_stats, 0)[SMTPRIO_STAT_wake_seen] += 3;
	KUNIT_EXPECT_EQ(test, smtprio_stat_read(SMTPRIO_STAT_wake_seen), 3);
}

static struct kunit_case stats_cases[] = {
	KUNIT_CASE(names_are_distinct),
	KUNIT_CASE(sum_is_over_all_cpus),
	KUNIT_CASE(count_counts_one),
	KUNIT_CASE(reset_starts_again_from_0),
	KUNIT_CASE(sums_wrap_like_counters),
	{}
};

static struct kunit_suite stats_suite = {
	.name = "smtprio-stats",
	.init = stats_init,
	.test_cases = stats_cases,
};

kunit_test_suite(stats_suite);
