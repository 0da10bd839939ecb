/* Microcode: the coprocessor's words, and what a host must know to run them. It is made from a
 * scheduled program (ir.h) or from assembly, and proved against the program. */
#ifndef PFPU_MICROCODE_MICROCODE_H
#define PFPU_MICROCODE_MICROCODE_H

#include "base/arena.h"
#include "base/text.h"
#include "pfpu/ir/ir.h"
#include "pfpu/machine/machine.h"
#include "pfpu/schedule/register_allocation.h"
#include "pfpu/schedule/schedule.h"

struct pfpu_microcode {
    uint32_t *words;
    size_t length;    /* the words to load; the last one follows the VECTOUT */
    uint32_t vectout; /* the number of the VECTOUT's word */
    uint32_t stages;  /* K: vertices in flight at the same time, from 1 (spec/pfpu.md section 10) */
    struct pfpu_binding *inputs;
    size_t input_count;
    struct pfpu_binding *outputs; /* the SETs */
    size_t output_count;
    uint32_t operations; /* issued, VECTOUT included */
    uint32_t registers;  /* used, R0..R2 included where they are */
};

/* Assigns registers (spec/pfpu.md section 10, rule 6) and encodes. PFPU_FIT_REGISTERS if there are
 * not enough. */
enum pfpu_fit pfpu_encode(const struct pfpu_target *target, const struct pfpu_ir *ir,
                          const struct pfpu_schedule *schedule, struct base_arena *arena,
                          struct base_arena *scratch, struct pfpu_microcode *microcode);

/* Assembly, one word per line, comments behind ';':
 *   .input r5 1.5        a constant (a number, or $3fc00000)      .stages 2
 *   .input r6 zoom       a variable                               .output r9 zoom
 *   .input r8 %12        a key by its number, where keys have no names
 *   12: fadd r4, r5 -> r7     both halves: the issue, and the register of what commits in this word
 *   13: nop -> r0             "-> r0" may be left out; so may the word's number
 */

/* Assembles a text; messages with line and column. Names become keys through `key`, which returns
 * false for a name it does not know; without a table keys are numbers. The critical path
 * is not known then: 0. Returns 0, or -1 with an error reported and nothing changed. */
struct pfpu_key_table {
    bool (*key)(void *user, struct base_span name, int32_t *key);
    void *user;
};
int pfpu_assemble(struct base_span text, const char *file, const struct pfpu_key_table *table,
                  struct base_arena *arena, const struct base_diag_sink *sink,
                  struct pfpu_microcode *microcode);

/* Proofs by trial: of microcode, and of the lane executor, against the IR. */

/* Proves a program: the rules of the machine (operands read in time, no collision, no stray write,
 * nothing in flight at the end, loaded registers never written, the shifted base overwrites only
 * what it may), and on the machine model the same words as the IR's for `trials` random register
 * files, whole rows of vertices. NULL if all is well, else what is wrong, as static text. */
const char *pfpu_prove(const struct pfpu_target *target, const struct pfpu_ir *ir,
                       const struct pfpu_microcode *microcode, uint64_t seed, uint32_t trials,
                       struct base_arena *scratch);

/* Runs a program for the coprocessor over `trials` random register files, and over a mesh, at every
 * level of this machine, one by one and in lanes. NULL if all words agree, else what is wrong, as
 * static text. */
const char *pfpu_prove_lanes(const struct pfpu_ir *ir, uint64_t seed, uint32_t trials,
                             struct base_arena *scratch);

#endif
