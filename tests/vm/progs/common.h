/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the guest's test programs share: complaints, CPU masks, time, and
 * channels, the ways one thread can put itself to sleep and another wake it.
 * Include it first: it asks for the GNU interfaces.
 */
#ifndef SMTPRIO_TEST_COMMON_H
#define SMTPRIO_TEST_COMMON_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Masks travel between threads as one atomic word. */
#define MAX_CPUS 64

__attribute__((noreturn, format(printf, 1, 2)))
static inline void die(const char *fmt, ...)
{
	int error = errno;
	va_list args;

	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fprintf(stderr, error ? ": %s\n" : "\n", strerror(error));
	exit(1);
}

static inline long number(const char *text, long min, long max)
{
	char *end;
	long value = strtol(text, &end, 10);

	errno = 0;
	if (end == text || *end || value < min || value > max)
		die("\"%s\": want a number from %ld to %ld", text, min, max);
	return value;
}

/* A CPU list such as 0-2,5 as a bit mask. */
static inline uint64_t cpulist(const char *list)
{
	uint64_t mask = 0;
	const char *at = list;

	while (*at && *at != '\n') {
		char *end;
		long first = strtol(at, &end, 10), last = first;

		if (end != at && *end == '-') {
			at = end + 1;
			last = strtol(at, &end, 10);
		}
		errno = 0;
		if (end == at || first < 0 || last < first || last >= MAX_CPUS ||
		    (*end && *end != ',' && *end != '\n'))
			die("\"%s\": not a list of CPUs below %d", list, MAX_CPUS);
		for (; first <= last; first++)
			mask |= 1ULL << first;
		at = *end == ',' ? end + 1 : end;
	}
	if (!mask)
		die("empty CPU list");
	return mask;
}

static inline bool in_mask(int cpu, uint64_t mask)
{
	return cpu >= 0 && cpu < MAX_CPUS && (mask >> cpu & 1);
}

/* tid 0 is the calling thread. */
static inline void allow(pid_t tid, uint64_t mask)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int cpu = 0; cpu < MAX_CPUS; cpu++)
		if (in_mask(cpu, mask))
			CPU_SET(cpu, &set);
	if (sched_setaffinity(tid, sizeof(set), &set))
		die("sched_setaffinity to mask %#llx", (unsigned long long)mask);
}

static inline void pin(int cpu)
{
	allow(0, 1ULL << cpu);
}

static inline uint64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000ULL + ts.tv_nsec / 1000;
}

static inline void sleep_us(long us)
{
	struct timespec ts = { us / 1000000, us % 1000000 * 1000 };

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}

/*
 * Until the caller is the only task in the whole guest that wants to run, or for
 * some milliseconds where other load is part of the test.
 */
static inline void wait_idle(void)
{
	static int fd = -1;
	char text[64];
	int running;

	if (fd < 0)
		fd = open("/proc/loadavg", O_RDONLY);
	for (int looks = 0; looks < 20; looks++) {
		ssize_t got = pread(fd, text, sizeof(text) - 1, 0);

		if (got < 0)
			die("/proc/loadavg");
		text[got] = 0;
		if (sscanf(text, "%*s %*s %*s %d/", &running) != 1)
			die("/proc/loadavg says \"%s\"", text);
		if (running <= 1)
			return;
		sleep_us(300);
	}
}

static inline pthread_t start(void *(*body)(void *), void *arg)
{
	pthread_t thread;

	errno = pthread_create(&thread, NULL, body, arg);
	if (errno)
		die("pthread_create");
	return thread;
}

/* A small generator of our own: threads need one each, seeded and steady. */
static inline uint32_t dice(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Channels */

enum channel_kind { FUTEX, PIPE, EVENTFD, TIMER };

struct channel {
	enum channel_kind kind;
	atomic_uint tokens;	/* FUTEX */
	int fd[2];		/* read from [0], write to [1] */
	long timer_us;		/* TIMER: waits that long, needs no waker */
};

static inline enum channel_kind channel_kind(const char *name)
{
	static const char * const names[] = { "futex", "pipe", "eventfd", "timer" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return i;
	errno = 0;
	die("\"%s\": want futex, pipe, eventfd or timer", name);
}

static inline void channel_open(struct channel *ch, enum channel_kind kind)
{
	memset(ch, 0, sizeof(*ch));
	ch->kind = kind;
	if (kind == PIPE && pipe(ch->fd))
		die("pipe");
	if (kind == EVENTFD) {
		ch->fd[0] = eventfd(0, 0);
		ch->fd[1] = ch->fd[0];
		if (ch->fd[0] < 0)
			die("eventfd");
	}
}

static inline void channel_wait(struct channel *ch)
{
	uint64_t token = 0;
	size_t size = ch->kind == PIPE ? 1 : sizeof(token);

	switch (ch->kind) {
	case FUTEX:
		while (!atomic_load(&ch->tokens))
			syscall(SYS_futex, &ch->tokens, FUTEX_WAIT_PRIVATE, 0, NULL);
		atomic_fetch_sub(&ch->tokens, 1);
		break;
	case PIPE:
	case EVENTFD:
		while (read(ch->fd[0], &token, size) < 0)
			if (errno != EINTR)
				die("read from channel");
		break;
	case TIMER:
		sleep_us(ch->timer_us);
		break;
	}
}

static inline void channel_wake(struct channel *ch)
{
	uint64_t token = 1;
	size_t size = ch->kind == PIPE ? 1 : sizeof(token);

	switch (ch->kind) {
	case FUTEX:
		atomic_fetch_add(&ch->tokens, 1);
		syscall(SYS_futex, &ch->tokens, FUTEX_WAKE_PRIVATE, 1);
		break;
	case PIPE:
	case EVENTFD:
		while (write(ch->fd[1], &token, size) < 0)
			if (errno != EINTR)
				die("write to channel");
		break;
	case TIMER:
		break;
	}
}

#endif
