/* The per-vertex equations of a preset, and where the vertices then read the last picture, as a
 * SPIR-V program with the bits of renderer/mesh.c: an invocation computes a vertex. Tables stand
 * in SPIRV_BUFFER_TEXELS (elementary.h). */
#ifndef GPU_SPIRV_EQUATIONS_VERTEX_H
#define GPU_SPIRV_EQUATIONS_VERTEX_H

#include "gpu/spirv/words.h"
#include "pfpu/host/lines.h"
#include "renderer/shader/device.h"

/* Words of SPIRV_BUFFER_NUMBERS; floats but for the first. */
enum spirv_vertex_word {
    SPIRV_VERTEX_LAST, /* of the vertices, counted from 0 */
    SPIRV_VERTEX_RIGHT,
    SPIRV_VERTEX_DOWN,
    SPIRV_VERTEX_SCALE,
    SPIRV_VERTEX_TERM,                                          /* four, */
    SPIRV_VERTEX_PHASE = SPIRV_VERTEX_TERM + REND_DEVICE_TERMS, /* and four, */
    SPIRV_VERTEX_MOTION = SPIRV_VERTEX_PHASE + REND_DEVICE_TERMS,
    SPIRV_VERTEX_SINE = SPIRV_VERTEX_MOTION + REND_DEVICE_MOTIONS, /* of the rotation */
    SPIRV_VERTEX_COSINE,
    SPIRV_VERTEX_LINES, /* the lines' numbers: doubles */
};

/* Words of SPIRV_BUFFER_PLACES: such a record of floats of each vertex. */
enum spirv_vertex_record {
    SPIRV_VERTEX_REST_X,
    SPIRV_VERTEX_REST_Y,
    SPIRV_VERTEX_PLACE, /* x y rad ang */
    SPIRV_VERTEX_RECORD = SPIRV_VERTEX_PLACE + REND_DEVICE_PLACE
};

enum { SPIRV_VERTEX_GROUP = 64 }; /* invocations of a group, along x */

/* Whether there is a program of these lines: all operations are known, and there are not too many.
 */
bool spirv_vertex_takes(const struct pfpu_lines *lines);

/* The program that writes u and v of each vertex, floats, to SPIRV_BUFFER_RESULTS. written: as in
 * struct rend_device_mesh. malloc's memory; NULL without memory. */
uint32_t *spirv_vertex_words(const struct pfpu_lines *lines, unsigned written,
                             struct spirv_controls controls, size_t *count);

#endif
