# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Architectures of guests. The host is amd64; for the others there is a cross compiler, and a folder with their
# Debian packages unpacked, the sysroot.

ARCHS=(amd64 arm64)

SYSROOT_SUITE=bookworm	# that of the host, whose cross compiler uses it
SYSROOT_PACKAGES=(busybox-static libc6-dev libsmartcols-dev libkmod-dev zlib1g-dev libncurses-dev
	libtracefs-dev libtraceevent-dev libinih-dev)

arch_known() {
	[[ " ${ARCHS[*]} " == *" ${1:-none} "* ]]
}

# arch_native ARCH: packages of it can be installed and programs of it run here.
arch_native() {
	[ "$1" = amd64 ]
}

arch_triplet() {
	case $1 in
	amd64)	echo x86_64-linux-gnu ;;
	arm64)	echo aarch64-linux-gnu ;;
	esac
}

# arch_elf ARCH: as readelf calls the machine.
arch_elf() {
	case $1 in
	amd64)	echo "Advanced Micro Devices X86-64" ;;
	arm64)	echo "AArch64" ;;
	esac
}

# arch_cross ARCH: what the names of compiler and binutils begin with.
arch_cross() {
	arch_native "$1" || echo "$(arch_triplet "$1")-"
}

# arch_cc ARCH: the C compiler for its programs, as words.
arch_cc() {
	if arch_native "$1"; then
		echo gcc
	else
		echo "$(arch_cross "$1")gcc --sysroot=$(sysroot "$1")"
	fi
}

# arch_prepare ARCH: compilers, QEMU and the sysroot; nothing to do for the host's own.
arch_prepare() {
	arch_native "$1" && return
	trixie_add "gcc-14-$(arch_triplet "$1")" qemu-system-arm device-tree-compiler && sysroot_make "$1"
}

# sysroot ARCH: the folder where its libraries, headers and programs are; the host's are in "".
sysroot() {
	arch_native "$1" || echo "$CACHE/$1/sysroot"
}

sysroot_key() {
	arch_native "$1" || cat "$(sysroot "$1")/.key"
}

# sysroot_make ARCH: unpack SYSROOT_PACKAGES with all that they depend on, once.
sysroot_make() {
	local root key="$SYSROOT_SUITE ${SYSROOT_PACKAGES[*]}" debs=$CACHE/$1/debs deb

	root=$(sysroot "$1")
	[ "$(sed 1q "$root/.key" 2>/dev/null)" != "$key" ] || return 0
	say "fetching libraries and programs of $1"
	apt_update "$1" || true
	rm -rf "$root" "$debs"
	mkdir -p "$root" "$debs"
	run_logged "$CACHE/log/sysroot-$1.log" apt_in "$1" apt-get -qq -y -t "$SYSROOT_SUITE" --no-install-recommends \
		-o Dir::Cache::archives="$debs" --download-only install "${SYSROOT_PACKAGES[@]}" ||
		return 1
	# The merged folders of every Debian since 2023, which a package alone does not bring.
	mkdir -p "$root"/usr/{bin,lib,sbin}
	ln -s usr/bin usr/lib usr/sbin "$root"
	for deb in "$debs"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -xC "$root" --keep-directory-symlink || return 1
	done
	{ echo "$key" && find "$debs" -name '*.deb' -printf '%f\n' | sort | sha256sum; } >"$root/.key"
	rm -rf "$debs"
}
