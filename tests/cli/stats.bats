# SPDX-License-Identifier: GPL-2.0-or-later
# stats
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 2 2
}

setup() {
	use_tree smt2
}

@test "stats prints the counters there are, sorted" {
	put_file sys/kernel/smtprio/stats/brand_new 7
	ctl stats
	expect_status 0
	expect_80_columns
	is "$(tr -s ' ' <<<"$output")" 'COUNTER VALUE
brand_new 7
ilb_seen 0
wake_redirected 800
wake_seen 18446744073709551615'
}

@test "stats in JSON has numbers" {
	ctl stats --json
	expect_status 0
	# jq rounds numbers of 64 bits: look at the text.
	has "$output" '"wake_seen": 18446744073709551615'
	json_is 'to_entries | map(.key)' '["ilb_seen","wake_redirected","wake_seen"]'
	json_is '[.ilb_seen, .wake_redirected]' '[0,800]'
}

@test "stats --reset writes the reset file only" {
	ctl stats --reset
	expect_status 0
	is "$output" ''
	is "$(knob stats/reset)" 1
	is "$(knob stats/wake_redirected)" 800
}

@test "stats --reset in JSON answers with the counters" {
	ctl --json stats --reset
	expect_status 0
	is "$(knob stats/reset)" 1
	json_is .wake_redirected 800
}

@test "stats that cannot be reset" {
	FAKE_WRITE='reset:13:1:1' ctl_fake --sysroot "$tree" stats --reset
	expect_refusal 'stats/reset' 'root is needed'
	rm "$tree/sys/kernel/smtprio/stats/reset"
	ctl stats --reset
	expect_refusal 'stats/reset'
	[[ ! -e $tree/sys/kernel/smtprio/stats/reset ]]
}

@test "stats without the module, or without counters" {
	rm -r "$tree/sys/kernel/smtprio/stats"
	refused stats -- 'smtprio/stats'
	rm -r "$tree/sys/kernel/smtprio"
	refused stats -- 'not loaded' 'smtprioctl load'
	refused stats --reset -- 'not loaded'
}

@test "a counter that cannot be read is no zero" {
	rm "$tree/sys/kernel/smtprio/stats/ilb_seen"
	mkdir "$tree/sys/kernel/smtprio/stats/ilb_seen"
	refused stats -- 'stats/ilb_seen'
	refused stats --json -- 'stats/ilb_seen'
}

# rates COMMAND ARGS...: stats with rates while nothing really waits; COMMAND
# runs in each pause, with $NR its number and $S the counters' folder.
rates() {
	export S=$tree/sys/kernel/smtprio/stats
	FAKE_SLEEP=$1 ctl_fake --sysroot "$tree" stats "${@:2}"
}

@test "rates are differences by the time between the readings" {
	rates 'echo $((800 + NR * 50)) >"$S/wake_redirected"' -i 0.5 -n 2 --json
	expect_status 0
	is "$stderr" ''
	is "${#lines[@]}" 2
	is "$(jq -c '[.seconds, .reset, .rates.wake_redirected, .rates.ilb_seen, .totals.wake_redirected]' <<<"$output")" \
		'[0.5,false,100,0,850]
[0.5,false,100,0,900]'
	now=$(date +%s)
	at=$(jq -s '.[0].time' <<<"$output")
	((at > now - 100 && at <= now))
	# Whole numbers of 64 bits stay whole.
	has "$output" '"wake_seen": 18446744073709551615'
}

@test "rates for humans: a table for each reading" {
	rates 'echo $((NR * 3)) >"$S/ilb_seen"' -i 2 -n 2
	expect_status 0
	expect_80_columns
	is "$(sed -E 's/^[0-9:]{8},/CLOCK,/' <<<"$output" | tr -s ' ')" \
'CLOCK, 2.0 s
COUNTER PER SECOND TOTAL
ilb_seen 1.5 3
wake_redirected 0.0 800
wake_seen 0.0 18446744073709551615

CLOCK, 2.0 s
COUNTER PER SECOND TOTAL
ilb_seen 1.5 6
wake_redirected 0.0 800
wake_seen 0.0 18446744073709551615'
}

@test "counters that were reset in between give no rates, and the next ones do" {
	rates 'echo $((NR * 10)) >"$S/wake_redirected"' -n 2 --json
	expect_status 0
	is "$(jq -c '[.reset, .rates.wake_redirected, .rates.ilb_seen, .totals.wake_redirected]' <<<"$output")" \
		'[true,null,null,10]
[false,10,0,20]'
	rates 'echo 0 >"$S/wake_redirected"' -n 1
	has "$output" 'were reset'
	is "$(awk '$1 == "ilb_seen" { print $2 }' <<<"$output")" -
}

@test "a module loaded anew with other counters gives no rates" {
	rates 'echo 5 >"$S/brand_new"' -n 2 --json
	is "$(jq -c '[.reset, .rates.brand_new]' <<<"$output")" '[true,null]
[false,0]'
}

@test "rates end when interrupted, with whole lines and success" {
	rates '[ "$NR" -lt 3 ] || exit 2' --json -i 1
	expect_status 0
	is "$stderr" ''
	is "${#lines[@]}" 2
	jq -e .rates <<<"$output" >/dev/null
}

@test "a real interrupt ends the rates at once" {
	"$TOOL" --sysroot "$tree" stats -i 0.1 --json >"$BATS_TEST_TMPDIR/out" &
	pid=$!
	for _ in {1..100}; do
		[[ ! -s $BATS_TEST_TMPDIR/out ]] || break
		sleep 0.1
	done
	kill -TERM "$pid"
	wait "$pid"
	jq -e .rates "$BATS_TEST_TMPDIR/out" >/dev/null
}

@test "a module unloaded in between ends the rates" {
	rates 'rm -r "$S"' -i 1 --json
	expect_refusal smtprio/stats
}

@test "stats --reset with rates resets first" {
	rates : --reset -n 1 --json
	expect_status 0
	is "$(knob stats/reset)" 1
	json_is .reset false
}

@test "a number of readings that is none" {
	for bad in 0 -1 x '' 1.5 99999999; do
		refused stats -n "$bad" -- "'$bad'" -n allowed
	done
	refused get -n 1 -- get --count
}

@test "Prometheus' text format" {
	put_file sys/kernel/smtprio/mode observe
	put_file sys/kernel/smtprio/stats/core_multi_ns 12000000345
	ctl stats --prometheus
	expect_status 0
	# Knobs come and go: two of the switches are enough.
	is "$(grep -E '^[^#{]*( |\{[^k]|\{knob="(wake|packing)")' <<<"$output")" 'smtprio_loaded 1
smtprio_info{version="0.1.0",priority_source="number"} 1
smtprio_mode{mode="off"} 0
smtprio_mode{mode="observe"} 1
smtprio_mode{mode="enforce"} 0
smtprio_enabled{knob="wake"} 1
smtprio_enabled{knob="packing"} 0
smtprio_hook_active{hook="ilb"} 1
smtprio_hook_active{hook="wake"} 1
smtprio_core_multi_seconds_total 12.000000345
smtprio_ilb_seen_total 0
smtprio_wake_redirected_total 800
smtprio_wake_seen_total 18446744073709551615'
	# Each metric's lines follow its HELP and TYPE, and are valid.
	python3 - <<-'EOT' "$output"
		import re, sys
		seen = None
		for line in sys.argv[1].splitlines():
		    if line.startswith("# HELP "):
		        help = line.split()[2]
		    elif line.startswith("# TYPE "):
		        assert line.split()[2] == help
		        seen, kind = line.split()[2:4]
		        assert kind in ("gauge", "counter")
		        assert seen.endswith("_total") == (kind == "counter")
		    else:
		        match = re.fullmatch(r'([a-z_]+)(\{[a-z_]+="[^"\\\n]*"(,[a-z_]+="[^"\\\n]*")*\})? [0-9.]+', line)
		        assert match and match[1] == seen, line
	EOT
}

@test "Prometheus sees a machine without the module too" {
	rm -r "$tree/sys/kernel/smtprio"
	ctl stats --prometheus
	expect_status 0
	is "${lines[2]}" 'smtprio_loaded 0'
	is "${#lines[@]}" 3
	refused stats --prometheus --json -- 'no other option'
	refused stats --prometheus -i 1 -- 'no other option'
}

@test "Prometheus gets all counters or none" {
	rm "$tree/sys/kernel/smtprio/stats/ilb_seen"
	mkdir "$tree/sys/kernel/smtprio/stats/ilb_seen"
	refused stats --prometheus -- 'stats/ilb_seen'
}
