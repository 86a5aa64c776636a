// SPDX-License-Identifier: GPL-2.0
/*
 * Changing the configuration. The order keeps every moment safe: new hooks
 * attach while the old configuration is in force, then the new one is
 * published, then hooks that nobody wants any more detach.
 */
#include <linux/mutex.h>
#include <linux/sched.h>

#include "account.h"
#include "control.h"
#include "hooks.h"

/* Outermost: attaching takes the hotplug lock and ftrace's own. */
static DEFINE_MUTEX(smtprio_control_mutex);

/**
 * smtprio_control_change() - apply one change
 * @change: changes a copy of the present configuration, or refuses
 * @data: passed to @change
 *
 * Return: 0; what @change returned; -ENOMEM; or the error of a hook that could
 * not attach. After an error nothing has changed.
 * Context: process, may sleep.
 */
int smtprio_control_change(smtprio_change_t change, const void *data)
{
	struct smtprio_config *config;
	unsigned long wanted;
	bool changed, accounted;
	int err;

	mutex_lock(&smtprio_control_mutex);
	err = -ENOMEM;
	config = smtprio_config_clone();
	if (!config)
		goto err_unlock;

	err = change(config, data);
	if (err)
		goto err_drop;

	accounted = smtprio_account_running();
	if (config->settings.account) {
		err = smtprio_account_start();
		if (err)
			goto err_drop;
	}

	wanted = smtprio_hooks_wanted(&config->settings);
	err = smtprio_hooks_attach(wanted);
	if (err)
		goto err_account;

	smtprio_account_qualify(config->settings.qualify_ns);
	if (!config->settings.account)
		smtprio_account_stop();
	changed = smtprio_config_commit(config);
	smtprio_hooks_detach(~wanted);
	if (changed)
		smtprio_hooks_ranks_changed();
	mutex_unlock(&smtprio_control_mutex);
	return 0;

err_account:
	if (!accounted)
		smtprio_account_stop();
err_drop:
	smtprio_config_drop(config);
err_unlock:
	mutex_unlock(&smtprio_control_mutex);
	return err;
}

/**
 * smtprio_control_hook_way() - by which way is a hook attached
 * @hook: enum smtprio_hook_id
 *
 * Return: the way's name, when the hook is attached and passed its self-test;
 * else NULL. Context: process, may sleep.
 */
const char *smtprio_control_hook_way(int hook)
{
	const struct smtprio_way *way;

	mutex_lock(&smtprio_control_mutex);
	way = smtprio_hooks[hook].by;
	mutex_unlock(&smtprio_control_mutex);
	return way ? way->name : NULL;
}

/**
 * smtprio_control_stop() - detach everything
 *
 * Does not return when a hook is stuck: what follows frees what it needs. The
 * module loader can be refused no more by then.
 *
 * Context: process, may sleep; no more changes come.
 */
void smtprio_control_stop(void)
{
	mutex_lock(&smtprio_control_mutex);
	smtprio_hooks_detach(~0UL);
	smtprio_account_stop();
	mutex_unlock(&smtprio_control_mutex);

	while (smtprio_hooks_stuck())
		schedule_timeout_idle(MAX_SCHEDULE_TIMEOUT);
}
