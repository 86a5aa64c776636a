# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The guest's initramfs: one part for all kernels, and a part with a kernel's modules after it.

# pack DIR: the folder as an initramfs archive. The kernel reads archives one after another.
pack() {
	(cd "$1" && find . -mindepth 1 -print0 | LC_ALL=C sort -z |
		cpio --quiet --null --create --format=newc --owner=+0:+0)
}

# image_base WORK: userland, programs, tests and the tool, as WORK/base.cpio.
image_base() {
	local root=$1/base applet prog

	mkdir -p "$root"/{bin,proc,sys,dev,tmp,etc,root,run,progs,tests}
	cp "$(command -v busybox)" "$root/bin/busybox"
	for applet in $("$root/bin/busybox" --list); do
		[ "$applet" = busybox ] || ln -s busybox "$root/bin/$applet"
	done
	ln -s bin "$root/sbin"
	cp "$VM_DIR/guest/init" "$root/init"
	chmod 755 "$root/init"
	for prog in "$CACHE/build/progs"/*; do
		[ ! -f "$prog" ] || cp "$prog" "$root/progs/"
	done
	cp "$TESTS_DIR"/*.sh "$VM_DIR"/guest/*.sh "$root/tests/"
	cp "$REPO/README.md" "$root/"
	image_tool "$root"
	pack "$root" >"$1/base.cpio"
}

# image_tool ROOT: smtprioctl with the shared libraries it names.
image_tool() {
	local tool=$REPO/build/userspace/smtprioctl library

	[ -x "$tool" ] || return 0
	cp "$tool" "$1/bin/smtprioctl"
	for library in $(ldd "$tool" | grep -o '/[^ ]*'); do
		mkdir -p "$1${library%/*}"
		cp -L "$library" "$1$library"
	done
}

# image_kernel WORK: WORK/NAME.cpio for the loaded kernel, and a copy of the kernel itself, so that
# nothing which happens to the cache later disturbs this run.
image_kernel() {
	local root=$1/$K_NAME built=$CACHE/build/$K_NAME

	mkdir -p "$root"/{modules,boot}
	cp "$K_DIR/config" "$root/boot/config-$K_RELEASE"
	if has_module; then
		strip --strip-debug -o "$root/smtprio.ko" "$built/smtprio/smtprio.ko"
	fi
	if has_test_modules; then
		cp "$built"/modules/*.ko "$root/modules/"
	fi
	{ cat "$1/base.cpio" && pack "$root"; } >"$1/$K_NAME.cpio"
	cp "$K_DIR/vmlinuz" "$1/$K_NAME.vmlinuz"
	rm -rf "$root"
}
