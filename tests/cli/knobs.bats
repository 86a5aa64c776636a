# SPDX-License-Identifier: GPL-2.0-or-later
# get, set, mode
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2
}

setup() {
	use_tree smt2
}

# Only these files below the module's folder may differ from the tree made.
changed_files() {
	diff -rq "$BATS_FILE_TMPDIR/smt2" "$tree" |
		sed -n "s|.* and $tree/sys/kernel/smtprio/\(.*\) differ|\1|p" |
		tr '\n' ' '
}

@test "get prints all knobs in a form that set takes" {
	ctl get
	expect_status 0
	is "$output" 'mode=enforce
wake=1
fork_exec=1
ilb=1
idle_core=0
node=0
node_scan=auto
packing=0
account=0
qualify_ns=3000
cpus=0-7
priority_source=number'
	ctl set "${lines[@]}"
	expect_status 0
	is "$(changed_files)" ''
}

@test "get prints the knobs asked for" {
	put_file sys/kernel/smtprio/ilb 0
	ctl get ilb cpus
	expect_status 0
	is "$output" 'ilb=0
cpus=0-7'
}

@test "get in JSON has booleans" {
	put_file sys/kernel/smtprio/wake 0
	ctl get --json
	expect_status 0
	json_is . '{"mode":"enforce","wake":false,"fork_exec":true,"ilb":true,"idle_core":false,"node":false,"node_scan":"auto","packing":false,"account":false,"qualify_ns":3000,"cpus":"0-7","priority_source":"number"}'
	ctl get mode --json
	json_is . '{"mode":"enforce"}'
}

@test "get of an unknown key" {
	refused get wake frob -- "'frob'" 'allowed: mode, wake, fork_exec, ilb, idle_core, node, node_scan, packing, account, qualify_ns, cpus, priority_source'
	refused get '' -- "''"
	refused get mode=off -- "'mode=off'"
}

@test "a knob whose file is missing" {
	rm "$tree/sys/kernel/smtprio/ilb"
	refused get -- 'smtprio/ilb' 'No such file'
	refused set wake=0 ilb=0 -- ilb 'nothing is changed'
	[[ ! -e $tree/sys/kernel/smtprio/ilb ]]
}

@test "node_scan is a word or a number" {
	ctl set node_scan=12
	expect_status 0
	is "$(knob node_scan)" 12
	ctl get node_scan --json
	json_is . '{"node_scan":12}'
	ctl set node_scan=auto
	expect_status 0
	is "$(knob node_scan)" auto
	for value in '' 0 -1 +1 ' 1' 1x 0x10 65536 18446744073709551617 AUTO; do
		refused set "node_scan=$value" -- node_scan 'auto, or 1 to 65535'
	done
}

@test "set writes what is asked, and only that" {
	ctl set mode=observe wake=0
	expect_status 0
	is "$output" ''
	is "$(knob mode)" observe
	is "$(knob wake)" 0
	is "$(changed_files)" 'mode wake '
}

@test "set takes every allowed value" {
	for setting in mode={off,observe,enforce} \
		priority_source={number,reverse,arch,custom}; do
		ctl set "$setting"
		expect_status 0
		is "$(knob "${setting%=*}")" "${setting#*=}"
	done
	for value in 0 n N no off OFF; do
		put_file sys/kernel/smtprio/wake 1
		ctl set "wake=$value"
		expect_status 0
		is "$(knob wake)" 0
	done
	for value in 1 y Y yes on On; do
		put_file sys/kernel/smtprio/ilb 0
		ctl set "ilb=$value"
		expect_status 0
		is "$(knob ilb)" 1
	done
}

@test "set writes CPU lists as the kernel does" {
	while read -r given want; do
		ctl set "cpus=$given"
		expect_status 0
		is "$(knob cpus)" "$want"
	done <<-EOT
		3 3
		0-7 0-7
		all 0-7
		7,0,2-4,3,1 0-4,7
		2,4,6 2,4,6
	EOT
}

@test "set in JSON answers with what is in force" {
	ctl --json set wake=off cpus=0,1
	expect_status 0
	json_is . '{"wake":false,"cpus":"0-1"}'
}

@test "set without arguments" {
	refused set -- 'no KEY=VALUE' mode priority_source
}

@test "set of what is no setting" {
	refused set wake -- "'wake'" KEY=VALUE
	refused set =1 -- "''" allowed
	refused set frob=1 -- "'frob'" allowed priority_source
	refused set MODE=off -- "'MODE'"
	refused set 'mode =off' -- "'mode '"
	refused set version=2 -- "'version'"
	refused set hooks/wake/active=0 -- "'hooks/wake/active'"
	refused set ../../../proc/stat=0 -- allowed
}

@test "set of bad values" {
	for bad in '' on 1 Off 'off ' 'off observe' $'off\n' enforced; do
		refused set "mode=$bad" -- 'mode: bad value' 'off, observe, enforce'
	done
	for bad in '' 2 -1 1st 01 maybe 'on '; do
		refused set "fork_exec=$bad" -- 'fork_exec: bad value' '1, 0, on, off'
	done
	for bad in '' num default arch,custom; do
		refused set "priority_source=$bad" -- 'number, reverse, arch, custom'
	done
	for bad in '' ',' '0,' ',0' '0,,1' 1-0 3,1-0 3,0- 0- -1 0-3-5 a 0x1 ' 0' '0 1' 8 0-8 99999999999 \
		0-99999999999 4294967296 none 0-7:1/2; do
		refused set "cpus=$bad" -- 'cpus: bad value' 'CPUs of 0-7'
	done
}

@test "set checks all before it writes any" {
	refused set mode=off wake=0 ilb=2 -- 'ilb: bad value'
	refused set mode=off frob=1 -- "'frob'"
	refused set mode=off wake=0 wake=0 -- 'wake' twice
	refused set mode=off mode=off -- mode twice
	refused set mode=off cpus=8 -- cpus
}

@test "set cannot check CPUs it does not know" {
	rm "$tree/sys/devices/system/cpu/possible"
	refused set cpus=0 -- 'cpu/possible' 'No such file'
	ctl set mode=off
	expect_status 0
}

@test "set and get without the module" {
	rm -r "$tree/sys/kernel/smtprio"
	for command in get 'set mode=off' mode 'mode off'; do
		# shellcheck disable=SC2086
		refused $command -- 'not loaded' 'smtprioctl load'
	done
	[[ ! -e $tree/sys/kernel/smtprio ]]
}

@test "a refused first write leaves nothing changed" {
	before=$(tree_state)
	FAKE_WRITE='mode:16:1:9' ctl_fake --sysroot "$tree" set mode=off wake=0
	expect_refusal 'mode=off failed' livepatch 'nothing is changed'
	is "$(tree_state)" "$before"
}

@test "a refused later write takes back the earlier ones" {
	FAKE_WRITE='ilb:22:1:9' ctl_fake --sysroot "$tree" set mode=off wake=0 ilb=0
	expect_refusal 'ilb=0 failed' 'Invalid argument' \
		'nothing is changed' 'restored: wake, mode'
	is "$(changed_files)" ''
}

@test "64 when an earlier write cannot be taken back, and which" {
	FAKE_WRITE='ilb:5:1:9 wake:16:2:9' \
		ctl_fake --sysroot "$tree" set mode=off wake=0 ilb=0
	expect_status 64
	is "$output" ''
	is "${#stderr_lines[@]}" 1
	has "$stderr" 'ilb=0 failed' 'self-test' 'not taken back: wake=0' \
		'restored: mode'
	is "$(changed_files)" 'wake '
}

@test "priority_source is written last" {
	# Leaving custom loses the priorities: nothing may fail after it.
	put_file sys/kernel/smtprio/priority_source custom
	FAKE_WRITE='ilb:22:1:9' ctl_fake --sysroot "$tree" \
		set priority_source=number ilb=0
	expect_refusal 'ilb=0 failed'
	hasnt "$stderr" priority_source
	is "$(knob priority_source)" custom
}

@test "a short write is a failure and is taken back" {
	FAKE_WRITE='mode:0:1:1' ctl_fake --sysroot "$tree" set wake=0 mode=observe
	expect_refusal 'mode=observe failed'
	is "$(changed_files)" ''
}

@test "a short write that cannot be taken back is 64" {
	FAKE_WRITE='mode:0:1:1 mode:5:1:9' \
		ctl_fake --sysroot "$tree" set mode=observe
	# The second rule counts only the openings the first let pass.
	expect_status 64
	has "$stderr" 'mode=observe'
}

@test "without root the message says so" {
	FAKE_WRITE='mode:13:1:9' ctl_fake --sysroot "$tree" mode off
	expect_refusal 'root is needed'
}

@test "mode prints and sets the mode" {
	ctl mode
	expect_status 0
	is "$output" enforce
	for mode in off observe enforce; do
		ctl mode "$mode"
		expect_status 0
		is "$output" ''
		ctl mode
		is "$output" "$mode"
	done
	ctl mode --json
	json_is . '{"mode":"enforce"}'
	ctl mode off --json
	json_is . '{"mode":"off"}'
	is "$(changed_files)" 'mode '
}

@test "mode of a bad value" {
	for bad in on 1 '' Enforce; do
		refused mode "$bad" -- "mode: bad value '$bad'" 'off, observe, enforce'
	done
}

@test "links in a tree do not lead out of it" {
	put_file outside/mode enforce
	mv "$tree/outside" "$BATS_TEST_TMPDIR/outside"
	ln -sf "$BATS_TEST_TMPDIR/outside/mode" "$tree/sys/kernel/smtprio/mode"
	ctl mode off
	expect_status 1
	is "$(<"$BATS_TEST_TMPDIR/outside/mode")" enforce
}

@test "qualify_ns takes nanoseconds" {
	for good in 0 3000 1000000000; do
		ctl set qualify_ns="$good"
		expect_status 0
		is "$(knob qualify_ns)" "$good"
	done
	for bad in -1 +1 ' 1' 1000000001 99999999999999999999 1us x ''; do
		refused set qualify_ns="$bad" -- "'$bad'" 'allowed: nanoseconds, 0 to 1000000000'
	done
}
