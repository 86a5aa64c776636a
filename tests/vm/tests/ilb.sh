# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# shellcheck disable=SC2154 # kicks.sh sets them
# vm: smt2 busy smp=8,sockets=1,cores=4,threads=2 timeout=600
# vm: nohzfull busy smp=8,sockets=1,cores=4,threads=2 append="nohz_full=6-7" quick=7.3-amd64 timeout=600
#
# Which CPU is kicked to balance for the idle ones, as the function tracer sees
# nohz_csd_func run, whatever the module says of itself.

. /tests/lib.sh
. /tests/kicks.sh

# Too few kicks would prove nothing.
KICKS=$(form 50 100)

# kicks_in STATE WHAT: kicks while the module is in STATE, with figures named WHAT
kicks_in()
{
	must "$2: module is $1" state "$1"
	trace_kicks
	echo "# $2 $1: $(echo "$kicked" | sort -n | uniq -c | awk '{ printf "CPU %d: %d  ", $2, $1 }')"
	figure "$2_$1_kicks" "$kicks"
	figure "$2_$1_percent_on_idle_core" "$(percent_on "$idle_core")"
	at_least "$2 $1: there are kicks" "$kicks" "$KICKS"
	is "$2 $1: kicks on busy CPUs" "$(kicks_on "$busy")" 0
	if [ "$1" = unloaded ]; then stock_first=$(percent_on "$(thread 0 1)"); fi
}

# first_idle TEXT: with no better choice there is, the kernel's own stands: the first idle CPU. That one has things to do now and
# then, so its share without the module is what to compare with.
first_idle()
{
	at_least "$1: percent on the first idle CPU" "$(percent_on "$(thread 0 1)")" $((stock_first - 10))
	at_least "$1: most are on the first idle CPU" "$(percent_on "$(thread 0 1)")" 60
}

# The shell too stays off the idle core.
taskset -p "$(printf '%x' $((1 << $(thread 0 1))))" $$ >/dev/null
kicks_begin

hogs "$last_core"
for state in unloaded observe enforce; do
	kicks_in $state one_idle
	case $VM_LABEL/$state in
	nohzfull/*)
		# The only idle core is not for housekeeping.
		is "one_idle $state: kicks outside housekeeping" "$(kicks_on "$idle_core")" 0
		[ $state = enforce ] && first_idle "one_idle $state"
		;;
	*/enforce)
		at_least "one_idle $state: percent on the idle core" "$(percent_on "$idle_core")" 95
		# It may still be at what the last kick gave it to do; then its sibling is the first idle CPU.
		at_least "one_idle $state: percent on its preferred thread" \
			"$(percent_on "$(thread "$last_core" 0)")" 85
		figure redirected "$(counter ilb_redirected)"
		is "one_idle $state: none counted as would be" "$(counter ilb_would)" 0
		;;
	*/observe)
		figure would "$(counter ilb_would)"
		is "one_idle $state: none redirected" "$(counter ilb_redirected)" 0
		;;
	esac
done
stop_children

if [ "$VM_LABEL" != nohzfull ]; then
	hogs $((last_core + 1))
	for state in unloaded enforce; do
		kicks_in $state all_half_busy
	done
	first_idle "all_half_busy enforce"
	stop_children

	hogs "$last_core"
	check "ilb is off" knob ilb 0
	is "ilb=0: the hook is gone" "$(hooked housekeeping_cpumask)" none
	is "ilb=0: and says so" "$(knob hooks/ilb/active)" 0
	is "ilb=0: the other hook stays" "$(knob hooks/wake/active)" 1
fi

kicks_end
finish
