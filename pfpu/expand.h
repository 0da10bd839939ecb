/* Functions of the language in operations of the coprocessor. Values are floats unless said
 * otherwise. Error bounds were measured on the coprocessor's own arithmetic, which truncates. */
#ifndef PFPU_EXPAND_H
#define PFPU_EXPAND_H

#include "pfpu/build.h"

/* As the hardware's papers do it (pfpu.md section 8): 11, 12, 15 and 17 operations. */
int32_t pfpu_expand_thesis_invsqrt(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_thesis_sqrt(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_thesis_divide(struct pfpu_builder *builder, int32_t a, int32_t b);
int32_t pfpu_expand_thesis_modulo(struct pfpu_builder *builder, int32_t a, int32_t b);

/* Our own. */
int32_t pfpu_expand_reciprocal(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_invsqrt(struct pfpu_builder *builder, int32_t x);
int32_t pfpu_expand_sqrt(struct pfpu_builder *builder, int32_t x);

#endif
