// SPDX-License-Identifier: GPL-2.0-or-later
/* Means, their errors, and whether two of them differ. */
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "statistics.h"

/* Welford's way: no loss of digits when the spread is small. */
void sample_add(struct sample *s, double value)
{
	double off = value - s->mean;

	if (!s->nr || value < s->min)
		s->min = value;
	if (!s->nr || value > s->max)
		s->max = value;
	s->nr++;
	s->mean += off / s->nr;
	s->squares += off * (value - s->mean);
}

double sample_deviation(const struct sample *s)
{
	return s->nr < 2 ? NAN : sqrt(s->squares / (s->nr - 1));
}

double sample_error(const struct sample *s)
{
	return sample_deviation(s) / sqrt(s->nr);
}

double sample_margin(const struct sample *s)
{
	if (s->nr < 2)
		return NAN;
	return student_t(0.05, s->nr - 1) * sample_error(s);
}

/* The continued fraction of the incomplete beta function, by Lentz. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = DBL_MIN;
	double c = 1, d, h;
	int m;

	d = 1 - (a + b) * x / (a + 1);
	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (m = 1; m < 10000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x /
			     ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + even / c;
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		d = 1 + odd * d;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = 1 + odd / c;
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON)
			break;
	}
	return h;
}

/* The regularized incomplete beta function I_x(a, b). */
static double beta(double a, double b, double x)
{
	double front;
	int sign;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) -
		    lgamma_r(b, &sign) + a * log(x) + b * log1p(-x));
	/* Each side of the mean has the form that converges fast. */
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_p(double t, double df)
{
	if (isnan(t) || isnan(df))
		return NAN;
	return beta(df / 2, 0.5, df / (df + t * t));
}

double student_t(double p, double df)
{
	double low = 0, high = 1;
	int i;

	while (student_p(high, df) > p && high < 1e300)
		high *= 2;
	for (i = 0; i < 200 && high - low > 8 * DBL_EPSILON * high; i++) {
		double t = (low + high) / 2;

		if (student_p(t, df) > p)
			low = t;
		else
			high = t;
	}
	return (low + high) / 2;
}

/* The variance of the mean. */
static double error_squared(const struct sample *s)
{
	return s->squares / (s->nr - 1) / s->nr;
}

struct welch welch_test(const struct sample *a, const struct sample *b)
{
	struct welch w = { NAN, NAN, NAN };
	double va, vb, off = b->mean - a->mean;

	if (a->nr < 2 || b->nr < 2)
		return w;
	va = error_squared(a);
	vb = error_squared(b);
	if (va + vb <= 0) {
		w.df = a->nr + b->nr - 2;
		w.t = off ? copysign(INFINITY, off) : 0;
		w.p = off ? 0 : 1;
		return w;
	}
	w.t = off / sqrt(va + vb);
	w.df = (va + vb) * (va + vb) /
	       (va * va / (a->nr - 1) + vb * vb / (b->nr - 1));
	w.p = student_p(w.t, w.df);
	return w;
}

void holm_correct(double *p, size_t nr)
{
	double floor = 0;
	size_t left = 0, i;

	for (i = 0; i < nr; i++)
		left += !isnan(p[i]);
	/* From the smallest on; a done one is kept as -1 minus its answer. */
	while (left) {
		size_t best = nr;

		for (i = 0; i < nr; i++)
			if (p[i] >= 0 && (best == nr || p[i] < p[best]))
				best = i;
		floor = fmax(floor, fmin(1, p[best] * left));
		p[best] = -1 - floor;
		left--;
	}
	for (i = 0; i < nr; i++)
		if (p[i] < 0)
			p[i] = -1 - p[i];
}

/* Would n runs of each be enough for a difference of off? */
static bool enough(size_t n, double off, double variances)
{
	double df = 2.0 * n - 2;
	/* student_p() has both sides: 0.4 is one of 0.2. */
	double t = student_t(0.05, df) + student_t(0.4, df);

	return n * off * off >= t * t * variances;
}

size_t sample_runs_needed(const struct sample *a, const struct sample *b)
{
	double off = b->mean - a->mean, variances;
	size_t low = 1, high = 2;

	if (a->nr < 2 || b->nr < 2 || !off)
		return 0;
	variances = a->squares / (a->nr - 1) + b->squares / (b->nr - 1);
	while (high < RUNS_NEEDED_MAX && !enough(high, off, variances)) {
		low = high;
		high *= 2;
	}
	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (enough(mid, off, variances))
			high = mid;
		else
			low = mid;
	}
	return high < RUNS_NEEDED_MAX ? high : RUNS_NEEDED_MAX;
}
