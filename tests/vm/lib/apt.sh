# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The host's apt: fresh lists, the archive it is configured for, newest versions. WHERE is "host", "trixie" or
# an architecture that is not the host's, whose packages are fetched and never installed.

APT_FRESH_MIN=360	# package lists younger than this many minutes are not asked for again

declare -A apt_failed=()	# where the archive could not be reached in this run

# apt_update WHERE: refresh the lists unless they are fresh.
# Fails, and says so, when the archive cannot be reached; old lists and the cache then have to do.
apt_update() {
	local stamp=$CACHE/updated-$1

	[ -z "${apt_failed[$1]:-}" ] || return 1
	[[ $1 =~ ^(host|trixie)$ ]] || apt_foreign "$1"
	[ -z "$(find "$stamp" -mmin "-$APT_FRESH_MIN" 2>/dev/null)" ] || return 0
	apt_update_now "$1"
}

apt_update_now() {
	mkdir -p "$CACHE/log"
	say "asking the archive for new package lists ($1)"
	# Without Error-Mode=any apt calls an unreachable archive a success.
	if run_logged "$CACHE/log/apt-update-$1.log" apt_in "$1" apt-get -qq -o APT::Update::Error-Mode=any update; then
		touch "$CACHE/updated-$1"
		return 0
	fi
	apt_failed[$1]=1
	say "the archive cannot be reached from here: going on with what is in the cache ($1)"
	return 1
}

# apt_in WHERE COMMAND...
apt_in() {
	local where=$1

	shift
	case $where in
	host)	LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@" ;;
	trixie)	in_trixie "$@" ;;
	*)	LC_ALL=C APT_CONFIG=$(apt_foreign_dir "$where")/apt.conf "$@" ;;
	esac
}

apt_foreign_dir() {
	echo "$CACHE/$1/apt"
}

# apt_foreign ARCH: an apt of its own for ARCH, so that neither the host's nor the trixie root's has to
# know the architecture. It has all suites and nothing installed; signatures are checked as ever.
apt_foreign() {
	local dir

	dir=$(apt_foreign_dir "$1")
	mkdir -p "$dir"/etc/apt/{apt.conf,preferences,sources.list}.d "$dir"/var/{lib/apt/lists,cache/apt/archives}
	archive_sources bookworm bookworm-updates bookworm-security "${TRIXIE_SUITES[@]}" >"$dir/etc/apt/sources.list"
	: >"$dir/status"
	{
		cat <<-EOT
		Dir "$dir/";
		Dir::State::status "$dir/status";
		Dir::Etc::netrc "/etc/apt/auth.conf";
		Dir::Etc::netrcparts "/etc/apt/auth.conf.d";
		APT::Architecture "$1";
		APT::Architectures { "$1"; };
		APT::Sandbox::User "root";
		EOT
		apt_host_options || true
	} >"$dir/apt.conf"
}

# apt_install WHERE PACKAGE...
apt_install() {
	local where=$1

	shift
	run_logged "$CACHE/log/apt-install-$where.log" apt_in "$where" \
		apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=120 install "$@"
}

# apt_repo LABEL: address of the host's Debian archive that calls itself LABEL.
apt_repo() {
	# shellcheck disable=SC2016 # $(REPO_URI) is apt's own
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' "Label: $1" | head -n 1
}

# apt_download WHERE DIR PACKAGE[=VERSION]...: apt's own user could not write to a folder of ours, hence the
# sandbox option.
apt_download() {
	local where=$1 dir=$2 get

	shift 2
	get=(apt-get -qq -o APT::Sandbox::User=root download "$@")
	# shellcheck disable=SC2016 # the inner shell expands it
	case $where in
	trixie)	in_trixie -b "$dir:fetch" sh -c 'cd /mnt/fetch && "$@"' sh "${get[@]}" ;;
	*)	(cd "$dir" && apt_in "$where" "${get[@]}") ;;
	esac
}

TRIXIE_SUITES=(trixie trixie-updates trixie-backports trixie-security)

# archive_sources SUITE...: a sources.list with these suites, on the archive the host uses.
archive_sources() {
	local key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]' main security suite

	main=$(apt_repo Debian)
	if [ -z "$main" ]; then
		apt_update_now host >&2
		main=$(apt_repo Debian)
	fi
	[ -n "$main" ] || die "apt on this machine knows no Debian archive: add one to /etc/apt/sources.list.d"
	security=$(apt_repo Debian-Security)
	for suite in "$@"; do
		case $suite in
		*-security)	[ -z "$security" ] || printf 'deb %s %s %s main\n' "$key" "$security" "$suite" ;;
		*)		printf 'deb %s %s %s main\n' "$key" "$main" "$suite" ;;
		esac
	done
}

# apt_host_options: the host's way to reach the archive (proxy, clock checks), for the root to share.
apt_host_options() {
	apt-config dump | grep -E '^Acquire::((http|https)::|Check-(Date|Valid-Until) )' | grep -v ' "";$'
}

# apt_newest WHERE SUITE REGEX: "PACKAGE VERSION" of the newest package so named in SUITE or its
# updates; nothing when there is none.
apt_newest() {
	local where=$1 suite=$2 regex=$3 best='' best_version='' package version
	local -a names

	mapfile -t names < <(apt_in "$where" apt-cache pkgnames | grep -xE "$regex")
	[ "${#names[@]}" -gt 0 ] || return 0
	while read -r package version; do
		if [ -z "$best" ] || dpkg --compare-versions "$version" gt "$best_version"; then
			best=$package
			best_version=$version
		fi
	done < <(apt_in "$where" apt-cache madison "${names[@]}" | awk -F '[| ]+' -v suite="$suite" '
		{ sub(/^ +/, ""); split($4, s, "/") }
		s[1] == suite || s[1] == suite "-updates" || s[1] == suite "-security" { print $1, $2 }')
	[ -z "$best" ] || printf '%s %s\n' "$best" "$best_version"
}
