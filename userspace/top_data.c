// SPDX-License-Identifier: GPL-2.0-or-later
/* What top knows of the machine. */
#include <stdlib.h>
#include <string.h>

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
	counters_free(&s->counters);
	*s = (struct top_sample){ 0 };
}

static void sample_read(struct top_sample *s, int nr_cpus)
{
	size_t i;

	*s = (struct top_sample){ .loaded = sysfs_exists(SMTPRIO) };
	s->knobs = xalloc(nr_knobs * sizeof(*s->knobs));
	if (s->loaded) {
		for (i = 0; i < nr_knobs; i++)
			s->knobs[i] = sysfs_read(SMTPRIO "/%s", knobs[i].name);
		s->version = sysfs_read(SMTPRIO "/version");
		counters_read(&s->counters, NULL);
	}
	s->times = cputime_read(nr_cpus);
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

int top_open(struct top *t)
{
	if (read_map(t))
		return -1;
	sample_read(&t->now, t->topology.nr_cpus);
	set_times(t, NULL);
	return 0;
}

int top_read(struct top *t)
{
	struct top_sample before = t->now;
	int nr_cpus = t->topology.nr_cpus, err = 0;

	t->age++;
	if (map_is_old(t))
		err = read_map(t);
	sample_read(&t->now, t->topology.nr_cpus);
	set_times(t, nr_cpus == t->topology.nr_cpus ? &before : NULL);
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
	free(t->folded);
	free(t->message);
}
