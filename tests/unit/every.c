// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every small machine, and large ones by chance.
 *
 * SMTPRIO_SEED repeats a run, SMTPRIO_ROUNDS is the number of decisions.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "tests.h"

#define ROUNDS		500000

static uint64_t from_env(const char *name, uint64_t unset)
{
	const char *text = getenv(name);
	uint64_t value;
	char *end;

	if (!text || !*text)
		return unset;
	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno || *end || *text == '-')
		fail_msg("%s=%s is not a number", name, text);
	return value;
}

/* Printed once a test: enough to repeat it. */
static uint64_t start(struct rng *rng)
{
	uint64_t rounds = from_env("SMTPRIO_ROUNDS", ROUNDS);

	rng->state = from_env("SMTPRIO_SEED", time(NULL));
	print_message("SMTPRIO_SEED=%" PRIu64 " SMTPRIO_ROUNDS=%" PRIu64 "\n",
		      rng->state, rounds);
	return rounds;
}

/* Takes the next of @n values off @digits. */
static int digit(unsigned int *digits, int n)
{
	int value = *digits % n;

	*digits /= n;
	return value;
}

/* A thread of the smallest core that has all there is. */
static void set_thread(struct world *w, int cpu, unsigned int *digits)
{
	w->priority[cpu] = digit(digits, 3);
	w->capacity[cpu] = 1024 - digit(digits, 2);

	/* How many of the tests of a wakeup it passes. */
	switch (digit(digits, 4)) {
	case 0:
		w->affine[cpu] = false;
		break;
	case 1:
		w->idle[cpu] = false;
		break;
	case 2:
		w->domain[cpu] = 1;
		break;
	}
}

void every_core_of_three_threads(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 24 * 24 * 24; i++) {
		unsigned int digits = i;
		struct tables t;
		struct world w;

		world_init(&w, 1, 3, ADJACENT, NULL);
		for (int cpu = 0; cpu < 3; cpu++)
			set_thread(&w, cpu, &digits);
		build_tables(&t, &w);
		for (int cpu = 0; cpu < 3; cpu++)
			check_wake(&t, &w, cpu);
	}
}

/* Priority, candidate, idle and scope of four CPUs in either layout. */
void every_pair_of_cores(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 16 * 16 * 16 * 16 * 2; i++) {
		unsigned int digits = i;
		struct world w;

		world_init(&w, 2, 2, digit(&digits, 2) ? APART : ADJACENT,
			   NULL);
		for (int cpu = 0; cpu < 4; cpu++) {
			w.priority[cpu] = digit(&digits, 2);
			w.nohz[cpu] = digit(&digits, 2);
			w.idle[cpu] = digit(&digits, 2);
			w.scope[cpu] = digit(&digits, 2);
		}
		ilb(&w);
	}
}

/* Calls @decide once a round on machines that change every 64 rounds. */
static void each_round(void (*decide)(const struct tables *t,
				      const struct world *w, struct rng *rng))
{
	struct tables t;
	struct world w;
	struct rng rng;
	uint64_t rounds = start(&rng);

	for (uint64_t round = 0; round < rounds; round++) {
		if (round % 64 == 0) {
			world_random(&w, &rng);
			build_tables(&t, &w);
		}
		if (round % 8 == 0)
			world_random_state(&w, &rng);
		decide(&t, &w, &rng);
	}
}

static void decide_wake(const struct tables *t, const struct world *w,
			struct rng *rng)
{
	check_wake(t, w, rng_below(rng, w->cpus));
}

static struct hunt random_hunt(const struct world *w, struct rng *rng)
{
	static const unsigned int bounds[] = { 0, 1, 2, 3, 5, 8, 16, UINT_MAX };
	struct hunt hunt = {
		.domain = w->domain[rng_below(rng, w->cpus)],
		.want = rng_below(rng, 3),
		.bound = bounds[rng_below(rng, 8)],
		.after = rng_below(rng, w->cpus + 1) - 1,
	};

	if (hunt.domain == NO_DOMAIN)
		hunt.domain = 0;
	return hunt;
}

/* The model is slow, on large machines above all: fewer rounds. */
static void decide_search(const struct tables *t, const struct world *w,
			  struct rng *rng)
{
	struct hunt hunt = random_hunt(w, rng);
	int choice = rng_below(rng, w->cpus);

	if (!w->online[choice] || !rng_chance(rng, w->cpus > 64 ? 1 : 4) ||
	    (w->cpus > 64 && !rng_chance(rng, 1)))
		return;
	check_shares(t, w, choice);
	check_search(t, w, choice, &hunt);
}

void random_searches(void **state)
{
	(void)state;
	each_round(decide_search);
}

void random_wakeups(void **state)
{
	(void)state;
	each_round(decide_wake);
}

/* The state is the same for eight rounds, the CPU that asks is not. */
static void decide_ilb(const struct tables *t, const struct world *w,
		       struct rng *rng)
{
	struct world now = *w;

	now.this_cpu = rng_below(rng, w->cpus + 1) - 1;
	check_ilb(t, &now);
}

void random_idle_load_balancers(void **state)
{
	(void)state;
	each_round(decide_ilb);
}

/*
 * Affinity, idleness and masks change between two questions. Then no model
 * knows the answer, but the CPU returned must be one that passed all tests
 * when it was asked about.
 */
static void decide_flicker(const struct tables *t, const struct world *w,
			   struct rng *rng)
{
	int choice = rng_below(rng, w->cpus);
	struct witness witness;
	struct answer got;

	memset(&witness, 0, sizeof(witness));
	witness.flicker = rng;

	got = ask_wake(t, w, choice, &witness);
	assert_in_range(got.cpu, 0, w->cpus - 1);
	assert_int_equal(got.cpu != choice, got.why == SMTPRIO_MOVED);
	if (got.cpu != choice) {
		assert_true(model_better(w, choice, got.cpu));
		assert_true(witness_yes(&witness, ASKED_ALLOWED, got.cpu));
		assert_true(witness_yes(&witness, ASKED_AVAILABLE, got.cpu));
		assert_true(witness_yes(&witness, ASKED_DOMAIN, got.cpu));
	}

	if (w->online[choice]) {
		struct hunt hunt = random_hunt(w, rng);

		got = ask_search(t, w, choice, &hunt, &witness);
		if (got.cpu != -1) {
			assert_in_range(got.cpu, 0, w->cpus - 1);
			assert_true(witness_yes(&witness, ASKED_USABLE, got.cpu));
			assert_true(witness_yes(&witness, ASKED_AVAILABLE, got.cpu));
			assert_true(witness_yes(&witness, ASKED_DOMAIN, got.cpu));
		}
	}

	got = ask_ilb(t, w, &witness);
	if (got.cpu != -1) {
		assert_in_range(got.cpu, 0, w->cpus - 1);
		assert_true(witness_yes(&witness, ASKED_CANDIDATE, got.cpu));
		assert_true(witness_yes(&witness, ASKED_IDLE, got.cpu));
		assert_int_not_equal(got.why, -1);
	}
}

void random_changes_during_a_decision(void **state)
{
	(void)state;
	each_round(decide_flicker);
}
