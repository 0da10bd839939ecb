/* Declarations, blocks, statements and loops, and the way through a stage. */
#include "renderer/shader/lower/lower.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- declarations ---- */

/* The sampler of a declaration, in memory that stays: an alias may be that of one whose name does
 * not. NULL after an error. */
static const struct shader_sampler_name *make_sampler(struct shader_lowering *lowering,
                                                      const struct shader_variable *variable)
{
    struct shader_sampler_name *sampler = base_arena_alloc(&lowering->arena, sizeof *sampler);
    if (sampler == NULL) {
        lowering->failed = true;
        return NULL;
    }
    if (variable->value != NULL) {
        const struct shader_sampler_name *other = shader_sampler_of(lowering, variable->value);
        *sampler = other != NULL ? *other : *sampler;
    } else if (!shader_sampler_name(variable->name, sampler)) {
        shader_fail(lowering, variable->place, "use fewer letters",
                    "the name of the texture is too long");
    } else {
        sampler->volume = sampler->volume || (variable->type.volume && !sampler->flat);
    }
    return sampler;
}

/* Finds the length of an array; false after an error message. */
static bool find_length(struct shader_lowering *lowering, const struct shader_variable *variable,
                        struct shader_type *type)
{
    if (variable->length == NULL || type->length > 0) {
        return true;
    }
    const struct shader_operand length = shader_evaluate(lowering, variable->length);
    float number = 0.0f;
    if (shader_stopped(lowering)) {
        return false;
    }
    if (!shader_is_number(length.type) || length.type.length > 0 ||
        !shader_ir_known(lowering->ir, length.part[0], &number) ||
        !(number >= 1.0f && number <= SHADER_ARRAY_MAX)) {
        shader_fail(lowering, variable->place, "use a constant", "an array has 1 to %d elements",
                    SHADER_ARRAY_MAX);
        return false;
    }
    type->length = (uint16_t)number;
    return true;
}

static struct shader_operand initial_value(struct shader_lowering *lowering,
                                           const struct shader_variable *variable,
                                           struct shader_type type)
{
    if (variable->value == NULL) {
        return shader_make_zero(lowering, type);
    }
    const struct shader_operand value = shader_evaluate_as(lowering, variable->value, type);
    if (type.length > 0 && value.type.length == 0) { /* one value for all elements */
        struct shader_type element = type;
        element.length = 0;
        const struct shader_operand one =
            shader_convert(lowering, &value, element, variable->value->place);
        struct shader_operand all = shader_make_zero(lowering, type);
        shader_value *parts =
            shader_work_array(lowering, shader_all_part_count(type), sizeof *parts);
        for (size_t k = 0; parts != NULL && k < shader_all_part_count(type); k++) {
            parts[k] = one.part[k % shader_part_count(element)];
        }
        all.elements = parts != NULL ? parts : all.elements;
        return all;
    }
    return shader_convert(lowering, &value, type, variable->value->place);
}

static void declare_variable(struct shader_lowering *lowering,
                             const struct shader_variable *variable, bool loop)
{
    struct shader_object object = {.name = variable->name,
                                   .type = variable->type,
                                   .constant = variable->constant,
                                   .loop = loop};
    struct shader_object builtin;
    /* Declarations at global scope may repeat what is built in. */
    const bool repeats = lowering->call == NULL && variable->value == NULL &&
                         (shader_names_size(variable->name) ||
                          shader_builtin_object(lowering, variable->name, &builtin));
    if (shader_stopped(lowering) || repeats) {
        return;
    }
    const char *hint = shader_reserved(lowering, variable->name, false);
    const struct shader_object *other =
        shader_scope_find_in_block(&lowering->scope, variable->name);
    const bool again = other != NULL && !loop && !other->loop && other->sampler == NULL;
    if (hint != NULL || again) {
        shader_fail(lowering, variable->place,
                    hint != NULL ? hint : "leave the type out, or choose another name",
                    "'%.*s' is declared again",
                    (int)(variable->name.size < 64 ? variable->name.size : 64),
                    variable->name.data);
        return;
    }
    struct shader_operand value = {.type = object.type};
    if (object.type.base == SHADER_SAMPLER) {
        object.sampler = make_sampler(lowering, variable);
    } else if (find_length(lowering, variable, &object.type)) {
        value = initial_value(lowering, variable, object.type);
    }
    if (shader_stopped(lowering)) {
        return;
    }
    const struct shader_object *added = shader_scope_add(&lowering->scope, &object);
    if (added == NULL) {
        shader_fail(lowering, variable->place, "use smaller arrays",
                    "the variables of this stage take too much memory");
    } else if (object.type.base != SHADER_SAMPLER) {
        const shader_value *parts = object.type.length > 0 ? value.elements : value.part;
        const uint32_t slot = added->slot;
        for (uint32_t k = 0; k < shader_all_part_count(object.type) && !shader_stopped(lowering);
             k++) {
            shader_slot_set(&lowering->scope, slot + k, parts[k]);
        }
    }
}

static void lower_declaration(struct shader_lowering *lowering,
                              const struct shader_statement *statement, bool loop)
{
    for (size_t k = 0; k < statement->variable_count && !shader_stopped(lowering); k++) {
        declare_variable(lowering, &statement->variables[k], loop);
    }
}

/* ---- the rest of a block ---- */

/* Guards what follows by "has not left". */
struct rest {
    struct shader_guard guard;
    struct shader_region region;
    struct rest *outer;
};

/* Truth of the slot, or SHADER_NO_VALUE: there is no such exit. */
static shader_value left_by(struct shader_lowering *lowering, uint32_t exit, shader_value other)
{
    if (exit == SHADER_NO_SLOT) {
        return other;
    }
    return shader_ir_binary(lowering->ir, SHADER_OP_OR, shader_slot_get(&lowering->scope, exit),
                            other);
}

static void forget_exit(struct shader_lowering *lowering, uint32_t exit)
{
    if (exit != SHADER_NO_SLOT) {
        shader_slot_set(&lowering->scope, exit, shader_ir_truth(lowering->ir, false));
    }
}

/* Opens a rest if some pixels may have left here. false: all have, nothing is left to do. */
static bool open_rest(struct shader_lowering *lowering, struct rest **rests)
{
    const struct shader_exits *exits = &lowering->exits;
    shader_value left = shader_ir_truth(lowering->ir, false);
    left = left_by(lowering, exits->returned, left);
    left = left_by(lowering, exits->broken, left);
    left = left_by(lowering, exits->continued, left);
    float known;
    if (shader_ir_known(lowering->ir, left, &known)) {
        return known == 0.0f;
    }
    struct rest *rest = shader_work_array(lowering, 1, sizeof *rest);
    if (rest == NULL) {
        return false;
    }
    rest->outer = *rests;
    rest->guard = (struct shader_guard){lowering->guard,
                                        shader_ir_unary(lowering->ir, SHADER_OP_NOT, left), true};
    rest->region = shader_region_open(&lowering->scope);
    shader_ir_if(lowering->ir, rest->guard.condition);
    lowering->guard = &rest->guard;
    forget_exit(lowering, exits->returned);
    forget_exit(lowering, exits->broken);
    forget_exit(lowering, exits->continued);
    *rests = rest;
    return true;
}

static void close_rests(struct shader_lowering *lowering, struct rest *rests)
{
    for (; rests != NULL; rests = rests->outer) {
        shader_region_close(&lowering->scope, &rests->region);
        shader_ir_endif(lowering->ir);
        lowering->guard = rests->guard.outer;
        shader_region_join(&lowering->scope, rests->guard.condition, &rests->region, NULL, true);
    }
}

static void lower_statement(struct shader_lowering *lowering,
                            const struct shader_statement *statement);

void shader_lower_statements(struct shader_lowering *lowering, const struct shader_statement *first)
{
    struct rest *rests = NULL;
    for (; first != NULL && !shader_stopped(lowering); first = first->next) {
        if (!open_rest(lowering, &rests)) {
            break;
        }
        lower_statement(lowering, first);
    }
    close_rests(lowering, rests);
}

/* A side of an if, in a region of its own. */
static struct shader_region lower_side(struct shader_lowering *lowering,
                                       const struct shader_statement *statement,
                                       shader_value condition, bool sense)
{
    const struct shader_guard guard = {lowering->guard, condition, sense};
    const struct shader_region region = shader_region_open(&lowering->scope);
    const struct shader_block scope = shader_scope_enter(&lowering->scope, false);
    lowering->guard = &guard;
    lower_statement(lowering, statement);
    lowering->guard = guard.outer;
    shader_scope_leave(&lowering->scope, scope);
    shader_region_close(&lowering->scope, &region);
    return region;
}

static void lower_if(struct shader_lowering *lowering, const struct shader_statement *statement)
{
    const struct shader_operand operand = shader_evaluate(lowering, statement->value);
    if (shader_stopped(lowering)) {
        return;
    }
    const shader_value condition = shader_to_truth(lowering, &operand, statement->value->place);
    float known;
    if (shader_ir_known(lowering->ir, condition, &known)) {
        const struct shader_statement *taken = known != 0.0f ? statement->body : statement->other;
        const struct shader_block scope = shader_scope_enter(&lowering->scope, false);
        if (taken != NULL) {
            lower_statement(lowering, taken);
        }
        shader_scope_leave(&lowering->scope, scope);
        return;
    }
    shader_ir_if(lowering->ir, condition);
    const struct shader_region yes = lower_side(lowering, statement->body, condition, true);
    struct shader_region no = {0};
    if (statement->other != NULL) {
        shader_ir_else(lowering->ir);
        no = lower_side(lowering, statement->other, condition, false);
    }
    shader_ir_endif(lowering->ir);
    shader_region_join(&lowering->scope, condition, &yes, statement->other != NULL ? &no : NULL,
                       false);
}

/* ---- loops ---- */

/* A loop is first written out round by round, as far as it is known when it ends. If that is not
 * known, or too long, what it has changed is taken back and it becomes a LOOP. */

static shader_value condition_of(struct shader_lowering *lowering,
                                 const struct shader_statement *loop)
{
    if (loop->value == NULL) {
        return shader_ir_truth(lowering->ir, true);
    }
    const struct shader_operand operand = shader_evaluate(lowering, loop->value);
    return shader_to_truth(lowering, &operand, loop->value->place);
}

static void body(struct shader_lowering *lowering, const struct shader_statement *loop)
{
    const struct shader_block scope = shader_scope_enter(&lowering->scope, false);
    lowering->exits.continued = shader_scope_slot(&lowering->scope, SHADER_BOOL, true);
    if (lowering->exits.continued == SHADER_NO_SLOT) {
        lowering->failed = true;
    } else if (loop->body != NULL) {
        lower_statement(lowering, loop->body);
    }
    lowering->exits.continued = SHADER_NO_SLOT;
    shader_scope_leave(&lowering->scope, scope);
}

static void step(struct shader_lowering *lowering, const struct shader_statement *loop)
{
    if (loop->step != NULL) {
        shader_evaluate(lowering, loop->step);
    }
}

/* Whether another round begins; gives up if that is not known. */
static bool another_round(struct shader_lowering *lowering, const struct shader_statement *loop)
{
    const shader_value condition = condition_of(lowering, loop);
    float known;
    if (shader_stopped(lowering)) {
        return false;
    }
    if (!shader_ir_known(lowering->ir, condition, &known)) {
        lowering->given_up = true;
        return false;
    }
    return known != 0.0f;
}

/* Writes all rounds out. False: it cannot be done, and all is as it was. */
static bool unroll(struct shader_lowering *lowering, const struct shader_statement *loop)
{
    const size_t outer_limit = lowering->value_limit;
    const struct shader_ir_mark mark = shader_ir_mark(lowering->ir);
    for (size_t k = 0; k < lowering->rolled_count; k++) {
        if (lowering->rolled[k] == loop) {
            return false;
        }
    }
    if (lowering->ir->count + SHADER_UNROLL_VALUES < outer_limit) {
        lowering->value_limit = lowering->ir->count + SHADER_UNROLL_VALUES;
    }
    const struct shader_region region = shader_region_open(&lowering->scope);
    /* The rounds, each within the rest of the one before. */
    struct rest *rests = NULL;
    size_t rounds = 0;
    size_t open = 0;
    bool on = loop->kind == SHADER_S_DO || another_round(lowering, loop);
    while (on && !shader_stopped(lowering)) {
        const struct rest *before = rests;
        body(lowering, loop);
        if (shader_stopped(lowering) || !open_rest(lowering, &rests)) {
            break;
        }
        step(lowering, loop);
        open += rests != before ? 1 : 0;
        lowering->given_up =
            lowering->given_up || ++rounds > SHADER_UNROLL_ROUNDS || open > SHADER_UNROLL_BREAKS;
        on = !shader_stopped(lowering) && another_round(lowering, loop);
    }
    close_rests(lowering, rests);
    shader_region_close(&lowering->scope, &region);
    lowering->value_limit = outer_limit;
    if (!lowering->given_up) {
        shader_region_keep(&lowering->scope, &region);
        return true;
    }
    shader_region_drop(&lowering->scope, &region);
    shader_ir_rewind(lowering->ir, mark);
    lowering->given_up = false;
    if (rounds > 0 && lowering->rolled_count < SHADER_LOOPS_REMEMBERED) {
        lowering->rolled[lowering->rolled_count++] = loop;
    }
    return false;
}

/* What goes round in a LOOP: slots that its rounds change, and `again` of a do. */
struct carried {
    uint32_t *slots;
    shader_value *starts;
    shader_value *carries;
    size_t count;
    size_t capacity;
};

/* Slots changed in the region, which is closed, that are not carried yet. */
static bool add_changed(struct shader_lowering *lowering, const struct shader_region *region,
                        struct carried *carried)
{
    const struct shader_scope *scope = &lowering->scope;
    bool added = false;
    for (size_t k = region->first_change; k < scope->change_count; k++) {
        size_t known = 0;
        while (known < carried->count && carried->slots[known] != scope->changes[k].slot) {
            known++;
        }
        if (known < carried->count) {
            continue;
        }
        if (carried->count == carried->capacity) {
            const size_t capacity = carried->capacity * 2 + 16;
            uint32_t *slots = shader_work_array(lowering, capacity, sizeof *slots);
            carried->starts = shader_work_array(lowering, capacity, sizeof *carried->starts);
            carried->carries = shader_work_array(lowering, capacity, sizeof *carried->carries);
            if (slots == NULL || carried->starts == NULL || carried->carries == NULL) {
                return added;
            }
            if (carried->count > 0) {
                memcpy(slots, carried->slots, carried->count * sizeof *slots);
            }
            carried->slots = slots;
            carried->capacity = capacity;
        }
        carried->slots[carried->count++] = scope->changes[k].slot;
        added = true;
    }
    return added;
}

/* Pixels that have left go no further round; the others have not left. */
static shader_value still_in(struct shader_lowering *lowering, uint32_t exit, shader_value other)
{
    if (exit == SHADER_NO_SLOT) {
        return other;
    }
    struct shader_ir *ir = lowering->ir;
    const shader_value left = shader_slot_get(&lowering->scope, exit);
    float known;
    if (shader_ir_known(ir, left, &known) && known == 0.0f) {
        return other;
    }
    shader_slot_set(&lowering->scope, exit, shader_ir_truth(ir, false));
    return shader_ir_binary(ir, SHADER_OP_AND, other, shader_ir_unary(ir, SHADER_OP_NOT, left));
}

/* Writes the one round of a LOOP. again: slot in which a do notes its condition, else
 * SHADER_NO_SLOT. */
static void round_of(struct shader_lowering *lowering, const struct shader_statement *loop,
                     uint32_t again, shader_value mask)
{
    struct shader_ir *ir = lowering->ir;
    shader_value go = shader_ir_truth(ir, true);
    go = still_in(lowering, lowering->exits.returned, go);
    go = still_in(lowering, lowering->exits.broken, go);
    const shader_value condition = again != SHADER_NO_SLOT
                                       ? shader_slot_get(&lowering->scope, again)
                                       : condition_of(lowering, loop);
    go = shader_ir_binary(ir, SHADER_OP_AND, go, condition);
    shader_ir_while(ir, go);
    const struct shader_guard entered = {lowering->guard, mask, true};
    const struct shader_guard inside = {&entered, go, true};
    struct rest *rests = NULL;
    lowering->guard = &inside;
    body(lowering, loop);
    if (!shader_stopped(lowering) && open_rest(lowering, &rests)) {
        step(lowering, loop);
        if (again != SHADER_NO_SLOT) {
            shader_slot_set(&lowering->scope, again, condition_of(lowering, loop));
        }
    }
    close_rests(lowering, rests);
    lowering->guard = entered.outer;
}

/* One attempt at the LOOP. false: it changes more than was thought, and was taken back. */
static bool write_loop(struct shader_lowering *lowering, const struct shader_statement *loop,
                       uint32_t again, struct carried *carried)
{
    struct shader_scope *scope = &lowering->scope;
    struct shader_ir *ir = lowering->ir;
    for (size_t k = 0; k < carried->count; k++) {
        carried->starts[k] = shader_slot_get(scope, carried->slots[k]);
    }
    const struct shader_ir_mark mark = shader_ir_mark(ir);
    /* All conditions that hold where the list ends. */
    shader_value entered = shader_ir_truth(ir, true);
    for (const struct shader_guard *guard = lowering->guard; guard != NULL; guard = guard->outer) {
        const shader_value condition =
            guard->sense ? guard->condition : shader_ir_unary(ir, SHADER_OP_NOT, guard->condition);
        entered = shader_ir_binary(ir, SHADER_OP_AND, entered, condition);
    }
    const struct shader_region region = shader_region_open(scope);
    shader_ir_loop(ir, entered);
    for (size_t k = 0; k < carried->count; k++) {
        carried->carries[k] = shader_ir_carry(ir, carried->starts[k]);
        shader_slot_set(scope, carried->slots[k], carried->carries[k]);
    }
    round_of(lowering, loop, again, entered);
    for (size_t k = 0; k < carried->count; k++) {
        shader_ir_carry_next(ir, carried->carries[k], shader_slot_get(scope, carried->slots[k]));
    }
    shader_ir_endloop(ir);
    shader_region_close(scope, &region);
    const bool more = !shader_stopped(lowering) && add_changed(lowering, &region, carried);
    shader_region_drop(scope, &region);
    if (more) {
        shader_ir_rewind(ir, mark);
        return false;
    }
    for (size_t k = 0; k < carried->count && !shader_stopped(lowering); k++) {
        shader_slot_set(scope, carried->slots[k], carried->carries[k]);
    }
    return true;
}

static void lower_loop(struct shader_lowering *lowering, const struct shader_statement *loop)
{
    if (loop->start != NULL && loop->start->kind == SHADER_S_DECLARE) {
        lower_declaration(lowering, loop->start, true);
    } else if (loop->start != NULL) {
        lower_statement(lowering, loop->start);
    }
    if (shader_stopped(lowering)) {
        return;
    }
    const struct shader_exits exits = lowering->exits;
    const struct shader_block scope = shader_scope_enter(&lowering->scope, false);
    lowering->exits.broken = shader_scope_slot(&lowering->scope, SHADER_BOOL, true);
    lowering->exits.continued = SHADER_NO_SLOT;
    lowering->failed = lowering->failed || lowering->exits.broken == SHADER_NO_SLOT;
    if (!lowering->failed && !unroll(lowering, loop)) {
        struct carried carried = {0};
        uint32_t again = SHADER_NO_SLOT;
        if (loop->kind == SHADER_S_DO) {
            again = shader_scope_slot(&lowering->scope, SHADER_BOOL, false);
            if (again == SHADER_NO_SLOT) {
                lowering->failed = true;
            } else {
                shader_slot_set(&lowering->scope, again, shader_ir_truth(lowering->ir, true));
            }
        }
        while (!shader_stopped(lowering) && !write_loop(lowering, loop, again, &carried)) {
        }
    }
    lowering->exits = exits;
    shader_scope_leave(&lowering->scope, scope);
}

/* ---- statements ---- */

static void leave_by(struct shader_lowering *lowering, const struct shader_statement *statement,
                     uint32_t exit)
{
    if (exit == SHADER_NO_SLOT) {
        shader_fail(lowering, statement->place, NULL, "there is no loop here");
        return;
    }
    shader_slot_set(&lowering->scope, exit, shader_ir_truth(lowering->ir, true));
}

static void lower_return(struct shader_lowering *lowering, const struct shader_statement *statement)
{
    const struct shader_frame_of_call *call = lowering->call;
    const struct shader_type type = call->result_type;
    if (statement->value != NULL) {
        const struct shader_operand value = shader_evaluate(lowering, statement->value);
        if (type.base != SHADER_VOID && !shader_stopped(lowering)) {
            const struct shader_operand result =
                shader_convert(lowering, &value, type, statement->value->place);
            for (uint32_t k = 0; k < shader_part_count(type) && !shader_stopped(lowering); k++) {
                shader_slot_set(&lowering->scope, call->result + k, result.part[k]);
            }
        }
    } else if (type.base != SHADER_VOID) {
        shader_fail(lowering, statement->place, "as in return x;",
                    "the function's result is missing");
    }
    leave_by(lowering, statement, lowering->exits.returned);
}

static void lower_statement(struct shader_lowering *lowering,
                            const struct shader_statement *statement)
{
    if (shader_stopped(lowering) || !shader_descend(lowering, statement->place)) {
        return;
    }
    const struct base_arena_mark mark = base_arena_mark(&lowering->work);
    struct shader_block scope;
    lowering->given_up = lowering->ir->count > lowering->value_limit;
    if (lowering->given_up) {
        shader_ascend(lowering);
        return;
    }
    switch (statement->kind) {
    case SHADER_S_EXPRESSION:
        if (statement->value != NULL) {
            shader_evaluate(lowering, statement->value);
        }
        break;
    case SHADER_S_DECLARE:
        lower_declaration(lowering, statement, false);
        break;
    case SHADER_S_BLOCK:
        scope = shader_scope_enter(&lowering->scope, false);
        shader_lower_statements(lowering, statement->body);
        shader_scope_leave(&lowering->scope, scope);
        break;
    case SHADER_S_IF:
        lower_if(lowering, statement);
        break;
    case SHADER_S_FOR:
    case SHADER_S_WHILE:
    case SHADER_S_DO:
        lower_loop(lowering, statement);
        break;
    case SHADER_S_RETURN:
        lower_return(lowering, statement);
        break;
    case SHADER_S_BREAK:
        leave_by(lowering, statement, lowering->exits.broken);
        break;
    case SHADER_S_CONTINUE:
        leave_by(lowering, statement, lowering->exits.continued);
        break;
    case SHADER_S_DISCARD:
        break;
    }
    base_arena_rewind(&lowering->work, mark);
    shader_ascend(lowering);
}

/* ---- the stage ---- */

void shader_fail(struct shader_lowering *lowering, struct base_place place, const char *hint,
                 const char *format, ...)
{
    char what[sizeof((struct base_diag *)0)->what];
    if (shader_stopped(lowering)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    base_report(lowering->sink, BASE_ERROR, place, hint, "%s", what);
    lowering->failed = true;
    lowering->reported = true;
}

bool shader_descend(struct shader_lowering *lowering, struct base_place place)
{
    if (shader_stopped(lowering)) {
        return false;
    }
    lowering->work_done++;
    if (lowering->depth >= SHADER_INSIDE_MAX) {
        shader_fail(lowering, place, "split it up", "too much within one another");
        return false;
    }
    if (lowering->work_done > SHADER_WORK_MAX || lowering->ir->failed) {
        shader_fail(lowering, place, "use fewer or shorter loops", "the stage is too long");
        return false;
    }
    lowering->depth++;
    return true;
}

void *shader_work_array(struct shader_lowering *lowering, size_t count, size_t size)
{
    void *array = base_arena_array(&lowering->work, count, size);
    if (array == NULL) {
        lowering->failed = true;
    }
    return array;
}

/* Globals, then the body. */
static void lower_stage(struct shader_lowering *lowering)
{
    shader_add_builtins(lowering);
    shader_add_intrinsics(lowering);
    for (size_t k = 0; k < lowering->tree->global_count && !shader_stopped(lowering); k++) {
        const struct shader_global *global = &lowering->tree->globals[k];
        const struct shader_function *function = global->function;
        const char *hint = NULL;
        if (function != NULL) {
            hint = shader_reserved(lowering, function->name, true);
        }
        if (hint != NULL) {
            shader_fail(lowering, function->place, hint, "'%.*s' is declared again",
                        (int)(function->name.size < 64 ? function->name.size : 64),
                        function->name.data);
        }
        for (size_t v = 0; v < global->variable_count && !shader_stopped(lowering); v++) {
            const struct base_arena_mark mark = base_arena_mark(&lowering->work);
            declare_variable(lowering, &global->variables[v], false);
            base_arena_rewind(&lowering->work, mark);
            lowering->scope.global_count = lowering->scope.object_count;
        }
    }
    if (!shader_stopped(lowering)) {
        /* The body as a function without parameters, whose result is what its variable ret
         * holds. */
        const struct shader_function function = {0};
        const struct shader_object ret = {.name = base_span_of("ret"),
                                          .type = shader_vector(SHADER_FLOAT, 3)};
        const struct shader_frame_of_call call = {
            .function = &function, .result_type = {.base = SHADER_VOID, .rows = 1, .columns = 1}};
        const struct shader_block scope = shader_scope_enter(&lowering->scope, true);
        const struct shader_object *added = shader_scope_add(&lowering->scope, &ret);
        const uint32_t slot = added != NULL ? added->slot : 0;
        lowering->exits.returned = shader_scope_slot(&lowering->scope, SHADER_BOOL, true);
        lowering->call = &call;
        if (added == NULL || lowering->exits.returned == SHADER_NO_SLOT) {
            lowering->failed = true;
        } else {
            shader_lower_statements(lowering, lowering->tree->body->body);
        }
        for (uint32_t k = 0; k < 3 && !lowering->failed; k++) {
            lowering->ir->ret[k] = shader_slot_get(&lowering->scope, slot + k);
        }
        lowering->call = NULL;
        shader_scope_leave(&lowering->scope, scope);
    }
    if (lowering->arena.failed || lowering->ir->failed) {
        lowering->failed = true;
    }
}

bool shader_lower(struct shader_ir *ir, enum shader_stage stage, const struct base_source *source,
                  const struct base_diag_sink *sink)
{
    enum { MEMORY_MAX = 64 * 1024 * 1024 };
    struct shader_tree tree;
    struct base_arena arena = {.limit = MEMORY_MAX};
    struct shader_lowering *lowering = base_arena_alloc(&arena, sizeof *lowering);
    if (lowering == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = source->file}, NULL,
                    "not enough memory for a shader");
        return false;
    }
    *lowering = (struct shader_lowering){
        .ir = ir,
        .stage = stage,
        .sink = sink,
        .tree = &tree,
        .arena = {.limit = MEMORY_MAX},
        .work = {.limit = MEMORY_MAX},
        .exits = {SHADER_NO_SLOT, SHADER_NO_SLOT, SHADER_NO_SLOT},
        .value_limit = SHADER_IR_MAX,
    };
    bool good = shader_parse(&tree, source, &lowering->arena, sink) == 0;
    if (good) {
        if (shader_scope_init(&lowering->scope, ir, &lowering->arena)) {
            lower_stage(lowering);
        }
        good = !lowering->failed && !lowering->arena.failed;
        if (!good && !lowering->reported) {
            base_report(sink, BASE_ERROR, (struct base_place){.file = source->file},
                        "use fewer or shorter loops", "the stage takes too much memory");
        }
    }
    base_arena_free(&lowering->work);
    base_arena_free(&lowering->arena);
    base_arena_free(&arena);
    return good;
}
