#include "renderer/board_host.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pfpu/word_lanes.h"
#include "renderer/board_run.h"
#include "tmu/chip.h"

struct rend_board_host {
    struct rend_board_units units;
    enum base_cpu_level cpu;
    const struct rend_board_loaded *loaded;
    struct pfpu_word_lanes *lanes;
    struct base_arena arena; /* of the lanes */
    struct tmu_chip chip;
    struct tmu_chip_memory memory;
    uint32_t values[REND_BOARD_OPERATIONS];
};

static void run_cpu(void *user, uint32_t *cells)
{
    struct rend_board_host *host = user;
    rend_board_cpu_run(host->loaded->cpu, cells);
}

static void run_frame(void *user, const struct rend_board_patch *patch, uint32_t *cells)
{
    struct rend_board_host *host = user;
    uint32_t out[2];
    rend_board_run(&patch->frame, cells, host->values, out);
}

static void run_vertex(void *user, const struct rend_board_patch *patch, uint32_t *cells,
                       struct tmu_chip_vertex *vertices)
{
    struct rend_board_host *host = user;
    assert(patch == &host->loaded->patch);
    (void)patch;
    _Static_assert(sizeof *vertices == 2 * sizeof(uint32_t), "a vertex is two words");
    pfpu_word_lanes_run_mesh(host->lanes, cells, (uint32_t *)(void *)vertices,
                             2 * (size_t)TMU_CHIP_PITCH);
}

static void draw(void *user, const struct tmu_chip_registers *registers,
                 const struct tmu_chip_vertex *vertices)
{
    struct rend_board_host *host = user;
    host->chip.registers = *registers;
    (void)tmu_chip_run_fast(&host->chip, &host->memory, vertices, host->cpu);
}

struct rend_board_host *rend_board_host_create(enum base_cpu_level cpu)
{
    struct rend_board_host *host = calloc(1, sizeof *host);
    uint8_t *bytes = calloc(1, REND_BOARD_HOST_MEMORY + TMU_CHIP_MEMORY_GUARD);
    if (host == NULL || bytes == NULL) {
        free(host);
        free(bytes);
        return NULL;
    }
    tmu_chip_reset(&host->chip, TMU_REVISION_CURRENT);
    host->cpu = cpu;
    host->memory = (struct tmu_chip_memory){bytes, REND_BOARD_HOST_MEMORY};
    host->units = (struct rend_board_units){.user = host,
                                            .memory = bytes,
                                            .run_cpu = run_cpu,
                                            .run_frame = run_frame,
                                            .run_vertex = run_vertex,
                                            .draw = draw};
    return host;
}

void rend_board_host_free(struct rend_board_host *host)
{
    if (host != NULL) {
        base_arena_free(&host->arena);
        free(host->memory.bytes);
        free(host);
    }
}

const struct rend_board_units *rend_board_host_units(struct rend_board_host *host)
{
    return &host->units;
}

int rend_board_host_take(struct rend_board_host *host, const struct rend_board_loaded *loaded)
{
    struct base_arena arena = {0};
    struct pfpu_word_lanes *lanes = pfpu_word_lanes_for_mesh(
        &loaded->compiled->vertex.ir, host->cpu, REND_BOARD_MESH + 1, REND_BOARD_MESH + 1, &arena);
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

void rend_board_host_show(const struct rend_board_host *host, uint32_t *pixels, size_t stride)
{
    const uint8_t *from = host->memory.bytes + REND_BOARD_SCREEN_AT;
    for (size_t y = 0; y < REND_BOARD_HEIGHT; y++) {
        for (size_t x = 0; x < REND_BOARD_WIDTH; x++, from += 2) {
            pixels[y * stride + x] = tmu_chip_rgb((uint32_t)from[0] << 8 | from[1]);
        }
    }
}
