# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 kernels=amd64 smp=8,sockets=1,cores=4,threads=2 numbering=near
#
# Packing where the kernel packs between cores, too (ITMT: some cores clock higher): the order of the cores stays as it was, and within
# each core the preferred thread comes first.

. /tests/lib.sh

PRIORITIES=10,10,40,40,20,20,30,30

asym()
{
	cat /sys/module/itmt/parameters/asym
}

# order THREAD: the cores by the priorities of their threads THREAD, highest first
order()
{
	local core priorities

	priorities=$(asym)
	for core in 0 1 2 3; do
		echo "$(echo "$priorities" | cut -d ' ' -f $(($(thread $core "$1") + 1))) $core"
	done | sort -rn | awk '{ printf "%s%s", $2, NR < 4 ? " " : "\n" }'
}

# preferred: how many cores have a first thread with a higher priority than the other one
preferred()
{
	asym | awk '{ for (i = 1; i < NF; i += 2) n += $i > $(i + 1); print n + 0 }'
}

must "ITMT is on" insmod /modules/itmt.ko priorities=$PRIORITIES
echo "# stock: $(asym)"
stock=$(order 0)
is "the kernel's order of cores" "$stock" "1 3 2 0"

must "the module loads" load packing=1
is "packing is active" "$(knob hooks/packing/active)" 1
echo "# packing: $(asym)"
is "packing: the order of cores" "$(order 0)" "$stock"
is "packing: the order of cores by their other threads" "$(order 1)" "$stock"
is "packing: the preferred thread comes first in all cores" "$(preferred)" 4

must "the other thread is preferred" knob priority_source reverse
echo "# reversed: $(asym)"
is "reversed: the order of cores" "$(order 0)" "$stock"
is "reversed: the preferred thread comes first in no core" "$(preferred)" 0

check "unload" unload
echo "# unloaded: $(asym)"
is "unloaded: the order of cores" "$(order 0)" "$stock"
check "the test module goes" rmmod itmt
finish
