// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preloaded into smtprioctl: answers for a kernel that is not there.
 *
 * FAKE_WRITE="NAME:ERRNO:FIRST:LAST ..." lets the writes number FIRST to LAST
 * (from 1) to files called NAME fail as a sysfs file does, without touching
 * what they hold. ERRNO 0 is a short write.
 *
 * FAKE_KMOD=ERRNO answers the loading and unloading of modules; nothing gets
 * through to this kernel whether or not it is set. FAKE_LOADED=1: the module
 * seems loaded. Calls are noted in the file FAKE_LOG.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct rule {
	char name[32];
	int err, first, last, seen;
};

static struct rule rules[8];
static int nr_rules = -1;
static int failing_fd = -1, failing_err;

static void read_rules(void)
{
	const char *text = getenv("FAKE_WRITE");
	int used;

	for (nr_rules = 0; text && nr_rules < 8; text += used, nr_rules++) {
		struct rule *r = &rules[nr_rules];

		if (sscanf(text, " %31[^:]:%d:%d:%d%n", r->name, &r->err,
			   &r->first, &r->last, &used) != 4)
			break;
	}
}

/* Is this opening, for writing, of a file with a rule to fail? */
static struct rule *rule_for(const char *path)
{
	int i;

	if (nr_rules < 0)
		read_rules();
	for (i = 0; i < nr_rules; i++) {
		size_t len = strlen(rules[i].name), all = strlen(path);

		if (all < len || strcmp(path + all - len, rules[i].name) ||
		    path[all - len - 1] != '/')
			continue;
		if (++rules[i].seen >= rules[i].first &&
		    rules[i].seen <= rules[i].last)
			return &rules[i];
	}
	return NULL;
}

static void note(const char *fmt, ...)
{
	const char *path = getenv("FAKE_LOG");
	FILE *f = path ? fopen(path, "a") : NULL;
	va_list ap;

	if (!f)
		return;
	va_start(ap, fmt);
	vfprintf(f, fmt, ap);
	va_end(ap);
	fclose(f);
}

static int kmod_answer(void)
{
	const char *err = getenv("FAKE_KMOD");

	return err ? -atoi(err) : 0;
}

/* Only openat2 is called this way, with four arguments. */
long syscall(long nr, ...)
{
	long (*next)(long nr, ...) = dlsym(RTLD_NEXT, "syscall");
	struct rule *rule = NULL;
	struct open_how *how;
	const char *path;
	va_list ap;
	size_t size;
	int dir, fd;

	va_start(ap, nr);
	dir = va_arg(ap, int);
	path = va_arg(ap, const char *);
	how = va_arg(ap, struct open_how *);
	size = va_arg(ap, size_t);
	va_end(ap);
	if (nr != SYS_openat2)
		abort();
	if ((how->flags & O_ACCMODE) == O_WRONLY)
		rule = rule_for(path);
	if (rule)
		how->flags &= ~(unsigned long long)O_TRUNC;
	fd = next(nr, dir, path, how, size);
	if (rule) {
		failing_fd = fd;
		failing_err = rule->err;
	}
	return fd;
}

ssize_t write(int fd, const void *buf, size_t len)
{
	ssize_t (*next)(int fd, const void *buf, size_t len) =
		dlsym(RTLD_NEXT, "write");

	if (fd < 0 || fd != failing_fd)
		return next(fd, buf, len);
	failing_fd = -1;
	if (!failing_err)
		return next(fd, buf, len - 1);
	errno = failing_err;
	return -1;
}

int open(const char *path, int flags, ...)
{
	int (*next)(const char *path, int flags, ...) =
		dlsym(RTLD_NEXT, "open");
	va_list ap;
	int mode;

	va_start(ap, flags);
	mode = va_arg(ap, int);
	va_end(ap);
	if (!strcmp(path, "/sys/module/smtprio") && getenv("FAKE_LOADED"))
		path = "/dev/null";
	return next(path, flags, mode);
}

int kmod_module_insert_module(void *mod, unsigned int flags,
			      const char *options)
{
	(void)mod;
	note("insert flags=%u options='%s'\n", flags, options);
	return kmod_answer();
}

int kmod_module_probe_insert_module(void *mod, unsigned int flags,
				    const char *options)
{
	(void)mod;
	note("probe flags=%u options='%s'\n", flags, options);
	return kmod_answer();
}

int kmod_module_remove_module(void *mod, unsigned int flags)
{
	(void)mod;
	(void)flags;
	note("remove\n");
	return kmod_answer();
}
