#include "renderer/shader/intrinsics_whole.h"

static shader_value number(struct shader_lowering *lowering, float value)
{
    return shader_ir_number(lowering->ir, value);
}

static shader_value one(struct shader_lowering *lowering, enum shader_op op, shader_value a)
{
    return shader_ir_unary(lowering->ir, op, a);
}

static shader_value two(struct shader_lowering *lowering, enum shader_op op, shader_value a,
                        shader_value b)
{
    return shader_ir_binary(lowering->ir, op, a, b);
}

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

static shader_value dot(struct shader_lowering *lowering, const struct shader_operand *a,
                        const struct shader_operand *b)
{
    shader_value sum = two(lowering, SHADER_OP_MUL, a->part[0], b->part[0]);
    for (size_t k = 1; k < shader_parts(a->type); k++) {
        sum =
            two(lowering, SHADER_OP_ADD, sum, two(lowering, SHADER_OP_MUL, a->part[k], b->part[k]));
    }
    return sum;
}

static shader_value length(struct shader_lowering *lowering, const struct shader_operand *a)
{
    return shader_parts(a->type) == 1 ? one(lowering, SHADER_OP_ABS, a->part[0])
                                      : one(lowering, SHADER_OP_SQRT, dot(lowering, a, a));
}

/* a + b * factor */
static struct shader_operand plus_scaled(struct shader_lowering *lowering,
                                         const struct shader_operand *a,
                                         const struct shader_operand *b, shader_value factor)
{
    struct shader_operand result = *a;
    for (size_t k = 0; k < shader_parts(a->type); k++) {
        result.part[k] = two(lowering, SHADER_OP_ADD, a->part[k],
                             two(lowering, SHADER_OP_MUL, b->part[k], factor));
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
        both[1].value.part[k] = number(lowering, weights[k]);
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
        pair[0].part[k] = two(lowering, SHADER_OP_SUB, pair[0].part[k], pair[1].part[k]);
    }
    return shader_scalar(SHADER_FLOAT, length(lowering, &pair[0]));
}

/* 0 of a vector without length. */
struct shader_operand shader_whole_normalize(struct shader_lowering *lowering,
                                             struct shader_argument *arguments,
                                             struct base_place place)
{
    struct shader_operand a = floats(lowering, &arguments[0].value, place);
    const shader_value zero = number(lowering, 0.0f);
    const shader_value square = dot(lowering, &a, &a);
    const shader_value factor =
        shader_ir_select(lowering->ir, two(lowering, SHADER_OP_LT, zero, square),
                         one(lowering, SHADER_OP_RSQRT, square), zero);
    for (size_t k = 0; k < shader_parts(a.type); k++) {
        a.part[k] = two(lowering, SHADER_OP_MUL, a.part[k], factor);
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
        result.part[k] =
            two(lowering, SHADER_OP_SUB, two(lowering, SHADER_OP_MUL, a.part[y], b.part[z]),
                two(lowering, SHADER_OP_MUL, a.part[z], b.part[y]));
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
    const shader_value factor =
        two(lowering, SHADER_OP_MUL, number(lowering, -2.0f), dot(lowering, &pair[0], &pair[1]));
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
    const shader_value unit = number(lowering, 1.0f);
    const shader_value zero = number(lowering, 0.0f);
    const shader_value eta =
        shader_convert(lowering, &arguments[2].value, shader_vector(SHADER_FLOAT, 1), place)
            .part[0];
    const shader_value cosine = dot(lowering, &pair[0], &pair[1]);
    const shader_value sine_squared =
        two(lowering, SHADER_OP_SUB, unit, two(lowering, SHADER_OP_MUL, cosine, cosine));
    const shader_value k =
        two(lowering, SHADER_OP_SUB, unit,
            two(lowering, SHADER_OP_MUL, two(lowering, SHADER_OP_MUL, eta, eta), sine_squared));
    const shader_value factor =
        two(lowering, SHADER_OP_ADD, two(lowering, SHADER_OP_MUL, eta, cosine),
            one(lowering, SHADER_OP_SQRT, k));
    const shader_value bends = two(lowering, SHADER_OP_LE, zero, k);
    struct shader_operand result = pair[0];
    for (size_t part = 0; part < shader_parts(result.type); part++) {
        const shader_value bent =
            two(lowering, SHADER_OP_SUB, two(lowering, SHADER_OP_MUL, eta, pair[0].part[part]),
                two(lowering, SHADER_OP_MUL, factor, pair[1].part[part]));
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
    const shader_value towards =
        two(lowering, SHADER_OP_LT, dot(lowering, &pair[0], &pair[1]), number(lowering, 0.0f));
    for (size_t k = 0; k < shader_parts(n.type); k++) {
        n.part[k] = shader_ir_select(lowering->ir, towards, n.part[k],
                                     one(lowering, SHADER_OP_NEG, n.part[k]));
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
        result = two(lowering, op, result, all.part[k]);
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
        whole.part[k] = one(lowering, SHADER_OP_TRUNC, a.part[k]);
        rest.part[k] = two(lowering, SHADER_OP_SUB, a.part[k], whole.part[k]);
    }
    arguments[1].value = whole;
    return rest;
}

/* a = mantissa * 2^exponent with the mantissa in 0.5..1, 0 of 0. */
struct shader_operand shader_whole_frexp(struct shader_lowering *lowering,
                                         struct shader_argument *arguments, struct base_place place)
{
    const struct shader_operand a = floats(lowering, &arguments[0].value, place);
    const shader_value zero = number(lowering, 0.0f);
    struct shader_operand exponent = a;
    struct shader_operand mantissa = a;
    for (size_t k = 0; k < shader_parts(a.type); k++) {
        const shader_value log2 =
            one(lowering, SHADER_OP_FLOOR, one(lowering, SHADER_OP_LOG2, a.part[k]));
        const shader_value size =
            two(lowering, SHADER_OP_LT, zero, one(lowering, SHADER_OP_ABS, a.part[k]));
        exponent.part[k] = shader_ir_select(
            lowering->ir, size, two(lowering, SHADER_OP_ADD, log2, number(lowering, 1.0f)), zero);
        mantissa.part[k] = two(lowering, SHADER_OP_DIV, a.part[k],
                               one(lowering, SHADER_OP_EXP2, exponent.part[k]));
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
        arguments[1].value.part[k] = one(lowering, SHADER_OP_SIN, a.part[k]);
        arguments[2].value.part[k] = one(lowering, SHADER_OP_COS, a.part[k]);
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
    const shader_value zero = number(lowering, 0.0f);
    const shader_value unit = number(lowering, 1.0f);
    const shader_value dark = two(lowering, SHADER_OP_OR, two(lowering, SHADER_OP_LT, x[0], zero),
                                  two(lowering, SHADER_OP_LT, x[1], zero));
    const shader_value shine =
        one(lowering, SHADER_OP_EXP2,
            two(lowering, SHADER_OP_MUL, x[2], one(lowering, SHADER_OP_LOG2, x[1])));
    return (struct shader_operand){.type = shader_vector(SHADER_FLOAT, 4),
                                   .part = {unit, two(lowering, SHADER_OP_MAX, x[0], zero),
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
        b.part[k] = number(lowering, weights[k]);
    }
    const shader_value wave = one(lowering, SHADER_OP_SIN, dot(lowering, &a, &b));
    const shader_value mixed =
        one(lowering, SHADER_OP_FRAC,
            two(lowering, SHADER_OP_MUL, wave, number(lowering, 43758.5453f)));
    return shader_scalar(SHADER_FLOAT,
                         two(lowering, SHADER_OP_SUB,
                             two(lowering, SHADER_OP_MUL, mixed, number(lowering, 2.0f)),
                             number(lowering, 1.0f)));
}
