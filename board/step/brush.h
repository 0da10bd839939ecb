/* An ink prepared for many pixels; what it does to them stands here, so that the loops over pixels
 * have it within. Private to this folder. */
#ifndef BOARD_STEP_BRUSH_H
#define BOARD_STEP_BRUSH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/step/draw.h"
#include "board/step/items.h"

/* Red and blue stand apart enough in a word to be multiplied together, what overflows additively
 * falls between them. Leaves what board_blend does. */
struct board_brush {
    uint32_t keep; /* of what is under it, in 64ths */
    uint32_t red_blue;
    uint32_t green;
    bool additive;
};

struct board_brush board_brush_of(struct board_ink ink);

/* The same of 0..255 each, alpha times colour rounded to the nearest; where alpha is small, rounded
 * up as often as it has to be over many turns, for what adds up over frames would be lost. */
struct board_brush board_brush_of_tint(struct board_tint tint, bool additive, uint32_t turn);

/* A rectangle as board_fill fills it. */
void board_brush_fill(uint8_t *texture, const struct board_brush *brush, struct board_point from,
                      struct board_point to);

/* A line as board_line draws it. */
void board_brush_line(uint8_t *texture, const struct board_brush *brush, bool thick,
                      struct board_point from, struct board_point to);

/* A square of so many pixels, from its upper left one. */
void board_brush_dot(uint8_t *texture, const struct board_brush *brush, int32_t size,
                     struct board_point at);

/* The corners of a shape, the first one once more at the end, in 16ths of a pixel. */
void board_shape_rim(const struct board_drawn_shape *shape,
                     struct board_point rim[static BOARD_SHAPE_SIDES_MAX + 1]);

enum {
    BOARD_RED_BLUE = 0xF81F,
    BOARD_GREEN = 0x07E0,
    BOARD_RED_BLUE_OVER = 0x10020, /* the bits above */
    BOARD_GREEN_OVER = 0x0800,
};

static inline uint32_t board_brush_added(const struct board_brush *brush, uint32_t under)
{
    const uint32_t red_blue = (under & BOARD_RED_BLUE) + brush->red_blue;
    const uint32_t green = (under & BOARD_GREEN) + brush->green;
    const uint32_t red_blue_over = red_blue & BOARD_RED_BLUE_OVER;
    const uint32_t green_over = green & BOARD_GREEN_OVER;
    return ((red_blue | (red_blue_over - (red_blue_over >> 5))) & BOARD_RED_BLUE) |
           ((green | (green_over - (green_over >> 6))) & BOARD_GREEN);
}

static inline uint32_t board_brush_blended(const struct board_brush *brush, uint32_t under)
{
    const uint32_t red_blue = ((under & BOARD_RED_BLUE) * brush->keep >> 6) & BOARD_RED_BLUE;
    const uint32_t green = ((under & BOARD_GREEN) * brush->keep >> 6) & BOARD_GREEN;
    return red_blue + brush->red_blue + green + brush->green;
}

/* The board reads and writes a pixel at once; without a C library only the builtin is no call. */
static inline uint32_t board_pixel_at(const uint8_t *pixel)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint16_t color;
    __builtin_memcpy(&color, __builtin_assume_aligned(pixel, sizeof color), sizeof color);
    return color;
#else
    return (uint32_t)pixel[0] << 8 | pixel[1];
#endif
}

static inline void board_set_pixel(uint8_t *pixel, uint32_t value)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    const uint16_t color = (uint16_t)value;
    __builtin_memcpy(__builtin_assume_aligned(pixel, sizeof color), &color, sizeof color);
#else
    pixel[0] = (uint8_t)(value >> 8);
    pixel[1] = (uint8_t)value;
#endif
}

static inline void board_brush_touch(uint8_t *pixel, const struct board_brush *brush)
{
    const uint32_t under = board_pixel_at(pixel);
    board_set_pixel(pixel, brush->additive ? board_brush_added(brush, under)
                                           : board_brush_blended(brush, under));
}

/* Two pixels at a time: each store goes to memory. */
static inline void board_copy_row(uint8_t *pixel, uint32_t color, int32_t count)
{
    const uint8_t bytes[] = {(uint8_t)(color >> 8), (uint8_t)color, (uint8_t)(color >> 8),
                             (uint8_t)color};
    uint32_t both;
    __builtin_memcpy(&both, bytes, sizeof both);
    uint8_t *end = pixel + 2 * (ptrdiff_t)count;
    if (count > 0 && ((uintptr_t)pixel & 2) != 0) {
        board_set_pixel(pixel, color);
        pixel += 2;
    }
    for (; end - pixel >= (ptrdiff_t)sizeof both; pixel += sizeof both) {
        __builtin_memcpy(__builtin_assume_aligned(pixel, sizeof both), &both, sizeof both);
    }
    if (pixel < end) {
        board_set_pixel(pixel, color);
    }
}

static inline void board_brush_row(uint8_t *pixel, const struct board_brush *brush, int32_t count)
{
    uint8_t *const end = pixel + 2 * (ptrdiff_t)count;
    if (brush->additive) {
        for (; pixel < end; pixel += 2) {
            board_set_pixel(pixel, board_brush_added(brush, board_pixel_at(pixel)));
        }
    } else if (brush->keep == 0) {
        board_copy_row(pixel, brush->red_blue | brush->green, count);
    } else {
        for (; pixel < end; pixel += 2) {
            board_set_pixel(pixel, board_brush_blended(brush, board_pixel_at(pixel)));
        }
    }
}

#endif
