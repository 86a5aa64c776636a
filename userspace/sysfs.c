// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading and writing small files below the sysroot. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sysfs.h"
#include "util.h"

static int root_fd = -1;

int sysfs_set_root(const char *dir)
{
	root_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return root_fd < 0 ? -errno : 0;
}

bool sysfs_rooted(void)
{
	return root_fd >= 0;
}

int sysfs_open(const char *path, int flags)
{
	/* Links inside a recorded tree must not lead out to this machine. */
	struct open_how how = {
		.flags = flags | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT,
	};

	if (!sysfs_rooted())
		return open(path, flags | O_CLOEXEC);
	return syscall(SYS_openat2, root_fd, path, &how, sizeof(how));
}

FILE *sysfs_stream(const char *path)
{
	int fd = sysfs_open(path, O_RDONLY);
	FILE *f;

	if (fd < 0)
		return NULL;
	f = fdopen(fd, "r");
	if (!f)
		close(fd);
	return f;
}

static char *path_printf(const char *fmt, va_list ap)
	__attribute__((format(printf, 1, 0)));

static char *path_printf(const char *fmt, va_list ap)
{
	char *path = NULL;

	if (vasprintf(&path, fmt, ap) < 0)
		return NULL;
	return path;
}

bool sysfs_exists(const char *fmt, ...)
{
	va_list ap;
	char *path;
	int fd;

	va_start(ap, fmt);
	path = path_printf(fmt, ap);
	va_end(ap);
	if (!path)
		return false;
	fd = sysfs_open(path, O_PATH);
	free(path);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

char *sysfs_read_raw(const char *path, size_t *len)
{
	size_t size = 4096, used = 0;
	int fd = sysfs_open(path, O_RDONLY);
	char *buf;
	ssize_t n;

	if (fd < 0)
		return NULL;
	buf = xalloc(size);
	while ((n = read(fd, buf + used, size - used - 1)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			int err = errno;

			close(fd);
			free(buf);
			errno = err;
			return NULL;
		}
		used += n;
		if (used == size - 1) {
			size *= 2;
			buf = xrealloc(buf, size);
		}
	}
	close(fd);
	buf[used] = '\0';
	*len = used;
	return buf;
}

char *sysfs_read(const char *fmt, ...)
{
	va_list ap;
	char *path, *buf;
	size_t len;

	va_start(ap, fmt);
	path = path_printf(fmt, ap);
	va_end(ap);
	if (!path)
		return NULL;
	buf = sysfs_read_raw(path, &len);
	free(path);
	if (!buf)
		return NULL;
	len = strlen(buf);
	while (len && strchr(" \t\r\n", buf[len - 1]))
		buf[--len] = '\0';
	return buf;
}

int sysfs_write(const char *path, const char *value)
{
	int fd = sysfs_open(path, O_WRONLY | O_TRUNC);
	char *line;
	ssize_t len, n;
	int err = 0;

	if (fd < 0)
		return -errno;
	line = xprintf("%s\n", value);
	len = strlen(line);
	/* One call: sysfs takes a value whole or not at all. */
	n = write(fd, line, len);
	if (n < 0)
		err = -errno;
	else if (n != len)
		err = -EIO;
	free(line);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **sysfs_list(const char *path)
{
	int fd = sysfs_open(path, O_RDONLY | O_DIRECTORY);
	char **names = xalloc(sizeof(*names));
	struct dirent *d;
	size_t nr = 0;
	DIR *dir;

	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		int err = errno;

		if (fd >= 0)
			close(fd);
		free(names);
		errno = err;
		return NULL;
	}
	while ((d = readdir(dir))) {
		if (d->d_name[0] == '.')
			continue;
		names = xrealloc(names, (nr + 2) * sizeof(*names));
		names[nr++] = xstrdup(d->d_name);
		names[nr] = NULL;
	}
	closedir(dir);
	qsort(names, nr, sizeof(*names), by_name);
	return names;
}

void sysfs_list_free(char **names)
{
	size_t i;

	for (i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}
