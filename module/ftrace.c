// SPDX-License-Identifier: GPL-2.0
/*
 * The way of ftrace: redirect a function to a replacement of ours.
 *
 * The handler changes the instruction pointer of a call to a site, so that the
 * replacement runs with the arguments of the original. The replacement calls
 * the original just past its patched entry: no second trip through ftrace, and
 * no recursion.
 *
 * unregister_ftrace_function() waits for tasks RCU (rude and plain), so after a
 * detach no CPU is in the handler, in a replacement or in an original that it
 * called: none of them sleeps.
 */
#include <linux/module.h>

#include "compat/compat.h"
#include "ftrace.h"
#include "hook.h"
#include "symbols.h"

static __always_inline void
smtprio_ftrace_redirect(const struct smtprio_hook *hook,
			struct ftrace_regs *fregs)
{
	smtprio_ftrace_set_ip(fregs, (unsigned long)hook->replacement);
}

static void smtprio_ftrace_all(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops,
			       struct ftrace_regs *fregs)
{
	smtprio_ftrace_redirect(container_of(ops, struct smtprio_hook, ops),
				fregs);
}

static void smtprio_ftrace_callers(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops,
				   struct ftrace_regs *fregs)
{
	struct smtprio_hook *hook =
		container_of(ops, struct smtprio_hook, ops);

	for (int i = 0; i < SMTPRIO_MAX_CALLERS; i++) {
		const struct smtprio_caller *caller = &hook->caller[i];

		if (parent_ip - caller->start < caller->size) {
			smtprio_ftrace_redirect(hook, fregs);
			return;
		}
	}

	/* The self-test's own call must not be redirected, only seen. */
	if (within_module(parent_ip, THIS_MODULE))
		WRITE_ONCE(hook->probed, hook->probed + 1);
}

static bool smtprio_ftrace_has_callers(const struct smtprio_hook *hook)
{
	return hook->caller[0].name;
}

/* Keep those callers that this kernel has and that do call the site. */
static int smtprio_ftrace_find_callers(struct smtprio_hook *hook,
				       unsigned long site)
{
	int found = 0;

	for (int i = 0; i < SMTPRIO_MAX_CALLERS; i++) {
		struct smtprio_caller *caller = &hook->caller[i];
		unsigned long start, size, offset;

		if (!caller->name)
			break;
		start = smtprio_symbol(caller->name);
		if (!start)
			continue;
		if (!smtprio_call(kallsyms_lookup_size_offset)(start, &size,
							       &offset))
			continue;
		if (!smtprio_text_calls(start, size, site))
			continue;
		caller->start = start;
		caller->size = size;
		found++;
	}
	return found ? 0 : -ENOENT;
}

/**
 * smtprio_ftrace_resolve() - find the site, its callers and its original
 * @hook: a row of the table
 *
 * Return and context: as resolve of struct smtprio_way.
 */
int smtprio_ftrace_resolve(struct smtprio_hook *hook)
{
	unsigned long site = smtprio_symbol(hook->site);

	if (!site) {
		pr_err("hook %s: this kernel has no symbol %s\n",
		       hook->name, hook->site);
		return -ENOENT;
	}

	hook->address = smtprio_call(ftrace_location)(site);
	if (!hook->address) {
		pr_err("hook %s: ftrace cannot patch %s\n",
		       hook->name, hook->site);
		return -ENOENT;
	}

	if (smtprio_ftrace_has_callers(hook) &&
	    smtprio_ftrace_find_callers(hook, site)) {
		pr_err("hook %s: none of the functions known to hold its call of %s does so in this kernel\n",
		       hook->name, hook->site);
		return -ENOENT;
	}

	__static_call_update(hook->original_key, hook->original_tramp,
			     (void *)(hook->address + MCOUNT_INSN_SIZE));
	return 0;
}

/**
 * smtprio_ftrace_aim() - make the ops anew, for the site alone
 * @hook: a row of the table, not attached
 * @func: handler, or NULL for a direct call
 * @flags: FTRACE_OPS_FL_*
 *
 * What an earlier way left in the ops does not matter: some kernels do not clean
 * up after a direct call.
 *
 * Return: 0; a negative error, with nothing to free. ftrace_free_filter() undoes
 * it. Context: process, may sleep.
 */
int smtprio_ftrace_aim(struct smtprio_hook *hook, ftrace_func_t func,
		       unsigned long flags)
{
	hook->ops = (struct ftrace_ops){ .func = func, .flags = flags };
	return ftrace_set_filter_ip(&hook->ops, hook->address, 0, 0);
}

/**
 * smtprio_ftrace_refused() - tell why the site could not be had
 * @hook: a row of the table
 * @err: what ftrace said
 *
 * Return: @err. Context: process.
 */
int smtprio_ftrace_refused(struct smtprio_hook *hook, int err)
{
	int state = smtprio_ftrace_state();

	if (err == -EBUSY && !state)
		pr_err("hook %s: ftrace is switched off (sysctl kernel.ftrace_enabled=0)\n",
		       hook->name);
	else if (err == -EBUSY)
		pr_err("hook %s: %s is busy: another owner redirects it (a livepatch, BPF?)%s\n",
		       hook->name, hook->site, state > 0 ? "" :
		       ", or ftrace is switched off (sysctl kernel.ftrace_enabled=0)");
	else
		pr_err("hook %s: cannot attach to %s: error %d\n",
		       hook->name, hook->site, err);
	return err;
}

static int smtprio_ftrace_attach(struct smtprio_hook *hook)
{
	ftrace_func_t func = smtprio_ftrace_has_callers(hook) ?
			     smtprio_ftrace_callers : smtprio_ftrace_all;
	int err;

	err = smtprio_ftrace_aim(hook, func, FTRACE_OPS_FL_IPMODIFY |
				 FTRACE_OPS_FL_PERMANENT | SMTPRIO_FTRACE_REGS);
	if (err)
		return smtprio_ftrace_refused(hook, err);

	err = register_ftrace_function(&hook->ops);
	if (err) {
		ftrace_free_filter(&hook->ops);
		return smtprio_ftrace_refused(hook, err);
	}
	return 0;
}

static void smtprio_ftrace_detach(struct smtprio_hook *hook)
{
	int err = unregister_ftrace_function(&hook->ops);

	if (!smtprio_hook_stuck(hook, hook->site, err))
		ftrace_free_filter(&hook->ops);
}

const struct smtprio_way smtprio_way_ftrace = {
	.name = "ftrace",
	.resolve = smtprio_ftrace_resolve,
	.attach = smtprio_ftrace_attach,
	.detach = smtprio_ftrace_detach,
};
