/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Single and multi mode of a core in the plain words of the rule, for one thread of
 * execution and events in order; from the words, not from module/modes.h.
 */
#ifndef SMTPRIO_UNIT_MODES_MODEL_H
#define SMTPRIO_UNIT_MODES_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define MODEL_THREADS	8
#define MODEL_FIGURES	5

struct model {
	int nr;
	uint64_t qualify;
	bool active[MODEL_THREADS];
	uint64_t idle_since[MODEL_THREADS];
	bool multi;
	uint64_t now;
	uint64_t to_multi, to_single, multi_ns, both_ns, wasted_ns;
};

void model_advance(struct model *m, uint64_t now);
void model_event(struct model *m, int thread, bool active, uint64_t now);

#endif /* SMTPRIO_UNIT_MODES_MODEL_H */
