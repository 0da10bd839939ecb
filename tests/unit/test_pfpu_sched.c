#include "test_pfpu.h"

#include "base/rng.h"
#include "pfpu/passes.h"
#include "pfpu/sched.h"

/* A machine with the coprocessor's latencies: one issue, one commit per cycle. */
static struct pfpu_target make_machine(void)
{
    struct pfpu_target target = {.name = "machine",
                                 .issue_width = 1,
                                 .commit_ports = 1,
                                 .read_delay = 1,
                                 .registers = 128,
                                 .program_size = 2048};
    const struct latency {
        enum pfpu_op op;
        uint8_t cycles;
    } latencies[] = {{PFPU_OP_ADD, 5}, {PFPU_OP_SUB, 5},         {PFPU_OP_MUL, 7},
                     {PFPU_OP_ABS, 2}, {PFPU_OP_SIN, 4},         {PFPU_OP_ABOVE, 2},
                     {PFPU_OP_SET, 2}, {PFPU_OP_MEMORY_LOAD, 3}, {PFPU_OP_MEMORY_STORE, 3}};
    for (size_t i = 0; i < sizeof latencies / sizeof latencies[0]; i++) {
        target.ops[latencies[i].op] = (struct pfpu_target_op){true, false, latencies[i].cycles};
    }
    target.ops[PFPU_OP_GET] = (struct pfpu_target_op){true, true, 0};
    target.ops[PFPU_OP_NUMBER] = (struct pfpu_target_op){true, true, 0};
    return target;
}

enum { X = PFPU_REGISTERS_GLOBAL, Y, Z };

static struct pfpu_ir make_ir(struct base_arena *arena, const struct pfpu_instruction *instructions,
                              size_t count)
{
    struct pfpu_ir ir;
    pfpu_ir_init(&ir, arena);
    (void)pfpu_ir_open_block(&ir);
    for (size_t i = 0; i < count; i++) {
        (void)pfpu_ir_append(&ir, instructions[i]);
    }
    assert_null(pfpu_verify(&ir, arena));
    return ir;
}

static const struct pfpu_instruction chain[] = {
    {.op = PFPU_OP_GET, .key = X},
    {.op = PFPU_OP_GET, .key = Y},
    {.op = PFPU_OP_MUL, .arguments = {0, 1}}, /* cycle 0, commits in 7 */
    {.op = PFPU_OP_ADD, .arguments = {2, 0}}, /* reads in 8 */
    {.op = PFPU_OP_ADD, .arguments = {0, 1}}, /* cycle 1, commits in 6 */
    {.op = PFPU_OP_ADD, .arguments = {0, 0}}, /* 2 would commit in 7: cycle 3 */
    {.op = PFPU_OP_ABS, .arguments = {0}},    /* cycle 2, commits in 4 */
    {.op = PFPU_OP_SET, .key = Z, .arguments = {3}},
};

static void test_latencies_and_commit_collisions(void **state)
{
    (void)state;
    static const uint32_t cycles[] = {0, 0, 0, 8, 1, 3, 2, 14};
    struct base_arena arena = {0};
    const struct pfpu_target machine = make_machine();
    struct pfpu_ir ir = make_ir(&arena, chain, sizeof chain / sizeof chain[0]);
    struct pfpu_schedule schedule;
    assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);
    for (size_t i = 0; i < ir.count; i++) {
        assert_int_equal(schedule.cycle[i], cycles[i]);
    }
    assert_int_equal(schedule.block_length[0], 17);
    assert_int_equal(schedule.order[0], 0);
    assert_int_equal(schedule.order[ir.count - 1], 7);
    base_arena_free(&arena);
}

static void test_more_ports_and_wider_issue(void **state)
{
    (void)state;
    static const uint32_t cycles[] = {0, 0, 0, 8, 0, 1, 1, 14};
    struct base_arena arena = {0};
    struct pfpu_target machine = make_machine();
    machine.commit_ports = 2;
    machine.issue_width = 2;
    struct pfpu_ir ir = make_ir(&arena, chain, sizeof chain / sizeof chain[0]);
    struct pfpu_schedule schedule;
    assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);
    for (size_t i = 0; i < ir.count; i++) {
        assert_int_equal(schedule.cycle[i], cycles[i]);
    }
    base_arena_free(&arena);
}

static void test_memory_keeps_its_order(void **state)
{
    (void)state;
    static const struct pfpu_instruction instructions[] = {
        {.op = PFPU_OP_GET, .key = X},
        {.op = PFPU_OP_MUL, .arguments = {0, 0}},
        {.op = PFPU_OP_MEMORY_STORE, .arguments = {0, 1}}, /* waits for the product */
        {.op = PFPU_OP_MEMORY_LOAD, .arguments = {0}},     /* waits for the store */
        {.op = PFPU_OP_SIN, .arguments = {0}},
        {.op = PFPU_OP_SET, .key = X, .arguments = {3}},
    };
    struct base_arena arena = {0};
    const struct pfpu_target machine = make_machine();
    struct pfpu_ir ir = make_ir(&arena, instructions, 6);
    struct pfpu_schedule schedule;
    assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);
    assert_int_equal(schedule.cycle[2], 8);
    assert_int_equal(schedule.cycle[3], 9);
    assert_int_equal(schedule.cycle[4], 1);
    base_arena_free(&arena);
}

static void test_what_does_not_fit(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct pfpu_schedule schedule;
    struct pfpu_ir ir = make_ir(&arena, chain, sizeof chain / sizeof chain[0]);

    struct pfpu_target machine = make_machine();
    machine.registers = 2;
    assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FIT_REGISTERS);
    machine.registers = 3;
    assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);

    machine = make_machine();
    machine.program_size = 16;
    assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FIT_LENGTH);
    machine.program_size = 17;
    assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);

    ir.instructions[2].op = PFPU_OP_DIV;
    assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FIT_ILLEGAL);

    ir = make_ir(&arena, chain, sizeof chain / sizeof chain[0]);
    (void)pfpu_ir_open_block(&ir);
    assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FIT_BRANCHES);
    base_arena_free(&arena);
}

static void test_host_issues_in_program_order(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct pfpu_ir ir = make_ir(&arena, chain, sizeof chain / sizeof chain[0]);
    struct pfpu_schedule schedule;
    assert_int_equal(pfpu_sched_greedy(&pfpu_target_host, &ir, &arena, &schedule), PFPU_FITS);
    for (int32_t i = 0; (size_t)i < ir.count; i++) {
        assert_int_equal(schedule.order[i], i);
        assert_int_equal(schedule.cycle[i], i < 2 ? 0 : i - 2);
    }
    base_arena_free(&arena);
}

/* Random programs: no rule of the machine is ever broken. */
static void check_rules(const struct pfpu_target *target, const struct pfpu_ir *ir,
                        const struct pfpu_schedule *schedule)
{
    static uint8_t issued[8192];
    static uint8_t commits[8192];
    memset(issued, 0, sizeof issued);
    memset(commits, 0, sizeof commits);
    for (size_t i = 0; i < ir->count; i++) {
        const struct pfpu_instruction *instruction = &ir->instructions[i];
        const struct pfpu_target_op *row = &target->ops[instruction->op];
        if (row->bound) {
            continue;
        }
        const uint32_t cycle = schedule->cycle[i];
        assert_true(++issued[cycle] <= 1);
        assert_true(++commits[cycle + row->latency] <= 1);
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            const int32_t value = instruction->arguments[k];
            const struct pfpu_target_op *maker = &target->ops[ir->instructions[value].op];
            assert_true(maker->bound || schedule->cycle[value] + maker->latency + 1 <= cycle);
        }
    }
}

static void test_random_programs_obey_the_machine(void **state)
{
    (void)state;
    static const enum pfpu_op ops[] = {PFPU_OP_ADD, PFPU_OP_SUB, PFPU_OP_MUL, PFPU_OP_ABS,
                                       PFPU_OP_SIN};
    struct pfpu_target machine = make_machine();
    machine.registers = 0;
    machine.program_size = 0;
    struct base_rng rng;
    base_rng_seed(&rng, 11, 1);
    for (int n = 0; n < 50; n++) {
        struct base_arena arena = {0};
        struct pfpu_ir ir = make_ir(&arena, chain, 2);
        for (int i = 0; i < 300; i++) {
            const int32_t a = (int32_t)(base_rng_next(&rng) % ir.count);
            const int32_t b = (int32_t)(base_rng_next(&rng) % ir.count);
            (void)pfpu_ir_append(&ir, (struct pfpu_instruction){.op = ops[base_rng_next(&rng) % 5],
                                                                .arguments = {a, b}});
        }
        struct pfpu_schedule schedule;
        assert_int_equal(pfpu_sched_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);
        check_rules(&machine, &ir, &schedule);
        base_arena_free(&arena);
    }
}

static void test_compile_says_what_does_not_fit(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct base_diag_list messages = {.count = 0};
    struct pfpu_program *program = NULL;
    const struct pfpu_target machine = make_machine();
    const struct base_source_line line = {base_span_of("a=rand(4)"), 3, 1};
    const struct base_source source = {"x.milk", &line, 1};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    assert_int_equal(
        pfpu_compile(&machine, pfpu_scope_create(&arena), &source, &arena, &sink, &program),
        PFPU_REFUSED);
    assert_string_equal(messages.items[0].what,
                        "program does not fit target 'machine': it uses an operation that the "
                        "machine lacks");
    base_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latencies_and_commit_collisions),
        cmocka_unit_test(test_more_ports_and_wider_issue),
        cmocka_unit_test(test_memory_keeps_its_order),
        cmocka_unit_test(test_what_does_not_fit),
        cmocka_unit_test(test_host_issues_in_program_order),
        cmocka_unit_test(test_random_programs_obey_the_machine),
        cmocka_unit_test(test_compile_says_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
