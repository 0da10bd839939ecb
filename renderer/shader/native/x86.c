/* One table of instructions, and the two ways in which they are written. */
#include "renderer/shader/native/x86.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void x86_free(struct x86_text *text)
{
    free(text->bytes);
    text->bytes = NULL;
}

static void put(struct x86_text *text, const uint8_t *bytes, size_t count)
{
    enum { LEAST = 4096 };
    if (text->count + count > text->capacity && !text->failed) {
        const size_t capacity = text->capacity == 0 ? LEAST : 2 * text->capacity;
        uint8_t *grown = realloc(text->bytes, capacity);
        text->failed = grown == NULL;
        text->bytes = grown != NULL ? grown : text->bytes;
        text->capacity = grown != NULL ? capacity : text->capacity;
    }
    if (!text->failed) {
        memcpy(text->bytes + text->count, bytes, count);
        text->count += count;
    }
}

static void put_byte(struct x86_text *text, unsigned byte)
{
    const uint8_t one = (uint8_t)byte;
    put(text, &one, 1);
}

void x86_word(struct x86_text *text, uint32_t word)
{
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
                              (uint8_t)(word >> 24)};
    put(text, bytes, sizeof bytes);
}

static void put_word(struct x86_text *text, int32_t number)
{
    x86_word(text, (uint32_t)number);
}

void x86_align(struct x86_text *text, size_t bytes)
{
    while ((text->count & (bytes - 1)) != 0 && !text->failed) {
        put_byte(text, 0);
    }
}

/* ---- instructions ---- */

enum map { MAP_0F = 1, MAP_0F38, MAP_0F3A };
enum prefix { PREFIX_NONE, PREFIX_66, PREFIX_F3 };

struct instruction {
    uint8_t map;
    uint8_t prefix;
    uint8_t code;
    bool last; /* a byte follows the operands */
    uint8_t byte;
};

static const struct instruction instructions[X86_OP_COUNT] = {
    [X86_ADD] = {MAP_0F, PREFIX_NONE, 0x58, false, 0},
    [X86_SUB] = {MAP_0F, PREFIX_NONE, 0x5C, false, 0},
    [X86_MUL] = {MAP_0F, PREFIX_NONE, 0x59, false, 0},
    [X86_DIV] = {MAP_0F, PREFIX_NONE, 0x5E, false, 0},
    [X86_MIN] = {MAP_0F, PREFIX_NONE, 0x5D, false, 0},
    [X86_MAX] = {MAP_0F, PREFIX_NONE, 0x5F, false, 0},
    [X86_AND] = {MAP_0F, PREFIX_NONE, 0x54, false, 0},
    [X86_AND_NOT] = {MAP_0F, PREFIX_NONE, 0x55, false, 0},
    [X86_OR] = {MAP_0F, PREFIX_NONE, 0x56, false, 0},
    [X86_XOR] = {MAP_0F, PREFIX_NONE, 0x57, false, 0},
    [X86_LT] = {MAP_0F, PREFIX_NONE, 0xC2, true, 0x11},
    [X86_LE] = {MAP_0F, PREFIX_NONE, 0xC2, true, 0x12},
    [X86_EQ] = {MAP_0F, PREFIX_NONE, 0xC2, true, 0x00},
    [X86_NE] = {MAP_0F, PREFIX_NONE, 0xC2, true, 0x0C},
    [X86_PLUS] = {MAP_0F, PREFIX_66, 0xFE, false, 0},
    [X86_ROOT] = {MAP_0F, PREFIX_NONE, 0x51, false, 0},
    [X86_FLOOR] = {MAP_0F3A, PREFIX_66, 0x08, true, 0x09},
    [X86_CEIL] = {MAP_0F3A, PREFIX_66, 0x08, true, 0x0A},
    [X86_TRUNC] = {MAP_0F3A, PREFIX_66, 0x08, true, 0x0B},
    [X86_ROUND] = {MAP_0F3A, PREFIX_66, 0x08, true, 0x08},
    [X86_SIGNED_WHOLE] = {MAP_0F, PREFIX_NONE, 0x5B, false, 0},
    [X86_LOAD] = {MAP_0F, PREFIX_NONE, 0x10, false, 0},
    [X86_LEFT] = {MAP_0F, PREFIX_66, 0x72, true, 0},
    [X86_RIGHT_SIGNED] = {MAP_0F, PREFIX_66, 0x72, true, 0},
};
static const struct instruction spread = {MAP_0F38, PREFIX_66, 0x18, false, 0};
static const struct instruction store = {MAP_0F, PREFIX_NONE, 0x11, false, 0};
static const struct instruction blend = {MAP_0F3A, PREFIX_66, 0x4A, true, 0};
static const struct instruction blend_by_mask = {MAP_0F38, PREFIX_66, 0x65, false, 0};
static const struct instruction lanes_of_mask = {MAP_0F38, PREFIX_F3, 0x38, false, 0};
static const struct instruction mask_of_lanes = {MAP_0F38, PREFIX_F3, 0x39, false, 0};

/* Of the mask registers this one is used; it stands where a vector register would. */
enum { MASK = 1 };

/* The bit of a number, inverted, at a place of a prefix. */
static unsigned inverted(unsigned number, unsigned bit, unsigned place)
{
    return (~number >> bit & 1) << place;
}

static void put_prefixes(struct x86_text *text, const struct instruction *instruction, unsigned to,
                         unsigned from, const struct x86_operand *with, unsigned mask)
{
    const unsigned rm = with->number;
    if (!text->wide) {
        const unsigned four = (~from & 15) << 3;
        put_byte(text, 0xC4);
        put_byte(text, inverted(to, 3, 7) | 1U << 6 | inverted(rm, 3, 5) | instruction->map);
        put_byte(text, four | 1U << 2 | instruction->prefix);
        return;
    }
    const unsigned prefix = instruction->prefix;
    const unsigned x = with->memory ? 1U << 6 : inverted(rm, 4, 6);
    put_byte(text, 0x62);
    put_byte(text,
             inverted(to, 3, 7) | x | inverted(rm, 3, 5) | inverted(to, 4, 4) | instruction->map);
    put_byte(text, (~from & 15) << 3 | 1U << 2 | prefix);
    put_byte(text,
             2U << 5 | (unsigned)(with->memory && with->equal) << 4 | inverted(from, 4, 3) | mask);
}

static void put_instruction(struct x86_text *text, const struct instruction *instruction,
                            unsigned to, unsigned from, struct x86_operand with, unsigned mask)
{
    enum { REGISTER = 3 << 6, OFFSET = 2 << 6 };
    put_prefixes(text, instruction, to, from, &with, mask);
    put_byte(text, instruction->code);
    put_byte(text, (unsigned)(with.memory ? OFFSET : REGISTER) | (to & 7) << 3 | (with.number & 7));
    if (with.memory) {
        put_word(text, with.offset);
    }
    if (instruction->last) {
        put_byte(text, instruction->byte);
    }
}

bool x86_commutes(enum x86_op op)
{
    switch (op) {
    case X86_ADD:
    case X86_MUL:
    case X86_AND:
    case X86_OR:
    case X86_XOR:
    case X86_EQ:
    case X86_NE:
    case X86_PLUS:
        return true;
    default:
        return false;
    }
}

/* The result stands where other instructions have their second operand, and a number of the kind
 * of shift where they have the result. */
static void put_shift(struct x86_text *text, enum x86_op op, unsigned to, struct x86_operand with,
                      unsigned bits)
{
    enum { LEFT = 6, RIGHT_SIGNED = 4 };
    struct instruction instruction = instructions[op];
    instruction.byte = (uint8_t)bits;
    put_instruction(text, &instruction, op == X86_LEFT ? LEFT : RIGHT_SIGNED, to, with, 0);
}

void x86_vector(struct x86_text *text, enum x86_op op, unsigned to, unsigned from,
                struct x86_operand with, unsigned bits)
{
    const struct instruction *instruction = &instructions[op];
    const bool alone = op >= X86_ROOT;
    if (x86_shifts(op)) {
        put_shift(text, op, to, with, bits);
        return;
    }
    if (op == X86_LOAD && text->wide && with.memory && with.equal) {
        with.equal = false; /* the instruction spreads what it reads */
        instruction = &spread;
    }
    if (text->wide && instruction->code == 0xC2) {
        put_instruction(text, instruction, MASK, from, with, 0);
        put_instruction(text, &lanes_of_mask, to, 0, x86_in_register(MASK), 0);
        return;
    }
    put_instruction(text, instruction, to, alone ? 0 : from, with, 0);
}

void x86_choose(struct x86_text *text, unsigned to, unsigned truth, unsigned from,
                struct x86_operand with)
{
    if (text->wide) {
        put_instruction(text, &mask_of_lanes, MASK, 0, x86_in_register(truth), 0);
        put_instruction(text, &blend_by_mask, to, from, with, MASK);
        return;
    }
    struct instruction instruction = blend;
    instruction.byte = (uint8_t)(truth << 4);
    put_instruction(text, &instruction, to, from, with, 0);
}

void x86_store(struct x86_text *text, struct x86_operand to, unsigned from)
{
    assert(to.memory && !to.equal);
    put_instruction(text, &store, from, 0, to, 0);
}

/* ---- functions ---- */

size_t x86_begin(struct x86_text *text, int32_t bytes)
{
    static const uint8_t landing[] = {0xF3, 0x0F, 0x1E, 0xFA}; /* endbr64 */
    static const uint8_t end_address[] = {0x48, 0x8D, 0x87};   /* lea rax, [rdi + bytes] */
    put(text, landing, sizeof landing);
    put(text, end_address, sizeof end_address);
    put_word(text, bytes);
    return text->count;
}

void x86_end(struct x86_text *text, size_t body, int32_t step)
{
    static const uint8_t add[] = {0x48, 0x81, 0xC7};               /* add rdi, step */
    static const uint8_t again[] = {0x48, 0x39, 0xC7, 0x0F, 0x82}; /* cmp rdi, rax; jb body */
    static const uint8_t back[] = {0xC5, 0xF8, 0x77, 0xC3};        /* vzeroupper; ret */
    put(text, add, sizeof add);
    put_word(text, step);
    put(text, again, sizeof again);
    put_word(text, (int32_t)body - (int32_t)(text->count + sizeof(int32_t)));
    put(text, back, sizeof back);
}
