// SPDX-License-Identifier: GPL-2.0-or-later
/* Waiting, and the signals that end it. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "clock.h"

double clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

static void end_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

void clock_hold_signals(void)
{
	sigset_t set;

	end_signals(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

void clock_free_signals(void)
{
	sigset_t set;

	end_signals(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int clock_pause(double deadline, bool child)
{
	struct timespec ts;
	sigset_t set;
	double left;
	int sig;

	end_signals(&set);
	if (child)
		sigaddset(&set, SIGCHLD);
	do {
		left = deadline - clock_now();
		if (left < 0)
			left = 0;
		ts.tv_sec = left;
		ts.tv_nsec = (left - ts.tv_sec) * 1e9;
		sig = sigtimedwait(&set, NULL, &ts);
	} while (sig < 0 && errno == EINTR);
	return sig > 0 && sig != SIGCHLD ? sig : 0;
}
