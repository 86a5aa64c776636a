# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # tests/lint/run reads "expect" and sets "work"
# The kernel's semantic check, on the oldest stock kernel: the headers this machine has itself.

SPARSE_KERNEL=6.1-amd64

check_sparse() {
	local out log sources

	out=$(mktemp -d "$work/sparse.XXXXXX")
	log=$out.log
	lock
	kernel_prepare "$SPARSE_KERNEL" >"$log" || { cat "$log"; echo "$K_WHY"; return 1; }
	unlock
	cp -a "$TREE/Kbuild" "$TREE/dkms.conf" "$TREE/module" "$out/"
	find "$out" \( -name '*.o' -o -name '.*.cmd' \) -delete
	LC_ALL=C make -C "$(kernel_headers)" M="$out" C=2 CHECK=sparse -j"$(nproc)" modules >"$log" 2>&1 ||
		{ echo "the build failed:"; grep -E 'error|sparse' "$log"; return 1; }
	sources=$(find "$out/module" -name '*.c' | wc -l)
	[ "$(grep -c '^  CHECK ' "$log")" -eq "$sources" ] || echo "sparse did not see all $sources sources"
	# What the kernel's headers give rise to is not ours.
	grep -E '(warning|error):' "$log" | sed -n "s,^$out/,,p"
	return 0
}

bad_sparse_user_pointer() {
	put dkms.conf ''
	put Kbuild 'obj-m := smtprio.o' 'smtprio-y := module/a.o'
	put module/a.c '#include <linux/module.h>' 'int a(int __user *p);' 'int a(int __user *p)' '{' $'\treturn *p;' '}' \
		'MODULE_LICENSE("GPL");'
	expect='^module/a.c:5:.*dereference of noderef'
}
