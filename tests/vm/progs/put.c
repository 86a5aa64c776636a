// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * put FILE VALUE: one write(2) of VALUE, as a shell's echo would send it, and
 * what came of it: prints error=ERRNO us=MICROSECONDS. The exit status is 0 for
 * a refused write too: which refusal is right is the caller's to say.
 */
#include "common.h"

int main(int argc, char **argv)
{
	static char text[16384];
	int fd, length, error = 0;
	uint64_t began;

	if (argc != 3)
		die("usage: put FILE VALUE");
	length = snprintf(text, sizeof(text), "%s\n", argv[2]);
	if (length >= (int)sizeof(text))
		die("value too long");
	fd = open(argv[1], O_WRONLY);
	if (fd < 0)
		die("%s", argv[1]);
	began = now_us();
	if (write(fd, text, length) != length)
		error = errno;
	printf("error=%d us=%llu\n", error, (unsigned long long)(now_us() - began));
	return 0;
}
