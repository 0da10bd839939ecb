/* The same program for many items (vertices of the mesh, points of a wave), several at a time.
 *
 * The result is in every bit what this loop leaves behind, whatever the program does:
 *     for each item in order: set the inputs in the instance, pfpu_run, read the outputs
 * including all variables, registers, memory, random numbers and the budget. (Whether a NaN is
 * negative is left open; nothing in the language can tell.)
 *
 * How: conditions become selections, so that the program is one sequence of operations. What
 * depends on nothing that differs between items is computed once per run. All other operations run
 * over PFPU_LANES items at a time, but for those through which items depend on one another, which
 * run item by item inside such a block:
 *   - a variable or register that is read before it is written (also: left as it was under some
 *     condition) carries its value to the next item; the operations on a way from that read to that
 *     write form a serial group. Without such a way the values only move on by one item;
 *   - all uses of rand form one group, since they share the generator; so do all reads and writes
 *     of megabuf, if the program writes to it, and of gmegabuf.
 * Programs with loops, memset or memcpy run one by one, as do those where serial groups prevail. */
#ifndef PFPU_HOST_LANES_H
#define PFPU_HOST_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/cpu.h"
#include "pfpu/host/run.h"

enum { PFPU_LANES = 64 };

/* A variable that is set before every item. */
struct pfpu_lanes_input {
    int variable;
    bool varies; /* every item has a value of its own; else all have the same */
};

/* What goes in and out per item. Inputs are different variables. */
struct pfpu_lanes_ports {
    const struct pfpu_lanes_input *inputs;
    size_t input_count;
    const int *outputs; /* variables read after each item */
    size_t output_count;
};

struct pfpu_lanes;

/* Prepares a program; immutable, lives in the arena with a copy of the ports. NULL without memory.
 */
const struct pfpu_lanes *pfpu_lanes_create(const struct pfpu_program *program,
                                           const struct pfpu_lanes_ports *ports,
                                           struct base_arena *arena);

/* How the operations run, for people and tests. */
struct pfpu_lanes_facts {
    bool one_by_one;
    size_t uniform; /* operations once per run */
    size_t lanes;   /* operations over blocks of items */
    size_t serial;  /* operations item by item */
};
struct pfpu_lanes_facts pfpu_lanes_facts(const struct pfpu_lanes *lanes);

/* Scratch memory that a run needs, in doubles. */
size_t pfpu_lanes_work_size(const struct pfpu_lanes *lanes);

/* Arrays in the order of the ports. An input that varies has `count` numbers, another one number;
 * every output has room for `count`. Outputs overlap nothing. */
struct pfpu_lanes_items {
    size_t count;
    const double *const *inputs;
    double *const *outputs;
};

/* work: pfpu_lanes_work_size numbers with any content; runs may share them. */
void pfpu_lanes_run(const struct pfpu_lanes *lanes, enum base_cpu_level level,
                    struct pfpu_instance *instance, struct pfpu_globals *globals,
                    const struct pfpu_lanes_items *items, double *work);

/* Whether no item depends on another, so that parts of them can run on several threads. */
bool pfpu_lanes_divides(const struct pfpu_lanes *lanes);

/* Items first..end - 1 of such a run; first is a multiple of PFPU_LANES, end too, or it is the last
 * item's. Parts share the instance and globals, of which they change nothing, and the items, of
 * which each writes outputs of its own; each needs work of its own. Once all are done,
 * pfpu_lanes_end_parts with the work of the part that has the last item leaves what pfpu_lanes_run
 * would. */
void pfpu_lanes_run_part(const struct pfpu_lanes *lanes, enum base_cpu_level level,
                         struct pfpu_instance *instance, struct pfpu_globals *globals,
                         const struct pfpu_lanes_items *items, double *work, size_t first,
                         size_t end);
void pfpu_lanes_end_parts(const struct pfpu_lanes *lanes, struct pfpu_instance *instance,
                          struct pfpu_globals *globals, const struct pfpu_lanes_items *items,
                          double *work);

#endif
