// SPDX-License-Identifier: GPL-2.0-or-later
/* top */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "clock.h"
#include "cmd.h"
#include "options.h"
#include "sysfs.h"
#include "top.h"
#include "util.h"

#define DEFAULT_INTERVAL	1

static int from_environment(const char *name)
{
	const char *text = getenv(name);
	int n = text ? atoi(text) : 0;

	return n > 0 && n <= 10000 ? n : 0;
}

/* What is asked for, or what the terminal has, or 80 x 24. */
static void frame_size(const struct options *opt, int *lines, int *columns)
{
	struct winsize w = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w))
		w = (struct winsize){ 0 };
	*lines = opt->lines;
	if (!*lines)
		*lines = from_environment("LINES");
	if (!*lines)
		*lines = w.ws_row ? w.ws_row : 24;
	*columns = opt->columns;
	if (!*columns)
		*columns = from_environment("COLUMNS");
	if (!*columns)
		*columns = w.ws_col ? w.ws_col : 80;
}

static int once(struct top *t, const struct options *opt)
{
	int lines, columns;
	struct frame f;

	/* A recorded tree does not move: show the time since its boot. */
	if (!sysfs_rooted() || option_given(opt, OPT_INTERVAL)) {
		clock_hold_signals();
		if (clock_pause(clock_now() + t->interval, false) ||
		    top_read(t))
			return EXIT_FAILURE;
	}
	frame_size(opt, &lines, &columns);
	frame_init(&f, lines, columns);
	top_fit(t, lines, columns);
	top_draw(t, &f);
	frame_print(&f);
	frame_free(&f);
	return EXIT_SUCCESS;
}

int cmd_top(const struct options *opt, char **args, int nr)
{
	struct top t = {
		.live = !opt->once,
		.interval = opt->interval ? opt->interval : DEFAULT_INTERVAL,
	};
	int status = EXIT_FAILURE;

	(void)args;
	(void)nr;
	if (opt->json) {
		fail("top: has no JSON, allowed: status --json, stats --json");
		return EXIT_FAILURE;
	}
	if (!opt->once && (opt->lines || opt->columns)) {
		fail("top: --lines and --columns are for --once");
		return EXIT_FAILURE;
	}
	if (!opt->once && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))) {
		fail("top: not on a terminal; for one frame as text: top --once");
		return EXIT_FAILURE;
	}
	if (!top_open(&t))
		status = opt->once ? once(&t, opt) : top_run(&t);
	top_close(&t);
	return status;
}
