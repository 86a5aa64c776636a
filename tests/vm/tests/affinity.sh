# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 quick=6.1-amd64,7.3-amd64 timeout=400
#
# A woken task never runs on a CPU outside its mask, while masks flip.

. /tests/lib.sh

# flips STATE KIND WAKEUPS
flips()
{
	loaded && reset_stats
	out=$(affinity "$2" "$3" "$(cat /sys/devices/system/cpu/online)")
	echo "# $1 $2: $out"
	figure "$1_$2_wakeups" "$(field wakeups "$out")"
	figure "$1_$2_unsure" "$(field unsure "$out")"
	is "$1 $2: all wakeups done" "$(field wakeups "$out")" "$3"
	figure "$1_$2_flips" "$(field flips "$out")"
	at_least "$1 $2: masks flipped meanwhile" "$(field flips "$out")" $(($3 / 4))
	is "$1 $2: never outside the mask" "$(field violations "$out")" 0
	at_most "$1 $2: few looks that prove nothing" "$(field unsure "$out")" $(($3 / 4))
	if [ "$1" = enforce ]; then
		figure "$1_$2_redirected" "$(counter wake_redirected)"
		at_least "$1 $2: wakeups were redirected meanwhile" "$(counter wake_redirected)" $(($3 / 100))
	fi
}

must "module is unloaded" state unloaded
flips unloaded steady 5000
flips unloaded racing 5000
must "module is enforce" state enforce
flips enforce steady "$(form 20000 100000)"
flips enforce racing "$(form 20000 100000)"

finish
