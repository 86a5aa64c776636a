# SPDX-License-Identifier: GPL-2.0-or-later
# README: what it quotes is what the sources say. (Its commands run in tests/vm/tests/readme.sh.)
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed

load common

repo=$BATS_TEST_DIRNAME/../..

unknown() {
	"$BATS_TEST_DIRNAME/messages.py" "$repo" "$1"
}

@test "each message of the troubleshooting table is one of the sources" {
	run unknown "$repo/README.md"
	expect_status 0
	[[ ${lines[0]} -gt 10 ]]
	is "$(tail -n +2 <<<"$output")" ''
}

@test "a message that nobody prints is found" {
	for pair in 'has no symbol NAME/had no symbol NAME' 'is switched off/was switched off' 'takes only signed/takes solely signed' \
		'its headers are missing/its headers are lacking' 'root is needed/root be needed' \
		'no kernel headers in/no headers in' 'allowed is VALUES/allowed are VALUES'; do
		sed "s/${pair%/*}/${pair#*/}/" "$repo/README.md" >"$BATS_TEST_TMPDIR/README.md"
		run unknown "$BATS_TEST_TMPDIR/README.md"
		has "$(tail -n +2 <<<"$output")" "${pair#*/}"
	done
}

@test "the drawing is what its script draws, and README shows it" {
	"$repo/docs/modes.py" | cmp - "$repo/docs/modes.svg"
	grep -q '](docs/modes.svg)' "$repo/README.md"
	python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$repo/docs/modes.svg"
}
