#include "test_pfpu_random.h"

#include <string.h>

#include "pfpu/machine/machine.h"

static const struct pfpu_target *const chip = &pfpu_target_milkymist_one;

enum { X = PFPU_REGISTERS_GLOBAL, Y, Z };

struct compiled {
    struct base_arena arena;
    struct pfpu_ir ir;
    struct pfpu_schedule schedule;
    struct pfpu_microcode microcode;
};

static enum pfpu_fit finish(struct compiled *compiled, const struct pfpu_target *target,
                            pfpu_scheduler *scheduler)
{
    struct base_arena *arena = &compiled->arena;
    const enum pfpu_fit fit = scheduler(target, &compiled->ir, arena, &compiled->schedule);
    return fit != PFPU_FITS ? fit
                            : pfpu_encode(target, &compiled->ir, &compiled->schedule, arena, arena,
                                          &compiled->microcode);
}

static void load(struct compiled *compiled, const struct pfpu_instruction *instructions,
                 size_t count)
{
    memset(compiled, 0, sizeof *compiled);
    pfpu_ir_init(&compiled->ir, &compiled->arena);
    (void)pfpu_ir_open_block(&compiled->ir);
    for (size_t i = 0; i < count; i++) {
        (void)pfpu_ir_append(&compiled->ir, instructions[i]);
    }
    assert_null(pfpu_verify(&compiled->ir, &compiled->arena));
    assert_true(pfpu_legalise(&compiled->ir, &compiled->arena));
    assert_null(pfpu_verify(&compiled->ir, &compiled->arena));
}

static unsigned code_of(enum pfpu_op op)
{
    return (unsigned)op - (unsigned)PFPU_OP_WORD_NOP;
}

static void check_words(const struct compiled *compiled, const uint32_t *words, size_t count)
{
    assert_int_equal(compiled->microcode.length, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(compiled->microcode.words[i], words[i]);
    }
}

static void test_words_of_a_chain(void **state)
{
    (void)state;
    static const struct pfpu_instruction chain[] = {
        {.op = PFPU_OP_GET, .key = PFPU_KEY_COLUMN},
        {.op = PFPU_OP_GET, .key = PFPU_KEY_ROW},
        {.op = PFPU_OP_NUMBER, .number = 1.5},
        {.op = PFPU_OP_WORD_I2F, .arguments = {0}},
        {.op = PFPU_OP_WORD_FADD, .arguments = {3, 2}},
        {.op = PFPU_OP_WORD_F2I, .arguments = {4}},
        {.op = PFPU_OP_WORD_VECTOUT, .arguments = {5, 1}},
    };
    const uint32_t words[15] = {
        [0] = pfpu_word_make(0, 0, code_of(PFPU_OP_WORD_I2F), 0),      [3] = 4,
        [4] = pfpu_word_make(4, 3, code_of(PFPU_OP_WORD_FADD), 0),     [9] = 4,
        [10] = pfpu_word_make(4, 0, code_of(PFPU_OP_WORD_F2I), 0),     [12] = 4,
        [13] = pfpu_word_make(4, 1, code_of(PFPU_OP_WORD_VECTOUT), 0),
    };
    pfpu_scheduler *const schedulers[] = {pfpu_schedule_greedy, pfpu_schedule_critical};
    for (size_t n = 0; n < 2; n++) {
        struct compiled compiled;
        load(&compiled, chain, sizeof chain / sizeof chain[0]);
        assert_int_equal(finish(&compiled, chip, schedulers[n]), PFPU_FITS);
        check_words(&compiled, words, 15);
        assert_int_equal(compiled.microcode.vectout, 13);
        assert_int_equal(pfpu_critical_path(chip, &compiled.ir, &compiled.arena), 13);
        assert_int_equal(compiled.microcode.operations, 4);
        assert_int_equal(compiled.microcode.registers, 4);
        assert_int_equal(compiled.microcode.input_count, 1);
        assert_true(compiled.microcode.inputs[0].constant);
        assert_int_equal(compiled.microcode.inputs[0].word, 0x3fc00000);
        assert_null(pfpu_prove(chip, &compiled.ir, &compiled.microcode, 1, 2, &compiled.arena));
        base_arena_free(&compiled.arena);
    }
}

/* The IF issues in the very word in which its condition comes into R2, and the new value of a
 * variable may be committed in the word in which the old one is read. */
static void test_words_of_a_condition(void **state)
{
    (void)state;
    static const struct pfpu_instruction counter[] = {
        {.op = PFPU_OP_GET, .key = X},
        {.op = PFPU_OP_GET, .key = Y},
        {.op = PFPU_OP_WORD_ABOVE, .arguments = {0, 1}},
        {.op = PFPU_OP_WORD_IF, .arguments = {2, 1, 0}},
        {.op = PFPU_OP_SET, .key = X, .arguments = {3}},
    };
    const uint32_t words[5] = {
        [0] = pfpu_word_make(3, 4, code_of(PFPU_OP_WORD_ABOVE), 0),
        [2] = pfpu_word_make(4, 3, code_of(PFPU_OP_WORD_IF), PFPU_MACHINE_CONDITION),
        [3] = pfpu_word_make(0, 0, code_of(PFPU_OP_WORD_VECTOUT), 0),
        [4] = 3,
    };
    struct compiled compiled;
    load(&compiled, counter, sizeof counter / sizeof counter[0]);
    assert_int_equal(compiled.ir.count, 5);
    assert_int_equal(finish(&compiled, chip, pfpu_schedule_greedy), PFPU_FITS);
    check_words(&compiled, words, 5);
    assert_int_equal(compiled.microcode.output_count, 1);
    assert_int_equal(compiled.microcode.outputs[0].number, 3);
    assert_int_equal(compiled.microcode.outputs[0].key, X);
    assert_null(pfpu_prove(chip, &compiled.ir, &compiled.microcode, 1, 4, &compiled.arena));
    base_arena_free(&compiled.arena);
}

static void test_empty_programs(void **state)
{
    (void)state;
    static const struct pfpu_instruction nothing[] = {
        {.op = PFPU_OP_GET, .key = X}, {.op = PFPU_OP_WORD_VECTOUT, .arguments = {0, 0}}};
    for (size_t count = 0; count <= 2; count++) {
        struct compiled compiled;
        load(&compiled, nothing, count);
        assert_int_equal(finish(&compiled, chip, pfpu_schedule_pipelined), PFPU_FITS);
        assert_int_equal(compiled.microcode.length, 2);
        assert_null(pfpu_prove(chip, &compiled.ir, &compiled.microcode, 1, 1, &compiled.arena));
        base_arena_free(&compiled.arena);
    }
}

/* What legalising adds. */
#define HEAD                                                                                       \
    {.op = PFPU_OP_GET, .key = X}, {.op = PFPU_OP_GET, .key = Y},                                  \
    {                                                                                              \
        .op = PFPU_OP_NUMBER, .number = 2.0                                                        \
    }

struct legal_case {
    const char *why;
    size_t added;
    struct pfpu_instruction instructions[16];
};

static const struct legal_case legal_cases[] = {
    {"a SET of an operation's result",
     0,
     {HEAD,
      {.op = PFPU_OP_WORD_FADD, .arguments = {0, 2}},
      {.op = PFPU_OP_SET, .key = X, .arguments = {3}}}},
    {"a SET of a number", 1, {HEAD, {.op = PFPU_OP_SET, .key = X, .arguments = {2}}}},
    {"a SET of another variable", 1, {HEAD, {.op = PFPU_OP_SET, .key = X, .arguments = {1}}}},
    {"two variables exchanged",
     4,
     {HEAD,
      {.op = PFPU_OP_SET, .key = X, .arguments = {1}},
      {.op = PFPU_OP_SET, .key = Y, .arguments = {0}}}},
    {"one result for two variables",
     1,
     {HEAD,
      {.op = PFPU_OP_WORD_FADD, .arguments = {0, 2}},
      {.op = PFPU_OP_SET, .key = X, .arguments = {3}},
      {.op = PFPU_OP_SET, .key = Y, .arguments = {3}}}},
    {"the old value is read behind the new one",
     1,
     {HEAD,
      {.op = PFPU_OP_WORD_FADD, .arguments = {0, 2}},
      {.op = PFPU_OP_WORD_FMUL, .arguments = {3, 0}},
      {.op = PFPU_OP_SET, .key = X, .arguments = {3}},
      {.op = PFPU_OP_SET, .key = Z, .arguments = {4}}}},
    {"the VECTOUT reads what is SET",
     1,
     {HEAD,
      {.op = PFPU_OP_WORD_FADD, .arguments = {0, 2}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {0, 1}},
      {.op = PFPU_OP_SET, .key = X, .arguments = {3}}}},
    {"a condition for two IFs",
     0,
     {HEAD,
      {.op = PFPU_OP_WORD_ABOVE, .arguments = {0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 1, 2}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {4, 5}}}},
    {"an IF on the same condition behind the other one",
     1,
     {HEAD,
      {.op = PFPU_OP_WORD_ABOVE, .arguments = {0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 1, 4}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {4, 5}}}},
    {"two conditions whose IFs wait for each other",
     1,
     {HEAD,
      {.op = PFPU_OP_WORD_ABOVE, .arguments = {0, 1}},
      {.op = PFPU_OP_WORD_EQUAL, .arguments = {0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {4, 5, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {4, 0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 7, 1}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {6, 8}}}},
    {"an input as condition",
     1,
     {HEAD,
      {.op = PFPU_OP_WORD_IF, .arguments = {0, 1, 2}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {3, 1}}}},
    {"a condition that is an operand as well",
     1,
     {HEAD,
      {.op = PFPU_OP_WORD_ABOVE, .arguments = {0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 3, 2}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {4, 1}}}},
    {"a sum as condition",
     0,
     {HEAD,
      {.op = PFPU_OP_WORD_FADD, .arguments = {0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 1, 2}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {4, 1}}}},
    {"an IF as condition of one IF",
     0,
     {HEAD,
      {.op = PFPU_OP_WORD_ABOVE, .arguments = {0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 0, 2}},
      {.op = PFPU_OP_WORD_IF, .arguments = {4, 1, 2}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {5, 1}}}},
    {"an IF as condition of two IFs",
     1,
     {HEAD,
      {.op = PFPU_OP_WORD_ABOVE, .arguments = {0, 1}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 0, 2}},
      {.op = PFPU_OP_WORD_IF, .arguments = {4, 1, 2}},
      {.op = PFPU_OP_WORD_IF, .arguments = {4, 2, 1}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {5, 6}}}},
    {"a condition that reads what is SET",
     1,
     {HEAD,
      {.op = PFPU_OP_WORD_ABOVE, .arguments = {0, 1}},
      {.op = PFPU_OP_WORD_FADD, .arguments = {0, 2}},
      {.op = PFPU_OP_WORD_IF, .arguments = {3, 4, 1}},
      {.op = PFPU_OP_WORD_VECTOUT, .arguments = {5, 1}},
      {.op = PFPU_OP_SET, .key = X, .arguments = {4}}}},
};

static void test_what_legalising_adds(void **state)
{
    (void)state;
    pfpu_scheduler *const schedulers[] = {pfpu_schedule_greedy, pfpu_schedule_critical,
                                          pfpu_schedule_pipelined};
    for (size_t c = 0; c < sizeof legal_cases / sizeof legal_cases[0]; c++) {
        size_t count = 3;
        while (legal_cases[c].instructions[count].op != PFPU_OP_NUMBER) {
            count++;
        }
        for (size_t n = 0; n < 3; n++) {
            struct compiled compiled;
            load(&compiled, legal_cases[c].instructions, count);
            if (compiled.ir.count != count + legal_cases[c].added) {
                fail_msg("%s: %zu instructions", legal_cases[c].why, compiled.ir.count);
            }
            assert_int_equal(finish(&compiled, chip, schedulers[n]), PFPU_FITS);
            assert_null(pfpu_prove(chip, &compiled.ir, &compiled.microcode, c, 3, &compiled.arena));
            base_arena_free(&compiled.arena);
        }
    }
}

static void check_random(const struct random_shape *shape, const struct pfpu_target *target,
                         pfpu_scheduler *scheduler, uint64_t seed, uint32_t *fitting)
{
    struct compiled compiled = {.ir = {.count = 0}};
    struct pfpu_ir original;
    struct base_rng rng;
    base_rng_seed(&rng, seed, 7);
    compiled.ir = random_program(&compiled.arena, &rng, shape);
    assert_true(pfpu_ir_copy(&original, &compiled.ir, &compiled.arena));
    assert_true(pfpu_legalise(&compiled.ir, &compiled.arena));
    assert_null(pfpu_verify(&compiled.ir, &compiled.arena));
    const enum pfpu_fit fit = finish(&compiled, target, scheduler);
    if (fit == PFPU_FITS) {
        const struct pfpu_microcode *microcode = &compiled.microcode;
        const char *wrong = pfpu_prove(target, &original, microcode, seed, 1, &compiled.arena);
        if (wrong != NULL) {
            fail_msg("seed %u: %s", (unsigned)seed, wrong);
        }
        assert_true(microcode->vectout + 1 >= microcode->operations);
        assert_true(microcode->stages > 1 ||
                    microcode->vectout >=
                        pfpu_critical_path(target, &compiled.ir, &compiled.arena));
        assert_true(microcode->registers <= target->registers);
        *fitting += 1;
    } else {
        assert_int_equal(fit, PFPU_FIT_REGISTERS);
    }
    base_arena_free(&compiled.arena);
}

static const struct random_shape shapes[] = {
    {5, 8, 20, 0, false, true},     {20, 8, 10, 0, false, true},  {20, 30, 40, 0, false, true},
    {60, 12, 20, 0, false, true},   {60, 12, 20, 4, true, true},  {120, 20, 8, 0, false, true},
    {120, 20, 8, 8, true, true},    {30, 20, 30, 8, true, false}, {120, 20, 30, 8, true, false},
    {120, 20, 30, 8, false, false}, {400, 30, 8, 0, false, true}, {400, 20, 30, 8, true, true},
};

static void test_random_programs(void **state)
{
    (void)state;
    pfpu_scheduler *const schedulers[] = {pfpu_schedule_greedy, pfpu_schedule_critical,
                                          pfpu_schedule_pipelined};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const uint32_t seeds = shapes[s].operations > 200 ? 3 : shapes[s].operations > 50 ? 8 : 24;
        for (size_t n = 0; n < 3; n++) {
            uint32_t fitting = 0;
            for (uint64_t seed = 0; seed < seeds; seed++) {
                check_random(&shapes[s], seed % 4 == 3 ? &pfpu_target_thesis : chip, schedulers[n],
                             seed, &fitting);
            }
            assert_int_equal(fitting, seeds);
        }
    }
}

/* With ever fewer registers programs still fit, until they do not and say so. */
static void test_few_registers(void **state)
{
    (void)state;
    static const struct random_shape shape = {80, 25, 10, 4, true, true};
    pfpu_scheduler *const schedulers[] = {pfpu_schedule_greedy, pfpu_schedule_critical};
    for (size_t n = 0; n < 2; n++) {
        uint32_t all = 0;
        uint32_t some = 0;
        for (uint32_t registers = 16; registers <= 64; registers += 4) {
            struct pfpu_target target = *chip;
            target.registers = registers;
            for (uint64_t seed = 0; seed < 6; seed++) {
                check_random(&shape, &target, schedulers[n], seed, &some);
                all++;
            }
        }
        assert_true(some > all / 2 && some < all);
    }
}

/* A program in which every word matters. */
static void compile_lean(struct compiled *compiled, uint64_t seed, pfpu_scheduler *scheduler,
                         const struct random_shape *shape)
{
    struct base_rng rng;
    base_rng_seed(&rng, seed, 3);
    memset(compiled, 0, sizeof *compiled);
    compiled->ir = random_program(&compiled->arena, &rng, shape);
    assert_true(pfpu_cse(&compiled->ir, &compiled->arena));
    assert_true(pfpu_dce(&compiled->ir, &compiled->arena));
    assert_true(pfpu_legalise(&compiled->ir, &compiled->arena));
    assert_int_equal(finish(compiled, chip, scheduler), PFPU_FITS);
}

static const char *prove_with(struct compiled *compiled, size_t at, uint32_t word)
{
    struct pfpu_microcode *microcode = &compiled->microcode;
    struct base_arena scratch = {0};
    const uint32_t old = microcode->words[at];
    microcode->words[at] = word;
    const char *wrong = pfpu_prove(chip, &compiled->ir, microcode, 1, 1, &scratch);
    microcode->words[at] = old;
    base_arena_free(&scratch);
    return wrong;
}

static void plant_faults(struct compiled *compiled)
{
    uint32_t *words = compiled->microcode.words;
    for (size_t i = 0; i < compiled->microcode.length; i++) {
        const unsigned a = pfpu_word_a(words[i]);
        const unsigned b = pfpu_word_b(words[i]);
        const unsigned opcode = pfpu_word_opcode(words[i]);
        const unsigned destination = pfpu_word_destination(words[i]);
        assert_null(prove_with(compiled, i, words[i]));
        assert_non_null(
            prove_with(compiled, i, pfpu_word_make(a, b, opcode, (destination + 1) % 128)));
        assert_non_null(prove_with(compiled, i, pfpu_word_make(a, b, opcode ^ 8, destination)));
        if (a != b && pfpu_ops[PFPU_OP_WORD_NOP + opcode].arity > 1) {
            assert_non_null(prove_with(compiled, i, pfpu_word_make(b, a, opcode, destination)));
        }
        if (i + 1 < compiled->microcode.length && words[i] != words[i + 1]) {
            const uint32_t word = words[i];
            words[i] = words[i + 1];
            assert_non_null(prove_with(compiled, i + 1, word));
            words[i] = word;
        }
    }
}

static bool reads_column(const struct pfpu_ir *ir)
{
    bool reads = false;
    for (size_t i = 0; i < ir->count; i++) {
        reads |=
            ir->instructions[i].op == PFPU_OP_GET && ir->instructions[i].key == PFPU_KEY_COLUMN;
    }
    return reads;
}

static void assert_refused(struct compiled *compiled)
{
    assert_non_null(pfpu_prove(chip, &compiled->ir, &compiled->microcode, 1, 1, &compiled->arena));
}

/* Registers that are said to hold something else. */
static void plant_wrong_bindings(struct compiled *compiled)
{
    struct pfpu_microcode *microcode = &compiled->microcode;
    for (size_t i = 0; i < microcode->output_count; i++) {
        struct pfpu_binding *output = &microcode->outputs[i];
        const struct pfpu_binding old = *output;
        output->number = 0;
        assert_refused(compiled);
        *output = old;
        output->key = compiled->ir.key_end + 1000;
        assert_refused(compiled);
        *output = old;
    }
    for (size_t i = 0; i < microcode->input_count; i++) {
        struct pfpu_binding *input = &microcode->inputs[i];
        const struct pfpu_binding old = *input;
        input->number = PFPU_MACHINE_CONDITION;
        assert_refused(compiled);
        *input = old;
        if (!input->constant) {
            input->key = PFPU_KEY_COLUMN;
            assert_refused(compiled);
            *input = old;
        }
    }
}

static void test_planted_faults_are_noticed(void **state)
{
    (void)state;
    static const struct random_shape vertex = {40, 6, 10, 0, false, true};
    static const struct random_shape frame = {40, 10, 10, 1, true, false};
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct compiled compiled;
        compile_lean(&compiled, seed, seed < 2 ? pfpu_schedule_pipelined : pfpu_schedule_critical,
                     seed == 2 ? &frame : &vertex);
        plant_faults(&compiled);
        plant_wrong_bindings(&compiled);
        compiled.microcode.stages++;
        const char *wrong =
            pfpu_prove(chip, &compiled.ir, &compiled.microcode, 1, 1, &compiled.arena);
        assert_true(wrong != NULL || !reads_column(&compiled.ir));
        compiled.microcode.stages--;
        compiled.microcode.length--;
        assert_non_null(pfpu_prove(chip, &compiled.ir, &compiled.microcode, 1, 1, &compiled.arena));
        base_arena_free(&compiled.arena);
    }
}

/* Whatever runs out of memory says so and leaves nothing behind. */
static void test_short_of_memory(void **state)
{
    (void)state;
    static const struct random_shape shape = {60, 6, 10, 0, false, true};
    pfpu_scheduler *const schedulers[] = {pfpu_schedule_greedy, pfpu_schedule_critical,
                                          pfpu_schedule_pipelined};
    uint32_t refused = 0;
    for (size_t n = 0; n < 3; n++) {
        for (size_t limit = 0; limit < 60000; limit += 1500) {
            struct compiled compiled = {.ir = {.count = 0}};
            struct base_arena program = {0};
            struct base_rng rng;
            base_rng_seed(&rng, 5, 7);
            base_arena_init(&compiled.arena, limit + 1);
            compiled.ir = random_program(&program, &rng, &shape);
            const enum pfpu_fit fit = pfpu_legalise(&compiled.ir, &compiled.arena)
                                          ? finish(&compiled, chip, schedulers[n])
                                          : PFPU_FIT_NO_MEMORY;
            assert_true(fit == PFPU_FITS || fit == PFPU_FIT_NO_MEMORY);
            refused += fit == PFPU_FIT_NO_MEMORY ? 1 : 0;
            base_arena_free(&compiled.arena);
            base_arena_free(&program);
        }
    }
    assert_true(refused > 20 && refused < 120);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_of_a_chain),
        cmocka_unit_test(test_words_of_a_condition),
        cmocka_unit_test(test_empty_programs),
        cmocka_unit_test(test_what_legalising_adds),
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_few_registers),
        cmocka_unit_test(test_planted_faults_are_noticed),
        cmocka_unit_test(test_short_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
