/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decision of the policy against the model, and what must hold for any
 * decision. A failure ends the test and shows the core.
 */
#ifndef SMTPRIO_UNIT_CHECK_H
#define SMTPRIO_UNIT_CHECK_H

#include "ask.h"

struct answer check_wake(const struct tables *t, const struct world *w,
			 int choice);
struct answer check_ilb(const struct tables *t, const struct world *w);

struct answer check_search(const struct tables *t, const struct world *w,
			   int choice, const struct hunt *hunt);
bool check_shares(const struct tables *t, const struct world *w, int choice);

/* The same with tables built for this one question. */
struct answer wake(const struct world *w, int choice);
struct answer ilb(const struct world *w);
struct answer search(const struct world *w, int choice,
		     const struct hunt *hunt);
bool shares(const struct world *w, int choice);

/* Asserts both parts of an answer. */
#define assert_answer(given, expected_cpu, expected_why)		\
	do {								\
		struct answer got_ = (given);				\
									\
		assert_int_equal(got_.cpu, expected_cpu);		\
		assert_int_equal(got_.why, expected_why);		\
	} while (0)

#endif /* SMTPRIO_UNIT_CHECK_H */
