// SPDX-License-Identifier: GPL-2.0
/*
 * Cores and their threads as the policy sees them: dense tables, made when the
 * configuration or the set of online CPUs changes.
 */
#include <linux/cpu.h>
#include <linux/sched/topology.h>
#include <linux/topology.h>

#include "topology.h"

static void smtprio_topology_core(struct smtprio_config *config,
				  const struct cpumask *threads)
{
	const struct cpumask *scope = &config->settings.cpus;
	struct smtprio_core *core = &config->core[config->nr_cores];
	struct smtprio_thread thread[SMTPRIO_MAX_THREADS];
	bool in_scope = true;
	unsigned int n = 0;
	int cpu;

	for_each_cpu(cpu, threads) {
		config->core_of[cpu] = config->nr_cores;
		in_scope &= cpumask_test_cpu(cpu, scope);
		if (n < SMTPRIO_MAX_THREADS) {
			thread[n].cpu = cpu;
			thread[n].priority = config->priority[cpu];
			thread[n].capacity = arch_scale_cpu_capacity(cpu);
		}
		n++;
	}

	config->nr_cores++;
	config->nr_smt_cores += n > 1;
	config->max_threads = max(config->max_threads, n);
	if (n > SMTPRIO_MAX_THREADS)
		return;

	smtprio_policy_sort(thread, n);
	for (int i = 0; i < n; i++) {
		cpu = thread[i].cpu;
		if (cpumask_test_cpu(cpu, scope))
			smtprio_policy_better(&config->better[cpu], thread, n, i);
		core->cpu[i] = cpu;
	}
	if (!in_scope)
		return;

	core->n = n;
	cpumask_set_cpu(cpumask_first(threads), &config->leaders);
	for (int i = 0; i < n; i++) {
		cpu = thread[i].cpu;
		config->rank[cpu] = smtprio_policy_rank(thread, n, i);
		config->better[cpu].beyond = config->beyond;
		if (n == 1)
			config->better[cpu].beyond &= ~SMTPRIO_BEYOND_IDLE_CORE;
	}
}

/**
 * smtprio_topology_build() - fill the tables of a configuration
 * @config: new, its tables all zero; its settings and priorities are read
 * @cpus: the CPUs in use
 *
 * A CPU outside settings.cpus has no better thread. A core with a thread
 * outside it, or with more threads than any supported machine has, is one to
 * which no preference applies: its threads have equal ranks, and no task is
 * moved to it from another core or away from it.
 *
 * Context: process, CPU hotplug lock held.
 */
void smtprio_topology_build(struct smtprio_config *config,
			    const struct cpumask *cpus)
{
	static struct cpumask threads;	/* under the config mutex */
	int cpu;

	for_each_possible_cpu(cpu)
		config->core_of[cpu] = nr_cpu_ids;

	for_each_cpu(cpu, cpus) {
		cpumask_and(&threads, topology_sibling_cpumask(cpu), cpus);
		if (cpumask_first(&threads) == cpu)
			smtprio_topology_core(config, &threads);
	}
}

/**
 * smtprio_topology_may_have_smt() - is there, or may there be, any preference
 *
 * Return: false when all CPUs present are online and none has a sibling, and
 * SMT is not just switched off. Context: process, may sleep.
 */
bool smtprio_topology_may_have_smt(void)
{
	bool smt = cpu_smt_possible();
	int cpu;

	cpus_read_lock();
	if (num_online_cpus() < num_present_cpus())
		smt = true;
	for_each_online_cpu(cpu)
		smt |= cpumask_weight(topology_sibling_cpumask(cpu)) > 1;
	cpus_read_unlock();
	return smt;
}
