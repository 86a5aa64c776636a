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
