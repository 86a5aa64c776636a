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
	char *what;	/* label and value, as messages name it */
	char *value;
	char *old;
	char *(*read)(const char *value);
};

static void add(struct batch *b, struct batch_write w)
{
	b->writes = xrealloc(b->writes, (b->nr + 1) * sizeof(*b->writes));
	b->writes[b->nr++] = w;
}

void batch_add(struct batch *b, char *path, const char *label,
	       const char *value)
{
	add(b, (struct batch_write){
		.path = path,
		.label = xstrdup(label),
		.what = xprintf("%s=%s", label, value),
		.value = xstrdup(value),
	});
}

void batch_add_unreadable(struct batch *b, char *path, const char *label,
			  const char *value, char *(*read)(const char *value))
{
	add(b, (struct batch_write){
		.path = path,
		.label = xstrdup(label),
		.what = xstrdup(label),
		.value = xstrdup(value),
		.read = read,
	});
}

void batch_free(struct batch *b)
{
	size_t i;

	for (i = 0; i < b->nr; i++) {
		free(b->writes[i].path);
		free(b->writes[i].label);
		free(b->writes[i].what);
		free(b->writes[i].value);
		free(b->writes[i].old);
	}
	free(b->writes);
	*b = (struct batch){ 0 };
}

static char *present_value(const struct batch_write *w)
{
	return w->read ? w->read(w->value) : sysfs_read("%s", w->path);
}

static bool holds_old(const struct batch_write *w)
{
	char *now = present_value(w);
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
			append(&kept, ", ", "%s", w->what);
		else if (i < failed)
			append(&restored, ", ", "%s", w->label);
	}
	if (kept)
		fail("%s: %s failed: %s; done and not taken back: %s%s%s", cmd,
		     bad->what, why, kept, restored ? "; restored: " : "",
		     restored ? restored : "");
	else
		fail("%s: %s failed: %s; nothing is changed%s%s%s", cmd,
		     bad->what, why, restored ? " (restored: " : "",
		     restored ? restored : "", restored ? ")" : "");
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

		w->old = present_value(w);
		if (!w->old) {
			fail("%s: %s: cannot read what is in force: %m; nothing is changed",
			     cmd, w->label);
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
