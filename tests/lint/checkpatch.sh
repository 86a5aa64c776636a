# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # tests/lint/run reads "expect" and sets "work"
# The kernel's own style check, from the kernel source that Debian ships.

# checkpatch_prepare: sets CHECKPATCH to the newest script on offer, or the newest in the cache.
checkpatch_prepare() {
	local package version

	[ -z "${CHECKPATCH:-}" ] || return 0
	lock
	apt_update host || true
	read -r package version < <(apt_newest host bookworm 'linux-source-[0-9.]+') || true
	[ -z "${version:-}" ] || checkpatch_fetch "$package" "$version" || true
	unlock
	CHECKPATCH=$(find "$CACHE/checkpatch" -name checkpatch.pl 2>/dev/null | sort -V | tail -n 1)
	[ -n "$CHECKPATCH" ] || { echo "no checkpatch.pl: the package linux-source could not be had"; return 1; }
}

# The package is of 130 MB, what is kept of it of 300 KB.
checkpatch_fetch() {
	local dir=$CACHE/checkpatch/$2 tmp status=1

	[ ! -d "$dir" ] || return 0
	tmp=$(mktemp -d "$CACHE/fetch.XXXXXX")
	if apt_download host "$tmp" "$1=$2" >"$CACHE/log/checkpatch.log" 2>&1 &&
		dpkg-deb --fsys-tarfile "$tmp"/*.deb | tar -xO --wildcards '*.tar.xz' |
		tar -xJ -C "$tmp" --strip-components=2 --wildcards '*/scripts/checkpatch.pl' \
			'*/scripts/spelling.txt' '*/scripts/const_structs.checkpatch'; then
		rm -rf "$CACHE/checkpatch" "$tmp"/*.deb
		mkdir "$CACHE/checkpatch"
		chmod 755 "$tmp"
		mv "$tmp" "$dir"
		status=0
	fi
	rm -rf "$tmp"
	return "$status"
}

# checkpatch: complaints about the files named on standard input, names as in $TREE.
checkpatch() {
	local root=$work/checkpatch

	# It leaves a file where it runs, and wants to learn names from the kernel's include/.
	mkdir -p "$root/include"
	(cd "$root" && sed "s,^,$TREE/," | xargs -r -d '\n' perl "$CHECKPATCH" --no-tree --root="$root" \
		--no-summary --strict --terse --show-types --file 2>&1) | sed "s,^$TREE/,,"
}

# The rows of checkpatch.ignore take complaints away; a row with nothing to take away is one itself.
check_checkpatch() {
	checkpatch_prepare || return 1
	tree_files | grep '\.[ch]$' | checkpatch |
		awk -v table="$TREE/tests/lint/checkpatch.ignore" '
			BEGIN {
				while ((getline line <table) > 0)
					if (line ~ /^[^#]/) {
						split(line, column)
						path[++n] = "^" column[1]
						type[n] = column[2]
					}
			}
			{
				# FILE:LINE: LEVEL:TYPE: text
				split($0, part, ":")
				for (i = 1; i <= n; i++)
					if (part[1] ~ path[i] && part[4] == type[i]) {
						used[i]
						next
					}
				print
			}
			END {
				for (i = 1; i <= n; i++)
					if (!(i in used))
						print "tests/lint/checkpatch.ignore: nothing to ignore: " path[i] " " type[i]
			}'
	return 0	# the script's own status tells of ignored complaints too
}

bad_checkpatch_style() {
	put userspace/a.c '// SPDX-License-Identifier: GPL-2.0-or-later' 'int a(void)' '{' '    return 1;' '}'
	expect='^userspace/a.c:4: WARNING:LEADING_SPACE'
}

bad_checkpatch_strict_style() {
	put module/a.c '// SPDX-License-Identifier: GPL-2.0' 'int a(int *b)' '{' $'\treturn b == NULL;' '}'
	expect='^module/a.c:4: CHECK:COMPARISON_TO_NULL'
}

bad_checkpatch_ignored_elsewhere() {
	bad_checkpatch_strict_style
	put tests/a.c '// SPDX-License-Identifier: GPL-2.0-or-later' 'int a(int *b)' '{' $'\treturn b == NULL;' '}'
	put tests/lint/checkpatch.ignore 'tests/.* COMPARISON_TO_NULL'
}

bad_checkpatch_nothing_to_ignore() {
	put tests/lint/checkpatch.ignore 'tests/.* CAMELCASE'
	expect='^tests/lint/checkpatch.ignore: nothing to ignore: .*CAMELCASE'
}
