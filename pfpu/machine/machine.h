/* A cycle-stepped model of the coprocessor: the definition of what the hardware does, hazards and
 * all (spec/pfpu.md sections 2, 5 and 6). Plain data; any thread. */
#ifndef PFPU_MACHINE_MACHINE_H
#define PFPU_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pfpu/machine/target.h"

enum {
    PFPU_MACHINE_REGISTERS = 128,
    PFPU_MACHINE_WORDS = 2048,
    PFPU_MACHINE_SIDE = 128,   /* vertices in a row of memory */
    PFPU_MACHINE_VERTEX = 8,   /* bytes of memory */
    PFPU_MACHINE_ROW = 1024,   /* bytes of memory from one row of vertices to the next */
    PFPU_MACHINE_CONDITION = 2 /* the register whose writes set the flag */
};

/* An instruction word, spec/pfpu.md section 2. */
static inline uint32_t pfpu_word_make(unsigned a, unsigned b, unsigned opcode, unsigned destination)
{
    return (a << 18) | (b << 11) | (opcode << 7) | destination;
}

static inline unsigned pfpu_word_a(uint32_t word)
{
    return (word >> 18) & 127;
}

static inline unsigned pfpu_word_b(uint32_t word)
{
    return (word >> 11) & 127;
}

static inline unsigned pfpu_word_opcode(uint32_t word)
{
    return (word >> 7) & 15;
}

static inline unsigned pfpu_word_destination(uint32_t word)
{
    return word & 127;
}

struct pfpu_machine {
    uint32_t code[PFPU_MACHINE_WORDS];          /* 25 bits each */
    uint32_t registers[PFPU_MACHINE_REGISTERS]; /* as the program sees them: 0 and 1 are x and y */
    bool flag;                                  /* R2 was written with other than 0 */
    uint32_t mesh_base;                         /* the low 3 bits count as 0 */
    uint32_t last_column;                       /* 0..127 */
    uint32_t last_row;
    uint32_t bus_cycles;   /* per word written; 2 at least: a slave that answers at once */
    uint8_t latency[16];   /* by opcode, 15 at most; 0: no result */
    uint32_t vertices;     /* finished ones, 14 bits */
    uint32_t collisions;   /* 11 bits */
    uint32_t stray_writes; /* 11 bits */
    uint32_t last_write;   /* address */
    uint64_t cycles;       /* of the run, from start to the last word accepted */
};

/* What a run writes, in the order of writing. */
struct pfpu_machine_bus {
    void (*write)(void *user, uint32_t address, uint32_t data);
    void *user;
};

/* Everything zero, the latencies of the target, a bus that answers at once. */
void pfpu_machine_init(struct pfpu_machine *machine, const struct pfpu_target *target);

/* Writes a register as the CPU does: register 2 sets the flag, 0 and 1 have no effect. */
void pfpu_machine_set_register(struct pfpu_machine *machine, unsigned number, uint32_t value);

/* Copies a program to the beginning of the code, 25 bits of each word; the rest of the code becomes
 * NOP. At most PFPU_MACHINE_WORDS. */
void pfpu_machine_load(struct pfpu_machine *machine, const uint32_t *words, size_t count);

/* Runs the program over the mesh. Clears the counters first; registers keep what the last run left.
 * False if a vertex does not come to a VECTOUT within 2 * PFPU_MACHINE_WORDS words, where the chip
 * would stay busy for ever; what was written up to then is written. bus may be NULL. */
bool pfpu_machine_run(struct pfpu_machine *machine, const struct pfpu_machine_bus *bus);

/* Cycles from one vertex to the next for a program whose VECTOUT stands in word v: spec/pfpu.md
 * section 5, with a slave that answers at once. */
static inline uint32_t pfpu_machine_vertex_cycles(uint32_t vectout)
{
    return vectout + 7;
}

#endif
