/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_CLOCK_H
#define SMTPRIOCTL_CLOCK_H

#include <stdbool.h>

/* Seconds of the monotonic clock. */
double clock_now(void);

/*
 * Hold back the signals that ask to end (interrupt, terminate, hang-up), so
 * that clock_pause() and clock_stopped() see them and nothing is cut short.
 */
void clock_hold_signals(void);
/* For a child that is to have them as usual. */
void clock_free_signals(void);

/*
 * Wait until clock_now() is the deadline; a child's end ends it too, when
 * child is set. Returns the signal that asked to end, or 0.
 */
int clock_pause(double deadline, bool child);

#endif
