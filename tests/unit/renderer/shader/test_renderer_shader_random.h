/* Random programs in the shaders' intermediate form, made by the makers: straight code, parts,
 * loops, reads, one in the other. */
#ifndef TEST_RENDERER_SHADER_RANDOM_H
#define TEST_RENDERER_SHADER_RANDOM_H

#include <assert.h>

#include "base/random.h"
#include "renderer/shader/ir/ir.h"

enum { RANDOM_KEPT = 24, RANDOM_ROUNDS = 5, RANDOM_DEPTH = 3, RANDOM_CARRIES = 4 };

struct random_shape {
    uint32_t operations; /* in each run of straight code */
    uint32_t parts;      /* of 100 steps, so many are parts of IFs */
    uint32_t loops;
    uint32_t reads;
    bool tame; /* all numbers stay finite, no operation tells 0 from -0 */
};

/* Values that may be used where the list ends: the last ones of each kind. */
struct random_known {
    shader_value number[RANDOM_KEPT];
    shader_value truth[RANDOM_KEPT];
    size_t numbers; /* made so far */
    size_t truths;
};

struct random_maker {
    struct shader_ir *ir;
    struct base_rng *rng;
    const struct random_shape *shape;
    struct random_known known;
    int depth;
};

static inline uint32_t random_below(struct base_rng *rng, uint32_t end)
{
    return base_rng_next(rng) % end;
}

static inline void random_keep(struct random_maker *maker, shader_value value)
{
    struct random_known *known = &maker->known;
    if (shader_ir_kind(maker->ir, value) == SHADER_KIND_B) {
        known->truth[known->truths++ % RANDOM_KEPT] = value;
    } else {
        known->number[known->numbers++ % RANDOM_KEPT] = value;
    }
}

static inline shader_value random_number(struct random_maker *maker)
{
    const struct random_known *known = &maker->known;
    const size_t count = known->numbers < RANDOM_KEPT ? known->numbers : RANDOM_KEPT;
    return known->number[random_below(maker->rng, (uint32_t)count)];
}

static inline shader_value random_truth(struct random_maker *maker)
{
    const struct random_known *known = &maker->known;
    const size_t count = known->truths < RANDOM_KEPT ? known->truths : RANDOM_KEPT;
    return known->truth[random_below(maker->rng, (uint32_t)count)];
}

static inline shader_value random_constant(struct random_maker *maker)
{
    static const float numbers[] = {0, 1, -1, 2, 0.5f, 3.25f, -7, 1e-3f, 640, 1e20f};
    const uint32_t count = sizeof numbers / sizeof *numbers - (maker->shape->tame ? 1 : 0);
    return shader_ir_number(maker->ir, numbers[random_below(maker->rng, count)]);
}

static inline void random_leaves(struct random_maker *maker)
{
    struct shader_ir *ir = maker->ir;
    for (unsigned i = 0; i < SHADER_INPUTS; i++) {
        random_keep(maker, shader_ir_indexed(ir, SHADER_OP_INPUT, i));
    }
    for (unsigned i = 0; i < 5; i++) {
        random_keep(maker, shader_ir_indexed(ir, SHADER_OP_UNIFORM,
                                             random_below(maker->rng, SHADER_SLOTS)));
        random_keep(maker, random_constant(maker));
    }
    random_keep(maker, shader_ir_truth(ir, true));
    for (int i = 0; i < 4; i++) {
        random_keep(maker,
                    shader_ir_binary(ir, SHADER_OP_LT, random_number(maker), random_number(maker)));
    }
}

static inline void random_read(struct random_maker *maker)
{
    static const struct {
        enum shader_op op;
        bool volume;
    } kinds[] = {{SHADER_OP_READ2, false},     {SHADER_OP_READ2, false},
                 {SHADER_OP_READ2, false},     {SHADER_OP_READ2_BIAS, false},
                 {SHADER_OP_READ2_LOD, false}, {SHADER_OP_READ3, true},
                 {SHADER_OP_READ3_BIAS, true}, {SHADER_OP_READ3_LOD, true}};
    static const char *const names[2][3] = {{"main", "noise_lq", "blur2"},
                                            {"noisevol_lq", "noisevol_hq", "nothing"}};
    const uint32_t kind = random_below(maker->rng, sizeof kinds / sizeof *kinds);
    const struct shader_sampler sampler = {
        .linear = random_below(maker->rng, 2) == 0,
        .address = random_below(maker->rng, 2) == 0 ? SHADER_REPEAT : SHADER_CLAMP};
    unsigned fetch = 0;
    if (!shader_ir_fetch(maker->ir, names[kinds[kind].volume][random_below(maker->rng, 3)],
                         kinds[kind].volume, sampler, &fetch)) {
        return;
    }
    shader_value arguments[4];
    for (int i = 0; i < 4; i++) {
        arguments[i] = random_number(maker);
    }
    const shader_value read = shader_ir_read(maker->ir, kinds[kind].op, fetch, arguments);
    for (uint32_t i = random_below(maker->rng, 4) + 1; i > 0; i--) {
        random_keep(maker, shader_ir_part(maker->ir, read, random_below(maker->rng, 4)));
    }
}

static inline void random_tame(struct random_maker *maker)
{
    static const enum shader_op ops[] = {
        SHADER_OP_ADD,  SHADER_OP_SUB,   SHADER_OP_MUL,   SHADER_OP_MIN, SHADER_OP_MAX,
        SHADER_OP_NEG,  SHADER_OP_ABS,   SHADER_OP_FLOOR, SHADER_OP_SIN, SHADER_OP_FRAC,
        SHADER_OP_SQRT, SHADER_OP_TRUNC, SHADER_OP_ROUND, SHADER_OP_COS};
    const enum shader_op op = ops[random_below(maker->rng, sizeof ops / sizeof *ops)];
    const shader_value a = random_number(maker);
    const bool unary = shader_ops[op].arguments[1] == 0;
    const shader_value made = unary ? shader_ir_unary(maker->ir, op, a)
                                    : shader_ir_binary(maker->ir, op, a, random_number(maker));
    /* Products are kept from growing. */
    random_keep(maker,
                op == SHADER_OP_MUL ? shader_ir_unary(maker->ir, SHADER_OP_SIN, made) : made);
}

static inline void random_operation(struct random_maker *maker)
{
    struct shader_ir *ir = maker->ir;
    if (maker->shape->tame && random_below(maker->rng, 2) == 0) {
        random_tame(maker);
        return;
    }
    if (random_below(maker->rng, 100) < maker->shape->reads) {
        random_read(maker);
        return;
    }
    switch (random_below(maker->rng, maker->shape->tame ? 5 : 10)) {
    case 0:
        random_keep(maker, random_constant(maker));
        return;
    case 1:
        random_keep(maker, shader_ir_select(ir, random_truth(maker), random_number(maker),
                                            random_number(maker)));
        return;
    case 2:
        random_keep(maker, shader_ir_select(ir, random_truth(maker), random_truth(maker),
                                            random_truth(maker)));
        return;
    case 3: {
        const unsigned op = SHADER_OP_LT + random_below(maker->rng, 4);
        random_keep(maker, shader_ir_binary(ir, (enum shader_op)op, random_number(maker),
                                            random_number(maker)));
        return;
    }
    case 4: {
        const enum shader_op op = random_below(maker->rng, 2) == 0 ? SHADER_OP_AND : SHADER_OP_OR;
        random_keep(maker, shader_ir_binary(ir, op, random_truth(maker), random_truth(maker)));
        random_keep(maker, shader_ir_unary(ir, SHADER_OP_NOT, random_truth(maker)));
        return;
    }
    case 5: {
        const unsigned op =
            SHADER_OP_NEG + random_below(maker->rng, SHADER_OP_ACOS - SHADER_OP_NEG);
        const bool unary = shader_ops[op].arguments[1] == 0;
        random_keep(maker, unary ? shader_ir_unary(ir, (enum shader_op)op, random_number(maker))
                                 : shader_ir_binary(ir, (enum shader_op)op, random_number(maker),
                                                    random_number(maker)));
        return;
    }
    default: {
        static const enum shader_op ops[] = {
            SHADER_OP_ADD, SHADER_OP_SUB, SHADER_OP_MUL,  SHADER_OP_ADD, SHADER_OP_SUB,
            SHADER_OP_MUL, SHADER_OP_DIV, SHADER_OP_FMOD, SHADER_OP_MIN, SHADER_OP_MAX};
        random_keep(maker,
                    shader_ir_binary(ir, ops[random_below(maker->rng, sizeof ops / sizeof *ops)],
                                     random_number(maker), random_number(maker)));
        return;
    }
    }
}

static inline void random_code(struct random_maker *maker);

/* Values of both sides, some of them of neither, meet behind the part. */
static inline void random_part(struct random_maker *maker)
{
    const shader_value condition = random_truth(maker);
    const struct random_known before = maker->known;
    const bool other = random_below(maker->rng, 2) == 0;
    shader_value sides[2][4];
    for (int i = 0; i < 4; i++) {
        sides[1][i] = i < 3 ? random_number(maker) : random_truth(maker);
    }
    shader_ir_if(maker->ir, condition);
    random_code(maker);
    for (int i = 0; i < 4; i++) {
        sides[0][i] = i < 3 ? random_number(maker) : random_truth(maker);
    }
    maker->known = before;
    if (other) {
        shader_ir_else(maker->ir);
        random_code(maker);
        for (int i = 0; i < 4; i++) {
            sides[1][i] = i < 3 ? random_number(maker) : random_truth(maker);
        }
        maker->known = before;
    }
    shader_ir_endif(maker->ir);
    for (int i = 0; i < 4; i++) {
        random_keep(maker, shader_ir_select(maker->ir, condition, sides[0][i], sides[1][i]));
    }
}

static inline void random_while(struct random_maker *maker, shader_value round, shader_value end)
{
    const shader_value more = shader_ir_binary(maker->ir, SHADER_OP_LT, round, end);
    shader_ir_while(maker->ir,
                    random_below(maker->rng, 3) == 0
                        ? shader_ir_binary(maker->ir, SHADER_OP_AND, more, random_truth(maker))
                        : more);
}

/* Pixels go round a few times, each its own; carries become anything, each other too. */
static inline void random_loop(struct random_maker *maker)
{
    struct shader_ir *ir = maker->ir;
    const shader_value rounds = shader_ir_binary(ir, SHADER_OP_MIN, random_number(maker),
                                                 shader_ir_number(ir, RANDOM_ROUNDS));
    const shader_value start = shader_ir_number(ir, (float)random_below(maker->rng, 2));
    const shader_value mask = random_truth(maker);
    shader_value starts[RANDOM_CARRIES];
    for (int i = 0; i < RANDOM_CARRIES; i++) {
        starts[i] = i > 0 ? random_number(maker) : random_truth(maker);
    }
    const struct random_known before = maker->known;
    shader_ir_loop(ir, mask);
    const shader_value round = shader_ir_carry(ir, start);
    shader_value carries[RANDOM_CARRIES];
    for (int i = 0; i < RANDOM_CARRIES; i++) {
        carries[i] = shader_ir_carry(ir, starts[i]);
    }
    for (int i = 0; i < RANDOM_CARRIES; i++) {
        random_keep(maker, carries[i]);
    }
    random_keep(maker, round);
    const bool early = random_below(maker->rng, 2) == 0;
    if (early) {
        random_while(maker, round, rounds);
    }
    random_code(maker);
    if (!early || random_below(maker->rng, 3) == 0) {
        random_while(maker, round, rounds);
    }
    const bool ring = random_below(maker->rng, 3) == 0;
    for (int i = 0; i < RANDOM_CARRIES; i++) {
        const shader_value other = carries[1 + i % (RANDOM_CARRIES - 1)];
        const shader_value any = i > 0 ? random_number(maker) : random_truth(maker);
        shader_ir_carry_next(ir, carries[i], ring && i > 0 ? other : any);
    }
    shader_ir_carry_next(ir, round,
                         shader_ir_binary(ir, SHADER_OP_ADD, round, shader_ir_number(ir, 1)));
    shader_ir_endloop(ir);
    maker->known = before;
    for (int i = 0; i < RANDOM_CARRIES; i++) {
        random_keep(maker, carries[i]);
    }
    random_keep(maker, round);
}

static inline void random_code(struct random_maker *maker)
{
    maker->depth++;
    const uint32_t count = 1 + random_below(maker->rng, maker->shape->operations);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = random_below(maker->rng, 100);
        if (kind < maker->shape->parts && maker->depth < RANDOM_DEPTH) {
            random_part(maker);
        } else if (kind < maker->shape->parts + maker->shape->loops &&
                   maker->depth < RANDOM_DEPTH) {
            random_loop(maker);
        } else {
            random_operation(maker);
        }
    }
    maker->depth--;
}

static inline void random_program(struct shader_ir *ir, struct base_rng *rng,
                                  const struct random_shape *shape)
{
    struct random_maker maker = {.ir = ir, .rng = rng, .shape = shape};
    random_leaves(&maker);
    random_code(&maker);
    for (int i = 0; i < 3; i++) {
        ir->ret[i] = random_number(&maker);
    }
    assert(!ir->failed);
}

#endif
