// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wakes KIND N WANT LAST MASK WAKER
 *
 * Wakes a sleeper N times by KIND (futex, pipe, eventfd, timer) from CPU WAKER
 * and counts where it runs. Before each wakeup the sleeper runs pinned to CPU
 * LAST, gets the CPU list MASK without moving, and goes to sleep.
 * Prints want=N last=N elsewhere=N moved=N; moved are rounds begun again because
 * the sleeper was not on LAST any more before it slept (none is the usual case).
 * A wakeup that ended on LAST instead of WANT has its own "# miss" line with the
 * module's counters that went up across it, when the module is there.
 */
#include "common.h"
#include <dirent.h>
#include <fcntl.h>
#include <semaphore.h>

#define STATS "/sys/kernel/smtprio/stats"
#define MAX_STATS 16

static struct channel channel;
static int rounds, want, last;
static uint64_t mask;
static sem_t ready;
static atomic_int sleeper_tid;
static int on_want, on_last, elsewhere, moved;

static struct stat_file {
	char name[64];
	int fd;
	long long before;
} stats[MAX_STATS];
static int nr_stats;

static void stats_open(void)
{
	DIR *dir = opendir(STATS);
	struct dirent *entry;

	while (dir && nr_stats < MAX_STATS && (entry = readdir(dir))) {
		struct stat_file *stat = &stats[nr_stats];

		if (strncmp(entry->d_name, "wake_", 5))
			continue;
		snprintf(stat->name, sizeof(stat->name), "%.63s", entry->d_name);
		stat->fd = openat(dirfd(dir), entry->d_name, O_RDONLY);
		if (stat->fd < 0)
			die("%s", entry->d_name);
		nr_stats++;
	}
	if (dir)
		closedir(dir);
}

static long long stats_read(const struct stat_file *stat)
{
	char text[32] = "";

	if (pread(stat->fd, text, sizeof(text) - 1, 0) < 0)
		die("%s", stat->name);
	return atoll(text);
}

static void stats_remember(void)
{
	for (int i = 0; i < nr_stats; i++)
		stats[i].before = stats_read(&stats[i]);
}

static void report_miss(int round, int cpu)
{
	printf("# miss round %d on CPU %d:", round, cpu);
	for (int i = 0; i < nr_stats; i++) {
		long long grown = stats_read(&stats[i]) - stats[i].before;

		if (grown)
			printf(" %s+%lld", stats[i].name, grown);
	}
	printf("\n");
}

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

static void *sleeper(void *arg)
{
	sleeper_tid = gettid();
	for (int round = 0; round < rounds; round++) {
		int cpu;

		run_on_last();
		sem_post(&ready);
		channel_wait(&channel);
		cpu = sched_getcpu();
		if (cpu == want)
			on_want++;
		else if (cpu == last)
			on_last++;
		else
			elsewhere++;
		if (cpu != want && nr_stats)
			report_miss(round, cpu);
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
	stats_open();
	sem_init(&ready, 0, 0);

	thread = start(sleeper, NULL);
	fd = open_sleeper_stat();
	for (int round = 0; round < rounds; round++) {
		while (sem_wait(&ready))
			;
		if (channel.kind != TIMER) {
			wait_asleep(fd);
			sleep_us(1000);	/* whatever the core had to tidy up is done */
		}
		stats_remember();
		channel_wake(&channel);
	}
	pthread_join(thread, NULL);
	printf("want=%d last=%d elsewhere=%d moved=%d\n", on_want, on_last, elsewhere, moved);
	return 0;
}
