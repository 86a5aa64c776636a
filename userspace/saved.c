// SPDX-License-Identifier: GPL-2.0-or-later
/* The configuration in force: keeping it, changing it, putting it back. */
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "cpulist.h"
#include "knobs.h"
#include "reason.h"
#include "saved.h"
#include "sysfs.h"
#include "topology.h"
#include "util.h"

static int take_knobs(struct saved *s, const char *cmd)
{
	size_t i;

	s->knobs = xalloc(nr_knobs * sizeof(*s->knobs));
	for (i = 0; i < nr_knobs; i++) {
		s->knobs[i] = sysfs_read(SMTPRIO "/%s", knobs[i].name);
		if (s->knobs[i])
			continue;
		fail("%s: cannot read %s/%s: %m", cmd, SMTPRIO, knobs[i].name);
		return -1;
	}
	return 0;
}

static int take_smt(struct saved *s, const char *cmd)
{
	s->smt = sysfs_read(SMT_CONTROL);
	s->online = sysfs_read(CPU_DIR "/online");
	if (!s->smt || !s->online) {
		fail("%s: cannot read %s and %s/online: %m", cmd, SMT_CONTROL,
		     CPU_DIR);
		return -1;
	}
	if (strcmp(s->smt, "on") && strcmp(s->smt, "off")) {
		fail("%s: SMT cannot be switched here: %s is '%s', allowed: on, off",
		     cmd, SMT_CONTROL, s->smt);
		return -1;
	}
	return 0;
}

int saved_take(struct saved *s, const char *cmd, bool with_knobs, bool smt)
{
	*s = (struct saved){ 0 };
	if ((with_knobs && take_knobs(s, cmd)) || (smt && take_smt(s, cmd))) {
		saved_free(s);
		return -1;
	}
	return 0;
}

void saved_free(struct saved *s)
{
	size_t i;

	for (i = 0; s->knobs && i < nr_knobs; i++)
		free(s->knobs[i]);
	free(s->knobs);
	free(s->smt);
	free(s->online);
	*s = (struct saved){ 0 };
}

/* Does the file hold the value? */
static bool holds(const char *path, const char *value)
{
	char *now = sysfs_read("%s", path);
	bool same = now && !strcmp(now, value);

	free(now);
	return same;
}

static void add_change(struct batch *b, const char *path, const char *label,
		       const char *value)
{
	if (!holds(path, value))
		batch_add(b, xstrdup(path), label, value);
}

/* Put back a file; the message, to be freed, when that is impossible. */
static char *put_back(const char *path, const char *value)
{
	int err;

	if (holds(path, value))
		return NULL;
	err = sysfs_write(path, value);
	if (holds(path, value))
		return NULL;
	return xprintf("%s (was '%s'): %s", path, value,
		       err ? reason(err) : "the kernel keeps another value");
}

/* Switching SMT on brings CPUs that were offline for another reason. */
static char *put_back_cpus(const struct saved *s)
{
	struct cpulist was, now;
	char *text = sysfs_read(CPU_DIR "/online"), *failed = NULL;
	size_t i;

	if (!text || !strcmp(text, s->online) ||
	    cpulist_parse(s->online, &was)) {
		free(text);
		return NULL;
	}
	if (!cpulist_parse(text, &now)) {
		for (i = 0; i < now.nr && !failed; i++) {
			char *path = xprintf(CPU_DIR "/cpu%d/online",
					     now.cpu[i]);

			if (!cpulist_has(&was, now.cpu[i]))
				failed = put_back(path, "0");
			free(path);
		}
		cpulist_free(&now);
	}
	cpulist_free(&was);
	free(text);
	return failed;
}

int saved_apply(const struct saved *s, const char *cmd, char *const *values,
		const char *smt)
{
	struct batch b = { 0 };
	char *failed = NULL;
	int status;
	size_t i;

	if (s->smt)
		add_change(&b, SMT_CONTROL, "smt", smt ? smt : s->smt);
	for (i = 0; s->knobs && i < nr_knobs; i++) {
		char *path = xprintf(SMTPRIO "/%s", knobs[i].name);

		add_change(&b, path, knobs[i].name, values && values[i] ?
			   values[i] : s->knobs[i]);
		free(path);
	}
	status = batch_run(&b, cmd);
	if (!status && s->smt && (!smt || !strcmp(smt, s->smt)))
		failed = put_back_cpus(s);
	if (failed) {
		fail("%s: cannot change %s", cmd, failed);
		status = EXIT_FAILURE;
	}
	free(failed);
	return status;
}

static void add_failure(char **list, char *failed)
{
	if (failed)
		append(list, ", ", "%s", failed);
	free(failed);
}

int saved_restore(const struct saved *s, const char *cmd)
{
	char *failed = NULL;
	size_t i;

	if (s->smt) {
		add_failure(&failed, put_back(SMT_CONTROL, s->smt));
		add_failure(&failed, put_back_cpus(s));
	}
	for (i = 0; s->knobs && i < nr_knobs; i++) {
		char *path = xprintf(SMTPRIO "/%s", knobs[i].name);

		add_failure(&failed, put_back(path, s->knobs[i]));
		free(path);
	}
	if (!failed)
		return EXIT_SUCCESS;
	fail("%s: not put back: %s", cmd, failed);
	free(failed);
	return EXIT_PARTIAL;
}
