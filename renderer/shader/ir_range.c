#include "renderer/shader/ir_inside.h"

#include <math.h>

static const struct shader_range anything = {-INFINITY, INFINITY, false, false};

static struct shader_range of_number(float number)
{
    if (isnan(number)) {
        return anything;
    }
    return (struct shader_range){number, number, true, truncf(number) == number};
}

/* Rounding keeps order, so bounds of exact results round to bounds of rounded ones. */
static struct shader_range checked(float low, float high, bool whole)
{
    if (isnan(low) || isnan(high)) {
        low = -INFINITY;
        high = INFINITY;
    }
    return (struct shader_range){low, high, false, whole};
}

static struct shader_range of_product(struct shader_range a, struct shader_range b, bool square)
{
    const bool whole = a.whole && b.whole;
    if (a.low >= 0.0f && b.low >= 0.0f) {
        return checked(a.low * b.low, a.high * b.high, whole);
    }
    return checked(square ? 0.0f : -INFINITY, INFINITY, whole);
}

/* MIN and MAX give a where one of the two is NaN. */
static struct shader_range of_extreme(struct shader_range a, struct shader_range b, bool smaller)
{
    struct shader_range range = {a.low, a.high, a.number, a.whole && b.whole};
    if (smaller) {
        range.low = fminf(a.low, b.low);
        range.high = b.number ? fminf(a.high, b.high) : a.high;
    } else {
        range.high = fmaxf(a.high, b.high);
        range.low = b.number ? fmaxf(a.low, b.low) : a.low;
    }
    return range;
}

static struct shader_range of_abs(struct shader_range a)
{
    const float low = a.low > 0.0f ? a.low : a.high < 0.0f ? -a.high : 0.0f;
    return (struct shader_range){low, fmaxf(fabsf(a.low), fabsf(a.high)), a.number, a.whole};
}

static struct shader_range of_select(struct shader_range a, struct shader_range b)
{
    return (struct shader_range){fminf(a.low, b.low), fmaxf(a.high, b.high), a.number && b.number,
                                 a.whole && b.whole};
}

static struct shader_range of_binary(const struct shader_ir *ir,
                                     const struct shader_instruction *instruction)
{
    const struct shader_range a = shader_ir_range(ir, instruction->argument[0]);
    const struct shader_range b = shader_ir_range(ir, instruction->argument[1]);
    switch (instruction->op) {
    case SHADER_OP_ADD:
        return checked(a.low + b.low, a.high + b.high, a.whole && b.whole);
    case SHADER_OP_SUB:
        return checked(a.low - b.high, a.high - b.low, a.whole && b.whole);
    case SHADER_OP_MUL:
        return of_product(a, b, instruction->argument[0] == instruction->argument[1]);
    case SHADER_OP_MIN:
        return of_extreme(a, b, true);
    default:
        return of_extreme(a, b, false);
    }
}

struct shader_range shader_range_of(const struct shader_ir *ir,
                                    const struct shader_instruction *instruction)
{
    switch (instruction->op) {
    case SHADER_OP_CONST:
        return of_number(instruction->number);
    case SHADER_OP_PART: /* texture.h: whatever is read lies in 0..1 */
        return (struct shader_range){0.0f, 1.0f, true, false};
    case SHADER_OP_FRAC: /* 1 by rounding */
        return (struct shader_range){0.0f, 1.0f, false, false};
    case SHADER_OP_SIN:
    case SHADER_OP_COS:
        return (struct shader_range){-1.0f, 1.0f, false, false};
    case SHADER_OP_SQRT:
    case SHADER_OP_RSQRT:
    case SHADER_OP_EXP2:
        return (struct shader_range){0.0f, INFINITY, false, false};
    case SHADER_OP_FLOOR:
    case SHADER_OP_CEIL:
    case SHADER_OP_TRUNC:
    case SHADER_OP_ROUND:
        return (struct shader_range){-INFINITY, INFINITY, false, true};
    case SHADER_OP_NEG: {
        const struct shader_range a = shader_ir_range(ir, instruction->argument[0]);
        return (struct shader_range){-a.high, -a.low, a.number, a.whole};
    }
    case SHADER_OP_ABS:
        return of_abs(shader_ir_range(ir, instruction->argument[0]));
    case SHADER_OP_SELECT:
        return of_select(shader_ir_range(ir, instruction->argument[1]),
                         shader_ir_range(ir, instruction->argument[2]));
    case SHADER_OP_ADD:
    case SHADER_OP_SUB:
    case SHADER_OP_MUL:
    case SHADER_OP_MIN:
    case SHADER_OP_MAX:
        return of_binary(ir, instruction);
    default:
        return anything;
    }
}
