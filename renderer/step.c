/* The step: a rend made and loaded, and its frames stage by stage. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "renderer/offload.h"
#include "renderer/renderer.h"
#include "renderer/stages.h"
#include "renderer/state.h"

struct rend_heard rend_heard(const struct rend *rend)
{
    const struct rend_sound sound = rend_analysis_sound(&rend->sound);
    struct rend_heard heard = {.beats = sound.beats,
                               .beat_phase = sound.beat_phase,
                               .bar_phase = sound.bar_phase,
                               .bpm = sound.bpm};
    memcpy(heard.level, sound.level, sizeof heard.level);
    memcpy(heard.level_att, sound.level_att, sizeof heard.level_att);
    return heard;
}

struct rend_tempo rend_own_beat(const struct rend *rend)
{
    const struct rend_beat *beat = &rend->sound.beat;
    return (struct rend_tempo){
        .bpm = rend_beat_bpm(beat), .beats = rend_beat_count(beat), .passed = rend->sound.beats};
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
    static const uint32_t ranges[3] = {42661, 53751, 31571}; /* blue, green, red */
    struct base_rng rng;
    base_rng_seed(&rng, config->seed, 1);
    for (int i = 0; i < 3; i++) {
        rend->chance.shade_phase[i] = base_rng_next(&rng) % ranges[i] / 100.0;
    }
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
    for (int i = 0; i < 2 && !rend->canvas.lent; i++) {
        tmu_surface_free(&rend->canvas.surface[i]);
    }
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
        .own = patch->own,
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
    if (rend_offload_return(rend) != 0) {
        rend_equations_free(&fresh);
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
    rend_offload_lend(rend);
    return 0;
}

/* ---- a frame ---- */

/* What shapes and lines may cost in a frame whose cost is not limited, for each pixel of the
 * picture and beyond: several times what any known preset needs. */
enum { FILL_PIXEL = 1280, FILL_BASE = 56 * 1000 * 1000 };

/* Where the frame's cost is limited, what is drawn has what the warp shader has left of it, and
 * leaves a quarter to the composite shader. Takes off what was drawn so far. */
static void share_fill(struct rend *rend)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    if (rend->config.cost > 0) {
        const bool comp = rend->patch->shader[SHADER_COMP].program != NULL;
        shaders->left -= rend->fill - (rend->fill_left > 0 ? rend->fill_left : 0);
        rend->fill = shaders->left > 0 ? shaders->left - (comp ? shaders->left / 4 : 0) : 0;
        rend->fill_left = rend->fill_left < 0 ? rend->fill_left : rend->fill;
    }
}

/* What is left of a frame's cost. */
struct purse {
    int64_t left;
    int64_t fill;
    int64_t fill_left;
};

static struct purse purse_of(const struct rend *rend)
{
    return (struct purse){rend->shaders.left, rend->fill, rend->fill_left};
}

static void set_purse(struct rend *rend, struct purse purse)
{
    rend->shaders.left = purse.left;
    rend->fill = purse.fill;
    rend->fill_left = purse.fill_left;
}

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
    /* Where what is drawn on the warped picture is noted while that is on a device; NULL: it is
     * here, or nothing is warped yet. */
    struct rend_list *list;
    struct purse before;      /* there was before that was noted */
    enum tmu_address address; /* of a warp without a shader */
    unsigned decay;
    uint32_t *pixels;
    size_t stride;
};

/* The canvas that is drawn on, or the list that stands for it. */
static struct rend_canvas current_of(const struct painting *painting)
{
    struct rend_canvas canvas = canvas_of(painting->rend, painting->current);
    canvas.list = painting->list;
    canvas.pool = painting->list != NULL ? NULL : canvas.pool;
    return canvas;
}

void rend_hear(struct rend *rend, const struct rend_input *input)
{
    rend_analysis_step(&rend->sound, rend->spectrum, rend->config.pool, input->audio,
                       input->audio_frames, input->frame, input->fps);
    rend->sound.tempo = input->tempo;
}

static void analyse(struct painting *painting)
{
    struct rend *rend = painting->rend;
    rend_hear(rend, painting->input);
    if (rend->patch != NULL && rend->patch->spectra) {
        rend_analysis_spectra(&rend->sound, rend->spectrum);
    }
}

static_assert((int)REND_DMX_CHANNELS == (int)PFPU_DMX_CHANNELS, "what equations read");

static void begin_frame(struct painting *painting)
{
    struct rend *rend = painting->rend;
    rend_equations_refill(&rend->equations, &rend->config);
    rend->equations.globals.dmx = painting->input->dmx;
    const int64_t pixels = (int64_t)rend->config.width * rend->config.height;
    rend->fill = rend->config.cost > 0 ? rend->config.cost : pixels * FILL_PIXEL + FILL_BASE;
    rend->fill_left = rend->fill;
    painting->frame = frame_of(rend, rend->patch);
    painting->frame.held = painting->input->held;
    painting->frame.held_count = painting->input->held_count;
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
    struct rend_list *list = rend_offload_change_list(rend);
    const bool drawn =
        rend_draw_motion_vectors(&canvas, &painting->frame, &rend->mesh, &rend->config, list);
    if (drawn && (list == NULL || !rend_offload_change(rend))) {
        rend_shade_forget(&rend->shaders);
    }
}

static void guard_last(void *user)
{
    const struct painting *painting = user;
    tmu_surface_guard(painting->last);
}

static void move_mesh(struct painting *painting)
{
    const struct base_beside guard = {guard_last, painting};
    rend_mesh_step(painting->rend, &painting->frame, &guard);
}

/* The equations of shapes and waves hold up nothing but their own drawing. */
static void find_figures(void *user)
{
    struct painting *painting = user;
    struct rend *rend = painting->rend;
    const struct rend_canvas canvas = canvas_of(rend, painting->current);
    rend_find_shapes(&canvas, &painting->frame, rend->patch, &rend->equations);
    rend_find_waves(rend->equations.waves, &canvas, &painting->frame, rend->patch,
                    &rend->equations);
}

/* Here, along the mesh, while another thread may find figures. */
static void warp_mesh(struct painting *painting, const struct base_beside *beside)
{
    struct rend *rend = painting->rend;
    const struct tmu_mesh mesh = {rend->mesh.vertices, rend->config.mesh_x, rend->config.mesh_y};
    tmu_warp(rend->kernels, rend->config.pool, painting->current, painting->last, &mesh,
             painting->address, painting->decay, beside);
}

static void warp(struct painting *painting)
{
    struct rend *rend = painting->rend;
    const struct rend_values *v = &painting->frame.values;
    const struct base_beside figures = {find_figures, painting};
    struct rend_list *list = rend_offload_list(rend);
    bool stays = false;
    painting->address = v->wrap > 0.5f ? TMU_WRAP : TMU_CLAMP;
    /* The low 8 bits, as for colours: presets tuned by eye write values far above 1. */
    painting->decay = rend_low_bits(v->decay);
    if (rend->patch->shader[SHADER_WARP].program != NULL) {
        stays = rend_shade_warp(rend, painting->last, painting->current, list != NULL);
    } else if (list != NULL) {
        stays = rend_offload_warp(rend, painting->last, painting->address, painting->decay);
    }
    painting->list = stays ? list : NULL;
    painting->before = purse_of(rend);
    if (stays || rend->patch->shader[SHADER_WARP].program != NULL) {
        find_figures(painting);
    } else {
        warp_mesh(painting, &figures);
    }
}

/* Where a device did not do what it was to do, the processor does it in the same frame. */
static void warp_again(void *user)
{
    struct painting *painting = user;
    if (painting->list == NULL) {
        return;
    }
    painting->list = NULL;
    if (painting->rend->patch->shader[SHADER_WARP].program != NULL) {
        rend_shade_again(painting->rend, painting->last, painting->current);
    } else {
        warp_mesh(painting, NULL);
    }
}

static void blur(struct painting *painting)
{
    const struct base_beside before = {warp_again, painting};
    rend_shade_blur(painting->rend, &painting->frame, painting->last, &before);
}

static void draw_shapes(struct painting *painting)
{
    struct rend *rend = painting->rend;
    const struct rend_canvas canvas = current_of(painting);
    share_fill(rend);
    rend_draw_shapes(&canvas, &painting->frame, &rend->equations, painting->last);
}

/* Row bands for each thread: a line that crosses several is begun in each. */
enum { ROW_BANDS_EACH = 3 };

struct lines {
    struct rend_canvas canvas;
    const struct rend_frame *frame;
    struct rend_strips strips;
    size_t row_bands;
};

static void draw_lines_band(void *user, size_t index)
{
    const struct lines *lines = user;
    const struct rend_canvas band = rend_row_band(&lines->canvas, index, lines->row_bands);
    rend_draw_strips(&band, &lines->strips);
    rend_draw_darken_center(&band, lines->frame);
    rend_draw_borders(&band, lines->frame);
}

static void draw_lines(struct painting *painting)
{
    struct rend *rend = painting->rend;
    struct lines lines = {
        .canvas = current_of(painting),
        .frame = &painting->frame,
    };
    lines.strips = rend_pay_waves(&lines.canvas, rend->equations.waves);
    const int64_t cost = lines.strips.cost + rend_borders_cost(&lines.canvas, lines.frame);
    lines.row_bands = rend_row_bands_for(&lines.canvas, cost, ROW_BANDS_EACH);
    base_pool_run(rend->config.pool, draw_lines_band, &lines, lines.row_bands);
}

/* What was noted is drawn here, and costs as much as it did. */
static void draw_again(struct painting *painting)
{
    const struct purse after = purse_of(painting->rend);
    warp_again(painting);
    set_purse(painting->rend, painting->before);
    draw_shapes(painting);
    draw_lines(painting);
    set_purse(painting->rend, after);
}

static void draw_images(struct painting *painting)
{
    struct rend *rend = painting->rend;
    if (painting->list != NULL) {
        if (!rend_offload_overlay(rend, rend->fill - rend->fill_left)) {
            draw_again(painting);
        }
        return;
    }
    const struct rend_canvas canvas = canvas_of(rend, painting->current);
    rend_draw_images(&canvas, &rend->patch->images, rend->equations.frame.values);
}

/* The canvas is here afterwards, and what stands behind its columns and rows. */
static void fetch_canvas(void *user)
{
    struct painting *painting = user;
    if (painting->list != NULL) {
        if (rend_offload_fetch(painting->rend, painting->current)) {
            painting->list = NULL;
            return;
        }
        draw_again(painting);
    }
    tmu_surface_guard(painting->current);
}

/* Whether the picture stays on the device. */
static bool composite_fixed(struct painting *painting)
{
    struct rend *rend = painting->rend;
    const bool may_stay = painting->input->may_stay;
    struct rend_composite composite;
    bool begun = false;
    rend_find_composite(&composite, rend, painting->current, &painting->frame);
    if (painting->list != NULL) {
        begun = rend_offload_composite(rend, &composite, may_stay && !painting->input->wanted);
        fetch_canvas(painting);
    }
    if (begun && may_stay && !rend->shaders.device_failed) {
        return true;
    }
    if (!begun || !rend_offload_shown(rend, painting->pixels, painting->stride)) {
        rend_draw_composite(rend, &composite, painting->pixels, painting->stride);
    }
    return false;
}

static void composite(struct painting *painting)
{
    struct rend *rend = painting->rend;
    const struct base_beside fetch = {fetch_canvas, painting};
    share_fill(rend);
    if (rend->patch->shader[SHADER_COMP].program == NULL) {
        rend->shaders.shown_stays = composite_fixed(painting);
        return;
    }
    if (painting->list == NULL) {
        tmu_surface_guard(painting->current);
    }
    rend->shaders.shown_stays = rend_shade_comp(
        rend, &(struct rend_shade_comp){.time = painting->frame.clock.time,
                                        .current = painting->current,
                                        .pixels = painting->pixels,
                                        .stride = painting->stride,
                                        .may_stay = painting->input->may_stay,
                                        .wanted = painting->input->wanted,
                                        .beside = painting->list != NULL ? &fetch : NULL});
}

bool rend_stays(const struct rend *rend)
{
    return rend->shaders.shown_stays;
}

static void observe(const struct rend *rend, enum rend_stage stage, bool begins)
{
    const struct rend_observer *observer = rend->config.observer;
    if (observer != NULL && stage != REND_STAGE_NONE) {
        observer->stage(observer->user, stage, begins);
    }
}

static void composite_again(struct rend *rend, uint32_t *pixels, size_t stride)
{
    struct tmu_surface *picture = &rend->canvas.surface[1 - rend->canvas.current];
    if (rend->patch->shader[SHADER_COMP].program != NULL) {
        rend_shade_comp_again(rend, &(struct rend_shade_comp){.time = rend->clock.time,
                                                              .current = picture,
                                                              .pixels = pixels,
                                                              .stride = stride});
        return;
    }
    const struct rend_frame frame = {.clock = rend->clock, .values = rend->values};
    struct rend_composite composite;
    rend_find_composite(&composite, rend, picture, &frame);
    rend_draw_composite(rend, &composite, pixels, stride);
}

void rend_fetch(struct rend *rend, uint32_t *pixels, size_t stride)
{
    observe(rend, REND_STAGE_COMPOSITE, true);
    if (!rend_offload_shown(rend, pixels, stride)) {
        composite_again(rend, pixels, stride);
    }
    observe(rend, REND_STAGE_COMPOSITE, false);
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

struct copying {
    uint32_t *to;
    const uint32_t *from;
    size_t texels;
};
enum { COPY_PARTS = 128 };

static void copy_part(void *user, size_t part)
{
    const struct copying *copying = user;
    const size_t first = copying->texels * part / COPY_PARTS;
    const size_t stop = copying->texels * (part + 1) / COPY_PARTS;
    memcpy(copying->to + first, copying->from + first, (stop - first) * sizeof *copying->to);
}

void rend_copy_texels(struct base_pool *pool, uint32_t *to, const uint32_t *from, size_t texels)
{
    struct copying copying = {to, from, texels};
    base_pool_run(pool, copy_part, &copying, COPY_PARTS);
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
    rend->shaders.shown_stays = false;
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
    const unsigned events = (rend->equations.globals.exhausted ? REND_EVENT_BUDGET : 0u) |
                            (rend->equations.globals.pool_exhausted ? REND_EVENT_MEMORY : 0u) |
                            (rend->fill_left < 0 ? REND_EVENT_FILL : 0u) |
                            (rend->shaders.exhausted ? REND_EVENT_SHADER : 0u) |
                            (rend->shaders.unpaid[SHADER_WARP] ? REND_EVENT_WARP_COST : 0u) |
                            (rend->shaders.unpaid[SHADER_COMP] ? REND_EVENT_COMP_COST : 0u);
    const int64_t cost = rend_frame_cost(&rend->config);
    const bool cut = rend->shaders.left <= 0 || (events & REND_EVENTS_COSTLY) != 0;
    rend->spent = cut ? cost : cost - rend->shaders.left;
    return events;
}
