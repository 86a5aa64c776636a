// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prometheus' text format, version 0.0.4, as node_exporter's textfile collector
 * takes it. A machine without the module is a fact worth seeing: no failure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "knobs.h"
#include "prometheus.h"
#include "sysfs.h"
#include "util.h"

static void metric(const char *name, const char *type, const char *help)
{
	printf("# HELP smtprio_%s %s\n# TYPE smtprio_%s %s\n", name, help,
	       name, type);
}

/* A label's value: as it is but for what has a meaning there. */
static void put_label(const char *value)
{
	for (; *value; value++) {
		if (*value == '\\' || *value == '"')
			putchar('\\');
		putchar(*value);
	}
}

static void print_info(void)
{
	char *version = sysfs_read(SMTPRIO "/version");
	char *source = sysfs_read(SMTPRIO "/priority_source");

	metric("info", "gauge", "Always 1; the labels tell.");
	fputs("smtprio_info{version=\"", stdout);
	put_label(version ? version : "");
	fputs("\",priority_source=\"", stdout);
	put_label(source ? source : "");
	puts("\"} 1");
	free(version);
	free(source);
}

/* One of the modes is 1. */
static void print_mode(void)
{
	char *mode = sysfs_read(SMTPRIO "/mode");
	char *names = xstrdup(knob_find("mode")->choices), *rest = names;
	char *name;

	metric("mode", "gauge", "1 for the mode in force.");
	while ((name = strsep(&rest, " ")))
		printf("smtprio_mode{mode=\"%s\"} %d\n", name,
		       mode && !strcmp(mode, name));
	free(names);
	free(mode);
}

static void print_knobs(void)
{
	size_t i;

	metric("enabled", "gauge", "Switches of the module, by knob.");
	for (i = 0; i < nr_knobs; i++) {
		char *value = sysfs_read(SMTPRIO "/%s", knobs[i].name);

		if (value && knobs[i].kind == KNOB_BOOL)
			printf("smtprio_enabled{knob=\"%s\"} %d\n",
			       knobs[i].name, !strcmp(value, "1"));
		free(value);
	}
}

static void print_hooks(void)
{
	char **names = sysfs_list(SMTPRIO "/hooks");
	size_t i;

	metric("hook_active", "gauge", "1 while the hook is attached.");
	for (i = 0; names && names[i]; i++) {
		char *active = sysfs_read(SMTPRIO "/hooks/%s/active",
					  names[i]);

		printf("smtprio_hook_active{hook=\"%s\"} %d\n", names[i],
		       active && !strcmp(active, "1"));
		free(active);
	}
	sysfs_list_free(names);
}

/* Times are in seconds there, by convention. */
static void print_counter(const char *name, unsigned long long value)
{
	size_t len = strlen(name);
	bool ns = len > 3 && !strcmp(name + len - 3, "_ns");
	char *full = ns ? xprintf("%.*s_seconds_total", (int)len - 3, name) :
			  xprintf("%s_total", name);
	char *help = xprintf("The counter %s of the module.", name);

	metric(full, "counter", help);
	if (ns)
		printf("smtprio_%s %llu.%09llu\n", full, value / 1000000000,
		       value % 1000000000);
	else
		printf("smtprio_%s %llu\n", full, value);
	free(full);
	free(help);
}

int prometheus_print(void)
{
	bool loaded = sysfs_exists(SMTPRIO);
	struct counters c = { 0 };
	size_t i;

	/* All or nothing: a half would be taken for a reset. */
	if (loaded && counters_read(&c, "stats"))
		return EXIT_FAILURE;
	metric("loaded", "gauge", "1 while the module is loaded.");
	printf("smtprio_loaded %d\n", loaded);
	if (!loaded)
		return EXIT_SUCCESS;
	print_info();
	print_mode();
	print_knobs();
	print_hooks();
	for (i = 0; i < c.nr; i++)
		print_counter(c.names[i], c.values[i]);
	counters_free(&c);
	return EXIT_SUCCESS;
}
