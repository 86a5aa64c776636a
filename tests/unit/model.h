/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of the design as sets over all CPUs: slow, and written from the
 * text without a look at the arrays and loops of policy.h.
 */
#ifndef SMTPRIO_UNIT_MODEL_H
#define SMTPRIO_UNIT_MODEL_H

#include "world.h"

/**
 * struct answer - what the policy answers, and why
 * @cpu: the CPU, or -1 (idle load balancer only)
 * @why: enum smtprio_verdict for a wakeup, the first idle candidate for the
 *	idle load balancer
 */
struct answer {
	int cpu;
	int why;
};

/* Is @cpu looked at by the kernel's own loop? */
bool model_candidate(const struct world *w, int cpu);

/* Idle as the idle load balancer sees it: not the CPU that looks for one. */
bool model_idle(const struct world *w, int cpu);

/* Are all threads of the core of @cpu idle, and all in scope? */
bool model_preferred(const struct world *w, int cpu);
bool model_core_idle(const struct world *w, int cpu);

/* Is @cpu strictly better than @choice, by priority, capacity and scope? */
bool model_better(const struct world *w, int choice, int cpu);

struct answer model_wake(const struct world *w, int choice);
struct answer model_ilb(const struct world *w);

#endif /* SMTPRIO_UNIT_MODEL_H */
