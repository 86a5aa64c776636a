// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a kernel's configuration may be found. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "kconfig.h"
#include "sysfs.h"
#include "util.h"

#define CONFIG_GZ	"/proc/config.gz"

#ifdef HAVE_ZLIB
static char *read_gz(const char *path)
{
	size_t size = 1 << 16, used = 0;
	int fd = sysfs_open(path, O_RDONLY);
	gzFile gz = fd < 0 ? NULL : gzdopen(fd, "r");
	char *text;
	int n;

	if (!gz) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	text = xalloc(size);
	while ((n = gzread(gz, text + used, size - used - 1)) > 0) {
		used += n;
		if (used == size - 1) {
			size *= 2;
			text = xrealloc(text, size);
		}
	}
	text[used] = '\0';
	gzclose(gz);
	if (n < 0) {
		free(text);
		return NULL;
	}
	return text;
}
#else
static char *read_gz(const char *path)
{
	(void)path;
	return NULL;
}
#endif

void kconfig_read(struct kconfig *config, const char *release)
{
	/* Before and after the release in a path. */
	static const struct {
		const char *before;
		const char *after;
	} places[] = {
		{ "/boot/config-", "" },
		{ "/lib/modules/", "/config" },
		{ "/lib/modules/", "/build/.config" },
	};
	size_t i;

	*config = (struct kconfig){
		.source = xstrdup(CONFIG_GZ),
		.text = read_gz(CONFIG_GZ),
	};
	for (i = 0; !config->text && i < ARRAY_SIZE(places); i++) {
		free(config->source);
		config->source = xprintf("%s%s%s", places[i].before, release,
					 places[i].after);
		config->text = sysfs_read("%s", config->source);
	}
}

void kconfig_free(struct kconfig *config)
{
	free(config->text);
	free(config->source);
	*config = (struct kconfig){ 0 };
}

bool kconfig_has(const struct kconfig *config, const char *option)
{
	char *line = xprintf("CONFIG_%s=y", option);
	const char *p = config->text;
	size_t len = strlen(line);
	bool found = false;

	while (p && !found) {
		found = !strncmp(p, line, len) &&
			(p[len] == '\n' || !p[len]);
		p = strchr(p, '\n');
		if (p)
			p++;
	}
	free(line);
	return found;
}
