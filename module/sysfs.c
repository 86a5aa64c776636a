// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/smtprio, described in Documentation/ABI form in
 * module/sysfs-kernel-smtprio:
 *
 *	version
 *	stand_ins
 *	<knob>			one file a row of SMTPRIO_KNOBS
 *	cpu<N>/priority
 *	cpu<N>/account/<figure>	one file a row of SMTPRIO_ACCOUNT
 *	priorities
 *	hooks/<hook>/site
 *	hooks/<hook>/callers
 *	hooks/<hook>/active
 *	hooks/<hook>/way
 *	stats/<counter>		one file a row of SMTPRIO_STATS
 *	stats/reset
 */
#include <linux/kobject.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "account.h"
#include "control.h"
#include "hooks.h"
#include "knobs.h"
#include "stats.h"
#include "symbols.h"
#include "sysfs.h"

static struct kobject *smtprio_root;
static struct kobject *smtprio_hooks_dir;

/* A directory that stands for one CPU or one hook. */
struct smtprio_dir {
	struct kobject kobj;
	int index;
};

static struct smtprio_dir **smtprio_cpu_dirs;
static struct smtprio_dir *smtprio_hook_dirs[SMTPRIO_NR_HOOKS];

static int smtprio_dir_index(struct kobject *kobj)
{
	return container_of(kobj, struct smtprio_dir, kobj)->index;
}

/* A NUL inside would hide the rest of what was written from the parsers. */
static bool smtprio_is_text(const char *buf, size_t count)
{
	return strnlen(buf, count) == count;
}

/* Knobs */

static struct kobj_attribute smtprio_knob_attrs[SMTPRIO_NR_KNOBS];

static const struct smtprio_knob *
smtprio_knob_of(const struct kobj_attribute *attr)
{
	return &smtprio_knobs[attr - smtprio_knob_attrs];
}

static ssize_t smtprio_knob_show(struct kobject *kobj,
				 struct kobj_attribute *attr, char *page)
{
	const struct smtprio_config *config;
	ssize_t len;

	rcu_read_lock();
	config = rcu_dereference(smtprio_config);
	len = smtprio_knob_of(attr)->show(&config->settings, page);
	rcu_read_unlock();
	return len;
}

struct smtprio_knob_write {
	const struct smtprio_knob *knob;
	const char *value;
};

static int smtprio_knob_change(struct smtprio_config *config, const void *data)
{
	const struct smtprio_knob_write *write = data;

	return write->knob->parse(&config->settings, write->value);
}

static ssize_t smtprio_knob_store(struct kobject *kobj,
				  struct kobj_attribute *attr,
				  const char *buf, size_t count)
{
	const struct smtprio_knob_write write = {
		.knob = smtprio_knob_of(attr),
		.value = buf,
	};
	int err;

	if (!smtprio_is_text(buf, count))
		return -EINVAL;
	err = smtprio_control_change(smtprio_knob_change, &write);
	return err ?: count;
}

static struct kobj_attribute smtprio_knob_attrs[SMTPRIO_NR_KNOBS] = {
#define SMTPRIO_KNOB_ATTR(knob, text) \
	__ATTR(knob, 0644, smtprio_knob_show, smtprio_knob_store),
	SMTPRIO_KNOBS(SMTPRIO_KNOB_ATTR)
#undef SMTPRIO_KNOB_ATTR
};

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *page)
{
	return sysfs_emit(page, "%s\n", SMTPRIO_VERSION);
}

static struct kobj_attribute smtprio_version_attr = __ATTR_RO(version);

static ssize_t stand_ins_show(struct kobject *kobj,
			      struct kobj_attribute *attr, char *page)
{
	return sysfs_emit(page, "%s\n", smtprio_stand_ins());
}

static struct kobj_attribute smtprio_stand_ins_attr = __ATTR_RO(stand_ins);

/* Priorities */

struct smtprio_priority_write {
	int cpu;
	int priority;
};

static int smtprio_priority_change(struct smtprio_config *config,
				   const void *data)
{
	const struct smtprio_priority_write *write = data;

	if (config->priority[write->cpu] == write->priority)
		return 0;
	if (config->settings.source != SMTPRIO_SOURCE_CUSTOM)
		return -EPERM;
	config->priority[write->cpu] = write->priority;
	return 0;
}

/* One word "CPU=PRIORITY" of @len letters. */
static int smtprio_priority_word(struct smtprio_config *config,
				 const char *at, size_t len)
{
	struct smtprio_priority_write write;
	char word[32];
	char *value;

	if (len >= sizeof(word))
		return -EINVAL;
	memcpy(word, at, len);
	word[len] = '\0';

	value = strchr(word, '=');
	if (!value)
		return -EINVAL;
	*value++ = '\0';
	if (kstrtoint(word, 10, &write.cpu) ||
	    kstrtoint(value, 10, &write.priority))
		return -EINVAL;
	if (write.cpu < 0 || write.cpu >= nr_cpu_ids ||
	    !cpu_possible(write.cpu))
		return -EINVAL;
	return smtprio_priority_change(config, &write);
}

/* Many priorities at once, so that a new order is in force all at once. */
static int smtprio_priorities_change(struct smtprio_config *config,
				     const void *data)
{
	const char *at = skip_spaces(data);

	while (*at) {
		size_t len = strcspn(at, " \t\n");
		int err = smtprio_priority_word(config, at, len);

		if (err)
			return err;
		at = skip_spaces(at + len);
	}
	return 0;
}

static ssize_t priorities_store(struct kobject *kobj,
				struct kobj_attribute *attr,
				const char *buf, size_t count)
{
	int err;

	/* A longer write comes in pieces, cut anywhere. */
	if (count >= PAGE_SIZE || !smtprio_is_text(buf, count))
		return -EINVAL;
	err = smtprio_control_change(smtprio_priorities_change, buf);
	return err ?: count;
}

static struct kobj_attribute smtprio_priorities_attr = __ATTR_WO(priorities);

/* The knobs come first. */
static struct attribute *smtprio_root_attrs[] = {
	[SMTPRIO_NR_KNOBS] = &smtprio_version_attr.attr,
	&smtprio_stand_ins_attr.attr,
	&smtprio_priorities_attr.attr,
	NULL
};

static const struct attribute_group smtprio_root_group = {
	.attrs = smtprio_root_attrs,
};

/* Counters */

static struct kobj_attribute smtprio_stat_attrs[SMTPRIO_NR_STATS];

static ssize_t smtprio_stat_show(struct kobject *kobj,
				 struct kobj_attribute *attr, char *page)
{
	return sysfs_emit(page, "%llu\n",
			  smtprio_stat_read(attr - smtprio_stat_attrs));
}

static struct kobj_attribute smtprio_stat_attrs[SMTPRIO_NR_STATS] = {
#define SMTPRIO_STAT_ATTR(name, text) \
	__ATTR(name, 0444, smtprio_stat_show, NULL),
	SMTPRIO_STATS(SMTPRIO_STAT_ATTR)
#undef SMTPRIO_STAT_ATTR
};

static ssize_t reset_store(struct kobject *kobj, struct kobj_attribute *attr,
			   const char *buf, size_t count)
{
	if (!smtprio_is_text(buf, count) || !sysfs_streq(buf, "1"))
		return -EINVAL;
	smtprio_stats_reset();
	return count;
}

static struct kobj_attribute smtprio_reset_attr = __ATTR_WO(reset);

/* The counters come first. */
static struct attribute *smtprio_stats_attrs[] = {
	[SMTPRIO_NR_STATS] = &smtprio_reset_attr.attr,
	NULL
};

static const struct attribute_group smtprio_stats_group = {
	.name = "stats",
	.attrs = smtprio_stats_attrs,
};

static const struct attribute_group *smtprio_root_groups[] = {
	&smtprio_root_group,
	&smtprio_stats_group,
	NULL
};

/* cpuN */

static ssize_t priority_show(struct kobject *kobj, struct kobj_attribute *attr,
			     char *page)
{
	int priority;

	rcu_read_lock();
	priority = rcu_dereference(smtprio_config)->priority[smtprio_dir_index(kobj)];
	rcu_read_unlock();
	return sysfs_emit(page, "%d\n", priority);
}

static ssize_t priority_store(struct kobject *kobj, struct kobj_attribute *attr,
			      const char *buf, size_t count)
{
	struct smtprio_priority_write write = { .cpu = smtprio_dir_index(kobj) };
	int err;

	if (!smtprio_is_text(buf, count) || kstrtoint(buf, 10, &write.priority))
		return -EINVAL;
	err = smtprio_control_change(smtprio_priority_change, &write);
	return err ?: count;
}

static struct kobj_attribute smtprio_priority_attr = __ATTR_RW(priority);

static struct attribute *smtprio_cpu_attrs[] = {
	&smtprio_priority_attr.attr,
	NULL
};

static struct kobj_attribute smtprio_account_attrs[SMTPRIO_NR_ACCOUNT];

static ssize_t smtprio_account_show(struct kobject *kobj,
				    struct kobj_attribute *attr, char *page)
{
	return sysfs_emit(page, "%llu\n",
			  smtprio_account_read(smtprio_dir_index(kobj),
					       attr - smtprio_account_attrs));
}

static struct kobj_attribute smtprio_account_attrs[SMTPRIO_NR_ACCOUNT] = {
#define SMTPRIO_ACCOUNT_ATTR(name, text) \
	__ATTR(name, 0444, smtprio_account_show, NULL),
	SMTPRIO_ACCOUNT(SMTPRIO_ACCOUNT_ATTR)
#undef SMTPRIO_ACCOUNT_ATTR
};

static struct attribute *smtprio_account_list[SMTPRIO_NR_ACCOUNT + 1];

static const struct attribute_group smtprio_cpu_group = {
	.attrs = smtprio_cpu_attrs,
};

static const struct attribute_group smtprio_account_group = {
	.name = "account",
	.attrs = smtprio_account_list,
};

static const struct attribute_group *smtprio_cpu_groups[] = {
	&smtprio_cpu_group,
	&smtprio_account_group,
	NULL
};

/* hooks/NAME */

static ssize_t site_show(struct kobject *kobj, struct kobj_attribute *attr,
			 char *page)
{
	return sysfs_emit(page, "%s\n",
			  smtprio_hooks[smtprio_dir_index(kobj)].site);
}

static ssize_t callers_show(struct kobject *kobj, struct kobj_attribute *attr,
			    char *page)
{
	const struct smtprio_hook *hook = &smtprio_hooks[smtprio_dir_index(kobj)];
	int len = 0;

	for (int i = 0; i < SMTPRIO_MAX_CALLERS; i++)
		if (hook->caller[i].start)
			len += sysfs_emit_at(page, len, "%s%s", len ? " " : "",
					     hook->caller[i].name);
	if (!len)
		len = sysfs_emit(page, "all");
	return len + sysfs_emit_at(page, len, "\n");
}

static ssize_t active_show(struct kobject *kobj, struct kobj_attribute *attr,
			   char *page)
{
	return sysfs_emit(page, "%d\n",
			  !!smtprio_control_hook_way(smtprio_dir_index(kobj)));
}

static ssize_t way_show(struct kobject *kobj, struct kobj_attribute *attr,
			char *page)
{
	return sysfs_emit(page, "%s\n",
			  smtprio_control_hook_way(smtprio_dir_index(kobj)) ?: "none");
}

static struct kobj_attribute smtprio_site_attr = __ATTR_RO(site);
static struct kobj_attribute smtprio_callers_attr = __ATTR_RO(callers);
static struct kobj_attribute smtprio_active_attr = __ATTR_RO(active);
static struct kobj_attribute smtprio_way_attr = __ATTR_RO(way);

static struct attribute *smtprio_hook_attrs[] = {
	&smtprio_site_attr.attr,
	&smtprio_callers_attr.attr,
	&smtprio_active_attr.attr,
	&smtprio_way_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(smtprio_hook);

/* The tree */

static void smtprio_dir_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct smtprio_dir, kobj));
}

static const struct kobj_type smtprio_cpu_type = {
	.release = smtprio_dir_release,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = smtprio_cpu_groups,
};

static const struct kobj_type smtprio_hook_type = {
	.release = smtprio_dir_release,
	.sysfs_ops = &kobj_sysfs_ops,
	.default_groups = smtprio_hook_groups,
};

static struct smtprio_dir *smtprio_dir_add(const struct kobj_type *type,
					   int index, struct kobject *parent,
					   const char *name)
{
	struct smtprio_dir *dir = kzalloc(sizeof(*dir), GFP_KERNEL);
	int err;

	if (!dir)
		return ERR_PTR(-ENOMEM);

	dir->index = index;
	/* The cast is for 6.1, which takes no const. */
	err = kobject_init_and_add(&dir->kobj, (void *)type,
				   parent, "%s", name);
	if (err) {
		kobject_put(&dir->kobj);
		return ERR_PTR(err);
	}
	return dir;
}

static int smtprio_sysfs_add_cpus(void)
{
	int cpu;

	smtprio_cpu_dirs = kvcalloc(nr_cpu_ids, sizeof(*smtprio_cpu_dirs),
				    GFP_KERNEL);
	if (!smtprio_cpu_dirs)
		return -ENOMEM;

	for_each_possible_cpu(cpu) {
		struct smtprio_dir *dir;
		char name[16];

		scnprintf(name, sizeof(name), "cpu%d", cpu);
		dir = smtprio_dir_add(&smtprio_cpu_type, cpu, smtprio_root,
				      name);
		if (IS_ERR(dir))
			return PTR_ERR(dir);
		smtprio_cpu_dirs[cpu] = dir;
	}
	return 0;
}

static int smtprio_sysfs_add_hooks(void)
{
	smtprio_hooks_dir = kobject_create_and_add("hooks", smtprio_root);
	if (!smtprio_hooks_dir)
		return -ENOMEM;

	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		struct smtprio_dir *dir = smtprio_dir_add(&smtprio_hook_type, i,
				smtprio_hooks_dir, smtprio_hooks[i].name);

		if (IS_ERR(dir))
			return PTR_ERR(dir);
		smtprio_hook_dirs[i] = dir;
	}
	return 0;
}

static void smtprio_dirs_remove(struct smtprio_dir **dirs, int n)
{
	while (n--) {
		if (dirs[n])
			kobject_put(&dirs[n]->kobj);
		dirs[n] = NULL;
	}
}

/**
 * smtprio_sysfs_init() - make /sys/kernel/smtprio
 *
 * Return: 0, or a negative error with nothing left.
 * Context: process, may sleep.
 */
int smtprio_sysfs_init(void)
{
	int err;

	for (int i = 0; i < SMTPRIO_NR_KNOBS; i++) {
		sysfs_attr_init(&smtprio_knob_attrs[i].attr);
		smtprio_root_attrs[i] = &smtprio_knob_attrs[i].attr;
	}
	for (int i = 0; i < SMTPRIO_NR_STATS; i++) {
		sysfs_attr_init(&smtprio_stat_attrs[i].attr);
		smtprio_stats_attrs[i] = &smtprio_stat_attrs[i].attr;
	}

	for (int i = 0; i < SMTPRIO_NR_ACCOUNT; i++) {
		sysfs_attr_init(&smtprio_account_attrs[i].attr);
		smtprio_account_list[i] = &smtprio_account_attrs[i].attr;
	}

	smtprio_root = kobject_create_and_add("smtprio", kernel_kobj);
	if (!smtprio_root)
		return -ENOMEM;

	err = sysfs_create_groups(smtprio_root, smtprio_root_groups);
	if (!err)
		err = smtprio_sysfs_add_hooks();
	if (!err)
		err = smtprio_sysfs_add_cpus();
	if (err)
		smtprio_sysfs_exit();
	return err;
}

/**
 * smtprio_sysfs_exit() - remove /sys/kernel/smtprio
 *
 * Waits for reads and writes under way. Context: process, may sleep.
 */
void smtprio_sysfs_exit(void)
{
	if (smtprio_cpu_dirs)
		smtprio_dirs_remove(smtprio_cpu_dirs, nr_cpu_ids);
	kvfree(smtprio_cpu_dirs);
	smtprio_dirs_remove(smtprio_hook_dirs, SMTPRIO_NR_HOOKS);
	kobject_put(smtprio_hooks_dir);
	kobject_put(smtprio_root);
}
