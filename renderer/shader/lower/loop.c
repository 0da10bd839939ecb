#include "renderer/shader/lower/lower.h"

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
        shader_lower_statement(lowering, loop->body);
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

/* The rounds, each within the rest of the one before. Returns how many there were. */
static size_t write_rounds(struct shader_lowering *lowering, const struct shader_statement *loop)
{
    struct shader_rest *rests = NULL;
    size_t rounds = 0;
    size_t open = 0;
    bool on = loop->kind == SHADER_S_DO || another_round(lowering, loop);
    while (on && !shader_stopped(lowering)) {
        const struct shader_rest *before = rests;
        body(lowering, loop);
        if (shader_stopped(lowering) || !shader_rest_open(lowering, &rests)) {
            break;
        }
        step(lowering, loop);
        open += rests != before ? 1 : 0;
        lowering->given_up =
            lowering->given_up || ++rounds > SHADER_UNROLL_ROUNDS || open > SHADER_UNROLL_BREAKS;
        on = !shader_stopped(lowering) && another_round(lowering, loop);
    }
    shader_rests_close(lowering, rests);
    return rounds;
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
    const size_t rounds = write_rounds(lowering, loop);
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

static bool add_slot(struct shader_lowering *lowering, struct carried *carried, uint32_t slot)
{
    if (carried->count == carried->capacity) {
        const size_t capacity = carried->capacity * 2 + 16;
        uint32_t *slots = shader_work_array(lowering, capacity, sizeof *slots);
        carried->starts = shader_work_array(lowering, capacity, sizeof *carried->starts);
        carried->carries = shader_work_array(lowering, capacity, sizeof *carried->carries);
        if (slots == NULL || carried->starts == NULL || carried->carries == NULL) {
            return false;
        }
        if (carried->count > 0) {
            memcpy(slots, carried->slots, carried->count * sizeof *slots);
        }
        carried->slots = slots;
        carried->capacity = capacity;
    }
    carried->slots[carried->count++] = slot;
    return true;
}

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
        if (known == carried->count) {
            added = add_slot(lowering, carried, scope->changes[k].slot) || added;
        }
    }
    return added;
}

/* All conditions that hold where the list ends. */
static shader_value mask_of(struct shader_lowering *lowering)
{
    struct shader_ir *ir = lowering->ir;
    shader_value mask = shader_ir_truth(ir, true);
    for (const struct shader_guard *guard = lowering->guard; guard != NULL; guard = guard->outer) {
        const shader_value condition =
            guard->sense ? guard->condition : shader_ir_unary(ir, SHADER_OP_NOT, guard->condition);
        mask = shader_ir_binary(ir, SHADER_OP_AND, mask, condition);
    }
    return mask;
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
    struct shader_rest *rests = NULL;
    lowering->guard = &inside;
    body(lowering, loop);
    if (!shader_stopped(lowering) && shader_rest_open(lowering, &rests)) {
        step(lowering, loop);
        if (again != SHADER_NO_SLOT) {
            shader_slot_set(&lowering->scope, again, condition_of(lowering, loop));
        }
    }
    shader_rests_close(lowering, rests);
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
    const shader_value entered = mask_of(lowering);
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

void shader_lower_loop(struct shader_lowering *lowering, const struct shader_statement *loop)
{
    if (loop->start != NULL && loop->start->kind == SHADER_S_DECLARE) {
        shader_lower_declaration(lowering, loop->start, true);
    } else if (loop->start != NULL) {
        shader_lower_statement(lowering, loop->start);
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
