/* Speed of texture reads of shaders, in nanoseconds per pixel.
 *   speed_shader_read
 * What it takes to ask for the time is taken off.
 * Three channels are read, over a picture of 640 x 480 or its equal. Everything is measured in
 * turn; medians are printed. Beside each read of a picture's largest level stands a bare loop
 * (yardstick.h), which gathers texels at places that are known and blends them to bytes. */
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "renderer/shader/texture/texture.h"
#include "renderer/shader/shader.h"
#include "renderer/shader/run/kernels.h"
#include "tmu/tmu.h"
#include "yardstick.h"

enum {
    WIDTH = 640,
    HEIGHT = 480,
    ROW = 2 * WIDTH / SHADER_TILE_COLUMNS,
    TILES = WIDTH * HEIGHT / SHADER_TILE,
    ROUNDS = 31
};

enum where {
    CENTRES,   /* of texels, one by one */
    BESIDE,    /* a part of a texel beside them */
    TURNED,    /* a picture turned a little and enlarged by a twentieth */
    REDUCED,   /* steps of three texels */
    HALVES,    /* of half a texel */
    SCATTERED, /* anywhere */
    WHERES
};

struct way {
    const char *name;
    const char *texture; /* NULL: a surface of the picture's size */
    enum where where;
    bool linear;
    enum shader_address address;
    bool volume;
    bool grid;
};

static const struct way ways[] = {
    {"grid, centres", NULL, CENTRES, true, SHADER_REPEAT, false, true},
    {"grid, beside centres", NULL, BESIDE, true, SHADER_REPEAT, false, true},
    {"grid, halves", NULL, HALVES, true, SHADER_CLAMP, false, true},
    {"linear, centres", NULL, CENTRES, true, SHADER_REPEAT, false, false},
    {"linear, beside centres", NULL, BESIDE, true, SHADER_REPEAT, false, false},
    {"linear, turned", NULL, TURNED, true, SHADER_REPEAT, false, false},
    {"linear, turned, clamped", NULL, TURNED, true, SHADER_CLAMP, false, false},
    {"linear, reduced", NULL, REDUCED, true, SHADER_REPEAT, false, false},
    {"linear, scattered", NULL, SCATTERED, true, SHADER_REPEAT, false, false},
    {"nearest, centres", NULL, CENTRES, false, SHADER_REPEAT, false, false},
    {"nearest, turned", NULL, TURNED, false, SHADER_REPEAT, false, false},
    {"nearest, scattered", NULL, SCATTERED, false, SHADER_REPEAT, false, false},
    {"noise, enlarged", "noise_lq", TURNED, true, SHADER_REPEAT, false, false},
    {"noise, reduced", "noise_lq", REDUCED, true, SHADER_REPEAT, false, false},
    {"noise, scattered", "noise_lq", SCATTERED, true, SHADER_REPEAT, false, false},
    {"noise, reduced, nearest", "noise_lq", REDUCED, false, SHADER_REPEAT, false, false},
    {"volume, enlarged", "noisevol_hq", TURNED, true, SHADER_REPEAT, true, false},
    {"volume, scattered", "noisevol_hq", SCATTERED, true, SHADER_REPEAT, true, false},
    {"volume, nearest", "noisevol_hq", TURNED, false, SHADER_REPEAT, true, false},
};
enum { WAYS = sizeof ways / sizeof *ways };

struct set {
    struct tmu_surface surface;
    struct shader_texture picture;
    struct shader_noises noises;
    struct {
        alignas(32) float c[3][SHADER_TILE];
    } tiles[WHERES][TILES];
};

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
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

/* What passes between two questions for the time. */
static double clock_cost(void)
{
    double spent[ROUNDS];
    for (size_t round = 0; round < ROUNDS; round++) {
        const double start = seconds();
        spent[round] = seconds() - start;
    }
    return median(spent, ROUNDS);
}

static float random_turn(struct base_rng *rng)
{
    return (float)(base_rng_next(rng) >> 8) * 0x1p-24f;
}

/* Texels of the picture from its middle. */
static void place(float c[3], enum where where, double x, double y, struct base_rng *rng)
{
    static const double across[] = {1.0, 1.0, 0.94, 3.0, 0.5, 0.0};
    static const double down[] = {0.0, 0.0, 0.13, 0.1, 0.0, 0.0};
    const double moved = where == BESIDE ? 0.3 : 0.0;
    c[0] = (float)((across[where] * x + down[where] * y + moved) / WIDTH + 0.5);
    c[1] = (float)((across[where] * y - down[where] * x + moved) / HEIGHT + 0.5);
    c[2] = (float)(0.001 * x + 0.002 * y);
    for (int i = 0; where == SCATTERED && i < 3; i++) {
        c[i] = random_turn(rng);
    }
}

static void place_tiles(struct set *set, enum where where)
{
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    const int across = WIDTH / SHADER_TILE_COLUMNS;
    for (int tile = 0; tile < TILES; tile++) {
        for (int i = 0; i < SHADER_TILE; i++) {
            const int x = tile % across * SHADER_TILE_COLUMNS + i % SHADER_TILE_COLUMNS;
            const int y = tile / across * SHADER_TILE_ROWS + i / SHADER_TILE_COLUMNS;
            float c[3];
            place(c, where, x + 0.5 - WIDTH / 2, y + 0.5 - HEIGHT / 2, &rng);
            for (int k = 0; k < 3; k++) {
                set->tiles[where][tile].c[k][i] = c[k];
            }
        }
    }
}

static bool open_set(struct set *set)
{
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    set->surface = tmu_surface_create(WIDTH, HEIGHT);
    if (set->surface.pixels == NULL || shader_noises_create(&set->noises) != 0) {
        return false;
    }
    for (size_t i = 0; i < HEIGHT * set->surface.stride; i++) {
        set->surface.pixels[i] = base_rng_next(&rng) & 0xFFFFFF;
    }
    tmu_surface_guard(&set->surface);
    set->picture = shader_texture_of(&set->surface);
    for (int where = 0; where < WHERES; where++) {
        place_tiles(set, (enum where)where);
    }
    return true;
}

/* What a row of tiles reads with; from the cache, as in a shader. */
struct row {
    alignas(32) float c[ROW][3][SHADER_TILE];
    alignas(32) float result[3][SHADER_TILE];
    uint32_t place[ROW][2][SHADER_TILE]; /* of the bare loop */
};

static const struct shader_texture *texture_of(const struct set *set, const struct way *way)
{
    return way->texture == NULL ? &set->picture : shader_noises_find(&set->noises, way->texture);
}

/* 2^16 for a texel, inside the texture. */
static uint32_t bare_place(float c, int size)
{
    const double along = (c - floor(c)) * size;
    return (uint32_t)fmin(along * 65536, size * 65536.0 - 1);
}

static double time_bare(const struct set *set, const struct way *way)
{
    static struct row row;
    static uint32_t pixels[SHADER_TILE];
    const struct shader_level *level = &texture_of(set, way)->level[0];
    double spent = 0;
    for (size_t first = 0; first < TILES; first += ROW) {
        for (size_t tile = 0; tile < ROW; tile++) {
            for (size_t i = 0; i < SHADER_TILE; i++) {
                const float(*c)[SHADER_TILE] = set->tiles[way->where][first + tile].c;
                row.place[tile][0][i] = bare_place(c[0][i], level->width);
                row.place[tile][1][i] = bare_place(c[1][i], level->height);
            }
        }
        const double start = seconds();
        for (size_t tile = 0; tile < ROW; tile++) {
            yardstick_row(pixels, level->texels, level->pitch, row.place[tile][0],
                          row.place[tile][1], SHADER_TILE);
        }
        spent += seconds() - start;
    }
    return (spent - clock_cost() * TILES / ROW) * 1e9 / (WIDTH * HEIGHT);
}

static void read_row(const struct shader_read_kernels *kernels, const struct shader_read *form,
                     struct row *row)
{
    struct shader_read read = *form;
    for (size_t tile = 0; tile < ROW; tile++) {
        read.u = (struct shader_lanes){row->c[tile][0], SHADER_LANES};
        read.v = (struct shader_lanes){row->c[tile][1], SHADER_LANES};
        read.w = (struct shader_lanes){row->c[tile][2], SHADER_LANES};
        kernels->read(&read);
    }
}

/* Nanoseconds per pixel. */
static double time_way(const struct set *set, const struct way *way, enum base_cpu_level level)
{
    static struct row row;
    const struct shader_read read = {
        .texture = texture_of(set, way),
        .sampler = {way->linear, way->address},
        .volume = way->volume,
        .grid = way->grid,
        .count = SHADER_TILE,
        .result = {row.result[0], row.result[1], row.result[2], NULL},
    };
    double spent = 0;
    for (size_t tile = 0; tile < TILES; tile += ROW) {
        memcpy(row.c, set->tiles[way->where][tile].c, sizeof row.c);
        const double start = seconds();
        read_row(shader_read_for(level), &read, &row);
        spent += seconds() - start;
    }
    return (spent - clock_cost() * TILES / ROW) * 1e9 / (WIDTH * HEIGHT);
}

static void measure(const struct set *set)
{
    static double bare[WAYS][ROUNDS];
    static double times[WAYS][BASE_CPU_LEVEL_COUNT][ROUNDS];
    const int best = (int)base_cpu_best();
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < WAYS; i++) {
            bare[i][round] = best >= BASE_CPU_AVX2 ? time_bare(set, &ways[i]) : 0;
            for (int level = 0; level <= best; level++) {
                times[i][level][round] = time_way(set, &ways[i], (enum base_cpu_level)level);
            }
        }
    }
    printf("ns per pixel, three channels      bare");
    for (int level = 0; level <= best; level++) {
        printf("%8s", base_cpu_level_name((enum base_cpu_level)level));
    }
    printf("\n");
    for (size_t i = 0; i < WAYS; i++) {
        printf("  %-28s%8.2f", ways[i].name, median(bare[i], ROUNDS));
        for (int level = 0; level <= best; level++) {
            printf("%8.2f", median(times[i][level], ROUNDS));
        }
        printf("\n");
    }
}

int main(void)
{
    static struct set set;
    const bool open = open_set(&set);
    if (open) {
        const double opened = seconds();
        struct shader_noises noises;
        const int status = shader_noises_create(&noises);
        printf("noise textures: %.2f ms\n", 1e3 * (seconds() - opened));
        if (status == 0) {
            shader_noises_free(&noises);
        }
        measure(&set);
    }
    tmu_surface_free(&set.surface);
    shader_noises_free(&set.noises);
    return open ? 0 : 1;
}
