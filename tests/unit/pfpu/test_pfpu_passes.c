#include "test_pfpu.h"

#include <stdio.h>

#include "base/random.h"
#include "pfpu/compile/compile.h"
#include "pfpu/host/program.h"
#include "pfpu/ir/passes.h"
#include "pfpu/language/scope.h"

/* ---- code and IR as text ---- */

struct golden {
    const char *text;
    const char *dump;
};

static void check_goldens(const struct golden *goldens, size_t count, enum pfpu_dump what)
{
    for (size_t i = 0; i < count; i++) {
        struct patch patch;
        patch_open(&patch, goldens[i].text);
        assert_int_equal(patch.status, PFPU_OK);
        const char *dump = pfpu_program_dump(patch.program, what, &patch.arena);
        if (strcmp(dump, goldens[i].dump) != 0) {
            fail_msg("%s\n%s", goldens[i].text, dump);
        }
        patch_close(&patch);
    }
}

static const struct golden ir_goldens[] = {
    {"a=b+1", "block 0\n"
              "  %0 = get b\n"
              "  %1 = number 1\n"
              "  %2 := add %0 %1\n"
              "  set a %2\n"
              "  return\n"},
    {"reg07=reg08;megabuf(2)=rand(0.1)", "block 0\n"
                                         "  %0 = get reg08\n"
                                         "  %1 = filter %0\n"
                                         "  %2 = number 2\n"
                                         "  %3 = number 0.1\n"
                                         "  %4 = rand %3\n"
                                         "  %5 = filter %4\n"
                                         "  store %2 %5\n"
                                         "  set reg07 %1\n"
                                         "  return\n"},
    {"loop(b,a+=1)", "block 0\n"
                     "  %0 = get b\n"
                     "  %1 = turns %0\n"
                     "  set s1 %1\n"
                     "  if %1 block 1 else block 2\n"
                     "block 1\n"
                     "  %3 = number 1\n"
                     "  %4 = get a\n"
                     "  %5 := add %4 %3\n"
                     "  %6 = get s1\n"
                     "  %7 = sub %6 %3\n"
                     "  set s1 %7\n"
                     "  set a %5\n"
                     "  if %7 block 1 else block 2\n"
                     "block 2\n"
                     "  return\n"},
};

static void test_ir(void **state)
{
    (void)state;
    check_goldens(ir_goldens, sizeof ir_goldens / sizeof ir_goldens[0], PFPU_DUMP_IR);
}

static const struct golden code_goldens[] = {
    /* The result is made in the variable, filtered on the way. */
    {"a=b*c", "0: a := mul b c\n1: end\n"},
    {"a=b", "0: a = filter b\n1: end\n"},
    {"a=a+1;a=a*2", "0: t0 := add a #1\n1: a := mul t0 #2\n2: end\n"},
    {"a=b*c+d;b=d-c*e;c=e*e-a", "0: a := muladd b c d\n"
                                "1: b := submul c e d\n"
                                "2: c := mulsub e e a\n"
                                "3: end\n"},
    /* The old value is still needed: no writing in place. */
    {"c=a+(a=b+1)", "0: t0 := add b #1\n1: c := add a t0\n2: a = copy t0\n3: end\n"},
    {"t=a;a=b;b=t", "0: t = filter a\n1: a = filter b\n2: b = copy t\n3: end\n"},
    {"a=1/0+b;c=above(a,2)", "0: a := add #inf b\n1: c = above a #2\n2: end\n"},
    {"reg01=reg01+1", "0: t0 = copy reg01\n1: t0 := add t0 #1\n2: reg01 = copy t0\n3: end\n"},
    {"a=if(b,c,2)", "0: a := select b c #2\n1: end\n"},
    {"a=if(b,sin(c),2)", "0: unless b to 3\n"
                         "1: s0 = sin c\n"
                         "2: jump to 4\n"
                         "3: s0 = copy #2\n"
                         "4: a = filter s0\n"
                         "5: end\n"},
    {"if(b,a=1,0);", "0: unless b to 2\n1: a = copy #1\n2: end\n"},
    {"loop(3,a+=1)", "0: s1 = copy #3\n"
                     "1: a := add a #1\n"
                     "2: s1 = sub s1 #1\n"
                     "3: again s1 to 1 cost 3\n"
                     "4: end\n"},
    {"memset(a,b,3)", "0: memset a b #3\n1: end\n"},
};

static void test_code(void **state)
{
    (void)state;
    check_goldens(code_goldens, sizeof code_goldens / sizeof code_goldens[0], PFPU_DUMP_CODE);
}

/* ---- what the passes take away ---- */

static const struct length {
    const char *text;
    size_t length; /* with the END */
} lengths[] = {
    {"a=1+2*3-sin(1)^2", 2},
    {"a=if(1,b,c)", 2},
    {"a=if(1,b,sin(c))", 3},
    {"a=if(0,loop(5,b=1),2)", 3},
    {"a=b*1+c/1-0", 2},
    {"a=sin(b)+sin(b)", 3},
    {"a=sin(b)+sin(b)*2", 3},
    {"a=rand(1)+rand(1)", 4},
    {"a=rand(5)*0", 3},
    {"rand(5)", 2},
    {"sin(b);cos(c);megabuf(4)", 1},
    {"a=1;a=2;a=3", 2},
    {"a=megabuf(1)+megabuf(1)", 4},
    {"a=(b==c)", 2},
    {"a=0&&loop(5,b=1)", 3},
    {"0 ? b=1 : 0", 1},
    {"1;2;3", 1},
    {"a=pow(b,2)", 2},
    {"a=-(-3)", 2},
    {"a=!(!(b<c))", 4},
};

static void test_lengths(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        struct patch patch;
        patch_open(&patch, lengths[i].text);
        assert_int_equal(patch.status, PFPU_OK);
        if (pfpu_program_length(patch.program) != lengths[i].length) {
            fail_msg("%s: expected %zu\n%s", lengths[i].text, lengths[i].length,
                     pfpu_program_dump(patch.program, PFPU_DUMP_CODE, &patch.arena));
        }
        patch_close(&patch);
    }
}

/* ---- verification ---- */

static struct pfpu_ir make_ir(struct base_arena *arena, const struct pfpu_instruction *instructions,
                              size_t count)
{
    struct pfpu_ir ir;
    pfpu_ir_init(&ir, arena);
    ir.slot_count = 1;
    (void)pfpu_ir_open_block(&ir);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(pfpu_ir_append(&ir, instructions[i]), i);
    }
    return ir;
}

enum { VARIABLE = PFPU_REGISTERS_GLOBAL };

static const struct pfpu_instruction sound[] = {
    {.op = PFPU_OP_GET, .key = VARIABLE},
    {.op = PFPU_OP_NUMBER, .number = 2.0},
    {.op = PFPU_OP_ADD, .arguments = {0, 1}},
    {.op = PFPU_OP_SET, .key = VARIABLE, .arguments = {2}},
};

enum { SOUND = sizeof sound / sizeof sound[0] };

static void test_verify_rejects(void **state)
{
    (void)state;
    static const struct broken {
        size_t at;
        struct pfpu_instruction instruction;
        const char *complaint;
    } broken[] = {
        {2, {.op = PFPU_OP_ADD, .arguments = {0, 2}}, "a value is used before it is made"},
        {2, {.op = PFPU_OP_ADD, .arguments = {0, 7}}, "a value is used before it is made"},
        {2, {.op = PFPU_OP_ADD, .arguments = {-1, 0}}, "a value is used before it is made"},
        {2, {.op = PFPU_OP_COUNT}, "an operation that does not exist"},
        {0, {.op = PFPU_OP_GET, .key = -2}, "a key that does not exist"},
        {0,
         {.op = PFPU_OP_SET, .key = VARIABLE, .arguments = {0}},
         "a value is used before it is made"},
        {1, {.op = PFPU_OP_NUMBER, .filtered = true}, "a filter on an operation that has none"},
        {2,
         {.op = PFPU_OP_SET, .key = VARIABLE, .arguments = {0}},
         "a variable is read or set again behind its SET"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct base_arena arena = {0};
        struct pfpu_ir ir = make_ir(&arena, sound, SOUND);
        assert_null(pfpu_verify(&ir, &arena));
        ir.instructions[broken[i].at] = broken[i].instruction;
        const char *complaint = pfpu_verify(&ir, &arena);
        assert_non_null(complaint);
        if (broken[i].at != 2 || broken[i].instruction.op != PFPU_OP_SET) {
            assert_string_equal(complaint, broken[i].complaint);
        }
        base_arena_free(&arena);
    }
}

/* 0: if %0 1 else 2;  1: %1, jump 2;  2: return */
static struct pfpu_ir make_branches(struct base_arena *arena)
{
    struct pfpu_ir ir = make_ir(arena, sound, 1);
    ir.blocks[0].end = PFPU_END_BRANCH;
    ir.blocks[0].condition = 0;
    ir.blocks[0].targets[0] = 1;
    ir.blocks[0].targets[1] = 2;
    (void)pfpu_ir_open_block(&ir);
    (void)pfpu_ir_append(&ir, (struct pfpu_instruction){.op = PFPU_OP_NEG, .arguments = {0}});
    ir.blocks[1].end = PFPU_END_JUMP;
    ir.blocks[1].targets[0] = 2;
    (void)pfpu_ir_open_block(&ir);
    (void)pfpu_ir_append(
        &ir, (struct pfpu_instruction){.op = PFPU_OP_SET, .key = VARIABLE, .arguments = {0}});
    return ir;
}

static void test_verify_rejects_bad_flow(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct pfpu_ir ir = make_branches(&arena);
    assert_null(pfpu_verify(&ir, &arena));

    ir.instructions[2].arguments[0] = 1;
    assert_string_equal(pfpu_verify(&ir, &arena),
                        "a value is used in a block that can be reached without making it");

    ir = make_branches(&arena);
    ir.blocks[1].end = PFPU_END_BRANCH;
    ir.blocks[1].condition = 1;
    ir.blocks[1].targets[0] = 1;
    ir.blocks[1].targets[1] = 2;
    assert_string_equal(pfpu_verify(&ir, &arena), "a value from outside is used in a loop");

    ir = make_branches(&arena);
    ir.blocks[1].targets[0] = 0;
    assert_string_equal(pfpu_verify(&ir, &arena),
                        "only the first target of a branch may lead back");

    ir = make_branches(&arena);
    ir.blocks[1].targets[0] = 3;
    assert_string_equal(pfpu_verify(&ir, &arena), "a block ends with a target that does not exist");

    ir = make_branches(&arena);
    ir.blocks[1].first = 0;
    assert_string_equal(pfpu_verify(&ir, &arena), "blocks do not cover the instructions in order");

    ir = make_branches(&arena);
    ir.block_count = 0;
    assert_string_equal(pfpu_verify(&ir, &arena), "no block");
    base_arena_free(&arena);
}

/* ---- passes on programs that lowering does not make ---- */

/* The old value of a variable decides a branch behind its SET: it must have been kept. */
static void test_old_value_survives_its_set(void **state)
{
    (void)state;
    struct patch patch;
    patch_open(&patch, "a=1");
    static const struct pfpu_instruction instructions[] = {
        {.op = PFPU_OP_GET, .key = VARIABLE},
        {.op = PFPU_OP_NUMBER, .number = 0.0},
        {.op = PFPU_OP_SET, .key = VARIABLE, .arguments = {1}},
    };
    struct pfpu_ir ir = make_ir(&patch.arena, instructions, 3);
    ir.slot_count = 0;
    ir.blocks[0].end = PFPU_END_BRANCH;
    ir.blocks[0].condition = 0;
    ir.blocks[0].targets[0] = 1;
    ir.blocks[0].targets[1] = 2;
    (void)pfpu_ir_open_block(&ir);
    (void)pfpu_ir_append(&ir, (struct pfpu_instruction){.op = PFPU_OP_NUMBER, .number = 9.0});
    (void)pfpu_ir_append(
        &ir, (struct pfpu_instruction){.op = PFPU_OP_SET, .key = VARIABLE, .arguments = {3}});
    ir.blocks[1].end = PFPU_END_JUMP;
    ir.blocks[1].targets[0] = 2;
    (void)pfpu_ir_open_block(&ir);
    assert_null(pfpu_verify(&ir, &patch.arena));

    struct pfpu_schedule schedule;
    struct pfpu_program program = {.scope = patch.scope};
    assert_int_equal(pfpu_schedule_greedy(&pfpu_target_host, &ir, &patch.arena, &schedule),
                     PFPU_FITS);
    assert_true(pfpu_emit(&ir, &schedule, -1, &patch.arena, &patch.arena, &program.code));
    double cells[16] = {0};
    patch.instance.values = cells + 8;
    for (size_t i = 0; i < program.code.constant_count; i++) {
        cells[8 - 1 - i] = program.code.constants[i];
    }
    cells[8] = 1.0;
    pfpu_run(&program, &patch.instance, &patch.globals);
    assert_true(cells[8] == 9.0);
    cells[8] = 0.0;
    pfpu_run(&program, &patch.instance, &patch.globals);
    assert_true(cells[8] == 0.0);
    patch_close(&patch);
}

static void test_each_pass_alone(void **state)
{
    (void)state;
    /* %0 get, %1 2, %2 2, %3 = 2*2, %4 = %0*%3, %5 = %0*%3, %6 unused, %7 = %4+%5, set */
    static const struct pfpu_instruction instructions[] = {
        {.op = PFPU_OP_GET, .key = VARIABLE},
        {.op = PFPU_OP_NUMBER, .number = 2.0},
        {.op = PFPU_OP_NUMBER, .number = 2.0},
        {.op = PFPU_OP_MUL, .arguments = {1, 2}},
        {.op = PFPU_OP_MUL, .arguments = {0, 3}},
        {.op = PFPU_OP_MUL, .arguments = {0, 3}},
        {.op = PFPU_OP_SIN, .arguments = {0}},
        {.op = PFPU_OP_ADD, .arguments = {4, 5}},
        {.op = PFPU_OP_FILTER, .arguments = {7}},
        {.op = PFPU_OP_SET, .key = VARIABLE, .arguments = {8}},
    };
    struct base_arena arena = {0};
    struct pfpu_ir ir = make_ir(&arena, instructions, sizeof instructions / sizeof instructions[0]);
    assert_true(pfpu_fold(&ir, &arena));
    assert_int_equal(ir.instructions[3].op, PFPU_OP_NUMBER);
    assert_true(ir.instructions[3].number == 4.0);
    assert_true(pfpu_cse(&ir, &arena));
    assert_int_equal(ir.instructions[7].arguments[0], 4);
    assert_int_equal(ir.instructions[7].arguments[1], 4);
    assert_true(pfpu_dce(&ir, &arena));
    assert_int_equal(ir.count, 6);
    assert_true(pfpu_fuse(&ir, &arena));
    assert_int_equal(ir.count, 5);
    assert_true(ir.instructions[3].filtered);
    assert_null(pfpu_verify(&ir, &arena));
    base_arena_free(&arena);
}

/* -0 is not 0, and what would be NaN is left to the machine. */
static void test_fold_keeps_bits(void **state)
{
    (void)state;
    static const struct folded {
        enum pfpu_op op;
        double a;
        double b;
        bool folds;
    } rows[] = {
        {PFPU_OP_ADD, 0.1, 0.2, true},   {PFPU_OP_MUL, -1.0, 0.0, true},
        {PFPU_OP_DIV, 1.0, 0.0, true},   {PFPU_OP_DIV, 0.0, 0.0, false},
        {PFPU_OP_POW, 2.0, 0.5, true},   {PFPU_OP_POW, -2.0, 0.5, false},
        {PFPU_OP_MOD, -7.0, 3.0, true},  {PFPU_OP_ATAN2, 1.0, -1.0, true},
        {PFPU_OP_RAND, 5.0, 0.0, false}, {PFPU_OP_MEMORY_LOAD, 5.0, 0.0, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct pfpu_instruction instructions[] = {
            {.op = PFPU_OP_NUMBER, .number = rows[i].a},
            {.op = PFPU_OP_NUMBER, .number = rows[i].b},
            {.op = rows[i].op, .arguments = {0, 1}},
        };
        struct base_arena arena = {0};
        struct pfpu_ir ir = make_ir(&arena, instructions, 3);
        assert_true(pfpu_fold(&ir, &arena));
        assert_int_equal(ir.instructions[2].op == PFPU_OP_NUMBER, rows[i].folds);
        if (rows[i].folds) {
            const double value = pfpu_op_value(rows[i].op, rows[i].a, rows[i].b, 0.0);
            assert_memory_equal(&ir.instructions[2].number, &value, sizeof value);
        }
        base_arena_free(&arena);
    }
}

static void test_square_is_the_second_power(void **state)
{
    (void)state;
    struct base_rng rng;
    base_rng_seed(&rng, 5, 5);
    for (int i = 0; i < 10000; i++) {
        const double x = ((double)base_rng_next(&rng) - 2147483648.0) / 65536.0;
        const double power = pfpu_op_value(PFPU_OP_POW, x, 2.0, 0.0);
        const double square = pfpu_op_value(PFPU_OP_SQR, x, 0.0, 0.0);
        assert_memory_equal(&power, &square, sizeof power);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ir),
        cmocka_unit_test(test_code),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_verify_rejects),
        cmocka_unit_test(test_verify_rejects_bad_flow),
        cmocka_unit_test(test_old_value_survives_its_set),
        cmocka_unit_test(test_each_pass_alone),
        cmocka_unit_test(test_fold_keeps_bits),
        cmocka_unit_test(test_square_is_the_second_power),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
