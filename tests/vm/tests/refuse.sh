# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 quick=6.1-amd64,7.3-amd64,7.3-arm64
#
# Loads that must be refused, each with its reason and without a trace, and
# neighbours on the hooked functions that must be lived with.

. /tests/lib.sh

EBUSY=16
EEXIST=17
EINVAL=22

# must_refuse TEXT ERRNO REASON [PARAM=VALUE...]
must_refuse()
{
	local text=$1 error=$2 reason=$3 log

	shift 3
	mark_log
	# busybox's insmod exits with the error number, and tries twice.
	load "$@"
	is "$text: the load ends with errno" $? "$error"
	log=$(log_since | grep smtprio)
	contains "$text: the log names the cause" "$log" "$reason"
	echo "# ${log##*] }"
	nothing_left "$text"
}

# redirects TEXT: the wake hook still does its work
redirects()
{
	# shellcheck disable=SC2046 # words are wanted
	out=$(wakes futex 100 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 2 0)")
	at_least "$1: wakeups are redirected" "$(field want "$out")" 95
}

# Another owner came first: of either function, and nothing of ours stays.
for function in select_task_rq_fair housekeeping_cpumask; do
	check "another module owns $function" insmod /modules/other_ipmodify.ko function=$function
	must_refuse "$function is owned" $EBUSY $function
	must_refuse "$function is owned, attach=ftrace" $EBUSY $function attach=ftrace
	check "the owner still owns it" [ "$(hooked $function)" = hooked ]
	check "the owner goes" rmmod other_ipmodify
	is "$function is free" "$(hooked $function)" none
	check "then it loads" load
	redirects "after $function was given back"
	check "and unloads" unload
done

for param in mode=on mode= cpus= cpus=x cpus=4096 priority_source=x priority_source= \
	wake=maybe fork_exec=7 ilb=-1 attach=x attach=; do
	must_refuse "$param" $EINVAL "$param: allowed" "$param"
done

# We came first: the other owner is refused, and we go on.
check "loads" load
check "another owner is refused" refused insmod /modules/other_ipmodify.ko
redirects "after another owner was refused"
load
is "loading twice ends with errno" $? $EEXIST

# Tracers on the hooked function do not take it away, nor lose their own work.
echo select_task_rq_fair >"$TRACING/set_ftrace_filter"
echo select_task_rq_fair >"$TRACING/set_graph_function"
echo function_graph >"$TRACING/current_tracer"
redirects "with function_graph on it"
at_least "function_graph sees calls" "$(grep -c select_task_rq_fair "$TRACING/trace")" 100
echo nop >"$TRACING/current_tracer"
echo >"$TRACING/set_graph_function"
echo >"$TRACING/set_ftrace_filter"
echo 'p:ours select_task_rq_fair' >"$TRACING/kprobe_events"
echo 1 >"$TRACING/events/kprobes/ours/enable"
redirects "with a kprobe on it"
at_least "the kprobe sees calls" "$(grep -c 'ours:' "$TRACING/trace")" 100
echo 0 >"$TRACING/events/kprobes/ours/enable"
echo >"$TRACING/kprobe_events"
redirects "after the tracers left"
check "unloads" unload
nothing_left "unloaded"

finish
