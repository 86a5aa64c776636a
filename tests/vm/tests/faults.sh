# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: memory smp=8,sockets=1,cores=4,threads=2 kernels=debug-amd64 quick=none append="kmemleak=on" timeout=600
# vm: calls smp=8,sockets=1,cores=4,threads=2 kernels=debug-amd64,6.1-amd64 quick=6.1-amd64 append="kmemleak=on" timeout=400
#
# Failures in turn: every memory allocation (the kernel's own fault injection) and
# every registration (a kprobe in its place) of a load, a mode switch, a knob write
# and a CPU coming or going fails once. What was asked for fails or succeeds as a
# whole, nothing is left, and the next try works.

. /tests/lib.sh

ENOMEM=12
FAILSLAB=/sys/kernel/debug/failslab

wakeups_are_redirected()
{
	# shellcheck disable=SC2046 # words are wanted
	out=$(wakes futex 50 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 2 0)")
	at_least "$1: wakeups are redirected" "$(field want "$out")" 47
}

# leftovers: what a failed load left
leftovers()
{
	[ -e "$SYSFS" ] && echo "$SYSFS"
	[ -e /sys/module/smtprio ] && echo /sys/module/smtprio
	grep smtprio "$TRACING/enabled_functions"
	grep smtprio /sys/kernel/debug/kprobes/list
	grep smtprio /sys/devices/system/cpu/hotplug/states
}

configuration()
{
	local name

	for name in mode wake fork_exec ilb packing account cpus priority_source cpu0/priority cpu1/priority \
		hooks/wake/active hooks/ilb/active hooks/packing/active; do
		knob $name
	done | xargs
}

# --- memory ---

# What one allocation of many does is like what its neighbours do: the quick form takes every STEPth, beginning
# with another each time.
step=1
first=1
injected=0
survived=0
broken=0

# steps QUICK
steps()
{
	step=$(form "$1" 1)
	first=$(($(date +%s) % step + 1))
	injected=0
	survived=0
	broken=0
}

# bad TEXT...: a thing that is not as it should be after the Nth failure
bad()
{
	broken=$((broken + 1))
	echo "# allocation $n: $*" | tr '\n' ' '
	echo
}

# told TEXT
told()
{
	figure "$(echo "$1" | tr ' =' '__')_failures" "$injected"
	at_least "$1: allocations that failed" "$injected" 1
	is "$1: of them not undone" "$broken" 0
	echo "# $1: from $first in steps of $step, $survived of $injected failures did no harm"
}

# loads TEXT QUICK [PARAM=VALUE...]
loads()
{
	local text=$1 quick=$2 out left

	shift 2
	steps "$quick"
	n=$first
	while :; do
		out=$(failnth $n load "$KO" "$@")
		[ "$(field injected "$out")" = 1 ] || break
		injected=$((injected + 1))
		if [ "$(field error "$out")" = 0 ]; then
			survived=$((survived + 1))
			unload || bad "loaded all the same, does not unload"
		elif [ "$(field error "$out")" != $ENOMEM ]; then
			bad "ended with errno $(field error "$out")"
		fi
		left=$(leftovers)
		[ -z "$left" ] || bad "left $left"
		n=$((n + step))
	done
	told "$text"
	is "$text: without a failure it loads" "$(field error "$out")" 0
	check "$text: and unloads" unload
}

# writes TEXT QUICK FILE VALUE RESTORE: RESTORE is written after each success
writes()
{
	local text=$1 quick=$2 file=$3 value=$4 restore=$5 before out

	steps "$quick"
	before=$(configuration)
	n=$first
	while :; do
		out=$(failnth $n write "$SYSFS/$file" "$value")
		[ "$(field injected "$out")" = 1 ] || break
		injected=$((injected + 1))
		if [ "$(field error "$out")" = 0 ]; then
			survived=$((survived + 1))
			knob "$file" "$restore" || bad "cannot be restored"
		elif [ "$(field error "$out")" != $ENOMEM ]; then
			bad "ended with errno $(field error "$out")"
		fi
		[ "$(configuration)" = "$before" ] || bad "changed $before to $(configuration)"
		n=$((n + step))
	done
	told "$text"
	is "$text: without a failure it works" "$(field error "$out")" 0
	[ "$restore" = "$value" ] || knob "$file" "$restore"
}

# A CPU goes and comes, with the allocations of the thread in which it does.
hotplugs()
{
	local value=$1 text=$2 out tid cpu=7

	steps 1
	tid=$(grep -lx "cpuhp/$cpu" /proc/[0-9]*/comm | cut -d / -f 3)
	n=1
	while [ $n -lt 100 ]; do
		out=$(failnth $n write-in "$tid" /sys/devices/system/cpu/cpu$cpu/online "$value")
		[ "$(field injected "$out")" = 1 ] || break
		injected=$((injected + 1))
		# The kernel's own callbacks may refuse; then the CPU is where it was.
		if [ "$(field error "$out")" = 0 ]; then
			survived=$((survived + 1))
			echo $((1 - value)) >/sys/devices/system/cpu/cpu$cpu/online || bad "cannot be undone"
		fi
		n=$((n + 1))
	done
	told "$text"
	echo "$value" >/sys/devices/system/cpu/cpu$cpu/online 2>/dev/null
	is "$text: CPU 7 online" "$(cat /sys/devices/system/cpu/cpu$cpu/online)" "$value"
}

memory()
{
	# Allocations that may wait are left out unless asked for, and those without code of a module on the stack
	# are the kernel's own business. That code is above the kernel's.
	echo N >$FAILSLAB/ignore-gfp-wait
	echo 0 >$FAILSLAB/verbose
	echo 0xffffffffa0000000 >$FAILSLAB/require-start
	echo 0xffffffffff000000 >$FAILSLAB/require-end

	loads "load in mode off" 24 mode=off
	loads "load" 32 mode=enforce packing=1
	must "loads" load mode=off
	writes "mode enforce" 3 mode enforce off
	knob mode enforce
	writes "packing 1" 3 packing 1 0
	writes "cpus" 1 cpus 0-3 0-7
	writes "priority_source" 1 priority_source custom number
	knob priority_source custom
	writes "priority" 1 cpu1/priority 9 -1
	writes "priorities" 1 priorities "1=9 3=9" "1=-1 3=-3"
	knob priority_source number
	writes "ilb 0" 1 ilb 0 1
	hotplugs 0 "a CPU goes"
	hotplugs 1 "a CPU comes"
	wakeups_are_redirected "after all failures"
	check "unloads" unload
}

# --- calls ---

# insmod_fails FUNCTION NTH ERROR [PARAM=VALUE...]: the load ends with ERROR, leaving nothing; the next works
insmod_fails()
{
	local function=$1 nth=$2 error=$3 left text

	shift 3
	text="call $nth of $function fails in a load${*:+ with $*}"
	if ! insmod /modules/fail_call.ko function="$function" error=-"$error" nth="$nth" comm=failnth; then
		not_ok "$text: no kprobe on it"
		return
	fi
	mark_log
	# One try: busybox's insmod makes two.
	is "$text: errno" "$(field error "$(failnth 0 load "$KO" "$@")")" $ENOMEM
	is "$text: was called" "$(cat /sys/module/fail_call/parameters/nth)" 0
	check "$text: for a reason in the log" [ "$(log_since | grep -c smtprio)" -ge "$told_in_log" ]
	left=$(leftovers)
	is "$text: nothing left" "${left:-nothing}" nothing
	check "$text: and the next load works" load "$@"
	unload
	rmmod fail_call
}

# write_fails FUNCTION NTH FILE VALUE
write_fails()
{
	local function=$1 nth=$2 file=$3 value=$4 before text

	text="call $nth of $function fails in $file=$value"
	if ! insmod /modules/fail_call.ko function="$function" error=-$ENOMEM nth="$nth" comm=put; then
		not_ok "$text: no kprobe on it"
		return
	fi
	before=$(configuration)
	is "$text: errno" "$(field error "$(put "$SYSFS/$file" "$value")")" $ENOMEM
	is "$text: was called" "$(cat /sys/module/fail_call/parameters/nth)" 0
	is "$text: all is as it was" "$(configuration)" "$before"
	is "$text: the next write works" "$(field error "$(put "$SYSFS/$file" "$value")")" 0
	rmmod fail_call
}

# falls_back FUNCTION: a direct attach that fails there is no harm to attach=auto
falls_back()
{
	must "$1 can fail" insmod /modules/fail_call.ko function="$1" error=-$ENOMEM nth=1 comm=failnth
	is "auto loads when $1 fails: errno" "$(field error "$(failnth 0 load "$KO")")" 0
	is "through" "$(knob hooks/wake/way)" ftrace
	check "mode off" knob mode off
	check "mode enforce" knob mode enforce
	is "the next attach is by" "$(knob hooks/wake/way)" direct
	unload
	rmmod fail_call
}

calls()
{
	# Up to 6.2 the function that takes an ftrace_ops had another name.
	local register_direct=register_ftrace_direct

	grep -q ' register_ftrace_direct_multi$' /proc/kallsyms && register_direct=register_ftrace_direct_multi
	told_in_log=1
	insmod_fails register_kprobe 1 $ENOMEM
	for function in ftrace_set_filter_ip register_ftrace_function; do
		insmod_fails $function 1 $ENOMEM attach=ftrace
		insmod_fails $function 2 $ENOMEM attach=ftrace
	done
	insmod_fails ftrace_set_filter_ip 1 $ENOMEM attach=direct
	insmod_fails ftrace_set_filter_ip 2 $ENOMEM attach=direct
	insmod_fails $register_direct 1 $ENOMEM attach=direct
	falls_back $register_direct
	insmod_fails kthread_create_on_node 1 $ENOMEM
	for nth in 2 3 4; do
		insmod_fails register_kprobe $nth $ENOMEM packing=1
	done
	# The kernel's own error number tells enough.
	told_in_log=0
	insmod_fails __cpuhp_setup_state 1 $ENOMEM
	insmod_fails kobject_create_and_add 1 0
	insmod_fails kobject_create_and_add 2 0
	insmod_fails sysfs_create_groups 1 $ENOMEM

	must "loads" load mode=off attach=ftrace
	write_fails register_ftrace_function 1 mode enforce
	knob mode off
	write_fails register_ftrace_function 2 mode enforce
	write_fails register_kprobe 1 packing 1
	knob packing 0
	write_fails register_kprobe 3 packing 1
	for nth in 1 4; do
		write_fails tracepoint_probe_register $nth account 1
		knob account 0
	done
	write_fails __cpuhp_setup_state 1 account 1
	knob account 0
	wakeups_are_redirected "after all failures"
	check "unloads" unload
}

# --- leaks ---

leaks()
{
	local found

	[ -e /sys/kernel/debug/kmemleak ] || return
	# What is new needs a second look.
	for _ in 1 2; do
		echo scan >/sys/kernel/debug/kmemleak
		sleep 1
	done
	found=$(cat /sys/kernel/debug/kmemleak)
	[ -z "$found" ] || echo "$found" | sed 's/^/# /'
	is "objects that kmemleak calls lost" "$(echo "$found" | grep -c '^unreferenced object')" 0
}

"$VM_LABEL"
nothing_left "at the end"
leaks
finish
