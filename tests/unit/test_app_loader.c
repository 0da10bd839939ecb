#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/play_loader.h"

/* The loader reports from its own thread. */
static struct {
    atomic_int errors;
    atomic_int all;
} messages;

static void count_message(void *user, const struct base_diag *diag)
{
    (void)user;
    atomic_fetch_add(&messages.errors, diag->severity == BASE_ERROR);
    atomic_fetch_add(&messages.all, 1);
}

static const struct base_diag_sink sink = {count_message, NULL};

enum { FILES = 2 };
static char folder[] = "/tmp/froth_loader_XXXXXX";
static char paths[FILES][64];
static char *list_paths[FILES] = {paths[0], paths[1]};

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    for (int i = 0; i < FILES; i++) {
        (void)snprintf(paths[i], sizeof paths[i], "%s/%d.milk", folder, i);
    }
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++) {
        (void)unlink(paths[i]);
    }
    return rmdir(folder);
}

static const char good[] = "[preset00]\nfDecay=0.9\nper_frame_1=zoom=1.0;\n";
static const char better[] = "[preset00]\nfDecay=0.9\nper_frame_1=zoom=1.25;\n";
static const char typo[] = "[preset00]\nfDecay=0.9\nper_frame_1=zoom=1.0+*(;\n";
static const char worse[] = "[preset00]\nfDecay=0.9\nper_frame_1=zoom=1.0+*((;\n";
static const char refused[] = {0, 0, 0, 0};

static void put(int index, const char *text, size_t size)
{
    char beside[80];
    (void)snprintf(beside, sizeof beside, "%s.new", paths[index]);
    FILE *file = fopen(beside, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename(beside, paths[index]), 0);
}
#define PUT(index, text) put(index, text, sizeof(text) - 1)

static struct app_loader *start(size_t count)
{
    static struct preset_list list;
    list = (struct preset_list){.paths = list_paths, .count = count};
    atomic_store(&messages.errors, 0);
    atomic_store(&messages.all, 0);
    const struct app_loader_setup setup = {
        .list = &list,
        .config = {.width = 16, .height = 16, .mesh_x = 2, .mesh_y = 2, .fps = 60},
        .planned = 30};
    struct app_loader *loader = app_loader_start(&setup, &sink);
    assert_non_null(loader);
    return loader;
}

static void pause_ms(long milliseconds)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000 * 1000}, NULL);
}

static struct app_loaded *await_preset(struct app_loader *loader)
{
    struct app_loaded *loaded = NULL;
    for (int i = 0; i < 500 && loaded == NULL; i++) {
        loaded = app_loader_take(loader);
        pause_ms(10);
    }
    assert_non_null(loaded);
    return loaded;
}

static void await_errors(int errors)
{
    for (int i = 0; i < 500 && atomic_load(&messages.errors) < errors; i++) {
        pause_ms(10);
    }
    assert_int_equal(atomic_load(&messages.errors), errors);
}

static void a_typo_does_not_replace_a_good_preset(void **state)
{
    (void)state;
    PUT(0, good);
    struct app_loader *loader = start(1);
    struct app_loaded *first = await_preset(loader);
    PUT(0, typo);
    await_errors(1);
    assert_null(app_loader_take(loader));
    PUT(0, better);
    struct app_loaded *second = await_preset(loader);
    assert_ptr_equal(second->path, first->path);
    assert_string_equal(second->name, "0");
    assert_int_equal(atomic_load(&messages.all), 1);
    app_loader_retire(loader, first);
    app_loader_retire(loader, second);
    app_loader_stop(loader);
}

static void one_that_began_with_errors_follows_its_file(void **state)
{
    (void)state;
    PUT(0, typo);
    struct app_loader *loader = start(1);
    app_loader_retire(loader, await_preset(loader));
    PUT(0, worse);
    app_loader_retire(loader, await_preset(loader));
    assert_int_equal(atomic_load(&messages.errors), 2);
    app_loader_stop(loader);
}

static void what_cannot_be_loaded_is_reported_once(void **state)
{
    (void)state;
    PUT(0, refused);
    PUT(1, refused);
    struct app_loader *loader = start(2);
    for (int i = 0; i < 500 && !app_loader_failed(loader); i++) {
        pause_ms(10);
    }
    assert_true(app_loader_failed(loader));
    pause_ms(600);
    assert_int_equal(atomic_load(&messages.errors), 2);
    app_loader_stop(loader);
}

static void a_vain_step_is_reported_once(void **state)
{
    (void)state;
    PUT(0, good);
    PUT(1, refused);
    struct app_loader *loader = start(2);
    app_loader_retire(loader, await_preset(loader));
    PUT(0, refused);
    await_errors(1);
    app_loader_step(loader, 1, APP_CHANGE_SOFT);
    await_errors(3);
    pause_ms(600);
    assert_int_equal(atomic_load(&messages.errors), 3);
    assert_false(app_loader_failed(loader));
    app_loader_stop(loader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_typo_does_not_replace_a_good_preset),
        cmocka_unit_test(one_that_began_with_errors_follows_its_file),
        cmocka_unit_test(what_cannot_be_loaded_is_reported_once),
        cmocka_unit_test(a_vain_step_is_reported_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
