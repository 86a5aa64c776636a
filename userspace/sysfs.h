/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_SYSFS_H
#define SMTPRIOCTL_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define SMTPRIO	"/sys/kernel/smtprio"

/* All paths are absolute and looked up below the sysroot, "/" unless set. */
int sysfs_set_root(const char *dir);
bool sysfs_rooted(void);

int sysfs_open(const char *path, int flags);
FILE *sysfs_stream(const char *path);
bool sysfs_exists(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The whole file, NUL-terminated; NULL with errno set when unreadable. */
char *sysfs_read_raw(const char *path, size_t *len);
/* The same without white space at its end. */
char *sysfs_read(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* 0 or -errno; never creates a file; a short write is -EIO. */
int sysfs_write(const char *path, const char *value);

/* Names below a directory, sorted, NULL at the end; NULL with errno. */
char **sysfs_list(const char *path);
void sysfs_list_free(char **names);

#endif
