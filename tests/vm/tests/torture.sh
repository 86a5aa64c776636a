# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 kernels=6.12-amd64,6.12-rt-amd64,debug-amd64 quick=none timeout=300
#
# All at once, under storms of wakeups and forks: loads and unloads, mode and knob
# writes from several writers, CPUs that come and go, SMT off and on, cpusets,
# affinities that flip. TORTURE_SECONDS and TORTURE_SEED on the kernel's command
# line (`make torture`) say for how long, and begin another run.

. /tests/lib.sh

SECONDS_LONG=${TORTURE_SECONDS:-$(form 25 120)}
SEED=${TORTURE_SEED:-$(date +%s)}
CPUS=/sys/devices/system/cpu
CPUSETS=/tmp/cpusets

echo "# TORTURE_SECONDS=$SECONDS_LONG TORTURE_SEED=$SEED"

# Each worker has a generator of its own, seeded by its name.
seed()
{
	state=$((0x$(echo "$SEED $1" | md5sum | cut -c 1-7)))
}

# dice N: sets $roll to 0...N-1
dice()
{
	state=$(((state * 48271 + 11) % 2147483647))
	roll=$((state / 16 % $1))
}

# pick WORD...: sets $word to one of them
pick()
{
	dice $#
	shift $roll
	word=$1
}

go_on()
{
	[ ! -e /tmp/stop ]
}

# --- workers: each prints how much it did ---

loader()
{
	local cycles=0 refused=0

	seed loader
	while go_on; do
		pick mode=enforce mode=observe mode=off "mode=enforce packing=1" "mode=enforce wake=0"
		# shellcheck disable=SC2086 # words are wanted
		if insmod "$KO" $word; then
			dice 3
			sleep 0.$roll
			# Another process may be in one of its files.
			until rmmod smtprio; do go_on || break; done
			cycles=$((cycles + 1))
		else
			refused=$((refused + 1))
		fi
	done
	echo "cycles=$cycles refused=$refused"
}

# Writers find the files gone every now and then: whatever comes of a write is right, but for a crash.
writer()
{
	local writes=0

	seed "writer $1"
	while go_on; do
		pick mode=off mode=observe mode=enforce mode=x wake=0 wake=1 fork_exec=0 fork_exec=1 ilb=0 ilb=1 \
			packing=0 packing=1 cpus=0-7 cpus=0-3,6 cpus=9 priority_source=number \
			priority_source=reverse priority_source=custom cpu1/priority=7 cpu2/priority=-7 \
			priorities=0=1 stats/reset=1
		{ echo "${word#*=}" >"$SYSFS/${word%%=*}"; } 2>/dev/null
		writes=$((writes + 1))
		dice 4
		[ $roll -gt 0 ] || sleep 0.02
	done
	echo "writes=$writes"
}

reader()
{
	local reads=0

	while go_on; do
		find "$SYSFS" -type f -exec cat {} + >/dev/null 2>&1
		smtprioctl status >/dev/null 2>&1
		reads=$((reads + 1))
		sleep 0.1
	done
	echo "reads=$reads"
}

hotplug()
{
	local cycles=0 cpu

	seed hotplug
	while go_on; do
		dice 8
		cpu=$((roll % 7 + 1))
		if [ $roll -eq 0 ] && [ -e $CPUS/smt/control ]; then
			echo off >$CPUS/smt/control
			echo on >$CPUS/smt/control
		else
			echo 0 >$CPUS/cpu$cpu/online
			dice 2
			[ $roll -eq 0 ] || sleep 0.05
			echo 1 >$CPUS/cpu$cpu/online
		fi 2>/dev/null
		cycles=$((cycles + 1))
	done
	echo "hotplugs=$cycles"
}

# A partition splits a core, and is gone again.
cpusets()
{
	local partitions=0

	mkdir $CPUSETS
	if mount -t cgroup2 none $CPUSETS && echo +cpuset >$CPUSETS/cgroup.subtree_control; then
		while go_on; do
			mkdir $CPUSETS/there
			echo 1,5-6 >$CPUSETS/there/cpuset.cpus
			echo root >$CPUSETS/there/cpuset.cpus.partition
			sleep 0.1
			rmdir $CPUSETS/there
			partitions=$((partitions + 1))
			sleep 0.1
		done 2>/dev/null
		umount $CPUSETS
	fi
	echo "partitions=$partitions"
}

# Its masks may name CPUs that have just gone: then it ends, and begins anew.
flips()
{
	local runs=0

	while go_on; do
		timeout 5 affinity racing 2000 0-7 >/dev/null 2>&1
		runs=$((runs + 1))
	done
	echo "flips=$runs"
}

forkers()
{
	local forks=0

	while go_on; do
		for _ in 1 2 3 4 5 6 7 8; do /bin/true & done
		wait
		forks=$((forks + 8))
	done
	echo "forks=$forks"
}

# --- memory ---

# KiB that are in use for good
used()
{
	sleep 1
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	awk '{ kib[$1] = $2 }
		END {
			print "slab=" kib["SUnreclaim:"] " used=" kib["MemTotal:"] - kib["MemFree:"] - kib["Buffers:"] -
				kib["Cached:"] - kib["AnonPages:"] - kib["PageTables:"] - kib["KernelStack:"] " percpu=" kib["Percpu:"]
		}' /proc/meminfo
}

# run SECONDS: all workers for that long
run()
{
	local worker

	rm -f /tmp/stop
	storm >/tmp/storm &
	storm=$!
	for worker in loader "writer 1" "writer 2" "writer 3" reader hotplug cpusets flips forkers; do
		$worker >"/tmp/did.$(echo "$worker" | tr -d ' ')" &
		eval "worker_$(echo "$worker" | tr -d ' ')=$!"
	done
	sleep "$1"
	touch /tmp/stop
	# shellcheck disable=SC2154 # set by eval
	wait "$worker_loader" "$worker_writer1" "$worker_writer2" "$worker_writer3" "$worker_reader" \
		"$worker_hotplug" "$worker_cpusets" "$worker_flips" "$worker_forkers"
	kill $storm
	wait $storm
}

# total NAME: of what the workers did
total()
{
	sed -n "s/^\(.* \)\{0,1\}$1=\([0-9]*\).*/\2/p" /tmp/did.* | awk '{ sum += $1 } END { print sum + 0 }'
}

# What the kernel keeps from its first time is not counted.
run 3
before=$(used)
run "$SECONDS_LONG"
after=$(used)

for what in cycles writes reads hotplugs partitions flips forks; do
	figure $what "$(total $what)"
done
figure storm_wakeups "$(field wakeups "$(cat /tmp/storm)")"
at_least "loads and unloads" "$(total cycles)" 3
at_least "writes" "$(total writes)" 20
at_least "CPUs that came and went" "$(total hotplugs)" 3
is "loads that were refused" "$(total refused)" 0

is "all CPUs are online" "$(cat $CPUS/online)" 0-7
nothing_left "after the torture"
echo "# memory before: $before"
echo "# memory after:  $after"
for what in slab used percpu; do
	figure "${what}_grown" $(($(field $what "$after") - $(field $what "$before")))
done
# Under KASAN what was freed stays for a while.
if ! grep -q '^CONFIG_KASAN=y' /boot/config-*; then
	at_most "memory is flat: KiB of slab" $(($(field slab "$after") - $(field slab "$before"))) 1024
	at_most "memory is flat: KiB for per-CPU data" $(($(field percpu "$after") - $(field percpu "$before"))) 64
fi

check "the module loads" load
is "its hooks are on" "$(knob hooks/wake/active) $(knob hooks/ilb/active)" "1 1"
# shellcheck disable=SC2046 # words are wanted
out=$(wakes futex 200 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 3 0)")
at_least "wakeups are redirected" "$(field want "$out")" 190
check "and unloads" unload
nothing_left "at the end"

finish
