// SPDX-License-Identifier: GPL-2.0
/*
 * The way of direct calls: ftrace patches the site to lead to the replacement
 * at once, with no handler in between. The cheapest way, but there can be only
 * one at a site: BPF's fentry and fexit programs are others.
 *
 * Detaching waits as for ftrace (ftrace.c): unregistering is the same.
 */
#include "compat/direct.h"
#include "ftrace.h"
#include "hook.h"
#include "symbols.h"

static int smtprio_direct_resolve(struct smtprio_hook *hook)
{
	if (!hook->direct) {
		pr_err("hook %s: attach=direct: ftrace of this kernel has no direct calls\n",
		       hook->name);
		return -EOPNOTSUPP;
	}
	return smtprio_ftrace_resolve(hook);
}

static void smtprio_direct_detach(struct smtprio_hook *hook)
{
	int err = smtprio_direct_unregister(&hook->ops, hook->direct);

	if (!smtprio_hook_stuck(hook, hook->site, err))
		ftrace_free_filter(&hook->ops);
}

/*
 * Up to 6.x registering drops the flags it is given, and without PERMANENT
 * sysctl kernel.ftrace_enabled=0 would take the hook away unseen. Nothing else
 * writes to the flags of what is registered.
 */
static int smtprio_direct_keep(struct smtprio_hook *hook)
{
	hook->ops.flags |= FTRACE_OPS_FL_PERMANENT;
	/* A writer of the sysctl sees the flag, or its 0 is seen here. */
	smp_mb();
	return smtprio_ftrace_state() ? 0 : -EBUSY;
}

static int smtprio_direct_try(struct smtprio_hook *hook)
{
	int err;

	if (!hook->direct)
		return -EOPNOTSUPP;

	err = smtprio_ftrace_aim(hook, NULL, 0);
	if (err)
		return err;

	err = smtprio_direct_register(&hook->ops, hook->direct);
	if (err) {
		ftrace_free_filter(&hook->ops);
		return err;
	}

	err = smtprio_direct_keep(hook);
	if (err)
		smtprio_direct_detach(hook);
	return err;
}

static int smtprio_direct_attach(struct smtprio_hook *hook)
{
	int err = smtprio_direct_try(hook);

	/* When only preferred, it is the way tried next that tells. */
	if (err && hook->way == &smtprio_way_direct)
		return smtprio_ftrace_refused(hook, err);
	return err;
}

const struct smtprio_way smtprio_way_direct = {
	.name = "direct",
	.resolve = smtprio_direct_resolve,
	.attach = smtprio_direct_attach,
	.detach = smtprio_direct_detach,
};
