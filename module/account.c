// SPDX-License-Identifier: GPL-2.0
/*
 * Accounting of single and multi mode: the cores, and what they are asked.
 *
 * Times are of local_clock(), the scheduler's. Where sched_clock is stable (the
 * TSC of current x86, arm64's counter) it is one clock for all CPUs, and costs
 * about 20 instructions; where it is not, those of two CPUs differ by up to a
 * tick. ktime_get_mono_fast_ns() has no such difference, but where the TSC is
 * not stable it reads the HPET, which takes microseconds and a lock: nothing for
 * a context switch.
 */
#include <linux/cpu.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "account.h"
#include "probes.h"
#include "topology.h"

DEFINE_PER_CPU_SHARED_ALIGNED(struct smtprio_account_thread,
			      smtprio_account_threads);

/* A core lives with the first of its threads that was seen. */
static DEFINE_PER_CPU_SHARED_ALIGNED(struct smtprio_modes_core,
				     smtprio_account_cores);

/* Readers, and what changes all cores; the probes do without. */
static DEFINE_MUTEX(smtprio_account_mutex);

static bool smtprio_account_on;
static u64 smtprio_account_qualify_ns = SMTPRIO_QUALIFY_DEFAULT;
static int smtprio_account_cpuhp;

/**
 * smtprio_account_change() - this CPU's thread gets active, or idle
 * @thread: of this CPU
 * @active: which; it was the other before
 *
 * Context: any but NMI, interrupts off.
 */
void smtprio_account_change(struct smtprio_account_thread *thread, bool active)
{
	u64 qualify = READ_ONCE(smtprio_account_qualify_ns);
	u8 bit = thread->bit;

	if (unlikely(!thread->core))
		return;
	smtprio_modes_event(thread->core, &thread->modes, active ? bit : 0,
			    active ? 0 : bit, local_clock(), qualify);
}

/*
 * Which core is a CPU of? Once it is known it stays. Callers take turns: the
 * hotplug lock is held.
 */
static void smtprio_account_place(int cpu)
{
	struct smtprio_account_thread *thread =
		&per_cpu(smtprio_account_threads, cpu);
	struct smtprio_modes_core *core = &per_cpu(smtprio_account_cores, cpu);
	int other;

	for_each_cpu(other, topology_sibling_cpumask(cpu))
		if (per_cpu(smtprio_account_threads, other).core)
			core = per_cpu(smtprio_account_threads, other).core;
	if (core->nr == SMTPRIO_MAX_THREADS)
		return;

	core->thread[core->nr] = &thread->modes;
	thread->bit = 1U << core->nr;
	/* Other threads may walk the core right now, and find this one idle. */
	smp_store_release(&core->nr, core->nr + 1);
	thread->core = core;
}

/*
 * Runs on a CPU that is online, or gets it: the probes tell of changes only, so
 * tell what it does right now. It runs this.
 */
static int smtprio_account_online(unsigned int cpu)
{
	struct smtprio_account_thread *thread =
		&per_cpu(smtprio_account_threads, cpu);
	unsigned long flags;

	local_irq_save(flags);
	if (!thread->core)
		smtprio_account_place(cpu);
	thread->busy = true;
	thread->depth = 0;
	smtprio_account_change(thread, true);
	local_irq_restore(flags);
	return 0;
}

/* Complete the figures. */
static void smtprio_account_settle(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		smtprio_modes_read(&per_cpu(smtprio_account_cores, cpu),
				   local_clock(), smtprio_account_qualify_ns,
				   NULL);
}

/* No CPU runs a probe. */
static void smtprio_account_clear(void)
{
	int cpu;

	mutex_lock(&smtprio_account_mutex);
	for_each_possible_cpu(cpu) {
		struct smtprio_account_thread *thread =
			&per_cpu(smtprio_account_threads, cpu);

		thread->busy = false;
		thread->depth = 0;
		thread->modes.idle_since = 0;
		atomic64_set(&per_cpu(smtprio_account_cores, cpu).word,
			     local_clock() << SMTPRIO_MODES_SHIFT);
	}
	mutex_unlock(&smtprio_account_mutex);
}

/**
 * smtprio_account_start() - attach; the figures go on from where they were
 *
 * Does nothing on a machine that cannot have two threads in a core.
 *
 * Return: 0, also when it was running; -EOPNOTSUPP on a kernel without the
 * tracepoint sched_switch, or another negative error: then nothing is attached
 * and one log line tells the reason.
 * Context: process, may sleep, control mutex held.
 */
int smtprio_account_start(void)
{
	int err, state;

	if (smtprio_account_on || !smtprio_topology_may_have_smt())
		return 0;

	smtprio_account_clear();
	err = smtprio_probes_attach();
	if (err)
		return err;

	state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "smtprio:account",
				  smtprio_account_online, NULL);
	if (state < 0) {
		pr_err("account: no callback for CPUs coming online: error %d\n",
		       state);
		smtprio_probes_detach();
		smtprio_account_clear();
		return state;
	}
	smtprio_account_cpuhp = state;
	smtprio_account_on = true;
	return 0;
}

/**
 * smtprio_account_running() - is it attached
 *
 * Return: true between a start and a stop. Context: control mutex held.
 */
bool smtprio_account_running(void)
{
	return smtprio_account_on;
}

/**
 * smtprio_account_stop() - detach; the figures stay
 *
 * After it no CPU runs a probe. Does nothing when not running.
 * Context: process, may sleep (RCU waits), control mutex held.
 */
void smtprio_account_stop(void)
{
	if (!smtprio_account_on)
		return;

	cpuhp_remove_state_nocalls(smtprio_account_cpuhp);
	mutex_lock(&smtprio_account_mutex);
	smtprio_account_settle();
	mutex_unlock(&smtprio_account_mutex);
	smtprio_probes_detach();
	smtprio_account_on = false;
	smtprio_account_clear();
}

/**
 * smtprio_account_qualify() - how long a thread must be idle to count as such
 * @ns: nanoseconds, 0 to SMTPRIO_QUALIFY_MAX
 *
 * Context: process, control mutex held.
 */
void smtprio_account_qualify(unsigned int ns)
{
	mutex_lock(&smtprio_account_mutex);
	if (ns != smtprio_account_qualify_ns)
		smtprio_account_settle();
	WRITE_ONCE(smtprio_account_qualify_ns, ns);
	mutex_unlock(&smtprio_account_mutex);
}

static u64 smtprio_account_of(struct smtprio_modes_core *core,
			      enum smtprio_account_figure figure)
{
	u64 value[SMTPRIO_NR_ACCOUNT];

	mutex_lock(&smtprio_account_mutex);
	smtprio_modes_read(core, local_clock(), smtprio_account_qualify_ns,
			   value);
	mutex_unlock(&smtprio_account_mutex);
	return value[figure];
}

/**
 * smtprio_account_read() - a figure of the core that a CPU is a thread of
 * @cpu: a possible CPU
 * @figure: which
 *
 * Return: counts or nanoseconds since the module was loaded, the time when it
 * did not run left out. Context: process, may sleep.
 */
u64 smtprio_account_read(int cpu, enum smtprio_account_figure figure)
{
	struct smtprio_modes_core *core =
		READ_ONCE(per_cpu(smtprio_account_threads, cpu).core);

	return core ? smtprio_account_of(core, figure) : 0;
}

/**
 * smtprio_account_sum() - a figure, of all cores together
 * @figure: which
 *
 * Return: as smtprio_account_read(). Context: process, may sleep.
 */
u64 smtprio_account_sum(enum smtprio_account_figure figure)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += smtprio_account_of(&per_cpu(smtprio_account_cores, cpu),
					  figure);
	return sum;
}
