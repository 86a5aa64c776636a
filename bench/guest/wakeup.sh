# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 icount timeout=900
# vm: smt4 smp=16,sockets=1,cores=4,threads=4 icount timeout=900
# vm: smt8 smp=24,sockets=1,cores=3,threads=8 icount timeout=900
# vm: cpus32 smp=32,sockets=1,cores=16,threads=2 icount timeout=1800
#
# Instructions a wakeup round trip, in these states of the module:
#
#	unloaded, low	not loaded; the kernel's choice is the best thread of its core, or the other
#	off		loaded in mode off
#	accounted	the same with account=1: a round trip has four switches to or from idle, and interrupts
#	passing_WAY	enforce, the kernel's choice has no better thread
#	deciding_WAY	the choice has a better thread, it is idle, and is taken: in observe, so that the next round
#			is alike
#
# States take turns, each turn beginning with another one, and before each the module is loaded anew (and unloaded again
# for "not loaded"): what came before is alike for all, and a slow change of the guest touches all of them. The hook of idle
# load balancing, which is no part of a wakeup, is off.

. /tests/lib.sh

ROUNDS=2000
TURNS=5

waker=$(thread 0 0)
best=$(thread 1 0)
other=$(thread 2 0)
low=$(last_thread 1)

load attach=direct && WAYS="direct ftrace" || WAYS=ftrace
unload
states="unloaded low off accounted"
for way in $WAYS; do states="$states passing_$way deciding_$way"; done

# round_trip CPU MASK: prints instructions a round; the sleeper stays on CPU
round_trip()
{
	out=$(pingpong $ROUNDS "$waker" "$1" "$2")
	[ "$(field last "$out")" -ge $((ROUNDS - ROUNDS / 100)) ] || echo "# the sleeper moved: $out" >&2
	field p50 "$out"
}

# measure STATE: one turn
measure()
{
	if loaded; then unload; fi
	case $1 in
	unloaded | low)
		load mode=off
		unload
		;;
	off)	load mode=off ;;
	accounted)	load mode=off account=1 ;;
	passing_*)	load mode=enforce ilb=0 attach="${1#*_}" ;;
	deciding_*)	load mode=observe ilb=0 attach="${1#*_}" ;;
	esac
	# What loading and attaching leave to be done later (RCU tasks, freeing) is done then.
	sleep 2
	case $1 in
	low | deciding_*)	round_trip "$low" "$low,$best" ;;
	*)			round_trip "$best" "$best,$other" ;;
	esac
}

for _ in $(seq $TURNS); do
	for state in $states; do
		measure "$state" >>"/tmp/$state"
	done
	states="${states#* } ${states%% *}"
done

# What was seen last is in bench/wakeup.json: bench/table --worse.

# compare STATE BASE: figures of the median, its difference to BASE's, and the spread
compare()
{
	got=$(median <"/tmp/$1")
	base=$(median <"/tmp/$2")
	figure "$1_instructions" "$got"
	figure "$1_spread" $(($(sort -n "/tmp/$1" | tail -n 1) - $(sort -n "/tmp/$1" | head -n 1)))
	figure "$1_added" $((got - base))
	echo "# $1: $(xargs <"/tmp/$1")"
}

compare unloaded unloaded
compare low low
compare off unloaded
compare accounted off
for way in $WAYS; do
	compare "passing_$way" unloaded
	compare "deciding_$way" low
done

# The hook is not attached, so nothing can be added; what is left is the guest's own noise.
loaded || load
knob mode off
is "off: the hook is detached" "$(hooked select_task_rq_fair)" none
finish
