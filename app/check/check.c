#include "app/check/check.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "app/apart/apart.h"
#include "app/board/estimate.h"
#include "app/board/inputs.h"
#include "app/board/pictures.h"
#include "app/check/shards.h"
#include "app/device/device.h"
#include "app/io/audio.h"
#include "app/io/picture.h"
#include "app/io/progress.h"
#include "app/library/library.h"
#include "app/loading/loading.h"
#include "app/options/options.h"
#include "app/render/film.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "base/random.h"
#include "board/host/host.h"
#include "presets/library/find.h"
#include "presets/library/search.h"
#include "presets/presets.h"
#include "renderer/renderer.h"

/* ---- in the child ---- */

enum { MESSAGES_MAX = 32 };

/* So many frames in a row that cost too much tell enough of a preset. */
enum { COSTLY = 2 };

/* What is said of a preset in the child: the first messages go to `out`, all are counted. */
struct talk {
    int out;
    size_t messages;
    size_t warnings;
    size_t errors;
};

static void receive(void *user, const struct base_diag *diag)
{
    struct talk *talk = user;
    talk->errors += diag->severity == BASE_ERROR;
    talk->warnings += diag->severity == BASE_WARNING;
    if (++talk->messages > MESSAGES_MAX) {
        return;
    }
    char text[1024];
    (void)base_diag_format(diag, text, sizeof text);
    app_check_send_message(talk->out, text);
}

/* Says how many messages were left out. Once, before the outcome. */
static void end_talk(const struct talk *talk)
{
    if (talk->messages > MESSAGES_MAX) {
        char text[64];
        (void)snprintf(text, sizeof text, "and %zu message%s more", talk->messages - MESSAGES_MAX,
                       base_plural(talk->messages - MESSAGES_MAX));
        app_check_send_message(talk->out, text);
    }
}

/* Processor time of all threads of the process. */
static double milliseconds(void)
{
    struct timespec time = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static double peak_mib(void)
{
    struct rusage usage = {0};
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* ---- what the pictures show ---- */

/* Most presets that begin in black or stand still have something to show by then. */
enum { LOOKED_AT = 400 };

bool app_check_goes_on(const struct app_check_watch *watch,
                       const struct app_check_settings *settings, uint64_t frame, double seconds)
{
    const bool undecided = !watch->seen || !watch->changed;
    return frame <= settings->frames ||
           (undecided && frame <= LOOKED_AT && seconds < settings->time_limit / 2);
}

void app_check_watch_picture(struct app_check_watch *watch, const uint32_t *pixels, size_t count)
{
    if (!watch->changed) {
        const uint64_t hash = base_hash(BASE_HASH_START, pixels, count * sizeof *pixels);
        if (watch->pictures == 0) {
            watch->first_hash = hash;
        }
        watch->changed = hash != watch->first_hash;
    }
    watch->seen = watch->seen || !app_picture_is_black(pixels, count);
    watch->pictures++;
}

static void judge(const struct app_check_watch *watch, struct app_check_figures *figures)
{
    figures->black = watch->pictures > 0 && !watch->seen;
    figures->frozen = watch->pictures > 1 && !watch->changed;
}

/* ---- a preset on this machine ---- */

struct run {
    const struct app_check_settings *settings;
    const char *path;
    struct talk talk;
    unsigned events; /* of all frames */
    unsigned costly; /* frames in a row that were not drawn whole */
    struct base_diag_sink sink;
    struct preset preset;
    struct app_textures textures;
    struct rend_resources *resources;
    struct rend_patch *patch;
    struct base_pool *pool; /* NULL: one thread */
    struct engine_device *device;
    struct rend *rend;
    struct app_audio *audio;
    uint32_t *pixels;
    float *sound;
    struct engine_rate rate;
    double fps;
    struct app_check_figures figures;
};

static int no_memory(struct run *run)
{
    base_report(&run->sink, BASE_ERROR, (struct base_place){.file = run->path}, NULL,
                "not enough memory");
    return -1;
}

static_assert(2 * APP_SUPERVISE_JOBS_MAX <= APP_APART_AT_ONCE,
              "each job has a sound that waits for its turn, and a picture that is decoded");

static int load(struct run *run)
{
    const struct app_check_settings *settings = run->settings;
    const double start = base_clock_seconds();
    if (preset_read_file(&run->preset, run->path, &run->sink) != 0) {
        return -1;
    }
    run->textures = (struct app_textures){settings->textures, NULL};
    run->resources = app_resources_create(&run->textures, settings->seed, settings->memory);
    run->patch = rend_patch_create(&run->preset, run->resources, &run->sink);
    if (run->patch == NULL) {
        return -1;
    }
    run->figures.load_ms = (base_clock_seconds() - start) * 1e3;
    if (settings->threads > 1 && (run->pool = base_pool_create(settings->threads)) == NULL) {
        return no_memory(run);
    }
    /* What there is to say of it was said before the first preset. */
    if (settings->device != NULL) {
        (void)app_device_open(settings->device, &run->device, NULL);
    }
    run->rend = rend_create(&(struct rend_config){
        .width = settings->width,
        .height = settings->height,
        .mesh_x = settings->mesh_x,
        .mesh_y = settings->mesh_y,
        .fps = run->fps,
        .seed = settings->seed,
        .levels = settings->levels,
        .cpu = settings->cpu,
        .pool = run->pool,
        .device = engine_device_stages(run->device),
    });
    if (run->rend == NULL) {
        return no_memory(run);
    }
    if (rend_load(run->rend, run->patch, 0, &run->sink) != 0) {
        return -1;
    }
    const int divisors[REND_SHADER_STAGES] = {settings->divisor, settings->divisor};
    rend_set_divisors(run->rend, divisors);
    return 0;
}

static enum app_check_status run_on_host(struct run *run)
{
    if (load(run) != 0) {
        return APP_CHECK_ERROR;
    }
    const struct app_check_settings *settings = run->settings;
    const size_t count = (size_t)settings->width * (size_t)settings->height;
    run->audio = app_audio_open(settings->audio, &run->sink);
    if (run->audio == NULL) {
        return APP_CHECK_ERROR;
    }
    run->sound = calloc((size_t)engine_rate_samples(run->rate, 1) + 1, 2 * sizeof *run->sound);
    run->pixels = calloc(count, sizeof *run->pixels);
    if (run->sound == NULL || run->pixels == NULL) {
        (void)no_memory(run);
        return APP_CHECK_ERROR;
    }
    const double begin = base_clock_seconds();
    struct app_check_watch watch = {0};
    double total = 0;
    uint64_t frame = 1;
    for (; run->costly < COSTLY &&
           app_check_goes_on(&watch, settings, frame, base_clock_seconds() - begin);
         frame++) {
        const uint64_t before = engine_rate_samples(run->rate, frame - 1);
        const size_t wanted = (size_t)(engine_rate_samples(run->rate, frame) - before);
        const struct rend_input input = {
            .frame = frame,
            .time = engine_rate_seconds(run->rate, frame),
            .fps = run->fps,
            .audio = run->sound,
            .audio_frames = app_audio_read(run->audio, run->sound, wanted),
        };
        const double start = milliseconds();
        const unsigned events = rend_step(run->rend, &input, run->pixels, (size_t)settings->width);
        total += milliseconds() - start;
        run->events |= events;
        run->costly = (events & REND_EVENTS_COSTLY) != 0 ? run->costly + 1 : 0;
        if (frame > settings->frames / 2) {
            app_check_watch_picture(&watch, run->pixels, count);
        }
    }
    run->figures.frame_ms = total / (double)(frame - 1);
    judge(&watch, &run->figures);
    engine_device_watch(run->device, &run->sink);
    run->figures.device_stages = engine_device_account(run->device).ran;
    struct app_scene scene = {.path = run->path};
    app_scene_describe(&scene, run->patch);
    app_scene_warn(&scene, run->events, &run->sink);
    const bool whole =
        run->talk.errors == 0 && run->events == 0 && rend_patch_status(run->patch) == REND_PATCH_OK;
    return whole ? APP_CHECK_OK : APP_CHECK_DEGRADED;
}

/* Loads and renders, and writes to `out` what app_check_row_read understands. The device is left to
 * the end of the process: of what its driver made for each preset nothing is kept. */
static void check_on_host(const struct app_check_settings *settings, const char *path, int out)
{
    struct run run = {.settings = settings, .path = path, .talk = {.out = out}};
    run.rate = settings->rate;
    run.fps = engine_rate_value(run.rate);
    run.sink = (struct base_diag_sink){receive, &run.talk};
    const enum app_check_status status = run_on_host(&run);
    end_talk(&run.talk);
    run.figures.peak_mib = peak_mib();
    app_check_send_outcome(out, status, &run.figures);
    app_audio_close(run.audio);
    rend_free(run.rend);
    base_pool_destroy(run.pool);
    rend_patch_free(run.patch);
    rend_resources_free(run.resources);
    preset_free(&run.preset);
    free(run.sound);
    free(run.pixels);
}

/* ---- a preset as the Milkymist One draws it ---- */

enum { PIXELS = BOARD_WIDTH * BOARD_HEIGHT };

struct board_run {
    const struct app_check_settings *settings;
    const char *path;
    struct talk talk;
    struct base_diag_sink sink;
    struct preset preset;
    struct board_loaded *loaded;
    struct board_host *host;
    struct board *board;
    struct app_board_sound sound;
    uint32_t *pixels;
    int16_t samples[2 * BOARD_SAMPLES];
    struct app_check_figures figures;
};

/* With the mesh of the last frame, whose rows the host's has the other way round. */
static void estimate(struct board_run *run)
{
    enum { SIDE = BOARD_MESH + 1 };
    static const float texture = BOARD_SIDE << BOARD_MAPPER_FRACTION;
    struct tmu_vertex vertices[SIDE * SIDE];
    struct app_board_estimate work;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const struct board_mapper_vertex *from = &run->board->mesh[y * BOARD_MAPPER_PITCH + x];
            vertices[(SIDE - 1 - y) * SIDE + x] =
                (struct tmu_vertex){(float)from->x / texture, (float)from->y / texture};
        }
    }
    app_board_estimate_make(&work, &run->preset,
                            &(struct tmu_mesh){vertices, BOARD_MESH, BOARD_MESH});
    run->figures.board = (struct app_check_board){
        .fps = work.fps,
        .cpu_equations = work.processor_equations,
        .pfpu_cycles = work.cycles_per_frame,
        .tmu_cycles = work.mapper_cycles,
        .cpu_cycles = work.processor_cycles,
        .texel_hits = work.hits,
        .occupancy = work.occupancy,
        .bandwidth = work.bandwidth,
    };
}

static void draw_on_board(struct board_run *run)
{
    const struct app_check_settings *settings = run->settings;
    const double begin = base_clock_seconds();
    struct app_check_watch watch = {0};
    const double start = milliseconds();
    uint64_t frame = 1;
    for (; app_check_goes_on(&watch, settings, frame, base_clock_seconds() - begin); frame++) {
        const uint32_t count = BOARD_RATE / run->settings->rate.numerator;
        const struct board_input input = {.samples = run->samples, .sample_count = count};
        app_board_sound_read(&run->sound, run->samples, count);
        board_step(run->board, &input);
        if (frame > settings->frames / 2) {
            board_host_show(run->host, run->pixels, BOARD_WIDTH);
            app_check_watch_picture(&watch, run->pixels, PIXELS);
        }
        if (frame == settings->frames) {
            run->figures.frame_ms = (milliseconds() - start) / (double)frame;
            estimate(run);
        }
    }
    judge(&watch, &run->figures);
}

/* What did not fit into a frame's time. */
static bool warn_of_cuts(const struct board_run *run)
{
    const struct board_cuts *cuts = &run->board->cuts;
    const struct base_place place = {.file = run->path};
    static const char hint[] = "it holds the frame rate so";
    if (cuts->thin > 1) {
        base_report(&run->sink, BASE_WARNING, place, hint,
                    "the board draws, in turns, one of %u rows of large custom shapes and pieces "
                    "of custom waves",
                    (unsigned)cuts->thin);
    }
    if (cuts->shapes > 0) {
        base_report(&run->sink, BASE_WARNING, place, hint,
                    "the board leaves out up to %u custom shape%s of a frame",
                    (unsigned)cuts->shapes, base_plural(cuts->shapes));
    }
    if (cuts->points > 0) {
        base_report(&run->sink, BASE_WARNING, place, hint,
                    "the board leaves out up to %u point%s of a frame's custom waves",
                    (unsigned)cuts->points, base_plural(cuts->points));
    }
    if (cuts->overlay > 1) {
        base_report(&run->sink, BASE_WARNING, place, hint,
                    "the board draws, in turns, one of %u rows of borders and motion vectors",
                    (unsigned)cuts->overlay);
    }
    if (cuts->frames > 1) {
        base_report(&run->sink, BASE_WARNING, place, hint,
                    "the board computes the per-frame equations in one of %u frames",
                    (unsigned)cuts->frames);
    }
    if (cuts->echo) {
        base_report(&run->sink, BASE_WARNING, place, hint,
                    "the board leaves out the echo of some frames");
    }
    return cuts->thin > 1 || cuts->shapes > 0 || cuts->points > 0 || cuts->overlay > 1 ||
           cuts->frames > 1 || cuts->echo;
}

/* What the reader warns of concerns the file; what the compiler warns of is not drawn. */
static enum app_check_status run_on_board(struct board_run *run)
{
    const double start = base_clock_seconds();
    if (preset_read_file(&run->preset, run->path, &run->sink) != 0) {
        return APP_CHECK_ERROR;
    }
    const size_t warnings = run->talk.warnings;
    run->loaded = board_patch_create(NULL, &run->preset, run->settings->rate.numerator,
                                     run->settings->seed, &run->sink);
    run->figures.load_ms = (base_clock_seconds() - start) * 1e3;
    if (run->loaded == NULL) {
        return APP_CHECK_REFUSED;
    }
    run->sound.audio = app_audio_open(run->settings->audio, &run->sink);
    if (run->sound.audio == NULL) {
        return APP_CHECK_ERROR;
    }
    run->host = board_host_create(run->settings->cpu);
    run->board = calloc(1, sizeof *run->board);
    run->pixels = calloc(PIXELS, sizeof *run->pixels);
    if (run->host == NULL || run->board == NULL || run->pixels == NULL ||
        board_host_take(run->host, run->loaded) != 0) {
        base_report(&run->sink, BASE_ERROR, (struct base_place){.file = run->path}, NULL,
                    "not enough memory");
        return APP_CHECK_ERROR;
    }
    const struct app_textures textures = {.folder = run->settings->textures};
    app_board_pictures_load(run->host, run->loaded, run->path, &textures, &run->sink);
    board_init(run->board, board_host_units(run->host), run->settings->rate.numerator);
    (void)board_load(run->board, &run->loaded->patch);
    draw_on_board(run);
    const bool whole = run->talk.warnings == warnings;
    return !warn_of_cuts(run) && whole ? APP_CHECK_OK : APP_CHECK_DEGRADED;
}

/* The same for settings->board. */
static void check_on_board(const struct app_check_settings *settings, const char *path, int out)
{
    struct board_run run = {.settings = settings, .path = path, .talk = {.out = out}};
    run.sink = (struct base_diag_sink){receive, &run.talk};
    const enum app_check_status status = run_on_board(&run);
    end_talk(&run.talk);
    app_check_send_outcome(out, status, &run.figures);
    app_audio_close(run.sound.audio);
    board_host_free(run.host);
    board_patch_free(run.loaded);
    preset_free(&run.preset);
    free(run.board);
    free(run.pixels);
}

/* ---- in the parent ---- */

/* A device is tried for minutes, once. */
enum { FRAMES = 60, SECONDS = 60, LOOKING_SECONDS = 300, VERDICTS_AT_ONCE = 100 };

/* Room for the largest picture, beside what the preset may take; beyond it the machine would swap.
 */
static const size_t memory_beside = ((size_t)3 << 30) - REND_MEMORY;

struct check {
    struct app_check_settings settings;
    const struct preset_list *list;
    struct app_check_row *rows;
    bool *ended;
    size_t ended_count;
    size_t printed;
    bool json;
    bool timed;
    struct app_check_summary summary;
    struct app_progress progress;
    struct app_verdicts *verdicts; /* for the library; may be NULL */
    const char *list_of_words;     /* NULL: there is none */
    struct preset_words words;
};

static struct app_check_settings settings_of(const struct app_options *options)
{
    const struct app_size size = app_options_size(options);
    const struct app_size mesh = app_options_mesh(options);
    const bool board = app_render_is_for_board(options);
    return (struct app_check_settings){
        .board = board,
        .width = size.width,
        .height = size.height,
        .mesh_x = mesh.width,
        .mesh_y = mesh.height,
        .rate = board ? (struct engine_rate){app_render_board_fps(options), 1}
                      : app_options_fps(options),
        .frames = options->frames > 0 ? options->frames : FRAMES,
        .seed = options->seed,
        .levels = app_options_levels(options),
        .threads = app_options_threads(options),
        .cpu = app_options_cpu(options),
        .divisor = app_options_shaders(options),
        .audio = options->audio != NULL ? options->audio : "demo",
        .textures = options->textures,
        .memory = app_options_memory(options),
        .time_limit = options->time_limit > 0 ? options->time_limit : SECONDS,
        .device = options->device != NULL && strcmp(options->device, "cpu") != 0 ? options : NULL,
    };
}

/* ---- the graphics processor ---- */

struct looking {
    const struct app_options *options;
    bool refused; /* there is none of that name */
    bool usable;
};

/* A driver has threads, which a process that others come from may not have: it is looked at in a
 * process of its own, which says what there is to say. */
static void look_for_device(void *user, size_t index, int out)
{
    const struct looking *looking = user;
    struct engine_device *device = NULL;
    (void)index;
    (void)out;
    if (app_device_open(looking->options, &device, &base_diag_stderr) != 0) {
        _exit(APP_EXIT_FAILED);
    }
    app_device_close(device, &base_diag_stderr);
}

static void note_device(void *user, size_t index, const struct app_supervise_end *end)
{
    struct looking *looking = user;
    (void)index;
    looking->usable = end->how == APP_SUPERVISE_EXITED && end->code == 0;
    looking->refused = end->how == APP_SUPERVISE_EXITED && end->code != 0;
    if (!looking->usable && !looking->refused) {
        base_report(&base_diag_stderr, BASE_WARNING, (struct base_place){0},
                    "the processor draws instead", "'%s' brings down whoever looks for it",
                    looking->options->device);
    }
}

/* False: there is no such device. */
static bool choose_device(struct app_check_settings *settings)
{
    struct looking looking = {.options = settings->device};
    const struct app_supervise_plan plan = {
        .count = 1,
        .at_once = 1,
        .time_limit = LOOKING_SECONDS,
        .user = &looking,
        .body = look_for_device,
        .ended = note_device,
    };
    if (settings->device != NULL && (app_supervise(&plan) != 0 || !looking.usable)) {
        settings->device = NULL;
    }
    return !looking.refused;
}

static void body(void *user, size_t index, int out)
{
    const struct check *check = user;
    const struct app_check_settings *settings = &check->settings;
    (settings->board ? check_on_board : check_on_host)(settings, check->list->paths[index], out);
}

/* For the library; a check that cannot keep it is a check all the same. */
static void keep_verdict(struct check *check, const struct app_check_row *row)
{
    size_t size;
    char *data =
        check->verdicts != NULL ? base_file_read(row->path, BASE_CONTENT_MAX, &size, NULL) : NULL;
    if (data != NULL) {
        app_verdicts_set(check->verdicts, base_content_hash(data, size),
                         row->status == APP_CHECK_OK         ? APP_VERDICT_OK
                         : row->status == APP_CHECK_DEGRADED ? APP_VERDICT_DEGRADED
                                                             : APP_VERDICT_FAILED);
    }
    const bool kept = data != NULL;
    free(data);
    if (kept && check->ended_count % VERDICTS_AT_ONCE == 0) {
        (void)app_verdicts_save(check->verdicts);
    }
}

/* What is said of a preset does not depend on its name. */
static void look_at_name(const struct check *check, struct app_check_row *row)
{
    char name[PRESET_SHOWN_MAX + 1];
    preset_shown_name(name, row->path);
    row->word = preset_words_find(&check->words, name);
    if (row->word > 0) {
        char what[512];
        (void)snprintf(what, sizeof what,
                       "%s:%u:1: note: the name of this preset has this word; with play --words it "
                       "is not shown to the audience",
                       check->list_of_words, row->word);
        app_check_row_say(row, what);
    }
}

static void ended(void *user, size_t index, const struct app_supervise_end *end)
{
    struct check *check = user;
    struct app_check_row *row = &check->rows[index];
    row->path = check->list->paths[index];
    app_check_row_read(row, end, check->settings.time_limit);
    look_at_name(check, row);
    check->ended[index] = true;
    check->ended_count++;
    if (end->how != APP_SUPERVISE_NOT_STARTED) {
        keep_verdict(check, row);
    }
    if (check->progress.terminal) {
        app_progress_clear(&check->progress);
    }
    /* In the order of the list, as far as it is complete: the same run prints the same table. */
    while (check->printed < check->list->count && check->ended[check->printed]) {
        struct app_check_row *next = &check->rows[check->printed++];
        if (check->json) {
            app_check_json_row(stdout, next, check->settings.board, check->timed);
        } else {
            app_check_print_row(stdout, next, check->settings.board);
        }
        app_check_summary_add(&check->summary, next);
        app_check_row_free(next);
    }
    (void)fflush(stdout);
    if (check->progress.terminal) {
        app_progress_step(&check->progress, check->ended_count);
    }
}

/* Without a reader the table is of no use. */
static bool stop(void *user)
{
    (void)user;
    return base_stop_wanted() || ferror(stdout);
}

static int run(struct check *check, size_t at_once)
{
    app_progress_begin(&check->progress, stderr, "presets", check->list->count);
    if (!check->json) {
        app_check_print_heading(stdout, check->settings.board);
    }
    const struct app_supervise_plan plan = {
        .count = check->list->count,
        .at_once = at_once,
        .time_limit = check->settings.time_limit,
        .memory_limit = memory_beside + check->settings.memory,
        .reserves = check->settings.device != NULL,
        .user = check,
        .body = body,
        .ended = ended,
        .stop = stop,
    };
    const int result = app_supervise(&plan);
    if (check->progress.terminal) {
        app_progress_end(&check->progress, check->ended_count, false);
    }
    if (result == 0 && check->printed == check->list->count) {
        (check->json ? app_check_json_summary : app_check_print_summary)(stdout, &check->summary);
    }
    return result;
}

static int run_list(const struct app_options *options, const struct preset_list *list,
                    const struct preset_words *words)
{
    struct app_check_settings settings = settings_of(options);
    if (!choose_device(&settings)) {
        return -1;
    }
    struct check check = {
        .settings = settings,
        .list = list,
        .rows = calloc(list->count, sizeof *check.rows),
        .ended = calloc(list->count, sizeof *check.ended),
        .json = options->json,
        .timed = !options->no_times,
        .summary.board = app_render_is_for_board(options),
        .summary.worded = options->words != NULL,
        .list_of_words = options->words,
        .words = *words,
    };
    /* What the library shows is how this machine plays. */
    if (!check.settings.board) {
        char folder[4096];
        const bool named = base_folder_path(BASE_FOLDER_CACHE, "", folder, sizeof folder);
        check.verdicts = app_verdicts_load(named ? folder : NULL);
    }
    int result = -1;
    if (check.rows != NULL && check.ended != NULL) {
        size_t jobs = options->jobs > 0 ? (size_t)options->jobs : base_processor_count();
        jobs = jobs < list->count ? jobs : list->count;
        result = run(&check, jobs < APP_SUPERVISE_JOBS_MAX ? jobs : APP_SUPERVISE_JOBS_MAX);
    }
    if (result != 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "not enough memory");
    }
    const bool whole = check.printed == list->count;
    if (check.verdicts != NULL) {
        (void)app_verdicts_save(check.verdicts);
        app_verdicts_free(check.verdicts);
    }
    /* Rows that were not printed, because one before them did not end, still hold their messages.
     */
    for (size_t i = check.printed; check.ended != NULL && i < list->count; i++) {
        if (check.ended[i]) {
            app_check_row_free(&check.rows[i]);
        }
    }
    free(check.rows);
    free(check.ended);
    return result == 0 && whole && app_check_failures(&check.summary) == 0 ? 0 : -1;
}

/* ---- costs ---- */

struct measuring {
    struct app_check_settings settings;
    const struct preset_list *list;
    struct app_check_row *rows;
};

static void measure(void *user, size_t index, int out)
{
    const struct measuring *measuring = user;
    check_on_host(&measuring->settings, measuring->list->paths[index], out);
}

static void note_cost(void *user, size_t index, const struct app_supervise_end *end)
{
    struct measuring *measuring = user;
    struct app_check_row *row = &measuring->rows[index];
    row->path = measuring->list->paths[index];
    app_check_row_read(row, end, measuring->settings.time_limit);
}

int app_check_costs(const struct app_options *options, uint64_t frames,
                    const struct preset_list *list, struct app_check_row *rows)
{
    struct measuring measuring = {settings_of(options), list, rows};
    measuring.settings.frames = frames;
    measuring.settings.threads = 1;
    measuring.settings.audio = "demo";
    measuring.settings.device = NULL;
    const size_t processors = base_processor_count();
    const size_t most = processors < APP_SUPERVISE_JOBS_MAX ? processors : APP_SUPERVISE_JOBS_MAX;
    const struct app_supervise_plan plan = {
        .count = list->count,
        .at_once = most < list->count ? most : list->count,
        .time_limit = measuring.settings.time_limit,
        .memory_limit = memory_beside + measuring.settings.memory,
        .user = &measuring,
        .body = measure,
        .ended = note_cost,
        .stop = stop,
    };
    return list->count > 0 ? app_supervise(&plan) : 0;
}

int app_check(const struct app_options *options)
{
    if (options->input_count == 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0},
                    "name presets or folders: froth check PATH...", "nothing to check");
        return APP_EXIT_USAGE;
    }
    if ((options->shard != NULL || options->no_times || options->join) && !options->json) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, "add --json",
                    "--shard, --no-times and --join are for reports in JSON");
        return APP_EXIT_USAGE;
    }
    if (options->join) {
        const int joined = app_check_join(options->inputs, options->input_count, &base_diag_stderr);
        return joined == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
    }
    if (app_render_is_for_board(options) && app_render_board_check(options) != 0) {
        return APP_EXIT_USAGE;
    }
    if (app_refuse_sounds(options, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    /* The sound is opened once here, so that a wrong name is one message and not one for each
     * preset. */
    struct app_audio *audio =
        app_audio_open(options->audio != NULL ? options->audio : "demo", &base_diag_stderr);
    app_audio_close(audio);
    if (audio == NULL) {
        return APP_EXIT_FAILED;
    }
    struct preset_words words = {0};
    struct base_file file;
    if (options->words != NULL &&
        base_file_load(&file, options->words, PRESET_WORDS_TEXT, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    if (options->words != NULL) {
        const int read = preset_words_read(
            &words, options->words, (struct base_span){file.data, file.size}, &base_diag_stderr);
        base_file_free(&file);
        if (read != 0) {
            return APP_EXIT_FAILED;
        }
    }
    struct base_stop signals;
    base_stop_begin(&signals);
    struct preset_list list = {0};
    int failed = 0;
    for (size_t i = 0; i < options->input_count; i++) {
        failed |= preset_list_add(&list, options->inputs[i], &base_diag_stderr);
    }
    struct app_check_shard shard = {.of = 0};
    if (options->shard != NULL) {
        if (app_check_shard_cut(&shard, &list, options->shard, &base_diag_stderr) != 0) {
            preset_list_free(&list);
            failed = -1;
        }
    }
    /* A shard may have no preset, where there are fewer of them than shards. */
    if (list.count > 0) {
        failed |= run_list(options, &list, &words);
    } else if (shard.of > 0) {
        const struct app_check_summary none = {.board = app_render_is_for_board(options),
                                               .worded = options->words != NULL};
        app_check_json_summary(stdout, &none);
    }
    if (shard.of > 0 && !base_stop_wanted()) {
        app_check_shard_print(stdout, &shard);
    }
    preset_list_free(&list);
    preset_words_free(&words);
    if (base_stop_wanted()) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL, "stopped");
        failed = -1;
    }
    base_stop_end(&signals);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0}, NULL,
                    "the table could not be written");
        failed = -1;
    }
    return failed != 0 ? APP_EXIT_FAILED : APP_EXIT_DONE;
}
