/* Motion vectors: spec/milk-rendering.md section 5. */
#include "renderer/stages.h"

#include <math.h>

enum { COLUMNS_MAX = 64, ROWS_MAX = 48 };

/* A number of grid lines with the fraction that shifts the grid. */
struct grid {
    int count;
    float fraction;
};

static struct grid grid_of(float wanted, int limit)
{
    struct grid grid = {.count = rend_int(wanted)};
    if (grid.count > limit) {
        grid.count = limit;
        return grid;
    }
    grid.fraction = fminf(fmaxf(wanted - (float)grid.count, 0.0f), 1.0f);
    return grid;
}

static float place_of(int index, struct grid grid)
{
    return ((float)index + 0.25f) / ((float)grid.count + grid.fraction - 0.75f);
}

static float mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

/* Where the mesh of the last frame read the point px, py; the mesh's rows count from the bottom
 * while py counts from the top, so the motion is seen mirrored. */
static struct rend_point source_of(const struct rend_section_mesh *mesh,
                                   const struct rend_config *config, float px, float py)
{
    const float x = px * (float)config->mesh_x;
    const float y = py * (float)config->mesh_y;
    const int i = (int)x;
    const int j = (int)y;
    const size_t pitch = (size_t)config->mesh_x + 1;
    const struct tmu_vertex *below = mesh->vertices + (size_t)j * pitch + (size_t)i;
    const struct tmu_vertex *above = below + pitch;
    const float fx = x - (float)i;
    const float fy = y - (float)j;
    const float u = mix(mix(below[0].u, below[1].u, fx), mix(above[0].u, above[1].u, fx), fy);
    const float v = mix(mix(below[0].v, below[1].v, fx), mix(above[0].v, above[1].v, fx), fy);
    return (struct rend_point){u, 1 - v};
}

static void draw_vector(const struct rend_canvas *canvas, const struct rend_frame *frame,
                        const struct rend_section_mesh *mesh, const struct rend_config *config,
                        struct rend_point p, struct rend_colour colour)
{
    const struct rend_point q = source_of(mesh, config, p.x, p.y);
    struct rend_point d = {(q.x - p.x) * frame->values.mv_l, (q.y - p.y) * frame->values.mv_l};
    const float length = sqrtf(d.x * d.x + d.y * d.y);
    const float shortest = 1.0f / (float)config->width;
    if (length < 1e-8f) {
        d = (struct rend_point){shortest, shortest};
    } else if (length < shortest) {
        d.x *= shortest / length;
        d.y *= shortest / length;
    }
    const float width = (float)canvas->width;
    const float height = (float)canvas->height;
    const struct rend_point from = {p.x * width, p.y * height};
    const struct rend_point to = {(p.x + d.x) * width, (p.y + d.y) * height};
    if (fmaxf(fabsf(to.x - from.x), fabsf(to.y - from.y)) < 1.01f) {
        rend_draw_dot(canvas, from, 1, colour, REND_BLEND_ALPHA);
    } else {
        rend_draw_line(canvas, from, to, colour, colour, REND_BLEND_ALPHA);
    }
}

static bool inside(float p)
{
    return p > 0.0001f && p < 0.9999f;
}

void rend_draw_motion_vectors(const struct rend_canvas *canvas, const struct rend_frame *frame,
                              const struct rend_section_mesh *mesh,
                              const struct rend_config *config)
{
    const struct rend_values *v = &frame->values;
    if (!mesh->drawn || !(v->mv_a >= 0.001f)) {
        return;
    }
    const struct rend_colour colour = rend_colour_low_bits(v->mv_r, v->mv_g, v->mv_b, v->mv_a);
    const struct grid columns = grid_of(v->mv_x, COLUMNS_MAX);
    const struct grid rows = grid_of(v->mv_y, ROWS_MAX);
    for (int y = 0; y < rows.count; y++) {
        const float py = place_of(y, rows) - v->mv_dy;
        for (int x = 0; x < columns.count && inside(py); x++) {
            const float px = place_of(x, columns) + v->mv_dx;
            if (inside(px)) {
                draw_vector(canvas, frame, mesh, config, (struct rend_point){px, py}, colour);
            }
        }
    }
}
