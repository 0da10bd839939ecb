#include "renderer/shader/lower.h"

typedef shader_value (*part_maker)(struct shader_lowering *lowering, shader_value a,
                                   shader_value b);

static shader_value make(struct shader_lowering *lowering, enum shader_op op, shader_value a,
                         shader_value b)
{
    return shader_ir_binary(lowering->ir, op, a, b);
}

static shader_value negate(struct shader_lowering *lowering, shader_value truth)
{
    return shader_ir_unary(lowering->ir, SHADER_OP_NOT, truth);
}

struct rule {
    enum { ARITHMETIC, COMPARISON, LOGIC, WHOLE } kind;
    enum shader_op op;
    bool swapped;
};

static const struct rule rules[] = {
    [SHADER_O_ADD] = {ARITHMETIC, SHADER_OP_ADD, false},
    [SHADER_O_SUB] = {ARITHMETIC, SHADER_OP_SUB, false},
    [SHADER_O_MUL] = {ARITHMETIC, SHADER_OP_MUL, false},
    [SHADER_O_DIV] = {ARITHMETIC, SHADER_OP_DIV, false},
    [SHADER_O_MOD] = {ARITHMETIC, SHADER_OP_FMOD, false},
    [SHADER_O_LT] = {COMPARISON, SHADER_OP_LT, false},
    [SHADER_O_LE] = {COMPARISON, SHADER_OP_LE, false},
    [SHADER_O_GT] = {COMPARISON, SHADER_OP_LT, true},
    [SHADER_O_GE] = {COMPARISON, SHADER_OP_LE, true},
    [SHADER_O_EQ] = {COMPARISON, SHADER_OP_EQ, false},
    [SHADER_O_NE] = {COMPARISON, SHADER_OP_NE, false},
    [SHADER_O_AND] = {LOGIC, SHADER_OP_AND, false},
    [SHADER_O_OR] = {LOGIC, SHADER_OP_OR, false},
    [SHADER_O_BIT_AND] = {WHOLE, SHADER_OP_AND, false},
    [SHADER_O_BIT_OR] = {WHOLE, SHADER_OP_OR, false},
    [SHADER_O_BIT_XOR] = {WHOLE, SHADER_OP_NE, false},
    [SHADER_O_SHIFT_LEFT] = {WHOLE, SHADER_OP_MUL, false},
    [SHADER_O_SHIFT_RIGHT] = {WHOLE, SHADER_OP_DIV, false},
};

/* The type in which the parts are computed, and that of the result. */
struct types {
    struct shader_type work;
    struct shader_type result;
};

/* A truth times a number is a choice. */
static bool truth_product(struct shader_lowering *lowering, const struct shader_operand *a,
                          const struct shader_operand *b, const struct types *types,
                          struct base_place place, struct shader_operand *product)
{
    const struct shader_operand *truth = a->type.base == SHADER_BOOL ? a : b;
    const struct shader_operand *number = a->type.base == SHADER_BOOL ? b : a;
    if (truth->type.base != SHADER_BOOL) {
        return false;
    }
    const struct shader_operand factors = shader_convert(lowering, number, types->work, place);
    const struct shader_operand truths =
        shader_convert(lowering, truth, shader_with_base(types->work, SHADER_BOOL), place);
    *product = (struct shader_operand){.type = types->result};
    for (size_t k = 0; k < shader_parts(types->work); k++) {
        product->part[k] = shader_ir_select(lowering->ir, truths.part[k], factors.part[k],
                                            shader_ir_number(lowering->ir, 0.0f));
    }
    return true;
}

/* Of truths as of numbers: equal, or not. */
static shader_value truths_differ(struct shader_lowering *lowering, shader_value a, shader_value b)
{
    return shader_ir_select(lowering->ir, a, negate(lowering, b), b);
}

/* Whole numbers of known value; false if the operation is not known at compile time. */
static bool fold_whole(struct shader_lowering *lowering, enum shader_operator op, shader_value a,
                       shader_value b, shader_value *result)
{
    float x;
    float y;
    if (!shader_ir_known(lowering->ir, a, &x) || !shader_ir_known(lowering->ir, b, &y) ||
        !(x > -1e9f && x < 1e9f && y > -1e9f && y < 1e9f)) {
        return false;
    }
    const int64_t m = (int64_t)x;
    const int64_t n = (int64_t)y;
    const int64_t power = INT64_C(1) << (n & 31);
    const int64_t values[] = {[SHADER_O_BIT_AND - SHADER_O_BIT_AND] = m & n,
                              [SHADER_O_BIT_OR - SHADER_O_BIT_AND] = m | n,
                              [SHADER_O_BIT_XOR - SHADER_O_BIT_AND] = m ^ n,
                              [SHADER_O_SHIFT_LEFT - SHADER_O_BIT_AND] = m * power,
                              [SHADER_O_SHIFT_RIGHT - SHADER_O_BIT_AND] = m / power};
    *result = shader_ir_number(lowering->ir, (float)values[op - SHADER_O_BIT_AND]);
    return true;
}

static shader_value whole_part(struct shader_lowering *lowering, enum shader_operator op,
                               enum shader_base base, const shader_value pair[2],
                               struct base_place place)
{
    shader_value result = pair[0];
    if (base == SHADER_BOOL && op == SHADER_O_BIT_XOR) {
        return truths_differ(lowering, pair[0], pair[1]);
    }
    if (base == SHADER_BOOL) {
        return make(lowering, rules[op].op, pair[0], pair[1]);
    }
    if (!fold_whole(lowering, op, pair[0], pair[1], &result)) {
        shader_fail(lowering, place, "use arithmetic, or && and ||",
                    "shaders have no bits of numbers");
    }
    return result;
}

static shader_value part_of(struct shader_lowering *lowering, enum shader_operator op,
                            enum shader_base base, const shader_value pair[2],
                            struct base_place place)
{
    const struct rule *rule = &rules[op];
    if (rule->kind == WHOLE) {
        return whole_part(lowering, op, base, pair, place);
    }
    if (base == SHADER_BOOL && rule->kind == COMPARISON) { /* == or != */
        const shader_value differ = truths_differ(lowering, pair[0], pair[1]);
        return op == SHADER_O_NE ? differ : negate(lowering, differ);
    }
    const shader_value value = make(lowering, rule->op, pair[rule->swapped], pair[!rule->swapped]);
    return op == SHADER_O_DIV && base == SHADER_INT
               ? shader_ir_unary(lowering->ir, SHADER_OP_TRUNC, value)
               : value;
}

static bool types_of(struct shader_lowering *lowering, enum shader_operator op,
                     const struct shader_operand *a, const struct shader_operand *b,
                     struct base_place place, struct types *types)
{
    if (!shader_common_type(lowering, a->type, b->type, place, &types->work)) {
        return false;
    }
    const enum shader_base base = types->work.base;
    const bool equality = op == SHADER_O_EQ || op == SHADER_O_NE;
    types->result = types->work;
    switch (rules[op].kind) {
    case ARITHMETIC:
        types->work.base = types->result.base = base == SHADER_FLOAT ? SHADER_FLOAT : SHADER_INT;
        break;
    case COMPARISON:
        types->work.base = base == SHADER_BOOL && !equality ? SHADER_INT : (uint8_t)base;
        types->result.base = SHADER_BOOL;
        break;
    case LOGIC:
        types->work.base = types->result.base = SHADER_BOOL;
        break;
    case WHOLE:
        types->work.base = types->result.base =
            base == SHADER_BOOL && op < SHADER_O_SHIFT_LEFT ? SHADER_BOOL : SHADER_INT;
        break;
    }
    return true;
}

struct shader_operand shader_binary(struct shader_lowering *lowering, enum shader_operator op,
                                    const struct shader_operand *a, const struct shader_operand *b,
                                    struct base_place place)
{
    struct types types;
    struct shader_operand result;
    if (shader_stopped(lowering) || !types_of(lowering, op, a, b, place, &types)) {
        return *a;
    }
    if (op == SHADER_O_MUL && truth_product(lowering, a, b, &types, place, &result)) {
        return result;
    }
    const struct shader_operand left = shader_convert(lowering, a, types.work, place);
    const struct shader_operand right = shader_convert(lowering, b, types.work, place);
    result = (struct shader_operand){.type = types.result};
    for (size_t k = 0; k < shader_parts(types.work); k++) {
        const shader_value pair[2] = {left.part[k], right.part[k]};
        result.part[k] = part_of(lowering, op, types.work.base, pair, place);
    }
    return result;
}

static shader_value unary_part(struct shader_lowering *lowering, enum shader_operator op,
                               shader_value value)
{
    struct shader_ir *ir = lowering->ir;
    switch (op) {
    case SHADER_O_NOT:
        return shader_ir_unary(ir, SHADER_OP_NOT, value);
    case SHADER_O_MINUS:
        return shader_ir_unary(ir, SHADER_OP_NEG, value);
    case SHADER_O_BIT_NOT: /* of whole numbers: -1 - x */
        return shader_ir_binary(ir, SHADER_OP_SUB, shader_ir_number(ir, -1.0f), value);
    default:
        return value;
    }
}

struct shader_operand shader_unary(struct shader_lowering *lowering,
                                   const struct shader_expression *expression)
{
    const struct shader_operand operand = shader_evaluate(lowering, expression->a);
    if (shader_stopped(lowering)) {
        return operand;
    }
    if (!shader_is_number(operand.type) || operand.type.length > 0) {
        shader_fail(lowering, expression->place, NULL, "a number or vector is missing here");
        return operand;
    }
    const enum shader_base base = operand.type.base;
    struct shader_type type = operand.type;
    if (expression->op == SHADER_O_NOT) {
        type.base = SHADER_BOOL;
    } else if (base == SHADER_BOOL || expression->op == SHADER_O_BIT_NOT) {
        type.base = SHADER_INT;
    }
    struct shader_operand result = shader_convert(lowering, &operand, type, expression->place);
    for (size_t k = 0; k < shader_parts(type); k++) {
        result.part[k] = unary_part(lowering, expression->op, result.part[k]);
    }
    return result;
}
