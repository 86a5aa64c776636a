#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Prints what doctor reads of the running kernel, trimmed, for recorded/. A test
# of the guest harness, whose output is the file, each line after a "|":
#	tests/vm/run -d tests/cli -k KERNEL -t record |
#		sed -n 's/^ *# |//p' >tests/cli/recorded/KERNEL
# vm: smt2 smp=8,sockets=1,cores=4,threads=2
set -u

names='select_task_rq_fair|housekeeping_cpumask|idle_cpu|cpus_share_cache'
names="$names|kallsyms_lookup_name|kallsyms_lookup_size_offset|ftrace_location"
names="$names|kick_ilb|nohz_balancer_kick|sched_balance_trigger"
names="$names|trigger_load_balance|nohz|tick_nohz_tick_stopped_cpu|sd_llc"
names="$names|sched_domains_free_llc_id|cpu_curr_snapshot|x86_smt_flags"
names="$names|arch_asym_cpu_priority|rebuild_sched_domains|cpu_smt_flags"
names="$names|arch_update_cpu_topology|topology_update_cpu_topology"

options='MODULES|KALLSYMS|KALLSYMS_ALL|KPROBES|KPROBES_ON_FTRACE|SCHED_SMT'
options="$options|FUNCTION_TRACER|DYNAMIC_FTRACE|DYNAMIC_FTRACE_WITH_REGS"
options="$options|DYNAMIC_FTRACE_WITH_ARGS|NO_HZ_COMMON|X86_64|ARM64|CC_IS_GCC"
options="$options|CC_IS_CLANG|MODULE_SIG|MODULE_SIG_FORCE|SECURITY_LOCKDOWN_LSM"

tracing=/sys/kernel/tracing
release=$(uname -r)

# section PATH: and its contents from standard input
section()
{
	echo "== $1"
	cat
}

# Addresses change with every boot.
without_addresses()
{
	sed -E 's/^[0-9a-f]{16} /0000000000000000 /; s/0x[0-9a-f]{16}/0x0/g'
}

record()
{
	echo "# SPDX-License-Identifier: GPL-2.0-or-later"
	echo "# Written by tests/cli/record.sh in a guest; trimmed, addresses zeroed."
	grep -E "^(# )?CONFIG_($options)(=| is)" "/boot/config-$release" |
		section "boot/config-$release"
	# With neighbours, clones, and symbols of a module: all that looks alike.
	{
		grep -E -A 1 -B 1 " ($names)(\..*)?\$" /proc/kallsyms | grep -v '^--'
		grep -E '\.(isra|constprop|part|cold)' /proc/kallsyms | head -n 5
		grep '\[smtprio\]' /proc/kallsyms | head -n 3
	} | without_addresses | section proc/kallsyms
	for file in osrelease ftrace_enabled; do
		section "proc/sys/kernel/$file" <"/proc/sys/kernel/$file"
	done
	{
		grep -E -A 1 -B 1 "^($names)\$" $tracing/available_filter_functions |
			grep -v '^--'
		grep '\[smtprio\]' $tracing/available_filter_functions | head -n 3
	} | section sys/kernel/tracing/available_filter_functions
	section sys/module/module/parameters/sig_enforce \
		</sys/module/module/parameters/sig_enforce
	without_addresses <$tracing/enabled_functions |
		section while-loaded/enabled_functions
	rmmod smtprio
	section sys/kernel/tracing/enabled_functions <$tracing/enabled_functions
}

insmod "$KO" || exit
record | sed 's/^/|/'
echo "ok 1 - recorded"
echo "1..1"
