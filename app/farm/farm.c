#define _XOPEN_SOURCE 700 /* realpath */
#include "app/farm/farm.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/os/file.h"
#include "base/os/print.h"

enum { ORDER = 1 << 24 };

static const char SUBMITTED[] =
    "submitted"; /* stands in the folder of a job that was handed over */

static const struct base_diag_sink *const sink = &base_diag_stderr;

static int fail(const char *file, const char *hint, const char *what)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

/* ---- froth farm FILM.yaml ---- */

/* FILM.yaml without its ending, if -o names no folder. */
static int name_folder(char folder[static APP_FARM_PATH], const struct app_options *options)
{
    const char *film = options->inputs[0];
    const char *dot = strrchr(film, '.');
    const size_t size = dot != NULL ? (size_t)(dot - film) : strlen(film);
    const int used = options->output != NULL
                         ? snprintf(folder, APP_FARM_PATH, "%s", options->output)
                         : snprintf(folder, APP_FARM_PATH, "%.*s-farm", (int)size, film);
    return used > 0 && used < APP_FARM_PATH ? 0 : fail(film, NULL, "the folder's name is too long");
}

static bool is_there(const char *folder, const char *name)
{
    char path[APP_FARM_PATH + 16];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* Whether the job is of this order, whose sounds, if they are several, are a list in its folder. */
static bool is_of(const struct app_farm_job *job, const struct app_farm_order *order,
                  const struct app_options *options)
{
    const size_t more = order->sound_count > 0;
    bool same = job->words.count == order->words.count + more &&
                (options->tasks == 0 || options->tasks == job->tasks) &&
                (options->threads == 0 || options->threads == job->threads);
    for (size_t i = 0; same && i < order->words.count; i++) {
        same = strcmp(job->words.items[i + more], order->words.items[i]) == 0;
    }
    return same;
}

/* Makes the folder. 1: the job is there, and was not handed over, which is to be tried again. */
static int make_folder(struct app_farm_job *job, const struct app_farm_order *order,
                       const struct app_options *options)
{
    char folder[APP_FARM_PATH];
    if (name_folder(folder, options) != 0) {
        return -1;
    }
    if (is_there(folder, "job.yaml")) {
        const bool submitted = is_there(folder, SUBMITTED);
        if (options->submit && !submitted) {
            if (app_farm_job_open(job, folder, sink) != 0) {
                return -1;
            }
            if (is_of(job, order, options)) {
                return 1;
            }
        }
        return fail(folder, "name another one with -o, or remove it",
                    submitted         ? "there is a job in this folder, which was handed over"
                    : options->submit ? "there is a job of another film in this folder"
                                      : "there is a job in this folder");
    }
    if (base_folder_make(folder) != 0 || realpath(folder, job->folder) == NULL) {
        return fail(folder, NULL, strerror(errno));
    }
    return 0;
}

static void put_sounds(FILE *file, const void *user)
{
    const struct app_farm_order *order = user;
    for (size_t i = 0; i < order->sound_count; i++) {
        (void)fprintf(file, "%s\n", order->sounds[i]);
    }
}

/* Several sounds become a list, which is one. */
static int write_sounds(const struct app_farm_job *job, const struct app_farm_order *order)
{
    char path[APP_FARM_PATH + 16];
    (void)snprintf(path, sizeof path, "%s/sounds.m3u", job->folder);
    return order->sound_count > 0 ? app_farm_write(path, BASE_FILE_OVER, put_sounds, order, sink)
                                  : 0;
}

static int name_sounds(struct app_farm_job *job, const struct app_farm_order *order)
{
    char word[APP_FARM_PATH + 32];
    (void)snprintf(word, sizeof word, "--audio=%s/sounds.m3u", job->folder);
    return order->sound_count > 0 ? app_farm_word_add(&job->arena, &job->words, word) : 0;
}

/* The options of froth render that the job's words are. */
static int parse_words(const struct app_farm_job *job, struct app_options *options, char ***kept)
{
    char **argv = calloc(job->words.count + 3, sizeof *argv);
    union {
        const char *read;
        char *word;
    } one;
    if (argv == NULL) {
        return fail(job->folder, NULL, "not enough memory");
    }
    int argc = 0;
    one.read = "froth";
    argv[argc++] = one.word;
    one.read = "render";
    argv[argc++] = one.word;
    for (size_t i = 0; i < job->words.count; i++) {
        one.read = job->words.items[i];
        argv[argc++] = one.word;
    }
    *kept = argv;
    return app_options_parse(options, argc, argv, sink);
}

static int plan(struct app_farm_job *job, const struct app_farm_order *order,
                const struct app_options *options)
{
    struct app_options film;
    char **argv = NULL;
    int result = write_sounds(job, order);
    result = result == 0 ? name_sounds(job, order) : result;
    for (size_t i = 0; result == 0 && i < order->words.count; i++) {
        result = app_farm_word_add(&job->arena, &job->words, order->words.items[i]);
    }
    result = result == 0 ? parse_words(job, &film, &argv) : result;
    job->tasks = options->tasks;
    job->threads = options->threads > 0 ? options->threads : 1;
    (void)snprintf(job->version, sizeof job->version, "%s", FROTH_VERSION);
    result = result == 0 ? app_farm_plan(job, &film, sink) : result;
    free(argv);
    return result;
}

static void print_job(const struct app_farm_job *job)
{
    const uint64_t minutes = (job->seconds + 59) / 60;
    (void)printf("%s: %" PRIu64 " frame%s in %" PRIu64 " task%s, each at most %" PRIu64
                 " minute%s with %" PRIu64 " thread%s and %" PRIu64 " MiB\n",
                 job->folder, job->frames, base_plural(job->frames), job->tasks,
                 base_plural(job->tasks), minutes, base_plural(minutes), job->threads,
                 base_plural(job->threads), job->memory);
}

static void put_engine(FILE *file, const void *user)
{
    (void)fprintf(file, "%s\n", (const char *)user);
}

static int submit(const struct app_farm_job *job, const char *engine)
{
    char path[APP_FARM_PATH + 16];
    (void)snprintf(path, sizeof path, "%s/%s", job->folder, SUBMITTED);
    return app_farm_engine_submit(job, engine, sink) == 0
               ? app_farm_write(path, BASE_FILE_OVER, put_engine, engine, sink)
               : -1;
}

static int order_film(const struct app_options *options)
{
    struct app_farm_job job = {.tasks = 0};
    struct app_farm_order order = {.sound_count = 0};
    struct base_file file;
    const char *engine = options->engine != NULL ? options->engine : "parallel";
    if (base_file_load(&file, options->inputs[0], ORDER, sink) != 0) {
        return -1;
    }
    int result = app_farm_order_read(&order, options->inputs[0],
                                     (struct base_span){file.data, file.size}, sink);
    base_file_free(&file);
    result = result == 0 && options->submit ? app_farm_engine_check(engine, sink) : result;
    result = result == 0 ? make_folder(&job, &order, options) : result;
    const bool again = result == 1;
    result = again         ? write_sounds(&job, &order)
             : result == 0 ? plan(&job, &order, options)
                           : result;
    result = result == 0 ? app_farm_engine_write(&job, engine, sink) : result;
    result = result == 0 && !again ? app_farm_job_write(&job, sink) : result;
    if (result == 0) {
        print_job(&job);
        result = options->submit ? submit(&job, engine) : 0;
    }
    app_farm_order_free(&order);
    app_farm_job_free(&job);
    return result;
}

/* ---- with the folder of a job ---- */

static bool read_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtoul(text, &end, 10);
    return errno == 0 && text[0] >= '0' && text[0] <= '9' && *end == '\0' && *number >= 1 &&
           *number <= most;
}

static int run_task(const struct app_farm_job *job, const struct app_options *options)
{
    uint64_t task;
    if (options->input_count != 3 || !read_number(options->inputs[2], job->tasks, &task)) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, "froth farm task FOLDER NUMBER",
                    "a task has a number from 1 to %" PRIu64, job->tasks);
        return -1;
    }
    return app_farm_task(job, task, sink);
}

static int join(const struct app_farm_job *job, const struct app_options *options)
{
    char film[APP_FARM_PATH + 16];
    const char **pieces = calloc(job->tasks, sizeof *pieces);
    struct base_arena arena = {0};
    int result = pieces != NULL ? 0 : fail(job->folder, NULL, "not enough memory");
    for (uint64_t task = 1; result == 0 && task <= job->tasks; task++) {
        char path[APP_FARM_PATH];
        const bool fits = app_farm_path(job, "pieces", task, ".ts", path);
        pieces[task - 1] = fits ? base_arena_text(&arena, path, strlen(path)) : NULL;
        result = pieces[task - 1] != NULL ? 0 : fail(job->folder, NULL, "not enough memory");
    }
    (void)snprintf(film, sizeof film, "%s/film.mp4", job->folder);
    if (result == 0) {
        struct app_options joined = *options;
        joined.command = APP_JOIN;
        joined.inputs = pieces;
        joined.input_count = job->tasks;
        joined.output = options->output != NULL ? options->output : film;
        joined.overwrite = options->overwrite || options->output == NULL;
        result = app_join(&joined) == APP_EXIT_DONE ? 0 : -1;
        if (result == 0) {
            (void)printf("%s\n", joined.output);
        }
    }
    base_arena_free(&arena);
    free(pieces);
    return result;
}

static int show_status(const struct app_farm_job *job, const struct app_options *options)
{
    return app_farm_status(job, options->json, sink);
}

static const struct {
    const char *name;
    int (*run)(const struct app_farm_job *job, const struct app_options *options);
} verbs[] = {
    {"task", run_task},
    {"join", join},
    {"status", show_status},
};

int app_farm(const struct app_options *options)
{
    if (options->input_count == 0) {
        (void)fail(NULL, "froth farm FILM.yaml --engine slurm, or froth farm status FOLDER",
                   "farm needs a film or the folder of a job");
        return APP_EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (options->input_count > 1 && strcmp(options->inputs[0], verbs[i].name) == 0) {
            struct app_farm_job job = {.tasks = 0};
            int result = app_farm_job_open(&job, options->inputs[1], sink);
            result = result == 0 ? verbs[i].run(&job, options) : result;
            app_farm_job_free(&job);
            return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
        }
    }
    if (options->input_count > 1) {
        char hint[96];
        struct base_closest closest = {0};
        for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
            base_closest_try(&closest, options->inputs[0], verbs[i].name);
        }
        base_closest_hint(&closest, "task, join or status, then the folder of a job", hint,
                          sizeof hint);
        (void)fail(NULL, hint, "farm makes a job of one film");
        return APP_EXIT_USAGE;
    }
    return order_film(options) == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
