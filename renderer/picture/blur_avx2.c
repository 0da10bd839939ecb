#include "base/simd.h"

#if defined(__AVX2__)
#include "renderer/picture/blur_lanes.h"

void rend_blur_avx2(const struct rend_blur_row *row)
{
    blur_row(row);
}
#endif
