/* The meaning of programs for the coprocessor, one vertex at a time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "pfpu/machine/machine.h"
#include "pfpu/microcode/microcode.h"
#include "pfpu/microcode/words.h"

enum { KEYS = 5, INSTRUCTIONS = 8, UNTOUCHED = 0x5a5a5a5a };

#define WORD(name) PFPU_OP_WORD_##name
#define OP(name, ...)                                                                              \
    {                                                                                              \
        .op = (name), .arguments = { __VA_ARGS__ }                                                 \
    }
#define GET(number)                                                                                \
    {                                                                                              \
        .op = PFPU_OP_GET, .key = (number)                                                         \
    }
#define SET(number, value)                                                                         \
    {                                                                                              \
        .op = PFPU_OP_SET, .key = (number), .arguments = { value }                                 \
    }
#define NUMBER(value)                                                                              \
    {                                                                                              \
        .op = PFPU_OP_NUMBER, .number = (value)                                                    \
    }

struct program {
    const char *name;
    struct pfpu_instruction instructions[INSTRUCTIONS];
    size_t count;
    uint32_t keys[KEYS];
    uint32_t keys_after[KEYS];
    uint32_t out[2];
    size_t value; /* an instruction, and what it gives */
    uint32_t word;
};

static const struct program programs[] = {
    {.name = "sum of a key and a number, written out",
     .instructions = {GET(3), NUMBER(2.5), OP(WORD(FADD), 0, 1), OP(WORD(VECTOUT), 2, 0)},
     .count = 4,
     .keys = {0, 0, 0, 0x3f800000, 0},
     .keys_after = {0, 0, 0, 0x3f800000, 0},
     .out = {0x40600000, 0x3f800000},
     .value = 1,
     .word = 0x40200000},
    {.name = "column and row are integers in keys of their own",
     .instructions = {GET(PFPU_KEY_ROW), GET(PFPU_KEY_COLUMN), OP(WORD(I2F), 0), OP(WORD(I2F), 1),
                      OP(WORD(FSUB), 2, 3), OP(WORD(VECTOUT), 0, 4)},
     .count = 6,
     .keys = {3, 127, 0, 0, 0},
     .keys_after = {3, 127, 0, 0, 0},
     .out = {127, 0x42f80000},
     .value = 3,
     .word = 0x40400000},
    {.name = "any bit makes a condition true, that of minus zero too",
     .instructions = {GET(2), GET(3), GET(4), OP(WORD(IF), 0, 1, 2), OP(WORD(IF), 1, 2, 0),
                      OP(WORD(VECTOUT), 3, 4)},
     .count = 6,
     .keys = {0, 0, 0x80000000, 0, 7},
     .keys_after = {0, 0, 0x80000000, 0, 7},
     .out = {0, 0x80000000},
     .value = 3,
     .word = 0},
    {.name = "keys are swapped, for both are read before either is set",
     .instructions = {GET(3), GET(4), SET(3, 1), SET(4, 0), GET(3), OP(WORD(VECTOUT), 4, 1)},
     .count = 6,
     .keys = {0, 0, 0, 11, 12},
     .keys_after = {0, 0, 0, 12, 11},
     .out = {11, 12},
     .value = 4,
     .word = 11},
    {.name = "without VECTOUT nothing is written",
     .instructions = {NUMBER(-1.0), OP(WORD(FABS), 0), SET(2, 1)},
     .count = 3,
     .keys_after = {0, 0, 0x3f800000, 0, 0},
     .out = {UNTOUCHED, UNTOUCHED},
     .value = 1,
     .word = 0x3f800000},
    {.name = "a number that no word holds is the nearest one",
     .instructions = {NUMBER(1e300), NUMBER(1e-45), OP(WORD(VECTOUT), 0, 1)},
     .count = 3,
     .out = {0x7f7fffff, 0},
     .value = 0,
     .word = 0x7f7fffff},
};

static void build(struct pfpu_ir *ir, struct base_arena *arena,
                  const struct pfpu_instruction *instructions, size_t count)
{
    pfpu_ir_init(ir, arena);
    assert_int_equal(pfpu_ir_open_block(ir), 0);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pfpu_ir_append(ir, instructions[i]), (int32_t)i);
    }
    ir->key_end = KEYS;
}

static void check(const struct program *program)
{
    struct base_arena arena = {0};
    struct pfpu_ir ir;
    build(&ir, &arena, program->instructions, program->count);
    uint32_t keys[KEYS];
    uint32_t values[INSTRUCTIONS] = {0};
    uint32_t out[2] = {UNTOUCHED, UNTOUCHED};
    memcpy(keys, program->keys, sizeof keys);
    pfpu_words_run(&ir, keys, values, out);
    assert_memory_equal(keys, program->keys_after, sizeof keys);
    assert_memory_equal(out, program->out, sizeof out);
    assert_int_equal(values[program->value], program->word);
    base_arena_free(&arena);
}

static void gives_what_is_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        print_message("%s\n", programs[i].name);
        check(&programs[i]);
    }
}

/* Every operation with a result gives what the arithmetic unit gives for its operands. */
static void operations_are_those_of_the_unit(void **state)
{
    (void)state;
    const uint32_t a = 0xc2281234;
    const uint32_t b = 0x40fedcba;
    for (unsigned opcode = 1; opcode < PFPU_OPCODE_COUNT; opcode++) {
        const struct pfpu_instruction instructions[] = {
            GET(3), GET(4), {.op = pfpu_op_of_opcode(opcode), .arguments = {0, 1, 0}}};
        struct base_arena arena = {0};
        struct pfpu_ir ir;
        build(&ir, &arena, instructions, 3);
        uint32_t keys[KEYS] = {0, 0, 0, a, b};
        uint32_t values[3];
        uint32_t out[2] = {0, 0};
        pfpu_words_run(&ir, keys, values, out);
        const uint32_t expected = opcode == PFPU_OPCODE_IF ? b : pfpu_alu(opcode, a, b, false);
        assert_int_equal(values[2], expected);
        assert_int_equal(out[0], opcode == PFPU_OPCODE_VECTOUT ? a : 0);
        base_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_what_is_written),
        cmocka_unit_test(operations_are_those_of_the_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
