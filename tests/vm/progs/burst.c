// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * burst WORKERS MILLISECONDS WORK
 *
 * As schbench: a message thread wakes WORKERS threads, one after the other,
 * waits until all have spun WORK times, sleeps a little, and begins again, for
 * MILLISECONDS. Prints rounds=N p50=N p99=N: bursts, and nanoseconds from just
 * before the call that wakes a worker to when it runs.
 */
#include "latency.h"

#define MAX_WORKERS 128
#define PAUSE_US 500

static struct worker {
	struct channel go;
	atomic_ullong sent;
} workers[MAX_WORKERS];

static struct channel all_done;
static atomic_int left_to_do;
static long work;

static void *body(void *arg)
{
	struct worker *worker = arg;

	for (;;) {
		channel_wait(&worker->go);
		latency_note(worker->sent);
		spin(work);
		if (atomic_fetch_sub(&left_to_do, 1) == 1)
			channel_wake(&all_done);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long rounds = 0;
	uint64_t end;
	int nr;

	if (argc != 4)
		die("usage: burst WORKERS MILLISECONDS WORK");
	nr = number(argv[1], 1, MAX_WORKERS);
	end = now_ns() + number(argv[2], 1, 1000000) * 1000000;
	work = number(argv[3], 0, INT_MAX);
	channel_open(&all_done, FUTEX);
	for (int i = 0; i < nr; i++) {
		channel_open(&workers[i].go, FUTEX);
		start(body, &workers[i]);
	}
	while (now_ns() < end) {
		left_to_do = nr;
		for (int i = 0; i < nr; i++) {
			workers[i].sent = now_ns();
			channel_wake(&workers[i].go);
		}
		channel_wait(&all_done);
		rounds++;
		sleep_us(PAUSE_US);
	}
	printf("rounds=%lu ", rounds);
	latency_print();
	fflush(stdout);
	_exit(0);
}
