# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # tests/lint/run reads "expect"
# Checks that read the text of the sources.

# Texts for people have none: the read-mes, the licence itself, and the ABI file, which has the form of Documentation/ABI.
check_spdx() {
	local file licence

	while read -r file; do
		case $file in
		*.md | .gitignore | COPYING | module/sysfs-*)	continue ;;
		# Their forms have no comments.
		*.json | debian/changelog | debian/copyright | debian/source/format)	continue ;;
		module/* | Kbuild | dkms.conf)		licence='GPL-2\.0' ;;
		*)					licence='GPL-2\.0-or-later' ;;
		esac
		head -n 3 "$TREE/$file" | grep -qE "SPDX-License-Identifier: $licence( \*/)?$" ||
			echo "$file: its first lines have no SPDX-License-Identifier: ${licence//\\/}"
	done < <(tree_files)
}

bad_spdx_no_licence_line() {
	put userspace/a.h '#define A'
	expect='^userspace/a.h: .* GPL-2.0-or-later$'
}

bad_spdx_wrong_licence() {
	put module/a.c '// SPDX-License-Identifier: GPL-2.0-or-later'
	expect='^module/a.c: .* GPL-2.0$'
}

# grep_tree OPTION... PATTERN: "FILE:LINE:TEXT" of matches in the files named on standard input.
grep_tree() {
	(cd "$TREE" && LC_ALL=C xargs -r -d '\n' grep -n -H "$@") || true
}

check_ascii() {
	tree_files | grep_tree -P '[^\t\x20-\x7e]' | cut -d : -f 1,2 | sed 's/$/: not plain ASCII/'
}

bad_ascii_letter() {
	put README.md 'plain' $'caf\xc3\xa9'
	expect='^README.md:2: '
}

bad_ascii_carriage_return() {
	put a.sh $'exit\r'
	expect='^a.sh:1: '
}

check_versions() {
	tree_files | grep -E '(\.[ch]|(^|/)(Kbuild|Makefile))$' | grep -v '^module/compat/' |
		grep_tree -E 'LINUX_VERSION_CODE|KERNEL_VERSION|LINUX_VERSION_(MAJOR|PATCHLEVEL)'
}

bad_versions_in_a_source() {
	put module/compat/compat.h '#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)'
	put module/a.c 'int a;' '#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)'
	expect='^module/a.c:2:'
}

# Addresses come from apt's own configuration. The brackets keep this file from matching itself.
check_hosts() {
	local debian='(deb|security|snapshot|archive|httpredir|(ftp|cdn)[a-z0-9.-]*)[.]debian[.]org'
	local ubuntu='[a-z0-9-]+[.]ubuntu[.]com'
	local other='pypi[.]org|pythonhosted[.]org|npmjs[.](org|com)|crates[.]io|rubygems[.]org|golang[.]org'
	local images='docker[.](io|com)|ghcr[.]io|quay[.]io|gcr[.]io|huggingface[.]co|anaconda[.]org|maven[.]org'

	tree_files | grep_tree -i -E "(^|[^a-z0-9-])($debian|$ubuntu|([a-z0-9-]+[.])?($other|$images))"
}

bad_hosts_in_a_script() {
	put a.sh "mirror=http://deb.debian"".org/debian"
	expect='^a.sh:1:'
}

bad_hosts_elsewhere() {
	put a.md "See https://files.pythonhosted"".org/x."
	expect='^a.md:1:'
}

# scripts: files that are shell by their first line, their suffix, or a directive for shellcheck.
scripts() {
	local file

	while read -r file; do
		case $file in
		*.c | *.h | *.md) ;;
		*.sh | *.bash | *.bats) echo "$file" ;;
		*)	head -n 3 "$TREE/$file" | grep -qE '^#!.*[/ ](ba|da)?sh$|^#!.*bats$|^# shellcheck shell=' && echo "$file" ;;
		esac
	done < <(tree_files)
}

# Not followed (SC1091): files a script finds only where it runs, as in a guest.
check_shellcheck() {
	scripts | (cd "$TREE" && xargs -r -d '\n' shellcheck -f gcc -e SC1091)
}

bad_shellcheck_unquoted_variable() {
	put tests/run '#!/bin/bash' "rm -r \$1"
	expect='^tests/run:2:.*SC2086'
}

bad_shellcheck_bash_in_a_guest() {
	put tests/vm/tests/a.sh '# shellcheck shell=sh' "[[ \$1 == a* ]] && echo"
	expect='^tests/vm/tests/a.sh:2:.*SC3010'
}
