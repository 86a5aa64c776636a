// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's command line. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "sysfs.h"
#include "util.h"

#define PREFIX	"smtprio."

/* The end of a word: white space outside quotes, as the kernel's parser says. */
static char *word_end(char *p)
{
	bool quoted = false;

	for (; *p && (quoted || !strchr(" \t\n", *p)); p++)
		if (*p == '"')
			quoted = !quoted;
	return p;
}

/* KEY=VALUE without quotes, and KEY with "_" for "-": they are one. */
static char *clean(const char *word)
{
	char *copy = xalloc(strlen(word) + 1), *to = copy;
	bool key = true;

	for (; *word; word++) {
		if (*word == '=')
			key = false;
		if (*word != '"')
			*to++ = key && *word == '-' ? '_' : *word;
	}
	return copy;
}

char **cmdline_words(int *nr)
{
	char *line = sysfs_read("/proc/cmdline"), *p = line;
	char **words = NULL;

	*nr = 0;
	while (p && *(p += strspn(p, " \t\n"))) {
		char *end = word_end(p);
		bool last = !*end;

		*end = '\0';
		/* What follows is for the first process. */
		if (!strcmp(p, "--"))
			break;
		p += *p == '"';
		if (!strncmp(p, PREFIX, strlen(PREFIX)) && strchr(p, '=')) {
			words = xrealloc(words, (*nr + 1) * sizeof(*words));
			words[(*nr)++] = clean(p + strlen(PREFIX));
		}
		p = last ? NULL : end + 1;
	}
	free(line);
	return words;
}

void cmdline_free(char **words, int nr)
{
	while (nr)
		free(words[--nr]);
	free(words);
}
