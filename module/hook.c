// SPDX-License-Identifier: GPL-2.0
/*
 * Attaching and detaching hooks, and the proof that they work.
 */
#include <linux/module.h>

#include "hook.h"

/**
 * smtprio_hook_resolve() - find the functions of a hook in this kernel
 * @hook: a row of the table
 *
 * Return: 0, also when an optional hook cannot be had; or a negative error
 * after one log line that names what is missing.
 * Context: process, may sleep; once a hook, after smtprio_symbols_init().
 */
int smtprio_hook_resolve(struct smtprio_hook *hook)
{
	int err = hook->way->resolve(hook);

	hook->resolved = !err;
	return hook->optional ? 0 : err;
}

/* Prove that a real call of the site gets here. */
static int smtprio_hook_selftest(const struct smtprio_hook *hook)
{
	u64 before = hook->reached(hook);
	int err = hook->exercise();

	if (err) {
		pr_err("hook %s: the self-test of %s could not run: error %d\n",
		       hook->name, hook->site, err);
		return err;
	}
	if (hook->reached(hook) == before) {
		pr_err("hook %s: the self-test's call of %s did not reach the hook\n",
		       hook->name, hook->site);
		return -EIO;
	}
	return 0;
}

/**
 * smtprio_hook_attach() - redirect the site, and prove that it is
 * @hook: a row of the table
 *
 * Return: 0 (also when attached before); -EBUSY when ftrace is off or another
 * owner redirects the site (a livepatch), or it is stuck; -EOPNOTSUPP when this kernel lacks
 * what an optional hook needs; -EIO when the self-test did not reach the hook;
 * or another negative error. After an error nothing is attached and one log
 * line tells the reason.
 * Context: process, may sleep, control mutex held, CPU hotplug lock not held.
 */
int smtprio_hook_attach(struct smtprio_hook *hook)
{
	const struct smtprio_way *way = hook->rather;
	int err;

	if (hook->by)
		return 0;
	if (hook->stuck) {
		pr_err("hook %s: ftrace failed before, only a reboot helps\n",
		       hook->name);
		return -EBUSY;
	}
	if (!hook->resolved) {
		pr_err("hook %s: not possible on this kernel, see the log of loading\n",
		       hook->name);
		return -EOPNOTSUPP;
	}

	if (!way || way->attach(hook)) {
		way = hook->way;
		err = way->attach(hook);
		if (err)
			return err;
	}

	err = smtprio_hook_selftest(hook);
	if (err)
		way->detach(hook);
	if (!err || hook->stuck)
		hook->by = way;
	return err;
}

/**
 * smtprio_hook_detach() - give the site back
 * @hook: a row of the table
 *
 * After it no CPU runs code of the hook, unless it is stuck. Does nothing when
 * not attached, or when it was stuck before.
 * Context: process, may sleep (RCU-tasks waits), control mutex held, CPU
 * hotplug lock not held.
 */
void smtprio_hook_detach(struct smtprio_hook *hook)
{
	const struct smtprio_way *way = hook->by;

	if (!way || hook->stuck)
		return;

	way->detach(hook);
	if (!hook->stuck)
		hook->by = NULL;
}

/**
 * smtprio_hook_stuck() - was a function given back
 * @hook: a row of the table
 * @site: the function
 * @err: what ftrace said when it was to give it back
 *
 * After a fault of its own (ftrace_bug()) ftrace changes no code any more: the
 * site goes on calling the hook. So the hook's code, and the configuration that
 * it reads, must stay.
 *
 * Return: @err is an error; from now on the module cannot be unloaded.
 * Context: process, may sleep, control mutex held.
 */
bool smtprio_hook_stuck(struct smtprio_hook *hook, const char *site, int err)
{
	if (err && !hook->stuck) {
		pr_crit("hook %s: ftrace does not give %s back (error %d): the module stays until reboot\n",
			hook->name, site, err);
		hook->stuck = true;
		__module_get(THIS_MODULE);
	}
	return err;
}
