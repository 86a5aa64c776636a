/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks: one table row each (hooks.c), attached in one of several ways. Knows
 * nothing of policy.
 */
#ifndef SMTPRIO_HOOK_H
#define SMTPRIO_HOOK_H

#include <linux/ftrace.h>
#include <linux/static_call.h>

struct smtprio_hook;
struct smtprio_settings;

/* The functions find_new_ilb() may be inlined into are four. */
#define SMTPRIO_MAX_CALLERS	4

/**
 * struct smtprio_caller - a function that calls the site
 * @name: exact symbol
 * @start: address of its first instruction, 0 when this kernel lacks it or it
 *	does not call the site
 * @size: bytes
 */
struct smtprio_caller {
	const char *name;
	unsigned long start;
	unsigned long size;
};

/**
 * struct smtprio_way - how a hook gets between the kernel and its function
 * @name: as in sysfs
 * @resolve: find what it needs in this kernel; a negative error after one log
 *	line that names what is missing
 * @attach: 0, or a negative error after one log line, with nothing attached
 * @detach: give the site back; after it no CPU runs code of the hook
 * @ranks_changed: told while attached when the order of threads changed;
 *	may be NULL
 *
 * Context of all: process, may sleep, CPU hotplug lock not held.
 */
struct smtprio_way {
	const char *name;
	int (*resolve)(struct smtprio_hook *hook);
	int (*attach)(struct smtprio_hook *hook);
	void (*detach)(struct smtprio_hook *hook);
	void (*ranks_changed)(struct smtprio_hook *hook);
};

/**
 * struct smtprio_hook - one function of the kernel and its replacement
 * @name: as in sysfs
 * @site: exact symbol of the function that is redirected
 * @other: the same hook at another site, which may be chosen instead; or NULL
 * @way: how
 * @rather: a way to try first, that needs nothing which @way has not resolved;
 *	or NULL
 * @optional: without it the module loads; only what wants it is refused
 * @wanted: do these settings need the hook
 * @replacement: what runs instead; it calls the original past its patched
 *	entry, which also ends recursion
 * @direct: what is called directly to get to @replacement, or NULL
 * @original_key: static call that @replacement calls the original through
 * @original_tramp: the same one's trampoline
 * @reached: a number that grows with every call that got to the hook
 * @exercise: make one real call to the site; 0 or a negative error
 * @caller: redirect only calls from these functions; none listed: all calls
 * @ops: how ftrace knows us
 * @address: where ftrace patches the site
 * @probed: calls from this module that a hook with callers saw
 * @resolved: its functions were found
 * @stuck: ftrace did not give it back: its code must stay for ever
 * @by: the way that redirects now, or NULL; protected by the control mutex
 */
struct smtprio_hook {
	const char *name;
	const char *site;
	const struct smtprio_hook *other;
	const struct smtprio_way *way;
	const struct smtprio_way *rather;
	bool optional;
	bool (*wanted)(const struct smtprio_settings *settings);
	void *replacement;
	void *direct;
	struct static_call_key *original_key;
	void *original_tramp;
	u64 (*reached)(const struct smtprio_hook *hook);
	int (*exercise)(void);
	struct smtprio_caller caller[SMTPRIO_MAX_CALLERS];

	struct ftrace_ops ops;
	unsigned long address;
	u64 probed;
	bool resolved;
	bool stuck;
	const struct smtprio_way *by;
};

extern const struct smtprio_way smtprio_way_ftrace;
extern const struct smtprio_way smtprio_way_direct;

int smtprio_hook_resolve(struct smtprio_hook *hook);
int smtprio_hook_attach(struct smtprio_hook *hook);
void smtprio_hook_detach(struct smtprio_hook *hook);
bool smtprio_hook_stuck(struct smtprio_hook *hook, const char *site, int err);

#endif /* SMTPRIO_HOOK_H */
