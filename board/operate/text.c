#include "board/operate/text.h"

#include <string.h>

#include "board/step/step.h"

enum { FIRST = ' ', GLYPHS = 64, ROWS = 7, COLUMNS = 5 };

static const uint8_t glyphs[GLYPHS][ROWS] = {
#define BOARD_GLYPH(letter, ...) {__VA_ARGS__},
#include "board/operate/glyphs.def"
};

/* Small letters are drawn as large ones, what is no letter as a question mark. */
static const uint8_t *glyph_of(char letter)
{
    const char large = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
    const unsigned number = (unsigned)(unsigned char)large - FIRST;
    return glyphs[number < GLYPHS ? number : '?' - FIRST];
}

static bool is_inked(const uint8_t *glyph, size_t x, size_t y)
{
    return x < COLUMNS && y < ROWS && (glyph[y] >> (COLUMNS - 1 - x) & 1) != 0;
}

/* ---- captions ---- */

enum {
    SCALE = 2,
    STEP = (COLUMNS + 1) * SCALE,
    LINE = (ROWS + 3) * SCALE,
    LEFT = (BOARD_WIDTH - BOARD_CAPTION_COLUMNS * STEP) / 2,
    TOP = 24,
    INK = 0xFFFF,
    SHADE = 0x0000,
};

_Static_assert((int)TOP + (int)BOARD_CAPTION_LINES * (int)LINE <= (int)BOARD_PANEL_Y && LEFT >= 0,
               "it fits above the panel");

void board_caption_add(struct board_caption *caption, const char *text)
{
    for (size_t i = 0; i < BOARD_CAPTION_LINES && *text != '\0'; i++) {
        char *line = caption->lines[i];
        if (line[0] != '\0') {
            continue;
        }
        /* A line takes letters up to the last blank, if there is any. */
        size_t taken = strlen(text);
        if (taken > BOARD_CAPTION_COLUMNS) {
            taken = BOARD_CAPTION_COLUMNS;
            while (taken > 0 && text[taken] != ' ') {
                taken--;
            }
            taken = taken > 0 ? taken : BOARD_CAPTION_COLUMNS;
        }
        memcpy(line, text, taken);
        line[taken] = '\0';
        text += taken;
        text += *text == ' ' ? 1 : 0;
    }
}

/* Points in white, the others dark, so that it can be read on any picture. */
static void draw_letter(uint16_t *pixels, const uint8_t *glyph)
{
    for (size_t y = 0; y < ROWS + 2; y++) {
        for (size_t x = 0; x <= COLUMNS; x++) {
            uint16_t *point = pixels + y * SCALE * BOARD_WIDTH + x * SCALE;
            const bool inked = y >= 1 && is_inked(glyph, x, y - 1);
            for (size_t i = 0; i < SCALE * SCALE; i++) {
                point[i / SCALE * BOARD_WIDTH + i % SCALE] = inked ? INK : SHADE;
            }
        }
    }
}

bool board_caption_draw(struct board_caption *caption, uint16_t *frame)
{
    if (caption->frames == 0) {
        return false;
    }
    for (size_t i = 0; i < BOARD_CAPTION_LINES; i++) {
        uint16_t *pixels = frame + (TOP + i * LINE) * BOARD_WIDTH + LEFT;
        for (const char *text = caption->lines[i]; *text != '\0'; text++, pixels += STEP) {
            draw_letter(pixels, glyph_of(*text));
        }
    }
    caption->frames = caption->frames - 1;
    return true;
}

/* ---- the panel ---- */

enum {
    LARGE = 3,
    LARGE_STEP = (COLUMNS + 1) * LARGE,
    INDENT = (BOARD_PANEL_WIDTH - BOARD_PANEL_COLUMNS * LARGE_STEP) / 2,
    ABOVE = 5, /* pixels of a line above its letters */
    BAR_FRAME = 2,
    BAR_WIDTH = BOARD_PANEL_BAR_COLUMNS * LARGE_STEP,
};

_Static_assert((int)BOARD_PANEL_X + (int)BOARD_PANEL_WIDTH <= (int)BOARD_WIDTH &&
                   (int)BOARD_PANEL_Y + (int)BOARD_PANEL_HEIGHT <= (int)BOARD_HEIGHT &&
                   BOARD_PANEL_WIDTH % 2 == 0 && INDENT >= 0 &&
                   (int)ABOVE + (int)ROWS * (int)LARGE <= (int)BOARD_PANEL_LINE,
               "the panel fits on the screen, the letters into their lines");

static const struct look {
    uint16_t ink;
    uint16_t ground;
} looks[BOARD_PANEL_LOOKS] = {
    [BOARD_PANEL_PLAIN] = {0xFFFF, 0x0000},  [BOARD_PANEL_TITLE] = {0xFE60, 0x0000},
    [BOARD_PANEL_FAINT] = {0xA534, 0x0000},  [BOARD_PANEL_SELECTED] = {0xFFFF, 0x0A35},
    [BOARD_PANEL_EDITED] = {0x0000, 0xFE60},
};

static void fill(uint16_t *pixels, size_t width, size_t height, uint16_t colour)
{
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            pixels[y * BOARD_PANEL_WIDTH + x] = colour;
        }
    }
}

/* Where a point's neighbours make a slope, the corners of the enlarged ones between them are filled
 * or left out, so that slants are no stairs: the rule of Scale3x (Mazzoleni, 2001). */
static bool is_smooth_ink(const uint8_t *glyph, size_t x, size_t y, size_t i)
{
    const bool ink = is_inked(glyph, x, y);
    const bool up = y > 0 && is_inked(glyph, x, y - 1);
    const bool down = is_inked(glyph, x, y + 1);
    const bool left = x > 0 && is_inked(glyph, x - 1, y);
    const bool right = is_inked(glyph, x + 1, y);
    const size_t column = i % LARGE;
    const size_t row = i / LARGE;
    if (column == 1 || row == 1 || up == down || left == right) {
        return ink;
    }
    const bool beside = column == 0 ? left : right;
    const bool above = row == 0 ? up : down;
    return beside == above ? beside : ink;
}

static void draw_large(uint16_t *pixels, const uint8_t *glyph, uint16_t ink)
{
    for (size_t y = 0; y < ROWS; y++) {
        for (size_t x = 0; x < COLUMNS; x++) {
            uint16_t *point = pixels + y * LARGE * BOARD_PANEL_WIDTH + x * LARGE;
            for (size_t i = 0; i < LARGE * LARGE; i++) {
                if (is_smooth_ink(glyph, x, y, i)) {
                    /* A stroke is wider by one, for the dark. */
                    uint16_t *at = point + i / LARGE * BOARD_PANEL_WIDTH + i % LARGE;
                    at[0] = ink;
                    at[1] = ink;
                }
            }
        }
    }
}

static void draw_bar(uint16_t *pixels, size_t length, struct look look)
{
    const size_t height = ROWS * LARGE;
    const size_t inner = BAR_WIDTH - 4 * BAR_FRAME;
    uint16_t *at = pixels + INDENT + BOARD_PANEL_BAR_AT * LARGE_STEP;
    fill(at, BAR_WIDTH, height, look.ink);
    fill(at + BAR_FRAME * (BOARD_PANEL_WIDTH + 1), BAR_WIDTH - 2 * BAR_FRAME,
         height - 2 * BAR_FRAME, look.ground);
    fill(at + 2 * BAR_FRAME * (BOARD_PANEL_WIDTH + 1), inner * length / BOARD_PANEL_BAR,
         height - 4 * BAR_FRAME, look.ink);
}

void board_panel_draw(uint16_t *pixels, unsigned number, const struct board_panel_line *line)
{
    const struct look look = looks[line->look < BOARD_PANEL_LOOKS ? line->look : BOARD_PANEL_PLAIN];
    uint16_t *at = pixels + (size_t)number * BOARD_PANEL_LINE * BOARD_PANEL_WIDTH;
    fill(at, BOARD_PANEL_WIDTH, BOARD_PANEL_LINE, look.ground);
    at += ABOVE * BOARD_PANEL_WIDTH;
    for (size_t i = 0; i < BOARD_PANEL_COLUMNS && line->text[i] != '\0'; i++) {
        if (line->text[i] != ' ') {
            draw_large(at + INDENT + i * LARGE_STEP, glyph_of(line->text[i]), look.ink);
        }
    }
    if (line->bar <= BOARD_PANEL_BAR) {
        draw_bar(at, line->bar, look);
    }
}
