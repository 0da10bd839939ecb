/* froth join: one film of its pieces. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/video/video.h"
#include "app/render/piece.h"
#include "base/os/print.h"
#include "base/os/thread.h"

static const struct base_place NOWHERE = {0};

struct join {
    const struct base_diag_sink *sink;
    struct app_piece *pieces; /* in the order of their frames */
    const char **paths;       /* in the order of their frames */
    size_t count;
};

static int fail(const struct join *join, const char *file, const char *hint, const char *what)
{
    base_report(join->sink, BASE_ERROR, (struct base_place){.file = file}, hint, "%s", what);
    return -1;
}

/* Puts the piece where it belongs among those before it. */
static void sort_in(struct join *join, size_t place)
{
    for (; place > 0 && join->pieces[place].first < join->pieces[place - 1].first; place--) {
        const struct app_piece piece = join->pieces[place];
        const char *path = join->paths[place];
        join->pieces[place] = join->pieces[place - 1];
        join->paths[place] = join->paths[place - 1];
        join->pieces[place - 1] = piece;
        join->paths[place - 1] = path;
    }
}

static int read_all(struct join *join, const char *const *paths, size_t count)
{
    int result = 0;
    join->pieces = calloc(count, sizeof *join->pieces);
    join->paths = calloc(count, sizeof *join->paths);
    if (join->pieces == NULL || join->paths == NULL) {
        return fail(join, NULL, NULL, "not enough memory");
    }
    for (size_t i = 0; i < count; i++) {
        join->paths[i] = paths[i];
        join->count = i + 1;
        result |= app_piece_read(&join->pieces[i], join->paths[i], join->sink);
    }
    for (size_t i = 0; result == 0 && i < join->count; i++) {
        sort_in(join, i);
    }
    return result;
}

/* Whether they are of one film, made by one version, and nothing of it is missing. */
static int check_all(const struct join *join)
{
    const struct app_piece *one = &join->pieces[0];
    uint64_t next = 0;
    for (size_t i = 0; i < join->count; i++) {
        const struct app_piece *piece = &join->pieces[i];
        const char *path = join->paths[i];
        if (strcmp(piece->version, one->version) != 0) {
            return fail(join, path, "render it again with the other pieces' version",
                        "another version of froth has made it");
        }
        if (!app_piece_is_of_film(piece, one)) {
            return fail(join, path, "presets, sound and options have to be the same",
                        "this is a piece of another film");
        }
        if (piece->first < next) {
            return fail(join, path, "leave one of them out", "two pieces have the same frames");
        }
        if (piece->first > next) {
            base_report(join->sink, BASE_ERROR, NOWHERE, "render --segment makes them",
                        "frames %" PRIu64 " to %" PRIu64 " are in no piece", next + 1,
                        piece->first);
            return -1;
        }
        next = piece->first + piece->count;
    }
    if (next < one->total) {
        base_report(join->sink, BASE_ERROR, NOWHERE, "render --segment makes them",
                    "frames %" PRIu64 " to %" PRIu64 " are in no piece", next + 1, one->total);
        return -1;
    }
    return 0;
}

static void print_hashes(const struct join *join)
{
    for (size_t i = 0; i < join->count; i++) {
        app_piece_print_hashes(&join->pieces[i]);
    }
}

/* One for each preset, wherever its film was cut. */
static size_t list_chapters(const struct join *join, struct app_video_chapter *chapters)
{
    size_t count = 0;
    const struct app_piece *one = &join->pieces[0];
    for (size_t i = 0; i < join->count; i++) {
        const struct app_piece *piece = &join->pieces[i];
        for (size_t k = 0; k < piece->scene_count; k++) {
            const struct app_piece_scene *scene = &piece->scenes[k];
            const bool goes_on = k == 0 && scene->frame == piece->first && count > 0 &&
                                 strcmp(chapters[count - 1].name, scene->name) == 0;
            if (!goes_on) {
                const double begin = engine_rate_seconds(one->rate, scene->frame);
                if (count > 0) {
                    chapters[count - 1].end = begin;
                }
                chapters[count++] = (struct app_video_chapter){begin, begin, scene->name};
            }
        }
    }
    if (count > 0) {
        chapters[count - 1].end = engine_rate_seconds(one->rate, one->total);
    }
    return count;
}

static int write_film(const struct join *join, const char *output)
{
    const struct app_piece *one = &join->pieces[0];
    size_t scenes = 1;
    for (size_t i = 0; i < join->count; i++) {
        scenes += join->pieces[i].scene_count;
    }
    struct app_video_chapter *chapters = calloc(scenes, sizeof *chapters);
    if (chapters == NULL) {
        return fail(join, NULL, NULL, "not enough memory");
    }
    const struct app_video_format format = {
        .width = one->width,
        .height = one->height,
        .rate = one->rate,
        .frames = one->total,
        .audio = one->sound[0] != '\0' ? one->sound : NULL,
        .audio_start = one->start,
        .chapters = chapters,
        .chapter_count = list_chapters(join, chapters),
        .codec = one->codec,
    };
    const int result = app_video_join(join->paths, join->count, output, &format, join->sink);
    free(chapters);
    return result;
}

static void close_join(struct join *join)
{
    for (size_t i = 0; i < join->count; i++) {
        app_piece_free(&join->pieces[i]);
    }
    free(join->pieces);
    free(join->paths);
}

int app_piece_join(const char *const *paths, size_t count, const char *output,
                   const struct base_diag_sink *sink)
{
    struct join join = {.sink = sink};
    int result = read_all(&join, paths, count);
    result = result == 0 ? check_all(&join) : result;
    result = result == 0 ? write_film(&join, output) : result;
    close_join(&join);
    return result;
}

int app_join(const struct app_options *options)
{
    struct join join = {.sink = &base_diag_stderr};
    if (options->input_count == 0 || (options->output == NULL && !options->hash)) {
        (void)fail(&join, NULL, "froth join one.ts two.ts -o film.mp4",
                   "join needs pieces and an output");
        return APP_EXIT_USAGE;
    }
    if (options->output != NULL &&
        app_video_settle(options->output, options->overwrite, join.sink) != 0) {
        return APP_EXIT_FAILED;
    }
    struct base_stop stop;
    base_stop_begin(&stop);
    int result = read_all(&join, options->inputs, options->input_count);
    result = result == 0 ? check_all(&join) : result;
    if (result == 0 && options->hash) {
        print_hashes(&join);
    }
    if (result == 0 && options->output != NULL) {
        result = write_film(&join, options->output);
    }
    close_join(&join);
    base_stop_end(&stop);
    return result == 0 ? APP_EXIT_DONE : APP_EXIT_FAILED;
}
