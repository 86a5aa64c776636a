// SPDX-License-Identifier: GPL-2.0-or-later
/* A small JSON writer. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"

static int depth;
/* The next value is the first of its object or array. */
static bool first = true;
/* The last value was a plain one in an array: those share a line. */
static bool in_line;
/* No line breaks but at the end of the text. */
static bool one_line;

void json_one_line(bool on)
{
	one_line = on;
}

static void new_line(void)
{
	if (one_line)
		return;
	printf("\n%*s", 2 * depth, "");
}

static void put_string(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		unsigned char c = *s;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

static void begin(const char *key, bool plain)
{
	in_line = plain && !key;
	if (!first)
		fputs(in_line || one_line ? ", " : ",", stdout);
	if (depth && !in_line)
		new_line();
	first = false;
	if (key) {
		put_string(key);
		fputs(": ", stdout);
	}
}

void json_open(const char *key, char bracket)
{
	begin(key, false);
	putchar(bracket);
	depth++;
	first = true;
}

void json_close(char bracket)
{
	depth--;
	if (!first && !in_line)
		new_line();
	putchar(bracket);
	first = false;
	in_line = false;
	if (!depth) {
		putchar('\n');
		first = true;
	}
}

void json_string(const char *key, const char *text)
{
	begin(key, true);
	if (text)
		put_string(text);
	else
		fputs("null", stdout);
}

/* -?(0|[1-9][0-9]*)(\.[0-9]+)?(e[-+][0-9]+)? : all this tool has. */
static bool is_number(const char *s)
{
	s += *s == '-';
	if (!isdigit((unsigned char)*s))
		return false;
	if (*s == '0' && isdigit((unsigned char)s[1]))
		return false;
	s += strspn(s, "0123456789");
	if (*s == '.' && isdigit((unsigned char)s[1])) {
		s++;
		s += strspn(s, "0123456789");
	}
	if (*s == 'e' && (s[1] == '-' || s[1] == '+') &&
	    isdigit((unsigned char)s[2])) {
		s += 2;
		s += strspn(s, "0123456789");
	}
	return !*s;
}

void json_number(const char *key, const char *text)
{
	if (!text || !is_number(text)) {
		json_string(key, text);
		return;
	}
	begin(key, true);
	fputs(text, stdout);
}

void json_double(const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", value);
	/* JSON has no word for what is not a number, or not finite. */
	json_number(key, isfinite(value) ? text : NULL);
}

void json_bool(const char *key, bool value)
{
	begin(key, true);
	fputs(value ? "true" : "false", stdout);
}
