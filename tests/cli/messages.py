#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""messages.py REPO README: how many messages README's troubleshooting table has, and those no source prints."""
import glob
import re
import sys

repo, readme = sys.argv[1:]
LITERAL = r'"(?:[^"\\]|\\.)*"'
ANY = "\0"  # what differs from case to case


def literals(text):
    """String literals of C, adjacent ones as one; a macro between them may be anything."""
    for found in re.finditer(LITERAL + r"(?:\s*(?:[A-Z_]+\s*)?" + LITERAL + ")*", text):
        parts = re.findall(LITERAL + "|[A-Z_]+", found.group())
        yield "".join(p[1:-1] if p[0] == '"' else ANY for p in parts)


def form(text):
    text = re.sub(r"%(?:\.\*)?[a-z]+", ANY, text)
    return text.replace("\\n", "").replace('\\"', '"').strip()


forms = []
for name in glob.glob(repo + "/module/*.c") + glob.glob(repo + "/userspace/*.[ch]"):
    with open(name, encoding="ascii") as source:
        forms += map(form, literals(source.read()))
# Of a script each line; what a variable holds may be anything.
for name in ("Makefile", "userspace/Makefile", "contrib/sign", "debian/smtprio-dkms.postinst"):
    with open(repo + "/" + name, encoding="ascii") as source:
        forms += (form(re.sub(r"\$\([^)]*\)|\$[a-z]+", ANY, line)) for line in source)
# The tool's messages begin with the command and may end with what to do: without these too.
forms += [re.sub("^(?:\0|[a-z]+): ", "", f) for f in forms]
forms += [f.split(";")[0] for f in forms]


def is_said(message):
    """Is it a part of a form, or is a form with enough text of its own a part of it?"""
    bare = re.sub(r"\b(?:RELEASE|FOLDER|NAME|HOOK|SITE|KNOB|VALUES?)\b", ANY, message)
    for f in forms:
        parts = f.split(ANY)
        if bare in f:
            return True
        if len("".join(parts)) > 20 and re.match(".+?".join(map(re.escape, parts)) + "(?:;|$)", message):
            return True
    return False


with open(readme, encoding="ascii") as page:
    table = page.read().split("## Troubleshooting", 1)[1].split("\n## ", 1)[0]
messages = re.findall(r"^\| `([^`]*)`", table, re.M)
print(len(messages))
for message in messages:
    if not is_said(message):
        print(message)
