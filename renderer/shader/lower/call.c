#include "renderer/shader/lower/lower.h"

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

void shader_evaluate_argument(struct shader_lowering *lowering, struct shader_argument *argument,
                              const struct shader_expression *expression, bool given_back)
{
    argument->expression = expression;
    if (!given_back) {
        argument->value = shader_evaluate(lowering, expression);
    } else if (shader_target_of(lowering, expression, &argument->target)) {
        argument->value = shader_target_read(lowering, &argument->target);
    }
}

/* Whether a call with this many arguments may mean the function. */
static bool takes(const struct shader_function *function, const struct shader_expression *call)
{
    const size_t given = call->argument_count;
    if (function == NULL || function->body == NULL || given > function->parameter_count ||
        !base_span_equal(function->name, call->name)) {
        return false;
    }
    return given == function->parameter_count || function->parameters[given].value != NULL;
}

/* The next global that is a function the call may mean, from *from on; NULL: none is left. */
static const struct shader_function *
next_candidate(const struct shader_tree *tree, const struct shader_expression *call, size_t *from)
{
    while (*from < tree->global_count) {
        const struct shader_function *function = tree->globals[(*from)++].function;
        if (takes(function, call)) {
            return function;
        }
    }
    return NULL;
}

/* How far a type is from a parameter's; SIZE_MAX: out of reach. */
static size_t distance(struct shader_type from, struct shader_type to)
{
    if (!shader_converts(from, to)) {
        return SIZE_MAX;
    }
    const size_t base = from.base == to.base ? 0 : 1;
    const bool same = from.rows == to.rows && from.columns == to.columns;
    return base + (same ? 0 : shader_parts(from) == 1 ? 2 : 4);
}

static size_t distances(const struct shader_function *function,
                        const struct shader_argument *arguments, size_t count)
{
    size_t sum = 0;
    for (size_t k = 0; k < count; k++) {
        const size_t one = distance(arguments[k].value.type, function->parameters[k].type);
        if (one == SIZE_MAX) {
            return SIZE_MAX - 1; /* none fits better: the message names what does not */
        }
        sum += one;
    }
    return sum;
}

static const struct shader_function *nearest(const struct shader_tree *tree,
                                             const struct shader_expression *call,
                                             const struct shader_argument *arguments)
{
    const struct shader_function *best = NULL;
    size_t best_distance = SIZE_MAX;
    size_t from = 0;
    const struct shader_function *function;
    while ((function = next_candidate(tree, call, &from)) != NULL) {
        const size_t here = distances(function, arguments, call->argument_count);
        if (here < best_distance) {
            best = function;
            best_distance = here;
        }
    }
    return best;
}

/* Arguments are evaluated as the first function that may be meant takes them. */
static struct shader_argument *evaluate_arguments(struct shader_lowering *lowering,
                                                  const struct shader_expression *call,
                                                  const struct shader_function *function)
{
    struct shader_argument *arguments =
        shader_work_array(lowering, call->argument_count + 1, sizeof *arguments);
    for (size_t k = 0; arguments != NULL && k < call->argument_count; k++) {
        const struct shader_parameter *parameter = &function->parameters[k];
        const struct shader_expression *expression = call->arguments[k];
        if (shader_stopped(lowering)) {
            return NULL;
        }
        if (parameter->type.base == SHADER_SAMPLER) {
            arguments[k].expression = expression;
            arguments[k].value = (struct shader_operand){
                .type = parameter->type, .sampler = shader_sampler_of(lowering, expression)};
        } else {
            shader_evaluate_argument(lowering, &arguments[k], expression,
                                     (parameter->direction & SHADER_OUT) != 0);
        }
    }
    return shader_stopped(lowering) ? NULL : arguments;
}

static void bind(struct shader_lowering *lowering, const struct shader_parameter *parameter,
                 const struct shader_argument *argument)
{
    const char *hint = shader_reserved(lowering, parameter->name, false);
    if (hint != NULL) {
        shader_fail(lowering, parameter->place, hint, "'%.*s' is declared again",
                    (int)(parameter->name.size < 64 ? parameter->name.size : 64),
                    parameter->name.data);
        return;
    }
    struct shader_operand value = shader_zero(lowering, parameter->type);
    if (argument == NULL) {
        value = shader_evaluate_as(lowering, parameter->value, parameter->type);
        value = shader_convert(lowering, &value, parameter->type, parameter->place);
    } else if (parameter->direction != SHADER_OUT) {
        value = shader_convert(lowering, &argument->value, parameter->type,
                               argument->expression->place);
    }
    const struct shader_object object = {
        .name = parameter->name, .type = parameter->type, .sampler = value.sampler};
    const struct shader_object *added = shader_scope_add(&lowering->scope, &object);
    if (added == NULL) {
        lowering->failed = true;
    } else if (parameter->type.base != SHADER_SAMPLER && !shader_stopped(lowering)) {
        const shader_value *parts = parameter->type.length > 0 ? value.elements : value.part;
        for (uint32_t k = 0; k < shader_all_parts(parameter->type); k++) {
            shader_slot_set(&lowering->scope, added->slot + k, parts[k]);
        }
    }
}

/* What parameter k of the call at hand holds at its end. */
static struct shader_operand held(struct shader_lowering *lowering,
                                  const struct shader_object *object)
{
    struct shader_target target = {.type = object->type, .slot = object->slot};
    for (uint16_t k = 0; k < SHADER_PARTS_MAX; k++) {
        target.offset[k] = object->type.length > 0 ? 0 : k;
    }
    return shader_target_read(lowering, &target);
}

static bool is_running(const struct shader_lowering *lowering,
                       const struct shader_function *function)
{
    const struct shader_frame_of_call *call = lowering->call;
    while (call != NULL && call->function != function) {
        call = call->outer;
    }
    return call != NULL;
}

/* Lowers the body; its parameters are the first objects of the frame. */
static struct shader_operand run(struct shader_lowering *lowering,
                                 const struct shader_function *function,
                                 struct shader_argument *arguments, size_t count)
{
    const struct shader_object result = {.type = function->result};
    const struct shader_exits exits = lowering->exits;
    const bool has_result = function->result.base != SHADER_VOID;
    const size_t first = lowering->scope.object_count;
    for (size_t k = 0; k < function->parameter_count; k++) {
        bind(lowering, &function->parameters[k], k < count ? &arguments[k] : NULL);
    }
    const struct shader_object *added =
        has_result ? shader_scope_add(&lowering->scope, &result) : &result;
    lowering->exits = (struct shader_exits){shader_scope_slot(&lowering->scope, SHADER_BOOL, true),
                                            SHADER_NO_SLOT, SHADER_NO_SLOT};
    if (added == NULL || lowering->exits.returned == SHADER_NO_SLOT || shader_stopped(lowering)) {
        lowering->failed = lowering->failed || !lowering->given_up;
        lowering->exits = exits;
        return shader_scalar(SHADER_FLOAT, shader_ir_number(lowering->ir, 0.0f));
    }
    const struct shader_object kept = *added;
    const struct shader_frame_of_call call = {lowering->call, function, function->result,
                                              kept.slot};
    lowering->call = &call;
    shader_lower_statements(lowering, function->body->body);
    lowering->call = call.outer;
    lowering->exits = exits;
    for (size_t k = 0; k < count && !shader_stopped(lowering); k++) {
        if ((function->parameters[k].direction & SHADER_OUT) != 0) {
            arguments[k].value = held(lowering, &lowering->scope.objects[first + k]);
        }
    }
    return has_result ? held(lowering, &kept) : (struct shader_operand){.type = function->result};
}

static struct shader_operand call_function(struct shader_lowering *lowering,
                                           const struct shader_function *function,
                                           struct shader_argument *arguments, size_t count)
{
    const struct shader_block scope = shader_scope_enter(&lowering->scope, true);
    const struct shader_operand result = run(lowering, function, arguments, count);
    shader_scope_leave(&lowering->scope, scope);
    for (size_t k = 0; k < count && !shader_stopped(lowering); k++) {
        if ((function->parameters[k].direction & SHADER_OUT) != 0) {
            shader_target_write(lowering, &arguments[k].target, &arguments[k].value,
                                arguments[k].expression->place);
        }
    }
    return result;
}

/* Why nothing can be called. */
static void complain(struct shader_lowering *lowering, const struct shader_expression *call)
{
    const int size = (int)(call->name.size < 64 ? call->name.size : 64);
    const struct shader_function *found = NULL;
    for (size_t k = 0; k < lowering->tree->global_count; k++) {
        const struct shader_function *function = lowering->tree->globals[k].function;
        if (function != NULL && base_span_equal(function->name, call->name) &&
            (found == NULL || found->body == NULL)) {
            found = function;
        }
    }
    if (found == NULL) {
        shader_fail(lowering, call->place, "check the name; capitals count",
                    "there is no function '%.*s'", size, call->name.data);
    } else if (found->body == NULL) {
        shader_fail(lowering, call->place, "write it before shader_body",
                    "the function '%.*s' has no body", size, call->name.data);
    } else {
        shader_fail(lowering, call->place, NULL, "'%.*s' takes %zu arguments, not %zu", size,
                    call->name.data, found->parameter_count, call->argument_count);
    }
}

struct shader_operand shader_lower_call(struct shader_lowering *lowering,
                                        const struct shader_expression *call)
{
    struct shader_operand result = shader_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    size_t from = 0;
    const struct shader_function *first = next_candidate(lowering->tree, call, &from);
    if (first == NULL) {
        if (!shader_lower_intrinsic(lowering, call, &result)) {
            complain(lowering, call);
        }
        return result;
    }
    struct shader_argument *arguments = evaluate_arguments(lowering, call, first);
    if (arguments == NULL) {
        return result;
    }
    const struct shader_function *function = nearest(lowering->tree, call, arguments);
    if (is_running(lowering, function)) {
        shader_fail(lowering, call->place, "use a loop", "a function that calls itself");
        return result;
    }
    return call_function(lowering, function, arguments, call->argument_count);
}
