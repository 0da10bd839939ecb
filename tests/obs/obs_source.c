/* The source in OBS's library without OBS's windows: obs_source MODULE DATA PRESETS. It needs a
 * display; cli/obs_source.sh gives it one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four before. */
#include <cmocka.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <X11/Xlib.h>
#include <obs-nix-platform.h>
#include <obs.h>
#include <util/bmem.h>
#include <util/platform.h>

#include <froth.h>

enum {
    WIDTH = 64,
    HEIGHT = 48,
    PATIENCE = 60,
    RATE = 48000,
    NAME = 256,
    RED = 0xff0000,
    BLUE = 0xff
};

/* What OBS's log was told by froth. */
struct told {
    atomic_int warnings;
};

struct fixture {
    const char *module;
    const char *data;
    const char *presets;
    struct told told;
};

/* cmocka hands no argument of main on. */
static struct fixture fixture;

static void take_log(int level, const char *format, va_list arguments, void *user)
{
    struct told *told = user;
    char line[4 * NAME];
    (void)vsnprintf(line, sizeof line, format, arguments);
    if (strncmp(line, "[froth]", 7) == 0 && level <= LOG_WARNING) {
        (void)atomic_fetch_add(&told->warnings, 1);
    }
}

/* ---- a source that sounds when it is told to ---- */

static const char *tone_name(void *type)
{
    (void)type;
    return "tone";
}

static void *tone_create(obs_data_t *settings, obs_source_t *source)
{
    (void)settings;
    return source;
}

static void tone_destroy(void *data)
{
    (void)data;
}

static void sound(obs_source_t *tone, float level)
{
    float samples[RATE / 60];
    const size_t count = sizeof samples / sizeof *samples;
    for (size_t i = 0; i < count; i++) {
        samples[i] = i / 50 % 2 == 0 ? level : -level;
    }
    const struct obs_source_audio audio = {
        .data = {(const uint8_t *)samples},
        .frames = (uint32_t)count,
        .speakers = SPEAKERS_MONO,
        .format = AUDIO_FORMAT_FLOAT,
        .samples_per_sec = RATE,
        .timestamp = os_gettime_ns(),
    };
    obs_source_output_audio(tone, &audio);
}

/* ---- OBS ---- */

static int start(void **state)
{
    (void)state;
    const struct obs_source_info tone = {
        .id = "tone",
        .type = OBS_SOURCE_TYPE_INPUT,
        .output_flags = OBS_SOURCE_AUDIO,
        .get_name = tone_name,
        .create = tone_create,
        .destroy = tone_destroy,
    };
    struct obs_video_info video = {
        .graphics_module = "libobs-opengl",
        .fps_num = 30,
        .fps_den = 1,
        .base_width = WIDTH,
        .base_height = HEIGHT,
        .output_width = WIDTH,
        .output_height = HEIGHT,
        .output_format = VIDEO_FORMAT_NV12,
        .colorspace = VIDEO_CS_709,
        .range = VIDEO_RANGE_PARTIAL,
        .scale_type = OBS_SCALE_BILINEAR,
    };
    const struct obs_audio_info audio = {.samples_per_sec = RATE, .speakers = SPEAKERS_STEREO};
    obs_module_t *module = NULL;
    base_set_log_handler(take_log, &fixture.told);
    obs_set_nix_platform(OBS_NIX_PLATFORM_X11_EGL);
    obs_set_nix_platform_display(XOpenDisplay(NULL));
    assert_true(obs_startup("en-US", NULL, NULL));
    assert_int_equal(obs_reset_video(&video), OBS_VIDEO_SUCCESS);
    assert_true(obs_reset_audio(&audio));
    obs_hotkey_enable_callback_rerouting(true);
    assert_int_equal(obs_open_module(&module, fixture.module, fixture.data), MODULE_SUCCESS);
    assert_true(obs_init_module(module));
    obs_register_source(&tone);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    obs_shutdown();
    return 0;
}

/* A froth source that plays what stands at the path below the presets. It is shown, and drawn by
 * nobody, who would take its pictures from the test. */
static obs_source_t *show(const char *name, const char *path, const char *audio)
{
    char file[4 * NAME];
    (void)snprintf(file, sizeof file, "%s/%s", fixture.presets, path);
    obs_data_t *settings = obs_data_create();
    const bool is_file = strstr(path, ".milk") != NULL;
    obs_data_set_string(settings, "show", is_file ? "file" : "folder");
    obs_data_set_string(settings, is_file ? "file" : "folder", file);
    obs_data_set_string(settings, "audio", audio);
    obs_data_set_double(settings, "blend", 0);
    obs_data_set_bool(settings, "random", false);
    obs_source_t *source = obs_source_create("froth", name, settings, NULL);
    assert_non_null(source);
    obs_data_release(settings);
    obs_source_inc_active(source);
    return source;
}

static void hide(obs_source_t *source)
{
    obs_source_dec_active(source);
    obs_source_remove(source);
    obs_source_release(source);
}

/* A pixel at the edge of a picture that nobody looked at before, and whether any of the upper third
 * is not black; -1: there is none. */
static long newest(obs_source_t *source, bool *lit)
{
    struct obs_source_frame *frame = obs_source_get_frame(source);
    long colour = -1;
    if (frame != NULL) {
        const uint8_t *pixels = frame->data[0];
        const uint8_t *edge = pixels + frame->linesize[0] + 4;
        colour = edge[0] | edge[1] << 8 | edge[2] << 16;
        for (size_t i = 0; lit != NULL && i < (size_t)frame->linesize[0] * frame->height / 3; i++) {
            *lit = *lit || (i % 4 < 3 && pixels[i] != 0);
        }
        obs_source_release_frame(source, frame);
    }
    return colour;
}

static void pause_briefly(void)
{
    os_sleep_ms(5);
}

/* The same of the next picture. */
static long next_of(obs_source_t *source, bool *lit)
{
    const time_t until = time(NULL) + PATIENCE;
    long colour = newest(source, lit);
    while (colour < 0) {
        assert_true(time(NULL) <= until);
        pause_briefly();
        colour = newest(source, lit);
    }
    return colour;
}

static void wait_for_colour(obs_source_t *source, long colour)
{
    const time_t until = time(NULL) + PATIENCE;
    long seen = next_of(source, NULL);
    while (seen != colour) {
        if (time(NULL) > until) {
            fail_msg("the picture is %lx and not %lx", (unsigned long)seen, (unsigned long)colour);
        }
        seen = next_of(source, NULL);
    }
}

static void set_text(obs_source_t *source, const char *name, const char *value)
{
    obs_data_t *settings = obs_data_create();
    obs_data_set_string(settings, name, value);
    obs_source_update(source, settings);
    obs_data_release(settings);
}

/* ---- tests ---- */

static void a_source_shows_its_preset(void **state)
{
    (void)state;
    obs_source_t *first = show("first", "both/red.milk", "none");
    obs_source_t *second = show("second", "both/blue.milk", "track:1");
    wait_for_colour(first, RED);
    wait_for_colour(second, BLUE);
    assert_int_equal(obs_source_get_width(first), WIDTH);
    assert_int_equal(obs_source_get_height(first), HEIGHT);
    hide(second);
    wait_for_colour(first, RED);
    hide(first);
}

static void a_wrong_file_is_told(void **state)
{
    (void)state;
    obs_source_t *source = show("wrong", "both/red.milk", "none");
    wait_for_colour(source, RED);
    const int before = atomic_load(&fixture.told.warnings);
    set_text(source, "file", "/nowhere.milk");
    const time_t until = time(NULL) + PATIENCE;
    while (atomic_load(&fixture.told.warnings) == before) {
        assert_true(time(NULL) <= until);
        pause_briefly();
    }
    wait_for_colour(source, RED);
    hide(source);
}

struct search {
    const char *name;
    obs_source_t *source;
    obs_hotkey_id id;
};

static bool is_hotkey(void *user, obs_hotkey_id id, obs_hotkey_t *key)
{
    struct search *search = user;
    if (strcmp(obs_hotkey_get_name(key), search->name) == 0) {
        search->id = id;
    }
    return true;
}

static void press(obs_source_t *source, const char *name)
{
    struct search search = {name, source, OBS_INVALID_HOTKEY_ID};
    obs_enum_hotkeys(is_hotkey, &search);
    assert_true(search.id != OBS_INVALID_HOTKEY_ID);
    obs_hotkey_trigger_routed_callback(search.id, true);
    obs_hotkey_trigger_routed_callback(search.id, false);
}

static void hotkeys_are_obeyed(void **state)
{
    (void)state;
    obs_source_t *source = show("keys", "both", "none");
    wait_for_colour(source, BLUE);
    press(source, "froth.next");
    wait_for_colour(source, RED);
    press(source, "froth.previous");
    wait_for_colour(source, BLUE);
    press(source, "froth.blackout");
    wait_for_colour(source, 0);
    obs_data_t *settings = obs_source_get_settings(source);
    assert_true(obs_data_get_bool(settings, "blackout"));
    obs_data_release(settings);
    press(source, "froth.blackout");
    wait_for_colour(source, BLUE);
    hide(source);
}

/* All rows of the command table that last, with their numbers; of the preset, those that it has. */
static void the_dialog_has_all_values(void **state)
{
    (void)state;
    obs_source_t *source = show("dialog", "both/red.milk", "none");
    wait_for_colour(source, RED);
    obs_properties_t *properties = obs_source_properties(source);
    assert_non_null(properties);
    for (size_t i = 0; i < froth_value_count(); i++) {
        struct froth_value row;
        assert_int_equal(froth_value_info(i, &row), FROTH_OK);
        obs_property_t *property = obs_properties_get(properties, row.name);
        if (row.kind != FROTH_ACTION) {
            assert_non_null(property);
            assert_string_equal(obs_property_long_description(property), row.help);
        }
        if (row.kind == FROTH_NUMBER || row.kind == FROTH_KEY) {
            assert_true(obs_property_float_min(property) == row.low);
            assert_true(obs_property_float_max(property) == row.high);
        }
    }
    obs_data_t *settings = obs_source_get_settings(source);
    assert_true(obs_data_get_double(settings, "zoom") == 1);
    assert_true(obs_data_get_double(settings, "advance") == 30);
    /* A live change is not stored. */
    obs_data_set_double(settings, "zoom", 1.5);
    obs_source_update(source, NULL);
    obs_source_save(source);
    assert_false(obs_data_has_user_value(settings, "zoom"));
    obs_data_release(settings);
    obs_properties_destroy(properties);
    hide(source);
}

static void wait_for_line(obs_source_t *source, obs_source_t *tone, float level, bool lit)
{
    const time_t until = time(NULL) + PATIENCE;
    for (int same = 0; same < 5;) {
        bool is_lit = false;
        assert_true(time(NULL) <= until);
        sound(tone, level);
        (void)next_of(source, &is_lit);
        same = is_lit == lit ? same + 1 : 0;
    }
}

/* Sound of another source, that comes after it, is muted, gets another name and goes. */
static void another_source_is_heard(void **state)
{
    (void)state;
    obs_source_t *source = show("ear", "line.milk", "source:Flute");
    obs_source_t *tone = obs_source_create("tone", "Flute", NULL, NULL);
    wait_for_line(source, tone, 0.9F, true);
    wait_for_line(source, tone, 0, false);
    obs_source_set_muted(tone, true);
    wait_for_line(source, tone, 0.9F, false);
    obs_source_set_muted(tone, false);
    wait_for_line(source, tone, 0.9F, true);
    obs_source_set_name(tone, "Oboe");
    obs_source_save(source);
    obs_data_t *settings = obs_source_get_settings(source);
    assert_string_equal(obs_data_get_string(settings, "audio"), "source:Oboe");
    obs_data_release(settings);
    wait_for_line(source, tone, 0.9F, true);
    obs_source_remove(tone);
    obs_source_release(tone);
    tone = obs_source_create("tone", "Oboe", NULL, NULL);
    wait_for_line(source, tone, 0, false);
    wait_for_line(source, tone, 0.9F, true);
    hide(source);
    sound(tone, 0.9F);
    obs_source_remove(tone);
    obs_source_release(tone);
}

static void hidden_it_stands_still(void **state)
{
    (void)state;
    obs_source_t *source = show("hidden", "both/red.milk", "none");
    wait_for_colour(source, RED);
    obs_source_dec_active(source);
    char file[4 * NAME];
    (void)snprintf(file, sizeof file, "%s/both/blue.milk", fixture.presets);
    set_text(source, "file", file);
    /* One may have been on its way. */
    os_sleep_ms(500);
    (void)newest(source, NULL);
    os_sleep_ms(500);
    assert_int_equal(newest(source, NULL), -1);
    obs_source_inc_active(source);
    wait_for_colour(source, BLUE);
    hide(source);
}

/* Made, changed and removed without waiting for a picture. */
static void sources_come_and_go(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        obs_source_t *source = show("brief", i % 2 == 0 ? "both" : "line.milk", "track:2");
        set_text(source, "transition", "cut");
        press(source, "froth.next");
        os_sleep_ms(i % 5 * 10);
        hide(source);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        (void)fprintf(stderr, "usage: obs_source MODULE DATA PRESETS\n");
        return 2;
    }
    fixture = (struct fixture){.module = argv[1], .data = argv[2], .presets = argv[3]};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_source_shows_its_preset), cmocka_unit_test(a_wrong_file_is_told),
        cmocka_unit_test(hotkeys_are_obeyed),        cmocka_unit_test(the_dialog_has_all_values),
        cmocka_unit_test(another_source_is_heard),   cmocka_unit_test(hidden_it_stands_still),
        cmocka_unit_test(sources_come_and_go),
    };
    const int failed = cmocka_run_group_tests(tests, start, stop);
    (void)printf("%ld pieces of memory are left\n", bnum_allocs());
    return failed != 0 || bnum_allocs() != 0;
}
