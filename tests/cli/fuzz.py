#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""fuzz.py TOOL TREE N SEED: N generated command lines of smtprioctl over the tree
of files TREE, which is changed. Prints a line for every one that ended by a
signal or a sanitizer, hung, ended with a status that --help does not name, refused
without a reason, or refused and changed something; and last "N lines, N refused,
N bad". Exit status 1 when any was bad."""

import os
import random
import subprocess
import sys

COMMANDS = "status get set mode priority stats load unload doctor apply profile".split()
KEYS = "mode wake fork_exec ilb packing cpus priority_source".split()
WORDS = ["off", "observe", "enforce", "0", "1", "on", "-1", "2147483647", "-2147483648",
         "2147483648", "18446744073709551616", "9" * 40, "0x10", "1e3", "0-7", "0,4-5",
         "all", "0-", "3-1", "0-4294967295", "4294967296", "0-99999999", ",", "=", "==",
         "number", "reverse", "custom", "arch", "", " ", "\n", "\t", "%s%n", "../mode",
         "/etc/passwd", "A" * 5000, "0=1", "1=-5", "0-7=3", "0=", "=1", "7=9", "99=1",
         "\xff\xfe", "\u20ac", "-", "--", "--json", "--reset", "--help", "--version", "-h",
         "-V", "-x", "--interval", "--interval=0", "--interval=0.01", "--interval=-1",
         "--interval=nan", "--interval=inf", "--file", "--file=x.ko", "--json=1", "--nonsense"]


def word(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return bytes(rng.randrange(1, 256) for _ in range(rng.randrange(12)))
    if kind == 1:
        return (rng.choice(KEYS) + "=" + rng.choice(WORDS)).encode()
    if kind == 2:
        return f"{rng.randrange(-2, 12)}={rng.randrange(-2**33, 2**33)}".encode()
    if kind == 3:
        return ",".join(str(rng.randrange(12)) for _ in range(rng.randrange(1, 600))).encode()
    if kind == 4:
        return rng.choice(KEYS + COMMANDS).encode()
    text = bytearray(rng.choice(WORDS).encode())
    if text and not rng.randrange(4):
        text[rng.randrange(len(text))] = rng.randrange(1, 256)
    if text and not rng.randrange(8):
        del text[rng.randrange(len(text)):]
    return bytes(text)


def waits(args):
    return any(a.startswith((b"--i", b"-i")) for a in args)


def command_line(rng):
    args = [word(rng) for _ in range(rng.randrange(5))]
    if rng.randrange(8):
        args.insert(rng.randrange(len(args) + 1), rng.choice(COMMANDS).encode())
    # Without a count, rates are printed until somebody says stop.
    if waits(args):
        args.insert(0, b"--count=2")
    # Never another sysroot than the tree: this machine's files are not for playing.
    return [a for a in args if not a.startswith(b"--s")]


def state(tree):
    found = {}
    for folder, _, files in os.walk(os.path.join(tree, "sys/kernel/smtprio")):
        for name in files:
            path = os.path.join(folder, name)
            with open(path, "rb") as f:
                found[path] = f.read()
    return found


def fault(run, before, after):
    if run.returncode < 0:
        return f"ended by signal {-run.returncode}"
    if b"Sanitizer" in run.stderr or b"runtime error" in run.stderr:
        return "sanitizer"
    if run.returncode not in (0, 1, 64, 65):
        return f"ended with status {run.returncode}"
    if run.returncode == 1 and not run.stderr.strip() and not run.stdout.strip():
        return "refused without a reason"
    if run.returncode == 1 and before != after:
        return "refused, and changed " + ", ".join(
            k for k in after if before.get(k) != after[k])
    return None


def main():
    tool, tree, n, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    rng = random.Random(seed)
    refused = bad = 0
    prefix = []
    if os.geteuid() == 0:
        prefix = ["setpriv", "--bounding-set", "-sys_module"]
    before = state(tree)
    for _ in range(n):
        args = command_line(rng)
        try:
            run = subprocess.run(prefix + [tool, "--sysroot", tree] + args, timeout=20, check=False,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        except subprocess.TimeoutExpired:
            # An interval of 1e3 seconds is one.
            if waits(args):
                continue
            print("hung:", args)
            bad += 1
            continue
        after = state(tree)
        refused += run.returncode == 1
        what = fault(run, before, after)
        if what:
            bad += 1
            print(f"{what}: {[a[:60] for a in args]}: {run.stderr[:400]!r}")
        before = after
    print(f"{n} lines, {refused} refused, {bad} bad")
    return 1 if bad or not refused or refused == n else 0


sys.exit(main())
