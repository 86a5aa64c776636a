# SPDX-License-Identifier: GPL-2.0-or-later
# The command line itself.
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

commands='status get set mode profile apply priority stats trace top bench load unload doctor completion'

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2
}

setup() {
	use_tree smt2
}

fits_screen() {
	expect_status 0
	expect_80_columns
	[[ ${#lines[@]} -gt 5 ]]
	# With blank lines, which bats leaves out of $lines.
	[[ $(wc -l <<<"$output") -le 32 ]]
	has "$output" 'Exit status:' '64' '--json' '--sysroot'
}

@test "help names every command, its exit codes, and fits a screen" {
	ctl --help
	fits_screen
	for command in $commands; do
		grep -q "^  $command " <<<"$output"
	done
}

@test "each command's help fits a screen, before and after the command" {
	for command in $commands; do
		ctl "$command" --help
		fits_screen
		has "$output" "Usage: smtprioctl $command"
		after=$output
		ctl -h "$command"
		is "$output" "$after"
	done
}

@test "help needs no module and does nothing" {
	before=$(tree_state)
	ctl set mode=off --help
	fits_screen
	is "$(tree_state)" "$before"
}

@test "help of set lists the keys and their values" {
	ctl set --help
	for key in mode wake fork_exec ilb idle_core node node_scan packing account qualify_ns cpus priority_source; do
		grep -q "^  $key " <<<"$output"
	done
	has "$output" 'off, observe, enforce' 'number, reverse, arch, custom'
}

@test "version is that of the package" {
	want=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' \
		"$BATS_TEST_DIRNAME/../../dkms.conf")
	[[ -n $want ]]
	ctl --version
	expect_status 0
	is "$output" "smtprioctl $want"
	ctl -V
	is "$output" "smtprioctl $want"
}

@test "options may stand before and after the command" {
	ctl --json mode
	expect_status 0
	before=$output
	run "$TOOL" mode --json --sysroot "$tree"
	is "$output" "$before"
}

@test "no command" {
	refused -- 'no command' status doctor
}

@test "unknown command" {
	refused frobnicate -- "'frobnicate'" allowed status doctor
	refused '' -- "''" allowed
}

@test "unknown and incomplete options" {
	refused status --frob -- "'--frob'" --help
	refused -x status -- "'-x'"
	refused status mode -hxy -- "'-x'"
	refused status --json=1 -- --json
	run --separate-stderr "$TOOL" status --sysroot
	expect_refusal "'--sysroot'" 'needs a value'
}

@test "an option of another command" {
	refused get --reset -- get --reset
	refused stats --file x.ko -- stats --file
	refused mode off --interval 1 -- mode --interval
}

@test "an interval that is none" {
	for bad in 0 -1 x '' 1x nan inf 86401 1e9; do
		refused status --interval "$bad" -- "'$bad'" seconds
	done
}

@test "a sysroot that is none" {
	run --separate-stderr "$TOOL" --sysroot /nonexistent status
	expect_refusal /nonexistent 'allowed: a directory'
	run --separate-stderr "$TOOL" --sysroot "$TOOL" status
	expect_refusal 'allowed: a directory'
}

@test "too many arguments" {
	refused status all -- "'all'" allowed
	refused mode off on -- "'on'" off\|observe
	refused stats x -- "'x'"
	refused unload x -- "'x'"
	refused doctor x -- "'x'"
}

@test "a message stays one line whatever the argument holds" {
	refused $'two\nlines' -- 'two?lines'
	refused get $'\e[31mred\n' -- '?[31mred?'
}

@test "output that cannot be written is a failure" {
	run bash -c '"$TOOL" --sysroot "$1" get >/dev/full' - "$tree"
	expect_status 1
	has "$output" 'cannot write the output' 'No space left'
}
