# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# shellcheck disable=SC2154 # kicks.sh sets them
# vm: smt2 busy smp=8,sockets=1,cores=4,threads=2 timeout=300
#
# What the module changes on this kernel, as figures for tests/demo/run.

. /tests/lib.sh
. /tests/kicks.sh

ROUNDS=300

want=$(thread 1 0)
low=$(last_thread 1)
# shellcheck disable=SC2046 # words are wanted
mask=$(join $(core 1))

kicks_begin
for state in unloaded enforce; do
	must "module is $state" state $state
	for kind in futex pipe eventfd timer; do
		figure "${state}_$kind" "$(field want "$(wakes $kind $ROUNDS "$want" "$low" "$mask" "$(thread 3 0)")")"
	done
	out=$(forks $ROUNDS "$(level 0)")
	figure "${state}_fork" "$(field fork "$out")"
	figure "${state}_exec" "$(field exec "$out")"
	hogs "$last_core"
	trace_kicks
	stop_children
	figure "${state}_kicks" "$kicks"
	figure "${state}_kicks_on_idle_core" "$(kicks_on "$idle_core")"
done
kicks_end
finish
