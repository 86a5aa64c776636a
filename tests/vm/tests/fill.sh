# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt4 smp=16,sockets=1,cores=4,threads=4 kernels=6.12-amd64 timeout=300
#
# Which threads of the cores are used as hogs that sleep now and then grow from
# one a core to one a thread: thread 0 of every core first, then 1, then 2, 3.

. /tests/lib.sh

SECONDS_EACH=4
# Thousandths that have to be where they should. The rest is the kernel's: it
# spreads the hogs over the cores, now and then one too many on one of them, and
# a hog stays where it runs until it sleeps.
LEAST=850

cores=$(nr_cores)
threads=$(core 0 | wc -w)

# fill_in STATE N: prints a row of the table, sets $out
fill_in()
{
	local row part i last value

	out=$(fill "$2" $SECONDS_EACH)
	row=$(printf '%-9s %5d |' "$1" "$2")
	for part in level core; do
		last=$((cores - 1))
		[ $part = level ] && last=$((threads - 1))
		for i in $(seq 0 $last); do
			value=$(field $part"$i" "$out")
			[ $part = level ] && figure "$1_$2_thread$i" "$value"
			row="$row $(printf '%5d' "$value")"
		done
		row="$row |"
	done
	value=$(field stray "$out")
	figure "$1_$2_stray" "$value"
	echo "# $row $(printf '%5d' "$value")"
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

echo "# thousandths of the running hogs seen on thread 0, 1, ... of all cores, on core 0, 1, ...,"
echo "# and on a thread with an earlier one of its core idle"
for state in off enforce; do
	must "module is $state" state $state
	for full in $(seq 1 "$threads"); do
		fill_in $state $((full * cores))
		# With a hog on every thread there is nothing left to choose.
		if [ $state = off ] || [ "$full" = "$threads" ]; then
			continue
		fi
		at_least "$((full * cores)) hogs: on the first $full threads of every core" \
			"$(seen_below "$full")" $LEAST
	done
done

finish
