/* The yardstick of the texture mappers: a bare loop that gathers four texels for each pixel, blends
 * them and stores the result, eight at a time with AVX2. */
#ifndef TESTS_YARDSTICK_H
#define TESTS_YARDSTICK_H

#include <stddef.h>
#include <stdint.h>

/* Positions count 2^16 for a texel and lie inside the texture, which has a column and a row more.
 * count is a multiple of 8. The processor must have AVX2. */
void yardstick_row(uint32_t *dst, const uint32_t *texels, size_t stride, const uint32_t *x,
                   const uint32_t *y, size_t count);

#endif
