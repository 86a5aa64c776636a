// SPDX-License-Identifier: GPL-2.0-or-later
/* Drawing top's view. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "knobs.h"
#include "top.h"
#include "util.h"

#define HEAD_LINES	3
#define FOOT_LINES	2
/* Where the map does not fit, it keeps so many lines, and then counters theirs. */
#define MAP_MIN		6
#define COUNTERS_MIN	4
#define COUNTER_WIDTH	38
/* Of the numbers beside each LLC, and the column where they end at most. */
#define STATES_WIDTH	40
#define STATES_END	96
/* Below this width they are left out. */
#define STATES_ROOM	64
#define BUSY_WIDTH	40
/* Larger totals are rounded. */
#define SHORT_MAX	1000000000000

enum core_state { CORE_IDLE, CORE_GOOD, CORE_BAD, CORE_LONE, CORE_BOTH };

/* How many cores are in which state. */
struct summary {
	size_t nr[CORE_BOTH + 1];
	struct cputime times[2];	/* of preferred threads, of others */
};

static bool is_busy(const struct top *t, int cpu)
{
	const struct cputime *c = t->times ? &t->times[cpu] : NULL;

	return c && c->total && c->busy * 100 >= c->total * BUSY_PERCENT;
}

static enum core_state core_state(const struct top *t, const struct core *core)
{
	size_t busy = 0, preferred = 0, i;

	for (i = 0; i < core->cpus.nr; i++) {
		int cpu = core->cpus.cpu[i];

		if (!is_busy(t, cpu))
			continue;
		busy++;
		preferred += cpulist_has(&core->preferred, cpu);
	}
	if (busy > 1)
		return CORE_BOTH;
	if (!busy)
		return CORE_IDLE;
	if (!core->preferred.nr)
		return CORE_LONE;
	return preferred ? CORE_GOOD : CORE_BAD;
}

static void add_core(const struct top *t, const struct core *core,
		     struct summary *s)
{
	size_t i;

	s->nr[core_state(t, core)]++;
	for (i = 0; t->times && core->preferred.nr && i < core->cpus.nr; i++) {
		int cpu = core->cpus.cpu[i];
		int other = !cpulist_has(&core->preferred, cpu);

		s->times[other].busy += t->times[cpu].busy;
		s->times[other].total += t->times[cpu].total;
	}
}

static struct summary llc_summary(const struct top *t, const struct llc *llc)
{
	struct summary s = { 0 };
	size_t i;

	for (i = 0; i < llc->nr_cores; i++)
		add_core(t, &t->topology.cores[llc->cores[i]], &s);
	return s;
}

static struct summary whole_summary(const struct top *t)
{
	struct summary s = { 0 };
	size_t i;

	for (i = 0; i < t->topology.nr_cores; i++)
		add_core(t, &t->topology.cores[i], &s);
	return s;
}

/* In columns that stand below each other. */
static char *states_text(const struct summary *s)
{
	return xprintf("  idle %3zu  one %3zu  wrong %3zu  more %3zu",
		       s->nr[CORE_IDLE], s->nr[CORE_GOOD] + s->nr[CORE_LONE],
		       s->nr[CORE_BAD], s->nr[CORE_BOTH]);
}

static char *percent(const struct cputime *c)
{
	return c->total ? xprintf("%.1f%%", 100.0 * c->busy / c->total) :
			  xstrdup("-");
}

static const char *knob_value(const struct top *t, const char *name)
{
	const char *value = t->now.knobs[knob_find(name) - knobs];

	return value ? value : "?";
}

static void draw_module(const struct top *t, struct frame *f)
{
	char *on = NULL, clock[16] = "";
	time_t now = time(NULL);
	size_t i;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime(&now));
	if (!t->now.loaded) {
		frame_put(f, 0, 0, LOOK_TITLE, "smtprio is not loaded");
		frame_put(f, 0, f->columns - 8, LOOK_DIM, "%s", clock);
		return;
	}
	for (i = 0; i < nr_knobs; i++)
		if (knobs[i].kind == KNOB_BOOL && t->now.knobs[i] &&
		    !strcmp(t->now.knobs[i], "1"))
			append(&on, " ", "%s", knobs[i].name);
	frame_put(f, 0, 0, LOOK_TITLE,
		  "smtprio %s  mode %s  with %s  priority %s",
		  t->now.version ? t->now.version : "?", knob_value(t, "mode"),
		  on ? on : "nothing", knob_value(t, "priority_source"));
	frame_put(f, 0, f->columns - 9, LOOK_DIM, " %s", clock);
	free(on);
}

static const char *plural(size_t nr)
{
	return nr == 1 ? "" : "s";
}

/* Where the numbers of states_text() start: at the right, but not too far. */
static int states_column(const struct frame *f)
{
	return (f->columns < STATES_END ? f->columns : STATES_END) -
	       STATES_WIDTH;
}

static void draw_head(const struct top *t, struct frame *f)
{
	struct summary s = whole_summary(t);
	char *preferred = percent(&s.times[0]), *others = percent(&s.times[1]);
	int all = top_map_lines(t, f->columns);
	char *states = states_text(&s);

	draw_module(t, f);
	frame_put(f, 1, 0, LOOK_PLAIN,
		  "%zu CPU%s, %zu core%s, %zu socket%s, %zu LLC%s; busy: preferred %s, others %s",
		  t->topology.online.nr, plural(t->topology.online.nr),
		  t->topology.nr_cores, plural(t->topology.nr_cores),
		  t->places.nr_sockets, plural(t->places.nr_sockets),
		  t->places.nr_llcs, plural(t->places.nr_llcs), preferred,
		  others);
	if (all > t->page)
		frame_put(f, 2, 0, LOOK_TITLE, "lines %d-%d of %d:",
			  t->scroll + 1, t->scroll + t->page, all);
	frame_put(f, 2, states_column(f) - 21, LOOK_PLAIN,
		  "cores by busy threads");
	frame_put(f, 2, states_column(f), LOOK_PLAIN, "%s", states);
	free(preferred);
	free(others);
	free(states);
}

static int digits(int n)
{
	return n < 10 ? 1 : 1 + digits(n / 10);
}

/* How the cores of an LLC stand in rows. */
struct grid {
	int label;	/* columns before the first core */
	int width;	/* of a core, with a space */
	int per_row;
};

static struct grid grid_of(const struct top *t, int columns)
{
	struct grid g = { .label = digits(t->topology.nr_cpus - 1) + 3 };
	size_t threads = 1, i;

	for (i = 0; i < t->topology.nr_cores; i++)
		if (t->topology.cores[i].cpus.nr > threads)
			threads = t->topology.cores[i].cpus.nr;
	g.width = threads + 1;
	/* The last core needs no space after it. */
	g.per_row = (columns - g.label + 1) / g.width;
	if (g.per_row > 8)
		g.per_row -= g.per_row % 8;
	if (g.per_row < 1)
		g.per_row = 1;
	return g;
}

static int llc_rows(const struct llc *llc, const struct grid *g)
{
	return (llc->nr_cores + g->per_row - 1) / g->per_row;
}

static int llc_lines(const struct top *t, size_t llc, const struct grid *g)
{
	return 1 + (t->folded[llc] ? 0 : llc_rows(&t->places.llcs[llc], g));
}

int top_map_lines(const struct top *t, int columns)
{
	struct grid g = grid_of(t, columns);
	int lines = 0;
	size_t i;

	for (i = 0; i < t->places.nr_llcs; i++)
		lines += llc_lines(t, i, &g);
	return lines;
}

static void draw_core(const struct top *t, struct frame *f, int line,
		      int column, const struct core *core)
{
	static const enum look looks[] = {
		[CORE_IDLE] = LOOK_DIM,
		[CORE_GOOD] = LOOK_GOOD,
		[CORE_BAD] = LOOK_BAD,
		[CORE_LONE] = LOOK_GOOD,
		[CORE_BOTH] = LOOK_MIXED,
	};
	/* Idle others, idle preferred ones, busy others, busy preferred. */
	const char *letters = ".ox@";
	enum core_state state = core_state(t, core);
	size_t i;

	if (t->multi && t->multi[core - t->topology.cores])
		letters = ":Ox@";
	for (i = 0; i < core->cpus.nr; i++) {
		int cpu = core->cpus.cpu[i];

		frame_put(f, line, column + i, looks[state], "%c",
			  letters[2 * is_busy(t, cpu) +
				  cpulist_has(&core->preferred, cpu)]);
	}
}

static void draw_llc_head(const struct top *t, struct frame *f, int line,
			  size_t nr)
{
	const struct llc *llc = &t->places.llcs[nr];
	struct summary s = llc_summary(t, llc);
	char *preferred = percent(&s.times[0]), *others = percent(&s.times[1]);
	char *states = states_text(&s);
	char *left = xprintf("%c socket %d LLC %zu: CPUs %s",
			     t->folded[nr] ? '+' : '-', llc->socket, nr,
			     llc->cpus);
	int room = f->columns < STATES_ROOM ? f->columns : states_column(f);
	enum look look = t->live && nr == t->cursor ? LOOK_CURSOR : LOOK_TITLE;

	frame_put(f, line, 0, look, "%-*.*s", room, room, left);
	if ((int)strlen(left) > room && room > 2)
		frame_put(f, line, room - 2, look, "..");
	frame_put(f, line, room, look, "%s", states);
	if (f->columns >= STATES_END + BUSY_WIDTH)
		frame_put(f, line, STATES_END, look,
			  "  busy: preferred %6s, others %6s", preferred,
			  others);
	free(preferred);
	free(others);
	free(left);
	free(states);
}

/* Line number row of an LLC's cores. */
static void draw_row(const struct top *t, struct frame *f, int line,
		     const struct llc *llc, int row, const struct grid *g)
{
	size_t first = (size_t)row * g->per_row, i;

	frame_put(f, line, 0, LOOK_DIM, "%*d", g->label - 1,
		  t->topology.cores[llc->cores[first]].cpus.cpu[0]);
	for (i = first; i < llc->nr_cores && i < first + g->per_row; i++)
		draw_core(t, f, line, g->label + (i - first) * g->width,
			  &t->topology.cores[llc->cores[i]]);
}

/* The lines from scroll on, in so many lines of the frame. */
static void draw_map(const struct top *t, struct frame *f, int top, int lines)
{
	struct grid g = grid_of(t, f->columns);
	int line = -t->scroll, row, rows;
	size_t i;

	for (i = 0; i < t->places.nr_llcs; i++) {
		if (line >= 0 && line < lines)
			draw_llc_head(t, f, top + line, i);
		line++;
		rows = llc_lines(t, i, &g) - 1;
		for (row = 0; row < rows; row++, line++)
			if (line >= 0 && line < lines)
				draw_row(t, f, top + line, &t->places.llcs[i],
					 row, &g);
	}
}

static int counter_columns(int columns)
{
	return columns > COUNTER_WIDTH ? (columns + 2) / (COUNTER_WIDTH + 2) : 1;
}

/* With a heading and a line before it; 0: no room, or no counters. */
static int counter_lines(const struct top *t, int lines, int columns)
{
	int per_row = counter_columns(columns);
	int rows = ((int)t->now.counters.nr + per_row - 1) / per_row;
	int room = lines - HEAD_LINES - FOOT_LINES - 2;
	int beside = room - top_map_lines(t, columns);

	/* What the whole map leaves, or else a few. */
	if (beside < COUNTERS_MIN)
		beside = room - MAP_MIN < COUNTERS_MIN ? room - MAP_MIN :
							 COUNTERS_MIN;
	if (rows > beside)
		rows = beside;
	return rows > 0 ? rows + 2 : 0;
}

static void draw_counters(const struct top *t, struct frame *f, int top,
			  int lines)
{
	const struct counters *now = &t->now.counters, *before = &t->before;
	bool rates = before->nr && counters_follow(now, before) &&
		     now->when > before->when;
	int rows = lines - 2;
	size_t i;

	frame_put(f, top + 1, 0, LOOK_TITLE, "counters, %s", rates ?
		  "events a second" : "total");
	for (i = 0; i < now->nr; i++) {
		int column = i / rows * (COUNTER_WIDTH + 2);
		double rate = rates ? (now->values[i] - before->values[i]) /
				      (now->when - before->when) : 0;
		char *text = rates ? xprintf("%.1f", rate) :
			     xprintf(now->values[i] < SHORT_MAX ? "%.0f" :
				     "%.4g", (double)now->values[i]);
		enum look look = rates && !rate ? LOOK_DIM : LOOK_PLAIN;

		/* Whole columns, or none of them. */
		if (column + COUNTER_WIDTH <= f->columns)
			frame_put(f, top + 2 + i % rows, column, look,
				  "%-*.*s %*s", COUNTER_WIDTH - 15,
				  COUNTER_WIDTH - 15, now->names[i], 14, text);
		free(text);
	}
}

static void draw_foot(const struct top *t, struct frame *f)
{
	int line = f->lines - FOOT_LINES;

	frame_put(f, line, 0, LOOK_DIM,
		  "@ preferred thread busy (%d%% up), o idle; x other busy, . idle; %s",
		  BUSY_PERCENT, t->multi ? "multi: O :" : "wrong: only x");
	if (t->message)
		frame_put(f, line + 1, 0, LOOK_TITLE, "%s", t->message);
	else if (t->live)
		frame_put(f, line + 1, 0, LOOK_DIM,
			  "q quit  mode: 1 off 2 observe 3 enforce  arrows, Enter fold, f all  +- %gs",
			  t->interval);
}

/* Lines of the map that show. */
static int map_room(const struct top *t, int lines, int columns)
{
	int room = lines - HEAD_LINES - FOOT_LINES -
		   counter_lines(t, lines, columns);

	return room > 0 ? room : 0;
}

void top_fit(struct top *t, int lines, int columns)
{
	size_t i;

	if (top_map_lines(t, columns) <= map_room(t, lines, columns))
		return;
	for (i = 0; i < t->places.nr_llcs; i++)
		t->folded[i] = t->places.nr_llcs > 1;
}

void top_follow_cursor(struct top *t, int columns)
{
	struct grid g = grid_of(t, columns);
	int first = 0, last;
	size_t i;

	for (i = 0; i < t->cursor; i++)
		first += llc_lines(t, i, &g);
	last = first + llc_lines(t, t->cursor, &g);
	if (t->scroll + t->page < last)
		t->scroll = last - t->page;
	if (t->scroll > first)
		t->scroll = first;
}

void top_draw(struct top *t, struct frame *f)
{
	int counters = counter_lines(t, f->lines, f->columns);
	int all = top_map_lines(t, f->columns);

	t->page = map_room(t, f->lines, f->columns);
	if (t->scroll > all - t->page)
		t->scroll = all - t->page;
	if (t->scroll < 0)
		t->scroll = 0;
	draw_head(t, f);
	draw_map(t, f, HEAD_LINES, t->page);
	if (counters)
		draw_counters(t, f, HEAD_LINES +
			      (all < t->page ? all : t->page), counters);
	draw_foot(t, f);
}
