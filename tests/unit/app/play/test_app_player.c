#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/play/player.h"

/* Window, sound, loader, library, operator, painter and clock made for the test take the place of
 * the real ones when this program is linked: a frame takes as long as the test says. */
struct event {
    unsigned frame; /* comes when so many were made */
    struct ui_event event;
};

static struct {
    bool alone;   /* there is one preset only */
    double clock; /* seconds */
    struct app_loaded *ready;
    struct app_loaded *reloaded; /* comes at the frame `reload_frame` */
    unsigned reload_frame;
    const struct event *events;
    size_t event_count;
    const struct ui_call *order; /* of the operator, or NULL */
    unsigned frames;
    unsigned slow_frames; /* how many frames from the first are slow */
    const char *shaded;   /* not NULL: shaders run, which take 30 ms at first */
    int divisors[REND_SHADER_STAGES];
    unsigned fast_frame; /* but for this one */
    int steps;
    unsigned cuts;
    unsigned rejected;
    uint32_t rejected_number;
    unsigned names_shown;
    unsigned retired;
    unsigned tweaks_set;
    int monitors;
    int monitor;
    bool deaf;       /* nothing is heard any more */
    double tempo[2]; /* that the meter and the operator were shown last */
    bool has_keyboard;
    unsigned operators_events;
    enum ui_command done; /* what the operator was asked last */
    unsigned notes[APP_NOTE_COUNT];
    unsigned note_count;
    double note_numbers[2]; /* of the first one */
    uint32_t note_preset;   /* of the last one */
    bool changes;           /* one preset gives way to the next */
    uint64_t newest;        /* step */
    unsigned left_out;      /* steps that do not follow the one before */
    unsigned published;
    const uint32_t *shown; /* pixels of the last picture */
    struct rend_cue *running;
    struct rend_cue *leaving;
} stage;

static struct app_snapshot snapshot;
static uint32_t bright[1];
static uint32_t black[1];

int clock_gettime(clockid_t id, struct timespec *time)
{
    (void)id;
    time->tv_sec = (time_t)stage.clock;
    time->tv_nsec = (long)((stage.clock - (double)time->tv_sec) * 1e9);
    return 0;
}

int clock_nanosleep(clockid_t id, int flags, const struct timespec *until, struct timespec *rest)
{
    (void)id;
    (void)flags;
    (void)rest;
    const double seconds = (double)until->tv_sec + (double)until->tv_nsec * 1e-9;
    stage.clock = seconds > stage.clock ? seconds : stage.clock;
    return 0;
}

/* ---- window ---- */

double ui_window_refresh(const struct ui_window *window)
{
    (void)window;
    return 0;
}

bool ui_window_poll(struct ui_window *window, struct ui_event *event)
{
    (void)window;
    if (stage.event_count == 0 || stage.frames < stage.events->frame) {
        return false;
    }
    *event = stage.events->event;
    stage.events++;
    stage.event_count--;
    return true;
}

void ui_window_present(struct ui_window *window, const struct ui_surface *picture,
                       const struct ui_surface *overlay)
{
    (void)window;
    (void)overlay;
    stage.shown = picture->pixels;
}

void ui_window_set_title(struct ui_window *window, const char *title)
{
    (void)window;
    (void)title;
}

bool ui_window_is_fullscreen(const struct ui_window *window)
{
    (void)window;
    return false;
}

void ui_window_set_fullscreen(struct ui_window *window, bool fullscreen)
{
    (void)window;
    (void)fullscreen;
}

int ui_window_monitors(const struct ui_window *window)
{
    (void)window;
    return stage.monitors;
}

int ui_window_monitor(const struct ui_window *window)
{
    (void)window;
    return stage.monitor;
}

void ui_window_set_monitor(struct ui_window *window, int monitor)
{
    (void)window;
    stage.monitor = monitor;
}

bool ui_window_open_operator(struct ui_window *window, int width, int height)
{
    (void)window;
    (void)width;
    (void)height;
    return false;
}

void ui_window_close_operator(struct ui_window *window)
{
    (void)window;
}

void ui_window_present_operator(struct ui_window *window, const struct ui_surface *surface)
{
    (void)window;
    (void)surface;
}

struct ui_window_pixels ui_window_pixels(const struct ui_window *window)
{
    (void)window;
    return (struct ui_window_pixels){100, 100, 10};
}

/* ---- overlay ---- */

void ui_overlay_set_name(struct ui_overlay *overlay, const struct ui_line *name)
{
    (void)overlay;
    (void)name;
}

void ui_overlay_show_name(struct ui_overlay *overlay, double now)
{
    (void)overlay;
    (void)now;
    stage.names_shown++;
}

void ui_overlay_set_names(struct ui_overlay *overlay, enum ui_overlay_names names)
{
    (void)overlay;
    (void)names;
}

void ui_overlay_set_help(struct ui_overlay *overlay, bool shown)
{
    (void)overlay;
    (void)shown;
}

void ui_overlay_set_fps(struct ui_overlay *overlay, double fps)
{
    (void)overlay;
    (void)fps;
}

void ui_overlay_set_meter(struct ui_overlay *overlay, const struct rend_heard *heard)
{
    (void)overlay;
    stage.tempo[0] = heard != NULL ? heard->bpm : -1;
}

void ui_overlay_draw(const struct ui_overlay *overlay, const struct ui_surface *surface, double now)
{
    (void)overlay;
    (void)surface;
    (void)now;
}

/* ---- loader, library, sound ---- */

void app_loader_step(struct app_loader *loader, int steps, enum app_loader_change change)
{
    (void)loader;
    stage.cuts += change == APP_CHANGE_HARD;
    stage.steps += steps;
}

void app_loader_reject(struct app_loader *loader, uint32_t number)
{
    (void)loader;
    stage.rejected++;
    stage.rejected_number = number;
}

struct app_loader_counts app_loader_counts(const struct app_loader *loader)
{
    (void)loader;
    return (struct app_loader_counts){1, 0};
}

struct app_loaded *app_loader_take(struct app_loader *loader)
{
    (void)loader;
    struct app_loaded *taken = stage.ready;
    stage.ready = NULL;
    if (taken != NULL) {
        taken->cue = (struct rend_cue *)(void *)taken;
    }
    return taken;
}

void app_loader_retire(struct app_loader *loader, struct app_loaded *loaded)
{
    (void)loader;
    stage.retired += loaded != NULL;
}

bool app_loader_alone(const struct app_loader *loader)
{
    (void)loader;
    return stage.alone;
}

bool app_loader_failed(const struct app_loader *loader)
{
    (void)loader;
    return false;
}

void app_loader_tell(struct app_loader *loader, const struct rend_moment *moment)
{
    (void)loader;
    (void)moment;
}

void app_library_idle(struct app_library *library, bool allowed)
{
    (void)library;
    (void)allowed;
}

size_t app_sound_read(struct app_sound *sound, uint64_t due, float *interleaved, size_t frames)
{
    (void)sound;
    (void)due;
    (void)interleaved;
    (void)frames;
    return 0;
}

void app_sound_status(struct app_sound *sound, struct app_sound_status *status)
{
    (void)sound;
    *status = (struct app_sound_status){0};
}

bool app_sound_is_heard(const struct app_sound *sound)
{
    (void)sound;
    return !stage.deaf;
}

/* ---- operator ---- */

void app_operator_event(struct app_operator *view, const struct ui_event *event)
{
    (void)view;
    (void)event;
    stage.operators_events++;
}

char *ui_window_clipboard(void)
{
    return NULL;
}

void ui_window_set_clipboard(const char *text)
{
    (void)text;
}

void app_operator_paste(struct app_operator *view, char *text)
{
    (void)view;
    (void)text;
}

char *app_operator_copied(struct app_operator *view)
{
    (void)view;
    return NULL;
}

bool app_operator_has_keyboard(const struct app_operator *view)
{
    (void)view;
    return stage.has_keyboard;
}

void app_operator_do(struct app_operator *view, const struct ui_call *call)
{
    (void)view;
    stage.done = call->command;
}

bool app_operator_call(struct app_operator *view, struct ui_call *call)
{
    (void)view;
    if (stage.order == NULL) {
        return false;
    }
    *call = *stage.order;
    stage.order = NULL;
    return true;
}

void app_operator_note(struct app_operator *view, enum app_note note, uint32_t preset, double a,
                       double b)
{
    (void)view;
    stage.notes[note]++;
    stage.note_preset = preset;
    if (stage.note_count++ == 0) {
        stage.note_numbers[0] = a;
        stage.note_numbers[1] = b;
    }
}

struct app_snapshot *app_operator_snapshot(struct app_operator *view)
{
    (void)view;
    return &snapshot;
}

void app_operator_publish(struct app_operator *view)
{
    (void)view;
    stage.tempo[1] = snapshot.heard.bpm;
    stage.published++;
}

double app_operator_memory(const struct app_operator *view)
{
    (void)view;
    return 1e6;
}

const struct ui_surface *app_operator_surface(struct app_operator *view, bool *fresh)
{
    (void)view;
    *fresh = false;
    return NULL;
}

void app_operator_screenshot(struct app_operator *view, const struct ui_surface *picture)
{
    (void)view;
    (void)picture;
}

void app_snapshot_of_show(struct app_snapshot *to, const struct rend_show *show, bool whole)
{
    (void)show;
    (void)whole;
    to->heard = rend_heard(NULL);
}

void app_snapshot_picture(struct app_snapshot *to, const struct ui_surface *picture)
{
    (void)to;
    (void)picture;
}

void app_snapshot_wave(float *wave, const float *interleaved, size_t frames)
{
    (void)wave;
    (void)interleaved;
    (void)frames;
}

/* ---- painter ---- */

/* A preset is its own cue. */
void rend_show_take(struct rend_show *show, struct rend_cue *cue)
{
    (void)show;
    stage.leaving = stage.running;
    stage.running = cue;
}

struct rend_cue *rend_show_retired(struct rend_show *show)
{
    (void)show;
    struct rend_cue *cue = stage.leaving;
    stage.leaving = NULL;
    return cue;
}

void *rend_cue_user(const struct rend_cue *cue)
{
    return (void *)(uintptr_t)cue;
}

struct rend_moment rend_show_moment(const struct rend_show *show)
{
    (void)show;
    return (struct rend_moment){0};
}

const struct rend *rend_show_front(const struct rend_show *show)
{
    (void)show;
    return (const struct rend *)(const void *)stage.shaded;
}

bool rend_show_set_value(struct rend_show *show, size_t key, double value)
{
    (void)show;
    (void)key;
    (void)value;
    stage.tweaks_set++;
    return true;
}

bool rend_show_set_newest(struct rend_show *show, size_t key, double value)
{
    return rend_show_set_value(show, key, value);
}

double rend_value(const struct rend *rend, size_t key)
{
    (void)rend;
    (void)key;
    return stage.tweaks_set;
}

struct rend_heard rend_heard(const struct rend *rend)
{
    (void)rend;
    return (struct rend_heard){.bpm = 120};
}

bool rend_show_changes(const struct rend_show *show)
{
    (void)show;
    return stage.changes;
}

bool rend_has_shaders(const struct rend *rend)
{
    return rend != NULL;
}

void rend_show_set_divisors(struct rend_show *show, const int divisors[REND_SHADER_STAGES])
{
    (void)show;
    memcpy(stage.divisors, divisors, sizeof stage.divisors);
}

unsigned rend_show_step(struct rend_show *show, const struct rend_input *input, uint32_t *pixels,
                        size_t stride)
{
    (void)show;
    (void)pixels;
    (void)stride;
    stage.frames++;
    stage.left_out += input->frame != stage.newest + 1;
    stage.newest = input->frame;
    const bool slow = stage.frames <= stage.slow_frames && stage.frames != stage.fast_frame;
    const int pixels_of_one = stage.divisors[0] * stage.divisors[1];
    stage.clock += slow                   ? 0.6
                   : stage.shaded != NULL ? 0.030 / (pixels_of_one > 0 ? pixels_of_one : 1)
                                          : 0.001;
    if (stage.frames == stage.reload_frame) {
        stage.ready = stage.reloaded;
    }
    return 0;
}

enum { FIRST_NUMBER = 7 };
static struct app_loaded first = {
    .path = "one.milk", .name = "preset", .number = FIRST_NUMBER, .seconds = -1};
static struct base_diag_list messages;
static struct app_player player;
static struct app_options options;

static void begin(void)
{
    memset(&stage, 0, sizeof stage);
    options = (struct app_options){.duration = 20, .step_rate = -1};
    player = (struct app_player){.options = &options, .fps = 60, .speed = 1};
    player.picture = (struct ui_surface){bright, 1, 1, 1};
    player.black = (struct ui_surface){black, 1, 1, 1};
    app_auto_begin(&player.vj, 30, 0, 1);
    stage.monitors = stage.monitor = 1;
    stage.clock = 1000;
}

/* Runs for 20 s, so that no preset's time is up. */
static void run(void)
{
    memset(&messages, 0, sizeof messages);
    player.sink = base_diag_list_sink(&messages);
    player.bindings = ui_bindings_load("milkdrop", &player.sink);
    assert_non_null(player.bindings);
    player.steps = app_steps_of(&options, app_rate_of(player.fps));
    stage.ready = &first;
    app_player_run(&player);
    assert_false(player.failed);
    ui_bindings_free(player.bindings);
    player.bindings = NULL;
}

static struct event key_at(unsigned frame, const char *key)
{
    struct event event = {frame, {.kind = UI_EVENT_KEY}};
    (void)snprintf(event.event.key, sizeof event.event.key, "%s", key);
    return event;
}

static void run_with(const struct event *events, size_t count)
{
    stage.events = events;
    stage.event_count = count;
    run();
    assert_int_equal(stage.event_count, 0);
}

static void hopelessly_slow_presets_are_left(void **state)
{
    (void)state;
    static const struct {
        unsigned slow_frames;
        unsigned fast_frame;
        const char *key;
        unsigned rejected;
        enum app_note note;
    } cases[] = {
        {0, 0, NULL, 0, APP_NOTE_COUNT},
        {9, 0, NULL, 0, APP_NOTE_COUNT},
        {10, 0, NULL, 1, APP_NOTE_TOO_SLOW_LEFT},
        {15, 0, NULL, 1, APP_NOTE_TOO_SLOW_LEFT},
        {15, 8, NULL, 0, APP_NOTE_COUNT},
        {15, 5, NULL, 1, APP_NOTE_TOO_SLOW_LEFT},
        {15, 0, "ScrollLock", 0, APP_NOTE_TOO_SLOW},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        const struct event lock = key_at(0, cases[i].key == NULL ? "" : cases[i].key);
        stage.slow_frames = cases[i].slow_frames;
        stage.fast_frame = cases[i].fast_frame;
        run_with(&lock, cases[i].key != NULL);
        assert_int_equal(stage.rejected, cases[i].rejected);
        assert_int_equal(player.counters.slow, cases[i].rejected);
        assert_int_equal(stage.steps, 0);
        for (int note = APP_NOTE_TOO_SLOW_LEFT; note <= APP_NOTE_TOO_SLOW; note++) {
            assert_int_equal(stage.notes[note], note == (int)cases[i].note);
        }
        if (cases[i].rejected > 0) {
            assert_int_equal(stage.rejected_number, FIRST_NUMBER);
            assert_true(stage.note_numbers[0] == APP_PLAYER_SLOW && stage.note_numbers[1] == 0.5);
            assert_int_equal(stage.note_preset, FIRST_NUMBER);
        }
        assert_true(stage.frames > 20);
    }
}

static void a_changed_preset_does_not_show_its_name_again(void **state)
{
    (void)state;
    static const struct {
        uint32_t number;
        bool again;
        unsigned names_shown;
    } cases[] = {{FIRST_NUMBER, true, 1}, {8, false, 2}, {8, true, 2}, {FIRST_NUMBER, false, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct app_loaded second = {
            .name = "preset", .number = cases[i].number, .seconds = -1, .again = cases[i].again};
        begin();
        stage.reloaded = &second;
        stage.reload_frame = 5;
        run();
        assert_int_equal(stage.names_shown, cases[i].names_shown);
        assert_int_equal(player.counters.shown, cases[i].names_shown);
        assert_int_equal(player.version, 2);
        assert_int_equal(stage.retired, 1);
    }
}

static void answers_to_keys_are_notes(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        enum app_note note;
    } cases[] = {{"R", APP_NOTE_ORDER_RANDOM},
                 {"`", APP_NOTE_LOCKED},
                 {"ScrollLock", APP_NOTE_LOCKED},
                 {"F4", APP_NOTE_NAME_ALWAYS}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        const struct event event = key_at(0, cases[i].key);
        run_with(&event, 1);
        assert_int_equal(stage.note_count, 1);
        assert_int_equal(stage.notes[cases[i].note], 1);
        assert_int_equal(stage.note_preset, APP_LIBRARY_NONE);
        assert_int_equal(messages.count, 0);
    }
}

static void random_order_reaches_the_library(void **state)
{
    (void)state;
    begin();
    const struct event event = key_at(0, "R");
    run_with(&event, 1);
    assert_int_equal(stage.done, UI_COMMAND_RANDOM);
    assert_true(player.random);
}

static void shaders_become_coarse(void **state)
{
    (void)state;
    for (int changes = 0; changes < 2; changes++) {
        begin();
        stage.changes = changes;
        stage.shaded = "some preset with shaders";
        run();
        assert_int_equal(stage.divisors[0] * stage.divisors[1], 4);
        assert_int_equal(stage.notes[APP_NOTE_SHADERS], 2);
        assert_true(stage.note_numbers[0] == 100 && stage.note_numbers[1] == 25);
        assert_int_equal(stage.note_preset, changes ? APP_LIBRARY_NONE : FIRST_NUMBER);
    }
}

static void no_tempo_is_shown_of_a_sound_that_is_lost(void **state)
{
    (void)state;
    for (int deaf = 0; deaf < 2; deaf++) {
        begin();
        stage.deaf = deaf;
        stage.shaded = "a preset";
        player.meter_shown = true;
        run();
        const double shown = deaf ? 0 : 120;
        assert_true(stage.tempo[0] == shown && stage.tempo[1] == shown);
    }
}

static void presets_come_by_themselves_until_locked(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        bool alone;
        int steps;
    } cases[] = {{"", false, 1}, {"`", false, 0}, {"", true, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        const struct event event = key_at(0, cases[i].key);
        stage.shaded = "a preset";
        stage.alone = cases[i].alone;
        app_auto_begin(&player.vj, 15, 0, 1);
        run_with(&event, 1);
        assert_int_equal(stage.steps, cases[i].steps);
        assert_int_equal(stage.cuts, 0);
    }
}

static void a_blackout_is_black(void **state)
{
    (void)state;
    begin();
    run();
    assert_ptr_equal(stage.shown, bright);
    const unsigned frames = stage.frames;
    static const struct ui_call order = {.command = UI_COMMAND_BLACKOUT, .to = UI_SWITCH_ON};
    begin();
    stage.order = &order;
    run();
    assert_ptr_equal(stage.shown, black);
    assert_int_equal(stage.frames, frames);
    assert_int_equal(stage.notes[APP_NOTE_BLACKOUT], 1);
    assert_true(snapshot.blackout);
}

static void a_picture_that_stands_still_takes_the_steps_asked_for(void **state)
{
    (void)state;
    begin();
    static const struct ui_call order = {.command = UI_COMMAND_STEP, .number = 1};
    stage.order = &order;
    run();
    assert_true(player.frozen);
    assert_int_equal(stage.frames, 1);
    assert_int_equal(stage.notes[APP_NOTE_FROZEN], 1);
    assert_true(stage.published > 1000);
}

static void a_show_goes_on_where_the_picture_stood(void **state)
{
    (void)state;
    static const double asked[] = {10, 600, 1e6};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        begin();
        const struct ui_call order = {.command = UI_COMMAND_STEP, .number = asked[i]};
        const struct event off = key_at(asked[i] < 600 ? 10 : 600, "Z");
        stage.order = &order;
        run_with(&off, 1);
        assert_false(player.frozen);
        assert_int_equal(stage.left_out, 0);
        assert_in_range(stage.frames, 20 * 60 - 2, 20 * 60);
    }
}

static void standing_still_does_not_count_for_a_presets_time(void **state)
{
    (void)state;
    begin();
    static const struct ui_call order = {.command = UI_COMMAND_FREEZE, .to = UI_SWITCH_ON};
    options.duration = 70;
    stage.order = &order;
    run();
    assert_int_equal(stage.frames, 0);
    assert_true(player.vj.due > 99 && player.vj.due < 100.1);
}

static void keys_and_mouse_belong_to_who_is_seen(void **state)
{
    (void)state;
    static const struct {
        enum app_view view;
        bool has_keyboard;
        unsigned operators;
        unsigned locks; /* notes of the key ` */
    } cases[] = {
        {APP_VIEW_OFF, false, 0, 1},
        {APP_VIEW_OFF, true, 0, 1},
        {APP_VIEW_OVERLAY, false, 1, 1},
        {APP_VIEW_OVERLAY, true, 2, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        const struct event events[] = {
            key_at(3, "`"),
            {3, {.kind = UI_EVENT_PRESS, .clicks = 1, .key = "MouseLeft"}},
        };
        app_player_set_view(&player, cases[i].view);
        stage.has_keyboard = cases[i].has_keyboard;
        run_with(events, 2);
        assert_int_equal(stage.operators_events, cases[i].operators);
        assert_int_equal(stage.notes[APP_NOTE_LOCKED], cases[i].locks);
    }
}

static void without_a_window_of_its_own_the_view_lies_over_the_picture(void **state)
{
    (void)state;
    begin();
    app_player_set_view(&player, APP_VIEW_WINDOW);
    assert_int_equal(player.view, APP_VIEW_OVERLAY);
    assert_int_equal(stage.notes[APP_NOTE_NO_OPERATOR_WINDOW], 1);
}

static void monitors_go_round(void **state)
{
    (void)state;
    static const struct {
        int monitors;
        int monitor;
        double number;
        bool absolute;
        int then;
    } cases[] = {{3, 1, 1, false, 2},        {3, 3, 1, false, 1}, {3, 1, -1, false, 3},
                 {3, 2, -1000000, false, 1}, {3, 1, 3, true, 3},  {1, 1, 1, false, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        stage.monitors = cases[i].monitors;
        stage.monitor = cases[i].monitor;
        const struct ui_call call = {.command = UI_COMMAND_MONITOR,
                                     .number = cases[i].number,
                                     .absolute = cases[i].absolute};
        app_player_obey(&player, &call);
        assert_int_equal(stage.monitor, cases[i].then);
    }
}

static void memory_is_counted_without_opening_a_file(void **state)
{
    (void)state;
    begin();
    options.duration = 70;
    run();
    assert_true(player.counters.memory == 1e6 && player.counters.memory_after_minute == 1e6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hopelessly_slow_presets_are_left),
        cmocka_unit_test(shaders_become_coarse),
        cmocka_unit_test(a_changed_preset_does_not_show_its_name_again),
        cmocka_unit_test(answers_to_keys_are_notes),
        cmocka_unit_test(random_order_reaches_the_library),
        cmocka_unit_test(no_tempo_is_shown_of_a_sound_that_is_lost),
        cmocka_unit_test(presets_come_by_themselves_until_locked),
        cmocka_unit_test(a_blackout_is_black),
        cmocka_unit_test(a_picture_that_stands_still_takes_the_steps_asked_for),
        cmocka_unit_test(a_show_goes_on_where_the_picture_stood),
        cmocka_unit_test(standing_still_does_not_count_for_a_presets_time),
        cmocka_unit_test(keys_and_mouse_belong_to_who_is_seen),
        cmocka_unit_test(without_a_window_of_its_own_the_view_lies_over_the_picture),
        cmocka_unit_test(monitors_go_round),
        cmocka_unit_test(memory_is_counted_without_opening_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
