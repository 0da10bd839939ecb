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

#include "app/apart/apart.h"
#include "app/feed/presets.h"
#include "../../patience.h"

/* The loader reports from its own thread. */
static struct {
    atomic_int errors;
    atomic_int all; /* but those for a log */
    atomic_int for_log;
} messages;

static void count_message(void *user, const struct base_diag *diag)
{
    (void)user;
    atomic_fetch_add(&messages.errors, diag->severity == BASE_ERROR);
    atomic_fetch_add(&messages.all, diag->severity != BASE_DEBUG);
    atomic_fetch_add(&messages.for_log, diag->severity == BASE_DEBUG);
}

static const struct base_diag_sink sink = {count_message, NULL};

enum { FILES = 2 };
static char folder[] = "/tmp/froth_loader_XXXXXX";
static char paths[FILES][64];
static const char *const list_paths[FILES] = {paths[0], paths[1]};

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

static struct app_presets presets;

/* What runs, over the first `count` files. */
struct show {
    struct app_library *library;
    struct engine_loader *loader;
};

static struct show start_as(size_t count, const char *words, const struct ui_overlay *overlay,
                            const struct rend_config *config, bool opens)
{
    struct show show;
    atomic_store(&messages.errors, 0);
    atomic_store(&messages.all, 0);
    atomic_store(&messages.for_log, 0);
    const struct app_library_setup files = {
        .paths = list_paths, .path_count = count, .words = words};
    show.library = app_library_open(&files, &sink);
    assert_non_null(show.library);
    presets = (struct app_presets){show.library, overlay, APP_VERDICT_UNKNOWN};
    const struct engine_loader_setup setup = {.config = *config,
                                              .changes = engine_changes_of(NULL, -1, 0),
                                              .planned = 30,
                                              .beside = true,
                                              .source = app_presets_source(&presets),
                                              .dresser = app_presets_dresser(&presets),
                                              .watches = true,
                                              .opens = opens};
    show.loader = engine_loader_create(&setup, &sink);
    assert_non_null(show.loader);
    return show;
}

static struct show start_with(size_t count, const char *words, const struct ui_overlay *overlay)
{
    static const struct rend_config config = {
        .width = 16, .height = 16, .mesh_x = 2, .mesh_y = 2, .fps = 60};
    return start_as(count, words, overlay, &config, false);
}

static struct show start(size_t count)
{
    return start_with(count, NULL, NULL);
}

static void stop(struct show *show)
{
    engine_loader_free(show->loader);
    app_library_close(show->library);
}

static void pause_ms(long milliseconds)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000 * 1000}, NULL);
}

static struct engine_loaded *await_preset(struct engine_loader *loader)
{
    struct engine_loaded *loaded = NULL;
    for (double until = 0; loaded == NULL && wait_more(&until);) {
        loaded = engine_loader_take(loader);
    }
    assert_non_null(loaded);
    return loaded;
}

static void await_errors(int errors)
{
    for (double until = 0; atomic_load(&messages.errors) < errors && wait_more(&until);) {
    }
    assert_int_equal(atomic_load(&messages.errors), errors);
}

/* The list has a word of the first one's name; the operator knows both by name. */
static void a_name_that_is_not_for_the_audience_is_not_drawn(void **state)
{
    (void)state;
    char words[sizeof *paths + 8];
    (void)snprintf(words, sizeof words, "%s.txt", paths[0]);
    FILE *file = fopen(words, "wb");
    assert_non_null(file);
    assert_true(fputs("0\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    PUT(0, good);
    PUT(1, better);
    struct ui_overlay *overlay = ui_overlay_create(320, 240, NULL);
    assert_non_null(overlay);
    struct show show = start_with(2, words, overlay);
    struct engine_loaded *first = await_preset(show.loader);
    assert_null(app_presets_name(first)->line);
    assert_string_equal(app_presets_name(first)->title, "froth");
    assert_string_equal(first->preset->name, "0");
    engine_loader_step(show.loader, 1, true);
    struct engine_loaded *second = await_preset(show.loader);
    assert_non_null(app_presets_name(second)->line);
    assert_string_equal(app_presets_name(second)->title, "froth - 1");
    engine_loader_retire(show.loader, first);
    engine_loader_retire(show.loader, second);
    stop(&show);
    ui_overlay_free(overlay);
    assert_int_equal(unlink(words), 0);
}

static void a_typo_does_not_replace_a_good_preset(void **state)
{
    (void)state;
    PUT(0, good);
    struct show show = start(1);
    struct engine_loaded *first = await_preset(show.loader);
    PUT(0, typo);
    await_errors(1);
    assert_null(engine_loader_take(show.loader));
    PUT(0, better);
    struct engine_loaded *second = await_preset(show.loader);
    assert_string_equal(second->preset->path, first->preset->path);
    assert_true(second->again && !first->again);
    assert_int_equal(second->number, first->number);
    assert_string_equal(second->preset->name, "0");
    assert_string_equal(app_presets_name(second)->title, "froth - 0");
    assert_int_equal(atomic_load(&messages.all), 1);
    engine_loader_retire(show.loader, first);
    engine_loader_retire(show.loader, second);
    stop(&show);
}

static void a_file_that_is_gone_is_told_once_and_comes_back(void **state)
{
    (void)state;
    char beside[80];
    (void)snprintf(beside, sizeof beside, "%s.away", paths[0]);
    PUT(0, good);
    struct show show = start(1);
    engine_loader_retire(show.loader, await_preset(show.loader));
    for (int i = 0; i < 2; i++) {
        assert_int_equal(rename(paths[0], beside), 0);
        for (double until = 0; atomic_load(&messages.all) <= i && wait_more(&until);) {
        }
        pause_ms(300);
        assert_int_equal(atomic_load(&messages.all), i + 1);
        assert_null(engine_loader_take(show.loader));
        assert_int_equal(rename(beside, paths[0]), 0);
        struct engine_loaded *again = await_preset(show.loader);
        assert_true(again->again);
        engine_loader_retire(show.loader, again);
    }
    assert_int_equal(atomic_load(&messages.errors), 0);
    assert_false(engine_loader_failed(show.loader));
    stop(&show);
}

static void one_that_began_with_errors_follows_its_file(void **state)
{
    (void)state;
    PUT(0, typo);
    struct show show = start(1);
    engine_loader_retire(show.loader, await_preset(show.loader));
    PUT(0, worse);
    engine_loader_retire(show.loader, await_preset(show.loader));
    assert_int_equal(atomic_load(&messages.errors), 2);
    stop(&show);
}

static void what_cannot_be_loaded_is_reported_once(void **state)
{
    (void)state;
    PUT(0, refused);
    PUT(1, refused);
    struct show show = start(2);
    for (double until = 0; !engine_loader_failed(show.loader) && wait_more(&until);) {
    }
    assert_true(engine_loader_failed(show.loader));
    pause_ms(600);
    assert_int_equal(atomic_load(&messages.errors), 2);
    stop(&show);
}

static void await_failed(const struct show *show, size_t failed)
{
    for (double until = 0;
         app_library_state(show->library).failed != failed && wait_more(&until);) {
    }
    assert_int_equal(app_library_state(show->library).failed, failed);
}

static void a_vain_step_is_not_repeated(void **state)
{
    (void)state;
    PUT(0, good);
    PUT(1, refused);
    struct show show = start(2);
    engine_loader_retire(show.loader, await_preset(show.loader));
    PUT(0, refused);
    await_errors(1);
    engine_loader_step(show.loader, 1, false);
    await_failed(&show, FILES);
    pause_ms(600);
    const int errors = atomic_load(&messages.errors);
    assert_true(errors >= 1 && errors <= 3);
    pause_ms(300);
    assert_int_equal(atomic_load(&messages.errors), errors);
    assert_false(engine_loader_failed(show.loader));
    stop(&show);
}

static void await_outcome(const struct show *show, uint64_t revision,
                          struct engine_loader_outcome *outcome)
{
    for (double until = 0; wait_more(&until);) {
        engine_loader_outcome(show->loader, outcome);
        if (outcome->revision == revision) {
            return;
        }
    }
    fail_msg("no outcome of revision %d", (int)revision);
}

static void edit(const struct show *show, const char *path, const char *text, uint64_t revision)
{
    assert_true(engine_loader_edit(show->loader, path, base_span_of(text), revision));
}

static void an_edit_is_shown_unless_it_is_worse(void **state)
{
    (void)state;
    struct engine_loader_outcome outcome;
    PUT(0, good);
    struct show show = start(1);
    engine_loader_outcome(show.loader, &outcome);
    assert_int_equal(outcome.revision, 0);
    struct engine_loaded *first = await_preset(show.loader);

    edit(&show, first->preset->path, better, 11);
    struct engine_loaded *second = await_preset(show.loader);
    await_outcome(&show, 11, &outcome);
    assert_true(outcome.shown && outcome.message_count == 0 && outcome.seconds >= 0);
    assert_true(second->again);
    assert_int_equal(second->number, first->number);
    assert_string_equal(second->preset->path, first->preset->path);

    edit(&show, first->preset->path, typo, 12);
    await_outcome(&show, 12, &outcome);
    assert_false(outcome.shown);
    assert_int_equal(outcome.message_count, 1);
    assert_int_equal(outcome.messages[0].severity, BASE_ERROR);
    assert_int_equal(outcome.messages[0].place.line, 3);
    assert_null(engine_loader_take(show.loader));
    assert_int_equal(atomic_load(&messages.all), 0);

    edit(&show, first->preset->path, good, 13);
    engine_loader_retire(show.loader, await_preset(show.loader));
    await_outcome(&show, 13, &outcome);
    assert_true(outcome.shown);
    engine_loader_retire(show.loader, first);
    engine_loader_retire(show.loader, second);
    stop(&show);
}

static void await_file(const struct show *show, const char *path, uint64_t known,
                       struct engine_loader_outcome *outcome)
{
    for (double until = 0; wait_more(&until);) {
        if (engine_loader_file_outcome(show->loader, path, known, outcome)) {
            return;
        }
    }
    fail_msg("no outcome of the file");
}

static void what_the_file_says_is_kept(void **state)
{
    (void)state;
    struct engine_loader_outcome outcome;
    PUT(0, typo);
    struct show show = start(1);
    struct engine_loaded *first = await_preset(show.loader);
    assert_false(engine_loader_file_outcome(show.loader, "/another.milk", 0, &outcome));
    await_file(&show, first->preset->path, 0, &outcome);
    assert_true(outcome.shown);
    assert_int_equal(outcome.message_count, 1);
    assert_int_equal(outcome.messages[0].place.line, 3);
    const uint64_t known = outcome.revision;
    assert_false(engine_loader_file_outcome(show.loader, first->preset->path, known, &outcome));

    PUT(0, good);
    engine_loader_retire(show.loader, await_preset(show.loader));
    await_file(&show, first->preset->path, known, &outcome);
    assert_true(outcome.shown && outcome.revision > known);
    assert_int_equal(outcome.message_count, 0);
    engine_loader_retire(show.loader, first);
    stop(&show);
}

static void a_flawed_preset_takes_flawed_edits(void **state)
{
    (void)state;
    struct engine_loader_outcome outcome;
    PUT(0, typo);
    struct show show = start(1);
    engine_loader_retire(show.loader, await_preset(show.loader));
    edit(&show, paths[0], worse, 5);
    await_outcome(&show, 5, &outcome);
    assert_true(outcome.shown && outcome.message_count > 0);
    engine_loader_retire(show.loader, await_preset(show.loader));
    stop(&show);
}

/* Edits come in order: what was tried after it is proof that one was dropped. */
static void an_edit_of_another_preset_is_dropped(void **state)
{
    (void)state;
    struct engine_loader_outcome outcome;
    PUT(0, good);
    PUT(1, good);
    struct show show = start(2);
    struct engine_loaded *first = await_preset(show.loader);
    assert_string_equal(first->preset->path, paths[0]);
    edit(&show, paths[1], better, 21);
    pause_ms(200);
    engine_loader_outcome(show.loader, &outcome);
    assert_int_equal(outcome.revision, 0);
    edit(&show, paths[0], better, 22);
    await_outcome(&show, 22, &outcome);
    assert_true(outcome.shown);
    engine_loader_retire(show.loader, await_preset(show.loader));
    engine_loader_retire(show.loader, first);
    stop(&show);
}

static void the_newest_of_many_edits_is_tried(void **state)
{
    (void)state;
    enum { EDITS = 500 };
    struct engine_loader_outcome outcome;
    PUT(0, good);
    struct show show = start(1);
    engine_loader_retire(show.loader, await_preset(show.loader));
    for (uint64_t i = 1; i <= EDITS; i++) {
        edit(&show, paths[0], i == EDITS ? better : i % 2 == 0 ? typo : good, i);
    }
    await_outcome(&show, EDITS, &outcome);
    assert_true(outcome.shown);
    engine_loader_retire(show.loader, await_preset(show.loader));
    stop(&show);
}

static void hostile_edits_do_no_harm(void **state)
{
    (void)state;
    static char large[1 << 20];
    memset(large, '[', sizeof large);
    const struct base_span texts[] = {
        {"", 0}, {refused, sizeof refused}, {large, sizeof large}, {"\xFF\xFE", 2}};
    struct engine_loader_outcome outcome;
    PUT(0, good);
    struct show show = start(1);
    struct engine_loaded *first = await_preset(show.loader);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_true(engine_loader_edit(show.loader, paths[0], texts[i], i + 1));
        await_outcome(&show, i + 1, &outcome);
        assert_true(outcome.message_count <= BASE_DIAG_LIST_MAX);
        engine_loader_retire(show.loader, engine_loader_take(show.loader));
    }
    edit(&show, paths[0], better, 99);
    await_outcome(&show, 99, &outcome);
    assert_true(outcome.shown);
    engine_loader_retire(show.loader, first);
    stop(&show);
}

static void the_one_that_is_chosen_comes(void **state)
{
    (void)state;
    PUT(0, good);
    PUT(1, better);
    struct show show = start(2);
    struct engine_loaded *first = await_preset(show.loader);
    const uint32_t number = app_library_find(show.library, paths[1]);
    assert_int_not_equal(number, APP_LIBRARY_NONE);
    engine_loader_want(show.loader, number, true);
    struct engine_loaded *second = await_preset(show.loader);
    assert_int_equal(second->number, number);
    for (double until = 0; atomic_load(&messages.for_log) < 2 && wait_more(&until);) {
    }
    assert_int_equal(atomic_load(&messages.for_log), 2);
    assert_string_equal(second->preset->path, paths[1]);
    assert_false(second->again);
    engine_loader_step(show.loader, -1, false);
    struct engine_loaded *third = await_preset(show.loader);
    assert_int_equal(third->number, first->number);
    engine_loader_want(show.loader, 12345, false);
    pause_ms(200);
    assert_null(engine_loader_take(show.loader));
    assert_int_equal(engine_loader_counts(show.loader).failed, 0);
    assert_int_equal(engine_loader_counts(show.loader).loaded, 3);
    engine_loader_retire(show.loader, first);
    engine_loader_retire(show.loader, second);
    engine_loader_retire(show.loader, third);
    stop(&show);
}

/* Whether the second of two cues comes with a transition. */
static bool comes_softly(struct engine_loaded *one, struct engine_loaded *other)
{
    enum { SIDE = 16 };
    static uint32_t pixels[SIDE * SIDE];
    static const float silence[2 * 735];
    struct rend_input input = {.frame = 1, .fps = 60, .audio = silence, .audio_frames = 735};
    const struct rend_config config = {
        .width = SIDE, .height = SIDE, .mesh_x = 2, .mesh_y = 2, .fps = 60};
    struct rend_show *painted = rend_show_create(&config);
    assert_non_null(painted);
    rend_show_take(painted, one->cue);
    (void)rend_show_step(painted, &input, pixels, SIDE);
    rend_show_take(painted, other->cue);
    input.frame = 2;
    (void)rend_show_step(painted, &input, pixels, SIDE);
    const bool softly = rend_show_changes(painted);
    rend_show_end(painted);
    while (rend_show_retired(painted) != NULL) {
    }
    rend_show_free(painted);
    return softly;
}

static void a_cut_stays_one_where_the_next_cannot_be_loaded(void **state)
{
    (void)state;
    static const bool hard[] = {true, false};
    for (size_t i = 0; i < 2; i++) {
        PUT(0, good);
        PUT(1, good);
        struct show show = start(2);
        struct engine_loaded *first = await_preset(show.loader);
        pause_ms(100);
        PUT(1, refused); /* the library has not looked at it again */
        engine_loader_step(show.loader, 1, hard[i]);
        struct engine_loaded *second = await_preset(show.loader);
        assert_int_equal(engine_loader_counts(show.loader).failed, 1);
        assert_true(comes_softly(first, second) == !hard[i]);
        engine_loader_retire(show.loader, first);
        engine_loader_retire(show.loader, second);
        stop(&show);
    }
}

static void one_that_is_rejected_is_marked_and_left(void **state)
{
    (void)state;
    struct app_library_entry entry;
    PUT(0, good);
    PUT(1, better);
    struct show show = start(2);
    struct engine_loaded *first = await_preset(show.loader);
    engine_loader_reject(show.loader, first->number);
    struct engine_loaded *second = await_preset(show.loader);
    assert_int_not_equal(second->number, first->number);
    assert_true(app_library_entry(show.library, first->number, &entry));
    assert_int_equal(entry.verdict, APP_VERDICT_FAILED);
    assert_true(app_library_entry(show.library, second->number, &entry));
    assert_int_not_equal(entry.verdict, APP_VERDICT_FAILED);

    /* The only one that is left stays. */
    engine_loader_reject(show.loader, second->number);
    pause_ms(300);
    assert_true(app_library_entry(show.library, second->number, &entry));
    assert_int_not_equal(entry.verdict, APP_VERDICT_FAILED);
    assert_null(engine_loader_take(show.loader));
    engine_loader_retire(show.loader, first);
    engine_loader_retire(show.loader, second);
    stop(&show);
}

/* Another one is current by the time the painter finds that this one is slow. */
static void a_late_rejection_does_not_hit_the_next(void **state)
{
    (void)state;
    struct app_library_entry entry;
    PUT(0, good);
    PUT(1, better);
    struct show show = start(2);
    struct engine_loaded *first = await_preset(show.loader);
    engine_loader_step(show.loader, 1, false);
    struct engine_loaded *second = await_preset(show.loader);
    engine_loader_reject(show.loader, first->number);
    await_failed(&show, 1);
    assert_true(app_library_entry(show.library, second->number, &entry));
    assert_int_not_equal(entry.verdict, APP_VERDICT_FAILED);
    assert_int_equal(app_library_current(show.library), second->number);
    engine_loader_retire(show.loader, first);
    engine_loader_retire(show.loader, second);
    stop(&show);
}

static void transitions_have_names(void **state)
{
    (void)state;
    PUT(0, good);
    struct show show = start(1);
    engine_loader_retire(show.loader, await_preset(show.loader));
    assert_true(engine_loader_transition(show.loader, "cut"));
    assert_true(engine_loader_transition(show.loader, "random"));
    for (int i = 0; i < REND_TRANSITIONS; i++) {
        assert_true(
            engine_loader_transition(show.loader, rend_transition_name((enum rend_transition)i)));
    }
    assert_false(engine_loader_transition(show.loader, ""));
    assert_false(engine_loader_transition(show.loader, "cut "));
    assert_false(engine_loader_transition(show.loader, "no such"));
    stop(&show);
}

/* A show that may choose opens with the first preset that comes in time, or, where there is none,
 * with the lightest; what was passed over is as good as before. */
static void a_show_opens_with_what_the_machine_holds(void **state)
{
    (void)state;
    static const char heavy[] =
        "MILKDROP_PRESET_VERSION=201\nPSVERSION=3\nPSVERSION_WARP=3\nPSVERSION_COMP=0\n"
        "[preset00]\nwarp_1=`shader_body {\n"
        "warp_2=`float3 sum = 0; for (int i = 0; i < 200; i++) sum += tex2D(sampler_main, uv * "
        "i);\n"
        "warp_3=`ret = sum; }\n";
    static const struct {
        double fps; /* that the machine must hold */
        bool opens;
        bool light_first;
        uint32_t number; /* of the list, by then */
    } cases[] = {
        {20, true, false, 1}, {20, true, true, 0}, {20, false, false, 0}, {1e6, true, false, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct rend_config config = {
            .width = 480, .height = 360, .mesh_x = 2, .mesh_y = 2, .fps = cases[i].fps};
        put(0, cases[i].light_first ? good : heavy, strlen(cases[i].light_first ? good : heavy));
        put(1, cases[i].light_first ? heavy : good, strlen(cases[i].light_first ? heavy : good));
        struct show show = start_as(FILES, NULL, NULL, &config, cases[i].opens);
        struct engine_loaded *loaded = await_preset(show.loader);
        assert_string_equal(loaded->preset->path, paths[cases[i].number]);
        engine_loader_retire(show.loader, loaded);
        /* The other one is still there to be chosen. */
        engine_loader_step(show.loader, 1, true);
        loaded = await_preset(show.loader);
        assert_string_equal(loaded->preset->path, paths[1 - cases[i].number]);
        engine_loader_retire(show.loader, loaded);
        assert_int_equal(atomic_load(&messages.all), 0);
        assert_int_equal(engine_loader_counts(show.loader).failed, 0);
        stop(&show);
    }
}

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_that_is_not_for_the_audience_is_not_drawn),
        cmocka_unit_test(a_typo_does_not_replace_a_good_preset),
        cmocka_unit_test(a_file_that_is_gone_is_told_once_and_comes_back),
        cmocka_unit_test(one_that_began_with_errors_follows_its_file),
        cmocka_unit_test(what_cannot_be_loaded_is_reported_once),
        cmocka_unit_test(a_vain_step_is_not_repeated),
        cmocka_unit_test(an_edit_is_shown_unless_it_is_worse),
        cmocka_unit_test(what_the_file_says_is_kept),
        cmocka_unit_test(a_flawed_preset_takes_flawed_edits),
        cmocka_unit_test(an_edit_of_another_preset_is_dropped),
        cmocka_unit_test(the_newest_of_many_edits_is_tried),
        cmocka_unit_test(hostile_edits_do_no_harm),
        cmocka_unit_test(the_one_that_is_chosen_comes),
        cmocka_unit_test(a_cut_stays_one_where_the_next_cannot_be_loaded),
        cmocka_unit_test(one_that_is_rejected_is_marked_and_left),
        cmocka_unit_test(a_late_rejection_does_not_hit_the_next),
        cmocka_unit_test(transitions_have_names),
        cmocka_unit_test(a_show_opens_with_what_the_machine_holds),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
