# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # the sourcing scripts use them
# What the tests of the packages share; they run in a throw-away copy of a root.

said=/tmp/said

if [ ! -d /mnt/debs ]; then
	echo "${0##*/}: not in a copy of a root: use tests/packages/run" >&2
	exit 1
fi

# check TEXT COMMAND...: what was said last is shown when it fails.
check() {
	local text=$1

	shift
	if "$@"; then
		echo "ok - $text"
	else
		echo "not ok - $text"
		tail -n 20 "$said" | sed 's/^/#   /'
	fi
}

# run COMMAND...: sets "status".
run() {
	"$@" >"$said" 2>&1 </dev/null
	status=$?
}

succeeded() {
	[ "$status" -eq 0 ]
}

# install FOLDER: both packages from there.
install_from() {
	run apt-get -qq -y --no-install-recommends -o Dpkg::Options::=--force-confold install "$1"/smtprio-dkms_*.deb "$1"/smtprio-tools_*.deb
}

# dkms_says VERSION STATE: there is only that version, in that state, whatever the number of kernels.
dkms_says() {
	dkms status -m smtprio >"$said" 2>&1
	[ -s "$said" ] && ! grep -qvE "^smtprio/$1(, [^:]*)?: $2\$" "$said"
}

files() {
	find / -xdev \( -path /mnt -o -path /proc -o -path /dev -o -path /tmp \) -prune -o \
		-path '*smtprio*' ! -path '/etc/smtprio-recipe' -print >"$said"
}

nothing_left() {
	files
	[ ! -s "$said" ]
}
