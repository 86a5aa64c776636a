# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 timeout=900
# vm: llc smp=16,sockets=1,dies=2,cores=4,threads=2 timeout=1500 quick=6.12-amd64
# vm: isolated smp=8,sockets=1,cores=4,threads=2 append="isolcpus=6 nohz_full=7 rcu_nocbs=7" timeout=900 quick=6.1-amd64
#
# CPUs that come and go under a wake storm: one sibling, a whole core, a whole LLC where there are two, SMT switched off and on; and
# scheduling domains that cpusets split and join, with hooks and packing on. The tables follow, no wakeup is lost to an offline CPU,
# and nothing is left half-way.

. /tests/lib.sh

# A cycle takes four CPUs off and on; more CPUs storm longer meanwhile.
case $VM_LABEL in
llc) CYCLES=$(form 5 20) LLC_CYCLES=$(form 1 20) ;;
*) CYCLES=$(form 5 100) LLC_CYCLES=1 ;;
esac
ROUNDS=200
CPUS=/sys/devices/system/cpu
CPUSETS=/tmp/cpusets

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

# cycle CPU...: they go in turn, and come back
cycle()
{
	local cpu

	for cpu; do online "$cpu" 0 || failed=$((failed + 1)); done
	for cpu; do online "$cpu" 1 || failed=$((failed + 1)); done
}

# LLCs other than CPU 0's: the CPUs of each, one a line. None where this kernel knows no caches.
other_llcs()
{
	cat $CPUS/cpu[0-9]*/cache/index3/shared_cpu_list 2>/dev/null | sort -n | uniq | tail -n +2
}

# partition CPUS|"": a cpuset that takes these out of the root's scheduling domains, or none
partition()
{
	if [ "$1" ]; then
		echo "$1" >$CPUSETS/part/cpuset.cpus && echo root >$CPUSETS/part/cpuset.cpus.partition
	else
		echo member >$CPUSETS/part/cpuset.cpus.partition
	fi
}

# Writes that come while CPUs do; what is refused changes nothing, what is not is in force.
writer()
{
	while :; do
		knob cpus "$first"
		knob cpus 0-99999 2>/dev/null
		knob cpus "$(cat $CPUS/possible)"
		knob priority_source custom
		knob "cpu$second/priority" 5
		# Each of them builds domains anew, for packing: others want their turn.
		sleep 1
	done
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
background writer
failed=0
for i in $(seq "$CYCLES"); do
	# One sibling, the other one, a whole core.
	for cpus in "$first" "$second" "$(core 2)"; do
		# shellcheck disable=SC2086 # words are wanted
		cycle $cpus
	done
	# Writes in between, which make the tables anew.
	if [ $((i % 2)) = 0 ]; then source=number; else source=reverse; fi
	knob priority_source $source
done
is "$CYCLES cycles of a sibling, the other and a core: failed" $failed 0
stop_children
knob cpus "$(cat $CPUS/possible)"
check "after writes meanwhile, the source is number again" knob priority_source number

other_llcs >/tmp/llcs
case $VM_LABEL in
llc) is "there is a second LLC" "$(cat /tmp/llcs)" 8-15 ;;
esac
failed=0
while read -r cpus; do
	for _ in $(seq "$LLC_CYCLES"); do
		# shellcheck disable=SC2046 # words are wanted
		cycle $(expand "$cpus")
	done
done </tmp/llcs
[ ! -s /tmp/llcs ] || is "$LLC_CYCLES cycles of a whole LLC: failed" $failed 0

mkdir -p $CPUSETS
mount -t cgroup2 none $CPUSETS
echo +cpuset >$CPUSETS/cgroup.subtree_control
mkdir $CPUSETS/part
failed=0
for _ in $(seq "$CYCLES"); do
	# Both cores whole, one split, both split.
	# shellcheck disable=SC2046 # words are wanted
	for cpus in "$(join $(core 1) $(core 2))" "$first" "$second,$(thread 2 0)"; do
		partition "$cpus" || failed=$((failed + 1))
		partition "" || failed=$((failed + 1))
	done
done
is "$CYCLES times three cpuset partitions: failed" $failed 0
rmdir $CPUSETS/part

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
is "all CPUs are online" "$(cat $CPUS/online)" "$(cat $CPUS/present)"
echo "# counters: $(cd "$SYSFS/stats" && grep -v '^0$' wake_* ilb_* | tr '\n' ' ')"
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
