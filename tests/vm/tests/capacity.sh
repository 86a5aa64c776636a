# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: cores quick=6.1-arm64,7.3-arm64 kernels=arm64 smp=8,sockets=1,cores=4,threads=2 capacity=1024,512,1024,512
# vm: siblings kernels=arm64 smp=8,sockets=1,cores=4,threads=2 quick=6.1-arm64,7.3-arm64 capacity=1024,1024,512,1024,1024,1024,1024,1024
#
# A redirect never loses capacity: where the preferred thread of a core has less of it, the kernel's choice stands.

. /tests/lib.sh

ROUNDS=$(form 200 800)
LEAST=$((ROUNDS * 95 / 100))

waker=$(thread 3 0)

# capacity CORE THREAD
capacity()
{
	cat "/sys/devices/system/cpu/cpu$(thread "$1" "$2")/cpu_capacity"
}

# wakes_on CORE TO FROM: a sleeper that may use both threads of the core and last ran on thread FROM; sets $moved, how often it woke
# on thread TO, and $ours, how often because the module sent it there
wakes_on()
{
	reset_stats
	# shellcheck disable=SC2046 # words are wanted
	out=$(wakes futex "$ROUNDS" "$(thread "$1" "$2")" "$(thread "$1" "$3")" "$(join $(core "$1"))" "$waker")
	moved=$(field want "$out")
	ours=$(field ours "$out")
}

must "module is enforce" state enforce
case $VM_LABEL in
cores)
	is "capacity of a large core" "$(capacity 0 0)" 1024
	is "capacity of a small core" "$(capacity 1 0)" 512
	wakes_on 1 0 1
	at_least "small core: on the preferred thread" "$moved" $LEAST
	wakes_on 2 0 1
	at_least "large core: on the preferred thread" "$moved" $LEAST
	;;
siblings)
	is "capacity of the preferred thread" "$(capacity 1 0)" 512
	is "capacity of its sibling" "$(capacity 1 1)" 1024
	wakes_on 1 0 1
	# The kernel itself takes it now and then.
	figure less_capacity_preferred "$moved"
	is "less capacity: none sent to the preferred thread" "$ours" 0
	at_most "less capacity: few on the preferred thread" "$moved" $((ROUNDS / 20))
	wakes_on 2 0 1
	at_least "equal capacity: on the preferred thread" "$moved" $LEAST

	check "source reverse" knob priority_source reverse
	wakes_on 1 1 0
	at_least "more capacity: on the preferred thread" "$moved" $LEAST
	;;
esac
finish
