// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * forks N CPUS: forks and execs N times and counts how often the child first ran
 * on one of CPUS after the fork, and after the exec.
 * Prints fork=N exec=N balanced=N, the last being children found elsewhere though
 * all that passed the hook meanwhile was put on best threads; and before it a
 * "# miss" line for every other child with the module's counters that went up
 * across it, when the module is there.
 */
#include "counters.h"
#include <sys/mman.h>
#include <sys/wait.h>

/*
 * What is left of a child, its kernel stack above all, is freed by a worker some
 * RCU grace period after its end. If the next child is just being placed there,
 * the load balancer takes it away again before it runs.
 */
#define PAUSE_US 25000

/* The exec'ed half has no other way to speak than its exit status. */
#define ANSWER "--answer-cpu"

int main(int argc, char **argv)
{
	atomic_int *fork_cpu;
	int rounds, forks = 0, execs = 0, balanced = 0;
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

	counters_open();
	for (int i = 0; i < rounds; i++) {
		int status, exec_cpu;
		pid_t child;

		sleep_us(PAUSE_US);
		wait_idle();
		counters_remember();
		child = fork();
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
		exec_cpu = WEXITSTATUS(status);
		forks += in_mask(*fork_cpu, cpus);
		execs += in_mask(exec_cpu, cpus);
		if (!in_mask(*fork_cpu, cpus) || !in_mask(exec_cpu, cpus)) {
			balanced += counters_all_best();
			printf("# miss: fork to CPU %d, exec to %d, parent on %d:",
			       *fork_cpu, exec_cpu, sched_getcpu());
			counters_print_growth();
		}
	}
	printf("fork=%d exec=%d balanced=%d\n", forks, execs, balanced);
	return 0;
}
