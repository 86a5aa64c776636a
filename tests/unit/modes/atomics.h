/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What modes.h takes from the kernel. */
#ifndef SMTPRIO_UNIT_ATOMICS_H
#define SMTPRIO_UNIT_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t s64;

#define U64_MAX		UINT64_MAX

typedef struct {
	s64 counter;
} atomic64_t;

#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELAXED)
/* Pairs as in the kernel. */
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)

static inline s64 atomic64_read(const atomic64_t *v)
{
	return READ_ONCE(v->counter);
}

static inline bool atomic64_try_cmpxchg(atomic64_t *v, s64 *old, s64 new)
{
	return __atomic_compare_exchange_n(&v->counter, old, new, false,
					   __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

#endif /* SMTPRIO_UNIT_ATOMICS_H */
