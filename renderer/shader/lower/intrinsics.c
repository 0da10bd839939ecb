/* Inside the lowering: functions of whole vectors and matrices. */
#include "renderer/shader/lower/lower.h"

/* arguments: as many numbers, vectors or matrices as the table says. What is given back is left in
 * their values. */
typedef struct shader_operand shader_whole(struct shader_lowering *lowering,
                                           struct shader_argument *arguments,
                                           struct base_place place);

shader_whole shader_whole_all;
shader_whole shader_whole_any;
shader_whole shader_whole_clip;
shader_whole shader_whole_cross;
shader_whole shader_whole_derivative;
shader_whole shader_whole_determinant;
shader_whole shader_whole_distance;
shader_whole shader_whole_dot;
shader_whole shader_whole_faceforward;
shader_whole shader_whole_frexp;
shader_whole shader_whole_length;
shader_whole shader_whole_lit;
shader_whole shader_whole_lum;
shader_whole shader_whole_modf;
shader_whole shader_whole_mul;
shader_whole shader_whole_noise;
shader_whole shader_whole_normalize;
shader_whole shader_whole_reflect;
shader_whole shader_whole_refract;
shader_whole shader_whole_sincos;
shader_whole shader_whole_transpose;

static shader_value make_number(struct shader_lowering *lowering, float value)
{
    return shader_ir_number(lowering->ir, value);
}

static shader_value make_unary(struct shader_lowering *lowering, enum shader_op op, shader_value a)
{
    return shader_ir_unary(lowering->ir, op, a);
}

static shader_value make_binary(struct shader_lowering *lowering, enum shader_op op, shader_value a,
                                shader_value b)
{
    return shader_ir_binary(lowering->ir, op, a, b);
}

static struct shader_operand floats(struct shader_lowering *lowering,
                                    const struct shader_operand *operand, struct base_place place)
{
    return shader_convert(lowering, operand, shader_with_base(operand->type, SHADER_FLOAT), place);
}

/* Two arguments as floats of make_unary size; false after an error message. */
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

static shader_value dot(struct shader_lowering *lowering, const struct shader_operand *a,
                        const struct shader_operand *b)
{
    shader_value sum = make_binary(lowering, SHADER_OP_MUL, a->part[0], b->part[0]);
    for (size_t k = 1; k < shader_parts(a->type); k++) {
        sum = make_binary(lowering, SHADER_OP_ADD, sum,
                          make_binary(lowering, SHADER_OP_MUL, a->part[k], b->part[k]));
    }
    return sum;
}

static shader_value length(struct shader_lowering *lowering, const struct shader_operand *a)
{
    return shader_parts(a->type) == 1 ? make_unary(lowering, SHADER_OP_ABS, a->part[0])
                                      : make_unary(lowering, SHADER_OP_SQRT, dot(lowering, a, a));
}

/* a + b * factor */
static struct shader_operand plus_scaled(struct shader_lowering *lowering,
                                         const struct shader_operand *a,
                                         const struct shader_operand *b, shader_value factor)
{
    struct shader_operand result = *a;
    for (size_t k = 0; k < shader_parts(a->type); k++) {
        result.part[k] = make_binary(lowering, SHADER_OP_ADD, a->part[k],
                                     make_binary(lowering, SHADER_OP_MUL, b->part[k], factor));
    }
    return result;
}

struct shader_operand shader_whole_dot(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments, place, pair)) {
        return arguments[0].value;
    }
    return shader_scalar(SHADER_FLOAT, dot(lowering, &pair[0], &pair[1]));
}

struct shader_operand shader_whole_lum(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    static const float weights[] = {0.32f, 0.49f, 0.29f};
    struct shader_argument both[2] = {arguments[0]};
    both[1].value.type = shader_vector(SHADER_FLOAT, 3);
    for (size_t k = 0; k < 3; k++) {
        both[1].value.part[k] = make_number(lowering, weights[k]);
    }
    return shader_whole_dot(lowering, both, place);
}

struct shader_operand shader_whole_length(struct shader_lowering *lowering,
                                          struct shader_argument *arguments,
                                          struct base_place place)
{
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    return shader_scalar(SHADER_FLOAT, length(lowering, &a));
}

struct shader_operand shader_whole_distance(struct shader_lowering *lowering,
                                            struct shader_argument *arguments,
                                            struct base_place place)
{
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments, place, pair)) {
        return arguments[0].value;
    }
    for (size_t k = 0; k < shader_parts(pair[0].type); k++) {
        pair[0].part[k] = make_binary(lowering, SHADER_OP_SUB, pair[0].part[k], pair[1].part[k]);
    }
    return shader_scalar(SHADER_FLOAT, length(lowering, &pair[0]));
}

/* 0 of a vector without length. */
struct shader_operand shader_whole_normalize(struct shader_lowering *lowering,
                                             struct shader_argument *arguments,
                                             struct base_place place)
{
    struct shader_operand a = floats(lowering, &arguments[0].value, place);
    const shader_value zero = make_number(lowering, 0.0f);
    const shader_value square = dot(lowering, &a, &a);
    const shader_value factor =
        shader_ir_select(lowering->ir, make_binary(lowering, SHADER_OP_LT, zero, square),
                         make_unary(lowering, SHADER_OP_RSQRT, square), zero);
    for (size_t k = 0; k < shader_parts(a.type); k++) {
        a.part[k] = make_binary(lowering, SHADER_OP_MUL, a.part[k], factor);
    }
    return a;
}

struct shader_operand shader_whole_cross(struct shader_lowering *lowering,
                                         struct shader_argument *arguments, struct base_place place)
{
    const struct shader_type type = shader_vector(SHADER_FLOAT, 3);
    const struct shader_operand a = shader_convert(lowering, &arguments[0].value, type, place);
    const struct shader_operand b = shader_convert(lowering, &arguments[1].value, type, place);
    struct shader_operand result = {.type = type};
    for (size_t k = 0; k < 3; k++) {
        const size_t y = (k + 1) % 3;
        const size_t z = (k + 2) % 3;
        result.part[k] = make_binary(lowering, SHADER_OP_SUB,
                                     make_binary(lowering, SHADER_OP_MUL, a.part[y], b.part[z]),
                                     make_binary(lowering, SHADER_OP_MUL, a.part[z], b.part[y]));
    }
    return result;
}

/* i - 2 (n . i) n */
struct shader_operand shader_whole_reflect(struct shader_lowering *lowering,
                                           struct shader_argument *arguments,
                                           struct base_place place)
{
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments, place, pair)) {
        return arguments[0].value;
    }
    const shader_value factor = make_binary(lowering, SHADER_OP_MUL, make_number(lowering, -2.0f),
                                            dot(lowering, &pair[0], &pair[1]));
    return plus_scaled(lowering, &pair[0], &pair[1], factor);
}

/* k = 1 - e^2 (1 - (n . i)^2); k < 0: 0, else e i - (e (n . i) + sqrt k) n */
struct shader_operand shader_whole_refract(struct shader_lowering *lowering,
                                           struct shader_argument *arguments,
                                           struct base_place place)
{
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments, place, pair)) {
        return arguments[0].value;
    }
    const shader_value unit = make_number(lowering, 1.0f);
    const shader_value zero = make_number(lowering, 0.0f);
    const shader_value eta =
        shader_convert(lowering, &arguments[2].value, shader_vector(SHADER_FLOAT, 1), place)
            .part[0];
    const shader_value cosine = dot(lowering, &pair[0], &pair[1]);
    const shader_value sine_squared = make_binary(
        lowering, SHADER_OP_SUB, unit, make_binary(lowering, SHADER_OP_MUL, cosine, cosine));
    const shader_value k =
        make_binary(lowering, SHADER_OP_SUB, unit,
                    make_binary(lowering, SHADER_OP_MUL,
                                make_binary(lowering, SHADER_OP_MUL, eta, eta), sine_squared));
    const shader_value factor =
        make_binary(lowering, SHADER_OP_ADD, make_binary(lowering, SHADER_OP_MUL, eta, cosine),
                    make_unary(lowering, SHADER_OP_SQRT, k));
    const shader_value bends = make_binary(lowering, SHADER_OP_LE, zero, k);
    struct shader_operand result = pair[0];
    for (size_t part = 0; part < shader_parts(result.type); part++) {
        const shader_value bent = make_binary(
            lowering, SHADER_OP_SUB, make_binary(lowering, SHADER_OP_MUL, eta, pair[0].part[part]),
            make_binary(lowering, SHADER_OP_MUL, factor, pair[1].part[part]));
        result.part[part] = shader_ir_select(lowering->ir, bends, bent, zero);
    }
    return result;
}

/* n turned against i as seen from ng. */
struct shader_operand shader_whole_faceforward(struct shader_lowering *lowering,
                                               struct shader_argument *arguments,
                                               struct base_place place)
{
    struct shader_operand pair[2];
    if (!pair_of(lowering, arguments + 1, place, pair)) {
        return arguments[0].value;
    }
    struct shader_operand n = shader_convert(lowering, &arguments[0].value, pair[0].type, place);
    const shader_value towards = make_binary(
        lowering, SHADER_OP_LT, dot(lowering, &pair[0], &pair[1]), make_number(lowering, 0.0f));
    for (size_t k = 0; k < shader_parts(n.type); k++) {
        n.part[k] = shader_ir_select(lowering->ir, towards, n.part[k],
                                     make_unary(lowering, SHADER_OP_NEG, n.part[k]));
    }
    return n;
}

static struct shader_operand truths(struct shader_lowering *lowering,
                                    const struct shader_argument *argument, enum shader_op op,
                                    struct base_place place)
{
    const struct shader_operand all = shader_convert(
        lowering, &argument->value, shader_with_base(argument->value.type, SHADER_BOOL), place);
    shader_value result = all.part[0];
    for (size_t k = 1; k < shader_parts(all.type); k++) {
        result = make_binary(lowering, op, result, all.part[k]);
    }
    return shader_scalar(SHADER_BOOL, result);
}

struct shader_operand shader_whole_all(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    return truths(lowering, &arguments[0], SHADER_OP_AND, place);
}

struct shader_operand shader_whole_any(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    return truths(lowering, &arguments[0], SHADER_OP_OR, place);
}

/* Without effect, as discard: every pixel is stored. */
struct shader_operand shader_whole_clip(struct shader_lowering *lowering,
                                        struct shader_argument *arguments, struct base_place place)
{
    (void)lowering;
    (void)arguments;
    (void)place;
    return (struct shader_operand){.type = {.base = SHADER_VOID, .rows = 1, .columns = 1}};
}

struct shader_operand shader_whole_derivative(struct shader_lowering *lowering,
                                              struct shader_argument *arguments,
                                              struct base_place place)
{
    if (!lowering->warned) {
        base_report(lowering->sink, BASE_WARNING, place, NULL,
                    "ddx, ddy and fwidth are 0 for every pixel");
        lowering->warned = true;
    }
    return shader_zero(lowering, shader_with_base(arguments[0].value.type, SHADER_FLOAT));
}

struct shader_operand shader_whole_modf(struct shader_lowering *lowering,
                                        struct shader_argument *arguments, struct base_place place)
{
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    struct shader_operand whole = a;
    struct shader_operand rest = a;
    for (size_t k = 0; k < shader_parts(a.type); k++) {
        whole.part[k] = make_unary(lowering, SHADER_OP_TRUNC, a.part[k]);
        rest.part[k] = make_binary(lowering, SHADER_OP_SUB, a.part[k], whole.part[k]);
    }
    arguments[1].value = whole;
    return rest;
}

/* a = mantissa * 2^exponent with the mantissa in 0.5..1, 0 of 0. */
struct shader_operand shader_whole_frexp(struct shader_lowering *lowering,
                                         struct shader_argument *arguments, struct base_place place)
{
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    const shader_value zero = make_number(lowering, 0.0f);
    struct shader_operand exponent = a;
    struct shader_operand mantissa = a;
    for (size_t k = 0; k < shader_parts(a.type); k++) {
        const shader_value log2 =
            make_unary(lowering, SHADER_OP_FLOOR, make_unary(lowering, SHADER_OP_LOG2, a.part[k]));
        const shader_value size = make_binary(lowering, SHADER_OP_LT, zero,
                                              make_unary(lowering, SHADER_OP_ABS, a.part[k]));
        exponent.part[k] = shader_ir_select(
            lowering->ir, size,
            make_binary(lowering, SHADER_OP_ADD, log2, make_number(lowering, 1.0f)), zero);
        mantissa.part[k] = make_binary(lowering, SHADER_OP_DIV, a.part[k],
                                       make_unary(lowering, SHADER_OP_EXP2, exponent.part[k]));
    }
    arguments[1].value = exponent;
    return mantissa;
}

struct shader_operand shader_whole_sincos(struct shader_lowering *lowering,
                                          struct shader_argument *arguments,
                                          struct base_place place)
{
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    arguments[1].value = a;
    arguments[2].value = a;
    for (size_t k = 0; k < shader_parts(a.type); k++) {
        arguments[1].value.part[k] = make_unary(lowering, SHADER_OP_SIN, a.part[k]);
        arguments[2].value.part[k] = make_unary(lowering, SHADER_OP_COS, a.part[k]);
    }
    return shader_whole_clip(lowering, arguments, place);
}

/* Ambient, diffuse and specular light: 1, max(l, 0), h^m unless l or h is below 0, 1. */
struct shader_operand shader_whole_lit(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    shader_value x[3];
    for (size_t k = 0; k < 3; k++) {
        x[k] = shader_convert(lowering, &arguments[k].value, shader_vector(SHADER_FLOAT, 1), place)
                   .part[0];
    }
    const shader_value zero = make_number(lowering, 0.0f);
    const shader_value unit = make_number(lowering, 1.0f);
    const shader_value dark =
        make_binary(lowering, SHADER_OP_OR, make_binary(lowering, SHADER_OP_LT, x[0], zero),
                    make_binary(lowering, SHADER_OP_LT, x[1], zero));
    const shader_value shine = make_unary(
        lowering, SHADER_OP_EXP2,
        make_binary(lowering, SHADER_OP_MUL, x[2], make_unary(lowering, SHADER_OP_LOG2, x[1])));
    return (struct shader_operand){.type = shader_vector(SHADER_FLOAT, 4),
                                   .part = {unit, make_binary(lowering, SHADER_OP_MAX, x[0], zero),
                                            shader_ir_select(lowering->ir, dark, zero, shine),
                                            unit}};
}

/* Any numbers in -1..1 that depend on the place only. */
struct shader_operand shader_whole_noise(struct shader_lowering *lowering,
                                         struct shader_argument *arguments, struct base_place place)
{
    static const float weights[SHADER_PARTS_MAX] = {12.9898f, 78.233f, 37.719f, 54.151f};
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    struct shader_operand b = {.type = a.type};
    for (size_t k = 0; k < SHADER_PARTS_MAX; k++) {
        b.part[k] = make_number(lowering, weights[k]);
    }
    const shader_value wave = make_unary(lowering, SHADER_OP_SIN, dot(lowering, &a, &b));
    const shader_value mixed =
        make_unary(lowering, SHADER_OP_FRAC,
                   make_binary(lowering, SHADER_OP_MUL, wave, make_number(lowering, 43758.5453f)));
    return shader_scalar(SHADER_FLOAT, make_binary(lowering, SHADER_OP_SUB,
                                                   make_binary(lowering, SHADER_OP_MUL, mixed,
                                                               make_number(lowering, 2.0f)),
                                                   make_number(lowering, 1.0f)));
}

static shader_value make(struct shader_lowering *lowering, enum shader_op op, shader_value a,
                         shader_value b)
{
    return shader_ir_binary(lowering->ir, op, a, b);
}

/* Row by column, as far as both reach: what is too long is cut. */
static shader_value row_by_column(struct shader_lowering *lowering, const struct shader_operand *a,
                                  size_t row, const struct shader_operand *b, size_t column)
{
    const size_t steps = a->type.columns < b->type.rows ? a->type.columns : b->type.rows;
    shader_value sum = 0;
    for (size_t k = 0; k < steps; k++) {
        const shader_value product =
            make(lowering, SHADER_OP_MUL, a->part[row * a->type.columns + k],
                 b->part[k * b->type.columns + column]);
        sum = k == 0 ? product : make(lowering, SHADER_OP_ADD, sum, product);
    }
    return sum;
}

static struct shader_operand product(struct shader_lowering *lowering,
                                     const struct shader_operand *a, const struct shader_operand *b)
{
    struct shader_operand result = {.type = a->type};
    result.type.columns = b->type.columns;
    result.type.matrix = true;
    for (size_t row = 0; row < a->type.rows; row++) {
        for (size_t column = 0; column < b->type.columns; column++) {
            result.part[row * b->type.columns + column] =
                row_by_column(lowering, a, row, b, column);
        }
    }
    return result;
}

/* A vector on the left is a row, on the right a column. */
struct shader_operand shader_whole_mul(struct shader_lowering *lowering,
                                       struct shader_argument *arguments, struct base_place place)
{
    struct shader_operand a = arguments[0].value;
    struct shader_operand b = arguments[1].value;
    if (shader_parts(a.type) == 1 || shader_parts(b.type) == 1) {
        return shader_lower_binary(lowering, SHADER_O_MUL, &a, &b, place);
    }
    if (!a.type.matrix && !b.type.matrix) {
        return shader_whole_dot(lowering, arguments, place);
    }
    a = shader_convert(lowering, &a, shader_with_base(a.type, SHADER_FLOAT), place);
    b = shader_convert(lowering, &b, shader_with_base(b.type, SHADER_FLOAT), place);
    const bool matrices = a.type.matrix && b.type.matrix;
    if (!b.type.matrix) {
        b.type.rows = b.type.columns;
        b.type.columns = 1;
    }
    struct shader_operand result = product(lowering, &a, &b);
    if (!matrices) {
        result.type = shader_vector(SHADER_FLOAT, shader_parts(result.type));
    }
    return result;
}

struct shader_operand shader_whole_transpose(struct shader_lowering *lowering,
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

/* Along the first of the rows that are left; columns: which of the four are left. */
static shader_value determinant(struct shader_lowering *lowering,
                                const struct shader_operand *matrix, size_t row, unsigned columns)
{
    const size_t size = matrix->type.rows;
    shader_value sum = shader_ir_number(lowering->ir, 0.0f);
    bool minus = false;
    if (row == size) {
        return shader_ir_number(lowering->ir, 1.0f);
    }
    for (size_t k = 0; k < size; k++) {
        if ((columns >> k & 1) == 0) {
            continue;
        }
        const shader_value minor = determinant(lowering, matrix, row + 1, columns & ~(1u << k));
        const shader_value term =
            make(lowering, SHADER_OP_MUL, matrix->part[row * size + k], minor);
        sum = make(lowering, minus ? SHADER_OP_SUB : SHADER_OP_ADD, sum, term);
        minus = !minus;
    }
    return sum;
}

struct shader_operand shader_whole_determinant(struct shader_lowering *lowering,
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
    return shader_scalar(SHADER_FLOAT, determinant(lowering, &matrix, 0, 15));
}

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

static shader_value clamp(struct shader_ir *ir, const shader_value *x)
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

static shader_value lerp(struct shader_ir *ir, const shader_value *x)
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
#include "renderer/shader/lower/intrinsics.def"
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
    *result =
        row->shape == TEXTURE
            ? shader_texture_call(lowering, (enum shader_texture_call)row->texture, expression)
            : call(lowering, row, expression);
    return true;
}
