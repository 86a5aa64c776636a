/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine in plain arrays: what the policy is asked about, and what the
 * model reads directly.
 */
#ifndef SMTPRIO_UNIT_WORLD_H
#define SMTPRIO_UNIT_WORLD_H

#include <stdbool.h>
#include <stdint.h>

/* Vera has 352. The kernel's stack has room for fewer (tests/kunit). */
#ifndef MAX_CPUS
#define MAX_CPUS	384
#endif

/* A CPU taken out by isolcpus= has no scheduling domain: siblings neither. */
#define NO_DOMAIN	(-1)

/* Where the threads of a core are. */
enum layout {
	ADJACENT,	/* core 0 has CPUs 0, 1 */
	APART,		/* core 0 has CPUs 0, 0 + number of cores */
	SCATTERED,	/* anywhere, and cores are numbered in no order */
	LAYOUTS
};

/**
 * struct world - one machine at one moment
 * @cpus: how many CPUs
 * @cores: how many cores
 * @core: core of each CPU
 * @online: the CPU was online when the tables were built
 * @scope: the CPU is in the knob `cpus`
 * @active: the CPU has not gone offline since
 * @affine: the task may run there
 * @idle: nothing runs there
 * @preempted: the host took the virtual CPU away
 * @domain: scheduling domain of each CPU, or NO_DOMAIN
 * @nohz: nohz.idle_cpus_mask, which may be stale
 * @housekeeping: the housekeeping mask
 * @this_cpu: the CPU that looks for an idle load balancer: it is in its tick, so
 *	never a candidate and never idle; -1 for none
 */
struct world {
	int cpus;
	int cores;
	int core[MAX_CPUS];
	int priority[MAX_CPUS];
	unsigned long capacity[MAX_CPUS];
	bool online[MAX_CPUS];
	bool scope[MAX_CPUS];

	bool active[MAX_CPUS];
	bool affine[MAX_CPUS];
	bool idle[MAX_CPUS];
	bool preempted[MAX_CPUS];
	int domain[MAX_CPUS];
	bool nohz[MAX_CPUS];
	bool housekeeping[MAX_CPUS];
	int this_cpu;
};

struct rng {
	uint64_t state;
};

uint32_t rng_u32(struct rng *rng);
int rng_below(struct rng *rng, int n);
bool rng_chance(struct rng *rng, int of_16);

/* All CPUs online, idle and in everything; the lower number is preferred. */
void world_init(struct world *w, int cores, int threads, enum layout layout,
		struct rng *rng);

/* What is fixed between two table builds. */
void world_random(struct world *w, struct rng *rng);

/* What changes from one wakeup to the next. */
void world_random_state(struct world *w, struct rng *rng);

/* The core of @cpu, for a report of a failure. */
void world_print_core(const struct world *w, int cpu);

#endif /* SMTPRIO_UNIT_WORLD_H */
