// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading the module's counters. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "counters.h"
#include "sysfs.h"
#include "util.h"

static int read_value(struct counters *c, const char *name)
{
	char *text = sysfs_read(STATS_DIR "/%s", name), *end;

	if (!text)
		return -1;
	errno = 0;
	c->values[c->nr] = strtoull(text, &end, 10);
	if (!errno && (end == text || *end))
		errno = EINVAL;
	free(text);
	if (errno)
		return -1;
	c->names[c->nr++] = xstrdup(name);
	return 0;
}

/* A list with holes would be taken for zeros. */
static int read_values(struct counters *c, char **files, const char *cmd)
{
	size_t i;

	for (i = 0; files[i]; i++)
		;
	c->names = xalloc((i + 1) * sizeof(*c->names));
	c->values = xalloc((i + 1) * sizeof(*c->values));
	for (i = 0; files[i]; i++) {
		if (!strcmp(files[i], "reset") || !read_value(c, files[i]))
			continue;
		if (cmd)
			fail("%s: cannot read %s/%s: %m", cmd, STATS_DIR,
			     files[i]);
		return -1;
	}
	return 0;
}

int counters_read(struct counters *c, const char *cmd)
{
	char **files = sysfs_list(STATS_DIR);
	int err;

	*c = (struct counters){ .when = clock_now() };
	if (!files) {
		if (cmd)
			fail("%s: cannot read %s: %m", cmd, STATS_DIR);
		return -1;
	}
	err = read_values(c, files, cmd);
	sysfs_list_free(files);
	if (err)
		counters_free(c);
	return err;
}

void counters_free(struct counters *c)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		free(c->names[i]);
	free(c->names);
	free(c->values);
	*c = (struct counters){ 0 };
}

bool counters_follow(const struct counters *now, const struct counters *before)
{
	size_t i;

	if (now->nr != before->nr)
		return false;
	for (i = 0; i < now->nr; i++)
		if (strcmp(now->names[i], before->names[i]) ||
		    now->values[i] < before->values[i])
			return false;
	return true;
}

static bool ends_in(const char *name, const char *suffix)
{
	size_t len = strlen(name), end = strlen(suffix);

	return len >= end && !strcmp(name + len - end, suffix);
}

static bool is_moved(const char *name)
{
	return ends_in(name, "_redirected") || !strcmp(name, "wake_idle_core") ||
	       !strcmp(name, "wake_node");
}

static unsigned long long since(const struct counters *now,
				const struct counters *before, size_t i)
{
	return now->values[i] - (before ? before->values[i] : 0);
}

static bool is_would(const char *name)
{
	return ends_in(name, "_would");
}

static unsigned long long sum_of(const struct counters *now,
				 const struct counters *before,
				 const char *kind, bool (*wanted)(const char *))
{
	unsigned long long sum = 0;
	size_t i;

	for (i = 0; i < now->nr; i++)
		if (!strncmp(now->names[i], kind, strlen(kind)) &&
		    wanted(now->names[i]))
			sum += since(now, before, i);
	return sum;
}

unsigned long long counters_moved(const struct counters *now,
				  const struct counters *before,
				  const char *kind)
{
	return sum_of(now, before, kind, is_moved);
}

unsigned long long counters_would(const struct counters *now,
				  const struct counters *before,
				  const char *kind)
{
	return sum_of(now, before, kind, is_would);
}

unsigned long long counters_sum(const struct counters *now,
				const struct counters *before,
				const char *name)
{
	size_t i;

	for (i = 0; i < now->nr; i++)
		if (!strcmp(now->names[i], name))
			return since(now, before, i);
	return 0;
}

bool counters_account(void)
{
	char *on = sysfs_read(SMTPRIO "/account");
	bool yes = on && !strcmp(on, "1");

	free(on);
	return yes;
}
