// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The accounting of single and multi mode (module/modes.h): cases with known figures,
 * random events against a model, and threads at once, whose stamps tell the one
 * order in which the model then has to come to the same figures.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "model.h"
#include "modes.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static struct smtprio_modes_core core;
static struct smtprio_modes_thread threads[SMTPRIO_MAX_THREADS];
static u64 qualify;

static void begin(int nr, u64 qualify_ns, u64 now)
{
	memset(&core, 0, sizeof(core));
	memset(threads, 0, sizeof(threads));
	core.nr = nr;
	core.word.counter = now << SMTPRIO_MODES_SHIFT;
	for (int i = 0; i < nr; i++)
		core.thread[i] = &threads[i];
	qualify = qualify_ns;
}

static u64 event(int thread, bool active, u64 now)
{
	u8 bit = 1 << thread;

	return smtprio_modes_event(&core, &threads[thread], active ? bit : 0,
				   active ? 0 : bit, now, qualify);
}

static void figures_are(u64 now, u64 to_multi, u64 to_single, u64 multi, u64 both, u64 wasted)
{
	const u64 want[] = { to_multi, to_single, multi, both, wasted };
	u64 got[SMTPRIO_NR_ACCOUNT];

	smtprio_modes_read(&core, now, qualify, got);
	for (size_t i = 0; i < ARRAY_SIZE(got); i++)
		assert_int_equal(got[i], want[i]);
}

/* Returns when that was. */
static u64 same_as(struct model *m, u64 now)
{
	u64 got[SMTPRIO_NR_ACCOUNT];
	u64 at = smtprio_modes_read(&core, now, qualify, got);

	model_advance(m, at);
	assert_int_equal(got[SMTPRIO_ACCOUNT_to_multi], m->to_multi);
	assert_int_equal(got[SMTPRIO_ACCOUNT_to_single], m->to_single);
	assert_int_equal(got[SMTPRIO_ACCOUNT_multi_ns], m->multi_ns);
	assert_int_equal(got[SMTPRIO_ACCOUNT_both_ns], m->both_ns);
	assert_int_equal(got[SMTPRIO_ACCOUNT_wasted_ns], m->wasted_ns);
	return at;
}

static void one_thread_never_is_multi(void **state)
{
	(void)state;
	begin(2, 3000, 100);
	event(0, true, 1000);
	event(0, false, 9000);
	event(1, true, 9001);
	figures_are(90000, 0, 0, 0, 0, 0);
}

static void back_after_qualify(void **state)
{
	(void)state;
	begin(2, 3000, 100);
	event(0, true, 1000);
	event(1, true, 2000);
	event(1, false, 2500);
	figures_are(5499, 1, 0, 3499, 500, 2999);
	figures_are(5500, 1, 1, 3500, 500, 3000);
	figures_are(9999, 1, 1, 3500, 500, 3000);
	event(0, false, 20000);
	figures_are(99999, 1, 1, 3500, 500, 3000);
}

static void a_break_begins_it_again(void **state)
{
	(void)state;
	begin(2, 3000, 100);
	event(0, true, 1000);
	event(1, true, 2000);
	event(1, false, 2500);
	event(1, true, 5000);
	event(1, false, 5100);
	figures_are(8099, 1, 0, 6099, 600, 5499);
	figures_are(8100, 1, 1, 6100, 600, 5500);
}

static void exactly_qualify_is_long_enough(void **state)
{
	(void)state;
	begin(2, 3000, 100);
	event(0, true, 1000);
	event(1, true, 2000);
	event(1, false, 2500);
	event(1, true, 5500);
	figures_are(5600, 2, 1, 3600, 600, 3000);
}

/* Both idle: the one that was idle first qualifies first. Nobody is wasted then. */
static void both_idle(void **state)
{
	(void)state;
	begin(2, 3000, 100);
	event(0, true, 1000);
	event(1, true, 2000);
	event(0, false, 2100);
	event(1, false, 3100);
	figures_are(5099, 1, 0, 3099, 100, 1000);
	figures_are(9000, 1, 1, 3100, 100, 1000);
}

/* Other than the one that was idle longest comes back: the other goes on. */
static void the_later_one_comes_back(void **state)
{
	(void)state;
	begin(2, 3000, 100);
	event(0, true, 1000);
	event(1, true, 2000);
	event(0, false, 2100);
	event(1, false, 3100);
	event(1, true, 3200);
	figures_are(9000, 1, 1, 3100, 100, 1000 + 1900);
	begin(2, 3000, 100);
	event(0, true, 1000);
	event(1, true, 2000);
	event(0, false, 2100);
	event(1, false, 3100);
	event(0, true, 3200);
	figures_are(9000, 1, 1, 4100, 100, 1000 + 2900);
}

static void three_of_four_must_be_idle(void **state)
{
	(void)state;
	begin(4, 3000, 100);
	for (int i = 0; i < 4; i++)
		event(i, true, 1000 + i);
	event(3, false, 2000);
	event(2, false, 4000);
	event(1, false, 5000);
	figures_are(7999, 1, 0, 7999 - 1001, 5000 - 1001, 2999);
	figures_are(9000, 1, 1, 8000 - 1001, 5000 - 1001, 3000);
}

static void a_clock_that_is_behind(void **state)
{
	(void)state;
	begin(2, 3000, 5000);
	assert_int_equal(event(0, true, 4000), 5001);
	assert_int_equal(event(1, true, 5001), 5002);
	assert_int_equal(event(1, false, 1000), 5003);
	figures_are(5003, 1, 0, 2, 1, 1);
	/* Nor do figures that are read by it go back. */
	figures_are(1000, 1, 0, 3, 1, 2);
}

/* The stamp in the word has 55 bits: 417 days. */
static void a_long_uptime(void **state)
{
	u64 wrap = 1ULL << 55;

	(void)state;
	begin(2, 3000, 3 * wrap - 5000);
	event(0, true, 3 * wrap - 1000);
	event(1, true, 3 * wrap - 500);
	event(1, false, 3 * wrap + 500);
	figures_are(3 * wrap + 3000, 1, 0, 3500, 1000, 2500);
	figures_are(3 * wrap + 9000, 1, 1, 4000, 1000, 3000);
}

static void settling_keeps_what_was(void **state)
{
	(void)state;
	begin(2, 3000, 100);
	event(0, true, 1000);
	event(1, true, 2000);
	smtprio_modes_read(&core, 2400, qualify, NULL);
	event(1, false, 2500);
	figures_are(4000, 1, 0, 2000, 500, 1500);
	/* Shorter now: at once, not earlier. */
	qualify = 100;
	figures_are(4500, 1, 1, 2000, 500, 1500);
	smtprio_modes_read(&core, 5000, qualify, NULL);
	qualify = 1000000;
	event(1, true, 9000);
	figures_are(9100, 2, 1, 2100, 600, 1500);
}

static unsigned int seed(const char *name, unsigned int other)
{
	const char *value = getenv(name);

	return value ? strtoul(value, NULL, 0) : other;
}

static void random_events(void **state)
{
	unsigned int rounds = seed("SMTPRIO_ROUNDS", 20000);

	(void)state;
	srandom(seed("SMTPRIO_SEED", time(NULL)));
	for (unsigned int round = 0; round < rounds; round++) {
		static const u64 qualifies[] = { 0, 1, 10, 50, 1000 };
		u64 now = random() % 100;
		struct model m = {
			.nr = 1 + random() % SMTPRIO_MAX_THREADS,
			.qualify = qualifies[random() % ARRAY_SIZE(qualifies)],
			.now = now,
		};

		begin(m.nr, m.qualify, now);
		for (int i = 0; i < 40; i++) {
			int thread = random() % m.nr;

			now += random() % (random() % 4 ? 20 : 200);
			switch (random() % 8) {
			case 0:
				now = same_as(&m, now);
				break;
			default:
				model_event(&m, thread, !m.active[thread],
					    event(thread, !m.active[thread], now));
				now = m.now;
				break;
			}
		}
		same_as(&m, now + 5000);
	}
}

/* Threads at once */

#define EVENTS	40000

static u64 stamps[4][EVENTS];

static u64 clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static void *active_and_idle(void *arg)
{
	u64 (*mine)[EVENTS] = arg;
	int me = mine - stamps;
	u64 *at = *mine;

	for (int i = 0; i < EVENTS; i++) {
		at[i] = event(me, !(i & 1), clock_ns());
		for (int wait = (i * 7 + me * 13) % 200; wait; wait--)
			__atomic_signal_fence(__ATOMIC_SEQ_CST);
		/* On few CPUs others run while this one is idle, or active. */
		if (!((i + me) % 7))
			sched_yield();
	}
	return NULL;
}

static bool stop;
static u64 went_back, reads;

static void *read_on(void *unused)
{
	u64 last[SMTPRIO_NR_ACCOUNT] = { 0 }, got[SMTPRIO_NR_ACCOUNT];

	while (!READ_ONCE(stop)) {
		smtprio_modes_read(&core, clock_ns(), qualify, got);
		for (size_t i = 0; i < ARRAY_SIZE(got); i++)
			went_back += got[i] < last[i];
		memcpy(last, got, sizeof(last));
		reads++;
	}
	return unused;
}

static void threads_at_once(void **state)
{
	struct model m = { .nr = 4, .qualify = 300 };
	int next[4] = { 0 };
	pthread_t thread[4], reader;

	(void)state;
	m.now = clock_ns();
	begin(m.nr, m.qualify, m.now);
	stop = false;
	pthread_create(&reader, NULL, read_on, NULL);
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, active_and_idle, &stamps[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	WRITE_ONCE(stop, true);
	pthread_join(reader, NULL);

	for (int n = 0; n < 4 * EVENTS; n++) {
		int first = -1;

		for (int i = 0; i < 4; i++)
			if (next[i] < EVENTS &&
			    (first < 0 || stamps[i][next[i]] < stamps[first][next[first]]))
				first = i;
		assert_true(stamps[first][next[first]] > m.now);
		model_event(&m, first, !(next[first] & 1), stamps[first][next[first]]);
		next[first]++;
	}
	same_as(&m, m.now + 5000);
	print_message("%llu transitions, %llu reads\n",
		      (unsigned long long)m.to_multi, (unsigned long long)reads);
	assert_true(m.to_multi > 100);
	assert_true(reads > 100);
	assert_int_equal(went_back, 0);
}

int main(void)
{
	static const struct CMUnitTest modes[] = {
		cmocka_unit_test(one_thread_never_is_multi),
		cmocka_unit_test(back_after_qualify),
		cmocka_unit_test(a_break_begins_it_again),
		cmocka_unit_test(exactly_qualify_is_long_enough),
		cmocka_unit_test(both_idle),
		cmocka_unit_test(the_later_one_comes_back),
		cmocka_unit_test(three_of_four_must_be_idle),
		cmocka_unit_test(a_clock_that_is_behind),
		cmocka_unit_test(a_long_uptime),
		cmocka_unit_test(settling_keeps_what_was),
		cmocka_unit_test(random_events),
		cmocka_unit_test(threads_at_once),
	};

	return cmocka_run_group_tests(modes, NULL, NULL) ? 1 : 0;
}
