# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # the sourcing scripts use them
# What tests of DKMS for one kernel share: "REPO RELEASE" are their arguments. They run in a mount
# namespace of their own, on this system or in a chroot. What DKMS reads and writes is covered by empty
# folders there, so it is used as anybody uses it, and nothing of it stays.

repo=$1 release=$2
version=$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$repo/dkms.conf")
module=smtprio/$version
tree=/var/lib/dkms
modules=/lib/modules/$release
scratch=/usr/src/scratch

if [ "$(readlink /proc/self/ns/mnt)" = "$(readlink /proc/1/ns/mnt)" ]; then
	echo "${0##*/}: not in a mount namespace of its own: use tests/dkms/run" >&2
	exit 1
fi

# cover FOLDER: an empty folder in its place.
cover() {
	mkdir -p "$1"
	mount -t tmpfs tmpfs "$1"
}

# prepare: cover all; /usr/src keeps the headers, and /lib/modules the kernel's link to them and
# depmod's lists. The repository may be anywhere, also in what is covered, so it moves.
prepare() {
	local dir

	cover "$tree"
	mkdir "$tree"/{src,repo}
	mount --bind /usr/src "$tree/src"
	mount --bind "$repo" "$tree/repo"
	cover /usr/src
	for dir in "$tree"/src/linux-*; do
		if [ -L "$dir" ]; then
			cp -P "$dir" /usr/src/
		else
			mkdir "/usr/src/${dir##*/}"
			mount --bind "$dir" "/usr/src/${dir##*/}"
		fi
	done
	umount "$tree/src"
	mkdir /usr/src/repo "$scratch"
	mount --move "$tree/repo" /usr/src/repo
	repo=/usr/src/repo
	rmdir "$tree"/{src,repo}
	cover /lib/modules
	cover /etc/dkms
	mkdir "$modules"
	touch "$modules"/modules.{order,builtin,builtin.modinfo}
	depmod "$release"
	link_headers
}

link_headers() {
	ln -sfn "/usr/src/linux-headers-$release" "$modules/build"
}

# copy_source FOLDER FILE...: of the repository, what was built there left out.
copy_source() {
	local folder=$1

	shift
	mkdir -p "$folder"
	(cd "$repo" && cp -r "$@" "$folder/")
	find "$folder" \( -name '*.o' -o -name '*.mod' -o -name '*.mod.c' -o -name '.*.cmd' \) -delete
}

# check TEXT COMMAND...: COMMAND must succeed; what DKMS said last is shown when it does not.
check() {
	local text=$1

	shift
	if "$@"; then
		echo "ok - $text"
	else
		echo "not ok - $text"
		sed 's/^/#   /' "$scratch/said"
	fi
}

# run_dkms ACTION...: sets "status"; output to $scratch/said.
run_dkms() {
	dkms "$@" >"$scratch/said" 2>&1 </dev/null
	status=$?
}

# said PATTERN
said() {
	grep -qE -- "$1" "$scratch/said"
}

clean_success() {
	[ "$status" -eq 0 ] && ! said '([Ww]arning|[Dd]eprecated|[Ee]rror|bad exit)'
}

# is_state STATE: what "dkms status" says about this kernel. "none" is silence.
is_state() {
	local line

	line=$(dkms status "$module" 2>&1)
	echo "dkms status: $line" >>"$scratch/said"
	case $1 in
	none)	[ -z "$line" ] ;;
	added)	[ "$line" = "$module: added" ] ;;
	*)	[ "$line" = "$module, $release, $(uname -m): $1" ] ;;
	esac
}

# names_package RELEASE: it failed, and named the missing package.
names_package() {
	[ "$status" -ne 0 ] && grep -qF -- "linux-headers-$1 " "$scratch/said"
}

succeeded() {
	[ "$status" -eq 0 ]
}

nothing_left() {
	find "$tree" /lib/modules -name '*smtprio*' >"$scratch/said"
	[ ! -s "$scratch/said" ] && is_state none && ! modinfo -k "$release" smtprio >/dev/null 2>&1
}
