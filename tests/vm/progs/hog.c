// SPDX-License-Identifier: GPL-2.0-or-later
/* hog CPU...: one spinning thread pinned to each CPU named, until killed. */
#include "common.h"

static void *spin(void *arg)
{
	pin((intptr_t)arg);
	for (;;)
		atomic_signal_fence(memory_order_seq_cst);
	return NULL;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		die("usage: hog CPU...");
	/* Only the spinners use CPU time: this thread never runs again. */
	for (int i = 1; i < argc; i++)
		start(spin, (void *)(intptr_t)number(argv[i], 0, MAX_CPUS - 1));
	for (;;)
		pause();
}
