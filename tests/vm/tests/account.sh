# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 icount quick=6.12-amd64 timeout=600
# vm: smt4 smp=8,sockets=1,cores=2,threads=4 icount kernels=6.12-amd64 quick=none timeout=600
#
# Accounting of single and multi mode: the figures of each core against a trace of context switches and interrupts that is replayed
# in user space (progs/modes.c), nothing counted while it is off, and switching, hotplug and unloading under load. Guest time is
# instructions, so that what the host does between the trace's look at the clock and the module's is no part of it.

. /tests/lib.sh

BEFORE=$TRACING/instances/before
AFTER=$TRACING/instances/after
FIGURES="to_multi to_single multi_ns both_ns wasted_ns"
MS=$(form 300 1000)
CYCLES=$(form 1 5)

# figures: all of them, as one text
figures()
{
	cat "$SYSFS"/cpu*/account/*
}

# close_to TEXT MODULE TRACE SLACK
close_to()
{
	check "$1 (module $2, trace $3, slack $4)" [ "$2" -ge $(($3 - $4)) -a "$2" -le $(($3 + $4)) ]
}

# A core with a busy thread, and work for some hundred microseconds, with breaks, everywhere. The fewer events in a time, the less
# their exact moments matter.
load_it()
{
	background hog "$(thread 0 0)"
	background burst 4 1000000 20000
	background burst 3 1000000 60000
}

# record INSTANCE: switch its events on
record()
{
	local event

	for event in "$1"/events/sched/sched_switch "$1"/events/irq/irq_handler_* "$1"/events/irq/softirq_e[nx]* \
		"$1"/events/irq_vectors/*_entry "$1"/events/irq_vectors/*_exit "$1"/events/ipi/*_entry "$1"/events/ipi/*_exit; do
		if [ -e "$event" ]; then echo 1 >"$event/enable"; fi
	done
}

new_instance()
{
	mkdir "$1"
	echo 0 >"$1/tracing_on"
	echo 8192 >"$1/buffer_size_kb"
	# The module's clock, where it is stable, from another start.
	echo local >"$1/trace_clock"
}

lost()
{
	sed -n 's/^overrun: //p' "$1"/per_cpu/cpu*/stats | sort -u
}

# compare QUALIFY_NS
compare()
{
	local line core name slack

	knob qualify_ns "$1"
	# shellcheck disable=SC2046,SC2154 # words are wanted; lib.sh has it
	if ! LOAD=$children modes "$BEFORE" "$AFTER" "$1" "$MS" $(cores | sed 's/ *$//; s/ /,/g') >/tmp/modes; then
		not_ok "qualify_ns=$1: recorded and replayed"
		finish
	fi
	is "qualify_ns=$1: events lost" "$(lost "$BEFORE") $(lost "$AFTER")" "0 0"
	while read -r line; do
		echo "# $line"
		core=$(field core "$line")
		# Of all cores; one among thousands has been seen.
		at_most "qualify_ns=$1 core of CPU $core: events in one trace only" "$(field unpaired "$line")" $(($(field events "$line") / 500))
		for name in $FIGURES; do
			case $name in
			to_*)	slack=$(($(field slack_n "$line") + 4)) ;;	# and two at each end
			*)	slack=$(field slack_us "$line") ;;
			esac
			close_to "qualify_ns=$1 core of CPU $core: $name" "$(field "$name" "$line")" "$(field "trace_$name" "$line")" "$slack"
		done
		transitions=$((transitions + $(field trace_to_multi "$line")))
		open_n=$((open_n + $(field slack_n "$line")))
		multi_us=$((multi_us + $(field trace_multi_ns "$line")))
		open_us=$((open_us + $(field slack_us "$line")))
	done </tmp/modes
}

must "the module loads" load mode=off
is "account is off by default" "$(knob account)" 0
is "qualify_ns by default" "$(knob qualify_ns)" 3000
load_it
sleep 0.5
is "off: nothing is counted" "$(figures | sort -u)" 0
is "off: nor in the sums" "$(cat "$SYSFS"/stats/core_* | sort -u)" 0

# Each event is traced just before the module sees it and just after.
new_instance "$BEFORE"
new_instance "$AFTER"
record "$BEFORE"
must "account=1" knob account 1
record "$AFTER"
for qualify in 50000 400000; do
	transitions=0
	open_n=0
	multi_us=0
	open_us=0
	compare $qualify
	figure "transitions_$qualify" $transitions
	figure "transitions_open_$qualify" $open_n
	figure "multi_us_$qualify" $multi_us
	figure "multi_open_us_$qualify" $open_us
	at_least "qualify_ns=$qualify: there were transitions" $transitions 30
	# Otherwise the comparison would not tell much.
	at_most "qualify_ns=$qualify: transitions that the trace leaves open" $open_n $((transitions / 2))
	at_most "qualify_ns=$qualify: microseconds that it leaves open" $open_us $((multi_us / 4))
done
echo 0 >"$BEFORE/events/enable"
echo 0 >"$AFTER/events/enable"
rmdir "$BEFORE" "$AFTER"

stop_children
for bad in -1 1000000001 x ''; do
	check "qualify_ns '$bad' is refused" refused knob qualify_ns "$bad"
done

must "account=0" knob account 0
before=$(figures)
is "each thread shows the figures of its core" "$(for cpu in $(core 1); do cat "$SYSFS/cpu$cpu/account/to_multi"; done | sort -u | wc -l)" 1
sleep 0.3
is "off again: the figures stay" "$(figures | cksum)" "$(echo "$before" | cksum)"

# Under a storm: switching, CPUs that come and go, unloading.
background storm
last=$(last_thread 0)
for _ in $(seq "$CYCLES"); do
	knob account 1
	echo 0 >"/sys/devices/system/cpu/cpu$last/online"
	knob qualify_ns 1000
	echo 1 >"/sys/devices/system/cpu/cpu$last/online"
	knob account 0
done
knob account 1
check "unload while it counts" unload
nothing_left "unloaded"
for _ in $(seq "$CYCLES"); do
	load account=1 mode=off && unload
done
must "load account=1" load account=1
is "account by parameter" "$(knob account)" 1
sleep 0.3
at_least "it counts" "$(counter core_to_multi)" 10
reset_stats
at_most "stats/reset: the sums begin again" "$(counter core_multi_ns)" 1000000000
finish
