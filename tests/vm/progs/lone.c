// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lone FROM TO MILLISECONDS
 *
 * A lone task spins on CPU FROM, is then allowed on TO as well, and goes on
 * spinning. Prints moved=1 us=N when it finds itself on TO after N
 * microseconds, or moved=0 when it never did within MILLISECONDS.
 */
#include "common.h"

#define SETTLE_US 200000

static void spin_until(uint64_t end_us)
{
	while (now_us() < end_us)
		;
}

int main(int argc, char **argv)
{
	uint64_t start_us, limit_us;
	int from, to;

	if (argc != 4)
		die("usage: lone FROM TO MILLISECONDS");
	from = number(argv[1], 0, MAX_CPUS - 1);
	to = number(argv[2], 0, MAX_CPUS - 1);
	limit_us = number(argv[3], 1, 1000000) * 1000;

	pin(from);
	spin_until(now_us() + SETTLE_US);
	allow(0, 1ULL << from | 1ULL << to);
	start_us = now_us();
	do {
		if (sched_getcpu() == to) {
			printf("moved=1 us=%llu\n",
			       (unsigned long long)(now_us() - start_us));
			return 0;
		}
	} while (now_us() < start_us + limit_us);
	printf("moved=0\n");
	return 0;
}
