/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module's wake_ counters around one wakeup, to say why it went where it
 * went. Without the module there are none, and nothing is said.
 */
#ifndef SMTPRIO_TEST_COUNTERS_H
#define SMTPRIO_TEST_COUNTERS_H

#include "common.h"
#include <dirent.h>

#define COUNTERS "/sys/kernel/smtprio/stats"
#define MAX_COUNTERS 16

static struct counter {
	char name[64];
	int fd;
	long long before;
} counters[MAX_COUNTERS];
static int nr_counters;

static inline void counters_open(void)
{
	DIR *dir = opendir(COUNTERS);
	struct dirent *entry;

	while (dir && nr_counters < MAX_COUNTERS && (entry = readdir(dir))) {
		struct counter *counter = &counters[nr_counters];

		if (strncmp(entry->d_name, "wake_", 5))
			continue;
		snprintf(counter->name, sizeof(counter->name), "%.63s", entry->d_name);
		counter->fd = openat(dirfd(dir), entry->d_name, O_RDONLY);
		if (counter->fd < 0)
			die("%s", entry->d_name);
		nr_counters++;
	}
	if (dir)
		closedir(dir);
}

static inline long long counter_read(const struct counter *counter)
{
	char text[32] = "";

	if (pread(counter->fd, text, sizeof(text) - 1, 0) < 0)
		die("%s", counter->name);
	return atoll(text);
}

static inline void counters_remember(void)
{
	for (int i = 0; i < nr_counters; i++)
		counters[i].before = counter_read(&counters[i]);
}

static inline bool counter_is(const struct counter *counter, const char *name)
{
	return !strcmp(counter->name, name);
}

/* By how much a counter grew since counters_remember(); 0 when there is none. */
static inline long long counter_grown(const char *name)
{
	for (int i = 0; i < nr_counters; i++)
		if (counter_is(&counters[i], name))
			return counter_read(&counters[i]) - counters[i].before;
	return 0;
}

/*
 * Did every decision since counters_remember() end on the best thread of its
 * core? Then what is found elsewhere was moved there afterwards, by the kernel's
 * load balancer.
 */
static inline bool counters_all_best(void)
{
	long long seen = counter_grown("wake_seen");

	return seen && counter_grown("wake_kept_best") + counter_grown("wake_redirected") >= seen;
}

/* The rest of a line. */
static inline void counters_print_growth(void)
{
	for (int i = 0; i < nr_counters; i++) {
		long long grown = counter_read(&counters[i]) - counters[i].before;

		if (grown)
			printf(" %s+%lld", counters[i].name, grown);
	}
	printf("\n");
}

#endif
