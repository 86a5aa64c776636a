// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wakes KIND N WANT LAST MASK WAKER
 *
 * Wakes a sleeper N times by KIND (futex, pipe, eventfd, timer) from CPU WAKER
 * and counts where it runs. Before each wakeup the sleeper runs pinned to CPU
 * LAST, gets the CPU list MASK without moving, and goes to sleep.
 * Prints want=N last=N elsewhere=N ours=N moved=N; ours are those of want in
 * which the module redirected something, moved are rounds begun again because
 * the sleeper was not on LAST any more before it slept (none is the usual case).
 * A wakeup that ended on LAST instead of WANT has its own "# miss" line with the
 * module's counters that went up across it, when the module is there.
 */
#include "common.h"
#include "counters.h"
#include <sys/resource.h>
#include <semaphore.h>

static struct channel channel;
static int rounds, want, last;
static int ours;
static uint64_t mask;
static sem_t ready;
static atomic_int sleeper_tid;
static int on_want, on_last, elsewhere, moved;

/* Leaves the sleeper running on LAST and allowed on MASK. */
static void run_on_last(void)
{
	pin(last);
	allow(0, mask);
	while (sched_getcpu() != last) {
		moved++;
		pin(last);
		allow(0, mask);
	}
}

static long times_slept(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_THREAD, &usage))
		die("getrusage");
	return usage.ru_nvcsw;
}

static void *sleeper(void *arg)
{
	pthread_setname_np(pthread_self(), "sleeper");
	sleeper_tid = gettid();
	for (int round = 0; round < rounds; round++) {
		int cpu;

		long slept;

		run_on_last();
		sem_post(&ready);
		/* On a busy host a timer may be over before its sleep begins. */
		do {
			slept = times_slept();
			channel_wait(&channel);
		} while (channel.kind == TIMER && times_slept() == slept);
		cpu = sched_getcpu();
		if (cpu == want) {
			on_want++;
			ours += counter_grown("wake_redirected") > 0;
			continue;
		}
		if (cpu == last)
			on_last++;
		else
			elsewhere++;
		printf("# miss round %d on CPU %d:", round, cpu);
		counters_print_growth();
	}
	return arg;
}

/* The answer counts only for a task that really slept when it was woken. */
static void wait_asleep(int fd)
{
	for (;;) {
		char text[128] = "";
		const char *state;

		if (pread(fd, text, sizeof(text) - 1, 0) < 0)
			die("sleeper's stat");
		state = strrchr(text, ')');
		if (state && state[1] == ' ' && state[2] == 'S')
			return;
		sleep_us(200);
	}
}

static int open_sleeper_stat(void)
{
	char path[64];
	int fd;

	while (!sleeper_tid)
		sleep_us(200);
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", sleeper_tid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		die("%s", path);
	return fd;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int fd;

	if (argc != 7)
		die("usage: wakes KIND N WANT LAST MASK WAKER");
	channel_open(&channel, channel_kind(argv[1]));
	channel.timer_us = 3000;
	rounds = number(argv[2], 1, INT_MAX);
	want = number(argv[3], 0, MAX_CPUS - 1);
	last = number(argv[4], 0, MAX_CPUS - 1);
	mask = cpulist(argv[5]);
	pin(number(argv[6], 0, MAX_CPUS - 1));
	counters_open();
	sem_init(&ready, 0, 0);

	thread = start(sleeper, NULL);
	fd = open_sleeper_stat();
	for (int round = 0; round < rounds; round++) {
		while (sem_wait(&ready))
			;
		if (channel.kind != TIMER) {
			wait_asleep(fd);
			sleep_us(500);
			wait_idle();
		}
		counters_remember();
		channel_wake(&channel);
	}
	pthread_join(thread, NULL);
	printf("want=%d last=%d elsewhere=%d ours=%d moved=%d\n",
	       on_want, on_last, elsewhere, ours, moved);
	return 0;
}
