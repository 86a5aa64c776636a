/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_JSON_H
#define SMTPRIOCTL_JSON_H

#include <stdbool.h>

/*
 * A JSON text on stdout, written as it goes. key is NULL inside an array
 * and for the outermost value.
 */
void json_open(const char *key, char bracket);
void json_close(char bracket);
/* Texts of one line each from now on, for a stream of them; or not. */
void json_one_line(bool on);
/* NULL text is null in all of these. */
void json_string(const char *key, const char *text);
void json_number(const char *key, const char *text);
/* null when it is no finite number. */
void json_double(const char *key, double value);
void json_bool(const char *key, bool value);

#endif
