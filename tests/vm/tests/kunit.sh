# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 kernels=debug-amd64
#
# The suites in tests/kunit, each case a result; first alone, then beside the
# loaded module.

. /tests/lib.sh

RESULTS=/sys/kernel/debug/kunit

# cases SUITE: its results, "ok NAME" or "not ok NAME" a line, SKIP and why kept
cases()
{
	sed -nE 's/^    (not ok|ok) [0-9]+ (- )?/\1 /p' "$RESULTS/$1/results"
}

# planned SUITE: how many cases it says it has
planned()
{
	sed -n 's/^    1\.\.//p' "$RESULTS/$1/results"
}

suites()
{
	(cd $RESULTS && echo smtprio-*)
}

must "the suites' module loads" insmod /modules/smtprio-kunit.ko
total=0
for suite in $(suites); do
	cases "$suite" >/tmp/cases
	while read -r word rest; do
		case $word in
		ok)	ok "$suite: $rest" ;;
		*)	not_ok "$suite: ${rest#ok }" ;;
		esac
	done </tmp/cases
	grep '^not ok' /tmp/cases >/dev/null && sed 's/^/# /' "$RESULTS/$suite/results"
	is "$suite: all its cases ran" "$(wc -l </tmp/cases)" "$(planned "$suite")"
	total=$((total + $(wc -l </tmp/cases)))
done
figure cases $total
is "all suites are there" "$(suites | xargs)" \
	"smtprio-hooks smtprio-knobs smtprio-policy smtprio-priority smtprio-stats smtprio-symbols"
check "the suites' module unloads" rmmod smtprio_kunit
nothing_left "the suites"

must "smtprio loads" load
check "the suites' module loads beside it" insmod /modules/smtprio-kunit.ko
is "and nothing fails there" "$(for suite in $(suites); do cases "$suite"; done | grep -c '^not ok')" 0
is "and smtprio is as it was" "$(knob mode) $(knob hooks/wake/active)" "enforce 1"
check "the suites' module unloads again" rmmod smtprio_kunit
check "smtprio unloads" unload

finish
