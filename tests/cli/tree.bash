# SPDX-License-Identifier: GPL-2.0-or-later
# Recorded trees: make_tree writes what smtprioctl reads below a sysroot.
# shellcheck shell=bash

# put FILE TEXT: a file below $tree
put() {
	mkdir -p "$tree/${1%/*}"
	printf '%s\n' "$2" >"$tree/$1"
}

# in_list CPU LIST: is CPU among the numbers of a space separated list?
in_list() {
	[[ " $2 " == *" $1 "* ]]
}

# The CPU of a core's thread: near siblings are neighbours (0,1), far ones
# are a whole machine apart (0,176).
cpu_of() {
	local core=$1 thread=$2

	if [[ $layout == near ]]; then
		echo $((core * threads + thread))
	else
		echo $((thread * cores + core))
	fi
}

put_cpu() {
	local cpu=$1 siblings=$2

	# Offline CPUs lose their topology directory.
	if in_list "$cpu" "$offline"; then
		put "$cpu_dir/cpu$cpu/online" 0
	else
		put "$cpu_dir/cpu$cpu/topology/thread_siblings_list" "$siblings"
	fi
	put "sys/kernel/smtprio/cpu$cpu/priority" "$((-cpu))"
}

put_core() {
	local core=$1 thread cpu siblings='' cpus=()

	for ((thread = 0; thread < threads; thread++)); do
		cpu=$(cpu_of "$core" "$thread")
		cpus+=("$cpu")
		in_list "$cpu" "$offline" || siblings+=,$cpu
	done
	for cpu in "${cpus[@]}"; do
		put_cpu "$cpu" "${siblings#,}"
	done
}

put_module() {
	local name

	put sys/kernel/smtprio/version 0.1.0
	put sys/kernel/smtprio/stand_ins none
	put sys/kernel/smtprio/mode enforce
	for name in wake fork_exec ilb; do
		put "sys/kernel/smtprio/$name" 1
	done
	for name in idle_core node packing account; do
		put "sys/kernel/smtprio/$name" 0
	done
	put sys/kernel/smtprio/node_scan auto
	put sys/kernel/smtprio/qualify_ns 3000
	put sys/kernel/smtprio/cpus "0-$last"
	put sys/kernel/smtprio/priority_source number
	put sys/kernel/smtprio/priorities ''
	put sys/kernel/smtprio/hooks/wake/site select_task_rq_fair
	put sys/kernel/smtprio/hooks/wake/callers all
	put sys/kernel/smtprio/hooks/wake/active 1
	put sys/kernel/smtprio/hooks/wake/way direct
	put sys/kernel/smtprio/hooks/ilb/site housekeeping_cpumask
	put sys/kernel/smtprio/hooks/ilb/callers sched_balance_trigger
	put sys/kernel/smtprio/hooks/ilb/active 1
	put sys/kernel/smtprio/hooks/ilb/way ftrace
	put sys/kernel/smtprio/stats/wake_seen 18446744073709551615
	put sys/kernel/smtprio/stats/wake_redirected 800
	put sys/kernel/smtprio/stats/ilb_seen 0
	put sys/kernel/smtprio/stats/reset ''
}

# Odd threads idle nine tenths of the time, even ones one tenth.
put_stat() {
	local cpu text

	text="cpu  1 0 0 1 0 0 0 0 0 0"
	for ((cpu = 0; cpu <= last; cpu++)); do
		in_list "$cpu" "$offline" && continue
		if ((layout_thread[cpu] == 0)); then
			text+=$'\n'"cpu$cpu 500 100 200 50 50 50 25 25 77 7"
		else
			text+=$'\n'"cpu$cpu 50 10 20 850 50 10 5 5 7 0"
		fi
	done
	put proc/stat "$text"$'\n'"intr 12345"
}

# make_tree DIR CORES THREADS [near|far] ["OFFLINE CPUS"]
make_tree() {
	local tree=$1 cores=$2 threads=$3 layout=${4:-near} offline=${5:-}
	local cpu_dir=sys/devices/system/cpu last core thread cpu online=''
	local layout_thread=()

	last=$((cores * threads - 1))
	for ((core = 0; core < cores; core++)); do
		for ((thread = 0; thread < threads; thread++)); do
			layout_thread[$(cpu_of "$core" "$thread")]=$thread
		done
		put_core "$core"
	done
	for ((cpu = 0; cpu <= last; cpu++)); do
		in_list "$cpu" "$offline" || online+=,$cpu
	done
	put "$cpu_dir/possible" "0-$last"
	put "$cpu_dir/present" "0-$last"
	put "$cpu_dir/online" "${online#,}"
	put "$cpu_dir/smt/active" "$((threads > 1))"
	put "$cpu_dir/smt/control" "$( ((threads > 1)) && echo on ||
		echo notsupported)"
	put_stat
	put_module
}

# put_places DIR SOCKETS [LLCS]: so many equal parts of the cores, in order, share a
# socket; the same for last-level caches, one a socket unless given
put_places() {
	local tree=$1 cpu_dir=sys/devices/system/cpu sockets=$2 llcs=${3:-$2}
	local dir lists=() siblings core cores=0 part

	# Cores in the order of their first CPUs.
	mapfile -t lists < <(cat "$tree/$cpu_dir"/cpu*/topology/thread_siblings_list | sort -n -t , -u)
	cores=${#lists[@]}
	for ((part = 0; part < llcs; part++)); do
		siblings=
		for ((core = part * cores / llcs; core < (part + 1) * cores / llcs; core++)); do
			siblings+=,${lists[core]}
		done
		for cpu in ${siblings//,/ }; do
			dir=$cpu_dir/cpu$cpu
			put "$dir/topology/physical_package_id" $((36 * (part * sockets / llcs)))
			mkdir -p "$tree/$dir"/cache/index{0,1,2,3}
			echo 1 | tee "$tree/$dir"/cache/index{0,1}/level >"$tree/$dir/cache/index2/level"
			put "$dir/cache/index2/level" 2
			put "$dir/cache/index3/level" 3
			put "$dir/cache/index3/shared_cpu_list" "${siblings#,}"
		done
	done
}

# put_busy DIR "CPU PERCENT ..." [TIMES]: so busy since boot; the rest 1%. TIMES:
# how long ago that was, to make readings that differ
put_busy() {
	awk -v busy="$2" -v times="${3:-1}" -F '[ ,]' '
		BEGIN { for (n = split(busy, list, " "); n > 0; n -= 2) percent[list[n - 1]] = list[n] }
		{ for (i = 1; i <= NF; i++) {
			p = $i in percent ? percent[$i] : 1
			print "cpu" $i, p * times, 0, 0, (100 - p) * times, "0 0 0 0 0 0"
		} }' "$1/sys/devices/system/cpu/online" >"$1/proc/stat"
}

# unpack_recorded FILE DIR: the sections "== PATH" of a recorded file, as files
unpack_recorded() {
	local line out=/dev/null

	while IFS= read -r line; do
		if [[ $line == '== '* ]]; then
			out=$2/${line#== }
			mkdir -p "${out%/*}"
			: >"$out"
		else
			printf '%s\n' "$line" >>"$out"
		fi
	done <"$1"
}
