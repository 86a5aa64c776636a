/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_BATCH_H
#define SMTPRIOCTL_BATCH_H

#include <stddef.h>

/* Checked writes that belong together: all are done, or none if possible. */
struct batch {
	struct batch_write *writes;
	size_t nr;
};

/* label names the write in messages; path is taken over. */
void batch_add(struct batch *b, char *path, const char *label,
	       const char *value);
/*
 * The same for a file that cannot be read: read tells what now stands where
 * value would, to be freed, or NULL with errno. label alone is for messages.
 */
void batch_add_unreadable(struct batch *b, char *path, const char *label,
			  const char *value, char *(*read)(const char *value));
/* The command's exit status; frees the batch. */
int batch_run(struct batch *b, const char *cmd);
/* Frees it without a write. */
void batch_free(struct batch *b);

#endif
