/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_DOCTOR_H
#define SMTPRIOCTL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "kallsyms.h"
#include "kconfig.h"

#define WAKE_SITE	"select_task_rq_fair"
#define ILB_SITE	"housekeeping_cpumask"

enum result {
	RESULT_OK,
	RESULT_WARN,
	RESULT_FAIL,
	RESULT_UNKNOWN,
};

/* What several checks need. */
struct doctor {
	char *release;		/* of the kernel looked at */
	struct kconfig config;
	struct symbol *symbols;
	size_t nr_symbols;
	int symbols_err;	/* 0, or why they are not known */
	char *callers;		/* functions that may hold find_new_ilb */
	bool loaded;
	char *installed;	/* path of the installed module, or NULL */
	bool no_smt;
	bool mok_enrolled;	/* DKMS's key is */
};

/* A check answers with a result and a text, to be freed. */
typedef enum result (*check_fn)(struct doctor *d, char **text);

struct check {
	const char *name;
	check_fn run;
};

/* doctor_kernel.c: how the kernel was built */
extern const struct check kernel_checks[];
extern const size_t nr_kernel_checks;

/* doctor_system.c: in what state it and the machine are */
extern const struct check system_checks[];
extern const size_t nr_system_checks;

/* doctor_signing.c: signature looks at what MOK and module found */
enum result check_lockdown(struct doctor *d, char **text);
enum result check_secure_boot(struct doctor *d, char **text);
enum result check_mok(struct doctor *d, char **text);
enum result check_signature(struct doctor *d, char **text);

void doctor_open(struct doctor *d);
void doctor_close(struct doctor *d);

#endif
