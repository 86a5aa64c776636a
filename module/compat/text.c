// SPDX-License-Identifier: GPL-2.0
/*
 * Reading machine code: does one kernel function call another.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "compat.h"

#if defined(CONFIG_X86_64)

#define SMTPRIO_CALL_STEP	1
#define SMTPRIO_CALL_SIZE	5

/*
 * CALL rel32, at any byte: a false match would need the exact distance as
 * data. With call depth tracking (retbleed=stuff) the kernel makes its calls
 * land in the up to 16 bytes of padding before the function; a call may also
 * skip the function's ENDBR (4 bytes).
 */
static bool smtprio_text_is_call(unsigned long ip, unsigned long target)
{
	unsigned long to;
	s32 offset;

	if (*(const u8 *)ip != 0xe8)
		return false;
	memcpy(&offset, (const u8 *)ip + 1, sizeof(offset));
	to = ip + SMTPRIO_CALL_SIZE + offset;
	return to - (target - 16) <= 16 + 4;
}

#elif defined(CONFIG_ARM64)

#define SMTPRIO_CALL_STEP	4
#define SMTPRIO_CALL_SIZE	4

/* BL imm26 (Arm ARM, C6.2): bits 31..26 are 100101, the offset in words. */
static bool smtprio_text_is_call(unsigned long ip, unsigned long target)
{
	u32 insn = le32_to_cpup((const __le32 *)ip);

	return insn >> 26 == 0x25 &&
	       ip + ((s64)((u64)insn << 38) >> 36) == target;
}

#else
#error "smtprio supports x86-64 and arm64"
#endif

/**
 * smtprio_text_calls() - does a kernel function call another one directly
 * @start: first byte of the caller
 * @size: its bytes
 * @target: first instruction of the called function
 *
 * Return: true when a call was found. Context: any; the caller is built-in
 * kernel text, which stays mapped and readable.
 */
bool smtprio_text_calls(unsigned long start, unsigned long size,
			unsigned long target)
{
	for (unsigned long ip = start; ip + SMTPRIO_CALL_SIZE <= start + size;
	     ip += SMTPRIO_CALL_STEP)
		if (smtprio_text_is_call(ip, target))
			return true;
	return false;
}
