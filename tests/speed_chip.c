/* Processor time of the chip's mapper and of textures, for a pixel, beside a bare loop that only
 * gathers four texels of 8 bits per channel at ready-made positions and blends them.
 *   speed_chip
 * Everything is measured in turn, many times; medians are printed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "board/mapper/kernels.h"
#include "tmu/texture.h"
#include "yardstick.h"

enum { SIZE = 512, PIXELS = SIZE * SIZE, RUNS = 41, MEMORY = 1 << 22, TARGET = 1 << 20 };
enum { VERTICES = BOARD_MAPPER_PITCH * BOARD_MAPPER_PITCH, STRIDE = SIZE + 8 };

struct bench {
    struct board_mapper chip;
    struct board_mapper_memory memory;
    struct board_mapper_vertex *vertices;
    uint32_t *x; /* of each pixel, 16 fraction bits */
    uint32_t *y;
    int32_t *u; /* the same in turns */
    int32_t *v;
    uint16_t *detail;
    uint32_t *picture; /* with room for neighbours */
    uint32_t *result;
    struct tmu_texture texture;
    struct tmu_texture_sampler sampler;
    enum base_cpu_level level;
};

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void run_yardstick(struct bench *bench)
{
    for (size_t at = 0; at < PIXELS; at += SIZE) {
        yardstick_row(bench->result + at, bench->picture, STRIDE, bench->x + at, bench->y + at,
                      SIZE);
    }
}

static void run_reference(struct bench *bench)
{
    (void)board_mapper_run(&bench->chip, &bench->memory, bench->vertices);
}

static void run_fast(struct bench *bench)
{
    (void)board_mapper_run_fast(&bench->chip, &bench->memory, bench->vertices, bench->level);
}

static void run_texture(struct bench *bench)
{
    for (size_t at = 0; at < PIXELS; at += SIZE) {
        tmu_texture_row(bench->result + at, &bench->texture, &bench->sampler, bench->u + at,
                        bench->v + at, bench->detail + at, SIZE);
    }
}

/* One thing to be measured; the fields that it does not use are 0. */
struct way {
    const char *name;
    void (*run)(struct bench *bench);
    enum base_cpu_level level;
    int32_t brightness; /* off what is whole */
    int32_t alpha;
    uint32_t flags;
    enum tmu_texture_filter filter;
    enum tmu_texture_format format;
    enum tmu_texture_layout layout;
};

static const struct way ways[] = {
    {.name = "bare loop, 8 bits per channel", .run = run_yardstick},
    {.name = "chip, reference", .run = run_reference},
    {.name = "chip, plain", .run = run_fast, .level = BASE_CPU_PLAIN},
    {.name = "chip, sse41", .run = run_fast, .level = BASE_CPU_FOUR},
    {.name = "chip, avx2", .run = run_fast, .level = BASE_CPU_AVX2},
    {.name = "chip, avx2, darker", .run = run_fast, .level = BASE_CPU_AVX2, .brightness = 3},
    {.name = "chip, avx2, blended", .run = run_fast, .level = BASE_CPU_AVX2, .alpha = 32},
    {.name = "chip, avx2, chroma key",
     .run = run_fast,
     .level = BASE_CPU_AVX2,
     .flags = BOARD_MAPPER_CHROMA_KEY},
    {.name = "texture, nearest", .run = run_texture},
    {.name = "texture, bilinear", .run = run_texture, .filter = TMU_TEXTURE_BILINEAR},
    {.name = "texture, bilinear, tiles",
     .run = run_texture,
     .filter = TMU_TEXTURE_BILINEAR,
     .layout = TMU_TEXTURE_TILES},
    {.name = "texture, bilinear, tiles, 4-bit table",
     .run = run_texture,
     .filter = TMU_TEXTURE_BILINEAR,
     .format = TMU_TEXTURE_INDEX4,
     .layout = TMU_TEXTURE_TILES},
    {.name = "texture, trilinear, tiles",
     .run = run_texture,
     .filter = TMU_TEXTURE_TRILINEAR,
     .layout = TMU_TEXTURE_TILES},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* The rotozoom set of the published table. */
static void make_mesh(struct bench *bench)
{
    for (int y = 0; y <= 32; y++) {
        for (int x = 0; x <= 32; x++) {
            const int32_t across = 16 * x - 256;
            const int32_t down = 16 * y - 256;
            bench->vertices[y * BOARD_MAPPER_PITCH + x] = (struct board_mapper_vertex){
                across * 67 - down * 28 + 16384, across * 28 + down * 67 + 16384};
        }
    }
}

static void make_positions(struct bench *bench)
{
    const int32_t mask = 64 * SIZE - 1;
    const int shift = TMU_TEXTURE_TURN_BITS - 9 - 6;
    for (int i = 0; i < PIXELS; i++) {
        const int32_t across = i % SIZE - 256;
        const int32_t down = i / SIZE - 256;
        const int32_t x = (across * 67 - down * 28 + 16384) & mask;
        const int32_t y = (across * 28 + down * 67 + 16384) & mask;
        bench->x[i] = (uint32_t)x << 10;
        bench->y[i] = (uint32_t)y << 10;
        bench->u[i] = (int32_t)((uint32_t)x << shift);
        bench->v[i] = (int32_t)((uint32_t)y << shift);
        bench->detail[i] = 100;
    }
}

static void make_chip(struct bench *bench)
{
    board_mapper_reset(&bench->chip, BOARD_MAPPER_CURRENT);
    struct board_mapper_registers *registers = &bench->chip.registers;
    registers->hmeshlast = 32;
    registers->vmeshlast = 32;
    registers->texhmask = 64 * SIZE - 1;
    registers->texvmask = 64 * SIZE - 1;
    registers->dstfbuf = TARGET;
    registers->dsthres = SIZE;
    registers->dstvres = SIZE;
    registers->chromakey = 0x4444;
}

static bool create(struct bench *bench)
{
    bench->memory =
        (struct board_mapper_memory){malloc(MEMORY + BOARD_MAPPER_MEMORY_GUARD), MEMORY};
    bench->vertices = calloc(VERTICES, sizeof *bench->vertices);
    int32_t *positions = malloc(4 * PIXELS * sizeof *positions);
    bench->detail = malloc(PIXELS * sizeof *bench->detail);
    bench->picture = calloc(STRIDE * (SIZE + 2), sizeof *bench->picture);
    bench->result = calloc(PIXELS, sizeof *bench->result);
    bench->x = (uint32_t *)positions;
    bench->y = (uint32_t *)positions + PIXELS;
    bench->u = positions + 2 * PIXELS;
    bench->v = positions + 3 * PIXELS;
    return bench->memory.bytes != NULL && bench->vertices != NULL && positions != NULL &&
           bench->detail != NULL && bench->picture != NULL && bench->result != NULL;
}

static void fill(struct bench *bench)
{
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < MEMORY + BOARD_MAPPER_MEMORY_GUARD; i++) {
        bench->memory.bytes[i] = (uint8_t)(base_rng_next(&rng) >> 24);
    }
    for (size_t i = 0; i < STRIDE * (SIZE + 2); i++) {
        bench->picture[i] = base_rng_next(&rng) & 0xFFFFFF;
    }
    make_chip(bench);
    make_mesh(bench);
    make_positions(bench);
}

static bool prepare(struct bench *bench, const struct way *way)
{
    bench->level = way->level;
    bench->chip.registers.brightness = 63 - way->brightness;
    bench->chip.registers.alpha = 63 - way->alpha;
    bench->chip.registers.flags = way->flags;
    bench->sampler = (struct tmu_texture_sampler){TMU_WRAP, TMU_WRAP, way->filter};
    const struct tmu_texture_form form = {SIZE, SIZE, 0, way->format, way->layout};
    bench->texture = tmu_texture_create(&form);
    if (bench->texture.texels == NULL) {
        return false;
    }
    tmu_texture_put(&bench->texture, 0, bench->picture, STRIDE);
    return true;
}

static double measure(struct bench *bench, const struct way *way)
{
    if (!prepare(bench, way)) {
        return 0.0;
    }
    way->run(bench); /* once for the caches */
    const double start = seconds();
    way->run(bench);
    const double result = seconds() - start;
    tmu_texture_free(&bench->texture);
    return 1e9 * result / PIXELS;
}

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(void)
{
    static double times[WAYS][RUNS];
    struct bench bench = {0};
    if (base_cpu_best() < BASE_CPU_AVX2) {
        (void)fprintf(stderr, "speed_chip: the bare loop needs AVX2\n");
        return 1;
    }
    if (!create(&bench)) {
        (void)fprintf(stderr, "speed_chip: no memory\n");
        return 1;
    }
    fill(&bench);
    for (size_t i = 0; i < RUNS * WAYS; i++) {
        times[i % WAYS][i / WAYS] = measure(&bench, &ways[i % WAYS]);
    }
    for (size_t i = 0; i < WAYS; i++) {
        qsort(times[i], RUNS, sizeof times[i][0], compare_numbers);
        printf("%-40s %6.2f ns per pixel %6.2f times the bare loop\n", ways[i].name,
               times[i][RUNS / 2], times[i][RUNS / 2] / times[0][RUNS / 2]);
    }
    free(bench.memory.bytes);
    free(bench.vertices);
    free(bench.x);
    free(bench.detail);
    free(bench.picture);
    free(bench.result);
    return 0;
}
