// SPDX-License-Identifier: GPL-2.0-or-later
/* bench */
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "clock.h"
#include "cmd.h"
#include "command.h"
#include "counters.h"
#include "guardian.h"
#include "saved.h"
#include "util.h"

#define DEFAULT_CONFIGS	"off,enforce"
#define DEFAULT_RUNS	10

/* What a run needs besides the bench. */
struct session {
	struct bench b;
	struct saved saved;
	struct guardian guardian;
	regex_t regex;
	FILE *html;
	bool html_is_new;
	bool progress;
	double began;
};

static void put_back(void *arg)
{
	saved_restore(arg, "bench");
}

static void started(void *arg, pid_t group)
{
	struct session *s = arg;

	guardian_watch(&s->guardian, group);
}

/* "[ 3/20] enforce: 12 s, about 68 s left" */
static void tick(void *arg)
{
	struct session *s = arg;
	struct bench *b = &s->b;
	size_t all = b->rounds * b->configs.nr;
	double passed = clock_now() - s->began;

	if (!s->progress)
		return;
	fprintf(stderr, "\r\033[K[%zu/%zu] %s: %.0f s", b->nr_runs + 1, all,
		b->configs.list[b->nr_runs % b->configs.nr].name, passed);
	if (b->nr_runs)
		fprintf(stderr, ", about %.0f s left",
			passed / b->nr_runs * (all - b->nr_runs));
	fflush(stderr);
}

static void clear_progress(const struct session *s)
{
	if (s->progress)
		fputs("\r\033[K", stderr);
}

/* The number in the first group of the match, or in the match: 0 or -1. */
static int find_number(const struct session *s, const char *output,
		       double *value)
{
	regmatch_t m[2];
	char *text, *from, *end;
	int err = -1;

	if (regexec(&s->regex, output, 2, m, 0))
		return -1;
	if (m[1].rm_so < 0)
		m[1] = m[0];
	text = xprintf("%.*s", (int)(m[1].rm_eo - m[1].rm_so),
		       output + m[1].rm_so);
	for (from = text; *from && err; from++) {
		/* No "inf", "nan" or "0x", which strtod() takes too. */
		if (!strchr("0123456789.-+", *from))
			continue;
		*value = strtod(from, &end);
		if (end != from && isfinite(*value))
			err = 0;
	}
	free(text);
	return err;
}

static void count(struct run *run, const struct counters *before,
		  const struct counters *now)
{
	bool known = before->nr && now->nr && counters_follow(now, before);

	run->count[COUNT_CPU] = 100 * (run->user + run->system) / run->wall;
	run->count[COUNT_REDIRECTS] = known ?
		counters_moved(now, before, "") : NAN;
	run->count[COUNT_WOULD] = known ?
		counters_would(now, before, "") : NAN;
	run->count[COUNT_TO_MULTI] = known && counters_account() ?
		counters_sum(now, before, "core_to_multi") : NAN;
}

static int failed_run(const struct session *s, const char *why)
{
	const struct bench *b = &s->b;

	clear_progress(s);
	fail("bench: run %zu of %zu (%s): %s", b->nr_runs + 1,
	     b->rounds * b->configs.nr,
	     b->configs.list[b->nr_runs % b->configs.nr].name, why);
	return -1;
}

static int take_run(struct session *s, struct run *run,
		    const struct command_end *end)
{
	char *why = command_failure(s->b.argv, end), *message;

	if (end->asked) {
		free(why);
		message = xprintf("stopped by signal %d (%s)", end->asked,
				  strsignal(end->asked));
		failed_run(s, message);
		free(message);
		return -1;
	}
	if (why) {
		failed_run(s, why);
		free(why);
		return -1;
	}
	run->wall = end->wall;
	run->user = end->user;
	run->system = end->system;
	run->value = end->wall;
	if (s->b.metric && find_number(s, end->output, &run->value))
		return failed_run(s, "--metric finds no number in the output");
	return 0;
}

static int run_one(struct session *s)
{
	const struct command_watch watch = { started, tick, s };
	struct bench *b = &s->b;
	size_t config = b->nr_runs % b->configs.nr;
	const struct config *c = &b->configs.list[config];
	struct counters before = { 0 }, now = { 0 };
	struct run *run = &b->runs[b->nr_runs];
	struct command_end end;
	int err;

	tick(s);
	if (saved_apply(&s->saved, "bench", c->knobs.value, c->smt))
		return -1;
	counters_read(&before, NULL);
	command_run(b->argv, &watch, &end);
	counters_read(&now, NULL);
	run->config = config;
	err = take_run(s, run, &end);
	if (!err) {
		count(run, &before, &now);
		b->nr_runs++;
	}
	counters_free(&before);
	counters_free(&now);
	free(end.output);
	return err;
}

static int run_all(struct session *s)
{
	struct bench *b = &s->b;
	size_t all = b->rounds * b->configs.nr;
	int err = 0;

	s->began = clock_now();
	b->runs = xalloc(all * sizeof(*b->runs));
	while (!err && b->nr_runs < all)
		err = run_one(s);
	clear_progress(s);
	b->done = b->nr_runs / b->configs.nr;
	return err;
}

/* A file that was there before stays as it is until there is a report. */
static int open_html(struct session *s, const char *path)
{
	if (!path)
		return 0;
	s->html_is_new = access(path, F_OK);
	s->html = fopen(path, "a");
	if (s->html)
		return 0;
	fail("bench: cannot write '%s': %m", path);
	return -1;
}

static int close_html(struct session *s, const char *path, bool report)
{
	int err = 0;

	if (!s->html)
		return 0;
	if (report) {
		if (ftruncate(fileno(s->html), 0))
			err = -1;
		bench_html(&s->b, s->html);
	}
	if (ferror(s->html) || fclose(s->html))
		err = -1;
	if (err)
		fail("bench: cannot write '%s': %m", path);
	if (!report && s->html_is_new)
		unlink(path);
	return err;
}

static void report(const struct options *opt, struct bench *b)
{
	bench_sum(b);
	if (opt->json)
		bench_json(b);
	else if (opt->csv)
		bench_csv(b);
	else
		bench_print(b);
}

/* With everything ready: from here on the configuration is changed. */
static int measure(struct session *s, const struct options *opt)
{
	int status = EXIT_SUCCESS, err;
	char *order = bench_order(&s->b);

	if (!opt->json && !opt->csv) {
		printf("order: %s\n", order);
		fflush(stdout);
	}
	free(order);
	clock_hold_signals();
	if (guardian_start(&s->guardian, put_back, &s->saved)) {
		fail("bench: cannot start the process that puts things right: %m");
		return EXIT_FAILURE;
	}
	err = run_all(s);
	/* The guardian stays until all is put back. */
	status = saved_restore(&s->saved, "bench");
	guardian_dismiss(&s->guardian);
	if (s->b.done)
		report(opt, &s->b);
	if (err && s->b.done)
		fail("bench: the report is of the %d complete rounds of %d",
		     s->b.done, s->b.rounds);
	if (close_html(s, opt->html, s->b.done) || err)
		status = status ? status : EXIT_FAILURE;
	return status;
}

static int prepare_metric(struct session *s)
{
	char text[128];
	int err;

	if (!s->b.metric)
		return 0;
	err = regcomp(&s->regex, s->b.metric, REG_EXTENDED | REG_NEWLINE);
	if (!err)
		return 0;
	regerror(err, &s->regex, text, sizeof(text));
	fail("bench: --metric: bad value '%s': %s, allowed: an extended regular expression",
	     s->b.metric, text);
	return -1;
}

/* Custom priorities are lost by leaving them. */
static int check_source(const struct session *s)
{
	const struct knob *source = knob_find("priority_source");
	size_t at = source - knobs, i;

	for (i = 0; i < s->b.configs.nr; i++) {
		const struct settings *k = &s->b.configs.list[i].knobs;

		if (!k->value || !k->value[at] || !s->saved.knobs[at] ||
		    strcmp(s->saved.knobs[at], "custom") ||
		    !strcmp(k->value[at], "custom"))
			continue;
		fail("bench: configuration '%s': priority_source is custom here and its priorities would be lost, allowed: custom",
		     s->b.configs.list[i].name);
		return -1;
	}
	return 0;
}

static int check_arguments(const struct options *opt, int nr)
{
	if (!opt->dashes || !nr) {
		fail("bench: no command after \"--\", as in: smtprioctl bench -n 10 -- sleep 1");
		return -1;
	}
	if (opt->json && opt->csv) {
		fail("bench: --json and --csv are given, allowed: one of them");
		return -1;
	}
	return 0;
}

int cmd_bench(const struct options *opt, char **args, int nr)
{
	struct session s = {
		.b.argv = args,
		.b.metric = opt->metric,
		.b.rounds = opt->count ? opt->count : DEFAULT_RUNS,
		.progress = isatty(STDERR_FILENO),
	};
	int status = EXIT_FAILURE;

	if (check_arguments(opt, nr) || prepare_metric(&s))
		return EXIT_FAILURE;
	if (configs_parse(&s.b.configs, "bench",
			  opt->configs ? opt->configs : DEFAULT_CONFIGS))
		goto out;
	if (s.b.configs.knobs && !need_loaded("bench"))
		goto out;
	if (saved_take(&s.saved, "bench", s.b.configs.knobs,
		       s.b.configs.smt))
		goto out;
	if (!check_source(&s) && !open_html(&s, opt->html))
		status = measure(&s, opt);
out:
	if (s.b.metric)
		regfree(&s.regex);
	saved_free(&s.saved);
	configs_free(&s.b.configs);
	free(s.b.runs);
	free(s.b.results);
	return status;
}
