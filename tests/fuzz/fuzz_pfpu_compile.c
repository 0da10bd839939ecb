/* Bytes are the lines of a block: compile it; if that works, print, link and run it, one by one and
 * in lanes, which must leave the same. */
#include <stdlib.h>
#include <string.h>

#include "pfpu/host/lanes.h"
#include "pfpu/pfpu.h"

enum { LINES = 256, ITEMS = 70, INPUTS = 4, OUTPUTS = 4, MEMORY_CELLS = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t split(const uint8_t *data, size_t size, struct base_source_line *lines)
{
    const char *text = (const char *)data;
    size_t count = 0;
    size_t start = 0;
    while (count < LINES && start <= size) {
        const char *end = size > start ? memchr(text + start, '\n', size - start) : NULL;
        const size_t length = end != NULL ? (size_t)(end - text) - start : size - start;
        lines[count] = (struct base_source_line){{text + start, length}, (uint32_t)count + 1, 1};
        start += length + 1;
        count++;
    }
    return count;
}

struct world {
    struct pfpu_instance instance;
    struct pfpu_globals globals;
    double outputs[OUTPUTS][ITEMS];
};

static bool open_world(struct world *world, const struct pfpu_scope *scope,
                       struct base_arena *arena)
{
    if (pfpu_instance_init(&world->instance, scope, arena) != 0 ||
        pfpu_globals_init(&world->globals, 1) != 0) {
        return false;
    }
    world->globals.budget = 100000;
    return true;
}

/* The first variables of the scope are inputs, the last ones outputs. */
struct ports {
    struct pfpu_lanes_input inputs[INPUTS];
    int outputs[OUTPUTS];
    struct pfpu_lanes_ports view;
    double numbers[INPUTS][ITEMS];
    const double *lists[INPUTS];
};

static void choose_ports(struct ports *ports, const struct pfpu_scope *scope)
{
    const size_t variables = pfpu_scope_size(scope);
    ports->view = (struct pfpu_lanes_ports){ports->inputs, 0, ports->outputs, 0};
    for (size_t i = 0; i < INPUTS && i < variables; i++) {
        ports->inputs[i] = (struct pfpu_lanes_input){(int)i, i != 1};
        ports->lists[i] = ports->numbers[i];
        ports->view.input_count++;
        for (size_t item = 0; item < ITEMS; item++) {
            ports->numbers[i][item] = 0.25 * (double)(item % (11 + i)) - 1.0;
        }
    }
    for (size_t i = 0; i < OUTPUTS && i < variables; i++) {
        ports->outputs[i] = (int)(variables - 1 - i);
        ports->view.output_count++;
    }
}

static void run_single(const struct pfpu_program *program, struct world *world,
                       const struct ports *ports)
{
    for (size_t item = 0; item < ITEMS; item++) {
        for (size_t i = 0; i < ports->view.input_count; i++) {
            world->instance.values[i] = ports->numbers[i][ports->inputs[i].varies ? item : 0];
        }
        pfpu_run(program, &world->instance, &world->globals);
        for (size_t i = 0; i < ports->view.output_count; i++) {
            world->outputs[i][item] = world->instance.values[ports->outputs[i]];
        }
    }
}

static void run_lanes(const struct pfpu_program *program, struct world *world,
                      const struct ports *ports, struct base_arena *arena)
{
    double *outputs[OUTPUTS];
    const struct pfpu_lanes *lanes = pfpu_lanes_create(program, &ports->view, arena);
    double *work =
        lanes == NULL ? NULL : base_arena_array(arena, pfpu_lanes_work_size(lanes), sizeof *work);
    if (work == NULL) {
        abort();
    }
    for (size_t i = 0; i < OUTPUTS; i++) {
        outputs[i] = world->outputs[i];
    }
    const struct pfpu_lanes_items items = {ITEMS, ports->lists, outputs};
    pfpu_lanes_run(lanes, base_cpu_best(), &world->instance, &world->globals, &items, work);
}

static bool same_doubles(const double *a, const double *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) == 0;
}

static bool same_worlds(const struct world *a, const struct world *b, size_t variables)
{
    return same_doubles(a->instance.values, b->instance.values, variables) &&
           same_doubles(a->globals.registers, b->globals.registers, PFPU_REGISTERS_GLOBAL) &&
           same_doubles(a->globals.gmegabuf, b->globals.gmegabuf, MEMORY_CELLS) &&
           same_doubles(a->globals.pool, b->globals.pool, MEMORY_CELLS) &&
           same_doubles(&a->outputs[0][0], &b->outputs[0][0], OUTPUTS * ITEMS) &&
           a->globals.pool_used == b->globals.pool_used && a->globals.budget == b->globals.budget &&
           a->globals.exhausted == b->globals.exhausted &&
           memcmp(&a->globals.random, &b->globals.random, sizeof a->globals.random) == 0;
}

static void run(const struct pfpu_scope *scope, const struct pfpu_program *program,
                struct base_arena *arena)
{
    static struct world worlds[2];
    static struct ports ports;
    memset(worlds, 0, sizeof worlds);
    choose_ports(&ports, scope);
    if (open_world(&worlds[0], scope, arena) && open_world(&worlds[1], scope, arena)) {
        run_single(program, &worlds[0], &ports);
        run_lanes(program, &worlds[1], &ports, arena);
        if (!same_worlds(&worlds[0], &worlds[1], pfpu_scope_size(scope))) {
            abort();
        }
    }
    pfpu_globals_free(&worlds[0].globals);
    pfpu_globals_free(&worlds[1].globals);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_source_line lines[LINES];
    struct base_diag_list messages = {.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    const struct base_source source = {"fuzz", lines, split(data, size, lines)};
    struct base_arena arena;
    struct pfpu_program *program = NULL;
    base_arena_init(&arena, 0);
    struct pfpu_scope *scope = pfpu_scope_create(&arena);
    const enum pfpu_status status =
        pfpu_compile(&pfpu_target_host, scope, &source, &arena, &sink, &program);
    if ((status == PFPU_OK) != (program != NULL) ||
        (status == PFPU_REFUSED) != (messages.count == 1)) {
        abort();
    }
    if (status == PFPU_OK) {
        if (pfpu_program_dump(program, PFPU_DUMP_IR, &arena) == NULL ||
            pfpu_program_dump(program, PFPU_DUMP_CODE, &arena) == NULL) {
            abort();
        }
        run(scope, program, &arena);
    }
    base_arena_free(&arena);
    return 0;
}
