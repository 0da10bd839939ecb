#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../turns.h"
#include "app/apart/apart.h"
#include "app/feed/presets.h"
#include "app/operator/operator.h"
#include "base/random.h"
#include "presets/file.h"
#include "presets/presets.h"
#include "ui/toolkit/imui.h"

/* The operator with all that is his but the sound, which is made for the test when this program is
 * linked, and a painter that paints nothing: it takes what the loader has, tells the operator of it
 * and obeys him. */
enum { WIDTH = 32, HEIGHT = 18, VIEW_WIDTH = 900, VIEW_HEIGHT = 560, TEXT = 14, PATIENCE = 300000 };
enum { PATH_ROOM = 300 };

static const char alpha[] = "[preset00]\nfDecay=0.9\nzoom=1\nper_frame_1=rot=0.01;\n";
static const char beta[] = "[preset00]\nfDecay=0.8\n";
static const char gamma_text[] = "[preset00]\nfDecay=0.7\n";

/* The sound: what was asked for last, on the operator's thread. */
struct app_sound {
    atomic_uint asked;
    char device[ENGINE_CALL_TEXT];
};

size_t app_sound_devices(struct app_sound *sound, char (*names)[APP_SOUND_NAME], size_t most)
{
    (void)sound;
    (void)names;
    (void)most;
    return 0;
}

void app_sound_choose(struct app_sound *sound, const char *device)
{
    (void)snprintf(sound->device, sizeof sound->device, "%s", device);
    (void)atomic_fetch_add(&sound->asked, 1);
}

struct stage {
    struct app_sound sound;
    char root[64];
    struct base_diag_sink sink;
    struct app_messages *messages;
    struct ui_bindings *bindings;
    struct app_library *library;
    struct app_presets presets;
    struct engine_loader *loader;
    struct app_operator *view;
    struct engine_loaded *current;
    struct ui_window_pixels pixels;
    uint64_t version;
    unsigned again; /* versions of what ran */
    unsigned surfaces;
    bool locked;
    double advance; /* as ordered last */
    bool frozen;
    bool blackout;
    bool elsewhere;
    bool pictured; /* the small picture is told */
    enum app_question asks;
    unsigned asked;
    struct engine_call ordered;     /* last */
    uint64_t late;                  /* frames */
    char set[64];                   /* the last order to set a value */
    double values[PRESET_KEY_ROWS]; /* as the painter would tell them */
    bool changed[PRESET_KEY_ROWS];
};

static void drop(void *user, const struct base_diag *diag)
{
    (void)user;
    (void)diag;
}

static const struct base_diag_sink nowhere = {drop, NULL};

/* ---- files ---- */

static void path_of(const struct stage *stage, char path[PATH_ROOM], const char *name)
{
    (void)snprintf(path, PATH_ROOM, "%s/%s", stage->root, name);
}

static void write_file(const struct stage *stage, const char *name, const char *text)
{
    char path[PATH_ROOM];
    path_of(stage, path, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) < 0, 0);
    assert_int_equal(fclose(file), 0);
}

/* "" if there is none. */
static const char *read_file(const struct stage *stage, const char *name)
{
    static char text[20000];
    char path[PATH_ROOM];
    path_of(stage, path, name);
    FILE *file = fopen(path, "rb");
    const size_t size = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

/* ---- the painter ---- */

static void obey(struct stage *stage, const struct engine_call *call)
{
    stage->ordered = *call;
    switch (call->command) {
    case UI_COMMAND_NEXT:
        engine_loader_step(stage->loader, (int)call->number, false);
        break;
    case UI_COMMAND_LOCK:
        stage->locked = call->to == ENGINE_SWITCH_ON;
        break;
    case UI_COMMAND_ADVANCE:
        stage->advance = call->number;
        break;
    case UI_COMMAND_TRANSITION:
        app_operator_do(stage->view, call);
        break;
    case UI_COMMAND_SET:
        (void)snprintf(stage->set, sizeof stage->set, "%.63s", call->text);
        break;
    default:
        break;
    }
}

static void read_values(struct stage *stage)
{
    struct preset preset;
    assert_int_equal(preset_read_file(&preset, stage->current->preset->path, NULL), 0);
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        stage->values[i] = preset_keys[i].group == PRESET_GROUP_PRESET
                               ? preset_key_get(&preset_keys[i], &preset)
                               : 0;
        stage->changed[i] = false;
    }
    preset_free(&preset);
}

static void take(struct stage *stage)
{
    struct engine_loaded *loaded = engine_loader_take(stage->loader);
    if (loaded != NULL) {
        engine_loader_retire(stage->loader, stage->current);
        stage->current = loaded;
        stage->version++;
        stage->again += loaded->again;
        if (!loaded->again) {
            read_values(stage);
        }
    }
}

static void report(struct stage *stage)
{
    struct app_snapshot *snapshot = app_operator_snapshot(stage->view);
    if (stage->current != NULL) {
        memcpy(snapshot->path, stage->current->preset->path, sizeof snapshot->path);
        memcpy(snapshot->name, stage->current->preset->name, sizeof snapshot->name);
        snapshot->number = stage->current->number;
    }
    snapshot->view = stage->pixels;
    snapshot->locked = stage->locked;
    snapshot->frozen = stage->frozen;
    snapshot->keys_elsewhere = stage->elsewhere;
    snapshot->blackout = stage->blackout;
    snapshot->picture_width = stage->pictured ? APP_SNAPSHOT_WIDTH : 0;
    snapshot->picture_height = stage->pictured ? APP_SNAPSHOT_HEIGHT : 0;
    snapshot->asks = stage->asks;
    snapshot->asked = stage->asked;
    snapshot->counters.late = stage->late;
    snapshot->version = stage->version;
    memcpy(snapshot->shown.values, stage->values, sizeof stage->values);
    memcpy(snapshot->shown.changed, stage->changed, sizeof stage->changed);
    app_operator_publish(stage->view);
}

static void frame(struct stage *stage)
{
    struct engine_call call;
    bool fresh;
    take(stage);
    while (app_operator_call(stage->view, &call)) {
        obey(stage, &call);
    }
    report(stage);
    const struct ui_surface *surface = app_operator_surface(stage->view, &fresh);
    stage->surfaces += surface != NULL && fresh;
    (void)nanosleep(&(struct timespec){.tv_nsec = 2 * 1000 * 1000}, NULL);
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Paints until it is so; a test that waits in vain has failed. */
#define AWAIT(stage, condition)                                                                    \
    do {                                                                                           \
        const double until = seconds() + PATIENCE / 1000.0;                                        \
        while (!(condition) && seconds() < until) {                                                \
            frame(stage);                                                                          \
        }                                                                                          \
        assert_true(condition);                                                                    \
    } while (0)

static bool runs(const struct stage *stage, const char *name)
{
    return stage->current != NULL && strcmp(stage->current->preset->name, name) == 0;
}

static unsigned count_said(const struct stage *stage, const char *words)
{
    struct app_message kept[APP_MESSAGES_KEPT];
    uint64_t revision;
    const size_t count = app_messages_newest(stage->messages, kept, APP_MESSAGES_KEPT, &revision);
    unsigned said = 0;
    for (size_t i = 0; i < count; i++) {
        said += strstr(kept[i].text, words) != NULL;
    }
    return said;
}

static bool is_said(const struct stage *stage, const char *words)
{
    return count_said(stage, words) > 0;
}

/* The view was drawn, with all that happened before. */
static void await_view(struct stage *stage)
{
    const unsigned seen = stage->surfaces;
    AWAIT(stage, stage->surfaces >= seen + 3);
}

/* ---- the operator ---- */

static void say(struct stage *stage, const char *words)
{
    struct engine_call call;
    assert_int_equal(
        ui_call_parse(&call, base_span_of(words), (struct base_place){0}, &stage->sink), 0);
    app_operator_do(stage->view, &call);
}

static void type(struct stage *stage, const char *words)
{
    for (; *words != '\0'; words++) {
        const struct ui_event event = {.kind = UI_EVENT_TEXT, .text = {*words}};
        app_operator_event(stage->view, &event);
    }
}

static void press(struct stage *stage, const char *key)
{
    struct ui_event event = {.kind = UI_EVENT_KEY};
    (void)snprintf(event.key, sizeof event.key, "%s", key);
    app_operator_event(stage->view, &event);
}

static void click(struct stage *stage, int x, int y)
{
    struct ui_event event = {.kind = UI_EVENT_MOVE, .x = x, .y = y, .clicks = 1};
    app_operator_event(stage->view, &event);
    event.kind = UI_EVENT_PRESS;
    (void)snprintf(event.key, sizeof event.key, "MouseLeft");
    app_operator_event(stage->view, &event);
    event.kind = UI_EVENT_LET_GO;
    app_operator_event(stage->view, &event);
}

static void rate_works(struct stage *stage, int stars)
{
    struct app_library_entry entry;
    char words[16];
    (void)snprintf(words, sizeof words, "rate =%d", stars);
    say(stage, words);
    AWAIT(stage, app_library_entry(stage->library, app_library_current(stage->library), &entry) &&
                     entry.stars == stars);
}

/* ---- beginning and end ---- */

static void make_files(struct stage *stage)
{
    static const char *const folders[] = {"presets", "pictures", "data"};
    char path[PATH_ROOM];
    (void)snprintf(stage->root, sizeof stage->root, "/tmp/froth_operator_XXXXXX");
    assert_non_null(mkdtemp(stage->root));
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        path_of(stage, path, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    write_file(stage, "presets/alpha.milk", alpha);
    write_file(stage, "presets/beta.milk", beta);
    write_file(stage, "presets/gamma.milk", gamma_text);
    path_of(stage, path, "data");
    assert_int_equal(setenv("XDG_DATA_HOME", path, 1), 0);
    path_of(stage, path, "pictures");
    assert_int_equal(setenv("XDG_PICTURES_DIR", path, 1), 0);
    assert_int_equal(setenv("HOME", stage->root, 1), 0);
}

static void open_library(struct stage *stage)
{
    char presets[PATH_ROOM];
    char data[PATH_ROOM];
    char cache[PATH_ROOM];
    path_of(stage, presets, "presets");
    path_of(stage, data, "data/froth");
    path_of(stage, cache, "cache");
    const char *const paths[] = {presets};
    const struct app_library_setup setup = {
        .paths = paths, .path_count = 1, .data = data, .cache = cache};
    stage->library = app_library_open(&setup, &stage->sink);
    assert_non_null(stage->library);
    assert_true(app_library_wait(stage->library));
}

static int open_stage(void **state)
{
    struct stage *stage = calloc(1, sizeof *stage);
    assert_non_null(stage);
    make_files(stage);
    stage->messages = app_messages_create(&nowhere);
    stage->sink = app_messages_sink(stage->messages);
    stage->bindings = ui_bindings_load("milkdrop", &stage->sink);
    assert_non_null(stage->bindings);
    open_library(stage);
    stage->presets.library = stage->library;
    const struct engine_loader_setup loader = {
        .config = {.width = 16, .height = 16, .mesh_x = 2, .mesh_y = 2, .fps = 60},
        .changes = engine_changes_of(NULL, -1, 0),
        .planned = 30,
        .beside = true,
        .source = app_presets_source(&stage->presets),
        .watches = true};
    stage->loader = engine_loader_create(&loader, &stage->sink);
    const struct app_operator_setup setup = {.library = stage->library,
                                             .loader = stage->loader,
                                             .sound = &stage->sound,
                                             .bindings = stage->bindings,
                                             .messages = stage->messages,
                                             .width = WIDTH,
                                             .height = HEIGHT};
    stage->view = app_operator_start(&setup, &stage->sink);
    assert_true(stage->loader != NULL && stage->view != NULL);
    stage->pixels = (struct ui_window_pixels){VIEW_WIDTH, VIEW_HEIGHT, TEXT};
    AWAIT(stage, runs(stage, "alpha"));
    *state = stage;
    return 0;
}

/* What is kept has been written then. */
static void close_show(struct stage *stage)
{
    app_operator_stop(stage->view);
    engine_loader_retire(stage->loader, stage->current);
    engine_loader_free(stage->loader);
    app_library_close(stage->library);
    stage->view = NULL;
    stage->current = NULL;
    stage->loader = NULL;
    stage->library = NULL;
}

static int close_stage(void **state)
{
    struct stage *stage = *state;
    if (stage->view != NULL) {
        close_show(stage);
    }
    ui_bindings_free(stage->bindings);
    app_messages_free(stage->messages);
    char command[PATH_ROOM];
    (void)snprintf(command, sizeof command, "rm -rf '%s'", stage->root);
    free(stage);
    return system(command);
}

/* ---- tests ---- */

/* All at once, faster than the view is drawn. */
static void a_search_that_is_typed_is_played_by_enter(void **state)
{
    struct stage *stage = *state;
    say(stage, "search");
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    type(stage, "gxmma");
    for (int i = 0; i < 4; i++) {
        press(stage, "Backspace");
    }
    type(stage, "amma");
    press(stage, "Enter");
    AWAIT(stage, runs(stage, "gamma"));
    AWAIT(stage, !app_operator_has_keyboard(stage->view));
}

static void commands_search_select_and_play(void **state)
{
    struct stage *stage = *state;
    say(stage, "search a");
    await_view(stage);
    say(stage, "select 1");
    say(stage, "play");
    AWAIT(stage, runs(stage, "beta") || runs(stage, "gamma"));
    say(stage, "select -1000000");
    say(stage, "play");
    AWAIT(stage, runs(stage, "alpha"));
    say(stage, "search beta");
    await_view(stage);
    say(stage, "play");
    AWAIT(stage, runs(stage, "beta"));
}

static void what_is_selected_stays_so_when_presets_come(void **state)
{
    struct stage *stage = *state;
    say(stage, "search a");
    await_view(stage);
    say(stage, "select -1000000");
    say(stage, "play");
    AWAIT(stage, runs(stage, "alpha"));
    say(stage, "select 2");
    write_file(stage, "presets/aaa.milk", gamma_text);
    AWAIT(stage, app_library_state(stage->library).presets == 4);
    await_view(stage);
    say(stage, "play");
    AWAIT(stage, runs(stage, "gamma"));
}

static void a_preset_is_loaded_by_a_part_of_its_name(void **state)
{
    struct stage *stage = *state;
    say(stage, "load amm");
    AWAIT(stage, runs(stage, "gamma"));
    say(stage, "load nothing like it");
    AWAIT(stage, is_said(stage, "no preset fits 'nothing like it'"));
    assert_true(runs(stage, "gamma"));
}

static void a_preset_is_loaded_by_its_number(void **state)
{
    struct stage *stage = *state;
    const uint32_t second = app_library_find(stage->library, "beta");
    const uint32_t third = app_library_find(stage->library, "gamma");
    char order[32];
    (void)snprintf(order, sizeof order, "load =%" PRIu32, third);
    say(stage, order);
    AWAIT(stage, runs(stage, "gamma"));
    assert_true(stage->current->soft);
    (void)snprintf(order, sizeof order, "load =%" PRIu32 "!", second);
    say(stage, order);
    AWAIT(stage, runs(stage, "beta"));
    assert_false(stage->current->soft);
    say(stage, "load =4000000000");
    AWAIT(stage, is_said(stage, "no preset fits '=4000000000'"));
}

/* A tab shows its panel and gives it no keyboard; a click into the text does. */
static void click_into_the_editor(struct stage *stage)
{
    struct ui_imui *ui = ui_imui_create(TEXT, NULL);
    assert_non_null(ui);
    const int y = 2 * ui_imui_gap(ui) + ui_imui_row(ui) * 3 / 2;
    ui_imui_free(ui);
    for (int x = VIEW_WIDTH / 4; x < VIEW_WIDTH; x += 50) {
        click(stage, x, y);
        await_view(stage);
        assert_false(app_operator_has_keyboard(stage->view));
    }
    say(stage, "panel editor");
    await_view(stage);
    assert_false(app_operator_has_keyboard(stage->view));
    click(stage, VIEW_WIDTH / 2, VIEW_HEIGHT / 2);
    AWAIT(stage, app_operator_has_keyboard(stage->view));
}

static bool outcome_is(const struct stage *stage, bool shown, bool flawed)
{
    struct engine_loader_outcome outcome;
    engine_loader_outcome(stage->loader, &outcome);
    return outcome.revision > 0 && outcome.shown == shown && (outcome.message_count > 0) == flawed;
}

static void the_editor_takes_typing(void **state)
{
    static const char flawed[] = "per_frame_2=zoom=1+*(;";
    static const char good[] = "per_frame_2=zoom=1.5;";
    struct stage *stage = *state;
    click_into_the_editor(stage);
    assert_int_equal(stage->again, 0);
    press(stage, "Ctrl+End");
    type(stage, flawed);
    AWAIT(stage, outcome_is(stage, false, true));
    AWAIT(stage, stage->locked);
    const uint64_t version = stage->version;
    await_view(stage);
    assert_int_equal(stage->version, version);
    assert_true(runs(stage, "alpha"));
    for (size_t i = 0; i < sizeof flawed - 1; i++) {
        press(stage, "Backspace");
    }
    type(stage, good);
    AWAIT(stage, outcome_is(stage, true, false) && stage->version > version);
    assert_string_equal(read_file(stage, "presets/alpha.milk"), alpha);

    say(stage, "save edited");
    AWAIT(stage, is_said(stage, "saved as"));
    assert_non_null(strstr(read_file(stage, "data/froth/presets/edited.milk"), good));
    say(stage, "save again");
    AWAIT(stage, strstr(read_file(stage, "data/froth/presets/again.milk"), good) != NULL);
    assert_string_equal(read_file(stage, "presets/alpha.milk"), alpha);
}

static void revert_brings_the_file_back(void **state)
{
    struct stage *stage = *state;
    say(stage, "edit");
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    await_view(stage);
    press(stage, "Ctrl+End");
    type(stage, "per_frame_2=zoom=1.5;");
    AWAIT(stage, stage->again > 0 && outcome_is(stage, true, false));
    say(stage, "revert");
    await_view(stage);
    say(stage, "save");
    AWAIT(stage, is_said(stage, "saved as"));
    assert_string_equal(read_file(stage, "data/froth/presets/alpha - 2.milk"), alpha);
}

static void opinions_reach_their_file(void **state)
{
    struct stage *stage = *state;
    struct app_library_entry entry;
    const uint32_t number = app_library_current(stage->library);
    say(stage, "rate =4");
    say(stage, "rate -1");
    say(stage, "favourite on");
    say(stage, "tag late-night");
    say(stage, "tag early");
    say(stage, "tag -early");
    say(stage, "playlist-add evening");
    AWAIT(stage, is_said(stage, "alpha joined evening"));
    assert_true(is_said(stage, "3 stars") && is_said(stage, "a favourite"));
    assert_true(app_library_entry(stage->library, number, &entry));
    assert_true(entry.stars == 3 && entry.favourite && entry.rated);
    assert_string_equal(entry.tags, "late-night");
    say(stage, "rate =1000000");
    AWAIT(stage, is_said(stage, "5 stars"));
    say(stage, "rate -1000000");
    AWAIT(stage, is_said(stage, "0 stars"));
    say(stage, "tag not/a/tag");
    AWAIT(stage, is_said(stage, "'not/a/tag' cannot be a tag"));
    close_show(stage);
    const char *kept = read_file(stage, "data/froth/library.yaml");
    assert_non_null(strstr(kept, "late-night"));
    assert_null(strstr(kept, "early"));
}

static bool is_told(struct stage *stage, enum app_text text, const char *words)
{
    return strcmp(app_operator_told(stage->view)->texts[text], words) == 0;
}

static void what_was_set_is_told(void **state)
{
    struct stage *stage = *state;
    AWAIT(stage, is_told(stage, APP_TEXT_TRANSITION, "random") &&
                     is_told(stage, APP_TEXT_PANEL, "library") &&
                     is_told(stage, APP_TEXT_LOOK, "list") && is_told(stage, APP_TEXT_ONLY, ""));
    say(stage, "transition cut");
    say(stage, "look medium");
    say(stage, "search amm");
    say(stage, "panel keys");
    say(stage, "only beta");
    say(stage, "tag slow");
    say(stage, "rate =4");
    say(stage, "favourite on");
    AWAIT(stage, is_told(stage, APP_TEXT_TAG, "slow") && app_operator_told(stage->view)->favourite);
    assert_true(is_told(stage, APP_TEXT_TRANSITION, "cut"));
    assert_true(is_told(stage, APP_TEXT_LOOK, "medium"));
    assert_true(is_told(stage, APP_TEXT_SEARCH, "amm"));
    assert_true(is_told(stage, APP_TEXT_PANEL, "keys"));
    assert_true(is_told(stage, APP_TEXT_ONLY, "beta"));
    assert_int_equal(app_operator_told(stage->view)->stars, 4);
    /* Of another preset it is that one's; what does not exist changes nothing. */
    say(stage, "transition nothing");
    say(stage, "load gamma");
    AWAIT(stage, runs(stage, "gamma"));
    AWAIT(stage, app_operator_told(stage->view)->preset == stage->current->number);
    assert_false(app_operator_told(stage->view)->favourite);
    assert_int_equal(app_operator_told(stage->view)->stars, 0);
    assert_true(is_told(stage, APP_TEXT_TAG, "") && is_told(stage, APP_TEXT_TRANSITION, "cut"));
}

static void a_playlist_is_played(void **state)
{
    struct stage *stage = *state;
    say(stage, "load gamma");
    AWAIT(stage, runs(stage, "gamma"));
    say(stage, "playlist-add evening");
    AWAIT(stage, is_said(stage, "gamma joined evening"));
    say(stage, "load beta");
    AWAIT(stage, runs(stage, "beta"));
    say(stage, "playlist evening");
    AWAIT(stage, runs(stage, "gamma") && is_told(stage, APP_TEXT_PLAYLIST, "evening"));
    const uint64_t version = stage->version;
    say(stage, "playlist no such list");
    AWAIT(stage, is_said(stage, "no such list"));
    assert_int_equal(stage->version, version);
}

/* Where things of the library's panel lie in the usual view. */
struct panel {
    int left;
    int right;
    int row;
    int gap;
    int tags;  /* middle of the row of tags, */
    int lists; /* and of the one below */
};

static struct panel panel_of_library(void)
{
    struct ui_imui *ui = ui_imui_create(TEXT, NULL);
    assert_non_null(ui);
    struct panel panel = {.row = ui_imui_row(ui), .gap = ui_imui_gap(ui)};
    ui_imui_free(ui);
    const int inner = VIEW_WIDTH - 2 * panel.gap;
    const int column = 14 * panel.row < inner / 3 ? 14 * panel.row : inner / 3;
    panel.left = panel.gap + column + 2 * panel.gap;
    panel.right = VIEW_WIDTH - panel.gap;
    panel.lists = VIEW_HEIGHT - 2 * panel.gap - panel.row / 2;
    panel.tags = panel.lists - panel.gap - panel.row;
    return panel;
}

static const char *tags_of(struct stage *stage)
{
    static struct app_library_entry entry;
    assert_true(app_library_entry(stage->library, app_library_current(stage->library), &entry));
    return entry.tags;
}

static void tags_are_edited_below_the_list(void **state)
{
    struct stage *stage = *state;
    const struct panel panel = panel_of_library();
    await_view(stage);
    click(stage, panel.right - 2 * panel.row, panel.tags);
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    type(stage, "calm");
    press(stage, "Enter");
    AWAIT(stage, strcmp(tags_of(stage), "calm") == 0);
    type(stage, "blue/green");
    press(stage, "Enter");
    AWAIT(stage, is_said(stage, "'blue/green' cannot be a tag"));
    press(stage, "Escape");
    AWAIT(stage, !app_operator_has_keyboard(stage->view));
    await_view(stage);
    click(stage, panel.left + panel.gap + 4 * panel.row + panel.gap, panel.tags);
    AWAIT(stage, tags_of(stage)[0] == '\0');
}

static void a_playlist_is_made_and_put_in_order_below_the_list(void **state)
{
    static const char file[] = "data/froth/playlists/mine.txt";
    struct stage *stage = *state;
    const struct panel panel = panel_of_library();
    await_view(stage);
    click(stage, panel.right - 2 * panel.row, panel.lists);
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    type(stage, "mine");
    press(stage, "Enter");
    AWAIT(stage, is_said(stage, "alpha joined mine"));
    press(stage, "Escape");
    say(stage, "load beta");
    AWAIT(stage, runs(stage, "beta"));
    say(stage, "playlist-add mine");
    AWAIT(stage, is_said(stage, "beta joined mine"));
    assert_non_null(strstr(strstr(read_file(stage, file), "alpha"), "beta"));
    say(stage, "playlist mine");
    AWAIT(stage, runs(stage, "alpha"));
    say(stage, "search"); /* for nothing: the playlist in its order */
    await_view(stage);
    press(stage, "Escape");
    say(stage, "select -1000");
    say(stage, "select 1");
    await_view(stage);
    click(stage, panel.left + panel.gap + panel.row / 2, panel.lists);
    AWAIT(stage, strstr(strstr(read_file(stage, file), "beta"), "alpha") != NULL);
    engine_loader_step(stage->loader, 1, false);
    AWAIT(stage, runs(stage, "beta"));
}

static void only_what_is_found_comes_by_itself(void **state)
{
    struct stage *stage = *state;
    say(stage, "only mma");
    AWAIT(stage, is_said(stage, "only what fits 'mma' comes now"));
    engine_loader_step(stage->loader, 1, false);
    AWAIT(stage, runs(stage, "gamma"));
    say(stage, "only stars>=5");
    AWAIT(stage, is_said(stage, "nothing that may be shown fits 'stars>=5'; what came before still "
                                "holds"));
    const uint64_t version = stage->version;
    engine_loader_step(stage->loader, 1, false);
    AWAIT(stage, stage->version > version);
    assert_true(runs(stage, "gamma"));
    say(stage, "only");
    AWAIT(stage, is_said(stage, "all presets come now"));
    engine_loader_step(stage->loader, 1, false);
    AWAIT(stage, runs(stage, "alpha"));
}

static void drop_on(struct stage *stage, const char *name)
{
    char path[PATH_ROOM];
    path_of(stage, path, name);
    app_operator_drop(stage->view, strdup(path));
}

static void what_is_dropped_is_taken_in(void **state)
{
    struct stage *stage = *state;
    char path[PATH_ROOM];
    path_of(stage, path, "more");
    assert_int_equal(mkdir(path, 0700), 0);
    write_file(stage, "more/delta.milk", beta);
    write_file(stage, "single.milk", gamma_text);
    write_file(stage, "set.m3u", "presets/beta.milk\npresets/gamma.milk\n");
    write_file(stage, "picture.png", "");
    drop_on(stage, "more");
    AWAIT(stage, app_library_find(stage->library, "delta") != APP_LIBRARY_NONE);
    AWAIT(stage, is_said(stage, "joined the library, with 1 preset"));
    assert_true(runs(stage, "alpha"));
    drop_on(stage, "single.milk");
    AWAIT(stage, runs(stage, "single"));
    drop_on(stage, "picture.png");
    AWAIT(stage, is_said(stage, "is neither a preset (.milk, .fnp) nor a playlist nor a folder"));
    drop_on(stage, "no/such.milk");
    AWAIT(stage, is_said(stage, "such.milk is no file"));
    drop_on(stage, "set.m3u");
    AWAIT(stage, runs(stage, "beta"));
    for (int i = 0; i < 200; i++) { /* more than there is room for */
        drop_on(stage, "single.milk");
    }
    app_operator_drop(stage->view, NULL);
    AWAIT(stage, runs(stage, "single"));
}

static void transitions_and_seconds_have_controls(void **state)
{
    struct stage *stage = *state;
    const struct panel panel = panel_of_library();
    say(stage, "blend 4.5");
    AWAIT(stage, engine_loader_changes(stage->loader).seconds == 4.5);
    say(stage, "blend -1");
    AWAIT(stage, engine_loader_changes(stage->loader).seconds == 0);
    say(stage, "panel show");
    await_view(stage);
    /* The slider of the first row, then any of the buttons of transitions. */
    for (int y = 7 * panel.row / 2; y < VIEW_HEIGHT && stage->advance == 0; y += panel.row / 2) {
        click(stage, (panel.left + panel.right) / 2 + 2 * panel.row, y);
        await_view(stage);
    }
    assert_true(stage->advance > 5 && stage->advance < 175);
    assert_true(engine_loader_changes(stage->loader).random);
    for (int y = VIEW_HEIGHT; y > 0 && engine_loader_changes(stage->loader).random;
         y -= panel.row / 2) {
        click(stage, panel.left + 5 * panel.row, y);
        await_view(stage);
    }
    assert_false(engine_loader_changes(stage->loader).random);
}

/* In every look of the list. */
static void the_selection_goes_on_with_what_runs(void **state)
{
    static const char *const looks[] = {"look list", "look small", "look large"};
    struct stage *stage = *state;
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        say(stage, looks[i]);
        await_view(stage);
    }
    engine_loader_step(stage->loader, 1, false);
    AWAIT(stage, runs(stage, "beta"));
    await_view(stage);
    say(stage, "select 1");
    say(stage, "play");
    AWAIT(stage, runs(stage, "gamma"));
    /* It waits until the operator has looked at nothing else for five seconds. */
    await_view(stage);
    engine_loader_step(stage->loader, 1, false);
    AWAIT(stage, runs(stage, "alpha"));
    const double calm = seconds() + 6;
    while (seconds() < calm) {
        frame(stage);
    }
    say(stage, "select 1");
    say(stage, "play");
    AWAIT(stage, runs(stage, "beta"));
    say(stage, "look huge");
    AWAIT(stage, is_said(stage, "list, small, medium or large"));
}

static void playlists_that_do_not_fit_a_row_take_another(void **state)
{
    struct stage *stage = *state;
    stage->pixels = (struct ui_window_pixels){640, 360, 15};
    say(stage, "load gamma");
    AWAIT(stage, runs(stage, "gamma"));
    say(stage, "playlist-add 1 with a name that takes half a row");
    say(stage, "load beta");
    AWAIT(stage, runs(stage, "beta"));
    say(stage, "playlist-add 2 with a name that takes half a row");
    AWAIT(stage, is_said(stage, "beta joined 2"));
    say(stage, "load alpha");
    AWAIT(stage, runs(stage, "alpha"));
    for (int i = 0; i < 500 && !runs(stage, "beta"); i++) { /* the view looks now and then */
        click(stage, 300, 91);
        await_view(stage);
    }
    assert_true(runs(stage, "beta"));
}

static void a_hidden_preset_is_left_and_never_shown_again(void **state)
{
    struct stage *stage = *state;
    struct app_library_entry entry;
    const uint32_t number = stage->current->number;
    say(stage, "hide");
    AWAIT(stage, runs(stage, "beta"));
    assert_true(is_said(stage, "alpha will not be shown again"));
    assert_true(app_library_entry(stage->library, number, &entry) && entry.hidden);
    close_show(stage);
    assert_non_null(strstr(read_file(stage, "data/froth/library.yaml"), "hidden"));
}

static void saving_writes_what_was_changed_live(void **state)
{
    struct stage *stage = *state;
    const size_t zoom = (size_t)(preset_key_find(base_span_of("zoom")) - preset_keys);
    const size_t decay = (size_t)(preset_key_find(base_span_of("fDecay")) - preset_keys);
    stage->values[zoom] = 1.25;
    stage->changed[zoom] = true;
    stage->values[decay] = 0.5; /* of a version that is about to leave */
    await_view(stage);
    say(stage, "save");
    AWAIT(stage, is_said(stage, "saved as"));
    assert_string_equal(read_file(stage, "data/froth/presets/alpha - 2.milk"),
                        "[preset00]\nfDecay=0.9\nzoom=1.25\nper_frame_1=rot=0.01;\n");
    assert_string_equal(read_file(stage, "presets/alpha.milk"), alpha);
}

/* Its text has no such values; what was written in the editor is saved all the same. */
static void saving_a_patch_of_the_board_leaves_values_out(void **state)
{
    static const char patch[] = "decay=0.9\nper_frame: rot = 0.01\n";
    struct stage *stage = *state;
    const size_t zoom = (size_t)(preset_key_find(base_span_of("zoom")) - preset_keys);
    write_file(stage, "presets/patch.fnp", patch);
    AWAIT(stage, app_library_find(stage->library, "patch") != APP_LIBRARY_NONE);
    say(stage, "load patch");
    AWAIT(stage, runs(stage, "patch"));
    say(stage, "save");
    AWAIT(stage, is_said(stage, "patch - 2.fnp"));
    assert_false(is_said(stage, "not saved with"));
    stage->values[zoom] = 1.25;
    stage->changed[zoom] = true;
    await_view(stage);
    say(stage, "save");
    AWAIT(stage, is_said(stage, "patch - 3.fnp"));
    assert_true(is_said(stage, "not saved with a patch of the board"));
    assert_string_equal(read_file(stage, "data/froth/presets/patch - 3.fnp"), patch);
}

static void what_is_saved_is_what_its_name_says(void **state)
{
    static const char patch[] = "decay=0.9\nper_frame: rot = 0.01\n";
    static const char refused[] =
        "x.milk: error: not saved: what runs is a patch of the board; give "
        "it a name that ends with .fnp";
    struct stage *stage = *state;
    char words[PATH_ROOM + 8];
    say(stage, "save y.FNP");
    AWAIT(stage, is_said(stage, "what runs is no patch of the board; give it a name that ends with "
                                ".milk"));
    say(stage, "save y.milk");
    AWAIT(stage, is_said(stage, "/y.milk"));
    assert_string_equal(read_file(stage, "data/froth/presets/y.milk"), alpha);
    write_file(stage, "presets/patch.milk", patch); /* known by what it says */
    AWAIT(stage, app_library_find(stage->library, "patch") != APP_LIBRARY_NONE);
    say(stage, "load patch");
    AWAIT(stage, runs(stage, "patch"));
    say(stage, "save x.milk");
    AWAIT(stage, is_said(stage, refused));
    (void)snprintf(words, sizeof words, "save %s/x.milk", stage->root);
    say(stage, words);
    say(stage, "save x.fnp");
    AWAIT(stage, is_said(stage, "/x.fnp"));
    assert_string_equal(read_file(stage, "data/froth/presets/x.fnp"), patch);
    assert_string_equal(read_file(stage, "data/froth/presets/x.milk"), "");
    assert_string_equal(read_file(stage, "x.milk"), "");
    say(stage, "save z");
    AWAIT(stage, is_said(stage, "/z.fnp"));
}

static void saving_never_writes_over_a_file(void **state)
{
    struct stage *stage = *state;
    char words[PATH_ROOM + 8];
    say(stage, "save");
    AWAIT(stage, read_file(stage, "data/froth/presets/alpha - 2.milk")[0] != '\0');
    say(stage, "save");
    AWAIT(stage, read_file(stage, "data/froth/presets/alpha - 3.milk")[0] != '\0');
    write_file(stage, "data/froth/presets/mine.milk", "mine");
    say(stage, "save mine");
    AWAIT(stage, is_said(stage, "mine.milk: error"));
    assert_string_equal(read_file(stage, "data/froth/presets/mine.milk"), "mine");
    (void)snprintf(words, sizeof words, "save %s/presets/beta.milk", stage->root);
    say(stage, words);
    AWAIT(stage, is_said(stage, "beta.milk: error"));
    assert_string_equal(read_file(stage, "presets/beta.milk"), beta);
    (void)snprintf(words, sizeof words, "save %s/no/such/folder/x.milk", stage->root);
    say(stage, words);
    AWAIT(stage, is_said(stage, "x.milk: error"));
}

static void what_is_saved_is_found_again(void **state)
{
    static const char *const hidden[] = {"save .", "save .milk", "save x/.y.milk", "save x/"};
    struct stage *stage = *state;
    char words[PATH_ROOM + 8];
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        const unsigned before = count_said(stage, "not saved: this is no name");
        say(stage, hidden[i]);
        AWAIT(stage, count_said(stage, "not saved: this is no name") > before);
    }
    (void)snprintf(words, sizeof words, "save %s/without ending", stage->root);
    say(stage, words);
    AWAIT(stage, is_said(stage, "without ending.milk"));
    assert_string_equal(read_file(stage, "without ending.milk"), alpha);
}

static void a_folder_that_cannot_be_made_is_named(void **state)
{
    struct stage *stage = *state;
    write_file(stage, "taken", "");
    char path[PATH_ROOM];
    path_of(stage, path, "taken");
    assert_int_equal(setenv("XDG_DATA_HOME", path, 1), 0);
    say(stage, "save");
    AWAIT(stage, is_said(stage, "presets: error: cannot make this folder: "));
    AWAIT(stage, is_said(stage, "the preset is not saved"));
    say(stage, "edit");
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    type(stage, "// mine");
    press(stage, "Escape");
    await_view(stage);
    say(stage, "select");
    say(stage, "play");
    AWAIT(stage, is_said(stage, "what was changed in the editor is not kept"));
}

static void shots(struct stage *stage, uint32_t colour)
{
    static uint32_t pixels[HEIGHT * (WIDTH + 3)];
    const struct ui_surface picture = {pixels, WIDTH, HEIGHT, WIDTH + 3};
    for (size_t i = 0; i < sizeof pixels / sizeof pixels[0]; i++) {
        pixels[i] = colour;
    }
    app_operator_screenshot(stage->view, &picture);
}

static void screenshots_are_numbered_and_write_over_nothing(void **state)
{
    struct stage *stage = *state;
    write_file(stage, "pictures/froth-1.png", "mine");
    shots(stage, 0xFF8000);
    AWAIT(stage, is_said(stage, "froth-2.png has the picture"));
    assert_memory_equal(read_file(stage, "pictures/froth-2.png"), "\x89PNG", 4);
    while (!is_said(stage, "froth-3.png has the picture")) {
        shots(stage, 0x0080FF); /* one that comes while another is written is left out */
        frame(stage);
    }
    assert_string_equal(read_file(stage, "pictures/froth-1.png"), "mine");
}

static void the_device_is_the_sounds_to_choose(void **state)
{
    struct stage *stage = *state;
    say(stage, "device Monitor of something");
    AWAIT(stage, atomic_load(&stage->sound.asked) == 1);
    assert_string_equal(stage->sound.device, "Monitor of something");
    say(stage, "device");
    AWAIT(stage, atomic_load(&stage->sound.asked) == 2);
    assert_string_equal(stage->sound.device, "");
}

static void notes_become_messages(void **state)
{
    static const struct {
        enum app_note note;
        const char *about;
        double a;
        double b;
        const char *said;
    } cases[] = {
        {APP_NOTE_ORDER_RANDOM, "", 0, 0, "random order"},
        {APP_NOTE_LOCKED, "", 0, 0, "locked"},
        {APP_NOTE_NAME_ALWAYS, "", 0, 0, "name: always"},
        {APP_NOTE_TOO_SLOW_LEFT, "beta", 10, 0.5,
         "beta.milk: warning: 10 frames in a row took more than 0.5 seconds each; the next preset "
         "takes its place"},
        {APP_NOTE_TOO_SLOW_LEFT, "alpha", 10, 0.5,
         "alpha.milk: warning: 10 frames in a row took more than 0.5 seconds each; the next preset "
         "takes its place"},
        {APP_NOTE_TOO_SLOW, "alpha", 10, 0.5, "0.5 seconds each; try a smaller --size"},
        {APP_NOTE_TOO_COSTLY_LEFT, "beta", 0, 0,
         "beta.milk: warning: too expensive: it does not fit into a frame and is not drawn whole; "
         "the next preset takes its place"},
        {APP_NOTE_SHADERS, "alpha", 100, 25,
         "compute 100 % (warp) and 25 % (comp) of the pixels; --shaders full keeps them fine"},
    };
    struct stage *stage = *state;
    frame(stage);
    await_view(stage);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint32_t preset = cases[i].about[0] != '\0'
                                    ? app_library_find(stage->library, cases[i].about)
                                    : APP_LIBRARY_NONE;
        app_operator_note(stage->view, cases[i].note, preset, cases[i].a, cases[i].b);
        AWAIT(stage, is_said(stage, cases[i].said));
    }
    for (int note = 0; note < APP_NOTE_COUNT; note++) {
        app_operator_note(stage->view, (enum app_note)note, (uint32_t)note * 1000, -1e300, 1e300);
    }
    rate_works(stage, 2);
}

static void what_is_unknown_is_said(void **state)
{
    static const struct {
        const char *words;
        const char *said;
    } cases[] = {
        {"panel nonsense", "there is no panel 'nonsense'"},
        {"transition nonsense", "there is no transition 'nonsense'"},
    };
    struct stage *stage = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        say(stage, cases[i].words);
        AWAIT(stage, is_said(stage, cases[i].said));
    }
}

static const char *const panels[] = {
#define APP_PANEL(id, name, ...) "panel " name,
#include "app/operator/panels.def"
};

static void the_help_lists_all_panels(void **state)
{
    (void)state;
    char help[256] = "part of the operator's view: ";
    for (size_t i = 0; i < sizeof panels / sizeof panels[0]; i++) {
        (void)strncat(help, i > 0 ? ", " : "", sizeof help - strlen(help) - 1);
        (void)strncat(help, panels[i] + strlen("panel "), sizeof help - strlen(help) - 1);
    }
    assert_string_equal(ui_command_rows[UI_COMMAND_PANEL].help, help);
}

static void all_panels_are_drawn_in_all_sizes(void **state)
{
    static const struct ui_window_pixels sizes[] = {
        {VIEW_WIDTH, VIEW_HEIGHT, TEXT}, {1, 1, 14}, {300, 20, 40}, {37, 900, 9}, {1600, 900, 22}};
    struct stage *stage = *state;
    for (size_t i = 0; i < sizeof panels / sizeof panels[0]; i += EACH(3)) {
        say(stage, panels[i]);
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            bool fresh;
            stage->pixels = sizes[k];
            AWAIT(stage, app_operator_surface(stage->view, &fresh) != NULL &&
                             app_operator_surface(stage->view, &fresh)->width == sizes[k].width);
            assert_int_equal(app_operator_surface(stage->view, &fresh)->height, sizes[k].height);
        }
    }
}

/* As a window that is dragged smaller and smaller, over a running picture. */
static void all_panels_have_a_picture_in_all_sizes(void **state)
{
    static const int widths[] = {1, 2, 7, 40, 160, 480, 1280};
    static const int heights[] = {720, 300, 211, 150, 97, 60, 31, 12, 3, 1};
    struct stage *stage = *state;
    stage->pictured = true;
    for (size_t i = 0; i < sizeof panels / sizeof panels[0]; i += EACH(3)) {
        say(stage, panels[i]);
        stage->blackout = i % 2 == 0;
        stage->frozen = i % 3 == 0;
        for (size_t k = 0; k < sizeof heights / sizeof heights[0]; k++) {
            bool fresh;
            const int width = widths[(i + k) % (sizeof widths / sizeof widths[0])];
            stage->pixels = (struct ui_window_pixels){width, heights[k], 9 + (int)(i + k) % 32};
            AWAIT(stage, app_operator_surface(stage->view, &fresh) != NULL &&
                             app_operator_surface(stage->view, &fresh)->height == heights[k]);
            assert_int_equal(app_operator_surface(stage->view, &fresh)->width, width);
        }
    }
}

/* Of the view's lower left corner, `height` pixels high. */
static uint64_t corner_hash(struct stage *stage, int height)
{
    bool fresh;
    uint64_t hash = BASE_HASH_START;
    const struct ui_surface *surface = app_operator_surface(stage->view, &fresh);
    const size_t width = (size_t)surface->width / 4;
    for (int y = surface->height - height; y < surface->height; y++) {
        hash = base_hash(hash, surface->pixels + (size_t)y * surface->stride,
                         width * sizeof *surface->pixels);
    }
    return hash;
}

static void a_message_has_room_in_a_small_view(void **state)
{
    static const struct ui_window_pixels small = {960, 540, 15};
    struct stage *stage = *state;
    stage->pixels = small;
    AWAIT(stage, runs(stage, "alpha"));
    await_view(stage);
    await_view(stage);
    const uint64_t before = corner_hash(stage, 3 * small.text);
    app_operator_note(stage->view, APP_NOTE_TOO_SLOW, stage->current->number, 10, 0.5);
    AWAIT(stage, is_said(stage, "0.5 seconds each"));
    await_view(stage);
    assert_true(corner_hash(stage, 3 * small.text) != before);
}

static void a_view_that_is_not_shown_has_no_keyboard(void **state)
{
    static const struct ui_window_pixels sizes[] = {{0, 0, 0}, {-5, 100, 14}, {100000, 100000, 14}};
    struct stage *stage = *state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        stage->pixels = (struct ui_window_pixels){VIEW_WIDTH, VIEW_HEIGHT, TEXT};
        await_view(stage);
        say(stage, "edit");
        AWAIT(stage, app_operator_has_keyboard(stage->view));
        stage->pixels = sizes[i];
        AWAIT(stage, !app_operator_has_keyboard(stage->view));
        /* It comes back without. */
        stage->pixels = (struct ui_window_pixels){VIEW_WIDTH, VIEW_HEIGHT, TEXT};
        await_view(stage);
        assert_false(app_operator_has_keyboard(stage->view));
    }
}

/* What is typed after Ctrl+F is looked for, and is no part of the text. */
static void the_editor_is_searched(void **state)
{
    struct stage *stage = *state;
    say(stage, "panel editor");
    say(stage, "find");
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    type(stage, "zoom");
    press(stage, "Enter");
    type(stage, "nowhere");
    press(stage, "Enter");
    AWAIT(stage, is_said(stage, "'nowhere' is not in this text"));
    type(stage, "ROT");
    press(stage, "Enter");
    press(stage, "Escape");
    AWAIT(stage, !app_operator_has_keyboard(stage->view));
    say(stage, "edit");
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    type(stage, "dx"); /* in place of what was found */
    AWAIT(stage, stage->again > 0 && outcome_is(stage, true, false));
    say(stage, "save");
    AWAIT(stage, is_said(stage, "saved as"));
    assert_string_equal(read_file(stage, "data/froth/presets/alpha - 2.milk"),
                        "[preset00]\nfDecay=0.9\nzoom=1\nper_frame_1=dx=0.01;\n");
    say(stage, "panel library");
    say(stage, "find");
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    type(stage, "gamma");
    press(stage, "Enter");
    AWAIT(stage, runs(stage, "gamma"));
}

/* One is put in before the others without a number; it runs, and what is saved is numbered. */
static void an_equation_is_put_in_without_renumbering(void **state)
{
    static const char *const keys[] = {"Ctrl+End", "Up", "Up", "End", "Enter"};
    struct stage *stage = *state;
    say(stage, "edit");
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        press(stage, keys[i]);
    }
    type(stage, "per_frame_=dx=0.5;");
    press(stage, "Enter"); /* the next line is one of the program too */
    type(stage, "dy=0.5;");
    AWAIT(stage, stage->again > 0 && outcome_is(stage, true, false));
    say(stage, "save");
    AWAIT(stage, is_said(stage, "saved as"));
    assert_string_equal(read_file(stage, "data/froth/presets/alpha - 2.milk"),
                        "[preset00]\nfDecay=0.9\nzoom=1\nper_frame_1=dx=0.5;\n"
                        "per_frame_2=dy=0.5;\nper_frame_3=rot=0.01;\n");
    type(stage, "dz=1;"); /* the cursor is where it was */
    await_view(stage);
    say(stage, "save");
    AWAIT(stage, strstr(read_file(stage, "data/froth/presets/alpha - 3.milk"),
                        "\nper_frame_2=dy=0.5;dz=1;\n") != NULL);
}

/* Clicks on the first or second button from the right above the text. */
static void answer(struct stage *stage, int button)
{
    struct ui_imui *ui = ui_imui_create(TEXT, NULL);
    const int row = ui_imui_row(ui);
    const int gap = ui_imui_gap(ui);
    ui_imui_free(ui);
    click(stage, VIEW_WIDTH - gap - (5 * row + gap) * button - row * 2,
          gap * 3 + row + row * 5 / 4 + row / 2);
    await_view(stage);
}

static void another_version_of_the_format_is_asked_about(void **state)
{
    struct stage *stage = *state;
    write_file(stage, "presets/new.milk", "MILKDROP_PRESET_VERSION=201\n[preset00]\nzoom=1\n");
    AWAIT(stage, app_library_find(stage->library, "new") != APP_LIBRARY_NONE);
    say(stage, "load new");
    AWAIT(stage, runs(stage, "new"));
    for (int round = 0; round < 2; round++) {
        const unsigned again = stage->again;
        say(stage, "edit");
        AWAIT(stage, app_operator_has_keyboard(stage->view));
        press(stage, "Ctrl+Home");
        type(stage, "5");
        AWAIT(stage, count_said(stage, "may change from 201 to 100") > 0);
        await_view(stage);
        if (round == 0) { /* Keep, whose text runs once more some time later */
            assert_int_equal(stage->again, again);
        }
        answer(stage, round);
        if (round == 0) {
            say(stage, "save");
            AWAIT(stage, strstr(read_file(stage, "data/froth/presets/new - 2.milk"),
                                "MILKDROP_PRESET_VERSION=201\n[preset00]") != NULL);
            assert_int_equal(read_file(stage, "data/froth/presets/new - 2.milk")[0], 'M');
        } else {
            AWAIT(stage, stage->again > again);
            say(stage, "save");
            AWAIT(stage, strstr(read_file(stage, "data/froth/presets/new - 3.milk"),
                                "5MILKDROP_PRESET_VERSION=201") != NULL);
        }
    }
}

/* The colour of the upper left corner's frame. */
static uint32_t frame_colour(struct stage *stage)
{
    bool fresh;
    await_view(stage);
    return app_operator_surface(stage->view, &fresh)->pixels[0];
}

static void blackout_and_freeze_have_colours(void **state)
{
    struct stage *stage = *state;
    assert_int_equal(frame_colour(stage), ui_theme_dark.ground);
    stage->frozen = true;
    assert_int_equal(frame_colour(stage), ui_theme_dark.frozen);
    stage->blackout = true;
    assert_int_equal(frame_colour(stage), ui_theme_dark.black);
    stage->frozen = stage->blackout = false;
    assert_int_equal(frame_colour(stage), ui_theme_dark.ground);
}

/* The upper right corner holds no, and left of it yes. */
static void what_ends_the_show_is_a_dialog(void **state)
{
    enum { NO_X = VIEW_WIDTH - 60, YES_X = VIEW_WIDTH - 60 - 5 * TEXT * 2, Y = 2 * TEXT };
    struct stage *stage = *state;
    frame(stage);
    await_view(stage);
    stage->asks = APP_ASKS_QUIT;
    stage->asked = 1;
    await_view(stage);
    click(stage, YES_X, Y);
    AWAIT(stage, stage->ordered.command == UI_COMMAND_QUIT);
    stage->ordered.command = UI_COMMAND_NONE;
    stage->asks = APP_ASKS_WINDOW;
    stage->asked++;
    await_view(stage);
    click(stage, NO_X, Y);
    await_view(stage);
    click(stage, YES_X, Y); /* it is gone */
    await_view(stage);
    assert_int_equal(stage->ordered.command, UI_COMMAND_NONE);
    stage->asked++;
    await_view(stage);
    click(stage, YES_X, Y);
    AWAIT(stage, stage->ordered.command == UI_COMMAND_FULLSCREEN &&
                     stage->ordered.to == ENGINE_SWITCH_OFF);
}

/* Pixels of a colour in the upper right quarter, which the status lies in. */
static unsigned count_colour(struct stage *stage, uint32_t colour)
{
    bool fresh;
    await_view(stage);
    const struct ui_surface *surface = app_operator_surface(stage->view, &fresh);
    unsigned count = 0;
    for (int y = 0; y < surface->height / 4; y++) {
        for (int x = surface->width * 3 / 5; x < surface->width; x++) {
            count += surface->pixels[(size_t)y * surface->stride + (size_t)x] == colour;
        }
    }
    return count;
}

static void who_gets_the_keys_is_plain_to_see(void **state)
{
    enum { BAND = 1000 /* pixels, at least */ };
    struct stage *stage = *state;
    say(stage, "panel editor");
    assert_true(count_colour(stage, ui_theme_dark.accent) < BAND);
    say(stage, "edit");
    AWAIT(stage, app_operator_has_keyboard(stage->view));
    assert_true(count_colour(stage, ui_theme_dark.accent) > BAND);
    stage->elsewhere = true; /* the window has lost the keyboard */
    assert_true(count_colour(stage, ui_theme_dark.accent) < BAND);
    stage->elsewhere = false;
    press(stage, "Escape");
    AWAIT(stage, !app_operator_has_keyboard(stage->view));
    assert_true(count_colour(stage, ui_theme_dark.accent) < BAND);
}

static void late_frames_are_told_at_once(void **state)
{
    struct stage *stage = *state;
    assert_int_equal(count_colour(stage, ui_theme_dark.error), 0);
    stage->late = 7;
    assert_true(count_colour(stage, ui_theme_dark.error) > 0);
}

static struct ui_event any_event(struct base_rng *rng)
{
    static const char *const keys[] = {"Enter",  "Escape", "Tab",       "Down",      "Up",
                                       "Ctrl+A", "Delete", "Backspace", "MouseLeft", "Ctrl+Z"};
    struct ui_event event = {.kind = (enum ui_event_kind)(base_rng_next(rng) % UI_EVENT_CLOSE),
                             .shift = base_rng_next(rng) % 2,
                             .clicks = (int)(base_rng_next(rng) % 4),
                             .x = (int)(base_rng_next(rng) % (2 * VIEW_WIDTH)) - VIEW_WIDTH / 2,
                             .y = (int)(base_rng_next(rng) % (2 * VIEW_HEIGHT)) - VIEW_HEIGHT / 2,
                             .wheel = (double)(base_rng_next(rng) % 7) - 3};
    (void)snprintf(event.key, sizeof event.key, "%s",
                   keys[base_rng_next(rng) % (sizeof keys / sizeof keys[0])]);
    for (size_t i = 0; i + 1 < sizeof event.text; i++) {
        event.text[i] = (char)(base_rng_next(rng) % 256);
    }
    return event;
}

static void a_flood_of_events_does_no_harm(void **state)
{
    enum { EVENTS = 3000 };
    struct stage *stage = *state;
    struct base_rng rng;
    base_rng_seed(&rng, 1, 1);
    for (int i = 0; i < EVENTS; i++) {
        const struct ui_event event = any_event(&rng);
        app_operator_event(stage->view, &event);
        if (i % 100 == 0) {
            frame(stage);
        }
    }
    rate_works(stage, 1);
    rate_works(stage, 5);
}

static void memory_is_measured(void **state)
{
    struct stage *stage = *state;
    AWAIT(stage, app_operator_memory(stage->view) > 100000);
}

/* That is wider in larger text. */
static void check_margin(struct stage *stage)
{
    enum { MARGIN = 3 };
    bool fresh;
    const struct ui_surface *surface = app_operator_surface(stage->view, &fresh);
    assert_int_equal(surface->width, stage->pixels.width);
    assert_int_equal(surface->height, stage->pixels.height);
    for (int y = 0; y < surface->height; y++) {
        const bool edge = y < MARGIN || y >= surface->height - MARGIN;
        for (int x = 0; x < surface->width; x++) {
            if (edge || x < MARGIN || x >= surface->width - MARGIN) {
                assert_int_equal(surface->pixels[(size_t)y * surface->stride + (size_t)x],
                                 ui_theme_dark.ground);
            }
        }
    }
}

static void nothing_lies_in_the_margin_of_a_view(void **state)
{
    static const struct ui_window_pixels sizes[] = {{320, 240, 15},  {640, 360, 15},
                                                    {640, 480, 15},  {1280, 720, 30},
                                                    {1280, 720, 15}, {40, 30, 15}};
    struct stage *stage = *state;
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        stage->pixels = sizes[size];
        for (size_t i = size % EACH(3); i < sizeof panels / sizeof *panels; i += EACH(3)) {
            say(stage, panels[i]);
            await_view(stage);
            check_margin(stage);
        }
    }
}

static void the_lowest_button_of_a_small_view_is_whole(void **state)
{
    enum { STEP = 4, LEAST = 3 /* clicks on it, one below the other */ };
    struct stage *stage = *state;
    stage->pixels = (struct ui_window_pixels){640, 360, 15};
    await_view(stage);
    for (int y = 240; y < 360; y += STEP) {
        click(stage, 100, y);
        await_view(stage);
    }
    assert_true(atomic_load(&stage->sound.asked) >= LEAST);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_stage, close_stage)

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        TEST(a_search_that_is_typed_is_played_by_enter),
        TEST(commands_search_select_and_play),
        TEST(what_is_selected_stays_so_when_presets_come),
        TEST(a_preset_is_loaded_by_a_part_of_its_name),
        TEST(a_preset_is_loaded_by_its_number),
        TEST(the_editor_takes_typing),
        TEST(revert_brings_the_file_back),
        TEST(opinions_reach_their_file),
        TEST(what_was_set_is_told),
        TEST(a_playlist_is_played),
        TEST(tags_are_edited_below_the_list),
        TEST(a_playlist_is_made_and_put_in_order_below_the_list),
        TEST(only_what_is_found_comes_by_itself),
        TEST(what_is_dropped_is_taken_in),
        TEST(transitions_and_seconds_have_controls),
        TEST(the_selection_goes_on_with_what_runs),
        TEST(playlists_that_do_not_fit_a_row_take_another),
        TEST(a_hidden_preset_is_left_and_never_shown_again),
        TEST(saving_writes_what_was_changed_live),
        TEST(saving_a_patch_of_the_board_leaves_values_out),
        TEST(what_is_saved_is_what_its_name_says),
        TEST(saving_never_writes_over_a_file),
        TEST(what_is_saved_is_found_again),
        TEST(a_folder_that_cannot_be_made_is_named),
        TEST(screenshots_are_numbered_and_write_over_nothing),
        TEST(the_device_is_the_sounds_to_choose),
        TEST(a_message_has_room_in_a_small_view),
        TEST(notes_become_messages),
        TEST(what_is_unknown_is_said),
        cmocka_unit_test(the_help_lists_all_panels),
        TEST(all_panels_are_drawn_in_all_sizes),
        TEST(all_panels_have_a_picture_in_all_sizes),
        TEST(nothing_lies_in_the_margin_of_a_view),
        TEST(the_lowest_button_of_a_small_view_is_whole),
        TEST(a_view_that_is_not_shown_has_no_keyboard),
        TEST(the_editor_is_searched),
        TEST(an_equation_is_put_in_without_renumbering),
        TEST(another_version_of_the_format_is_asked_about),
        TEST(blackout_and_freeze_have_colours),
        TEST(what_ends_the_show_is_a_dialog),
        TEST(who_gets_the_keys_is_plain_to_see),
        TEST(late_frames_are_told_at_once),
        TEST(a_flood_of_events_does_no_harm),
        TEST(memory_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
