/* Linear forms: what a program for the coprocessor is made small with.
 *
 * A value that depends on the vertex is kept as factor * atom + factor * atom + ... + constant.
 * Atoms are results of the vertex program that no linear rule looks into (a coordinate, a sine, a
 * product). Factors and constants are the same for all vertices: they are computed in the frame
 * program, once per frame. So chains of scaling, shifting and mixing melt into one product and one
 * sum per atom, and a selection by a condition of the frame selects factors.
 *
 * Signs are kept aside, so that a factor and its negative share their product. */
#ifndef PFPU_SELECT_LINEAR_H
#define PFPU_SELECT_LINEAR_H

#include "pfpu/select/build.h"

enum { PFPU_LINEAR_TERMS = 8 };

/* A value of the frame program, or its negative. */
struct pfpu_factor {
    int32_t node;
    bool negative;
};

struct pfpu_term {
    int32_t atom; /* value of the vertex program */
    struct pfpu_factor factor;
};

struct pfpu_linear {
    size_t count;
    struct pfpu_term terms[PFPU_LINEAR_TERMS];
    struct pfpu_factor constant;
};

/* A value of the vertex program, or its negative. */
struct pfpu_atom {
    int32_t value;
    bool negative;
};

/* What stands in a link that a program for the coprocessor reads or writes. */
enum pfpu_link_kind {
    PFPU_LINK_FRAME,   /* computed by the frame program for the vertex program */
    PFPU_LINK_CPU,     /* computed by the CPU before the frame program runs */
    PFPU_LINK_CARRIED, /* a variable that goes from vertex to vertex */
};

struct pfpu_link {
    enum pfpu_link_kind kind;
    int32_t source; /* CARRIED: variable. While compiling, FRAME: value of the frame program; CPU:
                       value of the equations */
};

/* The two programs under construction. */
struct pfpu_linear_programs {
    struct pfpu_builder *frame;
    struct pfpu_builder *vertex;
    struct base_arena *scratch;
    int32_t *link_of; /* by frame value: key of the link that hands it over; 0: none */
    size_t link_of_capacity;
    struct pfpu_link *links;
    int32_t first_link; /* key of the first of them: above all variables */
    size_t link_capacity;
    int32_t link_count;
    uint32_t *ready; /* by vertex value: the earliest cycle in which it can be read */
    size_t ready_capacity;
    size_t ready_count;
    const struct pfpu_target *target;
    const int32_t *frame_stores; /* by variable: PFPU_NO_VALUE where the frame program leaves it as
                                    it is; NULL: everywhere */
    size_t frame_store_count;
};

/* A new link's key; 0, which is no link's, without memory. */
int32_t pfpu_linear_new_link(struct pfpu_linear_programs *programs, enum pfpu_link_kind kind,
                             int32_t source);

/* Factors. */
struct pfpu_factor pfpu_factor_number(struct pfpu_linear_programs *programs, double number);
struct pfpu_factor pfpu_factor_of(struct pfpu_linear_programs *programs, int32_t node);
struct pfpu_factor pfpu_factor_add(struct pfpu_linear_programs *programs, struct pfpu_factor a,
                                   struct pfpu_factor b);
struct pfpu_factor pfpu_factor_multiply(struct pfpu_linear_programs *programs, struct pfpu_factor a,
                                        struct pfpu_factor b);
struct pfpu_factor pfpu_factor_negate(struct pfpu_factor a);
/* True if it is a number, which is then stored. */
bool pfpu_factor_known(const struct pfpu_linear_programs *programs, struct pfpu_factor a,
                       double *number);
/* A node of the frame program with the factor's sign in it. */
int32_t pfpu_factor_node(struct pfpu_linear_programs *programs, struct pfpu_factor a);

/* Forms. */
struct pfpu_linear pfpu_linear_uniform(struct pfpu_factor constant);
struct pfpu_linear pfpu_linear_atom(struct pfpu_linear_programs *programs, struct pfpu_atom atom);
bool pfpu_linear_is_uniform(const struct pfpu_linear *form);
struct pfpu_linear pfpu_linear_add(struct pfpu_linear_programs *programs,
                                   const struct pfpu_linear *a, const struct pfpu_linear *b);
struct pfpu_linear pfpu_linear_negate(struct pfpu_linear form);
struct pfpu_linear pfpu_linear_scale(struct pfpu_linear_programs *programs,
                                     const struct pfpu_linear *form, struct pfpu_factor factor);
struct pfpu_linear pfpu_linear_multiply(struct pfpu_linear_programs *programs,
                                        const struct pfpu_linear *a, const struct pfpu_linear *b);
/* condition: a node of the frame program. */
struct pfpu_linear pfpu_linear_select(struct pfpu_linear_programs *programs, int32_t condition,
                                      const struct pfpu_linear *yes, const struct pfpu_linear *no);

/* The earliest cycle in which a value of the vertex program can be read. */
uint32_t pfpu_linear_ready(struct pfpu_linear_programs *programs, int32_t value);

/* Makes the form a value of the vertex program, or of its negative where that is cheaper. */
struct pfpu_atom pfpu_linear_make(struct pfpu_linear_programs *programs,
                                  const struct pfpu_linear *form);
/* With its sign. */
int32_t pfpu_linear_value(struct pfpu_linear_programs *programs, const struct pfpu_linear *form);
/* Takes a factor out of the form where that saves a product: form = *scale * result. It is the only
 * term's, or a known number. */
struct pfpu_linear pfpu_linear_normalise(struct pfpu_linear_programs *programs,
                                         const struct pfpu_linear *form, struct pfpu_factor *scale);
/* A frame value as an operand of the vertex program. */
int32_t pfpu_linear_operand(struct pfpu_linear_programs *programs, struct pfpu_factor factor);

#endif
