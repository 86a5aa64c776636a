// SPDX-License-Identifier: GPL-2.0-or-later
/* Searches for another core, one fault a test. */
#include <limits.h>
#include <string.h>

#include "check.h"
#include "tests.h"

/* CPUs 0-7: core n has CPUs n and n + 4. */
static void four_pairs(struct world *w)
{
	world_init(w, 4, 2, APART, NULL);
}

static void busy(struct world *w, int cpu)
{
	w->idle[cpu] = false;
}

/* What idle_core does for the choice of an ordinary machine. */
static int idle_core(const struct world *w, int choice)
{
	struct hunt hunt = {
		.domain = w->domain[choice],
		.want = SMTPRIO_WANT_CORE,
		.bound = UINT_MAX,
		.after = -1,
	};
	int cpu = choice;

	for (int i = 0; i < w->cpus && hunt.after < 0; i++)
		if (w->core[i] == w->core[choice])
			hunt.after = i;
	if (shares(w, choice))
		cpu = search(w, choice, &hunt).cpu;
	return cpu < 0 ? choice : cpu;
}

static int node(const struct world *w, int choice, int domain, int want,
		unsigned int bound)
{
	struct hunt hunt = { domain, want, bound, -1 };

	return search(w, choice, &hunt).cpu;
}

void case_1_idle_core_with_preempted_sibling(void **state)
{
	struct world w;

	(void)state;
	four_pairs(&w);
	busy(&w, 0);
	assert_int_equal(idle_core(&w, 4), 1);
	w.preempted[5] = true;
	assert_int_equal(idle_core(&w, 4), 2);
	w.preempted[2] = true;
	assert_int_equal(idle_core(&w, 4), 3);
	w.preempted[3] = true;
	assert_int_equal(idle_core(&w, 4), 4);

	/* A choice that is not idle itself is no case for it. */
	four_pairs(&w);
	busy(&w, 0);
	w.preempted[4] = true;
	assert_false(shares(&w, 4));
}

void case_1_idle_core_best_thread_not_allowed(void **state)
{
	struct world w;

	(void)state;
	four_pairs(&w);
	busy(&w, 0);
	w.affine[1] = false;
	assert_int_equal(idle_core(&w, 4), 5);
	w.affine[5] = false;
	assert_int_equal(idle_core(&w, 4), 2);
	w.active[2] = false;
	assert_int_equal(idle_core(&w, 4), 6);
	w.active[6] = false;
	w.affine[3] = false;
	w.affine[7] = false;
	assert_int_equal(idle_core(&w, 4), 4);
}

void case_2_idle_core_capacity(void **state)
{
	struct world w;

	(void)state;
	four_pairs(&w);
	busy(&w, 0);
	w.capacity[1] = 1023;
	assert_int_equal(idle_core(&w, 4), 5);
	w.capacity[5] = 1023;
	assert_int_equal(idle_core(&w, 4), 2);
	w.capacity[4] = 1023;
	assert_int_equal(idle_core(&w, 4), 1);
}

void case_3_idle_core_of_split_cores(void **state)
{
	struct world w;

	(void)state;
	/* The choice's own core. */
	four_pairs(&w);
	busy(&w, 0);
	w.domain[0] = NO_DOMAIN;
	assert_int_equal(idle_core(&w, 4), 4);
	w.domain[0] = 1;
	assert_int_equal(idle_core(&w, 4), 4);

	/* The one it could go to. */
	w.domain[0] = 0;
	w.domain[5] = NO_DOMAIN;
	assert_int_equal(idle_core(&w, 4), 2);
	w.domain[2] = 1;
	assert_int_equal(idle_core(&w, 4), 3);
}

void case_5_idle_core_every_core_half_busy(void **state)
{
	struct world w;

	(void)state;
	four_pairs(&w);
	for (int cpu = 0; cpu < 4; cpu++)
		busy(&w, cpu);
	for (int cpu = 4; cpu < 8; cpu++)
		assert_int_equal(idle_core(&w, cpu), cpu);
}

/* Wherever two hogs are and whatever the kernel takes for the third task. */
void case_6_two_hogs_and_a_wakeup(void **state)
{
	struct world w;

	(void)state;
	for (int a = 0; a < 8; a++) {
		for (int choice = 0; choice < 8 * 8; choice++) {
			int b = choice / 8, cpu;

			four_pairs(&w);
			busy(&w, a);
			busy(&w, b);
			if (!w.idle[choice % 8])
				continue;
			cpu = idle_core(&w, choice % 8);
			assert_true(w.idle[cpu]);
			assert_true(w.idle[(cpu + 4) % 8]);
		}
	}
}

void case_10_domains_that_went_away(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 8, 2, ADJACENT, NULL);
	for (int cpu = 8; cpu < 16; cpu++)
		w.domain[cpu] = 1;
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CORE, 8), 8);

	/* Offline since the tables were built, core by core. */
	for (int cpu = 8; cpu < 14; cpu++)
		w.active[cpu] = false;
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CORE, 8), 14);
	w.domain[14] = NO_DOMAIN;
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CORE, 8), -1);
	w.domain[15] = NO_DOMAIN;
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CPU, 8), -1);
}

void case_11_bound(void **state)
{
	struct witness witness;
	struct hunt hunt = { 1, SMTPRIO_WANT_CORE_FIRST, 0, -1 };
	struct tables t;
	struct world w;

	(void)state;
	world_init(&w, 8, 2, ADJACENT, NULL);
	for (int cpu = 8; cpu < 16; cpu++)
		w.domain[cpu] = 1;
	build_tables(&t, &w);

	/* An LLC that the kernel would not search: nothing is read. */
	memset(&witness, 0, sizeof(witness));
	assert_int_equal(ask_search(&t, &w, 0, &hunt, &witness).cpu, -1);
	assert_int_equal(witness.questions, 0);

	/* All busy but the last: found when the bound lets the walk come there. */
	for (int cpu = 8; cpu < 15; cpu++)
		busy(&w, cpu);
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CPU, 6), -1);
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CPU, 7), 15);
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CORE, 8), -1);
}

/* Searches in vain cost less and less, one that finds sets it right again. */
void case_11_backoff(void **state)
{
	struct smtprio_backoff backoff = { 0, 0, 0 };
	int searches = 0;

	(void)state;
	for (int wakeup = 0; wakeup < 64 * 100; wakeup++) {
		if (backoff_skips(&backoff, 7))
			continue;
		searches++;
		backoff_note(&backoff, 7, false, 63);
	}
	assert_true(searches >= 100 && searches <= 106);

	while (backoff_skips(&backoff, 7))
		;
	backoff_note(&backoff, 7, true, 63);
	assert_false(backoff_skips(&backoff, 7));
	backoff_note(&backoff, 7, false, 63);
	assert_true(backoff_skips(&backoff, 7));
	assert_false(backoff_skips(&backoff, 7));

	/* The next tick searches anew, and goes on where this one was. */
	backoff_note(&backoff, 7, false, 63);
	assert_true(backoff_skips(&backoff, 7));
	assert_false(backoff_skips(&backoff, 8));
	backoff_note(&backoff, 8, false, 63);
	for (int wakeup = 0; wakeup < 7; wakeup++)
		assert_true(backoff_skips(&backoff, 8));
	assert_false(backoff_skips(&backoff, 8));

	/* Fewer than before. */
	backoff_note(&backoff, 9, false, 3);
	for (int wakeup = 0; wakeup < 3; wakeup++)
		assert_true(backoff_skips(&backoff, 9));
	assert_false(backoff_skips(&backoff, 9));

	/* Switched off. */
	backoff_note(&backoff, 7, true, 0);
	backoff_note(&backoff, 7, false, 0);
	assert_false(backoff_skips(&backoff, 7));
}

void idle_core_walks_on_and_wraps(void **state)
{
	struct hunt hunt = { 0, SMTPRIO_WANT_CORE, UINT_MAX, 2 };
	struct world w;

	(void)state;
	four_pairs(&w);
	busy(&w, 2);
	assert_int_equal(idle_core(&w, 6), 3);
	busy(&w, 3);
	assert_int_equal(idle_core(&w, 6), 0);
	busy(&w, 4);
	assert_int_equal(idle_core(&w, 6), 1);

	/* Where it ended is told, found or not. */
	assert_answer(search(&w, 6, &hunt), 1, 1);
	busy(&w, 1);
	assert_answer(search(&w, 6, &hunt), -1, 2);
	hunt.bound = 3;
	assert_answer(search(&w, 6, &hunt), -1, 0);
	hunt.bound = 0;
	assert_answer(search(&w, 6, &hunt), -1, 2);
}

void idle_core_scope(void **state)
{
	struct world w;

	(void)state;
	four_pairs(&w);
	busy(&w, 0);
	w.scope[5] = false;
	assert_int_equal(idle_core(&w, 4), 2);
	w.scope[0] = false;
	assert_int_equal(idle_core(&w, 4), 4);
}

void idle_core_on_vera(void **state)
{
	struct tables t;
	struct world w;
	struct hunt hunt = { 0, SMTPRIO_WANT_CORE, UINT_MAX, 0 };

	(void)state;
	world_init(&w, 176, 2, APART, NULL);
	build_tables(&t, &w);
	for (int task = 0; task < 176; task++) {
		struct answer a;

		hunt.after = task;
		a = ask_search(&t, &w, task, &hunt, NULL);
		assert_int_equal(a.cpu, (task + 1) % 176);
		busy(&w, a.cpu);
	}
	hunt.after = 0;
	assert_int_equal(ask_search(&t, &w, 0, &hunt, NULL).cpu, -1);
	hunt.want = SMTPRIO_WANT_CPU;
	assert_int_equal(ask_search(&t, &w, 0, &hunt, NULL).cpu, 177);
}

void node_wants_a_core_first(void **state)
{
	struct world w;

	(void)state;
	world_init(&w, 8, 2, ADJACENT, NULL);
	for (int cpu = 8; cpu < 16; cpu++)
		w.domain[cpu] = 1;
	busy(&w, 8);
	busy(&w, 11);
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CORE, 8), 12);
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CORE_FIRST, 8), 12);
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CPU, 8), 9);
	busy(&w, 12);
	busy(&w, 14);
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CORE, 8), -1);
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CORE_FIRST, 8), 9);
	w.affine[9] = false;
	assert_int_equal(node(&w, 0, 1, SMTPRIO_WANT_CORE_FIRST, 8), 10);
}
