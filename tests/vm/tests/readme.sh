# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 quick=6.12-amd64
#
# Every command of README's "Use" does what a reader expects: it succeeds.

. /tests/lib.sh

# As DKMS leaves it, for modprobe.
installed=/lib/modules/$(uname -r)/updates/dkms
mkdir -p "$installed"
cp "$KO" "$installed/"
must "depmod" depmod
must "modprobe smtprio" modprobe smtprio
is "mode" "$(knob mode)" enforce

# shellcheck disable=SC2016 # a fence of Markdown
commands=$(sed -n '/^```sh guest$/,/^```$/p' /README.md | grep -v '^```')
at_least "README has commands" "$(echo "$commands" | grep -c .)" 10
while read -r command; do
	# shellcheck disable=SC2086 # words are wanted
	check "$command" $command
done <<-EOT
	$commands
EOT
nothing_left "after the last command"
finish
