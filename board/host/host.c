#include "board/host/host.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "board/mapper/mapper.h"
#include "board/step/program.h"
#include "pfpu/microcode/words.h"

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

static void run_cpu(void *user, uint32_t *cells)
{
    struct board_host *host = user;
    board_cpu_run(host->loaded->cpu, cells);
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
