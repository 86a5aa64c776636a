// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages and memory. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

static void *checked(void *p)
{
	if (!p) {
		fputs("smtprioctl: out of memory\n", stderr);
		exit(EXIT_FAILURE);
	}
	return p;
}

__attribute__((format(printf, 1, 0)))
static char *xvprintf(const char *fmt, va_list ap)
{
	char *s = NULL;

	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	return checked(s);
}

void fail(const char *fmt, ...)
{
	va_list ap;
	char *s, *p;

	va_start(ap, fmt);
	s = xvprintf(fmt, ap);
	va_end(ap);
	for (p = s; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	fflush(stdout);
	fprintf(stderr, "smtprioctl: %s\n", s);
	free(s);
}

void *xalloc(size_t size)
{
	return checked(calloc(1, size ? size : 1));
}

void *xrealloc(void *p, size_t size)
{
	return checked(realloc(p, size));
}

char *xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *xprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvprintf(fmt, ap);
	va_end(ap);
	return s;
}

void append(char **list, const char *sep, const char *fmt, ...)
{
	va_list ap;
	char *item, *all;

	va_start(ap, fmt);
	item = xvprintf(fmt, ap);
	va_end(ap);
	if (*list) {
		all = xprintf("%s%s%s", *list, sep, item);
		free(item);
		free(*list);
		*list = all;
	} else {
		*list = item;
	}
}
