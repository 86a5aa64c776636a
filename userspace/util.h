/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_UTIL_H
#define SMTPRIOCTL_UTIL_H

#include <stddef.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* Some of several writes are done and could not be taken back. */
#define EXIT_PARTIAL	64
/* The kernel wants a signature that it trusts. */
#define EXIT_UNTRUSTED	65

#define LOAD_HINT	"load it with: smtprioctl load"
#define SIGN_HINT	"sign it: make sign KEY=FILE CERT=FILE"
#define ENROL_HINT	"enrol its key: mokutil --import " \
			"/var/lib/dkms/mok.pub, then reboot"

/* One line on stderr, whatever the arguments hold. */
void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* These end the program when there is no memory. */
void *xalloc(size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Append formatted text to *list, after sep unless it is the first. */
void append(char **list, const char *sep, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
