/* From a scheduled program for the coprocessor to its words, and what a host must know to run them.
 *
 * The intermediate representation of such a program is one block. Its values are words. It consists
 * of NUMBER (see pfpu_word_of_number), GET, SET and the operations of opcodes.def:
 *   GET of PFPU_KEY_COLUMN, PFPU_KEY_ROW   the indices of the vertex, integers (R0, R1)
 *   GET of another key    a register that is loaded before the run and never changes in it, unless
 *                         there is a SET of the key
 *   SET of a key          at the end of a vertex' run the key's register holds the value; its GETs
 *                         see it for the next vertex, or the CPU reads it after the run
 *
 * Argument 0 of an IF is its condition, true unless all bits are 0; pfpu_legalise gives it a value
 * that goes to R2. There is one VECTOUT, the last instruction but for SETs; programs without one
 * are run once and get a VECTOUT of R0, R0 at their end. */
#ifndef PFPU_SCHEDULE_MICROCODE_H
#define PFPU_SCHEDULE_MICROCODE_H

#include "pfpu/ir/ir.h"
#include "pfpu/machine/target.h"
#include "pfpu/schedule/schedule.h"

enum { PFPU_KEY_COLUMN = 0, PFPU_KEY_ROW = 1 }; /* pfpu_key_of_register(0), (1) */

/* What stands in a register before the run, or after it. */
struct pfpu_binding {
    uint8_t number; /* of the register */
    bool constant;
    uint32_t word; /* of a constant */
    int32_t key;   /* of anything else */
};

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

/* Makes a program fit the machine's rules, before scheduling: every condition is committed to R2
 * for itself (a copy or a repeated comparison is added where its value is needed elsewhere, or by
 * IFs that cannot share it), every SET has a result of its own to commit. False: no memory. */
bool pfpu_legalise(struct pfpu_ir *ir, struct base_arena *scratch);

/* Assigns registers (spec/pfpu.md section 10, rule 6) and encodes. PFPU_FIT_REGISTERS if there are
 * not enough. */
enum pfpu_fit pfpu_encode(const struct pfpu_target *target, const struct pfpu_ir *ir,
                          const struct pfpu_schedule *schedule, struct base_arena *arena,
                          struct base_arena *scratch, struct pfpu_microcode *microcode);

/* Proves a program: the rules of the machine (operands read in time, no collision, no stray write,
 * nothing in flight at the end, loaded registers never written, the shifted base overwrites only
 * what it may), and on the machine model the same words as the IR's for `trials` random register
 * files, whole rows of vertices. NULL if all is well, else what is wrong, as static text. */
const char *pfpu_prove(const struct pfpu_target *target, const struct pfpu_ir *ir,
                       const struct pfpu_microcode *microcode, uint64_t seed, uint32_t trials,
                       struct base_arena *scratch);

/* The earliest word of the VECTOUT of a scheduled program if slots were free and one vertex ran at
 * a time, with the copies that stages take; UINT32_MAX without memory. */
uint32_t pfpu_critical_path(const struct pfpu_target *target, const struct pfpu_ir *ir,
                            struct base_arena *scratch);

#endif
