#if defined(__x86_64__)
#include "tmu/chip_kernels_lanes.h"

static void draw_sse41(uint8_t *target, const int32_t *x, const int32_t *y, unsigned count,
                       const struct tmu_chip_sampler *sampler, uint8_t *drawn)
{
    lanes_draw(target, x, y, count, sampler, drawn);
}

static void line_sse41(int32_t *values, int32_t from, int32_t to,
                       const struct tmu_chip_division *width, unsigned first, unsigned count)
{
    lanes_line(values, from, to, width, first, count);
}

const struct tmu_chip_kernels tmu_chip_kernels_sse41 = {line_sse41, draw_sse41};
#else
typedef int tmu_chip_kernels_sse41_not_for_this_machine;
#endif
