/* The functions of base/fmath.h in a module with floats of 64 bits, by the same steps in the same
 * order, so that they have the same bits (which NaN a result is, is left open). Tables stand in
 * SPIRV_BUFFER_TEXELS, from its first word on. */
#ifndef GPU_SPIRV_EQUATIONS_ELEMENTARY_H
#define GPU_SPIRV_EQUATIONS_ELEMENTARY_H

#include "base/fmath_terms.h"
#include "gpu/spirv/equations/real.h"

enum {
    SPIRV_TABLE_ATAN,
    SPIRV_TABLE_LOG = sizeof base_fmath_atan_table / (sizeof(uint32_t)),
    SPIRV_TABLE_WORDS = SPIRV_TABLE_LOG + sizeof base_fmath_log_table / (sizeof(uint32_t))
};

void spirv_put_tables(uint32_t words[SPIRV_TABLE_WORDS]);

/* Their row: which table's, by SPIRV_TABLE_ATAN or _LOG, and a word. */
struct real_parts spirv_look_up(struct spirv *module, uint32_t table, uint32_t row);

/* Of a number that is no constant: REAL_SIN to REAL_ATAN. */
real spirv_angle_function(enum real_function function, real a);
real spirv_exp(real a);
real spirv_log(real a);
real spirv_log10(real a);

/* Of two, of which one may be a constant. */
real spirv_atan2(struct spirv *module, real y, real x);
real spirv_pow(struct spirv *module, real x, real y);

#endif
