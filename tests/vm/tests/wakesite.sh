# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash
# vm: there smp=8,sockets=1,cores=4,threads=2 kernels=debug-amd64
# vm: absent smp=8,sockets=1,cores=4,threads=2 kernels=6.12-amd64
#
# The load option wake_site: at select_idle_sibling, where that is a function, the
# module decides as at the default site; where it is not, loading is refused.

. /tests/lib.sh

SITE=select_idle_sibling
ROUNDS=$(form 100 400)
# A kernel that checks itself is slow, and so its own threads are on the CPU more often.
LEAST=$((ROUNDS * 95 / 100))
KINDS="futex pipe eventfd timer"

mark_log
must "wake_site=x is refused" refused load wake_site=x
contains "with what is allowed" "$(log_since)" \
	"wake_site=x: allowed is select_task_rq_fair or $SITE"
nothing_left "wake_site=x"

if ! grep -q " $SITE\$" /proc/kallsyms; then
	mark_log
	must "$SITE is refused" refused load wake_site=$SITE
	contains "with the symbol's name" "$(log_since)" \
		"hook wake: this kernel has no symbol $SITE"
	nothing_left "wake_site=$SITE"
	check "and the next load works" load
	is "at the default site" "$(knob hooks/wake/site) $(knob hooks/wake/active)" \
		"select_task_rq_fair 1"
	finish
fi

# decisions SITE: where wakeups of each kind end
decisions()
{
	local kind out

	for kind in $KINDS; do
		reset_stats
		# shellcheck disable=SC2046 # words are wanted
		out=$(wakes "$kind" "$ROUNDS" "$(thread 1 0)" "$(last_thread 1)" \
			"$(join $(core 1))" "$(thread 3 0)")
		echo "$out" | grep '^#'
		figure "$1_$kind" "$(field want "$out")"
		at_least "$1 $kind: on the preferred sibling" "$(field want "$out")" $LEAST
		at_least "$1 $kind: counted as redirected" "$(counter wake_redirected)" $LEAST
	done
}

for site in select_task_rq_fair $SITE; do
	must "loads at $site" load wake_site="$site"
	is "$site: shown and active" "$(knob hooks/wake/site) $(knob hooks/wake/active)" "$site 1"
	is "$site: owned" "$(hooked "$site")" hooked
	decisions "$site"
	knob mode observe
	reset_stats
	# shellcheck disable=SC2046 # words are wanted
	wakes futex "$ROUNDS" "$(thread 1 0)" "$(last_thread 1)" "$(join $(core 1))" "$(thread 3 0)" >/dev/null
	at_least "$site: observe counts what enforce would do" "$(counter wake_would)" $LEAST
	is "$site: and moves none" "$(counter wake_redirected)" 0
	knob mode enforce
	knob wake 0
	case $site in
	"$SITE")	is "$site: forks alone do not want the hook" "$(knob hooks/wake/active) $(hooked "$site")" "0 none" ;;
	*)	is "$site: forks alone want the hook" "$(knob hooks/wake/active) $(hooked "$site")" "1 hooked" ;;
	esac
	knob wake 1
	is "$site: attached again" "$(knob hooks/wake/active) $(hooked "$site")" "1 hooked"
	must "unloads from $site" unload
	nothing_left "$site"
	is "$site: given back" "$(hooked "$site")" none
done

finish
