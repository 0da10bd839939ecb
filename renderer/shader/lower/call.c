/* Calls of functions that the text declares: which one is meant, its arguments, its body. */
#include "renderer/shader/lower/lower.h"

void shader_evaluate_argument(struct shader_lowering *lowering, struct shader_argument *argument,
                              const struct shader_expression *expression, bool given_back)
{
    argument->expression = expression;
    if (!given_back) {
        argument->value = shader_evaluate(lowering, expression);
    } else if (shader_find_target(lowering, expression, &argument->target)) {
        argument->value = shader_target_read(lowering, &argument->target);
    }
}

/* The next global that is a function the call may mean, from *from on; NULL: none is left. */
static const struct shader_function *
next_candidate(const struct shader_tree *tree, const struct shader_expression *call, size_t *from)
{
    while (*from < tree->global_count) {
        const struct shader_function *function = tree->globals[(*from)++].function;
        const size_t given = call->argument_count;
        if (function != NULL && function->body != NULL && given <= function->parameter_count &&
            base_span_equal(function->name, call->name) &&
            (given == function->parameter_count || function->parameters[given].value != NULL)) {
            return function;
        }
    }
    return NULL;
}

/* The candidate whose parameters' types are find_nearest to the arguments'. One that takes none of
 * them counts too, as the farthest: the message then names what does not fit. */
static const struct shader_function *find_nearest(const struct shader_tree *tree,
                                                  const struct shader_expression *call,
                                                  const struct shader_argument *arguments)
{
    const struct shader_function *best = NULL;
    size_t best_distance = SIZE_MAX;
    size_t from = 0;
    const struct shader_function *function;
    while ((function = next_candidate(tree, call, &from)) != NULL) {
        size_t distance = 0;
        for (size_t k = 0; k < call->argument_count && distance < SIZE_MAX - 1; k++) {
            const struct shader_type have = arguments[k].value.type;
            const struct shader_type want = function->parameters[k].type;
            const bool same = have.rows == want.rows && have.columns == want.columns;
            distance += have.base == want.base ? 0 : 1;
            distance += same ? 0 : shader_part_count(have) == 1 ? 2 : 4;
            distance = shader_converts(have, want) ? distance : SIZE_MAX - 1;
        }
        if (distance < best_distance) {
            best = function;
            best_distance = distance;
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

static void bind_parameter(struct shader_lowering *lowering,
                           const struct shader_parameter *parameter,
                           const struct shader_argument *argument)
{
    const char *hint = shader_reserved(lowering, parameter->name, false);
    if (hint != NULL) {
        shader_fail(lowering, parameter->place, hint, "'%.*s' is declared again",
                    (int)(parameter->name.size < 64 ? parameter->name.size : 64),
                    parameter->name.data);
        return;
    }
    struct shader_operand value = shader_make_zero(lowering, parameter->type);
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
        for (uint32_t k = 0; k < shader_all_part_count(parameter->type); k++) {
            shader_slot_set(&lowering->scope, added->slot + k, parts[k]);
        }
    }
}

/* What an object holds. */
static struct shader_operand read_object(struct shader_lowering *lowering,
                                         const struct shader_object *object)
{
    struct shader_target target = {.type = object->type, .slot = object->slot};
    for (uint16_t k = 0; k < SHADER_PARTS_MAX; k++) {
        target.offset[k] = object->type.length > 0 ? 0 : k;
    }
    return shader_target_read(lowering, &target);
}

/* Lowers the body in a frame whose first objects are the parameters, and gives arguments back. */
static struct shader_operand call_function(struct shader_lowering *lowering,
                                           const struct shader_function *function,
                                           struct shader_argument *arguments, size_t count)
{
    const struct shader_block scope = shader_scope_enter(&lowering->scope, true);
    const struct shader_exits exits = lowering->exits;
    const bool has_result = function->result.base != SHADER_VOID;
    const size_t first = lowering->scope.object_count;
    for (size_t k = 0; k < function->parameter_count; k++) {
        bind_parameter(lowering, &function->parameters[k], k < count ? &arguments[k] : NULL);
    }
    struct shader_object kept = {.type = function->result};
    const struct shader_object *added =
        has_result ? shader_scope_add(&lowering->scope, &kept) : &kept;
    const uint32_t returned = shader_scope_slot(&lowering->scope, SHADER_BOOL, true);
    if (added == NULL || returned == SHADER_NO_SLOT || shader_stopped(lowering)) {
        lowering->failed = lowering->failed || !lowering->given_up;
        shader_scope_leave(&lowering->scope, scope);
        return shader_make_scalar(SHADER_FLOAT, shader_ir_number(lowering->ir, 0.0f));
    }
    kept = *added;
    const struct shader_frame_of_call call = {lowering->call, function, function->result,
                                              kept.slot};
    lowering->call = &call;
    lowering->exits = (struct shader_exits){returned, SHADER_NO_SLOT, SHADER_NO_SLOT};
    shader_lower_statements(lowering, function->body->body);
    lowering->call = call.outer;
    lowering->exits = exits;
    for (size_t k = 0; k < count && !shader_stopped(lowering); k++) {
        if ((function->parameters[k].direction & SHADER_OUT) != 0) {
            arguments[k].value = read_object(lowering, &lowering->scope.objects[first + k]);
        }
    }
    const struct shader_operand result = has_result
                                             ? read_object(lowering, &kept)
                                             : (struct shader_operand){.type = function->result};
    shader_scope_leave(&lowering->scope, scope);
    for (size_t k = 0; k < count && !shader_stopped(lowering); k++) {
        if ((function->parameters[k].direction & SHADER_OUT) != 0) {
            shader_target_write(lowering, &arguments[k].target, &arguments[k].value,
                                arguments[k].expression->place);
        }
    }
    return result;
}

/* Says why nothing can be called. */
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
    struct shader_operand result = shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 1));
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
    const struct shader_function *function = find_nearest(lowering->tree, call, arguments);
    const struct shader_frame_of_call *outer = lowering->call;
    while (outer != NULL && outer->function != function) {
        outer = outer->outer;
    }
    if (outer != NULL) {
        shader_fail(lowering, call->place, "use a loop", "a function that calls itself");
        return result;
    }
    return call_function(lowering, function, arguments, call->argument_count);
}
