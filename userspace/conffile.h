/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_CONFFILE_H
#define SMTPRIOCTL_CONFFILE_H

/* A file of settings, taken apart; values are not checked yet. */
struct conffile {
	char *profile;		/* or NULL */
	char **words;		/* KEY=VALUE of knobs */
	int nr_words;
	char **priorities;	/* CPUS=N */
	int nr_priorities;
};

/* 0, or -1 with the message printed; to be freed in both cases. */
int conffile_read(struct conffile *f, const char *cmd, const char *path);
void conffile_free(struct conffile *f);

#endif
