// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables: libsmartcols for humans, JSON for programs, from the same rows. */
#include <libsmartcols.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"
#include "json.h"
#include "table.h"
#include "util.h"

#define SCREEN_WIDTH	80

struct table {
	const struct column *columns;
	size_t nr_columns;
	char **cells;
	size_t nr_rows;
};

struct table *table_new(const struct column *columns, size_t nr)
{
	struct table *t = xalloc(sizeof(*t));

	t->columns = columns;
	t->nr_columns = nr;
	return t;
}

static char **cell(const struct table *t, size_t row, size_t column)
{
	return &t->cells[row * t->nr_columns + column];
}

void table_row(struct table *t, ...)
{
	va_list ap;
	size_t i;

	t->cells = xrealloc(t->cells, (t->nr_rows + 1) * t->nr_columns *
				      sizeof(*t->cells));
	va_start(ap, t);
	for (i = 0; i < t->nr_columns; i++) {
		const char *text = va_arg(ap, const char *);

		*cell(t, t->nr_rows, i) = text ? xstrdup(text) : NULL;
	}
	va_end(ap);
	t->nr_rows++;
}

void table_free(struct table *t)
{
	size_t i;

	for (i = 0; i < t->nr_rows * t->nr_columns; i++)
		free(t->cells[i]);
	free(t->cells);
	free(t);
}

char *wrap_text(const char *text, int width, const char *at)
{
	/* At most one break for each character. */
	char *out = xalloc(2 * strlen(text) + 1), *o = out;

	while ((int)strlen(text) > width) {
		int len = width;

		while (len && !strchr(at, text[len - 1]))
			len--;
		if (!len)
			len = width;
		o = mempcpy(o, text, len);
		while (o > out && o[-1] == ' ')
			o--;
		*o++ = '\n';
		text += len;
	}
	memcpy(o, text, strlen(text) + 1);
	return out;
}

static int column_flags(const struct column *col)
{
	int flags = 0;

	if (col->kind == COL_NUMBER)
		flags |= SCOLS_FL_RIGHT;
	if (col->wrap)
		flags |= SCOLS_FL_WRAP;
	return flags;
}

static struct libscols_column *add_column(struct libscols_table *sc,
					  const struct column *col)
{
	struct libscols_column *cl;

	cl = scols_table_new_column(sc, col->head, 0, column_flags(col));
	if (!cl)
		return NULL;
	if (col->wrap) {
		scols_column_set_wrapfunc(cl, scols_wrapnl_chunksize,
					  scols_wrapnl_nextchunk, NULL);
		scols_column_set_safechars(cl, "\n");
	}
	return cl;
}

static int add_cell(struct libscols_line *line, size_t pos,
		    const struct column *col, const char *text)
{
	char *wrapped;
	int err;

	if (!text)
		text = "-";
	if (!col->wrap)
		return scols_line_set_data(line, pos, text);
	wrapped = wrap_text(text, col->wrap, " ,");
	err = scols_line_set_data(line, pos, wrapped);
	free(wrapped);
	return err;
}

static int fill(const struct table *t, struct libscols_table *sc)
{
	bool heads = false;
	size_t row, i, pos;

	for (i = 0; i < t->nr_columns; i++) {
		if (!t->columns[i].head)
			continue;
		if (t->columns[i].head[0])
			heads = true;
		if (!add_column(sc, &t->columns[i]))
			return -1;
	}
	scols_table_enable_noheadings(sc, !heads);
	for (row = 0; row < t->nr_rows; row++) {
		struct libscols_line *line = scols_table_new_line(sc, NULL);

		if (!line)
			return -1;
		for (i = 0, pos = 0; i < t->nr_columns; i++) {
			if (!t->columns[i].head)
				continue;
			if (add_cell(line, pos++, &t->columns[i],
				     *cell(t, row, i)))
				return -1;
		}
	}
	return 0;
}

void table_print(const struct table *t)
{
	struct libscols_table *sc = scols_new_table();

	if (!sc || fill(t, sc)) {
		fail("out of memory");
		exit(EXIT_FAILURE);
	}
	scols_table_enable_ascii(sc, 1);
	scols_table_set_column_separator(sc, "  ");
	scols_table_set_termforce(sc, SCOLS_TERMFORCE_ALWAYS);
	scols_table_set_termwidth(sc, SCREEN_WIDTH);
	if (t->nr_rows)
		scols_print_table(sc);
	scols_unref_table(sc);
}

static void json_cpus(const char *key, const char *text)
{
	struct cpulist list;
	size_t i;

	if (cpulist_parse(text, &list)) {
		json_string(key, text);
		return;
	}
	json_open(key, '[');
	for (i = 0; i < list.nr; i++) {
		char *n = xprintf("%d", list.cpu[i]);

		json_number(NULL, n);
		free(n);
	}
	json_close(']');
	cpulist_free(&list);
}

static void json_items(const char *key, const char *text, const char *sep,
		       void (*item)(const char *key, const char *text))
{
	char *copy = xstrdup(text), *rest = copy, *word;

	json_open(key, '[');
	while ((word = strsep(&rest, sep)))
		if (*word)
			item(NULL, word);
	json_close(']');
	free(copy);
}

static void json_cell(const struct column *col, const char *text)
{
	if (!text) {
		json_string(col->key, NULL);
		return;
	}
	switch (col->kind) {
	case COL_TEXT:
		json_string(col->key, text);
		break;
	case COL_NUMBER:
		json_number(col->key, text);
		break;
	case COL_BOOL:
		json_bool(col->key, !strcmp(text, "yes"));
		break;
	case COL_CPUS:
		json_cpus(col->key, text);
		break;
	case COL_INTS:
		json_items(col->key, text, ",", json_number);
		break;
	case COL_WORDS:
		json_items(col->key, text, " ", json_string);
		break;
	}
}

void table_json(const struct table *t, const char *key)
{
	size_t row, i;

	json_open(key, '[');
	for (row = 0; row < t->nr_rows; row++) {
		json_open(NULL, '{');
		for (i = 0; i < t->nr_columns; i++)
			if (t->columns[i].key)
				json_cell(&t->columns[i], *cell(t, row, i));
		json_close('}');
	}
	json_close(']');
}
