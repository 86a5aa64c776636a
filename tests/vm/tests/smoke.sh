# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# vm: smt2 quick=7.2-amd64,7.2-arm64 smp=8,sockets=1,cores=4,threads=2
#
# The smallest test: the guest is as the other tests expect it.

. /tests/lib.sh

# Every CPU has one sibling, and there are four different pairs.
pairs()
{
	cat /sys/devices/system/cpu/cpu*/topology/thread_siblings_list | sort | uniq -c |
		awk '$1 == 2 && $2 ~ /^[0-9]+[-,][0-9]+$/' | wc -l
}

is "CPUs" "$(grep -c ^processor /proc/cpuinfo)" 8
is "pairs of siblings" "$(pairs)" 4
check "debugfs is mounted" test -e /sys/kernel/debug/sched
check "tracefs is mounted" test -e "$TRACING/available_filter_functions"
figure boot_seconds "$(cut -d ' ' -f 1 /proc/uptime)"
finish
