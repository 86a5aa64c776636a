# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests share. Every test file has a folder of trees made once
# ($trees), and each test its own copy ($tree).
# shellcheck shell=bash disable=SC2154 # bats sets status, output and so on

bats_require_minimum_version 1.5.0
load tree

# use_tree NAME: work on a copy of a tree of this file
use_tree() {
	tree=$BATS_TEST_TMPDIR/tree
	cp -a "$BATS_FILE_TMPDIR/$1" "$tree"
}

# ctl ARGS...: the tool below $tree, output and stderr kept apart
ctl() {
	run --separate-stderr "$TOOL" --sysroot "$tree" "$@"
}

# The same with the kernel's stand-in; its settings are in the environment.
ctl_fake() {
	run --separate-stderr env LD_PRELOAD="$FAKEKERNEL" "$TOOL" "$@"
}

# put_file FILE TEXT and get_file FILE, below $tree
put_file() {
	mkdir -p "$tree/${1%/*}"
	printf '%s\n' "$2" >"$tree/$1"
}

get_file() {
	cat "$tree/$1"
}

knob() {
	get_file "sys/kernel/smtprio/$1"
}

expect_status() {
	[[ $status -eq $1 ]] && return
	echo "exit $status, expected $1; output: $output; stderr: $stderr"
	return 1
}

# is GOT WANT
is() {
	[[ $1 == "$2" ]] && return
	printf 'got:\n%s\nwant:\n%s\n' "$1" "$2"
	return 1
}

# has TEXT PART...
has() {
	local text=$1 part

	shift
	for part; do
		[[ $text == *"$part"* ]] && continue
		printf 'no "%s" in:\n%s\n' "$part" "$text"
		return 1
	done
}

hasnt() {
	[[ $1 != *"$2"* ]] && return
	printf '"%s" in:\n%s\n' "$2" "$1"
	return 1
}

# expect_message STATUS PART...: that exit, one line on stderr that names the tool, nothing on stdout.
expect_message() {
	expect_status "$1"
	shift
	is "$output" ''
	is "${#stderr_lines[@]}" 1
	[[ $stderr == 'smtprioctl: '* ]]
	has "$stderr" "$@"
}

expect_refusal() {
	expect_message 1 "$@"
}

# Names, contents and times of all files: a file written is a file changed.
tree_state() {
	(cd "$tree" && find . -type f -printf '%p %T@ ' -exec cksum {} + |
		LC_ALL=C sort)
}

# refused ARGS... -- PART...: bad input; the message has the parts, and
# nothing is written. A caller's array "refused_after" comes after ARGS.
refused() {
	local args=() before

	while [[ $1 != -- ]]; do
		args+=("$1")
		shift
	done
	shift
	before=$(tree_state)
	ctl "${args[@]}" "${refused_after[@]}"
	expect_refusal "$@"
	is "$(tree_state)" "$before"
}

# For output that a human reads: every line fits.
expect_80_columns() {
	local line

	while IFS= read -r line; do
		((${#line} <= 80)) && continue
		echo "${#line} columns: $line"
		return 1
	done <<<"$output"
}

# json FILTER: of the output
json() {
	jq -c "$1" <<<"$output"
}

# json_is FILTER WANT
json_is() {
	is "$(json "$1")" "$2"
}

# required_functions: those the module cannot do without, besides those it
# redirects, sorted
required_functions() {
	sed -nE 's/.*\(([a-z_0-9]+), true\).*/\1/p' \
		"$BATS_TEST_DIRNAME/../../module/symbols.h" | LC_ALL=C sort
}
