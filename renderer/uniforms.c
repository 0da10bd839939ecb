#include <math.h>
#include <string.h>

#include "base/fmath.h"
#include "base/hash.h"
#include "base/random.h"
#include "renderer/shade.h"

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
