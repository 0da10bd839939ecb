/* Results of a shader to pixels: each channel limited to 0..1, NaN to 0, times 255, rounded to
 * nearest, halves up. */
#ifndef RENDERER_SHADE_PACK_H
#define RENDERER_SHADE_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"

/* ret: red, green, blue, 32-byte aligned. */
typedef void (*rend_shade_pack)(uint32_t *pixels, const float *const ret[3], size_t count);

void rend_shade_pack_plain(uint32_t *pixels, const float *const ret[3], size_t count);
void rend_shade_pack_avx2(uint32_t *pixels, const float *const ret[3], size_t count);
rend_shade_pack rend_shade_pack_for(enum base_cpu_level level);

#endif
