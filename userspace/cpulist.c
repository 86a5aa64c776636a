// SPDX-License-Identifier: GPL-2.0-or-later
/* CPU lists as the kernel writes them. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"
#include "util.h"

/* Far above any kernel's NR_CPUS; keeps "0-99999999999" cheap to refuse. */
#define CPU_MAX	65536

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static int parse_number(const char **text)
{
	int n = 0;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	for (; isdigit((unsigned char)**text); (*text)++) {
		n = n * 10 + (**text - '0');
		if (n >= CPU_MAX)
			return -EINVAL;
	}
	return n;
}

/* One "N" or "N-M", appended to the list. */
static int parse_range(const char **text, struct cpulist *list)
{
	int first = parse_number(text);
	int last = first;

	if (first < 0)
		return -EINVAL;
	if (**text == '-') {
		(*text)++;
		last = parse_number(text);
	}
	if (last < first)
		return -EINVAL;
	for (; first <= last; first++)
		cpulist_append(list, first);
	return 0;
}

int cpulist_parse(const char *text, struct cpulist *list)
{
	size_t i, kept = 0;

	*list = (struct cpulist){ 0 };
	while (*text) {
		/* A list with too many items repeats itself: no CPU has two. */
		if (list->nr > 4 * CPU_MAX || parse_range(&text, list))
			goto bad;
		if (*text == ',' && text[1])
			text++;
		else if (*text)
			goto bad;
	}
	if (!list->nr)
		return 0;
	qsort(list->cpu, list->nr, sizeof(*list->cpu), by_number);
	for (i = 1; i < list->nr; i++)
		if (list->cpu[i] != list->cpu[kept])
			list->cpu[++kept] = list->cpu[i];
	list->nr = kept + 1;
	return 0;
bad:
	cpulist_free(list);
	return -EINVAL;
}

char *cpulist_format(const struct cpulist *list)
{
	char *text = NULL;
	size_t i, end;

	for (i = 0; i < list->nr; i = end) {
		for (end = i + 1; end < list->nr; end++)
			if (list->cpu[end] != list->cpu[end - 1] + 1)
				break;
		if (end - i > 1)
			append(&text, ",", "%d-%d", list->cpu[i],
			       list->cpu[end - 1]);
		else
			append(&text, ",", "%d", list->cpu[i]);
	}
	return text ? text : xstrdup("");
}

void cpulist_free(struct cpulist *list)
{
	free(list->cpu);
	*list = (struct cpulist){ 0 };
}

void cpulist_append(struct cpulist *list, int cpu)
{
	/* Grow at powers of two. */
	if (!(list->nr & (list->nr - 1)))
		list->cpu = xrealloc(list->cpu, (list->nr ? 2 * list->nr : 1) *
						sizeof(*list->cpu));
	list->cpu[list->nr++] = cpu;
}

bool cpulist_has(const struct cpulist *list, int cpu)
{
	if (!list->nr)
		return false;
	return bsearch(&cpu, list->cpu, list->nr, sizeof(cpu), by_number);
}

int cpulist_outside(const struct cpulist *list, const struct cpulist *of)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		if (!cpulist_has(of, list->cpu[i]))
			return list->cpu[i];
	return -1;
}
