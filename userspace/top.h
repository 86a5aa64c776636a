/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_TOP_H
#define SMTPRIOCTL_TOP_H

#include <stdbool.h>
#include <stddef.h>

#include "counters.h"
#include "cputime.h"
#include "frame.h"
#include "places.h"
#include "topology.h"

/* Busy, or in multi mode, is what is so for this part of the time. */
#define BUSY_PERCENT	10

/* What is known of the machine at one moment. */
struct top_sample {
	bool loaded;
	char **knobs;			/* by number, NULL: unknown */
	char *version;
	struct counters counters;	/* nr is 0: unknown */
	struct cputime *times;		/* since boot, by CPU; NULL: unknown */
	/* Time in multi mode by core, where the module accounts for it. */
	unsigned long long *multi_ns;
	double when;			/* clock_now() */
};

struct top {
	struct topology topology;
	struct places places;
	char *online;			/* of which the two above are */
	unsigned int age;		/* samples since they were read */
	struct top_sample now;
	struct cputime *times;		/* between the samples, or since boot */
	/* By core: in multi mode for BUSY_PERCENT of the time. NULL: unknown */
	bool *multi;
	struct counters before;		/* nr is 0: there are no rates */
	/* What the user sees of it. */
	bool *folded;			/* by LLC */
	size_t cursor;			/* LLC */
	int scroll;			/* first line of the map that shows */
	int page;			/* lines of the map that show */
	bool live;			/* keys work */
	double interval;
	char *message;			/* instead of the keys, or NULL */
};

/* top_data.c: 0, or -1 with the message printed. */
int top_open(struct top *t);
/* Read all again; what passed since the last time is known then. */
int top_read(struct top *t);
void top_close(struct top *t);

/* top_frame.c: lines of the map at this width; fold all if that makes it fit */
int top_map_lines(const struct top *t, int columns);
void top_fit(struct top *t, int lines, int columns);
void top_draw(struct top *t, struct frame *f);
/* Keep the cursor's LLC on the screen. */
void top_follow_cursor(struct top *t, int columns);

/* top_screen.c: the terminal, until the user ends it; an exit status */
int top_run(struct top *t);

#endif
