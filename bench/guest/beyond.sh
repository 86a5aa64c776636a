# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: llcs smp=16,sockets=1,dies=2,cores=4,threads=2 icount timeout=2400
# bin: hackbench
#
# What idle_core and node do to loads, on two LLCs of one node: each figure is that of a configuration as percent of both
# switched off, in turns in one boot. Guest time is instructions executed by all CPUs together, so a load is quicker for
# fewer instructions, not for CPUs that would have been idle: throughput tells what a search costs, latency what it is for.

. /tests/lib.sh

TURNS=$(form 3 7)
MS=$(form 50 200)
GROUP_COUNTS=$(form "1 4 16" "1 2 4 8 16")
PAIRS=$(form "8 32" "4 8 16 32")
WORKERS=$(form 12 "6 12 24")
LOOPS=$(form 24 96)
CONFIGURATIONS="off node idle_core"

configure()
{
	local name value

	for name in node idle_core; do
		value=0
		[ "$name" != "$1" ] || value=1
		knob "$name" $value
	done
	reset_stats
}

# messages GROUP_COUNTS: about the same work for any number of groups
messages()
{
	hackbench -T -g "$1" -l $((LOOPS / $1 + 1)) | awk '/^Time: / { printf "us=%d\n", $2 * 1000000 }'
}

# load NAME COMMAND...: NAME's figures of all configurations; lines NAME=VALUE of each are kept
load_in_turns()
{
	local name=$1 configuration

	shift
	for _ in $(seq "$TURNS"); do
		for configuration in $CONFIGURATIONS; do
			configure "$configuration"
			out=$("$@")
			echo "# $name $configuration: $out; to a core $(counter wake_idle_core), to an LLC $(counter wake_node), none $(counter idle_core_none) $(counter node_none), left out $(counter idle_core_skipped) $(counter node_skipped)"
			echo "$out" >>"/tmp/$name.$configuration"
		done
	done
}

# middle NAME CONFIGURATION FIELD
middle()
{
	sed -n "s/^\(.* \)\{0,1\}$3=\([0-9]*\).*/\2/p" "/tmp/$1.$2" | median
}

# percent NAME FIELD more|less: figures; of "less" is better the inverse, so that over 100 is better always
percent()
{
	local configuration got base

	base=$(middle "$1" off "$2")
	figure "$1_$2_off" "$base"
	for configuration in $CONFIGURATIONS; do
		[ "$configuration" != off ] || continue
		got=$(middle "$1" "$configuration" "$2")
		case $3 in
		more)	got=$((got * 1000 / base)) ;;
		less)	got=$((base * 1000 / got)) ;;
		esac
		figure "$1_$2_${configuration}_permille" "$got"
	done
}

must "the module loads" load
for groups in $GROUP_COUNTS; do
	load_in_turns "hackbench$groups" messages "$groups"
	percent "hackbench$groups" us less
done
for pairs in $PAIRS; do
	load_in_turns "pairs$pairs" pairs "$pairs" "$MS" 500
	percent "pairs$pairs" rounds more
	percent "pairs$pairs" p99 less
done
for workers in $WORKERS; do
	load_in_turns "burst$workers" burst "$workers" "$MS" 5000
	percent "burst$workers" rounds more
	percent "burst$workers" p50 less
	percent "burst$workers" p99 less
done

# Overloaded machines lose nothing: median of the turns. Three of them differ by more than that by chance.
[ "$VM_FORM" = long ] || finish
for name in hackbench16_us pairs32_rounds; do
	for configuration in node idle_core; do
		got=$(percent "${name%_*}" "${name#*_}" "$(case $name in *_us) echo less ;; *) echo more ;; esac)" |
			sed -n "s/.*_${configuration}_permille //p")
		at_least "$name with $configuration, permille of without" "$got" 980
	done
done
finish
