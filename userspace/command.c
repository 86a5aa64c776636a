// SPDX-License-Identifier: GPL-2.0-or-later
/* Running a command and what it used. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "command.h"
#include "util.h"

#define TICK		0.5
/* Seconds from SIGTERM to SIGKILL. */
#define PATIENCE	3
/* What is looked at of the output: its end. */
#define OUTPUT_MAX	(16 << 20)

__attribute__((noreturn))
static void child(char **argv, int output, int errors, pid_t parent)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC), err;
	ssize_t n;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
	clock_free_signals();
	signal(SIGPIPE, SIG_DFL);
	dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	execvp(argv[0], argv);
	err = errno;
	n = write(errors, &err, sizeof(err));
	_exit(n < 0 ? 126 : 127);
}

/* 0 when it runs, or the errno of what hinders it. */
static int start(char **argv, int output, pid_t *pid)
{
	pid_t parent = getpid();
	int fds[2], err = 0;

	if (pipe2(fds, O_CLOEXEC))
		return errno;
	*pid = fork();
	if (!*pid)
		child(argv, output, fds[1], parent);
	close(fds[1]);
	if (*pid < 0)
		err = errno;
	/* Its end is closed when the command takes over. */
	else if (read(fds[0], &err, sizeof(err)) != sizeof(err))
		err = 0;
	close(fds[0]);
	if (*pid > 0) {
		setpgid(*pid, *pid);
		if (err)
			waitpid(*pid, NULL, 0);
	}
	return err;
}

static bool ended(pid_t pid, struct command_end *end)
{
	struct rusage use;

	if (wait4(pid, &end->status, WNOHANG, &use) != pid)
		return false;
	end->user = use.ru_utime.tv_sec + use.ru_utime.tv_usec / 1e6;
	end->system = use.ru_stime.tv_sec + use.ru_stime.tv_usec / 1e6;
	return true;
}

static void wait_for(pid_t pid, const struct command_watch *watch,
		     struct command_end *end)
{
	double kill_at = 0;

	while (!ended(pid, end)) {
		int sig = clock_pause(clock_now() + TICK, true);

		if (sig && !end->asked) {
			end->asked = sig;
			kill(-pid, SIGTERM);
			kill_at = clock_now() + PATIENCE;
		} else if (end->asked && clock_now() >= kill_at) {
			kill(-pid, SIGKILL);
		}
		watch->tick(watch->arg);
	}
	/* What it left in its group goes too, or the next run is disturbed. */
	kill(-pid, SIGKILL);
}

static char *read_output(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END), from = 0, used = 0;
	char *text;
	ssize_t n;

	if (size < 0)
		size = 0;
	if (size > OUTPUT_MAX) {
		from = size - OUTPUT_MAX;
		size = OUTPUT_MAX;
	}
	text = xalloc(size + 1);
	while (used < size) {
		n = pread(fd, text + used, size - used, from + used);
		if (n <= 0)
			break;
		used += n;
	}
	return text;
}

void command_run(char **argv, const struct command_watch *watch,
		 struct command_end *end)
{
	int output = memfd_create("output", MFD_CLOEXEC);
	double began = clock_now();
	pid_t pid = 0;

	*end = (struct command_end){ 0 };
	if (output < 0) {
		end->error = errno;
		return;
	}
	end->error = start(argv, output, &pid);
	if (!end->error) {
		watch->started(watch->arg, pid);
		wait_for(pid, watch, end);
		end->wall = clock_now() - began;
		watch->started(watch->arg, 0);
		end->output = read_output(output);
	}
	close(output);
}

static char *last_line(const char *output)
{
	size_t end = strlen(output), from;

	while (end && strchr(" \t\r\n", output[end - 1]))
		end--;
	for (from = end; from && output[from - 1] != '\n'; from--)
		;
	return xprintf("%.*s", (int)(end - from), output + from);
}

char *command_failure(char **argv, const struct command_end *end)
{
	char *how, *line, *text;

	if (end->error)
		return xprintf("cannot run '%s': %s", argv[0],
			       strerror(end->error));
	if (WIFSIGNALED(end->status))
		how = xprintf("was killed by signal %d (%s)",
			      WTERMSIG(end->status),
			      strsignal(WTERMSIG(end->status)));
	else if (WEXITSTATUS(end->status))
		how = xprintf("ended with status %d", WEXITSTATUS(end->status));
	else
		return NULL;
	line = last_line(end->output);
	text = xprintf("'%s' %s%s%.200s", argv[0], how,
		       *line ? "; its last line: " : "", line);
	free(line);
	free(how);
	return text;
}
