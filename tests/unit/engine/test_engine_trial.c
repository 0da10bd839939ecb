/* Verdicts about devices as lines of text: what is printed is read again, what is torn is not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/device/device.h"

static void test_printed_is_read(void **state)
{
    (void)state;
    const struct engine_trial trials[] = {
        {.passed = true,
         .doubles = true,
         .numbers = 3849372,
         .shaded = {4.5, 9},
         .plain = {3, 2.125}},
        {.passed = true, .numbers = 1, .shaded = {0, 0.25}, .plain = {0.5, 0}},
        {.passed = true, .busy = true, .numbers = 5, .shaded = {1, 2}, .plain = {3, 4}},
        {.why = "picture 3 differs"},
        {.unsure = true, .why = "it was lost, or memory was short"},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        char line[ENGINE_TRIAL_LINE];
        struct engine_trial read;
        engine_trial_print(line, &trials[i]);
        assert_true(engine_trial_read(&read, line));
        assert_int_equal(read.passed, trials[i].passed);
        assert_int_equal(read.unsure, trials[i].unsure);
        assert_int_equal(read.doubles, trials[i].doubles);
        assert_int_equal(read.busy, trials[i].busy);
        assert_string_equal(read.why, trials[i].why);
        if (read.passed) {
            assert_int_equal(read.numbers, trials[i].numbers);
            assert_true(read.shaded.device == trials[i].shaded.device);
            assert_true(read.shaded.processor == trials[i].shaded.processor);
            assert_true(read.plain.device == trials[i].plain.device);
            assert_true(read.plain.processor == trials[i].plain.processor);
        }
    }
}

static void test_rubbish_is_not(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        "passed",
        "rubbish",
        "passed \n",
        "passed 1 nan nan 1 1 64\n",
        "passed 1 inf 1 1 1 64\n",
        "passed -1 1 1 1 1 64\n",
        "passed 0 1 1 1 1 64\n",
        "passed 1 -1 1 1 1 64\n",
        "passed 1 1 1 -1 1 64\n",
        "passed 1 1 1 1 nan 64\n",
        "passed 1 1 1 64\n",
        "passed 1 1 1 1 1\n",
        "passed 1 1 1 1 1 16\n",
        "passed 1 1 1 1 1 64",
        "passed 1 1 1 1 1 64 \n",
        "passed 1 1 1 1 1 64 bus\n",
        "passed 1 1 1 1 1 64 busy \n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct engine_trial read;
        assert_false(engine_trial_read(&read, lines[i]));
    }
}

static struct engine_trial said;
static unsigned tried;

static struct engine_trial try_it(const char *key)
{
    assert_string_equal(key, "key");
    tried++;
    return said;
}

/* Verdicts are kept, but for those of a busy machine and those that came to no end. */
static void test_a_busy_machine_is_tried_again(void **state)
{
    static const struct {
        struct engine_trial said;
        bool again;
    } cases[] = {
        {{.passed = true, .busy = true, .numbers = 5, .shaded = {1, 2}, .plain = {3, 4}}, true},
        {{.unsure = true, .why = "no memory"}, true},
        {{.passed = true, .numbers = 6, .shaded = {2, 1}, .plain = {3, 4}}, false},
    };
    char folder[] = "/tmp/froth-trial-XXXXXX";
    const struct gpu_about about = {.name = "device", .key = "key"};
    char command[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        said = cases[i].said;
        tried = 0;
        for (int k = 0; k < 2; k++) {
            const struct engine_trial trial = engine_device_verdict(&about, try_it, NULL);
            assert_int_equal(trial.passed, said.passed);
            assert_int_equal(trial.numbers, said.numbers);
        }
        assert_int_equal(tried, cases[i].again ? 2 : 1);
    }
    (void)snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printed_is_read),
        cmocka_unit_test(test_rubbish_is_not),
        cmocka_unit_test(test_a_busy_machine_is_tried_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
