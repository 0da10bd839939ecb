#include "pfpu/lower.h"

#include "pfpu/lowering.h"
#include "pfpu/scope.h"

enum { SPARE_BINDINGS = 64 };

static int32_t fail(struct pfpu_lowering *lowering)
{
    lowering->failed = true;
    return 0;
}

static int32_t append(struct pfpu_lowering *lowering, struct pfpu_instruction instruction)
{
    if (lowering->failed) {
        return 0;
    }
    instruction.offset = (uint32_t)lowering->offset;
    const int32_t value = pfpu_ir_append(lowering->ir, instruction);
    if (value != PFPU_NO_VALUE) {
        return value;
    }
    if (!lowering->scratch->failed) {
        pfpu_complain(lowering->complaint, lowering->offset, "make the program shorter",
                      "the program has more than %d instructions", PFPU_IR_MAX);
    }
    return fail(lowering);
}

int32_t pfpu_lower_op(struct pfpu_lowering *lowering, enum pfpu_op op, int32_t a, int32_t b,
                      int32_t c)
{
    return append(lowering, (struct pfpu_instruction){.op = op, .arguments = {a, b, c}});
}

int32_t pfpu_lower_number(struct pfpu_lowering *lowering, double number)
{
    return append(lowering, (struct pfpu_instruction){.op = PFPU_OP_NUMBER, .number = number});
}

int32_t pfpu_lower_key_of_name(struct pfpu_lowering *lowering, struct base_span name)
{
    const int number = pfpu_register_number(name);
    if (number >= 0) {
        return pfpu_key_of_register(number);
    }
    const int variable = pfpu_scope_declare_span(lowering->scope, name);
    if (variable >= 0) {
        return pfpu_key_of_variable(variable);
    }
    if (pfpu_scope_size(lowering->scope) >= PFPU_VARIABLES_MAX) {
        pfpu_complain(lowering->complaint, lowering->offset, "use fewer names",
                      "more than %d variables", PFPU_VARIABLES_MAX);
    }
    return fail(lowering);
}

/* NULL after a failure. */
static struct pfpu_binding *binding_of(struct pfpu_lowering *lowering, int32_t key)
{
    struct pfpu_binding *bindings = lowering->bindings;
    if ((size_t)key >= lowering->binding_capacity) {
        bindings = base_arena_grow(lowering->scratch, bindings, &lowering->binding_capacity,
                                   (size_t)key + SPARE_BINDINGS, sizeof *bindings);
    }
    if (bindings == NULL || lowering->failed) {
        (void)fail(lowering);
        return NULL;
    }
    lowering->bindings = bindings;
    return &bindings[key];
}

static int32_t get_cell(struct pfpu_lowering *lowering, int32_t key)
{
    return append(lowering, (struct pfpu_instruction){.op = PFPU_OP_GET, .key = key});
}

static void set_cell(struct pfpu_lowering *lowering, int32_t key, int32_t value)
{
    (void)append(lowering, (struct pfpu_instruction){
                               .op = PFPU_OP_SET, .key = key, .arguments = {value, 0, 0}});
}

int32_t pfpu_lower_get(struct pfpu_lowering *lowering, int32_t key)
{
    if (pfpu_key_is_slot(key)) {
        return get_cell(lowering, key);
    }
    struct pfpu_binding *binding = binding_of(lowering, key);
    if (binding == NULL) {
        return 0;
    }
    if (binding->epoch != lowering->epoch) {
        *binding = (struct pfpu_binding){lowering->epoch, get_cell(lowering, key), false};
    }
    return binding->value;
}

static bool note_on_trail(struct pfpu_lowering *lowering, int32_t key, struct pfpu_binding old)
{
    struct pfpu_trail_entry *trail =
        base_arena_grow(lowering->scratch, lowering->trail, &lowering->trail_capacity,
                        lowering->trail_count + 1, sizeof *trail);
    if (trail == NULL) {
        (void)fail(lowering);
        return false;
    }
    lowering->trail = trail;
    trail[lowering->trail_count++] = (struct pfpu_trail_entry){key, old};
    return true;
}

void pfpu_lower_set(struct pfpu_lowering *lowering, int32_t key, int32_t value)
{
    if (pfpu_key_is_slot(key)) {
        set_cell(lowering, key, value);
        return;
    }
    struct pfpu_binding *binding = binding_of(lowering, key);
    if (binding == NULL || (lowering->guards > 0 && !note_on_trail(lowering, key, *binding))) {
        return;
    }
    if (binding->epoch != lowering->epoch || !binding->written) {
        int32_t *written =
            base_arena_grow(lowering->scratch, lowering->written, &lowering->written_capacity,
                            lowering->written_count + 1, sizeof *written);
        if (written == NULL) {
            (void)fail(lowering);
            return;
        }
        lowering->written = written;
        written[lowering->written_count++] = key;
    }
    *binding = (struct pfpu_binding){lowering->epoch, value, true};
}

int32_t pfpu_lower_new_slot(struct pfpu_lowering *lowering)
{
    return pfpu_key_of_slot(lowering->ir->slot_count++);
}

static void write_variables(struct pfpu_lowering *lowering)
{
    for (size_t i = 0; i < lowering->written_count; i++) {
        const int32_t key = lowering->written[i];
        set_cell(lowering, key, lowering->bindings[key].value);
    }
    lowering->written_count = 0;
}

static int32_t end_block(struct pfpu_lowering *lowering, enum pfpu_end end, int32_t condition)
{
    write_variables(lowering);
    const size_t last = lowering->ir->block_count - 1;
    lowering->ir->blocks[last].end = end;
    lowering->ir->blocks[last].condition = condition;
    return (int32_t)last;
}

int32_t pfpu_lower_end_jump(struct pfpu_lowering *lowering)
{
    return end_block(lowering, PFPU_END_JUMP, PFPU_NO_VALUE);
}

int32_t pfpu_lower_end_branch(struct pfpu_lowering *lowering, int32_t condition)
{
    return end_block(lowering, PFPU_END_BRANCH, condition);
}

int32_t pfpu_lower_begin_block(struct pfpu_lowering *lowering)
{
    lowering->epoch++;
    const int32_t block = pfpu_ir_open_block(lowering->ir);
    return block == PFPU_NO_VALUE ? fail(lowering) : block;
}

void pfpu_lower_set_target(struct pfpu_lowering *lowering, int32_t block, int which, int32_t target)
{
    lowering->ir->blocks[block].targets[which] = target;
}

static int32_t lower_operation(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    int32_t values[PFPU_ARGUMENTS_MAX] = {0};
    for (int i = 0; i < node->function->arity; i++) {
        values[i] = pfpu_lower_value(lowering, node->arguments[i]);
    }
    lowering->offset = node->offset;
    const int32_t result =
        pfpu_lower_op(lowering, node->function->op, values[0], values[1], values[2]);
    return pfpu_op_has_result(node->function->op) ? result : values[0];
}

static int32_t lower_exec(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    int32_t value = 0;
    for (int i = 0; i < node->function->arity; i++) {
        value = pfpu_lower_value(lowering, node->arguments[i]);
    }
    return value;
}

static int32_t lower_sequence(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    int32_t value = 0;
    for (struct pfpu_node *part = node->first; part != NULL; part = part->next) {
        value = pfpu_lower_value(lowering, part);
    }
    return value;
}

static int32_t lower_call(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    switch (node->function->kind) {
    case PFPU_KIND_ASSIGN:
        return pfpu_lower_assign(lowering, node);
    case PFPU_KIND_IF:
        return pfpu_lower_if(lowering, node);
    case PFPU_KIND_LOOP:
        return pfpu_lower_loop(lowering, node);
    case PFPU_KIND_WHILE:
        return pfpu_lower_while(lowering, node);
    case PFPU_KIND_EXEC:
    case PFPU_KIND_VALUE:
        return lower_exec(lowering, node);
    default:
        return lower_operation(lowering, node);
    }
}

static int32_t lower_leaf(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    lowering->offset = node->offset;
    if (lowering->straight && ++lowering->steps > PFPU_IR_MAX) {
        return pfpu_lower_refuse(lowering, "use fewer turns",
                                 "the loops are too long to write out");
    }
    switch (node->kind) {
    case PFPU_NODE_NUMBER:
        return pfpu_lower_number(lowering, node->number);
    case PFPU_NODE_NAME:
        return pfpu_lower_get(lowering, pfpu_lower_key_of_name(lowering, node->name));
    case PFPU_NODE_SEQUENCE:
        return lower_sequence(lowering, node);
    default:
        return lower_call(lowering, node);
    }
}

static int32_t lower_link(struct pfpu_lowering *lowering, const struct pfpu_node *node,
                          int32_t left)
{
    if (node->function->kind != PFPU_KIND_OPERATION) {
        return pfpu_lower_and_or(lowering, node, left);
    }
    const int32_t right = pfpu_lower_value(lowering, node->arguments[1]);
    lowering->offset = node->offset;
    return pfpu_lower_op(lowering, node->function->op, left, right, 0);
}

int32_t pfpu_lower_value(struct pfpu_lowering *lowering, struct pfpu_node *node)
{
    /* A chain of left operands may be as long as the text: no recursion along it. */
    struct pfpu_node *leaf = node;
    while (pfpu_node_is_chain(leaf)) {
        leaf->arguments[0]->above = leaf;
        leaf = leaf->arguments[0];
    }
    int32_t value = lower_leaf(lowering, leaf);
    while (leaf != node && !lowering->failed) {
        leaf = leaf->above;
        value = lower_link(lowering, leaf, value);
    }
    return value;
}

static bool lower(struct pfpu_lowering *lowering, struct pfpu_node *tree)
{
    if (pfpu_lower_begin_block(lowering), lowering->failed) {
        return false;
    }
    (void)pfpu_lower_value(lowering, tree);
    (void)end_block(lowering, PFPU_END_RETURN, PFPU_NO_VALUE);
    return !lowering->failed;
}

bool pfpu_lower(struct pfpu_node *tree, struct pfpu_scope *scope, struct pfpu_ir *ir,
                struct base_arena *scratch, struct pfpu_complaint *complaint)
{
    struct pfpu_lowering lowering = {
        .ir = ir, .scope = scope, .scratch = scratch, .complaint = complaint};
    return lower(&lowering, tree);
}

bool pfpu_lower_straight(struct pfpu_node *tree, struct pfpu_scope *scope, struct pfpu_ir *ir,
                         struct base_arena *scratch, struct pfpu_complaint *complaint)
{
    struct pfpu_lowering lowering = {
        .ir = ir, .scope = scope, .scratch = scratch, .complaint = complaint, .straight = true};
    return lower(&lowering, tree);
}
