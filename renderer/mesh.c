/* The warp mesh: milk-rendering.md section 3. */
#include "renderer/stages.h"

#include <math.h>
#include <stdlib.h>

#include "base/fmath.h"

/* How far a vertex may read outside the picture, in pictures. */
static const float reach = 1e4f;

static size_t vertex_count(const struct rend_config *config)
{
    return ((size_t)config->mesh_x + 1) * ((size_t)config->mesh_y + 1);
}

static void place_vertex(struct rend_vertex_place *place, const struct rend_config *config, int i,
                         int j)
{
    const double aspect_x = rend_aspect_x(config);
    const double aspect_y = rend_aspect_y(config);
    const double x = 2.0 * i / config->mesh_x - 1;
    const double y = 2.0 * j / config->mesh_y - 1;
    place->ndc_x = (float)x;
    place->ndc_y = (float)y;
    place->x = (double)(float)(0.5 + 0.5 * x * aspect_x);
    place->y = (double)(float)(0.5 - 0.5 * y * aspect_y);
    place->rad = (double)(float)sqrt(x * aspect_x * x * aspect_x + y * aspect_y * y * aspect_y);
    place->ang = place->rad == 0 ? 0 : (double)(float)base_atan2(y * aspect_y, x * aspect_x);
}

int rend_mesh_create(struct rend_section_mesh *mesh, const struct rend_config *config)
{
    mesh->vertices = calloc(vertex_count(config), sizeof *mesh->vertices);
    mesh->places = calloc(vertex_count(config), sizeof *mesh->places);
    if (mesh->vertices == NULL || mesh->places == NULL) {
        rend_mesh_free(mesh);
        return -1;
    }
    struct rend_vertex_place *place = mesh->places;
    for (int j = 0; j <= config->mesh_y; j++) {
        for (int i = 0; i <= config->mesh_x; i++) {
            place_vertex(place++, config, i, j);
        }
    }
    return 0;
}

void rend_mesh_free(struct rend_section_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->places);
    mesh->vertices = NULL;
    mesh->places = NULL;
}

/* The ten motion values of a vertex, in the order of rend_vertex_motion. */
struct motion {
    float zoom, zoomexp, rot, warp, cx, cy, dx, dy, sx, sy;
};

/* What is the same for all vertices of a frame. */
struct frame_terms {
    float f[4];
    float phase[4]; /* 0.333, 0.375, 0.753, 0.825 times the warp time, within a turn */
    float inverse_scale;
    float aspect_x;
    float aspect_y;
    /* sine and cosine of the last rotation: presets seldom change it from vertex to vertex */
    float rot;
    float sine;
    float cosine;
};

static struct frame_terms make_terms(const struct rend_frame *frame)
{
    static const double speeds[4] = {1.413, 1.113, 1.233, 0.933};
    static const double offsets[4] = {10, 7, 3, 5};
    static const double centres[4] = {11.68, 8.77, 10.54, 11.49};
    static const double swings[4] = {4, 3, 3, 4};
    static const double phases[4] = {0.333, 0.375, 0.753, 0.825};
    struct frame_terms terms = {.aspect_x = frame->aspect_x, .aspect_y = frame->aspect_y};
    const double time = frame->clock.time * (double)frame->values.warp_speed;
    for (int i = 0; i < 4; i++) {
        terms.f[i] = (float)(centres[i] + swings[i] * base_cos(speeds[i] * time + offsets[i]));
        terms.phase[i] = (float)fmod(phases[i] * time, 2 * BASE_PI);
    }
    terms.inverse_scale = 1.0f / frame->values.warp_scale;
    terms.cosine = 1;
    return terms;
}

static float zoom_of(const struct motion *m, float rad)
{
    if (m->zoomexp == 1.0f) {
        return m->zoom;
    }
    const double exponent = base_pow((double)m->zoomexp, 2.0 * (double)rad - 1.0);
    return (float)base_pow((double)m->zoom, (double)(float)exponent);
}

static void add_warp(struct tmu_vertex *at, float warp, float x, float y,
                     const struct frame_terms *terms)
{
    const float amount = warp * 0.0035f;
    const float is = terms->inverse_scale;
    const float *f = terms->f;
    at->u += amount * rend_sin(terms->phase[0] + is * (x * f[0] - y * f[3]));
    at->v += amount * rend_cos(terms->phase[1] - is * (x * f[2] + y * f[1]));
    at->u += amount * rend_cos(terms->phase[2] - is * (x * f[1] - y * f[2]));
    at->v += amount * rend_sin(terms->phase[3] + is * (x * f[0] + y * f[3]));
}

static void rotate(struct tmu_vertex *at, const struct motion *m, struct frame_terms *terms)
{
    if (m->rot != terms->rot) {
        terms->rot = m->rot;
        terms->sine = rend_sin(m->rot);
        terms->cosine = rend_cos(m->rot);
    }
    const float a = at->u - m->cx;
    const float b = at->v - m->cy;
    at->u = a * terms->cosine - b * terms->sine + m->cx;
    at->v = a * terms->sine + b * terms->cosine + m->cy;
}

static float bounded(float value, float fallback)
{
    return isfinite(value) ? fminf(fmaxf(value, -reach), reach) : fallback;
}

static struct tmu_vertex source_of(const struct rend_vertex_place *place, const struct motion *m,
                                   struct frame_terms *terms)
{
    const float x = place->ndc_x;
    const float y = place->ndc_y;
    const float zoom = zoom_of(m, (float)place->rad);
    struct tmu_vertex at = {0.5f + 0.5f * x * terms->aspect_x / zoom,
                            0.5f - 0.5f * y * terms->aspect_y / zoom};
    at.u = (at.u - m->cx) / m->sx + m->cx;
    at.v = (at.v - m->cy) / m->sy + m->cy;
    if (m->warp != 0) {
        add_warp(&at, m->warp, x, y, terms);
    }
    rotate(&at, m, terms);
    at.u = (at.u - m->dx - 0.5f) / terms->aspect_x + 0.5f;
    at.v = (at.v - m->dy - 0.5f) / terms->aspect_y + 0.5f;
    at.u = bounded(at.u, 0.5f + 0.5f * x);
    at.v = bounded(at.v, 0.5f - 0.5f * y);
    return at;
}

static struct motion motion_of_frame(const struct rend_values *v)
{
    return (struct motion){v->zoom, v->zoomexp, v->rot, v->warp, v->cx,
                           v->cy,   v->dx,      v->dy,  v->sx,   v->sy};
}

static struct motion motion_of_vertex(const double *v)
{
    v += REND_VAR_MOTION;
    return (struct motion){rend_float(v[0]), rend_float(v[1]), rend_float(v[2]), rend_float(v[3]),
                           rend_float(v[4]), rend_float(v[5]), rend_float(v[6]), rend_float(v[7]),
                           rend_float(v[8]), rend_float(v[9])};
}

static void set_vertex(double *values, const struct rend_vertex_place *place,
                       const double motions[REND_VERTEX_MOTIONS])
{
    values[REND_VAR_PLACE] = place->x;
    values[REND_VAR_PLACE + 1] = place->y;
    values[REND_VAR_PLACE + 2] = place->rad;
    values[REND_VAR_PLACE + 3] = place->ang;
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        values[REND_VAR_MOTION + i] = motions[i];
    }
}

void rend_mesh_step(struct rend *rend, const struct rend_frame *frame)
{
    struct rend_section_equations *equations = &rend->equations;
    struct rend_section_mesh *mesh = &rend->mesh;
    const struct pfpu_program *program = rend->patch->vertex.run;
    const struct motion whole = motion_of_frame(&frame->values);
    struct frame_terms terms = make_terms(frame);
    double *values = equations->vertex.values;
    rend_set_inputs(values, frame, frame->q);
    rend_set_geometry(values, &rend->config);
    double motions[REND_VERTEX_MOTIONS];
    for (int i = 0; i < REND_VERTEX_MOTIONS; i++) {
        motions[i] = equations->frame.values[rend->patch->stored_variable[rend_vertex_motion[i]]];
    }
    const size_t count = vertex_count(&rend->config);
    for (size_t i = 0; i < count; i++) {
        struct motion m = whole;
        if (program != NULL) {
            set_vertex(values, &mesh->places[i], motions);
            pfpu_run(program, &equations->vertex, &equations->globals);
            m = motion_of_vertex(values);
        }
        mesh->vertices[i] = source_of(&mesh->places[i], &m, &terms);
    }
    mesh->drawn = true;
}
