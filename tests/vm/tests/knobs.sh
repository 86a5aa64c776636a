# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 quick=7.3-amd64
#
# What the knobs for the kinds of wakeups and for the CPUs change for the next
# wakeups. Priorities have their own test, so has the hook of ilb.

. /tests/lib.sh

ROUNDS=100
# A preferred thread may be busy just then; here it only matters which way.
MOST=$((ROUNDS * 95 / 100))
FEW=$((ROUNDS * 5 / 100))

first=$(thread 1 0)
second=$(thread 1 1)
waker=$(thread 3 0)

# wakes_from WANT LAST: sets $moved, the wakeups that went from LAST to WANT
wakes_from()
{
	moved=$(field want "$(wakes futex $ROUNDS "$1" "$2" "$1,$2" "$waker")")
}

# goes_to_first TEXT, stays TEXT: what core 1 prefers
goes_to_first()
{
	wakes_from "$first" "$second"
	at_least "$1: the first thread is preferred" "$moved" $MOST
}

stays()
{
	wakes_from "$first" "$second"
	at_most "$1: no thread is preferred" "$moved" $FEW
	wakes_from "$second" "$first"
	at_most "$1: nor the other one" "$moved" $FEW
}

must "loads" load
goes_to_first "default"

check "wake=0 is taken" knob wake 0
reset_stats
stays "wake=0"
at_least "wake=0: counted as kept off" "$(counter wake_kept_off)" $MOST
is "wake=0: the hook stays for fork and exec" "$(knob hooks/wake/active)" 1
check "fork_exec=0 is taken" knob fork_exec 0
is "both off: the hook is gone" "$(knob hooks/wake/active) $(hooked select_task_rq_fair)" "0 none"
check "fork_exec=1 is taken" knob fork_exec on
check "wake=1 is taken" knob wake y
goes_to_first "wake=1 again"

check "cpus without core 1 is taken" knob cpus "$(thread 0 0),$(thread 0 1)"
stays "out of cpus"
check "cpus with core 1 is taken" knob cpus "$first-$second"
goes_to_first "in cpus"

check "priority_source arch is taken" knob priority_source arch
if [ "$(knob cpu"$first"/priority)" = "$(knob cpu"$second"/priority)" ]; then
	stays "arch, which has no preference here"
else
	skip "arch" "this machine has a preference of its own"
fi

check "unloads" unload
nothing_left "unloaded"

finish
