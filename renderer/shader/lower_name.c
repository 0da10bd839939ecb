#include "renderer/shader/lower.h"

/* spec/milk-rendering.md section 9.1 and 9.2. */
struct builtin {
    const char *name;
    uint8_t rows;
    uint8_t columns;
    bool reserved;
    uint16_t slot;
};

static const struct builtin uniforms[] = {
#define SHADER_UNIFORM(name, rows, columns, reserved)                                              \
    {#name, rows, columns, reserved, SHADER_SLOT_##name},
#include "renderer/shader/uniforms.def"
};

enum { UNIFORMS = sizeof uniforms / sizeof uniforms[0], HUE = 4 };

static const struct builtin inputs[SHADER_STAGES][HUE + 1] = {
    [SHADER_WARP] = {{"uv", 1, 2, true, SHADER_SLOTS + SHADER_INPUT_U},
                     {"uv_orig", 1, 2, true, SHADER_SLOTS + SHADER_INPUT_U_ORIG},
                     {"rad", 1, 1, true, SHADER_SLOTS + SHADER_INPUT_RAD},
                     {"ang", 1, 1, true, SHADER_SLOTS + SHADER_INPUT_ANG}},
    [SHADER_COMP] = {{"uv", 1, 2, true, SHADER_SLOTS + SHADER_INPUT_U},
                     {"uv_orig", 1, 2, true, SHADER_SLOTS + SHADER_INPUT_U},
                     {"rad", 1, 1, true, SHADER_SLOTS + SHADER_INPUT_RAD},
                     {"ang", 1, 1, true, SHADER_SLOTS + SHADER_INPUT_ANG},
                     {"hue_shader", 1, 3, true, SHADER_SLOTS + SHADER_INPUT_HUE_R}},
};

static const struct constant {
    const char *name;
    float value;
} constants[] = {
    {"M_PI", 3.14159265359f},
    {"M_PI_2", 6.28318530718f},
    {"M_INV_PI_2", 0.159154943091895f},
};
enum { CONSTANTS = sizeof constants / sizeof constants[0] };

/* Macros that stand for something only in front of a bracket, and others that always do. */
static const char *const function_macros[] = {"GetMain",  "GetPixel", "GetBlur1",
                                              "GetBlur2", "GetBlur3", "lum"};
static const char *const macros[] = {"tex2d", "tex3d"};

void shader_add_builtins(struct shader_lowering *lowering)
{
    struct shader_names *names = &lowering->builtins;
    for (uint16_t k = 0; k < UNIFORMS; k++) {
        shader_names_add(names, uniforms[k].name, k);
    }
    const struct builtin *of_stage = inputs[lowering->stage];
    for (uint16_t k = 0; k <= HUE && of_stage[k].name != NULL; k++) {
        shader_names_add(names, of_stage[k].name, (uint16_t)(UNIFORMS + k));
    }
    for (uint16_t k = 0; k < CONSTANTS; k++) {
        shader_names_add(names, constants[k].name, (uint16_t)(UNIFORMS + HUE + 1 + k));
    }
}

static const struct builtin *builtin_of(const struct shader_lowering *lowering, uint16_t number)
{
    if (number < UNIFORMS) {
        return &uniforms[number];
    }
    return number <= UNIFORMS + HUE ? &inputs[lowering->stage][number - UNIFORMS] : NULL;
}

bool shader_builtin_object(const struct shader_lowering *lowering, struct base_span name,
                           struct shader_object *object)
{
    const struct builtin *builtin =
        builtin_of(lowering, shader_names_find(&lowering->builtins, name));
    if (builtin == NULL) {
        return false;
    }
    *object = (struct shader_object){
        .name = name, .type = shader_vector(SHADER_FLOAT, builtin->columns), .slot = builtin->slot};
    object->type.rows = builtin->rows;
    object->type.matrix = builtin->rows > 1;
    return true;
}

/* The sampler that a name was declared for, if any. */
static const struct shader_sampler_name *declared_sampler(const struct shader_lowering *lowering,
                                                          struct base_span name)
{
    const struct shader_object *object = shader_scope_find(&lowering->scope, name);
    return object != NULL ? object->sampler : NULL;
}

/* Whether a sampler of that texture was declared as a volume. */
static bool is_volume(const struct shader_lowering *lowering,
                      const struct shader_sampler_name *sampler)
{
    const struct shader_scope *scope = &lowering->scope;
    bool volume = sampler->volume;
    for (size_t k = 0; k < scope->global_count && !volume; k++) {
        const struct shader_sampler_name *declared = scope->objects[k].sampler;
        volume = declared != NULL && declared->volume &&
                 strcmp(declared->texture, sampler->texture) == 0;
    }
    return volume;
}

static bool texture_size(struct shader_lowering *lowering, struct base_span name,
                         struct base_place place, struct shader_operand *size)
{
    struct shader_sampler_name sampler;
    unsigned binding = 0;
    size->type = shader_vector(SHADER_FLOAT, 4);
    if (!shader_sampler_name(name, &sampler)) {
        shader_fail(lowering, place, NULL, "'%.*s' names no texture", (int)name.size, name.data);
        return false;
    }
    if (strcmp(sampler.texture, "main") == 0) {
        for (unsigned k = 0; k < 4; k++) {
            size->part[k] = shader_ir_indexed(lowering->ir, SHADER_OP_UNIFORM,
                                              (unsigned)SHADER_SLOT_texsize + k);
        }
        return true;
    }
    if (!shader_ir_binding(lowering->ir, sampler.texture, is_volume(lowering, &sampler),
                           &binding)) {
        shader_fail(lowering, place, NULL, "more than %d textures", SHADER_TEXTURES_MAX);
        return false;
    }
    for (unsigned k = 0; k < 4; k++) {
        size->part[k] =
            shader_ir_indexed(lowering->ir, SHADER_OP_UNIFORM, SHADER_SLOTS + 4 * binding + k);
    }
    return true;
}

bool shader_builtin_number(struct shader_lowering *lowering, struct base_span name,
                           struct base_place place, struct shader_operand *number)
{
    const uint16_t found = shader_names_find(&lowering->builtins, name);
    if (found != SHADER_NAMES_NONE && found > UNIFORMS + HUE) {
        *number = shader_scalar(
            SHADER_FLOAT,
            shader_ir_number(lowering->ir, constants[found - UNIFORMS - HUE - 1].value));
        return true;
    }
    return shader_names_size(name) && texture_size(lowering, name, place, number);
}

static bool is_one_of(const char *const *list, size_t count, struct base_span name)
{
    for (size_t k = 0; k < count; k++) {
        if (base_span_equal(base_span_of(list[k]), name)) {
            return true;
        }
    }
    return false;
}

const char *shader_reserved(const struct shader_lowering *lowering, struct base_span name,
                            bool function)
{
    const uint16_t found = shader_names_find(&lowering->builtins, name);
    const struct builtin *builtin = builtin_of(lowering, found);
    if ((builtin != NULL && builtin->reserved) || (builtin == NULL && found != SHADER_NAMES_NONE) ||
        is_one_of(macros, sizeof macros / sizeof macros[0], name) ||
        (function &&
         is_one_of(function_macros, sizeof function_macros / sizeof function_macros[0], name))) {
        return "it is there already in every shader; choose another name";
    }
    return NULL;
}

const struct shader_sampler_name *shader_sampler_of(struct shader_lowering *lowering,
                                                    const struct shader_expression *expression)
{
    const struct base_span name = expression->name;
    if (expression->kind != SHADER_E_NAME) {
        shader_fail(lowering, expression->place, "as in tex2D(sampler_main, uv)",
                    "a sampler is missing here");
        return NULL;
    }
    const struct shader_sampler_name *declared = declared_sampler(lowering, name);
    if (declared != NULL) {
        return declared;
    }
    struct shader_sampler_name *sampler = shader_work_array(lowering, 1, sizeof *sampler);
    if (sampler == NULL) {
        return NULL;
    }
    if (!shader_names_sampler(name) || shader_scope_find(&lowering->scope, name) != NULL ||
        !shader_sampler_name(name, sampler)) {
        shader_fail(lowering, expression->place, "as in tex2D(sampler_main, uv)",
                    "'%.*s' is no sampler", (int)(name.size < 64 ? name.size : 64), name.data);
        return NULL;
    }
    return sampler;
}
