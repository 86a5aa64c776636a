// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "completion.h"
#include "configs.h"
#include "knobs.h"
#include "options.h"
#include "profiles.h"
#include "sysfs.h"
#include "util.h"

#define ANY_NUMBER	-1
#define MAX_OPTIONS	7

struct command {
	const char *name;
	const char *args;
	int max_args;
	const char *help;
	int (*run)(const struct options *opt, char **args, int nr);
	const char *details;
	void (*more)(void);
	struct option_use options[MAX_OPTIONS + 1];
};

static int cmd_completion(const struct options *opt, char **args, int nr);

static const struct command commands[] = {
	{ "status", "", 0,
	  "module, mode, hooks, and each core's load", cmd_status,
	  "For each core: its threads, their priorities, the preferred thread, and how\n"
	  "busy it (BUSY%) and the others (OTHERS%) were: over a short interval, or\n"
	  "since boot with --sysroot. With the preference at work and the machine partly\n"
	  "loaded, OTHERS% stays near 0. \"-\" is unknown or no preference.", NULL,
	  { { OPT_INTERVAL, "-i, --interval SECONDS", "measure so long (default 0.2)" } } },
	{ "get", "[KEY...]", ANY_NUMBER,
	  "print knobs as KEY=VALUE", cmd_get, NULL, knob_help, { { 0 } } },
	{ "set", "KEY=VALUE...", ANY_NUMBER,
	  "change knobs; all of them or none", cmd_set, NULL, knob_help, { { 0 } } },
	{ "mode", "[off|observe|enforce]", 1,
	  "print or change the mode", cmd_mode,
	  "off      detached from the kernel, no cost\n"
	  "observe  count what would be changed, change nothing\n"
	  "enforce  act", NULL, { { 0 } } },
	{ "profile", "[list|show|apply|save]", 2,
	  "sets of settings under a name", cmd_profile,
	  "list        all profiles, for whom they are, and which are in force (default)\n"
	  "show NAME   what it sets, in a form that set takes\n"
	  "apply NAME  bring it in force, all of it or nothing\n"
	  "save NAME   keep what is in force, in " PROFILE_DIR "/NAME; custom\n"
	  "            priorities are not kept", NULL, { { 0 } } },
	{ "apply", "[FILE]", 1,
	  "apply a file, by default " CONF_FILE, cmd_apply,
	  "Lines KEY = VALUE as set takes them, profile = NAME for what a profile sets (the\n"
	  "other lines win), and after a line [priority] lines CPUS = N. All of it or\n"
	  "nothing; what the file does not name stays. Parameters on the kernel's command\n"
	  "line win over the file, as in smtprio.mode=off.", knob_help,
	  { { OPT_CHECK, "--check", "only say whether the file is right" } } },
	{ "priority", "[CPU[=N]...]", ANY_NUMBER,
	  "print or change priorities of CPUs", cmd_priority,
	  "CPU is a number or a list as in 0,4-7; N is any int, higher is preferred among\n"
	  "the threads of one core. Writing needs priority_source=custom:\n"
	  "  smtprioctl set priority_source=custom && smtprioctl priority 0=1 4=2\n"
	  "All CPUs given change in one step. A list of more than 4095 bytes is written in\n"
	  "parts, each of them one step. Modules without the file priorities take one CPU\n"
	  "after the other. A failure takes back what was done before it.", NULL, { { 0 } } },
	{ "stats", "[--reset] [-i SECS]", 0,
	  "print the counters or their rates, or reset", cmd_stats,
	  "The counters' meanings are in the ABI document of the sysfs files. With -i or\n"
	  "-n: the rates a second between readings, until interrupted; with --json one\n"
	  "object a line and reading.", NULL,
	  { { OPT_RESET, "--reset", "set all counters to 0" },
	    { OPT_INTERVAL, "-i, --interval SECONDS", "print rates so often (default 1)" },
	    { OPT_COUNT, "-n, --count N", "end after N readings" },
	    { OPT_PROMETHEUS, "--prometheus", "for node_exporter's textfile collector" } } },
	{ "trace", "[-n N] [--pid PID]", 0,
	  "print decisions as they are made", cmd_trace,
	  "One line for each: the time since boot, the CPU that decided, the task, the\n"
	  "CPU that the kernel chose (for the idle load balancer, the first idle one), the\n"
	  "one that smtprio says, and the reason, which is the name of a counter of stats.\n"
	  "Until interrupted; with --json one object a line. Wakeups made by this command\n"
	  "are left out. Uses a tracefs instance of its own, so others trace undisturbed.", NULL,
	  { { OPT_COUNT, "-n, --count N", "end after N decisions" },
	    { OPT_PID, "-p, --pid PID", "only the wakeups of task PID (a thread)" } } },
	{ "top", "[--once]", 0,
	  "live view of cores, threads and counters", cmd_top,
	  "A map of sockets, last-level caches and cores, two or more letters a core, the\n"
	  "preferred thread's as @ (busy) or o (idle), the others' as x or . ; an idle\n"
	  "thread of a core in multi mode (with account=1) as O or : ; below it the\n"
	  "counters' rates. Keys are named on the screen; 1, 2 and 3 switch the mode.\n"
	  "With --once one frame as text, as large as --lines and --columns, LINES and\n"
	  "COLUMNS, or the terminal say, else 80 x 24.", NULL,
	  { { OPT_INTERVAL, "-i, --interval SECONDS", "between frames (default 1)" },
	    { OPT_ONCE, "--once", "one frame as plain text" },
	    { OPT_LINES, "--lines N", "of it" },
	    { OPT_COLUMNS, "--columns N", "of it" } } },
	{ "bench", "-- COMMAND [ARG...]", ANY_NUMBER,
	  "does it help this command? compare settings", cmd_bench,
	  "Runs COMMAND under each configuration in turn, n times, and puts back what was\n"
	  "in force, also after ^C or a crash. CPU%, redirects and noise are told.", configs_help,
	  { { OPT_CONFIGS, "-c, --configs A,B...", "what to compare (default off,enforce)" },
	    { OPT_COUNT, "-n, --count RUNS", "of each (default 10)" },
	    { OPT_METRIC, "-m, --metric REGEX", "not seconds: the number it finds in the output" },
	    { OPT_CSV, "--csv", "each run as a line of CSV" },
	    { OPT_HTML, "--html FILE", "write a page with plots too" } } },
	{ "load", "[KEY=VALUE...]", ANY_NUMBER,
	  "load the module", cmd_load,
	  "Takes the module installed for the running kernel, or --file.", knob_help,
	  { { OPT_FILE, "--file PATH.ko", "load this file" } } },
	{ "unload", "", 0,
	  "unload the module and wait for it", cmd_unload, NULL, NULL, { { 0 } } },
	{ "doctor", "", 0,
	  "would smtprio work on this kernel?", cmd_doctor,
	  "Works without the module: looks at the running kernel and says by which hook\n"
	  "points smtprio would work, or why not and what to do. More is seen by root.\n"
	  "The exit status is 0 when it would work and 1 when not.", NULL, { { 0 } } },
	{ "completion", "", 0,
	  "print the completion script for bash", cmd_completion,
	  "To have it in this shell:  . <(smtprioctl completion)\n"
	  "For all: write it to /usr/share/bash-completion/completions/smtprioctl, as\n"
	  "make install does.", NULL, { { 0 } } },
};

static int cmd_completion(const struct options *opt, char **args, int nr)
{
	char *names = NULL;
	size_t i;

	(void)opt;
	(void)args;
	(void)nr;
	completion_begin();
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		completion_command(commands[i].name, commands[i].options);
		append(&names, " ", "%s", commands[i].name);
	}
	completion_end(names);
	free(names);
	return EXIT_SUCCESS;
}

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
	     "  --sysroot DIR       read and write below DIR instead of /\n"
	     "  --json, --help, --version\n"
	     "\nExit status: 0 done; 1 failure or bad input, nothing is changed;\n"
	     "64 some of several writes are done and could not be taken back;\n"
	     "65 the kernel wants the module signed by a key that it trusts.");
}

static void print_help(void)
{
	size_t i;

	puts("Usage: smtprioctl [OPTIONS] COMMAND [ARGUMENTS]\n\n"
	     "Prefer the better thread of each SMT core, through the smtprio module.\n");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		printf("  %-10s %-22s %s\n", commands[i].name, commands[i].args,
		       commands[i].help);
	print_common_help();
}

static void print_command_help(const struct command *cmd)
{
	const struct option_use *use;
	/* After "--" nothing is an option of ours. */
	bool last = !strncmp(cmd->args, "--", 2);

	printf("Usage: smtprioctl %s%s%s%s%s\n\n%s\n", cmd->name,
	       last ? " [OPTIONS]" : "", *cmd->args ? " " : "", cmd->args,
	       last ? "" : " [OPTIONS]", cmd->help);
	if (cmd->details)
		printf("\n%s\n", cmd->details);
	if (cmd->more)
		cmd->more();
	if (cmd->options[0].key)
		putchar('\n');
	for (use = cmd->options; use->key; use++)
		printf("  %-22s %s\n", use->name, use->help);
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

static int check_request(const struct command *cmd, const struct request *r)
{
	/* Without the command's own name. */
	int nr = r->nr - 1;

	if (!options_allowed(&r->opt, cmd->name, cmd->options))
		return -1;
	if (cmd->run == cmd_bench && r->opt.dashes && r->nr_before > 1) {
		fail("bench: '%s' stands before \"--\", allowed there: options",
		     r->args[1]);
		return -1;
	}
	if (cmd->max_args != ANY_NUMBER && nr > cmd->max_args) {
		fail("%s: too many arguments at '%s', allowed: %s", cmd->name,
		     r->args[1 + cmd->max_args],
		     cmd->max_args ? cmd->args : "none");
		return -1;
	}
	return 0;
}

static int run_request(const struct request *r)
{
	const struct command *cmd;

	if (option_given(&r->opt, OPT_VERSION)) {
		puts("smtprioctl " SMTPRIO_VERSION);
		return EXIT_SUCCESS;
	}
	if (option_given(&r->opt, OPT_HELP) && !r->nr) {
		print_help();
		return EXIT_SUCCESS;
	}
	cmd = find_command(r->nr ? r->args[0] : NULL);
	if (!cmd)
		return EXIT_FAILURE;
	if (option_given(&r->opt, OPT_HELP)) {
		print_command_help(cmd);
		return EXIT_SUCCESS;
	}
	if (check_request(cmd, r))
		return EXIT_FAILURE;
	return cmd->run(&r->opt, r->args + 1, r->nr - 1);
}

static int run(int argc, char **argv)
{
	struct request r;
	int status = EXIT_FAILURE;

	if (!options_parse(&r, argc, argv))
		status = run_request(&r);
	free(r.args);
	return status;
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
