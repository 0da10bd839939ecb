#include "ui/text.h"

#include <assert.h>

#include "base/utf8.h"
#include "ui/blend.h"
#include "ui/font.h"

const struct ui_glyph *ui_font_glyph(const struct ui_font *font, uint32_t code)
{
    const size_t range = UI_FONT_END - UI_FONT_FIRST;
    if (code >= UI_FONT_FIRST && code < UI_FONT_END) {
        return &font->glyphs[code - UI_FONT_FIRST];
    }
    for (size_t i = 0; i < UI_FONT_EXTRA_COUNT; i++) {
        if (ui_font_extras[i] == code) {
            return &font->glyphs[range + i];
        }
    }
    return &font->glyphs[range];
}

int ui_font_ascent(const struct ui_font *font)
{
    return font == NULL ? 0 : font->ascent;
}

int ui_font_line_height(const struct ui_font *font)
{
    return font == NULL ? 0 : font->line_height;
}

enum { WIDTH_MAX = 1 << 28 }; /* keeps sums of positions inside int */

int ui_text_width(const struct ui_font *font, struct base_span text)
{
    int width = 0;
    while (font != NULL && text.size > 0 && width < WIDTH_MAX) {
        width += ui_font_glyph(font, base_utf8_next(&text))->advance;
    }
    return width;
}

size_t ui_text_fit(const struct ui_font *font, struct base_span text, int width)
{
    struct base_span rest = text;
    int used = 0;
    while (rest.size > 0) {
        struct base_span behind = rest;
        const uint32_t code = base_utf8_next(&behind);
        used += font == NULL ? 0 : ui_font_glyph(font, code)->advance;
        if (used > width) {
            break;
        }
        rest = behind;
    }
    return text.size - rest.size;
}

/* round(a * b / 255) for a and b in 0..255 */
static uint32_t scale_255(uint32_t a, uint32_t b)
{
    const uint32_t product = a * b + 128;
    return (product + (product >> 8)) >> 8;
}

/* The part of `size` steps from `start` that lies in 0..limit. */
struct clip {
    int64_t first; /* steps to leave out */
    int64_t end;
};

static struct clip clip_steps(int64_t start, int64_t size, int64_t limit)
{
    const int64_t end = start + size > limit ? limit - start : size;
    return (struct clip){start < 0 ? -start : 0, end};
}

static void draw_glyph(const struct ui_surface *surface, const struct ui_glyph *glyph, int64_t x,
                       int64_t y, uint32_t colour, unsigned alpha)
{
    const struct clip columns = clip_steps(x, glyph->width, surface->width);
    const struct clip rows = clip_steps(y, glyph->height, surface->height);
    if (columns.first >= columns.end) {
        return;
    }
    for (int64_t row = rows.first; row < rows.end; row++) {
        const uint8_t *coverage = glyph->coverage + row * glyph->width;
        uint32_t *pixels = surface->pixels + (size_t)(y + row) * surface->stride;
        for (int64_t column = columns.first; column < columns.end; column++) {
            if (coverage[column] != 0) {
                uint32_t *pixel = &pixels[x + column];
                *pixel = ui_blend(*pixel, colour, scale_255(coverage[column], alpha));
            }
        }
    }
}

void ui_text_draw(const struct ui_font *font, const struct ui_surface *surface, int x, int y,
                  struct base_span text, uint32_t colour, unsigned alpha)
{
    assert(alpha <= 255);
    if (font == NULL || alpha == 0) {
        return;
    }
    int64_t pen = x;
    while (text.size > 0 && pen < surface->width) {
        const struct ui_glyph *glyph = ui_font_glyph(font, base_utf8_next(&text));
        draw_glyph(surface, glyph, pen + glyph->left, (int64_t)y - glyph->top, colour, alpha);
        pen += glyph->advance;
    }
}

void ui_text_number(char *text, size_t size, double number, int decimals, const char *unit)
{
    enum { NUMBER_MAX = 99999, DIGITS_MAX = 8 };
    char digits[DIGITS_MAX];
    size_t count = 0;
    size_t used = 0;
    const double bounded = number > NUMBER_MAX ? NUMBER_MAX : number > 0 ? number : 0;
    unsigned rest = (unsigned)(bounded * (decimals > 0 ? 10 : 1) + 0.5);
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0 || count < (size_t)decimals + 1);
    while (count > 0 && used + 2 < size) {
        text[used++] = digits[--count];
        if (decimals > 0 && count == 1) {
            text[used++] = '.';
        }
    }
    for (; *unit != '\0' && used + 1 < size; unit++) {
        text[used++] = *unit;
    }
    text[used] = '\0';
}
