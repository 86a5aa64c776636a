# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 timeout=400
#
# CPUs that come and go under a wake storm: one sibling, a whole core, SMT switched off and on, with hooks and packing on. The
# tables follow, no wakeup is lost to an offline CPU, and nothing is left half-way.

. /tests/lib.sh

CYCLES=15
ROUNDS=200
CPUS=/sys/devices/system/cpu

first=$(thread 1 0)
second=$(thread 1 1)
# shellcheck disable=SC2046 # words are wanted
mask=$(join $(core 1))
waker=$(thread 3 0)

# online CPU 0|1
online()
{
	echo "$2" >"$CPUS/cpu$1/online"
}

redirects()
{
	reset_stats
	out=$(wakes futex $ROUNDS "$first" "$second" "$mask" "$waker")
	at_least "$1: redirected" "$(field want "$out")" $((ROUNDS * 95 / 100))
}

must "the module loads" load packing=1
redirects "before"

check "the better sibling goes" online "$first" 0
reset_stats
out=$(wakes futex 50 "$second" "$second" "$second" "$waker")
is "alone: wakeups stay on the other sibling" "$(field want "$out")" 50
check "and comes back" online "$first" 1
redirects "both siblings again"

storm >/tmp/storm &
storm=$!
failed=0
for i in $(seq $CYCLES); do
	# One sibling, the other one, a whole core.
	for cpus in "$first" "$second" "$(core 2)"; do
		for cpu in $cpus; do online "$cpu" 0 || failed=$((failed + 1)); done
		for cpu in $cpus; do online "$cpu" 1 || failed=$((failed + 1)); done
	done
	# Writes in between, which make the tables anew.
	if [ $((i % 2)) = 0 ]; then source=number; else source=reverse; fi
	knob priority_source $source
done
is "$CYCLES cycles of a sibling, the other and a core: failed" $failed 0
knob priority_source number

if [ -e $CPUS/smt/control ] && [ "$(cat $CPUS/smt/control)" = on ]; then
	check "SMT off" sh -c "echo off >$CPUS/smt/control"
	is "SMT off: the wake hook stays, for when it is on again" "$(knob hooks/wake/active)" 1
	check "SMT on" sh -c "echo on >$CPUS/smt/control"
else
	skip "SMT off and on" "no smt/control here"
fi
kill $storm
wait $storm
echo "# storm: $(cat /tmp/storm)"
is "all CPUs are online" "$(cat $CPUS/online)" 0-7
redirects "after all"

# Going away while the module comes and goes.
failed=0
for _ in $(seq 5); do
	online "$second" 0
	knob mode off || failed=$((failed + 1))
	knob mode enforce || failed=$((failed + 1))
	online "$second" 1
done
is "mode switches with a CPU offline: failed" $failed 0
check "unload" unload
online "$first" 0
must "loads with a CPU offline" load
check "it comes" online "$first" 1
redirects "loaded while the better sibling was offline"
check "unload" unload
nothing_left "unloaded"
finish
