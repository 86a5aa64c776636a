# SPDX-License-Identifier: GPL-2.0-or-later
# doctor: over what stock Debian kernels really show (recorded/), and with
# single things spoilt.
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

kernels='6.1-amd64 6.12-amd64 7.2-amd64 7.3-amd64 6.1-arm64 6.12-arm64 7.2-arm64 7.3-arm64'

setup_file() {
	for kernel in $kernels; do
		make_tree "$BATS_FILE_TMPDIR/$kernel" 4 2
		rm -r "$BATS_FILE_TMPDIR/$kernel/sys/kernel/smtprio"
		unpack_recorded "$BATS_TEST_DIRNAME/recorded/$kernel" \
			"$BATS_FILE_TMPDIR/$kernel"
	done
}

# Most tests start from a healthy 6.12.
setup() {
	use_tree 6.12-amd64
	release=$(get_file proc/sys/kernel/osrelease)
}

# edit FILE SED-PROGRAM; one that changes nothing is a mistake of the test
edit() {
	local before

	before=$(cksum <"$tree/$1")
	sed -i "$2" "$tree/$1"
	[[ $(cksum <"$tree/$1") != "$before" ]]
}

symbols() {
	edit proc/kallsyms "$1"
}

config() {
	edit "boot/config-$release" "$1"
}

# check NAME RESULT [PART...]: that row says so
check() {
	local row want="$1: $2: "

	row=$(jq -r --arg name "$1" '.checks[] | select(.check == $name) |
		"\(.check): \(.result): \(.text)"' <<<"$output")
	is "${row:0:${#want}}" "$want"
	shift 2
	has "${row:${#want}}" "$@"
}

# works: and says so
works() {
	ctl doctor --json
	expect_status 0
	is "$stderr" ''
	has "$(jq -r '"\(.works) \(.verdict)"' <<<"$output")" 'true smtprio would work here: wake by select_task_rq_fair, ilb by housekeeping_cpumask in ' "$@"
}

# fails CHECK PART...: because of that check alone
fails() {
	ctl doctor --json
	expect_status 1
	is "$stderr" ''
	has "$(jq -r '"\(.works) \(.verdict)"' <<<"$output")" \
		"false smtprio would not work here: $1: " "${@:2}"
	json_is '[.checks[] | select(.result == "FAIL") | .check]' "[\"$1\"]"
}

@test "stock kernels work, through the caller each of them has" {
	for kernel in $kernels; do
		rm -r "$tree"
		use_tree "$kernel"
		case $kernel in
		6.1-*) caller=trigger_load_balance ;;
		*) caller=sched_balance_trigger ;;
		esac
		works "in $caller"
		check kernel ok "${kernel%-*}."
		check machine ok "${kernel#*-}"
		check config ok
		check symbols ok
		check 'ilb callers' ok "$caller"
		case $kernel in
		# The one without KALLSYMS_ALL.
		6.1-arm64) check 'idle mask' warn 'stopped_cpu stands in' ;;
		*) check 'idle mask' ok ;;
		esac
		check 'arch source' ok
		check packing ok
		check ftrace ok select_task_rq_fair housekeeping_cpumask
		check ftrace_enabled ok
		check owner ok
		check SMT ok '4 cores, 4 of them with up to 2 threads'
	done
}

@test "doctor for humans fits 80 columns and ends with the verdict" {
	ctl doctor
	expect_status 0
	expect_80_columns
	has "$output" CHECK RESULT 'smtprio would work here: wake by select_task_rq_fair'
	symbols '/ select_task_rq_fair/d; / idle_cpu/d; / cpus_share/d; / ftrace_loc/d'
	config 's/_SMT=y/_SMT=n/; s/_KPROBES=y/_KPROBES=n/'
	ctl doctor
	expect_status 1
	expect_80_columns
	grep -q '^symbols *FAIL' <<<"$output"
	grep -q '^config *FAIL' <<<"$output"
	# Words broken over lines come together again.
	has "$(tr -s ' \n' ' ' <<<"$output")" 'would not work here: config: not set: CONFIG_KPROBES, CONFIG_SCHED_SMT'
}

@test "doctor writes nothing" {
	before=$(tree_state)
	ctl doctor
	is "$(tree_state)" "$before"
}

@test "kernel versions" {
	for version in 6.1.0-1 6.99.3 7.0 7.3.99-foo; do
		put_file proc/sys/kernel/osrelease $version
		ctl doctor --json
		check kernel ok $version
	done
	for version in 5.10.0-1 6.0.19 7.4.0-1 8.0 60.1; do
		put_file proc/sys/kernel/osrelease $version
		ctl doctor --json
		check kernel warn $version untested '6.1 to 7.3'
	done
	put_file proc/sys/kernel/osrelease strange
	ctl doctor --json
	check kernel unknown
}

@test "each function the module needs, when missing, is named" {
	needed=$(required_functions)
	has "$needed" kallsyms_lookup_name idle_cpu
	for name in select_task_rq_fair housekeeping_cpumask $needed; do
		rm -r "$tree"
		use_tree 6.12-amd64
		symbols "/ $name\$/d"
		fails symbols "missing: $name;"
	done
}

@test "sd_llc, or cpus_share_cache where that can stand in" {
	for kernel in $kernels; do
		rm -r "$tree"
		use_tree "$kernel"
		if [[ $kernel != 6.1-arm64 ]]; then
			symbols '/ cpus_share_cache$/d'
			works
			check symbols ok
			rm -r "$tree"
			use_tree "$kernel"
			symbols '/ sd_llc$/d'
		fi
		case $kernel in
		6.*)
			works
			check symbols ok
			symbols '/ cpus_share_cache$/d'
			fails symbols 'missing: sd_llc or cpus_share_cache;' ;;
		*)
			fails symbols 'missing: sd_llc (KALLSYMS_ALL off?);' ;;
		esac
	done
}

@test "packing needs functions that nothing else does" {
	for name in x86_smt_flags arch_update_cpu_topology \
		rebuild_sched_domains arch_asym_cpu_priority; do
		rm -r "$tree"
		use_tree 6.12-amd64
		# Up to 6.12 either of the two would do.
		symbols "/ $name\$/d; / cpu_smt_flags\$/d"
		works
		case $name in
		x86_smt_flags) missing="$name or cpu_smt_flags" ;;
		arch_update*) missing="$name or topology_update_cpu_topology" ;;
		*) missing=$name ;;
		esac
		check packing warn "missing: $missing;" 'packing=1 is refused'
	done
	symbols '/ arch_update_cpu_topology$/d; / rebuild_sched_domains$/d'
	ctl doctor
	expect_80_columns
	has "$(tr -s ' \n' ' ' <<<"$output")" 'missing: arch_asym_cpu_priority, arch_update_cpu_topology or topology_update_cpu_topology, rebuild_sched_domains;'
}

@test "packing by either name of a function" {
	symbols 's/ x86_smt_flags$/ cpu_smt_flags/; s/ arch_update_cpu_topology$/ topology_update_cpu_topology/'
	works
	check packing ok
	symbols 's/ cpu_smt_flags$/&.isra.0/'
	works
	check packing warn 'x86_smt_flags or cpu_smt_flags'
}

@test "only exact names count: not clones, data, modules or prefixes" {
	symbols 's/ select_task_rq_fair$/&.isra.0/'
	fails symbols 'select_task_rq_fair (only the clone select_task_rq_fair.isra.0'
	for clone in constprop.0 part.0 cold llvm.1234567; do
		symbols "s/ select_task_rq_fair\..*/ select_task_rq_fair.$clone/"
		fails symbols "select_task_rq_fair.$clone"
	done
	symbols 's/ t select_task_rq_fair.*/ d select_task_rq_fair/'
	fails symbols 'missing: select_task_rq_fair;'
	symbols 's/ d select_task_rq_fair/ t select_task_rq_fair\t[other]/'
	fails symbols 'missing: select_task_rq_fair;'
	symbols 's/ select_task_rq_fair\t.*/ select_task_rq_fair_/'
	fails symbols 'missing: select_task_rq_fair;'
}

@test "a clone beside the function does no harm" {
	printf '%s\n' '0000000000000000 t select_task_rq_fair.cold' \
		>>"$tree/proc/kallsyms"
	works
}

@test "each known caller will do; none will not" {
	symbols '/ sched_balance_trigger$/d'
	fails 'ilb callers' kick_ilb nohz_balancer_kick sched_balance_trigger trigger_load_balance
	for name in kick_ilb nohz_balancer_kick trigger_load_balance; do
		printf '0000000000000000 t %s\n' $name >"$BATS_TEST_TMPDIR/line"
		cat "$BATS_TEST_TMPDIR/line" >>"$tree/proc/kallsyms"
		works $name
		edit proc/kallsyms '$d'
	done
}

@test "optional symbols are only warned about" {
	symbols '/ nohz$/d; / arch_asym_cpu_priority$/d'
	works
	check 'idle mask' warn 'tick_nohz_tick_stopped_cpu stands in'
	check 'arch source' warn arch
	symbols '/ tick_nohz_tick_stopped_cpu$/d'
	works
	check 'idle mask' warn 'ilb changes nothing'
}

@test "unreadable kallsyms" {
	rm "$tree/proc/kallsyms"
	ctl doctor --json
	expect_status 1
	check symbols FAIL kallsyms 'No such file'
	ctl doctor
	expect_80_columns
}

@test "each needed option, when not set, is named" {
	for name in MODULES KALLSYMS KPROBES FUNCTION_TRACER SCHED_SMT NO_HZ_COMMON; do
		rm -r "$tree"
		use_tree 6.12-amd64
		config "s/^CONFIG_$name=y/# CONFIG_$name is not set/"
		fails config "CONFIG_$name;"
	done
}

@test "ftrace with either registers or arguments" {
	config 's/^CONFIG_DYNAMIC_FTRACE_WITH_REGS=y//'
	works
	config 's/^CONFIG_DYNAMIC_FTRACE_WITH_ARGS=y//'
	fails config 'CONFIG_DYNAMIC_FTRACE_WITH_REGS or CONFIG_DYNAMIC_FTRACE_WITH_ARGS'
}

@test "where the configuration is found" {
	mkdir -p "$tree/lib/modules/$release/build"
	works
	check config ok "boot/config-$release"
	mv "$tree/boot/config-$release" "$tree/lib/modules/$release/config"
	works
	check config ok "lib/modules/$release/config"
	mv "$tree/lib/modules/$release/config" \
		"$tree/lib/modules/$release/build/.config"
	works
	check config ok build/.config
	gzip <"$tree/lib/modules/$release/build/.config" >"$tree/proc/config.gz"
	rm "$tree/lib/modules/$release/build/.config"
	works
	# Without zlib the tool may say unknown, but never anything else.
	case $(jq -r '.checks[] | select(.check == "config").result' <<<"$output") in
	ok) check config ok /proc/config.gz ;;
	*) check config unknown ;;
	esac
}

@test "without a configuration the rest decides" {
	rm "$tree/boot/config-$release"
	works
	check config unknown "config-$release"
	check compiler unknown
	check machine unknown
	put_file proc/config.gz 'not compressed, and no configuration'
	ctl doctor
	expect_80_columns
}

@test "other machines and compilers" {
	config 's/^CONFIG_X86_64=y/CONFIG_RISCV=y/; s/^CONFIG_CC_IS_GCC/CONFIG_CC_IS_CLANG/'
	works
	check machine warn 'tested are amd64 and arm64'
	check compiler warn LLVM=1
}

@test "functions that ftrace cannot patch" {
	edit sys/kernel/tracing/available_filter_functions '/^select_task_rq_fair$/d'
	fails ftrace 'cannot patch select_task_rq_fair;'
	edit sys/kernel/tracing/available_filter_functions \
		's/^housekeeping_cpumask$/housekeeping_cpumask [other]/'
	fails ftrace 'cannot patch select_task_rq_fair, housekeeping_cpumask;'
}

@test "tracefs at its old place, and nowhere" {
	mkdir -p "$tree/sys/kernel/debug"
	mv "$tree/sys/kernel/tracing" "$tree/sys/kernel/debug/tracing"
	works
	check ftrace ok
	rm -r "$tree/sys/kernel/debug/tracing"
	works
	check ftrace unknown 'mount -t tracefs'
	check owner unknown
}

@test "without root doctor still gives its verdict" {
	((EUID == 0)) || skip 'not root'
	chmod 700 "$tree/sys/kernel/tracing"
	chmod 755 "$BATS_RUN_TMPDIR" "$BATS_SUITE_TMPDIR" "$BATS_FILE_TMPDIR" \
		"$BATS_TEST_TMPDIR" "${BATS_TEST_TMPDIR%/*}"
	cp "$TOOL" "$BATS_TEST_TMPDIR/tool"
	run --separate-stderr setpriv --reuid=65534 --clear-groups \
		"$BATS_TEST_TMPDIR/tool" --sysroot "$tree" doctor --json
	expect_status 0
	check ftrace unknown root
	check symbols ok
}

@test "ftrace switched off" {
	put_file proc/sys/kernel/ftrace_enabled 0
	fails ftrace_enabled 'sysctl kernel.ftrace_enabled=1'
	rm "$tree/proc/sys/kernel/ftrace_enabled"
	works
	check ftrace_enabled unknown
}

@test "another owner of a function" {
	for kernel in $kernels; do
		rm -r "$tree"
		use_tree "$kernel"
		# While smtprio is loaded these lines look as for a livepatch.
		cp "$tree/while-loaded/enabled_functions" \
			"$tree/sys/kernel/tracing/enabled_functions"
		fails owner 'select_task_rq_fair, housekeeping_cpumask' livepatch
		edit sys/kernel/tracing/enabled_functions '/^select/d'
		fails owner 'redirects housekeeping_cpumask:'
		mkdir -p "$tree/sys/kernel/smtprio"
		works
		check owner ok smtprio
	done
}

@test "tracers that redirect nothing do no harm" {
	printf '%s\n' \
		$'select_task_rq_fair (1) R   D   M \ttramp: 0x0 (I+0x0/0x10) ->I I I' \
		$'select_task_rq_fair_I (1)   I     M \ttramp: 0x0' \
		$'housekeeping_cpumask (2)           M ' \
		>"$tree/sys/kernel/tracing/enabled_functions"
	works
	check owner ok
}

@test "no SMT: it loads, with nothing to do" {
	make_tree "$tree" 8 1
	rm -r "$tree/sys/kernel/smtprio"
	works 'without SMT it has nothing to do'
	check SMT warn 'no SMT' notsupported
}

@test "SMT switched off says how to switch it on" {
	make_tree "$tree" 4 2 far '4 5 6 7'
	rm -r "$tree/sys/kernel/smtprio" "$tree/sys/devices/system/cpu/cpu"?/topology
	put_file sys/devices/system/cpu/smt/control off
	works 'nothing to do'
	check SMT warn 'echo on > /sys/devices/system/cpu/smt/control'
}

@test "unreadable topology" {
	rm "$tree/sys/devices/system/cpu/online"
	works
	check SMT unknown /sys/devices/system/cpu
}

@test "headers" {
	works
	check headers warn "apt install linux-headers-$release"
	# Debian's link is absolute: it must not be followed out of the tree.
	mkdir -p "$tree/lib/modules/$release"
	ln -s "/usr/src/linux-headers-$release" "$tree/lib/modules/$release/build"
	works
	check headers warn
	put_file "usr/src/linux-headers-$release/Makefile" ''
	works
	check headers ok
}

@test "module: not installed, installed, loaded" {
	works
	check module warn 'make dkms-install'
	put_file "lib/modules/$release/modules.dep" 'kernel/fs/ext4/ext4.ko: kernel/lib/crc16.ko
updates/dkms/smtprio.ko:'
	works
	check module ok "lib/modules/$release/updates/dkms/smtprio.ko"
	put_file sys/kernel/smtprio/version 9.9
	works
	check module ok 'loaded, version 9.9'
}

install_module() {
	put_file "lib/modules/$release/modules.dep" "updates/dkms/$1:"
	put_file "lib/modules/$release/updates/dkms/$1" "$2"
}

signed=$'\x7fELF...~Module signature appended~'

@test "signatures enforced by parameter, option or lockdown" {
	put_file sys/module/module/parameters/sig_enforce Y
	fails signature 'mokutil --import'
	put_file sys/module/module/parameters/sig_enforce N
	works
	config 's/.*CONFIG_MODULE_SIG_FORCE.*/CONFIG_MODULE_SIG_FORCE=y/'
	fails signature mokutil
	config '/CONFIG_MODULE_SIG_FORCE/d'
	for state in 'none [integrity] confidentiality' 'none integrity [confidentiality]'; do
		put_file sys/kernel/security/lockdown "$state"
		fails signature mokutil
		check lockdown warn 'only signed modules'
	done
	put_file sys/kernel/security/lockdown '[none] integrity confidentiality'
	works
	check lockdown ok none
}

@test "signatures enforced and the module installed" {
	put_file sys/module/module/parameters/sig_enforce Y
	install_module smtprio.ko 'unsigned'
	fails signature 'make sign KEY='
	install_module smtprio.ko "$signed"
	works
	check signature warn 'must be enrolled'
	install_module smtprio.ko.xz "$signed"
	works
	check signature unknown compressed
	mkdir -p "$tree/sys/kernel/smtprio"
	works
	check signature ok
}

@test "lockdown not known without securityfs" {
	works
	check lockdown unknown securityfs
	config '/LOCKDOWN/d'
	works
	check lockdown ok
}

secure_boot=sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
shim=605dab50-e046-4300-abb6-3dd810dd8b23

# efi_flag VARIABLE 0|1: its attributes come first
efi_flag() {
	put_file "$1" ''
	printf '%b' "\\x06\\0\\0\\0\\x$2" >"$tree/$1"
}

@test "Secure Boot" {
	works
	check 'Secure Boot' ok
	efi_flag $secure_boot 1
	works
	check 'Secure Boot' warn on
	efi_flag "sys/firmware/efi/efivars/MokSBStateRT-$shim" 0
	works
	check 'Secure Boot' warn on
	efi_flag "sys/firmware/efi/efivars/MokSBStateRT-$shim" 1
	works
	check 'Secure Boot' ok 'switched off in shim'
	efi_flag $secure_boot 0
	works
	check 'Secure Boot' ok off
}

@test "MOK: is the key that DKMS signs with enrolled?" {
	works
	check MOK ok EFI
	efi_flag $secure_boot 1
	works
	check MOK ok 'no key yet'
	put_file var/lib/shim-signed/mok/MOK.der $'0\x82other certificate'
	works
	check MOK warn 'mokutil --import /var/lib/shim-signed/mok/MOK.der'
	put_file var/lib/dkms/mok.pub $'0\x82certificate'
	works
	check MOK warn 'mokutil --import /var/lib/dkms/mok.pub'
	put_file sys/module/module/parameters/sig_enforce Y
	fails signature 'mokutil --import'
	put_file "sys/firmware/efi/efivars/MokNew-$shim" x
	fails signature 'mokutil --import'
	check MOK warn reboot
	put_file sys/firmware/efi/mok-variables/MokListRT $'0\x82another'
	fails signature 'mokutil --import'
	for list in "efivars/MokListRT-$shim" mok-variables/MokListRT; do
		put_file "sys/firmware/efi/$list" $'list\x07 0\x82another 0\x82certificate\n 0'
		works
		check MOK ok enrolled
		check signature ok enrolled
		rm "$tree/sys/firmware/efi/$list"
	done
	rm "$tree/sys/module/module/parameters/sig_enforce"
	efi_flag $secure_boot 0
	works
	check MOK warn reboot
	rm "$tree/sys/firmware/efi/efivars/MokNew-$shim"
	works
	check MOK ok 'not enrolled'
}

@test "all of this machine, without a sysroot, is valid JSON too" {
	run --separate-stderr "$TOOL" doctor --json
	[[ $status -eq 0 || $status -eq 1 ]]
	is "$stderr" ''
	json_is .kernel "\"$(uname -r)\""
	run "$TOOL" doctor
	expect_80_columns
}

@test "an empty tree" {
	rm -r "$tree"
	mkdir "$tree"
	ctl doctor
	expect_status 1
	expect_80_columns
	ctl doctor --json
	json_is .works false
	json_is .kernel null
}
