// SPDX-License-Identifier: GPL-2.0-or-later
/* profile */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "cmd.h"
#include "json.h"
#include "knobs.h"
#include "profiles.h"
#include "reason.h"
#include "sysfs.h"
#include "table.h"
#include "util.h"

struct profiles {
	struct profile *list;
	size_t nr;
};

/* Are all its settings in force? */
static bool in_force(const struct profile *p)
{
	bool yes = p->nr_words;
	int i;

	for (i = 0; yes && i < p->nr_words; i++) {
		const char *word = p->words[i];
		size_t len = strcspn(word, "=");
		char *now = sysfs_read(SMTPRIO "/%.*s", (int)len, word);

		yes = now && !strcmp(now, word + len + 1);
		free(now);
	}
	return yes;
}

static int list(const struct options *opt, const struct profiles *p,
		const char *name)
{
	static const struct column columns[] = {
		{ "PROFILE", "name", COL_TEXT, 0 },
		{ "IN FORCE", "in_force", COL_BOOL, 0 },
		{ "FOR WHOM", "for", COL_TEXT, 48 },
		{ NULL, "settings", COL_WORDS, 0 },
	};
	struct table *t = table_new(columns, ARRAY_SIZE(columns));
	size_t i;
	int j;

	(void)name;
	for (i = 0; i < p->nr; i++) {
		char *words = NULL;

		for (j = 0; j < p->list[i].nr_words; j++)
			append(&words, " ", "%s", p->list[i].words[j]);
		table_row(t, p->list[i].name,
			  in_force(&p->list[i]) ? "yes" : "no",
			  p->list[i].whom, words ? words : "");
		free(words);
	}
	if (opt->json) {
		json_open(NULL, '{');
		table_json(t, "profiles");
		json_close('}');
	} else {
		table_print(t);
	}
	table_free(t);
	return EXIT_SUCCESS;
}

static int show(const struct options *opt, const struct profiles *p,
		const char *name)
{
	const struct profile *profile = profile_find(p->list, p->nr, "profile",
						     name);
	struct settings s;

	if (!profile ||
	    settings_parse(&s, "profile", profile->words, profile->nr_words))
		return EXIT_FAILURE;
	if (!opt->json)
		printf("# %s: %s\n", profile->name, profile->whom);
	settings_print(&s, opt->json);
	settings_free(&s);
	return EXIT_SUCCESS;
}

static int apply(const struct options *opt, const struct profiles *p,
		 const char *name)
{
	const struct profile *profile = profile_find(p->list, p->nr, "profile",
						     name);
	struct batch b = { 0 };
	struct settings s;
	int status;
	size_t i;

	if (!profile || !need_loaded("profile") ||
	    settings_parse(&s, "profile", profile->words, profile->nr_words))
		return EXIT_FAILURE;
	for (i = 0; i < nr_knobs; i++)
		if (s.value[i])
			batch_add(&b, xprintf(SMTPRIO "/%s", knobs[i].name),
				  knobs[i].name, s.value[i]);
	status = batch_run(&b, "profile");
	if (!status && opt->json)
		settings_print(&s, opt->json);
	settings_free(&s);
	return status;
}

static char *present_settings(void)
{
	char *text = xstrdup("# Written by smtprioctl profile save.\n");
	size_t i;

	for (i = 0; i < nr_knobs; i++) {
		char *value = sysfs_read(SMTPRIO "/%s", knobs[i].name);

		if (!value) {
			fail("profile: cannot read %s/%s: %m", SMTPRIO,
			     knobs[i].name);
			free(text);
			return NULL;
		}
		append(&text, "", "%s=%s\n", knobs[i].name, value);
		free(value);
	}
	return text;
}

static int save(const struct options *opt, const struct profiles *p,
		const char *name)
{
	char *text;
	int err;

	(void)p;
	if (profile_check_name(name) || !need_loaded("profile"))
		return EXIT_FAILURE;
	text = present_settings();
	if (!text)
		return EXIT_FAILURE;
	err = profile_write(name, text);
	free(text);
	if (err) {
		fail("profile: cannot write %s/%s: %s", PROFILE_DIR, name,
		     reason(err));
		return EXIT_FAILURE;
	}
	if (opt->json) {
		json_open(NULL, '{');
		json_string("saved", name);
		json_close('}');
	}
	return EXIT_SUCCESS;
}

static const struct {
	const char *name;
	int nr_args;
	int (*run)(const struct options *opt, const struct profiles *p,
		   const char *name);
} actions[] = {
	{ "list", 0, list },
	{ "show", 1, show },
	{ "apply", 1, apply },
	{ "save", 1, save },
};

int cmd_profile(const struct options *opt, char **args, int nr)
{
	const char *action = nr ? args[0] : "list";
	struct profiles p;
	int status;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (!strcmp(actions[i].name, action))
			break;
	if (i == ARRAY_SIZE(actions)) {
		fail("profile: bad '%s', allowed: list, show NAME, apply NAME, save NAME",
		     action);
		return EXIT_FAILURE;
	}
	if ((nr ? nr - 1 : 0) != actions[i].nr_args) {
		fail("profile: %s takes %s", action, actions[i].nr_args ?
		     "the name of a profile" : "no argument");
		return EXIT_FAILURE;
	}
	p.list = profiles_read(&p.nr);
	status = actions[i].run(opt, &p, nr > 1 ? args[1] : NULL);
	profiles_free(p.list, p.nr);
	return status;
}
