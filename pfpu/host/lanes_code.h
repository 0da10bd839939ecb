/* The operations of ops.def over arrays. The plain versions are the definition; the others equal
 * them bit for bit (whether a NaN is negative is left open). */
#ifndef PFPU_HOST_LANES_CODE_H
#define PFPU_HOST_LANES_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "pfpu/host/lanes.h"
#include "pfpu/ir/ops.h"

enum { PFPU_LANES_WIDTH = 4, PFPU_LANES_KERNELS = 2 * PFPU_OP_COUNT };

/* step 1: one number per lane; 0: PFPU_LANES_WIDTH times the same number, for all lanes. */
struct pfpu_lanes_operand {
    const double *at;
    size_t step;
};

/* dst[i] = operation(operands[0][i], operands[1][i], operands[2][i]) for i in 0..count-1. count is
 * a multiple of PFPU_LANES_WIDTH. dst may be the array of an operand. All three operands point to
 * something, whatever the operation reads. */
typedef void (*pfpu_lanes_kernel)(double *dst, const struct pfpu_lanes_operand operands[3],
                                  size_t count);

/* By operation * 2, plus 1 for a filtered result. The table of a level may lack rows (NULL), then
 * the plain one counts; that has every pure operation. */
extern const pfpu_lanes_kernel pfpu_lanes_kernels_plain[PFPU_LANES_KERNELS];
extern const pfpu_lanes_kernel pfpu_lanes_kernels_four[PFPU_LANES_KERNELS];
extern const pfpu_lanes_kernel pfpu_lanes_kernels_avx2[PFPU_LANES_KERNELS];

/* The best kernel for a level; NULL if the operation is not a pure one. */
pfpu_lanes_kernel pfpu_lanes_kernel_for(enum base_cpu_level level, int32_t code);

/* The inside of struct pfpu_lanes: steps on the numbers of a run's scratch memory. */

enum pfpu_lanes_kind {
    PFPU_LANES_KERNEL,
    PFPU_LANES_LOAD,     /* of memory that the program does not write to */
    PFPU_LANES_DELAY,    /* the operand's value of the item before; `carry`: of the block before */
    PFPU_LANES_INPUT,    /* `number`: the port */
    PFPU_LANES_OUTPUT,   /* operand 0 to the port `number` */
    PFPU_LANES_SKIP,     /* leaves out the next `number` steps if operand 0 is true in no lane */
    PFPU_LANES_SERIAL,   /* the next `number` steps item by item */
    PFPU_LANES_SETTLING, /* the same; where an item leaves what it found, all after it do */
};

enum { PFPU_LANES_NOWHERE = -1 };

/* at: offset in the scratch memory. step: as in struct pfpu_lanes_operand. */
struct pfpu_lanes_place {
    int32_t at;
    int32_t step;
};

/* A cell of the scratch memory holds PFPU_LANES numbers, one for each item of a block, from `dst`
 * on, and one more at dst - 1: if `carry` is set, the number of the last item of the block before.
 * A step that reads, for every item, the number of the item before has dst - 1 as its place. */
struct pfpu_lanes_step {
    enum pfpu_lanes_kind kind;
    int32_t code; /* operation * 2, plus 1 if filtered */
    int32_t dst;
    int32_t number;
    int32_t keep;  /* where the last item's number goes, or PFPU_LANES_NOWHERE */
    int32_t carry; /* where the last item's number is kept for the next block, or NOWHERE */
    bool late;     /* only the last item's number is needed */
    struct pfpu_lanes_place operands[3];
    struct pfpu_lanes_place guard; /* in serial steps; at NOWHERE: always */
};

/* Computed once per run. */
struct pfpu_lanes_uniform {
    enum pfpu_op op;
    bool filtered;
    int32_t key;         /* of GET */
    int32_t port;        /* of GET: the input, or PFPU_LANES_NOWHERE */
    int32_t operands[3]; /* offsets */
    double number;
    int32_t dst;
};

/* A variable or register and a number of the scratch memory. */
struct pfpu_lanes_link {
    int32_t key;
    int32_t at;
};

struct pfpu_lanes {
    const struct pfpu_program *program;
    struct pfpu_lanes_ports ports;
    struct pfpu_lanes_facts facts;
    struct pfpu_lanes_uniform *uniforms;
    size_t uniform_count;
    struct pfpu_lanes_step *steps;
    size_t step_count;
    struct pfpu_lanes_link *carries; /* what the first item begins with */
    size_t carry_count;
    struct pfpu_lanes_link *finals; /* what the last item leaves */
    size_t final_count;
    size_t work_size;
};

/* Of the scratch memory, in bytes; and how many of its numbers stand before the first aligned one.
 */
enum { PFPU_LANES_ALIGNMENT = 64 };
static inline size_t pfpu_lanes_lead(const double *work)
{
    const size_t over = (uintptr_t)work % PFPU_LANES_ALIGNMENT / sizeof *work;
    return over == 0 ? 0 : PFPU_LANES_ALIGNMENT / sizeof *work - over;
}

/* Runs the steps after `head` for items 0..count-1 of a block. */
void pfpu_lanes_run_serial(const struct pfpu_lanes_step *head, struct pfpu_instance *instance,
                           struct pfpu_globals *globals, size_t count, double *work);

#endif
