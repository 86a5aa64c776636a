# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# shellcheck disable=SC2034 # the tests read them
#
# Where the scheduler put the sleeper of the program wakes, as its own tracepoint tells, whatever the load balancer did
# to it afterwards and whatever the module says of itself. After lib.sh.

# A wakeup that finds its task still queued or running is none, and has no placement.
placements_begin()
{
	echo 16384 >"$TRACING/buffer_size_kb"
	echo 'comm == "sleeper"' >"$TRACING/events/sched/sched_wakeup/filter"
	echo 1 >"$TRACING/events/sched/sched_wakeup/enable"
}

# place COMMAND...: sets $out to what it printed, $placed to the CPU of every placement, one a line
place()
{
	echo >"$TRACING/trace"
	out=$("$@")
	placed=$(sed -n 's/.*sched_wakeup: comm=sleeper .*target_cpu=0*\([0-9][0-9]*\).*/\1/p' "$TRACING/trace")
}

# placed_on CPU...: how many of them were on these
placed_on()
{
	echo "$placed" | grep -cxF "$(echo "$*" | tr ' ' '\n' | grep .)"
}
