/* The chip's way over its mesh (spec/tmu.md section 3): squares row by row from left to right, in
 * each the rows from top to bottom, and the coordinates on the way. */
#ifndef TMU_CHIP_WALK_H
#define TMU_CHIP_WALK_H

#include "tmu/chip.h"

enum {
    TMU_CHIP_COORDINATE_BITS = 18,
    TMU_CHIP_SIDE_MAX = 2047, /* pixels of a square, of the texture and of the target */
};

/* All registers with only the bits that the chip keeps; those of `flags` and even addresses. */
struct tmu_chip_registers tmu_chip_keep(const struct tmu_chip_registers *registers);

/* Whether kept registers draw at all: no 0 in mesh and squares. */
bool tmu_chip_draws(const struct tmu_chip_registers *registers);

/* The low 18 bits with their sign. */
static inline int32_t tmu_chip_coordinate(int32_t value)
{
    const uint32_t sign = 1u << (TMU_CHIP_COORDINATE_BITS - 1);
    const uint32_t bits = (uint32_t)value & (2 * sign - 1);
    return (int32_t)(bits ^ sign) - (int32_t)sign;
}

/* count values on the way from `from` to `to`, the first of them `from`; the end is approached but
 * not reached. Both ends have 18 bits, and so have the values; count 1..TMU_CHIP_SIDE_MAX.
 *
 * In closed form, with n = count, diff = |to - from| mod 2^17, Q = diff div n, R = diff mod n:
 * value k is from + or - (Q * k + floor((2 * k * R + n - 1) / (2 * n))), modulo 2^18 with sign. */
void tmu_chip_interp(int32_t *values, int32_t from, int32_t to, unsigned count);

/* Mask and clamp of one coordinate; size is the width or height register of the texture. The result
 * is 0..(size - 1) * 64, with size - 1 in 11 bits. */
static inline uint32_t tmu_chip_place(int32_t value, int32_t mask, int32_t size)
{
    const uint32_t masked = (uint32_t)value & (uint32_t)mask;
    const uint32_t last = (((uint32_t)size - 1) & TMU_CHIP_SIDE_MAX) << TMU_CHIP_FRACTION;
    if (masked >> (TMU_CHIP_COORDINATE_BITS - 1) != 0) {
        return 0;
    }
    return masked < last ? masked : last;
}

/* A row of a square as far as it lies in the target; never more than one piece does. Pixel i of the
 * square's row, first <= i < first + count, stands at (x + i - first, y) and reads value i of
 * interp(left, right, width). */
struct tmu_chip_row {
    struct tmu_chip_vertex left; /* of the whole row; 18 bits */
    struct tmu_chip_vertex right;
    unsigned width;
    unsigned first;
    unsigned count; /* at least 1 */
    int inside;     /* row of the square */
    int x;          /* in the target */
    int y;
};

typedef void (*tmu_chip_visit)(void *user, const struct tmu_chip_row *row);

/* Visits every row that lies in the target, in the order of the chip. Takes registers as
 * tmu_chip_keep returns them. vertices may be NULL: then left and right of the rows are 0. */
void tmu_chip_walk(const struct tmu_chip_registers *registers,
                   const struct tmu_chip_vertex *vertices, tmu_chip_visit visit, void *user);

/* Whether a run may draw a pixel of memory twice: its mesh goes round the 4096 positions of the
 * target, or the target round the memory. What it then reads of the target depends on the buffer of
 * spec/tmu.md section 4. */
bool tmu_chip_draws_twice(const struct tmu_chip_registers *registers, uint32_t memory_size);

#endif
