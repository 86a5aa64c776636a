// SPDX-License-Identifier: GPL-2.0-or-later
/* A child process that puts things right when its parent is gone. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guardian.h"

#define DISMISSED	-1

static ssize_t again(ssize_t (*call)(int fd, pid_t *what), int fd, pid_t *what)
{
	ssize_t n;

	do
		n = call(fd, what);
	while (n < 0 && errno == EINTR);
	return n;
}

static ssize_t receive(int fd, pid_t *what)
{
	return read(fd, what, sizeof(*what));
}

static ssize_t send_to(int fd, pid_t *what)
{
	return write(fd, what, sizeof(*what));
}

static void keep_out_of_the_way(void)
{
	static const int deaf[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE,
				    SIGTTOU, SIGTTIN, SIGTSTP };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	size_t i;

	for (i = 0; i < sizeof(deaf) / sizeof(*deaf); i++)
		signal(deaf[i], SIG_IGN);
	/* Out of the terminal's reach, and of a reader that waits for our end. */
	setsid();
	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
	}
}

static void guard(int fd, void (*right)(void *arg), void *arg)
{
	pid_t group = 0, what;

	keep_out_of_the_way();
	while (again(receive, fd, &what) == sizeof(what)) {
		if (what == DISMISSED)
			return;
		group = what;
	}
	if (group)
		kill(-group, SIGKILL);
	right(arg);
}

int guardian_start(struct guardian *g, void (*right)(void *arg), void *arg)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC))
		return -1;
	g->pid = fork();
	if (g->pid < 0) {
		close(fds[0]);
		close(fds[1]);
		return -1;
	}
	if (!g->pid) {
		close(fds[1]);
		guard(fds[0], right, arg);
		_exit(EXIT_SUCCESS);
	}
	close(fds[0]);
	g->fd = fds[1];
	/* It may be dead: a write must not kill us. */
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

void guardian_watch(struct guardian *g, pid_t group)
{
	again(send_to, g->fd, &group);
}

void guardian_dismiss(struct guardian *g)
{
	pid_t what = DISMISSED;

	again(send_to, g->fd, &what);
	close(g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	signal(SIGPIPE, SIG_DFL);
}
