# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever says it is JSON is one JSON text, to a second, strict parser.
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt1" 4 1
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2 far '5'
	make_tree "$BATS_FILE_TMPDIR/smt8" 2 8
	make_tree "$BATS_FILE_TMPDIR/unloaded" 4 2
	rm -r "$BATS_FILE_TMPDIR/unloaded/sys/kernel/smtprio"
}

@test "every command's JSON, on every kind of machine" {
	for name in smt1 smt2 smt8; do
		use_tree $name
		put_file sys/kernel/smtprio/priority_source custom
		while read -r -a command; do
			ctl --json "${command[@]}"
			# doctor fails: these trees have no kernel.
			[[ ${command[0]} == doctor ]] && want=1 || want=0
			expect_status "$want"
			is "$stderr" ''
			python3 -m json.tool <<<"$output" >/dev/null
			[[ ${output:0:1} == '{' ]]
		done <<-EOT
			status
			get
			get cpus ilb
			set mode=off cpus=0
			mode
			mode enforce
			priority
			priority 0 1
			priority 0=1 1=-1
			stats
			stats --reset
			profile
			profile show parity
			profile apply observe
			doctor
		EOT
		rm -r "$tree"
	done
}

@test "status without the module" {
	use_tree unloaded
	ctl --json status
	expect_status 1
	python3 -m json.tool <<<"$output" >/dev/null
}

@test "a refusal prints no half of a JSON text" {
	use_tree smt2
	refused --json set mode=x -- mode
	refused --json get frob -- frob
	refused --json priority 99 -- 'CPU 99'
	rm "$tree/sys/kernel/smtprio/ilb"
	refused --json get -- ilb
}
