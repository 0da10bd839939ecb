/* What lanes (lanes.h) compute of one item, as a list in which each value is made once, for whoever
 * computes items elsewhere. Conditions are selections; what is the same for all items is a number
 * that a run has found. */
#ifndef PFPU_HOST_LINES_H
#define PFPU_HOST_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "pfpu/host/lanes.h"
#include "pfpu/ir/ops.h"

/* A pure operation of values before it. */
struct pfpu_line {
    enum pfpu_op op;
    bool filtered; /* the result passes through the filter of assignments (pfpu/ir/arith.h) */
    int32_t arguments[3];
};

/* A number that is the same for all items; `fixed`: in all runs as well. */
struct pfpu_line_number {
    bool fixed;
    double number; /* if it is fixed */
};

/* Values are counted: first the numbers, then the inputs, by port, then the lines. Inputs that do
 * not vary are not used. */
struct pfpu_lines {
    const struct pfpu_line_number *numbers;
    size_t number_count;
    size_t input_count;
    const struct pfpu_line *lines;
    size_t line_count;
    const int32_t *outputs; /* of each port its value */
    size_t output_count;
    int64_t cost; /* of all lines, in simple operations (ops.def) */
};

/* The outputs of every item; what only the last one leaves is not among the lines. NULL without
 * memory, or where items depend on one another, or look into memory by what varies. Lives in the
 * arena. */
const struct pfpu_lines *pfpu_lines_create(const struct pfpu_lanes *lanes,
                                           struct base_arena *arena);

/* Copies what the numbers were in the last run of the lanes, or a part of it, with this work. */
void pfpu_lines_numbers(const struct pfpu_lanes *lanes, const double *work, double *numbers);

#endif
