# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The trixie root: compiler and headers of 6.12 and later, and the QEMU that is steady.

TRIXIE=$CACHE/trixie
TRIXIE_PACKAGES=gcc,libc6-dev,make,dkms,kmod,xz-utils,ca-certificates,qemu-system-x86
# Part of the recipe's hash: raise it when this file makes the root in another way.
TRIXIE_RECIPE=1

in_trixie() {
	"$VM_DIR/lib/in-trixie" "$@"
}

trixie_key() {
	printf '%s %s\n' "$TRIXIE_RECIPE" "$TRIXIE_PACKAGES" | sha256sum | cut -c1-32
}

# trixie_root: there is a root made by today's recipe, with fresh package lists where possible.
trixie_root() {
	if [ "$(cat "$TRIXIE/etc/smtprio-recipe" 2>/dev/null)" != "$(trixie_key)" ]; then
		trixie_make || die "cannot make the trixie root in $TRIXIE (log: $CACHE/log/mmdebstrap.log)"
	fi
	trixie_configure "$TRIXIE"
	apt_update trixie || true
}

# trixie_add PACKAGE...: install what the recipe leaves out because only some runs need it.
trixie_add() {
	local package missing=()

	for package in "$@"; do
		dpkg-query --admindir="$TRIXIE/var/lib/dpkg" -W -f '${db:Status-Status}' "$package" 2>/dev/null |
			grep -qx installed || missing+=("$package")
	done
	[ "${#missing[@]}" -gt 0 ] || return 0
	say "installing in the trixie root: ${missing[*]}"
	apt_install trixie "${missing[@]}"
}

trixie_make() {
	local new=$TRIXIE.new options=$CACHE/apt-host.conf

	say "making the trixie root (once; about 600 MB) in $TRIXIE"
	apt_update host || true
	rm -rf --one-file-system "$new"
	apt_host_options >"$options"
	archive_sources "${TRIXIE_SUITES[@]}" >"$CACHE/trixie.list"
	run_logged "$CACHE/log/mmdebstrap.log" unshare --mount --propagation private \
		mmdebstrap --mode=root --variant=apt --include="$TRIXIE_PACKAGES" --aptopt="$options" \
		--dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
		--dpkgopt='path-exclude=/usr/share/doc/*' \
		trixie "$new" "$CACHE/trixie.list" || return 1
	trixie_key >"$new/etc/smtprio-recipe"
	# A plain file to mount the host's over; the host's may be a link into a folder the root lacks.
	rm -f "$new/etc/resolv.conf"
	: >"$new/etc/resolv.conf"
	rm -rf --one-file-system "$TRIXIE"
	mv "$new" "$TRIXIE"
	# The kernels' headers lived in the old root.
	rm -f "$CACHE/updated-trixie"
}

# The archive and the way to it are the host's of today, not those of the day the root was made.
trixie_configure() {
	archive_sources "${TRIXIE_SUITES[@]}" >"$1/etc/apt/sources.list.new"
	mv "$1/etc/apt/sources.list.new" "$1/etc/apt/sources.list"
	rm -f "$1"/etc/apt/sources.list.d/*
	apt_host_options >"$1/etc/apt/apt.conf.d/90host" || true
}
