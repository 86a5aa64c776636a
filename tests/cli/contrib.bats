# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/tuned. (The Ansible role is tried in tests/packages, the units in boot.bats.)
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed

load common

profile=$BATS_TEST_DIRNAME/../../contrib/tuned/smtprio

setup() {
	export LOG=$BATS_TEST_TMPDIR/log SMTPRIO_CONF=/etc/my.conf
	mkdir "$BATS_TEST_TMPDIR/bin"
	for name in modprobe smtprioctl; do
		printf '#!/bin/sh\necho "%s $*" >>"$LOG"\n' "$name" >"$BATS_TEST_TMPDIR/bin/$name"
		chmod 755 "$BATS_TEST_TMPDIR/bin/$name"
	done
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

@test "the tuned profile is one, and names its script" {
	run python3 -c 'import configparser, sys
c = configparser.ConfigParser()
c.read(sys.argv[1])
print(c["main"]["include"], c["smtprio"]["type"], c["smtprio"]["script"])' "$profile/tuned.conf"
	is "$output" 'throughput-performance script ${i:PROFILE_DIR}/script.sh'
	[[ -x $profile/script.sh ]]
}

@test "tuned's script loads and applies, checks, and says what it takes" {
	"$profile/script.sh" start
	is "$(cat "$LOG")" $'modprobe -b smtprio\nsmtprioctl apply /etc/my.conf'
	rm "$LOG"
	"$profile/script.sh" verify
	has "$(cat "$LOG")" 'smtprioctl apply --check /etc/my.conf'
	run "$profile/script.sh" frob
	expect_status 1
	has "$output" start stop verify
	[[ ! -e /sys/kernel/smtprio ]] || skip 'smtprio is loaded here'
	rm "$LOG"
	"$profile/script.sh" stop full_rollback
	[[ ! -e $LOG ]]
}
