# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# shellcheck disable=SC2034 # the tests read them
#
# Which CPUs are kicked to balance for the idle ones, as the function tracer sees
# nohz_csd_func run, whatever the module says of itself. After lib.sh.

KICK_SECONDS=$(form 3 5)

last_core=$(($(nr_cores) - 1))

idle_core=$(core $last_core)

kicks_begin()
{
	echo 0 >"$TRACING/tracing_on"
	echo nohz_csd_func >"$TRACING/set_ftrace_filter"
	echo function >"$TRACING/current_tracer"
}

kicks_end()
{
	echo nop >"$TRACING/current_tracer"
}

# hogs N: thread 0 of the first N cores is busy
hogs()
{
	# shellcheck disable=SC2046 # words are wanted
	background hog $(for i in $(seq 0 $(($1 - 1))); do thread "$i" 0; done)
	busy=$(for i in $(seq 0 $(($1 - 1))); do thread "$i" 0; done)
}

# trace_kicks: sets $kicked to the CPU of every kick, one a line, and $kicks
trace_kicks()
{
	echo >"$TRACING/trace"
	echo 1 >"$TRACING/tracing_on"
	sleep "$KICK_SECONDS"
	echo 0 >"$TRACING/tracing_on"
	# "  <idle>-0  [006] d.h1. 12.3: nohz_csd_func <-..."
	kicked=$(sed -n 's/.*\[0*\([0-9][0-9]*\)\].* nohz_csd_func <-.*/\1/p' "$TRACING/trace")
	kicks=$(echo "$kicked" | grep -c .)
}

# kicks_on CPU...: how many of them were on these
kicks_on()
{
	echo "$kicked" | grep -cxF "$(echo "$*" | tr ' ' '\n' | grep .)"
}

percent_on()
{
	echo $(($(kicks_on "$@") * 100 / (kicks ? kicks : 1)))
}
