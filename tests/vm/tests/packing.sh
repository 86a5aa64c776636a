# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 append="sched_verbose" timeout=400
#
# Asymmetric packing in the load balancer: the flag is on the SMT level of every CPU and nowhere else, stays while domains are
# rebuilt, goes with the knob and with the module; and a lone hog moves to the preferred thread.

. /tests/lib.sh

DOMAINS=/sys/kernel/debug/sched/domains
CYCLES=$(form 20 400)
HOGS=$(form 4 10)

low=$(last_thread 1)
best=$(thread 1 0)

# packed: CPUs whose SMT domain has the flag; flags above it would be listed as CPU/DOMAIN
packed()
{
	grep -l SD_ASYM_PACKING "$DOMAINS"/cpu*/domain*/flags 2>/dev/null |
		sed "s,$DOMAINS/cpu\([0-9]*\)/domain\([0-9]*\)/flags,\1/\2,; s,/0\$,," | sort -n | tr '\n' ' '
}

all="0 1 2 3 4 5 6 7 "
stock=$(packed)
is "the kernel itself packs nowhere" "$stock" ""

# count_moves MS: sets $moves, of $HOGS, within so many milliseconds, and $longest, the longest time one took, in microseconds
count_moves()
{
	moves=0
	longest=0
	for _ in $(seq "$HOGS"); do
		out=$(lone "$low" "$best" "$1")
		moves=$((moves + $(field moved "$out")))
		[ "$(field moved "$out")" = 0 ] || [ "$(field us "$out")" -le "$longest" ] || longest=$(field us "$out")
	done
}

figure hogs "$HOGS"
must "the module loads" load
is "packing is off by default" "$(knob packing)" 0
is "packing=0: nobody packs" "$(packed)" ""
# Whenever something else runs on its CPU the kernel moves it, too: some of ten within three seconds.
count_moves 500
figure hogs_moved_without $moves
at_most "packing=0: not all of $HOGS hogs on the lower thread move at once" $moves $((HOGS - 1))

must "packing=1" knob packing 1
is "packing=1: the hook is active" "$(knob hooks/packing/active)" 1
is "packing=1: on the SMT level of every CPU and nowhere else" "$(packed)" "$all"
count_moves 3000
figure hogs_moved_with $moves
figure longest_move_us "$longest"
is "packing=1: hogs that move to the preferred thread" $moves "$HOGS"

for _ in $(seq "$CYCLES"); do
	echo 0 >/sys/devices/system/cpu/cpu"$low"/online
	echo 1 >/sys/devices/system/cpu/cpu"$low"/online
done
is "$CYCLES times offline and online: still packed" "$(packed)" "$all"

mkdir -p /cg
mount -t cgroup2 none /cg
echo +cpuset >/cg/cgroup.subtree_control
mkdir /cg/part
echo 4-7 >/cg/part/cpuset.cpus
check "a cpuset partition" sh -c 'echo root >/cg/part/cpuset.cpus.partition'
is "with a partition: still packed" "$(packed)" "$all"
echo member >/cg/part/cpuset.cpus.partition
rmdir /cg/part
is "partition removed: still packed" "$(packed)" "$all"

must "custom priorities" knob priority_source custom
check "the lower thread becomes the better one" knob "cpu$low/priority" 100
low=$best
best=$(last_thread 1)
count_moves 3000
is "priorities swapped: hogs that move the other way" $moves "$HOGS"

check "no other hook is wanted" smtprioctl set wake=0 fork_exec=0 ilb=0
is "the others are gone" "$(hooked select_task_rq_fair) $(hooked housekeeping_cpumask)" "none none"
put /proc/sys/kernel/ftrace_enabled 0 >/tmp/refused
check "ftrace cannot be switched off under packing ($(cat /tmp/refused))" [ "$(cat /proc/sys/kernel/ftrace_enabled)" = 1 ]
check "the others come back" smtprioctl set wake=1 fork_exec=1 ilb=1

check "mode observe" knob mode observe
is "observe: nobody packs" "$(packed)" ""
check "mode enforce" knob mode enforce
is "enforce: packed again" "$(packed)" "$all"
check "packing=0" knob packing 0
is "packing=0: nobody packs" "$(packed)" ""
check "packing=1" knob packing 1

# With kprobes switched off nobody can make the kernel build its domains anew: the module says so when it goes.
KPROBES=/sys/kernel/debug/kprobes/enabled
echo 0 >$KPROBES
mark_log
check "kprobes are off: packing=0" knob packing 0
is "kprobes are off: the log says what is left" "$(log_since | grep -c "the scheduling domains could not be built anew")" 1
check "kprobes are off: packing=1 is refused" [ "$(field error "$(put "$SYSFS/packing" 1)")" = 16 ]
echo 1 >$KPROBES
check "kprobes are on: packing=1" knob packing 1
is "kprobes are on: packed" "$(packed)" "$all"
check "unload" unload
is "unloaded: nobody packs" "$(packed)" ""
nothing_left "unloaded"

must "packing=1 as a module parameter" load packing=1
is "loaded with packing=1: packed" "$(packed)" "$all"
check "unload" unload
is "unloaded: nobody packs" "$(packed)" ""
finish
