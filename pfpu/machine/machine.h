/* Machines that programs are compiled for, as schedulers and code selection see them, and one of
 * them whole: the coprocessor of the Milkymist One, its arithmetic bit for bit and its words cycle
 * by cycle. */
#ifndef PFPU_MACHINE_MACHINE_H
#define PFPU_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pfpu/ir/ops.h"

struct pfpu_target_op {
    bool legal;
    bool bound; /* stands ready from the start and takes no issue slot (variables, constants) */
    uint8_t latency; /* cycles from issue to commit; 0 only for bound ones */
};

struct pfpu_target {
    const char *name;
    struct pfpu_target_op ops[PFPU_OP_COUNT];
    uint32_t issue_width;    /* instructions per cycle, at least 1 */
    uint32_t commit_ports;   /* results per cycle; 0: no limit */
    uint32_t read_delay;     /* cycles from commit until an operand can read the result */
    uint32_t registers;      /* 0: no limit */
    uint32_t first_register; /* those before it have a purpose of their own */
    uint32_t program_size;   /* cycles of all blocks together; 0: no limit */
    bool branches;           /* more than one block */
    bool fuses;              /* filtered results, sums of products (pfpu_fuse) */
    uint32_t columns;        /* of the mesh; 0: the host chooses */
    uint32_t rows;
    uint32_t hertz; /* of the clock; 0: not a machine with a clock */
};

extern const struct pfpu_target pfpu_target_milkymist_one; /* the chip */
extern const struct pfpu_target pfpu_target_thesis;        /* with the latencies of the thesis */

/* The coprocessor's arithmetic (spec/pfpu.md section 4). Words are what the registers hold: floats
 * without NaN, infinities and denormals, or signed integers. Pure functions, total. */

/* The code of the hardware, the row in opcodes.def. */
enum pfpu_opcode {
    PFPU_OPCODE_NOP = 0,
    PFPU_OPCODE_FADD = PFPU_OP_WORD_FADD - PFPU_OP_WORD_NOP,
    PFPU_OPCODE_FSUB = PFPU_OP_WORD_FSUB - PFPU_OP_WORD_NOP,
    PFPU_OPCODE_VECTOUT = PFPU_OP_WORD_VECTOUT - PFPU_OP_WORD_NOP,
    PFPU_OPCODE_IF = PFPU_OP_WORD_IF - PFPU_OP_WORD_NOP,
    PFPU_OPCODE_COUNT = 16,
};

struct pfpu_opcode_row {
    const char *text;
    uint8_t operands; /* read by the machine */
    uint8_t latency;  /* of the chip; 0: no result */
    uint8_t thesis_latency;
};

extern const struct pfpu_opcode_row pfpu_opcodes[PFPU_OPCODE_COUNT];

static inline enum pfpu_op pfpu_op_of_opcode(unsigned opcode)
{
    return (enum pfpu_op)((unsigned)PFPU_OP_WORD_NOP + opcode);
}

static inline unsigned pfpu_opcode_of_op(enum pfpu_op op)
{
    return (unsigned)op - (unsigned)PFPU_OP_WORD_NOP;
}

/* The result of an operation. flag: the condition, for IF alone. NOP and VECTOUT give 0. Where the
 * chip's source leaves bits undefined they are 0, and a difference of nothing has 31 leading zeros.
 */
uint32_t pfpu_alu(unsigned opcode, uint32_t a, uint32_t b, bool flag);

/* The word nearest to a number: rounded to single precision, denormals to zero of the same sign,
 * what is too large to the largest finite one, NaN to 0. */
uint32_t pfpu_word_of_number(double number);

/* The number that a word stands for as a float; exponent 255 is an ordinary one. */
double pfpu_number_of_word(uint32_t word);

/* A cycle-stepped model of the coprocessor: the definition of what the hardware does, hazards and
 * all (spec/pfpu.md sections 2, 5 and 6). Plain data; any thread. */

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
