/* The processor: decoding, the first-level caches, control registers and exceptions, instructions.
 */
#include "board/twin/lm32.h"

#include <stddef.h>
#include <string.h>

/* ---- decoding and caches ---- */

enum {
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

/* Cycles that instruction `at` of a line waits for those before it. */
static uint32_t waits(const uint32_t *words, const struct board_lm32_op *ops, unsigned at)
{
    const enum format reader = (enum format)rows[words[at] >> OPCODE_SHIFT].format;
    const bool reads_a = reader != I && reader != CR;
    const bool reads_b = reader == RR || reader == STORE || reader == BRANCH || reader == CR;
    uint32_t longest = 0;
    uint32_t distance = 0;
    for (unsigned i = at; i-- > 0;) {
        const struct row *row = &rows[words[i] >> OPCODE_SHIFT];
        distance += ops[i].cycles;
        const enum format writer = (enum format)row->format;
        if ((writer == RR || writer == RI || writer == RU || writer == RH || writer == LOAD) &&
            ((reads_a && ops[at].a == ops[i].d) || (reads_b && ops[at].b == ops[i].d))) {
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

/* ---- control registers and exceptions ---- */

enum {
    RETURN_ADDRESS = 29,
    TAKEN = 3,   /* cycles of a branch that is taken, besides its own */
    ENTRY = 4,   /* cycles of entering an exception */
    REMAP = 2,   /* DC: all exceptions go to the debugger */
    IS_CALL = 4, /* of raise: a system call, else a break */
};

static const uint32_t EBA_MASK = 0xFFFFFF00;
static const uint32_t DEBA_RESET = 0x10000000;
static const uint32_t PC_MASK = 0xFFFFFFFC;

/* CFG: multiplier, divider, shifter, sign extension, cycle counter, both caches, debugger in ROM,
 * 32 interrupts, 4 breakpoints, 4 watchpoints. */
static const uint32_t CONFIGURATION = 1u << 0 | 1u << 1 | 1u << 2 | 1u << 4 | 1u << 5 | 1u << 6 |
                                      1u << 7 | 1u << 8 | 1u << 10 | 32u << 12 | 4u << 18 |
                                      4u << 22;

void board_lm32_reset(struct board_lm32 *cpu, uint32_t pc)
{
    const struct board_lm32_bus bus = cpu->bus;
    memset(cpu, 0, sizeof *cpu);
    cpu->bus = bus;
    cpu->pc = pc & PC_MASK;
    cpu->eba = pc & EBA_MASK;
    cpu->deba = DEBA_RESET;
    board_lm32_icache_clear(&cpu->icache);
    board_lm32_dcache_clear(&cpu->dcache);
}

uint32_t board_lm32_control_read(const struct board_lm32 *cpu, unsigned number)
{
    switch (number) {
    case BOARD_LM32_IE:
        return (uint32_t)cpu->ie | (uint32_t)cpu->eie << 1 | (uint32_t)cpu->bie << 2;
    case BOARD_LM32_IM:
        return cpu->im;
    case BOARD_LM32_IP:
        return cpu->ip | cpu->lines;
    case BOARD_LM32_CC:
        return (uint32_t)cpu->cycles;
    case BOARD_LM32_CFG:
        return CONFIGURATION;
    case BOARD_LM32_EBA:
        return cpu->eba;
    case BOARD_LM32_DC:
        return cpu->dc;
    case BOARD_LM32_DEBA:
        return cpu->deba;
    default:
        return 0;
    }
}

void board_lm32_control_write(struct board_lm32 *cpu, unsigned number, uint32_t value)
{
    switch (number) {
    case BOARD_LM32_IE:
        cpu->ie = (value & 1) != 0;
        cpu->eie = (value & 2) != 0;
        cpu->bie = (value & 4) != 0;
        break;
    case BOARD_LM32_IM:
        cpu->im = value;
        break;
    case BOARD_LM32_IP:
        cpu->ip &= ~value;
        break;
    case BOARD_LM32_ICC:
        board_lm32_icache_clear(&cpu->icache);
        break;
    case BOARD_LM32_DCC:
        board_lm32_dcache_clear(&cpu->dcache);
        break;
    case BOARD_LM32_EBA:
        cpu->eba = value & EBA_MASK;
        break;
    case BOARD_LM32_DC:
        cpu->dc = value;
        break;
    case BOARD_LM32_DEBA:
        cpu->deba = value & EBA_MASK;
        break;
    default:
        break;
    }
}

void board_lm32_raise(struct board_lm32 *cpu, enum board_lm32_exception exception, uint32_t pc)
{
    const bool debugs = exception == BOARD_LM32_BREAKPOINT || exception == BOARD_LM32_WATCHPOINT;
    const bool remapped = debugs || (cpu->dc & REMAP) != 0;
    if (debugs) {
        cpu->r[BOARD_LM32_BA] = pc;
        cpu->bie = cpu->ie;
    } else {
        cpu->r[BOARD_LM32_EA] = pc;
        cpu->eie = cpu->ie;
    }
    cpu->ie = false;
    if (remapped && cpu->deba == DEBA_RESET) {
        cpu->stop = BOARD_LM32_BROKE;
        cpu->pc = pc;
        return;
    }
    cpu->pc = (remapped ? cpu->deba : cpu->eba) + BOARD_LM32_VECTOR * (uint32_t)exception;
    cpu->cycles += ENTRY;
}

/* Waits until the last store has left. */
static inline void wait_for_store(struct board_lm32 *cpu)
{
    if (cpu->cycles < cpu->store_done) {
        cpu->cycles = cpu->store_done;
    }
}

static bool load_slowly(struct board_lm32 *cpu, uint32_t address, uint32_t *word)
{
    wait_for_store(cpu);
    return board_lm32_dcache_read(&cpu->dcache, &cpu->bus, &cpu->cycles, address, word);
}

/* The word around an address. */
static inline bool load(struct board_lm32 *cpu, uint32_t address, uint32_t *word)
{
    const struct board_lm32_dcache_line *line =
        &cpu->dcache.lines[address / BOARD_LM32_LINE_BYTES % BOARD_LM32_LINES];
    if (line->block == (address & ~(uint32_t)(BOARD_LM32_LINE_BYTES - 1))) {
        *word = line->words[address / 4 % BOARD_LM32_LINE_WORDS];
        return true;
    }
    return load_slowly(cpu, address, word);
}

/* From the right end of a word to the `bytes` at an address, in bits. */
static inline unsigned place_of(uint32_t address, unsigned bytes)
{
    return 8 * ((4 - bytes) - (address & (4 - bytes)));
}

/* The store itself does not wait: only what follows it on the bus. */
static inline bool store(struct board_lm32 *cpu, uint32_t address, uint32_t value, unsigned bytes)
{
    const unsigned place = place_of(address, bytes);
    const uint32_t mask = (bytes == 4 ? 0xFFFFFFFF : (1u << 8 * bytes) - 1) << place;
    const uint32_t word = value << place;
    wait_for_store(cpu);
    board_lm32_dcache_update(&cpu->dcache, address, word, mask);
    const int cost = cpu->bus.write(cpu->bus.user, cpu->cycles, address & PC_MASK, word, mask);
    cpu->store_done = cpu->cycles + (uint64_t)(cost > 0 ? cost : 0);
    return cost >= 0;
}

/* The place in a line from which to go on; interrupts come first. NULL: nothing to execute now. */
static inline const struct board_lm32_op *fetch(struct board_lm32 *cpu)
{
    if (cpu->ie && ((cpu->ip | cpu->lines) & cpu->im) != 0) {
        board_lm32_raise(cpu, BOARD_LM32_INTERRUPT, cpu->pc);
    }
    const uint32_t pc = cpu->pc;
    const struct board_lm32_icache_line *line =
        &cpu->icache.lines[pc / BOARD_LM32_LINE_BYTES % BOARD_LM32_LINES];
    if (line->block == (pc & ~(uint32_t)(BOARD_LM32_LINE_BYTES - 1))) {
        return &line->ops[pc / 4 % BOARD_LM32_LINE_WORDS];
    }
    unsigned first;
    line = board_lm32_icache_fill(&cpu->icache, &cpu->bus, &cpu->cycles, pc, &first);
    if (line == NULL) {
        board_lm32_raise(cpu, BOARD_LM32_INSTRUCTION_BUS_ERROR, pc);
        return NULL;
    }
    return &line->ops[first];
}

/* ---- instructions; true: the next one of the line follows ---- */

static inline bool do_load(struct board_lm32 *cpu, uint32_t address, uint32_t pc, uint32_t *word)
{
    const bool loaded = load(cpu, address, word);
    if (!loaded) {
        board_lm32_raise(cpu, BOARD_LM32_DATA_BUS_ERROR, pc);
    }
    return loaded;
}

static inline bool do_store(struct board_lm32 *cpu, uint32_t address, uint32_t pc, uint32_t value,
                            unsigned bytes)
{
    const bool stored = store(cpu, address, value, bytes);
    if (!stored) {
        board_lm32_raise(cpu, BOARD_LM32_DATA_BUS_ERROR, pc);
    }
    return stored;
}

static inline bool do_branch(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc,
                             bool taken)
{
    if (taken) {
        cpu->pc = pc + op->value;
        cpu->cycles += TAKEN;
    }
    return !taken;
}

static inline bool divides(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    const bool possible = cpu->r[op->b] != 0;
    if (!possible) {
        board_lm32_raise(cpu, BOARD_LM32_DIVIDE_BY_ZERO, pc);
    }
    return possible;
}

static inline bool do_divu(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    const bool possible = divides(cpu, op, pc);
    if (possible) {
        cpu->r[op->d] = cpu->r[op->a] / cpu->r[op->b];
    }
    return possible;
}

static inline bool do_modu(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    const bool possible = divides(cpu, op, pc);
    if (possible) {
        cpu->r[op->d] = cpu->r[op->a] % cpu->r[op->b];
    }
    return possible;
}

static inline bool do_rcsr(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    (void)pc;
    cpu->r[op->d] = board_lm32_control_read(cpu, op->a);
    return true;
}

static inline bool do_wcsr(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    cpu->pc = pc + 4;
    board_lm32_control_write(cpu, op->a, cpu->r[op->b]);
    return false;
}

static inline bool do_raise(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    if ((op->value & IS_CALL) == 0) {
        board_lm32_raise(cpu, BOARD_LM32_BREAKPOINT, pc);
    } else if (cpu->stops_at_calls) {
        cpu->stop = BOARD_LM32_CALLED;
        cpu->pc = pc + 4;
    } else {
        board_lm32_raise(cpu, BOARD_LM32_SYSTEM_CALL, pc);
    }
    return false;
}

static inline bool do_b(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    (void)pc;
    /* The registers of exceptions bring back the interrupts. */
    if (op->a == BOARD_LM32_EA) {
        cpu->ie = cpu->eie;
    } else if (op->a == BOARD_LM32_BA) {
        cpu->ie = cpu->bie;
    }
    cpu->pc = cpu->r[op->a] & PC_MASK;
    return false;
}

static inline bool do_bi(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    cpu->pc = pc + op->value;
    return false;
}

static inline bool do_call(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    cpu->pc = cpu->r[op->a] & PC_MASK;
    cpu->r[RETURN_ADDRESS] = pc + 4;
    return false;
}

static inline bool do_calli(struct board_lm32 *cpu, const struct board_lm32_op *op, uint32_t pc)
{
    cpu->pc = pc + op->value;
    cpu->r[RETURN_ADDRESS] = pc + 4;
    return false;
}

/* What the rows of the table are in the switch below. */
#define RR r[op->b]
#define RI op->value
#define RU op->value
#define RH op->value
#define LM32_ALU(name, opcode, format, cost, latency, result)                                      \
    case BOARD_LM32_CODE_##name: {                                                                 \
        const uint32_t b = format;                                                                 \
        (void)b;                                                                                   \
        r[op->d] = (result);                                                                       \
        break;                                                                                     \
    }
#define LM32_LOAD(name, opcode, bytes, type)                                                       \
    case BOARD_LM32_CODE_##name: {                                                                 \
        uint32_t word;                                                                             \
        if (!do_load(cpu, a + op->value, pc, &word)) {                                             \
            return;                                                                                \
        }                                                                                          \
        r[op->d] = (uint32_t)(type)(word >> place_of(a + op->value, bytes));                       \
        break;                                                                                     \
    }
#define LM32_STORE(name, opcode, bytes)                                                            \
    case BOARD_LM32_CODE_##name:                                                                   \
        if (!do_store(cpu, a + op->value, pc, r[op->b], bytes)) {                                  \
            return;                                                                                \
        }                                                                                          \
        break;
#define LM32_BRANCH(name, opcode, condition)                                                       \
    case BOARD_LM32_CODE_##name: {                                                                 \
        const uint32_t b = r[op->b];                                                               \
        if (!do_branch(cpu, op, pc, condition)) {                                                  \
            return;                                                                                \
        }                                                                                          \
        break;                                                                                     \
    }
#define LM32_OTHER(name, opcode, format, cost)                                                     \
    case BOARD_LM32_CODE_##name:                                                                   \
        if (!do_##name(cpu, op, pc)) {                                                             \
            return;                                                                                \
        }                                                                                          \
        break;

/* Executes from op on up to the end of the line, a jump, or whatever may change what comes next. */
static void execute(struct board_lm32 *cpu, const struct board_lm32_op *op)
{
    uint32_t *const r = cpu->r;
    uint32_t pc = cpu->pc;
    for (;; op++, pc += 4) {
        const uint32_t a = r[op->a];
        cpu->cycles += op->cycles;
        cpu->instructions++;
        switch ((enum board_lm32_code)op->code) {
#include "board/twin/lm32_ops.def"
        case BOARD_LM32_CODE_line_end:
            cpu->instructions--;
            cpu->pc = pc;
            return;
        case BOARD_LM32_CODE_illegal:
        case BOARD_LM32_CODES:
            cpu->pc = pc;
            cpu->stop = BOARD_LM32_ILLEGAL;
            return;
        }
    }
}

void board_lm32_run(struct board_lm32 *cpu)
{
    while (cpu->cycles < cpu->deadline && cpu->stop == BOARD_LM32_RUNS) {
        const struct board_lm32_op *op = fetch(cpu);
        if (op != NULL && cpu->stop == BOARD_LM32_RUNS) {
            execute(cpu, op);
        }
    }
}
