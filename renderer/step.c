#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "renderer/renderer.h"
#include "renderer/stages.h"
#include "renderer/state.h"

struct rend_heard rend_heard(const struct rend *rend)
{
    const struct rend_sound sound = rend_analysis_sound(&rend->sound);
    struct rend_heard heard = {
        .beat = sound.beat, .beat_phase = sound.beat_phase, .bpm = sound.bpm};
    memcpy(heard.level, sound.level, sizeof heard.level);
    memcpy(heard.level_att, sound.level_att, sizeof heard.level_att);
    return heard;
}

struct rend_mapping rend_mapping(const struct rend *rend)
{
    const struct rend_values *values = &rend->values;
    return (struct rend_mapping){
        .mesh = {rend->mesh.vertices, rend->config.mesh_x, rend->config.mesh_y},
        .wrap = values->wrap > 0.5f,
        .echo_alpha = values->echo_alpha,
        .echo_zoom = values->echo_zoom,
        .echo_orient = rend_int(values->echo_orient) & 3,
    };
}

static void draw_chances(struct rend_section_chance *chance, uint64_t seed)
{
    static const uint32_t ranges[3] = {42661, 53751, 31571}; /* blue, green, red */
    struct base_rng rng;
    base_rng_seed(&rng, seed, 1);
    for (int i = 0; i < 3; i++) {
        chance->shade_phase[i] = base_rng_next(&rng) % ranges[i] / 100.0;
    }
}

struct rend *rend_create(const struct rend_config *config)
{
    assert(config->width >= REND_SIZE_MIN && config->width <= REND_SIZE_MAX);
    assert(config->height >= REND_SIZE_MIN && config->height <= REND_SIZE_MAX);
    assert(config->mesh_x >= 2 && config->mesh_x <= REND_MESH_MAX_X);
    assert(config->mesh_y >= 2 && config->mesh_y <= REND_MESH_MAX_Y);
    assert(config->fps > 0);
    struct rend *rend = calloc(1, sizeof *rend);
    if (rend == NULL) {
        return NULL;
    }
    rend->config = *config;
    rend->kernels = tmu_kernels_for(config->cpu);
    rend->spectrum = rend_spectrum_create();
    rend_analysis_init(&rend->sound, config->levels);
    rend->clock.fps = config->fps;
    draw_chances(&rend->chance, config->seed);
    struct tmu_surface *surface = rend->canvas.surface;
    surface[0] = tmu_surface_create(config->width, config->height);
    surface[1] = tmu_surface_create(config->width, config->height);
    if (rend->spectrum == NULL || surface[0].pixels == NULL || surface[1].pixels == NULL ||
        rend_mesh_create(&rend->mesh, config) != 0) {
        rend_free(rend);
        return NULL;
    }
    return rend;
}

void rend_free(struct rend *rend)
{
    if (rend == NULL) {
        return;
    }
    rend_spectrum_free(rend->spectrum);
    tmu_surface_free(&rend->canvas.surface[0]);
    tmu_surface_free(&rend->canvas.surface[1]);
    rend_mesh_free(&rend->mesh);
    rend_equations_free(&rend->equations);
    rend_shade_free(&rend->shaders);
    free(rend);
}

static struct rend_frame frame_of(const struct rend *rend, const struct rend_patch *patch)
{
    return (struct rend_frame){
        .clock = rend->clock,
        .sound = rend_analysis_sound(&rend->sound),
        .extras = !patch->own_extras,
        .aspect_x = (float)rend_aspect_x(&rend->config),
        .aspect_y = (float)rend_aspect_y(&rend->config),
    };
}

static int refuse_load(const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){0}, "the former preset goes on",
                "not enough memory to start the preset");
    return -1;
}

int rend_load(struct rend *rend, const struct rend_patch *patch, double planned_seconds,
              const struct base_diag_sink *sink)
{
    struct rend_section_equations fresh;
    struct rend_frame frame = frame_of(rend, patch);
    frame.clock.progress = 0;
    struct rend_section_shaders shaders;
    if (rend_shade_load(&shaders, rend, patch) != 0) {
        return refuse_load(sink);
    }
    if (rend_equations_load(&fresh, patch, &rend->config, &frame) != 0) {
        rend_shade_free(&shaders);
        return refuse_load(sink);
    }
    if (fresh.globals.exhausted) {
        base_report(sink, BASE_WARNING, (struct base_place){0}, "look for a loop that does not end",
                    "the preset's init equations used up their operations and ended early");
    }
    if (fresh.globals.pool_exhausted) {
        base_report(sink, BASE_WARNING, (struct base_place){0}, "use fewer distant indices",
                    "the preset's init equations used up megabuf; later writes were dropped");
    }
    fresh.planned_seconds = planned_seconds;
    rend_equations_free(&rend->equations);
    rend->equations = fresh;
    rend_shade_free(&rend->shaders);
    rend->shaders = shaders;
    rend->patch = patch;
    return 0;
}

/* Pixels that shapes and lines may draw in a frame, in pictures and beyond: more than any known
 * preset needs, and few enough that a hostile one delays a frame and does not stop the show. */
enum { FILL_PICTURES = 1280, FILL_BASE = 56 * 1000 * 1000 };

static struct rend_canvas canvas_of(struct rend *rend, const struct tmu_surface *surface)
{
    return (struct rend_canvas){
        .pixels = surface->pixels,
        .stride = surface->stride,
        .width = surface->width,
        .height = surface->height,
        .top = 0,
        .bottom = surface->height,
        .cpu = rend->config.cpu,
        .fill_left = &rend->fill_left,
        .pool = rend->config.pool,
    };
}

/* A frame as it goes from stage to stage, in the order of frame/stages.def. */
struct painting {
    struct rend *rend;
    const struct rend_input *input;
    struct rend_frame frame;
    struct tmu_surface *last;    /* what the last frame showed */
    struct tmu_surface *current; /* what this one draws */
    uint32_t *pixels;
    size_t stride;
};

static void analyse(struct painting *painting)
{
    struct rend *rend = painting->rend;
    const struct rend_input *input = painting->input;
    rend_analysis_step(&rend->sound, rend->spectrum, input->audio, input->audio_frames,
                       input->frame, input->fps);
    if (rend->patch != NULL && rend->patch->spectra) {
        rend_analysis_spectra(&rend->sound, rend->spectrum);
    }
}

static void begin_frame(struct painting *painting)
{
    struct rend *rend = painting->rend;
    rend_equations_refill(&rend->equations);
    rend->fill_left = (int64_t)rend->config.width * rend->config.height * FILL_PICTURES + FILL_BASE;
    painting->frame = frame_of(rend, rend->patch);
}

static void run_equations(struct painting *painting)
{
    struct rend *rend = painting->rend;
    rend_equations_frame(&rend->equations, rend->patch, &rend->config, &painting->frame);
}

static void set_uniforms(struct painting *painting)
{
    painting->rend->values = painting->frame.values;
    rend_shade_begin(painting->rend, &painting->frame);
}

static void draw_vectors(struct painting *painting)
{
    struct rend *rend = painting->rend;
    const struct rend_canvas canvas = canvas_of(rend, painting->last);
    rend_draw_motion_vectors(&canvas, &painting->frame, &rend->mesh, &rend->config);
}

static void move_mesh(struct painting *painting)
{
    rend_mesh_step(painting->rend, &painting->frame);
}

static void warp(struct painting *painting)
{
    struct rend *rend = painting->rend;
    tmu_surface_guard(painting->last);
    if (rend->patch->shader[SHADER_WARP].program != NULL) {
        rend_shade_warp(rend, painting->last, painting->current);
        return;
    }
    const struct rend_values *v = &painting->frame.values;
    const struct tmu_mesh mesh = {rend->mesh.vertices, rend->config.mesh_x, rend->config.mesh_y};
    const enum tmu_address address = v->wrap > 0.5f ? TMU_WRAP : TMU_CLAMP;
    /* The low 8 bits, as for colours: presets tuned by eye write values far above 1. */
    const unsigned decay = rend_low_bits(v->decay);
    tmu_warp(rend->kernels, rend->config.pool, painting->current, painting->last, &mesh, address,
             decay);
}

static void blur(struct painting *painting)
{
    rend_shade_blur(painting->rend, &painting->frame, painting->last);
}

static void draw_shapes(struct painting *painting)
{
    struct rend *rend = painting->rend;
    const struct rend_canvas canvas = canvas_of(rend, painting->current);
    rend_draw_shapes(&canvas, &painting->frame, rend->patch, &rend->equations, painting->last);
}

static void draw_waves(struct painting *painting)
{
    struct rend *rend = painting->rend;
    const struct rend_canvas canvas = canvas_of(rend, painting->current);
    rend_draw_custom_waves(&canvas, &painting->frame, rend->patch, &rend->equations);
    rend_draw_wave(&canvas, &painting->frame);
}

static void draw_borders(struct painting *painting)
{
    const struct rend_canvas canvas = canvas_of(painting->rend, painting->current);
    rend_draw_darken_center(&canvas, &painting->frame);
    rend_draw_borders(&canvas, &painting->frame);
}

static void composite(struct painting *painting)
{
    struct rend *rend = painting->rend;
    if (rend->patch->shader[SHADER_COMP].program == NULL) {
        rend_composite(rend, &painting->frame, painting->pixels, painting->stride);
        return;
    }
    tmu_surface_guard(painting->current);
    rend_shade_comp(rend, &painting->frame, painting->current, painting->pixels, painting->stride);
}

static const struct row {
    void (*work)(struct painting *);
    enum rend_stage stage; /* REND_STAGE_NONE: not observed */
    enum rend_stage within;
} rows[] = {
#define REND_STAGE(name, text, within, work) {work, REND_STAGE_##name, REND_STAGE_##within},
#define REND_UNOBSERVED(within, work)        {work, REND_STAGE_NONE, REND_STAGE_##within},
#include "renderer/frame/stages.def"
};

static void observe(const struct rend *rend, enum rend_stage stage, bool begins)
{
    const struct rend_observer *observer = rend->config.observer;
    if (observer != NULL && stage != REND_STAGE_NONE) {
        observer->stage(observer->user, stage, begins);
    }
}

/* A stage without work of its own is open until a row does not lie within it. */
static void carry_out(struct painting *painting, size_t count)
{
    const struct rend *rend = painting->rend;
    enum rend_stage open = REND_STAGE_NONE;
    for (const struct row *row = rows; row < rows + count; row++) {
        if (row->within != open) {
            observe(rend, open, false);
            open = REND_STAGE_NONE;
        }
        observe(rend, row->stage, true);
        if (row->work == NULL) {
            open = row->stage;
            continue;
        }
        row->work(painting);
        observe(rend, row->stage, false);
    }
    observe(rend, open, false);
}

void rend_blacken(const struct rend_config *config, uint32_t *pixels, size_t stride)
{
    for (size_t y = 0; y < (size_t)config->height; y++) {
        memset(pixels + y * stride, 0, (size_t)config->width * sizeof *pixels);
    }
}

unsigned rend_step(struct rend *rend, const struct rend_input *input, uint32_t *pixels,
                   size_t stride)
{
    assert(input->fps > 0 && stride >= (size_t)rend->config.width);
    const struct rend_section_equations *equations = &rend->equations;
    const double elapsed = input->time - equations->start_time;
    double progress = 0;
    if (equations->planned_seconds > 0) {
        progress = elapsed / equations->planned_seconds;
    }
    rend->clock = (struct rend_clock){
        .time = input->time,
        .fps = input->fps,
        .frame = (double)input->frame,
        .progress = progress < 0   ? 0
                    : progress > 1 ? 1
                                   : progress,
    };
    struct painting painting = {
        .rend = rend,
        .input = input,
        .last = &rend->canvas.surface[1 - rend->canvas.current],
        .current = &rend->canvas.surface[rend->canvas.current],
        .pixels = pixels,
        .stride = stride,
    };
    if (rend->patch == NULL) {
        carry_out(&painting, 1);
        rend_blacken(&rend->config, pixels, stride);
        return 0;
    }
    carry_out(&painting, sizeof rows / sizeof rows[0]);
    rend->canvas.current = 1 - rend->canvas.current;
    return (rend->equations.globals.exhausted ? REND_EVENT_BUDGET : 0u) |
           (rend->equations.globals.pool_exhausted ? REND_EVENT_MEMORY : 0u) |
           (rend->fill_left < 0 ? REND_EVENT_FILL : 0u) |
           (rend->shaders.exhausted ? REND_EVENT_SHADER : 0u);
}
