/* What the library's interface costs: each frame is drawn by three shows, of which one is stepped
 * by nothing but the painter, one belongs to the program, and one to a host of the library. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench/bench.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "engine/embed/program.h"
#include "engine/loading.h"

static const struct base_place NOWHERE = {0};

/* In one run: 60 frames a second, the samples of each. */
enum { FPS = 60, SAMPLES = APP_BENCH_SAMPLES, MESH_X = 48, MESH_Y = 36 };

enum way { WAY_STEP, WAY_PROGRAM, WAY_LIBRARY, WAYS };

static const char *const way_names[WAYS] = {"step", "program", "library"};

struct beside {
    struct app_bench *bench;
    struct app_bench_case of;
    struct rend_pictures pictures;
    const char *path; /* of the preset in work */
    struct base_pool *pool;
    struct rend_resources *resources;
    struct rend_patch *patch;
    struct rend *rend;
    froth *shows[WAYS]; /* that of WAY_STEP is NULL */
    uint32_t *pixels[WAYS];
    double *times[WAYS]; /* processor seconds of each frame */
    double *ratios;      /* of each frame: the library's to the program's */
};

static int refuse(const struct base_diag_sink *sink, const char *what)
{
    base_report(sink, BASE_ERROR, NOWHERE, NULL, "%s", what);
    return -1;
}

static void close_shows(struct beside *beside)
{
    rend_free(beside->rend);
    rend_patch_free(beside->patch);
    rend_resources_free(beside->resources);
    base_pool_destroy(beside->pool);
    beside->rend = NULL;
    beside->patch = NULL;
    beside->resources = NULL;
    beside->pool = NULL;
    for (int way = 0; way < WAYS; way++) {
        froth_free(beside->shows[way]);
        beside->shows[way] = NULL;
    }
}

static froth *open_show(const struct beside *beside, bool in_place,
                        const struct base_diag_sink *sink)
{
    struct froth_config config;
    (void)froth_config_begin(&config, sizeof config);
    config.exact = 1;
    config.width = beside->of.width;
    config.height = beside->of.height;
    config.threads = (int)beside->of.threads;
    config.advance = 0;
    const struct instance_extras extras = {.cpu = beside->bench->cpu,
                                           .sink = sink,
                                           .pictures = &beside->pictures,
                                           .in_place = in_place};
    froth *show = instance_create(&config, &extras, NULL);
    if (show != NULL && froth_load_file(show, beside->path, FROTH_HARD) != FROTH_OK) {
        froth_free(show);
        return NULL;
    }
    return show;
}

/* 0; 1: the preset does not load; -1 without memory or threads. */
static int open_shows(struct beside *beside, const struct base_diag_sink *sink)
{
    const struct rend_config config = {.width = beside->of.width,
                                       .height = beside->of.height,
                                       .mesh_x = MESH_X,
                                       .mesh_y = MESH_Y,
                                       .fps = FPS,
                                       .cpu = beside->bench->cpu,
                                       .pool = beside->pool = base_pool_create(beside->of.threads)};
    beside->resources = rend_resources_create(&beside->pictures);
    beside->rend = rend_create(&config);
    if (beside->pool == NULL || beside->resources == NULL || beside->rend == NULL) {
        return refuse(sink, "not enough memory, or no threads");
    }
    beside->patch =
        engine_patch_load(beside->path, (struct base_span){0}, beside->resources, NULL, sink);
    if (beside->patch == NULL || rend_load(beside->rend, beside->patch, 0, NULL) != 0) {
        return 1;
    }
    beside->shows[WAY_PROGRAM] = open_show(beside, true, NULL);
    beside->shows[WAY_LIBRARY] = open_show(beside, false, NULL);
    return beside->shows[WAY_PROGRAM] != NULL && beside->shows[WAY_LIBRARY] != NULL
               ? 0
               : refuse(sink, "not enough memory, or no threads");
}

static void draw(struct beside *beside, enum way way, size_t frame)
{
    const float *sound = beside->bench->sound + 2 * SAMPLES * frame;
    const size_t width = (size_t)beside->of.width;
    if (way == WAY_STEP) {
        const struct rend_input input = {.frame = frame + 1,
                                         .time = (double)(frame + 1) / FPS,
                                         .fps = FPS,
                                         .audio = sound,
                                         .audio_frames = SAMPLES};
        (void)rend_step(beside->rend, &input, beside->pixels[way], width);
        return;
    }
    const struct froth_picture picture = {.pixels = beside->pixels[way],
                                          .stride = width * sizeof *beside->pixels[way],
                                          .width = beside->of.width,
                                          .height = beside->of.height,
                                          .format = FROTH_BGRX};
    (void)froth_add_sound_float(beside->shows[way], sound, SAMPLES, 2, FPS * SAMPLES);
    (void)froth_render(beside->shows[way], &picture);
}

static int by_value(const void *one, const void *other)
{
    const double difference = *(const double *)one - *(const double *)other;
    return difference < 0 ? -1 : difference > 0;
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

/* Draws all frames, each by all ways, which come in every order equally often. Returns -1 where
 * somebody asks to stop. */
static int draw_all(struct beside *beside)
{
    static const enum way orders[][WAYS] = {
        {WAY_STEP, WAY_PROGRAM, WAY_LIBRARY}, {WAY_LIBRARY, WAY_PROGRAM, WAY_STEP},
        {WAY_PROGRAM, WAY_LIBRARY, WAY_STEP}, {WAY_STEP, WAY_LIBRARY, WAY_PROGRAM},
        {WAY_LIBRARY, WAY_STEP, WAY_PROGRAM}, {WAY_PROGRAM, WAY_STEP, WAY_LIBRARY}};
    struct app_bench *bench = beside->bench;
    for (size_t frame = 0; frame < bench->frames; frame++) {
        if (base_stop_wanted()) {
            return -1;
        }
        for (unsigned turn = 0; turn < WAYS; turn++) {
            const enum way way = orders[frame % (sizeof orders / sizeof *orders)][turn];
            const struct app_time from = app_stage_times_now(&bench->times);
            draw(beside, way, frame);
            beside->times[way][frame] = app_stage_times_now(&bench->times).cpu - from.cpu;
        }
        beside->ratios[frame] =
            beside->times[WAY_LIBRARY][frame] / beside->times[WAY_PROGRAM][frame];
    }
    return 0;
}

/* What a case has measured: a value for each preset. */
struct figures {
    double *medians[WAYS]; /* of a preset's frames */
    double *ratios;
    size_t count;
    double worst; /* ratio */
    const char *worst_path;
    size_t apart; /* presets whose last pictures are not the same */
};

static int measure(struct beside *beside, struct figures *figures,
                   const struct base_diag_sink *sink)
{
    const size_t frames = beside->bench->frames;
    int result = open_shows(beside, sink);
    if (result == 0) {
        result = draw_all(beside);
    }
    if (result == 0) {
        const size_t size = (size_t)beside->of.width * (size_t)beside->of.height * sizeof(uint32_t);
        const bool same =
            memcmp(beside->pixels[WAY_PROGRAM], beside->pixels[WAY_LIBRARY], size) == 0;
        const double ratio = median(beside->ratios, frames);
        if (!same) {
            base_report(sink, BASE_ERROR, (struct base_place){.file = beside->path}, NULL,
                        "the library paints another picture");
        }
        figures->apart += !same;
        for (int way = 0; way < WAYS; way++) {
            figures->medians[way][figures->count] = median(beside->times[way], frames);
        }
        figures->ratios[figures->count++] = ratio;
        if (figures->worst_path == NULL || ratio > figures->worst) {
            figures->worst = ratio;
            figures->worst_path = beside->path;
        }
    }
    close_shows(beside);
    return result;
}

static void print(const struct app_bench_case *of, struct figures *figures, bool json)
{
    double medians[WAYS];
    for (int way = 0; way < WAYS; way++) {
        medians[way] = 1e3 * median(figures->medians[way], figures->count);
    }
    const double ratio = median(figures->ratios, figures->count);
    const char *slash = strrchr(figures->worst_path, '/');
    const char *worst = slash != NULL ? slash + 1 : figures->worst_path;
    if (json) {
        (void)printf("{\"size\":\"%dx%d\",\"threads\":%zu,\"presets\":%zu", of->width, of->height,
                     of->threads, figures->count);
        for (int way = 0; way < WAYS; way++) {
            (void)printf(",\"%s_ms\":%.4f", way_names[way], medians[way]);
        }
        (void)printf(",\"ratio\":%.4f,\"worst_ratio\":%.4f,\"worst\":", ratio, figures->worst);
        base_json_string(stdout, worst);
        (void)fputs("}\n", stdout);
        return;
    }
    (void)printf("%dx%d, %zu thread%s: ", of->width, of->height, of->threads,
                 of->threads == 1 ? "" : "s");
    (void)printf("step %.3f, program %.3f, library %.3f; library/program %.4f, worst %.4f ",
                 medians[WAY_STEP], medians[WAY_PROGRAM], medians[WAY_LIBRARY], ratio,
                 figures->worst);
    base_plain(stdout, worst);
    (void)fputc('\n', stdout);
}

static bool make_room(struct beside *beside, struct figures *figures, size_t presets)
{
    const size_t frames = beside->bench->frames;
    bool good = true;
    for (int way = 0; way < WAYS; way++) {
        beside->times[way] = calloc(frames, sizeof *beside->times[way]);
        figures->medians[way] = calloc(presets, sizeof *figures->medians[way]);
        good = good && beside->times[way] != NULL && figures->medians[way] != NULL;
    }
    beside->ratios = calloc(frames, sizeof *beside->ratios);
    figures->ratios = calloc(presets, sizeof *figures->ratios);
    return good && beside->ratios != NULL && figures->ratios != NULL;
}

static int run_case(struct beside *beside, struct figures *figures, const struct preset_list *list,
                    bool json)
{
    const size_t pixels = (size_t)beside->of.width * (size_t)beside->of.height;
    int result = 0;
    for (int way = 0; way < WAYS; way++) {
        beside->pixels[way] = calloc(pixels, sizeof *beside->pixels[way]);
        result = beside->pixels[way] != NULL ? result : -1;
    }
    figures->count = 0;
    figures->worst_path = NULL;
    for (size_t i = 0; i < list->count && result >= 0; i++) {
        beside->path = list->paths[i];
        result = measure(beside, figures, &base_diag_stderr);
        beside->bench->left_out += result == 1;
    }
    if (result >= 0 && figures->count > 0) {
        print(&beside->of, figures, json);
    }
    for (int way = 0; way < WAYS; way++) {
        free(beside->pixels[way]);
        beside->pixels[way] = NULL;
    }
    return result < 0 ? -1 : 0;
}

int app_bench_beside(struct app_bench *bench, const struct app_options *options,
                     const struct preset_list *list)
{
    struct beside beside = {.bench = bench, .pictures = app_pictures_of(&bench->textures, options)};
    struct figures figures = {.count = 0};
    int result = make_room(&beside, &figures, list->count)
                     ? 0
                     : refuse(&base_diag_stderr, "not enough memory");
    if (result == 0 && !options->json) {
        (void)printf("%zu preset%s, %zu frame%s of each, %s\n"
                     "processor time of all threads for a frame in ms, medians\n",
                     list->count, base_plural(list->count), bench->frames,
                     base_plural(bench->frames), base_cpu_level_name(bench->cpu));
    }
    for (size_t i = 0; i < bench->case_count && result == 0; i++) {
        beside.of = bench->cases[i];
        result = run_case(&beside, &figures, list, options->json);
    }
    for (int way = 0; way < WAYS; way++) {
        free(beside.times[way]);
        free(figures.medians[way]);
    }
    free(beside.ratios);
    free(figures.ratios);
    return result == 0 && figures.apart == 0 ? 0 : -1;
}
