// SPDX-License-Identifier: GPL-2.0-or-later
/* stats */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "json.h"
#include "reason.h"
#include "sysfs.h"
#include "table.h"
#include "util.h"

#define STATS	SMTPRIO "/stats"

static int reset(void)
{
	int err = sysfs_write(STATS "/reset", "1");

	if (err) {
		fail("stats: cannot write %s/reset: %s", STATS, reason(err));
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}

/* All values or none: a table with holes is taken for zeros. */
static char **read_values(char **names)
{
	char **values = xalloc(sizeof(*values));
	size_t i;

	for (i = 0; names[i]; i++) {
		values = xrealloc(values, (i + 2) * sizeof(*values));
		values[i + 1] = NULL;
		if (!strcmp(names[i], "reset"))
			values[i] = xstrdup("");
		else
			values[i] = sysfs_read(STATS "/%s", names[i]);
		if (!values[i]) {
			fail("stats: cannot read %s/%s: %m", STATS, names[i]);
			sysfs_list_free(values);
			return NULL;
		}
	}
	return values;
}

static void print(const struct options *opt, char **names, char **values)
{
	static const struct column columns[] = {
		{ "COUNTER", NULL, COL_TEXT, 0 },
		{ "VALUE", NULL, COL_NUMBER, 0 },
	};
	struct table *t = table_new(columns, ARRAY_SIZE(columns));
	size_t i;

	if (opt->json)
		json_open(NULL, '{');
	for (i = 0; names[i]; i++) {
		if (!strcmp(names[i], "reset"))
			continue;
		if (opt->json)
			json_number(names[i], values[i]);
		else
			table_row(t, names[i], values[i]);
	}
	if (opt->json)
		json_close('}');
	else
		table_print(t);
	table_free(t);
}

int cmd_stats(const struct options *opt, char **args, int nr)
{
	char **names, **values;
	int status = EXIT_FAILURE;

	(void)args;
	(void)nr;
	if (!need_loaded("stats"))
		return EXIT_FAILURE;
	if (opt->reset && reset())
		return EXIT_FAILURE;
	/* JSON always answers; for humans no news is good news. */
	if (opt->reset && !opt->json)
		return EXIT_SUCCESS;
	names = sysfs_list(STATS);
	if (!names) {
		fail("stats: cannot read %s: %m", STATS);
		return status;
	}
	values = read_values(names);
	if (values) {
		print(opt, names, values);
		status = EXIT_SUCCESS;
	}
	sysfs_list_free(values);
	sysfs_list_free(names);
	return status;
}
