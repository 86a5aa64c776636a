// SPDX-License-Identifier: GPL-2.0-or-later
/* Summing up a bench's runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "util.h"

/* A difference is called one below this p. */
#define ALPHA	0.05

static void add_run(struct config_result *r, const struct run *run)
{
	size_t i;

	sample_add(&r->value, run->value);
	for (i = 0; i < NR_COUNTS; i++)
		if (!isnan(run->count[i]))
			sample_add(&r->count[i], run->count[i]);
}

void bench_sum(struct bench *b)
{
	size_t nr = b->configs.nr, i;
	double *p = xalloc(nr * sizeof(*p));

	b->results = xalloc(nr * sizeof(*b->results));
	for (i = 0; i < b->done * nr; i++)
		add_run(&b->results[b->runs[i].config], &b->runs[i]);
	for (i = 0; i < nr; i++) {
		struct config_result *first = &b->results[0];
		struct config_result *r = &b->results[i];

		r->change = 100 * (r->value.mean - first->value.mean) /
			    fabs(first->value.mean);
		r->welch = welch_test(&first->value, &r->value);
		r->runs_needed = sample_runs_needed(&first->value, &r->value);
		p[i] = i ? r->welch.p : NAN;
	}
	holm_correct(p, nr);
	for (i = 0; i < nr; i++)
		b->results[i].p = p[i];
	free(p);
}

bool bench_differs(const struct config_result *r)
{
	return r->p < ALPHA;
}

static char *p_text(double p)
{
	return p < 0.0001 ? xstrdup(", p < 0.0001") : xprintf(", p = %.4f", p);
}

static char *runs_text(const struct bench *b, const struct config_result *r)
{
	if (!r->runs_needed)
		return xstrdup("");
	/* The correction or bad luck: more of the same would tell. */
	if (r->runs_needed <= (size_t)b->done)
		return xstrdup("; more runs may tell");
	if (r->runs_needed >= RUNS_NEEDED_MAX)
		return xprintf("; over %d runs of each would be needed to show a difference this small",
			       RUNS_NEEDED_MAX);
	return xprintf("; if it is real, about %zu runs of each would show it",
		       r->runs_needed);
}

char *bench_verdict(const struct bench *b, size_t config)
{
	const struct config_result *r = &b->results[config];
	const char *name = b->configs.list[config].name;
	const char *first = b->configs.list[0].name;
	const char *less = b->metric ? "lower" : "faster";
	const char *more = b->metric ? "higher" : "slower";
	char *p, *runs, *text, *change;

	if (isnan(r->p))
		return xprintf("%s: one run of each tells nothing about noise; use -n",
			       name);
	p = p_text(r->p);
	runs = runs_text(b, r);
	/* Of a mean of zero there is no per cent. */
	change = bench_fixed(fabs(r->change), 1, "%");
	if (!bench_differs(r))
		text = xprintf("%s: not shown to differ from %s (%s%s%s)%s",
			       name, first, change ? r->change < 0 ? "-" : "+" : "",
			       change ? change : "", p + (change ? 0 : 2), runs);
	else
		text = xprintf("%s: %s than %s%s%s (%s)", name,
			       r->welch.t < 0 ? less : more, first,
			       change ? " by " : "", change ? change : "",
			       p + 2);
	free(change);
	free(p);
	free(runs);
	return text;
}

char *bench_number(double value)
{
	double size = fabs(value);
	int places = 0;

	if (isnan(value))
		return xstrdup("-");
	while (places < 6 && size < 10000) {
		size = size ? size * 10 : 10000;
		places++;
	}
	return value ? xprintf("%.*f", places, value) : xstrdup("0");
}

char *bench_fixed(double value, int places, const char *unit)
{
	return isfinite(value) ? xprintf("%.*f%s", places, value, unit) : NULL;
}

char *bench_change(const struct bench *b, size_t config)
{
	double change = b->results[config].change;

	return config && isfinite(change) ? xprintf("%+.1f%%", change) : NULL;
}

char *bench_command(const struct bench *b)
{
	char *text = NULL;
	size_t i;

	for (i = 0; b->argv[i]; i++) {
		const char *arg = b->argv[i];
		bool plain = *arg && !strpbrk(arg, " \t\n\"'\\$`|&;<>()*?[]#~");

		if (plain)
			append(&text, " ", "%s", arg);
		else if (!strchr(arg, '\''))
			append(&text, " ", "'%s'", arg);
		else
			append(&text, " ", "\"%s\"", arg);
	}
	return text;
}

char *bench_order(const struct bench *b)
{
	char *text = NULL, *all;
	size_t i;

	for (i = 0; i < b->configs.nr; i++)
		append(&text, " ", "%s", b->configs.list[i].name);
	all = xprintf("%s, %d times", text, b->done ? b->done : b->rounds);
	free(text);
	return all;
}
