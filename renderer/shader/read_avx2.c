#if defined(__x86_64__)
#include "renderer/shader/words_eight.h"

#include "renderer/shader/read_texels.h"

BASE_INLINE struct rows rows_at(const struct grid *grid, __m256i at, __m256i column)
{
    (void)column;
    return gathered_rows(grid, at);
}

#include "renderer/shader/read_lanes.h"

const struct shader_read_kernels shader_read_avx2 = {.read = read_lanes};
#endif
