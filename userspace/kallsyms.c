// SPDX-License-Identifier: GPL-2.0-or-later
/* The running kernel's symbols. Without root the addresses are 0: only names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kallsyms.h"
#include "sysfs.h"
#include "util.h"

#define TEXT_TYPES	"tTwW"
/* Per-CPU data is absolute on x86 up to 6.14. */
#define DATA_TYPES	"aAbBdDrR"

static void note(struct symbol *s, char type, const char *name)
{
	size_t len = strlen(s->name);

	if (strncmp(name, s->name, len))
		return;
	if (!name[len]) {
		if (strchr(TEXT_TYPES, type))
			s->text = true;
		if (strchr(DATA_TYPES, type))
			s->data = true;
	} else if (name[len] == '.' && !s->clone) {
		s->clone = xstrdup(name);
	}
}

int kallsyms_find(struct symbol *symbols, size_t nr)
{
	FILE *f = sysfs_stream("/proc/kallsyms");
	char *line = NULL;
	size_t size = 0, i;

	if (!f)
		return -errno;
	while (getline(&line, &size, f) > 0) {
		char type, name[512], module[8];

		/* "address type name", and "[module]" for those of modules */
		if (sscanf(line, "%*s %c %511s %7s", &type, name, module) != 2)
			continue;
		for (i = 0; i < nr; i++)
			note(&symbols[i], type, name);
	}
	free(line);
	fclose(f);
	return 0;
}
