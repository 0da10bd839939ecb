/* What is known of values, and the rules that fold operations by it. */
#include <math.h>
#include <string.h>

#include "renderer/shader/ir/ir.h"

static const struct shader_range anything = {-INFINITY, INFINITY, false, false};

/* Rounding keeps order, so bounds of exact results round to bounds of rounded ones. */
static struct shader_range checked(float low, float high, bool whole)
{
    if (isnan(low) || isnan(high)) {
        low = -INFINITY;
        high = INFINITY;
    }
    return (struct shader_range){low, high, false, whole};
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

struct shader_range shader_range_of(const struct shader_ir *ir,
                                    const struct shader_instruction *instruction)
{
    const bool computes = instruction->op >= SHADER_OP_ADD && instruction->op <= SHADER_OP_CHOOSE;
    const size_t arity = computes ? shader_op_arity(instruction->op) : 0;
    struct shader_range of[SHADER_ARGUMENTS] = {anything, anything, anything, anything};
    for (size_t k = 0; k < arity; k++) {
        of[k] = shader_ir_range(ir, instruction->argument[k]);
    }
    const struct shader_range a = of[0];
    const struct shader_range b = of[1];
    switch (instruction->op) {
    case SHADER_OP_CONST: {
        const float number = instruction->number;
        return isnan(number)
                   ? anything
                   : (struct shader_range){number, number, true, truncf(number) == number};
    }
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
    case SHADER_OP_NEG:
        return (struct shader_range){-a.high, -a.low, a.number, a.whole};
    case SHADER_OP_ABS:
        return (struct shader_range){a.low > 0.0f    ? a.low
                                     : a.high < 0.0f ? -a.high
                                                     : 0.0f,
                                     fmaxf(fabsf(a.low), fabsf(a.high)), a.number, a.whole};
    case SHADER_OP_SELECT: {
        const struct shader_range c = of[2];
        return (struct shader_range){fminf(b.low, c.low), fmaxf(b.high, c.high),
                                     b.number && c.number, b.whole && c.whole};
    }
    case SHADER_OP_ADD:
        return checked(a.low + b.low, a.high + b.high, a.whole && b.whole);
    case SHADER_OP_SUB:
        return checked(a.low - b.high, a.high - b.low, a.whole && b.whole);
    case SHADER_OP_MUL: {
        const bool square = instruction->argument[0] == instruction->argument[1];
        return a.low >= 0.0f && b.low >= 0.0f
                   ? checked(a.low * b.low, a.high * b.high, a.whole && b.whole)
                   : checked(square ? 0.0f : -INFINITY, INFINITY, a.whole && b.whole);
    }
    case SHADER_OP_MIN:
        return of_extreme(a, b, true);
    case SHADER_OP_MAX:
        return of_extreme(a, b, false);
    default:
        return anything;
    }
}

#define NONE SHADER_NO_VALUE

static const struct shader_instruction *at(const struct shader_ir *ir, shader_value value)
{
    return &ir->list[value];
}

static bool is(const struct shader_ir *ir, shader_value value, enum shader_op op)
{
    return at(ir, value)->op == op;
}

/* The operand of an operation of one, or NONE. */
static shader_value inside(const struct shader_ir *ir, shader_value value, enum shader_op op)
{
    return is(ir, value, op) ? at(ir, value)->argument[0] : NONE;
}

static bool is_number(const struct shader_ir *ir, shader_value value, float number)
{
    float known;
    return shader_ir_known(ir, value, &known) && known == number;
}

static shader_value made_known(struct shader_ir *ir, enum shader_op op, float number)
{
    return shader_ops[op].result == SHADER_KIND_B ? shader_ir_truth(ir, number != 0.0f)
                                                  : shader_ir_number(ir, number);
}

/* A SELECT between two constants; its condition, or NONE. */
static shader_value constant_sides(const struct shader_ir *ir, shader_value value, float *yes,
                                   float *no)
{
    const struct shader_instruction *instruction = at(ir, value);
    return instruction->op == SHADER_OP_SELECT &&
                   shader_ir_known(ir, instruction->argument[1], yes) &&
                   shader_ir_known(ir, instruction->argument[2], no)
               ? instruction->argument[0]
               : NONE;
}

static shader_value fold_add(struct shader_ir *ir, const shader_value *a)
{
    if (is_number(ir, a[1], 0.0f)) {
        return a[0];
    }
    const shader_value less = inside(ir, a[1], SHADER_OP_NEG);
    if (less != NONE) {
        return shader_ir_binary(ir, SHADER_OP_SUB, a[0], less);
    }
    const shader_value first_less = inside(ir, a[0], SHADER_OP_NEG);
    return first_less == NONE ? NONE : shader_ir_binary(ir, SHADER_OP_SUB, a[1], first_less);
}

static shader_value fold_sub(struct shader_ir *ir, const shader_value *a)
{
    float number;
    if (a[0] == a[1]) {
        return shader_ir_number(ir, 0.0f);
    }
    if (shader_ir_known(ir, a[1], &number)) {
        return shader_ir_binary(ir, SHADER_OP_ADD, a[0], shader_ir_number(ir, -number));
    }
    if (is_number(ir, a[0], 0.0f)) {
        return shader_ir_unary(ir, SHADER_OP_NEG, a[1]);
    }
    const shader_value more = inside(ir, a[1], SHADER_OP_NEG);
    return more == NONE ? NONE : shader_ir_binary(ir, SHADER_OP_ADD, a[0], more);
}

/* x times a truth made a number: x or 0. */
static shader_value fold_masked(struct shader_ir *ir, shader_value mask, shader_value x)
{
    float yes;
    float no;
    const shader_value condition = constant_sides(ir, mask, &yes, &no);
    if (condition == NONE) {
        return NONE;
    }
    if (yes == 1.0f && no == 0.0f) {
        return shader_ir_select(ir, condition, x, shader_ir_number(ir, 0.0f));
    }
    if (yes == 0.0f && no == 1.0f) {
        return shader_ir_select(ir, condition, shader_ir_number(ir, 0.0f), x);
    }
    return NONE;
}

static shader_value fold_mul(struct shader_ir *ir, const shader_value *a)
{
    float number;
    const bool known = shader_ir_known(ir, a[1], &number);
    if (known && number == 0.0f) {
        return shader_ir_number(ir, 0.0f);
    }
    if (known && number == 1.0f) {
        return a[0];
    }
    if (known && number == -1.0f) {
        return shader_ir_unary(ir, SHADER_OP_NEG, a[0]);
    }
    if (known) {
        const shader_value x = inside(ir, a[0], SHADER_OP_NEG);
        return x == NONE ? NONE
                         : shader_ir_binary(ir, SHADER_OP_MUL, x, shader_ir_number(ir, -number));
    }
    const shader_value less[2] = {inside(ir, a[0], SHADER_OP_NEG), inside(ir, a[1], SHADER_OP_NEG)};
    if (less[0] != NONE && less[1] != NONE) {
        return shader_ir_binary(ir, SHADER_OP_MUL, less[0], less[1]);
    }
    if (a[0] == a[1] && is(ir, a[0], SHADER_OP_ABS)) {
        const shader_value x = inside(ir, a[0], SHADER_OP_ABS);
        return shader_ir_binary(ir, SHADER_OP_MUL, x, x);
    }
    const shader_value masked = fold_masked(ir, a[0], a[1]);
    return masked != NONE ? masked : fold_masked(ir, a[1], a[0]);
}

static shader_value fold_div(struct shader_ir *ir, const shader_value *a)
{
    float number;
    int exponent;
    if (!shader_ir_known(ir, a[1], &number)) {
        return NONE;
    }
    /* Dividing by a power of two is multiplying with its inverse, if that is no denormal. */
    const bool power = isfinite(number) && fabsf(frexpf(number, &exponent)) == 0.5f;
    return power && isnormal(1.0f / number)
               ? shader_ir_binary(ir, SHADER_OP_MUL, a[0], shader_ir_number(ir, 1.0f / number))
               : NONE;
}

/* MIN and MAX, which give a where one of the two is NaN. first, second: which of them it is,
 * unless one is NaN. */
static shader_value fold_extreme(struct shader_ir *ir, enum shader_op op, const shader_value *a,
                                 bool first, bool second)
{
    if (a[0] == a[1] || first) {
        return a[0];
    }
    if (second && shader_ir_range(ir, a[0]).number && shader_ir_range(ir, a[1]).number) {
        return a[1];
    }
    /* Of x and a constant, where x is one of another constant. */
    float numbers[2];
    if (!is(ir, a[0], op) || !shader_ir_known(ir, a[1], &numbers[1]) ||
        !shader_ir_known(ir, at(ir, a[0])->argument[1], &numbers[0])) {
        return NONE;
    }
    const shader_value x = at(ir, a[0])->argument[0];
    const shader_value limit = shader_ir_number(ir, shader_op_compute(op, numbers));
    return shader_ir_binary(ir, op, x, limit);
}

static shader_value fold_min(struct shader_ir *ir, const shader_value *a)
{
    const struct shader_range x = shader_ir_range(ir, a[0]);
    const struct shader_range y = shader_ir_range(ir, a[1]);
    return fold_extreme(ir, SHADER_OP_MIN, a, x.high <= y.low, y.high <= x.low);
}

static shader_value fold_max(struct shader_ir *ir, const shader_value *a)
{
    const struct shader_range x = shader_ir_range(ir, a[0]);
    const struct shader_range y = shader_ir_range(ir, a[1]);
    return fold_extreme(ir, SHADER_OP_MAX, a, x.low >= y.high, y.low >= x.high);
}

static shader_value fold_neg(struct shader_ir *ir, const shader_value *a)
{
    const struct shader_instruction inner = *at(ir, a[0]);
    float number;
    if (inner.op == SHADER_OP_NEG) {
        return inner.argument[0];
    }
    if (inner.op == SHADER_OP_SUB) {
        return shader_ir_binary(ir, SHADER_OP_SUB, inner.argument[1], inner.argument[0]);
    }
    if (inner.op == SHADER_OP_MUL && shader_ir_known(ir, inner.argument[1], &number)) {
        return shader_ir_binary(ir, SHADER_OP_MUL, inner.argument[0],
                                shader_ir_number(ir, -number));
    }
    return NONE;
}

static shader_value fold_abs(struct shader_ir *ir, const shader_value *a)
{
    if (shader_ir_range(ir, a[0]).low >= 0.0f) {
        return a[0];
    }
    const shader_value less = inside(ir, a[0], SHADER_OP_NEG);
    return less == NONE ? NONE : shader_ir_unary(ir, SHADER_OP_ABS, less);
}

/* Operations of the size only: SQRT, RSQRT, LOG2. */
static shader_value fold_of_size(struct shader_ir *ir, enum shader_op op, const shader_value *a)
{
    shader_value x = inside(ir, a[0], SHADER_OP_ABS);
    if (x == NONE) {
        x = inside(ir, a[0], SHADER_OP_NEG);
    }
    return x == NONE ? NONE : shader_ir_unary(ir, op, x);
}

static shader_value fold_sqrt(struct shader_ir *ir, const shader_value *a)
{
    return fold_of_size(ir, SHADER_OP_SQRT, a);
}

static shader_value fold_rsqrt(struct shader_ir *ir, const shader_value *a)
{
    return fold_of_size(ir, SHADER_OP_RSQRT, a);
}

static shader_value fold_log2(struct shader_ir *ir, const shader_value *a)
{
    return fold_of_size(ir, SHADER_OP_LOG2, a);
}

static shader_value fold_rounding(struct shader_ir *ir, const shader_value *a)
{
    return shader_ir_range(ir, a[0]).whole ? a[0] : NONE;
}

static shader_value fold_frac(struct shader_ir *ir, const shader_value *a)
{
    return shader_ir_range(ir, a[0]).whole ? shader_ir_number(ir, 0.0f) : NONE;
}

/* Comparisons: by what is known of both sides, NaN making all of them false. */

static shader_value fold_lt(struct shader_ir *ir, const shader_value *a)
{
    const struct shader_range x = shader_ir_range(ir, a[0]);
    const struct shader_range y = shader_ir_range(ir, a[1]);
    if (a[0] == a[1] || x.low >= y.high) {
        return shader_ir_truth(ir, false);
    }
    return x.number && y.number && x.high < y.low ? shader_ir_truth(ir, true) : NONE;
}

static shader_value fold_le(struct shader_ir *ir, const shader_value *a)
{
    const struct shader_range x = shader_ir_range(ir, a[0]);
    const struct shader_range y = shader_ir_range(ir, a[1]);
    if (x.low > y.high) {
        return shader_ir_truth(ir, false);
    }
    return x.number && y.number && x.high <= y.low ? shader_ir_truth(ir, true) : NONE;
}

static bool apart(const struct shader_ir *ir, const shader_value *a)
{
    const struct shader_range x = shader_ir_range(ir, a[0]);
    const struct shader_range y = shader_ir_range(ir, a[1]);
    return x.low > y.high || x.high < y.low;
}

static bool both_numbers(const struct shader_ir *ir, const shader_value *a)
{
    return shader_ir_range(ir, a[0]).number && shader_ir_range(ir, a[1]).number;
}

static shader_value fold_eq(struct shader_ir *ir, const shader_value *a)
{
    if (apart(ir, a)) {
        return shader_ir_truth(ir, false);
    }
    return a[0] == a[1] && both_numbers(ir, a) ? shader_ir_truth(ir, true) : NONE;
}

static shader_value fold_ne(struct shader_ir *ir, const shader_value *a)
{
    if (a[0] == a[1]) {
        return shader_ir_truth(ir, false);
    }
    return apart(ir, a) && both_numbers(ir, a) ? shader_ir_truth(ir, true) : NONE;
}

/* Truths. */

/* a op b, where b is itself an op that has a already. */
static bool holds(const struct shader_ir *ir, shader_value b, enum shader_op op, shader_value a)
{
    const struct shader_instruction *instruction = at(ir, b);
    return instruction->op == op &&
           (instruction->argument[0] == a || instruction->argument[1] == a);
}

/* AND with `keeps` true, OR with false: the constant that gives the other operand. */
static shader_value fold_logic(struct shader_ir *ir, enum shader_op op, const shader_value *a,
                               bool keeps)
{
    float truth;
    if (a[0] == a[1] || holds(ir, a[0], op, a[1])) {
        return a[0];
    }
    if (holds(ir, a[1], op, a[0])) {
        return a[1];
    }
    if (shader_ir_known(ir, a[1], &truth)) {
        return (truth != 0.0f) == keeps ? a[0] : shader_ir_truth(ir, !keeps);
    }
    const bool opposite =
        inside(ir, a[0], SHADER_OP_NOT) == a[1] || inside(ir, a[1], SHADER_OP_NOT) == a[0];
    return opposite ? shader_ir_truth(ir, !keeps) : NONE;
}

static shader_value fold_and(struct shader_ir *ir, const shader_value *a)
{
    return fold_logic(ir, SHADER_OP_AND, a, true);
}

static shader_value fold_or(struct shader_ir *ir, const shader_value *a)
{
    return fold_logic(ir, SHADER_OP_OR, a, false);
}

static shader_value fold_not(struct shader_ir *ir, const shader_value *a)
{
    return inside(ir, a[0], SHADER_OP_NOT);
}

/* The side that a SELECT or CHOOSE with this condition would take, or the value itself. It is used
 * on that side only, so that a closed part of an IF may hold it. */
static shader_value side(const struct shader_ir *ir, shader_value value, shader_value condition,
                         size_t which)
{
    const struct shader_instruction *instruction = at(ir, value);
    return (instruction->op == SHADER_OP_SELECT || instruction->op == SHADER_OP_CHOOSE) &&
                   instruction->argument[0] == condition
               ? instruction->argument[which]
               : value;
}

static shader_value fold_select(struct shader_ir *ir, const shader_value *a)
{
    float truth;
    if (shader_ir_known(ir, a[0], &truth)) {
        return truth != 0.0f ? a[1] : a[2];
    }
    if (a[1] == a[2]) {
        return a[1];
    }
    const shader_value not = inside(ir, a[0], SHADER_OP_NOT);
    if (not != NONE) {
        return shader_ir_select(ir, not, a[2], a[1]);
    }
    const shader_value yes = side(ir, a[1], a[0], 1);
    const shader_value no = side(ir, a[2], a[0], 2);
    return yes != a[1] || no != a[2] ? shader_ir_select(ir, a[0], yes, no) : NONE;
}

static shader_value fold_choose(struct shader_ir *ir, const shader_value *a)
{
    float yes = -1.0f;
    float no = -1.0f;
    shader_ir_known(ir, a[1], &yes);
    shader_ir_known(ir, a[2], &no);
    if (yes == 1.0f && no == 0.0f) {
        return a[0];
    }
    if (yes == 0.0f && no == 1.0f) {
        return shader_ir_unary(ir, SHADER_OP_NOT, a[0]);
    }
    const shader_value same = fold_select(ir, a);
    if (same != NONE) {
        return same;
    }
    /* With one constant side it is an AND or OR, if the other side may be used so. */
    const bool sides[2] = {shader_ir_in_scope(ir, a[1]), shader_ir_in_scope(ir, a[2])};
    if (no == 0.0f && sides[0]) {
        return shader_ir_binary(ir, SHADER_OP_AND, a[0], a[1]);
    }
    if (yes == 1.0f && sides[1]) {
        return shader_ir_binary(ir, SHADER_OP_OR, a[0], a[2]);
    }
    if ((yes == 0.0f && sides[1]) || (no == 1.0f && sides[0])) {
        const shader_value not = shader_ir_unary(ir, SHADER_OP_NOT, a[0]);
        return yes == 0.0f ? shader_ir_binary(ir, SHADER_OP_AND, not, a[2])
                           : shader_ir_binary(ir, SHADER_OP_OR, not, a[1]);
    }
    return NONE;
}

typedef shader_value (*rule)(struct shader_ir *ir, const shader_value *arguments);
static const rule rules[SHADER_OP_COUNT] = {
    [SHADER_OP_ADD] = fold_add,        [SHADER_OP_SUB] = fold_sub,
    [SHADER_OP_MUL] = fold_mul,        [SHADER_OP_DIV] = fold_div,
    [SHADER_OP_MIN] = fold_min,        [SHADER_OP_MAX] = fold_max,
    [SHADER_OP_NEG] = fold_neg,        [SHADER_OP_ABS] = fold_abs,
    [SHADER_OP_FLOOR] = fold_rounding, [SHADER_OP_CEIL] = fold_rounding,
    [SHADER_OP_TRUNC] = fold_rounding, [SHADER_OP_ROUND] = fold_rounding,
    [SHADER_OP_FRAC] = fold_frac,      [SHADER_OP_SQRT] = fold_sqrt,
    [SHADER_OP_RSQRT] = fold_rsqrt,    [SHADER_OP_LOG2] = fold_log2,
    [SHADER_OP_LT] = fold_lt,          [SHADER_OP_LE] = fold_le,
    [SHADER_OP_EQ] = fold_eq,          [SHADER_OP_NE] = fold_ne,
    [SHADER_OP_AND] = fold_and,        [SHADER_OP_OR] = fold_or,
    [SHADER_OP_NOT] = fold_not,        [SHADER_OP_SELECT] = fold_select,
    [SHADER_OP_CHOOSE] = fold_choose,
};

shader_value shader_ir_fold(struct shader_ir *ir, enum shader_op op, const shader_value *arguments)
{
    /* Of constants, and SELECTs between two constants with the same condition: truths go through
     * numbers and back. */
    const size_t arity = shader_op_arity(op);
    float yes[3];
    float no[3];
    shader_value condition = NONE;
    size_t k = 0;
    for (; k < arity; k++) {
        const shader_value found = constant_sides(ir, arguments[k], &yes[k], &no[k]);
        if (found != NONE && arity < 3 && (condition == NONE || condition == found)) {
            condition = found;
        } else if (shader_ir_known(ir, arguments[k], &yes[k])) {
            no[k] = yes[k];
        } else {
            break;
        }
    }
    if (k == arity) {
        const shader_value made_yes = made_known(ir, op, shader_op_compute(op, yes));
        if (condition == NONE) {
            return made_yes;
        }
        const shader_value made_no = made_known(ir, op, shader_op_compute(op, no));
        return shader_ir_select(ir, condition, made_yes, made_no);
    }
    return rules[op] != NULL ? rules[op](ir, arguments) : NONE;
}
