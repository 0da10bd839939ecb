#include "renderer/shader/lower.h"
#include "renderer/shader/intrinsics_whole.h"

/* Component by component: each takes its arguments' components and makes one. */

enum { ARGUMENTS_MAX = 4 };

static shader_value number(struct shader_ir *ir, float value)
{
    return shader_ir_number(ir, value);
}

static shader_value one(struct shader_ir *ir, enum shader_op op, shader_value a)
{
    return shader_ir_unary(ir, op, a);
}

static shader_value two(struct shader_ir *ir, enum shader_op op, shader_value a, shader_value b)
{
    return shader_ir_binary(ir, op, a, b);
}

#define PLAIN_ONE(NAME, OP)                                                                        \
    static shader_value NAME(struct shader_ir *ir, const shader_value *x)                          \
    {                                                                                              \
        return one(ir, SHADER_OP_##OP, x[0]);                                                      \
    }
#define PLAIN_TWO(NAME, OP)                                                                        \
    static shader_value NAME(struct shader_ir *ir, const shader_value *x)                          \
    {                                                                                              \
        return two(ir, SHADER_OP_##OP, x[0], x[1]);                                                \
    }
#define TIMES(NAME, FACTOR)                                                                        \
    static shader_value NAME(struct shader_ir *ir, const shader_value *x)                          \
    {                                                                                              \
        return two(ir, SHADER_OP_MUL, x[0], number(ir, FACTOR));                                   \
    }

PLAIN_ONE(absolute, ABS)
PLAIN_ONE(arc_cosine, ACOS)
PLAIN_ONE(arc_sine, ASIN)
PLAIN_ONE(ceiling, CEIL)
PLAIN_ONE(cosine, COS)
PLAIN_ONE(power_of_two, EXP2)
PLAIN_ONE(floored, FLOOR)
PLAIN_ONE(fraction, FRAC)
PLAIN_ONE(binary_logarithm, LOG2)
PLAIN_ONE(rounded, ROUND)
PLAIN_ONE(reciprocal_root, RSQRT)
PLAIN_ONE(sine, SIN)
PLAIN_ONE(root, SQRT)
PLAIN_ONE(truncated, TRUNC)
PLAIN_TWO(arc_tangent_of_two, ATAN2)
PLAIN_TWO(maximum, MAX)
PLAIN_TWO(minimum, MIN)
PLAIN_TWO(remainder_of, FMOD)
TIMES(degrees, 57.2957795130823f)
TIMES(radians, 0.0174532925199433f)

static shader_value arc_tangent(struct shader_ir *ir, const shader_value *x)
{
    return two(ir, SHADER_OP_ATAN2, x[0], number(ir, 1.0f));
}

static shader_value exponential(struct shader_ir *ir, const shader_value *x)
{
    return one(ir, SHADER_OP_EXP2,
               two(ir, SHADER_OP_MUL, x[0], number(ir, 1.44269504088896f))); /* log2 e */
}

static shader_value logarithm(struct shader_ir *ir, shader_value x, float factor)
{
    return two(ir, SHADER_OP_MUL, one(ir, SHADER_OP_LOG2, x), number(ir, factor));
}

static shader_value natural_logarithm(struct shader_ir *ir, const shader_value *x)
{
    return logarithm(ir, x[0], 0.693147180559945f);
}

static shader_value decimal_logarithm(struct shader_ir *ir, const shader_value *x)
{
    return logarithm(ir, x[0], 0.301029995663981f);
}

static shader_value hyperbolic(struct shader_ir *ir, shader_value x, enum shader_op op)
{
    const shader_value negative = one(ir, SHADER_OP_NEG, x);
    const shader_value both = two(ir, op, exponential(ir, &x), exponential(ir, &negative));
    return two(ir, SHADER_OP_MUL, both, number(ir, 0.5f));
}

static shader_value hyperbolic_cosine(struct shader_ir *ir, const shader_value *x)
{
    return hyperbolic(ir, x[0], SHADER_OP_ADD);
}

static shader_value hyperbolic_sine(struct shader_ir *ir, const shader_value *x)
{
    return hyperbolic(ir, x[0], SHADER_OP_SUB);
}

/* 1 - 2 / (e^2x + 1): finite for large x. */
static shader_value hyperbolic_tangent(struct shader_ir *ir, const shader_value *x)
{
    const shader_value twice = two(ir, SHADER_OP_ADD, x[0], x[0]);
    const shader_value below = two(ir, SHADER_OP_ADD, exponential(ir, &twice), number(ir, 1.0f));
    return two(ir, SHADER_OP_SUB, number(ir, 1.0f),
               two(ir, SHADER_OP_DIV, number(ir, 2.0f), below));
}

static shader_value tangent(struct shader_ir *ir, const shader_value *x)
{
    return two(ir, SHADER_OP_DIV, one(ir, SHADER_OP_SIN, x[0]), one(ir, SHADER_OP_COS, x[0]));
}

static shader_value limited(struct shader_ir *ir, const shader_value *x)
{
    return two(ir, SHADER_OP_MIN, two(ir, SHADER_OP_MAX, x[0], x[1]), x[2]);
}

/* 0 of NaN. */
static shader_value saturated(struct shader_ir *ir, const shader_value *x)
{
    return two(ir, SHADER_OP_MIN, two(ir, SHADER_OP_MAX, number(ir, 0.0f), x[0]), number(ir, 1.0f));
}

static shader_value is_finite(struct shader_ir *ir, const shader_value *x)
{
    return two(ir, SHADER_OP_LE, one(ir, SHADER_OP_ABS, x[0]), number(ir, 3.40282347e38f));
}

static shader_value is_infinite(struct shader_ir *ir, const shader_value *x)
{
    return two(ir, SHADER_OP_LT, number(ir, 3.40282347e38f), one(ir, SHADER_OP_ABS, x[0]));
}

static shader_value is_no_number(struct shader_ir *ir, const shader_value *x)
{
    return one(ir, SHADER_OP_NOT,
               two(ir, SHADER_OP_LE, number(ir, 0.0f), one(ir, SHADER_OP_ABS, x[0])));
}

static shader_value scaled(struct shader_ir *ir, const shader_value *x)
{
    return two(ir, SHADER_OP_MUL, x[0], one(ir, SHADER_OP_EXP2, x[1]));
}

static shader_value mixed(struct shader_ir *ir, const shader_value *x)
{
    const shader_value way = two(ir, SHADER_OP_SUB, x[1], x[0]);
    return two(ir, SHADER_OP_ADD, two(ir, SHADER_OP_MUL, x[2], way), x[0]);
}

static shader_value product_and_sum(struct shader_ir *ir, const shader_value *x)
{
    return two(ir, SHADER_OP_ADD, two(ir, SHADER_OP_MUL, x[0], x[1]), x[2]);
}

static shader_value reciprocal(struct shader_ir *ir, const shader_value *x)
{
    return two(ir, SHADER_OP_DIV, number(ir, 1.0f), x[0]);
}

/* |x| to a small whole power: as products. Even ones need no |x|. */
static shader_value whole_power(struct shader_ir *ir, shader_value x, int exponent)
{
    shader_value result = exponent % 2 != 0 ? one(ir, SHADER_OP_ABS, x) : number(ir, 1.0f);
    shader_value square = x;
    for (exponent /= 2; exponent > 0; exponent /= 2) {
        square = two(ir, SHADER_OP_MUL, square, square);
        if (exponent % 2 != 0) {
            result = two(ir, SHADER_OP_MUL, square, result);
        }
    }
    return result;
}

static shader_value power(struct shader_ir *ir, const shader_value *x)
{
    enum { PRODUCTS = 8 };
    float exponent;
    if (shader_ir_known(ir, x[1], &exponent)) {
        const float size = exponent < 0.0f ? -exponent : exponent;
        if (size == 0.5f) {
            const shader_value square_root = one(ir, SHADER_OP_SQRT, x[0]);
            return exponent > 0.0f ? square_root : one(ir, SHADER_OP_RSQRT, x[0]);
        }
        if (size <= PRODUCTS && (float)(int)size == size) {
            const shader_value product = whole_power(ir, x[0], (int)size);
            return exponent < 0.0f ? reciprocal(ir, &product) : product;
        }
    }
    return one(ir, SHADER_OP_EXP2, two(ir, SHADER_OP_MUL, x[1], one(ir, SHADER_OP_LOG2, x[0])));
}

static shader_value sign(struct shader_ir *ir, const shader_value *x)
{
    const shader_value zero = number(ir, 0.0f);
    const shader_value below = two(ir, SHADER_OP_LT, x[0], zero);
    const shader_value above = two(ir, SHADER_OP_LT, zero, x[0]);
    return shader_ir_select(ir, above, number(ir, 1.0f),
                            shader_ir_select(ir, below, number(ir, -1.0f), zero));
}

static shader_value step(struct shader_ir *ir, const shader_value *x)
{
    return shader_ir_select(ir, two(ir, SHADER_OP_LE, x[0], x[1]), number(ir, 1.0f),
                            number(ir, 0.0f));
}

static shader_value smooth_step(struct shader_ir *ir, const shader_value *x)
{
    const shader_value way = two(ir, SHADER_OP_DIV, two(ir, SHADER_OP_SUB, x[2], x[0]),
                                 two(ir, SHADER_OP_SUB, x[1], x[0]));
    const shader_value t = saturated(ir, &way);
    const shader_value slope =
        two(ir, SHADER_OP_SUB, number(ir, 3.0f), two(ir, SHADER_OP_MUL, number(ir, 2.0f), t));
    return two(ir, SHADER_OP_MUL, two(ir, SHADER_OP_MUL, t, t), slope);
}

/* The table. */

enum shape { FLOAT, INT, BOOL, SAME, WHOLE, GIVING, TEXTURE };

struct row {
    const char *name;
    uint8_t least;
    uint8_t most;
    uint8_t shape;
    uint8_t texture; /* enum shader_texture_call */
    shader_value (*each)(struct shader_ir *ir, const shader_value *x);
    shader_whole *whole;
};

#define HOW_FLOAT(HOW)   0, HOW, NULL
#define HOW_INT(HOW)     0, HOW, NULL
#define HOW_BOOL(HOW)    0, HOW, NULL
#define HOW_SAME(HOW)    0, HOW, NULL
#define HOW_WHOLE(HOW)   0, NULL, HOW
#define HOW_GIVING(HOW)  0, NULL, HOW
#define HOW_TEXTURE(HOW) HOW, NULL, NULL

static const struct row rows[] = {
#define SHADER_INTRINSIC(NAME, LEAST, MOST, SHAPE, HOW)                                            \
    {NAME, LEAST, MOST, SHAPE, HOW_##SHAPE(HOW)},
#include "renderer/shader/intrinsics.def"
};

void shader_add_intrinsics(struct shader_lowering *lowering)
{
    for (uint16_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        shader_names_add(&lowering->intrinsics, rows[k].name, k);
    }
}

/* The type that all arguments are brought to. */
static bool work_type(struct shader_lowering *lowering, const struct row *row,
                      const struct shader_argument *arguments, size_t count,
                      struct base_place place, struct shader_type *type)
{
    *type = arguments[0].value.type;
    for (size_t k = 0; k < count; k++) {
        if (!shader_common_type(lowering, *type, arguments[k].value.type, place, type)) {
            return false;
        }
    }
    if (row->shape != SAME) {
        type->base = SHADER_FLOAT;
    } else if (type->base == SHADER_BOOL) {
        type->base = SHADER_INT;
    }
    return true;
}

static struct shader_operand each(struct shader_lowering *lowering, const struct row *row,
                                  const struct shader_argument *arguments, size_t count,
                                  struct base_place place)
{
    static const enum shader_base results[] = {
        [FLOAT] = SHADER_FLOAT, [INT] = SHADER_INT, [BOOL] = SHADER_BOOL};
    struct shader_operand operands[ARGUMENTS_MAX];
    struct shader_type type;
    if (!work_type(lowering, row, arguments, count, place, &type)) {
        return shader_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    for (size_t k = 0; k < count; k++) {
        operands[k] = shader_convert(lowering, &arguments[k].value, type, place);
    }
    struct shader_operand result = {.type = type};
    if (row->shape != SAME) {
        result.type.base = (uint8_t)results[row->shape];
    }
    for (size_t part = 0; part < shader_parts(type); part++) {
        shader_value x[ARGUMENTS_MAX];
        for (size_t k = 0; k < count; k++) {
            x[k] = operands[k].part[part];
        }
        result.part[part] = row->each(lowering->ir, x);
    }
    return result;
}

static struct shader_operand call(struct shader_lowering *lowering, const struct row *row,
                                  const struct shader_expression *expression)
{
    const size_t count = expression->argument_count;
    struct shader_operand result = shader_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    struct shader_argument *arguments =
        shader_work_array(lowering, ARGUMENTS_MAX, sizeof *arguments);
    for (size_t k = 0; arguments != NULL && k < count; k++) {
        shader_evaluate_argument(lowering, &arguments[k], expression->arguments[k],
                                 row->shape == GIVING && k > 0);
        if (!shader_stopped(lowering) &&
            (!shader_is_number(arguments[k].value.type) || arguments[k].value.type.length > 0)) {
            shader_fail(lowering, expression->arguments[k]->place, NULL,
                        "'%s' takes numbers and vectors", row->name);
        }
    }
    if (shader_stopped(lowering)) {
        return result;
    }
    if (row->each != NULL) {
        return each(lowering, row, arguments, count, expression->place);
    }
    result = row->whole(lowering, arguments, expression->place);
    for (size_t k = 1; k < count && row->shape == GIVING; k++) {
        shader_target_write(lowering, &arguments[k].target, &arguments[k].value, expression->place);
    }
    return result;
}

bool shader_intrinsic(struct shader_lowering *lowering, const struct shader_expression *expression,
                      struct shader_operand *result)
{
    const uint16_t found = shader_names_find(&lowering->intrinsics, expression->name);
    if (found == SHADER_NAMES_NONE) {
        return false;
    }
    const struct row *row = &rows[found];
    if (expression->argument_count < row->least || expression->argument_count > row->most) {
        shader_fail(lowering, expression->place, NULL, "'%s' takes %d argument%s, not %zu",
                    row->name, row->least, row->least == 1 ? "" : "s", expression->argument_count);
        return true;
    }
    *result =
        row->shape == TEXTURE
            ? shader_texture_call(lowering, (enum shader_texture_call)row->texture, expression)
            : call(lowering, row, expression);
    return true;
}
