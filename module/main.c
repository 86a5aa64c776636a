// SPDX-License-Identifier: GPL-2.0
/*
 * smtprio: SMT-priority-aware scheduling for stock kernels.
 */
#include <linux/init.h>
#include <linux/module.h>

#include "beyond.h"
#include "config.h"
#include "control.h"
#include "hooks.h"
#include "ilb.h"
#include "knobs.h"
#include "symbols.h"
#include "sysfs.h"
#include "topology.h"

/* Given at load time only; from then on sysfs tells and takes the values. */
static char *smtprio_params[SMTPRIO_NR_KNOBS];

#define SMTPRIO_PARAM(knob, allowed)					\
	module_param_named(knob, smtprio_params[SMTPRIO_KNOB_##knob],	\
			   charp, 0);					\
	MODULE_PARM_DESC(knob, allowed);
SMTPRIO_KNOBS(SMTPRIO_PARAM)
#undef SMTPRIO_PARAM

static char *smtprio_wake_site;
module_param_named(wake_site, smtprio_wake_site, charp, 0);
MODULE_PARM_DESC(wake_site, "select_task_rq_fair, or select_idle_sibling where it is a function");

static char *smtprio_attach;
module_param_named(attach, smtprio_attach, charp, 0);
MODULE_PARM_DESC(attach, "how the wake hook attaches: auto, direct or ftrace");

static int __init smtprio_apply_params(struct smtprio_config *config,
				       const void *unused)
{
	config->settings.mode = SMTPRIO_MODE_ENFORCE;

	for (int i = 0; i < SMTPRIO_NR_KNOBS; i++) {
		const struct smtprio_knob *knob = &smtprio_knobs[i];
		const char *value = smtprio_params[i];
		int err;

		if (!value)
			continue;
		err = knob->parse(&config->settings, value);
		if (err == -EOPNOTSUPP)
			return err;
		if (err) {
			pr_err("%s=%s: allowed is %s\n",
			       knob->name, value, knob->allowed);
			return err;
		}
	}
	return 0;
}

static void __init smtprio_announce(void)
{
	const struct smtprio_config *config;
	char hooks[64] = "";

	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		if (!smtprio_hooks[i].by)
			continue;
		strlcat(hooks, " ", sizeof(hooks));
		strlcat(hooks, smtprio_hooks[i].name, sizeof(hooks));
		strlcat(hooks, " (", sizeof(hooks));
		strlcat(hooks, smtprio_hooks[i].by->name, sizeof(hooks));
		strlcat(hooks, ")", sizeof(hooks));
	}
	if (!hooks[0])
		strscpy(hooks, " none", sizeof(hooks));

	rcu_read_lock();
	config = rcu_dereference(smtprio_config);
	pr_info("version %s, mode %s, hooks%s, %u cores, %u of them with up to %u threads%s\n",
		SMTPRIO_VERSION, smtprio_mode_name(config->settings.mode), hooks,
		config->nr_cores, config->nr_smt_cores, config->max_threads,
		config->max_threads > 1 ? "" : ": no SMT, nothing to do");
	rcu_read_unlock();
}

static int __init smtprio_init(void)
{
	int err;

	if (!IS_ENABLED(CONFIG_SCHED_SMT)) {
		pr_err("this kernel has no SMT support (CONFIG_SCHED_SMT)\n");
		return -EOPNOTSUPP;
	}

	err = smtprio_symbols_init();
	if (err)
		return err;
	if (smtprio_wake_site && smtprio_hooks_wake_site(smtprio_wake_site)) {
		pr_err("wake_site=%s: allowed is select_task_rq_fair or select_idle_sibling\n",
		       smtprio_wake_site);
		return -EINVAL;
	}
	if (smtprio_attach && smtprio_hooks_way(smtprio_attach)) {
		pr_err("attach=%s: allowed is auto, direct or ftrace\n",
		       smtprio_attach);
		return -EINVAL;
	}
	err = smtprio_hooks_resolve();
	if (err)
		return err;
	err = smtprio_ilb_check();
	if (err)
		return err;
	err = smtprio_beyond_init();
	if (err)
		return err;
	err = smtprio_config_init();
	if (err)
		goto err_beyond;
	err = smtprio_control_change(smtprio_apply_params, NULL);
	if (err)
		goto err_control;
	err = smtprio_sysfs_init();
	if (err)
		goto err_control;

	smtprio_announce();
	return 0;

err_control:
	smtprio_control_stop();
	smtprio_config_exit();
err_beyond:
	smtprio_beyond_exit();
	return err;
}

static void __exit smtprio_exit(void)
{
	smtprio_sysfs_exit();
	smtprio_control_stop();
	smtprio_config_exit();
	smtprio_beyond_exit();
}

module_init(smtprio_init);
module_exit(smtprio_exit);

MODULE_LICENSE("GPL");
MODULE_VERSION(SMTPRIO_VERSION);
MODULE_DESCRIPTION("SMT-priority-aware scheduling for stock kernels");
