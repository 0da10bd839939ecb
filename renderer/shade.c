/* Stages that a preset gives as pixel shaders: the numbers that they read, their memory, and
 * drawing with them, tile by tile. */
#include "renderer/shade.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/fmath.h"
#include "base/random.h"
#include "renderer/offload.h"
#include "renderer/picture/rows.h"
#include "renderer/shader/math/math.h"
#include "renderer/shader/run/kernels.h"
#include "renderer/stages.h"

/* ---- numbers that are the same for all pixels ---- */

enum { ROWS = 4, COLUMNS = 3, TIME_MODULO = 10000 };
enum { PRESET_STREAM = 11, ROTATION_STREAM = 12, FRAME_STREAM = 13 };

/* Numbers that are filled or copied together stand together in uniforms.def. */
#define SIDE_BY_SIDE(first, last, distance)                                                        \
    _Static_assert(SHADER_SLOT_##last == SHADER_SLOT_##first + (distance), "order of "             \
                                                                           "uniforms.def")
SIDE_BY_SIDE(time, progress, 3);
SIDE_BY_SIDE(bass, vol, 3);
SIDE_BY_SIDE(bass_att, vol_att, 3);
SIDE_BY_SIDE(roam_cos, slow_roam_sin, 12);
SIDE_BY_SIDE(mip_xy, mip_avg, 2);
SIDE_BY_SIDE(blur1_min, blur3_max, 5);
SIDE_BY_SIDE(_c5, _c6, 4);
SIDE_BY_SIDE(_c8, _c11, 12);
SIDE_BY_SIDE(q1, q32, 31);
SIDE_BY_SIDE(_qa, _qh, 28);
SIDE_BY_SIDE(rot_s1, rot_uf4, (REND_ROTATIONS - 1) * ROWS * COLUMNS);
SIDE_BY_SIDE(rot_rand1, rot_rand4, (REND_RANDOM_ROTATIONS - 1) * ROWS * COLUMNS);

/* 0..1, both included, in steps as MilkDrop's random function gives them. */
static double chance(struct base_rng *rng)
{
    return (base_rng_next(rng) % 7381) / 7380.0;
}

static void chances(struct base_rng *rng, float values[4])
{
    for (int i = 0; i < 4; i++) {
        values[i] = (float)chance(rng);
    }
}

/* Three numbers between low and high. */
static void triple(struct base_rng *rng, double low, double high, double values[3])
{
    for (int i = 0; i < 3; i++) {
        values[i] = low + (high - low) * chance(rng);
    }
}

struct rend_preset_chances rend_preset_chances(uint64_t seed)
{
    struct rend_preset_chances chosen;
    struct base_rng rng;
    base_rng_seed(&rng, seed, PRESET_STREAM);
    chances(&rng, chosen.rand);
    base_rng_seed(&rng, seed, ROTATION_STREAM);
    for (int n = 0; n < REND_ROTATIONS; n++) {
        const double fastest = 0.9 * base_pow(n / 8.0, 3.2);
        triple(&rng, -1, 1, chosen.translation[n]);
        triple(&rng, 0, 6.28, chosen.angle[n]);
        triple(&rng, -fastest, fastest, chosen.speed[n]);
    }
    return chosen;
}

/* Neighbouring frames must have nothing in common, so their number is hashed. */
struct rend_frame_chances rend_frame_chances(uint64_t seed, uint64_t frame)
{
    uint8_t bytes[2 * sizeof seed];
    for (size_t i = 0; i < sizeof seed; i++) {
        bytes[i] = (uint8_t)(seed >> (8 * i));
        bytes[sizeof seed + i] = (uint8_t)(frame >> (8 * i));
    }
    struct rend_frame_chances chosen;
    struct base_rng rng;
    base_rng_seed(&rng, base_hash(BASE_HASH_START, bytes, sizeof bytes), FRAME_STREAM);
    chances(&rng, chosen.rand);
    for (int n = 0; n < REND_RANDOM_ROTATIONS; n++) {
        triple(&rng, 0, 1, chosen.translation[n]);
        triple(&rng, 0, 6.28, chosen.angle[n]);
    }
    return chosen;
}

/* Row vector v becomes v turned by the angle, `from` towards `to`. */
static void turn(double v[COLUMNS], double angle, int from, int to)
{
    const double c = base_cos(angle);
    const double s = base_sin(angle);
    const double a = v[from];
    const double b = v[to];
    v[from] = a * c - b * s;
    v[to] = a * s + b * c;
}

/* Rx * Trans * Rz * Ry, without its last column, which is 0 0 0 1. */
static void fill_rotation(float *out, const double translation[3], const double angle[3])
{
    double rows[ROWS][COLUMNS] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    for (int r = 0; r < COLUMNS; r++) {
        turn(rows[r], angle[0], 1, 2);
    }
    memcpy(rows[COLUMNS], translation, sizeof rows[COLUMNS]);
    for (int r = 0; r < ROWS; r++) {
        turn(rows[r], angle[2], 0, 1);
        turn(rows[r], angle[1], 2, 0);
        for (int c = 0; c < COLUMNS; c++) {
            out[r * COLUMNS + c] = (float)rows[r][c];
        }
    }
}

static void fill_rotations(float *out, const struct rend_uniform_source *source)
{
    const struct rend_preset_chances *preset = source->preset_chances;
    const struct rend_frame_chances *frame = &source->frame_chances;
    for (int n = 0; n < REND_ROTATIONS; n++) {
        double angle[3];
        for (int i = 0; i < 3; i++) {
            angle[i] = preset->angle[n][i] + preset->speed[n][i] * source->player_time;
        }
        fill_rotation(out + SHADER_SLOT_rot_s1 + n * ROWS * COLUMNS, preset->translation[n], angle);
    }
    for (int n = 0; n < REND_RANDOM_ROTATIONS; n++) {
        fill_rotation(out + SHADER_SLOT_rot_rand1 + n * ROWS * COLUMNS, frame->translation[n],
                      frame->angle[n]);
    }
}

struct roam {
    double speed[4];
    double phase[4];
};

static const struct roam fast = {{0.329, 1.293, 5.070, 20.051}, {1.2, 3.9, 2.5, 5.4}};
static const struct roam slow = {{0.0050, 0.0085, 0.0133, 0.0217}, {2.7, 5.3, 4.5, 3.8}};

static void fill_roam(const struct roam *roam, double time, float *cosines, float *sines)
{
    for (int i = 0; i < 4; i++) {
        const double angle = time * roam->speed[i] + roam->phase[i];
        cosines[i] = (float)(0.5 + 0.5 * base_cos(angle));
        sines[i] = (float)(0.5 + 0.5 * base_sin(angle));
    }
}

/* The three levels stand side by side, then their mean. */
static void fill_levels(float *out, const double level[REND_BANDS])
{
    double sum = 0;
    for (int i = 0; i < REND_BANDS; i++) {
        out[i] = (float)level[i];
        sum += level[i];
    }
    out[REND_BANDS] = (float)(sum / REND_BANDS);
}

/* x, y, 1/x, 1/y */
static void fill_sizes(float *out, double x, double y)
{
    out[0] = (float)x;
    out[1] = (float)y;
    out[2] = (float)(1 / x);
    out[3] = (float)(1 / y);
}

static void copy(float *out, int to, int from, size_t count)
{
    memcpy(out + to, out + from, count * sizeof *out);
}

void rend_uniforms_fill(float out[SHADER_SLOTS], const struct rend_uniform_source *source)
{
    out[SHADER_SLOT_time] = (float)fmod(source->time, TIME_MODULO);
    out[SHADER_SLOT_fps] = (float)source->fps;
    out[SHADER_SLOT_frame] = (float)source->frame;
    out[SHADER_SLOT_progress] = (float)source->progress;
    fill_levels(out + SHADER_SLOT_bass, source->level);
    fill_levels(out + SHADER_SLOT_bass_att, source->level_att);
    const double width = source->width;
    const double height = source->height;
    const float mip = (float)(base_log(width) / base_log(2));
    fill_sizes(out + SHADER_SLOT_texsize, width, height);
    fill_sizes(out + SHADER_SLOT_aspect, fmin(1, width / height), fmin(1, height / width));
    out[SHADER_SLOT_mip_x] = mip;
    out[SHADER_SLOT_mip_y] = mip;
    out[SHADER_SLOT_mip_xy] = mip;
    out[SHADER_SLOT_mip_xy + 1] = mip;
    out[SHADER_SLOT_mip_avg] = mip;
    memcpy(out + SHADER_SLOT_rand_frame, source->frame_chances.rand, 4 * sizeof *out);
    memcpy(out + SHADER_SLOT_rand_preset, source->preset_chances->rand, 4 * sizeof *out);
    fill_roam(&fast, source->player_time, out + SHADER_SLOT_roam_cos, out + SHADER_SLOT_roam_sin);
    fill_roam(&slow, source->player_time, out + SHADER_SLOT_slow_roam_cos,
              out + SHADER_SLOT_slow_roam_sin);
    /* Minimum and maximum of each level stand side by side. */
    for (int level = 0; level < REND_BLUR_LEVELS; level++) {
        out[SHADER_SLOT_blur1_min + 2 * level] = source->blur_min[level];
        out[SHADER_SLOT_blur1_min + 2 * level + 1] = source->blur_max[level];
    }
    for (int i = 0; i < REND_QS; i++) {
        out[SHADER_SLOT_q1 + i] = (float)source->q[i];
        out[SHADER_SLOT__qa + i] = (float)source->q[i];
    }
    fill_rotations(out, source);
    /* The same numbers under the names that MilkDrop gives its registers. */
    copy(out, SHADER_SLOT__c0, SHADER_SLOT_aspect, 4);
    memset(out + SHADER_SLOT__c1, 0, 4 * sizeof *out);
    copy(out, SHADER_SLOT__c2, SHADER_SLOT_time, 4);
    copy(out, SHADER_SLOT__c3, SHADER_SLOT_bass, 4);
    copy(out, SHADER_SLOT__c4, SHADER_SLOT_bass_att, 4);
    const float *min_max = out + SHADER_SLOT_blur1_min;
    for (int level = 0; level < REND_BLUR_LEVELS; level++) {
        /* range and minimum: of levels 1 and 2 in _c5, of level 3 in _c6 */
        out[SHADER_SLOT__c5 + 2 * level] = min_max[2 * level + 1] - min_max[2 * level];
        out[SHADER_SLOT__c5 + 2 * level + 1] = min_max[2 * level];
    }
    copy(out, SHADER_SLOT__c6 + 2, SHADER_SLOT_blur1_min, 2);
    copy(out, SHADER_SLOT__c13, SHADER_SLOT_blur2_min, 4);
    copy(out, SHADER_SLOT__c7, SHADER_SLOT_texsize, 4);
    copy(out, SHADER_SLOT__c8, SHADER_SLOT_roam_cos, 16);
    copy(out, SHADER_SLOT__c12, SHADER_SLOT_mip_xy, 3);
    out[SHADER_SLOT__c12 + 3] = 0;
}

/* ---- memory ---- */

enum { ALIGNMENT = 64 };

static size_t rounded(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

int rend_shade_load(struct rend_section_shaders *shaders, const struct rend *rend,
                    const struct rend_patch *patch)
{
    *shaders = (struct rend_section_shaders){0};
    bool good = true;
    for (int i = 0; i < SHADER_STAGES && good; i++) {
        const struct shader_program *program = patch->shader[i].program;
        struct shader_frame *frame = &shaders->frame[i];
        shaders->divisor[i] = rend->shaders.divisor[i] > 1 ? rend->shaders.divisor[i] : 1;
        if (program == NULL) {
            continue;
        }
        frame->program = program;
        frame->cpu = rend->config.cpu;
        frame->constants = aligned_alloc(ALIGNMENT, rounded(shader_constants_size(program) + 1));
        const size_t scratch = rounded(shader_scratch_size(program) + 1);
        shaders->scratch_size = scratch > shaders->scratch_size ? scratch : shaders->scratch_size;
        good = frame->constants != NULL;
    }
    const struct rend_config *config = &rend->config;
    const bool shaded = shaders->scratch_size > 0;
    const size_t columns = rend_tile_columns(config->width);
    const size_t rows = rend_tile_rows(config->height);
    if (good && shaded) {
        shaders->threads = base_pool_threads(config->pool);
        shaders->scratch = aligned_alloc(ALIGNMENT, shaders->scratch_size * shaders->threads);
        shaders->cell = calloc(columns, sizeof *shaders->cell);
        shaders->within = calloc(columns, sizeof *shaders->within);
        shaders->column = calloc(columns, sizeof *shaders->column);
        shaders->cells = calloc(rows, sizeof *shaders->cells);
        shaders->up = calloc(rows, sizeof *shaders->up);
        shaders->row = calloc(rows, sizeof *shaders->row);
        shaders->small = tmu_surface_create((config->width + 1) / 2, (config->height + 1) / 2);
        good = shaders->scratch != NULL && shaders->cell != NULL && shaders->within != NULL &&
               shaders->column != NULL && shaders->cells != NULL && shaders->up != NULL &&
               shaders->row != NULL && shaders->small.pixels != NULL;
    }
    if (good && shaded && patch->blur_levels > 0) {
        good = rend_blur_create(&shaders->blur, config->width, config->height) == 0;
        shaders->blurs = good;
    }
    if (!good) {
        rend_shade_free(shaders);
        return -1;
    }
    shaders->device = config->device;
    if (shaders->device != NULL) {
        rend_offload_load(shaders, rend, patch);
    }
    if (shaded) {
        shaders->chances = rend_preset_chances(rend->config.seed + (uint64_t)rend->clock.frame);
    }
    return 0;
}

void rend_shade_free(struct rend_section_shaders *shaders)
{
    for (int i = 0; i < SHADER_STAGES; i++) {
        free(shaders->frame[i].constants);
    }
    rend_offload_free(shaders);
    if (shaders->blurs) {
        rend_blur_free(&shaders->blur);
    }
    tmu_surface_free(&shaders->small);
    free(shaders->scratch);
    free(shaders->cell);
    free(shaders->within);
    free(shaders->column);
    free(shaders->cells);
    free(shaders->up);
    free(shaders->row);
    *shaders = (struct rend_section_shaders){0};
}

void rend_shade_forget(struct rend_section_shaders *shaders)
{
    shaders->sent[REND_SOURCE_MAIN] = false;
}

void rend_shade_renew(struct rend_section_shaders *shaders)
{
    shaders->blurred = NULL;
    shaders->shown_stays = false;
    memset(shaders->sent, 0, sizeof shaders->sent);
}

void rend_shade_fetch_blur(struct rend *rend)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->blurred != NULL) {
        rend_blur_step(&shaders->blur, shaders->blurred, rend->patch->blur_levels,
                       &shaders->blur_settings, rend->config.cpu, rend->config.pool);
        shaders->blurred = NULL;
    }
}

void rend_set_divisors(struct rend *rend, const int divisors[REND_SHADER_STAGES])
{
    for (int i = 0; i < SHADER_STAGES; i++) {
        assert(divisors[i] >= 1 && divisors[i] <= REND_DIVISOR_MAX);
        rend->shaders.divisor[i] = divisors[i];
    }
}

/* ---- a frame ---- */

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
    memset(shaders->unpaid, 0, sizeof shaders->unpaid);
    shaders->left = rend_frame_cost(&rend->config);
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
    bool may_stay;                    /* the picture, on the device, */
    bool wanted;                      /* and comes while others work */
    bool here;                        /* no device is asked */
    const struct base_beside *beside; /* what is done before the processor draws; NULL: nothing */
    struct rend_device_places places;
    uint32_t *pixels;
    size_t stride;
    const struct rend_shade_kernels *kernels;
    bool *ended_early; /* of each job */
    int64_t cost;      /* that the picture may have; each job has the share of its rows */
    int64_t *spent;    /* of it, by each job; negative: more than its share was wanted */
    atomic_bool taken[BASE_POOL_THREADS_MAX]; /* scratch memory that a job works with */
};

enum { TRIANGLES_MAX = 2 * REND_MESH_MAX_X + REND_CELL_BEHIND };

/* The mesh along a row of pixels, as struct rend_cell_row has it; u, then v. `cells` is the row of
 * cells that the row of pixels crosses, of which the rest is kept: slopes, and where triangles
 * begin at one end and by how much they differ at the other. */
struct mesh_row {
    float from[REND_CELL_VALUES][TRIANGLES_MAX];
    float turn;
    int cells; /* none yet: -1 */
    float slope[REND_CELL_VALUES][TRIANGLES_MAX];
    float start[REND_CELL_VALUES][TRIANGLES_MAX];
    float change[REND_CELL_VALUES][TRIANGLES_MAX];
};

static int at_most(int value, int most)
{
    return value < most ? value : most;
}

static float value_of(const struct tmu_vertex *vertex, int value)
{
    return value == 0 ? vertex->u : vertex->v;
}

/* Triangles as tmu/tmu.h has them. */
static void enter_cells(const struct shading *shading, int cells, struct mesh_row *row)
{
    const size_t columns = (size_t)shading->rend->config.mesh_x;
    const struct tmu_vertex *low = shading->rend->mesh.vertices + (size_t)cells * (columns + 1);
    const struct tmu_vertex *high = low + columns + 1;
    row->cells = cells;
    for (int k = 0; k < REND_CELL_VALUES; k++) {
        for (size_t i = 0; i < columns; i++) {
            const float low_left = value_of(low + i, k);
            const float low_right = value_of(low + i + 1, k);
            const float high_left = value_of(high + i, k);
            const float high_right = value_of(high + i + 1, k);
            row->start[k][2 * i] = low_left;
            row->change[k][2 * i] = high_left - low_left;
            row->slope[k][2 * i] = low_right - low_left;
            row->start[k][2 * i + 1] = high_left;
            row->change[k][2 * i + 1] = low_right - high_right;
            row->slope[k][2 * i + 1] = high_right - high_left;
        }
    }
}

static void cut_mesh(const struct shading *shading, int y, struct mesh_row *row)
{
    const struct rend_config *config = &shading->rend->config;
    const int cells = shading->places.cells[y];
    const float t = shading->places.up[y];
    if (cells != row->cells) {
        enter_cells(shading, cells, row);
    }
    row->turn = 1 - t;
    const float turn = row->turn;
    for (int k = 0; k < REND_CELL_VALUES; k++) {
        float *from = row->from[k];
        const float *start = row->start[k];
        const float *change = row->change[k];
        for (int i = 0; i < 2 * config->mesh_x; i += 2) {
            from[i] = start[i] + change[i] * t;
            from[i + 1] = start[i + 1] + change[i + 1] * turn;
        }
    }
}

static void fill_warp_uv(const struct shading *shading, const struct mesh_row *rows, int x,
                         const struct shader_tile *tile)
{
    const struct rend_section_shaders *shaders = &shading->rend->shaders;
    float *u = tile->input[SHADER_INPUT_U];
    float *v = tile->input[SHADER_INPUT_V];
    for (int r = 0; r < SHADER_TILE_ROWS; r++) {
        const size_t lane = (size_t)r * SHADER_TILE_COLUMNS;
        const struct mesh_row *row = &rows[r];
        const struct rend_cell_row along = {
            {row->from[0], row->from[1]}, {row->slope[0], row->slope[1]}, row->turn};
        float *const out[REND_CELL_VALUES] = {u != NULL ? u + lane : NULL,
                                              v != NULL ? v + lane : NULL};
        shading->kernels->lerp(out, &along, shaders->cell + x, shaders->within + x,
                               SHADER_TILE_COLUMNS);
    }
}

/* Places of the pixels at rest; NULL: not wanted. */
static void fill_places(const struct shading *shading, int x, int y, float *u, float *v)
{
    const float *column = shading->places.column + x;
    for (int r = 0; r < SHADER_TILE_ROWS; r++) {
        const size_t lane = (size_t)r * SHADER_TILE_COLUMNS;
        if (u != NULL) {
            shading->kernels->spread(u + lane, column, 1, SHADER_TILE_COLUMNS);
        }
        if (v != NULL) {
            shading->kernels->spread(v + lane, &shading->places.row[y + r], 0, SHADER_TILE_COLUMNS);
        }
    }
}

/* Positions from the centre in half heights or widths, aspect corrected, down positive in comp and
 * up positive in warp. */
struct polar {
    _Alignas(32) float x[SHADER_TILE];
    _Alignas(32) float y[SHADER_TILE];
};

/* An operation of the executor over a tile; steps as in struct shader_lanes. */
static void compute(const struct shading *shading, enum shader_code_op op, float *result,
                    struct shader_lanes a, struct shader_lanes b, struct shader_lanes c)
{
    const unsigned equal = (a.step == 0 ? 1u : 0) | (b.step == 0 ? 2u : 0) | (c.step == 0 ? 4u : 0);
    shader_kernels_for(shading->frame->cpu)
        ->compute[op][equal](result, a.at, b.at, c.at, c.at, SHADER_TILE);
}

static struct shader_lanes each(const float *lanes)
{
    return (struct shader_lanes){lanes, SHADER_LANES};
}

/* The same number for all lanes. */
struct equal {
    _Alignas(32) float lanes[SHADER_LANES];
};

static struct shader_lanes all_equal(struct equal *equal, float number)
{
    for (int i = 0; i < SHADER_LANES; i++) {
        equal->lanes[i] = number;
    }
    return (struct shader_lanes){equal->lanes, 0};
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
    struct equal number[4];
    const bool comp = shading->stage == SHADER_COMP;
    const struct shader_lanes x = each(place.x);
    const struct shader_lanes y = each(place.y);
    const struct shader_lanes one = all_equal(&number[0], 1);
    const struct shader_lanes two = all_equal(&number[1], 2);
    const struct shader_lanes right = all_equal(&number[2], shading->places.right);
    const struct shader_lanes down = all_equal(&number[3], shading->places.down);
    fill_places(shading, x0, y0, place.x, place.y);
    compute(shading, SHADER_CODE_MUL_SUB, place.x, x, two, one);
    compute(shading, SHADER_CODE_MUL, place.x, x, right, one);
    compute(shading, SHADER_CODE_MUL_SUB, place.y, y, two, one);
    compute(shading, SHADER_CODE_MUL, place.y, y, down, one);
    if (rad != NULL) {
        compute(shading, SHADER_CODE_MUL, rad, y, y, one);
        compute(shading, SHADER_CODE_MUL_ADD, rad, x, x, each(rad));
        compute(shading, SHADER_CODE_SQRT, rad, each(rad), one, one);
        if (comp) {
            compute(shading, SHADER_CODE_MUL, rad, each(rad),
                    all_equal(&number[1], shading->places.radius), one);
        }
    }
    if (ang != NULL) {
        const float turn = 6.2831853f;
        compute(shading, SHADER_CODE_ATAN2, ang, y, x, one);
        if (comp) {
            compute(shading, SHADER_CODE_LT, place.x, each(ang), all_equal(&number[1], 0), one);
            compute(shading, SHADER_CODE_AND, place.x, x, all_equal(&number[1], turn), one);
            compute(shading, SHADER_CODE_ADD, ang, each(ang), x, one);
        }
    }
}

/* Linear between the shades of the corners, which lie otherwise than in the fixed stage: top right,
 * top left, bottom right, bottom left (spec/milk-rendering.md section 9.1). */
static void fill_hue(const struct shading *shading, int x0, int y0, const struct shader_tile *tile)
{
    const float(*c)[REND_DEVICE_CORNERS] = shading->places.hue;
    const float *right = shading->places.column + x0;
    float top[SHADER_TILE_COLUMNS];
    float rise[SHADER_TILE_COLUMNS];
    for (int i = 0; i < 3; i++) {
        float *hue = tile->input[SHADER_INPUT_HUE_R + i];
        if (hue == NULL) {
            continue;
        }
        for (int k = 0; k < SHADER_TILE_COLUMNS; k++) {
            top[k] = c[i][1] + (c[i][0] - c[i][1]) * right[k];
            rise[k] = c[i][3] + (c[i][2] - c[i][3]) * right[k] - top[k];
        }
        for (int r = 0; r < SHADER_TILE_ROWS; r++) {
            const float down = shading->places.row[y0 + r];
            for (int k = 0; k < SHADER_TILE_COLUMNS; k++) {
                hue[r * SHADER_TILE_COLUMNS + k] = top[k] + rise[k] * down;
            }
        }
    }
}

/* There is one for each thread, so that one is free; the first that is tried is the one that the
 * thread whose share the job is took before, and which is in its cache. */
static size_t take_scratch(struct shading *shading, size_t band)
{
    const size_t threads = shading->rend->shaders.threads;
    size_t at = band * threads / REND_SHADE_ROW_BANDS;
    while (atomic_exchange(&shading->taken[at], true)) {
        at = (at + 1) % threads;
    }
    return at;
}

/* The tile's pixels are asked for before it is computed, which takes longer than they do. */
static void expect_pixels(const struct shading *shading, int x, int y)
{
    enum { LINE = 64 / sizeof *shading->pixels };
    const int end = at_most(x + SHADER_TILE_COLUMNS, shading->width);
    for (int r = 0; r < SHADER_TILE_ROWS && y + r < shading->height; r++) {
        const uint32_t *row = shading->pixels + (size_t)(y + r) * shading->stride;
        for (int k = x; k < end; k += LINE) {
            __builtin_prefetch(row + k, 1);
        }
    }
}

/* The inputs of a tile that begins at that pixel. */
static void fill_inputs(const struct shading *shading, const struct mesh_row *mesh, int x, int y,
                        const struct shader_tile *tile)
{
    if (shading->stage == SHADER_WARP) {
        fill_warp_uv(shading, mesh, x, tile);
        fill_places(shading, x, y, tile->input[SHADER_INPUT_U_ORIG],
                    tile->input[SHADER_INPUT_V_ORIG]);
    } else {
        fill_places(shading, x, y, tile->input[SHADER_INPUT_U], tile->input[SHADER_INPUT_V]);
        fill_hue(shading, x, y, tile);
    }
    fill_polar(shading, x, y, tile);
}

static void shade_row_band(void *user, size_t band)
{
    struct shading *shading = user;
    const struct rend_section_shaders *shaders = &shading->rend->shaders;
    const size_t place = take_scratch(shading, band);
    uint8_t *scratch = shaders->scratch + place * shaders->scratch_size;
    const int rows = (shading->height + SHADER_TILE_ROWS - 1) / SHADER_TILE_ROWS;
    const int first = (int)((size_t)rows * band / REND_SHADE_ROW_BANDS);
    const int stop = (int)((size_t)rows * (band + 1) / REND_SHADE_ROW_BANDS);
    struct shader_tile tile = shader_tile(shading->frame, scratch);
    struct mesh_row mesh[SHADER_TILE_ROWS];
    for (int r = 0; r < SHADER_TILE_ROWS; r++) {
        mesh[r].cells = -1;
    }
    const int64_t share = shading->cost / rows * (stop - first);
    tile.left = share;
    for (int y = first * SHADER_TILE_ROWS; y < stop * SHADER_TILE_ROWS; y += SHADER_TILE_ROWS) {
        if (shading->stage == SHADER_WARP) {
            for (int r = 0; r < SHADER_TILE_ROWS; r++) {
                cut_mesh(shading, y + r, &mesh[r]);
            }
        }
        for (int x = 0; x < shading->width; x += SHADER_TILE_COLUMNS) {
            expect_pixels(shading, x, y);
            fill_inputs(shading, mesh, x, y, &tile);
            if (!shader_run(shading->frame, scratch, &tile) && tile.left >= 0) {
                shading->ended_early[band] = true;
            }
            const size_t columns = (size_t)at_most(SHADER_TILE_COLUMNS, shading->width - x);
            for (int r = 0; r < SHADER_TILE_ROWS && y + r < shading->height; r++) {
                const size_t lane = (size_t)r * SHADER_TILE_COLUMNS;
                const float *const ret[3] = {tile.ret[0] + lane, tile.ret[1] + lane,
                                             tile.ret[2] + lane};
                uint32_t *pixels = shading->pixels + (size_t)(y + r) * shading->stride + (size_t)x;
                if (tile.left < 0) {
                    memset(pixels, 0, columns * sizeof *pixels);
                } else {
                    shading->kernels->pack(pixels, ret, columns);
                }
            }
        }
    }
    shading->spent[band] = tile.left < 0 ? -share - 1 : share - tile.left;
    atomic_store(&shading->taken[place], false);
}

/* Whether the stage's cost fits whatever its pixels do; then it is what the code costs, wherever
 * and however that runs. */
static bool surely_fits(const struct shading *shading, int64_t *spent)
{
    const struct shader_program *program = shading->frame->program;
    const int64_t tiles = (int64_t)rend_tile_columns(shading->width) / SHADER_TILE_COLUMNS;
    const int64_t rows = (shading->height + SHADER_TILE_ROWS - 1) / SHADER_TILE_ROWS;
    if (shader_stats(program).loops > 0 ||
        shader_most_cost(shading->frame) * tiles > shading->cost / rows) {
        return false;
    }
    *spent = shader_cost(program) * tiles * rows;
    return true;
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

/* Columns and rows behind the last one are like it. */
static void place_pixels(struct rend *rend, struct shading *shading)
{
    const int width = shading->width;
    const int height = shading->height;
    struct rend_section_shaders *shaders = &rend->shaders;
    const struct rend_config *config = &rend->config;
    for (int i = 0; i < (int)rend_tile_columns(width); i++) {
        const int x = at_most(i, width - 1);
        const int at = (2 * x + 1) * config->mesh_x;
        shaders->cell[i] = at / (2 * width);
        shaders->within[i] = (float)(at % (2 * width)) / (float)(2 * width);
        shaders->column[i] = ((float)x + 0.5f) / (float)width;
    }
    for (int i = 0; i < (int)rend_tile_rows(height); i++) {
        const int y = at_most(i, height - 1);
        const int at = (2 * (height - y) - 1) * config->mesh_y;
        shaders->cells[i] = at / (2 * height);
        shaders->up[i] = (float)(at % (2 * height)) / (float)(2 * height);
        shaders->row[i] = ((float)y + 0.5f) / (float)height;
    }
    const float right = (float)rend_aspect_x(config);
    const float down = (float)rend_aspect_y(config);
    struct rend_device_places *places = &shading->places;
    places->cell = shaders->cell;
    places->within = shaders->within;
    places->column = shaders->column;
    places->cells = shaders->cells;
    places->up = shaders->up;
    places->row = shaders->row;
    places->vertices = &rend->mesh.vertices->u;
    places->across = (size_t)config->mesh_x + 1;
    places->right = right;
    places->down = shading->stage == SHADER_COMP ? down : -down;
    places->radius = 1 / shader_sqrt(right * right + down * down);
}

/* Whether the picture stays on the device. */
static bool shade(struct rend *rend, enum shader_stage stage, const struct tmu_surface *main,
                  uint32_t *pixels, size_t stride, struct shading *shading)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    struct shader_frame *frame = &shaders->frame[stage];
    struct shader_texture blur[3] = {0};
    for (int i = 0; i < rend->patch->blur_levels; i++) {
        blur[i] = shader_texture_of(rend_blur_level(&shaders->blur, i + 1));
    }
    struct shader_texture main_texture = shader_texture_of(main);
    bool ended_early[REND_SHADE_ROW_BANDS] = {false};
    int64_t spent[REND_SHADE_ROW_BANDS];
    const int divisor = shaders->divisor[stage];
    struct tmu_surface small = shaders->small;
    small.width = (rend->config.width + divisor - 1) / divisor;
    small.height = (rend->config.height + divisor - 1) / divisor;
    shading->rend = rend;
    shading->frame = frame;
    shading->stage = stage;
    shading->width = small.width;
    shading->height = small.height;
    shading->pixels = divisor > 1 ? small.pixels : pixels;
    shading->stride = divisor > 1 ? small.stride : stride;
    shading->kernels = rend_shade_kernels_for(rend->config.cpu);
    shading->ended_early = ended_early;
    /* The first stage leaves a quarter to the last, at least. */
    shading->cost = shaders->left > 0 ? shaders->left : 0;
    shading->cost -= stage == SHADER_WARP ? shading->cost / 4 : 0;
    shading->spent = spent;
    const struct rend_shader *shader = &rend->patch->shader[stage];
    for (size_t i = 0; i < shader->textures; i++) {
        const enum rend_source texture = shader->texture[i];
        frame->textures[i] = texture == REND_SOURCE_FIXED  ? shader->fixed[i]
                             : texture == REND_SOURCE_MAIN ? &main_texture
                                                           : &blur[texture - REND_SOURCE_BLUR1];
    }
    place_pixels(rend, shading);
    int64_t fixed = 0;
    const bool fits = surely_fits(shading, &fixed);
    /* As long as a warp stays, what was blurred before must not be lost. */
    const bool stays =
        shading->may_stay && divisor == 1 &&
        (stage == SHADER_COMP || !rend_shader_blurs(shader) || shaders->blur_on_device != NULL);
    const struct rend_offload_stage offered = {
        .stage = stage,
        .frame = frame,
        .places = &shading->places,
        .main = main,
        .width = shading->width,
        .height = shading->height,
        .pixels = shading->pixels,
        .stride = shading->stride,
    };
    const bool started =
        fits && !shading->here && rend_offload_start(rend, &offered, stays && !shading->wanted);
    if (shading->beside != NULL) {
        shading->beside->work(shading->beside->user);
    }
    if (started && stays && !shaders->device_failed) {
        shaders->left -= fixed;
        return true;
    }
    if (!started || !rend_offload_finish(rend, &offered)) {
        if (shading->beside != NULL) {
            /* Another stage may have been drawn meanwhile, and the canvas lie elsewhere. */
            place_pixels(rend, shading);
            main_texture = shader_texture_of(main);
        }
        if (rend_shader_blurs(shader)) {
            rend_shade_fetch_blur(rend);
        }
        shader_prepare(frame);
        base_pool_run(rend->config.pool, shade_row_band, shading, REND_SHADE_ROW_BANDS);
        for (int i = 0; i < REND_SHADE_ROW_BANDS && !fits; i++) {
            shaders->exhausted = shaders->exhausted || ended_early[i];
            shaders->unpaid[stage] = shaders->unpaid[stage] || spent[i] < 0;
            fixed += spent[i] < 0 ? -spent[i] : spent[i];
        }
    }
    shaders->left -= fixed;
    if (divisor > 1) {
        enlarge(rend, &small, pixels, stride);
    }
    return false;
}

bool rend_shade_warp(struct rend *rend, const struct tmu_surface *last,
                     const struct tmu_surface *current, bool may_stay)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    struct shading shading = {.may_stay = may_stay};
    shaders->kept =
        (struct rend_shade_kept){shaders->blurred, shaders->blur_settings, shaders->left};
    return shade(rend, SHADER_WARP, last, current->pixels, current->stride, &shading);
}

void rend_shade_again(struct rend *rend, const struct tmu_surface *last,
                      const struct tmu_surface *current)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    const struct rend_blur_settings settings = shaders->blur_settings;
    const struct tmu_surface *blurred = shaders->blurred;
    const int64_t left = shaders->left;
    struct shading shading = {.here = true};
    shaders->blurred = shaders->kept.blurred;
    shaders->blur_settings = shaders->kept.blur_settings;
    shaders->left = shaders->kept.left;
    (void)shade(rend, SHADER_WARP, last, current->pixels, current->stride, &shading);
    shaders->left = left;
    shaders->blurred = blurred;
    shaders->blur_settings = settings;
}

void rend_shade_blur(struct rend *rend, const struct rend_frame *frame,
                     const struct tmu_surface *last, const struct base_beside *before)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    if (shaders->blurs) {
        shaders->blur_settings = blur_settings(&frame->values);
        shaders->blurred = last;
        const bool there = rend_offload_blur(rend, &shaders->blur_settings, last);
        if (shaders->device_failed) {
            before->work(before->user);
        }
        if (!there) {
            rend_shade_fetch_blur(rend);
        }
        for (int i = REND_SOURCE_BLUR1; i <= REND_SOURCE_BLUR3; i++) {
            shaders->sent[i] = there;
        }
    }
    /* From now on the new picture is the canvas. */
    shaders->sent[REND_SOURCE_MAIN] = false;
}

static bool shade_comp(struct rend *rend, const struct rend_shade_comp *comp, bool here)
{
    struct shading shading = {
        .beside = comp->beside, .may_stay = comp->may_stay, .wanted = comp->wanted, .here = here};
    double corner[REND_CORNERS][REND_CHANNELS];
    rend_shade_corners(corner, 1, comp->time, rend->chance.shade_phase);
    for (int i = 0; i < REND_CHANNELS; i++) {
        for (int k = 0; k < REND_CORNERS; k++) {
            shading.places.hue[i][k] = (float)corner[k][REND_CHANNELS - 1 - i];
        }
    }
    return shade(rend, SHADER_COMP, comp->current, comp->pixels, comp->stride, &shading);
}

bool rend_shade_comp(struct rend *rend, const struct rend_shade_comp *comp)
{
    return shade_comp(rend, comp, false);
}

void rend_shade_comp_again(struct rend *rend, const struct rend_shade_comp *comp)
{
    struct rend_section_shaders *shaders = &rend->shaders;
    const int64_t left = shaders->left;
    const int divisor = shaders->divisor[SHADER_COMP];
    /* A picture that stays is whole and as fine as can be, whatever is left or wanted by now. */
    shaders->left = rend_frame_cost(&rend->config);
    shaders->divisor[SHADER_COMP] = 1;
    (void)shade_comp(rend, comp, true);
    shaders->left = left;
    shaders->divisor[SHADER_COMP] = divisor;
}
