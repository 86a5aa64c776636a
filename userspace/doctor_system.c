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

#define SECURE_BOOT	"/sys/firmware/efi/efivars/" \
			"SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

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

/* "none [integrity] confidentiality": the marked word, or NULL. */
static char *lockdown_state(void)
{
	char *all = sysfs_read("/sys/kernel/security/lockdown");
	char *from = all ? strchr(all, '[') : NULL;
	char *state = NULL;

	if (from)
		state = xprintf("%.*s", (int)strcspn(from + 1, "]"), from + 1);
	free(all);
	return state;
}

static enum result check_lockdown(struct doctor *d, char **text)
{
	char *state = lockdown_state();
	enum result result = RESULT_OK;

	if (state && strcmp(state, "none")) {
		*text = xprintf("%s: only signed modules load", state);
		result = RESULT_WARN;
	} else if (state) {
		*text = xstrdup("none");
	} else if (kconfig_has(&d->config, "SECURITY_LOCKDOWN_LSM")) {
		*text = xstrdup("not known: mount -t securityfs nodev /sys/kernel/security");
		result = RESULT_UNKNOWN;
	} else {
		*text = xstrdup("the kernel has none");
	}
	free(state);
	return result;
}

static enum result check_secure_boot(struct doctor *d, char **text)
{
	size_t len = 0;
	char *value = sysfs_read_raw(SECURE_BOOT, &len);
	bool on = value && len && value[len - 1] == 1;

	(void)d;
	*text = xstrdup(on ? "on: distributions then take signed modules only" :
			value ? "off" : "not there");
	free(value);
	return on ? RESULT_WARN : RESULT_OK;
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

static bool signature_enforced(const struct doctor *d)
{
	char *param = sysfs_read("/sys/module/module/parameters/sig_enforce");
	char *lockdown = lockdown_state();
	bool enforced = (param && *param == 'Y') ||
			(lockdown && strcmp(lockdown, "none")) ||
			kconfig_has(&d->config, "MODULE_SIG_FORCE");

	free(param);
	free(lockdown);
	return enforced;
}

static bool is_signed(const char *path)
{
	static const char mark[] = "~Module signature appended~\n";
	size_t len = 0, mark_len = sizeof(mark) - 1;
	char *file = sysfs_read_raw(path, &len);
	bool found = file && len >= mark_len &&
		     !memcmp(file + len - mark_len, mark, mark_len);

	free(file);
	return found;
}

static enum result check_signature(struct doctor *d, char **text)
{
	const char *end = d->installed ? strrchr(d->installed, '.') : NULL;

	if (!signature_enforced(d)) {
		*text = xstrdup("unsigned modules are taken");
		return RESULT_OK;
	}
	if (d->loaded) {
		*text = xstrdup("enforced, and this module was taken");
		return RESULT_OK;
	}
	if (end && strcmp(end, ".ko")) {
		*text = xprintf("enforced; the installed module is compressed, see: modinfo -F signer smtprio; %s",
				ENROL_HINT);
		return RESULT_UNKNOWN;
	}
	if (end && is_signed(d->installed)) {
		*text = xstrdup("enforced; the installed module is signed, its key must be enrolled (mokutil --list-enrolled)");
		return RESULT_WARN;
	}
	*text = xstrdup("enforced; " ENROL_HINT);
	return RESULT_FAIL;
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

/* signature looks at what module found. */
const struct check system_checks[] = {
	{ "ftrace", check_traceable },
	{ "ftrace_enabled", check_enabled },
	{ "owner", check_owner },
	{ "SMT", check_smt },
	{ "lockdown", check_lockdown },
	{ "Secure Boot", check_secure_boot },
	{ "headers", check_headers },
	{ "module", check_module },
	{ "signature", check_signature },
};

const size_t nr_system_checks = ARRAY_SIZE(system_checks);
