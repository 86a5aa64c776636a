# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Guests: what a test's header asks for, and QEMU.

# Where the guest scripts are; -d says another folder.
TESTS_DIR=$VM_DIR/tests
# How long tests are, quick or long; -q says quick.
FORM=long
# Added to each guest's kernel command line, and to its time in seconds.
MORE_APPEND=
# shellcheck disable=SC2034 # tests/vm/run uses it
MORE_TIME=0
GUEST_TIMEOUT=300	# seconds, where the header names no other

test_names() {
	find "$TESTS_DIR" -maxdepth 1 -name '*.sh' -printf '%f\n' | sed 's/\.sh$//' | sort
}

# test_guests TEST: one guest a line, "LABEL<tab>KERNELS<tab>SMP<tab>MEM<tab>TIMEOUT<tab>ACCEL<tab>NUMBERING<tab>
# CAPACITY<tab>APPEND"; KERNELS has commas before, after and between, CAPACITY and APPEND may be "-". In the quick form
# KERNELS are only those that quick= names. ACCEL, with ",numa" when every socket is a node, is how CPUs are emulated:
# single	by one thread, CPU after CPU. The default: a thread each, and the host's scheduler keeps one CPU from running while
#		another waits for it (arm64 guests stood still in RCU callbacks), and a CPU may run what was translated from a
#		breakpoint after the kernel took it away ("Oops: int3" at a function just patched, once in some thousand patches).
# busy		by one thread, and guest time is executed instructions, 4 ns each: for tests with more than one CPU that is always
#		busy. "single" gives such a CPU up to 100 ms before the next one's turn, and ticks come that late.
# icount	the same with 1 ns each, for tests that measure instructions.
test_guests() {
	local file=$TESTS_DIR/$1.sh line found=''

	while IFS= read -r line; do
		found=1
		guest_line "$1" "$line"
	done < <(sed -n 's/^# vm: *//p' "$file")
	[ -n "$found" ] || guest_line "$1" smt2
}

guest_line() {
	local test=$1 line=$2 label word smp=8,sockets=1,cores=4,threads=2 mem=1G timeout=$GUEST_TIMEOUT accel=single
	local kernels=all quick=all numbering=near capacity='-' append='-' numa=''

	if [[ $line =~ ^(.*)append=\"([^\"]*)\"(.*)$ ]]; then
		append=${BASH_REMATCH[2]}
		line="${BASH_REMATCH[1]} ${BASH_REMATCH[3]}"
	fi
	read -r label line <<<"$line"
	[[ $label =~ ^[a-z0-9-]+$ ]] || die "tests/$test.sh: '$label' is no label (small letters, digits, -)"
	for word in $line; do
		case $word in
		smp=?*)		smp=${word#*=} ;;
		numbering=near | numbering=far) numbering=${word#*=} ;;
		capacity=?*)	capacity=${word#*=} ;;
		kernels=?*)	kernels=${word#*=} ;;
		quick=?*)	quick=${word#*=} ;;
		mem=?*)		mem=${word#*=} ;;
		timeout=[0-9]*)	timeout=${word#*=} ;;
		icount | busy) accel=$word ;;
		numa)		numa=,numa ;;
		*)		die "tests/$test.sh: '$word' is not one of smp= numbering=near|far capacity= kernels= quick= mem= timeout= icount busy numa append=\"\"" ;;
		esac
	done
	smp_load "$smp" || die "tests/$test.sh: smp=$smp is no topology, or its CPUs are not its cores' threads"
	kernels=$(guest_kernels "$test" "$kernels") || exit 1
	quick=$(guest_kernels "$test" "$quick") || exit 1
	[ "$capacity" = - ] || guest_capacity "$test" "$kernels" "$capacity" || exit 1
	[ -z "$numa" ] || ! grep -q arm64 <<<"$kernels" || die "tests/$test.sh: numa wants kernels=amd64"
	[ "$FORM" = long ] || kernels=$(grep -xF "$quick" <<<"$kernels")
	kernels=,$(paste -sd, <<<"$kernels"),
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$label" "$kernels" "$smp" "$mem" "$timeout" "$accel$numa" \
		"$numbering" "$capacity" "$append"
}

# guest_kernels TEST WORDS: names of kernels, one a line; WORDS, with commas between, are such names, architectures, all or none.
guest_kernels() {
	local word

	for word in ${2//,/ }; do
		case $word in
		all)	kernel_names ;;
		none)	;;
		*)	kernel_names | grep -xF "$word" || kernel_names "$word" | grep . ||
				die "tests/$1.sh: '$word' is no kernel in the file kernels, no architecture, not all or none" ;;
		esac
	done
}

# guest_capacity TEST KERNELS CAPACITY: fails unless it fits the kernels and the loaded topology.
guest_capacity() {
	local list kernel

	for kernel in $2; do
		kernel_row "$kernel"
		[ "$K_ARCH" = arm64 ] || die "tests/$1.sh: capacity= is in the device tree, so it wants kernels=arm64"
	done
	[[ $3 =~ ^[1-9][0-9]*(,[1-9][0-9]*)*$ ]] || die "tests/$1.sh: capacity=$3 is no list of numbers"
	IFS=, read -ra list <<<"$3"
	[ "${#list[@]}" -eq "$T_CPUS" ] || [ $((${#list[@]} * T_THREADS)) -eq "$T_CPUS" ] ||
		die "tests/$1.sh: capacity=$3 is neither one number for each core nor one for each CPU"
}

# guest_exec WORK KERNEL TEST GUEST: becomes QEMU; GUEST is the fields of test_guests. Call it in the background.
# Console and results are WORK/KERNEL-TEST-LABEL.log and .results.
guest_exec() {
	local work=$1 kernel=$2 test=$3 label=$4 smp=$6 mem=$7 timeout=$8 accel=$9 numbering=${10} capacity=${11} append=${12}
	local log=$kernel-$test-$label machine

	kernel_row "$kernel"
	smp_load "$smp"
	machine_base "$K_ARCH"
	machine_accel "$K_ARCH" "${accel%,numa}"
	[ "$accel" = "${accel%,numa}" ] || machine_numa "$mem"
	# What is a die on amd64 is a cluster on arm64.
	[ "$K_ARCH" != arm64 ] || smp=${smp/dies=/clusters=}
	machine_devices "$smp" "$mem" "$log"
	machine_tables "$K_ARCH" "$work" "$log" "$kernel.cpio" "$numbering" "$capacity" 2>"$work/$log.qemu" || exit 1
	[ "$append" != - ] || append=
	# An interrupt while the kernel works out what its first CPU can do makes KASAN with 5 levels of page
	# tables call good addresses wild.
	[ -z "$(compile_config)" ] || append+=" no5lvl"
	# The kernel's tests of its ciphers run beside what is tested, and keep two CPUs of a slow guest busy for ten seconds.
	append+=" cryptomgr.notests"
	# Should this shell be killed, QEMU must not stay behind.
	exec setpriv --pdeathsig TERM timeout -k 5 "$timeout" setpriv --pdeathsig KILL \
		"$VM_DIR/lib/in-trixie" -b "$work:work" \
		"${machine[@]}" -kernel "/mnt/work/$kernel.vmlinuz" \
		-append "console=$(machine_console "$K_ARCH"),115200 panic=-1 loglevel=8 VM_KERNEL=$kernel VM_TEST=$test VM_LABEL=$label VM_FORM=$FORM $append $MORE_APPEND" \
		</dev/null >"$work/$log.qemu" 2>&1 9>&-
}
