/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_FRAME_H
#define SMTPRIOCTL_FRAME_H

/* How a character looks; plain text has no looks. */
enum look {
	LOOK_PLAIN,
	LOOK_TITLE,
	LOOK_DIM,
	LOOK_GOOD,
	LOOK_BAD,
	LOOK_MIXED,
	LOOK_CURSOR,
	NR_LOOKS
};

/* What a screen shows: ASCII characters and their looks, row by row. */
struct frame {
	int lines;
	int columns;
	char *text;
	unsigned char *looks;
};

void frame_init(struct frame *f, int lines, int columns);
void frame_free(struct frame *f);
/* Formatted text from a place on; what is outside the frame is cut off. */
void frame_put(struct frame *f, int line, int column, enum look look,
	       const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* On stdout, without spaces at the end of lines. */
void frame_print(const struct frame *f);

#endif
