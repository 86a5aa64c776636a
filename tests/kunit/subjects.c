// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the subjects of the suites need, and is no subject itself.
 */
#include "config.c"
#include "topology.c"
#include "control.c"
#include "ftrace.c"
#include "wake.c"
#if __has_include("beyond.c")
#include "beyond.c"
#endif
#include "ilb.c"
#include "packing.c"
#include "compat/text.c"
