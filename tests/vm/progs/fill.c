// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fill N SECONDS [spin]: N hogs that now and then sleep for a moment, so that
 * each is placed by its wakeups, or that never do, so that the load balancer
 * places them; and where they are, looked at every few milliseconds.
 * Prints, in thousandths of all that was seen running, levelL=N for thread L of
 * every core, coreC=N for every core, and stray=N for those that ran on a thread
 * while an earlier one of the same core was idle.
 */
#include "common.h"

#define WARM_UP_US 500000
#define LOOK_US 5000
/* The load balancer takes its time. */
#define SPIN_WARM_UP_US 4000000

static struct hog {
	uint32_t seed;
	atomic_int cpu;		/* -1 while it sleeps */
} *hogs;
static bool spin;

static void *hog(void *arg)
{
	struct hog *self = arg;

	for (;;) {
		uint64_t end = now_us() + 10000 + dice(&self->seed) % 20000;

		while (now_us() < end) {
			self->cpu = sched_getcpu();
			for (int i = 0; i < 5000; i++)
				asm volatile("");
		}
		if (spin)
			continue;
		self->cpu = -1;
		sleep_us(200 + dice(&self->seed) % 800);
	}
	return NULL;
}

/* The CPUs of cpu's core, or 0 when there is no such CPU. */
static uint64_t siblings(int cpu)
{
	char path[96], list[128] = "";
	FILE *file;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	file = fopen(path, "r");
	if (!file)
		return 0;
	if (!fgets(list, sizeof(list), file))
		die("%s", path);
	fclose(file);
	return cpulist(list);
}

struct sightings {
	unsigned long level[MAX_CPUS], core[MAX_CPUS], stray, total;
};

/* What the sightings need to know of each CPU. */
static struct place {
	uint64_t earlier;	/* the core's threads before this one */
	int thread, core;
} places[MAX_CPUS];
static int threads, cores;

static void read_topology(void)
{
	for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
		struct place *place = &places[cpu];
		uint64_t all = siblings(cpu);

		if (!all)
			continue;
		place->earlier = all & ((1ULL << cpu) - 1);
		place->thread = __builtin_popcountll(place->earlier);
		place->core = place->thread ? places[__builtin_ctzll(all)].core : cores++;
		if (place->thread >= threads)
			threads = place->thread + 1;
	}
}

static void look(int n, struct sightings *seen)
{
	uint64_t busy = 0;
	int cpu_of[n];

	for (int i = 0; i < n; i++) {
		cpu_of[i] = hogs[i].cpu;
		if (cpu_of[i] >= 0)
			busy |= 1ULL << cpu_of[i];
	}
	for (int i = 0; i < n; i++) {
		const struct place *place;

		if (cpu_of[i] < 0)
			continue;
		place = &places[cpu_of[i]];
		seen->total++;
		seen->level[place->thread]++;
		seen->core[place->core]++;
		seen->stray += (place->earlier & ~busy) != 0;
	}
}

int main(int argc, char **argv)
{
	static struct sightings seen;
	uint64_t end;
	int n;

	spin = argc == 4 && !strcmp(argv[3], "spin");
	if (argc != 3 + spin)
		die("usage: fill N SECONDS [spin]");
	n = number(argv[1], 1, 1024);
	read_topology();
	hogs = calloc(n, sizeof(*hogs));
	if (!hogs)
		die("calloc");
	for (int i = 0; i < n; i++) {
		hogs[i].seed = i + 1;
		hogs[i].cpu = -1;
		start(hog, &hogs[i]);
	}
	sleep_us(spin ? SPIN_WARM_UP_US : WARM_UP_US);

	end = now_us() + number(argv[2], 1, 3600) * 1000000;
	while (now_us() < end) {
		look(n, &seen);
		sleep_us(LOOK_US);
	}
	if (!seen.total)
		die("no hog was ever seen running");
	for (int i = 0; i < threads; i++)
		printf("level%d=%lu ", i, seen.level[i] * 1000 / seen.total);
	for (int i = 0; i < cores; i++)
		printf("core%d=%lu ", i, seen.core[i] * 1000 / seen.total);
	printf("stray=%lu\n", seen.stray * 1000 / seen.total);
	return 0;	/* the hogs end with the process */
}
