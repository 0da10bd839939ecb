/* The accesses of a texture mapper to memory, which is all that the timing models see of it. */
#ifndef TMU_TRACE_H
#define TMU_TRACE_H

#include <stddef.h>
#include <stdint.h>

enum { TMU_TRACE_ROW_MAX = 2048 };

/* The four texels of one pixel: (x, y), its right neighbour if fx is not 0, its lower neighbour if
 * fy is not 0, and the one right below if both are not. */
struct tmu_fragment {
    int32_t u; /* before masks and clamping, 6 fraction bits, 18 bits with sign */
    int32_t v;
    uint16_t x; /* texel, 0 at the left and at the top */
    uint16_t y;
    uint8_t fx; /* 0..63 */
    uint8_t fy;
};

/* What does not change during a run. Addresses are of bytes, texels and pixels have 2 of them. */
struct tmu_trace_run {
    uint32_t texture;
    uint32_t texture_width; /* also from row to row */
    uint32_t texture_height;
    uint32_t wrap_x; /* columns after which the texture repeats, a power of two; 0: clamped */
    uint32_t wrap_y;
    uint32_t target;
    uint32_t target_width;
    int reads_target; /* pixels are blended with what is there */
};

/* Neighbouring pixels of one row of a rectangle, from left to right. */
struct tmu_trace_row {
    int inside; /* row in the rectangle: 0 is its upper edge */
    int x;      /* pixel of the first fragment */
    int y;
    size_t count; /* 1..TMU_TRACE_ROW_MAX */
    const struct tmu_fragment *fragments;
};

/* Rectangles come row by row from left to right, and so do the rows in each. */
struct tmu_trace_sink {
    void *user;
    void (*begin)(void *user, const struct tmu_trace_run *run);
    void (*row)(void *user, const struct tmu_trace_row *row);
    void (*end)(void *user);
};

#endif
