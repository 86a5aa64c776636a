/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of hooks: which functions are redirected, to what, and which
 * settings want it.
 */
#ifndef SMTPRIO_HOOKS_H
#define SMTPRIO_HOOKS_H

#include "config.h"
#include "hook.h"

enum smtprio_hook_id {
	SMTPRIO_HOOK_WAKE,
	SMTPRIO_HOOK_ILB,
	SMTPRIO_HOOK_PACKING,
	SMTPRIO_NR_HOOKS
};

extern struct smtprio_hook smtprio_hooks[SMTPRIO_NR_HOOKS];

int smtprio_hooks_wake_site(const char *site);
int smtprio_hooks_way(const char *name);
int smtprio_hooks_resolve(void);
unsigned long smtprio_hooks_wanted(const struct smtprio_settings *settings);
int smtprio_hooks_attach(unsigned long wanted);
void smtprio_hooks_detach(unsigned long unwanted);
bool smtprio_hooks_stuck(void);
void smtprio_hooks_ranks_changed(void);

#endif /* SMTPRIO_HOOKS_H */
