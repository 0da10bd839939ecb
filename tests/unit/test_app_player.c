#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>
#include <time.h>

#include "app/player.h"

/* Window, sound, loader, painter and clock made for the test take the place of the real ones when
 * this program is linked: a frame takes as long as the test says. */
static struct {
    double clock; /* seconds */
    struct app_loaded *ready;
    struct app_loaded *reloaded; /* comes at the frame `reload_frame` */
    unsigned reload_frame;
    const char *key; /* comes before the first frame; or NULL */
    unsigned frames;
    unsigned slow_frames; /* how many frames from the first are slow */
    const char *shaded;   /* not NULL: shaders run, which take 30 ms at first */
    int divisors[REND_SHADER_STAGES];
    unsigned fast_frame; /* but for this one */
    int steps;
    unsigned names_shown;
    unsigned retired;
    struct rend_cue *running;
    struct rend_cue *leaving;
} stage;

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

void ui_window_close(struct ui_window *window)
{
    (void)window;
}

double ui_window_refresh(const struct ui_window *window)
{
    (void)window;
    return 0;
}

bool ui_window_poll(struct ui_window *window, struct ui_event *event)
{
    (void)window;
    if (stage.key == NULL) {
        return false;
    }
    event->kind = UI_EVENT_KEY;
    (void)strncpy(event->key, stage.key, sizeof event->key - 1);
    stage.key = NULL;
    return true;
}

void ui_window_present(struct ui_window *window, const struct ui_surface *picture)
{
    (void)window;
    (void)picture;
}

void ui_window_set_title(struct ui_window *window, const char *title)
{
    (void)window;
    (void)title;
}

void ui_window_toggle_fullscreen(struct ui_window *window)
{
    (void)window;
}

void ui_overlay_set_name(struct ui_overlay *overlay, const char *name, double now)
{
    (void)overlay;
    (void)name;
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
    (void)heard;
}

void ui_overlay_draw(const struct ui_overlay *overlay, const struct ui_surface *surface, double now)
{
    (void)overlay;
    (void)surface;
    (void)now;
}

void app_loader_step(struct app_loader *loader, int steps, enum app_loader_change change)
{
    (void)loader;
    (void)change;
    stage.steps += steps;
}

void app_loader_random(struct app_loader *loader, bool random)
{
    (void)loader;
    (void)random;
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

bool app_loader_failed(const struct app_loader *loader)
{
    (void)loader;
    return false;
}

size_t app_sound_read(struct app_sound *sound, uint64_t due, float *interleaved, size_t frames)
{
    (void)sound;
    (void)due;
    (void)interleaved;
    (void)frames;
    return 0;
}

void app_loader_tell(struct app_loader *loader, const struct rend_moment *moment)
{
    (void)loader;
    (void)moment;
}

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
    (void)input;
    (void)pixels;
    (void)stride;
    stage.frames++;
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

static char name[] = "preset";
static const char path_one[] = "one.milk";
static const char path_two[] = "two.milk";
static struct app_loaded first = {.name = name, .path = path_one};
static struct base_diag_list messages;

/* Runs for 20 s, so that no preset's time is up. */
static void run(size_t presets)
{
    const struct app_options options = {.duration = 20, .step_rate = -1};
    const struct preset_list list = {.count = presets};
    memset(&messages, 0, sizeof messages);
    struct app_player player = {.options = &options, .list = &list, .fps = 60, .advance = 30};
    player.sink = base_diag_list_sink(&messages);
    player.steps = app_steps_of(&options, app_rate_of(player.fps));
    stage.clock = 1000;
    stage.ready = &first;
    app_player_run(&player);
    assert_false(player.failed);
}

static void hopelessly_slow_presets_are_left(void **state)
{
    (void)state;
    static const struct {
        size_t presets;
        unsigned slow_frames;
        unsigned fast_frame;
        const char *key;
        int steps;
        size_t warnings;
    } cases[] = {
        {2, 0, 0, NULL, 0, 0},  {2, 9, 0, NULL, 0, 0},  {2, 10, 0, NULL, 1, 1},
        {2, 15, 0, NULL, 1, 1}, {2, 15, 8, NULL, 0, 0}, {2, 15, 5, NULL, 1, 1},
        {1, 15, 0, NULL, 0, 1}, {2, 15, 0, "L", 0, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&stage, 0, sizeof stage);
        stage.slow_frames = cases[i].slow_frames;
        stage.fast_frame = cases[i].fast_frame;
        stage.key = cases[i].key;
        run(cases[i].presets);
        assert_int_equal(stage.steps, cases[i].steps);
        assert_int_equal(messages.by_severity[BASE_WARNING], cases[i].warnings);
        assert_true(stage.frames > 20);
    }
}

static void a_changed_preset_does_not_show_its_name_again(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        unsigned names_shown;
    } cases[] = {{path_one, 1}, {path_two, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct app_loaded second = {.name = name, .path = cases[i].path};
        memset(&stage, 0, sizeof stage);
        stage.reloaded = &second;
        stage.reload_frame = 5;
        run(2);
        assert_int_equal(stage.names_shown, cases[i].names_shown);
        assert_int_equal(stage.retired, 1);
    }
}

static void answers_to_keys_are_messages(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        const char *what;
    } cases[] = {{"R", "random order"}, {"L", "locked"}, {"F4", "name: always"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&stage, 0, sizeof stage);
        stage.key = cases[i].key;
        run(2);
        assert_int_equal(messages.count, 1);
        assert_string_equal(messages.items[0].what, cases[i].what);
    }
}

static void shaders_become_coarse(void **state)
{
    (void)state;
    memset(&stage, 0, sizeof stage);
    stage.shaded = "some preset with shaders";
    run(2);
    assert_int_equal(stage.divisors[0] * stage.divisors[1], 4);
    assert_int_equal(messages.by_severity[BASE_NOTE], 2);
    assert_non_null(
        strstr(messages.items[0].what, "shaders now compute 1 of 1 (warp) and 4 (comp)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hopelessly_slow_presets_are_left),
        cmocka_unit_test(shaders_become_coarse),
        cmocka_unit_test(a_changed_preset_does_not_show_its_name_again),
        cmocka_unit_test(answers_to_keys_are_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
