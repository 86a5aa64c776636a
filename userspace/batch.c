// SPDX-License-Identifier: GPL-2.0-or-later
/* Several writes with a way back. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "reason.h"
#include "sysfs.h"
#include "util.h"

struct batch_write {
	char *path;
	char *label;
	char *value;
	char *old;
};

void batch_add(struct batch *b, char *path, const char *label,
	       const char *value)
{
	b->writes = xrealloc(b->writes, (b->nr + 1) * sizeof(*b->writes));
	b->writes[b->nr++] = (struct batch_write){
		.path = path,
		.label = xstrdup(label),
		.value = xstrdup(value),
	};
}

static void batch_free(struct batch *b)
{
	size_t i;

	for (i = 0; i < b->nr; i++) {
		free(b->writes[i].path);
		free(b->writes[i].label);
		free(b->writes[i].value);
		free(b->writes[i].old);
	}
	free(b->writes);
	*b = (struct batch){ 0 };
}

static bool holds_old(const struct batch_write *w)
{
	char *now = sysfs_read("%s", w->path);
	bool same = now && !strcmp(now, w->old);

	free(now);
	return same;
}

/* Believe the file, not the write: what counts is what is in force. */
static bool restore(const struct batch_write *w)
{
	if (holds_old(w))
		return true;
	sysfs_write(w->path, w->old);
	return holds_old(w);
}

/* Write number failed was refused: take back the earlier ones. */
static int batch_undo(struct batch *b, size_t failed, int err, const char *cmd)
{
	const struct batch_write *bad = &b->writes[failed];
	char *restored = NULL, *kept = NULL, *why = explain(err);
	size_t i;

	for (i = failed + 1; i-- > 0; ) {
		const struct batch_write *w = &b->writes[i];

		if (!restore(w))
			append(&kept, ", ", "%s=%s", w->label, w->value);
		else if (i < failed)
			append(&restored, ", ", "%s", w->label);
	}
	if (kept)
		fail("%s: %s=%s failed: %s; done and not taken back: %s%s%s",
		     cmd, bad->label, bad->value, why, kept,
		     restored ? "; restored: " : "", restored ? restored : "");
	else
		fail("%s: %s=%s failed: %s; nothing is changed%s%s%s", cmd,
		     bad->label, bad->value, why,
		     restored ? " (restored: " : "", restored ? restored : "",
		     restored ? ")" : "");
	err = kept ? EXIT_PARTIAL : EXIT_FAILURE;
	free(restored);
	free(kept);
	free(why);
	return err;
}

static int batch_write_all(struct batch *b, const char *cmd)
{
	size_t i;
	int err;

	for (i = 0; i < b->nr; i++) {
		struct batch_write *w = &b->writes[i];

		w->old = sysfs_read("%s", w->path);
		if (!w->old) {
			fail("%s: %s: cannot read %s: %m; nothing is changed",
			     cmd, w->label, w->path);
			return EXIT_FAILURE;
		}
	}
	kernel_log_mark();
	for (i = 0; i < b->nr; i++) {
		err = sysfs_write(b->writes[i].path, b->writes[i].value);
		if (err)
			return batch_undo(b, i, err, cmd);
	}
	return EXIT_SUCCESS;
}

int batch_run(struct batch *b, const char *cmd)
{
	int status = batch_write_all(b, cmd);

	batch_free(b);
	return status;
}
