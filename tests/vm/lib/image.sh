# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The guest's initramfs: one part for all kernels of an architecture, and a part with a kernel's modules after it.

# pack DIR: the folder as an initramfs archive. The kernel reads archives one after another.
pack() {
	(cd "$1" && find . -mindepth 1 -print0 | LC_ALL=C sort -z |
		cpio --quiet --null --create --format=newc --owner=+0:+0)
}

# image_base WORK ARCH: userland, programs, tests and the tool, as WORK/base-ARCH.cpio.
image_base() {
	local root=$1/base-$2 applet prog

	mkdir -p "$root"/{bin,proc,sys,dev,tmp,etc,root,run,progs,tests}
	cp "$(image_busybox "$2")" "$root/bin/busybox"
	# Of the same Debian release, so the host's has the applets of all.
	for applet in $(busybox --list); do
		[ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
	done
	ln -s bin "$root/sbin"
	cp "$VM_DIR/guest/init" "$root/init"
	chmod 755 "$root/init"
	for prog in "$CACHE/build/progs-$2"/*; do
		[ ! -f "$prog" ] || cp "$prog" "$root/progs/"
	done
	cp "$TESTS_DIR"/*.sh "$VM_DIR"/guest/*.sh "$root/tests/"
	cp "$REPO/README.md" "$root/"
	image_tool "$root" "$2"
	image_debian "$root" "$2"
	pack "$root" >"$1/base-$2.cpio"
}

image_busybox() {
	if arch_native "$1"; then
		command -v busybox
	else
		echo "$(sysroot "$1")/bin/busybox"
	fi
}

# image_tool ROOT ARCH: smtprioctl with the shared libraries it needs.
image_tool() {
	local tool

	tool=$(tool_file "$2")
	[ ! -x "$tool" ] || image_add "$1" "$2" "$tool"
}

# wanted_bins: Debian's programs that the tests name in lines "# bin: NAME...".
wanted_bins() {
	sed -n 's/^# bin: *//p' "$TESTS_DIR"/*.sh | tr ' ' '\n' | sort -u
}

# image_debian ROOT ARCH: those, of the host's own architecture only.
image_debian() {
	local name

	arch_native "$2" || return 0
	for name in $(wanted_bins); do
		image_add "$1" "$2" "$(command -v "$name")"
	done
}

# image_add ROOT ARCH PROGRAM: a program with the shared libraries it needs.
image_add() {
	local library

	cp "$3" "$1/bin/"
	for library in $(image_libraries "$2" "$3"); do
		mkdir -p "$1${library%/*}"
		cp -L "$(sysroot "$2")$library" "$1$library"
	done
}

# image_libraries ARCH FILE...: the files' loader and libraries, and what those need, by their names in the guest.
image_libraries() {
	local arch=$1 root triplet new name
	local -A found=()

	shift
	root=$(sysroot "$arch")
	triplet=$(arch_triplet "$arch")
	while [ $# -gt 0 ]; do
		new=()
		for name in $(readelf -ld "$@" |
			sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p; s/.*program interpreter: (.*)\]/\1/p' | sort -u); do
			[ "${name:0:1}" = / ] || name=/lib/$triplet/$name
			[ -z "${found[$name]:-}" ] || continue
			found[$name]=1
			new+=("$root$name")
		done
		set -- "${new[@]}"
	done
	printf '%s\n' "${!found[@]}"
}

# image_kernel WORK: WORK/NAME.cpio for the loaded kernel, and a copy of the kernel itself, so that
# nothing which happens to the cache later disturbs this run.
image_kernel() {
	local root=$1/$K_NAME built=$CACHE/build/$K_NAME

	mkdir -p "$root"/{modules,boot}
	cp "$K_DIR/config" "$root/boot/config-$K_RELEASE"
	if has_module; then
		"$(arch_cross "$K_ARCH")strip" --strip-debug -o "$root/smtprio.ko" "$built/smtprio/smtprio.ko"
	fi
	if has_kunit; then
		cp "$built/smtprio/tests/kunit/smtprio-kunit.ko" "$root/modules/"
	fi
	if has_test_modules; then
		cp "$built"/modules/*.ko "$root/modules/"
	fi
	{ cat "$1/base-$K_ARCH.cpio" && pack "$root"; } >"$1/$K_NAME.cpio"
	cp "$K_DIR/vmlinuz" "$1/$K_NAME.vmlinuz"
	rm -rf "$root"
}
