// SPDX-License-Identifier: GPL-2.0-or-later
/* A bench's report as one page of HTML with its plots in SVG. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "bench.h"
#include "util.h"

/* In the units of the drawings. */
#define PLOT_WIDTH	760
#define MARGIN_LEFT	150
#define MARGIN_RIGHT	20
#define ROW_HEIGHT	34
#define RUNS_HEIGHT	260
#define AXIS_HEIGHT	40

/* Okabe and Ito's colours, which colour-blind eyes tell apart. */
static const char *const colours[] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
	"#7f7f7f", "#b8a800",
};

static const char style[] =
	"body{font:15px/1.45 system-ui,sans-serif;max-width:860px;margin:2em auto;padding:0 1em;\n"
	"color:#1b1b1b;background:#fff}\n"
	"h1{font-size:1.4em}h2{font-size:1.1em;margin-top:2em}\n"
	"code,pre{font:13px/1.4 ui-monospace,monospace;overflow-wrap:anywhere}\n"
	"table{border-collapse:collapse}th,td{padding:.3em .7em;text-align:right;\n"
	"border-bottom:1px solid #ccc;font-variant-numeric:tabular-nums}\n"
	"th:first-child,td:first-child{text-align:left}tr.differs td{font-weight:600}\n"
	"svg{max-width:100%;height:auto}svg text{font:12px system-ui,sans-serif;fill:currentColor}\n"
	".grid{stroke:#8884;stroke-width:1}.axis{stroke:currentColor;stroke-width:1}\n"
	".note{color:#555}\n"
	"@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}.note{color:#aaa}\n"
	"th,td{border-color:#444}}\n";

static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '&':
			fputs("&amp;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

/* <tag>text</tag> */
static void put_element(FILE *out, const char *tag, const char *text)
{
	fprintf(out, "<%s>", tag);
	put_text(out, text);
	fprintf(out, "</%s>", tag);
}

/* text is freed; NULL is unknown */
static void put_cell(FILE *out, char *text)
{
	fprintf(out, "<td>%s</td>", text ? text : "-");
	free(text);
}

static const char *colour(size_t config)
{
	return colours[config % ARRAY_SIZE(colours)];
}

static double mean_of(const struct sample *s)
{
	return s->nr ? s->mean : NAN;
}

static void put_row(FILE *out, const struct bench *b, size_t i)
{
	const struct config_result *r = &b->results[i];
	const struct sample *v = &r->value;
	double mean = fabs(v->mean);

	fprintf(out, "<tr%s><td><span style=\"color:%s\">&#9679;</span> ",
		bench_differs(r) ? " class=\"differs\"" : "", colour(i));
	put_text(out, b->configs.list[i].name);
	fputs("</td>", out);
	put_cell(out, bench_number(v->mean));
	put_cell(out, bench_fixed(100 * sample_deviation(v) / mean, 1, "%"));
	put_cell(out, bench_fixed(100 * sample_error(v) / mean, 1, "%"));
	put_cell(out, bench_change(b, i));
	put_cell(out, bench_fixed(mean_of(&r->count[COUNT_CPU]), 1, "%"));
	put_cell(out, bench_fixed(mean_of(&r->count[COUNT_REDIRECTS]), 0, ""));
	if (b->results[0].count[COUNT_TO_MULTI].nr)
		put_cell(out, bench_fixed(mean_of(&r->count[COUNT_TO_MULTI]),
					  0, ""));
	put_cell(out, bench_fixed(r->p, 4, ""));
	fputs("</tr>\n", out);
}

static void put_table(FILE *out, const struct bench *b)
{
	size_t i;

	fprintf(out, "<table><tr><th>config<th>mean<th>std%%<th>sem%%<th>+/-<th>cpu%%<th>redirects%s<th>p</tr>\n",
		b->results[0].count[COUNT_TO_MULTI].nr ? "<th>to multi" : "");
	for (i = 0; i < b->configs.nr; i++)
		put_row(out, b, i);
	fputs("</table>\n<ul>\n", out);
	for (i = 1; i < b->configs.nr; i++) {
		char *verdict = bench_verdict(b, i);

		put_element(out, "li", verdict);
		free(verdict);
	}
	fputs("</ul>\n<p class=\"note\">cpu%: 100% is one CPU. redirects: choices of the kernel that were changed, a run; to multi: cores going to multi mode.\n"
	      "p: Welch's t test against the first configuration, by Holm for several comparisons; bold below 0.05.</p>\n",
	      out);
}

/* A linear axis over the values. */
struct axis {
	double low, high;	/* values */
	double from, to;	/* places in the drawing */
	double step;		/* between ticks, in values */
};

static double place(const struct axis *a, double value)
{
	return a->from + (value - a->low) / (a->high - a->low) *
	       (a->to - a->from);
}

static void widen(struct axis *a, double low, double high)
{
	if (low < a->low)
		a->low = low;
	if (high > a->high)
		a->high = high;
}

/* Steps of 1, 2 or 5 times a power of ten, about six of them. */
static void choose_step(struct axis *a)
{
	double raw = (a->high - a->low) / 6, power = pow(10, floor(log10(raw)));

	a->step = raw <= power ? power : raw <= 2 * power ? 2 * power :
		  raw <= 5 * power ? 5 * power : 10 * power;
}

static struct axis value_axis(const struct bench *b, double from, double to)
{
	struct axis a = { INFINITY, -INFINITY, from, to, 0 };
	double room;
	size_t i;

	for (i = 0; i < b->configs.nr; i++) {
		const struct sample *v = &b->results[i].value;
		double margin = sample_margin(v);

		widen(&a, v->min, v->max);
		/* A margin of two or three runs may be absurdly wide. */
		if (margin < 2 * (v->max - v->min))
			widen(&a, v->mean - margin, v->mean + margin);
	}
	room = a.high > a.low ? (a.high - a.low) * 0.05 :
	       fmax(fabs(a.high) * 0.1, DBL_EPSILON);
	a.low -= room;
	a.high += room;
	choose_step(&a);
	return a;
}

static double first_tick(const struct axis *a)
{
	return ceil(a->low / a->step) * a->step;
}

/* As many places as the step has. */
static void put_tick(FILE *out, const struct axis *a, double value)
{
	int places = fmax(0, -floor(log10(a->step) + 0.000001));

	fprintf(out, "%.*f", places, fabs(value) < a->step / 2 ? 0 : value);
}

static void open_svg(FILE *out, double height, const char *label)
{
	fprintf(out, "<svg viewBox=\"0 0 %d %.0f\" width=\"%d\" role=\"img\" aria-label=\"%s\">\n",
		PLOT_WIDTH, height, PLOT_WIDTH, label);
}

static void strip_row(FILE *out, const struct bench *b, const struct axis *x,
		      size_t config)
{
	const struct sample *v = &b->results[config].value;
	double y = (config + 0.5) * ROW_HEIGHT, margin = sample_margin(v);
	double low = fmax(v->mean - margin, x->low);
	double high = fmin(v->mean + margin, x->high);
	size_t i, nr = 0;

	fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
		MARGIN_LEFT - 10, y + 4);
	if (strlen(b->configs.list[config].name) > 20) {
		char *name = xprintf("%.18s..", b->configs.list[config].name);

		put_text(out, name);
		free(name);
	} else {
		put_text(out, b->configs.list[config].name);
	}
	fputs("</text>\n", out);
	for (i = 0; i < b->done * b->configs.nr; i++) {
		if (b->runs[i].config != config)
			continue;
		/* Side by side in a few rows, so that equal values show. */
		fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"%s\" fill-opacity=\".55\"/>\n",
			place(x, b->runs[i].value), y - 8 + nr++ % 5 * 4.0,
			colour(config));
	}
	if (!isnan(margin))
		fprintf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"currentColor\" stroke-width=\"2\"/>\n",
			place(x, low), place(x, high), y, y);
	fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"3\" height=\"20\" fill=\"currentColor\"/>\n",
		place(x, v->mean) - 1.5, y - 10);
}

static void put_strips(FILE *out, const struct bench *b)
{
	double height = b->configs.nr * ROW_HEIGHT, tick;
	struct axis x = value_axis(b, MARGIN_LEFT, PLOT_WIDTH - MARGIN_RIGHT);
	size_t i;

	open_svg(out, height + AXIS_HEIGHT, "values by configuration");
	for (tick = first_tick(&x); tick <= x.high; tick += x.step) {
		fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%.1f\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
			place(&x, tick), place(&x, tick), height,
			place(&x, tick), height + 16);
		put_tick(out, &x, tick);
		fputs("</text>\n", out);
	}
	for (i = 0; i < b->configs.nr; i++)
		strip_row(out, b, &x, i);
	fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
		PLOT_WIDTH - MARGIN_RIGHT, height + 34);
	put_text(out, b->metric ? b->metric : "seconds");
	fputs("</text>\n</svg>\n", out);
}

static double run_place(const struct bench *b, size_t run)
{
	size_t all = b->done * b->configs.nr;
	double width = PLOT_WIDTH - MARGIN_RIGHT - MARGIN_LEFT / 2;

	return MARGIN_LEFT / 2 + (run + 0.5) / all * width;
}

static void put_line(FILE *out, const struct bench *b, const struct axis *y,
		     size_t config)
{
	size_t i;

	fprintf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-opacity=\".5\" points=\"",
		colour(config));
	for (i = config; i < b->done * b->configs.nr; i += b->configs.nr)
		fprintf(out, "%.1f,%.1f ", run_place(b, i),
			place(y, b->runs[i].value));
	fputs("\"/>\n", out);
	for (i = config; i < b->done * b->configs.nr; i += b->configs.nr)
		fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
			run_place(b, i), place(y, b->runs[i].value),
			colour(config));
}

/* A drift, or runs that disturbed each other, show here. */
static void put_runs(FILE *out, const struct bench *b)
{
	struct axis y = value_axis(b, RUNS_HEIGHT - 10, 10);
	double tick;
	size_t i;

	open_svg(out, RUNS_HEIGHT + AXIS_HEIGHT, "values in the order of running");
	for (tick = first_tick(&y); tick <= y.high; tick += y.step) {
		fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
			MARGIN_LEFT / 2, PLOT_WIDTH - MARGIN_RIGHT,
			place(&y, tick), place(&y, tick), MARGIN_LEFT / 2 - 8,
			place(&y, tick) + 4);
		put_tick(out, &y, tick);
		fputs("</text>\n", out);
	}
	for (i = 0; i < b->configs.nr; i++)
		put_line(out, b, &y, i);
	fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">run 1 to %zu</text>\n</svg>\n",
		PLOT_WIDTH - MARGIN_RIGHT, RUNS_HEIGHT + 20,
		b->done * b->configs.nr);
}

void bench_html(const struct bench *b, FILE *out)
{
	char *command = bench_command(b), *order = bench_order(b);
	time_t now = time(NULL);
	struct utsname host;
	char when[64];

	uname(&host);
	strftime(when, sizeof(when), "%Y-%m-%d %H:%M", localtime(&now));
	fprintf(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<title>smtprioctl bench</title>\n<style>\n%s</style></head><body>\n"
		"<h1>smtprioctl bench: %s</h1>\n", style,
		b->metric ? "a number of the output" : "wall time");
	put_element(out, "pre", command);
	if (b->metric) {
		fputs("<p>the number: ", out);
		put_element(out, "code", b->metric);
		fputs("</p>\n", out);
	}
	fprintf(out, "<p class=\"note\">%s, kernel %s (%s) on %s, smtprioctl %s; order of the runs: ",
		when, host.release, host.machine, host.nodename,
		SMTPRIO_VERSION);
	put_text(out, order);
	fputs("</p>\n", out);
	put_table(out, b);
	fputs("<h2>Each run, the mean and its 95% confidence interval</h2>\n", out);
	put_strips(out, b);
	fputs("<h2>In the order of running</h2>\n", out);
	put_runs(out, b);
	fputs("</body></html>\n", out);
	free(order);
	free(command);
}
