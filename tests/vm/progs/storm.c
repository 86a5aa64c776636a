// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * storm: wakeups of every kind until SIGTERM: a pair of threads playing ping-pong
 * by futex, pipe and eventfd each, a timer sleeper and a process that forks and
 * waits. Prints wakeups=N forks=N at the end.
 *
 * It comes in gusts: on emulated CPUs, more of them than the host has, a storm
 * without a pause lets nothing else get on.
 */
#include "common.h"
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define PAIRS TIMER	/* one of each kind that needs a waker */
#define GUST 20		/* rounds, then a pause */
#define PAUSE_US 2000

static struct pair {
	struct channel ping, pong;
	atomic_ulong rounds;
} pairs[PAIRS];
static struct channel timer;
static atomic_ulong timeouts;

static void *server(void *arg)
{
	struct pair *pair = arg;

	for (;;) {
		channel_wake(&pair->ping);
		channel_wait(&pair->pong);
		if (!(++pair->rounds % GUST))
			sleep_us(PAUSE_US);
	}
	return NULL;
}

static void *returner(void *arg)
{
	struct pair *pair = arg;

	for (;;) {
		channel_wait(&pair->ping);
		channel_wake(&pair->pong);
	}
	return NULL;
}

static void *timer_sleeper(void *arg)
{
	for (;;) {
		channel_wait(&timer);
		timeouts++;
	}
	return arg;
}

static void forker(atomic_ulong *forks)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		pid_t child = fork();

		if (!child)
			_exit(0);
		if (child < 0)
			die("fork");
		waitpid(child, NULL, 0);
		++*forks;
		sleep_us(PAUSE_US);
	}
}

int main(void)
{
	atomic_ulong *forks;
	unsigned long wakeups;
	sigset_t quit;
	int signal;

	forks = mmap(NULL, sizeof(*forks), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (forks == MAP_FAILED)
		die("mmap");
	/* Before the threads: a fork copies only the one that calls it. */
	if (!fork())
		forker(forks);
	sigemptyset(&quit);
	sigaddset(&quit, SIGTERM);
	sigaddset(&quit, SIGINT);
	pthread_sigmask(SIG_BLOCK, &quit, NULL);
	for (int kind = 0; kind < PAIRS; kind++) {
		channel_open(&pairs[kind].ping, kind);
		channel_open(&pairs[kind].pong, kind);
		start(returner, &pairs[kind]);
		start(server, &pairs[kind]);
	}
	channel_open(&timer, TIMER);
	timer.timer_us = 300;
	start(timer_sleeper, NULL);
	sigwait(&quit, &signal);

	wakeups = timeouts + 2 * *forks;
	for (int kind = 0; kind < PAIRS; kind++)
		wakeups += 2 * pairs[kind].rounds;
	printf("wakeups=%lu forks=%lu\n", wakeups, *forks);
	fflush(stdout);
	_exit(0);
}
