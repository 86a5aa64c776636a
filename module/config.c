// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration object: made, published, freed.
 *
 * Locks, outer to inner: control mutex (control.c), CPU hotplug lock,
 * smtprio_config_mutex. CPU hotplug callbacks take the last only. Readers take
 * none: interrupts are off on every path that reads.
 */
#include <linux/cpu.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "account.h"
#include "compat/compat.h"
#include "config.h"
#include "priority.h"
#include "topology.h"

struct smtprio_config __rcu *smtprio_config;

static DEFINE_MUTEX(smtprio_config_mutex);

/* One allocation: the struct, then its arrays by falling alignment. */
static struct smtprio_config *smtprio_config_alloc(void)
{
	size_t n = nr_cpu_ids;
	struct smtprio_config *config;
	size_t size;

	size = sizeof(*config) + n * sizeof(*config->priority) +
	       n * sizeof(*config->better) +
	       (n + 1) * sizeof(*config->core) + n * sizeof(*config->core_of) +
	       n * sizeof(*config->rank);
	config = kvzalloc(size, GFP_KERNEL);
	if (!config)
		return NULL;

	config->priority = (void *)(config + 1);
	config->better = (void *)(config->priority + n);
	/* One more, always empty, for CPUs that are in no core. */
	config->core = (void *)(config->better + n);
	config->core_of = (void *)(config->core + n + 1);
	config->rank = (void *)(config->core_of + n);
	return config;
}

static struct smtprio_config *smtprio_config_locked(void)
{
	return rcu_dereference_protected(smtprio_config,
				lockdep_is_held(&smtprio_config_mutex));
}

/**
 * smtprio_config_clone() - a copy of the present configuration, to change
 *
 * Settings and priorities are copied, tables are left empty:
 * smtprio_config_commit() makes them.
 *
 * Return: the copy, or NULL without memory.
 * Context: process, may sleep.
 */
struct smtprio_config *smtprio_config_clone(void)
{
	struct smtprio_config *config = smtprio_config_alloc();
	const struct smtprio_config *old;

	if (!config)
		return NULL;

	mutex_lock(&smtprio_config_mutex);
	old = smtprio_config_locked();
	config->settings = old->settings;
	memcpy(config->priority, old->priority,
	       nr_cpu_ids * sizeof(*config->priority));
	mutex_unlock(&smtprio_config_mutex);
	return config;
}

/**
 * smtprio_config_drop() - forget a copy that will not be committed
 * @config: from smtprio_config_clone(), or NULL
 */
void smtprio_config_drop(struct smtprio_config *config)
{
	kvfree(config);
}

/* What the hot path asks, answered once. */
static void smtprio_config_derive(struct smtprio_config *config)
{
	const struct smtprio_settings *s = &config->settings;

	/* Hooks attach, and test themselves, while the mode is still off. */
	if (s->mode == SMTPRIO_MODE_OFF)
		return;

	config->enforce = s->mode == SMTPRIO_MODE_ENFORCE;
	config->ilb = s->ilb;
	if (s->wake)
		config->wake_flags |= SMTPRIO_WF_TTWU;
	if (s->fork_exec)
		config->wake_flags |= SMTPRIO_WF_FORK | SMTPRIO_WF_EXEC;
	if (s->idle_core)
		config->beyond |= SMTPRIO_BEYOND_IDLE_CORE;
	if (s->node)
		config->beyond |= SMTPRIO_BEYOND_NODE;
}

/* Returns whether the order of the threads of any core changed. */
static bool smtprio_config_publish(struct smtprio_config *config,
				   const struct cpumask *cpus)
{
	struct smtprio_config *old;
	bool changed = true;

	mutex_lock(&smtprio_config_mutex);
	smtprio_config_derive(config);
	smtprio_priority_fill(config);
	smtprio_topology_build(config, cpus);
	old = smtprio_config_locked();
	rcu_assign_pointer(smtprio_config, config);
	mutex_unlock(&smtprio_config_mutex);
	if (old) {
		changed = memcmp(old->rank, config->rank,
				 nr_cpu_ids * sizeof(*config->rank));
		kvfree_rcu(old, rcu);
	}
	return changed;
}

/**
 * smtprio_config_commit() - make the tables of a copy and publish it
 * @config: from smtprio_config_clone(); not the caller's any more
 *
 * Wakeups that begin after it returns see the new configuration. Cannot fail.
 *
 * Return: whether the order of the threads of any core changed.
 * Context: process, may sleep, control mutex held, hotplug lock not held.
 */
bool smtprio_config_commit(struct smtprio_config *config)
{
	bool changed;

	cpus_read_lock();
	changed = smtprio_config_publish(config, cpu_online_mask);
	cpus_read_unlock();
	return changed;
}

/*
 * A CPU comes or goes: make the tables again. Without memory the old ones
 * stay, which is safe: every CPU is tested for being active before it is taken.
 */
static int smtprio_config_hotplug(unsigned int cpu, bool online)
{
	struct smtprio_config *config = smtprio_config_clone();
	cpumask_var_t cpus;

	if (!config || !alloc_cpumask_var(&cpus, GFP_KERNEL)) {
		pr_warn("CPU %u %s: no memory for new tables, the old stay\n",
			cpu, online ? "online" : "offline");
		smtprio_config_drop(config);
		return 0;
	}

	cpumask_copy(cpus, cpu_online_mask);
	if (!online)
		cpumask_clear_cpu(cpu, cpus);
	smtprio_config_publish(config, cpus);
	free_cpumask_var(cpus);
	return 0;
}

static int smtprio_config_online(unsigned int cpu)
{
	return smtprio_config_hotplug(cpu, true);
}

static int smtprio_config_offline(unsigned int cpu)
{
	return smtprio_config_hotplug(cpu, false);
}

static int smtprio_config_cpuhp;

/**
 * smtprio_config_init() - publish the first configuration: mode off
 *
 * Return: 0 or a negative error. Context: process, may sleep.
 */
int smtprio_config_init(void)
{
	struct smtprio_config *config = smtprio_config_alloc();
	int state;

	if (!config)
		return -ENOMEM;

	config->settings = (struct smtprio_settings) {
		.mode = SMTPRIO_MODE_OFF,
		.wake = true,
		.fork_exec = true,
		.ilb = true,
		.qualify_ns = SMTPRIO_QUALIFY_DEFAULT,
		.source = SMTPRIO_SOURCE_NUMBER,
	};
	cpumask_copy(&config->settings.cpus, cpu_possible_mask);
	smtprio_config_commit(config);

	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "smtprio:online",
					  smtprio_config_online,
					  smtprio_config_offline);
	if (state < 0) {
		kvfree(rcu_replace_pointer(smtprio_config, NULL, true));
		return state;
	}
	smtprio_config_cpuhp = state;
	return 0;
}

/**
 * smtprio_config_exit() - free the configuration
 *
 * Context: process, may sleep; all hooks are detached.
 */
void smtprio_config_exit(void)
{
	cpuhp_remove_state_nocalls(smtprio_config_cpuhp);
	kvfree(rcu_replace_pointer(smtprio_config, NULL, true));
}
