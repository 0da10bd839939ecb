#include "app/check/check.h"

#include <stdlib.h>

#include "app/io/audio.h"
#include "app/io/progress.h"
#include "app/library/verdicts.h"
#include "app/options/options.h"
#include "app/render/render_board.h"
#include "base/os/content_hash.h"
#include "base/os/file.h"
#include "base/os/stop.h"
#include "base/os/thread.h"
#include "presets/library/find.h"
#include "base/os/logger.h"

enum { FRAMES = 120, SECONDS = 60, VERDICTS_AT_ONCE = 100 };

/* Room for the largest picture and the hungriest preset; beyond it the machine would swap. */
static const size_t memory_limit = (size_t)3 << 30;

struct check {
    struct app_check_settings settings;
    const struct preset_list *list;
    struct app_check_row *rows;
    bool *ended;
    size_t ended_count;
    size_t printed;
    bool json;
    struct app_check_summary summary;
    struct app_progress progress;
    struct app_verdicts *verdicts; /* for the library; may be NULL */
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
        .fps = board ? app_render_board_fps(options) : app_options_fps(options),
        .frames = options->frames > 0 ? options->frames : FRAMES,
        .seed = options->seed,
        .levels = app_options_levels(options),
        .threads = app_options_threads(options),
        .cpu = app_options_cpu(options),
        .divisor = app_options_shaders(options),
        .audio = options->audio != NULL ? options->audio : "demo",
        .textures = options->textures,
        .time_limit = options->time_limit > 0 ? options->time_limit : SECONDS,
    };
}

static size_t jobs_of(const struct app_options *options, size_t presets)
{
    size_t jobs = options->jobs > 0 ? (size_t)options->jobs : base_processor_count();
    jobs = jobs < presets ? jobs : presets;
    return jobs < APP_SUPERVISE_JOBS_MAX ? jobs : APP_SUPERVISE_JOBS_MAX;
}

static void body(void *user, size_t index, int out)
{
    const struct check *check = user;
    const struct app_check_settings *settings = &check->settings;
    (settings->board ? app_check_run_board : app_check_run)(settings, check->list->paths[index],
                                                            out);
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

static void ended(void *user, size_t index, const struct app_supervise_end *end)
{
    struct check *check = user;
    struct app_check_row *row = &check->rows[index];
    row->path = check->list->paths[index];
    app_check_row_read(row, end, check->settings.time_limit);
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
        (check->json ? app_check_json_row : app_check_print_row)(stdout, next,
                                                                 check->settings.board);
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
        .memory_limit = memory_limit,
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

static int run_list(const struct app_options *options, const struct preset_list *list)
{
    struct check check = {
        .settings = settings_of(options),
        .list = list,
        .rows = calloc(list->count, sizeof *check.rows),
        .ended = calloc(list->count, sizeof *check.ended),
        .json = options->json,
        .summary.board = app_render_is_for_board(options),
    };
    /* What the library shows is how this machine plays. */
    if (!check.settings.board) {
        char folder[4096];
        const bool named = base_folder_path(BASE_FOLDER_CACHE, "", folder, sizeof folder);
        check.verdicts = app_verdicts_load(named ? folder : NULL);
    }
    int result = -1;
    if (check.rows != NULL && check.ended != NULL) {
        result = run(&check, jobs_of(options, list->count));
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
    const size_t *by_status = check.summary.by_status;
    const size_t failed = by_status[APP_CHECK_REFUSED] + by_status[APP_CHECK_ERROR] +
                          by_status[APP_CHECK_TIMEOUT] + by_status[APP_CHECK_CRASH];
    return result == 0 && whole && failed == 0 ? 0 : -1;
}

static int check_inputs(const struct app_options *options)
{
    struct preset_list list = {0};
    int failed = 0;
    for (size_t i = 0; i < options->input_count; i++) {
        failed |= preset_list_add(&list, options->inputs[i], &base_diag_stderr);
    }
    if (list.count > 0) {
        failed |= run_list(options, &list);
    }
    preset_list_free(&list);
    return failed;
}

int app_check(const struct app_options *options)
{
    if (options->input_count == 0) {
        base_report(&base_diag_stderr, BASE_ERROR, (struct base_place){0},
                    "name presets or folders: froth check PATH...", "nothing to check");
        return APP_EXIT_USAGE;
    }
    if (app_render_is_for_board(options) && app_render_board_check(options) != 0) {
        return APP_EXIT_USAGE;
    }
    /* The sound is opened once here, so that a wrong name is one message and not one for each
     * preset. */
    struct app_audio *audio =
        app_audio_open(options->audio != NULL ? options->audio : "demo", &base_diag_stderr);
    app_audio_close(audio);
    if (audio == NULL) {
        return APP_EXIT_FAILED;
    }
    struct base_stop signals;
    base_stop_begin(&signals);
    int failed = check_inputs(options);
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
