# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # tests/lint/run reads "expect" and sets "work"
# Stock kernels seal functions that they never call through a pointer: such a call is a fault on
# CPUs with IBT. So what is looked up by name must be called directly. Shown from the machine code of
# smtprio.ko for each amd64 kernel:
# - it has no indirect call or jump but in the functions listed in the file "indirect";
# - what is looked up is not an undefined symbol, so there is no pointer to it from the start;
# - it is called, and through the trampoline of its static call, which is a direct jump;
# - the trampoline's address is taken only in data and where the static call is updated.

# ibt_modules: "KERNEL FILE" of every built module; a sample brings its own.
ibt_modules() {
	local log=$work/ibt.log kernels

	if [ "$TREE" != "$REPO" ]; then
		find "$TREE" -name '*.ko' -printf 'sample %p\n'
		return
	fi
	mapfile -t kernels < <(kernel_names amd64 plain | sed 's/^/-k\n/')
	"$VM_DIR/run" --build-only "${kernels[@]}" >"$log" || { grep -E '^(not ok|#)' "$log" >&2; return 1; }
	# A kernel no longer on offer is skipped there.
	sed -nE "s,^ok [0-9]+ - ([^/ ]+)/build$,\1 $CACHE/build/\1/smtprio/smtprio.ko,p" "$log" | grep .
}

check_ibt() {
	local kernel file modules found=$work/ibt.found

	modules=$(ibt_modules) || { echo "there are no built modules to look at"; return 1; }
	looked_up | grep -q . || echo "module/symbols.h: its list cannot be read"
	: >"$found"
	lock
	while read -r kernel file; do
		ibt_module "$file" "$found" | sed "s/^/$kernel: /"
	done <<<"$modules"
	unlock
	ibt_listed | grep -vxFf "$found" | sed 's,^,tests/lint/indirect: no indirect call in ,'
	ibt_listed | grep -E '^smtprio_(wake|ilb)_' | sed 's,^,tests/lint/indirect: a hook may have no indirect call: ,'
	return 0
}

# ibt_listed: functions that may have indirect calls.
ibt_listed() {
	sed '/^#/d' "$TREE/tests/lint/indirect" | awk 'NF { print $1 }'
}

# looked_up: names of the list in symbols.h.
looked_up() {
	sed -nE 's/^(\tX|SMTPRIO_DECLARE_CALL)\(([a-z0-9_]+), (true|false)\).*/\2/p' "$TREE/module/symbols.h"
}

# ibt_module FILE FOUND: complaints; names of functions with indirect calls are added to FOUND.
ibt_module() {
	nm -u "$1" | awk '{ print $2 }' | grep -xFf <(looked_up) | sed 's/$/: referred to by name, not looked up/'
	# Calls in the list of places that are patched when the module is loaded come first, then the code.
	{
		objdump -r -j .parainstructions -j .altinstructions "$1" 2>/dev/null
		objdump -dr --no-show-raw-insn "$1"
	} | awk -v found="$2" -v listed="$(ibt_listed)" -v names="$(looked_up)" '
		function flush() {
			if (indirect == "")
				return
			print name >>found
			if (!(name in allowed))
				print name ": " indirect ": a call through a pointer"
			indirect = ""
		}
		BEGIN {
			split(listed, l)
			for (i in l)
				allowed[l[i]]
			split(names, wanted)
		}
		# 000012d R_X86_64_64 .text+0x00000000000012d
		/^[0-9a-f]+ R_X86_64_(64|PC32) / {
			split($3, place, /\+0x0*/)
			patched[place[1] " " place[2]]
			next
		}
		/^Disassembly of section / { flush(); section = $4; sub(/:$/, "", section) }
		/^[0-9a-f]+ <.*>:$/ { flush(); name = $2; gsub(/[<>:]/, "", name); sub(/\..*/, "", name) }
		/^ +[0-9a-f]+:\t/ {
			flush()
			at = $1
			sub(/:/, "", at)
			insn = $0
			sub(/^[^\t]*\t/, "", insn)
			if (insn ~ /^((notrack|bnd|cs|ds) +)*(call|jmp)q? +\*/)
				indirect = insn
		}
		# The relocation of the instruction before.
		/^\t+[0-9a-f]+: R_X86_64_/ {
			symbol = $3
			sub(/[-+]0x[0-9a-f]+$/, "", symbol)
			# A call through pv_ops becomes a direct one, or none, before the module runs.
			if (symbol ~ /^pv_ops/ && ((section " " at) in patched))
				indirect = ""
			if (symbol ~ /^__x86_indirect_/)
				indirect = insn " " symbol
			if (symbol == "__static_call_update")
				updates[name]
			if (symbol ~ /^__SCT__/) {
				if (insn ~ /^(call|j[a-z]+) /)
					called[symbol]
				else
					taken[name " " symbol]
			}
		}
		END {
			flush()
			for (i in wanted)
				if (!("__SCT__smtprio_" wanted[i] in called))
					print wanted[i] ": never called by its static call"
			for (i in taken) {
				split(i, t, " ")
				if (!(t[1] in updates))
					print t[1] ": takes the address of " t[2]
			}
		}'
}

# ibt_sample LINE...: a module that is right but for these lines.
ibt_sample() {
	put module/symbols.h $'\tX(idle_cpu, true)'
	put tests/lint/indirect 'listed'
	put a.c 'int __SCT__smtprio_idle_cpu(int cpu);' 'int (*pointer)(int);' \
		'int right(int cpu) { return __SCT__smtprio_idle_cpu(cpu) + 1; }' \
		'int listed(int cpu) { return pointer(cpu) + 1; }' "$@"
	gcc -O2 -fno-pic -fcf-protection=none -mindirect-branch=thunk-extern -c -o "$TREE/a.ko" "$TREE/a.c"
}

bad_ibt_call_through_a_pointer() {
	ibt_sample 'int f(int cpu) { return pointer(cpu) + 1; }'
	expect='^sample: f: .*__x86_indirect_thunk_[a-z0-9]*: a call through a pointer$'
}

bad_ibt_jump_through_a_pointer_without_retpoline() {
	ibt_sample '__attribute__((indirect_branch("keep"))) int f(int cpu) { return pointer(cpu); }'
	expect='^sample: f: jmp +\*.*: a call through a pointer$'
}

bad_ibt_call_of_pv_ops_that_is_not_patched() {
	ibt_sample 'extern int (*pv_ops[])(int);' \
		'__attribute__((indirect_branch("keep"))) int f(int cpu) { return pv_ops[1](cpu) + 1; }'
	expect='^sample: f: call +\*.*: a call through a pointer$'
}

bad_ibt_function_referred_to_by_name() {
	ibt_sample 'int idle_cpu(int cpu);' 'int (*p)(int) = idle_cpu;'
	expect='^sample: idle_cpu: referred to by name'
}

bad_ibt_trampoline_as_a_pointer() {
	ibt_sample 'void *f(void) { return __SCT__smtprio_idle_cpu; }'
	expect='^sample: f: takes the address of __SCT__smtprio_idle_cpu'
}

bad_ibt_static_call_not_used() {
	ibt_sample
	sed -i "\$a \\\tX(ftrace_location, true)" "$TREE/module/symbols.h"
	expect='^sample: ftrace_location: never called by its static call'
}

bad_ibt_list_with_a_row_too_many() {
	ibt_sample
	echo gone >>"$TREE/tests/lint/indirect"
	expect='^tests/lint/indirect: no indirect call in gone'
}

bad_ibt_list_with_a_hook() {
	ibt_sample 'int smtprio_wake_f(int cpu) { return pointer(cpu) + 1; }'
	echo smtprio_wake_f >>"$TREE/tests/lint/indirect"
	expect='^tests/lint/indirect: a hook may have no indirect call: smtprio_wake_f'
}
