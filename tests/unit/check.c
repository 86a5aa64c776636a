// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"
#include "tests.h"

static void fail_about(const struct world *w, const char *what, int cpu,
		       const char *why, struct answer got)
{
	print_error("%s of CPU %d: got %d (why %d)\n", what, cpu, got.cpu,
		    got.why);
	if (cpu >= 0)
		world_print_core(w, cpu);
	if (got.cpu >= 0 && got.cpu < w->cpus)
		world_print_core(w, got.cpu);
	fail_msg("%s: %s", what, why);
}

static bool same(struct answer a, struct answer b)
{
	return a.cpu == b.cpu && a.why == b.why;
}

/* What must hold whatever the model says: NULL, or what does not hold. */
static const char *wake_fault(const struct tables *t, const struct world *w,
			      int choice, struct answer got)
{
	bool moved = got.why == SMTPRIO_MOVED;
	bool best = got.why == SMTPRIO_KEPT_BEST;
	int cpu = got.cpu;
	bool other = cpu != choice;

	if (cpu < 0 || cpu >= w->cpus)
		return "no CPU";
	if (moved != other)
		return "verdict and move disagree";
	if (best != !t->better[choice].n)
		return "verdict and table disagree";
	if (cpu == choice)
		return NULL;
	if (!w->active[cpu] || !w->affine[cpu])
		return "moved to a CPU that is not allowed";
	if (!w->idle[cpu] || w->preempted[cpu])
		return "moved to a CPU that is not available";
	if (w->domain[cpu] != w->domain[choice])
		return "moved to another domain";
	if (w->core[cpu] != w->core[choice])
		return "moved to another core";
	if (w->priority[cpu] <= w->priority[choice])
		return "moved for a tie";
	if (w->capacity[cpu] < w->capacity[choice])
		return "moved to less capacity";
	if (!same(ask_wake(t, w, choice, NULL), got))
		return "asked again, another answer";
	if (ask_wake(t, w, cpu, NULL).cpu != cpu)
		return "the answer itself would be moved";
	return NULL;
}

struct answer check_wake(const struct tables *t, const struct world *w,
			 int choice)
{
	struct answer got = ask_wake(t, w, choice, NULL);
	struct answer want = model_wake(w, choice);
	const char *fault = wake_fault(t, w, choice, got);

	if (!fault && !same(got, want)) {
		print_error("model: %d (why %d)\n", want.cpu, want.why);
		fault = "not the model's answer";
	}
	if (fault)
		fail_about(w, "wakeup", choice, fault, got);
	return got;
}

static bool core_busy(const struct world *w, int cpu)
{
	for (int i = 0; i < w->cpus; i++)
		if (w->online[i] && w->core[i] == w->core[cpu] &&
		    (!w->idle[i] || w->preempted[i]))
			return true;
	return false;
}

static const char *search_fault(const struct world *w, int choice,
				const struct hunt *hunt, struct answer got)
{
	int cpu = got.cpu;

	if (cpu == -1)
		return NULL;
	if (cpu < 0 || cpu >= w->cpus || !w->online[cpu])
		return "no CPU";
	if (!hunt->bound)
		return "found something without looking";
	if (!w->active[cpu] || !w->affine[cpu])
		return "a CPU that is not allowed";
	if (w->capacity[cpu] < w->capacity[choice])
		return "less capacity";
	if (!w->idle[cpu] || w->preempted[cpu])
		return "a CPU that is not available";
	if (w->domain[cpu] != hunt->domain)
		return "another domain";
	if (hunt->want == SMTPRIO_WANT_CORE && core_busy(w, cpu))
		return "a core that is not fully idle";
	return NULL;
}

struct answer check_search(const struct tables *t, const struct world *w,
			   int choice, const struct hunt *hunt)
{
	struct answer got = ask_search(t, w, choice, hunt, NULL);
	struct answer want = model_search(w, choice, hunt);
	const char *fault = search_fault(w, choice, hunt, got);

	if (!fault && !same(got, want)) {
		print_error("model: %d (end %d); domain %d want %d bound %u after %d\n",
			    want.cpu, want.why, hunt->domain, hunt->want,
			    hunt->bound, hunt->after);
		fault = "not the model's answer";
	}
	if (fault)
		fail_about(w, "search", choice, fault, got);
	return got;
}

bool check_shares(const struct tables *t, const struct world *w, int choice)
{
	bool got = ask_shares(t, w, choice);

	if (got != model_shares(w, choice))
		fail_about(w, "sharing", choice, "not the model's answer",
			   (struct answer){ choice, got });
	return got;
}

static const char *ilb_fault(const struct world *w, struct answer got)
{
	bool any = false;

	if (got.why >= 0 && !model_preferred(w, got.why))
		return got.cpu == -1 ? NULL : "the first idle CPU is out of scope";

	for (int cpu = 0; cpu < w->cpus && !any; cpu++)
		any = model_candidate(w, cpu) && model_core_idle(w, cpu);

	if (got.cpu == -1)
		return any ? "none, but an idle core has a candidate" : NULL;
	if (got.cpu < 0 || got.cpu >= w->cpus)
		return "no CPU";
	if (!model_candidate(w, got.cpu))
		return "not a candidate";
	if (!model_idle(w, got.cpu))
		return "busy";
	if (!model_core_idle(w, got.cpu))
		return "its core is not idle or out of scope";
	return NULL;
}

struct answer check_ilb(const struct tables *t, const struct world *w)
{
	struct answer got = ask_ilb(t, w, NULL);
	struct answer want = model_ilb(w);
	const char *fault = ilb_fault(w, got);

	if (!fault && !same(got, want)) {
		print_error("model: %d (first %d)\n", want.cpu, want.why);
		fault = "not the model's answer";
	}
	if (!fault && !same(ask_ilb(t, w, NULL), got))
		fault = "asked again, another answer";
	if (fault)
		fail_about(w, "idle load balancer", want.cpu, fault, got);
	return got;
}

struct answer wake(const struct world *w, int choice)
{
	struct tables t;

	build_tables(&t, w);
	return check_wake(&t, w, choice);
}

struct answer ilb(const struct world *w)
{
	struct tables t;

	build_tables(&t, w);
	return check_ilb(&t, w);
}

struct answer search(const struct world *w, int choice,
		     const struct hunt *hunt)
{
	struct tables t;

	build_tables(&t, w);
	return check_search(&t, w, choice, hunt);
}

bool shares(const struct world *w, int choice)
{
	struct tables t;

	build_tables(&t, w);
	return check_shares(&t, w, choice);
}
