/* Random programs for the LatticeMico32: the same instructions many times over, with other numbers
 * each time. They end by storing their registers, write these and the last memory that they used
 * with system call 5, and leave with call 1. They use nothing else, divide by no zero, and come to
 * an end, so that the processor's simulator and froth's must write the same bytes and leave the
 * same memory. random_program SEED image   the program as a boot image random_program SEED words
 * the same as assembler directives */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lm32_code.h"

enum {
    WORDS_MAX = 4096,
    ITEMS = 600,
    ROUNDS = 80,
    RANDOM_REGISTERS = 22, /* r1 to r22 */
    NUMBER_REGISTER = 23,  /* other numbers each round */
    BASE_REGISTER = 24,    /* of the memory that is read and written */
    LOOP_REGISTER = 25,
    ROUND_REGISTER = 26,
    MEMORY = 0x4010,  /* upper half of its address */
    PLACES = 64,      /* of the base register, a step apart */
    PLACE_STEP = 684, /* bytes */
    MEMORY_BYTES = 1024,
    DUMP_REGISTERS = 30,
    CALL_REGISTER = 8,
};

enum form { REGISTERS, IMMEDIATE, LOAD, STORE, BRANCH };

static const struct {
    enum lm32_opcode op;
    enum form form;
    unsigned bytes;
} kinds[] = {
#define ROW_RR                                                 REGISTERS
#define ROW_RI                                                 IMMEDIATE
#define ROW_RU                                                 IMMEDIATE
#define ROW_RH                                                 IMMEDIATE
#define LM32_ALU(name, opcode, format, cycles, latency, value) {LM32_##name, ROW_##format, 0},
#define LM32_LOAD(name, opcode, bytes, type)                   {LM32_##name, LOAD, bytes},
#define LM32_STORE(name, opcode, bytes)                        {LM32_##name, STORE, bytes},
#define LM32_BRANCH(name, opcode, condition)                   {LM32_##name, BRANCH, 0},
#include "board/twin/lm32_ops.def"
};

struct program {
    uint32_t words[WORDS_MAX];
    size_t count;
    uint64_t state;
};

static uint32_t chance(struct program *program, uint32_t below)
{
    program->state = program->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(program->state >> 33) % below;
}

static void emit(struct program *program, uint32_t word)
{
    program->words[program->count++] = word;
}

static unsigned some_register(struct program *program)
{
    return 1 + chance(program, RANDOM_REGISTERS);
}

/* Now and then one of the numbers at which something changes. */
static uint32_t some_number(struct program *program)
{
    static const uint32_t edges[] = {0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x8000, 0xFFFF, 31};
    if (chance(program, 3) == 0) {
        return edges[chance(program, sizeof edges / sizeof edges[0])];
    }
    return chance(program, 0x10000) << 16 | chance(program, 0x10000);
}

static void set_register(struct program *program, unsigned number, uint32_t value)
{
    emit(program, lm32_ri(LM32_orhi, number, 0, value >> 16));
    emit(program, lm32_ri(LM32_ori, number, number, value));
}

static void emit_division(struct program *program)
{
    const unsigned b = some_register(program);
    emit(program, lm32_ri(LM32_ori, b, b, 1));
    emit(program, lm32_rr(chance(program, 2) == 0 ? LM32_divu : LM32_modu, some_register(program),
                          some_register(program), b));
}

/* Over up to three instructions, which stand alone. */
static void emit_branch(struct program *program, enum lm32_opcode op)
{
    const unsigned over = 1 + chance(program, 3);
    emit(program, lm32_branch(op, some_register(program), some_register(program), (int)over + 1));
    for (unsigned i = 0; i < over; i++) {
        emit(program, lm32_ri(LM32_addi, some_register(program), some_register(program),
                              some_number(program)));
    }
}

static void emit_one(struct program *program)
{
    const size_t kind = chance(program, sizeof kinds / sizeof kinds[0]);
    const enum lm32_opcode op = kinds[kind].op;
    const unsigned d = some_register(program);
    const unsigned bytes = kinds[kind].bytes;
    const unsigned place = bytes > 0 ? chance(program, MEMORY_BYTES / bytes) * bytes : 0;
    switch (kinds[kind].form) {
    case REGISTERS: {
        const bool unary = op == LM32_sextb || op == LM32_sexth;
        emit(program, lm32_rr(op, d, some_register(program), unary ? 0 : some_register(program)));
        break;
    }
    case IMMEDIATE: {
        const bool shifts = op == LM32_sli || op == LM32_sri || op == LM32_srui;
        const uint32_t immediate = some_number(program);
        emit(program, lm32_ri(op, d, some_register(program), shifts ? immediate & 31 : immediate));
        break;
    }
    case LOAD:
        emit(program, lm32_ri(op, d, BASE_REGISTER, place));
        break;
    case STORE:
        emit(program, lm32_store(op, BASE_REGISTER, place, d));
        break;
    case BRANCH:
        emit_branch(program, op);
        break;
    }
}

/* Some instructions, several times. */
static void emit_loop(struct program *program)
{
    set_register(program, LOOP_REGISTER, 2 + chance(program, 9));
    const size_t start = program->count;
    for (unsigned i = chance(program, 8); i > 0; i--) {
        emit_one(program);
    }
    emit(program, lm32_ri(LM32_addi, LOOP_REGISTER, LOOP_REGISTER, 0xFFFF));
    emit(program, lm32_branch(LM32_bne, LOOP_REGISTER, 0, (int)start - (int)program->count));
}

/* A call over a word, whose return address shows, and a jump through a register. */
static void emit_call(struct program *program)
{
    emit(program, lm32_jump(LM32_calli, 2));
    emit(program, lm32_jump(LM32_bi, 3));
    emit(program, lm32_ri(LM32_addi, some_register(program), LM32_RA, 0));
    emit(program, lm32_rr(LM32_b, 0, LM32_RA, 0));
}

/* Another part of memory, so that lines of the caches give way to each other. */
static void emit_place(struct program *program)
{
    set_register(program, BASE_REGISTER,
                 ((uint32_t)MEMORY << 16) + chance(program, PLACES) * PLACE_STEP);
}

/* The next number of a row, by which registers change. */
static void emit_numbers(struct program *program)
{
    const unsigned scratch = 1 + RANDOM_REGISTERS / 2;
    set_register(program, scratch, 1664525);
    emit(program, lm32_rr(LM32_mul, NUMBER_REGISTER, NUMBER_REGISTER, scratch));
    set_register(program, scratch, 1013904223);
    emit(program, lm32_rr(LM32_add, NUMBER_REGISTER, NUMBER_REGISTER, scratch));
    for (unsigned i = 1; i <= RANDOM_REGISTERS; i += 1 + chance(program, 3)) {
        emit(program, lm32_rr(LM32_xor, i, i, NUMBER_REGISTER));
    }
}

static void emit_end(struct program *program)
{
    for (unsigned i = 0; i < DUMP_REGISTERS; i++) {
        emit(program, lm32_store(LM32_sw, BASE_REGISTER, MEMORY_BYTES + 4 * i, i));
    }
    set_register(program, CALL_REGISTER, 5);
    set_register(program, 1, 1);
    emit(program, lm32_ri(LM32_addi, 2, BASE_REGISTER, 0));
    set_register(program, 3, MEMORY_BYTES + 4 * DUMP_REGISTERS);
    emit(program, (uint32_t)LM32_SCALL);
    set_register(program, CALL_REGISTER, 1);
    set_register(program, 1, 0);
    emit(program, (uint32_t)LM32_SCALL);
}

static void emit_item(struct program *program)
{
    switch (chance(program, 16)) {
    case 0:
        emit_division(program);
        break;
    case 1:
        emit_loop(program);
        break;
    case 2:
        emit_call(program);
        break;
    case 3:
        emit_place(program);
        break;
    default:
        emit_one(program);
        break;
    }
}

static void make(struct program *program)
{
    emit(program, lm32_rr(LM32_xor, 0, 0, 0));
    for (unsigned i = 1; i < DUMP_REGISTERS; i++) {
        set_register(program, i, i <= NUMBER_REGISTER ? some_number(program) : 0);
    }
    emit_place(program);
    set_register(program, ROUND_REGISTER, ROUNDS);
    const size_t start = program->count;
    emit_numbers(program);
    for (unsigned i = 0; i < ITEMS; i++) {
        emit_item(program);
    }
    emit(program, lm32_ri(LM32_addi, ROUND_REGISTER, ROUND_REGISTER, 0xFFFF));
    emit(program, lm32_branch(LM32_bne, ROUND_REGISTER, 0, (int)start - (int)program->count));
    emit_end(program);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: random_program SEED image|words\n", stderr);
        return 2;
    }
    static struct program program;
    program.state = strtoull(argv[1], NULL, 10);
    make(&program);
    for (size_t i = 0; i < program.count; i++) {
        const uint32_t word = program.words[i];
        if (strcmp(argv[2], "words") == 0) {
            printf("    .long 0x%08x\n", (unsigned)word);
        } else {
            const uint8_t bytes[] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16),
                                     (uint8_t)(word >> 8), (uint8_t)word};
            (void)fwrite(bytes, 1, sizeof bytes, stdout);
        }
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
