/* Speed of compiled shaders: one thread over a canvas of 640 x 480, without the mesh and what
 * becomes of the result.
 *   speed_shader [PRESET...]
 * Without presets some typical stages. Medians of a few rounds; est is shader_stats' estimate. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/os/print.h"
#include "base/random.h"
#include "presets/presets.h"
#include "renderer/shader/shader.h"

enum { WIDTH = 640, HEIGHT = 480, ROUNDS = 5, COMPILATIONS = 3, PRESETS_MAX = 512 };
enum { TILES = WIDTH * HEIGHT / SHADER_TILE };
enum { PICTURE, NOISE, VOLUME, BLUR, IMAGES };

static struct shader_image images[IMAGES];

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
    return count == 0 ? 0 : numbers[count / 2];
}

/* ---- a frame ---- */

static bool open_images(void)
{
    static const int sizes[IMAGES][3] = {
        {WIDTH, HEIGHT, 1}, {256, 256, 1}, {32, 32, 32}, {160, 120, 1}};
    static uint32_t texels[WIDTH * HEIGHT];
    struct base_rng rng;
    base_rng_seed(&rng, 1, 0);
    for (size_t i = 0; i < sizeof texels / sizeof *texels; i++) {
        texels[i] = base_rng_next(&rng);
    }
    for (int i = 0; i < IMAGES; i++) {
        if (shader_image_create(&images[i], texels, (size_t)sizes[i][0], sizes[i][0], sizes[i][1],
                                sizes[i][2]) != 0) {
            return false;
        }
        if (i == PICTURE || i == BLUR) {
            images[i].texture.levels = 1;
            images[i].texture.opaque = true;
        }
    }
    return true;
}

static void close_images(void)
{
    for (int i = 0; i < IMAGES; i++) {
        shader_image_free(&images[i]);
    }
}

static const struct shader_texture *texture_of(const struct shader_binding *binding)
{
    int image = binding->volume ? VOLUME : NOISE;
    if (strcmp(binding->name, "main") == 0) {
        image = PICTURE;
    } else if (strncmp(binding->name, "blur", 4) == 0) {
        image = BLUR;
    }
    return &images[image].texture;
}

static void fill_uniforms(struct shader_frame *frame)
{
    for (size_t i = 0; i < SHADER_SLOTS; i++) {
        frame->uniforms[i] = 0.3f + (float)(i % 11) * 0.0625f;
    }
    const float sizes[] = {WIDTH, HEIGHT, 1.0f / WIDTH, 1.0f / HEIGHT};
    const float aspect[] = {1, 0.75f, 1, 1 / 0.75f};
    memcpy(frame->uniforms + SHADER_SLOT_texsize, sizes, sizeof sizes);
    memcpy(frame->uniforms + SHADER_SLOT_aspect, aspect, sizeof aspect);
    frame->uniforms[SHADER_SLOT_time] = 12.5f;
    for (size_t i = 0; i < 3; i++) {
        frame->uniforms[SHADER_SLOT_blur1_min + 2 * i] = 0;
        frame->uniforms[SHADER_SLOT_blur1_max + 2 * i] = 1;
    }
}

/* Inputs of all pixels, tile after tile; angles need not be right. */
static float (*inputs)[SHADER_INPUTS][SHADER_TILE];

static void place_pixel(float (*tile)[SHADER_TILE], int lane, int x, int y)
{
    const float u = ((float)x + 0.5f) / WIDTH;
    const float v = ((float)y + 0.5f) / HEIGHT;
    const float px = u - 0.5f;
    const float py = v - 0.5f;
    const float numbers[SHADER_INPUTS] = {0.5f + px * 0.97f - py * 0.02f,
                                          0.5f + py * 0.97f + px * 0.02f,
                                          u,
                                          v,
                                          2 * sqrtf(px * px + py * py),
                                          3.14f * (px + py),
                                          u,
                                          v,
                                          1 - u};
    for (int i = 0; i < SHADER_INPUTS; i++) {
        tile[i][lane] = numbers[i];
    }
}

static bool place_pixels(void)
{
    inputs = malloc(TILES * sizeof *inputs);
    for (int k = 0; inputs != NULL && k < TILES; k++) {
        const int x = k % (WIDTH / SHADER_TILE_COLUMNS) * SHADER_TILE_COLUMNS;
        const int y = k / (WIDTH / SHADER_TILE_COLUMNS) * SHADER_TILE_ROWS;
        for (int lane = 0; lane < SHADER_TILE; lane++) {
            place_pixel(inputs[k], lane, x + lane % SHADER_TILE_COLUMNS,
                        y + lane / SHADER_TILE_COLUMNS);
        }
    }
    return inputs != NULL;
}

struct work {
    struct shader_frame frame;
    void *scratch;
    bool comp;
    bool whole;
};

static bool open_work(struct work *work, const struct shader_program *program,
                      enum base_cpu_level level)
{
    *work = (struct work){.frame = {.program = program, .cpu = level}, .whole = true};
    work->frame.constants = aligned_alloc(64, shader_constants_size(program));
    work->scratch = aligned_alloc(64, shader_scratch_size(program));
    if (work->frame.constants == NULL || work->scratch == NULL) {
        return false;
    }
    fill_uniforms(&work->frame);
    const struct shader_binding *bindings;
    const size_t count = shader_bindings(program, &bindings);
    for (size_t i = 0; i < count; i++) {
        work->frame.textures[i] = texture_of(&bindings[i]);
    }
    return true;
}

static void close_work(struct work *work)
{
    free(work->frame.constants);
    free(work->scratch);
}

/* With the inputs of each tile copied from where they stand. */
static double time_frame(struct work *work, int every)
{
    const double start = seconds();
    shader_prepare(&work->frame);
    struct shader_tile tile = shader_tile(&work->frame, work->scratch);
    for (int k = 0; k < TILES; k += every) {
        for (int i = 0; i < SHADER_INPUTS; i++) {
            /* Warp reads along a mesh that turns and grows a little, comp at the pixels. */
            const int from = work->comp && i <= SHADER_INPUT_V ? i + SHADER_INPUT_U_ORIG : i;
            if (tile.input[i] != NULL) {
                memcpy(tile.input[i], inputs[k][from], sizeof inputs[k][from]);
            }
        }
        work->whole &= shader_run(&work->frame, work->scratch, &tile);
    }
    return (seconds() - start) * every;
}

static double time_program(const struct shader_program *program, enum shader_stage stage,
                           enum base_cpu_level level, bool *whole)
{
    double times[ROUNDS] = {0};
    struct work work;
    const int every = level == BASE_CPU_PLAIN ? 8 : 1;
    if (open_work(&work, program, level)) {
        work.comp = stage == SHADER_COMP;
        for (int round = 0; round < ROUNDS; round++) {
            times[round] = time_frame(&work, every);
        }
    }
    *whole = work.whole;
    close_work(&work);
    return median(times, ROUNDS);
}

/* ---- stages ---- */

struct result {
    double compile; /* seconds */
    double run;
    bool whole;
};

static struct shader_program *compile(enum shader_stage stage, const struct base_source *source,
                                      double *spent)
{
    double times[COMPILATIONS];
    struct shader_program *program = NULL;
    for (int i = 0; i < COMPILATIONS; i++) {
        shader_free(program);
        const double start = seconds();
        program = shader_compile(stage, source, i == 0 ? &base_diag_stderr : NULL);
        times[i] = seconds() - start;
    }
    *spent = median(times, COMPILATIONS);
    return program;
}

static bool measure(const char *name, enum shader_stage stage, const struct base_source *source,
                    enum base_cpu_level level, struct result *result)
{
    static const char *const stages[SHADER_STAGES] = {"warp", "comp"};
    struct shader_program *program = compile(stage, source, &result->compile);
    if (program == NULL) {
        return false;
    }
    const struct shader_stats stats = shader_stats(program);
    result->run = time_program(program, stage, level, &result->whole);
    const double pixels = WIDTH * HEIGHT;
    printf("%6.2f %7.2f %6.2f %6.2f  %5zu %4zu %3zu %3zu  %6.2f%s  %s %s\n", result->run * 1e3,
           result->run * 1e9 / pixels, stats.ms_per_megapixel * 1e-6 * pixels,
           stats.operations == 0 ? 0 : result->run * 1e9 / pixels / (double)stats.operations,
           stats.operations, stats.reads, stats.loops, stats.registers, result->compile * 1e3,
           result->whole ? "" : " !", stages[stage], name);
    shader_free(program);
    return true;
}

static void measure_text(const char *name, const char *text)
{
    const struct base_source_line line = {base_span_of(text), 1, 1};
    const struct base_source source = {name, &line, 1};
    struct result result;
    (void)measure(name, SHADER_COMP, &source, base_cpu_best(), &result);
    (void)measure("the same, plain", SHADER_COMP, &source, BASE_CPU_PLAIN, &result);
}

struct totals {
    double compile[PRESETS_MAX];
    double run[PRESETS_MAX];
    size_t count;
    size_t refused; /* stages */
};

static void measure_preset(const char *path, struct totals *totals)
{
    struct preset preset;
    if (preset_read_file(&preset, path, NULL) != 0) {
        (void)fprintf(stderr, "speed_shader: cannot read %s\n", path);
        return;
    }
    const struct base_source *sources[SHADER_STAGES] = {&preset.warp_code, &preset.comp_code};
    double compile_time = 0;
    double run_time = 0;
    for (int stage = 0; stage < SHADER_STAGES; stage++) {
        struct result result;
        if (sources[stage]->count == 0) {
            continue;
        }
        if (!measure(preset.name, (enum shader_stage)stage, sources[stage], base_cpu_best(),
                     &result)) {
            totals->refused++;
            continue;
        }
        compile_time += result.compile;
        run_time += result.run;
    }
    if (totals->count < PRESETS_MAX) {
        totals->compile[totals->count] = compile_time;
        totals->run[totals->count++] = run_time;
    }
    preset_free(&preset);
}

static void print_totals(struct totals *totals)
{
    const size_t count = totals->count;
    const double run = median(totals->run, count);
    const double compile_time = median(totals->compile, count);
    if (count > 0) {
        printf("%zu presets, both stages: run %.2f ms, worst %.2f; compile %.2f ms, worst %.2f; "
               "%zu stages refused\n",
               count, run * 1e3, totals->run[count - 1] * 1e3, compile_time * 1e3,
               totals->compile[count - 1] * 1e3, totals->refused);
    }
}

static void measure_typical(void)
{
    static const char *const texts[][2] = {
        {"copy", "shader_body { ret = tex2D(sampler_main, uv); }"},
        {"blur", "shader_body { ret = tex2D(sampler_main, uv) * 0.9 + GetBlur1(uv) * 0.1 - 0.004;"
                 "ret = lerp(ret, GetBlur3(uv), 0.2); }"},
        {"edges", "shader_body { float2 d = texsize.zw * 2; float3 dx = GetPixel(uv + d * "
                  "float2(1, 0)) - GetPixel(uv - d * float2(1, 0)); float3 dy = GetPixel(uv + d * "
                  "float2(0, 1)) - GetPixel(uv - d * float2(0, 1)); ret = sqrt(dx * dx + dy * dy); "
                  "ret = saturate(ret * 2) * GetBlur1(uv); }"},
        {"mathematics",
         "shader_body { float2 z = uv - 0.5; float3 s = 0; float k = 1; s += sin(k * "
         "z.xyx * 7 + time); s += cos(s.yzx * 3 + rad); s = lerp(s, pow(abs(s), "
         "1.7), 0.5); s *= rsqrt(1 + dot(s, s)); s += atan2(z.y, z.x) * 0.2; ret = "
         "frac(s) * exp(-rad) + log(1 + rad) * 0.1; }"},
        {"loop",
         "shader_body { float2 c = uv * 3 - 1.5; float2 z = c; float n = 0; while (n < 8 + "
         "q1 && dot(z, z) < 4) { z = float2(z.x * z.x - z.y * z.y, 2 * z.x * z.y) + c; n += "
         "1; } ret = n / 12; }"},
        {"noise",
         "sampler sampler_pw_noise_lq; shader_body { float3 n = tex2D(sampler_noise_hq, uv "
         "* 3).xyz + tex2D(sampler_pw_noise_lq, uv * 7 + time).xyz + "
         "tex3D(sampler_noisevol_hq, float3(uv * 2, time)).xyz; ret = n * 0.33; }"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        measure_text(texts[i][0], texts[i][1]);
    }
}

int main(int count, char **arguments)
{
    static struct totals totals;
    if (!open_images() || !place_pixels()) {
        close_images();
        return EXIT_FAILURE;
    }
    printf("    ms  ns/pix    est  ns/op    ops read loop regs  compile\n");
    if (count < 2) {
        measure_typical();
    }
    for (int i = 1; i < count; i++) {
        measure_preset(arguments[i], &totals);
    }
    print_totals(&totals);
    close_images();
    free(inputs);
    return EXIT_SUCCESS;
}
