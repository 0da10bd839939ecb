/* Texture reads of four lanes. */
#include "base/simd.h"

#if defined(BASE_SIMD)
#include "renderer/shader/run/read_texels.h"

#include "renderer/shader/run/read_details.h"
#include "renderer/shader/run/read_lanes.h"

const struct shader_read_kernels shader_read_four = {.read = read_lanes};
#endif
