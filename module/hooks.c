// SPDX-License-Identifier: GPL-2.0
/*
 * The table of hooks, and attaching those that the settings want: all of them
 * or none.
 */
#include <linux/bits.h>
#include <linux/string.h>

#include "compat/direct.h"
#include "hooks.h"
#include "ilb.h"
#include "packing.h"
#include "topology.h"
#include "wake.h"

static bool smtprio_wake_wanted(const struct smtprio_settings *settings)
{
	return settings->wake || settings->fork_exec;
}

/* At select_idle_sibling(), which forks and execs do not reach. */
static bool smtprio_wake_wanted_sibling(const struct smtprio_settings *settings)
{
	return settings->wake;
}

static bool smtprio_ilb_wanted(const struct smtprio_settings *settings)
{
	return settings->ilb;
}

static bool smtprio_packing_wanted(const struct smtprio_settings *settings)
{
	return settings->packing && settings->mode == SMTPRIO_MODE_ENFORCE;
}

/* The row of the wake hook at its other site. */
static const struct smtprio_hook smtprio_hook_wake_sibling = {
	.name = "wake",
	.site = "select_idle_sibling",
	.way = &smtprio_way_ftrace,
	.rather = &smtprio_way_direct,
	.wanted = smtprio_wake_wanted_sibling,
	.replacement = smtprio_wake_sibling,
	.direct = SMTPRIO_DIRECT(smtprio_wake_sibling),
	.original_key = &STATIC_CALL_KEY(smtprio_wake_original_sibling),
	.original_tramp = STATIC_CALL_TRAMP_ADDR(smtprio_wake_original_sibling),
	.reached = smtprio_wake_reached,
	.exercise = smtprio_wake_exercise,
};

struct smtprio_hook smtprio_hooks[SMTPRIO_NR_HOOKS] = {
	[SMTPRIO_HOOK_WAKE] = {
		.name = "wake",
		.site = "select_task_rq_fair",
		.other = &smtprio_hook_wake_sibling,
		.way = &smtprio_way_ftrace,
		.rather = &smtprio_way_direct,
		.wanted = smtprio_wake_wanted,
		.replacement = smtprio_wake_select,
		.direct = SMTPRIO_DIRECT(smtprio_wake_select),
		.original_key = &STATIC_CALL_KEY(smtprio_wake_original),
		.original_tramp = STATIC_CALL_TRAMP_ADDR(smtprio_wake_original),
		.reached = smtprio_wake_reached,
		.exercise = smtprio_wake_exercise,
	},
	[SMTPRIO_HOOK_ILB] = {
		.name = "ilb",
		.site = "housekeeping_cpumask",
		.way = &smtprio_way_ftrace,
		.wanted = smtprio_ilb_wanted,
		.replacement = smtprio_ilb_cpumask,
		.original_key = &STATIC_CALL_KEY(smtprio_ilb_original),
		.original_tramp = STATIC_CALL_TRAMP_ADDR(smtprio_ilb_original),
		.reached = smtprio_ilb_reached,
		.exercise = smtprio_ilb_exercise,
		/* find_new_ilb() is inlined into one of these. */
		.caller = {
			{ .name = "kick_ilb" },
			{ .name = "nohz_balancer_kick" },
			{ .name = "sched_balance_trigger" },
			{ .name = "trigger_load_balance" },
		},
	},
	[SMTPRIO_HOOK_PACKING] = {
		.name = "packing",
		.site = "cpu_smt_flags",
		.way = &smtprio_way_packing,
		.optional = true,
		.wanted = smtprio_packing_wanted,
		.reached = smtprio_packing_reached,
		.exercise = smtprio_packing_exercise,
	},
};

/**
 * smtprio_hooks_wake_site() - choose what the wake hook redirects
 * @site: "select_task_rq_fair", as the table has it, or "select_idle_sibling"
 *
 * Return: 0, or -EINVAL. Context: before smtprio_hooks_resolve().
 */
int smtprio_hooks_wake_site(const char *site)
{
	struct smtprio_hook *hook = &smtprio_hooks[SMTPRIO_HOOK_WAKE];

	if (!strcmp(site, hook->site))
		return 0;
	if (!hook->other || strcmp(site, hook->other->site))
		return -EINVAL;

	*hook = *hook->other;
	return 0;
}

/**
 * smtprio_hooks_way() - choose how to attach, where there are two ways
 * @name: "auto", as the table has it, or the name of one of the two
 *
 * Return: 0, or -EINVAL. Context: after smtprio_hooks_wake_site(), before
 * smtprio_hooks_resolve().
 */
int smtprio_hooks_way(const char *name)
{
	if (!strcmp(name, "auto"))
		return 0;

	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		struct smtprio_hook *hook = &smtprio_hooks[i];

		if (!hook->rather)
			continue;
		if (!strcmp(name, hook->rather->name))
			hook->way = hook->rather;
		else if (strcmp(name, hook->way->name))
			return -EINVAL;
		hook->rather = NULL;
	}
	return 0;
}

/**
 * smtprio_hooks_resolve() - find the functions of all hooks
 *
 * Return: 0, or a negative error after one log line. Context: as
 * smtprio_hook_resolve().
 */
int smtprio_hooks_resolve(void)
{
	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		int err = smtprio_hook_resolve(&smtprio_hooks[i]);

		if (err)
			return err;
	}
	return 0;
}

/**
 * smtprio_hooks_wanted() - which hooks do settings need
 * @settings: the settings
 *
 * Return: a bit for each row of the table. None in mode off, or on a machine
 * that cannot have a preference. Context: process, may sleep.
 */
unsigned long smtprio_hooks_wanted(const struct smtprio_settings *settings)
{
	unsigned long wanted = 0;

	if (settings->mode == SMTPRIO_MODE_OFF ||
	    !smtprio_topology_may_have_smt())
		return 0;

	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++)
		if (smtprio_hooks[i].wanted(settings))
			wanted |= BIT(i);
	return wanted;
}

/**
 * smtprio_hooks_attach() - attach hooks, all of them or none
 * @wanted: a bit for each row of the table
 *
 * Return: 0, or a negative error after one log line: then the hooks attached
 * are those that were before. Context: as smtprio_hook_attach().
 */
int smtprio_hooks_attach(unsigned long wanted)
{
	unsigned long before = 0;
	int err = 0;

	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++)
		if (smtprio_hooks[i].by)
			before |= BIT(i);

	for (int i = 0; i < SMTPRIO_NR_HOOKS && !err; i++)
		if (wanted & BIT(i))
			err = smtprio_hook_attach(&smtprio_hooks[i]);

	if (err)
		smtprio_hooks_detach(~before);
	return err;
}

/**
 * smtprio_hooks_detach() - detach hooks
 * @unwanted: a bit for each row of the table
 *
 * Context: as smtprio_hook_detach().
 */
void smtprio_hooks_detach(unsigned long unwanted)
{
	for (int i = SMTPRIO_NR_HOOKS; i--; )
		if (unwanted & BIT(i))
			smtprio_hook_detach(&smtprio_hooks[i]);
}

/**
 * smtprio_hooks_stuck() - could a hook not be given back
 *
 * Return: true when one could not. Context: process.
 */
bool smtprio_hooks_stuck(void)
{
	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++)
		if (smtprio_hooks[i].stuck)
			return true;
	return false;
}

/**
 * smtprio_hooks_ranks_changed() - tell hooks that the order of threads changed
 *
 * Context: as smtprio_hook_attach(); the new configuration is published.
 */
void smtprio_hooks_ranks_changed(void)
{
	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		struct smtprio_hook *hook = &smtprio_hooks[i];

		if (hook->by && hook->by->ranks_changed)
			hook->by->ranks_changed(hook);
	}
}
