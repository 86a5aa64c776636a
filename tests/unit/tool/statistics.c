// SPDX-License-Identifier: GPL-2.0-or-later
/* The statistics of smtprioctl bench, against published values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../../../userspace/statistics.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* They agree in so many digits; 16 is all there are. */
static void close_to(double got, double want, int digits)
{
	if (fabs(got - want) <= pow(10, -digits) * fabs(want))
		return;
	print_error("got %.15g, want %.15g\n", got, want);
	fail();
}

static struct sample sample_of(const double *values, size_t nr)
{
	struct sample s = { 0 };
	size_t i;

	for (i = 0; i < nr; i++)
		sample_add(&s, values[i]);
	return s;
}

/* NIST StRD NumAcc3 and NumAcc4: large means, deviation exactly 0.1. */
static void deviation_of_large_values(void **state)
{
	static const double middles[] = { 1000000.2, 10000000.2 };
	size_t i, j;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(middles); i++) {
		struct sample s = { 0 };

		sample_add(&s, middles[i]);
		for (j = 0; j < 500; j++) {
			sample_add(&s, middles[i] - 0.1);
			sample_add(&s, middles[i] + 0.1);
		}
		close_to(s.mean, middles[i], 14);
		close_to(sample_deviation(&s), 0.1, 7);
		close_to(sample_error(&s), 0.1 / sqrt(1001), 7);
		close_to(s.min, middles[i] - 0.1, 15);
		close_to(s.max, middles[i] + 0.1, 15);
	}
}

static void too_few_values(void **state)
{
	struct sample none = { 0 }, one = { 0 };

	(void)state;
	sample_add(&one, 5);
	close_to(one.mean, 5, 16);
	assert_true(isnan(sample_deviation(&none)));
	assert_true(isnan(sample_deviation(&one)));
	assert_true(isnan(sample_margin(&one)));
	assert_true(isnan(welch_test(&one, &one).p));
	assert_int_equal(sample_runs_needed(&one, &one), 0);
}

/* One and two degrees of freedom have closed forms. */
static void closed_forms(void **state)
{
	static const double ts[] = { 0.001, 0.1, 0.5, 1, 2, 5, 30, 1000, 1e6 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(ts); i++) {
		double t = ts[i];

		close_to(student_p(t, 1), 2 / M_PI * atan(1 / t), 11);
		/* 1 - t / sqrt(2 + t^2) without the loss of digits */
		close_to(student_p(t, 2), 2 / (sqrt(2 + t * t) *
			 (sqrt(2 + t * t) + t)), 11);
		close_to(student_p(-t, 2), student_p(t, 2), 16);
	}
	close_to(student_p(0, 7), 1, 15);
}

/* The usual table, two-sided: NIST/SEMATECH e-Handbook 1.3.6.7.2, and more. */
static void table_of_t(void **state)
{
	static const struct { double p, df, t; } rows[] = {
		{ 0.05, 1, 12.706204736 }, { 0.05, 2, 4.302652730 },
		{ 0.05, 5, 2.570581836 }, { 0.05, 10, 2.228138852 },
		{ 0.05, 30, 2.042272456 }, { 0.05, 120, 1.979930405 },
		{ 0.01, 4, 4.604094871 }, { 0.01, 10, 3.169272673 },
		{ 0.001, 10, 4.586893859 }, { 0.2, 9, 1.383028738 },
		{ 0.05, 1000, 1.962339081 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		close_to(student_t(rows[i].p, rows[i].df), rows[i].t, 8);
		close_to(student_p(rows[i].t, rows[i].df), rows[i].p, 7);
	}
}

/* Student's sleep data: R's t.test(extra ~ group, sleep). */
static void welch_on_sleep(void **state)
{
	static const double first[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7,
					0.8, 0.0, 2.0 };
	static const double second[] = { 1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5,
					 1.6, 4.6, 3.4 };
	struct sample a = sample_of(first, ARRAY_SIZE(first));
	struct sample b = sample_of(second, ARRAY_SIZE(second));
	struct welch w = welch_test(&a, &b);

	(void)state;
	close_to(a.mean, 0.75, 12);
	close_to(b.mean, 2.33, 12);
	close_to(w.t, 1.8608, 4);
	close_to(w.df, 17.776, 4);
	close_to(w.p, 0.07939, 4);
	/* The other way round it is the same, but for the sign. */
	close_to(welch_test(&b, &a).t, -w.t, 12);
	close_to(welch_test(&b, &a).p, w.p, 12);
}

/* R's t.test(mpg ~ am, mtcars): unlike sizes and variances. */
static void welch_on_mtcars(void **state)
{
	static const double automatic[] = {
		21.4, 18.7, 18.1, 14.3, 24.4, 22.8, 19.2, 17.8, 16.4, 17.3,
		15.2, 10.4, 10.4, 14.7, 21.5, 15.5, 15.2, 13.3, 19.2
	};
	static const double manual[] = {
		21.0, 21.0, 22.8, 32.4, 30.4, 33.9, 27.3, 26.0, 30.4, 15.8,
		19.7, 15.0, 21.4
	};
	struct sample a = sample_of(automatic, ARRAY_SIZE(automatic));
	struct sample b = sample_of(manual, ARRAY_SIZE(manual));
	struct welch w = welch_test(&a, &b);

	(void)state;
	close_to(w.t, 3.7671, 4);
	close_to(w.df, 18.332, 4);
	close_to(w.p, 0.001374, 3);
}

static void values_that_do_not_vary(void **state)
{
	struct sample a = { 0 }, b = { 0 };
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		sample_add(&a, 2);
		sample_add(&b, 3);
	}
	assert_true(welch_test(&a, &a).p == 1);
	assert_true(welch_test(&a, &b).p == 0);
	assert_true(welch_test(&a, &b).t > 0);
	assert_int_equal(sample_runs_needed(&a, &a), 0);
	assert_int_equal(sample_runs_needed(&a, &b), 2);
}

/* R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"). */
static void holm(void **state)
{
	double p[] = { 0.01, 0.04, 0.03, NAN, 0.005 };
	double large[] = { 0.9, 0.8 };
	double one[] = { 0.05 };

	(void)state;
	holm_correct(p, ARRAY_SIZE(p));
	close_to(p[0], 0.03, 12);
	close_to(p[1], 0.06, 12);
	close_to(p[2], 0.06, 12);
	assert_true(isnan(p[3]));
	close_to(p[4], 0.02, 12);
	holm_correct(large, 2);
	close_to(large[0], 1, 12);
	close_to(large[1], 1, 12);
	holm_correct(one, 1);
	close_to(one[0], 0.05, 12);
}

/* R's power.t.test(delta = d, sd = 1, power = 0.8): 16.7, 63.8, 5.1, 1571. */
static void runs_needed(void **state)
{
	static const struct { double off; size_t runs; } rows[] = {
		{ 1, 17 }, { 0.5, 64 }, { 2, 6 }, { 0.1, 1571 },
		{ 0.00001, RUNS_NEEDED_MAX },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		/* A deviation of exactly 1: 0.5 + 0.5 over one. */
		double root = sqrt(0.5);
		double values[] = { -root, root };
		double moved[] = { rows[i].off - root, rows[i].off + root };
		struct sample a = sample_of(values, 2);
		struct sample b = sample_of(moved, 2);

		assert_int_equal(sample_runs_needed(&a, &b), rows[i].runs);
		assert_int_equal(sample_runs_needed(&b, &a), rows[i].runs);
	}
}

/* The interval around a mean: R's t.test(sleep$extra[1:10])$conf.int. */
static void margin(void **state)
{
	static const double first[] = { 0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7,
					0.8, 0.0, 2.0 };
	struct sample a = sample_of(first, ARRAY_SIZE(first));

	(void)state;
	close_to(a.mean + sample_margin(&a), 2.029780, 6);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(deviation_of_large_values),
		cmocka_unit_test(too_few_values),
		cmocka_unit_test(closed_forms),
		cmocka_unit_test(table_of_t),
		cmocka_unit_test(welch_on_sleep),
		cmocka_unit_test(welch_on_mtcars),
		cmocka_unit_test(values_that_do_not_vary),
		cmocka_unit_test(holm),
		cmocka_unit_test(runs_needed),
		cmocka_unit_test(margin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
