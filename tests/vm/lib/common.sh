# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # the sourcing script uses them
# What every part of the VM harness needs: folders, messages, root, locks.

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
REPO=$(cd "$VM_DIR/../.." && pwd)
CACHE=${SMTPRIO_CACHE:-/var/cache/smtprio}
LOG_DIR=$REPO/build/vm

# Standard output is KTAP; whatever tells a person about progress is a comment in it.
say() {
	printf '# %s\n' "$*"
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# Chroots and private mounts need root; everything else would do without.
need_root() {
	[ "$(id -u)" -ne 0 ] || return 0
	command -v sudo >/dev/null || die "needs root (it runs programs in a chroot), and there is no sudo"
	printf '# %s needs root for its chroot: running again with sudo\n' "${0##*/}"
	exec sudo --preserve-env=SMTPRIO_CACHE,SMTPRIO_ACCEL,TMPDIR -- "$0" "$@"
}

# What a sudo run leaves in the work tree belongs to the person who called it.
give_back() {
	if [ -n "${SUDO_UID:-}" ] && [ -d "$REPO/build" ]; then
		chown -R "$SUDO_UID:${SUDO_GID:-$SUDO_UID}" "$REPO/build"
	fi
}

# lock / unlock: one run at a time prepares the cache; guests of several runs may go side by side.
lock() {
	mkdir -p "$CACHE" || die "cannot make the cache folder $CACHE (choose one with SMTPRIO_CACHE=DIR)"
	exec 9>"$CACHE/lock"
	flock -n 9 && return
	say "waiting for another run to finish preparing"
	flock 9
}

unlock() {
	exec 9>&-
}

# sources PATH...: the source files there, NUL after each; never what a build in the tree left behind.
sources() {
	find "$@" -type f \( -name '*.[chS]' -o -name Kbuild -o -name Makefile -o -name '*.conf' \) ! -name '*.mod.c' -print0 | sort -z
}

# digest PATH...: one hash over names and contents of the sources; paths relative to the present folder.
digest() {
	sources "$@" | xargs -0r sha256sum | sha256sum | cut -c1-32
}

# alone COMMAND...: with none of our files open. dpkg's hooks, which mmdebstrap has sh run, write to descriptors by number, and sh
# knows numbers of one digit only.
alone() (
	local fd

	for fd in /proc/self/fd/*; do
		fd=${fd##*/}
		[ "$fd" -le 2 ] || [ "$fd" -eq 255 ] || eval "exec $fd>&-"
	done
	"$@"
)

# run_logged LOG COMMAND...: quiet while it works; when it fails, the end of its log is shown.
run_logged() {
	local log=$1

	shift
	mkdir -p "${log%/*}"
	alone "$@" >"$log" 2>&1 </dev/null && return 0
	printf '# failed: %s\n' "$*" >&2
	tail -n 15 "$log" | sed 's/^/#   /' >&2
	return 1
}
