/* The order in which a film's frames are drawn, brought and finished. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/render/film.h"
#include "base/os/thread.h"
#include "engine/picture.h"

enum { WIDTH = 32, HEIGHT = 16, PIXELS = WIDTH * HEIGHT, FRAMES = 6, NONE = 1000 };

/* Paints each frame in one colour; a device's picture is there when it is brought. */
static struct stage {
    struct app_options options;
    struct app_piece piece;
    struct app_film film;
    uint32_t pixels[2][PIXELS];
    uint64_t drawn;
    uint64_t brought; /* the last one */
    unsigned bringings;
    uint64_t fails;     /* at this frame */
    uint64_t stops;     /* somebody asks to, while this one is drawn */
    uint64_t same_from; /* frames from here on show the picture before them */
} stage;

static uint64_t finished(void)
{
    return stage.film.first + stage.piece.count;
}

static uint32_t colour(uint64_t number)
{
    return (uint32_t)(0x010203 * number);
}

static void fill(uint64_t number)
{
    for (size_t i = 0; i < PIXELS; i++) {
        stage.pixels[number % 2][i] = colour(number);
    }
}

static const uint32_t *note_draw(uint64_t number)
{
    assert_int_equal(number, stage.drawn + 1);
    stage.drawn = number;
    if (number == stage.stops) {
        (void)raise(SIGINT);
    }
    if (number == stage.fails) {
        return NULL;
    }
    return stage.pixels[(number < stage.same_from ? number : stage.same_from - 1) % 2];
}

static const uint32_t *draw_at_once(void *user, uint64_t number)
{
    (void)user;
    if (number > stage.film.first) {
        assert_int_equal(finished(), number - 1);
    }
    fill(number);
    return note_draw(number);
}

static const uint32_t *draw(void *user, uint64_t number)
{
    (void)user;
    /* The frame before is whole, and waits. */
    if (number > stage.film.first + 1) {
        assert_int_equal(finished(), number - 2);
    }
    return note_draw(number);
}

static void bring(void *user)
{
    (void)user;
    /* The frame before was finished while this one was drawn. */
    assert_int_equal(finished(), stage.drawn - 1);
    stage.brought = stage.drawn;
    stage.bringings++;
    if (stage.drawn < stage.same_from) {
        fill(stage.drawn);
    }
}

static const struct app_film_painter device = {draw, bring, NULL};
static const struct app_film_painter processor = {draw_at_once, NULL, NULL};

/* A film of which so many frames are not kept. */
static void begin(uint64_t first)
{
    stage = (struct stage){.same_from = NONE};
    stage.options = (struct app_options){.frames = FRAMES};
    stage.film.piece = &stage.piece;
    stage.film.silent = true;
    assert_int_equal(app_film_open(&stage.film, &stage.options, (struct app_size){WIDTH, HEIGHT},
                                   (struct engine_rate){10, 1}),
                     0);
    stage.film.first = first;
}

/* It holds these frames, the colours of which are right. */
static void end(uint64_t frames)
{
    uint32_t pixels[PIXELS];
    unsigned char row[3 * WIDTH];
    assert_int_equal(finished(), frames);
    for (uint64_t i = 0; i < stage.piece.count; i++) {
        const uint64_t number = stage.film.first + i + 1;
        for (size_t k = 0; k < PIXELS; k++) {
            pixels[k] = colour(number < stage.same_from ? number : stage.same_from - 1);
        }
        assert_int_equal(stage.piece.hashes[i],
                         engine_picture_hash(pixels, WIDTH, HEIGHT, row, NULL));
    }
    app_film_close(&stage.film);
    app_piece_free(&stage.piece);
}

static void test_one_finished_while_the_next_is_drawn(void **state)
{
    (void)state;
    begin(0);
    assert_int_equal(app_film_make(&stage.film, &device), 0);
    assert_int_equal(stage.bringings, FRAMES);
    end(FRAMES);
}

static void test_at_once_without_a_device(void **state)
{
    (void)state;
    begin(0);
    assert_int_equal(app_film_make(&stage.film, &processor), 0);
    end(FRAMES);
}

static void test_what_is_not_kept_is_not_brought(void **state)
{
    (void)state;
    begin(2);
    assert_int_equal(app_film_make(&stage.film, &device), 0);
    assert_int_equal(stage.drawn, FRAMES);
    assert_int_equal(stage.bringings, FRAMES - 2);
    end(FRAMES);
}

static void test_the_same_picture_again(void **state)
{
    (void)state;
    begin(0);
    stage.same_from = 4;
    assert_int_equal(app_film_make(&stage.film, &device), 0);
    end(FRAMES);
}

static void test_failure_keeps_what_was_before(void **state)
{
    (void)state;
    begin(0);
    stage.fails = 4;
    assert_int_equal(app_film_make(&stage.film, &device), -1);
    assert_int_equal(stage.brought, 3);
    end(3);
}

static void test_stop_holds_whole_frames(void **state)
{
    (void)state;
    struct base_stop stop;
    begin(0);
    stage.stops = 4;
    base_stop_begin(&stop);
    assert_int_equal(app_film_make(&stage.film, &device), -1);
    base_stop_end(&stop);
    assert_int_equal(stage.brought, 4);
    end(4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_finished_while_the_next_is_drawn),
        cmocka_unit_test(test_at_once_without_a_device),
        cmocka_unit_test(test_what_is_not_kept_is_not_brought),
        cmocka_unit_test(test_the_same_picture_again),
        cmocka_unit_test(test_failure_keeps_what_was_before),
        cmocka_unit_test(test_stop_holds_whole_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
