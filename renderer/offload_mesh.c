/* The per-vertex equations and where the vertices read, on a device. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "pfpu/host/lines.h"
#include "renderer/offload.h"

static_assert((int)REND_DEVICE_PLACE == (int)REND_VERTEX_PLACE, "places of vertices");
static_assert((int)REND_DEVICE_MOTIONS == (int)REND_VERTEX_MOTIONS, "their motion values");

/* What the processor must have to do before a device does it instead, in simple operations of
 * pfpu/ir/ops.def: one of its threads takes a third of a millisecond for it, and a way to a device
 * and back a tenth. Where a vertex reads takes SOURCE of them. */
enum { WORTH = 1 << 21, SOURCE = 32 };

static size_t vertex_count(const struct rend_config *config)
{
    return ((size_t)config->mesh_x + 1) * ((size_t)config->mesh_y + 1);
}

void rend_offload_load_mesh(struct rend_section_shaders *shaders, const struct rend *rend,
                            const struct rend_patch *patch)
{
    const struct rend_device *device = rend->config.device;
    const struct rend_section_mesh *section = &rend->mesh;
    struct base_arena arena = {0};
    const struct pfpu_lines *lines = NULL;
    if (patch->vertex.lanes != NULL && shaders->canvas_on_device != NULL) {
        lines = pfpu_lines_create(patch->vertex.lanes, &arena);
    }
    const size_t vertices = vertex_count(&rend->config);
    if (lines != NULL && (int64_t)vertices * (lines->cost + SOURCE) >= WORTH) {
        shaders->line_numbers = calloc(lines->number_count + 1, sizeof *shaders->line_numbers);
    }
    if (shaders->line_numbers != NULL) {
        struct rend_device_mesh mesh = {.lines = lines,
                                        .written = rend_written_motions(patch->vertex.run),
                                        .vertices = vertices,
                                        .rest_x = section->ndc_x,
                                        .rest_y = section->ndc_y};
        for (int i = 0; i < REND_DEVICE_PLACE; i++) {
            mesh.place[i] = section->place[i];
        }
        shaders->vertices_on_device = device->load_vertices(shaders->canvas_on_device, &mesh);
    }
    base_arena_free(&arena);
}

void rend_offload_free_mesh(struct rend_section_shaders *shaders)
{
    if (shaders->vertices_on_device != NULL) {
        shaders->device->unload_vertices(shaders->vertices_on_device);
    }
    free(shaders->line_numbers);
}

bool rend_offload_moves(const struct rend *rend)
{
    return rend->shaders.vertices_on_device != NULL && !rend->shaders.device_failed;
}

bool rend_offload_move(struct rend *rend, struct rend_device_moving *moving, const double *work)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    pfpu_lines_numbers(rend->patch->vertex.lanes, work, shaders->line_numbers);
    moving->numbers = shaders->line_numbers;
    shaders->device_failed = !shaders->device->move(shaders->vertices_on_device, moving);
    return !shaders->device_failed;
}

bool rend_offload_moved(struct rend *rend)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    const float *moved = shaders->device->moved(shaders->vertices_on_device);
    if (moved == NULL) {
        shaders->device_failed = true;
        return false;
    }
    memcpy(rend->mesh.vertices, moved, vertex_count(&rend->config) * sizeof *rend->mesh.vertices);
    return true;
}
