#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "board/twin/lm32.h"
#include "../../twin/lm32_code.h"

enum { WORDS = 4096, BASE = 0x40000000, COST = 10 };

/* A processor on a memory of words from BASE on, behind which nothing answers. */
struct bench {
    struct board_lm32 cpu;
    uint32_t memory[WORDS];
};

static uint32_t *word_at(struct bench *bench, uint32_t address)
{
    const uint32_t place = (address & 0x7FFFFFFF) - BASE;
    return place < 4 * WORDS ? &bench->memory[place / 4] : NULL;
}

static int read_word(void *user, uint64_t now, uint32_t address, uint32_t *word)
{
    (void)now;
    const uint32_t *place = word_at(user, address);
    *word = place != NULL ? *place : 0;
    return place != NULL ? COST : BOARD_LM32_BUS_ERROR;
}

static int read_line(void *user, uint64_t now, uint32_t address, uint32_t *words)
{
    for (uint32_t i = 0; i < BOARD_LM32_LINE_WORDS; i++) {
        if (read_word(user, now, address + 4 * i, &words[i]) < 0) {
            return BOARD_LM32_BUS_ERROR;
        }
    }
    return COST;
}

static int write_word(void *user, uint64_t now, uint32_t address, uint32_t word, uint32_t mask)
{
    (void)now;
    uint32_t *place = word_at(user, address);
    if (place == NULL) {
        return BOARD_LM32_BUS_ERROR;
    }
    *place = (*place & ~mask) | (word & mask);
    return COST;
}

static int set_up(void **state)
{
    struct bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->cpu.bus = (struct board_lm32_bus){read_word, read_line, write_word, bench};
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    free(*state);
    return 0;
}

/* A new program at BASE, which ends with a system call. */
static void load_program(struct bench *bench, const uint32_t *words, size_t count)
{
    memset(bench->memory, 0, sizeof bench->memory);
    memcpy(bench->memory, words, count * sizeof *words);
    bench->memory[count] = (uint32_t)LM32_SCALL;
    board_lm32_reset(&bench->cpu, BASE);
    bench->cpu.stops_at_calls = true;
}

static void run(struct bench *bench)
{
    bench->cpu.deadline = bench->cpu.cycles + 10000;
    board_lm32_run(&bench->cpu);
}

#define LOAD(bench, ...)                                                                           \
    do {                                                                                           \
        const uint32_t words_[] = {__VA_ARGS__};                                                   \
        load_program(bench, words_, sizeof words_ / sizeof words_[0]);                             \
    } while (0)

/* Operands and result of two registers. */
static const struct {
    enum lm32_opcode op;
    uint32_t a;
    uint32_t b;
    uint32_t result;
} register_rows[] = {
    {LM32_add, 0x7FFFFFFF, 1, 0x80000000},
    {LM32_add, 0xFFFFFFFF, 2, 1},
    {LM32_sub, 3, 5, 0xFFFFFFFE},
    {LM32_mul, 0x10001, 0x10001, 0x00020001},
    {LM32_mul, 0xFFFFFFFF, 7, 0xFFFFFFF9},
    {LM32_divu, 0xFFFFFFFF, 16, 0x0FFFFFFF},
    {LM32_modu, 0xFFFFFFFF, 16, 15},
    {LM32_modu, 7, 9, 7},
    {LM32_and, 0xFF00FF00, 0x0FF00FF0, 0x0F000F00},
    {LM32_or, 0xFF00FF00, 0x0FF00FF0, 0xFFF0FFF0},
    {LM32_xor, 0xFF00FF00, 0x0FF00FF0, 0xF0F0F0F0},
    {LM32_nor, 0xFF00FF00, 0x0FF00FF0, 0x000F000F},
    {LM32_xnor, 0xFF00FF00, 0x0FF00FF0, 0x0F0F0F0F},
    {LM32_sl, 1, 31, 0x80000000},
    {LM32_sl, 3, 33, 6},
    {LM32_sr, 0x80000000, 4, 0xF8000000},
    {LM32_sru, 0x80000000, 4, 0x08000000},
    {LM32_sru, 0x80000000, 32, 0x80000000},
    {LM32_sextb, 0x12345680, 0, 0xFFFFFF80},
    {LM32_sextb, 0xFFFFFF7F, 0, 0x7F},
    {LM32_sexth, 0x12348000, 0, 0xFFFF8000},
    {LM32_sexth, 0xFFFF7FFF, 0, 0x7FFF},
    {LM32_cmpe, 5, 5, 1},
    {LM32_cmpe, 5, 6, 0},
    {LM32_cmpne, 5, 6, 1},
    {LM32_cmpg, 1, 0xFFFFFFFF, 1},
    {LM32_cmpg, 1, 1, 0},
    {LM32_cmpge, 1, 1, 1},
    {LM32_cmpge, 0x80000000, 0, 0},
    {LM32_cmpgu, 1, 0xFFFFFFFF, 0},
    {LM32_cmpgu, 0xFFFFFFFF, 1, 1},
    {LM32_cmpgeu, 7, 7, 1},
    {LM32_cmpgeu, 0, 0x80000000, 0},
};

static void registers_meet(void **state)
{
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof register_rows / sizeof register_rows[0]; i++) {
        LOAD(bench, lm32_rr(register_rows[i].op, 3, 1, 2));
        bench->cpu.r[1] = register_rows[i].a;
        bench->cpu.r[2] = register_rows[i].b;
        run(bench);
        assert_int_equal(bench->cpu.stop, BOARD_LM32_CALLED);
        assert_int_equal(bench->cpu.r[3], register_rows[i].result);
    }
}

static const struct {
    enum lm32_opcode op;
    uint32_t a;
    unsigned immediate;
    uint32_t result;
} immediate_rows[] = {
    {LM32_addi, 5, 0xFFFF, 4},
    {LM32_muli, 5, 0xFFFE, 0xFFFFFFF6},
    {LM32_andi, 0xFFFFFFFF, 0x8001, 0x8001},
    {LM32_andhi, 0xFFFFFFFF, 0x8001, 0x80010000},
    {LM32_ori, 0x10000000, 0x8001, 0x10008001},
    {LM32_orhi, 0x00000001, 0x8001, 0x80010001},
    {LM32_xori, 0xFFFFFFFF, 0x8001, 0xFFFF7FFE},
    {LM32_nori, 0x00000000, 0x8001, 0xFFFF7FFE},
    {LM32_xnori, 0xFFFFFFFF, 0x8001, 0x00008001},
    {LM32_sli, 1, 4, 16},
    {LM32_sri, 0x80000000, 31, 0xFFFFFFFF},
    {LM32_srui, 0x80000000, 31, 1},
    {LM32_cmpei, 0xFFFFFFFF, 0xFFFF, 1},
    {LM32_cmpnei, 0xFFFFFFFF, 0xFFFF, 0},
    {LM32_cmpgi, 0, 0xFFFF, 1},
    {LM32_cmpgei, 0xFFFFFFFF, 0xFFFF, 1},
    {LM32_cmpgui, 0, 0xFFFF, 0},
    {LM32_cmpgui, 0x10000, 0xFFFF, 1},
    {LM32_cmpgeui, 0xFFFF, 0xFFFF, 1},
    {LM32_cmpgeui, 0xFFFE, 0xFFFF, 0},
};

static void immediates_meet(void **state)
{
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof immediate_rows / sizeof immediate_rows[0]; i++) {
        LOAD(bench, lm32_ri(immediate_rows[i].op, 3, 1, immediate_rows[i].immediate));
        bench->cpu.r[1] = immediate_rows[i].a;
        run(bench);
        assert_int_equal(bench->cpu.r[3], immediate_rows[i].result);
    }
}

static const struct {
    enum lm32_opcode op;
    uint32_t address;
    uint32_t result;
} load_rows[] = {
    {LM32_lw, 0, 0x81F23344}, {LM32_lw, 3, 0x81F23344}, {LM32_lb, 0, 0xFFFFFF81},
    {LM32_lb, 2, 0x33},       {LM32_lbu, 1, 0xF2},      {LM32_lbu, 3, 0x44},
    {LM32_lh, 0, 0xFFFF81F2}, {LM32_lh, 2, 0x3344},     {LM32_lhu, 0, 0x81F2},
    {LM32_lhu, 1, 0x81F2},
};

static void loads_extend(void **state)
{
    struct bench *bench = *state;
    for (unsigned uncached = 0; uncached < 2; uncached++) {
        for (size_t i = 0; i < sizeof load_rows / sizeof load_rows[0]; i++) {
            LOAD(bench, lm32_ri(load_rows[i].op, 3, 1, 0xFFF0));
            bench->memory[256] = 0x81F23344;
            bench->cpu.r[1] = (BASE | uncached << 31) + 4 * 256 + 16 + load_rows[i].address;
            run(bench);
            assert_int_equal(bench->cpu.r[3], load_rows[i].result);
        }
    }
}

static void stores_change_their_bytes(void **state)
{
    static const struct {
        enum lm32_opcode op;
        uint32_t address;
        uint32_t result;
    } rows[] = {
        {LM32_sw, 0, 0xA1B2C3D4}, {LM32_sh, 0, 0xC3D43344}, {LM32_sh, 2, 0x1122C3D4},
        {LM32_sb, 0, 0xD4223344}, {LM32_sb, 1, 0x11D43344}, {LM32_sb, 3, 0x112233D4},
    };
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LOAD(bench, lm32_ri(LM32_lw, 5, 1, 0), lm32_store(rows[i].op, 2, 0, 4),
             lm32_ri(LM32_lw, 3, 1, 0));
        bench->memory[256] = 0x11223344;
        bench->cpu.r[1] = BASE + 4 * 256;
        bench->cpu.r[2] = BASE + 4 * 256 + rows[i].address;
        bench->cpu.r[4] = 0xA1B2C3D4;
        run(bench);
        assert_int_equal(bench->memory[256], rows[i].result);
        assert_int_equal(bench->cpu.r[3], rows[i].result);
    }
}

static void branches_decide(void **state)
{
    static const struct {
        enum lm32_opcode op;
        uint32_t a;
        uint32_t b;
        uint32_t taken;
    } rows[] = {
        {LM32_be, 4, 4, 1},           {LM32_be, 4, 5, 0},           {LM32_bne, 4, 5, 1},
        {LM32_bne, 4, 4, 0},          {LM32_bg, 1, 0xFFFFFFFF, 1},  {LM32_bg, 1, 1, 0},
        {LM32_bge, 1, 1, 1},          {LM32_bge, 0xFFFFFFFF, 1, 0}, {LM32_bgu, 0xFFFFFFFF, 1, 1},
        {LM32_bgu, 1, 0xFFFFFFFF, 0}, {LM32_bgeu, 1, 1, 1},         {LM32_bgeu, 0, 1, 0},
    };
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LOAD(bench, lm32_branch(rows[i].op, 1, 2, 2), lm32_jump(LM32_bi, 2),
             lm32_ri(LM32_addi, 3, 0, 1));
        bench->cpu.r[1] = rows[i].a;
        bench->cpu.r[2] = rows[i].b;
        run(bench);
        assert_int_equal(bench->cpu.r[3], rows[i].taken);
    }
}

static void jumps_come_back(void **state)
{
    struct bench *bench = *state;
    LOAD(bench, lm32_jump(LM32_calli, 3), lm32_ri(LM32_addi, 2, 2, 1), (uint32_t)LM32_SCALL,
         lm32_ri(LM32_addi, 3, LM32_RA, 0), lm32_rr(LM32_b, 0, LM32_RA, 0));
    run(bench);
    assert_int_equal(bench->cpu.r[2], 1);
    assert_int_equal(bench->cpu.r[3], BASE + 4);
    assert_int_equal(bench->cpu.pc, BASE + 12);

    LOAD(bench, lm32_rr(LM32_call, 0, 1, 0), lm32_ri(LM32_addi, 2, 2, 1));
    bench->cpu.r[1] = BASE + 4;
    run(bench);
    assert_int_equal(bench->cpu.r[LM32_RA], BASE + 4);
    assert_int_equal(bench->cpu.r[2], 1);

    LOAD(bench, lm32_jump(LM32_bi, 2), (uint32_t)LM32_SCALL, lm32_branch(LM32_be, 0, 0, -1));
    run(bench);
    assert_int_equal(bench->cpu.pc, BASE + 8);
}

static void register_zero_is_ordinary(void **state)
{
    struct bench *bench = *state;
    LOAD(bench, lm32_ri(LM32_addi, 0, 0, 5), lm32_rr(LM32_add, 1, 0, 0));
    run(bench);
    assert_int_equal(bench->cpu.r[0], 5);
    assert_int_equal(bench->cpu.r[1], 10);
}

/* The vectors lie at word 64 on; each tells its number in r20 and ends. */
static void place_vectors(struct bench *bench)
{
    for (unsigned i = 0; i < 8; i++) {
        bench->memory[64 + 8 * i] = lm32_ri(LM32_addi, 20, 0, i + 1);
        bench->memory[64 + 8 * i + 1] = (uint32_t)LM32_SCALL;
    }
    bench->cpu.eba = BASE + 256;
}

static void exceptions_enter(void **state)
{
    static const struct {
        uint32_t word;
        uint32_t number;
        uint32_t pc;
    } rows[] = {
        {(uint32_t)LM32_divu << 26 | 1u << 21 | 2u << 16 | 3u << 11, 5, BASE},
        {(uint32_t)LM32_modu << 26 | 1u << 21 | 2u << 16 | 3u << 11, 5, BASE},
        {(uint32_t)LM32_lw << 26 | 4u << 21 | 3u << 16, 4, BASE},
        {(uint32_t)LM32_sw << 26 | 4u << 21 | 3u << 16, 4, BASE},
        {(uint32_t)LM32_b << 26 | 4u << 21, 2, 0x50000000},
    };
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LOAD(bench, rows[i].word);
        place_vectors(bench);
        bench->cpu.r[4] = 0x50000000;
        bench->cpu.r[3] = 77;
        bench->cpu.ie = true;
        run(bench);
        assert_int_equal(bench->cpu.r[20], rows[i].number + 1);
        assert_int_equal(bench->cpu.r[LM32_EA], rows[i].pc);
        assert_int_equal(bench->cpu.r[3], 77);
        assert_int_equal(board_lm32_control_read(&bench->cpu, BOARD_LM32_IE), 2);
    }
}

static void system_calls_return_to_themselves(void **state)
{
    struct bench *bench = *state;
    LOAD(bench, (uint32_t)LM32_SCALL);
    place_vectors(bench);
    bench->cpu.stops_at_calls = false;
    bench->memory[64 + 8 * 7 + 1] = 0x27u << 26;
    run(bench);
    assert_int_equal(bench->cpu.stop, BOARD_LM32_ILLEGAL);
    assert_int_equal(bench->cpu.r[20], 8);
    assert_int_equal(bench->cpu.r[LM32_EA], BASE);
}

static void breaks_go_to_the_debugger(void **state)
{
    struct bench *bench = *state;
    LOAD(bench, (uint32_t)LM32_BREAK);
    run(bench);
    assert_int_equal(bench->cpu.stop, BOARD_LM32_BROKE);
    assert_int_equal(bench->cpu.r[LM32_BA], BASE);

    LOAD(bench, (uint32_t)LM32_BREAK);
    place_vectors(bench);
    bench->cpu.deba = BASE + 256;
    bench->cpu.ie = true;
    run(bench);
    assert_int_equal(bench->cpu.r[20], 2);
    assert_int_equal(board_lm32_control_read(&bench->cpu, BOARD_LM32_IE), 4);
}

static void returns_bring_interrupts_back(void **state)
{
    struct bench *bench = *state;
    LOAD(bench, lm32_rr(LM32_b, 0, LM32_EA, 0));
    bench->cpu.r[LM32_EA] = BASE + 4;
    bench->cpu.eie = true;
    run(bench);
    assert_true(bench->cpu.ie);
    LOAD(bench, lm32_rr(LM32_b, 0, LM32_BA, 0));
    bench->cpu.r[LM32_BA] = BASE + 4;
    bench->cpu.bie = true;
    run(bench);
    assert_true(bench->cpu.ie);
}

static void interrupts_are_taken_when_they_may(void **state)
{
    struct bench *bench = *state;
    for (unsigned wanted = 0; wanted < 4; wanted++) {
        const bool enabled = (wanted & 1) != 0;
        const bool masked_in = (wanted & 2) != 0;
        LOAD(bench, lm32_ri(LM32_addi, 1, 1, 1), lm32_ri(LM32_addi, 1, 1, 1));
        place_vectors(bench);
        bench->cpu.ie = enabled;
        bench->cpu.im = masked_in ? 4 : 2;
        board_lm32_interrupt(&bench->cpu, 4);
        run(bench);
        const bool taken = enabled && masked_in;
        assert_int_equal(bench->cpu.r[20], taken ? 7 : 0);
        assert_int_equal(bench->cpu.r[LM32_EA], taken ? BASE : 0);
        assert_int_equal(bench->cpu.r[1], taken ? 0 : 2);
    }
}

static void pending_interrupts_are_cleared_by_ones(void **state)
{
    struct bench *bench = *state;
    LOAD(bench, lm32_wcsr(BOARD_LM32_IP, 1), lm32_rcsr(2, BOARD_LM32_IP));
    bench->cpu.r[1] = 6;
    board_lm32_interrupt(&bench->cpu, 7);
    run(bench);
    assert_int_equal(bench->cpu.r[2], 1);

    LOAD(bench, lm32_wcsr(BOARD_LM32_IP, 1), lm32_rcsr(2, BOARD_LM32_IP));
    bench->cpu.r[1] = 6;
    bench->cpu.lines = 4;
    run(bench);
    assert_int_equal(bench->cpu.r[2], 4);
}

static void enabling_takes_effect_at_once(void **state)
{
    struct bench *bench = *state;
    LOAD(bench, lm32_wcsr(BOARD_LM32_IE, 1), lm32_ri(LM32_addi, 2, 2, 1));
    place_vectors(bench);
    bench->cpu.r[1] = 1;
    bench->cpu.im = 1;
    board_lm32_interrupt(&bench->cpu, 1);
    run(bench);
    assert_int_equal(bench->cpu.r[20], 7);
    assert_int_equal(bench->cpu.r[2], 0);
    assert_int_equal(bench->cpu.r[LM32_EA], BASE + 4);
}

static void control_registers_keep(void **state)
{
    static const struct {
        unsigned number;
        uint32_t written;
        uint32_t kept;
    } rows[] = {
        {BOARD_LM32_IE, 0xFFFFFFFE, 6},
        {BOARD_LM32_IM, 0x12345678, 0x12345678},
        {BOARD_LM32_EBA, 0x40001234, 0x40001200},
        {BOARD_LM32_DEBA, 0x400012FF, 0x40001200},
        {BOARD_LM32_DC, 3, 3},
        {BOARD_LM32_ICC, 1, 0},
        {31, 1, 0},
    };
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        LOAD(bench, lm32_wcsr(rows[i].number, 1), lm32_rcsr(2, rows[i].number));
        bench->cpu.r[1] = rows[i].written;
        bench->cpu.r[2] = 99;
        run(bench);
        assert_int_equal(bench->cpu.r[2], rows[i].kept);
    }
    LOAD(bench, lm32_rcsr(1, BOARD_LM32_CC), lm32_rcsr(2, BOARD_LM32_CC));
    run(bench);
    assert_int_equal(bench->cpu.r[2] - bench->cpu.r[1], 1);
}

static void illegal_instructions_stop(void **state)
{
    static const uint32_t opcodes[] = {0x27, 0x2A, 0x33, 0x35};
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
        LOAD(bench, LM32_NOP, opcodes[i] << 26);
        run(bench);
        assert_int_equal(bench->cpu.stop, BOARD_LM32_ILLEGAL);
        assert_int_equal(bench->cpu.pc, BASE + 4);
    }
}

/* What changed in memory is seen after an invalidation, not before. */
static void data_cache_goes_stale(void **state)
{
    struct bench *bench = *state;
    LOAD(bench, lm32_ri(LM32_lw, 2, 1, 0), (uint32_t)LM32_SCALL, lm32_ri(LM32_lw, 3, 1, 0),
         lm32_ri(LM32_lw, 4, 6, 0), lm32_wcsr(BOARD_LM32_DCC, 0), lm32_ri(LM32_lw, 5, 1, 0));
    bench->cpu.r[1] = BASE + 1024;
    bench->cpu.r[6] = (BASE | BOARD_LM32_UNCACHED) + 1024;
    bench->memory[256] = 11;
    run(bench);
    bench->memory[256] = 22;
    bench->cpu.stop = BOARD_LM32_RUNS;
    run(bench);
    assert_int_equal(bench->cpu.r[2], 11);
    assert_int_equal(bench->cpu.r[3], 11);
    assert_int_equal(bench->cpu.r[4], 22);
    assert_int_equal(bench->cpu.r[5], 22);
}

/* A line goes when another one with the same index comes. */
static void data_cache_has_one_way(void **state)
{
    struct bench *bench = *state;
    LOAD(bench, lm32_ri(LM32_lw, 2, 1, 0), lm32_ri(LM32_lw, 3, 1, 4096), lm32_ri(LM32_lw, 4, 1, 0),
         lm32_ri(LM32_lw, 5, 1, 4));
    bench->cpu.r[1] = BASE + 1024;
    run(bench);
    assert_int_equal(bench->cpu.dcache.misses, 3);
}

static void instruction_cache_goes_stale(void **state)
{
    struct bench *bench = *state;
    for (unsigned invalidates = 0; invalidates < 2; invalidates++) {
        LOAD(bench, lm32_jump(LM32_calli, 4), lm32_store(LM32_sw, 1, 0, 2),
             invalidates ? lm32_wcsr(BOARD_LM32_ICC, 0) : LM32_NOP, lm32_jump(LM32_calli, 1),
             lm32_ri(LM32_addi, 3, 3, 1), lm32_rr(LM32_b, 0, LM32_RA, 0));
        bench->memory[3] = lm32_jump(LM32_calli, 1);
        bench->cpu.r[1] = BASE + 16;
        bench->cpu.r[2] = lm32_ri(LM32_addi, 3, 3, 100);
        bench->memory[5] = lm32_branch(LM32_bne, 3, 9, 2);
        bench->memory[6] = (uint32_t)LM32_SCALL;
        bench->memory[7] = lm32_rr(LM32_b, 0, LM32_RA, 0);
        bench->cpu.r[9] = invalidates ? 101 : 2;
        run(bench);
        assert_int_equal(bench->cpu.stop, BOARD_LM32_CALLED);
        assert_int_equal(bench->cpu.r[3], bench->cpu.r[9]);
    }
}

/* Cycles behind the first line, which is in the cache the second time. */
static uint64_t cycles_of(struct bench *bench, const uint32_t *words, size_t count)
{
    load_program(bench, words, count);
    bench->cpu.r[1] = BASE + 1024;
    run(bench);
    bench->cpu.pc = BASE;
    bench->cpu.stop = BOARD_LM32_RUNS;
    const uint64_t before = bench->cpu.cycles;
    run(bench);
    return bench->cpu.cycles - before - 4; /* without the call at the end */
}

static void instructions_take_their_time(void **state)
{
    const struct {
        uint32_t words[3];
        uint64_t cycles;
    } rows[] = {
        {{lm32_ri(LM32_addi, 2, 2, 1), lm32_ri(LM32_addi, 2, 2, 1), LM32_NOP}, 3},
        {{lm32_ri(LM32_lw, 2, 1, 0), LM32_NOP, LM32_NOP}, 3},
        {{lm32_ri(LM32_lw, 2, 1, 0), lm32_ri(LM32_addi, 3, 2, 1), LM32_NOP}, 5},
        {{lm32_ri(LM32_lw, 2, 1, 0), LM32_NOP, lm32_ri(LM32_addi, 3, 2, 1)}, 4},
        {{lm32_rr(LM32_mul, 2, 3, 4), lm32_rr(LM32_add, 5, 2, 2), LM32_NOP}, 5},
        {{lm32_rr(LM32_sl, 2, 3, 4), lm32_rr(LM32_add, 5, 2, 2), LM32_NOP}, 4},
        {{lm32_rr(LM32_divu, 2, 3, 1), LM32_NOP, LM32_NOP}, 36},
        {{lm32_branch(LM32_bne, 1, 1, 1), LM32_NOP, LM32_NOP}, 3},
        {{lm32_branch(LM32_be, 1, 1, 1), LM32_NOP, LM32_NOP}, 6},
    };
    struct bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(cycles_of(bench, rows[i].words, 3), rows[i].cycles);
    }
}

static void every_instruction_has_a_row(void **state)
{
    (void)state;
    unsigned legal = 0;
    for (uint32_t opcode = 0; opcode < 64; opcode++) {
        const struct board_lm32_op op = board_lm32_decode(opcode << 26);
        legal += op.code != BOARD_LM32_CODE_illegal;
        if (op.code == BOARD_LM32_CODE_illegal) {
            assert_string_equal(board_lm32_code_name(op.code), "?");
        }
    }
    assert_int_equal(legal, 60);
    assert_string_equal(board_lm32_code_name(board_lm32_decode((uint32_t)LM32_divu << 26).code),
                        "divu");
}

#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROW(registers_meet),
        ROW(immediates_meet),
        ROW(loads_extend),
        ROW(stores_change_their_bytes),
        ROW(branches_decide),
        ROW(jumps_come_back),
        ROW(register_zero_is_ordinary),
        ROW(exceptions_enter),
        ROW(system_calls_return_to_themselves),
        ROW(breaks_go_to_the_debugger),
        ROW(returns_bring_interrupts_back),
        ROW(interrupts_are_taken_when_they_may),
        ROW(pending_interrupts_are_cleared_by_ones),
        ROW(enabling_takes_effect_at_once),
        ROW(control_registers_keep),
        ROW(illegal_instructions_stop),
        ROW(data_cache_goes_stale),
        ROW(data_cache_has_one_way),
        ROW(instruction_cache_goes_stale),
        ROW(instructions_take_their_time),
        ROW(every_instruction_has_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
