# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 arch=arm64 smp=8,sockets=1,cores=4,threads=2 capacity=1024,1024,512,1024,1024,1024,1024,1024
#
# A redirect never loses capacity: where the preferred thread of a core has less of it, the kernel's choice stands.

. /tests/lib.sh

ROUNDS=200

small=$(thread 1 0)
large=$(thread 1 1)
waker=$(thread 3 0)

capacity()
{
	cat "/sys/devices/system/cpu/cpu$1/cpu_capacity"
}

# wakes_on CORE: a sleeper on the second thread of the core, which may use both
wakes_on()
{
	reset_stats
	# shellcheck disable=SC2046 # words are wanted
	out=$(wakes futex $ROUNDS "$(thread "$1" 0)" "$(thread "$1" 1)" "$(join $(core "$1"))" "$waker")
}

must "module is enforce" state enforce
is "capacity of the preferred thread" "$(capacity "$small")" 512
is "capacity of its sibling" "$(capacity "$large")" 1024

wakes_on 1
is "less capacity: none on the preferred thread" "$(field want "$out")" 0
wakes_on 2
at_least "equal capacity: on the preferred thread" "$(field want "$out")" $((ROUNDS * 95 / 100))

# The other way round: the preferred thread is the larger one.
check "source reverse" knob priority_source reverse
reset_stats
# shellcheck disable=SC2046 # words are wanted
out=$(wakes futex $ROUNDS "$large" "$small" "$(join $(core 1))" "$waker")
at_least "more capacity: on the preferred thread" "$(field want "$out")" $((ROUNDS * 95 / 100))
finish
