# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 kernels=6.1-amd64,6.12-amd64,7.3-amd64 smp=8,sockets=1,cores=4,threads=2
#
# ftrace that gives a function no more back, as after a fault of its own (a module in place of that): the hooks that stay attached
# say so, do nothing in mode off, can be used again, and the module cannot be unloaded.

. /tests/lib.sh

ENODEV=19

# wakes_redirected: how many wakeups of 100 were
wakes_redirected()
{
	reset_stats
	# shellcheck disable=SC2046 # words are wanted
	wakes futex 100 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 2 0)" >/dev/null
	counter wake_redirected
}

# off_fails FUNCTION: what the log says when switching off calls it and it fails
off_fails()
{
	mark_log
	must "the test module loads: $1 fails" insmod /modules/fail_call.ko function="$1" comm=sh error=-$ENODEV nth=1
	check "mode off succeeds" knob mode off
	rmmod fail_call
	is "$1 failed: the log says so once" \
		"$(log_since | grep -c "does not give .* back (error -$ENODEV): the module stays until reboot")" 1
}

# direct calls are given back by another function
giver=unregister_ftrace_direct_multi
grep -qw "$giver" /proc/kallsyms || giver=unregister_ftrace_direct

must "the module loads" load
is "the wake hook is active" "$(knob hooks/wake/active)" 1
at_least "wakeups are redirected" "$(wakes_redirected)" 95

# The last hook goes first.
for function in unregister_ftrace_function "$giver"; do
	off_fails "$function"
	check "mode enforce" knob mode enforce
	at_least "wakeups are redirected again" "$(wakes_redirected)" 95
done

check "mode off" knob mode off
is "off: both hooks are attached, and say so" \
	"$(knob mode) $(knob hooks/wake/active) $(knob hooks/ilb/active)" "off 1 1"
is "off: no wakeup is redirected" "$(wakes_redirected)" 0
is "the module cannot be unloaded" "$(rmmod smtprio >/dev/null 2>&1; echo $?)" 1
check "it is still there" [ -e "$SYSFS" ]
check "mode enforce" knob mode enforce
at_least "wakeups are redirected" "$(wakes_redirected)" 95
finish
