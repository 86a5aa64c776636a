// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * elapsed COMMAND [ARG...]: runs COMMAND with its output sent to stderr, prints
 * us=MICROSECONDS it took, and exits with its status.
 */
#include "common.h"
#include <sys/wait.h>

int main(int argc, char **argv)
{
	uint64_t began = now_us();
	int status;
	pid_t child;

	if (argc < 2)
		die("usage: elapsed COMMAND [ARG...]");
	child = fork();
	if (!child) {
		dup2(2, 1);
		execvp(argv[1], argv + 1);
		die("%s", argv[1]);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		die("%s", argv[1]);
	printf("us=%llu\n", (unsigned long long)(now_us() - began));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}
