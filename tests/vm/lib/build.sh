# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Builds: the module and the test modules for a kernel, the guest's programs.
# Every build works on a copy in the cache, and is done again only when its sources changed.

# kbuild DIR: build the external module in DIR for the loaded kernel.
kbuild() {
	local make bind=() headers

	# The modules' own warnings only count when the compiler is asked for all of them.
	make=(make -j"$(nproc)" W=1)
	arch_native "$K_ARCH" || make+=(ARCH="$K_ARCH" CROSS_COMPILE="$(arch_cross "$K_ARCH")")
	[ ! -d "$1/tests/kunit" ] || make+=(SMTPRIO_KUNIT=m)
	case $K_WHERE in
	host)	LC_ALL=C "${make[@]}" -C "$(kernel_headers)" M="$1" modules ;;
	trixie)
		headers=/usr/src/linux-headers-$K_RELEASE
		if [ -n "$(compile_config)" ]; then
			headers=/mnt/kernel
			bind=(-b "$(kernel_headers):kernel")
		fi
		in_trixie -b "$1:build" "${bind[@]}" "${make[@]}" -C "$headers" M=/mnt/build modules ;;
	esac
}

# build_warnings LOG: warnings about our files. Not ours: the kernel's headers under W=1, and that
# Debian built its kernel with another revision of the same compiler.
build_warnings() {
	grep -iE '\bwarning:' "$1" |
		grep -vE '^(/usr/src/linux-headers|\./include/|\./arch/|include/|arch/)|warning: the compiler differs'
}

# build_excerpt OUT: the first lines, with file names as in the work tree.
build_excerpt() {
	head -n 20 | sed "s,$1/,,g; s,/mnt/build/,,g; s/^/#   /"
}

# build_once OUT KEY COMMAND...: run COMMAND to fill the folder OUT, unless it was filled for KEY.
# A build with warnings counts as failed, so that it is shown again by the next run.
build_once() {
	local out=$1 key=$2 log=$1.log

	shift 2
	[ "$(cat "$out/.key" 2>/dev/null)" != "$key" ] || return 0
	rm -rf "$out"
	mkdir -p "$out"
	if ! "$@" >"$log" 2>&1 </dev/null; then
		grep -iE 'error|warning|undefined|No rule' "$log" | build_excerpt "$out"
		say "build failed, log: $log"
		return 1
	fi
	if build_warnings "$log" | build_excerpt "$out" | grep .; then
		say "build gave warnings, log: $log"
		return 1
	fi
	echo "$key" >"$out/.key"
}

# copy_and_kbuild OUT FOLDER PATH...: build a copy of the sources in these paths of FOLDER.
copy_and_kbuild() {
	local out=$1 folder=$2

	shift 2
	(cd "$folder" && sources "$@" | tar -c --null -T -) | tar -xC "$out" && kbuild "$out"
}

has_module() {
	[ -e "$REPO/Kbuild" ] && [ -d "$REPO/module" ]
}

has_test_modules() {
	compgen -G "$VM_DIR/modules/*.c" >/dev/null
}

# has_kunit: the loaded kernel can run the suites in tests/kunit.
has_kunit() {
	grep -q '^CONFIG_KUNIT=' "$K_DIR/config"
}

# build_module: smtprio.ko for the loaded kernel, in $CACHE/build/NAME/smtprio; its test suites too.
build_module() {
	local out=$CACHE/build/$K_NAME/smtprio paths=(Kbuild dkms.conf module) key

	! has_kunit || paths+=(tests/kunit tests/unit)
	key="$(cd "$REPO" && digest "${paths[@]}") $K_VERSION"
	build_once "$out" "$key" copy_and_kbuild "$out" "$REPO" "${paths[@]}" || return 1
	if [ ! -e "$out/smtprio.ko" ]; then
		say "the build left no smtprio.ko, log: $out.log"
		return 1
	fi
	module_fits "$(readelf -h "$out/smtprio.ko")" "$(modinfo -F vermagic "$out/smtprio.ko")"
}

# module_fits ELF_HEADER VERMAGIC: they are those of a module for the loaded kernel.
module_fits() {
	local machine

	machine=$(sed -n 's/^ *Machine: *//p' <<<"$1")
	[ "$machine" = "$(arch_elf "$K_ARCH")" ] && [ "${2%% *}" = "$K_RELEASE" ] && return 0
	say "the module is for $machine, ${2%% *}; the kernel is for $(arch_elf "$K_ARCH"), $K_RELEASE"
	return 1
}

build_test_modules() {
	local out=$CACHE/build/$K_NAME/modules key

	key="$(cd "$VM_DIR/modules" && digest .) $K_VERSION"
	build_once "$out" "$key" copy_and_kbuild "$out" "$VM_DIR/modules" .
}

# module_size FILE: bytes of text and data that loading takes, debug info left out.
module_size() {
	"$(arch_cross "$K_ARCH")size" "$1" | awk 'NR == 2 { print $1 + $2 + $3 }'
}

# build_progs ARCH: the guest's programs, in $CACHE/build/progs-ARCH.
build_progs() {
	local out=$CACHE/build/progs-$1

	build_once "$out" "$(cd "$VM_DIR" && digest progs) $(sysroot_key "$1")" compile_progs "$out" "$1"
}

compile_progs() {
	local source cc

	read -ra cc < <(arch_cc "$2")
	for source in "$VM_DIR"/progs/*.c; do
		[ -e "$source" ] || continue
		"${cc[@]}" -O2 -Wall -Wextra -static -pthread -o "$1/$(basename "$source" .c)" "$source" || return 1
	done
}

# tool_file ARCH: smtprioctl; the host's is the one in the work tree, which may be absent.
tool_file() {
	if arch_native "$1"; then
		echo "$REPO/build/userspace/smtprioctl"
	else
		echo "$CACHE/build/tool-$1/smtprioctl"
	fi
}

# build_tool ARCH: for an architecture that is not the host's.
build_tool() {
	local out=$CACHE/build/tool-$1 key

	key="$(cd "$REPO" && digest dkms.conf userspace) $(sysroot_key "$1")"
	build_once "$out" "$key" compile_tool "$out" "$1"
}

compile_tool() {
	local root libs

	root=$(sysroot "$2")
	libs=$root/usr/lib/$(arch_triplet "$2")/pkgconfig
	PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$libs \
		make -C "$REPO/userspace" out="$1" CC="$(arch_cc "$2")"
}
