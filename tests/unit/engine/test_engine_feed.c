/* What a show is fed with: presets in their order, made ready within a call or by a thread; sound.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/file.h"
#include "base/os/thread.h"
#include "engine/feed/loader.h"
#include "engine/feed/order.h"
#include "engine/feed/sound.h"

static const char good[] = "[preset00]\nfDecay=0.9\nper_frame_1=zoom=1.0;\n";
static const char better[] = "[preset00]\nfDecay=0.9\nper_frame_1=zoom=1.2;\n";
static const char typo[] = "[preset00]\nfDecay=0.9\nper_frame_1=zoom=1.0+*(;\n";
static const char refused[] = {0, 0, 0, 0};

static char root[64];

static void path_of(const char *name, char path[static 256])
{
    (void)snprintf(path, 256, "%s/%s", root, name);
}

static void put_bytes(const char *name, const char *text, size_t size)
{
    char path[256];
    path_of(name, path);
    assert_int_equal(base_file_save(path, text, size), 0);
}

static void put(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static int make(void **state)
{
    (void)state;
    (void)snprintf(root, sizeof root, "/tmp/froth-feed-XXXXXX");
    assert_non_null(mkdtemp(root));
    put("one.milk", good);
    put("folder/three.milk", good);
    put("folder/two.milk", better);
    put_bytes("bad.milk", refused, sizeof refused);
    put("list.yaml", "- preset: one.milk\n  seconds: 4\n  transition: cut\n- none.milk\n"
                     "- preset: folder/two.milk\n");
    return 0;
}

static int clear(void **state)
{
    (void)state;
    char command[128];
    (void)snprintf(command, sizeof command, "rm -r %s", root);
    return system(command);
}

static struct {
    atomic_int errors;
    atomic_int all; /* but those for a log */
} messages;

static void hear(void *user, const struct base_diag *diag)
{
    (void)user;
    atomic_fetch_add(&messages.errors, diag->severity == BASE_ERROR);
    atomic_fetch_add(&messages.all, diag->severity != BASE_DEBUG);
}

static const struct base_diag_sink sink = {hear, NULL};

/* ---- the plain order ---- */

static void add(struct engine_order *order, const char *name, long expected)
{
    char path[256];
    path_of(name, path);
    assert_true(engine_order_add(order, path, &sink) == expected);
}

static void expect_item(const struct engine_item *item, const char *end)
{
    assert_non_null(item);
    const size_t length = strlen(item->path);
    assert_true(length >= strlen(end));
    assert_string_equal(item->path + length - strlen(end), end);
}

static void an_order_goes_around_and_back(void **state)
{
    (void)state;
    struct engine_order order = {0};
    base_rng_seed(&order.rng, 1, 1);
    assert_null(engine_order_step(&order, 1));
    add(&order, "one.milk", 1);
    add(&order, "folder", 2);
    assert_int_equal(engine_order_add_text(&order, "a text", base_span_of(good)), 0);
    assert_false(order.incomplete);
    add(&order, "nothing.milk", -1);
    assert_true(order.incomplete);
    expect_item(engine_order_step(&order, 1), "one.milk");
    expect_item(engine_order_step(&order, 2), "two.milk");
    expect_item(engine_order_step(&order, 1), "a text");
    expect_item(engine_order_step(&order, 1), "one.milk");
    expect_item(engine_order_step(&order, -1), "a text");
    expect_item(engine_order_step(&order, -1001), "two.milk");
    expect_item(engine_order_choose(&order, 1), "three.milk");
    expect_item(engine_order_step(&order, 1), "two.milk");
    assert_null(engine_order_choose(&order, 4));
    const struct engine_source source = engine_order_source(&order);
    struct engine_choice choice;
    assert_true(source.count(source.user) == 4 && source.tells == NULL);
    assert_true(source.choose(source.user, 3, &choice));
    assert_true(choice.number == 3 && choice.seconds < 0 && choice.text.size == strlen(good));
    assert_false(source.choose(source.user, 4, &choice));
    engine_order_free(&order);
    assert_null(engine_order_step(&order, 1));
}

static void a_list_says_how_long_and_what_is_missing(void **state)
{
    (void)state;
    struct engine_order order = {0};
    atomic_store(&messages.all, 0);
    add(&order, "list.yaml", 2);
    assert_true(order.incomplete);
    assert_int_equal(atomic_load(&messages.all), 1);
    assert_true(order.items[0].seconds == 4 && order.items[1].seconds < 0);
    assert_string_equal(order.items[0].transition, "cut");
    engine_order_free(&order);
}

/* None comes again before half of the others came, and back is the way that it came. */
static void chance_remembers(void **state)
{
    (void)state;
    enum { PRESETS = 8, STEPS = 200 };
    struct engine_order order = {.random = true};
    size_t came[STEPS];
    base_rng_seed(&order.rng, 5, 1);
    for (int i = 0; i < PRESETS; i++) {
        assert_int_equal(engine_order_add_text(&order, "a text", base_span_of(good)), 0);
    }
    for (size_t i = 0; i < STEPS; i++) {
        came[i] = (size_t)(engine_order_step(&order, 1) - order.items);
        for (size_t k = 1; k <= PRESETS / 2 - 1 && k <= i; k++) {
            assert_int_not_equal(came[i], came[i - k]);
        }
    }
    for (size_t i = STEPS - 1; i > STEPS - 20; i--) {
        assert_true(engine_order_step(&order, -1) == &order.items[came[i - 1]]);
    }
    engine_order_free(&order);
}

/* ---- presets made ready within the call ---- */

static const struct rend_config small = {
    .width = 16, .height = 16, .mesh_x = 2, .mesh_y = 2, .fps = 60};

static atomic_int dressed;

static void *dress(void *user, const struct engine_choice *choice, const char *name)
{
    (void)user;
    assert_true(choice->path[0] != '\0' && name[0] != '\0');
    atomic_fetch_add(&dressed, 1);
    return malloc(1);
}

static void undress(void *made)
{
    atomic_fetch_sub(&dressed, made != NULL);
    free(made);
}

static struct engine_loader *open_plain(void)
{
    const struct engine_loader_setup setup = {.config = small,
                                              .changes = engine_changes_of("fade", 2, 0),
                                              .planned = 30,
                                              .dresser = {NULL, dress, undress}};
    atomic_store(&messages.errors, 0);
    atomic_store(&messages.all, 0);
    atomic_store(&dressed, 0);
    struct engine_loader *loader = engine_loader_create(&setup, &sink);
    assert_non_null(loader);
    return loader;
}

static void add_to(struct engine_loader *loader, const char *name, long expected)
{
    char path[256];
    path_of(name, path);
    assert_true(engine_loader_add(loader, path) == expected);
}

static void expect_loaded(struct engine_loader *loader, uint32_t number, bool soft)
{
    struct engine_loaded *loaded = engine_loader_take(loader);
    assert_non_null(loaded);
    assert_int_equal(loaded->number, number);
    assert_int_equal(loaded->soft, soft);
    assert_non_null(loaded->dress);
    assert_ptr_equal(rend_cue_user(loaded->cue), loaded);
    engine_loader_retire(loader, loaded);
}

static void presets_come_in_order_without_a_thread(void **state)
{
    (void)state;
    struct engine_loader *loader = open_plain();
    assert_null(engine_loader_take(loader));
    assert_true(engine_loader_alone(loader));
    add_to(loader, "one.milk", 1);
    add_to(loader, "bad.milk", 1);
    add_to(loader, "folder", 2);
    assert_true(engine_loader_count(loader) == 4 && !engine_loader_alone(loader));
    expect_loaded(loader, 0, false);
    assert_null(engine_loader_take(loader));
    engine_loader_step(loader, 1, false); /* the bad one is passed over */
    expect_loaded(loader, 2, true);
    assert_true(atomic_load(&messages.errors) > 0);
    assert_int_equal(engine_loader_counts(loader).failed, 1);
    engine_loader_step(loader, 1, true);
    expect_loaded(loader, 3, false);
    engine_loader_want(loader, 0, false);
    assert_true(engine_loader_wait(loader, 0));
    expect_loaded(loader, 0, true);
    engine_loader_want(loader, 99, false);
    assert_null(engine_loader_take(loader));
    assert_int_equal(engine_loader_choose(loader, 1, false), -1);
    assert_int_equal(engine_loader_choose(loader, 2, true), 0);
    expect_loaded(loader, 2, false);
    char path[256];
    assert_true(engine_loader_path(loader, 3, path, sizeof path));
    assert_false(engine_loader_path(loader, 4, path, sizeof path));
    engine_loader_clear(loader);
    engine_loader_step(loader, 1, false);
    assert_null(engine_loader_take(loader));
    engine_loader_free(loader);
    assert_int_equal(atomic_load(&dressed), 0);
}

static void one_that_is_named_comes_as_it_is_asked_for(void **state)
{
    (void)state;
    static char endless[2 * ENGINE_PATH];
    memset(endless, 'a', sizeof endless - 1);
    struct engine_loader *loader = open_plain();
    const struct base_span none = {NULL, 0};
    assert_int_equal(engine_loader_load(loader, "a text", base_span_of(good), false), 0);
    expect_loaded(loader, ENGINE_NUMBER_NONE, false); /* the first is a cut */
    assert_int_equal(engine_loader_load(loader, endless, none, false), -1);
    assert_int_equal(engine_loader_load(loader, root, none, false), -1);
    assert_int_equal(atomic_load(&messages.errors), 2);
    char path[256];
    path_of("one.milk", path);
    assert_non_null(engine_loader_load_for(loader, path, "", 1));
    struct engine_loaded *loaded = engine_loader_take(loader);
    assert_true(loaded != NULL && loaded->seconds == 1 && loaded->soft);
    assert_string_equal(loaded->preset->path, path);
    assert_true(loaded->preset->size == strlen(good));
    engine_loader_retire(loader, loaded);
    assert_non_null(engine_loader_load_for(loader, path, "cut", 1));
    expect_loaded(loader, ENGINE_NUMBER_NONE, false);
    path_of("none.milk", path);
    assert_null(engine_loader_load_for(loader, path, "", 1));
    engine_loader_free(loader);
}

static void transitions_are_as_they_were_asked_for_last(void **state)
{
    (void)state;
    struct engine_loader *loader = open_plain();
    engine_loader_blend(loader, -1);
    assert_true(engine_loader_changes(loader).seconds == 0);
    engine_loader_blend(loader, 3.5);
    assert_false(engine_loader_transition(loader, "sneeze"));
    assert_true(engine_loader_transition(loader, "clock"));
    struct engine_changes changes = engine_loader_changes(loader);
    assert_true(changes.seconds == 3.5 && !changes.random && !changes.cut);
    const enum rend_transition clock = changes.transition;
    assert_true(engine_loader_transition(loader, "random"));
    assert_true(engine_loader_changes(loader).random);
    assert_true(engine_loader_transition(loader, "cut"));
    assert_true(engine_loader_changes(loader).cut);
    engine_loader_put_changes(loader, &changes);
    changes = engine_loader_changes(loader);
    assert_true(changes.transition == clock && !changes.cut && !changes.random);
    engine_loader_free(loader);
}

/* ---- presets made ready by a thread, in the order of somebody who remembers ---- */

enum { LISTED = 3 };

static struct {
    char paths[LISTED][256];
    atomic_bool marked[LISTED];
    uint32_t at;
} keeper;

static bool keeper_choose(void *user, uint32_t number, struct engine_choice *choice)
{
    (void)user;
    if (number >= LISTED) {
        return false;
    }
    keeper.at = number;
    *choice = (struct engine_choice){.number = number, .seconds = -1};
    (void)snprintf(choice->path, sizeof choice->path, "%s", keeper.paths[number]);
    return true;
}

static bool keeper_step(void *user, int steps, struct engine_choice *choice)
{
    uint32_t at = keeper.at;
    for (int tried = 0; tried < LISTED; tried++) {
        at = (at + (steps < 0 ? LISTED - 1 : 1)) % LISTED;
        if (!atomic_load(&keeper.marked[at])) {
            return at != keeper.at && keeper_choose(user, at, choice);
        }
    }
    return false;
}

static size_t keeper_count(void *user)
{
    (void)user;
    return LISTED;
}

static bool keeper_wait(void *user)
{
    (void)user;
    return true;
}

static bool keeper_grows(void *user)
{
    (void)user;
    return false;
}

static void keeper_mark(void *user, uint32_t number)
{
    (void)user;
    atomic_store(&keeper.marked[number], true);
}

static void keeper_unmark(void *user, uint32_t number)
{
    (void)user;
    atomic_store(&keeper.marked[number], false);
}

static bool keeper_tells(void *user, uint32_t number)
{
    (void)user;
    (void)number;
    return true;
}

static size_t keeper_list(void *user, uint32_t *numbers, size_t most)
{
    (void)user;
    for (uint32_t i = 0; i < LISTED && i < most; i++) {
        numbers[i] = i;
    }
    return LISTED;
}

static struct engine_loader *open_kept(const char *const names[LISTED])
{
    const struct engine_loader_setup setup = {
        .config = small,
        .changes = engine_changes_of("fade", 2, 0),
        .planned = 30,
        .beside = true,
        .source = {NULL, keeper_step, keeper_choose, keeper_count, keeper_wait, keeper_grows,
                   keeper_mark, keeper_unmark, keeper_tells, keeper_list},
        .watches = true};
    atomic_store(&messages.errors, 0);
    keeper.at = LISTED - 1;
    for (int i = 0; i < LISTED; i++) {
        path_of(names[i], keeper.paths[i]);
        atomic_store(&keeper.marked[i], false);
    }
    struct engine_loader *loader = engine_loader_create(&setup, &sink);
    assert_non_null(loader);
    return loader;
}

static const double most_seconds = 300; /* that a slow machine may take */

#define AWAIT(condition)                                                                           \
    do {                                                                                           \
        const double until = base_clock_seconds() + most_seconds;                                  \
        while (!(condition)) {                                                                     \
            assert_true(base_clock_seconds() < until);                                             \
            base_clock_sleep_until(base_clock_seconds() + 0.005);                                  \
        }                                                                                          \
    } while (false)

static struct engine_loaded *await(struct engine_loader *loader)
{
    struct engine_loaded *loaded = NULL;
    AWAIT((loaded = engine_loader_take(loader)) != NULL);
    return loaded;
}

static void who_keeps_the_order_hears_of_bad_ones(void **state)
{
    (void)state;
    static const char *const names[LISTED] = {"bad.milk", "one.milk", "folder/two.milk"};
    struct engine_loader *loader = open_kept(names);
    struct engine_loaded *first = await(loader);
    assert_int_equal(first->number, 1);
    assert_true(atomic_load(&keeper.marked[0]) && !first->again);
    engine_loader_reject(loader, 1);
    struct engine_loaded *second = await(loader);
    assert_true(second->number == 2 && !second->soft && atomic_load(&keeper.marked[1]));
    /* There is no other: it stays, and is not marked. */
    engine_loader_reject(loader, 2);
    engine_loader_want(loader, 0, false);
    AWAIT(engine_loader_counts(loader).failed == 2);
    AWAIT(!atomic_load(&keeper.marked[2]));
    assert_false(engine_loader_failed(loader));
    engine_loader_retire(loader, first);
    engine_loader_retire(loader, second);
    engine_loader_free(loader);
}

static void a_show_without_a_good_preset_fails(void **state)
{
    (void)state;
    static const char *const names[LISTED] = {"bad.milk", "none.milk", "bad.milk"};
    struct engine_loader *loader = open_kept(names);
    AWAIT(engine_loader_failed(loader));
    assert_null(engine_loader_take(loader));
    assert_int_equal(atomic_load(&messages.errors), LISTED);
    engine_loader_free(loader);
}

static void edits_and_files_are_followed(void **state)
{
    (void)state;
    static const char *const names[LISTED] = {"edited.milk", "one.milk", "one.milk"};
    struct engine_loader_outcome outcome;
    put("edited.milk", good);
    struct engine_loader *loader = open_kept(names);
    engine_loader_retire(loader, await(loader));
    const char *path = keeper.paths[0];
    assert_true(engine_loader_edit(loader, path, base_span_of(better), 7));
    struct engine_loaded *edited = await(loader);
    assert_true(edited->again && !edited->soft && edited->number == 0);
    engine_loader_retire(loader, edited);
    AWAIT((engine_loader_outcome(loader, &outcome), outcome.revision == 7));
    assert_true(outcome.shown && outcome.message_count == 0);
    assert_true(engine_loader_edit(loader, path, base_span_of(typo), 8));
    AWAIT((engine_loader_outcome(loader, &outcome), outcome.revision == 8));
    assert_true(!outcome.shown && outcome.message_count > 0);
    assert_int_equal(outcome.messages[0].place.line, 3);
    assert_null(engine_loader_take(loader));
    put("edited.milk", better);
    edited = await(loader);
    assert_true(edited->again);
    assert_true(edited->preset->size == strlen(better));
    engine_loader_retire(loader, edited);
    assert_true(engine_loader_file_outcome(loader, path, 0, &outcome));
    assert_false(engine_loader_file_outcome(loader, path, outcome.revision, &outcome));
    engine_loader_free(loader);
}

/* ---- sound ---- */

static void sound_becomes_stereo_floats(void **state)
{
    (void)state;
    enum { RATE = ENGINE_SOUND_RATE };
    struct engine_sound *sound = engine_sound_create(ENGINE_RESAMPLE_FINE);
    assert_non_null(sound);
    const int16_t whole[] = {-32768, 16384};
    const float mono[] = {0.25f, NAN, 7};
    float got[2 * 8];
    assert_int_equal(engine_sound_add_int16(sound, whole, 1, 2, RATE), 0);
    assert_int_equal(engine_sound_add(sound, mono, 3, 1, RATE), 0);
    assert_int_equal(engine_sound_waiting(sound), 4);
    assert_int_equal(engine_sound_wanted(sound, 10), 6);
    assert_int_equal(engine_sound_read(sound, got, 8), 4);
    const float expected[] = {-1, 0.5f, 0.25f, 0.25f, 0, 0, 1, 1};
    for (size_t i = 0; i < 8; i++) {
        assert_true(got[i] == expected[i]);
    }
    /* Of what is too much the newest stays. */
    assert_int_equal(engine_sound_expect(sound, RATE), 0);
    assert_int_equal(engine_sound_add(sound, mono, 3, 1, RATE), 0);
    engine_sound_keep(sound, 1);
    assert_int_equal(engine_sound_read(sound, got, 8), 1);
    assert_true(got[0] == 1 && engine_sound_dropped(sound) == 2);
    engine_sound_end(sound);
    assert_int_equal(engine_sound_wanted(sound, 10), 0);
    engine_sound_free(sound);
}

/* However it is cut into pieces, as much comes out as went in. */
static void other_rates_lose_nothing(void **state)
{
    (void)state;
    static const uint32_t rates[] = {8000, 22050, 48000, 96000};
    static const float zeros[2 * 1000];
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct engine_sound *sound = engine_sound_create(ENGINE_RESAMPLE_LIVE);
        assert_non_null(sound);
        for (uint32_t given = 0; given < rates[i]; given += 1000) {
            const size_t rest = rates[i] - given;
            assert_int_equal(engine_sound_add(sound, zeros, rest < 1000 ? rest : 1000, 2, rates[i]),
                             0);
        }
        engine_sound_end(sound);
        const size_t waiting = engine_sound_waiting(sound);
        assert_true(waiting + 2 >= ENGINE_SOUND_RATE && waiting <= ENGINE_SOUND_RATE + 2);
        assert_int_equal(engine_sound_dropped(sound), 0);
        engine_sound_free(sound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_order_goes_around_and_back),
        cmocka_unit_test(a_list_says_how_long_and_what_is_missing),
        cmocka_unit_test(chance_remembers),
        cmocka_unit_test(presets_come_in_order_without_a_thread),
        cmocka_unit_test(one_that_is_named_comes_as_it_is_asked_for),
        cmocka_unit_test(transitions_are_as_they_were_asked_for_last),
        cmocka_unit_test(who_keeps_the_order_hears_of_bad_ones),
        cmocka_unit_test(a_show_without_a_good_preset_fails),
        cmocka_unit_test(edits_and_files_are_followed),
        cmocka_unit_test(sound_becomes_stereo_floats),
        cmocka_unit_test(other_rates_lose_nothing),
    };
    return cmocka_run_group_tests(tests, make, clear);
}
