# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# shellcheck disable=SC2046,SC2086,SC2154 # words are wanted; placements.sh sets variables
# vm: llcs busy kernels=amd64 quick=6.1-amd64,7.3-amd64 smp=8,sockets=1,dies=2,cores=2,threads=2 timeout=500
# vm: far busy kernels=6.12-amd64 quick=none smp=8,sockets=1,dies=2,cores=2,threads=2 numbering=far timeout=500
# vm: numa busy kernels=6.1-amd64,6.12-amd64,7.2-amd64,7.3-amd64 quick=6.12-amd64 smp=8,sockets=2,cores=2,threads=2 numa timeout=500
#
# node: an LLC without an idle CPU beside an idle one. A sleeper of the full one is to wake in the other, if that is in the
# same NUMA node; never on a busy CPU of it, never where it may not run, and hardly ever looked for in vain.

. /tests/lib.sh
. /tests/placements.sh

ROUNDS=$(form 60 200)
MOST=$((ROUNDS * 92 / 100))
# The load balancer may take the sleeper to the other LLC before it sleeps; then the kernel lets it wake there.
FEW=$((ROUNDS * 8 / 100))

# words WORD...: in one line
words()
{
	echo "$@"
}

all=0-7
# Cores 0 and 1 share a cache, and 2 and 3.
waker=$(thread 0 0)
last=$(thread 1 1)
full=$(words $(core 0) $(core 1))
other=$(words $(core 2) $(core 3))
best=$(words $(thread 2 0) $(thread 3 0))

# fill_llc: all CPUs of the first LLC are busy when the waker wakes
fill_llc()
{
	background hog $(words $full | tr ' ' '\n' | grep -vx "$waker")
}

# sleep_full [MASK]: wakes the sleeper in the full LLC
sleep_full()
{
	loaded && reset_stats
	place wakes futex "$ROUNDS" "$(thread 2 0)" "$last" "${1:-$all}" "$waker"
	echo "# placed: $(echo "$placed" | sort -n | uniq -c | tr '\n' ' ')"
	if loaded; then
		echo "# node $(counter wake_node), none $(counter node_none), left out $(counter node_skipped)"
	fi
}

# none_beyond TEXT [MASK]
none_beyond()
{
	sleep_full ${2:-}
	at_most "$1: in the other LLC" "$(placed_on $other)" $FEW
	at_least "$1: in the full one" "$(placed_on $full)" $MOST
	# Others than the sleeper may move while they are allowed to.
	if loaded && [ "$1" != "not allowed there" ]; then
		# A hog may be away from its CPU for a moment.
		at_most "$1: moved" "$(counter wake_node)" $FEW
	fi
}

# all_beyond TEXT
all_beyond()
{
	sleep_full
	at_least "$1: on best threads of the other LLC" "$(placed_on $best)" $MOST
}

placements_begin
fill_llc
none_beyond "without the module"
must "module is enforce" state enforce
is "off by default" "$(knob node)" 0
none_beyond "node=0"
check "node=1 is taken" knob node 1

if [ "$VM_LABEL" = numa ]; then
	is "two nodes" "$(cat /sys/devices/system/node/online)" 0-1
	none_beyond "node=1, the other LLC is in another node"
	finish
fi

all_beyond "node=1"
figure node "$(placed_on $best)"
at_least "and counted" "$(counter wake_node)" $((ROUNDS * 90 / 100))
is "and on all of its cores: CPUs" "$(echo "$placed" | grep -xF "$(words $best | tr ' ' '\n')" | sort -u | grep -c .)" 2

is "node_scan" "$(knob node_scan)" auto
check "node_scan=2 is taken" knob node_scan 2
all_beyond "node_scan=2"
for value in "" 0 -1 65536 none 1x; do
	is "node_scan=\"$value\" is refused" "$(field error "$(put "$SYSFS/node_scan" "$value")")" 22
done
is "node_scan" "$(knob node_scan)" 2
knob node_scan auto

knob mode observe
none_beyond "observe"
at_least "observe counts what it would do" "$(counter wake_node_would)" $((ROUNDS * 90 / 100))
knob mode enforce
none_beyond "not allowed there" "$(join $full)"
knob cpus "$(join $full)"
none_beyond "the other LLC is outside cpus"
knob cpus "$(join $other)"
none_beyond "the choice is outside cpus"
knob cpus $all

# A kthread bound to the CPU where the task slept wakes it there, and is done: the kernel lets it stay. The CPU is busy with the
# kthread, all others of the LLC are busy, too.
stop_children
background hog $(words $full | tr ' ' '\n' | grep -vx "$last")
check "the test module loads" insmod /modules/cpu_worker.ko
reset_stats
place answered "$ROUNDS" "$last" $all
echo "# placed: $(echo "$placed" | sort -n | uniq -c | tr '\n' ' ')"
at_least "woken by a kthread of its CPU: stays" "$(placed_on "$last")" $((ROUNDS * 90 / 100))
rmmod cpu_worker
stop_children
fill_llc

# Half busy: a fully idle core first, never a busy CPU.
background hog "$(thread 2 0)"
sleep_full
figure half_busy_idle_core "$(placed_on "$(thread 3 0)")"
at_least "half busy: on the fully idle core" "$(placed_on "$(thread 3 0)")" $((ROUNDS * 90 / 100))
is "half busy: on the busy CPU" "$(placed_on "$(thread 2 0)")" 0

# Full: nothing to find, and soon hardly looked for.
background hog "$(thread 2 1)" $(core 3)
sleep 1
none_beyond "both LLCs full"
figure full_searches "$(counter node_none)"
figure full_left_out "$(counter node_skipped)"
stop_children

fill_llc
storm >/tmp/storm &
storm=$!
failed_writes=0
reset_stats
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
all_beyond "after that"
check "node=0" knob node 0
none_beyond "node=0 again"
finish
