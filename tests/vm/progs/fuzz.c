// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fuzz SEED N FILE...: N generated writes to files in sysfs. After each, the file
 * is read (where it can be), and what is read is written back:
 * - a write is taken as a whole, or refused with an error number that tells of a
 *   bad value; refused, it changed nothing;
 * - what a file says it takes, and it says the same afterwards.
 * With SEED 0 in front (fuzz 0 SEED N FILE...) others write too, and only the
 * error numbers and the last of it are checked.
 * Prints writes=N taken=N refused=N bad=N and a "# bad" line for each fault.
 */
#include "common.h"
#include <ctype.h>

#define VALUE 8192

static const char * const words[] = {
	"off", "observe", "enforce", "0", "1", "on", "y", "n", "number", "reverse",
	"arch", "custom", "0-7", "0,2,4-5", "all", "auto", "-1", "2147483647",
	"-2147483648", "2147483648", "4294967296", "18446744073709551615",
	"99999999999999999999999", "0x10", "010", "1e3", "1.5", "0=1", "1=-5",
	"0=1 1=2 2=3", "7=9\n", "8=1", "-1=1", "0=", "=1", "0==1", "0-", "3-1",
	"0-7:1/2", "0-4294967295", "N", "%s%n", "../mode", "", "\n", " ", "\t",
};

static uint32_t state;
static bool alone = true;
static long taken, refused, bad;

/* fill: sets @value, of a file that says @before, and returns its length */
static int fill(char *value, const char *before)
{
	int length = 0;

	switch (dice(&state) % 9) {
	case 0:		/* bytes */
		length = dice(&state) % 64;
		for (int i = 0; i < length; i++)
			value[i] = dice(&state);
		return length;
	case 1:		/* one letter, many times; longer than a page, too */
		length = dice(&state) % VALUE;
		memset(value, "0 1,-=\nx"[dice(&state) % 8], length);
		return length;
	case 2:		/* a number */
		return sprintf(value, "%d", (int)dice(&state));
	case 3:		/* CPUs and priorities */
		for (int n = 1 + dice(&state) % 12; n > 0; n--)
			length += sprintf(value + length, "%u%c%d ", dice(&state) % 10,
					  "=-,"[dice(&state) % 3], (int)dice(&state) % 20);
		return length;
	case 4:		/* what there is, so that some are taken whatever the seed */
		return sprintf(value, "%s", before);
	default:	/* words, some of them cut short or gone wrong */
		for (int n = 1 + dice(&state) % 2; n > 0; n--)
			length += sprintf(value + length, "%s",
					  words[dice(&state) % (sizeof(words) / sizeof(*words))]);
		if (length && !(dice(&state) % 4))
			length = dice(&state) % length;
		if (length && !(dice(&state) % 4))
			value[dice(&state) % length] = dice(&state);
		if (dice(&state) % 2)
			value[length++] = '\n';
		return length;
	}
}

/* peek: what the file says, or "" for one that cannot be read */
static int peek(const char *file, char *text)
{
	int fd = open(file, O_RDONLY);
	int length = 0;

	if (fd >= 0) {
		length = read(fd, text, VALUE - 1);
		close(fd);
	}
	if (length < 0)
		length = 0;
	text[length] = 0;
	return length;
}

/* poke: returns 0 or the error number */
static int poke(const char *file, const char *value, int length)
{
	int fd = open(file, O_WRONLY), error = 0;
	ssize_t written;

	if (fd < 0)
		return errno;
	written = write(fd, value, length);
	if (written < 0)
		error = errno;
	else if (written != length)
		error = -1;
	close(fd);
	return error;
}

static void fault(const char *what, const char *file, const char *value, int length,
		  int error)
{
	bad++;
	printf("# bad: %s: %s: errno %d, value of %d: \"", file, what, error, length);
	for (int i = 0; i < length && i < 80; i++)
		printf(isprint((unsigned char)value[i]) ? "%c" : "\\x%02x",
		       (unsigned char)value[i]);
	printf("\"\n");
}

static bool tells(int error)
{
	return error == EINVAL || error == ERANGE || error == EPERM ||
	       error == EOPNOTSUPP || error == E2BIG;
}

static void once(const char *file)
{
	static char value[VALUE + 64], before[VALUE], after[VALUE], again[VALUE];
	int length, error, size;

	peek(file, before);
	length = fill(value, before);
	error = poke(file, value, length);
	/* Nothing written is nothing done; of what is longer than a page, sysfs takes a page. */
	if (!length || length >= 4096)
		return;
	if (error && !tells(error))
		fault("an error that tells nothing", file, value, length, error);
	size = peek(file, after);
	if (error)
		refused++;
	else
		taken++;
	if (!alone)
		return;
	if (error && strcmp(before, after))
		fault("refused, and changed", file, value, length, error);
	if (!size)
		return;
	error = poke(file, after, size);
	/* A priority may be written only where it may be changed. */
	if (error)
		fault("does not take what it says", file, after, size, error);
	peek(file, again);
	if (strcmp(after, again))
		fault("says another thing after being told what it said", file, after, size, 0);
}

int main(int argc, char **argv)
{
	long n;

	if (argc > 1 && !strcmp(argv[1], "0")) {
		alone = false;
		argv++;
		argc--;
	}
	if (argc < 4)
		die("usage: fuzz [0] SEED N FILE...");
	state = number(argv[1], 1, INT_MAX);
	n = number(argv[2], 1, INT_MAX);
	for (long i = 0; i < n; i++)
		once(argv[3 + dice(&state) % (argc - 3)]);
	printf("writes=%ld taken=%ld refused=%ld bad=%ld\n", n, taken, refused, bad);
	return 0;
}
