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

/**
 * struct hunt - a search for another core
 * @domain: where
 * @want: enum smtprio_want
 * @bound: CPUs
 * @after: the walk begins after this CPU
 */
struct hunt {
	int domain;
	int want;
	unsigned int bound;
	int after;
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

/* May the task that was to run on @choice run on @cpu, and is that no smaller? */
bool model_usable(const struct world *w, int choice, int cpu);

/* The lowest CPU of its core, all of which is in scope. */
bool model_leader(const struct world *w, int cpu);

bool model_shares(const struct world *w, int choice);
struct answer model_search(const struct world *w, int choice,
			   const struct hunt *hunt);

struct answer model_wake(const struct world *w, int choice);
struct answer model_ilb(const struct world *w);

#endif /* SMTPRIO_UNIT_MODEL_H */
