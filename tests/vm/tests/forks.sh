# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: smt2 smp=8,sockets=1,cores=4,threads=2 timeout=600
#
# Where the children of fork and exec first run on an idle guest. The kernel's own
# answer depends on where the last tasks ran, so it is shown and not judged.

. /tests/lib.sh

ROUNDS=$(form 200 800)
LEAST=$((ROUNDS - 4))
# To see that a state is not enforce takes fewer.
FEWER=$(form 50 200)

preferred=$(level 0)

# forks_in NAME ROUNDS: sets $forked and $execed
forks_in()
{
	out=$(forks "$2" "$preferred")
	# Elsewhere a miss needs no reason.
	[ "$1" = enforce ] && echo "$out" | grep '^#'
	forked=$(field fork "$out")
	execed=$(field exec "$out")
	balanced=$(field balanced "$out")
	figure "$1_rounds" "$2"
	figure "$1_fork" "$forked"
	figure "$1_exec" "$execed"
	figure "$1_balanced" "$balanced"
}

# An idle guest: no per-CPU housekeeping meanwhile that can wait.
echo 1000 >/proc/sys/vm/stat_interval

for state in unloaded enforce observe off; do
	must "module is $state" state $state
	case $state in
	enforce) rounds=$ROUNDS ;;
	unloaded) rounds=$(form "$FEWER" "$ROUNDS") ;;
	*) rounds=$FEWER ;;
	esac
	forks_in "$state" "$rounds"
	case $state in
	enforce)
		# A child may be put right and yet be found elsewhere: something woke on its CPU, and the kernel's load
		# balancer took the child to the idle sibling. The counters tell; such children are not the hook's misses.
		at_most "$state: few were moved afterwards" "$balanced" $((ROUNDS / 50 + 2))
		at_least "$state: first on a preferred sibling after fork, or moved afterwards" $((forked + balanced)) $LEAST
		at_least "$state: first on a preferred sibling after exec, or moved afterwards" $((execed + balanced)) $LEAST
		;;
	observe)
		figure would "$(counter wake_would)"
		is "$state: none redirected" "$(counter wake_redirected)" 0
		;;
	off)
		is "$state: nothing even seen" "$(counter wake_seen)" 0
		;;
	esac
done

# The other kind's knob alone leaves fork and exec to the kernel.
must "module is enforce" state enforce
check "fork_exec is off" knob fork_exec 0
forks_in knob_off "$FEWER"
# A child can still be moved before it runs.
at_least "fork_exec=0: all that was not preferred is counted as kept off" \
	"$(counter wake_kept_off)" $(((2 * FEWER - forked - execed) * 95 / 100))

finish
