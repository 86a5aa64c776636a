// SPDX-License-Identifier: GPL-2.0-or-later
/* The idle load balancer, one fault a test. */
#include "check.h"
#include "tests.h"

static void busy_but(struct world *w, int a, int b)
{
	for (int cpu = 0; cpu < w->cpus; cpu++)
		w->idle[cpu] = cpu == a || cpu == b;
}

void case_5_stale_mask(void **state)
{
	struct world w;

	(void)state;
	/* The mask names all CPUs, and only 7 and 3 are still idle. */
	world_init(&w, 4, 2, APART, NULL);
	busy_but(&w, 3, 7);
	assert_answer(ilb(&w), 3, 3);
	/* Not even one core is left. */
	busy_but(&w, 2, 7);
	assert_answer(ilb(&w), -1, 2);
	busy_but(&w, -1, -1);
	assert_answer(ilb(&w), -1, -1);

	/* It misses CPU 3, which is idle: a sibling out of the mask. */
	busy_but(&w, 3, 7);
	w.nohz[3] = false;
	assert_answer(ilb(&w), 7, 7);
	/* And an idle core has no candidate at all. */
	w.nohz[7] = false;
	assert_answer(ilb(&w), -1, -1);
}

void case_5_every_core_half_busy(void **state)
{
	struct world w;

	(void)state;
	for (int threads = 2; threads <= 8; threads *= 2) {
		world_init(&w, 4, threads, ADJACENT, NULL);
		for (int cpu = 0; cpu < w.cpus; cpu++)
			w.idle[cpu] = cpu % threads >= threads / 2;
		assert_answer(ilb(&w), -1, threads / 2);
		w.housekeeping[threads / 2] = false;
		assert_answer(ilb(&w), -1,
			      threads == 2 ? 3 : threads / 2 + 1);

		/* One busy thread is enough to spoil a core. */
		for (int cpu = 0; cpu < w.cpus; cpu++)
			w.idle[cpu] = cpu % threads != threads - 1;
		assert_int_equal(ilb(&w).cpu, -1);
		w.idle[w.cpus - 1] = true;
		assert_int_equal(ilb(&w).cpu, w.cpus - threads);
	}
}

void case_7_ilb_without_smt(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 8, 1, ADJACENT, NULL);
	for (int cpu = 0; cpu < 8; cpu++) {
		assert_answer(ilb(&w), cpu, cpu);
		w.idle[cpu] = false;
	}
	assert_answer(ilb(&w), -1, -1);

	/* A core whose sibling is offline is idle when its one CPU is. */
	world_init(&w, 4, 2, APART, NULL);
	busy_but(&w, 5, -1);
	assert_answer(ilb(&w), -1, 5);
	w.online[1] = false;
	w.nohz[1] = false;
	assert_answer(ilb(&w), 5, 5);
}

void ilb_takes_the_best_candidate(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 2, 4, ADJACENT, NULL);
	for (int cpu = 0; cpu < 8; cpu++)
		w.priority[cpu] = cpu;
	assert_answer(ilb(&w), 3, 0);
	w.housekeeping[3] = false;
	assert_answer(ilb(&w), 2, 0);
	w.nohz[2] = false;
	assert_answer(ilb(&w), 1, 0);
	/* A tie changes nothing. */
	w.priority[1] = 0;
	assert_answer(ilb(&w), 0, 0);
	/* A busy thread that is no candidate spoils the core too. */
	w.idle[3] = false;
	assert_answer(ilb(&w), 7, 0);
}

void ilb_orders_cores_by_first_candidate(void **state)
{
	struct world w;

	(void)state;
	/* CPU 0 is no candidate: core 1 has the first one, CPU 1. */
	world_init(&w, 4, 2, APART, NULL);
	w.housekeeping[0] = false;
	assert_answer(ilb(&w), 1, 1);
	w.housekeeping[1] = false;
	w.housekeeping[2] = false;
	w.housekeeping[3] = false;
	assert_answer(ilb(&w), 4, 4);

	/* Cores numbered against the CPUs, and priorities between cores. */
	world_init(&w, 4, 2, APART, NULL);
	for (int cpu = 0; cpu < 8; cpu++) {
		w.core[cpu] = 3 - cpu % 4;
		w.priority[cpu] = cpu;
	}
	assert_answer(ilb(&w), 4, 0);
	w.idle[0] = false;
	assert_answer(ilb(&w), 5, 1);
	/* The first candidate of a partly busy core is only noted. */
	w.idle[1] = false;
	w.idle[2] = false;
	assert_answer(ilb(&w), 7, 3);
}

/* The CPU in its tick is never asked to kick itself, and its core is busy. */
void ilb_skips_the_asking_cpu(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 4, 2, APART, NULL);
	w.this_cpu = 0;
	assert_answer(ilb(&w), 1, 1);
	busy_but(&w, 0, 4);
	assert_answer(ilb(&w), -1, 4);
	busy_but(&w, 0, -1);
	assert_answer(ilb(&w), -1, -1);
}

void ilb_leaves_out_of_scope_alone(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 4, 2, APART, NULL);
	w.scope[0] = false;
	w.scope[4] = false;

	/* The kernel's first idle CPU is out of scope: its answer stands. */
	assert_answer(ilb(&w), -1, 0);
	busy_but(&w, 0, 4);
	assert_answer(ilb(&w), -1, 0);

	/* It is in scope: idle cores out of scope are passed over. */
	world_init(&w, 4, 2, APART, NULL);
	w.idle[0] = false;
	w.scope[1] = false;
	assert_answer(ilb(&w), -1, 1);
	w.scope[1] = true;
	w.idle[1] = false;
	w.idle[4] = false;
	w.scope[6] = false;
	assert_answer(ilb(&w), -1, 2);
	w.scope[6] = true;
	assert_answer(ilb(&w), 2, 2);

	/* One thread out of scope is enough. */
	world_init(&w, 4, 2, APART, NULL);
	busy_but(&w, 0, 4);
	w.scope[4] = false;
	assert_answer(ilb(&w), -1, 0);
	w.scope[4] = true;
	assert_answer(ilb(&w), 0, 0);
}

/* A CPU that came online after the tables were built has no core in them. */
void ilb_notes_an_unknown_cpu(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 4, 2, APART, NULL);
	w.online[0] = false;
	w.online[4] = false;
	assert_answer(ilb(&w), -1, 0);
	busy_but(&w, 0, 4);
	assert_answer(ilb(&w), -1, 0);
}

void ilb_nothing_to_find(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 4, 2, APART, NULL);
	for (int cpu = 0; cpu < 8; cpu++)
		w.housekeeping[cpu] = false;
	assert_answer(ilb(&w), -1, -1);
	w.housekeeping[6] = true;
	assert_answer(ilb(&w), 6, 6);
	w.idle[2] = false;
	assert_answer(ilb(&w), -1, 6);
	w.nohz[6] = false;
	assert_answer(ilb(&w), -1, -1);
}

void ilb_on_vera(void **state)
{
	struct tables t;
	struct world w;

	(void)state;
	world_init(&w, 176, 2, APART, NULL);
	for (int cpu = 0; cpu < 352; cpu++)
		w.priority[cpu] = cpu;
	build_tables(&t, &w);
	for (int cpu = 0; cpu < 176; cpu++) {
		assert_answer(check_ilb(&t, &w), cpu + 176, 0);
		w.idle[cpu + 176] = false;
	}
	assert_answer(check_ilb(&t, &w), -1, 0);
}
