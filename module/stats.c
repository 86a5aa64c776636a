// SPDX-License-Identifier: GPL-2.0
/*
 * Counters, summed over CPUs when read.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>

#include "account.h"
#include "stats.h"

DEFINE_PER_CPU(u64[SMTPRIO_NR_STATS], smtprio_stats);

/*
 * A reset remembers the sums of that moment: clearing another CPU's counters
 * would race with its increments.
 */
static u64 smtprio_stats_base[SMTPRIO_NR_STATS];

static const char * const smtprio_stat_names[] = {
#define SMTPRIO_STAT_NAME(name, text) #name,
	SMTPRIO_STATS(SMTPRIO_STAT_NAME)
#undef SMTPRIO_STAT_NAME
};

/**
 * smtprio_stat_name() - the name of a counter, as in sysfs
 * @stat: the counter
 *
 * Return: a constant string.
 */
const char *smtprio_stat_name(enum smtprio_stat stat)
{
	return smtprio_stat_names[stat];
}

/**
 * smtprio_stat_since_load() - a counter's sum, resets left out
 * @stat: the counter
 *
 * The last ones are the figures of accounting, in its order.
 *
 * Return: events since the module was loaded. Context: process.
 */
u64 smtprio_stat_since_load(enum smtprio_stat stat)
{
	u64 sum = 0;
	int cpu;

	static_assert(SMTPRIO_NR_STATS - SMTPRIO_STAT_core_to_multi ==
		      SMTPRIO_NR_ACCOUNT);
	if (stat >= SMTPRIO_STAT_core_to_multi)
		return smtprio_account_sum(stat - SMTPRIO_STAT_core_to_multi);

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(smtprio_stats, cpu)[stat]);
	return sum;
}

/**
 * smtprio_stat_read() - a counter's sum
 * @stat: the counter
 *
 * Return: events since the module was loaded or the last reset. Context: process.
 */
u64 smtprio_stat_read(enum smtprio_stat stat)
{
	return smtprio_stat_since_load(stat) -
	       READ_ONCE(smtprio_stats_base[stat]);
}

/**
 * smtprio_stats_reset() - let all counters start again from 0
 *
 * Context: process; concurrent resets are harmless.
 */
void smtprio_stats_reset(void)
{
	for (int i = 0; i < SMTPRIO_NR_STATS; i++)
		WRITE_ONCE(smtprio_stats_base[i], smtprio_stat_since_load(i));
}
