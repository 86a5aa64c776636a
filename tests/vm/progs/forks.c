// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * forks N CPUS: forks and execs N times and counts how often the child first ran
 * on one of CPUS after the fork, and after the exec.
 * Prints fork=N exec=N.
 */
#include "common.h"
#include <sys/mman.h>
#include <sys/wait.h>

/* The exec'ed half has no other way to speak than its exit status. */
#define ANSWER "--answer-cpu"

int main(int argc, char **argv)
{
	atomic_int *fork_cpu;
	int rounds, forks = 0, execs = 0;
	uint64_t cpus;

	if (argc == 2 && !strcmp(argv[1], ANSWER))
		return sched_getcpu();
	if (argc != 3)
		die("usage: forks N CPUS");
	rounds = number(argv[1], 1, INT_MAX);
	cpus = cpulist(argv[2]);
	fork_cpu = mmap(NULL, sizeof(*fork_cpu), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fork_cpu == MAP_FAILED)
		die("mmap");

	for (int i = 0; i < rounds; i++) {
		pid_t child = fork();
		int status;

		if (!child) {
			*fork_cpu = sched_getcpu();
			execl("/proc/self/exe", argv[0], ANSWER, NULL);
			_exit(255);
		}
		if (child < 0)
			die("fork");
		if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
		    WEXITSTATUS(status) >= MAX_CPUS)
			die("child failed with status %#x", status);
		forks += in_mask(*fork_cpu, cpus);
		execs += in_mask(WEXITSTATUS(status), cpus);
		sleep_us(1000);	/* the guest is idle again */
	}
	printf("fork=%d exec=%d\n", forks, execs);
	return 0;
}
