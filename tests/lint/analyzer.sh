# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # tests/lint/run reads "expect" and sets "work"
# GCC's static analyzer, on the tool: it follows paths through a function and finds leaks, double frees and
# pointers used when they may be NULL.

check_analyzer() {
	local file flags

	flags=$(pkg-config --cflags smartcols libkmod ncursesw libtracefs libtraceevent inih zlib)
	(cd "$TREE" && tree_files | grep '^userspace/.*\.c$' | while read -r file; do
		# shellcheck disable=SC2086
		gcc -std=gnu11 -O1 -fanalyzer -D_GNU_SOURCE -DHAVE_ZLIB -DSMTPRIO_VERSION='""' $flags \
			-c -o /dev/null "$file" 2>&1 | grep -E '(warning|error): '
	done)
	return 0
}

bad_analyzer_double_free() {
	put userspace/a.c '#include <stdlib.h>' 'int f(char *p, int n)' '{' '	if (n)' '		free(p);' '	free(p);' \
		'	return n;' '}'
	expect='^userspace/a.c:6:.*double-.free. of .p'
}

bad_analyzer_leak() {
	put userspace/a.c '#include <stdlib.h>' '#include <string.h>' 'int f(const char *s)' '{' '	char *p = strdup(s);' '' \
		'	if (!p)' '		return 0;' '	return p[0];' '}'
	expect='^userspace/a.c:9:.*leak of .p'
}
