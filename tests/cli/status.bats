# SPDX-License-Identifier: GPL-2.0-or-later
# status
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt1" 4 1
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2
	make_tree "$BATS_FILE_TMPDIR/smt2far" 4 2 far
	make_tree "$BATS_FILE_TMPDIR/smt4" 4 4 near '5 14 15'
	make_tree "$BATS_FILE_TMPDIR/smt8" 16 8 far
	make_tree "$BATS_FILE_TMPDIR/off" 4 2 far '4 5 6 7'
	make_tree "$BATS_FILE_TMPDIR/vera" 176 2 far
}

# core N: the cells of that core's row, for humans
core() {
	awk -v core="$1" '$1 == core' <<<"$output" | tr -s ' ' | sed 's/^ //;s/ $//'
}

@test "status for humans shows module, knobs, hooks and cores" {
	use_tree smt2
	put_file sys/kernel/smtprio/hooks/ilb/active 0
	put_file sys/kernel/smtprio/hooks/ilb/way none
	ctl status
	expect_status 0
	expect_80_columns
	has "$output" 'version 0.1.0'
	grep -qx 'mode  *enforce' <<<"$output"
	grep -qx 'cpus  *0-7' <<<"$output"
	grep -qx 'wake  *yes  *direct  *select_task_rq_fair  *all' <<<"$output"
	grep -qx 'ilb  *no  *none  *housekeeping_cpumask  *sched_balance_trigger' <<<"$output"
	is "$(core 2)" '2 4-5 -4,-5 4 90.0 10.0'
	has "$output" 'preferred threads busy 90.0%, others 10.0%'
	hasnt "$output" 'no SMT'
	hasnt "$output" offline
}

@test "status names what stands in for missing data" {
	use_tree smt2
	ctl status
	hasnt "$output" stand-ins
	put_file sys/kernel/smtprio/stand_ins 'nohz=tick_nohz_tick_stopped_cpu sd_llc=cpus_share_cache'
	ctl status
	has "$output" 'nohz=tick_nohz_tick_stopped_cpu'
	has "$output" 'sd_llc=cpus_share_cache'
	ctl status --json
	json_is .stand_ins '"nohz=tick_nohz_tick_stopped_cpu sd_llc=cpus_share_cache"'
}

@test "status in JSON" {
	use_tree smt2
	ctl status --json
	expect_status 0
	json_is '[.loaded, .version, .smt, .smt_control, .offline_cpus]' \
		'[true,"0.1.0",true,"on",[]]'
	json_is .knobs '{"mode":"enforce","wake":true,"fork_exec":true,"ilb":true,"idle_core":false,"node":false,"node_scan":"auto","packing":false,"account":false,"qualify_ns":3000,"cpus":"0-7","priority_source":"number"}'
	json_is '.hooks[] | select(.name == "ilb")' \
		'{"name":"ilb","active":true,"way":"ftrace","site":"housekeeping_cpumask","callers":["sched_balance_trigger"]}'
	json_is '.cores[3]' '{"core":3,"cpus":[6,7],"priorities":[-6,-7],"preferred":[6],"preferred_busy_percent":90,"others_busy_percent":10}'
	json_is '.cores | length' 4
	json_is .load '{"preferred_busy_percent":90,"others_busy_percent":10}'
}

@test "status follows the priorities, not the numbers" {
	use_tree smt2
	put_file sys/kernel/smtprio/cpu5/priority 9
	put_file sys/kernel/smtprio/cpu6/priority -7
	ctl status
	is "$(core 2)" '2 4-5 -4,9 5 10.0 90.0'
	# Equal threads: no preference.
	is "$(core 3)" '3 6-7 -7,-7 - - 50.0'
	ctl status --json
	json_is '[.cores[2].preferred, .cores[3].preferred]' '[[5],[]]'
	# A core without a preference does not count in the sum.
	json_is .load '{"preferred_busy_percent":63.3,"others_busy_percent":36.7}'
}

@test "several best threads of a core" {
	use_tree smt4
	put_file sys/kernel/smtprio/cpu8/priority 1
	put_file sys/kernel/smtprio/cpu10/priority 1
	ctl status
	is "$(core 2)" '2 8-11 1,-9,1,-11 8,10 50.0 10.0'
}

@test "far siblings" {
	use_tree smt2far
	ctl status
	expect_status 0
	is "$(core 1)" '1 1,5 -1,-5 1 90.0 10.0'
}

@test "four threads a core, some offline" {
	use_tree smt4
	ctl status
	expect_status 0
	expect_80_columns
	is "$(core 0)" '0 0-3 0,-1,-2,-3 0 90.0 10.0'
	is "$(core 1)" '1 4,6-7 -4,-6,-7 4 90.0 10.0'
	is "$(core -)" '- 5,14-15 - offline - -'
	ctl status --json
	json_is .offline_cpus '[5,14,15]'
	json_is '.cores[1].cpus' '[4,6,7]'
}

@test "eight far threads a core fit 80 columns, and no list loses a CPU" {
	use_tree smt8
	ctl status
	expect_status 0
	expect_80_columns
	siblings=$(awk '/^CORE/ { on = 1; next } /^preferred/ { on = 0 }
		on { print substr($0, 7, 18) }' <<<"$output" | tr -d ' \n' |
		tr ',' '\n')
	# The lists of two cores meet without a comma: count digits instead.
	all=''
	for ((core = 0; core < 16; core++)); do
		list=''
		for ((thread = 0; thread < 8; thread++)); do
			list+=,$((thread * 16 + core))
		done
		all+=${list#,}
	done
	is "$(tr -d '\n' <<<"$siblings")" "${all//,/}"
}

@test "352 CPUs" {
	use_tree vera
	ctl status
	expect_status 0
	expect_80_columns
	is "$(core 0)" '0 0,176 0,-176 0 90.0 10.0'
	is "$(core 175)" '175 175,351 -175,-351 175 90.0 10.0'
	ctl status --json
	json_is '.cores | length' 176
	json_is '[.cores[].cpus[]] | length' 352
}

@test "no SMT" {
	use_tree smt1
	ctl status
	expect_status 0
	expect_80_columns
	has "$output" 'no SMT: no core has two online threads' notsupported
	hasnt "$output" PREFERRED
	ctl status --json
	json_is '[.smt, (.cores | length), .load.preferred_busy_percent]' \
		'[false,4,null]'
}

@test "all siblings offline" {
	use_tree off
	put_file sys/devices/system/cpu/smt/control off
	ctl status
	expect_status 0
	has "$output" 'no SMT' '(smt/control: off)'
	is "$(core -)" '- 4-7 - offline - -'
	ctl status --json
	json_is '[.smt, .smt_control, .offline_cpus]' '[false,"off",[4,5,6,7]]'
}

@test "not loaded" {
	use_tree smt2
	rm -r "$tree/sys/kernel/smtprio"
	ctl status
	expect_status 1
	has "$output" 'not loaded' 'smtprioctl load'
	ctl status --json
	expect_status 1
	json_is .loaded false
	json_is .hint '"load it with: smtprioctl load"'
}

@test "what cannot be read is shown as unknown" {
	use_tree smt2
	rm "$tree/sys/kernel/smtprio/mode" "$tree/sys/kernel/smtprio/cpu2/priority" \
		"$tree/sys/kernel/smtprio/hooks/wake/"{active,way,callers} \
		"$tree/proc/stat"
	ctl status
	expect_status 0
	grep -qx 'mode  *-' <<<"$output"
	grep -qx 'wake  *-  *-  *select_task_rq_fair  *-' <<<"$output"
	is "$(core 1)" '1 2-3 - - - -'
	ctl status --json
	json_is '[.knobs.mode, .cores[1].priorities, .cores[0].preferred_busy_percent]' \
		'[null,null,null]'
	json_is '[.hooks[1].active, .hooks[1].way]' '[null,null]'
}

@test "an unreadable topology is a failure" {
	use_tree smt2
	for bad in '' x 0-; do
		put_file sys/devices/system/cpu/online "$bad"
		refused status -- cpu/online
	done
	put_file sys/devices/system/cpu/online 0-8
	refused status -- cpu/present
}

@test "odd counters in /proc/stat" {
	use_tree smt2
	put_file proc/stat 'cpu0 1 2
cpux 1 1 1 1 1
cpu99999 1 1 1 1 1
cpu-1 1 1 1 1 1
cpu1 0 0 0 0
cpu2 18446744073709551615 0 0 0 0
cpu3 3 0 0 1'
	ctl status --json
	expect_status 0
	json_is '[.cores[0].preferred_busy_percent, .cores[0].others_busy_percent, .cores[1].others_busy_percent]' \
		'[null,null,75]'
}

@test "values with odd characters stay valid JSON" {
	use_tree smt2
	put_file sys/kernel/smtprio/mode $'a"b\\c\td\001\xff'
	put_file sys/kernel/smtprio/cpu0/priority 'no number'
	ctl status --json
	expect_status 0
	json_is '.knobs.mode' '"a\"b\\c\td\u0001'$'\xc3\xbf"'
}

@test "a recorded tree does not move: status does not wait for it" {
	use_tree smt2
	start=$SECONDS
	ctl status --interval 60
	expect_status 0
	has "$output" '90.0'
	((SECONDS - start < 50))
}

@test "status sums up the decisions" {
	use_tree smt2
	put_file sys/kernel/smtprio/stats/wake_seen 5000
	put_file sys/kernel/smtprio/stats/wake_would 50
	ctl status
	has "$output" 'wakeups 5000, moved 800 (16.0%), would be 50 (1.0%)' 'idle balancing 0, moved 0 (0.0%)'
	ctl status --json
	json_is .stats '{"ilb_seen":0,"wake_redirected":800,"wake_seen":5000,"wake_would":50}'
	rm -r "$tree/sys/kernel/smtprio/stats"
	ctl status
	expect_status 0
	hasnt "$output" wakeups
}
