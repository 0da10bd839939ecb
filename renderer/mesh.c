/* The warp mesh: spec/milk-rendering.md section 3. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmath.h"
#include "renderer/offload.h"
#include "renderer/stages.h"

/* Vertices are computed in blocks of a fixed size, so that the compiler can use vectors. */
enum { BLOCK = PFPU_LANES };

static size_t vertex_count(const struct rend_config *config)
{
    return ((size_t)config->mesh_x + 1) * ((size_t)config->mesh_y + 1);
}

int rend_mesh_create(struct rend_section_mesh *mesh, const struct rend_config *config)
{
    /* Arrays are as long as whole blocks. */
    const size_t count = (vertex_count(config) + BLOCK - 1) / BLOCK * BLOCK;
    mesh->vertices = calloc(count, sizeof *mesh->vertices);
    mesh->ndc_x = calloc(count, sizeof *mesh->ndc_x);
    mesh->ndc_y = calloc(count, sizeof *mesh->ndc_y);
    bool good = mesh->vertices != NULL && mesh->ndc_x != NULL && mesh->ndc_y != NULL;
    for (int i = 0; i < REND_VERTEX_PLACE; i++) {
        mesh->place[i] = calloc(count, sizeof *mesh->place[i]);
        good = good && mesh->place[i] != NULL;
    }
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        mesh->motion[i] = calloc(count, sizeof *mesh->motion[i]);
        good = good && mesh->motion[i] != NULL;
    }
    if (!good) {
        rend_mesh_free(mesh);
        return -1;
    }
    const double aspect_x = rend_aspect_x(config);
    const double aspect_y = rend_aspect_y(config);
    size_t at = 0;
    for (int j = 0; j <= config->mesh_y; j++) {
        for (int i = 0; i <= config->mesh_x; i++, at++) {
            const double x = 2.0 * i / config->mesh_x - 1;
            const double y = 2.0 * j / config->mesh_y - 1;
            const float rad =
                (float)sqrt(x * aspect_x * x * aspect_x + y * aspect_y * y * aspect_y);
            mesh->ndc_x[at] = (float)x;
            mesh->ndc_y[at] = (float)y;
            mesh->place[0][at] = (double)(float)(0.5 + 0.5 * x * aspect_x);
            mesh->place[1][at] = (double)(float)(0.5 - 0.5 * y * aspect_y);
            mesh->place[2][at] = (double)rad;
            mesh->place[3][at] =
                rad == 0 ? 0 : (double)(float)base_atan2(y * aspect_y, x * aspect_x);
        }
    }
    return 0;
}

void rend_mesh_free(struct rend_section_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->ndc_x);
    free(mesh->ndc_y);
    for (int i = 0; i < REND_VERTEX_PLACE; i++) {
        free(mesh->place[i]);
    }
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        free(mesh->motion[i]);
    }
    *mesh = (struct rend_section_mesh){0};
}

/* The motion values, in the order of rend_vertex_motion. */
enum motion { ZOOM, ZOOMEXP, ROT, WARP, CX, CY, DX, DY, SX, SY };

/* Vertices of one block. */
struct block {
    float x[BLOCK]; /* at rest */
    float y[BLOCK];
    float rad[BLOCK];
    float m[REND_VERTEX_MOTIONS][BLOCK];
    float u[BLOCK];
    float v[BLOCK];
};

/* What is the same for all vertices of a frame. */
struct frame_terms {
    float f[4];
    float phase[4]; /* 0.333, 0.375, 0.753, 0.825 times the warp time, within a turn */
    float inverse_scale;
    float aspect_x;
    float aspect_y;
    const struct base_fmath_lanes *lanes;
};

static bool all_are(const float values[BLOCK], float value)
{
    int others = 0;
    for (int i = 0; i < BLOCK; i++) {
        others += values[i] != value ? 1 : 0;
    }
    return others == 0;
}

static void round_to_floats(float out[BLOCK], const double values[BLOCK])
{
    for (int i = 0; i < BLOCK; i++) {
        out[i] = (float)values[i];
    }
}

static void round_from_floats(double out[BLOCK], const float values[BLOCK])
{
    for (int i = 0; i < BLOCK; i++) {
        out[i] = (double)values[i];
    }
}

/* zoom to the power of (zoomexp to the power of 2 rad - 1); 1 for zoomexp leaves zoom as it is. */
static void find_zoom(float zoom[BLOCK], const struct block *block,
                      const struct base_fmath_lanes *lanes)
{
    double base[BLOCK];
    double exponent[BLOCK];
    float rounded[BLOCK];
    memcpy(zoom, block->m[ZOOM], sizeof block->m[ZOOM]);
    if (all_are(block->m[ZOOMEXP], 1.0f)) {
        return;
    }
    round_from_floats(base, block->m[ZOOMEXP]);
    for (int i = 0; i < BLOCK; i++) {
        exponent[i] = 2.0 * (double)block->rad[i] - 1.0;
    }
    lanes->pow(exponent, base, exponent, BLOCK);
    round_to_floats(rounded, exponent);
    round_from_floats(exponent, rounded);
    round_from_floats(base, block->m[ZOOM]);
    lanes->pow(exponent, base, exponent, BLOCK);
    round_to_floats(rounded, exponent);
    for (int i = 0; i < BLOCK; i++) {
        zoom[i] = block->m[ZOOMEXP][i] == 1.0f ? zoom[i] : rounded[i];
    }
}

/* Adds 0.0035 warp f(angle) where there is warp. */
static void add_wave(float coordinate[BLOCK], const struct block *block, double angle[BLOCK],
                     base_lanes_unary function)
{
    const float *warp = block->m[WARP];
    float wave[BLOCK];
    function(angle, angle, BLOCK);
    round_to_floats(wave, angle);
    for (int i = 0; i < BLOCK; i++) {
        const float way = warp[i] * 0.0035f * wave[i];
        coordinate[i] += warp[i] != 0 ? way : 0.0f;
    }
}

static void add_warp(struct block *block, const struct frame_terms *terms)
{
    const float is = terms->inverse_scale;
    const float *f = terms->f;
    double angle[4][BLOCK];
    if (all_are(block->m[WARP], 0.0f)) {
        return;
    }
    for (int i = 0; i < BLOCK; i++) {
        const float x = block->x[i];
        const float y = block->y[i];
        angle[0][i] = (double)(terms->phase[0] + is * (x * f[0] - y * f[3]));
        angle[1][i] = (double)(terms->phase[1] - is * (x * f[2] + y * f[1]));
        angle[2][i] = (double)(terms->phase[2] - is * (x * f[1] - y * f[2]));
        angle[3][i] = (double)(terms->phase[3] + is * (x * f[0] + y * f[3]));
    }
    add_wave(block->u, block, angle[0], terms->lanes->sin);
    add_wave(block->v, block, angle[1], terms->lanes->cos);
    add_wave(block->u, block, angle[2], terms->lanes->cos);
    add_wave(block->v, block, angle[3], terms->lanes->sin);
}

static void rotate(struct block *block, const struct frame_terms *terms)
{
    float sine[BLOCK];
    float cosine[BLOCK];
    double angle[BLOCK];
    double value[BLOCK];
    /* Presets seldom change the rotation from vertex to vertex. */
    const size_t count = all_are(block->m[ROT], block->m[ROT][0]) ? 1 : BLOCK;
    round_from_floats(angle, block->m[ROT]);
    terms->lanes->sin(value, angle, count);
    for (size_t i = count; i < BLOCK; i++) {
        value[i] = value[0];
    }
    round_to_floats(sine, value);
    terms->lanes->cos(value, angle, count);
    for (size_t i = count; i < BLOCK; i++) {
        value[i] = value[0];
    }
    round_to_floats(cosine, value);
    for (int i = 0; i < BLOCK; i++) {
        const float a = block->u[i] - block->m[CX][i];
        const float b = block->v[i] - block->m[CY][i];
        block->u[i] = a * cosine[i] - b * sine[i] + block->m[CX][i];
        block->v[i] = a * sine[i] + b * cosine[i] + block->m[CY][i];
    }
}

/* Bounds a coordinate; what is not finite becomes the one at rest, 0.5 + half * ndc. Three loops,
 * since compilers do not make vectors of the three choices in one. */
static void bound(float values[BLOCK], const float ndc[BLOCK], float half)
{
    for (int i = 0; i < BLOCK; i++) {
        const float rest = 0.5f + half * ndc[i];
        values[i] = fabsf(values[i]) <= FLT_MAX ? values[i] : rest;
    }
    for (int i = 0; i < BLOCK; i++) {
        values[i] = values[i] < -REND_DEVICE_REACH ? -REND_DEVICE_REACH : values[i];
    }
    for (int i = 0; i < BLOCK; i++) {
        values[i] = values[i] > REND_DEVICE_REACH ? REND_DEVICE_REACH : values[i];
    }
}

/* Where the vertices read the last picture. */
static void find_sources(struct block *block, const struct frame_terms *terms)
{
    float zoom[BLOCK];
    find_zoom(zoom, block, terms->lanes);
    for (int i = 0; i < BLOCK; i++) {
        const float u = 0.5f + 0.5f * block->x[i] * terms->aspect_x / zoom[i];
        const float v = 0.5f - 0.5f * block->y[i] * terms->aspect_y / zoom[i];
        block->u[i] = (u - block->m[CX][i]) / block->m[SX][i] + block->m[CX][i];
        block->v[i] = (v - block->m[CY][i]) / block->m[SY][i] + block->m[CY][i];
    }
    add_warp(block, terms);
    rotate(block, terms);
    for (int i = 0; i < BLOCK; i++) {
        block->u[i] = (block->u[i] - block->m[DX][i] - 0.5f) / terms->aspect_x + 0.5f;
        block->v[i] = (block->v[i] - block->m[DY][i] - 0.5f) / terms->aspect_y + 0.5f;
    }
    bound(block->u, block->x, 0.5f);
    bound(block->v, block->y, -0.5f);
}

/* As rend_float: beyond the range, rounding gives infinities, which are bounded afterwards. */
static void load_floats(float out[BLOCK], const double values[BLOCK])
{
    round_to_floats(out, values);
    for (int i = 0; i < BLOCK; i++) {
        out[i] = out[i] < -FLT_MAX ? -FLT_MAX : out[i];
    }
    for (int i = 0; i < BLOCK; i++) {
        out[i] = out[i] > FLT_MAX ? FLT_MAX : out[i];
    }
    for (int i = 0; i < BLOCK; i++) {
        out[i] = isnan(out[i]) ? 0.0f : out[i];
    }
}

/* ---- a frame ---- */

/* Parts of whole blocks, which threads share. */
struct moving {
    struct rend *rend;
    const struct rend_frame *frame;
    const struct frame_terms *terms;
    const struct pfpu_program *program;   /* NULL: the mesh is as the frame wants it */
    const struct pfpu_lanes_items *items; /* that it has yet to run for; NULL: it was run */
    size_t parts;
    const struct base_beside *beside;
};

static double *work_of(const struct moving *moving, size_t part)
{
    const struct pfpu_lanes *lanes = moving->rend->patch->vertex.lanes;
    return moving->rend->equations.lanes_work + part * pfpu_lanes_work_size(lanes);
}

/* The motion values where the program does not write them. */
static void whole_motions(float whole[REND_VERTEX_MOTIONS], const struct rend_values *v)
{
    const float motions[REND_VERTEX_MOTIONS] = {v->zoom, v->zoomexp, v->rot, v->warp, v->cx,
                                                v->cy,   v->dx,      v->dy,  v->sx,   v->sy};
    memcpy(whole, motions, sizeof motions);
}

/* Only what the program writes differs from vertex to vertex. */
static void move_vertices(const struct moving *moving, size_t first, size_t end)
{
    struct rend_section_mesh *mesh = &moving->rend->mesh;
    float whole[REND_VERTEX_MOTIONS];
    whole_motions(whole, &moving->frame->values);
    struct block block = {.rad = {0}};
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        for (int k = 0; k < BLOCK; k++) {
            block.m[i][k] = whole[i];
        }
    }
    for (size_t at = first; at < end; at += BLOCK) {
        memcpy(block.x, mesh->ndc_x + at, sizeof block.x);
        memcpy(block.y, mesh->ndc_y + at, sizeof block.y);
        round_to_floats(block.rad, mesh->place[2] + at);
        for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
            if (pfpu_program_writes(moving->program, REND_VAR_MOTION + i)) {
                load_floats(block.m[i], mesh->motion[i] + at);
            }
        }
        find_sources(&block, moving->terms);
        for (size_t i = 0; i < BLOCK; i++) {
            mesh->vertices[at + i] = (struct tmu_vertex){block.u[i], block.v[i]};
        }
    }
}

static void run_part(void *user, size_t part)
{
    const struct moving *moving = user;
    struct rend *rend = moving->rend;
    struct rend_section_equations *equations = &rend->equations;
    const size_t blocks = (vertex_count(&rend->config) + BLOCK - 1) / BLOCK;
    const size_t first = blocks * part / moving->parts * BLOCK;
    const size_t end = blocks * (part + 1) / moving->parts * BLOCK;
    if (moving->items != NULL) {
        pfpu_lanes_run_part(rend->patch->vertex.lanes, rend->config.cpu, &equations->vertex,
                            &equations->globals, moving->items, work_of(moving, part), first, end);
    }
    move_vertices(moving, first, end);
}

/* Both in parts, or the program, if its items depend on one another, before all parts. */
static void run_and_move(struct moving *moving, const struct pfpu_lanes_items *items)
{
    struct rend *rend = moving->rend;
    struct rend_section_equations *equations = &rend->equations;
    const struct pfpu_lanes *lanes = rend->patch->vertex.lanes;
    if (moving->program != NULL && pfpu_lanes_divides(lanes)) {
        moving->items = items;
    } else if (moving->program != NULL) {
        pfpu_lanes_run(lanes, rend->config.cpu, &equations->vertex, &equations->globals, items,
                       equations->lanes_work);
    }
    base_pool_run_beside(rend->config.pool, moving->beside, run_part, moving, moving->parts);
    if (moving->items != NULL) {
        pfpu_lanes_end_parts(lanes, &equations->vertex, &equations->globals, items,
                             work_of(moving, moving->parts - 1));
    }
}

/* Whether a device has done it. The last block of items runs here, too: it has the numbers that are
 * the same for all, and leaves what the last item leaves. */
static bool move_on_device(struct moving *moving, const struct pfpu_lanes_items *items)
{
    struct rend *rend = moving->rend;
    struct rend_section_equations *equations = &rend->equations;
    const struct frame_terms *terms = moving->terms;
    const struct pfpu_lanes *lanes = rend->patch->vertex.lanes;
    if (moving->program == NULL || !rend_offload_moves(rend)) {
        return false;
    }
    const size_t last = (items->count - 1) / BLOCK * BLOCK;
    double *work = work_of(moving, 0);
    pfpu_lanes_run_part(lanes, rend->config.cpu, &equations->vertex, &equations->globals, items,
                        work, last, items->count);
    struct rend_device_moving there = {.inverse_scale = terms->inverse_scale,
                                       .aspect_x = terms->aspect_x,
                                       .aspect_y = terms->aspect_y};
    whole_motions(there.motion, &moving->frame->values);
    memcpy(there.term, terms->f, sizeof there.term);
    memcpy(there.phase, terms->phase, sizeof there.phase);
    if (!rend_offload_move(rend, &there, work)) {
        return false;
    }
    if (moving->beside != NULL) {
        moving->beside->work(moving->beside->user);
        moving->beside = NULL;
    }
    if (!rend_offload_moved(rend)) {
        return false;
    }
    pfpu_lanes_end_parts(lanes, &equations->vertex, &equations->globals, items, work);
    return true;
}

void rend_mesh_step(struct rend *rend, const struct rend_frame *frame,
                    const struct base_beside *beside)
{
    struct rend_section_mesh *mesh = &rend->mesh;
    static const double speeds[4] = {1.413, 1.113, 1.233, 0.933};
    static const double offsets[4] = {10, 7, 3, 5};
    static const double centres[4] = {11.68, 8.77, 10.54, 11.49};
    static const double swings[4] = {4, 3, 3, 4};
    static const double phases[4] = {0.333, 0.375, 0.753, 0.825};
    struct frame_terms terms = {
        .inverse_scale = 1.0f / frame->values.warp_scale,
        .aspect_x = frame->aspect_x,
        .aspect_y = frame->aspect_y,
        .lanes = base_fmath_lanes_for(rend->config.cpu),
    };
    const double time = frame->clock.time * (double)frame->values.warp_speed;
    for (int i = 0; i < 4; i++) {
        terms.f[i] = (float)(centres[i] + swings[i] * base_cos(speeds[i] * time + offsets[i]));
        terms.phase[i] = (float)fmod(phases[i] * time, 2 * BASE_PI);
    }
    const struct rend_block *block = &rend->patch->vertex;
    const size_t count = vertex_count(&rend->config);
    struct moving moving = {rend, frame, &terms, block->run, NULL, rend->equations.parts, beside};
    double motions[REND_VERTEX_MOTIONS];
    const double *inputs[REND_VERTEX_PLACE + REND_VERTEX_MOTIONS];
    double *outputs[REND_VERTEX_MOTIONS];
    size_t output_count = 0;
    /* One that costs too much leaves the mesh as the frame wants it. */
    if (moving.program != NULL && !rend_may_run(&rend->equations, block, count)) {
        moving.program = NULL;
    }
    if (moving.program != NULL) {
        struct rend_section_equations *equations = &rend->equations;
        for (int i = 0; i < REND_VERTEX_PLACE; i++) {
            inputs[i] = mesh->place[i];
        }
        for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
            motions[i] =
                equations->frame.values[rend->patch->stored_variable[rend_vertex_motion[i]]];
            inputs[REND_VERTEX_PLACE + i] = &motions[i];
            if (pfpu_program_writes(block->run, REND_VAR_MOTION + i)) {
                outputs[output_count++] = mesh->motion[i];
            }
        }
        rend_set_inputs(equations->vertex.values, frame, frame->q);
        rend_set_geometry(equations->vertex.values, &rend->config);
        rend_set_held(equations->vertex.values, block->scope, frame);
    }
    const struct pfpu_lanes_items items = {count, inputs, outputs};
    if (!move_on_device(&moving, &items)) {
        run_and_move(&moving, &items);
    }
    mesh->drawn = true;
}

/* Motion vectors: spec/milk-rendering.md section 5. */

/* As many vectors are found sooner by one thread than by several that are woken for it. */
enum { COLUMNS_MAX = 64, ROWS_MAX = 48, FOUND_ALONE = 600 };

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

static float lerp(float a, float b, float t)
{
    return a + (b - a) * t;
}

enum vector_kind { VECTOR_NONE, VECTOR_DOT, VECTOR_LINE };

/* A vector; in pixels. */
struct vector {
    struct rend_point from;
    struct rend_point to;
    enum vector_kind kind;
    int32_t cost; /* of a line */
};

/* All that the vectors of a frame are drawn from. */
struct vectors {
    const struct rend_canvas *canvas;
    const struct rend_values *values;
    const struct rend_section_mesh *mesh;
    const struct rend_config *config;
    struct grid columns;
    struct grid rows;
    struct rend_colour colour;
    size_t lines; /* that may be drawn */
    size_t row_bands;
    struct vector found[ROWS_MAX * COLUMNS_MAX]; /* row by row, of as many as there are columns */
};

static struct vector vector_at(const struct vectors *vectors, struct rend_point p)
{
    /* Where the mesh of the last frame read the point; the mesh's rows count from the bottom while
     * p.y counts from the top, so the motion is seen mirrored. */
    const struct rend_config *config = vectors->config;
    const float x = p.x * (float)config->mesh_x;
    const float y = p.y * (float)config->mesh_y;
    const size_t pitch = (size_t)config->mesh_x + 1;
    const struct tmu_vertex *below =
        vectors->mesh->vertices + (size_t)(int)y * pitch + (size_t)(int)x;
    const struct tmu_vertex *above = below + pitch;
    const float fx = x - (float)(int)x;
    const float fy = y - (float)(int)y;
    const float u = lerp(lerp(below[0].u, below[1].u, fx), lerp(above[0].u, above[1].u, fx), fy);
    const float v = lerp(lerp(below[0].v, below[1].v, fx), lerp(above[0].v, above[1].v, fx), fy);
    const float scale = vectors->values->mv_l;
    struct rend_point d = {(u - p.x) * scale, (1 - v - p.y) * scale};
    const float length = sqrtf(d.x * d.x + d.y * d.y);
    const float shortest = 1.0f / (float)config->width;
    if (length < 1e-8f) {
        d = (struct rend_point){shortest, shortest};
    } else if (length < shortest) {
        d.x *= shortest / length;
        d.y *= shortest / length;
    }
    const float width = (float)vectors->canvas->width;
    const float height = (float)vectors->canvas->height;
    const struct rend_point from = {p.x * width, p.y * height};
    const struct rend_point to = {(p.x + d.x) * width, (p.y + d.y) * height};
    const bool dot = fmaxf(fabsf(to.x - from.x), fabsf(to.y - from.y)) < 1.01f;
    return (struct vector){from, to, dot ? VECTOR_DOT : VECTOR_LINE,
                           (int32_t)rend_line_cost(vectors->canvas, from, to)};
}

static bool inside(float p)
{
    return p > 0.0001f && p < 0.9999f;
}

static void find_row(void *user, size_t row)
{
    struct vectors *vectors = user;
    const struct rend_values *v = vectors->values;
    const size_t columns = (size_t)vectors->columns.count;
    struct vector *found = vectors->found + row * columns;
    const float py = place_of((int)row, vectors->rows) - v->mv_dy;
    for (size_t x = 0; x < columns; x++) {
        const float px = place_of((int)x, vectors->columns) + v->mv_dx;
        found[x] = inside(px) && inside(py) ? vector_at(vectors, (struct rend_point){px, py})
                                            : (struct vector){.kind = VECTOR_NONE};
    }
}

/* Takes off what the lines cost, as far as they may be drawn. Returns what all take to draw. */
static int64_t pay_vectors(struct vectors *vectors, size_t count)
{
    enum { DOT_COST = 16 };
    int64_t cost = (int64_t)count * DOT_COST;
    for (size_t i = 0; i < count; i++) {
        const struct vector *vector = &vectors->found[i];
        if (vector->kind == VECTOR_LINE) {
            if (!rend_may_fill(vectors->canvas, vector->cost)) {
                break;
            }
            vectors->lines++;
            cost += vector->cost;
        }
    }
    return cost;
}

static void draw_vectors_band(void *user, size_t index)
{
    const struct vectors *vectors = user;
    const struct rend_canvas band = rend_row_band(vectors->canvas, index, vectors->row_bands);
    const struct rend_colour colour = vectors->colour;
    const size_t count = (size_t)vectors->columns.count * (size_t)vectors->rows.count;
    const float top = (float)band.top - 1;
    const float bottom = (float)band.bottom + 1;
    size_t line = 0;
    for (size_t i = 0; i < count; i++) {
        const struct vector *vector = &vectors->found[i];
        line += vector->kind == VECTOR_LINE ? 1 : 0;
        if ((vector->from.y < top && vector->to.y < top) ||
            (vector->from.y > bottom && vector->to.y > bottom)) {
            continue; /* most of them, since each band looks at all */
        }
        if (vector->kind == VECTOR_DOT) {
            rend_draw_dot(&band, vector->from, 1, colour, REND_BLEND_ALPHA);
        } else if (vector->kind == VECTOR_LINE && line <= vectors->lines) {
            rend_draw_line(&band, vector->from, vector->to, colour, colour, REND_BLEND_ALPHA);
        }
    }
}

bool rend_draw_motion_vectors(const struct rend_canvas *canvas, const struct rend_frame *frame,
                              const struct rend_section_mesh *mesh,
                              const struct rend_config *config, struct rend_list *list)
{
    const struct rend_values *v = &frame->values;
    if (!mesh->drawn || !(v->mv_a >= 0.001f)) {
        return false;
    }
    struct vectors vectors;
    vectors.canvas = canvas;
    vectors.values = v;
    vectors.mesh = mesh;
    vectors.config = config;
    vectors.columns = grid_of(v->mv_x, COLUMNS_MAX);
    vectors.rows = grid_of(v->mv_y, ROWS_MAX);
    vectors.colour = rend_colour_low_bits(v->mv_r, v->mv_g, v->mv_b, v->mv_a);
    vectors.lines = 0;
    if (vectors.columns.count < 1 || vectors.rows.count < 1) {
        return false;
    }
    const size_t rows = (size_t)vectors.rows.count;
    const size_t count = (size_t)vectors.columns.count * rows;
    if (count < FOUND_ALONE) {
        for (size_t row = 0; row < rows; row++) {
            find_row(&vectors, row);
        }
    } else {
        base_pool_run(canvas->pool, find_row, &vectors, rows);
    }
    vectors.row_bands = rend_row_band_count(canvas, pay_vectors(&vectors, count));
    base_pool_run(canvas->pool, draw_vectors_band, &vectors, vectors.row_bands);
    if (list != NULL) {
        struct rend_canvas noting = *canvas;
        noting.list = list;
        noting.pool = NULL;
        vectors.canvas = &noting;
        vectors.row_bands = 1;
        draw_vectors_band(&vectors, 0);
    }
    return true;
}
