# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # the caller has the array "machine"
# The machine of a guest: QEMU's arguments, and the tables that tell its kernel about the CPUs.

# machine_base ARCH: fills the array "machine" with the program and the machine's type, for the topology loaded (smp_load).
machine_base() {
	local cpu

	case $1 in
	amd64)
		# x86 SMT needs an Intel vendor string.
		cpu=max,vendor=GenuineIntel
		# With several dies there is CPUID leaf 0x1f, and QEMU 10.0 dies of an assertion when the firmware
		# reads it. Linux finds what shares a cache without it.
		[ "$T_DIES" -eq 1 ] || cpu+=,level=0x1e
		machine=(qemu-system-x86_64 -cpu "$cpu") ;;
	arm64)
		# A CPU that all kernels of the matrix know in full. "max" has the newest extensions: 6.1 does not
		# know some of them, and pointer authentication is slow to emulate.
		machine=(qemu-system-aarch64 -M "virt,gic-version=3" -cpu neoverse-n1) ;;
	esac
}

# machine_accel ARCH ACCEL: adds how its CPUs run. Emulation is the same everywhere and needs nothing of
# the host; KVM only for who asks for it, and only for the host's architecture.
machine_accel() {
	local kvm=${SMTPRIO_ACCEL:-}

	arch_native "$1" || kvm=
	case $2/$kvm in
	icount/*)	machine+=(-accel "tcg,thread=single" -icount "shift=0,sleep=off") ;;
	*/kvm)		machine+=(-accel kvm) ;;
	busy/*)		machine+=(-accel "tcg,thread=single" -icount "shift=2,sleep=off") ;;
	*)		machine+=(-accel "tcg,thread=single") ;;
	esac
}

# machine_numa MEM: makes each socket of the loaded topology a node with its share of the memory, in whole GiB or MiB.
machine_numa() {
	local node size=${1%[GM]}

	[[ $1 != *G ]] || size=$((size * 1024))
	for ((node = 0; node < T_SOCKETS; node++)); do
		machine+=(-object "memory-backend-ram,id=node$node,size=$((size / T_SOCKETS))M"
			-numa "node,nodeid=$node,memdev=node$node" -numa "cpu,node-id=$node,socket-id=$node")
	done
}

# machine_devices SMP MEM LOG: adds CPUs, memory, and the console and results in the guest's files.
machine_devices() {
	machine+=(-smp "$1" -m "$2" -nodefaults -nographic -no-reboot
		-serial "file:/mnt/work/$3.log" -serial "file:/mnt/work/$3.results")
}

# machine_tables ARCH WORK LOG INITRD NUMBERING CAPACITY: adds the initramfs, and the topology of the CPUs (smp_load)
# where QEMU's own description of it will not do.
machine_tables() {
	local arch=$1 work=$2 log=$3 initrd=$4 numbering=$5 capacity=$6 tables=$2/$3.tables

	case $arch/$numbering in
	amd64/far)
		mkdir -p "$tables/kernel/firmware/acpi"
		madt_far >"$tables/kernel/firmware/acpi/madt.aml"
		{ pack "$tables" && cat "$work/$initrd"; } >"$work/$log.cpio"
		initrd=$log.cpio ;;
	arm64/*)
		dts_cpus "$numbering" "$capacity" >"$work/$log.dts"
		# shellcheck disable=SC2016 # the inner shell expands them
		in_trixie -b "$work:work" sh -c '
			cd /mnt/work && log=$1 && shift &&
			"$@" -machine "dumpdtb=$log.dtb" && dtc -q -I dtb -O dts "$log.dtb" >"$log.all.dts" &&
			cat "$log.dts" >>"$log.all.dts" && dtc -q -I dts -O dtb -o "$log.dtb" "$log.all.dts"
			' sh "$log" "${machine[@]}" >/dev/null || return 1
		machine+=(-dtb "/mnt/work/$log.dtb") ;;
	esac
	machine+=(-initrd "/mnt/work/$initrd")
}

# machine_console ARCH: the kernel's name of the first serial line.
machine_console() {
	case $1 in
	amd64)	echo ttyS0 ;;
	arm64)	echo ttyAMA0 ;;
	esac
}
