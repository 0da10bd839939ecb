/* The LatticeMico32 of the Milkymist One: instructions, exceptions, interrupts, control registers
 * and the first-level caches, cycle by cycle as far as its manual tells. Plain data; one thread. */
#ifndef BOARD_TWIN_LM32_H
#define BOARD_TWIN_LM32_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BOARD_LM32_LINES = 256,
    BOARD_LM32_LINE_WORDS = 4,
    BOARD_LM32_LINE_BYTES = 16,
    BOARD_LM32_EMPTY = 1, /* the block of a line that holds nothing */
};
#define BOARD_LM32_UNCACHED 0x80000000u /* addresses from here on pass by the caches */

enum { BOARD_LM32_BUS_ERROR = -1 };

/* What lies behind the caches. Each returns the cycles that it took, or BOARD_LM32_BUS_ERROR. `now`
 * is the cycle at which it begins. */
struct board_lm32_bus {
    int (*read)(void *user, uint64_t now, uint32_t address, uint32_t *word);
    int (*line)(void *user, uint64_t now, uint32_t address, uint32_t *words); /* of 16 bytes */
    /* mask: which bits of the word are written */
    int (*write)(void *user, uint64_t now, uint32_t address, uint32_t word, uint32_t mask);
    void *user;
};

enum board_lm32_code {
    BOARD_LM32_CODE_line_end, /* behind the last instruction of a line */
    BOARD_LM32_CODE_illegal,
#define LM32_ALU(name, ...)    BOARD_LM32_CODE_##name,
#define LM32_LOAD(name, ...)   BOARD_LM32_CODE_##name,
#define LM32_STORE(name, ...)  BOARD_LM32_CODE_##name,
#define LM32_BRANCH(name, ...) BOARD_LM32_CODE_##name,
#define LM32_OTHER(name, ...)  BOARD_LM32_CODE_##name,
#include "board/twin/lm32_ops.def"
    BOARD_LM32_CODES
};

/* A decoded instruction. */
struct board_lm32_op {
    uint8_t code;
    uint8_t a;       /* first operand */
    uint8_t b;       /* second operand, or what is stored */
    uint8_t d;       /* result */
    uint32_t value;  /* immediate; of jumps the distance in bytes */
    uint32_t cycles; /* with what it waits for results of its neighbours in the line */
};

struct board_lm32_icache_line {
    uint32_t block; /* address, or BOARD_LM32_EMPTY */
    struct board_lm32_op ops[BOARD_LM32_LINE_WORDS + 1];
};

struct board_lm32_icache {
    struct board_lm32_icache_line lines[BOARD_LM32_LINES];
    struct board_lm32_icache_line direct; /* one instruction that no cache holds */
    uint64_t misses;
};

struct board_lm32_dcache_line {
    uint32_t block;
    uint32_t words[BOARD_LM32_LINE_WORDS];
};

struct board_lm32_dcache {
    struct board_lm32_dcache_line lines[BOARD_LM32_LINES];
    uint64_t misses;
};

/* The meaning of a word; cycles are those of the instruction alone. */
struct board_lm32_op board_lm32_decode(uint32_t word);

/* The mnemonic of a code; "?" for an illegal one. */
const char *board_lm32_code_name(unsigned code);

void board_lm32_icache_clear(struct board_lm32_icache *cache);
void board_lm32_dcache_clear(struct board_lm32_dcache *cache);

/* The line that holds the instruction at pc, read if it is not there; of an uncached pc `direct`.
 * Adds the cycles to *now. NULL: bus error. *first: which of its instructions stands at pc. */
struct board_lm32_icache_line *board_lm32_icache_fill(struct board_lm32_icache *cache,
                                                      const struct board_lm32_bus *bus,
                                                      uint64_t *now, uint32_t pc, unsigned *first);

/* The word around an address, through the cache or past it. Adds the cycles to *now. False: bus
 * error. */
bool board_lm32_dcache_read(struct board_lm32_dcache *cache, const struct board_lm32_bus *bus,
                            uint64_t *now, uint32_t address, uint32_t *word);

/* Changes bits of a word if the cache holds it. */
static inline void board_lm32_dcache_update(struct board_lm32_dcache *cache, uint32_t address,
                                            uint32_t word, uint32_t mask)
{
    struct board_lm32_dcache_line *line =
        &cache->lines[address / BOARD_LM32_LINE_BYTES % BOARD_LM32_LINES];
    if (line->block == (address & ~(uint32_t)(BOARD_LM32_LINE_BYTES - 1))) {
        uint32_t *held = &line->words[address / 4 % BOARD_LM32_LINE_WORDS];
        *held = (*held & ~mask) | (word & mask);
    }
}

/* The processor. */

enum {
    BOARD_LM32_REGISTERS = 32,
    BOARD_LM32_EA = 30, /* where eret goes */
    BOARD_LM32_BA = 31, /* where bret goes */
    BOARD_LM32_VECTOR = 32,
    BOARD_LM32_POINTS = 4 /* break- and watchpoints */
};

/* Exceptions, in the order of their vectors. */
enum board_lm32_exception {
    BOARD_LM32_RESET,
    BOARD_LM32_BREAKPOINT,
    BOARD_LM32_INSTRUCTION_BUS_ERROR,
    BOARD_LM32_WATCHPOINT,
    BOARD_LM32_DATA_BUS_ERROR,
    BOARD_LM32_DIVIDE_BY_ZERO,
    BOARD_LM32_INTERRUPT,
    BOARD_LM32_SYSTEM_CALL,
};

/* Control registers by number. */
enum board_lm32_control {
    BOARD_LM32_IE = 0x0,
    BOARD_LM32_IM = 0x1,
    BOARD_LM32_IP = 0x2,
    BOARD_LM32_ICC = 0x3,
    BOARD_LM32_DCC = 0x4,
    BOARD_LM32_CC = 0x5,
    BOARD_LM32_CFG = 0x6,
    BOARD_LM32_EBA = 0x7,
    BOARD_LM32_DC = 0x8,
    BOARD_LM32_DEBA = 0x9,
    BOARD_LM32_CFG2 = 0xA,
    BOARD_LM32_BP0 = 0x10,
    BOARD_LM32_WP0 = 0x18,
};

/* Why the processor stands still. */
enum board_lm32_stop {
    BOARD_LM32_RUNS,
    BOARD_LM32_ILLEGAL, /* a word that is no instruction; pc is its address */
    BOARD_LM32_BROKE,   /* a break, or an exception for the debugger, while there is no debugger */
    BOARD_LM32_CALLED,  /* a system call, if the caller wants to make them; pc is after it */
    BOARD_LM32_HALTED,  /* from outside */
};

struct board_lm32 {
    uint32_t r[BOARD_LM32_REGISTERS]; /* 0 is a register as any other */
    uint32_t pc;
    bool ie; /* interrupts are taken; what they were before an exception, before a break */
    bool eie;
    bool bie;
    uint32_t im;
    uint32_t ip;    /* latched */
    uint32_t lines; /* levels, which show in IP as long as they last */
    uint32_t eba;
    uint32_t deba;
    uint32_t dc;
    uint32_t points[2 * BOARD_LM32_POINTS];
    uint64_t cycles;
    uint64_t deadline;     /* board_lm32_run returns soon after it */
    uint64_t store_done;   /* when the last store has left */
    uint64_t instructions; /* executed */
    enum board_lm32_stop stop;
    bool stops_at_calls;
    struct board_lm32_bus bus; /* the caller's */
    struct board_lm32_icache icache;
    struct board_lm32_dcache dcache;
};

/* As after a reset, at an address: registers 0, interrupts off, caches empty. The bus stays. */
void board_lm32_reset(struct board_lm32 *cpu, uint32_t pc);

/* Runs until cpu->deadline, and to the end of the line of the instruction cache or to the next jump
 * that is taken, where interrupts are looked at. Returns at once while it is stopped. */
void board_lm32_run(struct board_lm32 *cpu);

/* A pulse on interrupt lines. */
static inline void board_lm32_interrupt(struct board_lm32 *cpu, uint32_t lines)
{
    cpu->ip |= lines;
}

/* What rcsr and wcsr do. A number that no register has reads 0. */
uint32_t board_lm32_control_read(const struct board_lm32 *cpu, unsigned number);
void board_lm32_control_write(struct board_lm32 *cpu, unsigned number, uint32_t value);

/* Enters an exception at the instruction at pc. */
void board_lm32_raise(struct board_lm32 *cpu, enum board_lm32_exception exception, uint32_t pc);

#endif
