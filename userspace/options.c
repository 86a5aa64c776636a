// SPDX-License-Identifier: GPL-2.0-or-later
/* The options: one table. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "sysfs.h"
#include "util.h"

#define LONG_BASE	256
#define INTERVAL_MAX	86400
#define COUNT_MAX	1000000
#define PID_MAX		4194304	/* PID_MAX_LIMIT of the kernel */
#define SIZE_MAX_CELLS	10000

static int set_json(struct options *opt, const char *text)
{
	(void)text;
	opt->json = true;
	return 0;
}

static int set_sysroot(struct options *opt, const char *text)
{
	int err = sysfs_set_root(text);

	(void)opt;
	if (err)
		fail("--sysroot: '%s': %s, allowed: a directory", text,
		     strerror(-err));
	return err;
}

static int set_reset(struct options *opt, const char *text)
{
	(void)text;
	opt->reset = true;
	return 0;
}

static int set_file(struct options *opt, const char *text)
{
	opt->file = text;
	return 0;
}

static int set_interval(struct options *opt, const char *text)
{
	char *end;

	errno = 0;
	opt->interval = strtod(text, &end);
	if (errno || end == text || *end ||
	    !(opt->interval > 0 && opt->interval <= INTERVAL_MAX)) {
		fail("--interval: bad value '%s', allowed: seconds above 0, to %d",
		     text, INTERVAL_MAX);
		return -1;
	}
	return 0;
}

static int parse_int(const char *name, const char *text, int max, int *value)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || *end || n < 1 || n > max) {
		fail("%s: bad value '%s', allowed: 1 to %d", name, text, max);
		return -1;
	}
	*value = n;
	return 0;
}

static int set_count(struct options *opt, const char *text)
{
	return parse_int("-n", text, COUNT_MAX, &opt->count);
}

static int set_pid(struct options *opt, const char *text)
{
	return parse_int("--pid", text, PID_MAX, &opt->pid);
}

static int set_configs(struct options *opt, const char *text)
{
	opt->configs = text;
	return 0;
}

static int set_metric(struct options *opt, const char *text)
{
	opt->metric = text;
	return 0;
}

static int set_csv(struct options *opt, const char *text)
{
	(void)text;
	opt->csv = true;
	return 0;
}

static int set_html(struct options *opt, const char *text)
{
	opt->html = text;
	return 0;
}

static int set_once(struct options *opt, const char *text)
{
	(void)text;
	opt->once = true;
	return 0;
}

static int set_columns(struct options *opt, const char *text)
{
	return parse_int("--columns", text, SIZE_MAX_CELLS, &opt->columns);
}

static int set_lines(struct options *opt, const char *text)
{
	return parse_int("--lines", text, SIZE_MAX_CELLS, &opt->lines);
}

/* Only noted in options.given. */
static int set_nothing(struct options *opt, const char *text)
{
	(void)opt;
	(void)text;
	return 0;
}

static const struct {
	const char *name;
	char letter;
	int has_arg;
	int (*set)(struct options *opt, const char *text);
} table[NR_OPTIONS] = {
	[OPT_JSON] = { "json", 0, no_argument, set_json },
	[OPT_SYSROOT] = { "sysroot", 0, required_argument, set_sysroot },
	[OPT_HELP] = { "help", 'h', no_argument, set_nothing },
	[OPT_VERSION] = { "version", 'V', no_argument, set_nothing },
	[OPT_RESET] = { "reset", 0, no_argument, set_reset },
	[OPT_FILE] = { "file", 0, required_argument, set_file },
	[OPT_INTERVAL] = { "interval", 'i', required_argument, set_interval },
	[OPT_COUNT] = { "count", 'n', required_argument, set_count },
	[OPT_PID] = { "pid", 'p', required_argument, set_pid },
	[OPT_CONFIGS] = { "configs", 'c', required_argument, set_configs },
	[OPT_METRIC] = { "metric", 'm', required_argument, set_metric },
	[OPT_CSV] = { "csv", 0, no_argument, set_csv },
	[OPT_HTML] = { "html", 0, required_argument, set_html },
	[OPT_ONCE] = { "once", 0, no_argument, set_once },
	[OPT_COLUMNS] = { "columns", 0, required_argument, set_columns },
	[OPT_PROMETHEUS] = { "prometheus", 0, no_argument, set_nothing },
	[OPT_CHECK] = { "check", 0, no_argument, set_nothing },
	[OPT_LINES] = { "lines", 0, required_argument, set_lines },
};

const char *option_name(enum option_key key)
{
	return table[key].name;
}

bool option_given(const struct options *opt, enum option_key key)
{
	return opt->given & (1u << key);
}

static bool is_common(enum option_key key)
{
	return key <= OPT_VERSION;
}

bool options_allowed(const struct options *opt, const char *cmd,
		     const struct option_use *uses)
{
	const struct option_use *use;
	enum option_key key;

	for (key = OPT_NONE + 1; key < NR_OPTIONS; key++) {
		if (is_common(key) || !option_given(opt, key))
			continue;
		for (use = uses; use->key && use->key != key; use++)
			;
		if (use->key)
			continue;
		fail("%s: does not take --%s, see smtprioctl %s --help", cmd,
		     table[key].name, cmd);
		return false;
	}
	return true;
}

static int set_option(struct request *r, enum option_key key)
{
	r->opt.given |= 1u << key;
	return table[key].set(&r->opt, optarg);
}

static int bad_option(int c, char *const *argv)
{
	if (c == ':')
		fail("option '%s' needs a value, see --help", argv[optind - 1]);
	/* A bad letter, maybe inside a word, or a bad long option. */
	else if (optopt > 0 && optopt < LONG_BASE)
		fail("bad option '-%c', allowed: see --help", optopt);
	else
		fail("bad option '%s', allowed: see --help", argv[optind - 1]);
	return -1;
}

static int take_option(struct request *r, int c, char *const *argv)
{
	enum option_key key;

	for (key = OPT_NONE + 1; key < NR_OPTIONS; key++)
		if (c == LONG_BASE + (int)key || c == table[key].letter)
			return set_option(r, key);
	return bad_option(c, argv);
}

/* In the form that getopt_long() wants. */
static void fill_options(struct option *longs, char *letters)
{
	enum option_key key;

	/* "-": arguments come in their place; ":": missing values are told. */
	letters += sprintf(letters, "-:");
	for (key = OPT_NONE + 1; key < NR_OPTIONS; key++) {
		*longs++ = (struct option){
			.name = table[key].name,
			.has_arg = table[key].has_arg,
			.val = LONG_BASE + key,
		};
		if (table[key].letter)
			letters += sprintf(letters, "%c%s", table[key].letter,
					   table[key].has_arg ? ":" : "");
	}
	*longs = (struct option){ 0 };
}

int options_parse(struct request *r, int argc, char **argv)
{
	struct option longs[NR_OPTIONS];
	char letters[3 * NR_OPTIONS + 3];
	int c;

	*r = (struct request){ 0 };
	fill_options(longs, letters);
	r->args = xalloc((argc + 1) * sizeof(*r->args));
	opterr = 0;
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (c == 1)
			r->args[r->nr++] = optarg;
		else if (take_option(r, c, argv))
			return -1;
	}
	r->nr_before = r->nr;
	r->opt.dashes = optind > 1 && !strcmp(argv[optind - 1], "--");
	for (; optind < argc; optind++)
		r->args[r->nr++] = argv[optind];
	return 0;
}
