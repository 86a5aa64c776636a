// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * failnth N load FILE [PARAM=VALUE...]
 * failnth N write FILE VALUE
 * failnth N write-in TID FILE VALUE
 *
 * One system call in which the Nth memory allocation fails (the kernel's
 * fail-nth): a module is loaded, or VALUE written with a newline. With write-in
 * it is the Nth allocation of another task, to which the write gives work. Prints
 * injected=0|1 error=ERRNO, injected=0 when there were less than N. With N=0 none
 * fails, and the kernel need not be able to.
 */
#include "common.h"

#define TEXT 512

static int fail_nth = -1;

static void arm(const char *task, const char *nth)
{
	char path[64];

	if (!strcmp(nth, "0"))
		return;
	snprintf(path, sizeof(path), "/proc/%s/fail-nth", task);
	fail_nth = open(path, O_RDWR);
	if (fail_nth < 0)
		die("%s", path);
	if (write(fail_nth, nth, strlen(nth)) < 0)
		die("write %s to %s", nth, path);
}

/* What is left of N; 0 when the allocation came and failed. */
static int left(void)
{
	char text[32] = "";

	if (pread(fail_nth, text, sizeof(text) - 1, 0) <= 0)
		die("read fail-nth");
	return atoi(text);
}

static int load(const char *file, char **params)
{
	char all[TEXT] = "";
	int fd = open(file, O_RDONLY);

	if (fd < 0)
		die("%s", file);
	for (; *params; params++) {
		strncat(all, *params, sizeof(all) - strlen(all) - 2);
		strcat(all, " ");
	}
	return syscall(SYS_finit_module, fd, all, 0) ? errno : 0;
}

int main(int argc, char **argv)
{
	const char *task = "thread-self";
	char text[TEXT];
	int fd, length, error = 0, remains = 1;

	if (argc >= 4 && !strcmp(argv[2], "load")) {
		/* Everything that allocates here comes before arming. */
		arm(task, argv[1]);
		error = load(argv[3], argv + 4);
	} else {
		if (argc == 6 && !strcmp(argv[2], "write-in"))
			task = argv[3];
		else if (argc != 5 || strcmp(argv[2], "write"))
			die("usage: failnth N load FILE [PARAM=VALUE...] | write FILE VALUE | write-in TID FILE VALUE");
		length = snprintf(text, sizeof(text), "%s\n", argv[argc - 1]);
		fd = open(argv[argc - 2], O_WRONLY);
		if (fd < 0)
			die("%s", argv[argc - 2]);
		arm(task, argv[1]);
		if (write(fd, text, length) != length)
			error = errno;
	}
	if (fail_nth >= 0) {
		remains = left();
		if (write(fail_nth, "0", 1) < 0)
			die("disarm");
	}
	printf("injected=%d error=%d\n", remains == 0, error);
	return 0;
}
