# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# shellcheck disable=SC2154 # kicks.sh sets them
# vm: far busy smp=8,sockets=1,cores=4,threads=2 numbering=far timeout=600 quick=7.3-amd64,6.1-arm64
# vm: far-smt4 busy smp=16,sockets=1,cores=4,threads=4 numbering=far timeout=600 quick=6.12-amd64
#
# Siblings whose numbers are far apart (n, n + cores), as on Vera and most x86 servers: wakeups, forks, kicks of the idle load
# balancer and packing go to the lower number of the core, wherever its siblings are.

. /tests/lib.sh
. /tests/kicks.sh

ROUNDS=$(form 200 800)
LEAST=$((ROUNDS * 95 / 100))
HOGS=$(form 3 10)

cores=$(nr_cores)
first=$(thread 1 0)
last=$(last_thread 1)
# shellcheck disable=SC2046 # words are wanted
mask=$(join $(core 1))
waker=$(thread 3 0)

is "siblings are far apart" "$mask" "$(seq -s , 1 "$cores" "$(($(nproc) - 1))")"

for state in unloaded enforce; do
	must "module is $state" state $state
	out=$(wakes futex "$ROUNDS" "$first" "$last" "$mask" "$waker")
	figure "${state}_futex" "$(field want "$out")"
	case $state in
	unloaded) at_most "$state: the kernel's own answer stands" "$(field want "$out")" $((ROUNDS / 2)) ;;
	enforce) at_least "$state: wakeups on the preferred thread" "$(field want "$out")" $LEAST ;;
	esac
done

out=$(forks "$ROUNDS" "$(level 0)")
for kind in fork exec; do
	figure "enforce_$kind" "$(field $kind "$out")"
	at_least "enforce: first on a preferred thread after $kind, or moved afterwards" \
		$(($(field $kind "$out") + $(field balanced "$out"))) $LEAST
done

taskset -p "$(printf '%x' $((1 << $(thread 0 1))))" $$ >/dev/null
kicks_begin
hogs "$last_core"
trace_kicks
at_least "there are kicks" "$kicks" 50
# As in ilb.sh.
at_least "percent of them on the preferred thread of the idle core" "$(percent_on "$(thread "$last_core" 0)")" 85
stop_children
kicks_end

must "packing" knob packing 1
moves=0
for _ in $(seq "$HOGS"); do
	moves=$((moves + $(field moved "$(lone "$last" "$first" 3000)")))
done
is "packing: hogs that move to the preferred thread" $moves "$HOGS"
finish
