# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# shellcheck disable=SC2046,SC2086,SC2154 # words are wanted; placements.sh sets variables
# vm: smt2 busy quick=6.1-amd64,6.12-amd64 kernels=amd64 smp=8,sockets=1,cores=4,threads=2 timeout=400
# vm: smt4 busy kernels=6.12-amd64 quick=none smp=16,sockets=1,cores=4,threads=4 timeout=400
# vm: capacity busy kernels=6.1-arm64,6.12-arm64 quick=none smp=8,sockets=1,cores=4,threads=2 capacity=1024,1024,512,1024 timeout=500
# vm: arm busy kernels=6.1-arm64 quick=none smp=8,sockets=1,cores=4,threads=2 numbering=far timeout=500
#
# idle_core: two hogs and a sleeper. The sleeper ran last beside a hog, its CPU is idle, and so the kernel lets it wake there
# though another core is fully idle.

. /tests/lib.sh
. /tests/placements.sh

ROUNDS=$(form 60 200)
MOST=$((ROUNDS * 95 / 100))

waker=$(thread 0 0)
last=$(last_thread 1)
whole=$(thread 3 0)

# sleep_beside CORES: where the sleeper goes that ran last beside the hog of core 1 and may use CORES
sleep_beside()
{
	local mask core

	mask=$(for core in $1; do core "$core"; done)
	loaded && reset_stats
	place wakes futex "$ROUNDS" "$whole" "$last" "$(join $mask)" "$waker"
	echo "$out" | grep -m 3 '^#'
	echo "# placed: $(echo "$placed" | sort -n | uniq -c | tr '\n' ' ')"
}

# stays TEXT CORES
stays()
{
	sleep_beside "$2"
	at_least "$1: stays" "$(placed_on "$last")" $MOST
}

# goes TEXT CORES CPU
goes()
{
	sleep_beside "$2"
	at_least "$1: goes to CPU $3" "$(placed_on "$3")" $MOST
}

placements_begin
case $VM_LABEL in
capacity)
	# Core 2 is idle, too, but small. 7.2 and later look for an idle core by themselves where capacities differ.
	cores="1 2 3"
	background hog "$(thread 1 0)"
	;;
*)
	cores="1 2 3"
	background hog "$(thread 1 0)" "$(thread 2 0)"
	;;
esac

stays "without the module" "$cores"
figure stock_shares "$(placed_on "$last")"
must "module is enforce" state enforce
is "off by default" "$(knob idle_core)" 0
stays "idle_core=0" "$cores"

check "idle_core=1 is taken" knob idle_core 1
goes "idle_core=1" "$cores" "$whole"
figure idle_core "$(placed_on "$whole")"
at_least "and is counted" "$(counter wake_idle_core)" $MOST
stays "no other core allowed" 1
at_least "searched in vain, but seldom" "$(counter idle_core_none)" 1
echo "# none $(counter idle_core_none), left out $(counter idle_core_skipped)"

if [ "$VM_LABEL" = capacity ]; then
	stays "only a smaller core idle" "1 2"
	goes "the larger one is found after that" "$cores" "$whole"
else
	stays "the other core is half busy" "1 2"
	goes "one thread of the idle core allowed" "1" "$last"
	second=$(last_thread 3)
	place wakes futex "$ROUNDS" "$second" "$last" "$(join $(core 1)),$second" "$waker"
	at_least "only the second thread of the idle core allowed: goes there" "$(placed_on "$second")" $MOST
fi

knob cpus "$(join $(core 0) $(core 1) $(core 2))"
stays "the idle core is outside cpus" "$cores"
knob cpus "$(join $(core 0) $(core 2) $(core 3))"
stays "the choice is outside cpus" "$cores"
knob cpus "$(cat /sys/devices/system/cpu/possible)"

knob wake 0
stays "wake=0" "$cores"
knob wake 1
knob mode observe
stays "observe" "$cores"
at_least "observe counts what it would do" "$(counter wake_idle_core_would)" $MOST
is "observe moves none" "$(counter wake_idle_core)" 0
knob mode enforce
goes "enforce again" "$cores" "$whole"

# Forks and execs go there, too, or the kernel sent them there by itself.
stop_children
background hog $(thread 0 0) $(thread 1 0) $(thread 2 0)
reset_stats
out=$(forks $(form 40 200) "$(join $(core 3))")
echo "$out" | tail -n 1 | sed 's/^/# /'
at_least "forks are on the idle core" "$(field fork "$out")" $(($(form 40 200) * 90 / 100))
stop_children

knob idle_core 0
background hog "$(thread 1 0)" "$(thread 2 0)"
stays "idle_core=0 again" "$cores"
if [ "$VM_LABEL" = arm ]; then
	check "a kernel without domains to read refuses node" refused knob node 1
	is "and it stays off" "$(knob node)" 0
fi
finish
