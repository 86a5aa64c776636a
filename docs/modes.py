#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws modes.svg, the picture of README: docs/modes.py >docs/modes.svg"""

BUSY, OTHER, IDLE, LOST = "#2f6f9f", "#c8722a", "#ffffff", "#eeeeee"
out = []


def text(x, y, words, size=12, anchor="start", weight="normal", fill="#222222"):
    out.append(f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" fill="{fill}">{words}</text>')


def box(x, y, w, h, fill, stroke="#555555", dash=""):
    dash = f' stroke-dasharray="{dash}"' if dash else ""
    out.append(f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="3" fill="{fill}" stroke="{stroke}"{dash}/>')


def arrow(x1, y1, x2, y2, colour="#222222"):
    out.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" stroke-width="2" marker-end="url(#head)"/>')


def core(x, y, name, threads, w=84, h=44):
    """Threads are (words, fill): side by side, the preferred one first."""
    text(x + w, y - 6, name, 11, "middle", fill="#555555")
    box(x - 4, y - 2, 2 * w + 8, h + 4, LOST)
    for i, (words, fill) in enumerate(threads):
        box(x + i * w + 2, y + 2, w - 4, h - 4, fill, dash="3,3" if fill == IDLE else "")
        text(x + i * w + w / 2, y + h / 2 + 4, words, 12, "middle", fill="#222222" if fill == IDLE else "#ffffff")


def resources(x, y, parts, w=176, h=16):
    """Bars of (share of the core, fill)."""
    for share, fill in parts:
        box(x, y, w * share, h, fill)
        x += w * share


def modes(x):
    """How much of the core a thread has."""
    for y, head, threads, parts, words in (
        (62, "one thread active", [("task", BUSY), ("asleep", IDLE)], [(1, BUSY)], "the task has the whole core"),
        (186, "both active", [("task", BUSY), ("other", OTHER)], [(0.5, BUSY), (0.5, OTHER)], "each has one half"),
    ):
        core(x, y, head, threads)
        resources(x - 4, y + 54, parts)
        text(x + 84, y + 86, words, 11, "middle")
    text(x + 84, 296, "Back to the whole core: only after a", 10, "middle", fill="#555555")
    text(x + 84, 309, "long, unbroken sleep of the other.", 10, "middle", fill="#555555")


def kernel(x, head, cores, notes):
    text(x + 84, 26, head, 13, "middle", "bold")
    for y, (name, threads) in zip((62, 186), cores):
        core(x, y, name, threads)
    for x1, y1, x2, y2 in notes:
        arrow(x + x1, y1, x + x2, y2)


def main():
    text(124, 26, "A core like Olympus", 13, "middle", "bold")
    modes(40)
    # Without: the task wakes on the second thread, the kick makes a busy core's second thread active.
    kernel(280, "the kernel alone", [("core A, idle", [("idle", IDLE), ("task", OTHER)]),
                                     ("core B, busy", [("task", BUSY), ("kick", OTHER)])], [(126, 134, 126, 112), (126, 258, 126, 236)])
    text(364, 148, "a task wakes on a sibling", 11, "middle")
    text(364, 272, "idle balancing runs beside a task", 11, "middle")
    kernel(520, "with smtprio", [("core A, idle", [("task", BUSY), ("asleep", IDLE)]),
                                 ("core C, idle", [("kick", BUSY), ("asleep", IDLE)])], [(42, 134, 42, 112), (42, 258, 42, 236)])
    text(604, 148, "on the better idle thread of that core", 11, "middle")
    text(604, 272, "on a fully idle core, if there is one", 11, "middle")
    print("<!--\nSPDX-License-Identifier: GPL-2.0-or-later\nWritten by docs/modes.py.\n-->")
    print('<svg xmlns="http://www.w3.org/2000/svg" width="740" height="322" viewBox="0 0 740 322" font-family="DejaVu Sans, sans-serif">')
    print('<title>A core with one and with two active threads; where the kernel and where smtprio put work</title>')
    print('<defs><marker id="head" markerWidth="8" markerHeight="8" refX="6" refY="3" orient="auto">'
          '<path d="M0,0 L6,3 L0,6 z" fill="#222222"/></marker></defs>')
    print('<rect width="740" height="322" fill="#ffffff"/>')
    print('<line x1="248" y1="14" x2="248" y2="310" stroke="#bbbbbb"/>')
    print("\n".join(out))
    print("</svg>")


main()
