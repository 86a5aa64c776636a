// SPDX-License-Identifier: GPL-2.0-or-later
/* What bench prints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "json.h"
#include "table.h"
#include "util.h"

#define WIDTH	80

static const char *const count_names[NR_COUNTS] = {
	[COUNT_CPU] = "cpu_percent",
	[COUNT_REDIRECTS] = "redirects",
	[COUNT_WOULD] = "would_redirect",
	[COUNT_TO_MULTI] = "to_multi",
};

static double relative(double part, double whole)
{
	return 100 * part / fabs(whole);
}

static double deviation_percent(const struct sample *s)
{
	return relative(sample_deviation(s), s->mean);
}

static double error_percent(const struct sample *s)
{
	return relative(sample_error(s), s->mean);
}

static double mean_of(const struct sample *s)
{
	return s->nr ? s->mean : NAN;
}

static void add_row(struct table *t, const struct bench *b, size_t i)
{
	const struct config_result *r = &b->results[i];
	char *mean = bench_number(r->value.mean);
	char *spread = !isfinite(deviation_percent(&r->value)) ? NULL :
		       xprintf("[%4.1f%%/%4.1f%%]",
			       deviation_percent(&r->value),
			       error_percent(&r->value));
	char *change = bench_change(b, i);
	char *cpu = bench_fixed(mean_of(&r->count[COUNT_CPU]), 1, "");
	char *redirects = bench_fixed(mean_of(&r->count[COUNT_REDIRECTS]), 0, "");
	char *multi = bench_fixed(mean_of(&r->count[COUNT_TO_MULTI]), 0, "");
	char *p = isnan(r->p) ? NULL : r->p < 0.0001 ? xstrdup("<0.0001") :
		  xprintf("%.4f", r->p);

	table_row(t, b->configs.list[i].name, mean, spread, change, cpu,
		  redirects, multi, p);
	free(multi);
	free(mean);
	free(spread);
	free(change);
	free(cpu);
	free(redirects);
	free(p);
}

static void print_line(char *text)
{
	char *lines = wrap_text(text, WIDTH, " ");

	puts(lines);
	free(lines);
	free(text);
}

void bench_print(const struct bench *b)
{
	struct column columns[] = {
		{ "CONFIG", NULL, COL_TEXT, 20 },
		{ "MEAN", NULL, COL_NUMBER, 0 },
		{ "[STD% / SEM%]", NULL, COL_NUMBER, 0 },
		{ "+/-", NULL, COL_NUMBER, 0 },
		{ "CPU%", NULL, COL_NUMBER, 0 },
		{ "REDIR", NULL, COL_NUMBER, 0 },
		{ "MULTI", NULL, COL_NUMBER, 0 },
		{ "P", NULL, COL_NUMBER, 0 },
	};
	struct table *t = table_new(columns, ARRAY_SIZE(columns));
	bool multi = b->results[0].count[COUNT_TO_MULTI].nr;
	char *command = bench_command(b);
	size_t i;

	/* Only where the module accounts for it, and then there is less room. */
	if (multi)
		columns[0].wrap = 12;
	else
		columns[6].head = NULL;
	print_line(xprintf("%s%s%s of: %s", b->metric ? "number '" : "seconds",
			   b->metric ? b->metric : "", b->metric ? "'" : "",
			   command));
	putchar('\n');
	for (i = 0; i < b->configs.nr; i++)
		add_row(t, b, i);
	table_print(t);
	putchar('\n');
	for (i = 1; i < b->configs.nr; i++)
		print_line(bench_verdict(b, i));
	print_line(xprintf("CPU%%: 100 is one CPU. REDIR: redirects a run.%s P: Welch's t test against %s%s.",
			   multi ? " MULTI: cores going to multi mode, a run." : "",
			   b->configs.list[0].name, b->configs.nr > 2 ?
			   ", by Holm for several comparisons" : ""));
	table_free(t);
	free(command);
}

static void json_settings(const struct config *c)
{
	size_t i;

	json_open("settings", '{');
	for (i = 0; c->knobs.value && i < nr_knobs; i++)
		if (c->knobs.value[i])
			knob_json(&knobs[i], c->knobs.value[i]);
	if (c->smt)
		json_string("smt", c->smt);
	json_close('}');
}

static void json_config(const struct bench *b, size_t config)
{
	const struct config_result *r = &b->results[config];
	size_t i;

	json_open(NULL, '{');
	json_string("name", b->configs.list[config].name);
	json_settings(&b->configs.list[config]);
	json_double("mean", mean_of(&r->value));
	json_double("std_percent", deviation_percent(&r->value));
	json_double("sem_percent", error_percent(&r->value));
	json_double("change_percent", config ? r->change : NAN);
	for (i = 0; i < NR_COUNTS; i++)
		json_double(count_names[i], mean_of(&r->count[i]));
	json_double("t", config ? r->welch.t : NAN);
	json_double("df", config ? r->welch.df : NAN);
	json_double("p", config ? r->welch.p : NAN);
	json_double("p_corrected", r->p);
	if (config && !isnan(r->p))
		json_bool("differs", bench_differs(r));
	else
		json_string("differs", NULL);
	json_double("runs_needed", r->runs_needed ? (double)r->runs_needed :
						    NAN);
	json_close('}');
}

void bench_json(const struct bench *b)
{
	size_t i, j;

	json_open(NULL, '{');
	json_open("command", '[');
	for (i = 0; b->argv[i]; i++)
		json_string(NULL, b->argv[i]);
	json_close(']');
	json_string("metric", b->metric);
	json_double("rounds", b->done);
	json_open("configs", '[');
	for (i = 0; i < b->configs.nr; i++)
		json_config(b, i);
	json_close(']');
	json_open("runs", '[');
	for (i = 0; i < b->done * b->configs.nr; i++) {
		const struct run *r = &b->runs[i];

		json_open(NULL, '{');
		json_string("config", b->configs.list[r->config].name);
		json_double("value", r->value);
		json_double("wall_seconds", r->wall);
		json_double("user_seconds", r->user);
		json_double("system_seconds", r->system);
		for (j = 0; j < NR_COUNTS; j++)
			json_double(count_names[j], r->count[j]);
		json_close('}');
	}
	json_close(']');
	json_close('}');
}

/* Names hold no quotes: commas are all that needs them. */
void bench_csv(const struct bench *b)
{
	size_t i, j;

	printf("run,config,value,wall_seconds,user_seconds,system_seconds");
	for (j = 0; j < NR_COUNTS; j++)
		printf(",%s", count_names[j]);
	putchar('\n');
	for (i = 0; i < b->done * b->configs.nr; i++) {
		const struct run *r = &b->runs[i];

		printf("%zu,\"%s\",%.9g,%.6f,%.6f,%.6f", i + 1,
		       b->configs.list[r->config].name, r->value, r->wall,
		       r->user, r->system);
		for (j = 0; j < NR_COUNTS; j++) {
			if (isnan(r->count[j]))
				putchar(',');
			else
				printf(",%.9g", r->count[j]);
		}
		putchar('\n');
	}
}
