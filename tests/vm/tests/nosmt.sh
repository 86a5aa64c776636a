# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt1 smp=4,sockets=1,cores=4,threads=1 quick=6.12-amd64
#
# Without SMT the module loads, says that there is nothing to do, and does nothing.

. /tests/lib.sh

mark_log
check "loads" load
contains "says so in the log" "$(log_since)" "SMT"
echo "# $(log_since | tail -n 1)"
is "mode keeps its value" "$(knob mode)" enforce
for hook in wake ilb; do
	is "hook $hook is inactive" "$(knob hooks/$hook/active)" 0
done
for function in select_task_rq_fair housekeeping_cpumask; do
	is "$function is not hooked" "$(hooked $function)" none
done

out=$(wakes futex 100 1 2 1-2 0)
at_least "of 100 wakeups, those that stay where they were" "$(field last "$out")" 95
forks 50 0 >/dev/null
for file in "$SYSFS"/stats/[wi]*; do
	is "${file##*/} is zero" "$(cat "$file")" 0
done

for mode in observe off enforce; do
	check "mode $mode is taken" knob mode $mode
	is "mode reads $mode" "$(knob mode)" $mode
done
check "unloads" unload
nothing_left "unloaded"

finish
