// SPDX-License-Identifier: GPL-2.0
/*
 * Thread priorities and where they come from.
 */
#include <linux/kernel.h>

#include "packing.h"
#include "priority.h"

const char * const smtprio_source_names[] = {
	[SMTPRIO_SOURCE_NUMBER] = "number",
	[SMTPRIO_SOURCE_REVERSE] = "reverse",
	[SMTPRIO_SOURCE_ARCH] = "arch",
	[SMTPRIO_SOURCE_CUSTOM] = "custom",
};

const size_t smtprio_nr_sources = ARRAY_SIZE(smtprio_source_names);

/**
 * smtprio_priority_fill() - the priority of every possible CPU
 * @config: its settings say the source
 *
 * number: the lower CPU number wins, as in the kernel's default
 * arch_asym_cpu_priority(). reverse: the higher one wins. arch: what the
 * architecture says (ITMT on x86). custom: values stay as they are, so a
 * switch to custom changes nothing by itself.
 *
 * Context: process; arch was checked with smtprio_have_arch_priority().
 */
void smtprio_priority_fill(struct smtprio_config *config)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		int *priority = &config->priority[cpu];

		switch (config->settings.source) {
		case SMTPRIO_SOURCE_NUMBER:
			*priority = -cpu;
			break;
		case SMTPRIO_SOURCE_REVERSE:
			*priority = cpu;
			break;
		case SMTPRIO_SOURCE_ARCH:
			*priority = smtprio_packing_stock_priority(cpu);
			break;
		case SMTPRIO_SOURCE_CUSTOM:
			break;
		}
	}
}
