#include "board/firmware/screen.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "board/firmware/cpu.h"
#include "board/firmware/csr.h"

/* Registers keep the place within SDRAM, whichever of its windows was given. */
static uint32_t place(uint32_t address)
{
    return address & 0x07FFFFFF;
}

void board_screen_begin(struct board_screen *screen, uint16_t *memory)
{
    assert((uintptr_t)memory % 32 == 0);
    memset(memory, 0, (size_t)BOARD_SCREEN_FRAMES * BOARD_SCREEN_BYTES);
    for (size_t i = 0; i < BOARD_SCREEN_FRAMES; i++) {
        screen->frames[i] = memory + i * (BOARD_SCREEN_BYTES / 2);
    }
    board_write(BOARD_CSR_vga_reset, 1);
    static const struct {
        enum board_csr csr;
        uint32_t value;
    } mode[] = {
        {BOARD_CSR_vga_hres, BOARD_SCREEN_WIDTH},
        {BOARD_CSR_vga_hsync_start, 656},
        {BOARD_CSR_vga_hsync_end, 752},
        {BOARD_CSR_vga_hscan, 799},
        {BOARD_CSR_vga_vres, BOARD_SCREEN_HEIGHT},
        {BOARD_CSR_vga_vsync_start, 492},
        {BOARD_CSR_vga_vsync_end, 494},
        {BOARD_CSR_vga_vscan, 524},
        {BOARD_CSR_vga_bursts, BOARD_SCREEN_WIDTH * BOARD_SCREEN_HEIGHT / 16},
        {BOARD_CSR_vga_clock, 0},
    };
    for (size_t i = 0; i < sizeof mode / sizeof mode[0]; i++) {
        board_write(mode[i].csr, mode[i].value);
    }
    board_screen_show(screen->frames[0]);
    board_write(BOARD_CSR_vga_reset, 0);
}

uint16_t *board_screen_draw(const struct board_screen *screen)
{
    /* The picture may change from the shown to the waiting one in between: both are left alone. */
    const uint32_t shown = place(board_read(BOARD_CSR_vga_shown));
    const uint32_t waiting = place(board_read(BOARD_CSR_vga_base));
    size_t i = 0;
    while (i + 1 < BOARD_SCREEN_FRAMES && (place((uint32_t)screen->frames[i]) == shown ||
                                           place((uint32_t)screen->frames[i]) == waiting)) {
        i++;
    }
    return screen->frames[i];
}

void board_screen_show(const uint16_t *frame)
{
    board_memory_cache_flush_range(frame, BOARD_SCREEN_BYTES);
    board_screen_present(frame);
}

void board_screen_present(const uint16_t *frame)
{
    board_write(BOARD_CSR_vga_base, (uint32_t)frame);
}

bool board_screen_is_shown(void)
{
    return place(board_read(BOARD_CSR_vga_shown)) == place(board_read(BOARD_CSR_vga_base));
}

enum {
    FIRST = ' ',
    GLYPHS = 64,
    ROWS = 7,
    COLUMNS = 5,
    SCALE = 2,
    STEP = (COLUMNS + 1) * SCALE,
    LINE = (ROWS + 3) * SCALE,
    LEFT = (BOARD_SCREEN_WIDTH - BOARD_CAPTION_COLUMNS * STEP) / 2,
    TOP = 24,
    INK = 0xFFFF,
    SHADE = 0x0000,
};

_Static_assert(TOP + BOARD_CAPTION_LINES * LINE < BOARD_SCREEN_HEIGHT && LEFT >= 0, "it fits");

static const uint8_t glyphs[GLYPHS][ROWS] = {
#define BOARD_GLYPH(letter, ...) {__VA_ARGS__},
#include "board/firmware/glyphs.def"
};

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
static void draw_glyph(uint16_t *pixels, const uint8_t *rows)
{
    for (size_t y = 0; y < ROWS + 2; y++) {
        const unsigned row = y >= 1 && y <= ROWS ? rows[y - 1] : 0;
        for (size_t x = 0; x <= COLUMNS; x++) {
            const bool inside = x < COLUMNS && (row >> (COLUMNS - 1 - x) & 1) != 0;
            uint16_t *point = pixels + y * SCALE * BOARD_SCREEN_WIDTH + x * SCALE;
            for (size_t i = 0; i < SCALE * SCALE; i++) {
                point[i / SCALE * BOARD_SCREEN_WIDTH + i % SCALE] = inside ? INK : SHADE;
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
        uint16_t *pixels = frame + (TOP + i * LINE) * BOARD_SCREEN_WIDTH + LEFT;
        const char *text = caption->lines[i];
        for (; *text != '\0'; text++, pixels += STEP) {
            const char letter = *text;
            const char large = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
            const unsigned number = (unsigned)(unsigned char)large - FIRST;
            draw_glyph(pixels, glyphs[number < GLYPHS ? number : '?' - FIRST]);
        }
    }
    caption->frames = caption->frames - 1;
    return true;
}
