/* Runs a program one by one and in lanes, in two equal worlds, and compares everything. */
#ifndef TEST_PFPU_LANES_H
#define TEST_PFPU_LANES_H

#include "test_pfpu.h"

#include <float.h>
#include <math.h>

#include "base/random.h"
#include "pfpu/ir/arith.h"
#include "pfpu/host/lanes.h"
#include "pfpu/host/lines.h"

enum { ITEMS_MAX = 1000, PORTS_MAX = 16 };

static inline bool same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static const double edges[] = {0.0,
                               -0.0,
                               1.0,
                               -1.0,
                               0.5,
                               2.5,
                               -2.5,
                               3.0,
                               PFPU_CLOSE,
                               -PFPU_CLOSE,
                               0.99999999999999989e-5,
                               1.0000000000000003e-5,
                               1.00001,
                               0.99999,
                               4294967295.0,
                               4294967296.0,
                               -4294967295.5,
                               0x1p51,
                               -0x1p51,
                               0x1.fffffffffffffp50,
                               0x1p63,
                               -0x1p63,
                               1e5,
                               1e18,
                               1e300,
                               -1e300,
                               DBL_MIN,
                               -DBL_MIN,
                               0x1.fffffffffffffp-1023,
                               0x1p-1074,
                               -0x1p-1074,
                               DBL_MAX,
                               -DBL_MAX,
                               (double)FLT_MAX,
                               0x1p-149,
                               INFINITY,
                               -INFINITY,
                               NAN,
                               -NAN,
                               16.0,
                               -17.0,
                               0x1.921fb54442d18p+0};

enum { EDGES = sizeof edges / sizeof *edges };

static inline double any_number(struct base_rng *rng)
{
    const double unit = (double)base_rng_next(rng) / 2147483648.0 - 1.0;
    switch (base_rng_next(rng) % 5) {
    case 0:
        return edges[base_rng_next(rng) % EDGES];
    case 1:
        return floor(20.0 * unit);
    case 2:
        return ldexp(unit, (int)(base_rng_next(rng) % 80) - 20);
    case 3:
        return unit * 6e9;
    default:
        return 4.0 * unit;
    }
}

/* What goes in and comes out, one by one (0) and in lanes (1). */
struct ports {
    struct pfpu_lanes_input inputs[PORTS_MAX];
    int outputs[PORTS_MAX];
    struct pfpu_lanes_ports view;
    double in[PORTS_MAX][ITEMS_MAX];
    double out[2][PORTS_MAX][ITEMS_MAX];
    const double *in_list[PORTS_MAX];
    double *out_list[2][PORTS_MAX];
};

static inline void add_input(struct ports *ports, int variable, bool varies, struct base_rng *rng)
{
    const size_t i = ports->view.input_count++;
    ports->inputs[i] = (struct pfpu_lanes_input){variable, varies};
    ports->in_list[i] = ports->in[i];
    for (size_t item = 0; item < ITEMS_MAX; item++) {
        const double x = (double)(base_rng_next(rng) % 4096) / 1024.0 - 2.0;
        ports->in[i][item] = pfpu_filtered(base_rng_next(rng) % 8 == 0 ? any_number(rng) : x);
    }
}

static inline void add_output(struct ports *ports, int variable)
{
    const size_t i = ports->view.output_count++;
    ports->outputs[i] = variable;
    ports->out_list[0][i] = ports->out[0][i];
    ports->out_list[1][i] = ports->out[1][i];
}

static inline void open_ports(struct ports *ports)
{
    ports->view = (struct pfpu_lanes_ports){ports->inputs, 0, ports->outputs, 0};
}

/* One of two equal worlds: the second runs in lanes. */
struct world {
    struct pfpu_instance instance;
    struct pfpu_globals globals;
};

static inline void open_world(struct world *world, const struct pfpu_scope *scope,
                              struct base_arena *arena)
{
    assert_int_equal(pfpu_instance_init(&world->instance, scope, arena), 0);
    assert_int_equal(pfpu_globals_init(&world->globals, 1), 0);
    struct base_rng rng;
    base_rng_seed(&rng, 11, 12);
    for (size_t i = 0; i < pfpu_scope_size(scope); i++) {
        world->instance.values[i] = pfpu_filtered(any_number(&rng));
    }
    for (size_t i = 0; i < PFPU_REGISTERS_GLOBAL; i++) {
        world->globals.registers[i] = pfpu_filtered(any_number(&rng));
    }
    world->globals.unwritten[0] = false;
    for (int i = 0; i < 40; i++) {
        world->globals.gmegabuf[i] = 0.25 * i;
    }
}

static inline void run_single(struct world *world, const struct pfpu_program *program,
                              struct ports *ports, size_t count)
{
    for (size_t item = 0; item < count; item++) {
        for (size_t i = 0; i < ports->view.input_count; i++) {
            world->instance.values[ports->inputs[i].variable] =
                ports->in[i][ports->inputs[i].varies ? item : 0];
        }
        pfpu_run(program, &world->instance, &world->globals);
        for (size_t i = 0; i < ports->view.output_count; i++) {
            ports->out[0][i][item] = world->instance.values[ports->outputs[i]];
        }
    }
}

static inline void compare_worlds(const struct world *a, const struct world *b,
                                  const struct pfpu_scope *scope)
{
    for (size_t i = 0; i < pfpu_scope_size(scope); i++) {
        if (!same_number(a->instance.values[i], b->instance.values[i])) {
            fail_msg("%s is %a, not %a", pfpu_scope_name(scope, i), b->instance.values[i],
                     a->instance.values[i]);
        }
    }
    assert_memory_equal(a->globals.registers, b->globals.registers, sizeof a->globals.registers);
    assert_memory_equal(&a->globals.random, &b->globals.random, sizeof a->globals.random);
    assert_memory_equal(a->instance.megabuf, b->instance.megabuf, sizeof a->instance.megabuf);
    assert_int_equal(a->globals.pool_used, b->globals.pool_used);
    assert_memory_equal(a->globals.pool, b->globals.pool,
                        (size_t)a->globals.pool_used * PFPU_MEGABUF_BLOCK * sizeof(double));
    assert_int_equal(a->globals.budget, b->globals.budget);
    assert_int_equal(a->globals.exhausted, b->globals.exhausted);
}

/* Pages that nobody has written to are 0, whatever lies there. */
static inline void compare_global_memory(const struct pfpu_globals *a, const struct pfpu_globals *b)
{
    static const double zeros[PFPU_PAGE];
    for (size_t page = 0; page < PFPU_GMEGABUF_PAGES; page++) {
        if (!a->unwritten[page] || !b->unwritten[page]) {
            const size_t at = page * PFPU_PAGE;
            const double *one = a->unwritten[page] ? zeros : a->gmegabuf + at;
            const double *other = b->unwritten[page] ? zeros : b->gmegabuf + at;
            assert_memory_equal(one, other, sizeof zeros);
        }
    }
}

static inline void compare_outputs(const struct ports *ports, size_t count)
{
    for (size_t i = 0; i < ports->view.output_count; i++) {
        for (size_t item = 0; item < count; item++) {
            if (!same_number(ports->out[0][i][item], ports->out[1][i][item])) {
                fail_msg("output %zu of item %zu is %a, not %a", i, item, ports->out[1][i][item],
                         ports->out[0][i][item]);
            }
        }
    }
}

/* Whole, or in three parts where it divides, in whatever order. */
static inline void run_lanes(struct world *world, const struct pfpu_lanes *lanes,
                             enum base_cpu_level level, const struct pfpu_lanes_items *items,
                             double *work)
{
    enum { PARTS = 3 };
    static const size_t order[PARTS] = {2, 0, 1};
    const size_t size = pfpu_lanes_work_size(lanes);
    const size_t blocks = (items->count + PFPU_LANES - 1) / PFPU_LANES;
    if (items->count == 0 || !pfpu_lanes_divides(lanes)) {
        pfpu_lanes_run(lanes, level, &world->instance, &world->globals, items, work);
        return;
    }
    for (size_t i = 0; i < PARTS; i++) {
        pfpu_lanes_run_part(lanes, level, &world->instance, &world->globals, items,
                            work + order[i] * size, blocks * order[i] / PARTS * PFPU_LANES,
                            blocks * (order[i] + 1) / PARTS * PFPU_LANES);
    }
    pfpu_lanes_end_parts(lanes, &world->instance, &world->globals, items,
                         work + (PARTS - 1) * size);
}

/* The lines of an item give its outputs, with the numbers of a run. */
static inline void compare_lines(const struct pfpu_lanes *lanes, const struct ports *ports,
                                 size_t count, const double *work)
{
    struct base_arena arena = {0};
    const struct pfpu_lines *lines = pfpu_lines_create(lanes, &arena);
    assert_true(lines == NULL || pfpu_lanes_divides(lanes));
    if (lines != NULL) {
        double *values = base_arena_array(
            &arena, lines->number_count + lines->input_count + lines->line_count + 1,
            sizeof *values);
        assert_non_null(values);
        pfpu_lines_numbers(lanes, work, values);
        for (size_t item = 0; item < count; item++) {
            double *next = values + lines->number_count;
            for (size_t i = 0; i < lines->input_count; i++) {
                *next++ = ports->in[i][item];
            }
            for (size_t i = 0; i < lines->line_count; i++) {
                const struct pfpu_line *line = &lines->lines[i];
                const int32_t *at = line->arguments;
                const double value =
                    pfpu_op_value(line->op, values[at[0]], values[at[1]], values[at[2]]);
                *next++ = line->filtered ? pfpu_filtered(value) : value;
            }
            for (size_t i = 0; i < lines->output_count; i++) {
                assert_true(same_number(values[lines->outputs[i]], ports->out[0][i][item]));
            }
        }
    }
    base_arena_free(&arena);
}

static const size_t lane_counts[] = {1, 7, 64, 0, 1000, 65};

static inline void check_level(const struct pfpu_lanes *lanes, const struct pfpu_program *program,
                               const struct pfpu_scope *scope, struct ports *ports,
                               enum base_cpu_level level, int64_t budget)
{
    struct base_arena arena = {0};
    struct world worlds[2];
    open_world(&worlds[0], scope, &arena);
    open_world(&worlds[1], scope, &arena);
    double *work = base_arena_array(&arena, 3 * pfpu_lanes_work_size(lanes), sizeof *work);
    assert_non_null(work);
    for (size_t n = 0; n < sizeof lane_counts / sizeof *lane_counts; n++) {
        const struct pfpu_lanes_items items = {lane_counts[n], ports->in_list, ports->out_list[1]};
        worlds[0].globals.budget = worlds[1].globals.budget = budget;
        run_single(&worlds[0], program, ports, lane_counts[n]);
        run_lanes(&worlds[1], lanes, level, &items, work);
        compare_outputs(ports, lane_counts[n]);
        compare_worlds(&worlds[0], &worlds[1], scope);
        if (lane_counts[n] > 0) {
            compare_lines(lanes, ports, lane_counts[n], work + 2 * pfpu_lanes_work_size(lanes));
        }
    }
    compare_global_memory(&worlds[0].globals, &worlds[1].globals);
    pfpu_globals_free(&worlds[0].globals);
    pfpu_globals_free(&worlds[1].globals);
    base_arena_free(&arena);
}

#endif
