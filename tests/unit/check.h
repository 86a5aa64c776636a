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

/* The same with tables built for this one question. */
struct answer wake(const struct world *w, int choice);
struct answer ilb(const struct world *w);

/* Asserts both parts of an answer. */
#define assert_answer(given, expected_cpu, expected_why)		\
	do {								\
		struct answer got_ = (given);				\
									\
		assert_int_equal(got_.cpu, expected_cpu);		\
		assert_int_equal(got_.why, expected_why);		\
	} while (0)

#endif /* SMTPRIO_UNIT_CHECK_H */
