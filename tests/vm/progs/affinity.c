// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * affinity steady|racing N CPUS: N wakeups of threads whose masks flip all the
 * time among subsets of CPUS; no thread may ever run outside the mask in force.
 *
 * steady: the waker sets the mask of the sleeping thread, then wakes it. The
 *   mask cannot change before the thread has looked where it runs.
 * racing: a third thread flips the mask without asking anybody. What it is about
 *   to set and what it has set is published around each call, so that the woken
 *   thread knows which masks could be in force when it looked.
 *
 * Prints wakeups=N flips=N violations=N unsure=N; unsure are looks that a second
 * flip crossed, which prove nothing.
 */
#include "common.h"

#define PAIRS 4

static struct pair {
	struct channel ping, pong;
	atomic_int tid;
	atomic_ullong pending, current;	/* masks: about to be set, set */
	atomic_ulong flips;
	uint32_t seed;
	long violations, unsure;
} pairs[PAIRS];

static bool racing;
static atomic_bool stopped;
static long rounds;
static uint64_t cpus;

/* One to three CPUs: small masks leave the most CPUs to be wrong on. */
static uint64_t random_mask(uint32_t *seed)
{
	uint64_t mask = 0;
	int wanted = 1 + dice(seed) % 3;

	while (__builtin_popcountll(mask) < wanted)
		mask |= cpus & 1ULL << dice(seed) % MAX_CPUS;
	return mask;
}

static void flip(struct pair *pair)
{
	uint64_t mask = random_mask(&pair->seed);

	pair->pending = mask;
	allow(pair->tid, mask);
	pair->current = mask;
	pair->flips++;
}

/*
 * With no flip completed between the first and the last line the kernel's mask
 * was the current one, or the pending one if that call had begun by then.
 */
static void look(struct pair *pair)
{
	unsigned long flips = pair->flips;
	uint64_t mask = pair->current;
	int cpu = sched_getcpu();

	mask |= pair->pending;
	if (pair->flips != flips)
		pair->unsure++;
	else if (!in_mask(cpu, mask))
		pair->violations++;
}

static void *sleeper(void *arg)
{
	struct pair *pair = arg;

	pair->tid = gettid();
	for (long i = 0; i < rounds; i++) {
		channel_wait(&pair->ping);
		look(pair);
		channel_wake(&pair->pong);
	}
	/* Stays for the flipper, which has to be stopped first. */
	channel_wait(&pair->ping);
	return NULL;
}

static void *waker(void *arg)
{
	struct pair *pair = arg;

	for (long i = 0; i < rounds; i++) {
		if (!racing)
			flip(pair);
		channel_wake(&pair->ping);
		channel_wait(&pair->pong);
	}
	return NULL;
}

static void *flipper(void *arg)
{
	while (!stopped) {
		flip(arg);
		sleep_us(50);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t sleepers[PAIRS], wakers[PAIRS], flippers[PAIRS];
	unsigned long flips = 0;
	long violations = 0, unsure = 0;

	errno = 0;
	if (argc != 4)
		die("usage: affinity steady|racing N CPUS");
	racing = !strcmp(argv[1], "racing");
	if (!racing && strcmp(argv[1], "steady"))
		die("\"%s\": want steady or racing", argv[1]);
	rounds = number(argv[2], PAIRS, LONG_MAX) / PAIRS;
	cpus = cpulist(argv[3]);
	if (__builtin_popcountll(cpus) < 3)
		die("\"%s\": want three CPUs or more", argv[3]);

	for (int i = 0; i < PAIRS; i++) {
		struct pair *pair = &pairs[i];

		channel_open(&pair->ping, i % 2 ? PIPE : FUTEX);
		channel_open(&pair->pong, FUTEX);
		pair->seed = 1 + i;
		sleepers[i] = start(sleeper, pair);
		while (!pair->tid)
			sleep_us(200);
		flip(pair);
		wakers[i] = start(waker, pair);
		if (racing)
			flippers[i] = start(flipper, pair);
	}
	for (int i = 0; i < PAIRS; i++)
		pthread_join(wakers[i], NULL);
	stopped = true;
	for (int i = 0; i < PAIRS; i++) {
		if (racing)
			pthread_join(flippers[i], NULL);
		channel_wake(&pairs[i].ping);
		pthread_join(sleepers[i], NULL);
		flips += pairs[i].flips;
		violations += pairs[i].violations;
		unsure += pairs[i].unsure;
	}
	printf("wakeups=%ld flips=%lu violations=%ld unsure=%ld\n",
	       rounds * PAIRS, flips, violations, unsure);
	return 0;
}
