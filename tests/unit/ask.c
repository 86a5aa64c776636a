// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "ask.h"
#include "tests.h"

_Static_assert(sizeof(struct smtprio_better) == 16,
	       "one load tells a wakeup that nothing is better");

struct question {
	const struct world *w;
	int choice;
	int domain;	/* the one that is asked about */
	struct witness *witness;
};

bool witness_yes(const struct witness *witness, enum asked kind, int cpu)
{
	return witness->last[kind][cpu] == 2;
}

/* @truth is the answer unless the world flickers. */
static bool testify(const struct question *q, enum asked kind, int cpu,
		    bool truth)
{
	struct witness *witness = q->witness;

	if (!witness)
		return truth;
	witness->questions++;
	if (witness->flicker)
		truth = rng_chance(witness->flicker, 10);
	witness->last[kind][cpu] = truth ? 2 : 1;
	return truth;
}

/* Every question must be about a CPU of the tables, or one that next() gave. */
static const struct question *asked_about(const void *ctx, int cpu)
{
	const struct question *q = ctx;

	if (cpu < 0 || cpu >= q->w->cpus ||
	    (!q->w->online[cpu] && (q->choice >= 0 ||
				    !model_candidate(q->w, cpu))))
		fail_msg("asked about CPU %d", cpu);
	return q;
}

static bool allowed(const void *ctx, int cpu)
{
	const struct question *q = asked_about(ctx, cpu);

	return testify(q, ASKED_ALLOWED, cpu,
		       q->w->active[cpu] && q->w->affine[cpu]);
}

static bool available(const void *ctx, int cpu)
{
	const struct question *q = asked_about(ctx, cpu);

	return testify(q, ASKED_AVAILABLE, cpu,
		       q->w->idle[cpu] && !q->w->preempted[cpu]);
}

static bool usable(const void *ctx, int cpu)
{
	const struct question *q = asked_about(ctx, cpu);

	return testify(q, ASKED_USABLE, cpu, model_usable(q->w, q->choice, cpu));
}

static bool same_domain(const void *ctx, int cpu)
{
	const struct question *q = asked_about(ctx, cpu);
	const int *domain = q->w->domain;

	return testify(q, ASKED_DOMAIN, cpu,
		       domain[cpu] != NO_DOMAIN && domain[cpu] == q->domain);
}

/* One CPU of each core to which a preference applies, as topology.c has them. */
static int next_core(const void *ctx, int cpu)
{
	const struct question *q = ctx;

	for (cpu++; cpu < q->w->cpus; cpu++)
		if (model_leader(q->w, cpu) && q->w->domain[cpu] == q->domain)
			return cpu;
	return -1;
}

static bool candidate(const void *ctx, int cpu)
{
	const struct question *q = asked_about(ctx, cpu);

	return testify(q, ASKED_CANDIDATE, cpu, model_candidate(q->w, cpu));
}

static bool idle(const void *ctx, int cpu)
{
	const struct question *q = asked_about(ctx, cpu);

	return testify(q, ASKED_IDLE, cpu, model_idle(q->w, cpu));
}

static int next(const void *ctx, int cpu)
{
	const struct question *q = ctx;

	for (cpu++; cpu < q->w->cpus; cpu++)
		if (model_candidate(q->w, cpu))
			return cpu;
	return -1;
}

void sort_threads(struct smtprio_thread *thread, int n)
{
	smtprio_policy_sort(thread, n);
}

int rank_of(const struct smtprio_thread *thread, int n, int self)
{
	return smtprio_policy_rank(thread, n, self);
}

int packing_priority(const int *stock, int n, int rank)
{
	int copy[SMTPRIO_MAX_THREADS];

	memcpy(copy, stock, n * sizeof(*stock));
	return smtprio_policy_packing(copy, n, rank);
}

void build_better(struct smtprio_better *better,
		  const struct smtprio_thread *thread, int n, int self)
{
	/* Rubbish, so that a field left unset shows. */
	memset(better, 0xa5, sizeof(*better));
	smtprio_policy_better(better, thread, n, self);
}

static void build_core(struct tables *t, const struct world *w, int core)
{
	struct smtprio_thread thread[SMTPRIO_MAX_THREADS];
	bool scope = true;
	int n = 0;

	for (int cpu = 0; cpu < w->cpus; cpu++) {
		if (w->core[cpu] != core)
			continue;
		t->core_of[cpu] = w->cores;
		t->better[cpu].n = 0;
		if (!w->online[cpu])
			continue;
		t->core_of[cpu] = core;
		scope = scope && w->scope[cpu];
		thread[n].cpu = cpu;
		thread[n].priority = w->priority[cpu];
		thread[n++].capacity = w->capacity[cpu];
	}
	sort_threads(thread, n);

	t->core[core].n = scope ? n : 0;
	for (int i = 0; i < n; i++) {
		t->core[core].cpu[i] = thread[i].cpu;
		if (w->scope[thread[i].cpu])
			build_better(&t->better[thread[i].cpu], thread, n, i);
	}
}

void build_tables(struct tables *t, const struct world *w)
{
	memset(t, 0xa5, sizeof(*t));
	for (int core = 0; core < w->cores; core++)
		build_core(t, w, core);
	t->core[w->cores].n = 0;
}

struct answer ask_wake(const struct tables *t, const struct world *w,
		       int choice, struct witness *witness)
{
	const struct question q = { w, choice, w->domain[choice], witness };
	enum smtprio_verdict verdict = -1;
	struct answer a;

	a.cpu = smtprio_policy_sibling(t->better[choice].cpu,
				       t->better[choice].n, choice, &q,
				       allowed, available, same_domain,
				       &verdict);
	a.why = verdict;
	return a;
}

bool ask_shares(const struct tables *t, const struct world *w, int choice)
{
	const struct question q = { w, choice, w->domain[choice], NULL };

	return available(&q, choice) &&
	       smtprio_policy_shares_core(&t->core[t->core_of[choice]], choice,
					  &q, available, same_domain);
}

struct answer ask_search(const struct tables *t, const struct world *w,
			 int choice, const struct hunt *hunt,
			 struct witness *witness)
{
	const struct question q = { w, choice, hunt->domain, witness };
	struct smtprio_search search = {
		.core = t->core,
		.core_of = t->core_of,
		.want = hunt->want,
		.bound = hunt->bound,
		.after = hunt->after,
	};
	struct answer a;

	a.cpu = smtprio_policy_search(&search, &q, next_core, usable, available,
				      same_domain);
	a.why = search.after;
	return a;
}

bool backoff_skips(struct smtprio_backoff *backoff, u32 tick)
{
	return smtprio_backoff_skips(backoff, tick);
}

void backoff_note(struct smtprio_backoff *backoff, u32 tick, bool found,
		  int most)
{
	smtprio_backoff_note(backoff, tick, found, most);
}

struct answer ask_ilb(const struct tables *t, const struct world *w,
		      struct witness *witness)
{
	const struct question q = { w, -1, NO_DOMAIN, witness };
	struct answer a = { -2, -2 };

	a.cpu = smtprio_policy_ilb(t->core, t->core_of, &q, next, candidate,
				   idle, &a.why);
	return a;
}
