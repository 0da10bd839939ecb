#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/apart/apart.h"
#include "app/io/audio.h"
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
    struct engine_loaded *ready;
    struct engine_loaded *reloaded; /* comes at the frame `reload_frame` */
    unsigned reload_frame;
    const struct event *events;
    size_t event_count;
    const struct engine_call *order; /* of the operator, or NULL */
    unsigned frames;
    unsigned slow_frames;   /* how many frames from the first are slow */
    unsigned costly_frames; /* how many cost too much, */
    unsigned costly_each;   /* or, if not 0, one in so many */
    const char *shaded;     /* not NULL: shaders run, which take 30 ms at first */
    int divisors[REND_SHADER_STAGES];
    unsigned fast_frame; /* but for this one */
    int steps;
    unsigned cuts;
    uint64_t cut_step; /* the newest one at the last change */
    unsigned rejected;
    uint32_t rejected_number;
    unsigned names_shown;
    unsigned retired;
    unsigned tweaks_set;
    int monitors;
    char wish[16];   /* monitor that the show was sent to last */
    char told[64];   /* name of the last note about one */
    bool has_window; /* the operator's window can be had */
    bool operator_window;
    bool full;       /* screen */
    bool deaf;       /* nothing is heard any more */
    double tempo[2]; /* that the meter and the operator were shown last */
    bool has_keyboard;
    unsigned keyboard_known; /* frame from which on that is known */
    unsigned operators_events;
    enum ui_command done; /* what the operator was asked last */
    unsigned notes[APP_NOTE_COUNT];
    unsigned note_count;
    double note_numbers[2]; /* of the first one */
    uint32_t note_preset;   /* of the last one */
    bool changes;           /* one preset gives way to the next */
    bool counting;          /* the sound is a number for each of its frames, from 0 on */
    uint64_t given;         /* its frames, to the player */
    uint64_t heard;         /* by the show, in their order */
    size_t most_heard;      /* in one step */
    unsigned out_of_order;  /* sound frames */
    double step_seconds;    /* that a step takes; 0: as usual */
    unsigned beats;         /* in each step */
    uint64_t newest;        /* step */
    unsigned left_out;      /* steps that do not follow the one before */
    unsigned published;
    struct app_operator_told operator_told;
    const char *bindings;      /* NULL: the usual ones */
    struct app_inlet *toggles; /* not NULL: a source blacks out each second picture from here on */
    unsigned asked;            /* pictures that were, or were not, to be black */
    unsigned in_time;          /* and were, or were not */
    const uint32_t *shown;     /* pixels of the last picture */
    bool on_device;            /* the window shows what lies there, */
    unsigned lost_at;          /* until this frame; 0: to the end */
    bool may_stay;             /* the newest picture */
    unsigned there;            /* pictures that were shown from there, */
    unsigned fetched;          /* and brought from there */
    unsigned here;             /* and those that were shown from here */
    struct rend_cue *running;
    struct rend_cue *leaving;
} stage;

static const double CLOCK_BEGIN = 1000;

static struct app_snapshot snapshot;
enum { SIDE = 16 };
static uint32_t bright[SIDE * SIDE];
static uint32_t black[SIDE * SIDE];

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
                       const struct ui_surface *overlay, const struct ui_tiles *tiles)
{
    (void)window;
    (void)overlay;
    (void)tiles;
    stage.shown = picture->pixels;
    stage.here += stage.frames > 0;
    if (stage.toggles != NULL && stage.frames > 1) {
        stage.in_time += stage.asked > 0 && (stage.shown == black) == (stage.asked % 2 == 1);
        stage.asked++;
        (void)app_inlet_value(stage.toggles, UI_COMMAND_BLACKOUT, stage.asked % 2);
    }
}

void ui_window_set_title(struct ui_window *window, const char *title)
{
    (void)window;
    (void)title;
}

bool ui_window_is_fullscreen(const struct ui_window *window)
{
    (void)window;
    return stage.full;
}

void ui_window_set_fullscreen(struct ui_window *window, bool fullscreen)
{
    (void)window;
    stage.full = fullscreen;
}

int ui_window_monitors(const struct ui_window *window)
{
    (void)window;
    return stage.monitors;
}

const char *ui_window_monitor_name(const struct ui_window *window)
{
    (void)window;
    return "HDMI-1";
}

bool ui_window_set_monitor(struct ui_window *window, const char *wish)
{
    (void)window;
    (void)snprintf(stage.wish, sizeof stage.wish, "%s", wish);
    return strcmp(wish, "VGA") != 0;
}

bool ui_window_keys_elsewhere(const struct ui_window *window)
{
    (void)window;
    return false;
}

bool ui_window_open_operator(struct ui_window *window, int width, int height)
{
    (void)window;
    (void)width;
    (void)height;
    stage.operator_window = stage.has_window;
    return stage.has_window;
}

void ui_window_close_operator(struct ui_window *window)
{
    (void)window;
    stage.operator_window = false;
}

const struct ui_tiles *app_operator_tiles(const struct app_operator *view)
{
    (void)view;
    return NULL;
}

bool ui_window_takes_device(const struct ui_window *window)
{
    (void)window;
    return stage.on_device;
}

bool ui_window_present_there(struct ui_window *window, const struct rend_device_shown *picture,
                             const struct ui_surface *overlay, const struct ui_tiles *tiles,
                             int step)
{
    (void)window;
    (void)picture;
    (void)overlay;
    (void)tiles;
    (void)step;
    assert_true(stage.may_stay);
    stage.on_device = stage.on_device && (stage.lost_at == 0 || stage.frames < stage.lost_at);
    stage.there += stage.on_device;
    return stage.on_device;
}

const uint32_t *ui_window_small(struct ui_window *window, int *width, int *height)
{
    (void)window;
    *width = *height = 0;
    return NULL;
}

void ui_window_present_operator(struct ui_window *window, const struct ui_surface *surface,
                                const struct ui_tiles *tiles)
{
    (void)tiles;
    (void)window;
    (void)surface;
}

struct ui_window_pixels ui_window_pixels(const struct ui_window *window)
{
    (void)window;
    return (struct ui_window_pixels){1920, 1080, 15};
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

bool ui_overlay_is_seen(const struct ui_overlay *overlay, double now)
{
    (void)overlay;
    (void)now;
    return false;
}

void ui_overlay_draw(const struct ui_overlay *overlay, const struct ui_surface *surface, double now)
{
    (void)overlay;
    (void)surface;
    (void)now;
}

/* ---- loader, library, sound ---- */

struct engine_loader *engine_loader_create(const struct engine_loader_setup *setup,
                                           const struct base_diag_sink *sink)
{
    (void)setup;
    (void)sink;
    static char loader;
    return (struct engine_loader *)(void *)&loader;
}

void engine_loader_free(struct engine_loader *loader)
{
    (void)loader;
}

bool engine_loader_wait(struct engine_loader *loader, double seconds)
{
    (void)loader;
    (void)seconds;
    return stage.ready != NULL;
}

void engine_loader_step(struct engine_loader *loader, int steps, bool hard)
{
    (void)loader;
    stage.cuts += hard;
    stage.cut_step = stage.newest;
    stage.steps += steps;
}

void engine_loader_reject(struct engine_loader *loader, uint32_t number)
{
    (void)loader;
    stage.rejected++;
    stage.rejected_number = number;
}

struct engine_loader_counts engine_loader_counts(const struct engine_loader *loader)
{
    (void)loader;
    return (struct engine_loader_counts){1, 0};
}

struct engine_loaded *engine_loader_take(struct engine_loader *loader)
{
    (void)loader;
    struct engine_loaded *taken = stage.ready;
    stage.ready = NULL;
    if (taken != NULL) {
        taken->cue = (struct rend_cue *)(void *)taken;
    }
    return taken;
}

void engine_loader_retire(struct engine_loader *loader, struct engine_loaded *loaded)
{
    (void)loader;
    stage.retired += loaded != NULL;
}

bool engine_loader_alone(const struct engine_loader *loader)
{
    (void)loader;
    return stage.alone;
}

bool engine_loader_failed(const struct engine_loader *loader)
{
    (void)loader;
    return false;
}

void engine_loader_tell(struct engine_loader *loader, const struct rend_moment *moment)
{
    (void)loader;
    (void)moment;
}

void app_library_idle(struct app_library *library, bool allowed)
{
    (void)library;
    (void)allowed;
}

/* A sample that says which one it is. */
static float number_of(uint64_t sample)
{
    enum { ROUND = 1 << 20 };
    return (float)(sample % ROUND) / ROUND;
}

size_t app_sound_read(struct app_sound *sound, uint64_t due, float *interleaved, size_t frames)
{
    (void)sound;
    (void)due;
    if (!stage.counting) {
        return 0;
    }
    const uint64_t played = (uint64_t)((stage.clock - CLOCK_BEGIN) * ENGINE_SOUND_RATE);
    const uint64_t waiting = played - stage.given;
    const size_t given = waiting < frames ? (size_t)waiting : frames;
    for (size_t i = 0; i < given; i++) {
        interleaved[2 * i] = interleaved[2 * i + 1] = number_of(stage.given + i);
    }
    stage.given += given;
    return given;
}

uint64_t app_sound_dropped(const struct app_sound *sound)
{
    (void)sound;
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

const struct app_operator_told *app_operator_told(struct app_operator *view)
{
    (void)view;
    return &stage.operator_told;
}

void app_operator_event(struct app_operator *view, const struct ui_event *event)
{
    (void)view;
    (void)event;
    stage.operators_events++;
}

char *ui_window_dropped(struct ui_window *window)
{
    (void)window;
    return NULL;
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

bool app_operator_knows_keyboard(const struct app_operator *view)
{
    (void)view;
    return stage.frames >= stage.keyboard_known;
}

bool app_operator_has_keyboard(const struct app_operator *view)
{
    (void)view;
    return app_operator_knows_keyboard(view) && stage.has_keyboard;
}

void app_operator_do(struct app_operator *view, const struct engine_call *call)
{
    (void)view;
    stage.done = call->command;
    stage.has_keyboard = stage.has_keyboard || call->command == UI_COMMAND_EDIT;
}

bool app_operator_is_busy(const struct app_operator *view)
{
    (void)view;
    return false;
}

bool app_operator_call(struct app_operator *view, struct engine_call *call)
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

void app_operator_note_of(struct app_operator *view, enum app_note note, const char *name)
{
    (void)view;
    stage.notes[note]++;
    (void)snprintf(stage.told, sizeof stage.told, "%s", name);
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
    return (struct rend_heard){.bpm = 120, .beats = stage.beats};
}

struct rend_tempo rend_own_beat(const struct rend *rend)
{
    (void)rend;
    return (struct rend_tempo){.bpm = 120};
}

bool rend_show_changes(const struct rend_show *show)
{
    (void)show;
    return stage.changes;
}

bool rend_patch_has_shaders(const struct rend_patch *patch)
{
    (void)patch;
    return stage.shaded != NULL;
}

double rend_patch_pixel_seconds(const struct rend_patch *patch)
{
    (void)patch;
    return 0;
}

void rend_show_set_divisors(struct rend_show *show, const int divisors[REND_SHADER_STAGES])
{
    (void)show;
    memcpy(stage.divisors, divisors, sizeof stage.divisors);
}

static void listen(const struct rend_input *input)
{
    for (size_t i = 0; i < input->audio_frames; i++) {
        stage.out_of_order += input->audio[2 * i] != number_of(stage.heard);
        stage.heard++;
    }
    stage.most_heard =
        input->audio_frames > stage.most_heard ? input->audio_frames : stage.most_heard;
}

void rend_show_hear(struct rend_show *show, const struct rend_input *input)
{
    (void)show;
    listen(input);
}

unsigned rend_show_step(struct rend_show *show, const struct rend_input *input, uint32_t *pixels,
                        size_t stride)
{
    (void)show;
    (void)pixels;
    listen(input);
    (void)stride;
    stage.frames++;
    stage.may_stay = input->may_stay;
    stage.left_out += input->frame != stage.newest + 1;
    stage.newest = input->frame;
    const bool slow = stage.frames <= stage.slow_frames && stage.frames != stage.fast_frame;
    const int pixels_of_one = stage.divisors[0] * stage.divisors[1];
    stage.clock += stage.step_seconds > 0 ? stage.step_seconds
                   : slow                 ? 0.6
                   : stage.shaded != NULL ? 0.030 / (pixels_of_one > 0 ? pixels_of_one : 1)
                                          : 0.001;
    if (stage.frames == stage.reload_frame) {
        stage.ready = stage.reloaded;
    }
    const bool costly = stage.costly_each > 0 ? stage.frames % stage.costly_each == 0
                                              : stage.frames <= stage.costly_frames;
    return costly ? REND_EVENT_COMP_COST : 0;
}

bool rend_show_stays(const struct rend_show *show)
{
    (void)show;
    return stage.may_stay;
}

void rend_show_fetch(struct rend_show *show, uint32_t *pixels, size_t stride)
{
    (void)show;
    (void)pixels;
    (void)stride;
    assert_true(stage.may_stay);
    stage.fetched++;
}

struct rend_device_shown rend_show_shown(const struct rend_show *show)
{
    (void)show;
    return (struct rend_device_shown){NULL, SIDE, SIDE, SIDE};
}

enum { FIRST_NUMBER = 7 };
static struct engine_preset one = {.path = "one.milk", .name = "preset"};
static struct engine_loaded first = {.preset = &one, .number = FIRST_NUMBER, .seconds = -1};
static struct base_diag_list messages;
static struct app_player player;
static struct app_options options;
static float samples[2 * APP_AUDIO_KEPT];
static struct engine_wishes wishes;

static void begin(void)
{
    memset(&stage, 0, sizeof stage);
    froth_free(player.show);
    options = (struct app_options){.duration = 20, .threads = 1, .blend = -1};
    player = (struct app_player){
        .options = &options, .rate = {60, 1}, .fps = 60, .speed = 1, .samples = samples};
    player.picture = (struct ui_surface){bright, SIDE, SIDE, SIDE};
    player.black = (struct ui_surface){black, SIDE, SIDE, SIDE};
    wishes = (struct engine_wishes){.advance = 30};
    stage.monitors = 1;
    stage.clock = CLOCK_BEGIN;
}

static void open_show(void)
{
    struct froth_config config = app_show_config(&options, (struct app_size){SIDE, SIDE});
    const struct engine_rate rate = player.rate;
    config.fps_numerator = rate.numerator;
    config.fps_denominator = rate.denominator;
    config.advance = wishes.advance;
    config.seed = 1;
    const struct instance_extras extras = {
        .speed = player.speed,
        .in_place = true,
        .supply = app_player_supply(&player),
        .took = app_player_took,
        .adapted = app_player_adapted,
        .stepped = app_player_stepped,
        .user = &player,
    };
    player.show = instance_create(&config, &extras, NULL);
    assert_non_null(player.show);
    player.engine = instance_engine(player.show);
    player.loader = instance_loader(player.show);
    assert_int_equal(froth_set(player.show, "cut-on-beat", wishes.cut_on_beat), FROTH_OK);
    assert_int_equal(froth_set_adaptive(player.show, player.fixed_divisor == 0), FROTH_OK);
}

static struct app_inlet_counts by_keys; /* what came by these in the last run */
static struct app_inlet_counts by_mouse;
static struct app_seen seen; /* what a source could read of its last frame */

static void open_door(void)
{
    static const struct app_source_way *const ways[APP_SOURCE_COUNT] = {NULL};
    player.door = app_door_open(ways, &options, &player.sink);
    assert_non_null(player.door);
}

static void close_door(void)
{
    by_keys = app_inlet_counts(app_door_inlet(player.door, APP_SOURCE_KEYS));
    by_mouse = app_inlet_counts(app_door_inlet(player.door, APP_SOURCE_MOUSE));
    (void)app_door_look(player.door, &seen);
    app_door_close(player.door);
    player.door = NULL;
}

/* Runs for 20 s, so that no preset's time is up. */
static void run(void)
{
    if (player.show == NULL) {
        open_show();
    }
    memset(&messages, 0, sizeof messages);
    player.sink = base_diag_list_sink(&messages);
    player.bindings = stage.bindings != NULL
                          ? ui_bindings_read("test", base_span_of(stage.bindings), &player.sink)
                          : ui_bindings_load("milkdrop", &player.sink);
    assert_non_null(player.bindings);
    if (player.door == NULL) {
        open_door();
    }
    stage.ready = &first;
    app_player_run(&player);
    assert_false(player.failed);
    ui_bindings_free(player.bindings);
    player.bindings = NULL;
    close_door();
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

/* The first step that costs too much makes shaders coarser, if they are not; with the second the
 * preset is left. */
static void costly_presets_are_left_at_once(void **state)
{
    (void)state;
    static const struct {
        unsigned frames;
        unsigned each;
        const char *key;
        unsigned rejected;
        enum app_note note;
    } cases[] = {
        {0, 0, NULL, 0, APP_NOTE_COUNT},
        {1, 0, NULL, 0, APP_NOTE_COUNT},
        {2, 0, NULL, 1, APP_NOTE_TOO_COSTLY_LEFT},
        {50, 0, NULL, 1, APP_NOTE_TOO_COSTLY_LEFT},
        {50, 0, "ScrollLock", 0, APP_NOTE_TOO_COSTLY},
        {0, 10, NULL, 1, APP_NOTE_TOO_COSTLY_LEFT},
        {0, APP_PLAYER_CHEAP + 1, NULL, 0, APP_NOTE_COUNT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        const struct event lock = key_at(0, cases[i].key == NULL ? "" : cases[i].key);
        stage.costly_frames = cases[i].frames;
        stage.costly_each = cases[i].each;
        run_with(&lock, cases[i].key != NULL);
        assert_int_equal(stage.rejected, cases[i].rejected);
        assert_int_equal(player.counters.slow, cases[i].rejected);
        for (int note = APP_NOTE_TOO_COSTLY_LEFT; note <= APP_NOTE_TOO_COSTLY; note++) {
            assert_int_equal(stage.notes[note], note == (int)cases[i].note);
        }
        if (cases[i].rejected > 0) {
            assert_int_equal(stage.rejected_number, FIRST_NUMBER);
        }
    }
}

/* More of them would make the frame late. What is not drawn is heard. */
static void a_step_that_costs_too_much_is_the_last_of_its_frame(void **state)
{
    (void)state;
    for (unsigned costly = 0; costly < 2; costly++) {
        begin();
        player.fps = 5;
        player.rate = engine_rate_of(player.fps);
        stage.costly_frames = costly;
        stage.counting = true;
        run();
        assert_int_equal(stage.left_out, costly);
        assert_int_equal(stage.out_of_order, 0);
        assert_int_equal(stage.heard + froth_sound_waiting(player.show), stage.given);
    }
}

/* It stands still for two seconds, or until the next preset is there, so that no more frames are
 * late. */
static void a_preset_that_costs_too_much_is_not_drawn_while_it_is_left(void **state)
{
    (void)state;
    struct engine_loaded second = {.preset = &one, .number = 8, .seconds = -1};
    for (unsigned comes = 0; comes < 2; comes++) {
        begin();
        stage.costly_frames = APP_PLAYER_COSTLY;
        stage.counting = true;
        stage.reloaded = &second;
        stage.reload_frame = comes > 0 ? APP_PLAYER_COSTLY : 0;
        run();
        const unsigned all = 20 * 60;
        const unsigned least = comes > 0 ? all - 10 : all - 2 * 60 - 10;
        assert_in_range(stage.frames, least, least + 20);
        assert_int_equal(stage.out_of_order, 0);
        assert_int_equal(stage.heard + froth_sound_waiting(player.show), stage.given);
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
        struct engine_loaded second = {
            .preset = &one, .number = cases[i].number, .seconds = -1, .again = cases[i].again};
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
                 {"F4", APP_NOTE_NAME_AT_FIRST}};
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
    assert_true(engine_state(player.engine)->random);
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

/* The next preset begins at the level of the one before, and not with late frames. */
static void the_next_preset_begins_coarse(void **state)
{
    (void)state;
    struct engine_loaded second = {.preset = &one, .number = 8, .seconds = -1};
    begin();
    stage.shaded = "some preset with shaders";
    stage.reloaded = &second;
    stage.reload_frame = 300;
    run();
    assert_int_equal(player.counters.shown, 2);
    assert_int_equal(stage.notes[APP_NOTE_SHADERS], 2);
    assert_int_equal(stage.divisors[0] * stage.divisors[1], 4);
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
        wishes.advance = 15;
        run_with(&event, 1);
        assert_int_equal(stage.steps, cases[i].steps);
        assert_int_equal(stage.cuts, 0);
    }
}

/* Whatever the pictures' rate and however late the machine: the show hears every frame of the sound
 * once, in order, at once, and none of its steps much more than another. */
static void no_sample_is_lost(void **state)
{
    (void)state;
    static const struct {
        double fps;
        double step_seconds;
        double speed;
        size_t most; /* sound frames in a step */
    } cases[] = {
        {60, 0.001, 1, 735 + 300}, /* on time, with a jitter */
        {144, 0.001, 1, 735 + 310}, {5, 0.001, 1, 735 + 100},
        {60, 0.2, 1, 8820 + 735}, /* far too slow */
        {60, 1.5, 1, 66150 + 735},  {30, 0.03, 2, 2940 + 735},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        player.fps = cases[i].fps;
        player.rate = engine_rate_of(player.fps);
        player.speed = cases[i].speed;
        stage.counting = true;
        stage.step_seconds = cases[i].step_seconds;
        run();
        const double played = (stage.clock - CLOCK_BEGIN) * ENGINE_SOUND_RATE;
        const double late =
            (2 * cases[i].step_seconds + 1 / fmin(cases[i].fps, 60)) * ENGINE_SOUND_RATE + 2;
        assert_int_equal(stage.out_of_order, 0);
        assert_int_equal(stage.heard + froth_sound_waiting(player.show), stage.given);
        assert_true((double)stage.heard > 19 * ENGINE_SOUND_RATE / cases[i].speed);
        assert_true((double)stage.heard > played - late);
        assert_in_range(stage.most_heard, 1, cases[i].most);
    }
}

/* A picture that stands still does not stop the ears: what comes then is heard as well, and not all
 * at once when the show goes on. */
static void a_picture_that_stands_still_listens(void **state)
{
    (void)state;
    begin();
    stage.counting = true;
    static const struct engine_call order = {.command = UI_COMMAND_FREEZE, .to = ENGINE_SWITCH_ON};
    stage.order = &order;
    run();
    assert_true(engine_state(player.engine)->frozen);
    assert_int_equal(stage.frames, 0);
    assert_int_equal(stage.out_of_order, 0);
    assert_true(stage.heard > 19 * ENGINE_SOUND_RATE);
    assert_in_range(stage.most_heard, 1, 735 + 100);
}

/* Beats belong to steps: at 144 pictures a second none counts twice, at 5 none is missed. */
static void a_beat_counts_once(void **state)
{
    (void)state;
    static const double rates[] = {5, 60, 144};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        begin();
        player.fps = rates[i];
        player.rate = engine_rate_of(player.fps);
        wishes = (struct engine_wishes){.advance = 1e6, .cut_on_beat = 700};
        stage.shaded = "a preset";
        stage.step_seconds = 0.001;
        stage.beats = 1;
        run();
        /* 60 steps a second for 20 seconds. */
        assert_int_equal(stage.cuts, 1);
        assert_in_range(stage.cut_step, 700, 700 + 13);
    }
    /* Those that a locked preset heard do not count when it is let go. */
    begin();
    const struct event events[] = {key_at(1, "`"), key_at(900, "`")};
    wishes.cut_on_beat = 700;
    stage.shaded = "a preset";
    stage.step_seconds = 0.001;
    stage.beats = 1;
    run_with(events, 2);
    assert_int_equal(stage.cuts, 0);
}

/* What the operator's controls order holds at once, and his view is told. */
static void what_the_show_does_by_itself_can_be_ordered(void **state)
{
    (void)state;
    static const char *const words[] = {"advance 45", "vary 60", "hard on", "cut-on-beat 16",
                                        "cut-on-loud 2"};
    begin();
    open_show();
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct engine_call call;
        assert_int_equal(ui_call_parse(&call, base_span_of(words[i]), (struct base_place){0}, NULL),
                         0);
        app_player_obey(&player, &call);
    }
    run();
    assert_true(snapshot.advance == 45 && snapshot.vary == 0.9 * 45 && snapshot.hard);
    assert_true(snapshot.cut_on_beat == 16 && snapshot.cut_on_loud == 2);
    const struct engine_call never = {.command = UI_COMMAND_CUT_ON_BEAT, .number = -5};
    app_player_obey(&player, &never);
    assert_int_equal(engine_state(player.engine)->vj.beats, 0);
}

static void a_blackout_is_black(void **state)
{
    (void)state;
    begin();
    run();
    assert_ptr_equal(stage.shown, bright);
    const unsigned frames = stage.frames;
    static const struct engine_call order = {.command = UI_COMMAND_BLACKOUT,
                                             .to = ENGINE_SWITCH_ON};
    begin();
    stage.order = &order;
    run();
    assert_ptr_equal(stage.shown, black);
    assert_int_equal(stage.frames, frames);
    assert_int_equal(stage.notes[APP_NOTE_BLACKOUT], 1);
    assert_true(snapshot.blackout);
}

/* What a source sets is seen in the next picture, and read back from that frame. */
static void a_value_is_set_and_read_back(void **state)
{
    (void)state;
    begin();
    open_show();
    open_door();
    struct app_inlet *inlet = app_door_inlet(player.door, APP_SOURCE_MOUSE);
    assert_true(app_inlet_value(inlet, UI_COMMAND_BLACKOUT, 1));
    assert_true(app_inlet_value(inlet, UI_COMMAND_HARD, 0));
    assert_true(app_inlet_value(inlet, UI_COMMAND_ADVANCE, 17));
    assert_true(app_inlet_value(inlet, UI_COMMAND_METER, 1));
    assert_true(app_inlet_value(inlet, UI_COMMAND_UI_SCALE, 200));
    run();
    assert_ptr_equal(stage.shown, black);
    assert_int_equal(stage.notes[APP_NOTE_BLACKOUT], 1);
    assert_true(player.meter_shown);
    assert_true(seen.frame > 1000 && strcmp(seen.name, "preset") == 0);
    assert_int_equal(seen.preset, FIRST_NUMBER);
    assert_true(seen.values[UI_COMMAND_BLACKOUT] == 1);
    assert_true(seen.values[UI_COMMAND_HARD] == 0);
    assert_true(seen.values[UI_COMMAND_ADVANCE] == 17);
    assert_true(seen.values[UI_COMMAND_METER] == 1);
    assert_true(seen.values[UI_COMMAND_UI_SCALE] == 200);
    assert_true(seen.values[UI_COMMAND_NEXT] == 0);
}

/* What the operator tells is about one preset, and what the loader knew of it stands until then. */
static void texts_and_opinions_are_read_back(void **state)
{
    (void)state;
    static struct app_name dress = {.favourite = true, .stars = 2};
    static const struct engine_call always = {.command = UI_COMMAND_NAME, .text = "always"};
    begin();
    open_show();
    open_door();
    first.dress = &dress;
    (void)app_inlet_call(app_door_inlet(player.door, APP_SOURCE_VIEW), &always);
    (void)app_inlet_value(app_door_inlet(player.door, APP_SOURCE_VIEW), UI_COMMAND_FAVOURITE, 1);
    run();
    first.dress = NULL;
    assert_string_equal(seen.texts[APP_TEXT_NAME], "always");
    assert_string_equal(seen.texts[APP_TEXT_MONITOR], "HDMI-1");
    assert_string_equal(seen.texts[APP_TEXT_PANEL], "");
    assert_true(seen.values[UI_COMMAND_FAVOURITE] == 1);
    assert_true(seen.values[UI_COMMAND_RATE] == 2);
    assert_int_equal(stage.done, UI_COMMAND_FAVOURITE); /* he may be about to take it away */

    begin();
    stage.operator_told =
        (struct app_operator_told){.known = true, .preset = FIRST_NUMBER, .stars = 5};
    memcpy(stage.operator_told.texts[APP_TEXT_PANEL], "keys", sizeof "keys");
    run();
    assert_true(seen.values[UI_COMMAND_FAVOURITE] == 0);
    assert_true(seen.values[UI_COMMAND_RATE] == 5);
    assert_string_equal(seen.texts[APP_TEXT_PANEL], "keys");
}

static struct event axis_at(unsigned frame, int axis, double place)
{
    return (struct event){frame, {.kind = UI_EVENT_AXIS, .axis = axis, .place = place}};
}

static void sticks_and_triggers_move_values(void **state)
{
    (void)state;
    enum { LEFT_TRIGGER = 4, RIGHT_TRIGGER = 5 };
    const struct event events[] = {
        axis_at(100, 0, 1), /* held for 60 frames: as a key that repeats */
        axis_at(160, 0, 0),
        axis_at(200, 1, -0.5), /* less, and the other way */
        axis_at(260, 1, 0),
        axis_at(300, LEFT_TRIGGER, 0.5),   /* half of the way to 20 */
        axis_at(400, RIGHT_TRIGGER, 1),    /* as a key, once */
        axis_at(401, RIGHT_TRIGGER, 0.45), /* not let go yet */
        axis_at(402, RIGHT_TRIGGER, 1),
        axis_at(500, 2, -1), /* a key that has a direction */
        {600, {.kind = UI_EVENT_PAD, .key = "PadA"}},
    };
    static const char bindings[] = "PadLeftX: decay\nPadLeftY: gamma\nPadLeftTrigger: blend 20\n"
                                   "PadRightTrigger: blackout\nPadRightX: next 2\nPadA: lock\n";
    begin();
    stage.bindings = bindings;
    run_with(events, sizeof events / sizeof *events);
    assert_int_equal(stage.notes[APP_NOTE_BLACKOUT], 1);
    assert_int_equal(stage.notes[APP_NOTE_NO_BLACKOUT], 0);
    assert_int_equal(stage.notes[APP_NOTE_LOCKED], 1);
    assert_int_equal(stage.steps, -2);
    assert_true(seen.values[UI_COMMAND_BLEND] > 10 && seen.values[UI_COMMAND_BLEND] < 12);

    /* One that is pulled out lets go of what it held. */
    const struct event gone[] = {
        axis_at(100, LEFT_TRIGGER, 1),
        {200, {.kind = UI_EVENT_PAD_GONE, .text = "pad"}},
    };
    begin();
    stage.bindings = bindings;
    run_with(gone, sizeof gone / sizeof *gone);
    assert_int_equal(stage.notes[APP_NOTE_PAD_GONE], 1);
    assert_true(seen.values[UI_COMMAND_BLEND] < 3);
}

/* What came while a picture was shown is in the next one. */
static void what_a_source_sets_is_in_the_next_picture(void **state)
{
    (void)state;
    begin();
    open_show();
    open_door();
    stage.toggles = app_door_inlet(player.door, APP_SOURCE_MOUSE);
    run();
    assert_true(stage.asked > 1000);
    assert_int_equal(stage.in_time, stage.asked - 1);
}

/* A source may give as many commands as it likes: what the operator reads does not grow. */
static void a_flood_does_not_fill_the_operators_messages(void **state)
{
    (void)state;
    begin();
    open_show();
    open_door();
    static const struct engine_call blackout = {.command = UI_COMMAND_BLACKOUT};
    struct app_inlet *inlet = app_door_inlet(player.door, APP_SOURCE_VIEW);
    while (app_inlet_call(inlet, &blackout)) {
    }
    run();
    assert_true(stage.notes[APP_NOTE_BLACKOUT] + stage.notes[APP_NOTE_NO_BLACKOUT] <= 16);
}

static void a_picture_that_stands_still_takes_the_steps_asked_for(void **state)
{
    (void)state;
    begin();
    static const struct engine_call order = {.command = UI_COMMAND_STEP, .number = 1};
    stage.order = &order;
    run();
    assert_true(engine_state(player.engine)->frozen);
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
        const struct engine_call order = {.command = UI_COMMAND_STEP, .number = asked[i]};
        const struct event off = key_at(asked[i] < 600 ? 10 : 600, "Z");
        stage.order = &order;
        run_with(&off, 1);
        assert_false(engine_state(player.engine)->frozen);
        assert_int_equal(stage.left_out, 0);
        assert_in_range(stage.frames, 20 * 60 - 2, 20 * 60);
    }
}

static void standing_still_does_not_count_for_a_presets_time(void **state)
{
    (void)state;
    begin();
    static const struct engine_call order = {.command = UI_COMMAND_FREEZE, .to = ENGINE_SWITCH_ON};
    options.duration = 70;
    stage.order = &order;
    run();
    assert_int_equal(stage.frames, 0);
    const double due = engine_state(player.engine)->vj.due;
    assert_true(due > 99 && due < 100.1);
}

static void keys_and_mouse_belong_to_who_is_seen(void **state)
{
    (void)state;
    static const struct {
        enum app_view view;
        bool has_keyboard;
        bool operator_window; /* in which it happens */
        const char *key;
        unsigned operators;
        unsigned locks; /* notes of the key */
    } cases[] = {
        {APP_VIEW_OFF, false, false, "`", 0, 1},     {APP_VIEW_OFF, true, false, "`", 0, 1},
        {APP_VIEW_OVERLAY, false, false, "`", 1, 1}, {APP_VIEW_OVERLAY, true, false, "`", 2, 0},
        {APP_VIEW_OVERLAY, true, false, "F3", 1, 1}, {APP_VIEW_WINDOW, false, true, "`", 1, 1},
        {APP_VIEW_WINDOW, true, true, "`", 2, 0},    {APP_VIEW_WINDOW, true, true, "F3", 1, 1},
        {APP_VIEW_WINDOW, true, false, "`", 0, 1},   {APP_VIEW_WINDOW, true, false, "F3", 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        struct event events[] = {
            key_at(3, cases[i].key),
            {3, {.kind = UI_EVENT_PRESS, .clicks = 1, .key = "MouseLeft"}},
        };
        events[0].event.operator_window = events[1].event.operator_window =
            cases[i].operator_window;
        player.view = cases[i].view;
        stage.has_keyboard = cases[i].has_keyboard;
        run_with(events, 2);
        assert_int_equal(stage.operators_events, cases[i].operators);
        assert_int_equal(stage.notes[APP_NOTE_LOCKED], cases[i].locks);
        assert_int_equal(by_keys.calls, cases[i].locks);
        assert_int_equal(by_mouse.calls, 0);
    }
    begin();
    struct event event = key_at(3, "MouseRight");
    event.event.kind = UI_EVENT_PRESS;
    run_with(&event, 1);
    assert_int_equal(by_mouse.calls, 1);
}

/* Keys typed right behind a click wait until the view knows of it, but no longer than a moment. */
static void keys_wait_for_the_field_that_was_clicked(void **state)
{
    (void)state;
    static const struct {
        unsigned known;
        const char *keys[2];
        unsigned operators;
        unsigned locks;
    } cases[] = {{6, {"`", "A"}, 2, 0}, {6, {"A", "F3"}, 1, 1}, {6000, {"A", "`"}, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        const struct event events[] = {key_at(3, cases[i].keys[0]), key_at(3, cases[i].keys[1])};
        player.view = APP_VIEW_OVERLAY;
        stage.has_keyboard = true;
        stage.keyboard_known = cases[i].known;
        run_with(events, 2);
        assert_int_equal(stage.operators_events, cases[i].operators);
        assert_int_equal(stage.notes[APP_NOTE_LOCKED], cases[i].locks);
        assert_int_equal(player.held_count, 0);
    }
}

/* As many percent of text of 15 pixels, a pixel at least, as far as the view can hold it. */
static void the_view_is_made_larger_and_smaller(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int text;
    } cases[] = {{"ui-size 10", 17},  {"ui-size 10", 19},  {"ui-size -1", 18}, {"ui-size =100", 15},
                 {"ui-size -10", 13}, {"ui-size =0", 0},   {"ui-size =1", 7},  {"ui-size =900", 60},
                 {"ui-size 10", 60},  {"ui-size -10", 34}, {"ui-size", 34}};
    begin();
    player.view = APP_VIEW_OVERLAY;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct engine_call call;
        assert_int_equal(ui_call_parse(&call, base_span_of(cases[i].words), (struct base_place){0},
                                       &base_diag_stderr),
                         0);
        app_player_obey(&player, &call);
        assert_int_equal(player.view_text, cases[i].text);
        assert_int_equal(app_player_view_pixels(&player).text,
                         cases[i].text > 0 ? cases[i].text : 15);
    }
}

/* M opens the editor, and no m is typed into it. */
static void a_key_that_was_a_command_is_not_typed(void **state)
{
    (void)state;
    begin();
    struct event events[] = {
        key_at(3, "M"),
        {3, {.kind = UI_EVENT_TEXT, .text = "m"}},
        key_at(4, "M"),
        {4, {.kind = UI_EVENT_TEXT, .text = "m"}},
        key_at(5, "A"),
        {5, {.kind = UI_EVENT_TEXT, .text = "a"}},
        {6, {.kind = UI_EVENT_TEXT, .text = "b"}},
    };
    events[2].event.repeat = true;
    player.view = APP_VIEW_OVERLAY;
    run_with(events, 7);
    assert_int_equal(stage.done, UI_COMMAND_EDIT);
    assert_int_equal(stage.operators_events, 3);
}

static void without_a_window_of_its_own_the_view_lies_over_the_picture(void **state)
{
    (void)state;
    begin();
    app_player_set_view(&player, APP_VIEW_WINDOW);
    assert_int_equal(player.view, APP_VIEW_OVERLAY);
    assert_int_equal(stage.notes[APP_NOTE_NO_OPERATOR_WINDOW], 1);
}

static void a_monitor_is_told_by_number_or_name(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        const char *wish;
        bool unknown;
    } cases[] = {{"monitor", "", false},
                 {"monitor 2", "2", false},
                 {"monitor =3", "3", false},
                 {"monitor hdmi", "hdmi", false},
                 {"monitor VGA", "VGA", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        struct engine_call call;
        assert_int_equal(ui_call_parse(&call, base_span_of(cases[i].words), (struct base_place){0},
                                       &base_diag_stderr),
                         0);
        app_player_obey(&player, &call);
        assert_string_equal(stage.wish, cases[i].wish);
        assert_int_equal(stage.notes[APP_NOTE_NO_MONITOR], cases[i].unknown);
        assert_string_equal(stage.told, cases[i].unknown ? cases[i].wish : "");
    }
}

static void the_operator_gives_way_to_the_show(void **state)
{
    (void)state;
    begin();
    const struct event events[] = {
        {3, {.kind = UI_EVENT_SHOW_LOST, .text = "HDMI-1"}},
        {4, {.kind = UI_EVENT_SHOW_BACK, .text = "HDMI-1"}},
        {5, {.kind = UI_EVENT_OPERATOR_LOST}},
        {5, {.kind = UI_EVENT_SHOW_ELSEWHERE, .text = "HDMI-1", .key = "DP-1"}},
    };
    stage.has_window = true;
    stage.monitors = 2;
    app_player_set_view(&player, APP_VIEW_WINDOW);
    assert_true(stage.operator_window);
    run_with(events, 4);
    assert_int_equal(stage.notes[APP_NOTE_SHOW_ELSEWHERE], 1);
    assert_string_equal(stage.told, "HDMI-1: the system put it on DP-1");
    assert_int_equal(stage.notes[APP_NOTE_SHOW_LOST], 1);
    assert_int_equal(stage.notes[APP_NOTE_SHOW_BACK], 1);
    assert_int_equal(stage.notes[APP_NOTE_OPERATOR_LOST], 1);
    assert_int_equal(player.view, APP_VIEW_OFF);
    assert_false(stage.operator_window);
    /* It comes back with a second monitor, and only so. */
    const struct event change = {0, {.kind = UI_EVENT_MONITORS}};
    player.quit = false;
    stage.monitors = 1;
    run_with(&change, 1);
    assert_false(stage.operator_window);
    player.quit = false;
    stage.monitors = 2;
    run_with(&change, 1);
    assert_true(stage.operator_window);
}

static void what_would_end_a_show_is_asked_about(void **state)
{
    (void)state;
    static const struct {
        const char *first;
        const char *second; /* NULL: the show's window is closed */
        double apart;       /* seconds */
        bool full;
        enum app_view view;
        bool windowed; /* in the end */
        bool ends;
        unsigned asked;
        unsigned stays; /* told */
    } cases[] = {
        /* What is no show asks nothing. */
        {"Ctrl+Q", "", 0, false, APP_VIEW_OFF, true, true, 0, 0},
        {"Escape", "Escape", 1, false, APP_VIEW_OFF, true, false, 0, 0},
        {"Ctrl+Q", "", 0, true, APP_VIEW_OFF, false, false, 1, 0},
        {"Ctrl+Q", "Ctrl+Q", 1, true, APP_VIEW_OFF, false, true, 1, 0},
        {"Ctrl+Q", "Ctrl+Q", 3, true, APP_VIEW_OFF, false, false, 2, 0},
        {"Ctrl+Q", NULL, 1, true, APP_VIEW_OFF, false, true, 1, 0},
        {"Ctrl+Q", "F11", 1, true, APP_VIEW_OFF, false, false, 2, 0},
        {"Ctrl+Q", "", 1, false, APP_VIEW_WINDOW, true, false, 1, 0},
        {"F11", "", 0, true, APP_VIEW_OFF, false, false, 1, 0},
        {"F11", "F11", 1, true, APP_VIEW_OFF, true, false, 1, 0},
        {"F11", "Escape", 1, true, APP_VIEW_OFF, true, false, 1, 0},
        {"F11", "", 1, false, APP_VIEW_OFF, false, false, 0, 0},
        {"Escape", "Escape", 1, true, APP_VIEW_OFF, true, false, 1, 0},
        {"Escape", "Escape", 3, true, APP_VIEW_OFF, false, false, 2, 0},
        /* Escape closes what lies over the picture first. */
        {"Escape", "Escape", 1, true, APP_VIEW_OVERLAY, false, false, 1, 0},
        {"F1", "Escape", 1, true, APP_VIEW_OFF, false, false, 0, 0},
        /* With an operator's window it never ends the full screen; it takes back a question. */
        {"Escape", "Escape", 1, true, APP_VIEW_WINDOW, false, false, 0, 2},
        {"Ctrl+Q", "Escape", 1, true, APP_VIEW_WINDOW, false, false, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        const unsigned later = 3 + (unsigned)(60 * cases[i].apart);
        const struct event events[] = {key_at(3, cases[i].first),
                                       cases[i].second != NULL
                                           ? key_at(later, cases[i].second)
                                           : (struct event){later, {.kind = UI_EVENT_CLOSE}}};
        stage.has_window = true;
        app_player_set_view(&player, cases[i].view);
        stage.full = cases[i].full;
        stage.events = events;
        stage.event_count = 2;
        run();
        assert_int_equal(stage.full, !cases[i].windowed);
        assert_int_equal(player.now < 10, cases[i].ends);
        assert_int_equal(stage.notes[APP_NOTE_ASKS_QUIT] + stage.notes[APP_NOTE_ASKS_WINDOW],
                         cases[i].asked);
        assert_int_equal(stage.notes[APP_NOTE_STAYS], cases[i].stays);
    }
}

static void an_order_that_ends_the_show_is_not_asked_about(void **state)
{
    (void)state;
    static const struct engine_call quit = {.command = UI_COMMAND_QUIT};
    begin();
    stage.full = true;
    stage.order = &quit;
    run();
    assert_true(player.now < 10);
    assert_int_equal(stage.notes[APP_NOTE_ASKS_QUIT], 0);
}

static void with_a_view_keys_draw_nothing_on_the_picture(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        bool drawn_before;
        enum app_view view;
        bool drawn;
        bool answered; /* by the view */
    } cases[] = {
        {"help", false, APP_VIEW_OFF, true, false},
        {"help", false, APP_VIEW_WINDOW, false, true},
        {"help", true, APP_VIEW_WINDOW, false, false},
        {"help on", false, APP_VIEW_WINDOW, true, false},
        {"meter", false, APP_VIEW_OFF, true, false},
        {"meter", false, APP_VIEW_OVERLAY, false, true},
        {"meter", true, APP_VIEW_WINDOW, false, false},
        {"meter on", false, APP_VIEW_WINDOW, true, false},
        {"fps", false, APP_VIEW_OFF, true, false},
        {"fps", false, APP_VIEW_WINDOW, false, true},
        {"fps", true, APP_VIEW_WINDOW, false, false},
        {"fps on", false, APP_VIEW_WINDOW, true, false},
        {"name", false, APP_VIEW_OFF, true, false},
        {"name", false, APP_VIEW_WINDOW, false, true},
        {"name", true, APP_VIEW_WINDOW, false, false},
        {"name always", false, APP_VIEW_WINDOW, true, false},
        {"name never", true, APP_VIEW_OFF, false, false},
        {"name sometimes", false, APP_VIEW_OFF, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        struct engine_call call;
        stage.has_window = true;
        app_player_set_view(&player, cases[i].view);
        player.help_shown = player.meter_shown = player.fps_shown = cases[i].drawn_before;
        player.names = cases[i].drawn_before ? UI_NAMES_AT_FIRST : UI_NAMES_NEVER;
        assert_int_equal(ui_call_parse(&call, base_span_of(cases[i].words), (struct base_place){0},
                                       &base_diag_stderr),
                         0);
        app_player_obey(&player, &call);
        const bool drawn = call.command == UI_COMMAND_HELP    ? player.help_shown
                           : call.command == UI_COMMAND_METER ? player.meter_shown
                           : call.command == UI_COMMAND_FPS   ? player.fps_shown
                                                              : player.names != UI_NAMES_NEVER;
        assert_int_equal(drawn, cases[i].drawn);
        assert_int_equal(stage.done == UI_COMMAND_PANEL, cases[i].answered);
    }
    assert_int_equal(stage.notes[APP_NOTE_NO_NAMES], 1);
}

static void memory_is_counted_without_opening_a_file(void **state)
{
    (void)state;
    begin();
    options.duration = 70;
    run();
    assert_true(player.counters.memory == 1e6 && player.counters.memory_after_minute == 1e6);
}

static void pictures_stay_where_the_window_takes_them(void **state)
{
    (void)state;
    begin();
    run();
    assert_int_equal(stage.there + stage.fetched, 0);
    const unsigned all = stage.here;
    begin();
    stage.on_device = true;
    run();
    assert_int_equal(stage.there, all);
    assert_int_equal(stage.here + stage.fetched, 0);
    assert_int_equal(player.counters.stayed, all);
    /* Whoever reads them here has them here. */
    begin();
    stage.on_device = true;
    player.meter_shown = true;
    run();
    assert_int_equal(stage.there + stage.fetched, 0);
    assert_int_equal(stage.here, all);
}

/* In each second frame the picture is black, and comes from here. */
static void a_blackout_comes_from_here(void **state)
{
    (void)state;
    begin();
    stage.on_device = true;
    open_door();
    stage.toggles = app_door_inlet(player.door, APP_SOURCE_KEYS);
    (void)app_inlet_value(stage.toggles, UI_COMMAND_BLACKOUT, 1);
    run();
    assert_true(stage.here > 0 && stage.there > 0);
    assert_int_equal(stage.fetched, 0);
}

static void a_screen_that_is_lost_costs_no_picture(void **state)
{
    (void)state;
    begin();
    stage.on_device = true;
    stage.lost_at = 10;
    run();
    assert_int_equal(stage.there, 9);
    assert_int_equal(stage.fetched, 1);
    assert_int_equal(stage.there + stage.here, stage.frames);
}

int main(void)
{
    (void)app_apart_begin();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hopelessly_slow_presets_are_left),
        cmocka_unit_test(costly_presets_are_left_at_once),
        cmocka_unit_test(a_step_that_costs_too_much_is_the_last_of_its_frame),
        cmocka_unit_test(a_preset_that_costs_too_much_is_not_drawn_while_it_is_left),
        cmocka_unit_test(shaders_become_coarse),
        cmocka_unit_test(the_next_preset_begins_coarse),
        cmocka_unit_test(a_changed_preset_does_not_show_its_name_again),
        cmocka_unit_test(answers_to_keys_are_notes),
        cmocka_unit_test(random_order_reaches_the_library),
        cmocka_unit_test(no_tempo_is_shown_of_a_sound_that_is_lost),
        cmocka_unit_test(presets_come_by_themselves_until_locked),
        cmocka_unit_test(no_sample_is_lost),
        cmocka_unit_test(a_picture_that_stands_still_listens),
        cmocka_unit_test(a_beat_counts_once),
        cmocka_unit_test(what_the_show_does_by_itself_can_be_ordered),
        cmocka_unit_test(a_blackout_is_black),
        cmocka_unit_test(a_value_is_set_and_read_back),
        cmocka_unit_test(texts_and_opinions_are_read_back),
        cmocka_unit_test(sticks_and_triggers_move_values),
        cmocka_unit_test(what_a_source_sets_is_in_the_next_picture),
        cmocka_unit_test(a_flood_does_not_fill_the_operators_messages),
        cmocka_unit_test(a_picture_that_stands_still_takes_the_steps_asked_for),
        cmocka_unit_test(a_show_goes_on_where_the_picture_stood),
        cmocka_unit_test(standing_still_does_not_count_for_a_presets_time),
        cmocka_unit_test(keys_and_mouse_belong_to_who_is_seen),
        cmocka_unit_test(the_view_is_made_larger_and_smaller),
        cmocka_unit_test(a_key_that_was_a_command_is_not_typed),
        cmocka_unit_test(keys_wait_for_the_field_that_was_clicked),
        cmocka_unit_test(without_a_window_of_its_own_the_view_lies_over_the_picture),
        cmocka_unit_test(a_monitor_is_told_by_number_or_name),
        cmocka_unit_test(the_operator_gives_way_to_the_show),
        cmocka_unit_test(what_would_end_a_show_is_asked_about),
        cmocka_unit_test(an_order_that_ends_the_show_is_not_asked_about),
        cmocka_unit_test(with_a_view_keys_draw_nothing_on_the_picture),
        cmocka_unit_test(memory_is_counted_without_opening_a_file),
        cmocka_unit_test(pictures_stay_where_the_window_takes_them),
        cmocka_unit_test(a_blackout_comes_from_here),
        cmocka_unit_test(a_screen_that_is_lost_costs_no_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
