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

/* The same without a last multiplication by a constant, if there is one: the result is *scale times
 * the value. */
int32_t pfpu_expand_scaled_invsqrt(struct pfpu_builder *builder, int32_t x, double *scale);
int32_t pfpu_expand_scaled_sqrt(struct pfpu_builder *builder, int32_t x, double *scale);

/* All functions of the language that are made of several operations. */
struct pfpu_expansion {
    enum pfpu_op op; /* of ops.def */
    uint8_t arity;
    uint8_t operations;
    int32_t (*unary)(struct pfpu_builder *builder, int32_t a); /* by arity */
    int32_t (*binary)(struct pfpu_builder *builder, int32_t a, int32_t b);
};

extern const struct pfpu_expansion pfpu_expansions[];
extern const size_t pfpu_expansion_count;

/* Makes a row's function. */
static inline int32_t pfpu_expand(struct pfpu_builder *builder, const struct pfpu_expansion *row,
                                  const int32_t *arguments)
{
    return row->arity == 1 ? row->unary(builder, arguments[0])
                           : row->binary(builder, arguments[0], arguments[1]);
}

#endif
