/* Expressions: operators, members, indexes, assignments, and calls of functions that the text
 * declares. */
#include "renderer/shader/lower/lower.h"

/* ---- operators ---- */

static shader_value make(struct shader_lowering *lowering, enum shader_op op, shader_value a,
                         shader_value b)
{
    return shader_ir_binary(lowering->ir, op, a, b);
}

static shader_value negate(struct shader_lowering *lowering, shader_value truth)
{
    return shader_ir_unary(lowering->ir, SHADER_OP_NOT, truth);
}

struct rule {
    enum { ARITHMETIC, COMPARISON, LOGIC, WHOLE } kind;
    enum shader_op op;
    bool swapped;
};

static const struct rule rules[] = {
    [SHADER_O_ADD] = {ARITHMETIC, SHADER_OP_ADD, false},
    [SHADER_O_SUB] = {ARITHMETIC, SHADER_OP_SUB, false},
    [SHADER_O_MUL] = {ARITHMETIC, SHADER_OP_MUL, false},
    [SHADER_O_DIV] = {ARITHMETIC, SHADER_OP_DIV, false},
    [SHADER_O_MOD] = {ARITHMETIC, SHADER_OP_FMOD, false},
    [SHADER_O_LT] = {COMPARISON, SHADER_OP_LT, false},
    [SHADER_O_LE] = {COMPARISON, SHADER_OP_LE, false},
    [SHADER_O_GT] = {COMPARISON, SHADER_OP_LT, true},
    [SHADER_O_GE] = {COMPARISON, SHADER_OP_LE, true},
    [SHADER_O_EQ] = {COMPARISON, SHADER_OP_EQ, false},
    [SHADER_O_NE] = {COMPARISON, SHADER_OP_NE, false},
    [SHADER_O_AND] = {LOGIC, SHADER_OP_AND, false},
    [SHADER_O_OR] = {LOGIC, SHADER_OP_OR, false},
    [SHADER_O_BIT_AND] = {WHOLE, SHADER_OP_AND, false},
    [SHADER_O_BIT_OR] = {WHOLE, SHADER_OP_OR, false},
    [SHADER_O_BIT_XOR] = {WHOLE, SHADER_OP_NE, false},
    [SHADER_O_SHIFT_LEFT] = {WHOLE, SHADER_OP_MUL, false},
    [SHADER_O_SHIFT_RIGHT] = {WHOLE, SHADER_OP_DIV, false},
};

/* The type in which the parts are computed, and that of the result. */
struct types {
    struct shader_type work;
    struct shader_type result;
};

static shader_value compute_part(struct shader_lowering *lowering, enum shader_operator op,
                                 enum shader_base base, const shader_value pair[2],
                                 struct base_place place)
{
    const struct rule *rule = &rules[op];
    const bool truths = base == SHADER_BOOL;
    if (truths && (op == SHADER_O_EQ || op == SHADER_O_NE || op == SHADER_O_BIT_XOR)) {
        const shader_value differ =
            shader_ir_select(lowering->ir, pair[0], negate(lowering, pair[1]), pair[1]);
        return op == SHADER_O_EQ ? negate(lowering, differ) : differ;
    }
    if (rule->kind == WHOLE && !truths) {
        /* Bits are computed of whole numbers whose value is known. */
        float x;
        float y;
        if (!shader_ir_known(lowering->ir, pair[0], &x) ||
            !shader_ir_known(lowering->ir, pair[1], &y) ||
            !(x > -1e9f && x < 1e9f && y > -1e9f && y < 1e9f)) {
            shader_fail(lowering, place, "use arithmetic, or && and ||",
                        "shaders have no bits of numbers");
            return pair[0];
        }
        const int64_t m = (int64_t)x;
        const int64_t n = (int64_t)y;
        const int64_t power = INT64_C(1) << (n & 31);
        const int64_t values[] = {[SHADER_O_BIT_AND - SHADER_O_BIT_AND] = m & n,
                                  [SHADER_O_BIT_OR - SHADER_O_BIT_AND] = m | n,
                                  [SHADER_O_BIT_XOR - SHADER_O_BIT_AND] = m ^ n,
                                  [SHADER_O_SHIFT_LEFT - SHADER_O_BIT_AND] = m * power,
                                  [SHADER_O_SHIFT_RIGHT - SHADER_O_BIT_AND] = m / power};
        return shader_ir_number(lowering->ir, (float)values[op - SHADER_O_BIT_AND]);
    }
    const shader_value result = make(lowering, rule->op, pair[rule->swapped], pair[!rule->swapped]);
    return op == SHADER_O_DIV && base == SHADER_INT
               ? shader_ir_unary(lowering->ir, SHADER_OP_TRUNC, result)
               : result;
}

/* Finds the types of an operation; false after an error message. */
static bool find_types(struct shader_lowering *lowering, enum shader_operator op,
                       const struct shader_operand *a, const struct shader_operand *b,
                       struct base_place place, struct types *types)
{
    if (!shader_common_type(lowering, a->type, b->type, place, &types->work)) {
        return false;
    }
    const enum shader_base base = types->work.base;
    const bool equality = op == SHADER_O_EQ || op == SHADER_O_NE;
    types->result = types->work;
    switch (rules[op].kind) {
    case ARITHMETIC:
        types->work.base = types->result.base = base == SHADER_FLOAT ? SHADER_FLOAT : SHADER_INT;
        break;
    case COMPARISON:
        types->work.base = base == SHADER_BOOL && !equality ? SHADER_INT : (uint8_t)base;
        types->result.base = SHADER_BOOL;
        break;
    case LOGIC:
        types->work.base = types->result.base = SHADER_BOOL;
        break;
    case WHOLE:
        types->work.base = types->result.base =
            base == SHADER_BOOL && op < SHADER_O_SHIFT_LEFT ? SHADER_BOOL : SHADER_INT;
        break;
    }
    return true;
}

struct shader_operand shader_lower_binary(struct shader_lowering *lowering, enum shader_operator op,
                                          const struct shader_operand *a,
                                          const struct shader_operand *b, struct base_place place)
{
    struct types types;
    struct shader_operand result;
    if (shader_stopped(lowering) || !find_types(lowering, op, a, b, place, &types)) {
        return *a;
    }
    if (op == SHADER_O_MUL && (a->type.base == SHADER_BOOL || b->type.base == SHADER_BOOL)) {
        /* A truth times a number is a choice. */
        const bool first = a->type.base == SHADER_BOOL;
        const struct shader_operand factors =
            shader_convert(lowering, first ? b : a, types.work, place);
        const struct shader_operand truths = shader_convert(
            lowering, first ? a : b, shader_with_base(types.work, SHADER_BOOL), place);
        result = (struct shader_operand){.type = types.result};
        for (size_t k = 0; k < shader_part_count(types.work); k++) {
            result.part[k] = shader_ir_select(lowering->ir, truths.part[k], factors.part[k],
                                              shader_ir_number(lowering->ir, 0.0f));
        }
        return result;
    }
    const struct shader_operand left = shader_convert(lowering, a, types.work, place);
    const struct shader_operand right = shader_convert(lowering, b, types.work, place);
    result = (struct shader_operand){.type = types.result};
    for (size_t k = 0; k < shader_part_count(types.work); k++) {
        const shader_value pair[2] = {left.part[k], right.part[k]};
        result.part[k] = compute_part(lowering, op, types.work.base, pair, place);
    }
    return result;
}

static struct shader_operand lower_unary(struct shader_lowering *lowering,
                                         const struct shader_expression *expression)
{
    const struct shader_operand operand = shader_evaluate(lowering, expression->a);
    if (shader_stopped(lowering)) {
        return operand;
    }
    if (!shader_is_number(operand.type) || operand.type.length > 0) {
        shader_fail(lowering, expression->place, NULL, "a number or vector is missing here");
        return operand;
    }
    const enum shader_base base = operand.type.base;
    struct shader_type type = operand.type;
    if (expression->op == SHADER_O_NOT) {
        type.base = SHADER_BOOL;
    } else if (base == SHADER_BOOL || expression->op == SHADER_O_BIT_NOT) {
        type.base = SHADER_INT;
    }
    struct shader_operand result = shader_convert(lowering, &operand, type, expression->place);
    for (size_t k = 0; k < shader_part_count(type); k++) {
        shader_value *part = &result.part[k];
        if (expression->op == SHADER_O_NOT) {
            *part = negate(lowering, *part);
        } else if (expression->op == SHADER_O_MINUS) {
            *part = shader_ir_unary(lowering->ir, SHADER_OP_NEG, *part);
        } else if (expression->op == SHADER_O_BIT_NOT) { /* of whole numbers: -1 - x */
            *part = make(lowering, SHADER_OP_SUB, shader_ir_number(lowering->ir, -1.0f), *part);
        }
    }
    return result;
}

/* _m00 counts from 0, _11 from 1; up to four of them. */
static size_t matrix_swizzle(struct base_span name, struct shader_type type,
                             uint8_t component[SHADER_PARTS_MAX])
{
    size_t count = 0;
    size_t k = 0;
    while (k < name.size && count < 4) {
        const bool zero = k + 1 < name.size && name.data[k + 1] == 'm';
        const char first = zero ? '0' : '1';
        const size_t digits = k + (zero ? 2 : 1);
        if (name.data[k] != '_' || digits + 2 > name.size) {
            return 0;
        }
        const int row = name.data[digits] - first;
        const int column = name.data[digits + 1] - first;
        if (row < 0 || row >= type.rows || column < 0 || column >= type.columns) {
            return 0;
        }
        component[count++] = (uint8_t)(row * type.columns + column);
        k = digits + 2;
    }
    return k == name.size ? count : 0;
}

size_t shader_swizzle(struct shader_lowering *lowering, const struct shader_expression *expression,
                      struct shader_type type, uint8_t component[SHADER_PARTS_MAX])
{
    static const char *const sets[] = {"xyzw", "rgba"};
    const struct base_span name = expression->name;
    const bool whole = shader_is_number(type) && type.length == 0;
    size_t count = whole && type.matrix ? matrix_swizzle(name, type, component) : 0;
    for (size_t set = 0; set < 2 && whole && !type.matrix && count == 0; set++) {
        while (count < name.size && count < 4 && name.data[count] != '\0') {
            const char *found = strchr(sets[set], name.data[count]);
            if (found == NULL || found - sets[set] >= type.columns) {
                break;
            }
            component[count++] = (uint8_t)(found - sets[set]);
        }
        count = count == name.size ? count : 0;
    }
    if (count == 0) {
        char text[SHADER_TYPE_NAME];
        shader_fail(lowering, expression->place, "use x y z w, r g b a, or _11 _m00 of a matrix",
                    "%s has no '%.*s'", shader_type_name(type, text),
                    (int)(name.size < 32 ? name.size : 32), name.data);
    }
    return count;
}

static struct shader_operand read_place(struct shader_lowering *lowering,
                                        const struct shader_expression *expression)
{
    struct shader_target target;
    if (!shader_find_target(lowering, expression, &target)) {
        return shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    if (!shader_is_number(target.type)) {
        shader_fail(lowering, expression->place, "read it, as in tex2D(sampler_main, uv)",
                    "a sampler is no number");
    }
    return shader_target_read(lowering, &target);
}

static struct shader_operand lower_member(struct shader_lowering *lowering,
                                          const struct shader_expression *expression)
{
    if (shader_is_place(lowering, expression)) {
        return read_place(lowering, expression);
    }
    const struct shader_operand whole = shader_evaluate(lowering, expression->a);
    uint8_t component[SHADER_PARTS_MAX];
    const size_t count = shader_swizzle(lowering, expression, whole.type, component);
    if (count == 0) {
        return whole;
    }
    struct shader_operand result = {.type = shader_vector(whole.type.base, count)};
    for (size_t k = 0; k < count; k++) {
        result.part[k] = whole.part[component[k]];
    }
    return result;
}

/* Element `index` of a vector, row of a matrix, or of a whole array. */
static struct shader_operand element(const struct shader_operand *whole, struct shader_type type,
                                     size_t index)
{
    const shader_value *parts = whole->type.length > 0 ? whole->elements : whole->part;
    struct shader_operand result = {.type = type};
    memcpy(result.part, parts + index * shader_part_count(type),
           shader_part_count(type) * sizeof *parts);
    return result;
}

static struct shader_operand lower_index(struct shader_lowering *lowering,
                                         const struct shader_expression *expression)
{
    if (expression->a->kind != SHADER_E_MEMBER && shader_is_place(lowering, expression)) {
        return read_place(lowering, expression);
    }
    const struct shader_operand whole = shader_evaluate(lowering, expression->a);
    const struct shader_operand index = shader_evaluate(lowering, expression->b);
    if (shader_stopped(lowering)) {
        return whole;
    }
    if (!shader_is_number(whole.type) || !shader_is_number(index.type) || index.type.length > 0) {
        shader_fail(lowering, expression->place, NULL, "an index is of no use here");
        return whole;
    }
    const shader_value at =
        shader_convert_part(lowering, index.part[0], index.type.base, SHADER_FLOAT);
    struct shader_type type = whole.type;
    const size_t count = shader_indexed_type(&type);
    size_t known;
    if (shader_known_index(lowering, at, count, &known)) {
        return element(&whole, type, known);
    }
    struct shader_operand result = element(&whole, type, 0);
    for (size_t k = 1; k < count; k++) {
        const struct shader_operand next = element(&whole, type, k);
        const shader_value here =
            make(lowering, SHADER_OP_LE, shader_ir_number(lowering->ir, (float)k), at);
        for (size_t part = 0; part < shader_part_count(type); part++) {
            result.part[part] =
                shader_ir_select(lowering->ir, here, next.part[part], result.part[part]);
        }
    }
    return result;
}

/* ---- calls: which function is meant, its arguments, its body ---- */

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

/* The candidate whose parameters' types are nearest to the arguments'. One that takes none of
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

static struct shader_operand lower_call(struct shader_lowering *lowering,
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

/* ---- all kinds ---- */

static struct shader_operand lower_assignment(struct shader_lowering *lowering,
                                              const struct shader_expression *expression)
{
    struct shader_target target;
    if (!shader_find_target(lowering, expression->a, &target)) {
        return shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    struct shader_operand value = shader_evaluate_as(lowering, expression->b, target.type);
    if (expression->op != SHADER_O_NONE) {
        const struct shader_operand old = shader_target_read(lowering, &target);
        value = shader_lower_binary(lowering, expression->op, &old, &value, expression->place);
    }
    shader_target_write(lowering, &target, &value, expression->b->place);
    return shader_target_read(lowering, &target);
}

static struct shader_operand lower_step(struct shader_lowering *lowering,
                                        const struct shader_expression *expression)
{
    struct shader_target target;
    if (!shader_find_target(lowering, expression->a, &target)) {
        return shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    const struct shader_operand old = shader_target_read(lowering, &target);
    const struct shader_operand one =
        shader_make_scalar(SHADER_INT, shader_ir_number(lowering->ir, 1.0f));
    const struct shader_operand value =
        shader_lower_binary(lowering, expression->op, &old, &one, expression->place);
    shader_target_write(lowering, &target, &value, expression->place);
    return expression->prefix ? shader_target_read(lowering, &target) : old;
}

static struct shader_operand lower_choice(struct shader_lowering *lowering,
                                          const struct shader_expression *expression)
{
    const struct base_place place = expression->place;
    const struct shader_operand condition = shader_evaluate(lowering, expression->a);
    const struct shader_operand yes = shader_evaluate(lowering, expression->b);
    const struct shader_operand no = shader_evaluate(lowering, expression->c);
    struct shader_type sides;
    struct shader_type type;
    if (shader_stopped(lowering) ||
        !shader_common_type(lowering, yes.type, no.type, expression->place, &sides) ||
        !shader_common_type(lowering, sides, condition.type, expression->place, &type)) {
        return yes;
    }
    type.base = sides.base;
    const struct shader_operand conditions =
        shader_convert(lowering, &condition, shader_with_base(type, SHADER_BOOL), place);
    const struct shader_operand a = shader_convert(lowering, &yes, type, place);
    const struct shader_operand b = shader_convert(lowering, &no, type, place);
    struct shader_operand result = {.type = type};
    for (size_t k = 0; k < shader_part_count(type); k++) {
        result.part[k] = shader_ir_select(lowering->ir, conditions.part[k], a.part[k], b.part[k]);
    }
    return result;
}

/* Lowers a + b + c ..., which leans to the left as deep as the text is long, from the inside out.
 */
static struct shader_operand lower_chain(struct shader_lowering *lowering,
                                         const struct shader_expression *expression)
{
    size_t count = 0;
    for (const struct shader_expression *at = expression; at->kind == SHADER_E_BINARY; at = at->a) {
        count++;
    }
    const struct shader_expression **chain = shader_work_array(lowering, count, sizeof *chain);
    if (chain == NULL) {
        return shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    for (size_t k = count; k-- > 0; expression = expression->a) {
        chain[k] = expression;
    }
    struct shader_operand result = shader_evaluate(lowering, expression);
    for (size_t k = 0; k < count && !shader_stopped(lowering); k++) {
        const struct shader_operand right = shader_evaluate(lowering, chain[k]->b);
        result = shader_lower_binary(lowering, chain[k]->op, &result, &right, chain[k]->place);
    }
    return result;
}

struct shader_operand shader_evaluate(struct shader_lowering *lowering,
                                      const struct shader_expression *expression)
{
    if (shader_stopped(lowering) || !shader_descend(lowering, expression->place)) {
        return shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    struct shader_operand result;
    switch (expression->kind) {
    case SHADER_E_NUMBER:
        result = shader_make_scalar(
            expression->type.base, expression->type.base == SHADER_BOOL
                                       ? shader_ir_truth(lowering->ir, expression->number != 0)
                                       : shader_ir_number(lowering->ir, (float)expression->number));
        break;
    case SHADER_E_NAME:
        if (shader_scope_find(&lowering->scope, expression->name) != NULL ||
            !shader_builtin_number(lowering, expression->name, expression->place, &result)) {
            result = read_place(lowering, expression);
        }
        break;
    case SHADER_E_UNARY:
        result = lower_unary(lowering, expression);
        break;
    case SHADER_E_BINARY:
        result = lower_chain(lowering, expression);
        break;
    case SHADER_E_ASSIGN:
        result = lower_assignment(lowering, expression);
        break;
    case SHADER_E_STEP:
        result = lower_step(lowering, expression);
        break;
    case SHADER_E_CHOICE:
        result = lower_choice(lowering, expression);
        break;
    case SHADER_E_CALL:
        result = lower_call(lowering, expression);
        break;
    case SHADER_E_CONSTRUCT:
        result = shader_construct(lowering, expression);
        break;
    case SHADER_E_MEMBER:
        result = lower_member(lowering, expression);
        break;
    case SHADER_E_INDEX:
        result = lower_index(lowering, expression);
        break;
    case SHADER_E_COMMA:
        shader_evaluate(lowering, expression->a);
        result = shader_evaluate(lowering, expression->b);
        break;
    case SHADER_E_LIST:
    default:
        shader_fail(lowering, expression->place, "write a constructor such as float3(1, 2, 3)",
                    "{ } gives values to a new variable only");
        result = shader_make_zero(lowering, shader_vector(SHADER_FLOAT, 1));
    }
    shader_ascend(lowering);
    return result;
}

struct shader_operand shader_evaluate_as(struct shader_lowering *lowering,
                                         const struct shader_expression *expression,
                                         struct shader_type type)
{
    return expression->kind == SHADER_E_LIST ? shader_lower_list(lowering, expression, type)
                                             : shader_evaluate(lowering, expression);
}
