/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_BENCH_H
#define SMTPRIOCTL_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "configs.h"
#include "statistics.h"

/* What is counted of a run, besides its value. NAN: not known. */
enum bench_count {
	COUNT_CPU,		/* per cent of one CPU */
	COUNT_REDIRECTS,	/* choices changed */
	COUNT_WOULD,		/* would have been (mode observe) */
	COUNT_TO_MULTI,		/* transitions of cores, with account=1 */
	NR_COUNTS
};

struct run {
	size_t config;
	double value;		/* seconds, or what --metric finds */
	double wall, user, system;
	double count[NR_COUNTS];
};

/* The runs of one configuration, summed up. */
struct config_result {
	struct sample value;
	struct sample count[NR_COUNTS];
	double change;		/* per cent of the first one's mean */
	struct welch welch;	/* against the first configuration */
	double p;		/* welch.p corrected for several comparisons */
	size_t runs_needed;
};

struct bench {
	char **argv;
	const char *metric;	/* NULL: wall time */
	struct configs configs;
	int rounds;		/* asked for */
	int done;		/* complete ones */
	struct run *runs;	/* done x configs, in the order of running */
	size_t nr_runs;
	struct config_result *results;	/* by configuration */
};

/* bench_result.c: sum up the runs of the complete rounds. */
void bench_sum(struct bench *b);
bool bench_differs(const struct config_result *r);
/* What the numbers say of a configuration, to be freed. */
char *bench_verdict(const struct bench *b, size_t config);
/* Five digits, as tables show it; "-" when it is NAN. To be freed. */
char *bench_number(double value);
/* Fixed places and a unit; NULL when it is not known. To be freed. */
char *bench_fixed(double value, int places, const char *unit);
/* Against the first configuration; NULL when there is none. To be freed. */
char *bench_change(const struct bench *b, size_t config);
/* The command as one line, and the order of the runs. To be freed. */
char *bench_command(const struct bench *b);
char *bench_order(const struct bench *b);

/* bench_report.c: on stdout */
void bench_print(const struct bench *b);
void bench_json(const struct bench *b);
void bench_csv(const struct bench *b);

/* bench_html.c: one page that needs nothing else */
void bench_html(const struct bench *b, FILE *out);

#endif
