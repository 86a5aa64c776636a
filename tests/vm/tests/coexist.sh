# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 busy smp=8,sockets=1,cores=4,threads=2 quick=6.12-amd64 timeout=400
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

# The ways in which the wake hook can attach here; the first is what "auto" takes.
mark_log
if load attach=direct; then
	WAYS="direct ftrace"
	unload
else
	WAYS=ftrace
	contains "attach=direct is refused where ftrace has no direct calls" "$(log_since)" \
		"attach=direct: ftrace of this kernel has no direct calls"
	nothing_left "attach=direct"
fi
load
is "auto takes the first of $WAYS" "$(knob hooks/wake/way) $(knob hooks/ilb/way)" "${WAYS%% *} ftrace"
unload

calls()
{
	cat /sys/module/other_direct/parameters/calls
}

# still_called TEXT: the direct user of select_task_rq_fair gets its calls
still_called()
{
	local before

	before=$(calls)
	# shellcheck disable=SC2046 # words are wanted
	wakes futex 50 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 2 0)" >/dev/null
	at_least "$1: its owner gets its calls" $(($(calls) - before)) 50
}

if [ -e /modules/other_direct.ko ]; then
	for site in $SITES; do
		must "a direct user of $site comes first" insmod /modules/other_direct.ko function="$site"
		for way in auto direct ftrace; do
			# A direct user of the other site is in nobody's way.
			mark_log
			load attach=$way
			is "$site has a direct user that shares with none: attach=$way ends with errno" $? $EBUSY
			contains "and the log names the function" "$(log_since)" "$site is busy: another owner redirects it"
			nothing_left "direct user of $site, attach=$way"
		done
		case $site in
		select_*) still_called "after the refusals" ;;
		esac
		check "it goes" rmmod other_direct
	done

	# One that shares, as BPF's do: with ftrace, not with a second direct call.
	site=select_task_rq_fair
	must "a direct user that shares comes first" insmod /modules/other_direct.ko function=$site share=1
	mark_log
	load attach=direct
	is "attach=direct ends with errno" $? $EBUSY
	contains "and the log names the function" "$(log_since)" "$site is busy: another owner redirects it"
	nothing_left "attach=direct beside a direct user"
	must "auto loads" load
	is "auto goes through ftrace" "$(knob hooks/wake/way)" ftrace
	redirects "beside a direct user that came first"
	still_called "beside us"
	check "mode off" knob mode off
	is "off: no way" "$(knob hooks/wake/way)" none
	still_called "in mode off"
	check "it goes" rmmod other_direct
	check "mode enforce" knob mode enforce
	is "each attach tries anew" "$(knob hooks/wake/way)" "${WAYS%% *}"
	redirects "after it went"
	check "a direct user that comes second is refused" refused insmod /modules/other_direct.ko function=$site share=1
	redirects "beside the refused one"
	check "unloads" unload
	nothing_left "second direct user"

	must "loads with attach=ftrace" load attach=ftrace
	must "a direct user that shares may come second" insmod /modules/other_direct.ko function=$site share=1
	redirects "beside one that came second"
	still_called "beside us, second"
	check "unloads before it" unload
	still_called "alone again"
	check "it goes" rmmod other_direct
	nothing_left "attach=ftrace beside a direct user"
else
	skip "a direct user" "the test module's trampoline is for amd64 with direct calls"
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

# tracer TRACER WAY
tracer()
{
	must "loads, attach=$2" load attach="$2"
	trace "$1"
	redirects "$1 came second, $2"
	at_least "$1 sees wakeups" "$(traced select_task_rq_fair)" 95
	check "mode off under it" knob mode off
	check "mode enforce under it" knob mode enforce
	is "attached by" "$(knob hooks/wake/way)" "$2"
	redirects "$1 came first, $2"
	at_least "and the idle load balancer's choices get to us" $ilb_seen 1
	check "unloads under it" unload
	echo >"$TRACING/trace"
	# shellcheck disable=SC2046 # words are wanted
	wakes futex 50 "$(thread 1 0)" "$(thread 1 1)" "$(join $(core 1))" "$(thread 2 0)" >/dev/null
	at_least "$1 sees wakeups without us" "$(traced select_task_rq_fair)" 50
	nothing_left "$1, $2"
	echo nop >"$TRACING/current_tracer"
}

# hog: with a busy core there are idle load balancer choices
background hog "$(thread 0 0)" "$(thread 0 1)"
for name in function function_graph; do
	grep -qw $name "$TRACING/available_tracers" || continue
	for way in $WAYS; do tracer $name "$way"; done
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

for way in $WAYS; do
	must "loads, attach=$way" load attach="$way"
	probes
	redirects "kprobes came second, $way"
	at_least "they see wakeups" "$(traced in_select_task_rq_fair)" 95
	at_least "and their returns" "$(traced out_select_task_rq_fair)" 95
	check "unloads under them" unload
	check "loads under them" load attach="$way"
	redirects "kprobes came first, $way"
	no_probes
	redirects "after they left, $way"
	check "unloads" unload
	nothing_left "kprobes, $way"
done

finish
