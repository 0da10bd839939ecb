#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../turns.h"
#include "ui/card.h"

enum { WIDTH = 640, HEIGHT = 360, MARGIN = 8, GREY = 0x404040, RED = 0xFF0000 };

/* A picture with a margin that must stay as it is. */
struct picture {
    uint32_t pixels[(HEIGHT + 2 * MARGIN) * (WIDTH + 2 * MARGIN)];
};

static struct ui_surface surface_of(struct picture *picture, int width, int height)
{
    const size_t stride = WIDTH + 2 * MARGIN;
    for (size_t i = 0; i < sizeof picture->pixels / sizeof *picture->pixels; i++) {
        picture->pixels[i] = GREY;
    }
    return (struct ui_surface){picture->pixels + MARGIN * stride + MARGIN, width, height, stride};
}

/* How many pixels differ from grey, inside the surface; outside none may. */
static size_t changed(const struct picture *picture, const struct ui_surface *surface)
{
    const size_t stride = WIDTH + 2 * MARGIN;
    size_t count = 0;
    for (size_t i = 0; i < sizeof picture->pixels / sizeof *picture->pixels; i++) {
        const int x = (int)(i % stride) - MARGIN;
        const int y = (int)(i / stride) - MARGIN;
        const bool inside = x >= 0 && y >= 0 && x < surface->width && y < surface->height;
        if (!inside) {
            assert_int_equal(picture->pixels[i], GREY);
        }
        count += picture->pixels[i] != GREY;
    }
    return count;
}

static size_t count_of(const struct ui_surface *surface, uint32_t colour)
{
    size_t count = 0;
    for (int y = 0; y < surface->height; y++) {
        for (int x = 0; x < surface->width; x++) {
            count += surface->pixels[(size_t)y * surface->stride + (size_t)x] == colour;
        }
    }
    return count;
}

static void it_comes_stays_and_goes(void **state)
{
    struct picture *picture = malloc(sizeof *picture);
    struct ui_card *card = ui_card_create(WIDTH, HEIGHT, "Title", "Artist", NULL, NULL);
    const struct {
        double age;
        bool stays;
        bool seen;
    } cases[] = {{-0.1, false, false},
                 {0.25, false, true},
                 {4, false, true},
                 {UI_CARD_SECONDS - 0.5, false, true},
                 {UI_CARD_SECONDS, false, false},
                 {UI_CARD_SECONDS, true, true},
                 {1e6, true, true}};
    (void)state;
    assert_non_null(card);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct ui_surface surface = surface_of(picture, WIDTH, HEIGHT);
        ui_card_draw(card, &surface, cases[i].age, cases[i].stays);
        assert_int_equal(changed(picture, &surface) > 0, cases[i].seen);
        assert_int_equal(ui_card_is_seen(cases[i].age, cases[i].stays), cases[i].seen);
    }
    ui_card_free(card);
    free(picture);
}

static void a_cover_is_its_middle_square(void **state)
{
    enum { WIDE = 300, HIGH = 100 };
    struct picture *picture = malloc(sizeof *picture);
    uint32_t *pixels = malloc((size_t)WIDE * HIGH * sizeof *pixels);
    (void)state;
    for (int i = 0; i < WIDE * HIGH; i++) {
        pixels[i] = i % WIDE >= 100 && i % WIDE < 200 ? RED : 0x0000FF;
    }
    const struct ui_surface cover = {pixels, WIDE, HIGH, WIDE};
    struct ui_card *card = ui_card_create(WIDTH, HEIGHT, "Title", "", &cover, NULL);
    const struct ui_surface surface = surface_of(picture, WIDTH, HEIGHT);
    ui_card_draw(card, &surface, 1, true);
    (void)changed(picture, &surface);
    const size_t red = count_of(&surface, RED);
    int side = 0;
    while ((size_t)side * (size_t)side < red) {
        side++;
    }
    assert_true(red > 0);
    assert_int_equal((size_t)side * (size_t)side, red);
    assert_int_equal(count_of(&surface, 0x0000FF), 0);
    ui_card_free(card);
    free(pixels);
    free(picture);
}

static void it_stays_in_any_picture(void **state)
{
    static const int sizes[][2] = {{8, 8}, {16, 360}, {640, 16}, {200, 360}, {640, 360}};
    static const char *const texts[] = {
        "", "x",
        "a title that is by far too long for any picture, and goes on and on and on, to the very "
        "end",
        "\xFF\xC3", "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"};
    enum { SIDE = 3, TEXTS = sizeof texts / sizeof *texts };
    uint32_t pixels[SIDE * SIDE] = {0};
    const struct ui_surface cover = {pixels, SIDE, SIDE, SIDE};
    struct picture *picture = malloc(sizeof *picture);
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = i % EACH(3); k < (size_t)2 * TEXTS; k += EACH(3)) {
            const struct ui_surface surface = surface_of(picture, sizes[i][0], sizes[i][1]);
            struct ui_card *card = ui_card_create(sizes[i][0], sizes[i][1], texts[k % TEXTS],
                                                  texts[(2 * k + 1) % TEXTS],
                                                  k >= (size_t)TEXTS ? &cover : NULL, NULL);
            ui_card_draw(card, &surface, 0.1, false);
            ui_card_draw(card, &surface, 1, false);
            (void)changed(picture, &surface);
            ui_card_free(card);
        }
    }
    free(picture);
}

static void without_texts_there_is_none(void **state)
{
    (void)state;
    assert_null(ui_card_create(WIDTH, HEIGHT, "", "", NULL, NULL));
    ui_card_draw(NULL, NULL, 1, true);
    ui_card_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_comes_stays_and_goes),
        cmocka_unit_test(a_cover_is_its_middle_square),
        cmocka_unit_test(it_stays_in_any_picture),
        cmocka_unit_test(without_texts_there_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
