// SPDX-License-Identifier: GPL-2.0-or-later
/* doctor: run all checks, show them, give a verdict. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "doctor.h"
#include "json.h"
#include "table.h"
#include "util.h"

#define VERDICT_WIDTH	80

static const char *const result_names[] = {
	[RESULT_OK] = "ok",
	[RESULT_WARN] = "warn",
	[RESULT_FAIL] = "FAIL",
	[RESULT_UNKNOWN] = "unknown",
};

/* Failed checks as "name: text; name: text", or NULL. */
static char *run_checks(struct doctor *d, const struct check *checks,
			size_t nr, struct table *t, char *failed)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		char *text = NULL;
		enum result result = checks[i].run(d, &text);

		table_row(t, checks[i].name, result_names[result], text);
		if (result == RESULT_FAIL)
			append(&failed, "; ", "%s: %s", checks[i].name, text);
		free(text);
	}
	return failed;
}

static char *verdict(const struct doctor *d, const char *failed)
{
	if (failed)
		return xprintf("smtprio would not work here: %s", failed);
	return xprintf("smtprio would work here: wake by %s, ilb by %s in %s%s",
		       WAKE_SITE, ILB_SITE, d->callers, d->no_smt ?
		       "; but without SMT it has nothing to do" : "");
}

static void print_json(const struct doctor *d, const struct table *t,
		       bool works, const char *text)
{
	json_open(NULL, '{');
	json_string("kernel", d->release);
	table_json(t, "checks");
	json_bool("works", works);
	json_string("verdict", text);
	json_close('}');
}

static void print_human(const struct table *t, const char *text)
{
	char *lines = wrap_text(text, VERDICT_WIDTH, " ");

	table_print(t);
	printf("\n%s\n", lines);
	free(lines);
}

int cmd_doctor(const struct options *opt, char **args, int nr)
{
	static const struct column columns[] = {
		{ "CHECK", "check", COL_TEXT, 0 },
		{ "RESULT", "result", COL_TEXT, 0 },
		{ "FOUND, OR WHAT TO DO", "text", COL_TEXT, 54 },
	};
	struct table *t = table_new(columns, ARRAY_SIZE(columns));
	char *failed = NULL, *text;
	struct doctor d;

	(void)args;
	(void)nr;
	doctor_open(&d);
	failed = run_checks(&d, kernel_checks, nr_kernel_checks, t, failed);
	failed = run_checks(&d, system_checks, nr_system_checks, t, failed);
	text = verdict(&d, failed);
	if (opt->json)
		print_json(&d, t, !failed, text);
	else
		print_human(t, text);
	nr = failed ? EXIT_FAILURE : EXIT_SUCCESS;
	free(text);
	free(failed);
	table_free(t);
	doctor_close(&d);
	return nr;
}
