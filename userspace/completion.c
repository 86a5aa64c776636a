// SPDX-License-Identifier: GPL-2.0-or-later
/* Completion for bash, made from the tables of commands, options and knobs. */
#include <stdio.h>
#include <stdlib.h>

#include "completion.h"
#include "configs.h"
#include "knobs.h"

static const char head[] =
	"# Written by smtprioctl completion; GPL, version 2 or later.\n"
	"# shellcheck shell=bash\n"
	"\n"
	"_smtprioctl_cpus() {\n"
	"	cat /sys/devices/system/cpu/online /sys/kernel/smtprio/cpus 2>/dev/null\n"
	"	echo all\n"
	"	find /sys/devices/system/cpu -maxdepth 1 2>/dev/null | sed -n 's,.*/cpu\\([0-9][0-9]*\\)$,\\1,p'\n"
	"}\n"
	"\n"
	"# The values of a knob, or the words of an argument.\n"
	"_smtprioctl_values() {\n"
	"	case $1 in\n";

static const char middle[] =
	"	esac\n"
	"}\n"
	"\n"
	"_smtprioctl_options() {\n"
	"	case $1 in\n";

static const char foot[] =
	"\n"
	"_smtprioctl() {\n"
	"	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i command='' key\n"
	"\n"
	"	# bash takes \"=\" for a word of its own.\n"
	"	if [[ $word == '=' ]]; then\n"
	"		key=$before word=''\n"
	"	elif [[ $before == '=' ]]; then\n"
	"		key=${COMP_WORDS[COMP_CWORD - 2]}\n"
	"	fi\n"
	"	for ((i = 1; i < COMP_CWORD; i++)); do\n"
	"		case ${COMP_WORDS[i]} in\n"
	"		--)\n"
	"			# The command that bench is to run.\n"
	"			if declare -F _command_offset >/dev/null; then\n"
	"				_command_offset $((i + 1))\n"
	"			else\n"
	"				mapfile -t COMPREPLY < <(compgen -c -f -- \"$word\")\n"
	"			fi\n"
	"			return ;;\n"
	"		--sysroot | --file | --html | --metric | --interval | --count | --configs | -[cimn]) ((i++)) ;;\n"
	"		-*) ;;\n"
	"		*) [[ -n $command ]] || command=${COMP_WORDS[i]} ;;\n"
	"		esac\n"
	"	done\n"
	"	if [[ -n ${key-} ]]; then\n"
	"		mapfile -t COMPREPLY < <(compgen -W \"$(_smtprioctl_values \"$key\")\" -- \"$word\")\n"
	"		return\n"
	"	fi\n"
	"	case $before in\n"
	"	--sysroot) mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return ;;\n"
	"	--file | --html) mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return ;;\n"
	"	--configs | -c)\n"
	"		mapfile -t COMPREPLY < <(compgen -W \"$(_smtprioctl_values --configs)\" -- \"$word\"); return ;;\n"
	"	esac\n"
	"	if [[ -z $command ]]; then\n"
	"		mapfile -t COMPREPLY < <(compgen -W \"$(_smtprioctl_options) $_smtprioctl_commands\" -- \"$word\")\n"
	"	elif [[ $word == -* ]]; then\n"
	"		mapfile -t COMPREPLY < <(compgen -W \"$(_smtprioctl_options \"$command\")\" -- \"$word\")\n"
	"	else\n"
	"		case $command in\n"
	"		get) key=' keys' ;;\n"
	"		set | load) key=' assign' ;;\n"
	"		*) key=\" $command\" ;;\n"
	"		esac\n"
	"		[[ $command != apply ]] || { mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return; }\n"
	"		[[ $command != profile || $before == profile ]] || key=' profiles'\n"
	"		mapfile -t COMPREPLY < <(compgen -W \"$(_smtprioctl_values \"$key\")\" -- \"$word\")\n"
	"		[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n"
	"	fi\n"
	"}\n"
	"\n"
	"complete -F _smtprioctl smtprioctl\n";

static void knob_names_line(const char *what, const char *end)
{
	size_t i;

	printf("	' %s') echo", what);
	for (i = 0; i < nr_knobs; i++)
		printf(" %s%s", knobs[i].name, end);
	puts(" ;;");
}

static void knob_values(const struct knob *knob)
{
	switch (knob->kind) {
	case KNOB_CHOICE:
		printf("	%s) echo %s ;;\n", knob->name, knob->choices);
		break;
	case KNOB_BOOL:
		printf("	%s) echo 0 1 ;;\n", knob->name);
		break;
	case KNOB_CPUS:
		printf("	%s) _smtprioctl_cpus ;;\n", knob->name);
		break;
	default:
		/* Any number: nothing to offer. */
		break;
	}
}

void completion_begin(void)
{
	char *configs = configs_names();
	size_t i;

	fputs(head, stdout);
	for (i = 0; i < nr_knobs; i++)
		knob_values(&knobs[i]);
	knob_names_line("keys", "");
	knob_names_line("assign", "=");
	printf("	--configs) echo %s ;;\n", configs);
	printf("	' mode') echo %s ;;\n", knob_find("mode")->choices);
	puts("	' priority') _smtprioctl_cpus ;;\n"
	     "	' profile') echo list show apply save ;;\n"
	     "	' profiles') smtprioctl profile list 2>/dev/null | sed -n '2,$s/^\\([^ ][^ ]*\\).*/\\1/p' ;;");
	fputs(middle, stdout);
	free(configs);
}

void completion_command(const char *name, const struct option_use *options)
{
	if (!options->key)
		return;
	printf("	%s) echo", name);
	for (; options->key; options++)
		printf(" --%s", option_name(options->key));
	puts(" ;;");
}

void completion_end(const char *commands)
{
	printf("	esac\n	echo --json --sysroot --help --version\n}\n\n"
	       "_smtprioctl_commands='%s'\n", commands);
	fputs(foot, stdout);
}
