/* Microcode as text: assembler both ways, hexadecimal, and a picture of the schedule.
 *
 * Assembly, one word per line, comments behind ';':
 *   .input r5 1.5        a constant (a number, or $3fc00000)      .stages 2
 *   .input r6 zoom       a variable                               .output r9 zoom
 *   .input r8 %12        a key by its number, where keys have no names
 *   12: fadd r4, r5 -> r7     both halves: the issue, and the register of what commits in this word
 *   13: nop -> r0             "-> r0" may be left out; so may the word's number
 */
#ifndef PFPU_MICROCODE_LISTING_H
#define PFPU_MICROCODE_LISTING_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "pfpu/microcode/microcode.h"

/* Names a key for people; the text lives as long as the caller's data. */
struct pfpu_key_names {
    const char *(*name)(const void *user, int32_t key);
    const void *user;
};

/* Text in the arena, NULL without memory. */
char *pfpu_listing_asm(const struct pfpu_microcode *microcode, const struct pfpu_key_names *names,
                       struct base_arena *arena);

/* One word per line, eight hexadecimal digits. With K > 1 vertices in flight "# mesh: stages K"
 * comes first: a host shifts the mesh for such a program. */
char *pfpu_listing_hex(const struct pfpu_microcode *microcode, struct base_arena *arena);

/* The registers before the run, "r5 3fc00000" for each constant; those with a key hold 0, and a
 * comment behind '#' names them. R0 and R1, which the coprocessor sets, are left out. */
char *pfpu_listing_registers(const struct pfpu_microcode *microcode,
                             const struct pfpu_key_names *names, struct base_arena *arena);

/* Slots over cycles: for each word what issues, what is under way in each pipeline and what
 * commits, 100 columns at most. */
char *pfpu_listing_schedule(const struct pfpu_target *target,
                            const struct pfpu_microcode *microcode, struct base_arena *arena);

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

#endif
