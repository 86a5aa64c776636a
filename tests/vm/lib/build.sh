# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Builds: the module and the test modules for a kernel, the guest's programs.
# Every build works on a copy in the cache, and is done again only when its sources changed.

# kbuild DIR: build the external module in DIR for the loaded kernel.
kbuild() {
	local headers=/usr/src/linux-headers-$K_RELEASE

	# The modules' own warnings only count when the compiler is asked for all of them.
	case $K_WHERE in
	host)	LC_ALL=C make -j"$(nproc)" -C "$headers" M="$1" W=1 modules ;;
	trixie)	in_trixie -b "$1:build" make -j"$(nproc)" -C "$headers" M=/mnt/build W=1 modules ;;
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

# build_module: smtprio.ko for the loaded kernel, in $CACHE/build/NAME/smtprio.
build_module() {
	local out=$CACHE/build/$K_NAME/smtprio key

	key="$(cd "$REPO" && digest Kbuild dkms.conf module) $K_VERSION"
	build_once "$out" "$key" copy_and_kbuild "$out" "$REPO" Kbuild dkms.conf module || return 1
	[ -e "$out/smtprio.ko" ] && return 0
	say "the build left no smtprio.ko, log: $out.log"
	return 1
}

build_test_modules() {
	local out=$CACHE/build/$K_NAME/modules key

	key="$(cd "$VM_DIR/modules" && digest .) $K_VERSION"
	build_once "$out" "$key" copy_and_kbuild "$out" "$VM_DIR/modules" .
}

# module_size FILE: bytes of text and data that loading takes, debug info left out.
module_size() {
	size "$1" | awk 'NR == 2 { print $1 + $2 + $3 }'
}

# build_progs: the guest's programs, in $CACHE/build/progs.
build_progs() {
	build_once "$CACHE/build/progs" "$(cd "$VM_DIR" && digest progs)" compile_progs "$CACHE/build/progs"
}

compile_progs() {
	local source

	for source in "$VM_DIR"/progs/*.c; do
		[ -e "$source" ] || continue
		gcc -O2 -Wall -Wextra -static -pthread -o "$1/$(basename "$source" .c)" "$source" || return 1
	done
}
