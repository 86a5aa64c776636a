# SPDX-License-Identifier: GPL-2.0-or-later
# profile
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

# built_in: their names; those that need a knob which is not there are left out
built_in() {
	"$TOOL" profile --json --sysroot "$tree" | jq -r '.profiles[].name'
}

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2
}

setup() {
	use_tree smt2
}

@test "profile lists what there is, for whom, and what is in force" {
	ctl profile
	expect_status 0
	expect_80_columns
	for name in $(built_in); do
		grep -q "^$name  *no " <<<"$output"
	done
	has "$(built_in)" parity observe
	ctl profile apply observe
	expect_status 0
	ctl profile list
	is "$(awk '$2 == "yes" { print $1 }' <<<"$output")" observe
	ctl profile list --json
	json_is '[.profiles[] | select(.in_force) | .name]' '["observe"]'
	json_is '.profiles[0].settings[0]' '"mode=enforce"'
}

@test "every profile can be shown, set and applied" {
	for name in $(built_in); do
		ctl profile show "$name"
		expect_status 0
		has "${lines[0]}" "# $name: "
		shown=$(tail -n +2 <<<"$output")
		# shellcheck disable=SC2086 # words are wanted
		ctl set $shown
		expect_status 0
		ctl profile apply "$name"
		expect_status 0
		is "$output" ''
		is "$("$TOOL" --sysroot "$tree" get | grep -xFf <(echo "$shown"))" "$shown"
		ctl profile show "$name" --json
		json_is .mode "$([[ $name == observe ]] && echo '"observe"' || echo '"enforce"')"
	done
}

@test "applying is all or nothing" {
	put_file sys/kernel/smtprio/mode off
	before=$(cd "$tree" && grep -r . sys/kernel/smtprio)
	FAKE_WRITE='packing:95:1:1' ctl_fake --sysroot "$tree" profile apply parity
	expect_refusal packing 'nothing is changed'
	is "$(cd "$tree" && grep -r . sys/kernel/smtprio)" "$before"
}

@test "what is in force can be saved and applied again" {
	ctl set mode=observe ilb=0 cpus=0-3
	ctl profile save mine-2
	expect_status 0
	is "$output" ''
	is "$(stat -c %a "$tree/etc/smtprio/profiles/mine-2")" 644
	ctl set mode=enforce ilb=1 cpus=all
	ctl profile apply mine-2
	expect_status 0
	is "$(knob mode) $(knob ilb) $(knob cpus)" 'observe 0 0-3'
	ctl profile
	is "$(awk '$2 == "yes" { print $1 }' <<<"$output")" mine-2
	# It replaces one of the same name, and leaves nothing else.
	ctl set ilb=1
	ctl profile save mine-2 --json
	json_is . '{"saved":"mine-2"}'
	has "$(cat "$tree/etc/smtprio/profiles/mine-2")" ilb=1
	is "$(ls -A "$tree/etc/smtprio/profiles")" mine-2
}

@test "a saved profile that is wrong changes nothing" {
	put_file etc/smtprio/profiles/bad $'mode=off\nfrob=1'
	refused profile apply bad -- "'frob'" allowed
	put_file etc/smtprio/profiles/bad $'mode=off\nwake=maybe'
	refused profile apply bad -- "'maybe'" allowed
}

@test "links do not lead out of the tree" {
	mkdir -p "$tree/etc" "$BATS_TEST_TMPDIR/outside"
	ln -s "$BATS_TEST_TMPDIR/outside" "$tree/etc/smtprio"
	ctl profile save mine
	expect_status 1
	is "$(ls -A "$BATS_TEST_TMPDIR/outside")" ''
}

@test "each profile that the knobs allow is there" {
	has "$("$TOOL" set --help)" packing
	for pair in idle_core:olympus idle_core:spread node:node packing:parity; do
		there=$(grep -cx "${pair#*:}" <(built_in)) || true
		wanted=$("$TOOL" get "${pair%:*}" --sysroot "$tree" 2>&1 | grep -vc 'unknown key') || true
		is "$there" "$wanted"
	done
}

@test "bad profile arguments" {
	refused profile frob -- "'frob'" 'allowed: list, show NAME'
	refused profile show -- 'name of a profile'
	refused profile list x -- 'no argument'
	refused profile show nonesuch -- "'nonesuch'" parity observe
	refused profile apply nonesuch -- "'nonesuch'"
	refused profile save olympus -- 'built in'
	for name in '' . .. a/b .x 'a b'; do
		refused profile save "$name" -- 'bad name'
	done
	refused profile show a b -- "'b'"
}

@test "profiles without the module" {
	rm -r "$tree/sys/kernel/smtprio"
	refused profile apply parity -- 'not loaded'
	refused profile save mine -- 'not loaded'
	ctl profile
	expect_status 0
	hasnt "$output" ' yes '
	ctl profile show parity
	expect_status 0
}
