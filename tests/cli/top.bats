# SPDX-License-Identifier: GPL-2.0-or-later
# top: its frames, as text and on a terminal
# shellcheck disable=SC2154,SC2016,SC2030,SC2031 # bats sets variables, in subshells; $ is for sed and jq

load common

setup_file() {
	make_tree "$BATS_FILE_TMPDIR/smt2" 4 2
	# A Vera: 2 sockets of 88 cores, siblings (0,176), (1,177), ...
	make_tree "$BATS_FILE_TMPDIR/vera" 176 2 far
	put_places "$BATS_FILE_TMPDIR/vera" 2
	put_busy "$BATS_FILE_TMPDIR/vera" '0 90 1 90 177 50 178 90 175 20'
	# Two sockets with eight LLCs each.
	make_tree "$BATS_FILE_TMPDIR/epyc" 64 2 far
	put_places "$BATS_FILE_TMPDIR/epyc" 2 16
	put_busy "$BATS_FILE_TMPDIR/epyc" '4 90'
	make_tree "$BATS_FILE_TMPDIR/smt4" 4 4 near '5 14 15'
	make_tree "$BATS_FILE_TMPDIR/smt1" 4 1
	unset LINES COLUMNS
}

# frame ARGS...: one, without the clock
frame() {
	ctl top --once "$@"
	expect_status 0
	is "$stderr" ''
	output=$(sed -E '1s/ *[0-9:]{8}$//' <<<"$output")
}

# line N: of the frame
line() {
	sed -n "$1p" <<<"$output"
}

@test "a frame of 352 CPUs in 80x24" {
	use_tree vera
	frame
	expect_80_columns
	is "$output" 'smtprio 0.1.0  mode enforce  with wake fork_exec ilb  priority number
352 CPUs, 176 cores, 2 sockets, 2 LLCs; busy: preferred 2.1%, others 1.8%
                   cores by busy threads  idle 172  one   2  wrong   1  more   1
- socket 0 LLC 0: CPUs 0-87,176-263       idle  85  one   1  wrong   1  more   1
    0 @. @x ox o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o.
   24 o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o.
   48 o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o.
   72 o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o.
- socket 1 LLC 1: CPUs 88-175,264-351     idle  87  one   1  wrong   0  more   0
   88 o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o.
  112 o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o.
  136 o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. o.
  160 o. o. o. o. o. o. o. o. o. o. o. o. o. o. o. @.

counters, total
ilb_seen                             0  wake_seen                    1.845e+19
wake_redirected                    800





@ preferred thread busy (10% up), o idle; x other busy, . idle; wrong: only x'
}

@test "a frame is as large as asked for" {
	use_tree vera
	for size in '1 1' '3 10' '10 40' '24 80' '60 200' '100 400'; do
		read -r rows cols <<<"$size"
		ctl top --once --lines "$rows" --columns "$cols"
		expect_status 0
		is "$("$TOOL" --sysroot "$tree" top --once --lines "$rows" --columns "$cols" | wc -l)" "$rows"
		while IFS= read -r text; do
			((${#text} <= cols))
		done <<<"$output"
	done
	is "$(LINES=30 COLUMNS=90 "$TOOL" --sysroot "$tree" top --once | wc -l)" 30
	is "$(COLUMNS=70 "$TOOL" --sysroot "$tree" top --once | sed -n '1s/.*[0-9:]\{8\}$/&/p' | wc -L)" 70
	# Nonsense there is not followed.
	is "$(LINES=x COLUMNS=-5 "$TOOL" --sysroot "$tree" top --once | wc -l)" 24
}

@test "LLCs fold when the map does not fit, and then the cores are still counted" {
	use_tree epyc
	frame --lines 30
	is "$(line 2)" '128 CPUs, 64 cores, 2 sockets, 16 LLCs; busy: preferred 2.4%, others 1.0%'
	is "$(line 5)" '+ socket 0 LLC 1: CPUs 4-7,68-71          idle   3  one   1  wrong   0  more   0'
	is "$(grep -c '^+ socket 1' <<<"$output")" 8
	# With room it unfolds, and what does not fit even so is told.
	frame --lines 50
	is "$(grep -c '^- socket' <<<"$output")" 16
	is "$(line 7)" '    4 @. o. o. o.'
	frame --lines 14
	has "$output" 'lines 1-6 of 16:'
}

@test "a wide frame tells each LLC's load" {
	use_tree epyc
	frame --lines 60 --columns 140
	has "$(line 6)" 'busy: preferred  23.2%, others   1.0%'
}

@test "four threads a core, some offline" {
	use_tree smt4
	frame
	is "$(line 2)" '13 CPUs, 4 cores, 1 socket, 1 LLC; busy: preferred 90.0%, others 10.0%'
	is "$(line 5)" '   0 @xxx @xx  @xxx @x'
}

@test "without SMT no thread is preferred" {
	use_tree smt1
	frame
	is "$(line 2)" '4 CPUs, 4 cores, 1 socket, 1 LLC; busy: preferred -, others -'
	is "$(line 5)" '  0 x x x x'
}

@test "without the module the map still shows" {
	use_tree smt2
	rm -r "$tree/sys/kernel/smtprio"
	frame
	is "$(line 1)" 'smtprio is not loaded'
	is "$(line 5)" '  0 xx xx xx xx'
	hasnt "$output" counters
}

@test "with an interval the frame is of what passes in it" {
	use_tree vera
	export TREE=$tree
	cat >"$BATS_TEST_TMPDIR/later" <<-EOT
		. "$BATS_TEST_DIRNAME/tree.bash"
		put_busy "\$TREE" '0 90 1 90 177 50 178 90 175 20 3 100' 2
		echo 1000 >"\$TREE/sys/kernel/smtprio/stats/wake_redirected"
	EOT
	FAKE_SLEEP="bash $BATS_TEST_TMPDIR/later" ctl_fake --sysroot "$tree" top --once -i 2
	expect_status 0
	has "$output" 'counters, events a second'
	is "$(awk '/^wake_redirected/ { print $2 }' <<<"$output")" 100.0
	has "$(line 5)" '    0 @. @x ox @. o.'
}

@test "cores in multi mode, where the module accounts for it" {
	use_tree vera
	export TREE=$tree
	put_file sys/kernel/smtprio/account 1
	for ((cpu = 0; cpu < 176; cpu++)); do
		put_file "sys/kernel/smtprio/cpu$cpu/account/multi_ns" 1000
	done
	# For a tenth of the two seconds, and for less.
	FAKE_SLEEP='cd "$TREE/sys/kernel/smtprio"; echo 200001000 >cpu0/account/multi_ns
		echo 200001000 >cpu3/account/multi_ns; echo 199001000 >cpu4/account/multi_ns' \
		ctl_fake --sysroot "$tree" top --once -i 2
	expect_status 0
	# Nothing passed in /proc/stat, so no thread was busy.
	has "$(line 5)" '    0 O: o. o. O: o. o.'
	has "$output" 'multi: O :'
}

@test "a CPU that goes between the readings" {
	use_tree smt2
	export TREE=$tree
	FAKE_SLEEP='echo 0-6 >"$TREE/sys/devices/system/cpu/online"' \
		ctl_fake --sysroot "$tree" top --once -i 1
	expect_status 0
	has "$output" '7 CPUs, 4 cores'
	is "$(line 5)" '  0 .. .. .. .' || is "$(line 5)" '  0 o. o. o. .'
}

@test "top that cannot be" {
	use_tree smt2
	refused top -- 'not on a terminal' 'top --once'
	refused top --once --json -- 'status --json'
	refused top --lines 3 -- --once
	refused top --once --lines 0 -- "'0'" allowed
	refused top --once --columns 99999 -- "'99999'"
	refused status --once -- --once
	rm "$tree/sys/devices/system/cpu/online"
	refused top --once -- online
	run script -qec "TERM=nonsense '$TOOL' --sysroot '$BATS_FILE_TMPDIR/smt2' top" /dev/null
	has "$output" TERM=nonsense 'top --once'
}

# in_terminal LINES COLUMNS KEYS: run it there, send keys one by one, print the
# last screen with a mark for each line; the exit status is the tool's
in_terminal() {
	python3 - "$TOOL" "$tree" "$@" <<-'EOT'
		import fcntl, os, pty, select, struct, sys, termios, time
		tool, tree, lines, columns, keys = sys.argv[1:]
		pid, fd = pty.fork()
		if not pid:
		    # A terminal that redraws all: what is seen is what was sent.
		    os.environ["TERM"] = "vt100"
		    os.execv(tool, [tool, "--sysroot", tree, "top", "-i", "60"])
		def resize(l, c):
		    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", l, c, 0, 0))
		def drain(wait):
		    data = b""
		    while select.select([fd], [], [], wait)[0]:
		        try:
		            part = os.read(fd, 65536)
		        except OSError:
		            break
		        if not part:
		            break
		        data += part
		        wait = 0.3
		    return data
		resize(int(lines), int(columns))
		out = drain(5)
		for key in keys.split():
		    if key.startswith("size="):
		        resize(*map(int, key[5:].split("x")))
		    elif key.startswith("signal="):
		        os.kill(pid, int(key[7:]))
		    else:
		        os.write(fd, {"enter": b"\r", "down": b"j", "^C": b"\x03", "^L": b"\x0c"}.get(key, key.encode()))
		    out = drain(3)
		    print("after", key + ":", out.decode("ascii", "replace").replace("\x1b", "<"))
		if os.waitpid(pid, os.WNOHANG)[0] == 0:
		    os.write(fd, b"q")
		    drain(1)
		    pid, status = os.waitpid(pid, 0)
		else:
		    status = 0
		sys.exit(os.waitstatus_to_exitcode(status))
	EOT
}

@test "keys switch the mode, and say when that is refused" {
	use_tree smt2
	run in_terminal 24 80 '2 ^L 1 ^L'
	expect_status 0
	has "$output" 'mode=observe' 'mode=off' 'mode observe  with wake' 'mode off  with wake'
	is "$(knob mode)" off
	rm "$tree/sys/kernel/smtprio/mode"
	run in_terminal 24 80 '3 ^L'
	has "$output" 'mode=enforce: '
}

@test "keys fold, and the window may change its size" {
	use_tree vera
	run in_terminal 24 80 'enter ^L f ^L size=40x120 size=3x8'
	expect_status 0
	has "$output" '+ socket 0 LLC 0' '- socket 0 LLC 0' 'after size=40x120:'
}

@test "interrupts end it as q does" {
	use_tree smt2
	run in_terminal 24 80 '^C'
	expect_status 0
	run in_terminal 24 80 'signal=15'
	expect_status 0
}
