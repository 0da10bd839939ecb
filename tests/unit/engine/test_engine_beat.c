/* The one beat of a show: who gives it, what presets read of it, changes that wait for it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/embed/froth.h"

enum { WIDTH = 32, HEIGHT = 24, FPS = 60 };

#define assert_near(a, b, apart) assert_true(fabs((a) - (b)) <= (apart))

static const char reader[] =
    "[preset00]\nper_frame_1=here_bpm=bpm;here_beat=beat_phase;here_bar=bar_phase;\n"
    "per_frame_2=here_count=here_count+beat_now;\n";

static uint32_t room[WIDTH * HEIGHT];

static froth *create(void)
{
    struct froth_config config;
    assert_int_equal(froth_config_begin(&config, sizeof config), FROTH_OK);
    config.width = WIDTH;
    config.height = HEIGHT;
    config.exact = 1;
    config.threads = 1;
    config.advance = 0;
    config.blend = 0;
    froth *show = froth_create(&config, NULL);
    assert_non_null(show);
    return show;
}

static void load(froth *show)
{
    assert_int_equal(froth_load_text(show, "reader", reader, strlen(reader), FROTH_HARD), FROTH_OK);
}

static uint64_t draw(froth *show)
{
    const struct froth_picture picture = {room, WIDTH * sizeof *room, WIDTH, HEIGHT, FROTH_BGRX};
    assert_int_equal(froth_render(show, &picture), FROTH_OK);
    return froth_picture_hash(&picture);
}

static void draw_frames(froth *show, int count)
{
    for (int i = 0; i < count; i++) {
        (void)draw(show);
    }
}

static double variable(const froth *show, const char *name)
{
    struct froth_variable variables[64];
    const size_t count = froth_variables(show, variables, 64);
    for (size_t i = 0; i < count && i < 64; i++) {
        if (strcmp(variables[i].name, name) == 0) {
            return variables[i].value;
        }
    }
    return NAN;
}

static const char *driver(const froth *show)
{
    struct froth_tempo tempo;
    assert_int_equal(froth_tempo(show, &tempo), FROTH_OK);
    return tempo.source;
}

static void presets_read_the_hosts_beat(void **state)
{
    (void)state;
    froth *show = create();
    load(show);
    draw_frames(show, 1);
    assert_true(variable(show, "here_bpm") == 0 && variable(show, "here_bar") == 0);
    assert_string_equal(driver(show), "");
    assert_int_equal(froth_set_tempo(show, 90, 5.5, 1), FROTH_OK);
    draw_frames(show, 1);
    assert_string_equal(driver(show), "host");
    assert_near(variable(show, "here_bpm"), 90, 0);
    assert_near(variable(show, "here_beat"), 0.5, 1e-9);
    assert_near(variable(show, "here_bar"), 1.5 / 4, 1e-9);
    /* It goes on by itself: a beat and a half a second. */
    draw_frames(show, 2 * FPS);
    assert_near(variable(show, "here_bar"), 0.5 / 4, 1e-9);
    assert_near(variable(show, "here_count"), 3, 0);
    /* It stands. */
    assert_int_equal(froth_set_tempo(show, 90, 4.25, 0), FROTH_OK);
    draw_frames(show, 30);
    const double stands = variable(show, "here_bar");
    draw_frames(show, 30);
    assert_true(variable(show, "here_bar") == stands);
    assert_int_equal(froth_set_tempo(show, 0, 0, 1), FROTH_OK);
    draw_frames(show, 1);
    assert_near(variable(show, "here_bpm"), 0, 0);
    struct froth_tempo tempo;
    assert_int_equal(froth_set_tempo(NULL, 90, 0, 1), FROTH_BAD_ARGUMENT);
    assert_int_equal(froth_set_tempo(show, 9, 0, 1), FROTH_BAD_ARGUMENT);
    assert_int_equal(froth_set_tempo(show, 1e9, 0, 1), FROTH_BAD_ARGUMENT);
    assert_int_equal(froth_set_tempo(show, (double)NAN, 0, 1), FROTH_BAD_ARGUMENT);
    assert_int_equal(froth_set_tempo(show, 90, (double)NAN, 1), FROTH_BAD_ARGUMENT);
    assert_int_equal(froth_set_tempo(show, 90, (double)INFINITY, 1), FROTH_BAD_ARGUMENT);
    assert_int_equal(froth_tempo(NULL, &tempo), FROTH_BAD_ARGUMENT);
    assert_int_equal(froth_tempo(show, NULL), FROTH_BAD_ARGUMENT);
    froth_free(show);
}

static void taps_and_values(void **state)
{
    (void)state;
    froth *show = create();
    load(show);
    draw_frames(show, 1);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(froth_do(show, "tap"), FROTH_OK);
        draw_frames(show, 40);
    }
    assert_string_equal(driver(show), "tap");
    assert_near(variable(show, "here_bpm"), 90, 1e-6);
    double value;
    assert_int_equal(froth_get(show, "tempo", &value), FROTH_OK);
    assert_near(value, 90, 1e-6);
    /* The fifth beat begins a bar. */
    assert_near(remainder(variable(show, "here_bar"), 1), 0, 1e-6);
    /* By 250 ms later: 0.375 beats behind, in a second or so. */
    assert_int_equal(froth_set(show, "nudge", 250), FROTH_OK);
    draw_frames(show, 4 * 40);
    assert_near(remainder(variable(show, "here_bar") + 0.375 / 4, 1), 0, 1e-6);
    assert_int_equal(froth_get(show, "nudge", &value), FROTH_OK);
    assert_near(value, 250, 1e-9);
    assert_int_equal(froth_set(show, "nudge", 0), FROTH_OK);
    /* A host drives before taps, unless taps were chosen. */
    assert_int_equal(froth_set_tempo(show, 120, 0, 1), FROTH_OK);
    draw_frames(show, 1);
    assert_string_equal(driver(show), "host");
    assert_int_equal(froth_do(show, "clock tap"), FROTH_OK);
    draw_frames(show, 1);
    assert_string_equal(driver(show), "tap");
    assert_int_equal(froth_do(show, "clock sundial"), FROTH_UNKNOWN);
    assert_int_equal(froth_do(show, "clock auto"), FROTH_OK);
    assert_int_equal(froth_set(show, "tempo", 0), FROTH_OK);
    assert_int_equal(froth_set_tempo(show, 0, 0, 1), FROTH_OK);
    draw_frames(show, 1);
    assert_string_equal(driver(show), "");
    froth_free(show);
}

static void states_keep_the_beat(void **state)
{
    (void)state;
    froth *show = create();
    load(show);
    draw_frames(show, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(froth_do(show, "tap"), FROTH_OK);
        draw_frames(show, 33);
    }
    assert_int_equal(froth_set_tempo(show, 125, 2.9, 1), FROTH_OK);
    assert_int_equal(froth_set(show, "wait-beats", 8), FROTH_OK);
    draw_frames(show, 5); /* in the middle of the handover */
    const size_t size = froth_save_size(show);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(froth_save(show, bytes, size, NULL), FROTH_OK);
    froth *other = create();
    assert_int_equal(froth_restore(other, bytes, size), FROTH_OK);
    free(bytes);
    for (int i = 0; i < 3 * FPS; i++) {
        if (i == FPS) {
            assert_int_equal(froth_do(show, "clock tap"), FROTH_OK);
            assert_int_equal(froth_do(other, "clock tap"), FROTH_OK);
        }
        assert_true(draw(show) == draw(other));
        assert_true(variable(show, "here_bar") == variable(other, "here_bar"));
        assert_true(variable(show, "here_count") == variable(other, "here_count"));
    }
    double value;
    assert_int_equal(froth_get(other, "wait-beats", &value), FROTH_OK);
    assert_near(value, 8, 0);
    froth_free(show);
    froth_free(other);
}

/* ---- changes that wait ---- */

static const char plain[] = "[preset00]\nfDecay=0.9\n";

static froth *create_with_list(void)
{
    froth *show = create();
    assert_int_equal(froth_playlist_add_text(show, "a", plain, strlen(plain)), FROTH_OK);
    assert_int_equal(froth_playlist_add_text(show, "b", plain, strlen(plain)), FROTH_OK);
    draw_frames(show, 1);
    return show;
}

/* Frames until the preset changes, at most `most`. */
static int frames_to_change(froth *show, int most)
{
    char before[8];
    char now[8];
    assert_int_equal(froth_preset_name(show, before, sizeof before), FROTH_OK);
    for (int i = 1; i <= most; i++) {
        (void)draw(show);
        assert_int_equal(froth_preset_name(show, now, sizeof now), FROTH_OK);
        if (strcmp(now, before) != 0) {
            return i;
        }
    }
    return most + 1;
}

static double beats(const froth *show)
{
    struct froth_tempo tempo;
    assert_int_equal(froth_tempo(show, &tempo), FROTH_OK);
    return tempo.beats;
}

static void changes_come_on_the_bar(void **state)
{
    (void)state;
    froth *show = create_with_list();
    assert_int_equal(froth_next(show, 1, FROTH_HARD), FROTH_OK);
    assert_int_equal(frames_to_change(show, 10), 1);
    assert_int_equal(froth_set_tempo(show, 120, 0, 1), FROTH_OK);
    draw_frames(show, 1);
    assert_int_equal(froth_set(show, "wait-beats", 4), FROTH_OK);
    for (int turn = 0; turn < 5; turn++) {
        draw_frames(show, 17 * turn);
        assert_int_equal(turn % 2 == 0 ? froth_next(show, 1, FROTH_HARD) : froth_do(show, "cut"),
                         FROTH_OK);
        assert_in_range(frames_to_change(show, 130), 1, 121);
        /* In the very frame in which the bar begins. */
        const double into = remainder(beats(show), 4);
        assert_true(into > -1e-6 && into < 2.0 / FPS + 1e-6);
    }
    /* By itself as well. */
    assert_int_equal(froth_set(show, "advance", 1), FROTH_OK);
    assert_in_range(frames_to_change(show, 190), 60, 181);
    assert_true(fmod(beats(show) + 1e-6, 4) < 2.0 / FPS + 2e-6);
    froth_free(show);
}

static void changes_do_not_wait_for_ever(void **state)
{
    (void)state;
    froth *show = create_with_list();
    assert_int_equal(froth_set(show, "wait-beats", 64), FROTH_OK);
    /* Nobody knows of a beat. */
    assert_int_equal(froth_next(show, 1, FROTH_HARD), FROTH_OK);
    assert_int_equal(frames_to_change(show, 10), 1);
    /* Half a minute at most. */
    assert_int_equal(froth_set_tempo(show, 10, 0.5, 1), FROTH_OK);
    draw_frames(show, 1);
    assert_int_equal(froth_set(show, "wait-beats", 64), FROTH_OK);
    assert_int_equal(froth_next(show, 1, FROTH_HARD), FROTH_OK);
    assert_in_range(frames_to_change(show, 40 * FPS), 29 * FPS, 30 * FPS + 2);
    /* The clock stands, or is gone. */
    assert_int_equal(froth_next(show, 1, FROTH_HARD), FROTH_OK);
    assert_int_equal(frames_to_change(show, 60), 61);
    assert_int_equal(froth_do(show, "clock host"), FROTH_OK);
    assert_int_equal(froth_set_tempo(show, 10, 0.5, 0), FROTH_OK);
    assert_in_range(frames_to_change(show, 10), 1, 2);
    assert_int_equal(froth_set_tempo(show, 10, 0.5, 1), FROTH_OK);
    draw_frames(show, 1);
    assert_int_equal(froth_next(show, 1, FROTH_HARD), FROTH_OK);
    draw_frames(show, 60);
    assert_int_equal(froth_set_tempo(show, 0, 0, 1), FROTH_OK);
    assert_in_range(frames_to_change(show, 10), 1, 2);
    froth_free(show);
}

/* While one waits: another size, a state, the end. */
static void what_waits_is_not_lost(void **state)
{
    (void)state;
    froth *show = create_with_list();
    assert_int_equal(froth_set_tempo(show, 60, 0.5, 1), FROTH_OK);
    draw_frames(show, 1);
    assert_int_equal(froth_set(show, "wait-beats", 16), FROTH_OK);
    assert_int_equal(froth_next(show, 1, FROTH_HARD), FROTH_OK);
    assert_int_equal(frames_to_change(show, 10), 11);
    assert_int_equal(froth_wait(show, 0), 1);
    const struct froth_picture smaller = {room, 16 * sizeof *room, 16, 16, FROTH_BGRX};
    assert_int_equal(froth_render(show, &smaller), FROTH_OK);
    char name[8];
    assert_int_equal(froth_preset_name(show, name, sizeof name), FROTH_OK);
    assert_string_equal(name, "b");
    draw_frames(show, 1);
    /* A state is taken over while one waits; automatic change goes on after it. */
    assert_int_equal(froth_set(show, "advance", 2), FROTH_OK);
    draw_frames(show, 150);
    const size_t size = froth_save_size(show);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(froth_save(show, bytes, size, NULL), FROTH_OK);
    assert_int_equal(froth_restore(show, bytes, size), FROTH_OK);
    free(bytes);
    assert_in_range(frames_to_change(show, 40 * FPS), 1, 16 * FPS);
    assert_int_equal(froth_next(show, 1, FROTH_HARD), FROTH_OK);
    draw_frames(show, 2);
    froth_free(show);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_read_the_hosts_beat),  cmocka_unit_test(taps_and_values),
        cmocka_unit_test(states_keep_the_beat),         cmocka_unit_test(changes_come_on_the_bar),
        cmocka_unit_test(changes_do_not_wait_for_ever), cmocka_unit_test(what_waits_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
