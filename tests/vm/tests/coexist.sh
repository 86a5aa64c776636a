# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 quick=6.12-amd64 timeout=400
#
# Others on the hooked functions: a livepatch, a direct user as BPF has them, the
# tracers, kprobes; each first and second. (A module like ours is in refuse.sh.)

. /tests/lib.sh

SITES="select_task_rq_fair housekeeping_cpumask"
KLP=/sys/kernel/livepatch/other_livepatch
EBUSY=16

# redirects TEXT: both hooks still get their calls, and wakeups are redirected
redirects()
{
	local seen

	seen=$(counter ilb_seen)
	# shellcheck disable=SC2046 # words are wanted
	out=$(wakes futex 100 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 2 0)")
	at_least "$1: wakeups are redirected" "$(field want "$out")" 95
	is "$1: hooks" "$(knob hooks/wake/active) $(knob hooks/ilb/active)" "1 1"
	ilb_seen=$(($(counter ilb_seen) - seen))
}

# busy TEXT FUNCTION: loading is refused for it
busy()
{
	mark_log
	load
	is "$1: the load ends with errno" $? $EBUSY
	contains "$1: the log names the function" "$(log_since)" "$2 is busy: another owner redirects it"
	nothing_left "$1"
}

# --- a livepatch ---

# Every task has gone over to the livepatch, or back; loading and unloading wait for it.
settled()
{
	for _ in $(seq 60); do
		[ "$(cat $KLP/transition 2>/dev/null)" = 1 ] || return 0
		sleep 1
	done
	return 1
}

if [ -e /modules/other_livepatch.ko ]; then
	must "a livepatch comes first" insmod /modules/other_livepatch.ko
	check "all tasks use it" settled
	busy "livepatched" housekeeping_cpumask
	is "the livepatch is still on" "$(cat $KLP/enabled)" 1
	echo 0 >$KLP/enabled
	for _ in $(seq 60); do
		[ -e $KLP ] || break
		sleep 1
	done
	check "the livepatch goes" rmmod other_livepatch
	check "then the module loads" load
	redirects "after the livepatch"
	check "a livepatch that comes second is refused" refused insmod /modules/other_livepatch.ko
	redirects "beside the refused livepatch"
	check "unloads" unload
	nothing_left "livepatch"
else
	skip "a livepatch" "this kernel has no livepatches"
fi

# --- a direct user ---

calls()
{
	cat /sys/module/other_direct/parameters/calls
}

if [ -e /modules/other_direct.ko ] && insmod /modules/other_direct.ko; then
	rmmod other_direct
	for site in $SITES; do
		must "a direct user of $site comes first" insmod /modules/other_direct.ko function="$site"
		mark_log
		if load; then
			ok "$site has a direct user: the kernel lets us share it"
			redirects "beside a direct user of $site"
			check "unloads" unload
		else
			contains "$site has a direct user: refused by name" "$(log_since)" "$site is busy"
		fi
		nothing_left "direct user of $site"
		before=$(calls)
		# shellcheck disable=SC2046 # words are wanted
		wakes futex 50 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 2 0)" >/dev/null
		case $site in
		select_*) at_least "its owner still gets its calls" $(($(calls) - before)) 50 ;;
		esac
		check "it goes" rmmod other_direct
		check "then the module loads" load
		if insmod /modules/other_direct.ko function="$site"; then
			ok "a direct user of $site that comes second may share it"
			redirects "beside it"
			check "it goes" rmmod other_direct
		else
			ok "a direct user of $site that comes second is refused"
		fi
		redirects "after it"
		check "unloads" unload
		nothing_left "second direct user of $site"
	done
else
	skip "a direct user" "this kernel has no register_ftrace_direct() that takes an ftrace_ops"
fi

# --- tracers ---

# trace TRACER: TRACER on both functions
trace()
{
	echo nop >"$TRACING/current_tracer"
	# shellcheck disable=SC2086 # words are wanted
	echo $SITES | tr ' ' '\n' >"$TRACING/set_ftrace_filter"
	echo >"$TRACING/trace"
	echo "$1" >"$TRACING/current_tracer"
}

traced()
{
	grep -c "$1" "$TRACING/trace"
}

# hog: with a busy core there are idle load balancer choices
background hog "$(thread 0 0)" "$(thread 0 1)"
for tracer in function function_graph; do
	grep -qw $tracer "$TRACING/available_tracers" || continue
	must "loads" load
	trace $tracer
	redirects "$tracer came second"
	at_least "$tracer sees wakeups" "$(traced select_task_rq_fair)" 95
	check "mode off under it" knob mode off
	check "mode enforce under it" knob mode enforce
	redirects "$tracer came first"
	at_least "and the idle load balancer's choices get to us" $ilb_seen 1
	check "unloads under it" unload
	echo >"$TRACING/trace"
	# shellcheck disable=SC2046 # words are wanted
	wakes futex 50 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 2 0)" >/dev/null
	at_least "$tracer sees wakeups without us" "$(traced select_task_rq_fair)" 50
	nothing_left $tracer
	echo nop >"$TRACING/current_tracer"
done
echo >"$TRACING/set_ftrace_filter"

# --- kprobes, at the entry and at the return ---

probes()
{
	local site

	for site in $SITES; do
		echo "p:in_$site $site" >>"$TRACING/kprobe_events"
		echo "r:out_$site $site" >>"$TRACING/kprobe_events"
	done
	echo >"$TRACING/trace"
	echo 1 >"$TRACING/events/kprobes/enable"
}

no_probes()
{
	echo 0 >"$TRACING/events/kprobes/enable"
	echo >"$TRACING/kprobe_events"
}

must "loads" load
probes
redirects "kprobes came second"
at_least "they see wakeups" "$(traced in_select_task_rq_fair)" 95
at_least "and their returns" "$(traced out_select_task_rq_fair)" 95
check "unloads under them" unload
check "loads under them" load
redirects "kprobes came first"
no_probes
redirects "after they left"
check "unloads" unload
nothing_left "kprobes"

finish
