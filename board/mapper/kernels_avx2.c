#include "base/simd.h"

#if defined(__AVX2__)
#include "board/mapper/kernels_lanes.h"

static void draw_avx2(uint8_t *target, const int32_t *x, const int32_t *y, unsigned count,
                      const struct board_mapper_sampler *sampler, uint8_t *drawn)
{
    lanes_draw(target, x, y, count, sampler, drawn);
}

static void line_avx2(int32_t *values, int32_t from, int32_t to,
                      const struct board_mapper_division *width, unsigned first, unsigned count)
{
    lanes_line(values, from, to, width, first, count);
}

const struct board_mapper_kernels board_mapper_kernels_avx2 = {line_avx2, draw_avx2};
#endif
