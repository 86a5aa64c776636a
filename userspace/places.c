// SPDX-License-Identifier: GPL-2.0-or-later
/* Which cores share a socket and a last-level cache. */
#include <stdlib.h>
#include <string.h>

#include "places.h"
#include "sysfs.h"
#include "util.h"

/* More levels than any machine has. */
#define MAX_CACHES	10

/* What tells the place of a core from another: texts of the kernel. */
struct place {
	char *socket;
	char *llc;
};

/* The CPUs that share the largest cache with this one, as text, or NULL. */
static char *read_llc(int cpu)
{
	char *shared = NULL;
	long best = 0;
	int i;

	for (i = 0; i < MAX_CACHES; i++) {
		char *text = sysfs_read(CPU_DIR "/cpu%d/cache/index%d/level",
					cpu, i);
		long level = text ? strtol(text, NULL, 10) : 0;

		if (!text)
			break;
		free(text);
		if (level <= best)
			continue;
		best = level;
		free(shared);
		shared = sysfs_read(CPU_DIR "/cpu%d/cache/index%d/shared_cpu_list",
				    cpu, i);
	}
	/* The first two levels are a core's own. */
	if (best > 2)
		return shared;
	free(shared);
	return NULL;
}

static void read_place(struct place *p, int cpu)
{
	p->socket = sysfs_read(CPU_DIR "/cpu%d/topology/physical_package_id",
			       cpu);
	if (!p->socket)
		p->socket = xstrdup("");
	p->llc = read_llc(cpu);
	if (!p->llc)
		p->llc = xstrdup("");
}

static void place_free(struct place *p)
{
	free(p->socket);
	free(p->llc);
}

static struct llc *find_llc(struct places *p, const struct place *known,
			    const struct place *place)
{
	size_t i;

	for (i = 0; known && i < p->nr_llcs; i++)
		if (!strcmp(known[i].socket, place->socket) &&
		    !strcmp(known[i].llc, place->llc))
			return &p->llcs[i];
	return NULL;
}

static int find_socket(struct places *p, const struct place *known,
		       const char *socket)
{
	size_t i;

	for (i = 0; known && i < p->nr_llcs; i++)
		if (!strcmp(known[i].socket, socket))
			return p->llcs[i].socket;
	return p->nr_sockets++;
}

static char *llc_cpus(const struct topology *t, const struct llc *llc)
{
	struct cpulist all = { 0 }, sorted;
	char *text = NULL, *sorted_text;
	size_t i, j;

	for (i = 0; i < llc->nr_cores; i++)
		for (j = 0; j < t->cores[llc->cores[i]].cpus.nr; j++)
			cpulist_append(&all, t->cores[llc->cores[i]].cpus.cpu[j]);
	/* Parsing sorts. */
	text = cpulist_format(&all);
	cpulist_free(&all);
	if (cpulist_parse(text, &sorted))
		return text;
	sorted_text = cpulist_format(&sorted);
	cpulist_free(&sorted);
	free(text);
	return sorted_text;
}

/* Cores come by their first CPU, so within a socket LLCs do so too. */
static int by_socket(const void *a, const void *b)
{
	const struct llc *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket - y->socket;
	return (x->cores[0] > y->cores[0]) - (x->cores[0] < y->cores[0]);
}

void places_read(struct places *p, const struct topology *t)
{
	struct place *known = NULL;
	size_t i;

	*p = (struct places){ 0 };
	for (i = 0; i < t->nr_cores; i++) {
		struct place place;
		struct llc *llc;

		read_place(&place, t->cores[i].cpus.cpu[0]);
		llc = find_llc(p, known, &place);
		if (llc) {
			place_free(&place);
		} else {
			int socket = find_socket(p, known, place.socket);

			p->llcs = xrealloc(p->llcs, (p->nr_llcs + 1) *
						    sizeof(*p->llcs));
			known = xrealloc(known, (p->nr_llcs + 1) *
						sizeof(*known));
			known[p->nr_llcs] = place;
			llc = &p->llcs[p->nr_llcs++];
			*llc = (struct llc){ .socket = socket };
		}
		llc->cores = xrealloc(llc->cores, (llc->nr_cores + 1) *
						  sizeof(*llc->cores));
		llc->cores[llc->nr_cores++] = i;
	}
	for (i = 0; i < p->nr_llcs; i++) {
		p->llcs[i].cpus = llc_cpus(t, &p->llcs[i]);
		place_free(&known[i]);
	}
	free(known);
	if (p->nr_llcs)
		qsort(p->llcs, p->nr_llcs, sizeof(*p->llcs), by_socket);
}

void places_free(struct places *p)
{
	size_t i;

	for (i = 0; i < p->nr_llcs; i++) {
		free(p->llcs[i].cores);
		free(p->llcs[i].cpus);
	}
	free(p->llcs);
	*p = (struct places){ 0 };
}
