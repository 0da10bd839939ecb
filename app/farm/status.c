/* How far a job is, and what its pieces look like. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/apart/process.h"
#include "app/farm/farm.h"
#include "app/io/picture_format.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/yaml.h"

enum { MESSAGE = 300, FIGURES = 4096 };

static const double alive_seconds = 6 * APP_FARM_MARKED;

enum state { WAITING, RUNNING, LOST, FAILED, DONE, STATES };

static const char *const state_names[STATES] = {"waiting", "running", "lost", "failed", "done"};

struct task {
    enum state state;
    double seconds; /* that it took, or has run so far */
    char message[MESSAGE];
};

struct status {
    const struct app_farm_job *job;
    struct task *tasks;
    size_t by_state[STATES];
    double left; /* seconds; below 0: nobody knows */
};

static bool exists(const char *path, struct stat *facts)
{
    return stat(path, facts) == 0 && S_ISREG(facts->st_mode);
}

/* Where a line of figures is no such line, nothing is known. */
static void read_figures(struct task *task, const char *path)
{
    struct base_arena arena = {0};
    size_t size = 0;
    char *text = base_file_read(path, FIGURES, &size, NULL);
    const struct base_yaml *map =
        text != NULL ? base_yaml_read(&arena, path, (struct base_span){text, size}, NULL) : NULL;
    if (map != NULL && map->kind == BASE_YAML_MAP) {
        const struct base_yaml *seconds = base_yaml_get(map, "seconds");
        const struct base_yaml *message = base_yaml_get(map, "message");
        if (seconds != NULL) {
            (void)base_yaml_number(seconds, &task->seconds);
        }
        if (message != NULL && message->kind == BASE_YAML_SCALAR) {
            (void)snprintf(task->message, sizeof task->message, "%.*s", (int)message->text.size,
                           message->text.data);
        }
    }
    base_arena_free(&arena);
    free(text);
}

static void look_at(const struct app_farm_job *job, uint64_t number, struct task *task)
{
    char path[APP_FARM_PATH];
    struct stat facts;
    const double now = (double)time(NULL);
    *task = (struct task){.state = WAITING};
    if (app_farm_path(job, "tasks", number, ".json", path) && exists(path, &facts)) {
        read_figures(task, path);
        task->state = FAILED;
    }
    if (app_farm_path(job, "tasks", number, ".run", path) && exists(path, &facts)) {
        task->state = now - (double)facts.st_mtime < alive_seconds ? RUNNING : LOST;
        if (task->state == LOST) {
            (void)snprintf(task->message, sizeof task->message,
                           "it has not been heard of for %.0f seconds",
                           now - (double)facts.st_mtime);
        }
    }
    if (app_farm_path(job, "pieces", number, ".ts.piece", path) && exists(path, &facts)) {
        task->state = DONE;
    }
}

static void estimate(struct status *status)
{
    double sum = 0;
    size_t known = 0;
    const size_t done = status->by_state[DONE];
    for (uint64_t i = 0; i < status->job->tasks; i++) {
        const struct task *task = &status->tasks[i];
        if (task->state == DONE && task->seconds > 0) {
            sum += task->seconds;
            known++;
        }
    }
    const double at_once = fmax((double)status->by_state[RUNNING], 1);
    const double rest = (double)(status->job->tasks - done);
    status->left = done == status->job->tasks ? 0
                   : known > 0                ? sum / (double)known * rest / at_once
                                              : -1;
}

/* ---- what is printed ---- */

static void print_json(const struct status *status)
{
    const struct app_farm_job *job = status->job;
    for (uint64_t i = 0; i < job->tasks; i++) {
        const struct task *task = &status->tasks[i];
        (void)printf("{\"task\": %" PRIu64 ", \"state\": \"%s\", \"seconds\": ", i + 1,
                     state_names[task->state]);
        base_json_number(stdout, task->seconds);
        (void)fputs(", \"message\": ", stdout);
        base_json_string(stdout, task->message);
        (void)fputs("}\n", stdout);
    }
    (void)printf("{\"summary\": {\"tasks\": %" PRIu64, job->tasks);
    for (int state = 0; state < STATES; state++) {
        (void)printf(", \"%s\": %zu", state_names[state], status->by_state[state]);
    }
    (void)fputs(", \"seconds_left\": ", stdout);
    base_json_number(stdout, status->left >= 0 ? status->left : NAN);
    (void)fputs("}}\n", stdout);
}

static void print_plain(const struct status *status)
{
    const struct app_farm_job *job = status->job;
    for (uint64_t i = 0; i < job->tasks; i++) {
        const struct task *task = &status->tasks[i];
        const bool told = task->state == FAILED || task->state == LOST ||
                          (task->state == DONE && task->message[0] != '\0');
        if (told) {
            (void)printf("task %" PRIu64 " %s: ", i + 1, state_names[task->state]);
            base_plain(stdout, task->message);
            (void)fputc('\n', stdout);
        }
    }
    (void)printf("%zu of %" PRIu64 " piece%s done", status->by_state[DONE], job->tasks,
                 base_plural(job->tasks));
    for (int state = RUNNING; state < DONE; state++) {
        if (status->by_state[state] > 0) {
            (void)printf(", %zu %s", status->by_state[state], state_names[state]);
        }
    }
    if (status->left > 0) {
        (void)printf("; about %.0f:%02.0f left", floor(status->left / 60), fmod(status->left, 60));
    }
    (void)fputc('\n', stdout);
}

/* ---- the contact sheet ---- */

enum { TILES = 64, TILE_WIDTH = 192, TILE_HEIGHT = 108, GAP = 4, GROUND = 0x181818 };

struct sheet {
    uint32_t *pixels;
    int columns;
    int width;
    int height;
};

/* The first picture of a piece, as ffmpeg reads it. False: there is none. */
static bool read_tile(const char *path, uint32_t *pixels)
{
    static const char scale[] = "scale=192:108:force_original_aspect_ratio=decrease,"
                                "pad=192:108:-1:-1:color=0x181818";
    const char *const words[] = {"ffmpeg",
                                 "-v",
                                 "error",
                                 "-protocol_whitelist",
                                 "file",
                                 "-f",
                                 "mpegts",
                                 "-i",
                                 "file:" APP_PROCESS_FILE_0,
                                 "-frames:v",
                                 "1",
                                 "-vf",
                                 scale,
                                 "-f",
                                 "rawvideo",
                                 "-pix_fmt",
                                 "bgr0",
                                 "-",
                                 NULL};
    const size_t size = (size_t)TILE_WIDTH * TILE_HEIGHT * sizeof *pixels;
    struct app_process process = APP_PROCESS_NONE;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    bool good = app_process_start(&process, words, APP_PROCESS_READ, &file, 1) == 0;
    good = good && app_process_read(&process, pixels, size) == size;
    (void)app_process_finish(&process);
    (void)close(file);
    return good;
}

static void put_tile(struct sheet *sheet, int place, const uint32_t *pixels)
{
    const int left = GAP + place % sheet->columns * (TILE_WIDTH + GAP);
    const int top = GAP + place / sheet->columns * (TILE_HEIGHT + GAP);
    for (int y = 0; y < TILE_HEIGHT; y++) {
        memcpy(sheet->pixels + (size_t)(top + y) * (size_t)sheet->width + left,
               pixels + (size_t)y * TILE_WIDTH, TILE_WIDTH * sizeof *pixels);
    }
}

static int write_sheet(const struct sheet *sheet, const char *path,
                       const struct base_diag_sink *sink)
{
    char why[160];
    char *data = NULL;
    size_t size = 0;
    unsigned char *row = malloc(3 * (size_t)sheet->width);
    FILE *file = open_memstream(&data, &size);
    bool good = file != NULL && row != NULL &&
                app_picture_write_png(file, sheet->pixels, sheet->width, sheet->height, row, why);
    good = (file == NULL || fclose(file) == 0) && good;
    const int result = good ? base_file_write(path, data, size, BASE_FILE_OVER) : -1;
    free(data);
    free(row);
    if (result != 0) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "cannot write: %s",
                    strerror(errno));
    }
    return result;
}

/* Pieces in the order of the film; of many, some all over it. What is not there yet is dark. */
static int draw_sheet(const struct status *status, const struct base_diag_sink *sink)
{
    const struct app_farm_job *job = status->job;
    char path[APP_FARM_PATH + 16];
    const int tiles = job->tasks < TILES ? (int)job->tasks : TILES;
    struct sheet sheet = {.columns = (int)ceil(sqrt(tiles))};
    const int rows = (tiles + sheet.columns - 1) / sheet.columns;
    sheet.width = GAP + sheet.columns * (TILE_WIDTH + GAP);
    sheet.height = GAP + rows * (TILE_HEIGHT + GAP);
    const size_t count = (size_t)sheet.width * (size_t)sheet.height;
    uint32_t *tile = calloc((size_t)TILE_WIDTH * TILE_HEIGHT, sizeof *tile);
    sheet.pixels = calloc(count, sizeof *sheet.pixels);
    int result = -1;
    if (tile != NULL && sheet.pixels != NULL) {
        for (size_t i = 0; i < count; i++) {
            sheet.pixels[i] = GROUND;
        }
        for (int i = 0; i < tiles; i++) {
            const uint64_t task = (uint64_t)i * job->tasks / (uint64_t)tiles;
            if (status->tasks[task].state == DONE &&
                app_farm_path(job, "pieces", task + 1, ".ts", path) && read_tile(path, tile)) {
                put_tile(&sheet, i, tile);
            }
        }
        (void)snprintf(path, sizeof path, "%s/sheet.png", job->folder);
        result = write_sheet(&sheet, path, sink);
    }
    free(tile);
    free(sheet.pixels);
    return result;
}

int app_farm_status(const struct app_farm_job *job, bool json, const struct base_diag_sink *sink)
{
    struct status status = {.job = job, .tasks = calloc(job->tasks, sizeof *status.tasks)};
    if (status.tasks == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return -1;
    }
    for (uint64_t i = 0; i < job->tasks; i++) {
        look_at(job, i + 1, &status.tasks[i]);
        status.by_state[status.tasks[i].state]++;
    }
    estimate(&status);
    (json ? print_json : print_plain)(&status);
    const int result = status.by_state[DONE] > 0 ? draw_sheet(&status, sink) : 0;
    free(status.tasks);
    return result;
}
