// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pingpong ROUNDS CPU LAST MASK
 *
 * A thread pinned to CPU wakes another through an eventfd and is woken back,
 * ROUNDS times. The other one is allowed on the CPU list MASK and begins on
 * CPU LAST. Only its wakeups have a choice of CPUs: one call of
 * select_task_rq_fair() a round.
 * Prints last=N, rounds that found it on LAST, and what a round took in
 * nanoseconds: p50=N p99=N. Where the guest's clock counts instructions (icount)
 * those are instructions, and the median is of rounds that no clock tick met.
 */
#include "latency.h"

/* Rounds before those that count: caches of translated code are warm then. */
#define WARM_UP 1000

static int ping, pong, last;
static long rounds, on_last;
static uint64_t mask;

static void post(int fd)
{
	uint64_t one = 1;

	if (write(fd, &one, sizeof(one)) != sizeof(one))
		die("write to eventfd");
}

static void await(int fd)
{
	uint64_t value;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		die("read from eventfd");
}

static void *other(void *arg)
{
	pin(last);
	allow(0, mask);
	post(pong);
	for (long i = 0; i < WARM_UP + rounds; i++) {
		await(ping);
		on_last += i >= WARM_UP && sched_getcpu() == last;
		post(pong);
	}
	return arg;
}

static void play(void)
{
	post(ping);
	await(pong);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 5)
		die("usage: pingpong ROUNDS CPU LAST MASK");
	rounds = number(argv[1], 1, INT_MAX);
	pin(number(argv[2], 0, MAX_CPUS - 1));
	last = number(argv[3], 0, MAX_CPUS - 1);
	mask = cpulist(argv[4]);
	ping = eventfd(0, 0);
	pong = eventfd(0, 0);
	if (ping < 0 || pong < 0)
		die("eventfd");

	thread = start(other, NULL);
	await(pong);
	for (long i = 0; i < WARM_UP; i++)
		play();
	for (long i = 0; i < rounds; i++) {
		uint64_t began = now_ns();

		play();
		latency_note(began);
	}
	pthread_join(thread, NULL);
	printf("last=%ld ", on_last);
	latency_print();
	return 0;
}
