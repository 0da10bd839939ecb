/* Many vertices at once give what one after the other gives, on every level of the processor. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "pfpu/microcode/microcode.h"
#include "pfpu/machine/word_kernels.h"
#include "pfpu/microcode/words.h"

enum {
    WORDS = 4096,     /* operands at a time */
    ROUNDS = 96,      /* of random operands, for each operation */
    PROGRAMS = 150,   /* random ones */
    KEYS = 24,        /* column, row and some more */
    VERTICES = 16384, /* at most */
    CANARY = 0x0ddba11,
};

/* Operands */

static uint32_t float_word(uint32_t sign, uint32_t exponent, uint32_t fraction)
{
    return sign << 31 | (exponent & 255) << 23 | (fraction & 0x7fffff);
}

/* Both ends and the middle of everything that the operations take apart. */
static size_t corner_words(uint32_t *words)
{
    static const uint32_t exponents[] = {0,   1,   2,   24,  25,  26,  30,  31,  63,
                                         126, 127, 128, 149, 150, 151, 157, 158, 159,
                                         180, 181, 182, 183, 191, 253, 254, 255};
    static const uint32_t fractions[] = {0, 1, 2, 3, 0x3fffff, 0x400000, 0x7ffffe, 0x7fffff};
    size_t count = 0;
    for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; e++) {
        for (size_t f = 0; f < sizeof fractions / sizeof fractions[0]; f++) {
            words[count++] = float_word(0, exponents[e], fractions[f]);
            words[count++] = float_word(1, exponents[e], fractions[f]);
        }
    }
    for (uint32_t i = 0; i < 32; i++) {
        words[count++] = UINT32_C(1) << i;
        words[count++] = UINT32_C(0) - (UINT32_C(1) << i);
        words[count++] = (UINT32_C(1) << i) - 1;
    }
    return count;
}

/* A second operand that meets the first one: equal, of the other sign, a few bits or a few binary
 * places apart, or not at all alike. */
static uint32_t partner(struct base_rng *rng, uint32_t word)
{
    const uint32_t random = base_rng_next(rng);
    const uint32_t away = (random >> 8 & 63) - 32;
    switch (random & 7) {
    case 0:
        return word;
    case 1:
        return word ^ 0x80000000u;
    case 2:
        return word + away;
    case 3:
        return (word ^ 0x80000000u) + away;
    case 4:
        return word ^ (UINT32_C(1) << (random >> 8 & 31));
    case 5:
    case 6:
        return float_word(random >> 31, (word >> 23) + away, base_rng_next(rng));
    default:
        return base_rng_next(rng);
    }
}

static uint32_t random_word(struct base_rng *rng)
{
    const uint32_t random = base_rng_next(rng);
    switch (random & 3) {
    case 0:
        return base_rng_next(rng);
    case 1:
        return base_rng_next(rng) >> (random >> 8 & 31);
    case 2:
        return UINT32_C(0) - (base_rng_next(rng) >> (random >> 8 & 31));
    default:
        return float_word(random >> 31, 110 + (random >> 8 & 31), base_rng_next(rng));
    }
}

/* Kernels */

struct kernel_fixture {
    uint32_t a[WORDS];
    uint32_t b[WORDS];
    uint32_t c[WORDS];
    uint32_t result[WORDS + PFPU_WORD_GROUP];
    uint32_t sines[PFPU_WORD_SINES];
    struct pfpu_word_step step;
};

static struct kernel_fixture *fixture_open(enum base_cpu_level level, unsigned opcode)
{
    struct kernel_fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    for (uint32_t i = 0; i < PFPU_WORD_SINES; i++) {
        fixture->sines[i] = pfpu_alu(pfpu_opcode_of_op(PFPU_OP_WORD_SIN), i, 0, false);
    }
    fixture->step = (struct pfpu_word_step){.run = pfpu_word_kernel_for(level, opcode),
                                            .opcode = opcode,
                                            .result = fixture->result,
                                            .operands = {{fixture->a, PFPU_WORD_GROUP},
                                                         {fixture->b, PFPU_WORD_GROUP},
                                                         {fixture->c, PFPU_WORD_GROUP}},
                                            .sines = fixture->sines};
    return fixture;
}

static void check_results(const struct kernel_fixture *fixture, size_t step_b)
{
    const unsigned opcode = fixture->step.opcode;
    for (size_t i = 0; i < WORDS; i++) {
        const uint32_t a = fixture->a[i];
        const uint32_t b = fixture->b[step_b > 0 ? i : i % PFPU_WORD_GROUP];
        const uint32_t expected = opcode == PFPU_OPCODE_IF ? pfpu_alu(opcode, b, fixture->c[i], a)
                                                           : pfpu_alu(opcode, a, b, false);
        if (fixture->result[i] != expected) {
            fail_msg("%s %08x %08x gives %08x, not %08x", pfpu_opcodes[opcode].text, a, b,
                     fixture->result[i], expected);
        }
    }
    assert_int_equal(fixture->result[WORDS], CANARY);
}

static void check_kernel(struct kernel_fixture *fixture)
{
    fixture->result[WORDS] = CANARY;
    fixture->step.run(&fixture->step, WORDS / PFPU_WORD_GROUP);
    check_results(fixture, PFPU_WORD_GROUP);
}

static void check_corners(struct kernel_fixture *fixture)
{
    uint32_t words[600];
    const size_t count = corner_words(words);
    size_t filled = 0;
    for (size_t i = 0; i < count * count; i++) {
        fixture->a[filled] = words[i / count];
        fixture->b[filled] = words[i % count];
        fixture->c[filled] = words[(i + 1) % count];
        if (++filled == WORDS || i + 1 == count * count) {
            check_kernel(fixture);
            filled = 0;
        }
    }
}

static void check_random(struct kernel_fixture *fixture, struct base_rng *rng)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < WORDS; i++) {
            fixture->a[i] = random_word(rng);
            fixture->b[i] = partner(rng, fixture->a[i]);
            fixture->c[i] = partner(rng, fixture->b[i]);
        }
        check_kernel(fixture);
    }
}

/* One group again and again as second operand; then, the result over the first operand. */
static void check_arrays(struct kernel_fixture *fixture)
{
    fixture->step.operands[1].step = 0;
    fixture->step.run(&fixture->step, WORDS / PFPU_WORD_GROUP);
    check_results(fixture, 0);
    fixture->step.operands[1].step = PFPU_WORD_GROUP;
    fixture->step.run(&fixture->step, WORDS / PFPU_WORD_GROUP);
    uint32_t *expected = malloc(WORDS * sizeof *expected);
    assert_non_null(expected);
    memcpy(expected, fixture->result, WORDS * sizeof *expected);
    fixture->step.result = fixture->a;
    fixture->step.run(&fixture->step, WORDS / PFPU_WORD_GROUP);
    assert_memory_equal(fixture->a, expected, WORDS * sizeof *expected);
    fixture->step.result = fixture->result;
    free(expected);
}

static bool has_result(unsigned opcode)
{
    return pfpu_opcodes[opcode].latency > 0;
}

static void kernels_equal_the_unit(void **state)
{
    (void)state;
    for (unsigned level = 0; level <= (unsigned)base_cpu_best(); level++) {
        struct base_rng rng;
        base_rng_seed(&rng, 1, level);
        for (unsigned opcode = 0; opcode < PFPU_OPCODE_COUNT; opcode++) {
            if (has_result(opcode)) {
                struct kernel_fixture *fixture = fixture_open((enum base_cpu_level)level, opcode);
                check_corners(fixture);
                check_random(fixture, &rng);
                check_arrays(fixture);
                free(fixture);
            }
        }
    }
}

/* All angles, and those whose upper bits must not count. */
static void kernels_know_every_angle(void **state)
{
    (void)state;
    for (unsigned op = PFPU_OP_WORD_SIN; op <= PFPU_OP_WORD_COS; op++) {
        struct kernel_fixture *fixture =
            fixture_open(base_cpu_best(), pfpu_opcode_of_op((enum pfpu_op)op));
        for (uint32_t start = 0; start < 4 * 8192; start += WORDS) {
            for (uint32_t i = 0; i < WORDS; i++) {
                fixture->a[i] = (start + i - 2 * 8192) ^ (start > 3 * 8192 ? 0x5a5a0000u : 0);
            }
            check_kernel(fixture);
        }
        free(fixture);
    }
}

/* Programs */

struct program {
    struct base_arena arena;
    struct pfpu_ir ir;
    uint32_t keys[KEYS];
};

enum traits {
    WRITES = 1,
    SETS = 2,    /* keys that are not read */
    CARRIES = 4, /* from vertex to vertex */
};

static void append(struct program *program, enum pfpu_op op, int32_t a, int32_t b, int32_t c)
{
    const struct pfpu_instruction instruction = {.op = op, .arguments = {a, b, c}};
    assert_int_not_equal(pfpu_ir_append(&program->ir, instruction), PFPU_NO_VALUE);
}

static void append_input(struct program *program, struct base_rng *rng)
{
    struct pfpu_instruction instruction = {.op = PFPU_OP_GET};
    const uint32_t random = base_rng_next(rng);
    if (random % 4 == 0) {
        instruction.op = PFPU_OP_NUMBER;
        instruction.number =
            (double)(int32_t)base_rng_next(rng) / (double)(UINT32_C(1) << (random >> 27));
    } else {
        instruction.key = (int32_t)(random / 4 % (KEYS / 2));
    }
    assert_int_not_equal(pfpu_ir_append(&program->ir, instruction), PFPU_NO_VALUE);
}

/* One of the last `span` values; a SET is none. */
static int32_t random_value(const struct program *program, uint32_t span, struct base_rng *rng)
{
    const uint32_t count = (uint32_t)program->ir.count;
    int32_t value = 0;
    do {
        value = (int32_t)(count - 1 - base_rng_next(rng) % (span < count ? span : count));
    } while (program->ir.instructions[value].op == PFPU_OP_SET);
    return value;
}

static void append_operation(struct program *program, struct base_rng *rng)
{
    unsigned opcode = 0;
    while (!has_result(opcode)) {
        opcode = base_rng_next(rng) % PFPU_OPCODE_COUNT;
    }
    int32_t arguments[3];
    for (int k = 0; k < 3; k++) {
        /* Near ones are more frequent, so that both short and long lives occur. */
        arguments[k] = random_value(program, base_rng_next(rng) % 2 == 0 ? 8 : UINT32_MAX, rng);
    }
    append(program, pfpu_op_of_opcode(opcode), arguments[0], arguments[1], arguments[2]);
}

static void append_set(struct program *program, int32_t key, struct base_rng *rng)
{
    const struct pfpu_instruction set = {
        .op = PFPU_OP_SET, .key = key, .arguments = {random_value(program, UINT32_MAX, rng)}};
    assert_int_not_equal(pfpu_ir_append(&program->ir, set), PFPU_NO_VALUE);
}

static void program_open(struct program *program, struct base_rng *rng, int length, unsigned traits)
{
    memset(program, 0, sizeof *program);
    pfpu_ir_init(&program->ir, &program->arena);
    assert_int_equal(pfpu_ir_open_block(&program->ir), 0);
    for (int32_t key = 0; key < 3; key++) {
        const struct pfpu_instruction get = {.op = PFPU_OP_GET, .key = key};
        assert_int_equal(pfpu_ir_append(&program->ir, get), key);
    }
    for (int i = 0; i < length; i++) {
        if (i == length / 2 && (traits & SETS) != 0) {
            append_set(program, KEYS - 1, rng);
        }
        if (base_rng_next(rng) % 5 == 0) {
            append_input(program, rng);
        } else {
            append_operation(program, rng);
        }
    }
    for (int32_t i = 0; (traits & SETS) != 0 && i < 4; i++) {
        append_set(program, KEYS / 2 + i, rng);
    }
    if ((traits & CARRIES) != 0) {
        append_set(program, 2, rng);
    }
    if ((traits & WRITES) != 0) {
        append(program, PFPU_OP_WORD_VECTOUT, random_value(program, 8, rng),
               random_value(program, UINT32_MAX, rng), 0);
    }
    program->ir.key_end = KEYS;
    for (size_t i = 0; i < KEYS; i++) {
        program->keys[i] = random_word(rng);
    }
}

static void program_close(struct program *program)
{
    base_arena_free(&program->arena);
}

static void walk(const struct program *program, uint32_t columns, uint32_t rows, uint32_t *keys,
                 uint32_t *out, size_t row_words)
{
    uint32_t *values = malloc(program->ir.count * sizeof *values);
    assert_non_null(values);
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t column = 0; column < columns; column++) {
            keys[PFPU_KEY_COLUMN] = column;
            keys[PFPU_KEY_ROW] = row;
            pfpu_words_run(&program->ir, keys, values, out + row * row_words + 2 * column);
        }
    }
    free(values);
}

struct outputs {
    uint32_t expected[2 * VERTICES];
    uint32_t got[2 * VERTICES];
};

static struct outputs *outputs_open(void)
{
    struct outputs *outputs = malloc(sizeof *outputs);
    assert_non_null(outputs);
    for (size_t i = 0; i < 2 * (size_t)VERTICES; i++) {
        outputs->expected[i] = outputs->got[i] = CANARY;
    }
    return outputs;
}

static void check_mesh(struct program *program, enum base_cpu_level level, const uint32_t size[2],
                       unsigned traits)
{
    struct outputs *outputs = outputs_open();
    struct pfpu_word_lanes *lanes =
        pfpu_word_lanes_for_mesh(&program->ir, level, size[0], size[1], &program->arena);
    assert_non_null(lanes);
    assert_int_equal(pfpu_word_lanes_one_by_one(lanes), (traits & CARRIES) != 0);
    uint32_t expected[KEYS];
    uint32_t got[KEYS];
    memcpy(expected, program->keys, sizeof expected);
    memcpy(got, program->keys, sizeof got);
    const size_t row_words = 2 * (size_t)size[0] + (size[0] % 3);
    for (int run = 0; run < 2; run++) { /* the second one finds the memory of the first */
        walk(program, size[0], size[1], expected, outputs->expected, row_words);
        pfpu_word_lanes_run_mesh(lanes, got, outputs->got, row_words);
        assert_memory_equal(got, expected, sizeof got);
        assert_memory_equal(outputs->got, outputs->expected, sizeof outputs->got);
        expected[3] = got[3] = ~got[3];
    }
    free(outputs);
}

static void meshes_equal_the_walk(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{33, 33}, {1, 1},   {7, 1},   {1, 200},
                                        {127, 3}, {128, 4}, {130, 5}, {5, 51}};
    struct base_rng rng;
    base_rng_seed(&rng, 7, 7);
    for (int i = 0; i < PROGRAMS; i++) {
        const unsigned traits = base_rng_next(&rng) % 8 & (i % 4 == 0 ? 7u : 3u);
        const int length = i % 10 == 0 ? 300 : 1 + (int)(base_rng_next(&rng) % 60);
        struct program program;
        program_open(&program, &rng, length, traits);
        for (unsigned level = 0; level <= (unsigned)base_cpu_best(); level++) {
            check_mesh(&program, (enum base_cpu_level)level, sizes[i % 8], traits);
        }
        program_close(&program);
    }
}

static void check_files(struct program *program, enum base_cpu_level level, size_t count,
                        struct base_rng *rng)
{
    struct outputs *outputs = outputs_open();
    const size_t size = (count + 1) * KEYS * sizeof(uint32_t);
    uint32_t *expected = malloc(size);
    uint32_t *got = malloc(size);
    uint32_t *values = malloc(program->ir.count * sizeof *values);
    assert_true(expected != NULL && got != NULL && values != NULL);
    for (size_t i = 0; i < (count + 1) * KEYS; i++) {
        expected[i] = got[i] = random_word(rng);
    }
    struct pfpu_word_lanes *lanes = pfpu_word_lanes_for_files(&program->ir, level, &program->arena);
    assert_non_null(lanes);
    pfpu_word_lanes_run_files(lanes, got, count, outputs->got);
    for (size_t i = 0; i < count; i++) {
        pfpu_words_run(&program->ir, expected + i * KEYS, values, outputs->expected + 2 * i);
    }
    assert_memory_equal(got, expected, size);
    assert_memory_equal(outputs->got, outputs->expected, sizeof outputs->got);
    free(expected);
    free(got);
    free(values);
    free(outputs);
}

static void files_equal_single_runs(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 7, 8, 9, 128, 129, 300};
    struct base_rng rng;
    base_rng_seed(&rng, 8, 8);
    for (int i = 0; i < PROGRAMS; i++) {
        struct program program;
        program_open(&program, &rng, 1 + (int)(base_rng_next(&rng) % 80), base_rng_next(&rng) % 8);
        for (unsigned level = 0; level <= (unsigned)base_cpu_best(); level++) {
            check_files(&program, (enum base_cpu_level)level, counts[i % 8], &rng);
        }
        program_close(&program);
    }
}

/* Whatever the limit of the arena: all or nothing. */
static void shortage_refuses(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 9, 9);
    struct program program;
    program_open(&program, &rng, 100, WRITES | SETS);
    size_t refused = 0;
    for (size_t limit = 1; limit < 200000; limit += 997) {
        struct base_arena arena;
        base_arena_init(&arena, limit);
        struct pfpu_word_lanes *lanes =
            pfpu_word_lanes_for_mesh(&program.ir, base_cpu_best(), 33, 33, &arena);
        assert_int_equal(lanes == NULL, arena.failed);
        refused += lanes == NULL;
        base_arena_free(&arena);
    }
    assert_true(refused > 0 && refused < 200);
    program_close(&program);
}

/* Times */

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void measure_operations(void)
{
    for (unsigned opcode = 0; opcode < PFPU_OPCODE_COUNT; opcode++) {
        if (!has_result(opcode)) {
            continue;
        }
        double each[BASE_CPU_LEVEL_COUNT] = {0};
        for (unsigned level = 0; level <= (unsigned)base_cpu_best(); level++) {
            struct kernel_fixture *fixture = fixture_open((enum base_cpu_level)level, opcode);
            struct base_rng rng;
            base_rng_seed(&rng, 3, 3);
            for (size_t i = 0; i < WORDS; i++) {
                fixture->a[i] = random_word(&rng);
                fixture->b[i] = random_word(&rng);
            }
            const int turns = level == BASE_CPU_PLAIN ? 100 : 2000;
            const double start = seconds();
            for (int turn = 0; turn < turns; turn++) {
                fixture->step.run(&fixture->step, 16);
            }
            each[level] = (seconds() - start) * 1e9 / (turns * 16 * PFPU_WORD_GROUP);
            free(fixture);
        }
        print_message(
            "%-8s plain %6.2f ns, vectors of four %5.2f ns, avx2 %5.2f ns for one result\n",
            pfpu_opcodes[opcode].text, each[BASE_CPU_PLAIN], each[BASE_CPU_FOUR],
            each[BASE_CPU_AVX2]);
    }
}

/* A program as patches make them: mostly sums and products, some of all the rest. */
static void mixed_program(struct program *program, struct base_rng *rng)
{
    static const enum pfpu_op ops[] = {
        PFPU_OP_WORD_FMUL,  PFPU_OP_WORD_FMUL, PFPU_OP_WORD_FMUL,  PFPU_OP_WORD_FMUL,
        PFPU_OP_WORD_FADD,  PFPU_OP_WORD_FADD, PFPU_OP_WORD_FSUB,  PFPU_OP_WORD_FSUB,
        PFPU_OP_WORD_QUAKE, PFPU_OP_WORD_F2I,  PFPU_OP_WORD_SIN,   PFPU_OP_WORD_COS,
        PFPU_OP_WORD_TSIGN, PFPU_OP_WORD_IF,   PFPU_OP_WORD_ABOVE, PFPU_OP_WORD_FABS};
    program_open(program, rng, 0, 0);
    for (int i = 0; i < 30; i++) {
        append_input(program, rng);
    }
    append(program, PFPU_OP_WORD_I2F, PFPU_KEY_COLUMN, 0, 0);
    append(program, PFPU_OP_WORD_I2F, PFPU_KEY_ROW, 0, 0);
    append(program, PFPU_OP_WORD_FMUL, 33, 34, 0);
    for (int i = 0; i < 100; i++) {
        const int32_t count = (int32_t)program->ir.count;
        append(program, ops[i % 16], count - 1 - (int32_t)(base_rng_next(rng) % 4),
               (int32_t)(base_rng_next(rng) % (uint32_t)count),
               count - 1 - (int32_t)(base_rng_next(rng) % 8));
    }
    append(program, PFPU_OP_WORD_VECTOUT, (int32_t)program->ir.count - 1,
           (int32_t)program->ir.count - 2, 0);
    program->ir.key_end = KEYS;
}

static void measure_meshes(void)
{
    struct base_rng rng;
    base_rng_seed(&rng, 4, 4);
    struct program program;
    mixed_program(&program, &rng);
    struct outputs *outputs = outputs_open();
    const double vertices = 33 * 33;
    double start = seconds();
    for (int turn = 0; turn < 5; turn++) {
        walk(&program, 33, 33, program.keys, outputs->expected, 66);
    }
    const double single = (seconds() - start) * 1e9 / (5 * vertices);
    for (unsigned level = 0; level <= (unsigned)base_cpu_best(); level++) {
        struct pfpu_word_lanes *lanes = pfpu_word_lanes_for_mesh(
            &program.ir, (enum base_cpu_level)level, 33, 33, &program.arena);
        assert_non_null(lanes);
        pfpu_word_lanes_run_mesh(lanes, program.keys, outputs->got, 66);
        const int turns = level == BASE_CPU_PLAIN ? 5 : 100;
        start = seconds();
        for (int turn = 0; turn < turns; turn++) {
            pfpu_word_lanes_run_mesh(lanes, program.keys, outputs->got, 66);
        }
        const double each = (seconds() - start) * 1e9 / (turns * vertices);
        print_message("a vertex of 103 operations: one by one %.0f ns, %s %.0f ns, %.1f times\n",
                      single, base_cpu_level_name((enum base_cpu_level)level), each, single / each);
    }
    assert_memory_equal(outputs->got, outputs->expected, sizeof outputs->got);
    free(outputs);
    program_close(&program);
}

static void times(void **state)
{
    (void)state;
    measure_operations();
    measure_meshes();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_equal_the_unit), cmocka_unit_test(kernels_know_every_angle),
        cmocka_unit_test(meshes_equal_the_walk),  cmocka_unit_test(files_equal_single_runs),
        cmocka_unit_test(shortage_refuses),       cmocka_unit_test(times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
