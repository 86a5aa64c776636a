/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_KALLSYMS_H
#define SMTPRIOCTL_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>

/* What the running kernel has under a name; modules' symbols do not count. */
struct symbol {
	const char *name;
	bool text;
	bool data;
	char *clone;	/* the first of NAME.isra.0 and the like, or NULL */
};

/* Fill in all by one pass: 0, or -errno. */
int kallsyms_find(struct symbol *symbols, size_t nr);

#endif
