# SPDX-License-Identifier: GPL-2.0-or-later
# priority
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt1" 2 1
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2
	make_tree "$BATS_FILE_TMPDIR/smt4" 2 4 near '5'
	make_tree "$BATS_FILE_TMPDIR/vera" 176 2 far
}

custom() {
	use_tree "$1"
	put_file sys/kernel/smtprio/priority_source custom
}

priority_of() {
	knob "cpu$1/priority"
}

@test "priority shows all CPUs" {
	use_tree smt4
	ctl priority
	expect_status 0
	expect_80_columns
	is "$(tr -s ' ' <<<"$output" | sed 's/^ //')" 'CPU CORE PRIORITY PREFERRED
0 0 0 yes
1 0 -1 no
2 0 -2 no
3 0 -3 no
4 1 -4 yes
5 - -5 offline
6 1 -6 no
7 1 -7 no'
}

@test "priority shows the CPUs asked for, in the order given" {
	use_tree smt2
	ctl priority 4 0-1
	expect_status 0
	is "$(awk 'NR > 1 { print $1 }' <<<"$output" | tr '\n' ' ')" '4 0 1 '
}

@test "priority in JSON" {
	use_tree smt4
	ctl priority 4,5,6 --json
	expect_status 0
	json_is '.priorities[0]' '{"cpu":4,"core":1,"priority":-4,"preferred":true,"online":true}'
	json_is '.priorities[1]' '{"cpu":5,"core":null,"priority":-5,"preferred":null,"online":false}'
	json_is '.priorities[2].preferred' false
}

@test "priority on 352 CPUs" {
	use_tree vera
	ctl priority
	expect_status 0
	expect_80_columns
	is "${#lines[@]}" 353
	is "$(tr -s ' ' <<<"${lines[352]}")" '351 175 -351 no'
	ctl priority --json
	json_is '[.priorities[] | select(.preferred)] | length' 176
}

@test "priority where nothing is preferred" {
	use_tree smt1
	ctl priority
	expect_status 0
	is "$(tr -s ' ' <<<"${lines[1]}")" ' 0 0 0 -'
}

@test "priority writes" {
	custom smt2
	ctl priority 0=10 4=-20 5=+7 7=0 1=2147483647 2=-2147483648
	expect_status 0
	is "$output" ''
	is "$(priority_of 0)" 10
	is "$(priority_of 4)" -20
	is "$(priority_of 5)" 7
	is "$(priority_of 1)" 2147483647
	is "$(priority_of 2)" -2147483648
	is "$(priority_of 3)" -3
	is "$(priority_of 7)" 0
}

@test "priority writes lists of CPUs, and offline ones" {
	custom smt4
	ctl priority 0,4-6=3
	expect_status 0
	for cpu in 0 4 5 6; do
		is "$(priority_of $cpu)" 3
	done
	is "$(priority_of 1)" -1
}

@test "priority in JSON answers with what is in force" {
	custom smt2
	ctl --json priority 1=5
	expect_status 0
	json_is . '{"priorities":[{"cpu":1,"core":0,"priority":5,"preferred":true,"online":true}]}'
}

@test "priority is refused with a hint unless the source is custom" {
	use_tree smt2
	for source in number reverse arch; do
		put_file sys/kernel/smtprio/priority_source $source
		refused priority 0=1 -- $source custom \
			'smtprioctl set priority_source=custom'
	done
	rm "$tree/sys/kernel/smtprio/priority_source"
	refused priority 0=1 -- priority_source
	# Showing needs no source.
	ctl priority 0
	expect_status 0
}

@test "priority of CPUs that do not exist" {
	custom smt2
	refused priority 8 -- 'CPU 8 does not exist' 'CPUs of 0-7'
	refused priority 0=1 8=1 -- 'CPU 8 does not exist'
	refused priority 0-8=1 -- 'CPU 8'
	rm "$tree/sys/kernel/smtprio/cpu3/priority"
	refused priority 0=1 3=1 -- 'CPU 3 does not exist'
}

@test "priority of what is no CPU" {
	custom smt2
	for bad in '' x 0x1 -1 1- '0,' 1.5 99999999999 cpu0; do
		case $bad in
		-*) expected="bad option '-1'" ;;
		*) expected="bad CPU '$bad'" ;;
		esac
		refused priority 0=1 "$bad=1" -- "$expected"
	done
}

@test "priority of bad numbers" {
	custom smt2
	for bad in '' x 1.5 1x 0x10 ' 1' '1 ' - + -- 2147483648 -2147483649 \
		99999999999999999999; do
		refused priority 1=2 "0=$bad" -- "bad priority '$bad'" \
			'from -2147483648 to 2147483647'
	done
	refused priority 0=1=2 -- "'1=2'"
}

@test "priority of a CPU twice" {
	custom smt2
	refused priority 0=1 1=1 0=1 -- 'CPU 0 is given twice'
	refused priority 0-3=1 2=1 -- 'CPU 2 is given twice'
	refused priority 0 0 -- 'CPU 0 is given twice'
}

@test "priority shown and written in one go" {
	custom smt2
	refused priority 0 1=1 -- 'together'
}

@test "priority without the module" {
	use_tree smt2
	rm -r "$tree/sys/kernel/smtprio"
	refused priority -- 'not loaded' 'smtprioctl load'
	refused priority 0=1 -- 'not loaded'
}

@test "a refused later priority takes back the earlier ones" {
	custom smt2
	# The rule is for any CPU's file: the third write fails, once.
	FAKE_WRITE='priority:22:3:3' ctl_fake --sysroot "$tree" \
		priority 2=10 3=11 4=12
	expect_refusal 'CPU 4=12 failed' 'restored: CPU 3, CPU 2'
	is "$(priority_of 2) $(priority_of 3) $(priority_of 4)" '-2 -3 -4'
}

@test "64 when an earlier priority cannot be taken back" {
	custom smt2
	FAKE_WRITE='priority:22:3:4' ctl_fake --sysroot "$tree" \
		priority 2=10 3=11 4=12
	expect_status 64
	has "$stderr" 'not taken back: CPU 3=11' 'restored: CPU 2'
	is "$(priority_of 2) $(priority_of 3) $(priority_of 4)" '-2 11 -4'
}
