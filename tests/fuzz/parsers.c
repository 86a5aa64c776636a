// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A libFuzzer target for what smtprioctl reads: the first byte chooses a parser,
 * the rest is what it gets. A parser takes it as a whole or refuses it; taken
 * twice, or printed and taken again, it is the same.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../userspace/cpulist.h"
#include "../../userspace/kconfig.h"
#include "../../userspace/knobs.h"
#include "../../userspace/options.h"

#define MAX_WORDS 16

#define must(condition)						\
	do {							\
		if (!(condition)) {				\
			fprintf(stderr, "not so: %s\n", #condition); \
			abort();				\
		}						\
	} while (0)

static void lists(const char *text)
{
	struct cpulist list, again;
	char *printed, *twice;

	if (cpulist_parse(text, &list))
		return;
	for (size_t i = 0; i < list.nr; i++) {
		must(list.cpu[i] >= 0);
		must(!i || list.cpu[i - 1] < list.cpu[i]);
	}
	printed = cpulist_format(&list);
	must(!cpulist_parse(printed, &again));
	twice = cpulist_format(&again);
	must(!strcmp(printed, twice));
	must(cpulist_outside(&list, &again) == -1);
	free(printed);
	free(twice);
	cpulist_free(&list);
	cpulist_free(&again);
}

static void settings(char **words, int nr)
{
	struct settings s;
	int given = 0;

	if (settings_parse(&s, "fuzz", words, nr))
		return;
	for (size_t i = 0; i < nr_knobs; i++)
		given += !!s.value[i];
	must(given == nr);
	settings_free(&s);
}

static void command_line(char **words, int nr)
{
	struct request r;

	/* getopt() keeps where it was. */
	optind = 0;
	if (!options_parse(&r, nr, words))
		must(r.nr >= 0 && r.nr < nr && r.nr_before <= r.nr);
	free(r.args);
}

static void kernel_config(char *text)
{
	struct kconfig config = { .text = text };
	char *name = strsep(&config.text, "\n");

	if (config.text)
		kconfig_has(&config, name);
}

/* Words of it end at newlines. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *words[MAX_WORDS + 1] = { "smtprioctl" };
	char *text, *rest, *word;
	int nr = 1;

	if (!size)
		return 0;
	text = strndup((const char *)data + 1, size - 1);
	rest = text;
	switch (data[0] % 4) {
	case 0:
		lists(text);
		break;
	case 1:
		kernel_config(text);
		break;
	default:
		while (nr < MAX_WORDS && (word = strsep(&rest, "\n")))
			words[nr++] = word;
		words[nr] = NULL;
		if (data[0] % 4 == 2)
			settings(words + 1, nr - 1);
		else
			command_line(words, nr);
	}
	free(text);
	return 0;
}
