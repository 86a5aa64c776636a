// SPDX-License-Identifier: GPL-2.0-or-later
/* top on a terminal. */
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "clock.h"
#include "reason.h"
#include "sysfs.h"
#include "top.h"
#include "util.h"

#define INTERVAL_MIN	0.25
#define INTERVAL_MAX	60

static const struct {
	short colour;
	attr_t attributes;
} looks[NR_LOOKS] = {
	[LOOK_PLAIN] = { -1, A_NORMAL },
	[LOOK_TITLE] = { -1, A_BOLD },
	[LOOK_DIM] = { -1, A_DIM },
	[LOOK_GOOD] = { COLOR_GREEN, A_BOLD },
	[LOOK_BAD] = { COLOR_RED, A_BOLD },
	[LOOK_MIXED] = { COLOR_YELLOW, A_BOLD },
	[LOOK_CURSOR] = { -1, A_REVERSE },
};

static void init_looks(void)
{
	short i;

	if (!has_colors())
		return;
	start_color();
	use_default_colors();
	for (i = 0; i < NR_LOOKS; i++)
		init_pair(i + 1, looks[i].colour, -1);
}

static void show(const struct frame *f)
{
	int line, column;

	for (line = 0; line < f->lines; line++) {
		for (column = 0; column < f->columns; column++) {
			size_t at = (size_t)line * f->columns + column;
			unsigned char look = f->looks[at];

			attrset(looks[look].attributes);
			if (has_colors())
				color_set(look + 1, NULL);
			mvaddch(line, column, (unsigned char)f->text[at]);
		}
	}
	refresh();
}

static void redraw(struct top *t)
{
	struct frame f;

	frame_init(&f, LINES, COLS);
	top_draw(t, &f);
	show(&f);
	frame_free(&f);
}

static void set_mode(struct top *t, const char *mode)
{
	int err = sysfs_write(SMTPRIO "/mode", mode);

	if (err)
		t->message = xprintf("mode=%s: %s", mode, t->now.loaded ?
				     reason(err) : "smtprio is not loaded");
	else
		t->message = xprintf("mode=%s", mode);
	top_read(t);
}

static void fold_all(struct top *t)
{
	bool fold = !t->folded[t->cursor];
	size_t i;

	for (i = 0; i < t->places.nr_llcs; i++)
		t->folded[i] = fold;
}

static void move_cursor(struct top *t, int by)
{
	if (by < 0 && t->cursor)
		t->cursor--;
	if (by > 0 && t->cursor + 1 < t->places.nr_llcs)
		t->cursor++;
}

static void set_interval(struct top *t, double interval)
{
	if (interval >= INTERVAL_MIN && interval <= INTERVAL_MAX)
		t->interval = interval;
}

/* Keys that scroll by themselves; others keep the cursor in sight. */
static bool scrolled(struct top *t, int key)
{
	switch (key) {
	case KEY_NPAGE:
	case ' ':
		t->scroll += t->page;
		return true;
	case KEY_PPAGE:
	case 'b':
		t->scroll -= t->page;
		return true;
	default:
		return false;
	}
}

/* False: the user has seen enough. */
static bool handle(struct top *t, int key)
{
	free(t->message);
	t->message = NULL;
	if (scrolled(t, key))
		return true;
	switch (key) {
	case 'q':
	case 'Q':
		return false;
	case '1':
		set_mode(t, "off");
		break;
	case '2':
		set_mode(t, "observe");
		break;
	case '3':
		set_mode(t, "enforce");
		break;
	case KEY_UP:
	case 'k':
		move_cursor(t, -1);
		break;
	case KEY_DOWN:
	case 'j':
		move_cursor(t, 1);
		break;
	case KEY_HOME:
		t->cursor = 0;
		break;
	case KEY_END:
		t->cursor = t->places.nr_llcs - 1;
		break;
	case '\n':
	case '\r':
	case KEY_ENTER:
		t->folded[t->cursor] = !t->folded[t->cursor];
		break;
	case 'f':
		fold_all(t);
		break;
	case '+':
	case '=':
		set_interval(t, t->interval * 2);
		break;
	case '-':
		set_interval(t, t->interval / 2);
		break;
	case 'L' - '@':
		clearok(stdscr, TRUE);
		break;
	}
	top_follow_cursor(t, COLS);
	return true;
}

/* All keys that wait. */
static bool handle_keys(struct top *t)
{
	bool any = false;
	int key;

	while ((key = getch()) != ERR) {
		any = true;
		if (!handle(t, key))
			return false;
	}
	if (any)
		redraw(t);
	return true;
}

/* The signals that ask to end, to be polled for. */
static int open_signals(void)
{
	sigset_t set;

	clock_hold_signals();
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static int loop(struct top *t, int signals)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = signals, .events = POLLIN },
	};
	double next = clock_now() + t->interval;

	redraw(t);
	for (;;) {
		double left = next - clock_now();

		if (left <= 0) {
			if (top_read(t))
				return EXIT_FAILURE;
			redraw(t);
			next = clock_now() + t->interval;
			continue;
		}
		/* A change of the window's size interrupts it: a key then. */
		if (poll(fds, ARRAY_SIZE(fds), left * 1000 + 1) < 0 &&
		    errno != EINTR)
			return EXIT_FAILURE;
		if (fds[1].revents || fds[0].revents & (POLLHUP | POLLERR))
			return EXIT_SUCCESS;
		if (!handle_keys(t))
			return EXIT_SUCCESS;
		if (next > clock_now() + t->interval)
			next = clock_now() + t->interval;
	}
}

int top_run(struct top *t)
{
	int signals = open_signals(), status;
	SCREEN *screen;

	screen = newterm(NULL, stdout, stdin);
	if (!screen) {
		fail("top: this terminal (TERM=%s) cannot show it; there is: top --once",
		     getenv("TERM") ? getenv("TERM") : "");
		return EXIT_FAILURE;
	}
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(50);
	init_looks();
	top_fit(t, LINES, COLS);
	status = loop(t, signals);
	endwin();
	delscreen(screen);
	close(signals);
	return status;
}
