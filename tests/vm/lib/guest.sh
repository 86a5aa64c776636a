# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Guests: what a test's header asks for, and QEMU.

# Where the guest scripts are; -d says another folder.
TESTS_DIR=$VM_DIR/tests
GUEST_TIMEOUT=300	# seconds, where the header names no other

test_names() {
	find "$TESTS_DIR" -maxdepth 1 -name '*.sh' -printf '%f\n' | sed 's/\.sh$//' | sort
}

# test_guests TEST: one guest a line, "LABEL<tab>KERNELS<tab>SMP<tab>MEM<tab>TIMEOUT<tab>ACCEL<tab>APPEND"; KERNELS
# may be "all". ACCEL is tcg, or icount, where guest time is executed instructions.
test_guests() {
	local file=$TESTS_DIR/$1.sh line found=''

	while IFS= read -r line; do
		found=1
		guest_line "$1" "$line"
	done < <(sed -n 's/^# vm: *//p' "$file")
	[ -n "$found" ] || guest_line "$1" smt2
}

guest_line() {
	local test=$1 line=$2 label word kernels=all smp=8,sockets=1,cores=4,threads=2 mem=1G timeout=$GUEST_TIMEOUT accel=tcg append='-'

	if [[ $line =~ ^(.*)append=\"([^\"]*)\"(.*)$ ]]; then
		append=${BASH_REMATCH[2]}
		line="${BASH_REMATCH[1]} ${BASH_REMATCH[3]}"
	fi
	read -r label line <<<"$line"
	[[ $label =~ ^[a-z0-9-]+$ ]] || die "tests/$test.sh: '$label' is no label (small letters, digits, -)"
	for word in $line; do
		case $word in
		smp=?*)		smp=${word#*=} ;;
		kernels=?*)	kernels=${word#*=} ;;
		mem=?*)		mem=${word#*=} ;;
		timeout=[0-9]*)	timeout=${word#*=} ;;
		icount)		accel=icount ;;
		*)		die "tests/$test.sh: '$word' is not one of smp= kernels= mem= timeout= icount append=\"\"" ;;
		esac
	done
	for word in ${kernels//,/ }; do
		[ "$word" = all ] || kernel_names | grep -qxF "$word" ||
			die "tests/$test.sh: no kernel '$word' in the file kernels"
	done
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$label" "$kernels" "$smp" "$mem" "$timeout" "$accel" "$append"
}

# guest_exec WORK KERNEL TEST LABEL SMP MEM TIMEOUT ACCEL APPEND: becomes QEMU. Call it in the background.
# Console and results are WORK/KERNEL-TEST-LABEL.log and .results.
guest_exec() {
	local work=$1 kernel=$2 test=$3 label=$4 smp=$5 mem=$6 timeout=$7 accel=$8 append=$9
	local log=$kernel-$test-$label machine

	# Emulation is the same everywhere and needs nothing of the host; KVM only for who asks for it.
	case $accel/${SMTPRIO_ACCEL:-} in
	icount/*)	machine=(-accel "tcg,thread=single" -icount "shift=0,sleep=off") ;;
	*/kvm)		machine=(-accel kvm) ;;
	*)		machine=(-accel "tcg,thread=multi") ;;
	esac
	[ "$append" != - ] || append=
	# SMT needs an Intel vendor string. Should this shell be killed, QEMU must not stay behind.
	exec setpriv --pdeathsig TERM timeout -k 5 "$timeout" setpriv --pdeathsig KILL \
		"$VM_DIR/lib/in-trixie" -b "$work:work" \
		qemu-system-x86_64 "${machine[@]}" -cpu max,vendor=GenuineIntel -smp "$smp" -m "$mem" \
		-nodefaults -nographic -no-reboot \
		-serial "file:/mnt/work/$log.log" -serial "file:/mnt/work/$log.results" \
		-kernel "/mnt/work/$kernel.vmlinuz" -initrd "/mnt/work/$kernel.cpio" \
		-append "console=ttyS0,115200 panic=-1 loglevel=8 VM_KERNEL=$kernel VM_TEST=$test VM_LABEL=$label $append" \
		</dev/null >"$work/$log.qemu" 2>&1 9>&-
}
