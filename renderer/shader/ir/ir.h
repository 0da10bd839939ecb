/* The intermediate form of a stage. The front end takes vectors and matrices apart: every value is
 * one number or one truth per pixel, so that what of a vector is not used or is the same for all
 * pixels costs nothing; only a read of a texture gives four at once.
 *
 * A program is a list of values in the order of computation; each has its operands before it. No
 * operation has an effect beyond its result, none can fail. Control flow is a hint and a loop:
 *
 * - IF c .. ELSE .. ENDIF: the part after IF may be left out for a tile where c is false for all
 *   pixels, the part after ELSE where it is true for all. Within a part its results may be used
 *   freely; after ENDIF only by SELECT and CHOOSE with the same c, on the side that c chooses (or
 *   with NOT c, on the other side). Deleting the three markers does not change what a program
 *   means.
 * - LOOP m, CARRY.., .. WHILE c .. ENDLOOP: pixels with m true go round until a WHILE finds c false
 *   for them. At ENDLOOP the carried values of the pixels that are left become their second
 *   operands, all at once. Behind the loop only the carries may be used; a pixel that left, or
 *   never entered, keeps what it had. A loop has at least one WHILE, directly in it, not in an IF.
 *   A loop ends when no pixel is left, or when the tile's budget is used up.
 *
 * So a side of a SELECT may be garbage where the condition chooses the other one. */
#ifndef RENDERER_SHADER_IR_IR_H
#define RENDERER_SHADER_IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "renderer/shader/ir/stage.h"
#include "renderer/shader/texture/texture.h"

enum shader_op {
#define SHADER_OP(NAME, ...) SHADER_OP_##NAME,
#include "renderer/shader/ir/ops.def"
    SHADER_OP_COUNT
};

enum shader_kind { SHADER_KIND_F, SHADER_KIND_B, SHADER_KIND_S, SHADER_KIND_N };

struct shader_op_row {
    const char *name;
    const char *arguments; /* 'F', 'B', 'S' */
    enum shader_kind result;
    int cost;
};
extern const struct shader_op_row shader_ops[SHADER_OP_COUNT];

enum { SHADER_ARGUMENTS = 4 };
typedef uint32_t shader_value; /* index into the list */
#define SHADER_NO_VALUE UINT32_MAX

struct shader_instruction {
    uint8_t op;   /* enum shader_op */
    bool uniform; /* the same for all pixels; set by shader_ir_finish */
    uint16_t index;
    float number; /* CONST, TRUTH */
    shader_value argument[SHADER_ARGUMENTS];
};

/* How a READ reads. */
struct shader_fetch {
    uint8_t binding; /* of the program */
    struct shader_sampler sampler;
};

enum { SHADER_IR_MAX = 1 << 17, SHADER_FETCHES_MAX = 64 };

/* A list being made. Without memory, or over SHADER_IR_MAX, `failed` is set and what comes back is
 * a valid value without meaning, so that a front end may go on and look once at the end. */
struct shader_ir {
    struct base_arena *arena;
    struct shader_instruction *list;
    size_t count;
    size_t capacity;
    struct shader_binding bindings[SHADER_TEXTURES_MAX];
    size_t binding_count;
    struct shader_fetch fetches[SHADER_FETCHES_MAX];
    size_t fetch_count;
    shader_value ret[3];
    bool failed;
    struct shader_ir_table *table; /* of values known where the list ends; ir.c */
};

void shader_ir_init(struct shader_ir *ir, struct base_arena *arena);

/* The makers fold constants, use what is known (x * 1, select of equal sides, not not x, min and
 * max of what lies in known bounds ...; fold.c) and give back an equal value that is already
 * computed here. Folded constants have the bits that the executor would give. Other folds keep all
 * finite results, but not the sign of a zero; x * 0 and x - x are 0 for NaN and infinity too. An IF
 * with a known condition makes no markers. */
shader_value shader_ir_number(struct shader_ir *ir, float number);
shader_value shader_ir_truth(struct shader_ir *ir, bool truth);
shader_value shader_ir_indexed(struct shader_ir *ir, enum shader_op op,
                               unsigned index); /* UNIFORM, INPUT */
shader_value shader_ir_unary(struct shader_ir *ir, enum shader_op op, shader_value a);
shader_value shader_ir_binary(struct shader_ir *ir, enum shader_op op, shader_value a,
                              shader_value b);
/* SELECT or CHOOSE, by the kind of a. */
shader_value shader_ir_select(struct shader_ir *ir, shader_value condition, shader_value a,
                              shader_value b);
/* READ*: arguments in the order of ops.def. Then PART. */
shader_value shader_ir_read(struct shader_ir *ir, enum shader_op op, unsigned fetch,
                            const shader_value *arguments);
shader_value shader_ir_part(struct shader_ir *ir, shader_value read, unsigned component);

/* A fetch of this binding and sampler, made when it is new. false if there are too many. */
bool shader_ir_fetch(struct shader_ir *ir, const char *name, bool volume,
                     struct shader_sampler sampler, unsigned *fetch);
/* A binding whose size is asked for. */
bool shader_ir_binding(struct shader_ir *ir, const char *name, bool volume, unsigned *binding);

/* Markers. Values that were computed within IF..ENDIF or LOOP..ENDLOOP stay in the list, but after
 * its end the functions above no longer return them for the same operation; they make new ones. */
void shader_ir_if(struct shader_ir *ir, shader_value condition);
void shader_ir_else(struct shader_ir *ir);
void shader_ir_endif(struct shader_ir *ir);
void shader_ir_loop(struct shader_ir *ir, shader_value mask);
/* Comes right after shader_ir_loop; its next value is set by shader_ir_carry_next before
 * shader_ir_endloop. */
shader_value shader_ir_carry(struct shader_ir *ir, shader_value start);
void shader_ir_carry_next(struct shader_ir *ir, shader_value carry, shader_value next);
void shader_ir_while(struct shader_ir *ir, shader_value condition);
void shader_ir_endloop(struct shader_ir *ir);

enum shader_kind shader_ir_kind(const struct shader_ir *ir, shader_value value);
/* Whether the value is a CONST or TRUTH, and which. */
bool shader_ir_known(const struct shader_ir *ir, shader_value value, float *number);

/* To go back to an earlier state: the list is cut, and what the makers know with it. */
struct shader_ir_mark {
    size_t count;
    size_t table;
};
struct shader_ir_mark shader_ir_mark(struct shader_ir *ir);
void shader_ir_rewind(struct shader_ir *ir, struct shader_ir_mark mark);

/* The passes, after ret is set: IFs that cost less than their test are flattened, IFs and loops of
 * known conditions resolved, equal values merged (within their scopes), carries that never change
 * replaced, what is not used deleted (dead reads, parts, empty regions too), and what is the same
 * for all pixels marked: UNIFORMs, CONSTs, what is made of them, reads with such coordinates, and
 * SELECTs of them; not carries. Those stand first in the list, in front of all regions. Bindings
 * and fetches that nothing uses are gone, the others keep their order. The makers are not for use
 * any more. */
void shader_ir_finish(struct shader_ir *ir);

/* NULL if the list keeps all rules above, or without memory to look; else what is wrong, as a text
 * in the arena. For tests and debug builds. */
const char *shader_ir_verify(const struct shader_ir *ir);

/* One line per value; arena's memory; NULL without. */
const char *shader_ir_dump(const struct shader_ir *ir, struct base_arena *arena);

/* What the makers, the fold rules, the passes and the reference share. */

/* What is known of a float: it lies in low..high or is NaN. */
struct shader_range {
    float low;
    float high;
    bool number; /* never NaN */
    bool whole;  /* a whole number, infinite or NaN */
};

/* Number of arguments of an operation. */
size_t shader_op_arity(enum shader_op op);
static inline bool shader_op_reads(enum shader_op op)
{
    return op >= SHADER_OP_READ2 && op <= SHADER_OP_READ3_LOD;
}
static inline bool shader_op_carries(enum shader_op op)
{
    return op == SHADER_OP_CARRY || op == SHADER_OP_CARRY_TRUTH;
}
/* IF, ELSE, ENDIF, LOOP, WHILE, ENDLOOP. */
static inline bool shader_op_marks(enum shader_op op)
{
    return shader_ops[op].result == SHADER_KIND_N;
}

/* What an operation from ADD to CHOOSE computes. Truths are 0 and 1. The one definition: of
 * constants, of the reference, and of the executor's kernels. */
float shader_op_compute(enum shader_op op, const float *arguments);

struct shader_range shader_ir_range(const struct shader_ir *ir, shader_value value);
/* Whether a value may be used by any operation where the list ends: it does not stand in a part of
 * an IF or in a loop that is closed. */
bool shader_ir_in_scope(const struct shader_ir *ir, shader_value value);

/* fold.c: an equal value that costs less, or SHADER_NO_VALUE. ADD to CHOOSE. May append. */
shader_value shader_ir_fold(struct shader_ir *ir, enum shader_op op, const shader_value *arguments);
/* fold.c: what is known of a result that is not folded. */
struct shader_range shader_range_of(const struct shader_ir *ir,
                                    const struct shader_instruction *instruction);

/* An instruction without arguments. */
static inline struct shader_instruction shader_ir_blank(enum shader_op op)
{
    return (struct shader_instruction){
        .op = (uint8_t)op,
        .argument = {SHADER_NO_VALUE, SHADER_NO_VALUE, SHADER_NO_VALUE, SHADER_NO_VALUE}};
}

#endif
