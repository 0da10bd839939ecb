/* Cuts a program into stages that work on successive vertices (pfpu.md section 10). */
#ifndef PFPU_STAGES_H
#define PFPU_STAGES_H

#include "pfpu/graph.h"
#include "pfpu/sched.h"

/* What every cut of one program starts from, by value. */
struct pfpu_cutter {
    const struct pfpu_target *target;
    const struct pfpu_ir *ir; /* legalised, one block, without SETs */
    struct pfpu_graph graph;  /* not cut */
    uint32_t critical_path;
    int32_t *start; /* earliest and latest cycle, added */
    int32_t *ready; /* from the start to the commit */
    uint32_t slots; /* operations */
    bool *row_only; /* does not depend on the column */
    uint32_t *uses;
    int32_t vectout; /* value */
};

/* A program cut into stages, with the copies that this takes. */
struct pfpu_cut {
    struct pfpu_ir ir;
    struct pfpu_stages stages;
    int32_t *origin; /* by value: in the program that was cut; PFPU_NO_VALUE: a copy */
};

/* Where to cut. */
struct pfpu_cut_places {
    uint32_t stages;                     /* 2..PFPU_STAGES_MAX */
    int32_t limits[PFPU_STAGES_MAX - 1]; /* of start, rising: at a limit the next stage begins */
    const bool
        *own; /* by use, 3 * value + operand: reads a copy made in its own stage; NULL: none */
};

/* False without memory, or if the program's edges form a circle. */
bool pfpu_cutter_init(struct pfpu_cutter *cutter, const struct pfpu_target *target,
                      const struct pfpu_ir *ir, struct base_arena *scratch);

/* False without memory. */
bool pfpu_cut_at(const struct pfpu_cutter *cutter, const struct pfpu_cut_places *places,
                 struct base_arena *scratch, struct pfpu_cut *cut);

/* Longest way through operations of one stage, as if stages did not wait for each other. heights:
 * memory for one number per node. */
int32_t pfpu_cut_inner_path(const struct pfpu_graph *graph, int32_t *heights);

/* Flags a use on the longest way of a cut's graph that makes one stage wait for another, for the
 * next cut. False if there is none left. */
bool pfpu_cut_relieve(const struct pfpu_cut *cut, const struct pfpu_graph *graph,
                      const int32_t *heights, bool *own);

#endif
