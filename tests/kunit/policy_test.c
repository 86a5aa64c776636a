// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The policy: the cases of tests/unit, in the kernel and by its compiler.
 */
#include <kunit/test.h>

#include "tests.h"

/* The long random tests stay in user space: a name without a function. */
#define UNIT_TEST_WEAK(name) typeof(name) name __weak;
UNIT_TESTS(UNIT_TEST_WEAK)

struct kunit *smtprio_shim_test;

#define UNIT_TEST_CASE(name)						\
static void kunit_##name(struct kunit *test)				\
{									\
	if (!name)							\
		kunit_skip(test, "in user space only");			\
	smtprio_shim_test = test;					\
	name(NULL);							\
}
UNIT_TESTS(UNIT_TEST_CASE)

#define UNIT_TEST_ROW(test_name) { .run_case = kunit_##test_name, .name = #test_name },
static struct kunit_case policy_cases[] = {
	UNIT_TESTS(UNIT_TEST_ROW)
	{}
};

static struct kunit_suite policy_suite = {
	.name = "smtprio-policy",
	.test_cases = policy_cases,
};

kunit_test_suite(policy_suite);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("KUnit suites of smtprio");
