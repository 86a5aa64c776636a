// SPDX-License-Identifier: GPL-2.0
/*
 * What the tracepoints of trace.h are made of.
 */
#define CREATE_TRACE_POINTS
#include "trace.h"
