# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=2,sockets=1,cores=1,threads=2 kernels=6.1-amd64,6.12-amd64,7.2-amd64,7.3-amd64 quick=6.12-amd64 append="module.sig_enforce=1"
#
# A kernel that takes only signed modules refuses ours, which is not signed, before any of its code runs;
# the tool says so by its exit status and its message. That an enrolled key lets it load cannot be seen
# here: stock kernels trust keys built in, and those that shim hands over (MOK), which takes EFI.

. /tests/lib.sh

# The tool's tests have the number too.
UNTRUSTED=65

is "the kernel wants signatures" "$(cat /sys/module/module/parameters/sig_enforce)" Y
message=$(smtprioctl load --file "$KO" 2>&1)
is "the load ends with status" $? $UNTRUSTED
contains "it says why" "$message" "only signed modules"
contains "it says what to type" "$message" "make sign KEY="
is "it is one line" "$(echo "$message" | wc -l)" 1
nothing_left "refused"
contains "doctor knows it" "$(smtprioctl doctor --json)" '"text": "enforced; '
check "insmod is refused too" refused load
nothing_left "refused again"
finish
