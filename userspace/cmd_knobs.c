// SPDX-License-Identifier: GPL-2.0-or-later
/* get, set, mode */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "cmd.h"
#include "json.h"
#include "knobs.h"
#include "sysfs.h"
#include "util.h"

/* For each knob asked for its value; 0, or -1 with the message printed. */
static int read_values(const char *cmd, const bool *wanted, char **values)
{
	size_t i;

	for (i = 0; i < nr_knobs; i++) {
		if (!wanted[i])
			continue;
		values[i] = sysfs_read(SMTPRIO "/%s", knobs[i].name);
		if (!values[i]) {
			fail("%s: cannot read %s/%s: %m", cmd, SMTPRIO,
			     knobs[i].name);
			return -1;
		}
	}
	return 0;
}

static int show(const struct options *opt, const char *cmd, const bool *wanted)
{
	char **values = xalloc(nr_knobs * sizeof(*values));
	int err = read_values(cmd, wanted, values);
	size_t i;

	if (!err && opt->json)
		json_open(NULL, '{');
	for (i = 0; i < nr_knobs; i++) {
		if (!err && values[i]) {
			if (opt->json)
				knob_json(&knobs[i], values[i]);
			else
				printf("%s=%s\n", knobs[i].name, values[i]);
		}
		free(values[i]);
	}
	if (!err && opt->json)
		json_close('}');
	free(values);
	return err ? EXIT_FAILURE : EXIT_SUCCESS;
}

int cmd_get(const struct options *opt, char **args, int nr)
{
	bool *wanted = xalloc(nr_knobs * sizeof(*wanted));
	int status = EXIT_FAILURE, i;

	if (!nr)
		memset(wanted, true, nr_knobs * sizeof(*wanted));
	for (i = 0; i < nr; i++) {
		const struct knob *knob = knob_find(args[i]);

		if (!knob) {
			char *names = knob_names();

			fail("get: unknown key '%s', allowed: %s", args[i],
			     names);
			free(names);
			goto out;
		}
		wanted[knob - knobs] = true;
	}
	if (need_loaded("get"))
		status = show(opt, "get", wanted);
out:
	free(wanted);
	return status;
}

static int apply(const struct options *opt, const char *cmd, char **args,
		 int nr)
{
	bool *wanted = xalloc(nr_knobs * sizeof(*wanted));
	struct settings s = { 0 };
	struct batch b = { 0 };
	int status = EXIT_FAILURE;
	size_t i;

	if (settings_parse(&s, cmd, args, nr) || !need_loaded(cmd))
		goto out;
	for (i = 0; i < nr_knobs; i++) {
		if (!s.value[i])
			continue;
		wanted[i] = true;
		batch_add(&b, xprintf(SMTPRIO "/%s", knobs[i].name),
			  knobs[i].name, s.value[i]);
	}
	status = batch_run(&b, cmd);
	if (!status && opt->json)
		status = show(opt, cmd, wanted);
out:
	settings_free(&s);
	free(wanted);
	return status;
}

int cmd_set(const struct options *opt, char **args, int nr)
{
	if (!nr) {
		char *names = knob_names();

		fail("set: no KEY=VALUE given, allowed keys: %s", names);
		free(names);
		return EXIT_FAILURE;
	}
	return apply(opt, "set", args, nr);
}

static int show_mode(const struct options *opt)
{
	char *mode;

	if (!need_loaded("mode"))
		return EXIT_FAILURE;
	mode = sysfs_read(SMTPRIO "/mode");
	if (!mode) {
		fail("mode: cannot read %s/mode: %m", SMTPRIO);
		return EXIT_FAILURE;
	}
	if (opt->json) {
		json_open(NULL, '{');
		json_string("mode", mode);
		json_close('}');
	} else {
		puts(mode);
	}
	free(mode);
	return EXIT_SUCCESS;
}

int cmd_mode(const struct options *opt, char **args, int nr)
{
	char *setting;
	int status;

	if (!nr)
		return show_mode(opt);
	setting = xprintf("mode=%s", args[0]);
	status = apply(opt, "mode", &setting, 1);
	free(setting);
	return status;
}
