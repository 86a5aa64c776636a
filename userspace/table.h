/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_TABLE_H
#define SMTPRIOCTL_TABLE_H

#include <stddef.h>

enum column_kind {
	COL_TEXT,
	COL_NUMBER,
	COL_BOOL,	/* "yes" or "no" */
	COL_CPUS,	/* a CPU list, an array of numbers in JSON */
	COL_INTS,	/* comma-separated, an array of numbers in JSON */
	COL_WORDS,	/* space-separated, an array of strings in JSON */
};

struct column {
	const char *head;	/* for humans; NULL: only in JSON */
	const char *key;	/* in JSON; NULL: only for humans */
	enum column_kind kind;
	int wrap;		/* longest line of a cell, 0: as it comes */
};

struct table;

struct table *table_new(const struct column *columns, size_t nr);
/* One const char * for each column, copied; NULL is unknown. */
void table_row(struct table *t, ...);
void table_free(struct table *t);

/* For humans, with a heading unless the columns' heads are empty. */
void table_print(const struct table *t);
/* An array of objects. */
void table_json(const struct table *t, const char *key);

/* text with line breaks (after any of the characters of at) to fit width. */
char *wrap_text(const char *text, int width, const char *at);

#endif
