# SPDX-License-Identifier: GPL-2.0-or-later
# The module's lists, the tool and the ABI document agree. (That doctor knows
# each function the module needs is in doctor.bats.)
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed

load common

repo=$BATS_TEST_DIRNAME/../..

# rows LIST FILE: first columns of the list "#define LIST(X) X(a, ...) ..."
rows() {
	sed -n "/^#define $1(X)/,/[^\\\\]\$/p" "$2" |
		sed -nE 's/^\tX\(([a-z_0-9]+),.*/\1/p' | LC_ALL=C sort
}

knobs() {
	rows SMTPRIO_KNOBS "$repo/module/knobs.h"
}

counters() {
	rows SMTPRIO_STATS "$repo/module/stats.h"
}

# tool_knobs COMMAND: those its help lists
tool_knobs() {
	"$TOOL" "$1" --help | sed -n '/^Keys and values:/,/^$/p' |
		sed -nE 's/^  ([a-z_]+) .*/\1/p' | LC_ALL=C sort
}

# documented: the files of the ABI document, below /sys/kernel/smtprio
documented() {
	sed -n '/^What:/,/^Date:/s|.*/sys/kernel/smtprio/||p' \
		"$repo/module/sysfs-kernel-smtprio" | LC_ALL=C sort
}

# documented_counters: those the document tells the meaning of
documented_counters() {
	sed -n '/^What:.*<counter>/,/^What:.*reset/p' \
		"$repo/module/sysfs-kernel-smtprio" |
		sed -nE 's/^\t\t([a-z]+(_[a-z]+)+)\t.*/\1/p' | LC_ALL=C sort
}

# other_files: those the module makes that are no row of a list
other_files() {
	sed -nE 's/.*__ATTR_(RO|RW|WO)\(([a-z_]+)\).*/\2/p' \
		"$repo/module/sysfs.c" |
		sed -E 's|^reset$|stats/&|; s|^priority$|cpu<N>/&|
			s/^(site|callers|active|way)$/hooks\/<hook>\/&/'
	echo 'stats/<counter>'
	echo 'cpu<N>/account/<figure>'
}

@test "the tool has the module's knobs and no others" {
	has "$(knobs)" mode priority_source
	for command in set load; do
		is "$(tool_knobs "$command")" "$(knobs)"
	done
	# And the document, so that this also fails when both lists are empty.
	is "$(documented | grep -xFf <(knobs))" "$(knobs)"
}

@test "the document has each file of the module and no others" {
	has "$(other_files)" version priorities stats/reset hooks/
	is "$(documented)" "$({ knobs; other_files; } | LC_ALL=C sort)"
}

@test "the document has each counter of the module and no others" {
	has "$(counters)" wake_seen ilb_seen
	is "$(documented_counters)" "$(counters)"
}

@test "the tests' tree has the module's knobs" {
	make_tree "$BATS_TEST_TMPDIR/made" 1 2
	for name in $(knobs); do
		[[ -e $BATS_TEST_TMPDIR/made/sys/kernel/smtprio/$name ]]
	done
}

@test "doctor's table has each function of the module's list" {
	all=$(rows SMTPRIO_FUNCTIONS "$repo/module/symbols.h")
	has "$all" idle_cpu rebuild_sched_domains
	known=$(sed -nE 's/^\t\{ "([a-z_0-9]+)", (REQUIRED|OTHER) \},/\1/p' \
		"$repo/userspace/doctor_kernel.c")
	is "$(comm -23 <(echo "$all") <(LC_ALL=C sort <<<"$known"))" ''
	# What it calls needed is needed, or it would refuse kernels that do.
	required=$(sed -nE 's/^\t\{ "([a-z_0-9]+)", REQUIRED \},/\1/p' \
		"$repo/userspace/doctor_kernel.c" | LC_ALL=C sort)
	is "$required" "$(required_functions)"
}

@test "the manual has every command, option and knob" {
	page=$(cat "$repo/man/smtprioctl.1.scd")
	commands=$("$TOOL" --help | sed -nE 's/^  ([a-z]+) .*/\1/p')
	has "$commands" status completion
	for command in $commands; do
		grep -qE "^\*$command\*" <<<"$page" || { echo "no $command"; return 1; }
		for option in $("$TOOL" "$command" --help | grep -oE '^  (-., )?--[a-z]+' | grep -oE -- '--[a-z]+'); do
			has "$page" "*$option*"
		done
	done
	for knob in $(knobs); do
		has "$(cat "$repo/man/smtprio.4.scd")" "*$knob*"
	done
}
