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

# older_module: it has no file for several priorities in one write.
older_module() {
	rm "$tree/sys/kernel/smtprio/priorities"
}

# write_ctl ARGS...: the tool with the kernel's stand-in; its settings are in
# the environment.
write_ctl() {
	export FAKE_LOG=$BATS_TEST_TMPDIR/log
	: >"$FAKE_LOG"
	ctl_fake --sysroot "$tree" "$@"
}

# writes: those made, as "FILE VALUE" lines with FILE below the module's
writes() {
	sed 's|^write /sys/kernel/smtprio/||' "$FAKE_LOG"
}

# all_priorities: of the CPUs FIRST to LAST
all_priorities() {
	local cpu list=''

	for ((cpu = $1; cpu <= $2; cpu++)); do
		list+="$(priority_of "$cpu") "
	done
	echo "${list% }"
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

@test "priorities of several CPUs are one write" {
	custom smt2
	write_ctl priority 0=10 4=-20 5=+7 7=0 1=2147483647 2=-2147483648
	expect_status 0
	is "$output" ''
	is "$(writes)" 'priorities 0=10 4=-20 5=7 7=0 1=2147483647 2=-2147483648'
	is "$(all_priorities 0 7)" '10 2147483647 -2147483648 -3 -20 7 -6 0'
}

@test "a list of CPUs is one write, offline ones included" {
	custom smt4
	write_ctl priority 0,4-6=3
	expect_status 0
	is "$(writes)" 'priorities 0=3 4=3 5=3 6=3'
	is "$(all_priorities 0 7)" '3 -1 -2 -3 3 3 3 -7'
}

@test "the priority of one CPU goes to its own file" {
	custom smt2
	write_ctl priority 4=20
	expect_status 0
	is "$(writes)" 'cpu4/priority 20'
	is "$(priority_of 4)" 20
}

@test "an older module takes priorities one after the other" {
	custom smt2
	older_module
	write_ctl priority 0=10 4-5=20
	expect_status 0
	is "$(writes)" 'cpu0/priority 10
cpu4/priority 20
cpu5/priority 20'
	is "$(all_priorities 0 7)" '10 -1 -2 -3 20 20 -6 -7'
}

# long_list CPUS: more than fits in one write, for 352
long_list() {
	local cpu

	for ((cpu = 0; cpu < $1; cpu++)); do
		printf '%d=-2147483%03d ' "$cpu" "$cpu"
	done
}

@test "a list too long for one write is split, each part as long as fits" {
	custom vera
	words=$(long_list 352)
	# shellcheck disable=SC2086
	write_ctl priority $words
	expect_status 0
	is "$(writes | cut -d ' ' -f 1 | uniq -c | tr -s ' ')" ' 2 priorities'
	is "$(writes | sed 's/^priorities //' | tr '\n' ' ')" "$words"
	# With its newline a part is a page less one byte at most.
	mapfile -t parts < <(writes | sed 's/^priorities //')
	next=${parts[1]%% *}
	((${#parts[0]} + 1 <= 4095 && ${#parts[0]} + 1 + ${#next} + 1 > 4095))
	is "$(priority_of 0) $(priority_of 255) $(priority_of 351)" \
		'-2147483000 -2147483255 -2147483351'
}

@test "a list that just fits is one write" {
	custom vera
	# Priorities of one letter, and then longer ones up to the limit.
	words=$(for ((cpu = 0; cpu < 352; cpu++)); do printf '%d=1 ' $cpu; done)
	spare=$((4095 - ${#words}))
	for ((cpu = 0; spare >= 9 && cpu < 352; cpu++, spare -= 9)); do
		words=${words/"$cpu=1 "/"$cpu=1000000001 "}
	done
	printf -v more '%0*d' "$spare" 0
	((spare)) && words=${words/'351=1 '/"351=1$more "}
	is ${#words} 4095
	# shellcheck disable=SC2086
	write_ctl priority $words
	expect_status 0
	is "$(writes | wc -l)" 1
	# One letter more, and it is split.
	words=${words/'350=1 '/'350=10 '}
	# shellcheck disable=SC2086
	write_ctl priority $words
	expect_status 0
	is "$(writes | wc -l)" 2
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

@test "refused priorities leave everything unchanged" {
	custom smt2
	before=$(tree_state)
	FAKE_WRITE='priorities:22:1:9' write_ctl priority 2=10 3=11 4=12
	expect_refusal 'CPUs 2-4 failed: Invalid argument; nothing is changed'
	hasnt "$stderr" restored
	is "$(writes)" 'priorities 2=10 3=11 4=12'
	is "$(tree_state)" "$before"
	FAKE_WRITE='priorities:13:1:9' write_ctl priority 2=10 3=11
	expect_refusal 'CPUs 2-3 failed' 'root is needed'
	is "$(tree_state)" "$before"
}

@test "a refused later part takes back the earlier one" {
	custom vera
	before=$(all_priorities 0 351)
	words=$(long_list 352)
	# shellcheck disable=SC2086
	FAKE_WRITE='priorities:22:2:2' write_ctl priority $words
	expect_refusal 'failed: Invalid' 'nothing is changed' 'restored: CPUs 0-'
	is "$(writes | wc -l)" 3
	is "$(all_priorities 0 351)" "$before"
}

@test "64 when an earlier part cannot be taken back" {
	custom vera
	words=$(long_list 352)
	# shellcheck disable=SC2086
	FAKE_WRITE='priorities:22:2:9' write_ctl priority $words
	expect_status 64
	is "$output" ''
	is "${#stderr_lines[@]}" 1
	has "$stderr" 'not taken back: CPUs 0-'
	hasnt "$stderr" restored
	is "$(priority_of 0) $(priority_of 351)" '-2147483000 -351'
}

@test "a short write of priorities is a failure and is taken back" {
	custom smt2
	before=$(all_priorities 0 7)
	FAKE_WRITE='priorities:0:1:1' write_ctl priority 2=10 3=11
	expect_refusal 'CPUs 2-3 failed' 'nothing is changed'
	is "$(writes)" 'priorities 2=10 3=11
priorities 2=-2 3=-3'
	is "$(all_priorities 0 7)" "$before"
}

@test "priorities that cannot be read are not written" {
	custom smt2
	rm "$tree/sys/kernel/smtprio/cpu3/priority"
	mkdir "$tree/sys/kernel/smtprio/cpu3/priority"
	before=$(tree_state)
	write_ctl priority 2=10 3=11
	expect_refusal 'CPUs 2-3' 'cannot read' 'nothing is changed'
	is "$(writes)" ''
	is "$(tree_state)" "$before"
}

@test "an older module: a refused later priority takes back the earlier ones" {
	custom smt2
	older_module
	# The rule is for any CPU's file: the third write fails, once.
	FAKE_WRITE='priority:22:3:3' write_ctl priority 2=10 3=11 4=12
	expect_refusal 'CPU 4=12 failed' 'restored: CPU 3, CPU 2'
	is "$(all_priorities 2 4)" '-2 -3 -4'
}

@test "an older module: 64 when an earlier priority cannot be taken back" {
	custom smt2
	older_module
	FAKE_WRITE='priority:22:3:4' write_ctl priority 2=10 3=11 4=12
	expect_status 64
	has "$stderr" 'not taken back: CPU 3=11' 'restored: CPU 2'
	is "$(all_priorities 2 4)" '-2 11 -4'
}
