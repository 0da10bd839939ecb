#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/loading/loading.h"
#include "base/os/file.h"

/* Which presets a window plays: those that are named, those of FROTH_PRESETS, or those that come
 * with froth. */

static char folder[64];

static int set_up(void **state)
{
    char path[128];
    (void)state;
    (void)snprintf(folder, sizeof folder, "/tmp/froth-inputs-XXXXXX");
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/a.milk", folder);
    FILE *file = fopen(path, "w");
    return file != NULL && fputs("[preset00]\n", file) >= 0 && fclose(file) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[128];
    (void)state;
    (void)unsetenv("FROTH_PRESETS");
    (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void inputs_are_taken(void **state)
{
    (void)state;
    struct base_diag_list messages = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    const char *inputs[] = {folder, "/none.milk"};
    struct app_options options = {.inputs = inputs, .input_count = 2};
    struct preset_list list = {0};
    struct app_play_paths paths;
    char found[APP_PLAY_PATH_MAX];
    assert_int_equal(app_play_inputs(&list, &options, found, &sink), 0);
    assert_string_equal(found, "");
    assert_int_equal(list.count, 1);
    assert_int_equal(messages.by_severity[BASE_ERROR], 1);
    assert_string_equal(messages.items[0].what, "No such file or directory");
    preset_list_free(&list);
    list = (struct preset_list){0};
    options.inputs = inputs + 1;
    options.input_count = 1;
    assert_int_equal(app_play_inputs(&list, &options, found, NULL), -1);
    preset_list_free(&list);
    assert_int_equal(app_play_paths_of(&paths, &options, NULL), 0);
    assert_ptr_equal(paths.paths, options.inputs);
    assert_int_equal(paths.count, 1);
    assert_string_equal(paths.shipped, "");
}

static void environment_names_a_folder(void **state)
{
    (void)state;
    const struct app_options options = {.input_count = 0};
    struct preset_list list = {0};
    char found[APP_PLAY_PATH_MAX];
    assert_int_equal(setenv("FROTH_PRESETS", folder, 1), 0);
    assert_int_equal(app_play_inputs(&list, &options, found, NULL), 0);
    assert_string_equal(found, folder);
    assert_int_equal(list.count, 1);
    preset_list_free(&list);
    list = (struct preset_list){0};
    assert_int_equal(setenv("FROTH_PRESETS", "/none", 1), 0);
    assert_int_equal(app_play_inputs(&list, &options, found, NULL), -1);
    preset_list_free(&list);
    list = (struct preset_list){0};
    assert_int_equal(setenv("FROTH_PRESETS", "", 1), 0);
    assert_int_equal(app_play_inputs(&list, &options, found, NULL), 0);
    assert_true(base_is_folder(found));
    assert_true(list.count > 1);
    preset_list_free(&list);
}

/* Presets that the user has saved are played beside those that come with froth. */
static void own_presets_are_added(void **state)
{
    (void)state;
    struct app_options options = {.input_count = 0};
    struct app_play_paths paths;
    char own[128];
    assert_int_equal(unsetenv("FROTH_PRESETS"), 0);
    assert_int_equal(setenv("XDG_DATA_HOME", folder, 1), 0);
    assert_int_equal(app_play_paths_of(&paths, &options, NULL), 0);
    assert_int_equal(paths.count, 1);
    (void)snprintf(own, sizeof own, "%s/froth", folder);
    assert_int_equal(mkdir(own, 0700), 0);
    (void)snprintf(own, sizeof own, "%s/froth/presets", folder);
    assert_int_equal(mkdir(own, 0700), 0);
    assert_int_equal(app_play_paths_of(&paths, &options, NULL), 0);
    assert_int_equal(paths.count, 2);
    assert_string_equal(paths.paths[1], own);
    assert_string_equal(paths.paths[0], paths.shipped);
    options.no_library = true;
    assert_int_equal(app_play_paths_of(&paths, &options, NULL), 0);
    assert_int_equal(paths.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_taken),
        cmocka_unit_test(environment_names_a_folder),
        cmocka_unit_test(own_presets_are_added),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
