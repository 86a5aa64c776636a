/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Single and multi mode of one core: the rule alone, without locks. The same
 * lines run in the kernel (account.c) and in tests/unit/modes.
 *
 * A core is in multi mode from when a second thread gets active until all of its
 * threads but one have been idle for qualify nanoseconds without a break. No
 * timers: the way back is found, with the time when it happened, at the next
 * event of the core or when the figures are read, which is an event too.
 *
 * All that threads of a core share is one word: which are active, the mode, and
 * when the last event was. An event works out from it what has passed since,
 * replaces it by compare and exchange, and adds what has passed to figures that
 * only the event's own thread writes. Each event makes the stamp in the word
 * larger, so the events of a core have one order, and a word that is still the
 * same says that nothing else has happened either: idle_since of an idle thread
 * is as it was.
 *
 * Context: any, interrupts off included; for one thread, events do not nest.
 */
#ifndef SMTPRIO_MODES_H
#define SMTPRIO_MODES_H

#ifdef __KERNEL__
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#else
#include "atomics.h"
#endif
#include "policy.h"

/* Figures of each core: X(name, what it is) */
#define SMTPRIO_ACCOUNT(X)						\
	X(to_multi, "transitions from single to multi mode")		\
	X(to_single, "transitions back")				\
	X(multi_ns, "time in multi mode")				\
	X(both_ns, "time with two or more threads active")		\
	X(wasted_ns, "time in multi mode with one thread active")

enum smtprio_account_figure {
#define SMTPRIO_ACCOUNT_ENUM(name, text) SMTPRIO_ACCOUNT_##name,
	SMTPRIO_ACCOUNT(SMTPRIO_ACCOUNT_ENUM)
#undef SMTPRIO_ACCOUNT_ENUM
	SMTPRIO_NR_ACCOUNT
};

/* The word: a bit for each active thread, the mode, the stamp above them. */
#define SMTPRIO_MODES_ACTIVE	0xffULL
#define SMTPRIO_MODES_MULTI	0x100ULL
#define SMTPRIO_MODES_SHIFT	9

/**
 * struct smtprio_modes_thread - what one thread writes, and only that one
 * @idle_since: when it was last active, in nanoseconds; means nothing while it is
 * @figure: what its events found to have passed
 */
struct smtprio_modes_thread {
	u64 idle_since;
	u64 figure[SMTPRIO_NR_ACCOUNT];
};

/**
 * struct smtprio_modes_core - a core
 * @word: see above
 * @outside: figures that smtprio_modes_read() completed
 * @nr: threads, 0 to SMTPRIO_MAX_THREADS; grows with release, after @thread has
 *	the new one
 * @thread: they
 */
struct smtprio_modes_core {
	atomic64_t word;
	struct smtprio_modes_thread outside;
	u8 nr;
	struct smtprio_modes_thread *thread[SMTPRIO_MAX_THREADS];
};

/**
 * struct smtprio_modes_passed - what has passed since the last event of a core
 * @multi_ns: time in multi mode
 * @active: a bit for each thread that was active
 * @single: the core went back to single mode
 */
struct smtprio_modes_passed {
	u64 multi_ns;
	u64 active;
	bool single;
};

/* Two bits or more. */
static __always_inline bool smtprio_modes_two(u64 active)
{
	return active & (active - 1);
}

/* From the stamp of @word to @now, right up to 208 days each way. */
static __always_inline s64 smtprio_modes_since(u64 word, u64 now)
{
	word &= ~(SMTPRIO_MODES_ACTIVE | SMTPRIO_MODES_MULTI);
	return (s64)((now << SMTPRIO_MODES_SHIFT) - word) >>
	       SMTPRIO_MODES_SHIFT;
}

/*
 * When all threads but one were idle, at most one being active: the second
 * latest of their times, an active one's being the latest.
 */
static __always_inline u64
smtprio_modes_idle(const struct smtprio_modes_core *core, u64 word)
{
	u64 latest = 0, second = 0;

	/* What was there before the number is seen with it. */
	int nr = smp_load_acquire(&core->nr);

	for (int i = 0; i < nr; i++) {
		u64 since = word & (1ULL << i) ? U64_MAX :
			    READ_ONCE(core->thread[i]->idle_since);

		if (since >= latest) {
			second = latest;
			latest = since;
		} else if (since > second) {
			second = since;
		}
	}
	return second;
}

/* What has passed from the event that left @word, at @last, to @now. */
static __always_inline struct smtprio_modes_passed
smtprio_modes_pass(const struct smtprio_modes_core *core, u64 word, u64 last,
		   u64 now, u64 qualify)
{
	struct smtprio_modes_passed passed = { };
	u64 back;

	if (!(word & SMTPRIO_MODES_MULTI))
		return passed;

	passed.multi_ns = now - last;
	passed.active = word & SMTPRIO_MODES_ACTIVE;
	if (smtprio_modes_two(passed.active))
		return passed;

	back = smtprio_modes_idle(core, word) + qualify;
	if (back <= now) {
		passed.multi_ns = back > last ? back - last : 0;
		passed.single = true;
	}
	return passed;
}

/* Written by one, read by others. */
#define smtprio_modes_grow(figure, name, n)				\
	WRITE_ONCE((figure)[SMTPRIO_ACCOUNT_##name],			\
		   (figure)[SMTPRIO_ACCOUNT_##name] + (n))

static __always_inline void
smtprio_modes_add(u64 *figure, const struct smtprio_modes_passed *passed)
{
	u64 ns = passed->multi_ns;

	smtprio_modes_grow(figure, to_single, passed->single);
	smtprio_modes_grow(figure, multi_ns, ns);
	if (smtprio_modes_two(passed->active))
		smtprio_modes_grow(figure, both_ns, ns);
	else if (passed->active)
		smtprio_modes_grow(figure, wasted_ns, ns);
}

/**
 * smtprio_modes_event() - threads of a core get active, or idle
 * @core: the core
 * @self: whose figures grow, the caller's alone
 * @set: a bit for each thread that gets active
 * @clear: a bit for each that gets idle: none, or that of @self, which is active
 * @now: nanoseconds; a @now before the core's last event counts as just after it
 * @qualify: idle so many nanoseconds counts as idle
 *
 * Return: when it happened, later than the core's last event.
 */
static __always_inline u64
smtprio_modes_event(struct smtprio_modes_core *core,
		    struct smtprio_modes_thread *self, u8 set, u8 clear,
		    u64 now, u64 qualify)
{
	s64 word = atomic64_read(&core->word);
	struct smtprio_modes_passed passed;
	u64 active, new, at;
	bool begins;

	do {
		s64 ns = smtprio_modes_since(word, now);

		at = ns > 0 ? now : now - ns + 1;
		passed = smtprio_modes_pass(core, word, now - ns, at, qualify);
		active = ((word & SMTPRIO_MODES_ACTIVE) | set) & ~(u64)clear;
		new = (u64)word & SMTPRIO_MODES_MULTI;
		if (passed.single)
			new = 0;
		begins = !new && smtprio_modes_two(active);
		if (begins)
			new = SMTPRIO_MODES_MULTI;
		new |= active | at << SMTPRIO_MODES_SHIFT;
		if (clear)
			WRITE_ONCE(self->idle_since, at);
	} while (!atomic64_try_cmpxchg(&core->word, &word, (s64)new));

	if (word & SMTPRIO_MODES_MULTI)
		smtprio_modes_add(self->figure, &passed);
	if (begins)
		smtprio_modes_grow(self->figure, to_multi, 1);
	return at;
}

/**
 * smtprio_modes_read() - the figures of a core
 * @core: the core
 * @now: nanoseconds
 * @qualify: the value that held until now
 * @figure: SMTPRIO_NR_ACCOUNT figures, or NULL: only complete them
 *
 * No figure is ever less than it was before. What an event in flight found may be
 * missing yet.
 *
 * Return: as of when.
 * Context: one caller at a time.
 */
static inline u64 smtprio_modes_read(struct smtprio_modes_core *core, u64 now,
				     u64 qualify, u64 *figure)
{
	u64 at = smtprio_modes_event(core, &core->outside, 0, 0, now, qualify);
	/* What was there before the number is seen with it. */
	int nr = smp_load_acquire(&core->nr);

	for (int i = 0; figure && i < SMTPRIO_NR_ACCOUNT; i++) {
		figure[i] = core->outside.figure[i];
		for (int t = 0; t < nr; t++)
			figure[i] += READ_ONCE(core->thread[t]->figure[i]);
	}
	return at;
}

#endif /* SMTPRIO_MODES_H */
