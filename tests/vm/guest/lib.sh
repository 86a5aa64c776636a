# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
#
# What the guest's test scripts share, for busybox sh: results in KTAP, figures,
# the module and its knobs, and the CPU topology as sysfs tells it.

SYSFS=/sys/kernel/smtprio
TRACING=/sys/kernel/tracing
results=0
failed=0
children=

set -u

# --- results ---

ok()
{
	results=$((results + 1))
	echo "ok $results - $*"
}

not_ok()
{
	failed=$((failed + 1))
	results=$((results + 1))
	echo "not ok $results - $*"
}

# skip TEXT WHY
skip()
{
	ok "$1 # SKIP $2"
}

figure()
{
	echo "# figure $1 $2"
}

# check TEXT COMMAND [ARG...]
check()
{
	local text=$1

	shift
	if "$@"; then
		ok "$text"
	else
		not_ok "$text"
		echo "# failed: $*"
	fi
}

# must TEXT COMMAND [ARG...]: the rest of the test is pointless without it
must()
{
	local before=$failed

	check "$@"
	[ "$failed" -eq "$before" ] || finish
}

refused()
{
	! "$@"
}

# is TEXT GOT WANT: equal as text
is()
{
	check "$1 (got $2, want $3)" [ "$2" = "$3" ]
}

# at_least TEXT GOT LEAST and at_most TEXT GOT MOST: whole numbers
at_least()
{
	check "$1 (got $2, want at least $3)" [ "$2" -ge "$3" ]
}

at_most()
{
	check "$1 (got $2, want at most $3)" [ "$2" -le "$3" ]
}

# contains TEXT LOG WORDS
contains()
{
	case $2 in
	*"$3"*) ok "$1" ;;
	*)
		not_ok "$1"
		echo "# no \"$3\" in:"
		echo "$2" | sed 's/^/# /'
		;;
	esac
}

# The last line of every test script.
finish()
{
	stop_children
	echo "1..$results"
	exit 0
}

# form QUICK LONG: how often, in the quick form of the tests and in the long one
form()
{
	if [ "$VM_FORM" = quick ]; then echo "$1"; else echo "$2"; fi
}

# field NAME TEXT: the number in NAME=NUMBER of a program's output, or a word that
# no check takes for an answer when the program did not say it.
field()
{
	local value

	value=$(echo "$2" | sed -n "s/^\(.* \)\{0,1\}$1=\([0-9]*\).*/\2/p" | tail -n 1)
	echo "${value:-missing}"
}

# median: of numbers, one a line
median()
{
	sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# --- programs that run until told to stop ---

background()
{
	"$@" &
	children="$children $!"
}

stop_children()
{
	local child

	for child in $children; do
		kill "$child"
		wait "$child" 2>/dev/null
	done
	children=
}

# --- module ---

load()
{
	insmod "$KO" "$@"
}

unload()
{
	rmmod smtprio
}

loaded()
{
	[ -d $SYSFS ]
}

# knob NAME [VALUE]: prints it, or writes it
knob()
{
	if [ $# -eq 1 ]; then
		cat "$SYSFS/$1"
	else
		echo "$2" >"$SYSFS/$1"
	fi
}

# counter NAME
counter()
{
	cat "$SYSFS/stats/$1"
}

reset_stats()
{
	echo 1 >"$SYSFS/stats/reset"
}

# state unloaded|off|observe|enforce: brings the module there, all knobs kept
state()
{
	if [ "$1" = unloaded ]; then
		if loaded; then unload; fi
		return
	fi
	loaded || load mode="$1" || return
	knob mode "$1" && reset_stats
}

# Owners of a function in ftrace, as one word or "none".
hooked()
{
	grep -q "^$1 " "$TRACING/enabled_functions" && echo hooked || echo none
}

# nothing_left TEXT: no trace of the module in sysfs, the module list or ftrace
nothing_left()
{
	local left=

	[ -e $SYSFS ] && left="$left $SYSFS"
	[ -e /sys/module/smtprio ] && left="$left /sys/module/smtprio"
	# A direct call is in a line of its own below its function's.
	left=$left$(awk '/^[^\t]/ { name = $1 } /smtprio/ { printf " %s", name }' "$TRACING/enabled_functions")
	is "$1: nothing left" "${left:-nothing}" nothing
}

# Marks the kernel log; log_since prints what came after the last mark.
mark_log()
{
	echo "test mark" >/dev/kmsg
}

log_since()
{
	dmesg | awk '/test mark$/ { text = ""; next } { text = text $0 "\n" } END { printf "%s", text }'
}

# --- topology ---

# expand LIST: 0-2,5 as words
expand()
{
	local first last

	echo "$1" | tr ',' '\n' | while IFS=- read -r first last; do
		seq "$first" "${last:-$first}"
	done | tr '\n' ' '
}

# join CPU...: words as a list
join()
{
	echo "$*" | tr ' ' ','
}

# Each core's threads, one core a line, in the order of CPU numbers.
cores()
{
	local list

	cat /sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list | sort -n | uniq |
	while read -r list; do
		expand "$list"
		echo
	done
}

nr_cores()
{
	local list

	cores | wc -l
}

# core N: its threads; cores count from 0
core()
{
	cores | sed -n "$(($1 + 1))p"
}

# thread CORE N: a core's Nth thread; threads count from 0, and thread 0 has the
# highest priority unless a test says otherwise
thread()
{
	core "$1" | cut -d ' ' -f $(($2 + 1))
}

last_thread()
{
	core "$1" | awk '{ print $NF }'
}

# level N: thread N of every core, as a list
level()
{
	# shellcheck disable=SC2046 # words are wanted
	join $(cores | cut -d ' ' -f $(($1 + 1)))
}
