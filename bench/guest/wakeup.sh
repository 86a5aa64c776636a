# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 icount timeout=900
#
# Instructions a wakeup round trip, module not loaded, off, passing (the kernel's choice has no better thread) and deciding
# (the kernel's choice has a better thread, it is idle, and is taken: in observe, so that the next round is alike). States
# take turns, so that a slow change of the guest touches all of them.

. /tests/lib.sh

ROUNDS=4000
TURNS=5

waker=$(thread 0 0)
best=$(thread 1 0)
other=$(thread 2 0)
low=$(last_thread 1)

# round_trip CPU MASK: prints instructions a round; the sleeper stays on CPU
round_trip()
{
	out=$(pingpong $ROUNDS "$waker" "$1" "$2")
	[ "$(field last "$out")" -ge $((ROUNDS - ROUNDS / 100)) ] || echo "# the sleeper moved: $out" >&2
	field ns_per_round "$out"
}

# measure STATE: one turn
measure()
{
	case $1 in
	unloaded | off) round_trip "$best" "$best,$other" ;;
	passing)
		knob mode enforce
		round_trip "$best" "$best,$other"
		;;
	low) round_trip "$low" "$low,$best" ;;
	deciding)
		knob mode observe
		round_trip "$low" "$low,$best"
		;;
	esac
}

turns()
{
	for _ in $(seq $TURNS); do
		for state in "$@"; do
			if loaded; then knob mode off; fi
			measure "$state" >>"/tmp/$state"
		done
	done
}

# compare STATE BASE: figures of the difference of medians, and of the spread of each
compare()
{
	got=$(median <"/tmp/$1")
	base=$(median <"/tmp/$2")
	figure "$1_instructions" "$got"
	figure "$1_spread" $(($(sort -n "/tmp/$1" | tail -n 1) - $(sort -n "/tmp/$1" | head -n 1)))
	figure "$1_added" $((got - base))
}

measure unloaded >/dev/null	# what only happens once
turns unloaded low
check "the module loads" load mode=off
turns off low passing deciding
compare unloaded unloaded
compare low low
compare off unloaded
compare passing unloaded
compare deciding low

# The hook is not attached, so nothing can be added; what is left is the guest's own noise.
is "off: the hook is detached" "$(knob mode off; hooked select_task_rq_fair)" none
at_most "passing: instructions added to a wakeup" $(($(median </tmp/passing) - $(median </tmp/unloaded))) 110
finish
