# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # the K_ variables are this file's answers
# Kernels: rows of the file "kernels", and their images and headers in the cache.
# $CACHE/kernels/NAME/VERSION/ holds vmlinuz, config and "facts" (written last, so it marks a whole one).

# kernel_names [ARCH [plain]]: of all rows, or those of an architecture, or those without a flavour.
kernel_names() {
	sed 's/#.*//' "$VM_DIR/kernels" | awk -v arch="${1:-}" -v plain="${2:-}" '
		NF && (arch == "" || $2 == arch) && (plain == "" || NF < 5) { print $1 }'
}

# kernel_row NAME: sets K_NAME K_ARCH K_SUITE K_SERIES K_FLAVOUR, K_WHERE, where it is built for, and K_APT, which
# apt offers it.
kernel_row() {
	read -r K_NAME K_ARCH K_SUITE K_SERIES K_FLAVOUR < <(sed 's/#.*//' "$VM_DIR/kernels" | awk -v n="$1" '$1 == n')
	arch_known "$K_ARCH" || die "kernels: $1: the harness boots ${ARCHS[*]}, not '$K_ARCH'"
	case $K_SUITE in
	bookworm)	K_WHERE=host ;;
	trixie*)	K_WHERE=trixie ;;
	*)		die "kernels: $1: no root for suite '$K_SUITE'; it has bookworm, trixie, trixie-backports" ;;
	esac
	K_APT=$K_WHERE
	arch_native "$K_ARCH" || K_APT=$K_ARCH
}

# kernel_root: where packages of headers are installed or unpacked, as this machine sees it. The host's own
# folders are left to its packages.
kernel_root() {
	case $K_WHERE in
	host)	arch_native "$K_ARCH" || echo "$CACHE/$K_ARCH/headers" ;;
	trixie)	echo "$TRIXIE" ;;
	esac
}

kernel_headers() {
	if [ -n "$(compile_config)" ]; then
		echo "$K_DIR/build"
	else
		echo "$(kernel_root)/usr/src/linux-headers-$K_RELEASE"
	fi
}

# kernel_load VERSION: sets K_RELEASE K_VERSION K_DIR when that version is complete in the cache.
kernel_load() {
	K_DIR=$CACHE/kernels/$K_NAME/$1
	K_VERSION=$1
	K_RELEASE=$(cat "$K_DIR/facts" 2>/dev/null) || return 1
	[ -s "$K_DIR/vmlinuz" ] && [ -e "$(kernel_headers)/Makefile" ] && [ -e "$(kernel_headers)/scripts/" ]
}

# kernel_cached: loads the newest complete version in the cache.
kernel_cached() {
	local version

	while read -r version; do
		kernel_load "$version" && return 0
	done < <(find "$CACHE/kernels/$K_NAME" -mindepth 2 -maxdepth 2 -name facts -printf '%h\n' 2>/dev/null |
		sed 's,.*/,,' | sort -rV)
	return 1
}

# kernel_newest: "RELEASE VERSION" of the newest headers on offer (an image without them is of no
# use), or of the newest source; asked again only after the package lists changed.
kernel_newest() {
	local memo=$CACHE/kernels/$K_NAME/newest regex release version

	regex="linux-headers-${K_SERIES//./\\.}\.[0-9.]+(-[0-9]+)?(\+[a-z0-9.]+)?-${K_FLAVOUR:+$K_FLAVOUR-}$K_ARCH"
	[ -z "$(compile_config)" ] || regex="linux-source-${K_SERIES//./\\.}"
	mkdir -p "$CACHE/kernels/$K_NAME"
	if [ ! "$memo" -nt "$CACHE/updated-$K_APT" ] || [ "$(sed -n 2p "$memo")" != "$K_SUITE $K_SERIES" ]; then
		{
			apt_newest "$K_APT" "$K_SUITE" "$regex" | grep . || echo
			echo "$K_SUITE $K_SERIES"
		} >"$memo.new"
		mv "$memo.new" "$memo"
	fi
	read -r release version < <(sed -nE '1s/^linux-(headers|source)-//p' "$memo") || return 0
	[ -z "$(compile_config)" ] || version=$(compile_version "$version")
	echo "$release $version"
}

# kernel_fetch RELEASE VERSION: image and headers into the cache, signatures checked by apt.
kernel_fetch() {
	local release=$1 version=$2 package dir=$CACHE/kernels/$K_NAME/$2 tmp log=$CACHE/log/fetch-$K_NAME.log

	say "fetching $K_NAME: Linux $release ($version)"
	kernel_fetch_headers "$release" "$version" || return 1
	# Where linux-image is an empty shell, as in 7.x, the kernel is in linux-binary.
	package=$(apt_in "$K_APT" apt-cache pkgnames "linux-binary-$release" | grep -xF "linux-binary-$release") ||
		package=linux-image-$release
	tmp=$(mktemp -d "$CACHE/fetch.XXXXXX")
	if apt_download "$K_APT" "$tmp" "$package=$version" >"$log" 2>&1 &&
		dpkg-deb --fsys-tarfile "$tmp"/*.deb | tar -xO --wildcards '*/vmlinuz*' >"$tmp/vmlinuz" 2>>"$log" &&
		[ -s "$tmp/vmlinuz" ]; then
		mkdir -p "$dir"
		mv "$tmp/vmlinuz" "$dir/vmlinuz"
		K_RELEASE=$release
		cp "$(kernel_headers)/.config" "$dir/config"
		echo "$release" >"$dir/facts"
	else
		tail -n 5 "$log" | sed 's/^/#   /'
	fi
	rm -rf "$tmp"
	kernel_load "$version"
}

# kernel_fetch_headers RELEASE VERSION: those of another architecture are unpacked, and what they share
# with all, and the build tools, which run here, are installed.
kernel_fetch_headers() {
	local root tmp shared status=1

	if arch_native "$K_ARCH"; then
		apt_install "$K_WHERE" "linux-headers-$1=$2"
		return
	fi
	root=$(kernel_root)
	tmp=$(mktemp -d "$CACHE/fetch.XXXXXX")
	if apt_download "$K_APT" "$tmp" "linux-headers-$1=$2" &&
		mapfile -t shared < <(dpkg-deb -f "$tmp"/*.deb Depends |
			grep -oE 'linux-(headers-[^ ,]+-common|kbuild-[^ ,]+)') &&
		apt_install "$K_WHERE" "${shared[@]}"; then
		mkdir -p "$root/usr/src"
		# The headers' links lead to the build tools by ../../lib.
		[ -e "$root/usr/lib" ] || ln -s /usr/lib "$root/usr/lib"
		dpkg-deb --fsys-tarfile "$tmp"/*.deb | tar -xC "$root" ./usr/src
		status=$?
	fi
	rm -rf "$tmp"
	return "$status"
}

# kernel_forget: drop every cached version but the loaded one.
kernel_forget() {
	local dir

	# Of a kernel that is being compiled there is a folder already.
	for dir in "$CACHE/kernels/$K_NAME"/*/; do
		[ "$dir" = "$K_DIR/" ] || [ ! -e "$dir/facts" ] || rm -rf "$dir"
	done
}

# kernel_get_newest: loads the newest kernel on offer, fetched if need be; K_NEWEST is its release.
kernel_get_newest() {
	local version

	read -r K_NEWEST version < <(kernel_newest) || true
	[ -n "$K_NEWEST" ] || return 1
	kernel_load "$version" && return 0
	if [ -n "$(compile_config)" ]; then
		compile_kernel "$version"
	else
		kernel_fetch "$K_NEWEST" "$version"
	fi && kernel_forget
}

# kernel_prepare NAME: loads the kernel, fetched if need be. 0 ready, 1 broken, 2 not on offer.
# K_WHY says why not.
kernel_prepare() {
	kernel_row "$1"
	apt_update "$K_WHERE" || true
	apt_update "$K_APT" || true
	kernel_get_newest && return 0
	# Lists of some hours ago may name what the archive has replaced since.
	if [ -n "$K_NEWEST" ] && [ -z "${apt_failed[$K_APT]:-}" ] && apt_update_now "$K_APT"; then
		kernel_get_newest && return 0
	fi
	if kernel_cached; then
		say "$K_NAME: using the cached $K_VERSION, the newest could not be had"
		return 0
	fi
	K_WHY="$K_SUITE offers no Linux $K_SERIES with headers"
	[ -n "$K_NEWEST" ] || return 2
	K_WHY="could not fetch Linux $K_NEWEST"
	return 1
}
