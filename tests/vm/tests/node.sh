# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# shellcheck disable=SC2046,SC2086,SC2154 # words are wanted; placements.sh sets variables
# vm: llcs quick=6.12-amd64,7.3-amd64 kernels=amd64 smp=16,sockets=1,dies=2,cores=4,threads=2 timeout=400
# vm: far kernels=6.12-amd64 quick=none smp=16,sockets=1,dies=2,cores=4,threads=2 numbering=far timeout=400
# vm: numa kernels=amd64 quick=none smp=16,sockets=2,cores=4,threads=2 numa
#
# node: an LLC full of hogs beside an idle one. A sleeper of the full one is to wake in the other, if that is in the same
# NUMA node; never on a busy CPU of it, never where it may not run, and hardly ever looked for in vain.

. /tests/lib.sh
. /tests/placements.sh

ROUNDS=$(form 120 300)
MOST=$((ROUNDS * 95 / 100))

# words WORD...: in one line
words()
{
	echo "$@"
}

all=0-15
# Cores 0 to 3 share a cache, and 4 to 7.
full=$(words $(for i in 0 1 2 3; do core $i; done))
other=$(words $(for i in 4 5 6 7; do core $i; done))
best=$(words $(for i in 4 5 6 7; do thread $i 0; done))
waker=$(thread 0 0)
last=$(thread 2 1)

# sleep_full [MASK]: wakes the sleeper in the full LLC
sleep_full()
{
	loaded && reset_stats
	place wakes futex "$ROUNDS" "$(thread 4 0)" "$last" "${1:-$all}" "$waker"
	echo "# placed: $(echo "$placed" | sort -n | uniq -c | tr '\n' ' ')"
	if loaded; then
		echo "# node $(counter wake_node), none $(counter node_none), left out $(counter node_skipped)"
	fi
}

none_beyond()
{
	sleep_full ${2:-}
	is "$1: none in the other LLC" "$(placed_on $other)" 0
	at_least "$1: placements seen" "$(placed_on $full)" $MOST
}

placements_begin
background hog $full
none_beyond "without the module"
must "module is enforce" state enforce
is "off by default" "$(knob node)" 0
none_beyond "node=0"
check "node=1 is taken" knob node 1

if [ "$VM_LABEL" = numa ]; then
	is "two nodes" "$(cat /sys/devices/system/node/online)" 0-1
	none_beyond "node=1, the other LLC is in another node"
	is "none counted" "$(counter wake_node)" 0
	finish
fi

sleep_full
at_least "node=1: on best threads of the other LLC" "$(placed_on $best)" $MOST
figure node "$(placed_on $best)"
at_least "and counted" "$(counter wake_node)" $MOST
at_least "and over all of its cores: different CPUs" "$(echo "$placed" | sort -u | grep -c .)" 4

is "node_scan" "$(knob node_scan)" auto
check "node_scan=2 is taken" knob node_scan 2
sleep_full
at_least "node_scan=2: on best threads of the other LLC" "$(placed_on $best)" $MOST
for value in "" 0 -1 65536 none 1x; do
	is "node_scan=\"$value\" is refused" "$(field error "$(put "$SYSFS/node_scan" "$value")")" 22
done
is "node_scan" "$(knob node_scan)" 2
knob node_scan auto

knob mode observe
none_beyond "observe"
at_least "observe counts what it would do" "$(counter wake_node_would)" $MOST
knob mode enforce
none_beyond "not allowed there" "$(join $full)"
knob cpus "$(join $full)"
none_beyond "the other LLC is outside cpus"
knob cpus "$(join $other)"
none_beyond "the choice is outside cpus"
knob cpus $all

# Half busy: a fully idle core first, never a busy CPU.
background hog $(thread 4 0) $(thread 5 1)
sleep_full
figure half_busy_idle_core "$(placed_on "$(thread 6 0)" "$(thread 7 0)")"
at_least "half busy: on a fully idle core" "$(placed_on "$(thread 6 0)" "$(thread 7 0)")" $((ROUNDS * 90 / 100))
is "half busy: on a busy CPU" "$(placed_on "$(thread 4 0)" "$(thread 5 1)")" 0

# Full: nothing to find, and soon hardly looked for.
background hog $(thread 4 1) $(thread 5 0) $(core 6) $(core 7)
sleep 1
none_beyond "both LLCs full"
figure full_searches "$(counter node_none)"
at_most "both full: searches" "$(counter node_none)" $((ROUNDS / 8))
stop_children

background hog $full
storm >/tmp/storm &
storm=$!
failed_writes=0
cycles=$(form 5 100)
for _ in $(seq "$cycles"); do
	for value in 0 1; do
		for cpu in $other; do
			echo $value >"/sys/devices/system/cpu/cpu$cpu/online" || failed_writes=$((failed_writes + 1))
		done
	done
done
kill $storm
wait $storm
echo "# storm: $(cat /tmp/storm)"
is "an LLC off and on $cycles times: failed writes" $failed_writes 0
figure moved_in_storm "$(counter wake_node)"
at_least "the storm used the other LLC" "$(counter wake_node)" 1
is "all CPUs are online" "$(cat /sys/devices/system/cpu/online)" $all
sleep 1
sleep_full
at_least "after that: on best threads of the other LLC" "$(placed_on $best)" $MOST
check "node=0" knob node 0
none_beyond "node=0 again"
finish
