/* The parts of lowering, for lower*.c only: values, control flow, places.
 * Order of evaluation: arguments from left to right; the place of an assignment (its index, its
 * condition) before the value. After a failure everything goes on with value 0 and no effect. */
#ifndef PFPU_LOWERING_H
#define PFPU_LOWERING_H

#include "pfpu/ast.h"
#include "pfpu/complaint.h"
#include "pfpu/ir.h"

/* What the current block knows about a variable or register. */
struct pfpu_binding {
    uint32_t epoch; /* of the block; another one: nothing known */
    int32_t value;
    bool written;
};

/* A binding before a guarded part of the program changed it. */
struct pfpu_trail_entry {
    int32_t key;
    struct pfpu_binding old;
};

struct pfpu_lowering {
    struct pfpu_ir *ir;
    struct pfpu_scope *scope;
    struct base_arena *scratch;
    struct pfpu_complaint *complaint;
    struct pfpu_binding *bindings; /* by key */
    size_t binding_capacity;
    int32_t *written; /* keys to be set at the end of the block */
    size_t written_count;
    size_t written_capacity;
    uint32_t epoch;
    bool straight; /* one block: conditions become selections, loops are written out */
    struct pfpu_trail_entry *trail;
    size_t trail_count;
    size_t trail_capacity;
    uint32_t steps;  /* nodes lowered so far; a straight program writes loops out */
    unsigned guards; /* nested guarded parts; the trail is kept only in there */
    size_t offset;   /* of the node at hand, for complaints */
    bool failed;
};

/* lower.c: values */
int32_t pfpu_lower_value(struct pfpu_lowering *lowering, struct pfpu_node *node);
int32_t pfpu_lower_op(struct pfpu_lowering *lowering, enum pfpu_op op, int32_t a, int32_t b,
                      int32_t c);
int32_t pfpu_lower_number(struct pfpu_lowering *lowering, double number);
int32_t pfpu_lower_key_of_name(struct pfpu_lowering *lowering, struct base_span name);
int32_t pfpu_lower_get(struct pfpu_lowering *lowering, int32_t key);
void pfpu_lower_set(struct pfpu_lowering *lowering, int32_t key, int32_t value);

/* A fresh slot's key. Slots are set and read at once, not at the ends of blocks; in one block a
 * slot is read before it is set, and set once. */
int32_t pfpu_lower_new_slot(struct pfpu_lowering *lowering);

/* Ends the current block; returns its index so that its targets can be set later. */
int32_t pfpu_lower_end_jump(struct pfpu_lowering *lowering);
int32_t pfpu_lower_end_branch(struct pfpu_lowering *lowering, int32_t condition);
int32_t pfpu_lower_begin_block(struct pfpu_lowering *lowering);
void pfpu_lower_set_target(struct pfpu_lowering *lowering, int32_t block, int which,
                           int32_t target);

/* lower_control.c: lazy functions */
int32_t pfpu_lower_if(struct pfpu_lowering *lowering, const struct pfpu_node *node);
int32_t pfpu_lower_and_or(struct pfpu_lowering *lowering, const struct pfpu_node *node,
                          int32_t left);
int32_t pfpu_lower_loop(struct pfpu_lowering *lowering, const struct pfpu_node *node);
int32_t pfpu_lower_while(struct pfpu_lowering *lowering, const struct pfpu_node *node);

/* lower_straight.c: the same for programs of one block. yes, no: NULL stands for a value of 0. */
int32_t pfpu_lower_select(struct pfpu_lowering *lowering, int32_t condition, struct pfpu_node *yes,
                          struct pfpu_node *no);
int32_t pfpu_lower_unrolled(struct pfpu_lowering *lowering, const struct pfpu_node *node);

/* Notes that the program cannot be one block, at the node at hand; returns 0. */
int32_t pfpu_lower_refuse(struct pfpu_lowering *lowering, const char *hint, const char *what);

/* lower_place.c: assignment; returns the value that was stored */
int32_t pfpu_lower_assign(struct pfpu_lowering *lowering, const struct pfpu_node *node);

#endif
