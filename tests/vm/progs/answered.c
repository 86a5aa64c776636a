// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * answered N LAST MASK
 *
 * A thread named sleeper, which runs on CPU LAST and may use the CPU list MASK,
 * reads the parameter of the test module cpu_worker N times: each time a kthread
 * bound to LAST wakes it.
 */
#include "common.h"

#define FILE_NAME "/sys/module/cpu_worker/parameters/answer"

int main(int argc, char **argv)
{
	char text[16];
	uint64_t mask;
	int last;
	long n;

	if (argc != 4)
		die("usage: answered N LAST MASK");
	n = number(argv[1], 1, INT_MAX);
	last = number(argv[2], 0, MAX_CPUS - 1);
	mask = cpulist(argv[3]);
	pthread_setname_np(pthread_self(), "sleeper");
	while (n--) {
		int fd = open(FILE_NAME, O_RDONLY);

		if (fd < 0)
			die(FILE_NAME);
		pin(last);
		allow(0, mask);
		if (read(fd, text, sizeof(text)) <= 0)
			die("read of " FILE_NAME);
		close(fd);
	}
	return 0;
}
