/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters: one list. The enum, the names under /sys/kernel/smtprio/stats/ and
 * their description come from it; to add a counter, add a row.
 */
#ifndef SMTPRIO_STATS_H
#define SMTPRIO_STATS_H

#include <linux/percpu.h>
#include <linux/types.h>

#define SMTPRIO_STATS(X)						\
	X(wake_seen, "wakeups, forks and execs that passed the hook")	\
	X(wake_redirected, "moved to a better thread of the core")	\
	X(wake_would, "would have been moved (mode observe)")		\
	X(wake_idle_core, "moved to a fully idle core")			\
	X(wake_idle_core_would, "would have been (mode observe)")	\
	X(wake_node, "moved to another LLC of the node")		\
	X(wake_node_would, "would have been (mode observe)")		\
	X(wake_kept_off, "left alone: this kind is switched off")	\
	X(wake_kept_current, "left alone: the waker asked for its CPU")	\
	X(wake_kept_best, "left alone: no better thread in the core")	\
	X(wake_kept_affinity, "left alone: not allowed on a better one")\
	X(wake_kept_busy, "left alone: no better thread is idle")	\
	X(wake_kept_domain, "left alone: better ones in other domains")	\
	X(idle_core_none, "searches that found no fully idle core")	\
	X(idle_core_skipped, "left out: the last searches found none")	\
	X(node_none, "searches that found nothing in other LLCs")	\
	X(node_skipped, "left out: the last searches found nothing")	\
	X(ilb_seen, "idle load balancer choices that passed the hook")	\
	X(ilb_redirected, "put on the best thread of an idle core")	\
	X(ilb_would, "would have been put there (mode observe)")	\
	X(ilb_kept_best, "left alone: the first idle CPU is that thread")\
	X(ilb_kept_partial, "left alone: no core is fully idle")	\
	X(core_to_multi, "transitions from single to multi mode")	\
	X(core_to_single, "transitions back")				\
	X(core_multi_ns, "time in multi mode")				\
	X(core_both_ns, "time with two or more threads active")	\
	X(core_wasted_ns, "time in multi mode with one thread active")

enum smtprio_stat {
#define SMTPRIO_STAT_ENUM(name, text) SMTPRIO_STAT_##name,
	SMTPRIO_STATS(SMTPRIO_STAT_ENUM)
#undef SMTPRIO_STAT_ENUM
	SMTPRIO_NR_STATS
};

DECLARE_PER_CPU(u64[SMTPRIO_NR_STATS], smtprio_stats);

/* Count one event. Context: preemption off, interrupts too on the hot path. */
#define smtprio_count(stat) \
	__this_cpu_inc(smtprio_stats[SMTPRIO_STAT_##stat])

const char *smtprio_stat_name(enum smtprio_stat stat);
u64 smtprio_stat_read(enum smtprio_stat stat);
u64 smtprio_stat_since_load(enum smtprio_stat stat);
void smtprio_stats_reset(void);

#endif /* SMTPRIO_STATS_H */
