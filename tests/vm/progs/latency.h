/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wakeup latencies of many threads, kept until the end. After common.h.
 */
#ifndef SMTPRIO_TEST_LATENCY_H
#define SMTPRIO_TEST_LATENCY_H

#include "common.h"

/* More are left out: the first ones are as good. */
#define LATENCIES 262144

static atomic_uint nr_latencies;
static unsigned int latencies[LATENCIES];

static inline uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/* A thread woken by a call begun at @sent runs now. */
static inline void latency_note(uint64_t sent)
{
	unsigned int at = atomic_fetch_add(&nr_latencies, 1);

	if (at < LATENCIES)
		latencies[at] = now_ns() - sent;
}

static inline int latency_compare(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return (x > y) - (x < y);
}

/* Prints p50=N p99=N, nanoseconds, the rest of a line. */
static inline void latency_print(void)
{
	unsigned int n = nr_latencies;

	if (n > LATENCIES)
		n = LATENCIES;
	if (!n)
		die("nobody was woken");
	qsort(latencies, n, sizeof(*latencies), latency_compare);
	printf("p50=%u p99=%u\n", latencies[n / 2], latencies[n / 100 * 99]);
}

static inline void spin(long times)
{
	while (times--)
		atomic_signal_fence(memory_order_seq_cst);
}

#endif
