// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "knobs.h"
#include "sysfs.h"
#include "util.h"

#define ANY_NUMBER	-1

/* Bits of the options only some commands take. */
enum {
	OPT_RESET	= 1 << 0,
	OPT_FILE	= 1 << 1,
	OPT_INTERVAL	= 1 << 2,
};

struct command {
	const char *name;
	const char *args;
	int max_args;
	int options;
	const char *help;
	int (*run)(const struct options *opt, char **args, int nr);
	const char *details;
	void (*more)(void);
};

static const struct command commands[] = {
	{ "status", "", 0, OPT_INTERVAL,
	  "module, mode, hooks, and each core's load", cmd_status,
	  "For each core: its threads, their priorities, the preferred thread, and how\n"
	  "busy it (BUSY%) and the others (OTHERS%) were: over a short interval, or\n"
	  "since boot with --sysroot. With the preference at work and the machine partly\n"
	  "loaded, OTHERS% stays near 0. \"-\" is unknown or no preference.", NULL },
	{ "get", "[KEY...]", ANY_NUMBER, 0,
	  "print knobs as KEY=VALUE", cmd_get, NULL, knob_help },
	{ "set", "KEY=VALUE...", ANY_NUMBER, 0,
	  "change knobs; all of them or none", cmd_set, NULL, knob_help },
	{ "mode", "[off|observe|enforce]", 1, 0,
	  "print or change the mode", cmd_mode,
	  "off      detached from the kernel, no cost\n"
	  "observe  count what would be changed, change nothing\n"
	  "enforce  act", NULL },
	{ "priority", "[CPU[=N]...]", ANY_NUMBER, 0,
	  "print or change priorities of CPUs", cmd_priority,
	  "CPU is a number or a list as in 0,4-7; N is any int, higher is preferred among\n"
	  "the threads of one core. Writing needs priority_source=custom:\n"
	  "  smtprioctl set priority_source=custom && smtprioctl priority 0=1 4=2\n"
	  "All CPUs given change in one step. A list of more than 4095 bytes is written in\n"
	  "parts, each of them one step. Modules without the file priorities take one CPU\n"
	  "after the other. A failure takes back what was done before it.", NULL },
	{ "stats", "[--reset]", 0, OPT_RESET,
	  "print the counters, or set them to 0", cmd_stats,
	  "The counters' meanings are in the ABI document of the sysfs files.", NULL },
	{ "load", "[PARAM=VALUE...]", ANY_NUMBER, OPT_FILE,
	  "load the module", cmd_load,
	  "Takes the module installed for the running kernel, or --file.", knob_help },
	{ "unload", "", 0, 0,
	  "unload the module and wait for it", cmd_unload, NULL, NULL },
	{ "doctor", "", 0, 0,
	  "would smtprio work on this kernel?", cmd_doctor,
	  "Works without the module: looks at the running kernel and says by which hook\n"
	  "points smtprio would work, or why not and what to do. More is seen by root.\n"
	  "The exit status is 0 when it would work and 1 when not.", NULL },
};

enum { LONG_JSON = 256, LONG_SYSROOT, LONG_RESET, LONG_FILE, LONG_INTERVAL };

static const struct option long_options[] = {
	{ "json", no_argument, NULL, LONG_JSON },
	{ "sysroot", required_argument, NULL, LONG_SYSROOT },
	{ "reset", no_argument, NULL, LONG_RESET },
	{ "file", required_argument, NULL, LONG_FILE },
	{ "interval", required_argument, NULL, LONG_INTERVAL },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* How the options of single commands are named in help and messages. */
static const struct {
	int bit;
	const char *name;
	const char *help;
} some_options[] = {
	{ OPT_RESET, "--reset", "set all counters to 0" },
	{ OPT_FILE, "--file PATH.ko", "load this file" },
	{ OPT_INTERVAL, "--interval SECONDS", "measure so long (default 0.2)" },
};

/* The command line, taken apart. */
struct request {
	struct options opt;
	int given;		/* OPT_ bits */
	bool help;
	bool version;
};

bool need_loaded(const char *cmd)
{
	if (sysfs_exists(SMTPRIO))
		return true;
	fail("%s: smtprio is not loaded; " LOAD_HINT, cmd);
	return false;
}

static void print_common_help(void)
{
	puts("\nOptions, before or after the command:\n"
	     "  --json              print JSON\n"
	     "  --sysroot DIR       read and write below DIR instead of /\n"
	     "  --help, --version\n"
	     "\nExit status: 0 done; 1 failure or bad input, nothing is changed;\n"
	     "64 some of several writes are done and could not be taken back.");
}

static void print_help(void)
{
	size_t i;

	puts("Usage: smtprioctl [OPTIONS] COMMAND [ARGUMENTS]\n\n"
	     "Prefer the better thread of each SMT core, through the smtprio module.\n");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-8s %-22s %s\n", commands[i].name, commands[i].args,
		       commands[i].help);
	print_common_help();
}

static void print_command_help(const struct command *cmd)
{
	size_t i;

	printf("Usage: smtprioctl %s%s%s [OPTIONS]\n\n%s\n", cmd->name,
	       *cmd->args ? " " : "", cmd->args, cmd->help);
	if (cmd->details)
		printf("\n%s\n", cmd->details);
	if (cmd->more)
		cmd->more();
	if (cmd->options)
		putchar('\n');
	for (i = 0; i < ARRAY_SIZE(some_options); i++)
		if (cmd->options & some_options[i].bit)
			printf("  %-19s %s\n", some_options[i].name,
			       some_options[i].help);
	print_common_help();
}

static char *command_names(void)
{
	char *names = NULL;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		append(&names, ", ", "%s", commands[i].name);
	return names;
}

static const struct command *find_command(const char *name)
{
	size_t i;
	char *names;

	for (i = 0; name && i < ARRAY_SIZE(commands); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	names = command_names();
	if (name)
		fail("unknown command '%s', allowed: %s", name, names);
	else
		fail("no command given, allowed: %s", names);
	free(names);
	return NULL;
}

static int parse_interval(const char *text, double *interval)
{
	char *end;

	errno = 0;
	*interval = strtod(text, &end);
	if (errno || end == text || *end || !(*interval > 0 && *interval <= 60)) {
		fail("--interval: bad value '%s', allowed: seconds above 0, to 60",
		     text);
		return -1;
	}
	return 0;
}

static int parse_option(struct request *r, int c, char *const *argv)
{
	int err;

	switch (c) {
	case LONG_JSON:
		r->opt.json = true;
		return 0;
	case LONG_SYSROOT:
		err = sysfs_set_root(optarg);
		if (err)
			fail("--sysroot: '%s': %s, allowed: a directory",
			     optarg, strerror(-err));
		return err;
	case LONG_RESET:
		r->given |= OPT_RESET;
		r->opt.reset = true;
		return 0;
	case LONG_FILE:
		r->given |= OPT_FILE;
		r->opt.file = optarg;
		return 0;
	case LONG_INTERVAL:
		r->given |= OPT_INTERVAL;
		return parse_interval(optarg, &r->opt.interval);
	case 'h':
		r->help = true;
		return 0;
	case 'V':
		r->version = true;
		return 0;
	case ':':
		fail("option '%s' needs a value, see --help", argv[optind - 1]);
		return -1;
	default:
		/* A bad letter, maybe inside a word, or a bad long option. */
		if (optopt > 0 && optopt < LONG_JSON)
			fail("bad option '-%c', allowed: see --help", optopt);
		else
			fail("bad option '%s', allowed: see --help",
			     argv[optind - 1]);
		return -1;
	}
}

static int parse_options(struct request *r, int argc, char **argv)
{
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":hV", long_options, NULL)) != -1)
		if (parse_option(r, c, argv))
			return -1;
	return 0;
}

static int check_request(const struct command *cmd, const struct request *r,
			 char **args, int nr)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(some_options); i++) {
		if (!(r->given & some_options[i].bit & ~cmd->options))
			continue;
		fail("%s: does not take %.*s, see smtprioctl %s --help",
		     cmd->name, (int)strcspn(some_options[i].name, " "),
		     some_options[i].name, cmd->name);
		return -1;
	}
	if (cmd->max_args != ANY_NUMBER && nr > cmd->max_args) {
		fail("%s: too many arguments at '%s', allowed: %s", cmd->name,
		     args[cmd->max_args], cmd->max_args ? cmd->args : "none");
		return -1;
	}
	return 0;
}

static int run(int argc, char **argv)
{
	struct request r = { .opt.interval = 0.2 };
	const struct command *cmd;
	char **args;
	int nr;

	if (parse_options(&r, argc, argv))
		return EXIT_FAILURE;
	args = argv + optind;
	nr = argc - optind;
	if (r.version) {
		puts("smtprioctl " SMTPRIO_VERSION);
		return EXIT_SUCCESS;
	}
	if (r.help && !nr) {
		print_help();
		return EXIT_SUCCESS;
	}
	cmd = find_command(nr ? args[0] : NULL);
	if (!cmd)
		return EXIT_FAILURE;
	if (r.help) {
		print_command_help(cmd);
		return EXIT_SUCCESS;
	}
	args++;
	nr--;
	if (check_request(cmd, &r, args, nr))
		return EXIT_FAILURE;
	return cmd->run(&r.opt, args, nr);
}

int main(int argc, char **argv)
{
	int status = run(argc, argv);

	if (fflush(stdout) || ferror(stdout)) {
		fail("cannot write the output: %m");
		if (!status)
			status = EXIT_FAILURE;
	}
	return status;
}
