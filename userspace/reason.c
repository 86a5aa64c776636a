// SPDX-License-Identifier: GPL-2.0-or-later
/* Why the kernel refused. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reason.h"
#include "sysfs.h"
#include "util.h"

#define LOG_PREFIX	"smtprio: "

static const struct {
	int err;
	const char *text;
} reasons[] = {
	{ EACCES, "not permitted, root is needed" },
	{ EPERM, "not permitted, root is needed" },
	{ EBUSY, "a kernel function has another owner (a livepatch?) or ftrace is off, see dmesg" },
	{ EIO, "the self-test did not reach the hook, see dmesg" },
	{ EOPNOTSUPP, "this kernel has no SMT support, see dmesg" },
	{ ENOENT, "this kernel lacks a symbol, see dmesg and smtprioctl doctor" },
	{ ENOEXEC, "the file is no module for this kernel" },
	{ ENOKEY, "the module's key is not enrolled; " ENROL_HINT },
	{ EKEYREJECTED, "the kernel takes only signed modules; " SIGN_HINT },
	{ EBADMSG, "the module's signature is broken; build it again, then " SIGN_HINT },
};

static int log_fd = -1;

const char *reason(int err)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		if (reasons[i].err == -err)
			return reasons[i].text;
	return strerror(-err);
}

void kernel_log_mark(void)
{
	if (sysfs_rooted())
		return;
	log_fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (log_fd >= 0)
		lseek(log_fd, 0, SEEK_END);
}

static char *kernel_log_since(void)
{
	/* A record: "6,1234,56789,-;text\n key=value\n". */
	char record[8192], *text, *last = NULL;
	ssize_t len;

	if (log_fd < 0)
		return NULL;
	for (;;) {
		len = read(log_fd, record, sizeof(record) - 1);
		/* EPIPE: older records were overwritten meanwhile. */
		if (len < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (len <= 0)
			break;
		record[len] = '\0';
		text = strchr(record, ';');
		if (!text || strncmp(++text, LOG_PREFIX, strlen(LOG_PREFIX)))
			continue;
		text += strlen(LOG_PREFIX);
		text[strcspn(text, "\n")] = '\0';
		free(last);
		last = xstrdup(text);
	}
	close(log_fd);
	log_fd = -1;
	return last;
}

char *explain(int err)
{
	char *log = kernel_log_since();

	return log ? log : xstrdup(reason(err));
}
