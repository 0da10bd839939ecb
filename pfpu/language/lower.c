/* Order of evaluation: arguments from left to right; the place of an assignment (its index, its
 * condition) before the value. After a failure everything goes on with value 0 and no effect. */
#include "pfpu/language/lower.h"

#include <math.h>

#include "pfpu/ir/arith.h"
#include "pfpu/ir/ir.h"
#include "pfpu/language/lex.h"
#include "pfpu/language/parse.h"
#include "pfpu/language/scope.h"

/* What the current block knows about a variable or register. */
struct known_variable {
    uint32_t epoch; /* of the block; another one: nothing known */
    int32_t value;
    bool written;
};

/* A binding before a guarded part of the program changed it. */
struct trail_entry {
    int32_t key;
    struct known_variable old;
};

struct lowering {
    struct pfpu_ir *ir;
    struct pfpu_scope *scope;
    struct base_arena *scratch;
    struct pfpu_complaint *complaint;
    struct known_variable *bindings; /* by key */
    size_t binding_capacity;
    int32_t *written; /* keys to be set at the end of the block */
    size_t written_count;
    size_t written_capacity;
    uint32_t epoch;
    bool straight; /* one block: conditions become selections, loops are written out */
    struct trail_entry *trail;
    size_t trail_count;
    size_t trail_capacity;
    uint32_t randoms; /* calls of rand so far; of a straight program */
    uint32_t steps;   /* nodes lowered so far; a straight program writes loops out */
    unsigned guards;  /* nested guarded parts; the trail is kept only in there */
    size_t offset;    /* of the node at hand, for complaints */
    bool failed;
};

/* Values. */
static int32_t lower_value(struct lowering *lowering, struct pfpu_node *node);

/* Lazy functions. */
static int32_t lower_if(struct lowering *lowering, const struct pfpu_node *node);
static int32_t lower_and_or(struct lowering *lowering, const struct pfpu_node *node, int32_t left);
static int32_t lower_loop(struct lowering *lowering, const struct pfpu_node *node);
static int32_t lower_while(struct lowering *lowering, const struct pfpu_node *node);

/* The same for programs of one block. yes, no: NULL stands for a value of 0. */
static int32_t select_value(struct lowering *lowering, int32_t condition, struct pfpu_node *yes,
                            struct pfpu_node *no);

/* Notes that the program cannot be one block, at the node at hand; returns 0. */
static int32_t refuse(struct lowering *lowering, const char *hint, const char *what);

/* Assignment; returns the value that was stored. */
static int32_t lower_assign(struct lowering *lowering, const struct pfpu_node *node);

enum {
    SPARE_BINDINGS = 64,
    TURNS_MAX = 64, /* of loops that are written out */
};

static int32_t fail(struct lowering *lowering)
{
    lowering->failed = true;
    return 0;
}

static int32_t append(struct lowering *lowering, struct pfpu_instruction instruction)
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

static int32_t put_op(struct lowering *lowering, enum pfpu_op op, int32_t a, int32_t b, int32_t c)
{
    return append(lowering, (struct pfpu_instruction){.op = op, .arguments = {a, b, c}});
}

static int32_t put_number(struct lowering *lowering, double number)
{
    return append(lowering, (struct pfpu_instruction){.op = PFPU_OP_NUMBER, .number = number});
}

static int32_t key_of_name(struct lowering *lowering, struct base_span name)
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
static struct known_variable *binding_of(struct lowering *lowering, int32_t key)
{
    struct known_variable *bindings = lowering->bindings;
    if (lowering->failed) {
        return NULL;
    }
    if ((size_t)key >= lowering->binding_capacity) {
        bindings = base_arena_grow(lowering->scratch, bindings, &lowering->binding_capacity,
                                   (size_t)key + SPARE_BINDINGS, sizeof *bindings);
    }
    if (bindings == NULL) {
        (void)fail(lowering);
        return NULL;
    }
    lowering->bindings = bindings;
    return &bindings[key];
}

static int32_t get_cell(struct lowering *lowering, int32_t key)
{
    return append(lowering, (struct pfpu_instruction){.op = PFPU_OP_GET, .key = key});
}

static void set_cell(struct lowering *lowering, int32_t key, int32_t value)
{
    (void)append(lowering, (struct pfpu_instruction){
                               .op = PFPU_OP_SET, .key = key, .arguments = {value, 0, 0}});
}

static int32_t get_key(struct lowering *lowering, int32_t key)
{
    if (pfpu_key_is_slot(key)) {
        return get_cell(lowering, key);
    }
    struct known_variable *binding = binding_of(lowering, key);
    if (binding == NULL) {
        return 0;
    }
    if (binding->epoch != lowering->epoch) {
        *binding = (struct known_variable){lowering->epoch, get_cell(lowering, key), false};
    }
    return binding->value;
}

static void set_key(struct lowering *lowering, int32_t key, int32_t value)
{
    if (pfpu_key_is_slot(key)) {
        set_cell(lowering, key, value);
        return;
    }
    struct known_variable *binding = binding_of(lowering, key);
    if (binding == NULL) {
        return;
    }
    if (lowering->guards > 0) {
        struct trail_entry *trail =
            base_arena_grow(lowering->scratch, lowering->trail, &lowering->trail_capacity,
                            lowering->trail_count + 1, sizeof *trail);
        if (trail == NULL) {
            (void)fail(lowering);
            return;
        }
        lowering->trail = trail;
        trail[lowering->trail_count++] = (struct trail_entry){key, *binding};
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
    *binding = (struct known_variable){lowering->epoch, value, true};
}

/* A fresh slot's key. Slots are set and read at once, not at the ends of blocks; in one block a
 * slot is read before it is set, and set once. */
static int32_t new_slot(struct lowering *lowering)
{
    return pfpu_key_of_slot(lowering->ir->slot_count++);
}

static int32_t end_block(struct lowering *lowering, enum pfpu_end end, int32_t condition)
{
    for (size_t i = 0; i < lowering->written_count; i++) {
        const int32_t key = lowering->written[i];
        set_cell(lowering, key, lowering->bindings[key].value);
    }
    lowering->written_count = 0;
    const size_t last = lowering->ir->block_count - 1;
    lowering->ir->blocks[last].end = end;
    lowering->ir->blocks[last].condition = condition;
    return (int32_t)last;
}

/* Ends the current block; returns its index so that its targets can be set later. */
static int32_t end_jump(struct lowering *lowering)
{
    return end_block(lowering, PFPU_END_JUMP, PFPU_NO_VALUE);
}

static int32_t end_branch(struct lowering *lowering, int32_t condition)
{
    return end_block(lowering, PFPU_END_BRANCH, condition);
}

static int32_t begin_block(struct lowering *lowering)
{
    lowering->epoch++;
    const int32_t block = pfpu_ir_open_block(lowering->ir);
    return block == PFPU_NO_VALUE ? fail(lowering) : block;
}

static void set_target(struct lowering *lowering, int32_t block, int which, int32_t target)
{
    lowering->ir->blocks[block].targets[which] = target;
}

static int32_t get_named(struct lowering *lowering, const char *name)
{
    return get_key(lowering, key_of_name(lowering, base_span_of(name)));
}

/* Of a vertex, 0 up to 1: digits of a sine far behind the point. */
static int32_t mix_random(struct lowering *lowering, uint32_t call)
{
    const int32_t weights[] = {put_number(lowering, 12.9898 + 1.37 * call),
                               put_number(lowering, 78.233 + 2.11 * call),
                               put_number(lowering, 6283.1853)};
    const int32_t inputs[] = {get_named(lowering, "@column"), get_named(lowering, "@row"),
                              get_named(lowering, "@rand0")};
    int32_t angle = put_number(lowering, call);
    for (int i = 0; i < 3; i++) {
        const int32_t part = put_op(lowering, PFPU_OP_MUL, inputs[i], weights[i], 0);
        angle = put_op(lowering, PFPU_OP_ADD, angle, part, 0);
    }
    const int32_t sine = put_op(lowering, PFPU_OP_SIN, angle, 0, 0);
    const int32_t large = put_op(lowering, PFPU_OP_MUL, sine, put_number(lowering, 437.5853), 0);
    const int32_t whole = put_op(lowering, PFPU_OP_FLOOR, large, 0, 0);
    return put_op(lowering, PFPU_OP_SUB, large, whole, 0);
}

static int32_t read_random(struct lowering *lowering, uint32_t call)
{
    enum { NAME = 8 };
    char name[NAME] = "@rand";
    const uint32_t number = 1 + call % PFPU_RANDOMS;
    char *end = name + 5;
    if (number >= 10) {
        *end++ = (char)('0' + number / 10);
    }
    *end++ = (char)('0' + number % 10);
    *end = '\0';
    /* Not as arguments of one call, whose order is each compiler's own. */
    const int32_t one = put_number(lowering, 1);
    const int32_t random = get_named(lowering, name);
    return put_op(lowering, PFPU_OP_SUB, random, one, 0);
}

/* As pfpu_random (ir/arith.h). */
static int32_t lower_random(struct lowering *lowering, int32_t most)
{
    const uint32_t call = lowering->randoms++;
    const bool mixes = pfpu_scope_find(lowering->scope, "@column") >= 0;
    const int32_t share = mixes ? mix_random(lowering, call) : read_random(lowering, call);
    const int32_t whole = put_op(lowering, PFPU_OP_FLOOR, most, 0, 0);
    const int32_t one = put_number(lowering, 1);
    return put_op(lowering, PFPU_OP_MUL, share, put_op(lowering, PFPU_OP_MAX, whole, one, 0), 0);
}

static int32_t lower_call(struct lowering *lowering, const struct pfpu_node *node)
{
    switch (node->function->kind) {
    case PFPU_KIND_ASSIGN:
        return lower_assign(lowering, node);
    case PFPU_KIND_IF:
        return lower_if(lowering, node);
    case PFPU_KIND_LOOP:
        return lower_loop(lowering, node);
    case PFPU_KIND_WHILE:
        return lower_while(lowering, node);
    case PFPU_KIND_EXEC:
    case PFPU_KIND_VALUE: {
        int32_t value = 0;
        for (int i = 0; i < node->function->arity; i++) {
            value = lower_value(lowering, node->arguments[i]);
        }
        return value;
    }
    default: {
        int32_t values[PFPU_ARGUMENTS_MAX] = {0};
        for (int i = 0; i < node->function->arity; i++) {
            values[i] = lower_value(lowering, node->arguments[i]);
        }
        lowering->offset = node->offset;
        if (lowering->straight && node->function->op == PFPU_OP_RAND) {
            return lower_random(lowering, values[0]);
        }
        const int32_t result =
            put_op(lowering, node->function->op, values[0], values[1], values[2]);
        return pfpu_op_has_result(node->function->op) ? result : values[0];
    }
    }
}

static int32_t lower_leaf(struct lowering *lowering, const struct pfpu_node *node)
{
    lowering->offset = node->offset;
    if (lowering->straight && ++lowering->steps > PFPU_IR_MAX) {
        return refuse(lowering, "use fewer turns", "the loops are too long to write out");
    }
    switch (node->kind) {
    case PFPU_NODE_NUMBER:
        return put_number(lowering, node->number);
    case PFPU_NODE_NAME:
        return get_key(lowering, key_of_name(lowering, node->name));
    case PFPU_NODE_SEQUENCE: {
        int32_t value = 0;
        for (struct pfpu_node *part = node->first; part != NULL; part = part->next) {
            value = lower_value(lowering, part);
        }
        return value;
    }
    default:
        return lower_call(lowering, node);
    }
}

static int32_t lower_value(struct lowering *lowering, struct pfpu_node *node)
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
        if (leaf->function->kind != PFPU_KIND_OPERATION) {
            value = lower_and_or(lowering, leaf, value);
            continue;
        }
        const int32_t right = lower_value(lowering, leaf->arguments[1]);
        lowering->offset = leaf->offset;
        value = put_op(lowering, leaf->function->op, value, right, 0);
    }
    return value;
}

static bool lower(struct lowering *lowering, struct pfpu_node *tree)
{
    if (begin_block(lowering), lowering->failed) {
        return false;
    }
    (void)lower_value(lowering, tree);
    (void)end_block(lowering, PFPU_END_RETURN, PFPU_NO_VALUE);
    return !lowering->failed;
}

bool pfpu_lower(struct pfpu_node *tree, struct pfpu_scope *scope, struct pfpu_ir *ir,
                struct base_arena *scratch, struct pfpu_complaint *complaint)
{
    struct lowering lowering = {
        .ir = ir, .scope = scope, .scratch = scratch, .complaint = complaint};
    return lower(&lowering, tree);
}

bool pfpu_lower_straight(struct pfpu_node *tree, struct pfpu_scope *scope, struct pfpu_ir *ir,
                         struct base_arena *scratch, struct pfpu_complaint *complaint)
{
    struct lowering lowering = {
        .ir = ir, .scope = scope, .scratch = scratch, .complaint = complaint, .straight = true};
    return lower(&lowering, tree);
}

/* A value that may have to survive into blocks which its own does not dominate: from then on it
 * stands in a slot. */
struct held {
    int32_t value;
    int32_t slot; /* key; 0 (no slot's key): not there */
};

/* What can stand on the left of an assignment. */
struct place {
    enum { PLACE_TEMPORARY, PLACE_CELL, PLACE_MEMORY, PLACE_CHOICE } kind;
    int32_t key;        /* of a cell */
    enum pfpu_op load;  /* of memory */
    struct held index;  /* of memory; of a temporary: its value */
    struct held choice; /* which of the two */
    struct place *one;  /* when the choice is true */
    struct place *other;
    int32_t value; /* what stands there, if it was asked for */
};

static struct place *lower_place(struct lowering *lowering, struct pfpu_node *node,
                                 bool want_value);

static int32_t held_value(struct lowering *lowering, const struct held *held)
{
    return held->slot != 0 ? get_key(lowering, held->slot) : held->value;
}

static void hold(struct lowering *lowering, struct held *held)
{
    if (held->slot == 0) {
        held->slot = new_slot(lowering);
        set_key(lowering, held->slot, held->value);
    }
}

/* Makes a place usable behind the end of the current arm. */
static void hold_place(struct lowering *lowering, struct place *place)
{
    if (place->kind == PLACE_MEMORY || place->kind == PLACE_TEMPORARY) {
        hold(lowering, &place->index);
    } else if (place->kind == PLACE_CHOICE) {
        hold(lowering, &place->choice);
        hold_place(lowering, place->one);
        hold_place(lowering, place->other);
    }
}

static int32_t refuse_choice(struct lowering *lowering)
{
    return refuse(lowering, "assign to one variable",
                  "the machine cannot choose what is assigned to");
}

static int32_t load_place(struct lowering *lowering, const struct place *place);

static int32_t load_choice(struct lowering *lowering, const struct place *place)
{
    if (lowering->straight) {
        return refuse_choice(lowering);
    }
    const int32_t slot = new_slot(lowering);
    const int32_t branch = end_branch(lowering, held_value(lowering, &place->choice));
    set_target(lowering, branch, 0, begin_block(lowering));
    set_key(lowering, slot, load_place(lowering, place->one));
    const int32_t one = end_jump(lowering);
    set_target(lowering, branch, 1, begin_block(lowering));
    set_key(lowering, slot, load_place(lowering, place->other));
    const int32_t other = end_jump(lowering);
    const int32_t after = begin_block(lowering);
    set_target(lowering, one, 0, after);
    set_target(lowering, other, 0, after);
    return get_key(lowering, slot);
}

static int32_t load_place(struct lowering *lowering, const struct place *place)
{
    if (lowering->failed) {
        return 0;
    }
    switch (place->kind) {
    case PLACE_CELL:
        return get_key(lowering, place->key);
    case PLACE_MEMORY:
        return put_op(lowering, place->load, held_value(lowering, &place->index), 0, 0);
    case PLACE_CHOICE:
        return load_choice(lowering, place);
    default:
        return held_value(lowering, &place->index);
    }
}

static void store_place(struct lowering *lowering, struct place *place, int32_t value);

/* What is stored in a temporary is read again by an assignment to that assignment. */
static void hold_temporaries(struct lowering *lowering, struct place *place)
{
    if (place->kind == PLACE_TEMPORARY) {
        hold(lowering, &place->index);
    } else if (place->kind == PLACE_CHOICE) {
        hold_temporaries(lowering, place->one);
        hold_temporaries(lowering, place->other);
    }
}

static void store_choice(struct lowering *lowering, struct place *place, int32_t value)
{
    if (lowering->straight) {
        (void)refuse_choice(lowering);
        return;
    }
    hold_temporaries(lowering, place);
    const int32_t branch = end_branch(lowering, held_value(lowering, &place->choice));
    set_target(lowering, branch, 0, begin_block(lowering));
    store_place(lowering, place->one, value);
    const int32_t one = end_jump(lowering);
    set_target(lowering, branch, 1, begin_block(lowering));
    store_place(lowering, place->other, value);
    const int32_t other = end_jump(lowering);
    const int32_t after = begin_block(lowering);
    set_target(lowering, one, 0, after);
    set_target(lowering, other, 0, after);
}

static void store_place(struct lowering *lowering, struct place *place, int32_t value)
{
    if (lowering->failed) {
        return;
    }
    if (place->kind == PLACE_CELL) {
        set_key(lowering, place->key, value);
    } else if (place->kind == PLACE_MEMORY) {
        const enum pfpu_op store =
            place->load == PFPU_OP_GLOBAL_LOAD ? PFPU_OP_GLOBAL_STORE : PFPU_OP_MEMORY_STORE;
        (void)put_op(lowering, store, held_value(lowering, &place->index), value, 0);
    } else if (place->kind == PLACE_CHOICE) {
        store_choice(lowering, place, value);
    } else if (place->index.slot != 0) {
        set_key(lowering, place->index.slot, value);
    } else {
        place->index.value = value;
    }
}

/* min and max yield one of their arguments by reference. */
static void choose_smaller_or_larger(struct lowering *lowering, struct place *place,
                                     const struct pfpu_node *node)
{
    place->one = lower_place(lowering, node->arguments[0], true);
    place->other = lower_place(lowering, node->arguments[1], true);
    if (lowering->failed) {
        return;
    }
    const enum pfpu_op op =
        node->function->op == PFPU_OP_MIN ? PFPU_OP_BELOW_EQUAL : PFPU_OP_ABOVE_EQUAL;
    const int32_t one = place->one->value;
    const int32_t other = place->other->value;
    place->kind = PLACE_CHOICE;
    place->choice.value = put_op(lowering, op, one, other, 0);
    place->value = put_op(lowering, PFPU_OP_SELECT, place->choice.value, one, other);
}

/* One arm of if(); returns its ended block. */
static int32_t lower_arm(struct lowering *lowering, struct pfpu_node *node, struct place **place,
                         bool want_value, int32_t slot)
{
    *place = lower_place(lowering, node, want_value);
    if (lowering->failed) {
        return 0;
    }
    hold_place(lowering, *place);
    if (want_value) {
        set_key(lowering, slot, (*place)->value);
    }
    return end_jump(lowering);
}

static void choose_by_condition(struct lowering *lowering, struct place *place,
                                const struct pfpu_node *node, bool want_value)
{
    if (lowering->straight) {
        (void)refuse_choice(lowering);
        return;
    }
    const int32_t slot = new_slot(lowering);
    place->kind = PLACE_CHOICE;
    place->choice.value = lower_value(lowering, node->arguments[0]);
    const int32_t branch = end_branch(lowering, place->choice.value);
    set_target(lowering, branch, 0, begin_block(lowering));
    const int32_t one = lower_arm(lowering, node->arguments[1], &place->one, want_value, slot);
    set_target(lowering, branch, 1, begin_block(lowering));
    const int32_t other = lower_arm(lowering, node->arguments[2], &place->other, want_value, slot);
    const int32_t after = begin_block(lowering);
    set_target(lowering, one, 0, after);
    set_target(lowering, other, 0, after);
    if (want_value) {
        place->value = get_key(lowering, slot);
    }
}

static struct place *assign(struct lowering *lowering, const struct pfpu_node *node)
{
    struct place *place = lower_place(lowering, node->arguments[0], false);
    int32_t value = lower_value(lowering, node->arguments[1]);
    if (lowering->failed) {
        return place;
    }
    lowering->offset = node->offset;
    if (node->function->op != PFPU_OP_COPY) {
        const int32_t old = load_place(lowering, place);
        value = put_op(lowering, node->function->op, old, value, 0);
    }
    value = put_op(lowering, PFPU_OP_FILTER, value, 0, 0);
    store_place(lowering, place, value);
    place->value = value;
    return place;
}

static void place_of_call(struct lowering *lowering, struct place *place, struct pfpu_node *node,
                          bool want_value)
{
    const struct pfpu_function *function = node->function;
    if (function->kind == PFPU_KIND_MEMORY) {
        place->kind = PLACE_MEMORY;
        place->load = function->op;
        place->index.value = lower_value(lowering, node->arguments[0]);
        place->value = want_value ? load_place(lowering, place) : 0;
    } else if (function->kind == PFPU_KIND_IF) {
        choose_by_condition(lowering, place, node, want_value);
    } else if (function->op == PFPU_OP_MIN || function->op == PFPU_OP_MAX) {
        choose_smaller_or_larger(lowering, place, node);
    } else {
        place->value = lower_value(lowering, node);
        place->index.value = place->value;
    }
}

static struct place *lower_place(struct lowering *lowering, struct pfpu_node *node, bool want_value)
{
    if (node->kind == PFPU_NODE_SEQUENCE) {
        struct pfpu_node *part = node->first;
        while (part->next != NULL) {
            (void)lower_value(lowering, part);
            part = part->next;
        }
        return lower_place(lowering, part, want_value);
    }
    if (node->kind == PFPU_NODE_CALL && node->function->kind == PFPU_KIND_ASSIGN) {
        return assign(lowering, node);
    }
    struct place *place = base_arena_alloc(lowering->scratch, sizeof *place);
    lowering->failed = lowering->failed || place == NULL;
    if (lowering->failed) {
        return place;
    }
    lowering->offset = node->offset;
    if (node->kind == PFPU_NODE_NAME) {
        place->kind = PLACE_CELL;
        place->key = key_of_name(lowering, node->name);
        place->value = want_value ? load_place(lowering, place) : 0;
    } else if (node->kind == PFPU_NODE_NUMBER) {
        place->value = put_number(lowering, node->number);
        place->index.value = place->value;
    } else {
        place_of_call(lowering, place, node, want_value);
    }
    return place;
}

static int32_t lower_assign(struct lowering *lowering, const struct pfpu_node *node)
{
    const struct place *place = assign(lowering, node);
    return lowering->failed || place == NULL ? 0 : place->value;
}

/* Up to this many instructions are computed in vain rather than jumped around. */
enum { CHEAP = 6 };

static bool is_cheap(const struct pfpu_node *node)
{
    return !node->effects && node->cost <= CHEAP;
}

/* From two ended blocks to a new one, where the slot holds the value. */
static int32_t join(struct lowering *lowering, int32_t one, int one_which, int32_t other,
                    int32_t slot)
{
    const int32_t block = begin_block(lowering);
    set_target(lowering, one, one_which, block);
    set_target(lowering, other, 0, block);
    return get_key(lowering, slot);
}

static int32_t lower_if(struct lowering *lowering, const struct pfpu_node *node)
{
    const int32_t condition = lower_value(lowering, node->arguments[0]);
    if (lowering->straight) {
        return select_value(lowering, condition, node->arguments[1], node->arguments[2]);
    }
    if (is_cheap(node->arguments[1]) && is_cheap(node->arguments[2])) {
        const int32_t yes = lower_value(lowering, node->arguments[1]);
        const int32_t no = lower_value(lowering, node->arguments[2]);
        return put_op(lowering, PFPU_OP_SELECT, condition, yes, no);
    }
    const int32_t slot = new_slot(lowering);
    const int32_t branch = end_branch(lowering, condition);
    set_target(lowering, branch, 0, begin_block(lowering));
    set_key(lowering, slot, lower_value(lowering, node->arguments[1]));
    const int32_t yes = end_jump(lowering);
    set_target(lowering, branch, 1, begin_block(lowering));
    set_key(lowering, slot, lower_value(lowering, node->arguments[2]));
    const int32_t no = end_jump(lowering);
    return join(lowering, yes, 0, no, slot);
}

static int32_t lower_and_or(struct lowering *lowering, const struct pfpu_node *node, int32_t left)
{
    const bool is_and = node->function->kind == PFPU_KIND_AND;
    if (lowering->straight && node->arguments[1]->effects) {
        const int32_t truth = put_op(lowering, PFPU_OP_TRUTH, left, 0, 0);
        struct pfpu_node *right = node->arguments[1];
        const int32_t value =
            select_value(lowering, truth, is_and ? right : NULL, is_and ? NULL : right);
        return put_op(lowering, is_and ? PFPU_OP_AND : PFPU_OP_OR, truth, value, 0);
    }
    if (lowering->straight || is_cheap(node->arguments[1])) {
        const int32_t right = lower_value(lowering, node->arguments[1]);
        return put_op(lowering, is_and ? PFPU_OP_AND : PFPU_OP_OR, left, right, 0);
    }
    const int32_t slot = new_slot(lowering);
    set_key(lowering, slot, put_op(lowering, PFPU_OP_TRUTH, left, 0, 0));
    const int32_t branch = end_branch(lowering, left);
    set_target(lowering, branch, is_and ? 0 : 1, begin_block(lowering));
    const int32_t right = lower_value(lowering, node->arguments[1]);
    set_key(lowering, slot, put_op(lowering, PFPU_OP_TRUTH, right, 0, 0));
    const int32_t rest = end_jump(lowering);
    return join(lowering, branch, is_and ? 1 : 0, rest, slot);
}

/* Counts one turn down; returns what is left. */
static int32_t count_down(struct lowering *lowering, int32_t counter)
{
    const int32_t turns = get_key(lowering, counter);
    const int32_t one = put_number(lowering, 1.0);
    const int32_t left = put_op(lowering, PFPU_OP_SUB, turns, one, 0);
    set_key(lowering, counter, left);
    return left;
}

static int32_t lower_loop(struct lowering *lowering, const struct pfpu_node *node)
{
    if (lowering->straight) {
        const struct pfpu_node *count = node->arguments[0];
        lowering->offset = node->offset;
        if (count->kind != PFPU_NODE_NUMBER || !(count->number < TURNS_MAX + 1)) {
            return refuse(lowering, "give a number of turns up to 64", "the machine cannot loop");
        }
        int32_t value = put_number(lowering, 0.0);
        for (int i = 0; i < (int)floor(fmax(count->number, 0.0)) && !lowering->failed; i++) {
            value = lower_value(lowering, node->arguments[1]);
        }
        return value;
    }
    const int32_t slot = new_slot(lowering);
    const int32_t counter = new_slot(lowering);
    const int32_t turns =
        put_op(lowering, PFPU_OP_TURNS, lower_value(lowering, node->arguments[0]), 0, 0);
    set_key(lowering, slot, put_number(lowering, 0.0));
    set_key(lowering, counter, turns);
    const int32_t enter = end_branch(lowering, turns);
    const int32_t body = begin_block(lowering);
    set_target(lowering, enter, 0, body);
    set_key(lowering, slot, lower_value(lowering, node->arguments[1]));
    const int32_t again = end_branch(lowering, count_down(lowering, counter));
    set_target(lowering, again, 0, body);
    const int32_t after = begin_block(lowering);
    set_target(lowering, enter, 1, after);
    set_target(lowering, again, 1, after);
    return get_key(lowering, slot);
}

static int32_t lower_while(struct lowering *lowering, const struct pfpu_node *node)
{
    if (lowering->straight) {
        lowering->offset = node->offset;
        return refuse(lowering, "write it without 'while'",
                      "the machine cannot loop as long as a condition holds");
    }
    const int32_t slot = new_slot(lowering);
    const int32_t counter = new_slot(lowering);
    set_key(lowering, counter, put_number(lowering, PFPU_LOOP_MAX));
    const int32_t enter = end_jump(lowering);
    const int32_t body = begin_block(lowering);
    set_target(lowering, enter, 0, body);
    const int32_t value = lower_value(lowering, node->arguments[0]);
    set_key(lowering, slot, value);
    const int32_t more = put_op(lowering, PFPU_OP_AND, value, count_down(lowering, counter), 0);
    const int32_t again = end_branch(lowering, more);
    set_target(lowering, again, 0, body);
    set_target(lowering, again, 1, begin_block(lowering));
    return get_key(lowering, slot);
}

static int32_t refuse(struct lowering *lowering, const char *hint, const char *what)
{
    pfpu_complain(lowering->complaint, lowering->offset, hint, "%s", what);
    lowering->failed = true;
    return 0;
}

/* What a guarded part of the program left in a variable. */
struct outcome {
    int32_t key;
    int32_t value;
};

struct guarded {
    int32_t value; /* of the part as an expression */
    struct outcome *outcomes;
    size_t count;
};

static struct guarded lower_guarded(struct lowering *lowering, struct pfpu_node *node)
{
    struct guarded part = {0};
    const size_t start = lowering->trail_count;
    lowering->guards++;
    part.value = node != NULL ? lower_value(lowering, node) : put_number(lowering, 0.0);
    lowering->guards--;
    part.outcomes = base_arena_array(lowering->scratch, lowering->trail_count - start + 1,
                                     sizeof *part.outcomes);
    if (part.outcomes == NULL || lowering->failed) {
        lowering->failed = true;
        return part;
    }
    for (size_t i = start; i < lowering->trail_count; i++) {
        const int32_t key = lowering->trail[i].key;
        part.outcomes[part.count++] = (struct outcome){key, lowering->bindings[key].value};
    }
    /* Takes back what happened since `start`, newest first. A variable that was not known then is
     * read now, which is its old value still, because stores wait for the end of the block. */
    while (lowering->trail_count > start) {
        const struct trail_entry entry = lowering->trail[--lowering->trail_count];
        struct known_variable *binding = &lowering->bindings[entry.key];
        *binding = entry.old;
        if (entry.old.epoch != lowering->epoch) {
            (void)get_key(lowering, entry.key);
        }
        lowering->bindings[entry.key].written = true;
    }
    return part;
}

static int32_t outcome_of(const struct guarded *part, int32_t key, int32_t otherwise)
{
    for (size_t i = 0; i < part->count; i++) {
        if (part->outcomes[i].key == key) {
            return part->outcomes[i].value;
        }
    }
    return otherwise;
}

static bool stands_before(const struct guarded *part, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (part->outcomes[k].key == part->outcomes[i].key) {
            return true;
        }
    }
    return false;
}

static void merge_key(struct lowering *lowering, int32_t condition, int32_t key, int32_t yes,
                      int32_t no)
{
    const int32_t merged = yes == no ? yes : put_op(lowering, PFPU_OP_SELECT, condition, yes, no);
    set_key(lowering, key, merged);
}

static int32_t select_value(struct lowering *lowering, int32_t condition, struct pfpu_node *yes,
                            struct pfpu_node *no)
{
    const struct guarded one = lower_guarded(lowering, yes);
    const struct guarded other = lower_guarded(lowering, no);
    if (lowering->failed) {
        return 0;
    }
    for (size_t i = 0; i < one.count; i++) {
        const int32_t key = one.outcomes[i].key;
        if (!stands_before(&one, i)) {
            const int32_t old = get_key(lowering, key);
            merge_key(lowering, condition, key, one.outcomes[i].value,
                      outcome_of(&other, key, old));
        }
    }
    for (size_t i = 0; i < other.count; i++) {
        const int32_t key = other.outcomes[i].key;
        if (!stands_before(&other, i) && outcome_of(&one, key, PFPU_NO_VALUE) == PFPU_NO_VALUE) {
            merge_key(lowering, condition, key, get_key(lowering, key), other.outcomes[i].value);
        }
    }
    return put_op(lowering, PFPU_OP_SELECT, condition, one.value, other.value);
}
