#include "renderer/shader/lower.h"

enum mode { PLAIN, BIAS, LOD, PROJECTED };

static const struct kind {
    uint8_t dimensions;
    uint8_t mode;
} kinds[] = {
    [SHADER_TEX1D] = {1, PLAIN},          [SHADER_TEX2D] = {2, PLAIN},
    [SHADER_TEX2D_BIAS] = {2, BIAS},      [SHADER_TEX2D_LOD] = {2, LOD},
    [SHADER_TEX2D_PROJ] = {2, PROJECTED}, [SHADER_TEX3D] = {3, PLAIN},
    [SHADER_TEX3D_BIAS] = {3, BIAS},      [SHADER_TEX3D_LOD] = {3, LOD},
    [SHADER_TEX3D_PROJ] = {3, PROJECTED}, [SHADER_GET_MAIN] = {2, PLAIN},
    [SHADER_GET_BLUR1] = {2, PLAIN},      [SHADER_GET_BLUR2] = {2, PLAIN},
    [SHADER_GET_BLUR3] = {2, PLAIN},
};

/* Whether the texture is a volume: what it is counts more than how it is read. */
static bool is_volume(const struct shader_sampler_name *sampler, struct kind kind)
{
    const bool picture = sampler->flat || strncmp(sampler->texture, "noise_", 6) == 0;
    return sampler->volume || (kind.dimensions == 3 && !picture);
}

/* The operation's arguments; at: x y z w of the coordinates. */
static enum shader_op arrange(struct shader_lowering *lowering, bool volume, enum mode mode,
                              const shader_value at[4], shader_value arguments[4])
{
    static const enum shader_op ops[2][3] = {
        {SHADER_OP_READ2, SHADER_OP_READ2_BIAS, SHADER_OP_READ2_LOD},
        {SHADER_OP_READ3, SHADER_OP_READ3_BIAS, SHADER_OP_READ3_LOD}};
    size_t count = volume ? 3 : 2;
    for (size_t k = 0; k < count; k++) {
        arguments[k] =
            mode == PROJECTED ? shader_ir_binary(lowering->ir, SHADER_OP_DIV, at[k], at[3]) : at[k];
    }
    if (mode == BIAS || mode == LOD) {
        arguments[count] = at[3];
    }
    return ops[volume][mode == PROJECTED ? PLAIN : mode];
}

static struct shader_operand read(struct shader_lowering *lowering,
                                  const struct shader_sampler_name *sampler, struct kind kind,
                                  const shader_value at[4], struct base_place place)
{
    struct shader_ir *ir = lowering->ir;
    struct shader_operand result = shader_zero(lowering, shader_vector(SHADER_FLOAT, 4));
    const bool volume = is_volume(sampler, kind);
    const bool levels = !sampler->flat;
    unsigned fetch;
    if (!shader_ir_fetch(ir, sampler->texture, volume, sampler->sampler, &fetch)) {
        shader_fail(lowering, place, "read fewer of them", "more than %d textures or samplers",
                    SHADER_TEXTURES_MAX);
        return result;
    }
    shader_value arguments[SHADER_ARGUMENTS];
    const bool graded = kind.mode == BIAS || kind.mode == LOD;
    const enum shader_op op =
        arrange(lowering, volume, graded && !levels ? PLAIN : (enum mode)kind.mode, at, arguments);
    const shader_value texel = shader_ir_read(ir, op, fetch, arguments);
    for (unsigned k = 0; k < 4; k++) {
        result.part[k] =
            sampler->flat && k == 3 ? shader_ir_number(ir, 1.0f) : shader_ir_part(ir, texel, k);
    }
    return result;
}

/* Coordinates x y z w of an argument; what the kind of reading does not need is 0. */
static bool coordinates(struct shader_lowering *lowering, struct kind kind,
                        const struct shader_expression *argument, shader_value at[4])
{
    const struct shader_operand given = shader_evaluate(lowering, argument);
    const size_t count = kind.mode == PLAIN ? kind.dimensions : 4;
    const struct shader_operand needed =
        shader_convert(lowering, &given, shader_vector(SHADER_FLOAT, count), argument->place);
    for (size_t k = 0; k < 4; k++) {
        at[k] = k < count ? needed.part[k] : shader_ir_number(lowering->ir, 0.0f);
    }
    if (kind.dimensions == 1) {
        at[1] = shader_ir_number(lowering->ir, 0.5f);
    }
    return !shader_stopped(lowering);
}

static void stretch(struct shader_lowering *lowering, int level, struct shader_operand *color)
{
    static const enum shader_slot limits[][2] = {{SHADER_SLOT_blur1_min, SHADER_SLOT_blur1_max},
                                                 {SHADER_SLOT_blur2_min, SHADER_SLOT_blur2_max},
                                                 {SHADER_SLOT_blur3_min, SHADER_SLOT_blur3_max}};
    struct shader_ir *ir = lowering->ir;
    const shader_value low = shader_ir_indexed(ir, SHADER_OP_UNIFORM, limits[level - 1][0]);
    const shader_value high = shader_ir_indexed(ir, SHADER_OP_UNIFORM, limits[level - 1][1]);
    const shader_value range = shader_ir_binary(ir, SHADER_OP_SUB, high, low);
    for (size_t k = 0; k < 3; k++) {
        color->part[k] = shader_ir_binary(
            ir, SHADER_OP_ADD, shader_ir_binary(ir, SHADER_OP_MUL, color->part[k], range), low);
    }
}

/* GetMain, GetPixel, GetBlur1 .. GetBlur3. */
static struct shader_operand get(struct shader_lowering *lowering, enum shader_texture_call which,
                                 const struct shader_expression *call)
{
    static const char *const names[] = {"main", "blur1", "blur2", "blur3"};
    const int level = (int)which - SHADER_GET_MAIN;
    struct shader_sampler_name sampler;
    shader_value at[4];
    (void)shader_sampler_name(base_span_of(names[level]), &sampler);
    if (!coordinates(lowering, kinds[which], call->arguments[0], at)) {
        return shader_zero(lowering, shader_vector(SHADER_FLOAT, 3));
    }
    struct shader_operand color = read(lowering, &sampler, kinds[which], at, call->place);
    color.type = shader_vector(SHADER_FLOAT, 3);
    if (level > 0 && !shader_stopped(lowering)) {
        stretch(lowering, level, &color);
    }
    return color;
}

struct shader_operand shader_texture_call(struct shader_lowering *lowering,
                                          enum shader_texture_call which,
                                          const struct shader_expression *call)
{
    shader_value at[4];
    const struct shader_operand nothing = shader_zero(lowering, shader_vector(SHADER_FLOAT, 4));
    if (which >= SHADER_GET_MAIN) {
        return get(lowering, which, call);
    }
    if (which == SHADER_TEXCUBE) {
        shader_fail(lowering, call->place, "use tex2D or tex3D", "there are no cube textures");
        return nothing;
    }
    const struct shader_sampler_name *sampler = shader_sampler_of(lowering, call->arguments[0]);
    if (sampler == NULL || !coordinates(lowering, kinds[which], call->arguments[1], at)) {
        return nothing;
    }
    return read(lowering, sampler, kinds[which], at, call->place);
}
