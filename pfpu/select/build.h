/* Makes programs for the coprocessor operation by operation. Unless `plain`, equal operations are
 * made once, and what is known is computed: sums and products of numbers, x + 0, x * 1, x * 0. */
#ifndef PFPU_SELECT_BUILD_H
#define PFPU_SELECT_BUILD_H

#include "pfpu/ir/ir.h"

/* What is known of a value from its operations. */
enum {
    PFPU_FACT_POSITIVE = 1, /* not below 0 */
    PFPU_FACT_BOOLEAN = 2,  /* 1.0 or 0, with all bits in order */
};

struct pfpu_builder {
    struct pfpu_ir *ir; /* one open block */
    struct base_arena *scratch;
    uint8_t *facts; /* PFPU_FACT_ bits by value */
    size_t fact_capacity;
    int32_t *table; /* hash table of values + 1 */
    size_t table_size;
    bool plain;
    bool failed;     /* no memory, or over PFPU_IR_MAX: everything then gives value 0 */
    uint32_t offset; /* in the patch's text, noted in each instruction */
};

/* Opens the block of an empty program. */
void pfpu_builder_init(struct pfpu_builder *builder, struct pfpu_ir *ir, bool plain,
                       struct base_arena *arena, struct base_arena *scratch);

int32_t pfpu_build_number(struct pfpu_builder *builder, double number);
int32_t pfpu_build_get(struct pfpu_builder *builder, int32_t key);
void pfpu_build_set(struct pfpu_builder *builder, int32_t key, int32_t value);

/* An operation of opcodes.def with one, two or three arguments. */
int32_t pfpu_build1(struct pfpu_builder *builder, enum pfpu_op op, int32_t a);
int32_t pfpu_build2(struct pfpu_builder *builder, enum pfpu_op op, int32_t a, int32_t b);
int32_t pfpu_build3(struct pfpu_builder *builder, enum pfpu_op op, int32_t a, int32_t b, int32_t c);

#endif
