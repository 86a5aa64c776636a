// SPDX-License-Identifier: GPL-2.0-or-later
/* What doctor asks of the way the kernel was built. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "doctor.h"
#include "sysfs.h"
#include "util.h"

/* Supported kernel series, as major * 100 + minor. */
#define OLDEST_SERIES	601
#define NEWEST_SERIES	703
#define SERIES_TEXT	"6.1 to 7.3"

static enum result check_release(struct doctor *d, char **text)
{
	int major, minor, series;

	if (!d->release ||
	    sscanf(d->release, "%d.%d", &major, &minor) != 2) {
		*text = xstrdup("cannot read the kernel's version");
		return RESULT_UNKNOWN;
	}
	series = major * 100 + minor;
	if (series >= OLDEST_SERIES && series <= NEWEST_SERIES) {
		*text = xprintf("%s", d->release);
		return RESULT_OK;
	}
	*text = xprintf("%s is untested, tested are " SERIES_TEXT,
			d->release);
	return RESULT_WARN;
}

static const struct {
	const char *name;
	const char *option;	/* of the kernel's configuration */
	const char *uname;
} machines[] = {
	{ "amd64", "X86_64", "x86_64" },
	{ "arm64", "ARM64", "aarch64" },
};

static enum result check_machine(struct doctor *d, char **text)
{
	struct utsname host = { 0 };
	size_t i;

	/* The host's name for itself says nothing about a recorded tree. */
	if (!sysfs_rooted())
		uname(&host);
	for (i = 0; i < ARRAY_SIZE(machines); i++) {
		if (!kconfig_has(&d->config, machines[i].option) &&
		    strcmp(host.machine, machines[i].uname))
			continue;
		*text = xstrdup(machines[i].name);
		return RESULT_OK;
	}
	if (!d->config.text && !*host.machine) {
		*text = xstrdup("not known without the kernel's configuration");
		return RESULT_UNKNOWN;
	}
	*text = xstrdup("this one is untested, tested are amd64 and arm64");
	return RESULT_WARN;
}

/* Each row: one of the options must be y. */
static const char *const needed_options[][2] = {
	{ "MODULES" },
	{ "KALLSYMS" },
	{ "KPROBES" },
	{ "FUNCTION_TRACER" },
	{ "DYNAMIC_FTRACE_WITH_REGS", "DYNAMIC_FTRACE_WITH_ARGS" },
	{ "SCHED_SMT" },
	{ "NO_HZ_COMMON" },
};

static enum result check_config(struct doctor *d, char **text)
{
	char *missing = NULL;
	size_t i;

	if (!d->config.text) {
		*text = xprintf("no configuration found (/boot/config-%s or /proc/config.gz)",
				d->release ? d->release : "VERSION");
		return RESULT_UNKNOWN;
	}
	for (i = 0; i < ARRAY_SIZE(needed_options); i++) {
		const char *first = needed_options[i][0];
		const char *second = needed_options[i][1];

		if (kconfig_has(&d->config, first) ||
		    (second && kconfig_has(&d->config, second)))
			continue;
		append(&missing, ", ", "CONFIG_%s%s%s", first,
		       second ? " or CONFIG_" : "", second ? second : "");
	}
	if (!missing) {
		*text = xprintf("all needed options are set (%s)",
				d->config.source);
		return RESULT_OK;
	}
	*text = xprintf("not set: %s; this takes another kernel", missing);
	free(missing);
	return RESULT_FAIL;
}

static enum result check_compiler(struct doctor *d, char **text)
{
	if (!d->config.text) {
		*text = xstrdup("not known without the kernel's configuration");
		return RESULT_UNKNOWN;
	}
	if (kconfig_has(&d->config, "CC_IS_CLANG")) {
		*text = xstrdup("the kernel was built by clang: build the module with LLVM=1");
		return RESULT_WARN;
	}
	*text = xstrdup("the kernel was built by gcc");
	return RESULT_OK;
}

/*
 * The symbols looked for: REQUIRED ones as in SMTPRIO_FUNCTIONS of
 * module/symbols.h, with the functions redirected; of the CALLERs one will do;
 * the checks below tell what the others are for.
 */
enum need { REQUIRED, CALLER, OTHER };

static const struct {
	const char *name;
	enum need need;
} wanted[] = {
	{ WAKE_SITE, REQUIRED },
	{ ILB_SITE, REQUIRED },
	{ "idle_cpu", REQUIRED },
	{ "kallsyms_lookup_name", REQUIRED },
	{ "kallsyms_lookup_size_offset", REQUIRED },
	{ "ftrace_location", REQUIRED },
	{ "kick_ilb", CALLER },
	{ "nohz_balancer_kick", CALLER },
	{ "sched_balance_trigger", CALLER },
	{ "trigger_load_balance", CALLER },
	{ "sd_llc", OTHER },
	{ "cpus_share_cache", OTHER },
	{ "sched_domains_free_llc_id", OTHER },
	{ "nohz", OTHER },
	{ "tick_nohz_tick_stopped_cpu", OTHER },
	{ "arch_asym_cpu_priority", OTHER },
	{ "x86_smt_flags", OTHER },
	{ "cpu_smt_flags", OTHER },
	{ "arch_update_cpu_topology", OTHER },
	{ "topology_update_cpu_topology", OTHER },
	{ "rebuild_sched_domains", OTHER },
};

static void read_symbols(struct doctor *d)
{
	size_t i;

	d->nr_symbols = ARRAY_SIZE(wanted);
	d->symbols = xalloc(d->nr_symbols * sizeof(*d->symbols));
	for (i = 0; i < d->nr_symbols; i++)
		d->symbols[i].name = wanted[i].name;
	d->symbols_err = kallsyms_find(d->symbols, d->nr_symbols);
	for (i = 0; i < d->nr_symbols; i++)
		if (wanted[i].need == CALLER && d->symbols[i].text)
			append(&d->callers, " ", "%s", wanted[i].name);
}

static enum result symbols_unknown(const struct doctor *d, char **text)
{
	*text = xprintf("cannot read /proc/kallsyms: %s",
			strerror(-d->symbols_err));
	/* Nothing works without them, so this is not just unknown. */
	return RESULT_FAIL;
}

/* Names of one kind that are missing as text, with their clones. */
static char *missing_text(const struct doctor *d, enum need need)
{
	char *missing = NULL;
	size_t i;

	for (i = 0; i < d->nr_symbols; i++) {
		const struct symbol *s = &d->symbols[i];

		if (wanted[i].need != need || s->text)
			continue;
		if (s->clone)
			append(&missing, ", ", "%s (only the clone %s, which must not be hooked)",
			       s->name, s->clone);
		else
			append(&missing, ", ", "%s", s->name);
	}
	return missing;
}

static const struct symbol *find(const struct doctor *d, const char *name)
{
	size_t i;

	for (i = 0; i < d->nr_symbols; i++)
		if (!strcmp(wanted[i].name, name))
			return &d->symbols[i];
	/* A name that is not in the table is a mistake of this file. */
	abort();
}

static bool has_function(const struct doctor *d, const char *name)
{
	return find(d, name)->text;
}

static bool has_data(const struct doctor *d, const char *name)
{
	return find(d, name)->data;
}

/*
 * How the module tells scheduling domains apart. cpus_share_cache() can stand
 * in, but not on kernels that number caches as the hardware has them.
 */
static void add_domains_missing(const struct doctor *d, char **missing)
{
	if (has_data(d, "sd_llc"))
		return;
	if (has_function(d, "sched_domains_free_llc_id"))
		append(missing, ", ", "sd_llc (KALLSYMS_ALL off?)");
	else if (!has_function(d, "cpus_share_cache"))
		append(missing, ", ", "sd_llc or cpus_share_cache");
}

static enum result check_symbols(struct doctor *d, char **text)
{
	char *missing;

	if (d->symbols_err)
		return symbols_unknown(d, text);
	missing = missing_text(d, REQUIRED);
	add_domains_missing(d, &missing);
	if (missing) {
		*text = xprintf("missing: %s; this takes another kernel",
				missing);
		free(missing);
		return RESULT_FAIL;
	}
	*text = xstrdup("all needed symbols are there");
	return RESULT_OK;
}

static enum result check_callers(struct doctor *d, char **text)
{
	char *missing;

	if (d->symbols_err)
		return symbols_unknown(d, text);
	if (d->callers) {
		*text = xprintf("idle balancing kicks from %s", d->callers);
		return RESULT_OK;
	}
	missing = missing_text(d, CALLER);
	*text = xprintf("missing, one is needed: %s; this takes another kernel",
			missing);
	free(missing);
	return RESULT_FAIL;
}

static enum result check_nohz(struct doctor *d, char **text)
{
	if (d->symbols_err)
		return symbols_unknown(d, text);
	if (has_data(d, "nohz")) {
		*text = xstrdup("the kernel's idle mask (nohz) is there");
		return RESULT_OK;
	}
	if (has_function(d, "tick_nohz_tick_stopped_cpu") &&
	    has_function(d, "cpus_share_cache"))
		*text = xstrdup("no data symbol nohz (KALLSYMS_ALL off?): tick_nohz_tick_stopped_cpu stands in");
	else
		*text = xstrdup("no data symbol nohz, and not both of tick_nohz_tick_stopped_cpu and cpus_share_cache: ilb changes nothing");
	return RESULT_WARN;
}

static enum result check_arch(struct doctor *d, char **text)
{
	if (d->symbols_err)
		return symbols_unknown(d, text);
	if (has_function(d, "arch_asym_cpu_priority")) {
		*text = xstrdup("priority_source=arch can be used");
		return RESULT_OK;
	}
	*text = xstrdup("no arch_asym_cpu_priority: priority_source=arch is refused, the others work");
	return RESULT_WARN;
}

/* What packing redirects or calls; of each row one. */
static const char *const packing_functions[][2] = {
	{ "arch_asym_cpu_priority" },
	{ "x86_smt_flags", "cpu_smt_flags" },
	{ "arch_update_cpu_topology", "topology_update_cpu_topology" },
	{ "rebuild_sched_domains" },
};

static enum result check_packing(struct doctor *d, char **text)
{
	char *missing = NULL;
	size_t i;

	if (d->symbols_err)
		return symbols_unknown(d, text);
	for (i = 0; i < ARRAY_SIZE(packing_functions); i++) {
		const char *first = packing_functions[i][0];
		const char *second = packing_functions[i][1];

		if (has_function(d, first) ||
		    (second && has_function(d, second)))
			continue;
		append(&missing, ", ", "%s%s%s", first,
		       second ? " or " : "", second ? second : "");
	}
	if (!missing) {
		*text = xstrdup("packing=1 can be used");
		return RESULT_OK;
	}
	*text = xprintf("missing: %s; packing=1 is refused, the rest works",
			missing);
	free(missing);
	return RESULT_WARN;
}

void doctor_open(struct doctor *d)
{
	*d = (struct doctor){ 0 };
	d->release = sysfs_read("/proc/sys/kernel/osrelease");
	d->loaded = sysfs_exists(SMTPRIO);
	kconfig_read(&d->config, d->release ? d->release : "");
	read_symbols(d);
}

void doctor_close(struct doctor *d)
{
	size_t i;

	for (i = 0; i < d->nr_symbols; i++)
		free(d->symbols[i].clone);
	free(d->symbols);
	kconfig_free(&d->config);
	free(d->callers);
	free(d->installed);
	free(d->release);
}

const struct check kernel_checks[] = {
	{ "kernel", check_release },
	{ "machine", check_machine },
	{ "config", check_config },
	{ "compiler", check_compiler },
	{ "symbols", check_symbols },
	{ "ilb callers", check_callers },
	{ "idle mask", check_nohz },
	{ "arch source", check_arch },
	{ "packing", check_packing },
};

const size_t nr_kernel_checks = ARRAY_SIZE(kernel_checks);
