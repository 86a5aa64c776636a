# SPDX-License-Identifier: GPL-2.0-or-later
# The files in contrib/ that load and set it at boot. (That make install puts them in place is in tests/dkms.)
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed

load common

boot=$BATS_TEST_DIRNAME/../../contrib/boot

setup() {
	make_tree "$BATS_TEST_TMPDIR/tree" 4 2
	tree=$BATS_TEST_TMPDIR/tree
}

# uncommented FILE: as its reader leaves it who wants all of it
uncommented() {
	sed -nE 's/^#([a-z[][^ ]* ?=? ?[^ ]*|[0-9][^ ]* = .*|options .*)$/\1/p' "$1"
}

# parameters: of the module, in the order of its table
parameters() {
	sed -n '/^#define SMTPRIO_KNOBS(X)/,/[^\\]$/p' "$BATS_TEST_DIRNAME/../../module/knobs.h" |
		sed -nE 's/^\tX\(([a-z_0-9]+),.*/\1/p'
	sed -nE 's/^module_param_named\(([a-z_]+),.*|^module_param(_cb)?\(([a-z_]+),.*/\1\3/p' \
		"$BATS_TEST_DIRNAME"/../../module/*.c
}

@test "modprobe.conf explains every parameter, and all it names is right" {
	options=$(sed -nE 's/^#options smtprio (.*)/\1/p' "$boot/modprobe.conf")
	has "$(parameters)" mode wake_site
	is "$(cut -d = -f 1 <<<"$options" | LC_ALL=C sort)" "$(parameters | LC_ALL=C sort)"
	# A line before each says what it is.
	is "$(grep -B1 '^#options' "$boot/modprobe.conf" | grep -c '^# ')" "$(wc -l <<<"$options")"
	# shellcheck disable=SC2046 # words are wanted
	ctl set $(grep -vE '^(attach|wake_site)=' <<<"$options")
	expect_status 0
	run ! grep -v '^#\|^$' "$boot/modprobe.conf"
}

@test "modules-load.conf is for those who ask for it" {
	run ! grep -v '^#' "$boot/modules-load.conf"
	grep -qx '#smtprio' "$boot/modules-load.conf"
}

@test "smtprio.conf is right as it is, and with each line that it offers" {
	put_file proc/cmdline ''
	cp "$boot/smtprio.conf" "$tree/etc.conf"
	before=$(tree_state)
	ctl apply /etc.conf
	expect_status 0
	is "$(tree_state)" "$before"
	uncommented "$boot/smtprio.conf" | sed 's/0-63/0-7/; s/0-31/0-3/; s/32-63/4-7/' >"$tree/all.conf"
	has "$(cat "$tree/all.conf")" profile mode idle_core cpus '[priority]' '0-3 = 10' '4-7 = 0'
	ctl_fake --sysroot "$tree" apply /all.conf
	expect_status 0
	is "$(knob mode) $(knob priority_source) $(knob cpu3/priority)" 'enforce custom 10'
}

@test "systemd takes the units" {
	command -v systemd-analyze >/dev/null || skip 'no systemd here'
	root=$BATS_TEST_TMPDIR/root
	mkdir -p "$root"/{usr/bin,sbin,etc/systemd/system,bin,var}
	for program in usr/bin/smtprioctl sbin/modprobe bin/sh; do
		printf '#!/bin/sh\n' >"$root/$program"
		chmod 755 "$root/$program"
	done
	cp "$boot/smtprio.service" "$boot"/../prometheus/*.{service,timer} "$root/etc/systemd/system/"
	cp -r /lib/systemd/system "$root/etc/systemd/system.stock"
	mkdir -p "$root/lib/systemd"
	mv "$root/etc/systemd/system.stock" "$root/lib/systemd/system"
	for unit in smtprio.service smtprio-prometheus.service smtprio-prometheus.timer; do
		run systemd-analyze verify --root="$root" --man=no "$root/etc/systemd/system/$unit"
		expect_status 0
		hasnt "$output" smtprio
	done
	# It would say so.
	sed -i 's/^Type=oneshot/Type=twoshot/' "$root/etc/systemd/system/smtprio.service"
	run systemd-analyze verify --root="$root" --man=no "$root/etc/systemd/system/smtprio.service"
	has "$output" smtprio.service twoshot
}
