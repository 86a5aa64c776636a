// SPDX-License-Identifier: GPL-2.0-or-later
/* load, unload */
#include <errno.h>
#include <libkmod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "cmd.h"
#include "cmdline.h"
#include "json.h"
#include "knobs.h"
#include "reason.h"
#include "sysfs.h"
#include "util.h"

#define MODULE		"smtprio"
#define INSTALL_HINT	"install it with: make dkms-install, or give --file PATH.ko"

/* A reader of a sysfs file holds the module for a moment: wait for it. */
#define UNLOAD_TRIES	50
#define UNLOAD_PAUSE_NS	(100 * 1000 * 1000)

static bool is_loaded(void)
{
	return sysfs_exists("/sys/module/" MODULE) || sysfs_exists(SMTPRIO);
}

static int finish(const struct options *opt, bool loaded)
{
	if (opt->json) {
		json_open(NULL, '{');
		json_bool("loaded", loaded);
		json_close('}');
	}
	return EXIT_SUCCESS;
}

/* Our messages take one line: libkmod's own would be more. */
static void quiet(void *data, int priority, const char *file, int line,
		  const char *fn, const char *format, va_list args)
{
	(void)data;
	(void)priority;
	(void)file;
	(void)line;
	(void)fn;
	(void)format;
	(void)args;
}

static struct kmod_ctx *kmod_open(void)
{
	struct kmod_ctx *ctx = kmod_new(NULL, NULL);

	if (ctx)
		kmod_set_log_fn(ctx, quiet, NULL);
	else
		fail("cannot read the module index of this kernel");
	return ctx;
}

/* A value of the module's own description, to be freed, or NULL. */
static char *module_info(struct kmod_module *mod, const char *key)
{
	struct kmod_list *list = NULL, *item;
	char *value = NULL;

	if (kmod_module_get_info(mod, &list) < 0)
		return NULL;
	kmod_list_foreach(item, list)
		if (!value && !strcmp(kmod_module_info_get_key(item), key))
			value = xstrdup(kmod_module_info_get_value(item));
	kmod_module_info_free_list(list);
	return value;
}

static struct kmod_module *module_of_file(struct kmod_ctx *ctx,
					  const char *path)
{
	struct kmod_module *mod = NULL;
	char *name;
	int err;

	err = kmod_module_new_from_path(ctx, path, &mod);
	if (err < 0) {
		fail("load: cannot read '%s': %s, allowed: a %s.ko", path,
		     strerror(-err), MODULE);
		return NULL;
	}
	name = module_info(mod, "name");
	if (!name || strcmp(name, MODULE)) {
		fail("load: '%s' is %s%s, allowed: a %s.ko", path,
		     name ? "the module " : "no module", name ? name : "",
		     MODULE);
		kmod_module_unref(mod);
		mod = NULL;
	}
	free(name);
	return mod;
}

static struct kmod_module *module_installed(struct kmod_ctx *ctx)
{
	struct kmod_module *mod = NULL;
	struct utsname host;

	if (!kmod_module_new_from_name(ctx, MODULE, &mod) &&
	    kmod_module_get_path(mod))
		return mod;
	uname(&host);
	fail("load: %s is not installed for kernel %s; " INSTALL_HINT, MODULE,
	     host.release);
	kmod_module_unref(mod);
	return NULL;
}

/* Was it built for another kernel? The message then, or NULL. */
static char *other_kernel(struct kmod_module *mod)
{
	char *vermagic = module_info(mod, "vermagic");
	struct utsname host;
	char *text = NULL;

	uname(&host);
	if (vermagic) {
		vermagic[strcspn(vermagic, " ")] = '\0';
		if (strcmp(vermagic, host.release))
			text = xprintf("built for kernel %s, this is %s: build it again",
				       vermagic, host.release);
	}
	free(vermagic);
	return text;
}

static bool locked_down(void)
{
	char *state = sysfs_read("/sys/kernel/security/lockdown");
	bool locked = state && !strstr(state, "[none]");

	free(state);
	return locked;
}

/* Did the kernel miss a signature that it trusts? */
static bool is_untrusted(int err)
{
	return err == -EKEYREJECTED || err == -ENOKEY || err == -EBADMSG ||
	       (err == -EPERM && locked_down());
}

/* What to type about it. */
static char *explain_signature(struct kmod_module *mod, int err)
{
	char *signer = module_info(mod, "signer"), *text;

	if (err == -EBADMSG)
		text = xstrdup(reason(err));
	else if (signer)
		text = xprintf("the kernel does not trust the key of '%s', which signed the module; "
			       ENROL_HINT, signer);
	else
		text = xstrdup(reason(-EKEYREJECTED));
	free(signer);
	return text;
}

/* The command's exit status. */
static int explain_load(struct kmod_module *mod, int err)
{
	bool untrusted = is_untrusted(err);
	char *why = err == -ENOEXEC ? other_kernel(mod) : NULL;

	if (untrusted)
		why = explain_signature(mod, err);
	else if (!why)
		why = explain(err);
	fail("load: %s", why);
	free(why);
	return untrusted ? EXIT_UNTRUSTED : EXIT_FAILURE;
}

static int already_loaded(const struct options *opt, int nr_params)
{
	if (nr_params) {
		fail("load: %s is loaded already; change it with: smtprioctl set KEY=VALUE",
		     MODULE);
		return EXIT_FAILURE;
	}
	if (!opt->json)
		puts(MODULE " is loaded already");
	return finish(opt, true);
}

/* As modprobe does it, with what modprobe.d says. */
static int probe_insert(struct kmod_module *mod, const char *params)
{
	unsigned int flags = KMOD_PROBE_FAIL_ON_LOADED;

	return kmod_module_probe_insert_module(mod, flags, params, NULL, NULL,
					       NULL);
}

static int insert(const struct options *opt, const char *params, int nr_params)
{
	struct kmod_ctx *ctx = kmod_open();
	struct kmod_module *mod = NULL;
	int status = EXIT_FAILURE, err;

	if (!ctx)
		return status;
	mod = opt->file ? module_of_file(ctx, opt->file) :
			  module_installed(ctx);
	if (!mod)
		goto out;

	kernel_log_mark();
	err = opt->file ? kmod_module_insert_module(mod, 0, params) :
			  probe_insert(mod, params);
	if (!err)
		status = finish(opt, true);
	else if (err == -EEXIST)
		status = already_loaded(opt, nr_params);
	else
		status = explain_load(mod, err);
out:
	kmod_module_unref(mod);
	kmod_unref(ctx);
	return status;
}

/* As modprobe puts them: before those that are typed. */
static void add_cmdline(char **params)
{
	int nr, i;
	char **words = cmdline_words(&nr);

	for (i = 0; i < nr; i++)
		append(params, " ", "%s", words[i]);
	cmdline_free(words, nr);
}

int cmd_load(const struct options *opt, char **args, int nr)
{
	struct settings s;
	char *params = NULL;
	int status;
	size_t i;

	if (settings_parse(&s, "load", args, nr))
		return EXIT_FAILURE;
	/* What is installed gets them from libkmod. */
	if (opt->file)
		add_cmdline(&params);
	for (i = 0; i < nr_knobs; i++)
		if (s.value[i])
			append(&params, " ", "%s=%s", knobs[i].name,
			       s.value[i]);
	settings_free(&s);

	if (sysfs_rooted()) {
		fail("load: loads into this kernel, not allowed with --sysroot");
		status = EXIT_FAILURE;
	} else if (is_loaded()) {
		status = already_loaded(opt, nr);
	} else {
		status = insert(opt, params ? params : "", nr);
	}
	free(params);
	return status;
}

static int remove_module(struct kmod_module *mod)
{
	const struct timespec pause = { .tv_nsec = UNLOAD_PAUSE_NS };
	int err = 0, i;

	for (i = 0; i < UNLOAD_TRIES; i++) {
		err = kmod_module_remove_module(mod, KMOD_REMOVE_NOLOG);
		if (err != -EAGAIN && err != -EBUSY)
			break;
		nanosleep(&pause, NULL);
	}
	/* Somebody else was removing it: gone is gone. */
	return err == -ENOENT ? 0 : err;
}

static const char *unload_reason(int err)
{
	if (err == -EAGAIN || err == -EBUSY)
		return "it is in use, see lsmod";
	return reason(err);
}

int cmd_unload(const struct options *opt, char **args, int nr)
{
	struct kmod_module *mod = NULL;
	struct kmod_ctx *ctx;
	int status = EXIT_FAILURE, err;

	(void)args;
	(void)nr;
	if (sysfs_rooted()) {
		fail("unload: unloads from this kernel, not allowed with --sysroot");
		return status;
	}
	if (!is_loaded()) {
		fail("unload: %s is not loaded", MODULE);
		return status;
	}
	ctx = kmod_open();
	if (!ctx)
		return status;
	err = kmod_module_new_from_name(ctx, MODULE, &mod);
	if (!err)
		err = remove_module(mod);
	if (err)
		fail("unload: %s cannot be unloaded: %s", MODULE,
		     unload_reason(err));
	else
		status = finish(opt, false);
	kmod_module_unref(mod);
	kmod_unref(ctx);
	return status;
}
