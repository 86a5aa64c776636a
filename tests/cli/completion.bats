# SPDX-License-Identifier: GPL-2.0-or-later
# completion
# shellcheck disable=SC2154,SC2016,SC2030,SC2031,SC2317 # bats sets variables, in subshells; the script calls smtprioctl

load common

setup() {
	"$TOOL" completion >"$BATS_TEST_TMPDIR/script"
	# shellcheck source=/dev/null
	source "$BATS_TEST_TMPDIR/script"
	smtprioctl() {
		"$TOOL" "$@"
	}
}

# offers WORD...: what the last word could become, sorted
offers() {
	COMP_WORDS=(smtprioctl "$@")
	COMP_CWORD=$#
	COMPREPLY=()
	_smtprioctl
	printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\n' ' '
}

@test "completion offers every command" {
	is "$(offers st)" 'stats status '
	# Each of the main help, and each has options of its own there.
	for command in $("$TOOL" --help | sed -nE 's/^  ([a-z]+) .*/\1/p'); do
		has " $(offers '')" " $command "
		for option in $("$TOOL" "$command" --help | grep -oE '^  (-., )?--[a-z]+' | grep -oE -- '--[a-z]+'); do
			has " $(offers "$command" --)" " $option "
		done
	done
}

@test "completion offers keys and their values" {
	is "$(offers get fo)" 'fork_exec '
	is "$(offers set mo)" 'mode= '
	is "$(offers set mode = '')" 'enforce observe off '
	is "$(offers set mode =)" 'enforce observe off '
	is "$(offers set ilb=1 priority_source = a)" 'arch '
	is "$(offers load wake = '')" '0 1 '
	is "$(offers mode o)" 'observe off '
	for key in $("$TOOL" set --help | sed -nE 's/^  ([a-z_]+) .*:.*/\1/p'); do
		has " $(offers get '')" " $key "
	done
}

@test "completion offers the CPUs of this machine" {
	has " $(offers set cpus = '')" ' all ' " $(cat /sys/devices/system/cpu/online) "
	has " $(offers priority '')" ' 0 '
}

@test "completion offers configurations and profiles" {
	has "$(offers bench -c sm)" smt-off
	is "$(offers profile s)" 'save show '
	has " $(offers profile show '')" ' parity ' ' observe '
}

@test "after -- it is the command that bench runs" {
	has " $(offers bench -n 3 -- tru)" ' true '
	is "$(offers bench -n 3 --cs)" '--csv '
}
