# SPDX-License-Identifier: GPL-2.0-or-later
# trace: what it says when it cannot trace. That it traces is tested in a guest (tests/vm/tests/trace.sh).
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 1 2
}

setup() {
	use_tree smt2
}

@test "trace without the module" {
	rm -r "$tree/sys/kernel/smtprio"
	refused trace -- 'not loaded' 'smtprioctl load'
}

@test "trace without tracefs" {
	refused trace -- 'no tracefs at /sys/kernel/tracing' 'mount -t tracefs'
}

@test "trace with a module that has no tracepoints" {
	mkdir -p "$tree/sys/kernel/tracing/events/sched"
	refused trace -- 'no tracepoints'
}

@test "trace below a sysroot" {
	mkdir -p "$tree/sys/kernel/tracing/events/smtprio"
	refused trace --json -- 'only the running kernel' --sysroot
	[[ ! -e $tree/sys/kernel/tracing/instances ]]
}

@test "a count or task that is none" {
	for bad in 0 -1 x '' 1x 99999999999; do
		refused trace -n "$bad" -- "'$bad'" 'allowed: 1 to'
		refused trace --pid "$bad" -- --pid "'$bad'" 'allowed: 1 to 4194304'
	done
	refused mode --pid 1 -- mode --pid
	refused trace x -- "'x'" allowed
}
