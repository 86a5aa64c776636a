/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accounting of single and multi mode: how often and how long does each core
 * have two or more active threads, as a core sees it that splits its resources
 * then (Olympus).
 */
#ifndef SMTPRIO_ACCOUNT_H
#define SMTPRIO_ACCOUNT_H

#include <linux/cache.h>
#include <linux/percpu.h>

#include "modes.h"

/* Range of the knob qualify_ns. 10 Ki cycles of Olympus are about 3 us. */
#define SMTPRIO_QUALIFY_DEFAULT	3000
#define SMTPRIO_QUALIFY_MAX	1000000000

/**
 * struct smtprio_account_thread - a thread; one cache line that its CPU writes
 * @modes: what modes.h keeps of it
 * @bit: which thread of the core
 * @busy: runs a task
 * @depth: interrupts and softirqs under way while it runs none
 * @core: NULL before the CPU was online while accounting ran, and for threads
 *	beyond SMTPRIO_MAX_THREADS
 */
struct smtprio_account_thread {
	struct smtprio_modes_thread modes;
	u8 bit;
	bool busy;
	u8 depth;
	struct smtprio_modes_core *core;
};

DECLARE_PER_CPU_SHARED_ALIGNED(struct smtprio_account_thread,
			       smtprio_account_threads);

int smtprio_account_start(void);
void smtprio_account_stop(void);
bool smtprio_account_running(void);
void smtprio_account_change(struct smtprio_account_thread *thread, bool active);
void smtprio_account_qualify(unsigned int ns);
u64 smtprio_account_read(int cpu, enum smtprio_account_figure figure);
u64 smtprio_account_sum(enum smtprio_account_figure figure);

#endif /* SMTPRIO_ACCOUNT_H */
