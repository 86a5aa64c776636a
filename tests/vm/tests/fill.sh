# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 busy smp=8,sockets=1,cores=4,threads=2
# vm: smt4 busy smp=32,sockets=1,cores=8,threads=4 timeout=600 mem=2G quick=6.12-amd64
# vm: smt4-small busy smp=16,sockets=1,cores=4,threads=4 timeout=600 kernels=arm64 quick=7.3-arm64
# vm: smt8 busy smp=16,sockets=1,cores=2,threads=8 timeout=600 quick=6.12-amd64
#
# Which threads of the cores are used as hogs grow from one a core to one a thread: thread 0 of every core first, then 1, and so on.
# Hogs that sleep now and then are placed by their wakeups; hogs that never do, by the load balancer, with packing. How many of them a core
# gets is the kernel's choice, which may leave two on one core beside an idle one: with idle_core a wakeup ends that.

. /tests/lib.sh

SECONDS_EACH=$(form 2 5)
# Thousandths that have to be where they should; a hog stays where it runs until
# it sleeps, and those that sleep leave room before the others.
LEAST=850

cores=$(nr_cores)
threads=$(core 0 | wc -w)

# fill_in NAME N [spin]: prints a row of the table, sets $out
fill_in()
{
	local name=$1 n=$2 row part i last value

	shift 2
	out=$(fill "$n" "$SECONDS_EACH" "$@")
	row=$(printf '%-9s %3d |' "$name" "$n")
	for part in level core; do
		last=$((cores - 1))
		[ $part = level ] && last=$((threads - 1))
		for i in $(seq 0 $last); do
			value=$(field $part"$i" "$out")
			[ $part = level ] && figure "${name}_${n}_thread$i" "$value"
			row="$row $(printf '%4d' "$value")"
		done
		row="$row |"
	done
	value=$(field stray "$out")
	figure "${name}_${n}_stray" "$value"
	echo "# $row $(printf '%4d' "$value")"
}

# seen_below LEVELS: thousandths of the hogs on the first LEVELS threads
seen_below()
{
	local i sum=0

	for i in $(seq 0 $(($1 - 1))); do
		sum=$((sum + $(field level"$i" "$out")))
	done
	echo $sum
}

# levels STATE: numbers of hogs a core. With a hog on every thread there is nothing left to choose. Two hogs on two cores are as often as
# not on one of them, by the kernel's choice: what they show is that and not the threads.
levels()
{
	case $(form quick long)/$threads/$1 in
	quick/*/off) echo $((threads / 2)) ;;
	*/*/idle_core) echo 1 ;;
	quick/8/*) echo 2 4 ;;
	*/8/*) seq 2 7 ;;
	*) seq 1 $((threads - 1)) ;;
	esac
}

echo "# thousandths of the running hogs seen on thread 0, 1, ... of all cores, on core 0, 1, ...,"
echo "# and on a thread with an earlier one of its core idle"
for state in off enforce idle_core packing; do
	set --
	case $state in
	idle_core)
		must "idle_core" knob idle_core 1
		;;
	packing)
		must "idle_core off" knob idle_core 0
		must "packing" knob packing 1
		set -- spin
		;;
	*)
		must "module is $state" state $state
		;;
	esac
	for full in $(levels $state); do
		fill_in $state $((full * cores)) "$@"
		[ $state = off ] && continue
		at_most "$state, $((full * cores)) hogs: those with an earlier thread of the core idle" \
			"$(field stray "$out")" $((1000 - LEAST))
		[ $state = enforce ] ||
			at_least "$state, $((full * cores)) hogs: on the first $full threads of every core" \
				"$(seen_below "$full")" $LEAST
	done
done

finish
