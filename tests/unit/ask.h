/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks policy.h about a world. The only file that calls policy.h is ask.c, so a
 * mutant of policy.h costs one compilation.
 */
#ifndef SMTPRIO_UNIT_ASK_H
#define SMTPRIO_UNIT_ASK_H

#include "model.h"
#include "policy.h"

/*
 * What the configuration leaves for a wakeup, as topology.c builds it. CPUs
 * that were not online belong to the last core, which has no threads.
 */
struct tables {
	struct smtprio_better better[MAX_CPUS];
	struct smtprio_core core[MAX_CPUS + 1];
	u16 core_of[MAX_CPUS];
};

enum asked {
	ASKED_ALLOWED,
	ASKED_USABLE,
	ASKED_AVAILABLE,
	ASKED_DOMAIN,
	ASKED_CANDIDATE,
	ASKED_IDLE,
	ASKED_KINDS
};

/**
 * struct witness - writes down what the policy was told
 * @flicker: answer by chance, as a machine does that changes under us
 * @last: the last answer for each CPU: 0 not asked, 1 no, 2 yes
 * @questions: how many were asked
 */
struct witness {
	struct rng *flicker;
	int questions;
	unsigned char last[ASKED_KINDS][MAX_CPUS];
};

bool witness_yes(const struct witness *witness, enum asked kind, int cpu);

void sort_threads(struct smtprio_thread *thread, int n);
int rank_of(const struct smtprio_thread *thread, int n, int self);
int packing_priority(const int *stock, int n, int rank);
void build_better(struct smtprio_better *better,
		  const struct smtprio_thread *thread, int n, int self);
bool backoff_skips(struct smtprio_backoff *backoff, u32 tick);
void backoff_note(struct smtprio_backoff *backoff, u32 tick, bool found,
		  int most);
void build_tables(struct tables *t, const struct world *w);

struct answer ask_wake(const struct tables *t, const struct world *w,
		       int choice, struct witness *witness);
/* Is @choice idle in a core that is not, and is that to be changed? */
bool ask_shares(const struct tables *t, const struct world *w, int choice);

/* A CPU, or -1; why is where the walk ended. */
struct answer ask_search(const struct tables *t, const struct world *w,
			 int choice, const struct hunt *hunt,
			 struct witness *witness);

struct answer ask_ilb(const struct tables *t, const struct world *w,
		      struct witness *witness);

#endif /* SMTPRIO_UNIT_ASK_H */
