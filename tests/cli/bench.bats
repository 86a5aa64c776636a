# SPDX-License-Identifier: GPL-2.0-or-later
# bench
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2 near 4
}

setup() {
	use_tree smt2
	export M=$tree/sys/kernel/smtprio LOG=$BATS_TEST_TMPDIR/runs
	: >"$LOG"
}

# Nothing but counters may differ from the tree made.
unchanged() {
	is "$(diff -rq -x stats "$BATS_FILE_TMPDIR/smt2" "$tree")" ''
}

# numbers N...: a command that prints the next of them each time
numbers() {
	printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/numbers"
	cat >"$BATS_TEST_TMPDIR/next" <<-'EOT'
		#!/bin/sh
		echo x >>"$LOG"
		echo "warm up 7"
		echo "score: $(sed -n "$(grep -c . "$LOG")p" "${0%/*}/numbers") GFLOP/s"
	EOT
	chmod +x "$BATS_TEST_TMPDIR/next"
}

score='score: ([-+0-9.e]+)'

# bench_next ARGS...: the bench of that command
bench_next() {
	ctl bench -m "$score" "$@" -- "$BATS_TEST_TMPDIR/next"
}

@test "configurations take turns, each in force, and the old one comes back" {
	ctl bench -n 3 -c off,observe,enforce -- sh -c 'cat "$M/mode" >>"$LOG"'
	expect_status 0
	is "$stderr" ''
	expect_80_columns
	is "$(tr '\n' ' ' <"$LOG")" 'off observe enforce off observe enforce off observe enforce '
	is "${lines[0]}" 'order: off observe enforce, 3 times'
	unchanged
}

@test "short names and free forms" {
	ctl bench -n 1 --csv \
		-c wake,ilb,packing,all,smt-off,cpus=0,5-7+ilb=off,wake+packing=1,smt=on,parity+ilb=0 -- \
		sh -c 'cd "$M" && echo $(cat mode wake fork_exec ilb packing idle_core node cpus ../../devices/system/cpu/smt/control) >>"$LOG"'
	expect_status 0
	is "$(cat "$LOG")" 'enforce 1 1 0 0 0 0 0-7 on
enforce 0 0 1 0 0 0 0-7 on
enforce 0 0 0 1 0 0 0-7 on
enforce 1 1 1 1 1 1 0-7 on
off 1 1 1 0 0 0 0-7 off
enforce 1 1 0 0 0 0 0,5-7 on
enforce 1 1 0 1 0 0 0-7 on
enforce 1 1 1 0 0 0 0-7 on
enforce 1 0 0 1 0 0 0-7 on'
	unchanged
}

@test "the table has means, spreads, changes and what they mean" {
	numbers 100 110 102 112 98 108 100 110
	bench_next -n 4
	expect_status 0
	expect_80_columns
	# Deviation of 100 102 98 100: 1.633.
	is "$(tr -s ' ' <<<"$output" | grep '^off')" 'off 100.00 [ 1.6%/ 0.8%] - '"$(awk '/^off/ { print $7 }' <<<"$output")"' 0 -'
	row=$(tr -s ' ' <<<"$output" | grep '^enforce ')
	has "$row" 'enforce 110.00 [ 1.5%/ 0.7%] +10.0%' 0.0001
	has "$output" 'enforce: higher than off by 10.0% (p = 0.0001)'
}

@test "noise is not sold as gain" {
	numbers 100 101 90 95 110 112 105 100
	bench_next -n 4
	expect_status 0
	has "$output" 'not shown to differ from off' 'runs of each would show it'
	hasnt "$output" higher
}

@test "a mean of zero has no percentages" {
	numbers 0 5 0 6 0 7
	bench_next -n 3
	expect_status 0
	hasnt "$output" nan
	hasnt "$output" inf
	has "$output" 'higher than off'
	numbers 0 5 0 6 0 7
	: >"$LOG"
	bench_next -n 3 --json
	json_is '[.configs[1].change_percent, .configs[0].std_percent]' '[null,null]'
}

@test "the numbers in JSON" {
	numbers 1 2 3 4 2 6 2 8
	bench_next -n 4 --json
	expect_status 0
	is "$stderr" ''
	json_is '[.rounds, .metric, (.command | length)]' "[4,\"$score\",1]"
	json_is '[.configs[] | [.name, .settings.mode, .mean, .change_percent, .differs]]' \
		'[["off","off",2,null,null],["enforce","enforce",5,150,false]]'
	# Deviations 0.8165 and 2.582; Welch by hand: t = 2.2156, df = 3.594.
	json_is '[.configs[0].std_percent, .configs[1].sem_percent, .configs[1].t, .configs[1].df] | map(. * 1000 | round)' \
		'[40825,25820,2216,3594]'
	json_is '[.runs[] | .value]' '[1,2,3,4,2,6,2,8]'
	json_is '[.runs[0:3][] | .config]' '["off","enforce","off"]'
	json_is '.runs[0] | [.wall_seconds, .user_seconds, .system_seconds, .cpu_percent] | map(type) | unique' '["number"]'
	python3 -m json.tool <<<"$output" >/dev/null
}

@test "wall time and CPU use are of the command" {
	ctl bench -n 1 -c off --json -- sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'
	expect_status 0
	json_is '.runs[0] | .value == .wall_seconds and .wall_seconds > 0' true
	json_is '.runs[0] | .user_seconds > 0 and .cpu_percent > 1' true
}

@test "redirects are counted a run" {
	ctl bench -n 2 -c observe,enforce --json -- sh -c '
		n=$(cat "$M/stats/wake_redirected")
		[ "$(cat "$M/mode")" = observe ] || echo $((n + 25)) >"$M/stats/wake_redirected"
		[ "$(cat "$M/mode")" = observe ] || echo $((n + 3)) >"$M/stats/wake_idle_core"
		echo 7 >>"$LOG"; wc -l <"$LOG" >"$M/stats/ilb_would"
		echo 0 >"$M/stats/ilb_redirected"'
	# Counters that were not there before: nothing is known of these runs.
	json_is '[.runs[] | [.redirects, .would_redirect]]' '[[null,null],[null,null],[0,1],[50,1]]'
	json_is '[.configs[].redirects]' '[0,50]'
}

@test "transitions to multi mode are counted where the module accounts for them" {
	put_file sys/kernel/smtprio/account 1
	put_file sys/kernel/smtprio/stats/core_to_multi 100
	command='n=$(cat "$M/stats/core_to_multi"); [ "$(cat "$M/mode")" = off ] && n=$((n + 40))
		echo $((n + 10)) >"$M/stats/core_to_multi"'
	ctl bench -n 2 --json -- sh -c "$command"
	json_is '[.configs[].to_multi]' '[50,10]'
	ctl bench -n 2 -c off,mode=enforce+wake=1+fork_exec=0+ilb=0 -- sh -c "$command"
	expect_80_columns
	is "$(awk '/^off  / { print $(NF - 1) }' <<<"$output")" 50
	has "$output" ' MULTI '
	put_file sys/kernel/smtprio/account 0
	ctl bench -n 1 -c off -- sh -c "$command"
	hasnt "$output" MULTI
}

@test "counters that are reset by the command are no figure" {
	ctl bench -n 1 -c enforce --csv -- sh -c 'echo 0 >"$M/stats/wake_redirected"'
	expect_status 0
	[[ ${lines[1]} == '1,"enforce",'*',,,' ]]
}

@test "CSV has a line a run" {
	numbers 1 2 3 4
	bench_next -n 2 --csv
	expect_status 0
	is "${lines[0]}" 'run,config,value,wall_seconds,user_seconds,system_seconds,cpu_percent,redirects,would_redirect,to_multi'
	is "$(python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin): print(row["run"], row["config"], row["value"], row["redirects"])' <<<"$output")" \
'1 off 1 0
2 enforce 2 0
3 off 3 0
4 enforce 4 0'
}

@test "the page stands alone, with its plots" {
	numbers 10 20 12 22 11 21
	page=$BATS_TEST_TMPDIR/page.html
	ctl bench -n 3 -c 'off,mode=enforce+cpus=0,2-3' -m "score: ([0-9]+)" --html "$page" -- \
		"$BATS_TEST_TMPDIR/next" '<b>&"'
	expect_status 0
	has "$output" CONFIG
	python3 - "$page" <<-'EOT'
		import re, sys
		from html.parser import HTMLParser
		from xml.dom import minidom
		text = open(sys.argv[1]).read()
		assert not re.search(r'https?:|<script|src=|@import|url\(', text)
		assert '&lt;b&gt;&amp;&quot;' in text and '<b>&"' not in text
		svgs = re.findall(r'<svg.*?</svg>', text, re.S)
		assert len(svgs) == 2
		dots = [len(minidom.parseString(s).getElementsByTagName('circle')) for s in svgs]
		assert dots == [6, 6], dots
		for svg in svgs:
		    for x in re.findall(r'[xy][12]?="(-?[\d.]+|nan|inf)"', svg):
		        assert 0 <= float(x) <= 800, x
		HTMLParser().feed(text)
	EOT
	unchanged
}

@test "a page that cannot be written is told before anything runs" {
	run --separate-stderr "$TOOL" --sysroot "$tree" bench --html /nonexistent/x.html -- \
		touch "$BATS_TEST_TMPDIR/ran"
	expect_refusal /nonexistent/x.html
	[[ ! -e $BATS_TEST_TMPDIR/ran ]]
	unchanged
}

@test "a failed bench leaves an old page alone and makes no new one" {
	echo old >"$BATS_TEST_TMPDIR/old.html"
	ctl bench --html "$BATS_TEST_TMPDIR/old.html" -- false
	expect_status 1
	is "$(cat "$BATS_TEST_TMPDIR/old.html")" old
	ctl bench --html "$BATS_TEST_TMPDIR/new.html" -- false
	[[ ! -e $BATS_TEST_TMPDIR/new.html ]]
}

@test "a command that fails stops it, with its status and last words" {
	ctl bench -n 4 -- sh -c 'echo x >>"$LOG"; [ $(grep -c . "$LOG") -lt 4 ] || { echo "no luck" >&2; exit 9; }'
	expect_status 1
	has "$stderr" 'run 4 of 8 (enforce)' 'ended with status 9' 'no luck'
	# What was complete is not lost.
	has "$stderr" 'the report is of the 1 complete rounds of 4'
	has "$output" 'order: off enforce, 4 times' CONFIG
	unchanged
	ctl bench -- sh -c 'kill -KILL $$'
	expect_status 1
	has "$stderr" 'killed by signal 9'
	ctl bench -- /nonexistent/command
	expect_status 1
	has "$stderr" "'/nonexistent/command'" 'No such file'
	unchanged
}

@test "output without the number stops it" {
	ctl bench -m 'score ([0-9]+)' -- echo score none
	expect_status 1
	has "$stderr" 'run 1 of 20' --metric
	unchanged
}

@test "a configuration that the kernel refuses stops it" {
	FAKE_WRITE='mode:16:2:2' ctl_fake --sysroot "$tree" bench -n 2 -- true
	expect_status 1
	has "$stderr" 'mode=enforce failed' livepatch
	unchanged
}

@test "what cannot be put back is named, with an exit status of its own" {
	FAKE_WRITE='mode:16:2:99' ctl_fake --sysroot "$tree" bench -n 1 -c off -- true
	expect_status 64
	has "$stderr" 'not put back' mode enforce
}

# stop_by SIGNAL: start one that does not end by itself, and end it so
stop_by() {
	"$TOOL" --sysroot "$tree" bench -c off,smt-off+cpus=1 -- sh -c 'echo $$ >>"$LOG"
		[ $(grep -c . "$LOG") -lt 2 ] || exec sleep 1000' >"$BATS_TEST_TMPDIR/out" 2>&1 &
	pid=$!
	for _ in {1..200}; do
		[[ $(grep -c . "$LOG") -lt 2 || $(knob cpus) != 1 ]] || break
		sleep 0.05
	done
	is "$(knob cpus)" 1
	kill -"$1" "$pid"
	status=0
	wait "$pid" || status=$?
}

# gone PID: no such process soon
gone() {
	for _ in {1..100}; do
		[[ -e /proc/$1 && $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) != Z* ]] || return 0
		sleep 0.05
	done
	return 1
}

@test "interrupted: the command is ended and all is put back" {
	# A shell starts background jobs deaf to SIGINT: the tool must hear it.
	for signal in INT TERM HUP; do
		: >"$LOG"
		stop_by $signal
		expect_status 1
		unchanged
		has "$(cat "$BATS_TEST_TMPDIR/out")" 'run 2 of 20' 'stopped by signal'
		gone "$(tail -n 1 "$LOG")"
	done
}

@test "killed or crashed: the command is ended and all is put back" {
	for signal in KILL SEGV; do
		: >"$LOG"
		stop_by $signal
		for _ in {1..100}; do
			[[ $(knob mode) != enforce || $(knob cpus) != 0-7 ]] || break
			sleep 0.05
		done
		unchanged
		gone "$(tail -n 1 "$LOG")"
	done
}

@test "what a command leaves behind is ended before the next run" {
	ctl bench -n 1 -c off -- sh -c 'sleep 1000 & echo $! >"$LOG"'
	expect_status 0
	gone "$(cat "$LOG")"
}

@test "the command has no input, and its output is not ours" {
	ctl bench -n 1 -c off -- sh -c 'cat; echo hello; echo hello >&2'
	expect_status 0
	is "$stderr" ''
	is "$(grep -vc 'of: sh' <<<"$(grep hello <<<"$output")")" 0
}

@test "CPUs that were offline stay so when SMT comes back" {
	is "$(get_file sys/devices/system/cpu/online)" 0,1,2,3,5,6,7
	# The stand-in for the kernel: SMT on brings all CPUs.
	ctl bench -n 1 -c off,smt-off -- sh -c 'echo 0-7 >"$M/../../devices/system/cpu/online"'
	is "$(get_file sys/devices/system/cpu/cpu4/online)" 0
	put_file sys/devices/system/cpu/cpu4/online 1
	put_file sys/devices/system/cpu/online 0,1,2,3,5,6,7
	ctl bench -n 1 -c off,smt-off -- sh -c 'echo 0-7 >"$M/../../devices/system/cpu/online"'
	is "$(get_file sys/devices/system/cpu/cpu4/online)" 0
}

@test "SMT that cannot be switched" {
	put_file sys/devices/system/cpu/smt/control notsupported
	ctl bench -c off,smt-off -- true
	expect_refusal notsupported 'allowed: on, off'
	# Others work.
	ctl bench -n 1 -c off -- true
	expect_status 0
}

@test "without the module only SMT can be compared" {
	rm -r "$tree/sys/kernel/smtprio"
	ctl bench -- true
	expect_refusal 'not loaded'
	ctl bench -n 2 -c smt=on,smt=off --json -- true
	expect_status 0
	json_is '[.configs[].redirects]' '[null,null]'
	is "$(get_file sys/devices/system/cpu/smt/control)" on
}

@test "custom priorities are not lost" {
	put_file sys/kernel/smtprio/priority_source custom
	ctl bench -c off,priority_source=number -- true
	expect_refusal priority_source custom
	ctl bench -n 1 -c off,priority_source=custom -- true
	expect_status 0
}

# bad_bench OPTIONS... -- PART...: refused, nothing runs
bad_bench() {
	# shellcheck disable=SC2034 # refused() takes it
	local refused_after=(-- touch "$BATS_TEST_TMPDIR/ran")

	refused bench "$@"
	[[ ! -e $BATS_TEST_TMPDIR/ran ]]
}

@test "bad arguments" {
	bad_bench -c frob -- "'frob'" allowed off smt-off KEY=VALUE
	bad_bench -c '' -- "''" allowed
	bad_bench -c off, -- "''" allowed
	bad_bench -c off,off -- "'off'" twice
	bad_bench -c off,mode=frob -- "'frob'" 'off, observe, enforce'
	bad_bench -c off,smt=frob -- "'frob'" 'on, off'
	bad_bench -c off,frob=1 -- "'frob'" wake
	bad_bench -c off,wake=1+wake=0 -- twice
	bad_bench -c off,cpus=0,99 -- "'0,99'" 0-7
	bad_bench -n 0 -- "'0'" -n
	bad_bench -m '(' -- --metric "'('"
	bad_bench --json --csv -- --json --csv 'one of them'
	bad_bench -i 1 -- --interval
	bad_bench x -- "'x'"
}

@test "no command" {
	for words in '' '--' 'sleep 1'; do
		# shellcheck disable=SC2086 # words are wanted
		ctl bench $words
		expect_refusal '"--"' 'smtprioctl bench -n 10 --'
	done
}

@test "the command's options are its own" {
	ctl bench -n 1 -c off --json -- sh -c 'printf "%s " "$@" >"$LOG"' sh -n 5 --json --help -V
	expect_status 0
	is "$(cat "$LOG")" '-n 5 --json --help -V '
}

@test "progress is shown on a terminal only, and cleared" {
	run script -qec "'$TOOL' --sysroot '$tree' bench -n 2 -c off -- sleep 0.6" /dev/null
	expect_status 0
	has "$output" '[1/2] off: ' '[2/2] off: 1 s, about 1 s left'
	has "$output" $'\r\e[K'
}
