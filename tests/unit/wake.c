// SPDX-License-Identifier: GPL-2.0-or-later
/* Wakeups, one fault a test. */
#include "check.h"
#include "tests.h"

/* CPUs 0-7: core n has CPUs n and n + 4. */
static void four_pairs(struct world *w)
{
	world_init(w, 4, 2, APART, NULL);
}

void case_1_preempted_sibling(void **state)
{
	struct world w;

	(void)state;
	four_pairs(&w);
	assert_answer(wake(&w, 4), 0, SMTPRIO_MOVED);
	w.preempted[0] = true;
	assert_answer(wake(&w, 4), 4, SMTPRIO_KEPT_BUSY);

	/* The choice need not be available itself. */
	w.preempted[0] = false;
	w.preempted[4] = true;
	w.idle[4] = false;
	assert_answer(wake(&w, 4), 0, SMTPRIO_MOVED);
}

/*
 * The best thread fails one test and the choice and all others pass it: the
 * next best must be taken, and with two threads the choice stands.
 */
static void fail_best(int threads, enum smtprio_verdict verdict)
{
	int choice = threads - 1;
	struct world w;

	world_init(&w, 2, threads, ADJACENT, NULL);
	switch (verdict) {
	case SMTPRIO_KEPT_AFFINITY:
		w.affine[0] = false;
		break;
	case SMTPRIO_KEPT_BUSY:
		w.idle[0] = false;
		break;
	default:
		w.domain[0] = 1;
		break;
	}
	if (threads == 2)
		assert_answer(wake(&w, choice), choice, verdict);
	else
		assert_answer(wake(&w, choice), 1, SMTPRIO_MOVED);

	/* The same with all better threads: nothing is left. */
	for (int cpu = 1; cpu < choice; cpu++) {
		w.affine[cpu] = w.affine[0];
		w.idle[cpu] = w.idle[0];
		w.domain[cpu] = w.domain[0];
	}
	assert_answer(wake(&w, choice), choice, verdict);
}

void case_1_each_test_is_of_the_returned_cpu(void **state)
{
	struct world w;

	(void)state;
	for (int threads = 2; threads <= 8; threads *= 2) {
		fail_best(threads, SMTPRIO_KEPT_AFFINITY);
		fail_best(threads, SMTPRIO_KEPT_BUSY);
		fail_best(threads, SMTPRIO_KEPT_DOMAIN);
	}

	/* Gone offline since the tables were built. */
	four_pairs(&w);
	w.active[0] = false;
	assert_answer(wake(&w, 4), 4, SMTPRIO_KEPT_AFFINITY);
}

void case_2_capacity(void **state)
{
	struct world w;

	(void)state;
	four_pairs(&w);
	w.capacity[0] = 1023;
	assert_answer(wake(&w, 4), 4, SMTPRIO_KEPT_BEST);
	w.capacity[4] = 1023;
	assert_answer(wake(&w, 4), 0, SMTPRIO_MOVED);
	w.capacity[0] = 1024;
	assert_answer(wake(&w, 4), 0, SMTPRIO_MOVED);
}

void case_2_capacity_of_the_next_best(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 2, 4, ADJACENT, NULL);
	w.capacity[4] = 512;
	w.capacity[6] = 1000;
	assert_answer(wake(&w, 7), 5, SMTPRIO_MOVED);
	assert_answer(wake(&w, 6), 5, SMTPRIO_MOVED);
	assert_answer(wake(&w, 5), 5, SMTPRIO_KEPT_BEST);
	w.capacity[5] = 999;
	assert_answer(wake(&w, 6), 6, SMTPRIO_KEPT_BEST);
}

void case_3_isolcpus(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 4, 2, ADJACENT, NULL);
	for (int cpu = 2; cpu < 8; cpu++)
		w.affine[cpu] = false;
	w.domain[0] = NO_DOMAIN;
	assert_answer(wake(&w, 1), 1, SMTPRIO_KEPT_DOMAIN);

	/* isolcpus=1, and a task that was put there by hand. */
	w.domain[0] = 0;
	w.domain[1] = NO_DOMAIN;
	assert_answer(wake(&w, 1), 1, SMTPRIO_KEPT_DOMAIN);

	/* isolcpus=0-1: neither has a domain, so they do not share one. */
	w.domain[0] = NO_DOMAIN;
	assert_answer(wake(&w, 1), 1, SMTPRIO_KEPT_DOMAIN);
}

void case_3_domain_splits_a_core(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 2, 4, ADJACENT, NULL);
	for (int cpu = 0; cpu < 8; cpu++)
		w.domain[cpu] = cpu % 2;
	assert_answer(wake(&w, 3), 1, SMTPRIO_MOVED);
	assert_answer(wake(&w, 2), 0, SMTPRIO_MOVED);
	w.idle[1] = false;
	assert_answer(wake(&w, 3), 3, SMTPRIO_KEPT_DOMAIN);
}

void case_7_no_smt(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 8, 1, ADJACENT, NULL);
	for (int cpu = 0; cpu < 8; cpu++)
		assert_answer(wake(&w, cpu), cpu, SMTPRIO_KEPT_BEST);

	/* All siblings offline is the same. */
	four_pairs(&w);
	for (int cpu = 0; cpu < 4; cpu++) {
		w.online[cpu] = false;
		w.active[cpu] = false;
	}
	for (int cpu = 4; cpu < 8; cpu++)
		assert_answer(wake(&w, cpu), cpu, SMTPRIO_KEPT_BEST);
}

void case_7_two_of_four_busy(void **state)
{
	struct world w;

	(void)state;
	for (int a = 0; a < 4; a++) {
		for (int b = 0; b < a; b++) {
			int best = b > 0 ? 0 : a > 1 ? 1 : 2;

			world_init(&w, 2, 4, ADJACENT, NULL);
			w.idle[a] = false;
			w.idle[b] = false;
			for (int cpu = best + 1; cpu < 4; cpu++)
				assert_answer(wake(&w, cpu), best,
					      SMTPRIO_MOVED);
		}
	}

	/* Odd: thread 0 offline, thread 1 busy. */
	world_init(&w, 2, 4, APART, NULL);
	w.online[0] = false;
	w.active[0] = false;
	w.idle[2] = false;
	assert_answer(wake(&w, 6), 4, SMTPRIO_MOVED);
	assert_answer(wake(&w, 4), 4, SMTPRIO_KEPT_BUSY);
	assert_answer(wake(&w, 2), 2, SMTPRIO_KEPT_BEST);
}

void case_7_scope(void **state)
{
	struct world w;

	(void)state;
	four_pairs(&w);
	w.scope[4] = false;
	assert_answer(wake(&w, 4), 4, SMTPRIO_KEPT_BEST);
	assert_answer(wake(&w, 5), 1, SMTPRIO_MOVED);
}

void case_8_swapped_priorities(void **state)
{
	struct world w;

	(void)state;
	four_pairs(&w);
	assert_answer(wake(&w, 0), 0, SMTPRIO_KEPT_BEST);
	w.priority[0] = -4;
	w.priority[4] = 0;
	assert_answer(wake(&w, 0), 4, SMTPRIO_MOVED);
	assert_answer(wake(&w, 4), 4, SMTPRIO_KEPT_BEST);
	w.priority[0] = 0;
	assert_answer(wake(&w, 0), 0, SMTPRIO_KEPT_BEST);
	assert_answer(wake(&w, 4), 4, SMTPRIO_KEPT_BEST);
}

void wake_verdict_is_the_furthest(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 1, 4, ADJACENT, NULL);
	w.domain[0] = 1;
	w.idle[1] = false;
	w.affine[2] = false;
	assert_answer(wake(&w, 3), 3, SMTPRIO_KEPT_DOMAIN);
	w.idle[0] = false;
	assert_answer(wake(&w, 3), 3, SMTPRIO_KEPT_BUSY);
	w.affine[0] = false;
	w.affine[1] = false;
	assert_answer(wake(&w, 3), 3, SMTPRIO_KEPT_AFFINITY);
	w.affine[0] = true;
	w.affine[1] = true;
	assert_answer(wake(&w, 1), 1, SMTPRIO_KEPT_BUSY);
	assert_answer(wake(&w, 0), 0, SMTPRIO_KEPT_BEST);
}

/*
 * 32 cores with four threads: whatever idle thread of the emptiest core the
 * kernel takes, 32 tasks have thread 0 each, 64 have 0 and 1, and so on.
 */
void wake_fills_threads_in_order(void **state)
{
	struct rng rng = { 32 };
	struct tables t;
	struct world w;

	(void)state;
	world_init(&w, 32, 4, APART, NULL);
	build_tables(&t, &w);
	for (int task = 0; task < 128; task++) {
		int choice, cpu;

		do {
			choice = task % 32 + 32 * rng_below(&rng, 4);
		} while (!w.idle[choice]);
		cpu = check_wake(&t, &w, choice).cpu;
		assert_int_equal(cpu, task);
		w.idle[cpu] = false;
	}
}

void wake_on_vera(void **state)
{
	struct tables t;
	struct world w;

	(void)state;
	world_init(&w, 176, 2, APART, NULL);
	build_tables(&t, &w);
	for (int cpu = 0; cpu < 176; cpu++) {
		assert_answer(check_wake(&t, &w, cpu), cpu, SMTPRIO_KEPT_BEST);
		assert_answer(check_wake(&t, &w, cpu + 176), cpu,
			      SMTPRIO_MOVED);
	}
}
