# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034 # the K_ variables are kernel.sh's
# Kernels compiled here, from Debian's source package and a configuration of ours over tinyconfig. What is kept
# of one is its image and what building modules for it takes.

COMPILE_PACKAGES=(flex bison bc libelf-dev)
# Part of a compiled kernel's version: raise it when this file makes kernels in another way.
COMPILE_RECIPE=1

# compile_config: the configuration of the row loaded; nothing for a kernel that Debian compiled.
compile_config() {
	[ -z "$K_FLAVOUR" ] || [ ! -e "$VM_DIR/$K_FLAVOUR.config" ] || echo "$VM_DIR/$K_FLAVOUR.config"
}

# compile_version VERSION: of the kernel made from the source package of that version.
compile_version() {
	echo "$1_$(echo "$COMPILE_RECIPE" | cat - "$(compile_config)" | sha256sum | cut -c 1-12)"
}

# compile_kernel VERSION: into the cache. Other runs may go on meanwhile: only those that want the same wait.
compile_kernel() {
	local version=$1 dir=$CACHE/kernels/$K_NAME status=0

	trixie_add "${COMPILE_PACKAGES[@]}" || return 1
	unlock
	exec 7>"$dir/lock"
	flock -n 7 || { say "waiting for another run that compiles $K_NAME"; flock 7; }
	if ! kernel_load "$version"; then
		say "compiling $K_NAME from the source of Linux ${version%_*} (once; some minutes)"
		compile_now "$version" "$dir/new" && kernel_load "$version" || status=1
		rm -rf "$dir/new"
	fi
	exec 7>&-
	lock
	return "$status"
}

# compile_now VERSION DIR: in DIR, which becomes the version's folder.
compile_now() {
	local version=$1 dir=$2 log=$CACHE/log/compile-$K_NAME.log

	rm -rf "$dir" "$CACHE/kernels/$K_NAME/$version"
	mkdir -p "$dir/build"
	run_logged "$log" compile_unpack "${version%_*}" "$dir" || return 1
	{ cat "$(compile_config)" && echo "CONFIG_LOCALVERSION=\"-$K_FLAVOUR-$K_ARCH\""; } >"$dir/wanted"
	# shellcheck disable=SC2016 # the inner shell expands it
	if ! in_trixie -b "$dir:kernel" sh -euc '
		cd /mnt/kernel/build
		make -s tinyconfig
		cat ../wanted >>.config
		make -s olddefconfig
		nice make -s -j"$(nproc)" bzImage modules
		make -s kernelrelease >../release
		' >>"$log" 2>&1 </dev/null; then
		grep -vE 'warning|note' "$log" | tail -n 15 | sed 's/^/#   /'
		return 1
	fi
	if compile_missing "$dir" | sed 's/^/#   the configuration asked for something else: /' | grep .; then
		return 1
	fi
	mv "$dir/build/arch/x86/boot/bzImage" "$dir/vmlinuz"
	cp "$dir/build/.config" "$dir/config"
	compile_prune "$dir/build"
	mv "$dir/release" "$dir/facts"
	mv "$dir" "$CACHE/kernels/$K_NAME/$version"
}

# compile_unpack VERSION DIR: the source package, less the bulk of what no such kernel has.
compile_unpack() {
	apt_download "$K_APT" "$2" "linux-source-$K_SERIES=$1" &&
		dpkg-deb --fsys-tarfile "$2"/*.deb | tar -xO --wildcards '*/linux-source-*.tar.xz' |
		tar -xJ -C "$2/build" --strip-components=1 --wildcards --exclude='*/drivers/gpu/*.[ch]' \
			--exclude='*/drivers/net/*.[ch]' --exclude='*/sound/*.[ch]' --exclude='*/Documentation/*.rst' &&
		rm "$2"/*.deb
}

# compile_missing DIR: what the configuration asked for and did not get.
compile_missing() {
	local option

	sed -n 's/^# \(CONFIG_[A-Z0-9_]*\) is not set$/\1/p' "$1/wanted" | while read -r option; do
		grep "^$option=" "$1/build/.config"
	done
	grep '^CONFIG_' "$1/wanted" | grep -vxFf "$1/build/.config"
}

# compile_prune DIR: leave of a compiled source what modules are built with.
compile_prune() {
	(
		cd "$1" || exit 1
		find . -mindepth 1 -maxdepth 1 ! -name Makefile ! -name scripts ! -name include ! -name arch ! -name tools \
			! -name .config ! -name Module.symvers ! -name System.map -exec rm -rf {} +
		find arch -mindepth 1 -maxdepth 1 ! -name x86 -exec rm -rf {} +
		find arch/x86 -mindepth 1 -maxdepth 1 ! -name include ! -name 'Makefile*' -exec rm -rf {} +
		find tools -mindepth 1 -maxdepth 1 ! -name objtool -exec rm -rf {} +
		find tools scripts \( -name '*.[oa]' -o -name '.*.cmd' \) -delete
	)
}
