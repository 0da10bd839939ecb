/* The painter of the source for OBS from its header, without OBS. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four before. */
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "painter.h"

enum { WIDTH = 64, HEIGHT = 48, RATE = 48000, TICKS = 60, PATIENCE = 60 };

/* What a host knows of a painter. */
struct host {
    struct froth_painter *painter;
    atomic_int pictures;
    atomic_int said;
    atomic_int messages;
    atomic_int width;
    atomic_int height;
    pthread_mutex_t lock; /* of what follows */
    uint32_t colour;      /* of a pixel at the edge of the newest picture, 0xRRGGBB */
    int lit;              /* pixels of its upper third that are not black */
};

static void take(void *user, const struct froth_picture *picture)
{
    struct host *host = user;
    const uint32_t *pixels = picture->pixels;
    const size_t width = (size_t)picture->width;
    assert_int_equal(picture->stride, width * 4);
    assert_int_equal(picture->format, FROTH_BGRX);
    int lit = 0;
    for (size_t i = 0; i < width * (size_t)picture->height / 3; i++) {
        lit += (pixels[i] & 0xffffff) != 0;
    }
    (void)pthread_mutex_lock(&host->lock);
    host->colour = pixels[width + 1] & 0xffffff;
    host->lit = lit;
    (void)pthread_mutex_unlock(&host->lock);
    atomic_store(&host->width, picture->width);
    atomic_store(&host->height, picture->height);
    (void)atomic_fetch_add(&host->pictures, 1);
}

static void say(void *user, const char *what)
{
    struct host *host = user;
    assert_true(strlen(what) > 0);
    (void)atomic_fetch_add(&host->said, 1);
}

static void tell(void *user, const struct froth_message *message)
{
    struct host *host = user;
    if (message->severity == FROTH_ERROR) {
        (void)atomic_fetch_add(&host->messages, 1);
    }
}

static struct host *open_host(void)
{
    struct host *host = calloc(1, sizeof *host);
    assert_non_null(host);
    (void)pthread_mutex_init(&host->lock, NULL);
    struct froth_config config;
    (void)froth_config_begin(&config, sizeof config);
    config.width = WIDTH;
    config.height = HEIGHT;
    config.threads = 1;
    config.blend = 0;
    config.advance = 0;
    config.message = tell;
    config.user = host;
    const struct froth_painter_setup setup = {.take = take, .say = say, .user = host};
    host->painter = froth_painter_create(&config, RATE, &setup);
    assert_non_null(host->painter);
    return host;
}

static void close_host(struct host *host)
{
    froth_painter_free(host->painter);
    (void)pthread_mutex_destroy(&host->lock);
    free(host);
}

/* Waits until all is done that was asked for: a picture that was due comes before the second look.
 */
static void settle(struct host *host)
{
    double value;
    for (int looks = 0; looks < 2;) {
        looks += froth_painter_look(host->painter, &value, 1);
    }
}

static void tick(struct host *host, double rate)
{
    froth_painter_tick(host->painter, 1.0 / TICKS, WIDTH, HEIGHT, rate);
    settle(host);
}

static uint32_t colour_of(struct host *host)
{
    (void)pthread_mutex_lock(&host->lock);
    const uint32_t colour = host->colour;
    (void)pthread_mutex_unlock(&host->lock);
    return colour;
}

static int lit_of(struct host *host)
{
    (void)pthread_mutex_lock(&host->lock);
    const int lit = host->lit;
    (void)pthread_mutex_unlock(&host->lock);
    return lit;
}

/* Pictures until one is red or blue; a minute at most. */
static void wait_for_colour(struct host *host, uint32_t colour)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const time_t until = time(NULL) + PATIENCE;
    while (colour_of(host) != colour) {
        if (time(NULL) >= until) {
            fail_msg("the picture is %06x and not %06x", colour_of(host), colour);
        }
        tick(host, 0);
        (void)nanosleep(&pause, NULL);
    }
}

enum { RED = 0xff0000, BLUE = 0x0000ff };

static void hidden_ones_cost_nothing(void **state)
{
    (void)state;
    struct host *host = open_host();
    assert_true(froth_painter_play(host->painter, TEST_DATA "/both/red.milk"));
    for (int i = 0; i < 10; i++) {
        tick(host, 0);
    }
    assert_int_equal(atomic_load(&host->pictures), 0);
    froth_painter_show(host->painter, true);
    wait_for_colour(host, RED);
    froth_painter_show(host->painter, false);
    const int pictures = atomic_load(&host->pictures);
    tick(host, 0);
    assert_int_equal(atomic_load(&host->pictures), pictures);
    close_host(host);
}

static void rates_below_the_ticks_are_kept(void **state)
{
    (void)state;
    struct host *host = open_host();
    froth_painter_show(host->painter, true);
    for (int i = 0; i < 2 * TICKS; i++) {
        tick(host, 25);
    }
    assert_in_range(atomic_load(&host->pictures), 49, 50);
    for (int i = 0; i < TICKS; i++) {
        tick(host, 0);
    }
    assert_in_range(atomic_load(&host->pictures), 49 + TICKS, 50 + TICKS);
    close_host(host);
}

static void sizes_may_change(void **state)
{
    (void)state;
    struct host *host = open_host();
    froth_painter_show(host->painter, true);
    assert_true(froth_painter_play(host->painter, TEST_DATA "/both/blue.milk"));
    wait_for_colour(host, BLUE);
    froth_painter_tick(host->painter, 1.0 / TICKS, 2 * WIDTH, 3 * HEIGHT, 0);
    settle(host);
    assert_int_equal(atomic_load(&host->width), 2 * WIDTH);
    assert_int_equal(atomic_load(&host->height), 3 * HEIGHT);
    wait_for_colour(host, BLUE);
    close_host(host);
}

static void what_is_wrong_is_told_and_the_last_one_goes_on(void **state)
{
    (void)state;
    char empty[] = "/tmp/froth_painter_XXXXXX";
    assert_non_null(mkdtemp(empty));
    struct host *host = open_host();
    froth_painter_show(host->painter, true);
    assert_true(froth_painter_play(host->painter, TEST_DATA "/both"));
    wait_for_colour(host, BLUE);
    assert_true(froth_painter_play(host->painter, "/nowhere/at all.milk"));
    settle(host);
    assert_int_equal(atomic_load(&host->messages), 1);
    assert_true(froth_painter_play(host->painter, empty));
    settle(host);
    assert_int_equal(atomic_load(&host->messages) + atomic_load(&host->said), 2);
    const int pictures = atomic_load(&host->pictures);
    tick(host, 0);
    assert_int_equal(atomic_load(&host->pictures), pictures + 1);
    assert_int_equal(colour_of(host), BLUE);
    /* The former list is still there. */
    assert_true(froth_painter_do(host->painter, "next"));
    wait_for_colour(host, RED);
    assert_int_equal(rmdir(empty), 0);
    close_host(host);
}

static void lists_and_commands_are_obeyed(void **state)
{
    (void)state;
    struct host *host = open_host();
    froth_painter_show(host->painter, true);
    assert_true(froth_painter_play(host->painter, TEST_DATA "/both"));
    wait_for_colour(host, BLUE);
    assert_true(froth_painter_do(host->painter, "next"));
    wait_for_colour(host, RED);
    assert_true(froth_painter_do(host->painter, "previous"));
    wait_for_colour(host, BLUE);
    assert_true(froth_painter_play(host->painter, TEST_DATA "/both/red.milk"));
    wait_for_colour(host, RED);
    assert_true(froth_painter_set(host->painter, "blackout", 1));
    tick(host, 0);
    assert_int_equal(colour_of(host), 0);
    assert_true(froth_painter_do(host->painter, "no such command"));
    assert_true(froth_painter_set(host->painter, "no such value", 1));
    settle(host);
    close_host(host);
}

static void values_are_looked_at(void **state)
{
    (void)state;
    struct host *host = open_host();
    const size_t count = froth_value_count();
    double *values = calloc(count, sizeof *values);
    assert_non_null(values);
    froth_painter_show(host->painter, true);
    assert_true(froth_painter_play(host->painter, TEST_DATA "/both/red.milk"));
    wait_for_colour(host, RED);
    assert_true(froth_painter_set(host->painter, "advance", 12.5));
    assert_true(froth_painter_set(host->painter, "zoom", 1.25));
    while (!froth_painter_look(host->painter, values, count)) {
    }
    int found = 0;
    for (size_t i = 0; i < count; i++) {
        struct froth_value row;
        assert_int_equal(froth_value_info(i, &row), FROTH_OK);
        if (strcmp(row.name, "advance") == 0 || strcmp(row.name, "zoom") == 0) {
            assert_true(values[i] == (row.kind == FROTH_KEY ? 1.25 : 12.5));
            found++;
        }
    }
    assert_int_equal(found, 2);
    free(values);
    close_host(host);
}

/* Sound moves the line of a preset that draws it; planes of 1, 2 and 6 channels, and none. */
static void sound_is_heard(void **state)
{
    (void)state;
    static float loud[RATE / TICKS];
    const float *const planes[6] = {loud, loud, loud, loud, loud, loud};
    const float *const silence[1] = {NULL};
    const size_t frames = sizeof loud / sizeof *loud;
    for (size_t i = 0; i < frames; i++) {
        loud[i] = i / 50 % 2 == 0 ? 0.9F : -0.9F;
    }
    struct host *host = open_host();
    assert_true(froth_painter_play(host->painter, TEST_DATA "/both/red.milk"));
    froth_painter_show(host->painter, true);
    wait_for_colour(host, RED);
    assert_true(froth_painter_play(host->painter, TEST_DATA "/line.milk"));
    const time_t until = time(NULL) + PATIENCE;
    do {
        assert_true(time(NULL) < until);
        froth_painter_hear(host->painter, silence, 1, frames);
        tick(host, 0);
    } while (lit_of(host) > 0);
    static const size_t channels[] = {1, 2, 6};
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++) {
        for (int n = 0; n < 10; n++) {
            froth_painter_hear(host->painter, planes, channels[i], frames);
            tick(host, 0);
        }
        assert_true(lit_of(host) > 0);
        for (int n = 0; n < 20; n++) {
            froth_painter_hear(host->painter, silence, 1, frames);
            tick(host, 0);
        }
        assert_int_equal(lit_of(host), 0);
    }
    froth_painter_hear(host->painter, planes, 0, frames);
    close_host(host);
}

/* Eleven days are the longest time that the library can be asked for. */
static void it_runs_for_weeks(void **state)
{
    (void)state;
    struct host *host = open_host();
    froth_painter_show(host->painter, true);
    assert_true(froth_painter_play(host->painter, TEST_DATA "/both/red.milk"));
    wait_for_colour(host, RED);
    froth_painter_tick(host->painter, 2e6, WIDTH, HEIGHT, 0);
    settle(host);
    const int pictures = atomic_load(&host->pictures);
    tick(host, 0);
    assert_int_equal(atomic_load(&host->pictures), pictures + 1);
    assert_int_equal(atomic_load(&host->said), 0);
    close_host(host);
}

static void *storm(void *argument)
{
    struct host *host = argument;
    static const char *const paths[] = {TEST_DATA "/both", "/nowhere", TEST_DATA "/line.milk"};
    for (size_t i = 0; i < 60; i++) {
        (void)froth_painter_play(host->painter, paths[i % 3]);
        (void)froth_painter_do(host->painter, i % 2 == 0 ? "next" : "previous");
        (void)froth_painter_set(host->painter, "decay", 0.5);
        froth_painter_show(host->painter, i % 5 != 0);
    }
    return NULL;
}

/* Two of them, each with a thread that ticks, one that hears and one that asks, and then freed in
 * the middle. */
static void several_in_a_storm(void **state)
{
    (void)state;
    static float sound[512];
    const float *const planes[2] = {sound, sound};
    struct host *hosts[2] = {open_host(), open_host()};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        froth_painter_show(hosts[i]->painter, true);
        assert_int_equal(pthread_create(&threads[i], NULL, storm, hosts[i]), 0);
    }
    for (int n = 0; n < 300; n++) {
        for (int i = 0; i < 2; i++) {
            froth_painter_hear(hosts[i]->painter, planes, 2, 512);
            froth_painter_tick(hosts[i]->painter, 0.01, WIDTH + n % 3, HEIGHT, 0);
        }
    }
    for (int i = 0; i < 2; i++) {
        (void)pthread_join(threads[i], NULL);
        close_host(hosts[i]);
    }
}

static void bad_beginnings_are_refused(void **state)
{
    (void)state;
    const struct froth_painter_setup setup = {.take = take, .say = say};
    struct froth_config config;
    (void)froth_config_begin(&config, sizeof config);
    assert_null(froth_painter_create(&config, 5, &setup));
    config.threads = -1;
    assert_null(froth_painter_create(&config, RATE, &setup));
    froth_painter_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_ones_cost_nothing),
        cmocka_unit_test(rates_below_the_ticks_are_kept),
        cmocka_unit_test(sizes_may_change),
        cmocka_unit_test(what_is_wrong_is_told_and_the_last_one_goes_on),
        cmocka_unit_test(lists_and_commands_are_obeyed),
        cmocka_unit_test(values_are_looked_at),
        cmocka_unit_test(sound_is_heard),
        cmocka_unit_test(it_runs_for_weeks),
        cmocka_unit_test(several_in_a_storm),
        cmocka_unit_test(bad_beginnings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
