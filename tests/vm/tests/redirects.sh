# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 timeout=600
# vm: smt4 smp=16,sockets=1,cores=4,threads=4 quick=6.12-amd64,7.3-arm64 timeout=400
#
# Where a task wakes up that may use a whole core and last ran on its least
# preferred thread, the core being idle.

. /tests/lib.sh

ROUNDS=$(form 400 800)
# Something else may run on the preferred thread just then, which the counters tell (wake_kept_busy): 10 of 400 were seen.
LEAST=$((ROUNDS * 95 / 100))
KINDS="futex pipe eventfd timer"
# With PREEMPT_RT a thread on the sleeper's own CPU ends its sleep, so that CPU is busy and the kernel itself takes the sibling.
case $VM_KERNEL in
*-rt-*) KINDS="futex pipe eventfd" ;;
esac

figure rounds "$ROUNDS"
want=$(thread 1 0)
last=$(last_thread 1)
# shellcheck disable=SC2046 # words are wanted
mask=$(join $(core 1))
waker=$(thread 3 0)

# wakes_in STATE KIND: sets $want_count
wakes_in()
{
	out=$(wakes "$2" "$ROUNDS" "$want" "$last" "$mask" "$waker")
	# Elsewhere a miss needs no reason.
	[ "$1" = enforce ] && echo "$out" | grep '^#'
	want_count=$(field want "$out")
	figure "$1_$2" "$want_count"
	is "$1 $2: every round ended" $((want_count + $(field last "$out") + $(field elsewhere "$out"))) "$ROUNDS"
}

stock_answer()
{
	at_most "$1 $2: the kernel's own answer stands" "$want_count" $((ROUNDS / 2))
}

for state in unloaded enforce observe off; do
	must "module is $state" state $state
	for kind in $KINDS; do
		loaded && reset_stats
		wakes_in $state "$kind"
		case $state in
		enforce)
			at_least "$state $kind: on the preferred sibling" "$want_count" $LEAST
			at_least "$state $kind: counted as redirected" "$(counter wake_redirected)" $LEAST
			is "$state $kind: none counted as would be" "$(counter wake_would)" 0
			;;
		observe)
			stock_answer $state "$kind"
			would=$(counter wake_would)
			figure "would_$kind" "$would"
			at_least "$state $kind: counted what enforce would do" "$would" $LEAST
			at_most "$state $kind: and little else" "$would" $((ROUNDS + ROUNDS / 4))
			is "$state $kind: none redirected" "$(counter wake_redirected)" 0
			;;
		off)
			stock_answer $state "$kind"
			is "$state $kind: nothing even seen" "$(counter wake_seen)" 0
			;;
		unloaded)
			stock_answer $state "$kind"
			;;
		esac
	done
done

case $VM_KERNEL in
6.1-arm64) want_stand_ins="nohz=tick_nohz_tick_stopped_cpu sd_llc=cpus_share_cache" ;;
*) want_stand_ins=none ;;
esac
is "what stands in for data without a symbol" "$(knob stand_ins)" "$want_stand_ins"

# The best thread may be busy: then it is the best of the idle ones.
threads=$(core 1 | wc -w)
if [ "$threads" -ge 4 ]; then
	state enforce
	# shellcheck disable=SC2046 # words are wanted
	background hog $(core 1 | cut -d ' ' -f 1-2)
	out=$(wakes futex "$ROUNDS" "$(thread 1 2)" "$last" "$mask" "$waker")
	echo "$out" | grep '^#'
	figure two_busy_third_thread "$(field want "$out")"
	at_least "two threads busy: on the best idle thread" "$(field want "$out")" $LEAST
fi

finish
