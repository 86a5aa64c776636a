// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests.h"

#define UNIT_TEST_ENTRY(name) cmocka_unit_test(name),

int main(void)
{
	static const struct CMUnitTest policy[] = {
		UNIT_TESTS(UNIT_TEST_ENTRY)
	};

	return cmocka_run_group_tests(policy, NULL, NULL) ? 1 : 0;
}
