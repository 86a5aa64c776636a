// SPDX-License-Identifier: GPL-2.0-or-later
/* What a screen shows, without a screen. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "util.h"

void frame_init(struct frame *f, int lines, int columns)
{
	size_t size = (size_t)lines * columns;

	f->lines = lines;
	f->columns = columns;
	f->text = xalloc(size);
	f->looks = xalloc(size);
	memset(f->text, ' ', size);
}

void frame_free(struct frame *f)
{
	free(f->text);
	free(f->looks);
	*f = (struct frame){ 0 };
}

void frame_put(struct frame *f, int line, int column, enum look look,
	       const char *fmt, ...)
{
	char *text = NULL, *p;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		return;
	for (p = text; *p; p++, column++) {
		size_t at = (size_t)line * f->columns + column;

		if (line < 0 || line >= f->lines || column < 0 ||
		    column >= f->columns)
			continue;
		f->text[at] = *p < ' ' || *p > '~' ? '?' : *p;
		f->looks[at] = look;
	}
	free(text);
}

void frame_print(const struct frame *f)
{
	int line, len;

	for (line = 0; line < f->lines; line++) {
		const char *text = f->text + (size_t)line * f->columns;

		for (len = f->columns; len && text[len - 1] == ' '; len--)
			;
		printf("%.*s\n", len, text);
	}
}
