#include "app/bench/bench.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/device/device.h"
#include "app/io/audio.h"
#include "app/io/progress.h"
#include "app/loading/loading.h"
#include "engine/loading.h"
#include "app/options/options.h"
#include "base/os/print.h"
#include "base/os/thread.h"

static const struct base_place NOWHERE = {0};

/* ---- the stages of a frame ---- */

enum { TRIALS = 200, NAME_WIDTH = 14 };

static const struct {
    const char *name;
    enum rend_stage within;
} stages[REND_STAGES] = {
#define REND_STAGE(name, text, within, work) {text, REND_STAGE_##within},
#include "renderer/frame/stages.def"
};

const char *app_stage_name(enum rend_stage stage)
{
    return stages[stage].name;
}

enum rend_stage app_stage_within(enum rend_stage stage)
{
    return stages[stage].within;
}

static double seconds_of(clockid_t clock)
{
    struct timespec time = {0};
    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

struct app_time app_stage_times_now(struct app_stage_times *times)
{
    const double before = (double)times->readings++ * times->reading;
    return (struct app_time){
        .cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before,
        .wall = seconds_of(CLOCK_MONOTONIC) - before,
    };
}

static void add(struct app_time *sum, struct app_time from, struct app_time to)
{
    sum->cpu += to.cpu - from.cpu;
    sum->wall += to.wall - from.wall;
}

static void observe(void *user, enum rend_stage stage, bool begins)
{
    struct app_stage_times *times = user;
    const struct app_time now = app_stage_times_now(times);
    if (begins) {
        times->began[stage] = now;
    } else {
        add(&times->stages[stage], times->began[stage], now);
    }
}

void app_stage_times_begin(struct app_stage_times *times)
{
    *times = (struct app_stage_times){.observer = {times, observe}};
    double shortest = 1;
    for (int i = 0; i < TRIALS; i++) {
        const struct app_time from = app_stage_times_now(times);
        const struct app_time to = app_stage_times_now(times);
        shortest = to.cpu - from.cpu < shortest ? to.cpu - from.cpu : shortest;
    }
    times->reading = shortest;
    times->readings = 0;
}

void app_stage_times_clear(struct app_stage_times *times)
{
    for (int i = 0; i < REND_STAGES; i++) {
        times->stages[i] = (struct app_time){0};
    }
    times->frame = (struct app_time){0};
    times->frames = 0;
}

void app_stage_times_count(struct app_stage_times *times, struct app_time from)
{
    app_stage_times_count_more(times, from);
    times->frames++;
}

void app_stage_times_count_more(struct app_stage_times *times, struct app_time from)
{
    add(&times->frame, from, app_stage_times_now(times));
}

unsigned app_stage_times_step(struct app_stage_times *times, struct rend *rend,
                              const struct rend_input *input, uint32_t *pixels, size_t stride)
{
    const struct app_time from = app_stage_times_now(times);
    const unsigned events = rend_step(rend, input, pixels, stride);
    app_stage_times_count(times, from);
    return events;
}

static void print_row(FILE *out, const char *indent, const char *name, struct app_time sum,
                      const struct app_stage_times *times)
{
    const double share = times->frame.cpu > 0 ? 100 * sum.cpu / times->frame.cpu : 0;
    const double each = 1e3 / (double)times->frames;
    (void)fprintf(out, "%s%-*s  %9.3f  %9.3f  %5.1f %%\n", indent,
                  NAME_WIDTH - (indent[0] != '\0' ? 2 : 0), name, sum.cpu * each, sum.wall * each,
                  share);
}

void app_stage_times_print(const struct app_stage_times *times, FILE *out)
{
    if (times->frames == 0) {
        return;
    }
    (void)fprintf(out, "%-*s  %9s  %9s  of %" PRIu64 " frame%s, ms each\n", NAME_WIDTH, "stage",
                  "processor", "clock", times->frames, base_plural(times->frames));
    for (int i = 0; i < REND_STAGES; i++) {
        const bool inner = stages[i].within != (enum rend_stage)i;
        print_row(out, inner ? "  " : "", stages[i].name, times->stages[i], times);
    }
    print_row(out, "", "frame", times->frame, times);
}

/* ---- sizes ---- */

/* A number of up to four digits, taken off the text. */
static bool take_number(const char **text, int *value)
{
    const size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 4) {
        return false;
    }
    *value = 0;
    for (size_t i = 0; i < digits; i++) {
        *value = 10 * *value + (*(*text)++ - '0');
    }
    return *value >= REND_SIZE_MIN && *value <= REND_SIZE_MAX;
}

int app_bench_add_sizes(struct app_bench *bench, const char *text, size_t threads,
                        const struct base_diag_sink *sink)
{
    const char *at = text;
    do {
        struct app_bench_case of = {0};
        if (!take_number(&at, &of.width) || *at++ != 'x' || !take_number(&at, &of.height) ||
            (*at != ',' && *at != '\0')) {
            base_report(sink, BASE_ERROR, NOWHERE,
                        "write WxH, 16x16 to 8192x8192, as 320x240,640x480",
                        "--sizes: '%.60s' are no sizes of pictures", text);
            return -1;
        }
        size_t sizes = 0; /* each has one case with a single thread */
        for (size_t i = 0; i < bench->case_count; i++) {
            sizes += bench->cases[i].threads == 1;
        }
        if (sizes == APP_BENCH_SIZES_MAX) {
            base_report(sink, BASE_ERROR, NOWHERE, NULL, "--sizes: there can be %d at most",
                        APP_BENCH_SIZES_MAX);
            return -1;
        }
        of.threads = 1;
        bench->cases[bench->case_count++] = of;
        if (threads > 1) {
            of.threads = threads;
            bench->cases[bench->case_count++] = of;
        }
    } while (*at++ == ',');
    return 0;
}

/* ---- measuring presets ---- */

enum { FPS = 60, SAMPLES = APP_BENCH_SAMPLES, LOADS = 3, MESH_X = 48, MESH_Y = 36 };

static int refuse_memory(const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, NOWHERE, NULL, "not enough memory");
    return -1;
}

/* frames, cases, cpu and textures are set, everything else is zero. Returns 0, or -1 with a
 * message. */
static int begin(struct app_bench *bench, size_t capacity, const struct base_diag_sink *sink)
{
    assert(bench->frames > 0 && bench->frames <= APP_BENCH_FRAMES_MAX && bench->case_count > 0);
    bench->capacity = capacity;
    bench->values = calloc(app_bench_series_count(bench) * (capacity + 1), sizeof *bench->values);
    bench->paths = calloc(capacity + 1, sizeof *bench->paths);
    if (bench->values == NULL || bench->paths == NULL) {
        return refuse_memory(sink);
    }
    app_stage_times_begin(&bench->times);
    struct app_audio *audio = app_audio_open("demo", sink);
    bench->sound = malloc(bench->frames * SAMPLES * 2 * sizeof *bench->sound);
    if (audio == NULL || bench->sound == NULL) {
        app_audio_close(audio);
        return refuse_memory(sink);
    }
    (void)app_audio_read(audio, bench->sound, bench->frames * SAMPLES);
    app_audio_close(audio);
    return 0;
}

size_t app_bench_series_count(const struct app_bench *bench)
{
    return 1 + bench->case_count * APP_BENCH_ROWS;
}

/* The messages of the first try are enough. */
static struct rend_patch *load(struct app_bench *bench, const char *path,
                               const struct base_diag_sink *sink)
{
    struct app_time *shortest = &bench->scratch[0];
    struct rend_patch *patch = NULL;
    for (int i = 0; i < LOADS; i++) {
        rend_patch_free(patch);
        /* New resources hold nothing compiled; the noise, made once for many presets, is there. */
        rend_resources_free(bench->resources);
        bench->resources = app_resources_create(&bench->textures, 0, bench->memory);
        if (bench->resources != NULL) {
            const struct shader_texture *noise;
            (void)rend_resource_noise(bench->resources, "noise_lq", &noise);
        }
        const struct app_time from = app_stage_times_now(&bench->times);
        patch = engine_patch_load(path, (struct base_span){0}, bench->resources, NULL,
                                  i == 0 ? sink : NULL);
        const struct app_time to = app_stage_times_now(&bench->times);
        if (patch == NULL) {
            return NULL;
        }
        if (i == 0 || to.cpu - from.cpu < shortest->cpu) {
            *shortest = (struct app_time){to.cpu - from.cpu, to.wall - from.wall};
        }
    }
    return patch;
}

static int draw(struct app_bench *bench, struct rend *rend, uint32_t *pixels, size_t stride)
{
    app_stage_times_clear(&bench->times);
    for (size_t i = 0; i < bench->frames; i++) {
        if (base_stop_wanted()) {
            return -1;
        }
        const struct rend_input input = {
            .frame = i + 1,
            .time = (double)(i + 1) / FPS,
            .fps = FPS,
            .audio = bench->sound + 2 * SAMPLES * i,
            .audio_frames = SAMPLES,
        };
        (void)app_stage_times_step(&bench->times, rend, &input, pixels, stride);
    }
    return 0;
}

/* A stage that does nothing may take less than reading the clock was found to take. */
static struct app_time mean(struct app_time sum, size_t frames)
{
    const double count = (double)frames;
    return (struct app_time){sum.cpu > 0 ? sum.cpu / count : 0,
                             sum.wall > 0 ? sum.wall / count : 0};
}

static int run_case(struct app_bench *bench, const struct rend_patch *patch, size_t index,
                    const struct base_diag_sink *sink)
{
    struct base_pool *pool = base_pool_create(bench->cases[index].threads);
    if (pool == NULL) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "threads cannot be started");
        return -1;
    }
    const struct app_bench_case *of = &bench->cases[index];
    struct rend *rend = rend_create(&(struct rend_config){
        .width = of->width,
        .height = of->height,
        .mesh_x = MESH_X,
        .mesh_y = MESH_Y,
        .fps = FPS,
        .cpu = bench->cpu,
        .pool = pool,
        .observer = &bench->times.observer,
        .device = engine_device_stages(bench->device),
    });
    uint32_t *pixels = calloc((size_t)of->width * (size_t)of->height, sizeof *pixels);
    int result = -1;
    if (rend == NULL || pixels == NULL) {
        (void)refuse_memory(sink);
    } else if (rend_load(rend, patch, 0, sink) == 0) {
        result = draw(bench, rend, pixels, (size_t)of->width);
    }
    rend_free(rend);
    free(pixels);
    base_pool_destroy(pool);
    if (result == 0) {
        struct app_time *rows = &bench->scratch[1 + index * APP_BENCH_ROWS];
        rows[0] = mean(bench->times.frame, bench->frames);
        for (int i = 0; i < REND_STAGES; i++) {
            rows[1 + i] = mean(bench->times.stages[i], bench->frames);
        }
    }
    return result;
}

/* Measures one preset more; path is kept by reference. One that does not load is reported and left
 * out. Returns -1 when measuring cannot go on: no memory, no threads, or somebody asks to stop. */
static int measure(struct app_bench *bench, const char *path, const struct base_diag_sink *sink)
{
    assert(bench->presets < bench->capacity);
    struct rend_patch *patch = load(bench, path, sink);
    if (patch == NULL) {
        bench->left_out++;
        return 0;
    }
    int result = 0;
    for (size_t i = 0; i < bench->case_count && result == 0; i++) {
        result = run_case(bench, patch, i, sink);
    }
    rend_patch_free(patch);
    if (result != 0) {
        return -1;
    }
    for (size_t i = 0; i < app_bench_series_count(bench); i++) {
        bench->values[i * bench->capacity + bench->presets] = bench->scratch[i];
    }
    bench->paths[bench->presets++] = path;
    return 0;
}

enum { FRAMES = 60 };

/* Returns 0, or an enum app_exit with a message. */
static int configure(struct app_bench *bench, const struct app_options *options)
{
    static const char usual[] = "640x480,1280x720,1920x1080";
    const size_t threads = app_options_threads(options);
    bench->frames = options->frames > 0 ? (size_t)options->frames : FRAMES;
    bench->cpu = app_options_cpu(options);
    bench->textures.folder = options->textures;
    bench->memory = app_options_memory(options);
    for (size_t i = 0; i < options->sizes.count; i++) {
        if (app_bench_add_sizes(bench, options->sizes.items[i], threads, &base_diag_stderr) != 0) {
            return APP_EXIT_USAGE;
        }
    }
    if (options->sizes.count == 0) {
        (void)app_bench_add_sizes(bench, usual, threads, &base_diag_stderr);
    }
    return APP_EXIT_DONE;
}

/* Returns an enum app_exit. */
static int run(struct app_bench *bench, const struct app_options *options,
               struct app_bench_before *before)
{
    char folder[APP_PLAY_PATH_MAX];
    struct preset_list list = {0};
    if (options->compare != NULL &&
        app_bench_read(before, bench, options->compare, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    int result = app_play_inputs(&list, options, folder, &base_diag_stderr);
    if (result == 0) {
        result = begin(bench, list.count, &base_diag_stderr);
    }
    if (result == 0 && options->library) {
        result = app_bench_beside(bench, options, &list);
        preset_list_free(&list);
        return result == 0 && bench->left_out == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
    }
    if (result == 0) {
        struct app_progress progress;
        app_progress_begin(&progress, stderr, "presets", list.count);
        const struct base_diag_sink sink = app_progress_sink(&progress);
        size_t done = 0;
        while (done < list.count && result == 0) {
            result = measure(bench, list.paths[done], &sink);
            done += result == 0;
            app_progress_step(&progress, done);
        }
        app_progress_end(&progress, done, false);
        if (base_stop_wanted()) {
            base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "stopped");
        } else if (result == 0 && bench->presets == 0) {
            base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL,
                        "there is no preset to measure");
            result = -1;
        }
    }
    if (result == 0) {
        if (options->compare != NULL) {
            app_bench_warn(before, bench, options->compare, &base_diag_stderr);
        }
        (options->json ? app_bench_print_json
                       : app_bench_print)(bench, options->compare != NULL ? before : NULL, stdout);
    }
    preset_list_free(&list);
    return result == 0 && bench->left_out == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}

int app_bench(const struct app_options *options)
{
    struct app_bench *bench = calloc(1, sizeof *bench);
    struct app_bench_before *before = calloc(1, sizeof *before);
    int result = APP_EXIT_FAILED;
    if (bench == NULL || before == NULL) {
        base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, NULL, "not enough memory");
    } else if ((result = configure(bench, options)) == APP_EXIT_DONE) {
        struct base_stop stop;
        base_stop_begin(&stop);
        result = app_device_open(options, &bench->device, &base_diag_stderr) == 0
                     ? run(bench, options, before)
                     : APP_EXIT_FAILED;
        app_device_close(bench->device, &base_diag_stderr);
        base_stop_end(&stop);
        rend_resources_free(bench->resources);
        free(bench->values);
        free(bench->paths);
        free(bench->sound);
    }
    free(before);
    free(bench);
    return result;
}
