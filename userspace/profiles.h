/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_PROFILES_H
#define SMTPRIOCTL_PROFILES_H

#include <stdbool.h>
#include <stddef.h>

#define PROFILE_DIR	"/etc/smtprio/profiles"

/* Settings that belong together, under a name. */
struct profile {
	char *name;
	char *whom;		/* for whom it is */
	char **words;		/* KEY=VALUE */
	int nr_words;
	bool saved;		/* a file of PROFILE_DIR */
};

/*
 * The built-in ones, without those that need knobs this version does not have,
 * then saved ones; unreadable files are left out.
 */
struct profile *profiles_read(size_t *nr);
void profiles_free(struct profile *list, size_t nr);

/* The one of that name, or NULL with the message printed. */
const struct profile *profile_find(const struct profile *list, size_t nr,
				   const char *cmd, const char *name);

/* 0, or -1 with the message printed. */
int profile_check_name(const char *name);
/* Write or replace the file of that name; 0 or -errno. */
int profile_write(const char *name, const char *text);

#endif
