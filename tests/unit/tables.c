// SPDX-License-Identifier: GPL-2.0-or-later
/* What is worked out when the configuration changes. */
#include <limits.h>

#include "ask.h"
#include "tests.h"

#define THREADS(...) ((struct smtprio_thread[]){ __VA_ARGS__ })

static void assert_cpus(const struct smtprio_thread *thread, int n,
			const int *cpu)
{
	for (int i = 0; i < n; i++)
		assert_int_equal(thread[i].cpu, cpu[i]);
}

void sort_orders_by_priority(void **state)
{
	struct smtprio_thread *thread =
		THREADS({ 0, -3, 10 }, { 4, INT_MAX, 11 }, { 8, INT_MIN, 12 },
			{ 12, 0, 13 });

	(void)state;
	sort_threads(thread, 4);
	assert_cpus(thread, 4, (const int[]){ 4, 12, 0, 8 });
	/* The whole thread moves, not only its number. */
	assert_int_equal(thread[0].priority, INT_MAX);
	assert_int_equal(thread[0].capacity, 11);
	assert_int_equal(thread[3].priority, INT_MIN);
	assert_int_equal(thread[3].capacity, 12);
}

void sort_keeps_the_order_of_ties(void **state)
{
	struct smtprio_thread *thread =
		THREADS({ 1, 5, 0 }, { 3, 7, 0 }, { 5, 5, 0 }, { 7, 7, 0 },
			{ 9, 5, 0 });

	(void)state;
	sort_threads(thread, 5);
	assert_cpus(thread, 5, (const int[]){ 3, 7, 1, 5, 9 });
}

void sort_of_nothing(void **state)
{
	struct smtprio_thread *thread = THREADS({ 6, 1, 2 });

	(void)state;
	sort_threads(thread, 0);
	sort_threads(thread, 1);
	assert_cpus(thread, 1, (const int[]){ 6 });
}

/* Of @n sorted threads, those better than thread @self are CPUs @cpu. */
static void assert_better(const struct smtprio_thread *thread, int n, int self,
			  int expected, const int *cpu)
{
	struct smtprio_better better;

	build_better(&better, thread, n, self);
	assert_int_equal(better.n, expected);
	for (int i = 0; i < expected; i++)
		assert_int_equal(better.cpu[i], cpu[i]);
}

void better_leaves_ties_and_itself_out(void **state)
{
	const struct smtprio_thread *thread =
		THREADS({ 2, 9, 1 }, { 0, 4, 1 }, { 1, 4, 1 }, { 3, 4, 1 });

	(void)state;
	assert_better(thread, 4, 0, 0, NULL);
	for (int self = 1; self < 4; self++)
		assert_better(thread, 4, self, 1, (const int[]){ 2 });
}

void better_asks_for_capacity(void **state)
{
	const struct smtprio_thread *thread =
		THREADS({ 0, 3, 512 }, { 1, 2, 1024 }, { 2, 1, 800 },
			{ 3, 0, 800 });

	(void)state;
	assert_better(thread, 4, 1, 0, NULL);
	assert_better(thread, 4, 2, 1, (const int[]){ 1 });
	assert_better(thread, 4, 3, 2, (const int[]){ 1, 2 });
}

void better_at_the_ends_of_int(void **state)
{
	const struct smtprio_thread *thread =
		THREADS({ 0, INT_MAX, 1 }, { 1, INT_MAX, 1 }, { 2, -1, 1 },
			{ 3, INT_MIN, 1 });

	(void)state;
	assert_better(thread, 4, 0, 0, NULL);
	assert_better(thread, 4, 1, 0, NULL);
	assert_better(thread, 4, 2, 2, (const int[]){ 0, 1 });
	assert_better(thread, 4, 3, 3, (const int[]){ 0, 1, 2 });
}

/* The largest core and the largest CPU number fill the struct to its end. */
void better_of_eight_threads(void **state)
{
	struct smtprio_thread thread[SMTPRIO_MAX_THREADS];
	int cpu[SMTPRIO_MAX_THREADS];

	(void)state;
	for (int i = 0; i < SMTPRIO_MAX_THREADS; i++) {
		cpu[i] = 65535 - i;
		thread[i] = (struct smtprio_thread){ cpu[i], -i, 1 };
	}
	for (int self = 0; self < SMTPRIO_MAX_THREADS; self++)
		assert_better(thread, SMTPRIO_MAX_THREADS, self, self, cpu);
}

/* The rank of every one of @n sorted threads, against counting. */
static void assert_ranks(const struct smtprio_thread *thread, int n)
{
	for (int self = 0; self < n; self++) {
		int worse = 0;

		for (int i = 0; i < n; i++)
			worse += thread[i].priority < thread[self].priority;
		assert_int_equal(rank_of(thread, n, self), worse);
	}
}

void rank_counts_the_worse(void **state)
{
	struct smtprio_thread *thread =
		THREADS({ 0, 9, 0 }, { 1, 9, 0 }, { 2, 4, 0 }, { 3, 4, 0 },
			{ 4, 4, 0 }, { 5, INT_MIN, 0 });

	(void)state;
	for (int n = 1; n <= 6; n++)
		assert_ranks(thread, n);
	assert_int_equal(rank_of(thread, 6, 0), 4);
	assert_int_equal(rank_of(thread, 6, 3), 1);
	assert_int_equal(rank_of(thread, 6, 5), 0);
}

/*
 * A hybrid machine as ITMT ranks it in 6.1: the second sibling of a large core
 * is worse than a small core. Whichever sibling is ours to prefer.
 */
void packing_keeps_the_order_of_cores(void **state)
{
	const int large[] = { 60, 15 }, small[] = { 30 };

	(void)state;
	for (int best = 0; best < 2; best++) {
		int first = packing_priority(large, 2, best == 0);
		int second = packing_priority(large, 2, best == 1);
		int lone = packing_priority(small, 1, 0);

		assert_true(best == 0 ? first > lone && lone > second :
					second > lone && lone > first);
	}
}

/* Whatever the kernel's own priorities are, equal ones included. */
void packing_orders_threads_by_rank(void **state)
{
	const int stock[5][4] = {
		{ 0, 0, 0, 0 }, { 0, -1, -2, -3 }, { -3, -2, -1, 0 },
		{ 5, 5, 1, 1 }, { 1, 5, 1, 5 },
	};

	(void)state;
	for (int i = 0; i < 5; i++) {
		for (int rank = 1; rank < 4; rank++)
			assert_true(packing_priority(stock[i], 4, rank) >
				    packing_priority(stock[i], 4, rank - 1));
	}
}
