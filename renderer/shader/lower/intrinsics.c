/* Functions that are built into the language (spec/milk-rendering.md section 9.6): those that work
 * component by component, those of whole vectors and matrices, those that read textures, and the
 * table of all of them. A new one is a row of intrinsics.def, with its function here unless one
 * operation of the IR does it. */
#include "renderer/shader/lower/lower.h"

enum { ARGUMENTS_MAX = 4 };

static shader_value number(struct shader_ir *ir, float value)
{
    return shader_ir_number(ir, value);
}

static shader_value unary(struct shader_ir *ir, enum shader_op op, shader_value a)
{
    return shader_ir_unary(ir, op, a);
}

#define BINARY(NAME, OP)                                                                           \
    static shader_value NAME(struct shader_ir *ir, shader_value a, shader_value b)                 \
    {                                                                                              \
        return shader_ir_binary(ir, SHADER_OP_##OP, a, b);                                         \
    }

BINARY(add, ADD)
BINARY(sub, SUB)
BINARY(mul, MUL)
BINARY(divide, DIV)
BINARY(min, MIN)
BINARY(max, MAX)
BINARY(less, LT)
BINARY(at_most, LE)

/* Functions component by component. Each takes a component of every argument and makes one. */

static shader_value degrees(struct shader_ir *ir, const shader_value *x)
{
    return mul(ir, x[0], number(ir, 57.2957795130823f));
}

static shader_value radians(struct shader_ir *ir, const shader_value *x)
{
    return mul(ir, x[0], number(ir, 0.0174532925199433f));
}

static shader_value arc_tangent(struct shader_ir *ir, const shader_value *x)
{
    return shader_ir_binary(ir, SHADER_OP_ATAN2, x[0], number(ir, 1.0f));
}

static shader_value exponential(struct shader_ir *ir, const shader_value *x)
{
    return unary(ir, SHADER_OP_EXP2, mul(ir, x[0], number(ir, 1.44269504088896f))); /* log2 e */
}

static shader_value logarithm(struct shader_ir *ir, shader_value x, float factor)
{
    return mul(ir, unary(ir, SHADER_OP_LOG2, x), number(ir, factor));
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
    const shader_value negative = unary(ir, SHADER_OP_NEG, x);
    const shader_value both =
        shader_ir_binary(ir, op, exponential(ir, &x), exponential(ir, &negative));
    return mul(ir, both, number(ir, 0.5f));
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
    const shader_value twice = add(ir, x[0], x[0]);
    const shader_value below = add(ir, exponential(ir, &twice), number(ir, 1.0f));
    return sub(ir, number(ir, 1.0f), divide(ir, number(ir, 2.0f), below));
}

static shader_value tangent(struct shader_ir *ir, const shader_value *x)
{
    return divide(ir, unary(ir, SHADER_OP_SIN, x[0]), unary(ir, SHADER_OP_COS, x[0]));
}

static shader_value clamp(struct shader_ir *ir, const shader_value *x)
{
    return min(ir, max(ir, x[0], x[1]), x[2]);
}

/* 0 of NaN. */
static shader_value saturated(struct shader_ir *ir, const shader_value *x)
{
    return min(ir, max(ir, number(ir, 0.0f), x[0]), number(ir, 1.0f));
}

static shader_value is_finite(struct shader_ir *ir, const shader_value *x)
{
    return at_most(ir, unary(ir, SHADER_OP_ABS, x[0]), number(ir, 3.40282347e38f));
}

static shader_value is_infinite(struct shader_ir *ir, const shader_value *x)
{
    return less(ir, number(ir, 3.40282347e38f), unary(ir, SHADER_OP_ABS, x[0]));
}

static shader_value is_no_number(struct shader_ir *ir, const shader_value *x)
{
    return unary(ir, SHADER_OP_NOT, at_most(ir, number(ir, 0.0f), unary(ir, SHADER_OP_ABS, x[0])));
}

static shader_value scaled(struct shader_ir *ir, const shader_value *x)
{
    return mul(ir, x[0], unary(ir, SHADER_OP_EXP2, x[1]));
}

static shader_value lerp(struct shader_ir *ir, const shader_value *x)
{
    const shader_value way = sub(ir, x[1], x[0]);
    return add(ir, mul(ir, x[2], way), x[0]);
}

static shader_value product_and_sum(struct shader_ir *ir, const shader_value *x)
{
    return add(ir, mul(ir, x[0], x[1]), x[2]);
}

static shader_value reciprocal(struct shader_ir *ir, const shader_value *x)
{
    return divide(ir, number(ir, 1.0f), x[0]);
}

static shader_value power(struct shader_ir *ir, const shader_value *x)
{
    enum { PRODUCTS = 8 };
    float exponent;
    if (shader_ir_known(ir, x[1], &exponent)) {
        const float size = exponent < 0.0f ? -exponent : exponent;
        if (size == 0.5f) {
            const shader_value square_root = unary(ir, SHADER_OP_SQRT, x[0]);
            return exponent > 0.0f ? square_root : unary(ir, SHADER_OP_RSQRT, x[0]);
        }
        if (size <= PRODUCTS && (float)(int)size == size) {
            /* A small whole power of |x|, as products; even ones need no |x|. */
            int left = (int)size;
            shader_value product =
                left % 2 != 0 ? unary(ir, SHADER_OP_ABS, x[0]) : number(ir, 1.0f);
            shader_value square = x[0];
            for (left /= 2; left > 0; left /= 2) {
                square = mul(ir, square, square);
                product = left % 2 != 0 ? mul(ir, square, product) : product;
            }
            return exponent < 0.0f ? reciprocal(ir, &product) : product;
        }
    }
    return unary(ir, SHADER_OP_EXP2, mul(ir, x[1], unary(ir, SHADER_OP_LOG2, x[0])));
}

static shader_value sign(struct shader_ir *ir, const shader_value *x)
{
    const shader_value zero = number(ir, 0.0f);
    const shader_value below = less(ir, x[0], zero);
    const shader_value above = less(ir, zero, x[0]);
    return shader_ir_select(ir, above, number(ir, 1.0f),
                            shader_ir_select(ir, below, number(ir, -1.0f), zero));
}

static shader_value step(struct shader_ir *ir, const shader_value *x)
{
    return shader_ir_select(ir, at_most(ir, x[0], x[1]), number(ir, 1.0f), number(ir, 0.0f));
}

static shader_value smooth_step(struct shader_ir *ir, const shader_value *x)
{
    const shader_value way = divide(ir, sub(ir, x[2], x[0]), sub(ir, x[1], x[0]));
    const shader_value t = saturated(ir, &way);
    const shader_value slope = sub(ir, number(ir, 3.0f), mul(ir, number(ir, 2.0f), t));
    return mul(ir, mul(ir, t, t), slope);
}
/* Functions of whole vectors and matrices. arguments: as many as the table says. What is given back
 * is left in their values. */
typedef struct shader_operand whole_function(struct shader_lowering *lowering,
                                             struct shader_argument *arguments,
                                             struct base_place place);

static struct shader_operand floats(struct shader_lowering *lowering,
                                    const struct shader_operand *operand, struct base_place place)
{
    return shader_convert(lowering, operand, shader_with_base(operand->type, SHADER_FLOAT), place);
}

/* Two arguments as floats of one size; false after an error message. */
static bool pair_of(struct shader_lowering *lowering, const struct shader_argument *arguments,
                    struct base_place place, struct shader_operand pair[2])
{
    struct shader_type type;
    if (!shader_common_type(lowering, arguments[0].value.type, arguments[1].value.type, place,
                            &type)) {
        return false;
    }
    for (size_t k = 0; k < 2; k++) {
        pair[k] = shader_convert(lowering, &arguments[k].value,
                                 shader_with_base(type, SHADER_FLOAT), place);
    }
    return true;
}

static shader_value dot(struct shader_ir *ir, const struct shader_operand *a,
                        const struct shader_operand *b)
{
    shader_value sum = mul(ir, a->part[0], b->part[0]);
    for (size_t k = 1; k < shader_part_count(a->type); k++) {
        sum = add(ir, sum, mul(ir, a->part[k], b->part[k]));
    }
    return sum;
}

static shader_value length(struct shader_ir *ir, const struct shader_operand *a)
{
    return shader_part_count(a->type) == 1 ? unary(ir, SHADER_OP_ABS, a->part[0])
                                           : unary(ir, SHADER_OP_SQRT, dot(ir, a, a));
}

static struct shader_operand whole_dot(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments, place, pair)) {
        return arguments[0].value;
    }
    return shader_make_scalar(SHADER_FLOAT, dot(lowering->ir, &pair[0], &pair[1]));
}

static struct shader_operand whole_lum(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    static const float weights[] = {0.32f, 0.49f, 0.29f};
    struct shader_argument both[2] = {arguments[0]};
    both[1].value.type = shader_vector(SHADER_FLOAT, 3);
    for (size_t k = 0; k < 3; k++) {
        both[1].value.part[k] = number(ir, weights[k]);
    }
    return whole_dot(lowering, both, place);
}

static struct shader_operand whole_length(struct shader_lowering *lowering,
                                          struct shader_argument *arguments,
                                          struct base_place place)
{
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    return shader_make_scalar(SHADER_FLOAT, length(lowering->ir, &a));
}

static struct shader_operand whole_distance(struct shader_lowering *lowering,
                                            struct shader_argument *arguments,
                                            struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments, place, pair)) {
        return arguments[0].value;
    }
    for (size_t k = 0; k < shader_part_count(pair[0].type); k++) {
        pair[0].part[k] = sub(ir, pair[0].part[k], pair[1].part[k]);
    }
    return shader_make_scalar(SHADER_FLOAT, length(ir, &pair[0]));
}

/* A vector without length gives 0. */
static struct shader_operand whole_normalize(struct shader_lowering *lowering,
                                             struct shader_argument *arguments,
                                             struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    struct shader_operand a = floats(lowering, &arguments[0].value, place);
    const shader_value zero = number(ir, 0.0f);
    const shader_value square = dot(ir, &a, &a);
    const shader_value factor =
        shader_ir_select(ir, less(ir, zero, square), unary(ir, SHADER_OP_RSQRT, square), zero);
    for (size_t k = 0; k < shader_part_count(a.type); k++) {
        a.part[k] = mul(ir, a.part[k], factor);
    }
    return a;
}

static struct shader_operand whole_cross(struct shader_lowering *lowering,
                                         struct shader_argument *arguments, struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    const struct shader_type type = shader_vector(SHADER_FLOAT, 3);
    const struct shader_operand a = shader_convert(lowering, &arguments[0].value, type, place);
    const struct shader_operand b = shader_convert(lowering, &arguments[1].value, type, place);
    struct shader_operand result = {.type = type};
    for (size_t k = 0; k < 3; k++) {
        const size_t y = (k + 1) % 3;
        const size_t z = (k + 2) % 3;
        result.part[k] = sub(ir, mul(ir, a.part[y], b.part[z]), mul(ir, a.part[z], b.part[y]));
    }
    return result;
}

/* i - 2 (n . i) n */
static struct shader_operand whole_reflect(struct shader_lowering *lowering,
                                           struct shader_argument *arguments,
                                           struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments, place, pair)) {
        return arguments[0].value;
    }
    const shader_value factor = mul(ir, number(ir, -2.0f), dot(ir, &pair[0], &pair[1]));
    struct shader_operand result = pair[0];
    for (size_t k = 0; k < shader_part_count(result.type); k++) {
        result.part[k] = add(ir, pair[0].part[k], mul(ir, pair[1].part[k], factor));
    }
    return result;
}

/* With k = 1 - e^2 (1 - (n . i)^2): 0 where k < 0, else e i - (e (n . i) + sqrt k) n. */
static struct shader_operand whole_refract(struct shader_lowering *lowering,
                                           struct shader_argument *arguments,
                                           struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments, place, pair)) {
        return arguments[0].value;
    }
    const shader_value unit = number(ir, 1.0f);
    const shader_value zero = number(ir, 0.0f);
    const shader_value eta =
        shader_convert(lowering, &arguments[2].value, shader_vector(SHADER_FLOAT, 1), place)
            .part[0];
    const shader_value cosine = dot(ir, &pair[0], &pair[1]);
    const shader_value sine_squared = sub(ir, unit, mul(ir, cosine, cosine));
    const shader_value k = sub(ir, unit, mul(ir, mul(ir, eta, eta), sine_squared));
    const shader_value factor = add(ir, mul(ir, eta, cosine), unary(ir, SHADER_OP_SQRT, k));
    const shader_value bends = at_most(ir, zero, k);
    struct shader_operand result = pair[0];
    for (size_t part = 0; part < shader_part_count(result.type); part++) {
        const shader_value bent =
            sub(ir, mul(ir, eta, pair[0].part[part]), mul(ir, factor, pair[1].part[part]));
        result.part[part] = shader_ir_select(ir, bends, bent, zero);
    }
    return result;
}

/* n, or -n where i and ng point to the same side. */
static struct shader_operand whole_faceforward(struct shader_lowering *lowering,
                                               struct shader_argument *arguments,
                                               struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments + 1, place, pair)) {
        return arguments[0].value;
    }
    struct shader_operand n = shader_convert(lowering, &arguments[0].value, pair[0].type, place);
    const shader_value towards = less(ir, dot(ir, &pair[0], &pair[1]), number(ir, 0.0f));
    for (size_t k = 0; k < shader_part_count(n.type); k++) {
        n.part[k] = shader_ir_select(ir, towards, n.part[k], unary(ir, SHADER_OP_NEG, n.part[k]));
    }
    return n;
}

static struct shader_operand truths(struct shader_lowering *lowering,
                                    const struct shader_argument *argument, enum shader_op op,
                                    struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    const struct shader_operand all = shader_convert(
        lowering, &argument->value, shader_with_base(argument->value.type, SHADER_BOOL), place);
    shader_value result = all.part[0];
    for (size_t k = 1; k < shader_part_count(all.type); k++) {
        result = shader_ir_binary(ir, op, result, all.part[k]);
    }
    return shader_make_scalar(SHADER_BOOL, result);
}

static struct shader_operand whole_all(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    return truths(lowering, &arguments[0], SHADER_OP_AND, place);
}

static struct shader_operand whole_any(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    return truths(lowering, &arguments[0], SHADER_OP_OR, place);
}

/* clip has no effect, as discard has none: every pixel is stored. */
static struct shader_operand whole_clip(struct shader_lowering *lowering,
                                        struct shader_argument *arguments, struct base_place place)
{
    (void)lowering;
    (void)arguments;
    (void)place;
    return (struct shader_operand){.type = {.base = SHADER_VOID, .rows = 1, .columns = 1}};
}

static struct shader_operand whole_derivative(struct shader_lowering *lowering,
                                              struct shader_argument *arguments,
                                              struct base_place place)
{
    if (!lowering->warned) {
        base_report(lowering->sink, BASE_WARNING, place, NULL,
                    "ddx, ddy and fwidth are 0 for every pixel");
        lowering->warned = true;
    }
    return shader_make_zero(lowering, shader_with_base(arguments[0].value.type, SHADER_FLOAT));
}

static struct shader_operand whole_modf(struct shader_lowering *lowering,
                                        struct shader_argument *arguments, struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    struct shader_operand whole = a;
    struct shader_operand rest = a;
    for (size_t k = 0; k < shader_part_count(a.type); k++) {
        whole.part[k] = unary(ir, SHADER_OP_TRUNC, a.part[k]);
        rest.part[k] = sub(ir, a.part[k], whole.part[k]);
    }
    arguments[1].value = whole;
    return rest;
}

/* a = mantissa * 2^exponent, the mantissa in 0.5..1; both are 0 for 0. */
static struct shader_operand whole_frexp(struct shader_lowering *lowering,
                                         struct shader_argument *arguments, struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    const shader_value zero = number(ir, 0.0f);
    struct shader_operand exponent = a;
    struct shader_operand mantissa = a;
    for (size_t k = 0; k < shader_part_count(a.type); k++) {
        const shader_value log2 = unary(ir, SHADER_OP_FLOOR, unary(ir, SHADER_OP_LOG2, a.part[k]));
        const shader_value size = less(ir, zero, unary(ir, SHADER_OP_ABS, a.part[k]));
        exponent.part[k] = shader_ir_select(ir, size, add(ir, log2, number(ir, 1.0f)), zero);
        mantissa.part[k] = divide(ir, a.part[k], unary(ir, SHADER_OP_EXP2, exponent.part[k]));
    }
    arguments[1].value = exponent;
    return mantissa;
}

static struct shader_operand whole_sincos(struct shader_lowering *lowering,
                                          struct shader_argument *arguments,
                                          struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    arguments[1].value = a;
    arguments[2].value = a;
    for (size_t k = 0; k < shader_part_count(a.type); k++) {
        arguments[1].value.part[k] = unary(ir, SHADER_OP_SIN, a.part[k]);
        arguments[2].value.part[k] = unary(ir, SHADER_OP_COS, a.part[k]);
    }
    return whole_clip(lowering, arguments, place);
}

/* Ambient, diffuse and specular light: 1, max(l, 0), h^m unless l or h is below 0, 1. */
static struct shader_operand whole_lit(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    shader_value x[3];
    for (size_t k = 0; k < 3; k++) {
        x[k] = shader_convert(lowering, &arguments[k].value, shader_vector(SHADER_FLOAT, 1), place)
                   .part[0];
    }
    const shader_value zero = number(ir, 0.0f);
    const shader_value unit = number(ir, 1.0f);
    const shader_value dark =
        shader_ir_binary(ir, SHADER_OP_OR, less(ir, x[0], zero), less(ir, x[1], zero));
    const shader_value shine =
        unary(ir, SHADER_OP_EXP2, mul(ir, x[2], unary(ir, SHADER_OP_LOG2, x[1])));
    return (struct shader_operand){
        .type = shader_vector(SHADER_FLOAT, 4),
        .part = {unit, max(ir, x[0], zero), shader_ir_select(ir, dark, zero, shine), unit}};
}

/* A hash of the vector in -1..1: frac(43758.5453 sin(weights . a)) * 2 - 1. */
static struct shader_operand whole_noise(struct shader_lowering *lowering,
                                         struct shader_argument *arguments, struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    static const float weights[SHADER_PARTS_MAX] = {12.9898f, 78.233f, 37.719f, 54.151f};
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    struct shader_operand b = {.type = a.type};
    for (size_t k = 0; k < SHADER_PARTS_MAX; k++) {
        b.part[k] = number(ir, weights[k]);
    }
    const shader_value wave = unary(ir, SHADER_OP_SIN, dot(ir, &a, &b));
    const shader_value mixed = unary(ir, SHADER_OP_FRAC, mul(ir, wave, number(ir, 43758.5453f)));
    return shader_make_scalar(SHADER_FLOAT,
                              sub(ir, mul(ir, mixed, number(ir, 2.0f)), number(ir, 1.0f)));
}

/* Rows by columns, as far as both reach: what is too long is cut. */
static struct shader_operand matrix_product(struct shader_ir *ir, const struct shader_operand *a,
                                            const struct shader_operand *b)
{
    const size_t steps = a->type.columns < b->type.rows ? a->type.columns : b->type.rows;
    struct shader_operand result = {.type = a->type};
    result.type.columns = b->type.columns;
    result.type.matrix = true;
    for (size_t row = 0; row < a->type.rows; row++) {
        for (size_t column = 0; column < b->type.columns; column++) {
            shader_value sum = 0;
            for (size_t k = 0; k < steps; k++) {
                const shader_value product = mul(ir, a->part[row * a->type.columns + k],
                                                 b->part[k * b->type.columns + column]);
                sum = k == 0 ? product : add(ir, sum, product);
            }
            result.part[row * b->type.columns + column] = sum;
        }
    }
    return result;
}

/* A vector on the left is a row, on the right a column. */
static struct shader_operand whole_mul(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    struct shader_operand a = arguments[0].value;
    struct shader_operand b = arguments[1].value;
    if (shader_part_count(a.type) == 1 || shader_part_count(b.type) == 1) {
        return shader_lower_binary(lowering, SHADER_O_MUL, &a, &b, place);
    }
    if (!a.type.matrix && !b.type.matrix) {
        return whole_dot(lowering, arguments, place);
    }
    a = shader_convert(lowering, &a, shader_with_base(a.type, SHADER_FLOAT), place);
    b = shader_convert(lowering, &b, shader_with_base(b.type, SHADER_FLOAT), place);
    const bool matrices = a.type.matrix && b.type.matrix;
    if (!b.type.matrix) {
        b.type.rows = b.type.columns;
        b.type.columns = 1;
    }
    struct shader_operand result = matrix_product(lowering->ir, &a, &b);
    if (!matrices) {
        result.type = shader_vector(SHADER_FLOAT, shader_part_count(result.type));
    }
    return result;
}

static struct shader_operand whole_transpose(struct shader_lowering *lowering,
                                             struct shader_argument *arguments,
                                             struct base_place place)
{
    const struct shader_operand *whole = &arguments[0].value;
    struct shader_operand result = *whole;
    (void)lowering;
    (void)place;
    result.type.matrix = true;
    result.type.rows = whole->type.columns;
    result.type.columns = whole->type.rows;
    for (size_t row = 0; row < result.type.rows; row++) {
        for (size_t column = 0; column < result.type.columns; column++) {
            result.part[row * result.type.columns + column] =
                whole->part[column * whole->type.columns + row];
        }
    }
    return result;
}

/* Expands along `row`, the first one left; columns: a bit for each column that is left. */
static shader_value determinant(struct shader_ir *ir, const struct shader_operand *matrix,
                                size_t row, unsigned columns)
{
    const size_t size = matrix->type.rows;
    shader_value sum = number(ir, 0.0f);
    bool minus = false;
    if (row == size) {
        return number(ir, 1.0f);
    }
    for (size_t k = 0; k < size; k++) {
        if ((columns >> k & 1) == 0) {
            continue;
        }
        const shader_value minor = determinant(ir, matrix, row + 1, columns & ~(1u << k));
        const shader_value term = mul(ir, matrix->part[row * size + k], minor);
        sum = shader_ir_binary(ir, minus ? SHADER_OP_SUB : SHADER_OP_ADD, sum, term);
        minus = !minus;
    }
    return sum;
}

static struct shader_operand whole_determinant(struct shader_lowering *lowering,
                                               struct shader_argument *arguments,
                                               struct base_place place)
{
    const struct shader_type type = arguments[0].value.type;
    if (type.rows != type.columns) {
        shader_fail(lowering, place, NULL, "only a square matrix has a determinant");
        return arguments[0].value;
    }
    const struct shader_operand matrix =
        shader_convert(lowering, &arguments[0].value, shader_with_base(type, SHADER_FLOAT), place);
    return shader_make_scalar(SHADER_FLOAT, determinant(lowering->ir, &matrix, 0, 15));
}

/* Functions that read textures. */

enum mode { PLAIN, BIAS, LOD, PROJECTED };

struct reading {
    uint8_t dimensions; /* of the coordinates */
    uint8_t mode;       /* enum mode: what w of the coordinates is for */
    uint8_t level;      /* of a function that names no sampler: 0 main, 1 to 3 a blurred copy */
};

typedef struct shader_operand read_function(struct shader_lowering *lowering,
                                            const struct shader_expression *call,
                                            struct reading reading);

static struct shader_operand read_texture(struct shader_lowering *lowering,
                                          const struct shader_sampler_name *sampler,
                                          struct reading reading, const shader_value at[4],
                                          struct base_place place)
{
    static const enum shader_op ops[2][4] = {
        {SHADER_OP_READ2, SHADER_OP_READ2_BIAS, SHADER_OP_READ2_LOD, SHADER_OP_READ2},
        {SHADER_OP_READ3, SHADER_OP_READ3_BIAS, SHADER_OP_READ3_LOD, SHADER_OP_READ3}};
    struct shader_ir *ir = lowering->ir;
    struct shader_operand result = shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 4));
    /* What the texture is counts more than how it is read. */
    const bool picture = sampler->flat || strncmp(sampler->texture, "noise_", 6) == 0;
    const bool volume = sampler->volume || (reading.dimensions == 3 && !picture);
    unsigned fetch;
    if (!shader_ir_fetch(ir, sampler->texture, volume, sampler->sampler, &fetch)) {
        shader_fail(lowering, place, "read fewer of them", "more than %d textures or samplers",
                    SHADER_TEXTURES_MAX);
        return result;
    }
    enum mode mode = reading.mode;
    if ((mode == BIAS || mode == LOD) && sampler->flat) {
        mode = PLAIN; /* there are no levels to choose from */
    }
    const size_t count = volume ? 3 : 2;
    shader_value arguments[SHADER_ARGUMENTS];
    for (size_t k = 0; k < count; k++) {
        arguments[k] = mode == PROJECTED ? divide(ir, at[k], at[3]) : at[k];
    }
    if (mode == BIAS || mode == LOD) {
        arguments[count] = at[3];
    }
    const shader_value texel = shader_ir_read(ir, ops[volume][mode], fetch, arguments);
    for (unsigned k = 0; k < 4; k++) {
        result.part[k] = sampler->flat && k == 3 ? number(ir, 1.0f) : shader_ir_part(ir, texel, k);
    }
    return result;
}

/* Finds the coordinates x y z w in an argument; what the reading does not need is 0. False after an
 * error message. */
static bool find_coordinates(struct shader_lowering *lowering, struct reading reading,
                             const struct shader_expression *argument, shader_value at[4])
{
    const struct shader_operand given = shader_evaluate(lowering, argument);
    const size_t count = reading.mode == PLAIN ? reading.dimensions : 4;
    const struct shader_operand needed =
        shader_convert(lowering, &given, shader_vector(SHADER_FLOAT, count), argument->place);
    for (size_t k = 0; k < 4; k++) {
        at[k] = k < count ? needed.part[k] : shader_ir_number(lowering->ir, 0.0f);
    }
    if (reading.dimensions == 1) {
        at[1] = shader_ir_number(lowering->ir, 0.5f);
    }
    return !shader_stopped(lowering);
}

/* The texture of the sampler that is the first argument. */
static struct shader_operand read_sampler(struct shader_lowering *lowering,
                                          const struct shader_expression *call,
                                          struct reading reading)
{
    shader_value at[4];
    const struct shader_operand nothing =
        shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 4));
    const struct shader_sampler_name *sampler = shader_sampler_of(lowering, call->arguments[0]);
    if (sampler == NULL || !find_coordinates(lowering, reading, call->arguments[1], at)) {
        return nothing;
    }
    return read_texture(lowering, sampler, reading, at, call->place);
}

/* GetMain, GetPixel, GetBlur1 .. GetBlur3: a blurred copy is stretched to the range it had. */
static struct shader_operand read_level(struct shader_lowering *lowering,
                                        const struct shader_expression *call,
                                        struct reading reading)
{
    static const struct {
        const char *name;
        enum shader_slot min;
        enum shader_slot max;
    } levels[] = {{.name = "main"},
                  {"blur1", SHADER_SLOT_blur1_min, SHADER_SLOT_blur1_max},
                  {"blur2", SHADER_SLOT_blur2_min, SHADER_SLOT_blur2_max},
                  {"blur3", SHADER_SLOT_blur3_min, SHADER_SLOT_blur3_max}};
    struct shader_ir *ir = lowering->ir;
    struct shader_sampler_name sampler;
    shader_value at[4];
    (void)shader_sampler_name(base_span_of(levels[reading.level].name), &sampler);
    if (!find_coordinates(lowering, reading, call->arguments[0], at)) {
        return shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 3));
    }
    struct shader_operand color = read_texture(lowering, &sampler, reading, at, call->place);
    color.type = shader_vector(SHADER_FLOAT, 3);
    if (reading.level == 0 || shader_stopped(lowering)) {
        return color;
    }
    const shader_value low = shader_ir_indexed(ir, SHADER_OP_UNIFORM, levels[reading.level].min);
    const shader_value high = shader_ir_indexed(ir, SHADER_OP_UNIFORM, levels[reading.level].max);
    const shader_value range = sub(ir, high, low);
    for (size_t k = 0; k < 3; k++) {
        color.part[k] = add(ir, mul(ir, color.part[k], range), low);
    }
    return color;
}

static struct shader_operand refuse_cube(struct shader_lowering *lowering,
                                         const struct shader_expression *call,
                                         struct reading reading)
{
    (void)reading;
    shader_fail(lowering, call->place, "use tex2D or tex3D", "there are no cube textures");
    return shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 4));
}

/* The table. */

/* Which declarations of the name a shader may not make. */
enum reserved { OPEN, CALL, NAME };

struct row {
    const char *name;
    uint8_t least; /* arguments */
    uint8_t most;
    uint8_t reserved; /* enum reserved */
    /* One of four: */
    enum shader_op op;
    shader_value (*component)(struct shader_ir *ir, const shader_value *x);
    whole_function *whole;
    read_function *read;
    /* op, component: */
    bool same;             /* whole numbers stay whole; else all are taken as floats */
    enum shader_base base; /* of the result, unless `same` */
    /* whole: */
    bool giving; /* all arguments but the first are given back */
    /* read: */
    struct reading reading;
};

#define HOW_FLOAT(HOW)        .component = HOW, .base = SHADER_FLOAT
#define HOW_INT(HOW)          .component = HOW, .base = SHADER_INT
#define HOW_BOOL(HOW)         .component = HOW, .base = SHADER_BOOL
#define HOW_SAME(HOW)         .component = HOW, .same = true
#define HOW_FLOAT_OP(OP)      .op = SHADER_OP_##OP, .base = SHADER_FLOAT
#define HOW_SAME_OP(OP)       .op = SHADER_OP_##OP, .same = true
#define HOW_WHOLE(HOW)        .whole = HOW
#define HOW_GIVING(HOW)       .whole = HOW, .giving = true
#define HOW_TEXTURE(HOW, ...) .read = HOW, .reading = {__VA_ARGS__}

static const struct row rows[] = {
#define SHADER_INTRINSIC(NAME, LEAST, MOST, RESERVED, SHAPE, ...)                                  \
    {NAME, LEAST, MOST, RESERVED, HOW_##SHAPE(__VA_ARGS__)},
#include "renderer/shader/lower/intrinsics.def"
};

void shader_add_intrinsics(struct shader_lowering *lowering)
{
    for (uint16_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        shader_names_add(&lowering->intrinsics, rows[k].name, k);
    }
}

bool shader_intrinsic_reserved(const struct shader_lowering *lowering, struct base_span name,
                               bool function)
{
    const uint16_t found = shader_names_find(&lowering->intrinsics, name);
    return found != SHADER_NAMES_NONE &&
           (rows[found].reserved == NAME || (rows[found].reserved == CALL && function));
}

static struct shader_operand call_components(struct shader_lowering *lowering,
                                             const struct row *row,
                                             const struct shader_argument *arguments, size_t count,
                                             struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    struct shader_type type = arguments[0].value.type;
    for (size_t k = 0; k < count; k++) {
        if (!shader_common_type(lowering, type, arguments[k].value.type, place, &type)) {
            return shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 1));
        }
    }
    if (!row->same) {
        type.base = SHADER_FLOAT;
    } else if (type.base == SHADER_BOOL) {
        type.base = SHADER_INT;
    }
    struct shader_operand operands[ARGUMENTS_MAX];
    for (size_t k = 0; k < count; k++) {
        operands[k] = shader_convert(lowering, &arguments[k].value, type, place);
    }
    struct shader_operand result = {.type = row->same ? type : shader_with_base(type, row->base)};
    for (size_t part = 0; part < shader_part_count(type); part++) {
        shader_value x[ARGUMENTS_MAX];
        for (size_t k = 0; k < count; k++) {
            x[k] = operands[k].part[part];
        }
        result.part[part] = row->component != NULL ? row->component(ir, x)
                            : count == 1           ? shader_ir_unary(ir, row->op, x[0])
                                                   : shader_ir_binary(ir, row->op, x[0], x[1]);
    }
    return result;
}

static struct shader_operand call_row(struct shader_lowering *lowering, const struct row *row,
                                      const struct shader_expression *expression)
{
    const size_t count = expression->argument_count;
    struct shader_operand result = shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    struct shader_argument *arguments =
        shader_work_array(lowering, ARGUMENTS_MAX, sizeof *arguments);
    for (size_t k = 0; arguments != NULL && k < count; k++) {
        shader_evaluate_argument(lowering, &arguments[k], expression->arguments[k],
                                 row->giving && k > 0);
        if (!shader_stopped(lowering) &&
            (!shader_is_number(arguments[k].value.type) || arguments[k].value.type.length > 0)) {
            shader_fail(lowering, expression->arguments[k]->place, NULL,
                        "'%s' takes numbers and vectors", row->name);
        }
    }
    if (shader_stopped(lowering)) {
        return result;
    }
    if (row->whole == NULL) {
        return call_components(lowering, row, arguments, count, expression->place);
    }
    result = row->whole(lowering, arguments, expression->place);
    for (size_t k = 1; k < count && row->giving; k++) {
        shader_target_write(lowering, &arguments[k].target, &arguments[k].value, expression->place);
    }
    return result;
}

bool shader_lower_intrinsic(struct shader_lowering *lowering,
                            const struct shader_expression *expression,
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
    *result = row->read != NULL ? row->read(lowering, expression, row->reading)
                                : call_row(lowering, row, expression);
    return true;
}
