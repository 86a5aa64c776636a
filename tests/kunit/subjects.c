// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the subjects of the suites need, and is no subject itself.
 */
#include "account.c"
#include "probes.c"
#include "config.c"
#include "topology.c"
#include "control.c"
#include "ftrace.c"
#include "direct.c"
#include "wake.c"
#include "beyond.c"
#include "ilb.c"
#include "packing.c"
#include "compat/text.c"
