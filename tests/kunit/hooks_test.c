// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hook table: what is attached when, in which order, and how a failure of
 * any step is undone. The ways of attaching are replaced by one that only
 * writes down what it was told.
 */
#include <kunit/test.h>

#include "hook.c"
#include "hooks.c"

enum step { RESOLVE, ATTACH, EXERCISE, DETACH, STEPS };

static struct {
	enum step step;
	int hook;
} told[64];

static int nr_told;

/* The step of the hook that fails, and how. */
static enum step fail_step;
static int fail_hook, fail_err;
static bool deaf;	/* exercises do not reach the hook */

static u64 reached[SMTPRIO_NR_HOOKS];

static struct smtprio_hook stock[SMTPRIO_NR_HOOKS];

static int tell(enum step step, int hook)
{
	if (nr_told < ARRAY_SIZE(told)) {
		told[nr_told].step = step;
		told[nr_told++].hook = hook;
	}
	return step == fail_step && hook == fail_hook ? fail_err : 0;
}

static int fake_resolve(struct smtprio_hook *hook)
{
	return tell(RESOLVE, hook - smtprio_hooks);
}

static int fake_attach(struct smtprio_hook *hook)
{
	return tell(ATTACH, hook - smtprio_hooks);
}

static void fake_detach(struct smtprio_hook *hook)
{
	tell(DETACH, hook - smtprio_hooks);
}

static const struct smtprio_way fake_way = {
	.resolve = fake_resolve,
	.attach = fake_attach,
	.detach = fake_detach,
};

static u64 fake_reached(const struct smtprio_hook *hook)
{
	return reached[hook - smtprio_hooks];
}

static int fake_exercise(int hook)
{
	int err = tell(EXERCISE, hook);

	if (!err && !(deaf && hook == fail_hook))
		reached[hook]++;
	return err;
}

/* An exercise is not told its hook: one function each, with room for more hooks. */
#define FAKE_EXERCISES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define FAKE_EXERCISE(n) static int fake_exercise_##n(void) { return fake_exercise(n); }
#define FAKE_EXERCISE_ROW(n) fake_exercise_##n,

FAKE_EXERCISES(FAKE_EXERCISE)

static int (* const fake_exercises[])(void) = {
	FAKE_EXERCISES(FAKE_EXERCISE_ROW)
};

static int hooks_suite_init(struct kunit_suite *suite)
{
	static_assert(ARRAY_SIZE(fake_exercises) >= SMTPRIO_NR_HOOKS);

	memcpy(stock, smtprio_hooks, sizeof(stock));
	return 0;
}

static void hooks_suite_exit(struct kunit_suite *suite)
{
	memcpy(smtprio_hooks, stock, sizeof(stock));
}

static int hooks_init(struct kunit *test)
{
	memcpy(smtprio_hooks, stock, sizeof(stock));
	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		smtprio_hooks[i].way = &fake_way;
		smtprio_hooks[i].rather = NULL;
		smtprio_hooks[i].reached = fake_reached;
		smtprio_hooks[i].exercise = fake_exercises[i];
	}
	fail_step = STEPS;
	deaf = false;
	nr_told = 0;
	return 0;
}

static unsigned long attached(void)
{
	unsigned long bits = 0;

	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++)
		if (smtprio_hooks[i].by)
			bits |= BIT(i);
	return bits;
}

static const unsigned long all = BIT(SMTPRIO_NR_HOOKS) - 1;

static void resolve_all(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, smtprio_hooks_resolve(), 0);
	nr_told = 0;
}

static void rows_are_whole(struct kunit *test)
{
	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		const struct smtprio_hook *hook = &stock[i];

		KUNIT_EXPECT_NOT_NULL(test, hook->name);
		KUNIT_EXPECT_NOT_NULL(test, hook->site);
		KUNIT_EXPECT_NOT_NULL(test, hook->wanted);
		KUNIT_EXPECT_NOT_NULL(test, hook->reached);
		KUNIT_EXPECT_NOT_NULL(test, hook->exercise);
		KUNIT_ASSERT_NOT_NULL(test, hook->way);
		KUNIT_EXPECT_NOT_NULL(test, hook->way->name);
		KUNIT_EXPECT_NOT_NULL(test, hook->way->resolve);
		KUNIT_EXPECT_NOT_NULL(test, hook->way->attach);
		KUNIT_EXPECT_NOT_NULL(test, hook->way->detach);
		/* What is not optional goes through ftrace and calls the original. */
		if (!hook->optional) {
			KUNIT_EXPECT_NOT_NULL(test, hook->replacement);
			KUNIT_EXPECT_NOT_NULL(test, hook->original_key);
		}
		KUNIT_EXPECT_NULL(test, hook->by);
	}
}

static void attach_goes_up_detach_goes_down(struct kunit *test)
{
	resolve_all(test);
	KUNIT_ASSERT_EQ(test, smtprio_hooks_attach(all), 0);
	KUNIT_EXPECT_EQ(test, attached(), all);
	KUNIT_ASSERT_EQ(test, nr_told, 2 * SMTPRIO_NR_HOOKS);
	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		KUNIT_EXPECT_EQ(test, told[2 * i].step, ATTACH);
		KUNIT_EXPECT_EQ(test, told[2 * i].hook, i);
		KUNIT_EXPECT_EQ(test, told[2 * i + 1].step, EXERCISE);
		KUNIT_EXPECT_EQ(test, told[2 * i + 1].hook, i);
	}

	nr_told = 0;
	smtprio_hooks_detach(all);
	KUNIT_EXPECT_EQ(test, attached(), 0);
	KUNIT_ASSERT_EQ(test, nr_told, SMTPRIO_NR_HOOKS);
	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		KUNIT_EXPECT_EQ(test, told[i].step, DETACH);
		KUNIT_EXPECT_EQ(test, told[i].hook, SMTPRIO_NR_HOOKS - 1 - i);
	}
}

static void attach_and_detach_once(struct kunit *test)
{
	resolve_all(test);
	KUNIT_ASSERT_EQ(test, smtprio_hooks_attach(all), 0);
	nr_told = 0;
	KUNIT_EXPECT_EQ(test, smtprio_hooks_attach(all), 0);
	KUNIT_EXPECT_EQ(test, nr_told, 0);
	smtprio_hooks_detach(all);
	nr_told = 0;
	smtprio_hooks_detach(all);
	KUNIT_EXPECT_EQ(test, nr_told, 0);
}

/* Detaches one told for each attach that succeeded, and nothing else. */
static void expect_balanced(struct kunit *test, unsigned long before)
{
	int count[SMTPRIO_NR_HOOKS] = { 0 };

	for (int i = 0; i < nr_told; i++) {
		bool failed = told[i].step == fail_step &&
			      told[i].hook == fail_hook && fail_err;

		if (told[i].step == ATTACH && !failed)
			count[told[i].hook]++;
		if (told[i].step == DETACH)
			count[told[i].hook]--;
	}
	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++)
		KUNIT_EXPECT_EQ_MSG(test, count[i], 0, "hook %d", i);
	KUNIT_EXPECT_EQ(test, attached(), before);
}

/* Every step of every hook fails once, whatever was attached before. */
static void every_failure_is_undone(struct kunit *test)
{
	for (unsigned long before = 0; before <= all; before++) {
		for (int hook = 0; hook < SMTPRIO_NR_HOOKS; hook++) {
			for (int how = 0; how < 3; how++) {
				int err;

				if (before & BIT(hook))
					continue;
				hooks_init(test);
				resolve_all(test);
				KUNIT_ASSERT_EQ(test, smtprio_hooks_attach(before), 0);
				nr_told = 0;
				fail_hook = hook;
				fail_step = how == 0 ? ATTACH : EXERCISE;
				fail_err = how == 0 ? -EBUSY : how == 1 ? -ENOMEM : 0;
				deaf = how == 2;
				err = smtprio_hooks_attach(all);
				KUNIT_EXPECT_EQ(test, err, deaf ? -EIO : fail_err);
				expect_balanced(test, before);

				/* And the next try works. */
				fail_step = STEPS;
				deaf = false;
				KUNIT_EXPECT_EQ(test, smtprio_hooks_attach(all), 0);
				KUNIT_EXPECT_EQ(test, attached(), all);
			}
		}
	}
}

static void a_needed_hook_must_resolve(struct kunit *test)
{
	for (int i = 0; i < SMTPRIO_NR_HOOKS; i++) {
		hooks_init(test);
		fail_step = RESOLVE;
		fail_hook = i;
		fail_err = -ENOENT;
		KUNIT_EXPECT_EQ(test, smtprio_hooks_resolve(),
				smtprio_hooks[i].optional ? 0 : -ENOENT);
		KUNIT_EXPECT_FALSE(test, smtprio_hooks[i].resolved);
	}
}

/* An optional hook that cannot be had is refused, and takes no other along. */
static void an_optional_hook_is_refused_alone(struct kunit *test)
{
	int i = SMTPRIO_HOOK_PACKING;

	fail_step = RESOLVE;
	fail_hook = i;
	fail_err = -ENOENT;
	KUNIT_ASSERT_EQ(test, smtprio_hooks_resolve(), 0);
	fail_step = STEPS;
	nr_told = 0;
	KUNIT_EXPECT_EQ(test, smtprio_hooks_attach(all), -EOPNOTSUPP);
	KUNIT_EXPECT_EQ(test, attached(), 0);
	expect_balanced(test, 0);
	KUNIT_EXPECT_EQ(test, smtprio_hooks_attach(all & ~BIT(i)), 0);
	KUNIT_EXPECT_EQ(test, attached(), all & ~BIT(i));
}

static void wanted_follows_the_settings(struct kunit *test)
{
	struct smtprio_settings s = { .mode = SMTPRIO_MODE_ENFORCE };
	unsigned long wake = BIT(SMTPRIO_HOOK_WAKE);
	unsigned long ilb = BIT(SMTPRIO_HOOK_ILB);
	unsigned long packing = BIT(SMTPRIO_HOOK_PACKING);

	if (!smtprio_topology_may_have_smt())
		kunit_skip(test, "no SMT here");
	KUNIT_EXPECT_EQ(test, smtprio_hooks_wanted(&s), 0);
	s.fork_exec = true;
	KUNIT_EXPECT_EQ(test, smtprio_hooks_wanted(&s), wake);
	s.ilb = true;
	s.packing = true;
	KUNIT_EXPECT_EQ(test, smtprio_hooks_wanted(&s), wake | ilb | packing);
	s.mode = SMTPRIO_MODE_OBSERVE;
	KUNIT_EXPECT_EQ(test, smtprio_hooks_wanted(&s), wake | ilb);
	s.mode = SMTPRIO_MODE_OFF;
	KUNIT_EXPECT_EQ(test, smtprio_hooks_wanted(&s), 0);
}

static void wake_site_can_be_chosen(struct kunit *test)
{
	struct smtprio_hook *hook = &smtprio_hooks[SMTPRIO_HOOK_WAKE];
	struct smtprio_settings forks = { .mode = SMTPRIO_MODE_ENFORCE,
					  .fork_exec = true };

	KUNIT_EXPECT_EQ(test, smtprio_hooks_wake_site(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, smtprio_hooks_wake_site("schedule"), -EINVAL);
	KUNIT_EXPECT_STREQ(test, hook->site, "select_task_rq_fair");
	KUNIT_EXPECT_EQ(test, smtprio_hooks_wake_site(hook->site), 0);
	KUNIT_EXPECT_TRUE(test, hook->wanted(&forks));

	KUNIT_EXPECT_EQ(test, smtprio_hooks_wake_site("select_idle_sibling"), 0);
	KUNIT_EXPECT_STREQ(test, hook->site, "select_idle_sibling");
	KUNIT_EXPECT_PTR_NE(test, hook->original_key,
			    stock[SMTPRIO_HOOK_WAKE].original_key);
	KUNIT_EXPECT_PTR_NE(test, hook->replacement,
			    stock[SMTPRIO_HOOK_WAKE].replacement);
	KUNIT_EXPECT_FALSE(test, hook->wanted(&forks));
}

/* The way tried first: attaching by it is told as a RESOLVE of the hook. */
static const struct smtprio_way fake_rather = {
	.name = "rather",
	.resolve = fake_resolve,
	.attach = fake_resolve,
	.detach = fake_detach,
};

static void what_is_refused_is_tried_otherwise(struct kunit *test)
{
	struct smtprio_hook *hook = &smtprio_hooks[SMTPRIO_HOOK_WAKE];

	resolve_all(test);
	hook->rather = &fake_rather;
	KUNIT_ASSERT_EQ(test, smtprio_hook_attach(hook), 0);
	KUNIT_EXPECT_PTR_EQ(test, hook->by, &fake_rather);
	KUNIT_EXPECT_EQ(test, nr_told, 2);
	smtprio_hook_detach(hook);
	KUNIT_EXPECT_NULL(test, hook->by);

	fail_hook = SMTPRIO_HOOK_WAKE;
	fail_step = RESOLVE;
	fail_err = -EBUSY;
	KUNIT_ASSERT_EQ(test, smtprio_hook_attach(hook), 0);
	KUNIT_EXPECT_PTR_EQ(test, hook->by, &fake_way);
	smtprio_hook_detach(hook);

	/* A self-test that fails does not ask for another way. */
	fail_step = STEPS;
	deaf = true;
	nr_told = 0;
	KUNIT_EXPECT_EQ(test, smtprio_hook_attach(hook), -EIO);
	KUNIT_EXPECT_NULL(test, hook->by);
	KUNIT_ASSERT_EQ(test, nr_told, 3);
	KUNIT_EXPECT_EQ(test, told[0].step, RESOLVE);
	KUNIT_EXPECT_EQ(test, told[2].step, DETACH);
}

static void way_can_be_chosen(struct kunit *test)
{
	struct smtprio_hook *hook = &smtprio_hooks[SMTPRIO_HOOK_WAKE];

	memcpy(smtprio_hooks, stock, sizeof(stock));
	KUNIT_EXPECT_EQ(test, smtprio_hooks_way(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, smtprio_hooks_way("kprobes"), -EINVAL);
	KUNIT_EXPECT_EQ(test, smtprio_hooks_way("auto"), 0);
	KUNIT_EXPECT_STREQ(test, hook->rather->name, "direct");
	KUNIT_EXPECT_STREQ(test, hook->way->name, "ftrace");

	KUNIT_EXPECT_EQ(test, smtprio_hooks_way("direct"), 0);
	KUNIT_EXPECT_NULL(test, hook->rather);
	KUNIT_EXPECT_STREQ(test, hook->way->name, "direct");

	memcpy(smtprio_hooks, stock, sizeof(stock));
	KUNIT_EXPECT_EQ(test, smtprio_hooks_way("ftrace"), 0);
	KUNIT_EXPECT_NULL(test, hook->rather);
	KUNIT_EXPECT_STREQ(test, hook->way->name, "ftrace");
	KUNIT_EXPECT_STREQ(test, smtprio_hooks[SMTPRIO_HOOK_ILB].way->name, "ftrace");
}

static struct kunit_case hooks_cases[] = {
	KUNIT_CASE(rows_are_whole),
	KUNIT_CASE(attach_goes_up_detach_goes_down),
	KUNIT_CASE(attach_and_detach_once),
	KUNIT_CASE(every_failure_is_undone),
	KUNIT_CASE(a_needed_hook_must_resolve),
	KUNIT_CASE(an_optional_hook_is_refused_alone),
	KUNIT_CASE(wanted_follows_the_settings),
	KUNIT_CASE(wake_site_can_be_chosen),
	KUNIT_CASE(what_is_refused_is_tried_otherwise),
	KUNIT_CASE(way_can_be_chosen),
	{}
};

static struct kunit_suite hooks_suite = {
	.name = "smtprio-hooks",
	.suite_init = hooks_suite_init,
	.suite_exit = hooks_suite_exit,
	.init = hooks_init,
	.test_cases = hooks_cases,
};

kunit_test_suite(hooks_suite);
