# SPDX-License-Identifier: GPL-2.0-or-later
# Generated command lines.
# shellcheck disable=SC2154,SC2030,SC2031 # bats sets variables, in subshells

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2
}

@test "generated command lines end well: refused with a reason, or done" {
	use_tree smt2
	# The sanitizers' build is the one that sees the most.
	count=100
	[[ $TOOL == *-san/* ]] && count=500
	[[ -n ${SMTPRIO_LONG:-} ]] && count=10000
	seed=${SMTPRIO_SEED:-$(date +%s)}
	echo "SMTPRIO_SEED=$seed $count lines"
	run python3 "$BATS_TEST_DIRNAME/fuzz.py" "$TOOL" "$tree" $count "$seed"
	echo "$output"
	[[ $status -eq 0 ]]
}
