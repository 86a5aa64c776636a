# SPDX-License-Identifier: GPL-2.0-or-later
# apply
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2
}

setup() {
	use_tree smt2
	put_file proc/cmdline 'BOOT_IMAGE=/vmlinuz quiet'
}

# conf LINE...: the file that is read when none is named
conf() {
	put_file etc/smtprio.conf "$(printf '%s\n' "$@")"
}

applies() {
	ctl apply "$@"
	expect_status 0
	is "$output" ''
}

@test "apply does what the file says, and leaves the rest" {
	conf '# a comment' 'mode = observe' '  ; another' 'ilb=no' 'cpus = 0-3'
	applies
	is "$stderr" ''
	is "$(knob mode) $(knob ilb) $(knob cpus) $(knob wake)" 'observe 0 0-3 1'
	put_file srv/other.conf 'mode = off'
	applies /srv/other.conf
	is "$(knob mode) $(knob ilb)" 'off 0'
	ctl apply --json
	json_is . '{"mode":"observe","ilb":false,"cpus":"0-3"}'
}

@test "apply of an empty file changes nothing" {
	conf '# nothing'
	before=$(tree_state)
	applies
	is "$(tree_state)" "$before"
}

@test "apply takes a profile, and the file's own lines win" {
	conf 'idle_core = off' 'profile = spread'
	applies
	is "$(knob mode) $(knob idle_core) $(knob packing)" 'enforce 0 0'
	put_file etc/smtprio/profiles/mine $'mode=observe\nilb=0'
	conf 'profile = mine'
	applies
	is "$(knob mode) $(knob ilb)" 'observe 0'
}

@test "apply takes priorities, several CPUs a line" {
	conf 'priority_source = custom' '[priority]' '0-3 = -5' '4 = 7'
	ctl_fake --sysroot "$tree" apply
	expect_status 0
	is "$(knob priority_source) $(knob cpu0/priority) $(knob cpu3/priority) $(knob cpu4/priority)" 'custom -5 -5 7'
	conf '[priority]' '0 = 1'
	refused apply -- 'priority_source = custom'
	conf 'priority_source = custom' '[priority]' '0 = x'
	refused apply -- /etc/smtprio.conf "'x'" 'whole numbers'
	conf 'priority_source = custom' '[priority]' '99 = 1'
	refused apply -- '99 does not exist'
}

@test "apply is all or nothing" {
	conf 'mode = off' 'ilb = 0' 'packing = 1' 'priority_source = custom' '[priority]' '0 = 5' '1 = 6'
	before=$(cd "$tree" && grep -r . sys/kernel/smtprio)
	for file in packing priorities; do
		FAKE_WRITE="$file:95:1:1" ctl_fake --sysroot "$tree" apply
		expect_refusal 'nothing is changed'
		is "$(cd "$tree" && grep -r . sys/kernel/smtprio)" "$before"
	done
}

@test "the kernel's command line wins over the file" {
	conf 'profile = spread' 'mode = enforce' 'ilb = 1'
	for line in 'ro smtprio.mode=off quiet' 'smtprio.mode=off' '"smtprio.mode=off" x' \
		'a="b smtprio.mode=enforce" smtprio.mode="off"' 'smtprio.mode=off -- smtprio.mode=enforce'; do
		put_file proc/cmdline "$line"
		put_file sys/kernel/smtprio/mode off
		applies
		has "$stderr" 'smtprio.mode=off' 'wins over /etc/smtprio.conf'
		is "$(knob mode) $(knob idle_core)" 'off 1'
	done
	put_file proc/cmdline 'smtprio.fork-exec=0 xsmtprio.mode=off smtprio.wake_site=select_idle_sibling smtprio.mode'
	applies
	is "$(knob mode) $(knob fork_exec)" 'enforce 0'
	put_file proc/cmdline 'smtprio.mode=frob'
	refused apply -- 'kernel command line' "'frob'"
	# Nothing to win over: nothing is said, but it holds.
	put_file proc/cmdline 'smtprio.mode=off'
	conf 'ilb = 0'
	applies
	is "$stderr" ''
	is "$(knob mode)" off
}

@test "priorities of the file need the source that the command line leaves" {
	conf 'priority_source = custom' '[priority]' '0 = 5'
	put_file proc/cmdline 'smtprio.priority_source=number'
	before=$(knob cpu0/priority)
	applies
	is "$(knob priority_source) $(knob cpu0/priority)" "number $before"
}

@test "a file that is wrong changes nothing" {
	conf 'mode = off' 'frob = 1'
	refused apply -- 'apply: /etc/smtprio.conf: ' "'frob'" allowed
	conf 'mode = off' 'wake = maybe'
	refused apply -- /etc/smtprio.conf "'maybe'"
	conf 'mode = off' 'mode = off'
	refused apply -- twice
	conf 'mode = off' '' 'what is this'
	refused apply -- 'line 3' 'KEY = VALUE'
	conf 'mode = off' '[frob]' 'a = b' 'junk'
	refused apply -- 'line 3' '[priority]'
	conf 'profile = frob'
	refused apply -- "'frob'" olympus
	conf 'profile = spread' 'profile = observe'
	refused apply -- 'line 2' twice
	conf "cpus = $(seq -s, 0 300)"
	refused apply -- 'line 1' 'too long'
	conf 'mode = off' 'cpus = 0-9999'
	refused apply -- cpus allowed
	rm "$tree/etc/smtprio.conf"
	refused apply -- 'cannot read /etc/smtprio.conf' 'No such file'
	refused apply /nonesuch -- /nonesuch
	mkdir "$tree/etc/smtprio.conf"
	refused apply -- 'Is a directory'
	refused apply a b -- "'b'"
}

@test "a file can be checked, also without the module" {
	conf 'mode = off' 'ilb = 0' 'priority_source = custom' '[priority]' '0-7 = 1'
	before=$(tree_state)
	applies --check
	is "$(tree_state)" "$before"
	rm -r "$tree/sys/kernel/smtprio"
	applies --check
	refused apply -- 'not loaded'
	conf 'mode = of'
	refused apply --check -- "'of'"
}
