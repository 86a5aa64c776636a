// SPDX-License-Identifier: GPL-2.0-or-later
/* What top knows of the machine. */
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "knobs.h"
#include "sysfs.h"
#include "top.h"
#include "util.h"

/* Priorities change seldom, and there is a file for each CPU. */
#define MAX_AGE	10

static void sample_free(struct top_sample *s)
{
	size_t i;

	for (i = 0; s->knobs && i < nr_knobs; i++)
		free(s->knobs[i]);
	free(s->knobs);
	free(s->version);
	free(s->times);
	free(s->multi_ns);
	counters_free(&s->counters);
	*s = (struct top_sample){ 0 };
}

/* Each thread's folder has the figures of its core. */
static unsigned long long *read_multi(const struct topology *t)
{
	unsigned long long *ns;
	size_t i;

	if (!counters_account())
		return NULL;
	ns = xalloc(t->nr_cores * sizeof(*ns));
	for (i = 0; i < t->nr_cores; i++) {
		char *text = sysfs_read(SMTPRIO "/cpu%d/account/multi_ns",
					t->cores[i].cpus.cpu[0]);

		if (!text) {
			free(ns);
			return NULL;
		}
		ns[i] = strtoull(text, NULL, 10);
		free(text);
	}
	return ns;
}

static void sample_read(struct top_sample *s, const struct topology *t)
{
	size_t i;

	*s = (struct top_sample){
		.loaded = sysfs_exists(SMTPRIO),
		.when = clock_now(),
	};
	s->knobs = xalloc(nr_knobs * sizeof(*s->knobs));
	if (s->loaded) {
		for (i = 0; i < nr_knobs; i++)
			s->knobs[i] = sysfs_read(SMTPRIO "/%s", knobs[i].name);
		s->version = sysfs_read(SMTPRIO "/version");
		counters_read(&s->counters, NULL);
		s->multi_ns = read_multi(t);
	}
	s->times = cputime_read(t->nr_cpus);
}

/* Folds stay while the LLCs are as many as before. */
static int read_map(struct top *t)
{
	size_t before = t->places.nr_llcs;
	struct topology topology;

	if (topology_read(&topology, "top"))
		return -1;
	topology_free(&t->topology);
	places_free(&t->places);
	t->topology = topology;
	topology_read_priorities(&t->topology);
	places_read(&t->places, &t->topology);
	free(t->online);
	t->online = sysfs_read(CPU_DIR "/online");
	t->age = 0;
	if (t->places.nr_llcs != before) {
		free(t->folded);
		t->folded = xalloc(t->places.nr_llcs * sizeof(*t->folded));
		t->cursor = 0;
		t->scroll = 0;
	}
	return 0;
}

static bool map_is_old(const struct top *t)
{
	char *online = sysfs_read(CPU_DIR "/online");
	bool old = t->age >= MAX_AGE || !online || !t->online ||
		   strcmp(online, t->online);

	free(online);
	return old;
}

/* The time since boot stands in until there are two samples. */
static void set_times(struct top *t, const struct top_sample *before)
{
	size_t size = t->topology.nr_cpus * sizeof(*t->times);

	free(t->times);
	t->times = NULL;
	if (!t->now.times)
		return;
	t->times = xalloc(size);
	memcpy(t->times, t->now.times, size);
	if (before && before->times)
		cputime_subtract(t->times, before->times, t->topology.nr_cpus);
}

static void set_multi(struct top *t, const struct top_sample *before)
{
	double all = before ? (t->now.when - before->when) * 1e9 : 0;
	size_t i;

	free(t->multi);
	t->multi = NULL;
	if (!t->now.multi_ns || !before || !before->multi_ns)
		return;
	t->multi = xalloc(t->topology.nr_cores * sizeof(*t->multi));
	for (i = 0; i < t->topology.nr_cores; i++) {
		unsigned long long ns = t->now.multi_ns[i];

		/* It goes back when the figures are reset. */
		t->multi[i] = ns > before->multi_ns[i] &&
			      (ns - before->multi_ns[i]) * 100.0 >=
			      all * BUSY_PERCENT;
	}
}

int top_open(struct top *t)
{
	if (read_map(t))
		return -1;
	sample_read(&t->now, &t->topology);
	set_times(t, NULL);
	return 0;
}

int top_read(struct top *t)
{
	struct top_sample before = t->now;
	struct top_sample *same = &before;
	int nr_cpus = t->topology.nr_cpus, err = 0;
	size_t nr_cores = t->topology.nr_cores;

	t->age++;
	if (map_is_old(t))
		err = read_map(t);
	sample_read(&t->now, &t->topology);
	/* CPUs came or went: the two do not compare. */
	if (nr_cpus != t->topology.nr_cpus || nr_cores != t->topology.nr_cores)
		same = NULL;
	set_times(t, same);
	set_multi(t, same);
	counters_free(&t->before);
	t->before = before.counters;
	before.counters = (struct counters){ 0 };
	sample_free(&before);
	return err;
}

void top_close(struct top *t)
{
	topology_free(&t->topology);
	places_free(&t->places);
	sample_free(&t->now);
	counters_free(&t->before);
	free(t->online);
	free(t->times);
	free(t->multi);
	free(t->folded);
	free(t->message);
}
