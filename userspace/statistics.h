/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_STATISTICS_H
#define SMTPRIOCTL_STATISTICS_H

#include <stddef.h>

/* Most runs that sample_runs_needed() answers with. */
#define RUNS_NEEDED_MAX	100000

/* What is kept of a row of values; add them to one that is all zero. */
struct sample {
	size_t nr;
	double mean;
	double squares;		/* sum of squared distances from the mean */
	double min, max;
};

void sample_add(struct sample *s, double value);
/* Of the values (n - 1 below the fraction), and of their mean; NAN below 2. */
double sample_deviation(const struct sample *s);
double sample_error(const struct sample *s);
/* Half the width of the mean's 95% confidence interval; NAN below 2. */
double sample_margin(const struct sample *s);

/* P(|T| >= |t|) of Student's distribution with df > 0 degrees of freedom. */
double student_p(double t, double df);
/* The t > 0 with student_p(t, df) == p, for 0 < p < 1. */
double student_t(double p, double df);

struct welch {
	double t;	/* positive when b's mean is the larger one */
	double df;
	double p;	/* two-sided */
};

/*
 * Welch's t test (Biometrika 34, 1947) of two means whose variances may
 * differ, with the degrees of freedom of Satterthwaite. All NAN when either
 * has less than two values. Where neither varies: p is 1 for equal means,
 * else 0.
 */
struct welch welch_test(const struct sample *a, const struct sample *b);

/*
 * Holm's step-down correction (Scand. J. Statist. 6, 1979), in place: of
 * several tests of which one is true by chance, none is called significant
 * more often than a single one would be. NAN stays and does not count.
 */
void holm_correct(double *p, size_t nr);

/*
 * How many runs of each would show (p < 0.05, in four of five tries) a
 * difference as large as that of the means, if the spread stays? 0: unknown
 * or no difference; at most RUNS_NEEDED_MAX.
 */
size_t sample_runs_needed(const struct sample *a, const struct sample *b);

#endif
