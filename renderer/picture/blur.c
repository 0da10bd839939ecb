#include "renderer/picture/blur.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { ROW_BAND_ROWS = 16, WEIGHT_ONE = 1 << 14 };
enum { POINT_COLUMNS = 4, WIDE_COLUMNS = REND_BLUR_TAPS, POINT_ROWS = 2, TALL_ROWS = 8 };

/* A pair of bilinear reads, before and behind the place, in texels of the source. */
struct tap {
    double distance;
    double weight;
};

static const struct tap wide_taps[] = {
    {0.974359, 7.8 / 36.6}, {2.90625, 6.4 / 36.6}, {4.774194, 3.1 / 36.6}, {6.6, 1.0 / 36.6}};
static const struct tap tall_taps[] = {{0.901408, 14.2 / 36.6}, {2.487805, 4.1 / 36.6}};
static const struct tap point_taps[] = {{0, 0.5}};

struct taps {
    const struct tap *tap;
    size_t count;
};

static const struct taps wide = {wide_taps, sizeof wide_taps / sizeof *wide_taps};
static const struct taps tall = {tall_taps, sizeof tall_taps / sizeof *tall_taps};
static const struct taps point = {point_taps, 1};

static void add_read(double *weights, double first, double at, double weight)
{
    const double whole = floor(at);
    weights[(int)(whole - first)] += weight * (1 - (at - whole));
    weights[(int)(whole - first) + 1] += weight * (at - whole);
}

/* `shift` moves the place of reading, in texels. */
static int fill_axis(struct base_arena *arena, struct rend_blur_axis *axis, int count, int source,
                     int taps, struct taps reads, double shift)
{
    axis->taps = taps;
    axis->first = base_arena_array(arena, (size_t)count, sizeof *axis->first);
    axis->weights = base_arena_array(arena, (size_t)count * (size_t)taps, sizeof *axis->weights);
    if (axis->first == NULL || axis->weights == NULL) {
        return -1;
    }
    const double reach = reads.tap[reads.count - 1].distance;
    for (int i = 0; i < count; i++) {
        const double place = (i + 0.5) * source / count - 0.5 + shift;
        const double first = floor(place - reach);
        double weights[REND_BLUR_TAPS + 1] = {0};
        for (size_t k = 0; k < reads.count; k++) {
            const struct tap *tap = &reads.tap[k];
            add_read(weights, first, place - tap->distance, tap->weight);
            add_read(weights, first, place + tap->distance, tap->weight);
        }
        axis->first[i] = (int32_t)first;
        /* Whole weights whose sum is exactly one: each is what the rounded sum grows by. */
        int16_t *rounded = axis->weights + (size_t)i * (size_t)taps;
        double sum = 0;
        int before = 0;
        for (int k = 0; k < taps; k++) {
            sum += weights[k];
            const int now = (int)(sum * WEIGHT_ONE + 0.5);
            rounded[k] = (int16_t)(now - before);
            before = now;
        }
    }
    axis->halved = true;
    for (int i = 1; i < count; i++) {
        axis->halved = axis->halved && axis->first[i] == axis->first[i - 1] + 2 &&
                       memcmp(axis->weights + (size_t)i * (size_t)taps, axis->weights,
                              (size_t)taps * sizeof *axis->weights) == 0;
    }
    return 0;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Light that is left at a distance from the edge, 0..1. */
static float edge_light(int i, int count)
{
    const double at = (i + 0.5) / count;
    return (float)fmin(5 * sqrt(fmin(at, 1 - at)), 1);
}

static int fill_edge(struct base_arena *arena, float **edge, int count)
{
    *edge = base_arena_array(arena, (size_t)count, sizeof **edge);
    for (int i = 0; *edge != NULL && i < count; i++) {
        (*edge)[i] = edge_light(i, count);
    }
    return *edge != NULL ? 0 : -1;
}

int rend_blur_create(struct rend_blur *blur, int width, int height)
{
    assert(width >= 1 && width <= TMU_SIZE_MAX && height >= 1 && height <= TMU_SIZE_MAX);
    *blur = (struct rend_blur){.width = width, .height = height};
    struct tmu_surface source = {.width = width, .height = height};
    bool good = true;
    for (int number = 0; number < REND_BLUR_PASSES && good; number++) {
        if (number != 3 && number != 5) {
            width = larger(16, width / 2);
            height = larger(16, height / 2);
        }
        /* Horizontal passes have even numbers. Those of levels 2 and 3 move the picture by one
         * texel. */
        const bool horizontal = number % 2 == 0;
        const double shift = number == 2 || number == 4 ? 1 : 0;
        struct rend_blur_pass *pass = &blur->pass[number];
        pass->target = tmu_surface_create((width + 3) / 16 * 16, (height + 3) / 4 * 4);
        good =
            pass->target.pixels != NULL &&
            fill_axis(&blur->arena, &pass->columns, pass->target.width, source.width,
                      horizontal ? WIDE_COLUMNS : POINT_COLUMNS, horizontal ? wide : point,
                      shift) == 0 &&
            fill_axis(&blur->arena, &pass->rows, pass->target.height, source.height,
                      horizontal ? POINT_ROWS : TALL_ROWS, horizontal ? point : tall, shift) == 0;
        source = pass->target;
    }
    good = good && fill_edge(&blur->arena, &blur->edge, blur->pass[1].target.width) == 0 &&
           fill_edge(&blur->arena, &blur->edge_rows, blur->pass[1].target.height) == 0;
    if (!good) {
        rend_blur_free(blur);
    }
    return good ? 0 : -1;
}

void rend_blur_free(struct rend_blur *blur)
{
    for (int number = 0; number < REND_BLUR_PASSES; number++) {
        tmu_surface_free(&blur->pass[number].target);
    }
    base_arena_free(&blur->arena);
    *blur = (struct rend_blur){0};
}

/* Far more than any picture needs, little enough that nothing below overflows. */
static double clamp_finite(float value, double fallback)
{
    return isfinite(value) ? fmin(fmax((double)value, -1000), 1000) : fallback;
}

struct range {
    double min;
    double max;
};

static void find_ranges(const struct rend_blur_settings *settings, struct range *ranges)
{
    for (int level = 0; level < REND_BLUR_LEVELS; level++) {
        struct range range = {clamp_finite(settings->min[level], 0),
                              clamp_finite(settings->max[level], 1)};
        if (level > 0) {
            range.min = fmax(range.min, ranges[level - 1].min);
            range.max = fmin(range.max, ranges[level - 1].max);
        }
        if (range.max - range.min < 0.1) {
            const double mean = 0.5 * (range.min + range.max);
            range = (struct range){mean - 0.05, mean + 0.05};
        }
        ranges[level] = range;
    }
}

void rend_blur_ranges(const struct rend_blur_settings *settings, float min[REND_BLUR_LEVELS],
                      float max[REND_BLUR_LEVELS])
{
    struct range ranges[REND_BLUR_LEVELS];
    find_ranges(settings, ranges);
    for (int level = 0; level < REND_BLUR_LEVELS; level++) {
        min[level] = (float)ranges[level].min;
        max[level] = (float)ranges[level].max;
    }
}

void rend_blur_extend(int16_t *work, int width)
{
    const size_t pixel = REND_BLUR_CHANNELS * sizeof *work;
    int16_t *row = work + REND_BLUR_ORIGIN;
    int16_t *end = row + width * REND_BLUR_CHANNELS;
    for (int i = 1; i <= REND_BLUR_LEFT; i++) {
        memcpy(row - i * REND_BLUR_CHANNELS, row, pixel);
    }
    for (int i = 0; i < REND_BLUR_RIGHT; i++) {
        memcpy(end + i * REND_BLUR_CHANNELS, end - REND_BLUR_CHANNELS, pixel);
    }
}

static uint32_t finished(const struct rend_blur_row *row, int x, int32_t sum)
{
    float level = (float)sum * row->scale;
    if (row->factor != NULL) {
        level *= row->factor[x];
    }
    level += row->bias;
    level = level > 0.0f ? level : 0.0f;
    level = level < 255.0f ? level : 255.0f;
    return (uint32_t)(level + 0.5f);
}

static void blur_plain(const struct rend_blur_row *row)
{
    int16_t work[REND_BLUR_WORK];
    int16_t *mixed = work + REND_BLUR_ORIGIN;
    for (int x = 0; x < row->width; x++) {
        for (int k = 0; k < REND_BLUR_CHANNELS; k++) {
            int32_t sum = 64;
            for (int i = 0; i < row->rows; i++) {
                sum += row->row_weights[i] * (int32_t)(row->row[i][x] >> (8 * k) & 255);
            }
            *mixed++ = (int16_t)(sum >> 7);
        }
    }
    rend_blur_extend(work, row->width);
    const int taps = row->columns->taps;
    for (int x = 0; x < row->count; x++) {
        const int16_t *weights = row->columns->weights + (ptrdiff_t)x * taps;
        const int16_t *at =
            work + REND_BLUR_ORIGIN + (ptrdiff_t)row->columns->first[x] * REND_BLUR_CHANNELS;
        int32_t sum[REND_BLUR_CHANNELS] = {0};
        for (int i = 0; i < taps; i++) {
            for (int k = 0; k < REND_BLUR_CHANNELS; k++) {
                sum[k] += weights[i] * at[i * REND_BLUR_CHANNELS + k];
            }
        }
        row->out[x] = finished(row, x, sum[0]) | finished(row, x, sum[1]) << 8 |
                      finished(row, x, sum[2]) << 16;
    }
}

struct run {
    const struct rend_blur_pass *pass;
    const struct tmu_surface *source;
    rend_blur_kernel kernel;
    struct rend_blur_numbers numbers;
    const float *edge; /* NULL: nothing is darkened */
    const float *edge_rows;
};

static void blur_row_band(void *user, size_t band)
{
    const struct run *run = user;
    const struct tmu_surface *target = &run->pass->target;
    float factor[TMU_SIZE_MAX / 2];
    struct rend_blur_row row = {.width = run->source->width,
                                .columns = &run->pass->columns,
                                .scale = run->numbers.scale,
                                .bias = run->numbers.bias,
                                .factor = run->edge != NULL ? factor : NULL,
                                .count = target->width};
    const int first = (int)band * ROW_BAND_ROWS;
    for (int y = first; y < first + ROW_BAND_ROWS && y < target->height; y++) {
        const struct rend_blur_axis *rows = &run->pass->rows;
        row.rows = rows->taps;
        row.row_weights = rows->weights + (ptrdiff_t)y * rows->taps;
        for (int i = 0; i < rows->taps; i++) {
            const int32_t at = rows->first[y] + i;
            const int32_t last = run->source->height - 1;
            row.row[i] = run->source->pixels +
                         (size_t)(at < 0 ? 0 : (at > last ? last : at)) * run->source->stride;
        }
        if (run->edge != NULL) {
            const float row_light = run->edge_rows[y];
            const float always = 1.0f - run->numbers.edge_darken;
            for (int x = 0; x < target->width; x++) {
                const float light = run->edge[x] < row_light ? run->edge[x] : row_light;
                factor[x] = always + run->numbers.edge_darken * light;
            }
        }
        row.out = target->pixels + (size_t)y * target->stride;
        run->kernel(&row);
    }
}

/* Makes a range 0..1 of what was `outer` so far. */
static struct rend_blur_numbers numbers_of(struct range outer, struct range inner)
{
    const double scale = (outer.max - outer.min) / (inner.max - inner.min);
    const double bias = (outer.min - inner.min) / (inner.max - inner.min);
    return (struct rend_blur_numbers){
        .scale = (float)(scale / (1 << REND_BLUR_UNIT_BITS)),
        .bias = (float)(bias * 255),
    };
}

void rend_blur_find_numbers(const struct rend_blur_settings *settings,
                            struct rend_blur_numbers numbers[REND_BLUR_PASSES])
{
    const struct range all = {0, 1};
    struct range ranges[REND_BLUR_LEVELS];
    find_ranges(settings, ranges);
    for (int level = 0; level < REND_BLUR_LEVELS; level++) {
        numbers[2 * level] = numbers_of(level == 0 ? all : ranges[level - 1], ranges[level]);
        numbers[2 * level + 1] = numbers_of(all, all);
    }
    numbers[1].edge_darken = (float)clamp_finite(settings->edge_darken, 0);
}

void rend_blur_step(struct rend_blur *blur, const struct tmu_surface *source, int levels,
                    const struct rend_blur_settings *settings, enum base_cpu_level cpu,
                    struct base_pool *pool)
{
    assert(levels >= 1 && levels <= REND_BLUR_LEVELS);
    assert(source->width == blur->width && source->height == blur->height);
    struct rend_blur_numbers numbers[REND_BLUR_PASSES];
    rend_blur_find_numbers(settings, numbers);
    static const rend_blur_kernel kernels[BASE_CPU_LEVEL_COUNT] =
        BASE_CPU_LEVELS(blur_plain, rend_blur_four, rend_blur_avx2, rend_blur_avx2);
    for (int number = 0; number < 2 * levels; number++) {
        struct run run = {
            .pass = &blur->pass[number],
            .source = number == 0 ? source : &blur->pass[number - 1].target,
            .kernel = kernels[cpu],
            .numbers = numbers[number],
            .edge = numbers[number].edge_darken != 0 ? blur->edge : NULL,
            .edge_rows = blur->edge_rows,
        };
        const size_t height = (size_t)run.pass->target.height;
        base_pool_run(pool, blur_row_band, &run, (height + ROW_BAND_ROWS - 1) / ROW_BAND_ROWS);
        if (number % 2 != 0) {
            tmu_surface_guard(&blur->pass[number].target);
        }
    }
}
