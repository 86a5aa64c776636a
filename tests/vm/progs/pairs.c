// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pairs PAIRS MILLISECONDS WORK
 *
 * PAIRS pairs of threads, free to go anywhere, wake each other in turn by a
 * futex for MILLISECONDS. Between a wakeup and the next each spins WORK times.
 * Prints rounds=N p50=N p99=N: rounds of all pairs, and nanoseconds from just
 * before the call that wakes to when the woken runs.
 */
#include "latency.h"

#define MAX_PAIRS 128

static struct pair {
	struct channel to[2];
	atomic_ullong sent;
	atomic_ulong rounds;
} pairs[MAX_PAIRS];

static atomic_bool stopped;
static long work;

/* One side: waits, works, wakes the other. */
static void turn(struct pair *pair, int side)
{
	channel_wait(&pair->to[side]);
	latency_note(pair->sent);
	spin(work);
	pair->sent = now_ns();
	channel_wake(&pair->to[!side]);
}

static void *left(void *arg)
{
	struct pair *pair = arg;

	while (!stopped) {
		turn(pair, 0);
		pair->rounds++;
	}
	return NULL;
}

static void *right(void *arg)
{
	while (!stopped)
		turn(arg, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long rounds = 0;
	int nr;

	if (argc != 4)
		die("usage: pairs PAIRS MILLISECONDS WORK");
	nr = number(argv[1], 1, MAX_PAIRS);
	work = number(argv[3], 0, INT_MAX);
	for (int i = 0; i < nr; i++) {
		channel_open(&pairs[i].to[0], FUTEX);
		channel_open(&pairs[i].to[1], FUTEX);
		start(left, &pairs[i]);
		start(right, &pairs[i]);
	}
	for (int i = 0; i < nr; i++) {
		pairs[i].sent = now_ns();
		channel_wake(&pairs[i].to[0]);
	}
	sleep_us(number(argv[2], 1, 1000000) * 1000);
	for (int i = 0; i < nr; i++)
		rounds += pairs[i].rounds;
	stopped = true;
	printf("rounds=%lu ", rounds);
	latency_print();
	fflush(stdout);
	_exit(0);	/* the threads wait for each other */
}
