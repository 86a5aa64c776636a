/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration: what the administrator asked for, and the tables made
 * from it and from the machine's topology. One immutable object, published
 * under RCU; a change makes a new one.
 */
#ifndef SMTPRIO_CONFIG_H
#define SMTPRIO_CONFIG_H

#include <linux/cpumask.h>
#include <linux/rcupdate.h>

#include "policy.h"

enum smtprio_mode {
	SMTPRIO_MODE_OFF,
	SMTPRIO_MODE_OBSERVE,
	SMTPRIO_MODE_ENFORCE,
};

enum smtprio_source {
	SMTPRIO_SOURCE_NUMBER,
	SMTPRIO_SOURCE_REVERSE,
	SMTPRIO_SOURCE_ARCH,
	SMTPRIO_SOURCE_CUSTOM,
};

/**
 * struct smtprio_settings - what the administrator asked for
 * @mode: off, observe or enforce
 * @wake: refine ordinary wakeups
 * @fork_exec: refine forks and execs
 * @ilb: choose the NOHZ idle load balancer
 * @idle_core: leave a core that is not fully idle for one that is
 * @node: look at other LLCs of the node when the choice is busy
 * @packing: asymmetric packing in the load balancer (mode enforce only)
 * @node_scan: CPUs of another LLC that @node looks at; 0: as many as the kernel
 *	itself would
 * @account: account for single and multi mode of cores
 * @qualify_ns: how long a thread must be idle to count as such
 * @source: where priorities come from
 * @cpus: the CPUs that all of it applies to
 */
struct smtprio_settings {
	enum smtprio_mode mode;
	bool wake;
	bool fork_exec;
	bool ilb;
	bool idle_core;
	bool node;
	bool packing;
	unsigned int node_scan;
	bool account;
	unsigned int qualify_ns;
	enum smtprio_source source;
	struct cpumask cpus;
};

/**
 * struct smtprio_config - settings and the tables made from them
 * @wake_flags: bits of wake_flags that say that a wakeup is in scope
 * @enforce: act; otherwise only count
 * @ilb: the choice of the idle load balancer is in scope
 * @beyond: the steps that may leave the core, SMTPRIO_BEYOND_*
 * @nr_cores: cores in use
 * @nr_smt_cores: those of them with more than one thread
 * @max_threads: most threads seen in one core
 * @better: for each CPU, the threads of its core that are better than it, and
 *	the steps that may leave it
 * @core: all cores, by the lowest CPU number
 * @core_of: for each CPU, the index of its core
 * @rank: for each CPU, how many threads of its core are worse than it
 * @priority: for each CPU, higher wins
 * @leaders: the lowest-numbered thread of each core to which a preference
 *	applies
 * @settings: what was asked for
 * @rcu: frees it
 */
struct smtprio_config {
	/* Read on every wakeup. */
	unsigned int wake_flags;
	bool enforce;
	bool ilb;
	u8 beyond;
	struct smtprio_better *better;

	unsigned int nr_cores;
	unsigned int nr_smt_cores;
	unsigned int max_threads;
	struct smtprio_core *core;
	u16 *core_of;
	u8 *rank;
	int *priority;
	struct cpumask leaders;
	struct smtprio_settings settings;
	struct rcu_head rcu;
};

extern struct smtprio_config __rcu *smtprio_config;

struct smtprio_config *smtprio_config_clone(void);
void smtprio_config_drop(struct smtprio_config *config);
bool smtprio_config_commit(struct smtprio_config *config);
int smtprio_config_init(void);
void smtprio_config_exit(void);

#endif /* SMTPRIO_CONFIG_H */
