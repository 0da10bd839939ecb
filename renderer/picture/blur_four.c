#include "renderer/picture/blur_lanes.h"

#if defined(BASE_SIMD)
void rend_blur_four(const struct rend_blur_row *row)
{
    blur_row(row);
}
#endif
