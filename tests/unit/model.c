// SPDX-License-Identifier: GPL-2.0-or-later
#include "model.h"
#include "policy.h"

static bool same_core(const struct world *w, int a, int b)
{
	return w->online[a] && w->online[b] && w->core[a] == w->core[b];
}

bool model_better(const struct world *w, int choice, int cpu)
{
	return w->scope[choice] && same_core(w, choice, cpu) &&
	       w->priority[cpu] > w->priority[choice] &&
	       w->capacity[cpu] >= w->capacity[choice];
}

/* Does @cpu win over @best: higher priority, of ties the lower number? */
static bool beats(const struct world *w, int cpu, int best)
{
	if (best < 0 || w->priority[cpu] > w->priority[best])
		return true;
	return w->priority[cpu] == w->priority[best] && cpu < best;
}

struct answer model_wake(const struct world *w, int choice)
{
	int better = 0, allowed = 0, available = 0, best = -1;
	struct answer a = { choice, SMTPRIO_KEPT_BEST };

	for (int cpu = 0; cpu < w->cpus; cpu++) {
		if (!model_better(w, choice, cpu))
			continue;
		better++;
		if (!w->active[cpu] || !w->affine[cpu])
			continue;
		allowed++;
		if (!w->idle[cpu] || w->preempted[cpu])
			continue;
		available++;
		if (w->domain[cpu] == NO_DOMAIN ||
		    w->domain[cpu] != w->domain[choice])
			continue;
		if (beats(w, cpu, best))
			best = cpu;
	}

	if (best >= 0) {
		a.cpu = best;
		a.why = SMTPRIO_MOVED;
	} else if (available) {
		a.why = SMTPRIO_KEPT_DOMAIN;
	} else if (allowed) {
		a.why = SMTPRIO_KEPT_BUSY;
	} else if (better) {
		a.why = SMTPRIO_KEPT_AFFINITY;
	}
	return a;
}

bool model_candidate(const struct world *w, int cpu)
{
	return w->nohz[cpu] && w->housekeeping[cpu] && cpu != w->this_cpu;
}

bool model_idle(const struct world *w, int cpu)
{
	return w->idle[cpu] && cpu != w->this_cpu;
}

bool model_core_idle(const struct world *w, int cpu)
{
	for (int i = 0; i < w->cpus; i++) {
		if (!same_core(w, cpu, i))
			continue;
		if (!model_idle(w, i) || !w->scope[i])
			return false;
	}
	return w->online[cpu];
}

/* Does a preference apply to the core of @cpu: all its threads are in scope. */
bool model_preferred(const struct world *w, int cpu)
{
	for (int i = 0; i < w->cpus; i++)
		if (same_core(w, cpu, i) && !w->scope[i])
			return false;
	return w->online[cpu];
}

struct answer model_ilb(const struct world *w)
{
	struct answer a = { -1, -1 };
	int core = -1;

	for (int cpu = 0; cpu < w->cpus; cpu++) {
		if (!model_candidate(w, cpu) || !model_idle(w, cpu))
			continue;
		if (a.why < 0)
			a.why = cpu;
		/* What the kernel would choose is out of scope: left alone. */
		if (!model_preferred(w, a.why))
			break;
		if (!model_core_idle(w, cpu))
			continue;
		if (core < 0)
			core = w->core[cpu];
		if (w->core[cpu] == core && beats(w, cpu, a.cpu))
			a.cpu = cpu;
	}
	return a;
}

bool model_usable(const struct world *w, int choice, int cpu)
{
	return w->active[cpu] && w->affine[cpu] &&
	       w->capacity[cpu] >= w->capacity[choice];
}

bool model_leader(const struct world *w, int cpu)
{
	for (int i = 0; i < cpu; i++)
		if (same_core(w, i, cpu))
			return false;
	return model_preferred(w, cpu);
}

static bool available(const struct world *w, int cpu)
{
	return w->idle[cpu] && !w->preempted[cpu];
}

/* Is all of the core of @cpu in @domain? */
static bool core_in_domain(const struct world *w, int cpu, int domain)
{
	for (int i = 0; i < w->cpus; i++)
		if (same_core(w, cpu, i) && w->domain[i] != domain)
			return false;
	return domain != NO_DOMAIN;
}

static bool core_available(const struct world *w, int cpu)
{
	for (int i = 0; i < w->cpus; i++)
		if (same_core(w, cpu, i) && !available(w, i))
			return false;
	return true;
}

/* Idle, of a core that is not, which a preference applies to and no domain splits. */
bool model_shares(const struct world *w, int choice)
{
	return w->online[choice] && available(w, choice) &&
	       !core_available(w, choice) && model_preferred(w, choice) &&
	       core_in_domain(w, choice, w->domain[choice]);
}

/* When the walk comes to the core of @leader: from 1, those after @after first. */
static int turn(const struct world *w, int leader, const struct hunt *hunt)
{
	bool early_itself = leader > hunt->after;
	int before = 1;

	for (int i = 0; i < w->cpus; i++) {
		bool early = i > hunt->after;

		if (!model_leader(w, i) || w->domain[i] != hunt->domain)
			continue;
		if (early != early_itself)
			before += early;
		else
			before += i < leader;
	}
	return before;
}

/* CPUs of the cores that the walk comes to before @at. */
static unsigned int cpus_before(const struct world *w, int at, const int *turns)
{
	unsigned int cpus = 0;

	for (int leader = 0; leader < w->cpus; leader++)
		for (int i = 0; i < w->cpus; i++)
			cpus += turns[leader] && turns[leader] < at &&
				same_core(w, leader, i);
	return cpus;
}

/* What a task may have of a core that is right for it, or -1. */
static int thread_of(const struct world *w, int choice, int leader)
{
	int best = -1;

	for (int cpu = 0; cpu < w->cpus; cpu++)
		if (same_core(w, leader, cpu) && available(w, cpu) &&
		    model_usable(w, choice, cpu) && beats(w, cpu, best))
			best = cpu;
	return best;
}

/*
 * Of the cores looked at, those wanted most and of them the first. The walk ends
 * there, or with the last core looked at when that is not what is wanted most.
 */
struct answer model_search(const struct world *w, int choice,
			   const struct hunt *hunt)
{
	struct answer whole = { -1, 0 }, any = { -1, 0 };
	int turns[MAX_CPUS] = { 0 };
	int first_whole = 0, first_any = 0, last = 0, last_leader = hunt->after;

	for (int cpu = 0; cpu < w->cpus; cpu++)
		if (model_leader(w, cpu) && w->domain[cpu] == hunt->domain)
			turns[cpu] = turn(w, cpu, hunt);

	for (int cpu = 0; cpu < w->cpus; cpu++) {
		int thread;

		if (!turns[cpu] || cpus_before(w, turns[cpu], turns) >= hunt->bound)
			continue;
		if (turns[cpu] > last) {
			last = turns[cpu];
			last_leader = cpu;
		}
		thread = thread_of(w, choice, cpu);
		if (thread < 0 || !core_in_domain(w, cpu, hunt->domain))
			continue;
		if (core_available(w, cpu) &&
		    (!first_whole || turns[cpu] < first_whole)) {
			first_whole = turns[cpu];
			whole = (struct answer){ thread, cpu };
		}
		if (!first_any || turns[cpu] < first_any) {
			first_any = turns[cpu];
			any = (struct answer){ thread, cpu };
		}
	}

	if (hunt->want == SMTPRIO_WANT_CPU && first_any)
		return any;
	if (hunt->want != SMTPRIO_WANT_CPU && first_whole)
		return whole;
	if (hunt->want == SMTPRIO_WANT_CORE)
		any.cpu = -1;
	any.why = last_leader;
	return any;
}
