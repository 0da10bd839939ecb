/* Speed of the texture mapper: on the 512 x 512 rotozoom set beside the yardstick, and for
 * warp and composite of whole presets at 1920 x 1080.
 *   speed_tmu [PRESET...]
 * Everything is measured in turn, many times; medians are printed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "renderer/stages.h"
#include "tmu/kernels.h"
#include "yardstick.h"
#include "presets/presets.h"

enum {
    SIZE = 512,
    CELLS = 32,
    VERTICES = CELLS + 1,
    ROUNDS = 101,
    BAND = 32,
    BATCH = 16,
    WAYS_MAX = 16
};
enum { WIDTH = 1920, HEIGHT = 1080, FRAMES = 30, FRAME_ROUNDS = 31 };

static double seconds(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return numbers[count / 2];
}

/* ---- the rotozoom set: seconds on the wall, as asking for processor time would take too long ----
 */

struct set {
    struct tmu_surface texture;
    struct tmu_surface result;
    struct tmu_vertex vertices[VERTICES * VERTICES];
    uint32_t *x; /* where the pixels of a band of rows read */
    uint32_t *y;
};

struct way {
    const char *name;
    enum base_cpu_level level;
    enum tmu_address address;
    unsigned decay;
    size_t every; /* round */
};

static uint32_t wrapped(double texels)
{
    return (uint32_t)((texels - SIZE * floor(texels / SIZE)) * TMU_TEXEL);
}

static void place_band(struct set *set, int first)
{
    for (int row = 0; row < BAND; row++) {
        for (int i = 0; i < SIZE; i++) {
            const double x = i + 0.5 - 256;
            const double y = first + row + 0.5 - 256;
            set->x[row * SIZE + i] = wrapped((x * 67 - y * 28 + 16384) / 64 - 0.5);
            set->y[row * SIZE + i] = wrapped((x * 28 + y * 67 + 16384) / 64 - 0.5);
        }
    }
}

static bool open_set(struct set *set)
{
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    set->texture = tmu_surface_create(SIZE, SIZE);
    set->result = tmu_surface_create(SIZE, SIZE);
    set->x = aligned_alloc(64, (size_t)BAND * SIZE * sizeof *set->x);
    set->y = aligned_alloc(64, (size_t)BAND * SIZE * sizeof *set->y);
    if (set->texture.pixels == NULL || set->result.pixels == NULL || set->x == NULL ||
        set->y == NULL) {
        return false;
    }
    for (size_t i = 0; i < SIZE * set->texture.stride; i++) {
        set->texture.pixels[i] = base_rng_next(&rng) & 0xFFFFFF;
    }
    tmu_surface_guard(&set->texture);
    for (int j = 0; j < VERTICES; j++) {
        for (int i = 0; i < VERTICES; i++) {
            const int x = 16 * i - 256;
            const int y = 16 * (CELLS - j) - 256; /* row 0 of the mesh is the lowest */
            set->vertices[j * VERTICES + i] =
                (struct tmu_vertex){(float)(x * 67 - y * 28 + 16384) / 32768.0f,
                                    (float)(x * 28 + y * 67 + 16384) / 32768.0f};
        }
    }
    return true;
}

static void close_set(struct set *set)
{
    tmu_surface_free(&set->texture);
    tmu_surface_free(&set->result);
    free(set->x);
    free(set->y);
}

/* Positions are made ready band by band, outside of the time, so that they come from the cache. */
static double time_yardstick(struct set *set)
{
    double spent = 0;
    for (int first = 0; first < SIZE; first += BAND) {
        uint32_t *to = set->result.pixels + (size_t)first * set->result.stride;
        place_band(set, first);
        const double start = seconds(CLOCK_MONOTONIC);
        for (size_t row = 0; row < BAND; row++) {
            yardstick_row(to + row * set->result.stride, set->texture.pixels, set->texture.stride,
                          set->x + row * SIZE, set->y + row * SIZE, SIZE);
        }
        spent += seconds(CLOCK_MONOTONIC) - start;
    }
    return spent;
}

static double time_way(struct set *set, const struct way *way, struct base_pool *pool)
{
    const struct tmu_mesh mesh = {set->vertices, CELLS, CELLS};
    const double start = seconds(CLOCK_MONOTONIC);
    tmu_surface_guard(&set->texture);
    tmu_warp(tmu_kernels_for(way->level), pool, &set->result, &set->texture, &mesh, way->address,
             way->decay, NULL);
    return seconds(CLOCK_MONOTONIC) - start;
}

static void print_way(const char *name, double spent, double bare)
{
    printf("  %-34s %7.3f ms  %6.2f ns per pixel", name, spent * 1e3, spent * 1e9 / (SIZE * SIZE));
    if (bare > 0) {
        printf("  %5.2f times the bare loop", spent / bare);
    }
    printf("\n");
}

static void measure_set(struct set *set)
{
    static const struct way ways[] = {
        {"avx512, wrap", BASE_CPU_AVX512, TMU_WRAP, 255, 1},
        {"avx2, wrap", BASE_CPU_AVX2, TMU_WRAP, 255, 1},
        {"avx2, wrap, decay", BASE_CPU_AVX2, TMU_WRAP, 249, 1},
        {"avx2, clamp", BASE_CPU_AVX2, TMU_CLAMP, 255, 1},
        {"avx2, mirror", BASE_CPU_AVX2, TMU_MIRROR, 255, 1},
        {"sse4.1, wrap", BASE_CPU_FOUR, TMU_WRAP, 255, 1},
        {"plain, wrap", BASE_CPU_PLAIN, TMU_WRAP, 255, 10},
    };
    enum { WAYS = sizeof ways / sizeof *ways };
    static double times[WAYS + 1][ROUNDS];
    size_t measured[WAYS] = {0};
    const bool avx2 = base_cpu_best() >= BASE_CPU_AVX2;
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t k = 0; k <= WAYS; k++) {
            const size_t i = (round + k) % (WAYS + 1);
            if (i == WAYS) {
                times[i][round] = avx2 ? time_yardstick(set) : 0;
            } else if (ways[i].level <= base_cpu_best() && round % ways[i].every == 0) {
                times[i][measured[i]++] = time_way(set, &ways[i], NULL);
            }
        }
    }
    const double bare = median(times[WAYS], ROUNDS);
    printf("rotozoom set, %d x %d, bilinear, one thread:\n", SIZE, SIZE);
    print_way("bare loop: gather, blend, store", bare, 0);
    for (size_t i = 0; i < WAYS; i++) {
        if (measured[i] > 0) {
            print_way(ways[i].name, median(times[i], measured[i]), bare);
        }
    }
}

/* Pictures in a row, so that a thread does not fall asleep in between; seconds for one. */
static double time_batch(struct set *set, const struct way *way, struct base_pool *pool)
{
    double sum = 0;
    for (int i = 0; i < BATCH; i++) {
        sum += time_way(set, way, pool);
    }
    return sum / BATCH;
}

struct twins {
    struct set sets[2]; /* nothing shared but the machine */
    struct way way;
};

static void warp_alone(void *user, size_t at)
{
    struct twins *twins = user;
    (void)time_batch(&twins->sets[at], &twins->way, NULL);
}

/* What the machine gives for two threads that have nothing to do with each other. */
static double time_apart(struct twins *twins, struct base_pool *pool)
{
    const double start = seconds(CLOCK_MONOTONIC);
    base_pool_run(pool, warp_alone, twins, 2);
    return (seconds(CLOCK_MONOTONIC) - start) / (2 * BATCH);
}

/* For a machine that has nothing else to do. Its clock wanders, so each pair is compared with
 * itself and the median pair counts. */
static void measure_threads(struct set *set)
{
    struct twins twins = {.way = {"", base_cpu_best(), TMU_WRAP, 255, 1}};
    struct base_pool *pool = base_pool_create(2);
    double one[ROUNDS];
    double two[ROUNDS];
    double ratio[ROUNDS];
    double bound[ROUNDS];
    const bool ready = pool != NULL && open_set(&twins.sets[0]) && open_set(&twins.sets[1]);
    for (size_t round = 0; ready && round < ROUNDS; round++) {
        one[round] = time_batch(set, &twins.way, NULL);
        two[round] = time_batch(set, &twins.way, pool);
        ratio[round] = one[round] / two[round];
        bound[round] = one[round] / time_apart(&twins, pool);
    }
    if (ready) {
        printf("two threads: %.3f ms on the wall, one: %.3f ms, %.2f times as fast; two threads "
               "that share nothing: %.2f times\n",
               median(two, ROUNDS) * 1e3, median(one, ROUNDS) * 1e3, median(ratio, ROUNDS),
               median(bound, ROUNDS));
    }
    close_set(&twins.sets[0]);
    close_set(&twins.sets[1]);
    base_pool_destroy(pool);
}

/* ---- whole presets ---- */

struct stage {
    struct preset preset;
    struct rend_patch *patch;
    struct rend *rend;
    struct rend_frame frame;
    uint32_t *pixels;
};

static void step(struct stage *stage, int number)
{
    enum { SAMPLES = REND_AUDIO_RATE / 60 };
    float audio[2 * SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
        const double t = (double)(number * SAMPLES + i) / REND_AUDIO_RATE;
        const double beat = exp(-6.0 * fmod(t, 0.5));
        audio[2 * i] = (float)(0.6 * beat * sin(6.28 * 60.0 * t) + 0.2 * sin(6.28 * 700.0 * t));
        audio[2 * i + 1] = (float)(0.5 * beat * sin(6.28 * 60.0 * t) + 0.2 * sin(9000.0 * t));
    }
    const struct rend_input input = {.frame = (uint64_t)number,
                                     .time = number / 60.0,
                                     .fps = 60.0,
                                     .audio = audio,
                                     .audio_frames = SAMPLES};
    (void)rend_step(stage->rend, &input, stage->pixels, WIDTH);
}

static bool open_stage(struct stage *stage, const char *path)
{
    *stage = (struct stage){.pixels = calloc((size_t)WIDTH * HEIGHT, sizeof(uint32_t))};
    const struct rend_config config = {.width = WIDTH,
                                       .height = HEIGHT,
                                       .mesh_x = 48,
                                       .mesh_y = 36,
                                       .fps = 60,
                                       .cpu = base_cpu_best()};
    if (stage->pixels == NULL || preset_read_file(&stage->preset, path, NULL) != 0) {
        return false;
    }
    stage->patch = rend_patch_create(&stage->preset, NULL, NULL);
    stage->rend = rend_create(&config);
    if (stage->patch == NULL || stage->rend == NULL ||
        rend_load(stage->rend, stage->patch, 60.0, NULL) != 0) {
        return false;
    }
    for (int number = 1; number <= FRAMES; number++) {
        step(stage, number);
    }
    struct rend *rend = stage->rend;
    stage->frame = (struct rend_frame){.clock = rend->clock,
                                       .sound = rend_analysis_sound(&rend->sound),
                                       .aspect_x = (float)rend_aspect_x(&rend->config),
                                       .aspect_y = (float)rend_aspect_y(&rend->config)};
    rend_equations_frame(&rend->equations, rend->patch, &rend->config, &stage->frame);
    return true;
}

static void close_stage(struct stage *stage)
{
    rend_free(stage->rend);
    rend_patch_free(stage->patch);
    preset_free(&stage->preset);
    free(stage->pixels);
}

static double time_warp(struct stage *stage)
{
    struct rend *rend = stage->rend;
    const struct rend_values *v = &stage->frame.values;
    struct tmu_surface *from = &rend->canvas.surface[1 - rend->canvas.current];
    struct tmu_surface *to = &rend->canvas.surface[rend->canvas.current];
    const struct tmu_mesh mesh = {rend->mesh.vertices, rend->config.mesh_x, rend->config.mesh_y};
    const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    tmu_surface_guard(from);
    tmu_warp(rend->kernels, NULL, to, from, &mesh, v->wrap > 0.5f ? TMU_WRAP : TMU_CLAMP, 249,
             NULL);
    return seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

static double time_composite(struct stage *stage)
{
    const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    rend_composite(stage->rend, &stage->frame, stage->pixels, WIDTH);
    return seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

static double time_step(struct stage *stage, int number)
{
    const double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    step(stage, number);
    return seconds(CLOCK_THREAD_CPUTIME_ID) - start;
}

static void measure_preset(const char *path)
{
    struct stage stage;
    double warp[FRAME_ROUNDS];
    double composite[FRAME_ROUNDS];
    double whole[FRAME_ROUNDS];
    if (open_stage(&stage, path)) {
        for (int round = 0; round < FRAME_ROUNDS; round++) {
            warp[round] = time_warp(&stage);
            composite[round] = time_composite(&stage);
            whole[round] = time_step(&stage, FRAMES + 1 + round);
        }
        const double w = 1e3 * median(warp, FRAME_ROUNDS);
        const double c = 1e3 * median(composite, FRAME_ROUNDS);
        printf("  %6.2f  %9.2f  %8.2f  %6.2f  %s\n", w, c, w + c, 1e3 * median(whole, FRAME_ROUNDS),
               stage.preset.name);
    } else {
        (void)fprintf(stderr, "speed_tmu: cannot play %s\n", path);
    }
    close_stage(&stage);
}

int main(int count, char **arguments)
{
    static const char *const shipped[] = {
        TEST_SOURCE "/presets/originals/froth - Ember Tunnel.milk",
        TEST_SOURCE "/presets/originals/froth - Silk Knot.milk",
        TEST_SOURCE "/presets/originals/froth - Tidal Glass.milk",
        TEST_SOURCE "/presets/originals/froth - Night Drive.milk",
    };
    static struct set set;
    if (open_set(&set)) {
        measure_set(&set);
        measure_threads(&set);
    }
    close_set(&set);
    printf("%d x %d, one thread, milliseconds:\n    warp  composite  together   whole\n", WIDTH,
           HEIGHT);
    for (int i = 1; i < count; i++) {
        measure_preset(arguments[i]);
    }
    for (size_t i = 0; count < 2 && i < sizeof shipped / sizeof *shipped; i++) {
        measure_preset(shipped[i]);
    }
    return 0;
}
