# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 quick=6.1-amd64,7.3-amd64,7.3-arm64 smp=8,sockets=1,cores=4,threads=2 timeout=600
#
# The tracepoints: one event for each decision, with the counter's name as its reason; the CPU in it is where the task runs next;
# and smtprioctl trace, which shows them.

. /tests/lib.sh

ROUNDS=300
# Now and then the better thread is not idle.
LEAST=$((ROUNDS * 95 / 100))
EVENTS=$TRACING/events/smtprio
OURS=$TRACING/instances/test

want=$(thread 1 0)
last=$(last_thread 1)
# shellcheck disable=SC2046 # words are wanted
mask=$(join $(core 1))
waker=$(thread 3 0)

load_it()
{
	wakes futex $ROUNDS "$want" "$last" "$mask" "$waker" >/tmp/wakes
}

# record MODE: the hooks are attached while it records and not before or after, so all decisions are in the trace
record()
{
	knob mode off
	echo >"$OURS/trace"
	reset_stats
	echo 1 >"$OURS/tracing_on"
	knob mode "$1"
	load_it
	knob mode off
	echo 0 >"$OURS/tracing_on"
	cat "$OURS/trace" >/tmp/trace
	sed -n 's/.* smtprio_[a-z]*: .* reason=//p' /tmp/trace | sort | uniq -c >/tmp/reasons
}

# events REASON: how many of the last record have it; REASON may be a pattern
events()
{
	awk -v "reason=^$1\$" '$2 ~ reason { n += $1 } END { print n + 0 }' /tmp/reasons
}

# agree TEXT: events and counters tell the same
agree()
{
	local name

	for name in $(cd "$SYSFS/stats" && ls); do
		case $name in
		reset | *_seen | core_*) ;;
		*)	is "$1: events and counter $name" "$(events "$name")" "$(counter "$name")" ;;
		esac
	done
	is "$1: events and counter wake_seen" "$(events 'wake_[a-z_]*')" "$(counter wake_seen)"
	is "$1: events and counter ilb_seen" "$(events 'ilb_[a-z_]*')" "$(counter ilb_seen)"
	is "$1: events lost" "$(sed -n 's/^overrun: //p' "$OURS"/per_cpu/cpu*/stats | sort -u)" 0
}

# instances: those of the tool that are there
instances()
{
	find "$TRACING/instances" -maxdepth 1 -name 'smtprioctl-*' | wc -l
}

# start_tool: smtprioctl trace in the background, up to where events are on; sets $tool
start_tool()
{
	smtprioctl trace >/tmp/human 2>/tmp/errors &
	tool=$!
	for _ in $(seq 100); do
		grep -q 1 "$TRACING"/instances/smtprioctl-$tool/events/smtprio/smtprio_ilb/enable 2>/dev/null && return
		sleep 0.2
	done
}

check "the module loads" load mode=off
is "events are off until asked for" "$(cat "$EVENTS/enable")" 0
mkdir "$OURS"
echo 0 >"$OURS/tracing_on"
echo 4096 >"$OURS/buffer_size_kb"
echo 1 >"$OURS/events/sched/sched_switch/enable"

record enforce
is "events off: none in the trace" "$(events '.*')" 0
at_least "events off: there were decisions" "$(counter wake_redirected)" $LEAST

echo 1 >"$OURS/events/smtprio/enable"
record enforce
agree enforce
figure enforce_events "$(events '.*')"
at_least "enforce: redirected" "$(events wake_redirected)" $LEAST

# "wakes-99 [003] d..2. 12.3: smtprio_wake: comm=wakes pid=100 kernel_cpu=3 target_cpu=2 reason=wake_redirected"
out=$(awk '
	/ smtprio_wake: / {
		match($0, / pid=[0-9]+/); pid = substr($0, RSTART + 5, RLENGTH - 5)
		match($0, / target_cpu=[0-9]+/); cpu = substr($0, RSTART + 12, RLENGTH - 12)
		if (/ reason=wake_redirected$/) want[pid] = cpu; else delete want[pid]
	}
	/ sched_switch: / {
		match($0, / next_pid=[0-9]+/); pid = substr($0, RSTART + 10, RLENGTH - 10)
		match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
		if (!(pid in want)) next
		if (want[pid] == cpu) good++; else bad++
		delete want[pid]
	}
	END { print "good=" good + 0 " bad=" bad + 0 }' /tmp/trace)
figure ran_on_target "$(field good "$out")"
figure ran_elsewhere "$(field bad "$out")"
at_least "sched_switch tells that redirected tasks ran next on target_cpu" "$(field good "$out")" $LEAST
at_most "and elsewhere" "$(field bad "$out")" $((ROUNDS / 50))

record observe
agree observe
at_least "observe: would be" "$(events wake_would)" $((ROUNDS / 2))

# Another tracer beside it, on the functions around the hook.
echo 'select_task_rq_fair *ttwu* *wake_up* trace_event_buffer_*' >"$TRACING/set_ftrace_filter"
echo function >"$TRACING/current_tracer"
record enforce
agree "function tracer on"
at_least "function tracer on: redirected" "$(events wake_redirected)" $LEAST
echo nop >"$TRACING/current_tracer"
echo >"$TRACING/set_ftrace_filter"
echo 0 >"$OURS/events/enable"
rmdir "$OURS"

knob mode enforce
background sh -c 'while :; do wakes futex 100 '"$want $last $mask $waker"' >/dev/null; done'
out=$(smtprioctl trace -n 50 --json)
is "smtprioctl trace -n 50: exit status" $? 0
is "smtprioctl trace -n 50 --json: lines" "$(echo "$out" | wc -l)" 50
is "and each is a decision" "$(echo "$out" | grep -c '^{.*"event": "smtprio_[a-z]*", .*"reason": "[a-z]*_[a-z_]*"}$')" 50
at_least "among them redirected ones" "$(echo "$out" | grep -c '"reason": "wake_redirected"')" 1
smtprioctl trace -n 12 >/tmp/human
head -n 4 /tmp/human | sed 's/^/# /'
is "for humans: a heading and 12 lines" "$(wc -l </tmp/human)" 13
is "no line is over 80 columns" "$(awk 'length($0) > 80' /tmp/human | wc -l)" 0
is "nothing is left of it" "$(instances)" 0
stop_children

# pingpong's threads live for the whole run.
background pingpong 100000 "$waker" "$last" "$mask"
sleep 1
pid=$(find "/proc/$(pidof pingpong | cut -d ' ' -f 1)/task" -mindepth 1 -maxdepth 1 | sed 's,.*/,,' | sort -n | tail -n 1)
out=$(smtprioctl trace --pid "$pid" -n 10 --json)
is "smtprioctl trace --pid: only that task" "$(echo "$out" | grep -c "\"pid\": $pid,")" 10
is "smtprioctl trace --pid: lines" "$(echo "$out" | wc -l)" 10

for signal in INT TERM HUP; do
	start_tool
	sleep 1
	is "$signal: its instance is there" "$(instances)" 1
	kill -$signal $tool
	wait $tool
	is "$signal: exit status" $? 0
	is "$signal: nothing is left" "$(instances)" 0
	at_least "$signal: lines printed" "$(wc -l </tmp/human)" 10
done
start_tool
kill -KILL $tool
wait $tool
is "KILL: its instance stays" "$(instances)" 1
smtprioctl trace -n 1 >/dev/null
is "KILL: the next one removes it" "$(instances)" 0

echo nobody:x:65534:65534::/:/bin/sh >/etc/passwd
out=$(su nobody -c "/bin/smtprioctl trace" 2>&1)
is "not root: exit status" $? 1
contains "not root: message" "$out" "root is needed"

start_tool
check "the module unloads while it is traced" unload
wait $tool
is "unloaded: exit status" $? 1
contains "unloaded: message" "$(cat /tmp/errors)" "the module was unloaded"
is "unloaded: nothing is left" "$(instances)" 0
out=$(smtprioctl trace 2>&1)
is "not loaded: exit status" $? 1
contains "not loaded: message" "$out" "not loaded"
nothing_left "unloaded"
finish
