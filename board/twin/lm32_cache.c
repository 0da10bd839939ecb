#include <stddef.h>

#include "board/twin/lm32.h"

enum {
    RETURN_ADDRESS = 29,
    LOAD_LATENCY = 3,
    NO_LATENCY = 1,
    OPCODE_SHIFT = 26,
    OPCODES = 64,
};

enum format { NONE, RR, RI, RU, RH, I, CR, LOAD, STORE, BRANCH };

struct row {
    const char *name;
    uint8_t code;
    uint8_t format;
    uint8_t cycles;
    uint8_t latency;
};

static const struct row rows[OPCODES] = {
#define LM32_ALU(name, opcode, format, cycles, latency, value)                                     \
    [opcode] = {#name, BOARD_LM32_CODE_##name, format, cycles, latency},
#define LM32_LOAD(name, opcode, bytes, type)                                                       \
    [opcode] = {#name, BOARD_LM32_CODE_##name, LOAD, 1, LOAD_LATENCY},
#define LM32_STORE(name, opcode, bytes)                                                            \
    [opcode] = {#name, BOARD_LM32_CODE_##name, STORE, 1, NO_LATENCY},
#define LM32_BRANCH(name, opcode, condition)                                                       \
    [opcode] = {#name, BOARD_LM32_CODE_##name, BRANCH, 1, NO_LATENCY},
#define LM32_OTHER(name, opcode, format, cycles)                                                   \
    [opcode] = {#name, BOARD_LM32_CODE_##name, format, cycles, NO_LATENCY},
#include "board/twin/lm32_ops.def"
};

static uint32_t sign_extend(uint32_t value, unsigned bits)
{
    const uint32_t sign = 1u << (bits - 1);
    return ((value & (2 * sign - 1)) ^ sign) - sign;
}

static uint32_t immediate_of(uint32_t word, enum format format)
{
    switch (format) {
    case RI:
    case LOAD:
    case STORE:
        return sign_extend(word, 16);
    case RU:
        return word & 0xFFFF;
    case RH:
        return word << 16;
    case BRANCH:
        return sign_extend(word, 16) * 4;
    case I:
        return sign_extend(word, OPCODE_SHIFT) * 4;
    case NONE:
    case RR:
    case CR:
        break;
    }
    return 0;
}

struct board_lm32_op board_lm32_decode(uint32_t word)
{
    const struct row *row = &rows[word >> OPCODE_SHIFT];
    const uint8_t second = (uint8_t)(word >> 16 & 31);
    const enum format format = (enum format)row->format;
    struct board_lm32_op op = {
        .code = row->name != NULL ? row->code : (uint8_t)BOARD_LM32_CODE_illegal,
        .a = (uint8_t)(word >> 21 & 31),
        .b = second,
        .d = format == RR || format == CR ? (uint8_t)(word >> 11 & 31) : second,
        .value = immediate_of(word, format),
        .cycles = row->name != NULL ? row->cycles : 1,
    };
    if (op.code == BOARD_LM32_CODE_raise) {
        op.value = word;
    }
    return op;
}

const char *board_lm32_code_name(unsigned code)
{
    for (size_t i = 0; i < OPCODES; i++) {
        if (rows[i].name != NULL && rows[i].code == code) {
            return rows[i].name;
        }
    }
    return "?";
}

static bool reads(enum format format, const struct board_lm32_op *op, unsigned number)
{
    const bool first = format != I && format != CR && op->a == number;
    const bool second = (format == RR || format == STORE || format == BRANCH) && op->b == number;
    return first || second || (format == CR && op->b == number);
}

/* Cycles that instruction `at` of a line waits for those before it. */
static uint32_t waits(const uint32_t *words, const struct board_lm32_op *ops, unsigned at)
{
    const enum format reader = (enum format)rows[words[at] >> OPCODE_SHIFT].format;
    uint32_t longest = 0;
    uint32_t distance = 0;
    for (unsigned i = at; i-- > 0;) {
        const struct row *row = &rows[words[i] >> OPCODE_SHIFT];
        distance += ops[i].cycles;
        const enum format writer = (enum format)row->format;
        if ((writer == RR || writer == RI || writer == RU || writer == RH || writer == LOAD) &&
            reads(reader, &ops[at], ops[i].d)) {
            const uint32_t late = row->latency > distance ? row->latency - distance : 0;
            return late > longest ? late : longest;
        }
    }
    return longest;
}

static void decode_line(struct board_lm32_icache_line *line, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        line->ops[i] = board_lm32_decode(words[i]);
        line->ops[i].cycles += waits(words, line->ops, i);
    }
    line->ops[count] = (struct board_lm32_op){.code = BOARD_LM32_CODE_line_end};
}

void board_lm32_icache_clear(struct board_lm32_icache *cache)
{
    for (unsigned i = 0; i < BOARD_LM32_LINES; i++) {
        cache->lines[i].block = BOARD_LM32_EMPTY;
    }
}

void board_lm32_dcache_clear(struct board_lm32_dcache *cache)
{
    for (unsigned i = 0; i < BOARD_LM32_LINES; i++) {
        cache->lines[i].block = BOARD_LM32_EMPTY;
    }
}

struct board_lm32_icache_line *board_lm32_icache_fill(struct board_lm32_icache *cache,
                                                      const struct board_lm32_bus *bus,
                                                      uint64_t *now, uint32_t pc, unsigned *first)
{
    if (pc >= BOARD_LM32_UNCACHED) {
        *first = 0;
        uint32_t word;
        const int word_cost = bus->read(bus->user, *now, pc, &word);
        if (word_cost < 0) {
            return NULL;
        }
        *now += (uint64_t)word_cost;
        decode_line(&cache->direct, &word, 1);
        return &cache->direct;
    }
    const uint32_t block = pc & ~(uint32_t)(BOARD_LM32_LINE_BYTES - 1);
    struct board_lm32_icache_line *line =
        &cache->lines[pc / BOARD_LM32_LINE_BYTES % BOARD_LM32_LINES];
    *first = pc / 4 % BOARD_LM32_LINE_WORDS;
    if (line->block != block) {
        uint32_t words[BOARD_LM32_LINE_WORDS];
        const int cost = bus->line(bus->user, *now, block, words);
        if (cost < 0) {
            return NULL;
        }
        *now += (uint64_t)cost;
        decode_line(line, words, BOARD_LM32_LINE_WORDS);
        line->block = block;
        cache->misses++;
    }
    return line;
}

bool board_lm32_dcache_read(struct board_lm32_dcache *cache, const struct board_lm32_bus *bus,
                            uint64_t *now, uint32_t address, uint32_t *word)
{
    if (address >= BOARD_LM32_UNCACHED) {
        const int cost = bus->read(bus->user, *now, address & ~3u, word);
        *now += cost > 0 ? (uint64_t)cost : 0;
        return cost >= 0;
    }
    const uint32_t block = address & ~(uint32_t)(BOARD_LM32_LINE_BYTES - 1);
    struct board_lm32_dcache_line *line =
        &cache->lines[address / BOARD_LM32_LINE_BYTES % BOARD_LM32_LINES];
    if (line->block != block) {
        line->block = BOARD_LM32_EMPTY;
        const int cost = bus->line(bus->user, *now, block, line->words);
        if (cost < 0) {
            return false;
        }
        *now += (uint64_t)cost;
        line->block = block;
        cache->misses++;
    }
    *word = line->words[address / 4 % BOARD_LM32_LINE_WORDS];
    return true;
}
