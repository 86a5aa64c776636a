/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one list of tests. case_N guards against the fault of that number in the
 * project's list of faults that such code had.
 */
#ifndef SMTPRIO_UNIT_TESTS_H
#define SMTPRIO_UNIT_TESTS_H

/* cmocka.h wants these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define UNIT_TESTS(T)					\
	/* tables.c */					\
	T(sort_orders_by_priority)			\
	T(sort_keeps_the_order_of_ties)			\
	T(sort_of_nothing)				\
	T(better_leaves_ties_and_itself_out)		\
	T(better_asks_for_capacity)			\
	T(better_at_the_ends_of_int)			\
	T(better_of_eight_threads)			\
	T(rank_counts_the_worse)			\
	T(packing_keeps_the_order_of_cores)		\
	T(packing_orders_threads_by_rank)		\
	/* wake.c */					\
	T(case_1_preempted_sibling)			\
	T(case_1_each_test_is_of_the_returned_cpu)	\
	T(case_2_capacity)				\
	T(case_2_capacity_of_the_next_best)		\
	T(case_3_isolcpus)				\
	T(case_3_domain_splits_a_core)			\
	T(case_7_no_smt)				\
	T(case_7_two_of_four_busy)			\
	T(case_7_scope)					\
	T(case_8_swapped_priorities)			\
	T(wake_verdict_is_the_furthest)			\
	T(wake_fills_threads_in_order)			\
	T(wake_on_vera)					\
	/* beyond.c */					\
	T(case_1_idle_core_with_preempted_sibling)	\
	T(case_1_idle_core_best_thread_not_allowed)	\
	T(case_2_idle_core_capacity)			\
	T(case_3_idle_core_of_split_cores)		\
	T(case_5_idle_core_every_core_half_busy)	\
	T(case_6_two_hogs_and_a_wakeup)			\
	T(case_10_domains_that_went_away)		\
	T(case_11_bound)				\
	T(case_11_backoff)				\
	T(idle_core_walks_on_and_wraps)			\
	T(idle_core_scope)				\
	T(idle_core_on_vera)				\
	T(node_wants_a_core_first)			\
	/* ilb.c */					\
	T(case_5_stale_mask)				\
	T(case_5_every_core_half_busy)			\
	T(case_7_ilb_without_smt)			\
	T(ilb_takes_the_best_candidate)			\
	T(ilb_orders_cores_by_first_candidate)		\
	T(ilb_skips_the_asking_cpu)			\
	T(ilb_leaves_out_of_scope_alone)			\
	T(ilb_notes_an_unknown_cpu)			\
	T(ilb_nothing_to_find)				\
	T(ilb_on_vera)					\
	/* every.c */					\
	T(every_core_of_three_threads)			\
	T(every_pair_of_cores)				\
	T(random_wakeups)				\
	T(random_searches)				\
	T(random_idle_load_balancers)			\
	T(random_changes_during_a_decision)

#define UNIT_TEST_DECLARE(name) void name(void **state);
UNIT_TESTS(UNIT_TEST_DECLARE)
#undef UNIT_TEST_DECLARE

#endif /* SMTPRIO_UNIT_TESTS_H */
