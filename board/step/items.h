/* Custom shapes and custom waves on the board (spec/milk-rendering.md section 8): their equations,
 * which leave a list of what is to be drawn, and its drawing, in whole numbers. What does not fit
 * into the time of a frame is cut, by a count of cycles that is the same everywhere. */
#ifndef BOARD_STEP_ITEMS_H
#define BOARD_STEP_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "board/step/program.h"

enum {
    BOARD_DRAWN_SHAPES = 256,    /* in a frame, at most */
    BOARD_DRAWN_TEXTURED = 8,    /* of them */
    BOARD_DRAWN_POINTS = 2048,   /* of all waves */
    BOARD_CUSTOM_POINTS = 512,   /* of one */
    BOARD_SHAPE_LARGE = 32 * 16, /* radius in 16ths of a pixel; smaller shapes keep all rows */
    BOARD_SHAPE_SIDES_MIN = 3,
    BOARD_SHAPE_SIDES_MAX = 100,
    BOARD_THIN_MAX = 32,
};

/* 0..255 each. */
struct board_tint {
    uint8_t red;
    uint8_t green;
    uint8_t blue;
    uint8_t alpha;
};

struct board_drawn_shape {
    int32_t x; /* of the centre, in 16ths of a pixel of the texture */
    int32_t y;
    int32_t radius; /* in 16ths of a pixel, upwards; across it is 3/4 of that */
    uint32_t angle; /* in 8192nds of a turn */
    int32_t turn;   /* of the texture against that, likewise */
    int32_t shrink; /* of the texture: 1 / tex_zoom, 16 bits of fraction */
    struct board_tint inner;
    struct board_tint outer;
    struct board_tint border;
    uint8_t sides;
    bool additive;
    bool thick;
    bool textured;
};

struct board_drawn_point {
    int16_t x; /* in pixels of the texture */
    int16_t y;
    struct board_tint tint;
};

/* A custom wave's points. */
struct board_drawn_wave {
    uint16_t first;
    uint16_t count;
    bool additive;
    bool thick;
    bool dots;
};

/* What the equations of a frame leave. Plain data. */
struct board_items {
    uint32_t shape_count;
    uint32_t wave_count;
    uint32_t point_count;
    /* Of the rows of large shapes and of the pieces of lines each so many'th is drawn, in turns;
     * at least 1. */
    uint32_t thin;
    /* How many shapes and points of this frame were left out. */
    uint32_t shapes_cut;
    uint32_t points_cut;
    /* Of the rows of borders and motion vectors each so many'th is drawn, in turns; at least 1. */
    uint32_t overlay_turns;
    bool echoes; /* there is time for the echo */
    /* What the count of cycles came to: per-frame equations in double precision, in the mean; those
     * of items; drawing of items; of borders, wave and motion vectors. */
    uint32_t frame_cycles;
    uint32_t equation_cycles;
    uint32_t drawing_cycles;
    uint32_t overlay_cycles;
    /* What was left for items: of the processor; of painting, in which the texture mapper works. */
    uint32_t room;
    uint32_t painting_room;
    struct board_drawn_wave waves[BOARD_CUSTOM_WAVES];
    struct board_drawn_shape shapes[BOARD_DRAWN_SHAPES];
    struct board_drawn_point points[BOARD_DRAWN_POINTS];
};

/* The most that had to be left out of a frame since the patch was loaded. */
struct board_cuts {
    uint32_t thin; /* up to 1: nothing */
    uint32_t shapes;
    uint32_t points;
    uint32_t overlay; /* up to 1: nothing; see overlay_turns */
    bool echo;
    uint32_t frames; /* each so many'th computes the per-frame equations; up to 1: all */
};

struct board;

/* Runs the equations of the patch's items, after those of the frame. equations: see
 * board_cost_begin (cost.h). */
void board_items_think(struct board *board, uint32_t equations);

/* All but the inside of textured shapes, which is the texture mapper's. texture: BOARD_SIDE pixels
 * each way, big-endian. */
void board_items_paint(const struct board *board, uint8_t *texture);

/* Takes over what is to be drawn, and no more. */
void board_items_copy(struct board_items *to, const struct board_items *from);

/* Between how many colours from rim to centre a shape of that radius has, as a power of two. */
uint32_t board_shape_steps(int32_t radius);

/* The inside of a shape; of its rows only those whose number and `frame` are together a multiple of
 * thin. */
void board_polygon(uint8_t *texture, const struct board_drawn_shape *shape, uint32_t thin,
                   uint32_t frame);

#endif
