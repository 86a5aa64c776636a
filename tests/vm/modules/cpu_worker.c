// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Wakes a task as the end of I/O does: who reads the parameter "answer" sleeps
 * until a kthread that is bound to the CPU where he went to sleep has "done the
 * I/O", some milliseconds later on that CPU, and wakes him.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/sysfs.h>

#define IO_MS 3

static struct completion done;

static int answer_late(void *unused)
{
	msleep(IO_MS);
	complete(&done);
	return 0;
}

/* Readers of parameters come one at a time. */
static int answer_get(char *page, const struct kernel_param *kp)
{
	unsigned int cpu = raw_smp_processor_id();
	struct task_struct *t = kthread_create_on_cpu(answer_late, NULL, cpu,
						      "cpu_worker/%u");

	if (IS_ERR(t))
		return PTR_ERR(t);
	reinit_completion(&done);
	wake_up_process(t);
	wait_for_completion(&done);
	return sysfs_emit(page, "%u\n", cpu);
}

static const struct kernel_param_ops answer_ops = {
	.get = answer_get,
};

module_param_cb(answer, &answer_ops, NULL, 0444);
MODULE_PARM_DESC(answer, "sleep until a kthread of this CPU wakes the reader");

static int __init worker_init(void)
{
	init_completion(&done);
	return 0;
}

/* The last kthread may still be on its way out of our text. */
static void __exit worker_exit(void)
{
	msleep(10 * IO_MS);
}

module_init(worker_init);
module_exit(worker_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Wakeups by kthreads bound to a CPU, for smtprio's tests");
