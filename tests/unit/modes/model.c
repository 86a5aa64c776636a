// SPDX-License-Identifier: GPL-2.0-or-later
#include "model.h"

static int nr_active(const struct model *m)
{
	int n = 0;

	for (int i = 0; i < m->nr; i++)
		n += m->active[i];
	return n;
}

/* Have all threads but this one been idle for qualify at @when? */
static bool all_but(const struct model *m, int one, uint64_t when)
{
	for (int i = 0; i < m->nr; i++)
		if (i != one && (m->active[i] || m->idle_since[i] + m->qualify > when))
			return false;
	return true;
}

static bool back_by(const struct model *m, uint64_t when)
{
	for (int one = 0; one < m->nr; one++)
		if (all_but(m, one, when))
			return true;
	return false;
}

static void pass(struct model *m, uint64_t until)
{
	uint64_t ns = until - m->now;

	m->now = until;
	if (!m->multi)
		return;
	m->multi_ns += ns;
	if (nr_active(m) >= 2)
		m->both_ns += ns;
	else if (nr_active(m) == 1)
		m->wasted_ns += ns;
}

/* The moments when it can get single: now, or when some thread qualifies. */
void model_advance(struct model *m, uint64_t now)
{
	uint64_t first = m->multi && back_by(m, m->now) ? m->now : UINT64_MAX;

	for (int i = 0; m->multi && i < m->nr; i++) {
		uint64_t when = m->idle_since[i] + m->qualify;

		if (!m->active[i] && when >= m->now && when < first && back_by(m, when))
			first = when;
	}
	if (first <= now) {
		pass(m, first);
		m->multi = false;
		m->to_single++;
	}
	pass(m, now);
}

void model_event(struct model *m, int thread, bool active, uint64_t now)
{
	model_advance(m, now);
	m->active[thread] = active;
	if (!active)
		m->idle_since[thread] = now;
	if (!m->multi && nr_active(m) >= 2) {
		m->multi = true;
		m->to_multi++;
	}
}
