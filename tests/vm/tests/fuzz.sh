# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 kernels=6.12-amd64,7.3-amd64,debug-amd64 quick=6.12-amd64 timeout=600
#
# Generated values into every file that can be written: alone, where each is checked,
# and from several writers at once. FUZZ_SEED on the kernel's command line repeats
# a run.

. /tests/lib.sh

WRITES=$(form 1000 10000)
SEED=${FUZZ_SEED:-$(date +%s)}

echo "# FUZZ_SEED=$SEED"

must "loads" load
writable=$(find "$SYSFS" -type f -perm -200 | sort)
at_least "files that can be written" "$(echo "$writable" | wc -l)" 15

# total NAME FILE...
total()
{
	local name=$1

	shift
	sed -n "s/^writes=.* $name=\([0-9]*\).*/\1/p" "$@" | awk '{ n += $1 } END { print NR ? n : "missing" }'
}

# fuzzed TEXT FILE...: counts from the outputs of fuzz. A value in nine is what the file says, which is taken: of
# 100 and more none is once in 100,000 runs.
fuzzed()
{
	local text=$1

	shift
	grep -h '^#' "$@"
	is "$text: faults" "$(total bad "$@")" 0
	at_least "$text: values that were taken" "$(total taken "$@")" 1
	at_least "$text: values that were refused" "$(total refused "$@")" 1
}

# Priorities can be written in one of the sources only, and mode writes are slow: they come last and rarer.
# shellcheck disable=SC2046,SC2086 # words are wanted
{
	knob priority_source custom
	fuzz "$SEED" "$WRITES" $(echo "$writable" | grep '/cpu[0-9]*/\|/priorities$\|/reset$') >/tmp/priorities
	fuzz "$((SEED + 1))" "$WRITES" $(echo "$writable" | grep '/cpus$\|/priority_source$') >/tmp/tables
	fuzz "$((SEED + 2))" "$((WRITES / 10))" $(echo "$writable" | grep -v '/cpu[0-9]*/\|/priorities$\|/reset$\|/cpus$\|/priority_source$') >/tmp/hooks
	for i in 3 4 5; do
		fuzz 0 "$((SEED + i))" "$((WRITES / 20))" $writable >/tmp/together.$i &
	done
	wait
}
fuzzed "priorities" /tmp/priorities
fuzzed "tables" /tmp/tables
fuzzed "hooks" /tmp/hooks
fuzzed "three at once" /tmp/together.*

# It works as if nothing had been.
for setting in mode=enforce wake=1 fork_exec=1 ilb=1 packing=0 cpus=0-7 priority_source=number; do
	check "$setting" knob "${setting%%=*}" "${setting#*=}"
done
# shellcheck disable=SC2046 # words are wanted
out=$(wakes futex 200 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 3 0)")
at_least "wakeups are redirected" "$(field want "$out")" 190
check "unloads" unload
nothing_left "at the end"

finish
