#include "test_pfpu.h"

#include "test_pfpu_random.h"

#include "pfpu/schedule/graph.h"
#include "pfpu/schedule/list_scheduler.h"

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
    assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);
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
    assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);
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
    assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);
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
    assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FIT_REGISTERS);
    machine.registers = 3;
    assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);

    machine = make_machine();
    machine.program_size = 16;
    assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FIT_LENGTH);
    machine.program_size = 17;
    assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);

    ir.instructions[2].op = PFPU_OP_DIV;
    assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FIT_ILLEGAL);

    ir = make_ir(&arena, chain, sizeof chain / sizeof chain[0]);
    (void)pfpu_ir_open_block(&ir);
    assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FIT_BRANCHES);
    base_arena_free(&arena);
}

static void test_host_issues_in_program_order(void **state)
{
    (void)state;
    struct base_arena arena = {0};
    struct pfpu_ir ir = make_ir(&arena, chain, sizeof chain / sizeof chain[0]);
    struct pfpu_schedule schedule;
    assert_int_equal(pfpu_schedule_greedy(&pfpu_target_host, &ir, &arena, &schedule), PFPU_FITS);
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
        assert_int_equal(pfpu_schedule_greedy(&machine, &ir, &arena, &schedule), PFPU_FITS);
        check_rules(&machine, &ir, &schedule);
        base_arena_free(&arena);
    }
}

/* What needs no look at the rest of the program gives the same as the full pass. */
static void test_host_without_shortcut(void **state)
{
    (void)state;
    static const enum pfpu_op ops[] = {PFPU_OP_ADD,         PFPU_OP_MUL, PFPU_OP_GET,
                                       PFPU_OP_MEMORY_LOAD, PFPU_OP_SIN, PFPU_OP_MEMORY_STORE};
    struct pfpu_target full = pfpu_target_host;
    full.commit_ports = 1;
    struct base_rng rng;
    base_rng_seed(&rng, 4, 1);
    for (int n = 0; n < 20; n++) {
        struct base_arena arena = {0};
        struct pfpu_ir ir = make_ir(&arena, chain, 2);
        int32_t value = 1;
        for (int i = 0; i < 200; i++) {
            const enum pfpu_op op = ops[base_rng_next(&rng) % 6];
            const struct pfpu_instruction instruction = {
                .op = op, .key = op == PFPU_OP_GET ? X : 0, .arguments = {value, 0}};
            const int32_t made = pfpu_ir_append(&ir, instruction);
            value = pfpu_op_has_result(op) ? made : value;
        }
        struct pfpu_schedule schedules[2];
        assert_int_equal(pfpu_schedule_greedy(&pfpu_target_host, &ir, &arena, &schedules[0]),
                         PFPU_FITS);
        assert_int_equal(pfpu_schedule_greedy(&full, &ir, &arena, &schedules[1]), PFPU_FITS);
        for (size_t i = 0; i < ir.count; i++) {
            assert_int_equal(schedules[0].order[i], schedules[1].order[i]);
            assert_int_equal(schedules[0].cycle[i], schedules[1].cycle[i]);
        }
        assert_int_equal(schedules[0].block_length[0], schedules[1].block_length[0]);
        base_arena_free(&arena);
    }
}

static uint32_t bound_of(const struct pfpu_ir *ir, struct base_arena *arena)
{
    struct pfpu_graph_maker maker;
    struct pfpu_graph graph;
    int32_t *heights = base_arena_array(arena, ir->count, sizeof *heights);
    assert_true(pfpu_graph_maker_init(&maker, &pfpu_target_milkymist_one, ir, NULL, arena));
    assert_true(pfpu_graph_of_block(&maker, &ir->blocks[0], &graph));
    assert_true(pfpu_graph_heights(&graph, arena, heights));
    return pfpu_local_search_bound(&graph, heights);
}

static void check_order(const struct pfpu_ir *ir, const struct pfpu_schedule *schedule)
{
    bool seen[512] = {false};
    for (size_t n = 0; n < ir->count; n++) {
        const int32_t i = schedule->order[n];
        assert_false(seen[i]);
        seen[i] = true;
        assert_true(n == 0 || schedule->cycle[schedule->order[n - 1]] <= schedule->cycle[i]);
    }
}

/* Never shorter than can be, never longer than the greedy one; close to the bound on the whole. */
static void test_critical_between_bound_and_greedy(void **state)
{
    (void)state;
    static const struct random_shape shapes[] = {
        {30, 4, 0, 0, false, true},   {100, 6, 0, 0, false, true},   {100, 20, 0, 0, false, true},
        {100, 12, 5, 0, false, true}, {100, 12, 5, 4, false, false}, {200, 60, 3, 0, false, true}};
    uint32_t lengths = 0;
    uint32_t bounds = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (uint64_t seed = 0; seed < 6; seed++) {
            struct base_arena arena = {0};
            struct base_rng rng;
            struct pfpu_schedule greedy;
            struct pfpu_schedule critical;
            base_rng_seed(&rng, seed, 2);
            struct pfpu_ir ir = random_program(&arena, &rng, &shapes[s]);
            assert_true(pfpu_legalise(&ir, &arena));
            const struct pfpu_target *target = &pfpu_target_milkymist_one;
            assert_int_equal(pfpu_schedule_greedy(target, &ir, &arena, &greedy), PFPU_FITS);
            assert_int_equal(pfpu_schedule_critical(target, &ir, &arena, &critical), PFPU_FITS);
            const uint32_t bound = bound_of(&ir, &arena);
            assert_true(bound <= critical.block_length[0]);
            assert_true(critical.block_length[0] <= greedy.block_length[0]);
            check_order(&ir, &critical);
            lengths += critical.block_length[0];
            bounds += bound;
            base_arena_free(&arena);
        }
    }
    assert_true(lengths * 100 < bounds * 105);
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
        cmocka_unit_test(test_host_without_shortcut),
        cmocka_unit_test(test_critical_between_bound_and_greedy),
        cmocka_unit_test(test_compile_says_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
