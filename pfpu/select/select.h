/* From the host's intermediate representation of a program of one block to programs for the
 * coprocessor. If the frame builder is plain, nothing is moved out of the program or merged:
 * variables are values of that builder, which then makes the one program there is. */
#ifndef PFPU_SELECT_SELECT_H
#define PFPU_SELECT_SELECT_H

#include "pfpu/select/linear.h"

/* What a variable of the equations is to the coprocessor's programs. */
enum pfpu_role_kind {
    PFPU_ROLE_ZERO,    /* nobody ever sets it */
    PFPU_ROLE_FACTOR,  /* a value of the frame program */
    PFPU_ROLE_INPUT,   /* what stands in a register before the frame program runs */
    PFPU_ROLE_INDEX,   /* column or row of the vertex */
    PFPU_ROLE_CARRIED, /* what the vertex before left */
};

struct pfpu_variable_role {
    enum pfpu_role_kind kind;
    struct pfpu_factor factor;
    int32_t key; /* of an input or index */
};

enum { PFPU_PROBLEMS_MAX = 8 };

/* An operation that does not fit. */
struct pfpu_problem {
    enum pfpu_op op;
    uint32_t offset;
    bool varies; /* its operands depend on the vertex */
};

struct pfpu_selection {
    const struct pfpu_ir *source; /* verified, one block */
    struct pfpu_linear_programs programs;
    const struct pfpu_variable_role *roles; /* by variable */
    size_t role_count;
    const int32_t *stores;      /* by variable, see pfpu_select_stores */
    struct pfpu_linear *values; /* by value of the source; of those that are needed */
    bool *live;
    uint32_t *uses;
    bool cpu_helps;          /* what is the same for all vertices may be left to the CPU */
    bool favours_short_path; /* a short way is worth more than few operations */
    bool has_shorter;        /* set if favouring it would have made another program */
    struct pfpu_problem problems[PFPU_PROBLEMS_MAX];
    size_t problem_count; /* the first of each kind; 0: it fits */
};

/* Translates all that the values in `roots` need, and with them the variables that go from vertex
 * to vertex. False: no memory. Then linear forms of the roots stand in `values`. */
bool pfpu_select(struct pfpu_selection *selection, const int32_t *roots, size_t root_count);

/* By variable of the scope: the value that a program of one block stores there, or PFPU_NO_VALUE.
 * NULL without memory. */
const int32_t *pfpu_select_stores(const struct pfpu_ir *source, size_t variables,
                                  struct base_arena *scratch);

/* Afterwards. */

/* Makes a program fit the machine's rules, before scheduling: every condition is committed to R2
 * for itself (a copy or a repeated comparison is added where its value is needed elsewhere, or by
 * IFs that cannot share it), every SET has a result of its own to commit. False: no memory. */
bool pfpu_legalise(struct pfpu_ir *ir, struct base_arena *scratch);

#endif
