// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machines to ask the policy about, regular and random.
 */
#include <limits.h>
#include <string.h>

#include "tests.h"
#include "world.h"

/* splitmix64: any seed is a good one, 0 included. */
uint32_t rng_u32(struct rng *rng)
{
	uint64_t z = rng->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (uint32_t)((z ^ (z >> 31)) >> 32);
}

int rng_below(struct rng *rng, int n)
{
	return rng_u32(rng) % (uint32_t)n;
}

bool rng_chance(struct rng *rng, int of_16)
{
	return rng_below(rng, 16) < of_16;
}

static void scatter(struct world *w, struct rng *rng)
{
	for (int i = w->cpus - 1; i > 0; i--) {
		int j = rng_below(rng, i + 1);
		int core = w->core[i];

		w->core[i] = w->core[j];
		w->core[j] = core;
	}
}

void world_init(struct world *w, int cores, int threads, enum layout layout,
		struct rng *rng)
{
	memset(w, 0, sizeof(*w));
	w->cores = cores;
	w->cpus = cores * threads;
	w->this_cpu = -1;
	assert_in_range(w->cpus, 1, MAX_CPUS);

	for (int cpu = 0; cpu < w->cpus; cpu++) {
		w->core[cpu] = layout == ADJACENT ? cpu / threads : cpu % cores;
		w->priority[cpu] = -cpu;
		w->capacity[cpu] = 1024;
		w->online[cpu] = true;
		w->scope[cpu] = true;
		w->active[cpu] = true;
		w->affine[cpu] = true;
		w->idle[cpu] = true;
		w->nohz[cpu] = true;
		w->housekeeping[cpu] = true;
	}
	if (layout == SCATTERED)
		scatter(w, rng);
}

static void random_priorities(struct world *w, struct rng *rng)
{
	static const int extreme[] = { INT_MIN, INT_MIN + 1, -1, 0, 1,
				       INT_MAX - 1, INT_MAX };
	int source = rng_below(rng, 7);

	for (int cpu = 0; cpu < w->cpus; cpu++) {
		int *priority = &w->priority[cpu];

		switch (source) {
		case 0:		/* number */
			*priority = -cpu;
			break;
		case 1:		/* reverse */
			*priority = cpu;
			break;
		case 2:
			*priority = (int)rng_u32(rng);
			break;
		case 3:		/* many ties, below 0 too */
			*priority = rng_below(rng, 3) - 1;
			break;
		case 4:
			*priority = extreme[rng_below(rng, 7)];
			break;
		case 5:		/* pairs of ties */
			*priority = -(cpu / 2);
			break;
		case 6:		/* all tied */
			*priority = INT_MIN;
			break;
		}
	}
}

static void random_capacities(struct world *w, struct rng *rng)
{
	static const unsigned long some[] = { 0, 512, 1023, 1024 };
	int kind = rng_below(rng, 4);
	int values = kind == 0 ? 4 : 2;

	/* Half of the machines have one capacity. */
	if (kind >= 2)
		return;
	for (int cpu = 0; cpu < w->cpus; cpu++)
		w->capacity[cpu] = some[3 - rng_below(rng, values)];
}

static void random_scope(struct world *w, struct rng *rng)
{
	int kind = rng_below(rng, 4);
	bool core[MAX_CPUS];

	for (int i = 0; i < w->cores; i++)
		core[i] = rng_chance(rng, 8);

	for (int cpu = 0; cpu < w->cpus; cpu++) {
		if (kind == 0)		/* whole cores */
			w->scope[cpu] = core[w->core[cpu]];
		else if (kind == 1)	/* any CPUs */
			w->scope[cpu] = rng_chance(rng, 12);
	}
}

void world_random(struct world *w, struct rng *rng)
{
	enum layout layout = rng_below(rng, LAYOUTS);
	int threads = 1 << rng_below(rng, 4);
	int cores = 1 + rng_below(rng, 8);
	int online;

	if (rng_chance(rng, 1)) {
		threads = 2;
		cores = 176;
	}
	world_init(w, cores, threads, layout, rng);
	random_priorities(w, rng);
	random_capacities(w, rng);
	random_scope(w, rng);

	/* Half of the machines have all CPUs online. */
	online = 9 + rng_below(rng, 14);
	for (int cpu = 0; cpu < w->cpus; cpu++)
		w->online[cpu] = rng_chance(rng, online);
}

static void random_domains(struct world *w, struct rng *rng)
{
	int kind = rng_below(rng, 6);

	for (int cpu = 0; cpu < w->cpus; cpu++) {
		if (kind == 0)		/* isolcpus= */
			w->domain[cpu] = rng_chance(rng, 12) ? 0 : NO_DOMAIN;
		else if (kind == 1)	/* cpuset partitions */
			w->domain[cpu] = rng_below(rng, 3);
		else if (kind == 2)	/* odd against even numbers */
			w->domain[cpu] = cpu % 2;
		else if (kind == 3)	/* LLCs of up to four cores */
			w->domain[cpu] = w->core[cpu] / 4;
		else
			w->domain[cpu] = 0;
	}
}

void world_random_state(struct world *w, struct rng *rng)
{
	static const int share[] = { 0, 2, 8, 14, 15, 16 };
	int affinity = rng_below(rng, 4);
	int idle = share[rng_below(rng, 6)];
	int preempted = rng_chance(rng, 4) ? 6 : 0;
	int stale = rng_chance(rng, 8) ? 4 : 0;
	int housekeeping = share[rng_below(rng, 6)];
	int core = rng_below(rng, w->cores);

	random_domains(w, rng);
	w->this_cpu = rng_below(rng, w->cpus + 1) - 1;

	for (int cpu = 0; cpu < w->cpus; cpu++) {
		if (affinity == 0)
			w->affine[cpu] = true;
		else if (affinity == 1)
			w->affine[cpu] = cpu % 2;
		else if (affinity == 2)
			w->affine[cpu] = w->core[cpu] == core;
		else
			w->affine[cpu] = rng_chance(rng, 8);
		w->active[cpu] = w->online[cpu] && !rng_chance(rng, 1);
		w->idle[cpu] = rng_chance(rng, idle);
		w->preempted[cpu] = rng_chance(rng, preempted);
		w->nohz[cpu] = w->idle[cpu] != rng_chance(rng, stale);
		w->housekeeping[cpu] = rng_chance(rng, housekeeping);
	}
}

void world_print_core(const struct world *w, int cpu)
{
	for (int i = 0; i < w->cpus; i++) {
		if (w->core[i] != w->core[cpu])
			continue;
		print_error("  core %d CPU %d priority %d capacity %lu domain %d:%s%s%s%s%s%s%s%s%s\n",
			    w->core[i], i, w->priority[i], w->capacity[i],
			    w->domain[i],
			    w->online[i] ? " online" : "",
			    w->scope[i] ? " scope" : "",
			    w->active[i] ? " active" : "",
			    w->affine[i] ? " affine" : "",
			    w->idle[i] ? " idle" : "",
			    w->preempted[i] ? " preempted" : "",
			    w->nohz[i] ? " nohz" : "",
			    w->housekeeping[i] ? " housekeeping" : "",
			    i == w->this_cpu ? " this" : "");
	}
}
