# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# shellcheck disable=SC2046,SC2086 # words are wanted
# vm: llcs busy kernels=debug-amd64 smp=8,sockets=1,dies=2,cores=2,threads=2 timeout=500
#
# Core scheduling: tasks with two cookies and with none, under every knob. No task is moved to another core where a task of
# another cookie runs, as sched_switch tells; all get on; and within the core it is redirected all the same.

. /tests/lib.sh

MS=$(form 2500 10000)
# A task that came to the sibling later than this before the decision could not be seen by it.
RACE_US=1000

# The core of each CPU, as words CPU=CORE.
core_of=$(cores | awk '{ for (i = 1; i <= NF; i++) printf "%d=%d ", $i, NR }')

# judge TRACE: prints moved=N wrong=N: moves to another core, and those of them to a core where a task of another cookie ran
judge()
{
	awk -v core_of="$core_of" -v race="$RACE_US" '
	BEGIN {
		n = split(core_of, pairs, " ")
		for (i = 1; i <= n; i++) {
			split(pairs[i], pair, "=")
			core[pair[1]] = pair[2]
			running[pair[1]] = ""
		}
	}
	function word(name) {
		return match($0, name "=[^ ]*") ? substr($0, RSTART + length(name) + 1, RLENGTH - length(name) - 1) : ""
	}
	function us(text) {
		sub(":", "", text)
		return text * 1000000
	}
	# cookieN: N; idle: empty; anybody else has no cookie, as cookie0.
	function kind(comm) {
		if (comm ~ /^swapper/)
			return ""
		return comm ~ /^cookie[0-9]/ ? substr(comm, 7, 1) : "0"
	}
	match($0, /\[[0-9]+\]/) { cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0 }
	/ sched_switch: / {
		match($0, / [0-9]+\.[0-9]+: sched_switch/)
		at = us(substr($0, RSTART + 1, RLENGTH - 15))
		running[cpu] = kind(word("next_comm"))
		since[cpu] = at
	}
	/ smtprio_wake: / {
		from = word("kernel_cpu"); to = word("target_cpu")
		if (core[from] == core[to])
			next
		moved++
		match($0, / [0-9]+\.[0-9]+: smtprio_wake/)
		at = us(substr($0, RSTART + 1, RLENGTH - 15))
		match($0, /comm=[^ ]*/)
		mine = kind(substr($0, RSTART + 5, RLENGTH - 5))
		for (other in core)
			if (core[other] == core[to] && running[other] != "" && running[other] != mine &&
			    at - since[other] > race) {
				wrong++
				if (wrong <= 3)
					print "# beside " running[other] ": " $0 >"/dev/stderr"
			}
	}
	END { printf "moved=%d wrong=%d\n", moved, wrong }' "$1"
}

# run_under TEXT KNOB=VALUE...
run_under()
{
	local text=$1 setting kind out verdict

	shift
	for setting in idle_core=0 node=0 node_scan=auto packing=0 mode=enforce "$@"; do
		knob "${setting%=*}" "${setting#*=}" || not_ok "$text: $setting"
	done
	reset_stats
	echo >"$TRACING/trace"
	echo 1 >"$TRACING/tracing_on"
	out=$(cookies "$MS")
	echo 0 >"$TRACING/tracing_on"
	echo "# $text: $out"
	for kind in 0 1 2; do
		at_least "$text: tasks of kind $kind get on" "$(field rounds$kind "$out")" 1
	done
	verdict=$(judge "$TRACING/trace")
	echo "# $text: $verdict; idle core $(counter wake_idle_core), node $(counter wake_node), redirected $(counter wake_redirected)"
	is "$text: moves beside another cookie" "$(field wrong "$verdict")" 0
	moves=$(field moved "$verdict")
}

# A trace that has what is looked for: cookie2 was moved from core 0 beside cookie1.
there=$(thread 3 0)
cat >/tmp/sample <<-EOT
  <idle>-0 [$(printf %03d "$there")] d..2. 10.000100: sched_switch: prev_comm=swapper/6 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=cookie1 next_pid=9 next_prio=120
  hog-7 [000] d..2. 10.020000: smtprio_wake: comm=cookie2 pid=8 kernel_cpu=$(thread 0 0) target_cpu=$(thread 3 1) reason=wake_node
EOT
is "the judge sees a move beside another cookie" "$(judge /tmp/sample 2>/dev/null)" "moved=1 wrong=1"

must "module is enforce" state enforce
is "the CPUs' cores" "$(nr_cores)" 4
echo 8192 >"$TRACING/buffer_size_kb"
echo mono >"$TRACING/trace_clock"
echo 0 >"$TRACING/tracing_on"
echo 1 >"$TRACING/events/sched/sched_switch/enable"
echo 1 >"$TRACING/events/smtprio/smtprio_wake/enable"

run_under "wake and fork_exec"
is "no core is left" "$moves" 0
at_least "redirects within the core" "$(counter wake_redirected)" 20
run_under "idle_core" idle_core=1
at_least "idle_core: moves" "$moves" 1
run_under "node" node=1
run_under "node_scan" node=1 node_scan=8
run_under "all of it" idle_core=1 node=1 packing=1
run_under "reverse" idle_core=1 node=1 priority_source=reverse
knob priority_source number

# Half of one LLC is busy with tasks without a cookie: the others' wakeups find less that is idle.
background hog $(thread 0 0) $(thread 1 0)
run_under "one LLC half busy" node=1 node_scan=8
stop_children
check "mode off" knob mode off
finish
