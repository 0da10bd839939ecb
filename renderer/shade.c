#include "renderer/shade.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/picture/rows.h"
#include "renderer/shader/run/kernels.h"
#include "renderer/shader/math/math.h"
#include "renderer/stages.h"

enum { ALIGNMENT = 64 };

static size_t rounded(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Columns of a picture in whole tiles. */
static size_t padded(int width)
{
    return ((size_t)width + SHADER_TILE_COLUMNS - 1) / SHADER_TILE_COLUMNS * SHADER_TILE_COLUMNS;
}

/* ---- memory ---- */

static bool load_stage(struct rend_section_shaders *shaders, const struct rend *rend,
                       const struct rend_patch *patch, enum shader_stage stage)
{
    const struct shader_program *program = patch->shader[stage].program;
    struct shader_frame *frame = &shaders->frame[stage];
    shaders->divisor[stage] = rend->shaders.divisor[stage] > 1 ? rend->shaders.divisor[stage] : 1;
    if (program == NULL) {
        return true;
    }
    frame->program = program;
    frame->cpu = rend->config.cpu;
    frame->constants = aligned_alloc(ALIGNMENT, rounded(shader_constants_size(program) + 1));
    const size_t scratch = rounded(shader_scratch_size(program) + 1);
    shaders->scratch_size = scratch > shaders->scratch_size ? scratch : shaders->scratch_size;
    return frame->constants != NULL;
}

/* Columns behind the last one are like it. */
static void place_columns(struct rend_section_shaders *shaders, const struct rend_config *config,
                          int width)
{
    for (int i = 0; i < (int)padded(width); i++) {
        const int x = i < width ? i : width - 1;
        const int at = (2 * x + 1) * config->mesh_x;
        shaders->cell[i] = at / (2 * width);
        shaders->within[i] = (float)(at % (2 * width)) / (float)(2 * width);
        shaders->column[i] = ((float)x + 0.5f) / (float)width;
    }
}

static bool allocate(struct rend_section_shaders *shaders, const struct rend_config *config)
{
    const size_t columns = padded(config->width);
    shaders->scratch = aligned_alloc(ALIGNMENT, shaders->scratch_size * REND_SHADE_ROW_BANDS);
    shaders->cell = calloc(columns, sizeof *shaders->cell);
    shaders->within = calloc(columns, sizeof *shaders->within);
    shaders->column = calloc(columns, sizeof *shaders->column);
    shaders->small = tmu_surface_create((config->width + 1) / 2, (config->height + 1) / 2);
    return shaders->scratch != NULL && shaders->cell != NULL && shaders->within != NULL &&
           shaders->column != NULL && shaders->small.pixels != NULL;
}

int rend_shade_load(struct rend_section_shaders *shaders, const struct rend *rend,
                    const struct rend_patch *patch)
{
    *shaders = (struct rend_section_shaders){0};
    bool good = true;
    for (int i = 0; i < SHADER_STAGES; i++) {
        good = good && load_stage(shaders, rend, patch, (enum shader_stage)i);
    }
    if (good && shaders->scratch_size == 0) {
        return 0;
    }
    good = good && allocate(shaders, &rend->config);
    if (good && patch->blur_levels > 0) {
        good = rend_blur_create(&shaders->blur, rend->config.width, rend->config.height) == 0;
        shaders->blurs = good;
    }
    if (!good) {
        rend_shade_free(shaders);
        return -1;
    }
    shaders->chances = rend_preset_chances(rend->config.seed + (uint64_t)rend->clock.frame);
    return 0;
}

void rend_shade_free(struct rend_section_shaders *shaders)
{
    for (int i = 0; i < SHADER_STAGES; i++) {
        free(shaders->frame[i].constants);
    }
    if (shaders->blurs) {
        rend_blur_free(&shaders->blur);
    }
    tmu_surface_free(&shaders->small);
    free(shaders->scratch);
    free(shaders->cell);
    free(shaders->within);
    free(shaders->column);
    *shaders = (struct rend_section_shaders){0};
}

void rend_set_divisors(struct rend *rend, const int divisors[REND_SHADER_STAGES])
{
    for (int i = 0; i < SHADER_STAGES; i++) {
        assert(divisors[i] >= 1 && divisors[i] <= REND_DIVISOR_MAX);
        rend->shaders.divisor[i] = divisors[i];
    }
}

bool rend_has_shaders(const struct rend *rend)
{
    return rend->shaders.scratch != NULL;
}

/* ---- uniforms ---- */

static struct rend_blur_settings blur_settings(const struct rend_values *v)
{
    return (struct rend_blur_settings){
        .min = {v->blur1_min, v->blur2_min, v->blur3_min},
        .max = {v->blur1_max, v->blur2_max, v->blur3_max},
        .edge_darken = v->blur1_edge_darken,
    };
}

void rend_shade_begin(struct rend *rend, const struct rend_frame *frame)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    shaders->exhausted = false;
    if (shaders->scratch == NULL) {
        return;
    }
    float uniforms[SHADER_SLOTS];
    const struct rend_blur_settings blur = blur_settings(&frame->values);
    struct rend_uniform_source source = {
        .time = frame->clock.time - rend->equations.start_time,
        .player_time = frame->clock.time,
        .fps = frame->clock.fps,
        .frame = frame->clock.frame,
        .progress = frame->clock.progress,
        .width = rend->config.width,
        .height = rend->config.height,
        .frame_chances = rend_frame_chances(rend->config.seed, (uint64_t)frame->clock.frame),
        .preset_chances = &shaders->chances,
    };
    memcpy(source.level, frame->sound.level, sizeof source.level);
    memcpy(source.level_att, frame->sound.level_att, sizeof source.level_att);
    memcpy(source.q, frame->q, sizeof source.q);
    rend_blur_ranges(&blur, source.blur_min, source.blur_max);
    rend_uniforms_fill(uniforms, &source);
    for (int i = 0; i < SHADER_STAGES; i++) {
        memcpy(shaders->frame[i].uniforms, uniforms, sizeof uniforms);
    }
}

/* ---- drawing ---- */

/* What all jobs of a stage read. */
struct shading {
    const struct rend *rend;
    const struct shader_frame *frame;
    enum shader_stage stage;
    int width; /* of the picture that is computed */
    int height;
    float aspect_x;
    float aspect_y;
    double corner[REND_CORNERS][REND_CHANNELS];
    uint32_t *pixels;
    size_t stride;
    const struct rend_shade_kernels *kernels;
    bool *ended_early; /* of each job */
};

/* The mesh along two rows of pixels, from edge to edge of each cell. */
struct mesh_rows {
    float u[SHADER_TILE_ROWS][REND_MESH_MAX_X + 1];
    float v[SHADER_TILE_ROWS][REND_MESH_MAX_X + 1];
};

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

static void cut_mesh(const struct shading *shading, int y, struct mesh_rows *rows)
{
    const struct rend_config *config = &shading->rend->config;
    const size_t columns = (size_t)config->mesh_x + 1;
    for (int r = 0; r < SHADER_TILE_ROWS; r++) {
        const int row = at_most(y + r, shading->height - 1);
        const int up = (2 * (shading->height - row) - 1) * config->mesh_y;
        const float t = (float)(up % (2 * shading->height)) / (float)(2 * shading->height);
        const struct tmu_vertex *low =
            shading->rend->mesh.vertices + (size_t)(up / (2 * shading->height)) * columns;
        for (size_t i = 0; i < columns; i++) {
            const struct tmu_vertex high = low[columns + i];
            rows->u[r][i] = low[i].u + (high.u - low[i].u) * t;
            rows->v[r][i] = low[i].v + (high.v - low[i].v) * t;
        }
    }
}

static void fill_warp_uv(const struct shading *shading, const struct mesh_rows *rows, int x,
                         const struct shader_tile *tile)
{
    const struct rend_section_shaders *shaders = &shading->rend->shaders;
    float *u = tile->input[SHADER_INPUT_U];
    float *v = tile->input[SHADER_INPUT_V];
    for (int r = 0; r < SHADER_TILE_ROWS; r++) {
        const size_t lane = (size_t)r * SHADER_TILE_COLUMNS;
        if (u != NULL) {
            shading->kernels->lerp(u + lane, rows->u[r], shaders->cell + x, shaders->within + x,
                                   SHADER_TILE_COLUMNS);
        }
        if (v != NULL) {
            shading->kernels->lerp(v + lane, rows->v[r], shaders->cell + x, shaders->within + x,
                                   SHADER_TILE_COLUMNS);
        }
    }
}

/* Places of the pixels at rest; NULL: not wanted. */
static void fill_places(const struct shading *shading, int x, int y, float *u, float *v)
{
    const float *column = shading->rend->shaders.column + x;
    for (int r = 0; r < SHADER_TILE_ROWS; r++) {
        const size_t lane = (size_t)r * SHADER_TILE_COLUMNS;
        const int row = at_most(y + r, shading->height - 1);
        const float down = ((float)row + 0.5f) / (float)shading->height;
        if (u != NULL) {
            memcpy(u + lane, column, SHADER_TILE_COLUMNS * sizeof *u);
        }
        for (int k = 0; k < SHADER_TILE_COLUMNS && v != NULL; k++) {
            v[lane + (size_t)k] = down;
        }
    }
}

/* Positions from the centre in half heights or widths, aspect corrected, down positive in comp and
 * up positive in warp. */
struct polar {
    _Alignas(32) float x[SHADER_TILE];
    _Alignas(32) float y[SHADER_TILE];
};

/* An operation of the executor over a tile. */
static void compute(const struct shading *shading, enum shader_code_op op, float *result,
                    const float *a, const float *b)
{
    const struct shader_lanes arguments[2] = {{a, SHADER_LANES}, {b, SHADER_LANES}};
    shader_kernels_for(shading->frame->cpu)->compute[op](result, arguments, SHADER_TILE);
}

static void fill_polar(const struct shading *shading, int x0, int y0,
                       const struct shader_tile *tile)
{
    float *rad = tile->input[SHADER_INPUT_RAD];
    float *ang = tile->input[SHADER_INPUT_ANG];
    if (rad == NULL && ang == NULL) {
        return;
    }
    struct polar place;
    const float down = shading->stage == SHADER_COMP ? 1 : -1;
    fill_places(shading, x0, y0, place.x, place.y);
    for (int i = 0; i < SHADER_TILE; i++) {
        place.x[i] = (place.x[i] * 2 - 1) * shading->aspect_x;
        place.y[i] = (place.y[i] * 2 - 1) * shading->aspect_y * down;
    }
    if (rad != NULL) {
        const float ax = shading->aspect_x;
        const float ay = shading->aspect_y;
        const float corner = shader_sqrt(ax * ax + ay * ay);
        const float scale = shading->stage == SHADER_COMP ? 1 / corner : 1;
        for (int i = 0; i < SHADER_TILE; i++) {
            rad[i] = place.x[i] * place.x[i] + place.y[i] * place.y[i];
        }
        compute(shading, SHADER_CODE_SQRT, rad, rad, rad);
        for (int i = 0; i < SHADER_TILE; i++) {
            rad[i] *= scale;
        }
    }
    if (ang != NULL) {
        const float turn = 6.2831853f;
        compute(shading, SHADER_CODE_ATAN2, ang, place.y, place.x);
        if (shading->stage == SHADER_COMP) {
            for (int i = 0; i < SHADER_TILE; i++) {
                ang[i] += ang[i] < 0 ? turn : 0;
            }
        }
    }
}

/* The shades of the corners, linear between them. */
static void fill_hue(const struct shading *shading, int x0, int y0, const struct shader_tile *tile)
{
    const double(*c)[REND_CHANNELS] = shading->corner;
    for (int i = 0; i < 3; i++) {
        float *hue = tile->input[SHADER_INPUT_HUE_R + i];
        const int channel = 2 - i;
        for (int lane = 0; lane < SHADER_TILE && hue != NULL; lane++) {
            const int x = at_most(x0 + lane % SHADER_TILE_COLUMNS, shading->width - 1);
            const int y = at_most(y0 + lane / SHADER_TILE_COLUMNS, shading->height - 1);
            const double right = (x + 0.5) / shading->width;
            const double down = (y + 0.5) / shading->height;
            const double top = c[2][channel] + (c[3][channel] - c[2][channel]) * right;
            const double bottom = c[0][channel] + (c[1][channel] - c[0][channel]) * right;
            hue[lane] = (float)(top + (bottom - top) * down);
        }
    }
}

static void shade_row_band(void *user, size_t band)
{
    const struct shading *shading = user;
    const struct rend_section_shaders *shaders = &shading->rend->shaders;
    uint8_t *scratch = shaders->scratch + band * shaders->scratch_size;
    const int rows = (shading->height + SHADER_TILE_ROWS - 1) / SHADER_TILE_ROWS;
    const int first = (int)((size_t)rows * band / REND_SHADE_ROW_BANDS);
    const int stop = (int)((size_t)rows * (band + 1) / REND_SHADE_ROW_BANDS);
    struct shader_tile tile = shader_tile(shading->frame->program, scratch);
    struct mesh_rows mesh;
    for (int y = first * SHADER_TILE_ROWS; y < stop * SHADER_TILE_ROWS; y += SHADER_TILE_ROWS) {
        if (shading->stage == SHADER_WARP) {
            cut_mesh(shading, y, &mesh);
        }
        for (int x = 0; x < shading->width; x += SHADER_TILE_COLUMNS) {
            if (shading->stage == SHADER_WARP) {
                fill_warp_uv(shading, &mesh, x, &tile);
                fill_places(shading, x, y, tile.input[SHADER_INPUT_U_ORIG],
                            tile.input[SHADER_INPUT_V_ORIG]);
            } else {
                fill_places(shading, x, y, tile.input[SHADER_INPUT_U], tile.input[SHADER_INPUT_V]);
                fill_hue(shading, x, y, &tile);
            }
            fill_polar(shading, x, y, &tile);
            if (!shader_run(shading->frame, scratch, &tile)) {
                shading->ended_early[band] = true;
            }
            const int columns = at_most(SHADER_TILE_COLUMNS, shading->width - x);
            for (int r = 0; r < SHADER_TILE_ROWS && y + r < shading->height; r++) {
                const size_t lane = (size_t)r * SHADER_TILE_COLUMNS;
                const float *const ret[3] = {tile.ret[0] + lane, tile.ret[1] + lane,
                                             tile.ret[2] + lane};
                shading->kernels->pack(shading->pixels + (size_t)(y + r) * shading->stride +
                                           (size_t)x,
                                       ret, (size_t)columns);
            }
        }
    }
}

struct enlarging {
    const struct tmu_kernels *kernels;
    struct tmu_run run;
    uint32_t *pixels;
    size_t stride;
};

static void enlarge_row_band(void *user, size_t band)
{
    const struct enlarging *enlarging = user;
    const struct tmu_run *run = &enlarging->run;
    uint32_t row[REND_SIZE_MAX + 8];
    const int stop = (int)((size_t)run->height * (band + 1) / REND_SHADE_ROW_BANDS);
    for (int y = (int)((size_t)run->height * band / REND_SHADE_ROW_BANDS); y < stop; y++) {
        tmu_rows(enlarging->kernels, run, y, 1, row, 0);
        memcpy(enlarging->pixels + (size_t)y * enlarging->stride, row,
               (size_t)run->width * sizeof *row);
    }
}

/* A picture of the whole size from one of the stage's own. */
static void enlarge(struct rend *rend, struct tmu_surface *small, uint32_t *pixels, size_t stride)
{
    const struct tmu_vertex corners[4] = {{0, 1}, {1, 1}, {0, 0}, {1, 0}};
    const struct tmu_mesh mesh = {corners, 1, 1};
    struct enlarging enlarging = {
        .kernels = rend->kernels,
        .run = {.texture = small,
                .mesh = &mesh,
                .address = TMU_CLAMP,
                .decay = 255,
                .width = rend->config.width,
                .height = rend->config.height},
        .pixels = pixels,
        .stride = stride,
    };
    tmu_surface_guard(small);
    base_pool_run(rend->config.pool, enlarge_row_band, &enlarging, REND_SHADE_ROW_BANDS);
}

static void shade(struct rend *rend, enum shader_stage stage, const struct tmu_surface *main,
                  uint32_t *pixels, size_t stride, struct shading *shading)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    struct shader_frame *frame = &shaders->frame[stage];
    struct shader_texture blur[3] = {0};
    for (int i = 0; i < rend->patch->blur_levels; i++) {
        blur[i] = shader_texture_of(rend_blur_level(&shaders->blur, i + 1));
    }
    const struct shader_texture main_texture = shader_texture_of(main);
    bool ended_early[REND_SHADE_ROW_BANDS] = {false};
    const int divisor = shaders->divisor[stage];
    struct tmu_surface small = shaders->small;
    small.width = (rend->config.width + divisor - 1) / divisor;
    small.height = (rend->config.height + divisor - 1) / divisor;
    shading->rend = rend;
    shading->frame = frame;
    shading->stage = stage;
    shading->width = small.width;
    shading->height = small.height;
    shading->aspect_x = (float)rend_aspect_x(&rend->config);
    shading->aspect_y = (float)rend_aspect_y(&rend->config);
    shading->pixels = divisor > 1 ? small.pixels : pixels;
    shading->stride = divisor > 1 ? small.stride : stride;
    shading->kernels = rend_shade_kernels_for(rend->config.cpu);
    shading->ended_early = ended_early;
    const struct rend_shader *shader = &rend->patch->shader[stage];
    for (size_t i = 0; i < shader->textures; i++) {
        const enum rend_texture texture = shader->texture[i];
        frame->textures[i] = texture == REND_TEXTURE_FIXED  ? shader->fixed[i]
                             : texture == REND_TEXTURE_MAIN ? &main_texture
                                                            : &blur[texture - REND_TEXTURE_BLUR1];
    }
    shader_prepare(frame);
    place_columns(shaders, &rend->config, shading->width);
    base_pool_run(rend->config.pool, shade_row_band, shading, REND_SHADE_ROW_BANDS);
    for (int i = 0; i < REND_SHADE_ROW_BANDS; i++) {
        shaders->exhausted = shaders->exhausted || ended_early[i];
    }
    if (divisor > 1) {
        enlarge(rend, &small, pixels, stride);
    }
}

void rend_shade_warp(struct rend *rend, const struct tmu_surface *last,
                     const struct tmu_surface *current)
{
    struct shading shading = {0};
    shade(rend, SHADER_WARP, last, current->pixels, current->stride, &shading);
}

void rend_shade_blur(struct rend *rend, const struct rend_frame *frame,
                     const struct tmu_surface *last)
{
    if (rend->shaders.blurs) {
        const struct rend_blur_settings settings = blur_settings(&frame->values);
        rend_blur_step(&rend->shaders.blur, last, rend->patch->blur_levels, &settings,
                       rend->config.cpu, rend->config.pool);
    }
}

void rend_shade_comp(struct rend *rend, const struct rend_frame *frame,
                     const struct tmu_surface *current, uint32_t *pixels, size_t stride)
{
    struct shading shading = {0};
    rend_shade_corners(shading.corner, 1, frame->clock.time, rend->chance.shade_phase);
    shade(rend, SHADER_COMP, current, pixels, stride, &shading);
}
