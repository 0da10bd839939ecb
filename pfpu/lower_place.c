#include "pfpu/lowering.h"

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

static struct place *lower_place(struct pfpu_lowering *lowering, struct pfpu_node *node,
                                 bool want_value);

static struct place *new_place(struct pfpu_lowering *lowering)
{
    struct place *place = base_arena_alloc(lowering->scratch, sizeof *place);
    if (place == NULL) {
        lowering->failed = true;
    }
    return place;
}

static int32_t held_value(struct pfpu_lowering *lowering, const struct held *held)
{
    return held->slot != 0 ? pfpu_lower_get(lowering, held->slot) : held->value;
}

static void hold(struct pfpu_lowering *lowering, struct held *held)
{
    if (held->slot == 0) {
        held->slot = pfpu_lower_new_slot(lowering);
        pfpu_lower_set(lowering, held->slot, held->value);
    }
}

/* Makes a place usable behind the end of the current arm. */
static void hold_place(struct pfpu_lowering *lowering, struct place *place)
{
    if (place->kind == PLACE_MEMORY || place->kind == PLACE_TEMPORARY) {
        hold(lowering, &place->index);
    } else if (place->kind == PLACE_CHOICE) {
        hold(lowering, &place->choice);
        hold_place(lowering, place->one);
        hold_place(lowering, place->other);
    }
}

static int32_t refuse_choice(struct pfpu_lowering *lowering)
{
    return pfpu_lower_refuse(lowering, "assign to one variable",
                             "the machine cannot choose what is assigned to");
}

static int32_t load_place(struct pfpu_lowering *lowering, const struct place *place);

static int32_t load_choice(struct pfpu_lowering *lowering, const struct place *place)
{
    if (lowering->straight) {
        return refuse_choice(lowering);
    }
    const int32_t slot = pfpu_lower_new_slot(lowering);
    const int32_t branch = pfpu_lower_end_branch(lowering, held_value(lowering, &place->choice));
    pfpu_lower_set_target(lowering, branch, 0, pfpu_lower_begin_block(lowering));
    pfpu_lower_set(lowering, slot, load_place(lowering, place->one));
    const int32_t one = pfpu_lower_end_jump(lowering);
    pfpu_lower_set_target(lowering, branch, 1, pfpu_lower_begin_block(lowering));
    pfpu_lower_set(lowering, slot, load_place(lowering, place->other));
    const int32_t other = pfpu_lower_end_jump(lowering);
    const int32_t after = pfpu_lower_begin_block(lowering);
    pfpu_lower_set_target(lowering, one, 0, after);
    pfpu_lower_set_target(lowering, other, 0, after);
    return pfpu_lower_get(lowering, slot);
}

static int32_t load_place(struct pfpu_lowering *lowering, const struct place *place)
{
    if (lowering->failed) {
        return 0;
    }
    switch (place->kind) {
    case PLACE_CELL:
        return pfpu_lower_get(lowering, place->key);
    case PLACE_MEMORY:
        return pfpu_lower_op(lowering, place->load, held_value(lowering, &place->index), 0, 0);
    case PLACE_CHOICE:
        return load_choice(lowering, place);
    default:
        return held_value(lowering, &place->index);
    }
}

static void store_place(struct pfpu_lowering *lowering, struct place *place, int32_t value);

/* What is stored in a temporary is read again by an assignment to that assignment. */
static void hold_temporaries(struct pfpu_lowering *lowering, struct place *place)
{
    if (place->kind == PLACE_TEMPORARY) {
        hold(lowering, &place->index);
    } else if (place->kind == PLACE_CHOICE) {
        hold_temporaries(lowering, place->one);
        hold_temporaries(lowering, place->other);
    }
}

static void store_choice(struct pfpu_lowering *lowering, struct place *place, int32_t value)
{
    if (lowering->straight) {
        (void)refuse_choice(lowering);
        return;
    }
    hold_temporaries(lowering, place);
    const int32_t branch = pfpu_lower_end_branch(lowering, held_value(lowering, &place->choice));
    pfpu_lower_set_target(lowering, branch, 0, pfpu_lower_begin_block(lowering));
    store_place(lowering, place->one, value);
    const int32_t one = pfpu_lower_end_jump(lowering);
    pfpu_lower_set_target(lowering, branch, 1, pfpu_lower_begin_block(lowering));
    store_place(lowering, place->other, value);
    const int32_t other = pfpu_lower_end_jump(lowering);
    const int32_t after = pfpu_lower_begin_block(lowering);
    pfpu_lower_set_target(lowering, one, 0, after);
    pfpu_lower_set_target(lowering, other, 0, after);
}

static void store_place(struct pfpu_lowering *lowering, struct place *place, int32_t value)
{
    if (lowering->failed) {
        return;
    }
    if (place->kind == PLACE_CELL) {
        pfpu_lower_set(lowering, place->key, value);
    } else if (place->kind == PLACE_MEMORY) {
        const enum pfpu_op store =
            place->load == PFPU_OP_GLOBAL_LOAD ? PFPU_OP_GLOBAL_STORE : PFPU_OP_MEMORY_STORE;
        (void)pfpu_lower_op(lowering, store, held_value(lowering, &place->index), value, 0);
    } else if (place->kind == PLACE_CHOICE) {
        store_choice(lowering, place, value);
    } else if (place->index.slot != 0) {
        pfpu_lower_set(lowering, place->index.slot, value);
    } else {
        place->index.value = value;
    }
}

/* min and max yield one of their arguments by reference. */
static void choose_smaller_or_larger(struct pfpu_lowering *lowering, struct place *place,
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
    place->choice.value = pfpu_lower_op(lowering, op, one, other, 0);
    place->value = pfpu_lower_op(lowering, PFPU_OP_SELECT, place->choice.value, one, other);
}

/* One arm of if(); returns its ended block. */
static int32_t lower_arm(struct pfpu_lowering *lowering, struct pfpu_node *node,
                         struct place **place, bool want_value, int32_t slot)
{
    *place = lower_place(lowering, node, want_value);
    if (lowering->failed) {
        return 0;
    }
    hold_place(lowering, *place);
    if (want_value) {
        pfpu_lower_set(lowering, slot, (*place)->value);
    }
    return pfpu_lower_end_jump(lowering);
}

static void choose_by_condition(struct pfpu_lowering *lowering, struct place *place,
                                const struct pfpu_node *node, bool want_value)
{
    if (lowering->straight) {
        (void)refuse_choice(lowering);
        return;
    }
    const int32_t slot = pfpu_lower_new_slot(lowering);
    place->kind = PLACE_CHOICE;
    place->choice.value = pfpu_lower_value(lowering, node->arguments[0]);
    const int32_t branch = pfpu_lower_end_branch(lowering, place->choice.value);
    pfpu_lower_set_target(lowering, branch, 0, pfpu_lower_begin_block(lowering));
    const int32_t one = lower_arm(lowering, node->arguments[1], &place->one, want_value, slot);
    pfpu_lower_set_target(lowering, branch, 1, pfpu_lower_begin_block(lowering));
    const int32_t other = lower_arm(lowering, node->arguments[2], &place->other, want_value, slot);
    const int32_t after = pfpu_lower_begin_block(lowering);
    pfpu_lower_set_target(lowering, one, 0, after);
    pfpu_lower_set_target(lowering, other, 0, after);
    if (want_value) {
        place->value = pfpu_lower_get(lowering, slot);
    }
}

static struct place *assign(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    struct place *place = lower_place(lowering, node->arguments[0], false);
    int32_t value = pfpu_lower_value(lowering, node->arguments[1]);
    if (lowering->failed) {
        return place;
    }
    lowering->offset = node->offset;
    if (node->function->op != PFPU_OP_COPY) {
        const int32_t old = load_place(lowering, place);
        value = pfpu_lower_op(lowering, node->function->op, old, value, 0);
    }
    value = pfpu_lower_op(lowering, PFPU_OP_FILTER, value, 0, 0);
    store_place(lowering, place, value);
    place->value = value;
    return place;
}

static struct place *place_of_last(struct pfpu_lowering *lowering, const struct pfpu_node *node,
                                   bool want_value)
{
    struct pfpu_node *part = node->first;
    while (part->next != NULL) {
        (void)pfpu_lower_value(lowering, part);
        part = part->next;
    }
    return lower_place(lowering, part, want_value);
}

static void place_of_call(struct pfpu_lowering *lowering, struct place *place,
                          struct pfpu_node *node, bool want_value)
{
    const struct pfpu_function *function = node->function;
    if (function->kind == PFPU_KIND_MEMORY) {
        place->kind = PLACE_MEMORY;
        place->load = function->op;
        place->index.value = pfpu_lower_value(lowering, node->arguments[0]);
        place->value = want_value ? load_place(lowering, place) : 0;
    } else if (function->kind == PFPU_KIND_IF) {
        choose_by_condition(lowering, place, node, want_value);
    } else if (function->op == PFPU_OP_MIN || function->op == PFPU_OP_MAX) {
        choose_smaller_or_larger(lowering, place, node);
    } else {
        place->value = pfpu_lower_value(lowering, node);
        place->index.value = place->value;
    }
}

static struct place *lower_place(struct pfpu_lowering *lowering, struct pfpu_node *node,
                                 bool want_value)
{
    if (node->kind == PFPU_NODE_SEQUENCE) {
        return place_of_last(lowering, node, want_value);
    }
    if (node->kind == PFPU_NODE_CALL && node->function->kind == PFPU_KIND_ASSIGN) {
        return assign(lowering, node);
    }
    struct place *place = new_place(lowering);
    if (place == NULL || lowering->failed) {
        return place;
    }
    lowering->offset = node->offset;
    if (node->kind == PFPU_NODE_NAME) {
        place->kind = PLACE_CELL;
        place->key = pfpu_lower_key_of_name(lowering, node->name);
        place->value = want_value ? load_place(lowering, place) : 0;
    } else if (node->kind == PFPU_NODE_NUMBER) {
        place->value = pfpu_lower_number(lowering, node->number);
        place->index.value = place->value;
    } else {
        place_of_call(lowering, place, node, want_value);
    }
    return place;
}

int32_t pfpu_lower_assign(struct pfpu_lowering *lowering, const struct pfpu_node *node)
{
    const struct place *place = assign(lowering, node);
    return lowering->failed || place == NULL ? 0 : place->value;
}
