// SPDX-License-Identifier: GPL-2.0-or-later
/* What doctor asks about signatures: would this kernel take the module? */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "sysfs.h"
#include "util.h"

#define EFI		"/sys/firmware/efi"
#define EFIVAR(name)	EFI "/efivars/" name
#define SHIM_GUID	"605dab50-e046-4300-abb6-3dd810dd8b23"
#define SECURE_BOOT	EFIVAR("SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c")
/* What shim (Documentation of its MokVars) tells the system of its keys. */
#define SHIM_OFF	EFIVAR("MokSBStateRT-" SHIM_GUID)
#define MOK_WAITING	EFIVAR("MokNew-" SHIM_GUID)

/* The keys that DKMS signs with: its own, and Ubuntu's. */
static const char *const certificates[] = {
	"/var/lib/dkms/mok.pub",
	"/var/lib/shim-signed/mok/MOK.der",
};

/* The keys enrolled: whole in the first, in the second without the largest. */
static const char *const mok_lists[] = {
	EFI "/mok-variables/MokListRT",
	EFIVAR("MokListRT-" SHIM_GUID),
};

/* "none [integrity] confidentiality": the marked word, or NULL. */
static char *lockdown_state(void)
{
	char *all = sysfs_read("/sys/kernel/security/lockdown");
	char *from = all ? strchr(all, '[') : NULL;
	char *state = NULL;

	if (from)
		state = xprintf("%.*s", (int)strcspn(from + 1, "]"), from + 1);
	free(all);
	return state;
}

enum result check_lockdown(struct doctor *d, char **text)
{
	char *state = lockdown_state();
	enum result result = RESULT_OK;

	if (state && strcmp(state, "none")) {
		*text = xprintf("%s: only signed modules load", state);
		result = RESULT_WARN;
	} else if (state) {
		*text = xstrdup("none");
	} else if (kconfig_has(&d->config, "SECURITY_LOCKDOWN_LSM")) {
		*text = xstrdup("not known: mount -t securityfs nodev /sys/kernel/security");
		result = RESULT_UNKNOWN;
	} else {
		*text = xstrdup("the kernel has none");
	}
	free(state);
	return result;
}

/* An EFI variable that ends with 1. */
static bool efi_flag(const char *path, bool *there)
{
	size_t len = 0;
	char *value = sysfs_read_raw(path, &len);
	bool set = value && len && value[len - 1] == 1;

	*there = value;
	free(value);
	return set;
}

enum result check_secure_boot(struct doctor *d, char **text)
{
	bool there, shim, on = efi_flag(SECURE_BOOT, &there);

	(void)d;
	if (on && efi_flag(SHIM_OFF, &shim)) {
		*text = xstrdup("on, but validation is switched off in shim: unsigned modules are taken");
		return RESULT_OK;
	}
	*text = xstrdup(on ? "on: distributions then take signed modules only" :
			there ? "off" : "not there");
	return on ? RESULT_WARN : RESULT_OK;
}

/* Is the certificate, in DER, in a list of enrolled ones? */
static bool is_enrolled(const char *cert, size_t cert_len)
{
	bool found = false;
	size_t i, len;

	for (i = 0; !found && i < ARRAY_SIZE(mok_lists); i++) {
		char *list = sysfs_read_raw(mok_lists[i], &len);

		found = list && memmem(list, len, cert, cert_len);
		free(list);
	}
	return found;
}

enum result check_mok(struct doctor *d, char **text)
{
	enum result result = RESULT_OK;
	char *cert = NULL;
	size_t len = 0, i;
	bool there;

	(void)d;
	if (!sysfs_exists(EFI)) {
		*text = xstrdup("not there: the machine did not boot through EFI");
		return RESULT_OK;
	}
	for (i = 0; !cert && i < ARRAY_SIZE(certificates); i++)
		cert = sysfs_read_raw(certificates[i], &len);
	if (!cert || !len) {
		*text = xstrdup("DKMS has no key yet; it makes one when it first builds");
	} else if (is_enrolled(cert, len)) {
		d->mok_enrolled = true;
		*text = xprintf("the key of DKMS is enrolled (%s)",
				certificates[i - 1]);
	} else if (sysfs_exists(MOK_WAITING)) {
		*text = xstrdup("a key waits: reboot and confirm it in the blue screen of MOK management");
		result = RESULT_WARN;
	} else {
		*text = xprintf("the key of DKMS is not enrolled: mokutil --import %s, then reboot",
				certificates[i - 1]);
		result = efi_flag(SECURE_BOOT, &there) ? RESULT_WARN :
							 RESULT_OK;
	}
	free(cert);
	return result;
}

static bool signature_enforced(const struct doctor *d)
{
	char *param = sysfs_read("/sys/module/module/parameters/sig_enforce");
	char *lockdown = lockdown_state();
	bool enforced = (param && *param == 'Y') ||
			(lockdown && strcmp(lockdown, "none")) ||
			kconfig_has(&d->config, "MODULE_SIG_FORCE");

	free(param);
	free(lockdown);
	return enforced;
}

static bool is_signed(const char *path)
{
	static const char mark[] = "~Module signature appended~\n";
	size_t len = 0, mark_len = sizeof(mark) - 1;
	char *file = sysfs_read_raw(path, &len);
	bool found = file && len >= mark_len &&
		     !memcmp(file + len - mark_len, mark, mark_len);

	free(file);
	return found;
}

enum result check_signature(struct doctor *d, char **text)
{
	const char *end = d->installed ? strrchr(d->installed, '.') : NULL;

	if (!signature_enforced(d)) {
		*text = xstrdup("unsigned modules are taken");
		return RESULT_OK;
	}
	if (d->loaded) {
		*text = xstrdup("enforced, and this module was taken");
		return RESULT_OK;
	}
	if (!d->installed && d->mok_enrolled) {
		*text = xstrdup("enforced; the key of DKMS, which signs what it builds, is enrolled");
		return RESULT_OK;
	}
	if (!d->installed) {
		*text = xstrdup("enforced; DKMS signs what it builds: " ENROL_HINT
				"; without DKMS " SIGN_HINT);
		return RESULT_FAIL;
	}
	if (end && strcmp(end, ".ko")) {
		*text = xstrdup("enforced; the installed module is compressed, see: modinfo -F signer smtprio; if that is empty, "
				SIGN_HINT);
		return RESULT_UNKNOWN;
	}
	if (is_signed(d->installed)) {
		*text = xstrdup("enforced; the installed module is signed, its key must be enrolled (mokutil --list-enrolled)");
		return RESULT_WARN;
	}
	*text = xstrdup("enforced, and the installed module has no signature; " SIGN_HINT);
	return RESULT_FAIL;
}
