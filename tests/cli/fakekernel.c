// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preloaded into smtprioctl: answers for a kernel that is not there.
 *
 * A write to /sys/kernel/smtprio/priorities goes to the files of the CPUs, as
 * the module does it: all or none. Each write is noted in the file FAKE_LOG.
 *
 * FAKE_WRITE="NAME:ERRNO:FIRST:LAST ..." lets the writes number FIRST to LAST
 * (from 1) to files called NAME fail as a sysfs file does, without touching
 * what they hold. ERRNO 0 is a short write.
 *
 * FAKE_KMOD=ERRNO answers the loading and unloading of modules; nothing gets
 * through to this kernel whether or not it is set. FAKE_LOADED=1: the module
 * seems loaded. Calls are noted in the file FAKE_LOG.
 *
 * FAKE_CMDLINE=FILE holds the kernel's command line.
 *
 * FAKE_SLEEP=COMMAND: nothing waits; instead the clock goes on by the time
 * asked for and the shell runs COMMAND, with the number of the wait (from 1) in
 * NR. Its exit status is the signal that ends the wait, 0 for none.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct rule {
	char name[32];
	int err, first, last, seen;
};

static struct rule rules[8];
static int nr_rules = -1;

#define SMTPRIO	"/sys/kernel/smtprio"

/* The file open for writing: the tool has one at a time. */
static struct {
	int fd, root;
	char path[128];
	struct rule *rule;
} target = { .fd = -1 };

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
	bool writes;
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
	writes = (how->flags & O_ACCMODE) == O_WRONLY;
	if (!writes && !(how->flags & O_PATH) &&
	    !strcmp(path, SMTPRIO "/priorities")) {
		errno = EIO;
		return -1;
	}
	if (writes)
		rule = rule_for(path);
	if (rule)
		how->flags &= ~(unsigned long long)O_TRUNC;
	fd = next(nr, dir, path, how, size);
	if (writes) {
		target.fd = fd;
		target.root = dir;
		target.rule = rule;
		snprintf(target.path, sizeof(target.path), "%s", path);
	}
	return fd;
}

/* A file of the module, opened below the tree, or NULL. */
static FILE *module_file(const char *mode, const char *fmt, ...)
{
	int flags = *mode == 'r' ? O_RDONLY : O_WRONLY | O_TRUNC;
	char path[128] = "." SMTPRIO "/";
	size_t used = strlen(path);
	va_list ap;
	int fd;

	va_start(ap, fmt);
	vsnprintf(path + used, sizeof(path) - used, fmt, ap);
	va_end(ap);
	fd = openat(target.root, path, flags | O_CLOEXEC);
	return fd < 0 ? NULL : fdopen(fd, mode);
}

static bool source_is_custom(void)
{
	FILE *f = module_file("r", "priority_source");
	char source[16] = "";

	if (f && fscanf(f, "%15s", source) != 1)
		*source = '\0';
	if (f)
		fclose(f);
	return !strcmp(source, "custom");
}

/* One word "CPU=PRIORITY": 0 or -EINVAL; only checked unless apply is set. */
static int take_word(const char *word, bool apply)
{
	int cpu, priority, used = 0;
	FILE *f;

	if (sscanf(word, "%d=%d%n", &cpu, &priority, &used) != 2 ||
	    word[used])
		return -EINVAL;
	f = module_file(apply ? "w" : "r", "cpu%d/priority", cpu);
	if (!f)
		return -EINVAL;
	if (apply)
		fprintf(f, "%d\n", priority);
	fclose(f);
	return 0;
}

static int take_words(const char *words, bool apply)
{
	char *copy = strdup(words), *rest = copy, *word;
	int err = 0;

	while (!err && (word = strsep(&rest, " \t\n")))
		if (*word)
			err = take_word(word, apply);
	free(copy);
	return err;
}

static ssize_t write_priorities(const void *buf, size_t len)
{
	char *words;
	int err;

	/* sysfs passes on a page at most, of 4 KiB where it is smallest. */
	if (len > 4096)
		len = 4096;
	words = strndup(buf, len);
	err = source_is_custom() ? take_words(words, false) : -EPERM;
	if (!err)
		take_words(words, true);
	free(words);
	errno = -err;
	return err ? -1 : (ssize_t)len;
}

ssize_t write(int fd, const void *buf, size_t len)
{
	ssize_t (*next)(int fd, const void *buf, size_t len) =
		dlsym(RTLD_NEXT, "write");
	const struct rule *rule = target.rule;

	if (fd < 0 || fd != target.fd)
		return next(fd, buf, len);
	target.fd = -1;
	note("write %s %.*s", target.path, (int)len, (const char *)buf);
	if (rule && rule->err) {
		errno = rule->err;
		return -1;
	}
	if (rule)
		len--;
	if (!strcmp(target.path, SMTPRIO "/priorities"))
		return write_priorities(buf, len);
	return next(fd, buf, len);
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
	if (!strcmp(path, "/proc/cmdline") && getenv("FAKE_CMDLINE"))
		path = getenv("FAKE_CMDLINE");
	return next(path, flags, mode);
}

static struct timespec fake_clock = { .tv_sec = 1000 };

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int (*next)(clockid_t id, struct timespec *ts) =
		dlsym(RTLD_NEXT, "clock_gettime");

	if (id != CLOCK_MONOTONIC || !getenv("FAKE_SLEEP"))
		return next(id, ts);
	*ts = fake_clock;
	return 0;
}

int sigtimedwait(const sigset_t *set, siginfo_t *info,
		 const struct timespec *timeout)
{
	int (*next)(const sigset_t *set, siginfo_t *info,
		    const struct timespec *timeout) =
		dlsym(RTLD_NEXT, "sigtimedwait");
	const char *command = getenv("FAKE_SLEEP");
	static int waits;
	char nr[16];
	int status;

	if (!command)
		return next(set, info, timeout);
	fake_clock.tv_sec += timeout->tv_sec;
	fake_clock.tv_nsec += timeout->tv_nsec;
	if (fake_clock.tv_nsec >= 1000000000) {
		fake_clock.tv_nsec -= 1000000000;
		fake_clock.tv_sec++;
	}
	snprintf(nr, sizeof(nr), "%d", ++waits);
	setenv("NR", nr, 1);
	unsetenv("LD_PRELOAD");
	status = system(command);
	if (status > 0)
		return status >> 8;
	errno = EAGAIN;
	return -1;
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
