/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_PLACES_H
#define SMTPRIOCTL_PLACES_H

#include "topology.h"

/* The cores of one last-level cache. */
struct llc {
	int socket;		/* its number from 0, in order of CPUs */
	size_t *cores;		/* indexes in topology.cores, ascending */
	size_t nr_cores;
	char *cpus;		/* as a list */
};

struct places {
	struct llc *llcs;	/* by socket, then by first CPU */
	size_t nr_llcs;
	size_t nr_sockets;
};

/* Where the kernel does not tell, a socket is one LLC, and all one socket. */
void places_read(struct places *p, const struct topology *t);
void places_free(struct places *p);

#endif
