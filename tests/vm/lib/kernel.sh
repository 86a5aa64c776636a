# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # the K_ variables are this file's answers
# Kernels: rows of the file "kernels", and their images and headers in the cache.
# $CACHE/kernels/NAME/VERSION/ holds vmlinuz, config and "facts" (written last, so it marks a whole one).

kernel_names() {
	sed 's/#.*//' "$VM_DIR/kernels" | awk 'NF { print $1 }'
}

# kernel_row NAME: sets K_NAME K_ARCH K_SUITE K_SERIES K_WHERE
kernel_row() {
	read -r K_NAME K_ARCH K_SUITE K_SERIES < <(sed 's/#.*//' "$VM_DIR/kernels" | awk -v n="$1" '$1 == n')
	[ "$K_ARCH" = amd64 ] || die "kernels: $1: the harness boots amd64 only, not '$K_ARCH'"
	case $K_SUITE in
	bookworm)	K_WHERE=host ;;
	trixie*)	K_WHERE=trixie ;;
	*)		die "kernels: $1: no root for suite '$K_SUITE'; it has bookworm, trixie, trixie-backports" ;;
	esac
}

# kernel_headers: folder of the headers as this machine sees it.
kernel_headers() {
	case $K_WHERE in
	host)	echo "/usr/src/linux-headers-$K_RELEASE" ;;
	trixie)	echo "$TRIXIE/usr/src/linux-headers-$K_RELEASE" ;;
	esac
}

# kernel_load VERSION: sets K_RELEASE K_VERSION K_DIR when that version is complete in the cache.
kernel_load() {
	K_DIR=$CACHE/kernels/$K_NAME/$1
	K_VERSION=$1
	K_RELEASE=$(cat "$K_DIR/facts" 2>/dev/null) || return 1
	[ -s "$K_DIR/vmlinuz" ] && [ -e "$(kernel_headers)/Makefile" ]
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
# use); asked again only after the package lists changed.
kernel_newest() {
	local memo=$CACHE/kernels/$K_NAME/newest

	mkdir -p "$CACHE/kernels/$K_NAME"
	if [ ! "$memo" -nt "$CACHE/updated-$K_WHERE" ] || [ "$(sed -n 2p "$memo")" != "$K_SUITE $K_SERIES" ]; then
		{
			apt_newest "$K_WHERE" "$K_SUITE" \
				"linux-headers-${K_SERIES//./\\.}\.[0-9.]+(-[0-9]+)?(\+[a-z0-9.]+)?-$K_ARCH" | grep . || echo
			echo "$K_SUITE $K_SERIES"
		} >"$memo.new"
		mv "$memo.new" "$memo"
	fi
	sed -n '1s/^linux-headers-//p' "$memo"
}

# kernel_fetch RELEASE VERSION: image and headers into the cache, signatures checked by apt.
kernel_fetch() {
	local release=$1 version=$2 package dir=$CACHE/kernels/$K_NAME/$2 tmp log=$CACHE/log/fetch-$K_NAME.log

	say "fetching $K_NAME: Linux $release ($version)"
	apt_install "$K_WHERE" "linux-headers-$release=$version" || return 1
	# Where linux-image is an empty shell, as in 7.x, the kernel is in linux-binary.
	package=$(apt_in "$K_WHERE" apt-cache pkgnames "linux-binary-$release" | grep -xF "linux-binary-$release") ||
		package=linux-image-$release
	tmp=$(mktemp -d "$CACHE/fetch.XXXXXX")
	if kernel_download "$tmp" "$package=$version" >"$log" 2>&1 &&
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

# apt's own user could not write to a folder of ours, hence the sandbox option.
kernel_download() {
	local get="apt-get -qq -o APT::Sandbox::User=root download"

	case $K_WHERE in
	host)	(cd "$1" && $get "$2") ;;
	trixie)	in_trixie -b "$1:fetch" sh -c "cd /mnt/fetch && $get '$2'" ;;
	esac
}

# kernel_forget: drop every cached version but the loaded one.
kernel_forget() {
	local dir

	for dir in "$CACHE/kernels/$K_NAME"/*/; do
		[ "$dir" = "$K_DIR/" ] || rm -rf "$dir"
	done
}

# kernel_get_newest: loads the newest kernel on offer, fetched if need be; K_NEWEST is its release.
kernel_get_newest() {
	local version

	read -r K_NEWEST version < <(kernel_newest) || true
	[ -n "$K_NEWEST" ] || return 1
	kernel_load "$version" && return 0
	kernel_fetch "$K_NEWEST" "$version" && kernel_forget
}

# kernel_prepare NAME: loads the kernel, fetched if need be. 0 ready, 1 broken, 2 not on offer.
# K_WHY says why not.
kernel_prepare() {
	kernel_row "$1"
	apt_update "$K_WHERE" || true
	kernel_get_newest && return 0
	# Lists of some hours ago may name what the archive has replaced since.
	if [ -n "$K_NEWEST" ] && [ -z "${apt_failed[$K_WHERE]:-}" ] && apt_update_now "$K_WHERE"; then
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
