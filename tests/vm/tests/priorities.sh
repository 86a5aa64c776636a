# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 quick=6.1-amd64,7.3-amd64,6.1-arm64 timeout=300
#
# Priorities are live: whatever their source, the next wakeups follow them; ties change nothing; what is refused changes nothing.

. /tests/lib.sh

ROUNDS=200
LEAST=$((ROUNDS * 95 / 100))

first=$(thread 1 0)
second=$(thread 1 1)
# shellcheck disable=SC2046 # words are wanted
mask=$(join $(core 1))
waker=$(thread 3 0)

# follows TEXT WANT LAST: a sleeper on LAST wakes on WANT
follows()
{
	reset_stats
	out=$(wakes futex $ROUNDS "$2" "$3" "$mask" "$waker")
	at_least "$1: wakeups go to CPU $2" "$(field want "$out")" $LEAST
}

# stays TEXT CPU OTHER: a sleeper on CPU, the better one or one of a tie, is left there
stays()
{
	reset_stats
	out=$(wakes futex $ROUNDS "$3" "$2" "$mask" "$waker")
	at_least "$1: wakeups stay on CPU $2" "$(field last "$out")" $LEAST
}

# all: every CPU's priority, on one line
all()
{
	cat "$SYSFS"/cpu*/priority | tr '\n' ' '
}

# refuses TEXT FILE VALUE ERRNO: all priorities stay
refuses()
{
	was=$(all)
	out=$(put "$SYSFS/$2" "$3")
	is "$1: errno" "$(field error "$out")" "$4"
	is "$1: nothing changed" "$(all)" "$was"
}

must "module is enforce" state enforce
follows "number" "$first" "$second"
stays "number" "$first" "$second"
check "source reverse" knob priority_source reverse
follows "reverse" "$second" "$first"
stays "reverse" "$second" "$first"
check "source arch" knob priority_source arch
echo "# arch: CPU $first has $(knob "cpu$first/priority"), CPU $second $(knob "cpu$second/priority")"

knob priority_source number
refuses "a priority while the source is number" "cpu$first/priority" 5 1
refuses "priorities while the source is number" priorities "$first=5" 1
check "writing the present value" knob "cpu$first/priority" "$(knob "cpu$first/priority")"

check "source custom" knob priority_source custom
is "custom starts with the values in force" "$(knob "cpu$second/priority")" "-$second"
follows "custom, unchanged" "$first" "$second"

check "swapped in one write" knob priorities "$first=-$second $second=-$first"
follows "swapped" "$second" "$first"
check "ties everywhere" knob priorities "$(for cpu in $(seq 0 7); do echo "$cpu=7"; done | tr '\n' ' ')"
stays "tie" "$first" "$second"
stays "tie" "$second" "$first"
is "tie: none redirected" "$(counter wake_redirected)" 0

# Under load: the order turns round while wakeups go on; every wakeup is on one of the two.
storm >/tmp/storm &
storm=$!
for i in $(seq 200); do
	knob priorities "$first=$((i % 2)) $second=$(((i + 1) % 2))"
done
knob priorities "$first=1 $second=2"
kill $storm
wait $storm
follows "after 200 swaps under a storm" "$second" "$first"

refuses "not a number" "cpu$first/priority" high 22
refuses "too large" "cpu$first/priority" 2147483648 22
refuses "empty" "cpu$first/priority" "" 22
refuses "a list with a bad word" priorities "$first=3 $second" 22
refuses "a list with a bad value" priorities "$first=3 $second=99999999999" 22
refuses "a list with a CPU that is not there" priorities "$first=3 64=1" 22
refuses "a list with a negative CPU" priorities "$first=3 -1=1" 22
# The kernel hands on a page of it, which may end in the middle of a number.
# shellcheck disable=SC2046 # words are wanted
refuses "a list longer than a page" priorities "$(printf "$first=3 %.0s" $(seq 2000))" 22
refuses "an unknown source" priority_source best 22

# They are kept while a CPU is away.
echo 0 >"/sys/devices/system/cpu/cpu$second/online"
is "offline: still readable" "$(knob "cpu$second/priority")" 2
check "offline: still writable" knob "cpu$second/priority" 9
echo 1 >"/sys/devices/system/cpu/cpu$second/online"
is "online again: the value written" "$(knob "cpu$second/priority")" 9
follows "online again" "$second" "$first"
finish
