/* The chip's way over its mesh (spec/tmu.md section 3): squares row by row from left to right, in
 * each the rows from top to bottom, and the coordinates on the way. */
#ifndef BOARD_MAPPER_WALK_H
#define BOARD_MAPPER_WALK_H

#include "board/mapper/mapper.h"

enum {
    BOARD_MAPPER_COORDINATE_BITS = 18,
    BOARD_MAPPER_SIDE_MAX = 2047, /* pixels of a square, of the texture and of the target */
};

/* All registers with only the bits that the chip keeps; those of `flags` and even addresses. */
struct board_mapper_registers board_mapper_keep(const struct board_mapper_registers *registers);

/* Whether kept registers draw at all: no 0 in mesh and squares. */
bool board_mapper_draws(const struct board_mapper_registers *registers);

/* The low 18 bits with their sign. */
static inline int32_t board_mapper_coordinate(int32_t value)
{
    const uint32_t sign = 1u << (BOARD_MAPPER_COORDINATE_BITS - 1);
    const uint32_t bits = (uint32_t)value & (2 * sign - 1);
    return (int32_t)(bits ^ sign) - (int32_t)sign;
}

/* count values on the way from `from` to `to`, the first of them `from`; the end is approached but
 * not reached. Both ends have 18 bits, and so have the values; count 1..BOARD_MAPPER_SIDE_MAX.
 *
 * In closed form, with n = count, diff = |to - from| mod 2^17, Q = diff div n, R = diff mod n:
 * value k is from + or - (Q * k + floor((2 * k * R + n - 1) / (2 * n))), modulo 2^18 with sign. */
void board_mapper_interp(int32_t *values, int32_t from, int32_t to, unsigned count);

/* Mask and clamp of one coordinate; size is the width or height register of the texture. The result
 * is 0..(size - 1) * 64, with size - 1 in 11 bits. */
static inline uint32_t board_mapper_place(int32_t value, int32_t mask, int32_t size)
{
    const uint32_t masked = (uint32_t)value & (uint32_t)mask;
    const uint32_t last = (((uint32_t)size - 1) & BOARD_MAPPER_SIDE_MAX) << BOARD_MAPPER_FRACTION;
    if (masked >> (BOARD_MAPPER_COORDINATE_BITS - 1) != 0) {
        return 0;
    }
    return masked < last ? masked : last;
}

/* A row of a square as far as it lies in the target; never more than one piece does. Pixel i of the
 * square's row, first <= i < first + count, stands at (x + i - first, y) and reads value i of
 * interp(left, right, width). */
struct board_mapper_row {
    struct board_mapper_vertex left; /* of the whole row; 18 bits */
    struct board_mapper_vertex right;
    unsigned width;
    unsigned first;
    unsigned count; /* at least 1 */
    int inside;     /* row of the square */
    int x;          /* in the target */
    int y;
};

typedef void (*board_mapper_visit)(void *user, const struct board_mapper_row *row);

/* Visits every row that lies in the target, in the order of the chip. Takes registers as
 * board_mapper_keep returns them. vertices may be NULL: then left and right of the rows are 0. */
void board_mapper_walk(const struct board_mapper_registers *registers,
                       const struct board_mapper_vertex *vertices, board_mapper_visit visit,
                       void *user);

/* Whether a run may draw a pixel of memory twice: its mesh goes round the 4096 positions of the
 * target, or the target round the memory. What it then reads of the target depends on the buffer of
 * spec/tmu.md section 4. */
bool board_mapper_draws_twice(const struct board_mapper_registers *registers, uint32_t memory_size);

#endif
