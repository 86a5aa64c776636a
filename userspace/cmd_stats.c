// SPDX-License-Identifier: GPL-2.0-or-later
/* stats */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "cmd.h"
#include "counters.h"
#include "json.h"
#include "options.h"
#include "prometheus.h"
#include "reason.h"
#include "sysfs.h"
#include "table.h"
#include "util.h"

static int reset(void)
{
	int err = sysfs_write(STATS_DIR "/reset", "1");

	if (err) {
		fail("stats: cannot write %s/reset: %s", STATS_DIR,
		     reason(err));
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}

static void json_values(const struct counters *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++) {
		char *value = xprintf("%llu", c->values[i]);

		json_number(c->names[i], value);
		free(value);
	}
}

static void print(const struct options *opt, const struct counters *c)
{
	static const struct column columns[] = {
		{ "COUNTER", NULL, COL_TEXT, 0 },
		{ "VALUE", NULL, COL_NUMBER, 0 },
	};
	struct table *t = table_new(columns, ARRAY_SIZE(columns));
	size_t i;

	if (opt->json) {
		json_open(NULL, '{');
		json_values(c);
		json_close('}');
	} else {
		for (i = 0; i < c->nr; i++) {
			char *value = xprintf("%llu", c->values[i]);

			table_row(t, c->names[i], value);
			free(value);
		}
		table_print(t);
	}
	table_free(t);
}

/* Events a second, or NULL when the two do not compare. */
static char *rate(const struct counters *now, const struct counters *before,
		  size_t i, bool follows)
{
	double seconds = now->when - before->when;

	if (!follows || seconds <= 0)
		return NULL;
	return xprintf("%.1f", (now->values[i] - before->values[i]) / seconds);
}

static void sample_json(const struct counters *now,
			const struct counters *before, bool follows)
{
	char *seconds = xprintf("%.3f", now->when - before->when);
	char *when = xprintf("%lld", (long long)time(NULL));
	size_t i;

	json_one_line(true);
	json_open(NULL, '{');
	json_number("time", when);
	json_number("seconds", seconds);
	json_bool("reset", !follows);
	json_open("rates", '{');
	for (i = 0; i < now->nr; i++) {
		char *text = rate(now, before, i, follows);

		json_number(now->names[i], text);
		free(text);
	}
	json_close('}');
	json_open("totals", '{');
	json_values(now);
	json_close('}');
	json_close('}');
	json_one_line(false);
	free(seconds);
	free(when);
}

static void sample_human(const struct counters *now,
			 const struct counters *before, bool follows)
{
	static const struct column columns[] = {
		{ "COUNTER", NULL, COL_TEXT, 0 },
		{ "PER SECOND", NULL, COL_NUMBER, 0 },
		{ "TOTAL", NULL, COL_NUMBER, 0 },
	};
	struct table *t = table_new(columns, ARRAY_SIZE(columns));
	time_t when = time(NULL);
	char clock[16] = "";
	size_t i;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime(&when));
	printf("%s, %.1f s%s\n", clock, now->when - before->when, follows ? "" :
	       ": the counters were reset in between, so there are no rates");
	for (i = 0; i < now->nr; i++) {
		char *text = rate(now, before, i, follows);
		char *total = xprintf("%llu", now->values[i]);

		table_row(t, now->names[i], text, total);
		free(text);
		free(total);
	}
	table_print(t);
	table_free(t);
}

/* One sample for each reading after the first; until a signal, or count. */
static int watch(const struct options *opt)
{
	double interval = opt->interval ? opt->interval : 1;
	struct counters before, now;
	double deadline;
	int nr;

	clock_hold_signals();
	if (counters_read(&before, "stats"))
		return EXIT_FAILURE;
	deadline = before.when;
	for (nr = 0; !opt->count || nr < opt->count; nr++) {
		bool follows;

		/* Steady, but never a reading right after the last one. */
		deadline += interval;
		if (deadline < clock_now())
			deadline = clock_now() + interval;
		if (clock_pause(deadline, false))
			break;
		if (counters_read(&now, "stats")) {
			counters_free(&before);
			return EXIT_FAILURE;
		}
		follows = counters_follow(&now, &before);
		if (nr && !opt->json)
			putchar('\n');
		(opt->json ? sample_json : sample_human)(&now, &before,
							 follows);
		counters_free(&before);
		before = now;
		/* A reader that is gone, or a full disk: main() says it. */
		if (fflush(stdout))
			break;
	}
	counters_free(&before);
	return EXIT_SUCCESS;
}

int cmd_stats(const struct options *opt, char **args, int nr)
{
	struct counters now;

	(void)args;
	(void)nr;
	if (option_given(opt, OPT_PROMETHEUS)) {
		if (opt->given & ~(1u << OPT_SYSROOT | 1u << OPT_PROMETHEUS)) {
			fail("stats: --prometheus takes no other option but --sysroot");
			return EXIT_FAILURE;
		}
		return prometheus_print();
	}
	if (!need_loaded("stats"))
		return EXIT_FAILURE;
	if (opt->reset && reset())
		return EXIT_FAILURE;
	if (option_given(opt, OPT_INTERVAL) || option_given(opt, OPT_COUNT))
		return watch(opt);
	/* JSON always answers; for humans no news is good news. */
	if (opt->reset && !opt->json)
		return EXIT_SUCCESS;
	if (counters_read(&now, "stats"))
		return EXIT_FAILURE;
	print(opt, &now);
	counters_free(&now);
	return EXIT_SUCCESS;
}
