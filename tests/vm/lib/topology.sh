# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Which CPU numbers a guest gives to the threads of its cores, what a CPU can do, and which share a cache: as a
# device tree on arm64, as an ACPI table on amd64. As on real machines, "near" numbering makes the threads
# of a core neighbours (0-1, 2-3), "far" counts first threads of all cores first (0,4, 1,5).

# smp_load SMP: reads QEMU's "CPUS[,sockets=N][,dies=N][,cores=N][,threads=N]" into T_CPUS T_SOCKETS T_DIES
# T_CORES (of one die) T_THREADS; T_DIES of them share a socket, each with a last-level cache of its own.
# Fails when it is no such thing.
smp_load() {
	local word cores=''

	T_CPUS='' T_SOCKETS=1 T_DIES=1 T_THREADS=1
	for word in ${1//,/ }; do
		[[ ${word#*=} =~ ^[1-9][0-9]?[0-9]?$ ]] || return 1
		case $word in
		[1-9]*)		T_CPUS=$word ;;
		sockets=*)	T_SOCKETS=${word#*=} ;;
		dies=*)		T_DIES=${word#*=} ;;
		cores=*)	cores=${word#*=} ;;
		threads=*)	T_THREADS=${word#*=} ;;
		*)		return 1 ;;
		esac
	done
	[ -n "$T_CPUS" ] || return 1
	T_CORES=${cores:-$((T_CPUS / (T_SOCKETS * T_DIES * T_THREADS)))}
	[ $((T_SOCKETS * T_DIES * T_CORES * T_THREADS)) -eq "$T_CPUS" ]
}

# cpu_number NUMBERING CORE THREAD: cores count through the whole machine.
cpu_number() {
	case $1 in
	near)	echo $(($2 * T_THREADS + $3)) ;;
	far)	echo $(($3 * (T_CPUS / T_THREADS) + $2)) ;;
	esac
}

# each_thread COMMAND...: COMMAND SOCKET DIE CORE THREAD, core and die counted within what they are in.
each_thread() {
	local socket die core thread

	for ((socket = 0; socket < T_SOCKETS; socket++)); do
		for ((die = 0; die < T_DIES; die++)); do
			for ((core = 0; core < T_CORES; core++)); do
				for ((thread = 0; thread < T_THREADS; thread++)); do
					"$@" "$socket" "$die" "$core" "$thread"
				done
			done
		done
	done
}

# --- arm64: device tree ---

# dts_cpus NUMBERING CAPACITY: source to add to QEMU's own device tree. QEMU describes no caches, and then
# Linux takes every CPU for a last-level cache domain of its own; so an L2 for each core and an L3
# for each die are added. CAPACITY is "-", or capacity-dmips-mhz of each core or of each CPU, with commas.
dts_cpus() {
	local capacities=()

	[ "$2" = - ] || IFS=, read -ra capacities <<<"$2"
	echo '/ { cpus { /delete-node/ cpu-map; }; };'
	echo '/ { cpus {'
	each_thread dts_thread "$1"
	echo '}; };'
}

dts_thread() {
	local numbering=$1 socket=$2 cluster=$3 core=$4 thread=$5 die nr cpu capacity place

	die=$((socket * T_DIES + cluster))
	nr=$((die * T_CORES + core))
	cpu=$(cpu_number "$numbering" "$nr" "$thread")
	place="cpu = <&{/cpus/cpu@$cpu}>;"
	[ "$T_THREADS" -eq 1 ] || place="thread$thread { $place };"
	if [ "${#capacities[@]}" -eq "$T_CPUS" ]; then
		capacity=${capacities[cpu]}
	else
		capacity=${capacities[nr]:-}
	fi
	echo "cpu-map { socket$socket { cluster$cluster { core$core { $place }; }; }; };"
	echo "cpu@$cpu { next-level-cache = <&l2_$nr>; ${capacity:+capacity-dmips-mhz = <$capacity>;} };"
	[ "$thread" -gt 0 ] || dts_cache 2 "l2_$nr" "next-level-cache = <&l3_$die>;"
	[ "$thread$core" != 00 ] || dts_cache 3 "l3_$die" ""
}

# dts_cache LEVEL LABEL PROPERTIES
dts_cache() {
	echo "$2: $2 { compatible = \"cache\"; cache-level = <$1>; cache-unified; $3 };"
}

# --- amd64: the ACPI table that lists the CPUs (MADT) ---

# bits N: how many it takes to number N things.
bits() {
	local n=0

	while [ $((1 << n)) -lt "$1" ]; do
		n=$((n + 1))
	done
	echo "$n"
}

# bytes COUNT VALUE: little endian, as words.
bytes() {
	local i

	for ((i = 0; i < $1; i++)); do
		printf '%d ' $((($2 >> (8 * i)) & 255))
	done
}

text_bytes() {
	printf %s "$1" | od -An -v -tu1 | tr -d '\n'
	printf ' '
}

# madt_cpu SOCKET DIE CORE THREAD: "NUMBER APIC_ID" of a thread.
madt_cpu() {
	local id=$1

	id=$((id << $(bits "$T_DIES") | $2))
	id=$((id << $(bits "$T_CORES") | $3))
	id=$((id << $(bits "$T_THREADS") | $4))
	echo "$(cpu_number far $((($1 * T_DIES + $2) * T_CORES + $3)) "$4") $id"
}

# madt_far: the table as QEMU's "pc" machine has it, but with first threads of all cores first, which is the
# order that Linux numbers CPUs in. Linux takes it from the initramfs in place of the firmware's, as it is
# of a higher revision.
madt_far() {
	local body table id irq uid=-1 sum=0 byte
	local -A uids=()

	# The processors' names (UID) stay what they are: QEMU counts them in the order of APIC ids.
	for id in $(each_thread madt_cpu | cut -d ' ' -f 2); do
		uid=$((uid + 1))
		uids[$id]=$uid
	done
	body=$(
		bytes 4 $((0xfee00000)); bytes 4 1			# local APICs' address; there are PICs
		for id in $(each_thread madt_cpu | sort -n | cut -d ' ' -f 2); do
			echo "0 8 ${uids[$id]} $id $(bytes 4 1)"	# local APIC
		done
		echo "1 12 0 0 $(bytes 4 $((0xfec00000))) $(bytes 4 0)"	# I/O APIC
		echo "2 10 0 0 $(bytes 4 2) $(bytes 2 0)"		# the timer's interrupt 0 is its line 2
		for irq in 5 9 10 11; do				# PCI: level, active high
			echo "2 10 0 $irq $(bytes 4 "$irq") $(bytes 2 13)"
		done
		echo "4 6 255 $(bytes 2 0) 1"				# NMI of all CPUs: LINT1
	)
	# shellcheck disable=SC2086 # numbers are words
	set -- $body
	table="$(text_bytes APIC) $(bytes 4 $(($# + 36))) 3 SUM $(text_bytes 'BOCHS BXPC    ') $(bytes 4 2) $(text_bytes BXPC) $(bytes 4 1) $body"
	for byte in ${table/SUM/}; do
		sum=$((sum + byte))
	done
	for byte in ${table/SUM/$((-sum & 255))}; do
		# shellcheck disable=SC2059 # an escape it is
		printf "\\x$(printf %x "$byte")"
	done
}
