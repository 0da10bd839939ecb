#include "test_pfpu_random.h"

#include <string.h>

#include "pfpu/machine/machine.h"
#include "pfpu/schedule/list_scheduler.h"
#include "pfpu/schedule/pipeline_stages.h"

static const struct pfpu_target *const chip = &pfpu_target_milkymist_one;

struct run {
    struct base_arena arena;
    struct pfpu_ir original; /* legalised */
    struct pfpu_ir ir;       /* scheduled */
    struct pfpu_schedule schedule;
    struct pfpu_microcode microcode;
};

static void schedule(struct run *run, const struct pfpu_target *target, pfpu_scheduler *scheduler)
{
    struct base_arena *arena = &run->arena;
    assert_true(pfpu_legalise(&run->ir, arena));
    assert_true(pfpu_ir_copy(&run->original, &run->ir, arena));
    assert_int_equal(scheduler(target, &run->ir, arena, &run->schedule), PFPU_FITS);
    assert_null(pfpu_verify(&run->ir, arena));
    assert_int_equal(pfpu_encode(target, &run->ir, &run->schedule, arena, arena, &run->microcode),
                     PFPU_FITS);
    assert_null(pfpu_prove(target, &run->original, &run->microcode, 1, 1, arena));
}

static uint32_t cost_of(const struct run *run, const struct pfpu_target *target)
{
    return pfpu_machine_vertex_cycles(run->microcode.vectout) *
           (target->columns + run->microcode.stages - 1);
}

/* Rules 1 to 3 of spec/pfpu.md section 10, the column in stage 0 only, and the bounds. */
static void check_rules(struct run *run, const struct pfpu_target *target)
{
    const uint32_t vectout = run->microcode.vectout;
    uint32_t latencies = 0;
    for (size_t i = 0; i < run->ir.count; i++) {
        const struct pfpu_instruction *instruction = &run->ir.instructions[i];
        const uint32_t latency = target->ops[instruction->op].latency;
        latencies += latency;
        assert_true(run->schedule.cycle[i] + latency <= vectout + 1);
        for (int k = 0; k < pfpu_ops[instruction->op].arity; k++) {
            const int32_t value = instruction->arguments[k];
            const struct pfpu_instruction *maker = &run->ir.instructions[value];
            const uint8_t stages = run->schedule.stages == 1 ? 0 : run->schedule.stage[i];
            assert_true(stages == 0 || maker->op != PFPU_OP_GET || maker->key != PFPU_KEY_COLUMN);
            assert_true(maker->op == PFPU_OP_GET || maker->op == PFPU_OP_NUMBER ||
                        stages >= (run->schedule.stages == 1 ? 0 : run->schedule.stage[value]));
        }
    }
    const uint32_t count = run->microcode.operations - 1; /* without the VECTOUT */
    assert_true(count == 0 || vectout + 2 >= count + (latencies + count - 1) / count);
    const uint32_t critical_path = pfpu_critical_path(target, &run->ir, &run->arena);
    assert_true(run->microcode.stages * (vectout + 2) >= critical_path);
}

static void check_program(const struct random_shape *shape, const struct pfpu_target *target,
                          uint64_t seed, uint32_t *by_stages)
{
    struct run runs[2];
    memset(runs, 0, sizeof runs);
    for (int n = 0; n < 2; n++) {
        struct base_rng rng;
        base_rng_seed(&rng, seed, 1);
        runs[n].ir = random_program(&runs[n].arena, &rng, shape);
        schedule(&runs[n], target, n == 0 ? pfpu_schedule_critical : pfpu_schedule_pipelined);
    }
    assert_int_equal(runs[0].microcode.stages, 1);
    assert_true(cost_of(&runs[1], target) <= cost_of(&runs[0], target));
    check_rules(&runs[1], target);
    by_stages[runs[1].microcode.stages]++;
    base_arena_free(&runs[0].arena);
    base_arena_free(&runs[1].arena);
}

static void test_random_programs(void **state)
{
    (void)state;
    static const struct random_shape shapes[] = {
        {12, 3, 0, 0, false, true},  {40, 4, 0, 0, false, true},  {40, 4, 12, 0, false, true},
        {90, 5, 8, 0, false, true},  {90, 8, 25, 0, false, true}, {140, 6, 4, 0, false, true},
        {140, 9, 15, 0, false, true}};
    uint32_t by_stages[PFPU_STAGES_MAX + 1] = {0};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (uint64_t seed = 0; seed < 12; seed++) {
            check_program(&shapes[s], seed % 3 == 2 ? &pfpu_target_thesis : chip, seed, by_stages);
        }
    }
    assert_true(by_stages[1] > 0 && by_stages[2] > 5 && by_stages[3] > 5);
}

enum { X = PFPU_REGISTERS_GLOBAL, Y };

struct builder {
    struct run run;
    int32_t column;
    int32_t row;
    int32_t x;
};

static int32_t add(struct builder *builder, enum pfpu_op op, int32_t a, int32_t b)
{
    return random_append(&builder->run.ir, op, a, b, 0);
}

static int32_t get(struct builder *builder, int32_t key)
{
    return pfpu_ir_append(&builder->run.ir,
                          (struct pfpu_instruction){.op = PFPU_OP_GET, .key = key});
}

static void begin(struct builder *builder)
{
    memset(builder, 0, sizeof *builder);
    pfpu_ir_init(&builder->run.ir, &builder->run.arena);
    (void)pfpu_ir_open_block(&builder->run.ir);
    builder->column = get(builder, PFPU_KEY_COLUMN);
    builder->row = get(builder, PFPU_KEY_ROW);
    builder->x = get(builder, X);
}

static int32_t chain(struct builder *builder, int32_t value, int length)
{
    for (int i = 0; i < length; i++) {
        value = add(builder, i % 2 == 0 ? PFPU_OP_WORD_FMUL : PFPU_OP_WORD_FADD, value, builder->x);
    }
    return value;
}

/* Compiles for both schedulers that know one vertex at a time only, and this one; returns K. */
static uint32_t finish(struct builder *builder, const struct pfpu_target *target)
{
    struct run *run = &builder->run;
    schedule(run, target, pfpu_schedule_pipelined);
    check_rules(run, target);
    const uint32_t stages = run->microcode.stages;
    base_arena_free(&run->arena);
    return stages;
}

/* A chain of 12 operations takes 12 slots and 90 cycles: three vertices at a time. */
static void test_a_chain_is_cut(void **state)
{
    (void)state;
    struct builder builder;
    begin(&builder);
    const int32_t float_x = add(&builder, PFPU_OP_WORD_I2F, builder.column, 0);
    const int32_t end = chain(&builder, float_x, 12);
    (void)add(&builder, PFPU_OP_WORD_VECTOUT, end, end);
    assert_int_equal(finish(&builder, chip), 3);
}

static void test_a_value_that_skips_a_stage(void **state)
{
    (void)state;
    struct builder builder;
    begin(&builder);
    const int32_t float_x = add(&builder, PFPU_OP_WORD_I2F, builder.column, 0);
    const int32_t middle = chain(&builder, float_x, 14);
    const int32_t end = add(&builder, PFPU_OP_WORD_FMUL, middle, float_x);
    (void)add(&builder, PFPU_OP_WORD_VECTOUT, end, builder.column);
    assert_int_equal(finish(&builder, chip), 3);
}

/* The row's chain hangs in the air for as long as it takes, whatever stage reads it. */
static void test_values_of_the_row(void **state)
{
    (void)state;
    struct builder builder;
    begin(&builder);
    const int32_t row = chain(&builder, add(&builder, PFPU_OP_WORD_I2F, builder.row, 0), 5);
    const int32_t column = chain(&builder, add(&builder, PFPU_OP_WORD_I2F, builder.column, 0), 12);
    const int32_t first = add(&builder, PFPU_OP_WORD_FADD, row, column);
    const int32_t second = chain(&builder, add(&builder, PFPU_OP_WORD_FMUL, row, first), 3);
    (void)add(&builder, PFPU_OP_WORD_VECTOUT, second, row);
    assert_int_equal(finish(&builder, chip), 3);
}

static void test_conditions_of_later_stages(void **state)
{
    (void)state;
    struct builder builder;
    begin(&builder);
    const int32_t float_x = add(&builder, PFPU_OP_WORD_I2F, builder.column, 0);
    const int32_t early = add(&builder, PFPU_OP_WORD_ABOVE, float_x, builder.x);
    const int32_t rowwise = add(&builder, PFPU_OP_WORD_EQUAL, builder.row, builder.x);
    int32_t value = chain(&builder, float_x, 6);
    for (int i = 0; i < 3; i++) {
        const int32_t conditions[] = {early, rowwise, builder.x};
        value = random_append(&builder.run.ir, PFPU_OP_WORD_IF, conditions[i], value, float_x);
        value = chain(&builder, value, 4);
    }
    (void)add(&builder, PFPU_OP_WORD_VECTOUT, value, float_x);
    assert_true(finish(&builder, chip) > 1);
}

struct refusal {
    const char *why;
    bool sets;
    bool vectout;
    uint32_t columns;
};

static void test_where_nothing_is_cut(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {{"a variable is carried", true, true, 33},
                                              {"run once", false, false, 33},
                                              {"columns unknown", false, true, 0},
                                              {"no room for more columns", false, true, 128}};
    for (size_t n = 0; n < sizeof refusals / sizeof refusals[0]; n++) {
        struct builder builder;
        struct pfpu_target target = *chip;
        target.columns = refusals[n].columns;
        begin(&builder);
        const int32_t float_x = add(&builder, PFPU_OP_WORD_I2F, builder.column, 0);
        const int32_t end = chain(&builder, float_x, 12);
        if (refusals[n].vectout) {
            (void)add(&builder, PFPU_OP_WORD_VECTOUT, end, end);
        }
        if (refusals[n].sets) {
            const struct pfpu_instruction set = {
                .op = PFPU_OP_SET, .key = X, .arguments = {float_x}};
            (void)pfpu_ir_append(&builder.run.ir, set);
        }
        assert_int_equal(finish(&builder, &target), 1);
    }
}

/* What a cut promises, against the graph of the program made. */
static void check_outlook(struct pfpu_cutter *cutter, const struct pfpu_cut_places *places,
                          const struct pfpu_cut_outlook *outlook, struct base_arena *arena)
{
    struct pfpu_cut cut;
    struct pfpu_graph_maker maker;
    struct pfpu_graph graph;
    assert_true(pfpu_cut_at(cutter, places, arena, &cut));
    assert_null(pfpu_verify(&cut.ir, arena));
    assert_true(pfpu_graph_maker_init(&maker, cutter->target, &cut.ir, &cut.stages, arena));
    assert_true(pfpu_graph_of_block(&maker, &cut.scheduled, &graph));
    int32_t *heights = base_arena_array(arena, (size_t)graph.count, sizeof *heights);
    assert_true(pfpu_graph_heights(&graph, arena, heights));
    assert_int_equal(outlook->bound, pfpu_local_search_bound(&graph, heights));
    assert_true(outlook->hope <= outlook->bound);
}

static void check_cuts(const struct random_shape *shape, uint64_t seed)
{
    struct base_arena arena = {0};
    struct pfpu_cutter cutter;
    struct base_rng rng;
    base_rng_seed(&rng, seed, 2);
    struct pfpu_ir ir = random_program(&arena, &rng, shape);
    assert_true(pfpu_legalise(&ir, &arena));
    assert_true(pfpu_cutter_init(&cutter, chip, &ir, &arena));
    bool *own = base_arena_array(&arena, (size_t)cutter.count * PFPU_CUT_OPERANDS, sizeof *own);
    for (uint32_t stages = 2; stages <= PFPU_STAGES_MAX; stages++) {
        const int32_t share = (int32_t)(2 * cutter.critical_path / stages);
        struct pfpu_cut_places places = {.stages = stages, .limits = {share, 2 * share}};
        struct pfpu_cut_outlook outlook = pfpu_cut_judge(&cutter, &places, UINT32_MAX);
        check_outlook(&cutter, &places, &outlook, &arena);
        memset(own, 0, (size_t)cutter.count * PFPU_CUT_OPERANDS * sizeof *own);
        places.own = own;
        for (int turn = 0; turn < 6 && pfpu_cut_relieve(&cutter, &outlook, own); turn++) {
            outlook = pfpu_cut_judge_again(&cutter, &places);
            check_outlook(&cutter, &places, &outlook, &arena);
        }
        outlook = pfpu_cut_judge(&cutter, &places, 1);
        assert_int_equal(outlook.bound, UINT32_MAX);
    }
    base_arena_free(&arena);
}

static void test_outlooks(void **state)
{
    (void)state;
    static const struct random_shape shapes[] = {
        {12, 3, 0, 0, false, true}, {60, 4, 0, 0, false, true}, {90, 8, 25, 0, false, true}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            check_cuts(&shapes[s], seed);
        }
    }
}

/* The first value of a chain is read at its end once more: a copy of it lets the chain go on. */
static void test_a_copy_relieves(void **state)
{
    (void)state;
    struct builder builder;
    struct pfpu_cutter cutter;
    struct base_arena *arena = &builder.run.arena;
    begin(&builder);
    const int32_t float_x = add(&builder, PFPU_OP_WORD_I2F, builder.column, 0);
    int32_t end = chain(&builder, float_x, 12);
    end = add(&builder, PFPU_OP_WORD_FADD, end, float_x);
    end = chain(&builder, end, 2);
    (void)add(&builder, PFPU_OP_WORD_VECTOUT, end, end);
    assert_true(pfpu_cutter_init(&cutter, chip, &builder.run.ir, arena));
    bool *own = base_arena_array(arena, (size_t)cutter.count * PFPU_CUT_OPERANDS, sizeof *own);
    struct pfpu_cut_places places = {.stages = 2, .limits = {(int32_t)cutter.critical_path}};
    struct pfpu_cut_outlook outlook = pfpu_cut_judge(&cutter, &places, UINT32_MAX);
    const uint32_t bound = outlook.bound;
    assert_true(bound > outlook.hope);
    assert_true(pfpu_cut_relieve(&cutter, &outlook, own));
    places.own = own;
    outlook = pfpu_cut_judge_again(&cutter, &places);
    check_outlook(&cutter, &places, &outlook, arena);
    assert_true(outlook.bound < bound);
    base_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_a_chain_is_cut),
        cmocka_unit_test(test_a_value_that_skips_a_stage),
        cmocka_unit_test(test_values_of_the_row),
        cmocka_unit_test(test_conditions_of_later_stages),
        cmocka_unit_test(test_where_nothing_is_cut),
        cmocka_unit_test(test_outlooks),
        cmocka_unit_test(test_a_copy_relieves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
