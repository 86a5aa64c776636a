/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SMTPRIOCTL_KCONFIG_H
#define SMTPRIOCTL_KCONFIG_H

#include <stdbool.h>

/* The running kernel's build configuration. */
struct kconfig {
	char *source;	/* the file it came from, or was last looked for */
	char *text;	/* NULL: none was found */
};

void kconfig_read(struct kconfig *config, const char *release);
void kconfig_free(struct kconfig *config);

/* Is an option, named without CONFIG_, y? */
bool kconfig_has(const struct kconfig *config, const char *option);

#endif
