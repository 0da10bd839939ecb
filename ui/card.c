#include "ui/card.h"

#include <assert.h>
#include <stdlib.h>

#include "ui/toolkit/imui.h"

enum { BACKING = 150, FAINT = 0xD8D8D8, INK = 0xFFFFFF };

static const double come_seconds = 0.5;
static const double go_seconds = 1.0;

struct ui_card {
    struct ui_font *large;
    struct ui_font *small;
    struct ui_line *title;
    struct ui_line *artist;
    uint32_t *cover; /* side x side; NULL: none */
    int width;       /* of the picture */
    int height;
    int side; /* height of cover or line, and of the texts */
    int edge; /* between the picture's edge and the card */
    int gap;  /* between cover and texts */
};

/* A channel of the mean over the pixels of `from` in [x0, x1) x [y0, y1). */
static uint32_t mean(const struct ui_surface *from, int x0, int x1, int y0, int y1)
{
    uint64_t sums[3] = {0};
    const uint64_t count = (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0);
    for (int y = y0; y < y1; y++) {
        const uint32_t *row = from->pixels + (size_t)y * from->stride;
        for (int x = x0; x < x1; x++) {
            sums[0] += row[x] & 0xFF;
            sums[1] += row[x] >> 8 & 0xFF;
            sums[2] += row[x] >> 16 & 0xFF;
        }
    }
    return (uint32_t)(sums[0] / count | sums[1] / count << 8 | sums[2] / count << 16);
}

/* The middle square of a picture, side x side pixels. NULL without memory. */
static uint32_t *square_of(const struct ui_surface *from, int side)
{
    const int edge = from->width < from->height ? from->width : from->height;
    const int left = (from->width - edge) / 2;
    const int top = (from->height - edge) / 2;
    uint32_t *pixels = malloc((size_t)side * (size_t)side * sizeof *pixels);
    for (int y = 0; pixels != NULL && y < side; y++) {
        const int y0 = top + (int)((int64_t)y * edge / side);
        const int y1 = top + (int)((int64_t)(y + 1) * edge / side);
        for (int x = 0; x < side; x++) {
            const int x0 = left + (int)((int64_t)x * edge / side);
            const int x1 = left + (int)((int64_t)(x + 1) * edge / side);
            pixels[y * side + x] = mean(from, x0, x1 > x0 ? x1 : x0 + 1, y0, y1 > y0 ? y1 : y0 + 1);
        }
    }
    return pixels;
}

struct ui_card *ui_card_create(int width, int height, const char *title, const char *artist,
                               const struct ui_surface *cover, const struct base_diag_sink *sink)
{
    if (title[0] == '\0' && artist[0] == '\0') {
        return NULL;
    }
    struct ui_card *card = calloc(1, sizeof *card);
    if (card == NULL) {
        return NULL;
    }
    /* An upright picture has room for fewer letters beside each other. */
    const int unit = width * 9 / 16 < height ? width * 9 / 16 : height;
    card->width = width;
    card->height = height;
    card->large = ui_font_create(unit / 17, sink);
    card->small = ui_font_create(unit / 27, NULL);
    const int lines = (title[0] != '\0' ? ui_font_line_height(card->large) : 0) +
                      (artist[0] != '\0' ? ui_font_line_height(card->small) : 0);
    card->side = lines;
    card->edge = unit / 16;
    card->gap = unit / 40 + 1;
    const bool pictured = cover != NULL && cover->width > 0 && cover->height > 0 && lines > 0;
    card->cover = pictured ? square_of(cover, lines) : NULL;
    const int begin = card->edge + (card->cover != NULL ? card->side : 0) + card->gap;
    const int room = width - begin - card->edge > 0 ? width - begin - card->edge : 0;
    if (title[0] != '\0') {
        card->title = ui_line_create(card->large, base_span_of(title), room);
    }
    if (artist[0] != '\0') {
        card->artist = ui_line_create(card->small, base_span_of(artist), room);
    }
    if (card->title == NULL && card->artist == NULL) {
        ui_card_free(card);
        return NULL;
    }
    return card;
}

void ui_card_free(struct ui_card *card)
{
    if (card != NULL) {
        ui_line_free(card->title);
        ui_line_free(card->artist);
        ui_font_free(card->large);
        ui_font_free(card->small);
        free(card->cover);
        free(card);
    }
}

bool ui_card_is_seen(double age, bool stays)
{
    return age >= 0 && (stays || age < UI_CARD_SECONDS);
}

static double smooth(double t)
{
    return t <= 0 ? 0 : t >= 1 ? 1 : t * t * (3 - 2 * t);
}

static uint32_t blend(uint32_t below, uint32_t above, unsigned alpha)
{
    uint32_t result = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        const uint32_t a = below >> shift & 0xFF;
        const uint32_t b = above >> shift & 0xFF;
        result |= (a * (255 - alpha) + b * alpha + 127) / 255 << shift;
    }
    return result;
}

static void draw_cover(const struct ui_card *card, const struct ui_surface *surface, int x0, int y0,
                       unsigned alpha)
{
    for (int y = 0; y < card->side; y++) {
        if (y0 + y < 0 || y0 + y >= surface->height) {
            continue;
        }
        uint32_t *row = surface->pixels + (size_t)(y0 + y) * surface->stride;
        for (int x = x0 < 0 ? -x0 : 0; x < card->side && x0 + x < surface->width; x++) {
            row[x0 + x] = blend(row[x0 + x], card->cover[y * card->side + x], alpha);
        }
    }
}

void ui_card_draw(const struct ui_card *card, const struct ui_surface *surface, double age,
                  bool stays)
{
    if (card == NULL || !ui_card_is_seen(age, stays)) {
        return;
    }
    assert(surface->width == card->width && surface->height == card->height);
    const double come = smooth(age / come_seconds);
    const double go = stays ? 1 : smooth((UI_CARD_SECONDS - age) / go_seconds);
    const unsigned alpha = (unsigned)(255 * come * go + 0.5);
    const int slide = (int)((1 - come) * card->edge / 2);
    const int top = card->height - card->edge - card->side;
    const int left = card->edge - slide;
    const int text = left + (card->cover != NULL ? card->side : 0) + card->gap;
    const int title = ui_line_width(card->title);
    const int artist = ui_line_width(card->artist);
    const int right = text + (title > artist ? title : artist);
    ui_backing_draw(surface, (struct ui_rect){left, top, right - left, card->side}, card->edge,
                    BACKING * alpha / 255);
    if (card->cover != NULL) {
        draw_cover(card, surface, left, top, alpha);
    } else {
        /* It grows out of its middle. */
        const int long_side = (int)(come * card->side);
        const int thick = card->gap / 5 + 1;
        ui_fill(surface,
                (struct ui_rect){left, top + (card->side - long_side) / 2, thick, long_side}, INK,
                alpha);
    }
    int y = top;
    if (card->title != NULL) {
        ui_line_draw(card->title, surface, text, y + ui_font_ascent(card->large), INK, alpha);
        y += ui_font_line_height(card->large);
    }
    if (card->artist != NULL) {
        ui_line_draw(card->artist, surface, text, y + ui_font_ascent(card->small), FAINT, alpha);
    }
}
