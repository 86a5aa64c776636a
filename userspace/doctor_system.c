// SPDX-License-Identifier: GPL-2.0-or-later
/* What doctor asks of the state of the kernel and the machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "sysfs.h"
#include "topology.h"
#include "util.h"

static const char *const tracefs[] = {
	"/sys/kernel/tracing",
	"/sys/kernel/debug/tracing",
};

/* A file of tracefs, wherever that is mounted; NULL with errno. */
static FILE *trace_stream(const char *name)
{
	FILE *f = NULL;
	int err = ENOENT;
	size_t i;

	for (i = 0; !f && i < ARRAY_SIZE(tracefs); i++) {
		char *path = xprintf("%s/%s", tracefs[i], name);

		f = sysfs_stream(path);
		/* "Not permitted" tells more than "not there". */
		if (!f && errno != ENOENT)
			err = errno;
		free(path);
	}
	errno = err;
	return f;
}

/* Does the line start with this whole word? What follows it, or NULL. */
static const char *after_word(const char *line, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(line, word, len) || !strchr(" \t\n", line[len]))
		return NULL;
	return line + len;
}

static enum result no_tracefs(char **text)
{
	if (errno == EACCES || errno == EPERM)
		*text = xstrdup("tracefs is not readable: run doctor as root");
	else
		*text = xstrdup("tracefs is not there: mount -t tracefs nodev /sys/kernel/tracing");
	return RESULT_UNKNOWN;
}

static enum result check_traceable(struct doctor *d, char **text)
{
	static const char *const sites[] = { WAKE_SITE, ILB_SITE };
	bool found[ARRAY_SIZE(sites)] = { false };
	FILE *f = trace_stream("available_filter_functions");
	char *line = NULL, *missing = NULL;
	size_t size = 0, i;

	(void)d;
	if (!f)
		return no_tracefs(text);
	while (getline(&line, &size, f) > 0)
		for (i = 0; i < ARRAY_SIZE(sites); i++)
			if (after_word(line, sites[i]) && !strchr(line, '['))
				found[i] = true;
	free(line);
	fclose(f);
	for (i = 0; i < ARRAY_SIZE(sites); i++)
		if (!found[i])
			append(&missing, ", ", "%s", sites[i]);
	if (!missing) {
		*text = xprintf("can patch %s and %s", WAKE_SITE, ILB_SITE);
		return RESULT_OK;
	}
	*text = xprintf("cannot patch %s; this takes another kernel", missing);
	free(missing);
	return RESULT_FAIL;
}

static enum result check_enabled(struct doctor *d, char **text)
{
	char *state = sysfs_read("/proc/sys/kernel/ftrace_enabled");
	enum result result = RESULT_OK;

	(void)d;
	if (!state) {
		*text = xstrdup("cannot read /proc/sys/kernel/ftrace_enabled");
		return RESULT_UNKNOWN;
	}
	if (strcmp(state, "0")) {
		*text = xstrdup("ftrace is on");
	} else {
		*text = xstrdup("ftrace is off: sysctl kernel.ftrace_enabled=1");
		result = RESULT_FAIL;
	}
	free(state);
	return result;
}

/*
 * Is a flag among those of "function (1) R I \ttramp: ..." in
 * enabled_functions? They are single letters, up to a tab or the line's end.
 */
static bool has_flag(const char *rest, char flag)
{
	const char *flags = strchr(rest, ')');

	return flags && memchr(flags, flag, strcspn(flags, "\t\n"));
}

static enum result check_owner(struct doctor *d, char **text)
{
	FILE *f = trace_stream("enabled_functions");
	char *line = NULL, *owned = NULL;
	size_t size = 0;

	if (!f)
		return no_tracefs(text);
	while (getline(&line, &size, f) > 0) {
		const char *rest = after_word(line, WAKE_SITE);

		if (!rest)
			rest = after_word(line, ILB_SITE);
		if (rest && has_flag(rest, 'I'))
			append(&owned, ", ", "%.*s", (int)(rest - line), line);
	}
	free(line);
	fclose(f);
	if (owned && !d->loaded) {
		*text = xprintf("another owner (a livepatch?) redirects %s: disable it first",
				owned);
		free(owned);
		return RESULT_FAIL;
	}
	*text = xstrdup(owned ? "redirected by smtprio" :
				"nobody else redirects these functions");
	free(owned);
	return RESULT_OK;
}

static enum result check_smt(struct doctor *d, char **text)
{
	char *control = sysfs_read(CPU_DIR "/smt/control");
	size_t smt_cores = 0, threads = 1, i;
	struct topology t;

	if (topology_read(&t, NULL)) {
		*text = xprintf("cannot read %s", CPU_DIR);
		free(control);
		return RESULT_UNKNOWN;
	}
	for (i = 0; i < t.nr_cores; i++) {
		smt_cores += t.cores[i].cpus.nr > 1;
		if (t.cores[i].cpus.nr > threads)
			threads = t.cores[i].cpus.nr;
	}
	d->no_smt = !t.smt;
	if (t.smt)
		*text = xprintf("%zu cores, %zu of them with up to %zu threads",
				t.nr_cores, smt_cores, threads);
	else if (control && !strcmp(control, "off"))
		*text = xprintf("no SMT: it is switched off; to use it: echo on > %s/smt/control",
				CPU_DIR);
	else
		*text = xprintf("no SMT: no core has two online threads (smt/control: %s)",
				control ? control : "unknown");
	topology_free(&t);
	free(control);
	return d->no_smt ? RESULT_WARN : RESULT_OK;
}

/* The installed module's path, to be freed, or NULL. */
static char *find_installed(const struct doctor *d)
{
	char *dep = sysfs_read("/lib/modules/%s/modules.dep",
			       d->release ? d->release : "");
	char *rest = dep, *line, *path = NULL;

	while (!path && (line = strsep(&rest, "\n"))) {
		const char *name;

		line[strcspn(line, ":")] = '\0';
		name = strrchr(line, '/');
		if (!strncmp(name ? name + 1 : line, "smtprio.ko", 10))
			path = xprintf("/lib/modules/%s/%s", d->release, line);
	}
	free(dep);
	return path;
}

static enum result check_module(struct doctor *d, char **text)
{
	char *version;

	d->installed = find_installed(d);
	if (d->loaded) {
		version = sysfs_read(SMTPRIO "/version");
		*text = xprintf("loaded, version %s",
				version ? version : "unknown");
		free(version);
	} else if (d->installed) {
		*text = xprintf("installed, not loaded (%s)", d->installed);
	} else {
		*text = xstrdup("not installed: make dkms-install");
		return RESULT_WARN;
	}
	return RESULT_OK;
}

static enum result check_headers(struct doctor *d, char **text)
{
	const char *release = d->release ? d->release : "VERSION";

	if (sysfs_exists("/lib/modules/%s/build/Makefile", release)) {
		*text = xstrdup("installed");
		return RESULT_OK;
	}
	*text = xprintf("missing, needed to build: apt install linux-headers-%s",
			release);
	return RESULT_WARN;
}

const struct check system_checks[] = {
	{ "ftrace", check_traceable },
	{ "ftrace_enabled", check_enabled },
	{ "owner", check_owner },
	{ "SMT", check_smt },
	{ "lockdown", check_lockdown },
	{ "Secure Boot", check_secure_boot },
	{ "MOK", check_mok },
	{ "headers", check_headers },
	{ "module", check_module },
	{ "signature", check_signature },
};

const size_t nr_system_checks = ARRAY_SIZE(system_checks);
