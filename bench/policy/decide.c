// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * decide WHAT CPUS CALLS: takes a decision on a machine of CPUS/2 cores with two
 * threads (n, n + cores), CALLS times, in a function decide() that callgrind
 * counts alone. WHAT:
 *
 *	best		a wakeup whose choice has no better thread
 *	sibling		one that is moved to the better thread
 *	idle_core	a search for a fully idle core; only the last one is, of the
 *			others one thread
 *	stock_idle_core	the kernel's own loop for that (select_idle_cpu() and
 *			select_idle_core(): all threads of each core)
 *	ilb		the idle load balancer's CPU; one thread of each core is idle,
 *			and both only of the last
 *	stock_ilb	the kernel's own loop for that, of 7.3, which prefers
 *			fully idle cores
 *	ilb_busy	as ilb, but the other cores are busy: words of the mask are
 *			skipped
 *	stock_ilb_busy	as stock_ilb, likewise
 *
 * CPUs are asked for by masks, as in the kernel. Prints the CPU chosen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy.h"

#define MAX_CPUS	4096
#define BITS		(8 * (int)sizeof(long))

struct machine {
	int cpus;
	int cores;
	unsigned long idle[MAX_CPUS / BITS];
	unsigned long leaders[MAX_CPUS / BITS];
	struct smtprio_better better[MAX_CPUS];
	struct smtprio_core core[MAX_CPUS];
	u16 core_of[MAX_CPUS];
};

static struct machine m;

static bool test(const unsigned long *mask, int cpu)
{
	return mask[cpu / BITS] >> cpu % BITS & 1;
}

static void set(unsigned long *mask, int cpu)
{
	mask[cpu / BITS] |= 1UL << cpu % BITS;
}

/* The first CPU of a mask from @cpu on, or -1: a word at a time. */
static int find(const unsigned long *mask, int cpu)
{
	int word = cpu / BITS;
	unsigned long bits;

	if (cpu >= m.cpus)
		return -1;
	bits = mask[word] & (~0UL << cpu % BITS);
	while (!bits) {
		if (++word * BITS >= m.cpus)
			return -1;
		bits = mask[word];
	}
	return word * BITS + __builtin_ctzl(bits);
}

static bool yes(const void *ctx, int cpu)
{
	(void)ctx;
	return cpu < m.cpus;
}

static bool is_idle(const void *ctx, int cpu)
{
	(void)ctx;
	return test(m.idle, cpu);
}

static int next_core(const void *ctx, int cpu)
{
	(void)ctx;
	return find(m.leaders, cpu + 1);
}

static int next_idle(const void *ctx, int cpu)
{
	(void)ctx;
	return find(m.idle, cpu + 1);
}

static int stock_idle_core(void)
{
	for (int cpu = find(m.leaders, 0); cpu >= 0;
	     cpu = find(m.leaders, cpu + 1)) {
		const struct smtprio_core *core = &m.core[m.core_of[cpu]];
		bool idle = true;

		for (int i = 0; i < core->n; i++)
			idle = idle && test(m.idle, core->cpu[i]);
		if (idle)
			return cpu;
	}
	return -1;
}

static int stock_ilb(void)
{
	int first = -1;

	for (int cpu = find(m.idle, 0); cpu >= 0; cpu = find(m.idle, cpu + 1)) {
		const struct smtprio_core *core = &m.core[m.core_of[cpu]];
		bool whole = true;

		if (!test(m.idle, cpu))
			continue;
		for (int i = 0; i < core->n; i++)
			if (core->cpu[i] != cpu && !test(m.idle, core->cpu[i]))
				whole = false;
		if (whole)
			return cpu;
		if (first < 0)
			first = cpu;
	}
	return first;
}

/* Not inlined, for callgrind; @what so that each call has only one to take. */
static __attribute__((__noinline__)) int decide(int what)
{
	struct smtprio_search search = {
		.core = m.core,
		.core_of = m.core_of,
		.want = SMTPRIO_WANT_CORE,
		.bound = ~0U,
		.after = -1,
	};
	enum smtprio_verdict verdict;
	int first;

	switch (what) {
	case 0:
		return smtprio_policy_sibling(m.better[m.cores - 1].cpu, m.better[m.cores - 1].n,
					      m.cores - 1, NULL, yes, is_idle, yes, &verdict);
	case 1:
		return smtprio_policy_sibling(m.better[m.cpus - 1].cpu, m.better[m.cpus - 1].n,
					      m.cpus - 1, NULL, yes, is_idle, yes, &verdict);
	case 2:
		return smtprio_policy_search(&search, NULL, next_core, yes,
					     is_idle, yes);
	case 3:
		return stock_idle_core();
	case 4:
	case 6:
		return smtprio_policy_ilb(m.core, m.core_of, NULL, next_idle,
					  yes, is_idle, &first);
	default:
		return stock_ilb();
	}
}

static const char * const names[] = {
	"best", "sibling", "idle_core", "stock_idle_core", "ilb", "stock_ilb",
	"ilb_busy", "stock_ilb_busy",
};

static void build(int cpus, bool half_idle)
{
	m.cpus = cpus;
	m.cores = cpus / 2;
	for (int core = 0; core < m.cores; core++) {
		struct smtprio_thread thread[] = {
			{ .cpu = core, .priority = 1 },
			{ .cpu = core + m.cores },
		};

		m.core[core].n = 2;
		for (int i = 0; i < 2; i++) {
			int cpu = thread[i].cpu;

			m.core[core].cpu[i] = cpu;
			m.core_of[cpu] = core;
			smtprio_policy_better(&m.better[cpu], thread, 2, i);
			if (core == m.cores - 1 || (!i && half_idle))
				set(m.idle, cpu);
		}
		set(m.leaders, core);
	}
}

int main(int argc, char **argv)
{
	int what, cpus = argc == 4 ? atoi(argv[2]) : 0, cpu = -1;

	for (what = 0; what < 8; what++)
		if (cpus && !strcmp(argv[1], names[what]))
			break;
	if (what == 8 || cpus < 4 || cpus > MAX_CPUS || cpus % 2) {
		fprintf(stderr, "usage: decide WHAT CPUS CALLS\n");
		return 64;
	}
	build(cpus, what < 6);
	for (int calls = atoi(argv[3]); calls > 0; calls--)
		cpu = decide(what);
	printf("%d\n", cpu);
	return 0;
}
