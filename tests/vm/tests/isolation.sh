# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: isolcpus smp=8,sockets=1,cores=4,threads=2 append="isolcpus=2,4,5,7"
# vm: cpuset smp=8,sockets=1,cores=4,threads=2
#
# Siblings in different scheduling domains, or in none, are left alone; a core
# that is whole is redirected all the same.

. /tests/lib.sh

ROUNDS=200
CPUSETS=/tmp/cpusets

# wakes_on CORE WAKER [COMMAND...]: sets $on_preferred and $stayed
wakes_on()
{
	local waker=$2

	core=$1
	shift 2
	reset_stats
	# shellcheck disable=SC2046 # words are wanted
	out=$("$@" wakes futex $ROUNDS "$(thread "$core" 0)" "$(thread "$core" 1)" \
		"$(join $(core "$core"))" "$waker")
	on_preferred=$(field want "$out")
	stayed=$(field last "$out")
}

# whole TEXT CORE WAKER [COMMAND...]
whole()
{
	local text=$1

	shift
	wakes_on "$@"
	echo "$out" | grep '^#'
	at_least "$text: core $core is redirected" "$on_preferred" $((ROUNDS * 95 / 100))
}

# apart TEXT CORE WAKER: nothing of it is redirected
apart()
{
	wakes_on "$2" "$3"
	is "$1: core $core is left alone" "$stayed" $ROUNDS
	echo "# kept for the domain: $(counter wake_kept_domain)"
}

# A cpuset partition splits cores 1 and 2 while the module runs.
split_by_cpusets()
{
	here="$(thread 0 0),$(thread 0 1),$(thread 1 0),$(thread 2 0)"
	there="$(thread 1 1),$(thread 2 1),$(thread 3 0),$(thread 3 1)"

	if mkdir $CPUSETS && mount -t cgroup -o cpuset none $CPUSETS 2>/dev/null; then
		version=1
		mkdir $CPUSETS/here $CPUSETS/there
		echo "$here" >$CPUSETS/here/cpuset.cpus
		echo "$there" >$CPUSETS/there/cpuset.cpus
		echo 0 | tee $CPUSETS/here/cpuset.mems >$CPUSETS/there/cpuset.mems
		echo 0 >$CPUSETS/cpuset.sched_load_balance
		return
	fi
	version=2
	mount -t cgroup2 none $CPUSETS &&
		echo +cpuset >$CPUSETS/cgroup.subtree_control &&
		mkdir $CPUSETS/there &&
		echo "$there" >$CPUSETS/there/cpuset.cpus &&
		echo root >$CPUSETS/there/cpuset.cpus.partition &&
		[ "$(cat $CPUSETS/there/cpuset.cpus.partition)" = root ]
}

join_cpusets()
{
	case $version in
	1) echo 1 >$CPUSETS/cpuset.sched_load_balance ;;
	2) echo member >$CPUSETS/there/cpuset.cpus.partition ;;
	esac
}

# in_there COMMAND...: as a task of the second cpuset
in_there()
{
	# shellcheck disable=SC2016 # the inner shell's variables
	sh -c 'echo $$ >"$1" && shift && exec "$@"' sh $CPUSETS/there/cgroup.procs "$@"
}

must "module is enforce" state enforce

case $VM_LABEL in
isolcpus)
	# Not CPU 0: arm64 keeps its boot CPU for housekeeping.
	is "isolated CPUs" "$(cat /sys/devices/system/cpu/isolated)" \
		"$(thread 1 0),$(thread 2 0)-$(thread 2 1),$(thread 3 1)"
	whole "not isolated" 0 "$(thread 3 0)"
	apart "preferred thread isolated" 1 "$(thread 0 0)"
	apart "other thread isolated" 3 "$(thread 0 0)"
	apart "both threads isolated" 2 "$(thread 0 0)"
	;;
cpuset)
	whole "before the partition" 1 "$(thread 2 0)"
	must "two scheduling domains" split_by_cpusets
	if [ "$version" = 1 ]; then
		apart "partition" 1 "$(thread 0 0)"
		apart "partition" 2 "$(thread 0 0)"
	else
		echo "# cpuset v2 lets no task be allowed on both sides of a partition"
	fi
	whole "partition, first domain" 0 "$(thread 2 0)"
	whole "partition, second domain" 3 "$(thread 2 1)" in_there
	check "one scheduling domain again" join_cpusets
	whole "after the partition" 1 "$(thread 0 0)"
	whole "after the partition" 2 "$(thread 0 0)"
	;;
esac

finish
