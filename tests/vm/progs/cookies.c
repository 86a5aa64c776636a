// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cookies MILLISECONDS
 *
 * Processes of three kinds that sleep and wake for MILLISECONDS: without a core
 * scheduling cookie, with one, with another. Each has two threads that wake each
 * other, and the threads' name tells the kind: cookie0, cookie1, cookie2.
 * Prints rounds0=N rounds1=N rounds2=N.
 */
#include "latency.h"
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#ifndef PR_SCHED_CORE
#define PR_SCHED_CORE		62
#define PR_SCHED_CORE_CREATE	1
#endif
#define OF_PROCESS 1	/* PIDTYPE_TGID */

#define KINDS 3
#define PROCESSES 2

static struct channel to[2];
static atomic_ulong *rounds;
static int kind;

static void name(void)
{
	char text[16];

	snprintf(text, sizeof(text), "cookie%d", kind);
	pthread_setname_np(pthread_self(), text);
}

static void play(int side)
{
	uint32_t seed = getpid() * 2 + side + 1;

	name();
	for (;;) {
		channel_wait(&to[side]);
		spin(dice(&seed) % 20000);
		if (dice(&seed) % 4 == 0)
			sleep_us(dice(&seed) % 2000);
		rounds[kind]++;
		channel_wake(&to[!side]);
	}
}

static void *other(void *arg)
{
	play(1);
	return arg;
}

static void process(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	channel_open(&to[0], FUTEX);
	channel_open(&to[1], FUTEX);
	start(other, NULL);
	channel_wake(&to[0]);
	play(0);
}

/* Its processes inherit the cookie. */
static pid_t start_kind(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (kind && prctl(PR_SCHED_CORE, PR_SCHED_CORE_CREATE, 0, OF_PROCESS, 0))
		die("prctl(PR_SCHED_CORE)");
	for (int i = 1; i < PROCESSES; i++)
		if (!fork())
			break;
	process();
	return 0;
}

int main(int argc, char **argv)
{
	pid_t pids[KINDS];

	if (argc != 2)
		die("usage: cookies MILLISECONDS");
	rounds = mmap(NULL, KINDS * sizeof(*rounds), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (rounds == MAP_FAILED)
		die("mmap");
	for (kind = 0; kind < KINDS; kind++)
		pids[kind] = start_kind();
	sleep_us(number(argv[1], 1, 1000000) * 1000);
	for (kind = 0; kind < KINDS; kind++) {
		int status;

		if (waitpid(pids[kind], &status, WNOHANG))
			die("kind %d ended", kind);
		printf("rounds%d=%lu ", kind, rounds[kind]);
		kill(pids[kind], SIGKILL);
	}
	printf("\n");
	return 0;
}
