# SPDX-License-Identifier: GPL-2.0-or-later
# load, unload: up to the point where libkmod would ask the kernel. Nothing is
# ever loaded into this machine: fakekernel.c answers.
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

# make_ko FILE NAME VERMAGIC: what libkmod takes for a module
make_ko() {
	printf '%s\n' \
		'__attribute__((section(".modinfo"), used))' \
		"static const char info[] = \"name=$2\\0vermagic=$3 SMP \";" |
		"${CC:-cc}" -x c -c -o "$1" -
}

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 2 2
	make_ko "$BATS_FILE_TMPDIR/smtprio.ko" smtprio "$(uname -r)"
	make_ko "$BATS_FILE_TMPDIR/old.ko" smtprio 6.1.0-1-amd64
	make_ko "$BATS_FILE_TMPDIR/other.ko" other "$(uname -r)"
}

setup() {
	[[ ! -e /sys/module/smtprio ]] || skip 'smtprio is loaded here'
	export FAKE_LOG=$BATS_TEST_TMPDIR/log
	touch "$FAKE_LOG"
	ko=$BATS_FILE_TMPDIR/smtprio.ko
}

calls() {
	cat "$FAKE_LOG"
}

# fake_refused ARGS... -- PART...
fake_refused() {
	local args=()

	while [[ $1 != -- ]]; do
		args+=("$1")
		shift
	done
	shift
	ctl_fake "${args[@]}"
	expect_refusal "$@"
}

@test "load and unload refuse a sysroot" {
	use_tree smt2
	refused load -- load --sysroot
	refused unload -- unload --sysroot
	is "$(calls)" ''
}

@test "load of a file passes the parameters on" {
	ctl_fake load --file "$ko" mode=observe wake=off cpus=0
	expect_status 0
	is "$output" ''
	is "$(calls)" "insert flags=0 options='mode=observe wake=0 cpus=0'"
}

@test "load of a file takes the kernel's command line too, before what is typed" {
	echo 'quiet smtprio.mode=off smtprio.wake_site=select_idle_sibling other.mode=x' >"$BATS_TEST_TMPDIR/cmdline"
	export FAKE_CMDLINE=$BATS_TEST_TMPDIR/cmdline
	ctl_fake load --file "$ko"
	expect_status 0
	is "$(calls)" "insert flags=0 options='mode=off wake_site=select_idle_sibling'"
	: >"$FAKE_LOG"
	ctl_fake load --file "$ko" mode=observe
	is "$(calls)" "insert flags=0 options='mode=off wake_site=select_idle_sibling mode=observe'"
}

@test "load in JSON" {
	ctl_fake load --json --file "$ko"
	expect_status 0
	json_is . '{"loaded":true}'
}

@test "load of bad parameters asks nothing of the kernel" {
	fake_refused load --file "$ko" mode=x -- 'load: mode' 'off, observe, enforce'
	fake_refused load --file "$ko" wake=1 wake=1 -- twice
	fake_refused load --file "$ko" frob=1 -- "'frob'" allowed
	fake_refused load --file "$ko" cpus=65000 -- 'cpus'
	fake_refused load --file "$ko" mode -- KEY=VALUE
	is "$(calls)" ''
}

@test "load of what is no smtprio.ko asks nothing of the kernel" {
	fake_refused load --file /nonexistent/smtprio.ko -- nonexistent 'No such file'
	fake_refused load --file "$BATS_TEST_FILENAME" -- 'no module' smtprio.ko
	fake_refused load --file "$BATS_FILE_TMPDIR" -- allowed
	fake_refused load --file /dev/null -- allowed
	fake_refused load --file "$BATS_FILE_TMPDIR/other.ko" -- 'the module other'
	is "$(calls)" ''
}

@test "load where nothing is installed says how to install" {
	[[ -z $(find "/lib/modules/$(uname -r)" -name 'smtprio.ko*' 2>/dev/null) ]] ||
		skip 'smtprio is installed here'
	fake_refused load -- "$(uname -r)" 'not installed' 'make dkms-install'
	is "$(calls)" ''
}

@test "load explains the kernel's refusals" {
	while read -r err text; do
		FAKE_KMOD=$err fake_refused load --file "$ko" -- "$text"
	done <<-EOT
		1 root is needed
		2 lacks a symbol
		5 self-test
		8 no module for this kernel
		16 livepatch
		22 Invalid argument
		95 no SMT support
	EOT
}

@test "load without a signature that the kernel trusts has an exit status of its own" {
	make_ko "$BATS_TEST_TMPDIR/smtprio.ko" smtprio "$(uname -r)"
	for err in 126 129; do
		FAKE_KMOD=$err ctl_fake load --file "$ko"
		expect_message 65 'only signed modules' 'make sign KEY='
	done
	FAKE_KMOD=74 ctl_fake load --file "$ko"
	expect_message 65 broken 'make sign KEY='
	# A signed one, as sign-file leaves it: the signer is told, and what to type then.
	openssl req -new -x509 -nodes -days 2 -newkey rsa:2048 -subj '/CN=Tester' \
		-keyout "$BATS_TEST_TMPDIR/key" -out "$BATS_TEST_TMPDIR/cert" 2>/dev/null
	sign=$(find /usr/lib/linux-kbuild-*/scripts /usr/src/*/scripts -name sign-file 2>/dev/null | head -n 1)
	[[ -n $sign ]] || skip 'no sign-file here'
	"$sign" sha256 "$BATS_TEST_TMPDIR/key" "$BATS_TEST_TMPDIR/cert" "$BATS_TEST_TMPDIR/smtprio.ko"
	FAKE_KMOD=129 ctl_fake load --file "$BATS_TEST_TMPDIR/smtprio.ko"
	expect_message 65 "key of 'Tester'" 'mokutil --import'
}

@test "load of a module built for another kernel names both" {
	FAKE_KMOD=8 fake_refused load --file "$BATS_FILE_TMPDIR/old.ko" -- \
		6.1.0-1-amd64 "$(uname -r)" 'build it again'
}

@test "load when loaded: 0 without parameters, else 1 and set is named" {
	export FAKE_LOADED=1
	ctl_fake load
	expect_status 0
	has "$output" 'loaded already'
	ctl_fake load --json
	expect_status 0
	json_is . '{"loaded":true}'
	fake_refused load mode=off -- 'loaded already' 'smtprioctl set'
	is "$(calls)" ''
}

@test "load that loses a race is the same" {
	FAKE_KMOD=17 ctl_fake load --file "$ko"
	expect_status 0
	has "$output" 'loaded already'
	FAKE_KMOD=17 fake_refused load --file "$ko" mode=off -- 'smtprioctl set'
}

@test "unload" {
	FAKE_LOADED=1 ctl_fake unload
	expect_status 0
	is "$output" ''
	is "$(calls)" remove
	FAKE_LOADED=1 ctl_fake unload --json
	json_is . '{"loaded":false}'
}

@test "unload when not loaded" {
	fake_refused unload -- 'not loaded'
	is "$(calls)" ''
}

@test "unload waits for a busy module, and then gives up" {
	export FAKE_LOADED=1
	FAKE_KMOD=11 fake_refused unload -- 'in use'
	[[ $(calls | wc -l) -gt 10 ]]
	FAKE_KMOD=1 fake_refused unload -- 'root is needed'
}

@test "unload of a module that another unloads is done" {
	FAKE_LOADED=1 FAKE_KMOD=2 ctl_fake unload
	expect_status 0
}
