/* The board on this machine: a preset from a file to the board's programs, and the units that run
 * them. */
#include "board/host/host.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "board/mapper/mapper.h"
#include "board/step/program.h"
#include "pfpu/microcode/words.h"
#include "presets/presets.h"

/* ---- a preset's programs ---- */

const struct pfpu_target *board_target(const char *name)
{
    static const struct pfpu_target *const targets[] = {&pfpu_target_milkymist_one,
                                                        &pfpu_target_thesis};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        if (strcmp(targets[i]->name, name) == 0) {
            return targets[i];
        }
    }
    return NULL;
}

enum pfpu_board_scheduler board_scheduler(const char *name)
{
    for (int i = 0; name != NULL && i < PFPU_BOARD_SCHEDULERS; i++) {
        if (strcmp(pfpu_board_scheduler_names[i], name) == 0) {
            return (enum pfpu_board_scheduler)i;
        }
    }
    return PFPU_BOARD_GREEDY;
}

static double processor_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int board_listing_load(struct board_listing *patch, const char *path,
                       const struct pfpu_target *target, enum pfpu_board_scheduler scheduler,
                       const struct pfpu_dumper *dumper, const struct base_diag_sink *sink)
{
    *patch = (struct board_listing){0};
    if (preset_read_file(&patch->preset, path, sink) != 0) {
        return -1;
    }
    const double start = processor_seconds();
    enum pfpu_status status =
        board_compile_in(&patch->preset, target, scheduler, NULL, board_scope(NULL, &patch->arena),
                         dumper, &patch->arena, sink, &patch->board);
    patch->seconds = processor_seconds() - start;
    if (patch->board != NULL) {
        static const char *const kinds[] = {
            [PFPU_LINK_FRAME] = "link", [PFPU_LINK_CPU] = "cpu", [PFPU_LINK_CARRIED] = "carried"};
        const size_t count = patch->board->link_count;
        patch->link_names = base_arena_array(&patch->arena, count, sizeof *patch->link_names);
        for (size_t i = 0; patch->link_names != NULL && i < count; i++) {
            (void)snprintf(patch->link_names[i], sizeof patch->link_names[i], "%s%d",
                           kinds[patch->board->links[i].kind], (int)i);
        }
        if (patch->link_names == NULL) {
            patch->board = NULL;
            status = PFPU_NO_MEMORY;
        }
    }
    if (status == PFPU_NO_MEMORY) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL,
                    "not enough memory to compile the preset");
    }
    return 0;
}

void board_listing_free(struct board_listing *patch)
{
    base_arena_free(&patch->arena);
    preset_free(&patch->preset);
}

static const char *key_name(const void *user, int32_t key)
{
    const struct board_listing *patch = user;
    if (key >= patch->board->first_link) {
        return patch->link_names[key - patch->board->first_link];
    }
    if (pfpu_key_is_register(key)) {
        return key == PFPU_KEY_COLUMN ? "column" : "row";
    }
    return pfpu_scope_name(patch->board->frame_scope, (size_t)(key - PFPU_REGISTERS_GLOBAL));
}

struct pfpu_key_names board_listing_key_names(const struct board_listing *patch)
{
    return (struct pfpu_key_names){key_name, patch};
}

/* ---- the units ---- */

struct board_host {
    struct board_units units;
    enum base_cpu_level cpu;
    const struct board_loaded *loaded;
    struct pfpu_word_lanes *lanes;
    struct base_arena arena; /* of the lanes */
    struct board_mapper chip;
    struct board_mapper_memory memory;
    uint32_t values[BOARD_OPERATIONS];
};

static uint32_t run_cpu(void *user, uint32_t *cells, uint32_t most, bool *done)
{
    struct board_host *host = user;
    return board_cpu_run(host->loaded->cpu, cells, most, done);
}

static void run_frame(void *user, const struct board_patch *patch, uint32_t *cells)
{
    struct board_host *host = user;
    uint32_t out[2];
    board_run(&patch->frame, cells, host->values, out);
}

static void run_vertex(void *user, const struct board_patch *patch, uint32_t *cells,
                       struct board_mapper_vertex *vertices)
{
    struct board_host *host = user;
    assert(patch == &host->loaded->patch);
    (void)patch;
    _Static_assert(sizeof *vertices == 2 * sizeof(uint32_t), "a vertex is two words");
    pfpu_word_lanes_run_mesh(host->lanes, cells, (uint32_t *)(void *)vertices,
                             2 * (size_t)BOARD_MAPPER_PITCH);
}

static uint32_t run_item(void *user, const struct board_patch *patch,
                         const struct board_item_program *program, uint32_t *cells)
{
    struct board_host *host = user;
    uint32_t out[2];
    (void)patch;
    if (program->on_cpu) {
        return board_cpu_run_item(host->loaded->cpu, program, cells);
    }
    board_run(&program->program, cells, host->values, out);
    return 0;
}

static void draw(void *user, const struct board_mapper_registers *registers,
                 const struct board_mapper_vertex *vertices)
{
    struct board_host *host = user;
    host->chip.registers = *registers;
    (void)board_mapper_run_fast(&host->chip, &host->memory, vertices, host->cpu);
}

struct board_host *board_host_create(enum base_cpu_level cpu)
{
    struct board_host *host = calloc(1, sizeof *host);
    uint8_t *bytes = calloc(1, BOARD_HOST_MEMORY + BOARD_MAPPER_MEMORY_GUARD);
    if (host == NULL || bytes == NULL) {
        free(host);
        free(bytes);
        return NULL;
    }
    board_mapper_reset(&host->chip, BOARD_MAPPER_CURRENT);
    host->cpu = cpu;
    host->memory = (struct board_mapper_memory){bytes, BOARD_HOST_MEMORY};
    host->units = (struct board_units){.user = host,
                                       .memory = bytes,
                                       .run_cpu = run_cpu,
                                       .run_frame = run_frame,
                                       .run_vertex = run_vertex,
                                       .run_item = run_item,
                                       .draw = draw};
    return host;
}

void board_host_free(struct board_host *host)
{
    if (host != NULL) {
        base_arena_free(&host->arena);
        free(host->memory.bytes);
        free(host);
    }
}

const struct board_units *board_host_units(struct board_host *host)
{
    return &host->units;
}

int board_host_take(struct board_host *host, const struct board_loaded *loaded)
{
    struct base_arena arena = {0};
    struct pfpu_word_lanes *lanes = pfpu_word_lanes_for_mesh(
        &loaded->compiled->vertex.ir, host->cpu, BOARD_MESH + 1, BOARD_MESH + 1, &arena);
    if (lanes == NULL) {
        base_arena_free(&arena);
        return -1;
    }
    base_arena_free(&host->arena);
    host->arena = arena;
    host->lanes = lanes;
    host->loaded = loaded;
    return 0;
}

void board_host_show(const struct board_host *host, uint32_t *pixels, size_t stride)
{
    const uint8_t *from = host->memory.bytes + BOARD_SCREEN_AT;
    for (size_t y = 0; y < BOARD_HEIGHT; y++) {
        for (size_t x = 0; x < BOARD_WIDTH; x++, from += 2) {
            pixels[y * stride + x] = board_mapper_rgb((uint32_t)from[0] << 8 | from[1]);
        }
    }
}
