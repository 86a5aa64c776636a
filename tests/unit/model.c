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
