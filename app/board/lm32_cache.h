/* The first-level caches of the LatticeMico32: 4 KiB each, 1 way, 256 lines of 16 bytes.
 * Instructions are kept decoded, so a stale line goes on being executed as on the chip. */
#ifndef APP_BOARD_LM32_CACHE_H
#define APP_BOARD_LM32_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    APP_LM32_LINES = 256,
    APP_LM32_LINE_WORDS = 4,
    APP_LM32_LINE_BYTES = 16,
    APP_LM32_EMPTY = 1, /* the block of a line that holds nothing */
};
#define APP_LM32_UNCACHED 0x80000000u /* addresses from here on pass by the caches */

enum { APP_LM32_BUS_ERROR = -1 };

/* What lies behind the caches. Each returns the cycles that it took, or APP_LM32_BUS_ERROR. `now`
 * is the cycle at which it begins. */
struct app_lm32_bus {
    int (*read)(void *user, uint64_t now, uint32_t address, uint32_t *word);
    int (*line)(void *user, uint64_t now, uint32_t address, uint32_t *words); /* of 16 bytes */
    /* mask: which bits of the word are written */
    int (*write)(void *user, uint64_t now, uint32_t address, uint32_t word, uint32_t mask);
    void *user;
};

enum app_lm32_code {
    APP_LM32_CODE_line_end, /* behind the last instruction of a line */
    APP_LM32_CODE_illegal,
#define LM32_ALU(name, ...)    APP_LM32_CODE_##name,
#define LM32_LOAD(name, ...)   APP_LM32_CODE_##name,
#define LM32_STORE(name, ...)  APP_LM32_CODE_##name,
#define LM32_BRANCH(name, ...) APP_LM32_CODE_##name,
#define LM32_OTHER(name, ...)  APP_LM32_CODE_##name,
#include "app/board/lm32_ops.def"
    APP_LM32_CODES
};

/* A decoded instruction. */
struct app_lm32_op {
    uint8_t code;
    uint8_t a;       /* first operand */
    uint8_t b;       /* second operand, or what is stored */
    uint8_t d;       /* result */
    uint32_t value;  /* immediate; of jumps the distance in bytes */
    uint32_t cycles; /* with what it waits for results of its neighbours in the line */
};

struct app_lm32_icache_line {
    uint32_t block; /* address, or APP_LM32_EMPTY */
    struct app_lm32_op ops[APP_LM32_LINE_WORDS + 1];
};

struct app_lm32_icache {
    struct app_lm32_icache_line lines[APP_LM32_LINES];
    struct app_lm32_icache_line direct; /* one instruction that no cache holds */
    uint64_t misses;
};

struct app_lm32_dcache_line {
    uint32_t block;
    uint32_t words[APP_LM32_LINE_WORDS];
};

struct app_lm32_dcache {
    struct app_lm32_dcache_line lines[APP_LM32_LINES];
    uint64_t misses;
};

/* The meaning of a word; cycles are those of the instruction alone. */
struct app_lm32_op app_lm32_decode(uint32_t word);

/* The mnemonic of a code; "?" for an illegal one. */
const char *app_lm32_code_name(unsigned code);

void app_lm32_icache_clear(struct app_lm32_icache *cache);
void app_lm32_dcache_clear(struct app_lm32_dcache *cache);

/* The line that holds the instruction at pc, read if it is not there; of an uncached pc `direct`.
 * Adds the cycles to *now. NULL: bus error. *first: which of its instructions stands at pc. */
struct app_lm32_icache_line *app_lm32_icache_fill(struct app_lm32_icache *cache,
                                                  const struct app_lm32_bus *bus, uint64_t *now,
                                                  uint32_t pc, unsigned *first);

/* The word around an address, through the cache or past it. Adds the cycles to *now. False: bus
 * error. */
bool app_lm32_dcache_read(struct app_lm32_dcache *cache, const struct app_lm32_bus *bus,
                          uint64_t *now, uint32_t address, uint32_t *word);

/* Changes bits of a word if the cache holds it. */
static inline void app_lm32_dcache_update(struct app_lm32_dcache *cache, uint32_t address,
                                          uint32_t word, uint32_t mask)
{
    struct app_lm32_dcache_line *line =
        &cache->lines[address / APP_LM32_LINE_BYTES % APP_LM32_LINES];
    if (line->block == (address & ~(uint32_t)(APP_LM32_LINE_BYTES - 1))) {
        uint32_t *held = &line->words[address / 4 % APP_LM32_LINE_WORDS];
        *held = (*held & ~mask) | (word & mask);
    }
}

#endif
