/* Sound that lies in several files, one after the other: the folder of a recording's sound, a file
 * for each minute (000001.flac, 000002.flac and so on; the last may be a WAV that is still being
 * written; all but the last have a whole minute); or a list (.m3u, .m3u8), which is read as a
 * playlist of presets is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "app/io/audio_source.h"
#include "base/os/file.h"
#include "presets/library/order.h"

enum { PATH = 4096, PARTS = 100000, LIST = 1 << 20, LISTED = 10000 };

static const uint64_t MINUTE = UINT64_C(60) * APP_AUDIO_RATE;

struct part {
    char *path;
    uint64_t begin; /* frames before it */
};

struct parts {
    struct app_audio audio;
    struct part *part; /* one more than there are: the end */
    size_t count;
    size_t room;
    bool silent_gaps; /* what a part lacks of what its file says is silence; else an error */
    struct base_diag_sink sink; /* of one part: without warnings */
    const struct base_diag_sink *next;
    uint64_t at;           /* the next frame */
    size_t open;           /* number of the part that is open, from 1; 0: none */
    struct app_audio *one; /* that part */
};

/* That the last part is shorter than its head says is no news. */
static void receive(void *user, const struct base_diag *diag)
{
    const struct parts *parts = user;
    if (diag->severity == BASE_ERROR && parts->next != NULL) {
        parts->next->receive(parts->next->user, diag);
    }
}

/* ---- reading ---- */

/* Opens the part of the next frame there. */
static bool turn_to(struct parts *parts)
{
    size_t number = parts->open > 0 ? parts->open : 1;
    while (number < parts->count && parts->at >= parts->part[number].begin) {
        number++;
    }
    if (parts->open == number) {
        return true;
    }
    app_audio_close(parts->one);
    parts->open = 0;
    const struct part *part = &parts->part[number - 1];
    const uint64_t into = parts->at - part->begin;
    parts->one = app_audio_open_file(part->path, &parts->sink);
    if (parts->one == NULL || (into > 0 && app_audio_seek(parts->one, into) != 0)) {
        (void)snprintf(parts->audio.error, sizeof parts->audio.error, "part %zu cannot be read",
                       number);
        return false;
    }
    parts->open = number;
    return true;
}

static size_t parts_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    struct parts *parts = (struct parts *)audio;
    size_t done = 0;
    while (done < frames && parts->at < parts->part[parts->count].begin &&
           audio->error[0] == '\0' && !atomic_load(&audio->stopped) && turn_to(parts)) {
        const uint64_t left = parts->part[parts->open].begin - parts->at;
        const size_t wanted = frames - done < left ? frames - done : (size_t)left;
        float *into = interleaved + 2 * done;
        size_t got = app_audio_read(parts->one, into, wanted);
        if (got < wanted && parts->silent_gaps) {
            memset(into + 2 * got, 0, 2 * (wanted - got) * sizeof *into);
            got = wanted;
        }
        done += got;
        parts->at += got;
        if (got < wanted) {
            (void)snprintf(audio->error, sizeof audio->error, "part %zu is cut off", parts->open);
        }
    }
    return done;
}

static int parts_seek(struct app_audio *audio, uint64_t frame)
{
    struct parts *parts = (struct parts *)audio;
    app_audio_close(parts->one);
    parts->one = NULL;
    parts->open = 0;
    parts->at = frame;
    return 0;
}

static void parts_close(struct app_audio *audio)
{
    struct parts *parts = (struct parts *)audio;
    app_audio_close(parts->one);
    for (size_t i = 0; i < parts->count; i++) {
        free(parts->part[i].path);
    }
    free(parts->part);
    free(parts);
}

static const struct app_audio_kind parts_kind = {parts_read, parts_seek, parts_close};

/* ---- making ---- */

static int refuse(const char *file, uint32_t line, const char *what,
                  const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){file, line, line > 0}, NULL, "%s", what);
    return -1;
}

/* None yet. NULL with a message without memory. */
static struct parts *make(const char *name, const struct base_diag_sink *sink)
{
    struct parts *parts = calloc(1, sizeof *parts);
    struct part *part = calloc(1, sizeof *part);
    if (parts == NULL || part == NULL) {
        (void)refuse(name, 0, "not enough memory", sink);
        free(parts);
        free(part);
        return NULL;
    }
    *parts = (struct parts){.part = part, .next = sink};
    parts->audio.kind = &parts_kind;
    parts->sink = (struct base_diag_sink){receive, parts};
    return parts;
}

/* A part of so many frames behind the others. False without memory. */
static bool add(struct parts *parts, const char *path, uint64_t frames)
{
    if (parts->count + 1 >= parts->room) {
        const size_t room = 2 * parts->room + 16;
        struct part *grown = realloc(parts->part, room * sizeof *grown);
        if (grown == NULL) {
            return false;
        }
        parts->part = grown;
        parts->room = room;
    }
    char *copy = strdup(path);
    if (copy == NULL) {
        return false;
    }
    const uint64_t begin = parts->part[parts->count].begin;
    parts->part[parts->count++].path = copy;
    parts->part[parts->count] = (struct part){NULL, begin + frames};
    return true;
}

static struct app_audio *finish(struct parts *parts, int result)
{
    if (result != 0) {
        parts_close(&parts->audio);
        return NULL;
    }
    parts->audio.seconds = (double)parts->part[parts->count].begin / APP_AUDIO_RATE;
    return &parts->audio;
}

static uint64_t frames_of(const struct app_audio *audio)
{
    const double seconds = audio != NULL ? app_audio_seconds(audio) : 0;
    return (uint64_t)llround(fmax(seconds, 0) * APP_AUDIO_RATE);
}

/* ---- the folder of a recording ---- */

static bool minute_path(const char *folder, size_t number, char path[static PATH])
{
    static const char *const endings[] = {"flac", "wav"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const int size = snprintf(path, PATH, "%s/%06zu.%s", folder, number, endings[i]);
        if (size > 0 && size < PATH && access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

struct app_audio *app_audio_open_parts(const char *folder, const struct base_diag_sink *sink)
{
    char path[PATH];
    char next[PATH];
    size_t number = 1;
    struct parts *parts = make(folder, sink);
    if (parts == NULL) {
        return NULL;
    }
    bool there = minute_path(folder, number, path);
    while (there && number < PARTS) {
        there = minute_path(folder, ++number, next);
        uint64_t frames = MINUTE;
        if (!there || number == PARTS) {
            /* A file that was just begun has nothing to be read. */
            struct app_audio *last = app_audio_open_file(path, number > 2 ? NULL : &parts->sink);
            frames = frames_of(last);
            app_audio_close(last);
            if (last == NULL && number == 2) {
                return finish(parts, -1);
            }
        }
        if (!add(parts, path, frames)) {
            return finish(parts, refuse(folder, 0, "not enough memory", sink));
        }
        memcpy(path, next, sizeof path);
    }
    return finish(parts, 0);
}

/* ---- a list ---- */

bool app_audio_is_list(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL && (strcasecmp(dot, ".m3u") == 0 || strcasecmp(dot, ".m3u8") == 0);
}

int app_audio_list_each(const char *list, int (*visit)(void *user, const char *path, uint32_t line),
                        void *user, const struct base_diag_sink *sink)
{
    struct base_file file;
    struct preset_playlist paths;
    if (base_file_load(&file, list, LIST, sink) != 0) {
        return -1;
    }
    int result = preset_playlist_read(&paths, list, (struct base_span){file.data, file.size}, sink);
    base_file_free(&file);
    for (size_t i = 0; i < paths.count && result == 0; i++) {
        result = visit(user, paths.items[i].path, paths.items[i].line);
    }
    preset_playlist_free(&paths);
    return result;
}

struct adding {
    struct parts *parts;
    const char *list;
};

static int add_listed(void *user, const char *path, uint32_t line)
{
    const struct adding *adding = user;
    struct parts *parts = adding->parts;
    struct app_audio *audio = parts->count < LISTED ? app_audio_open_file(path, parts->next) : NULL;
    const uint64_t frames = frames_of(audio);
    app_audio_close(audio);
    if (audio == NULL) {
        return refuse(adding->list, line,
                      parts->count < LISTED ? "this sound cannot be opened"
                                            : "the list is too long",
                      parts->next);
    }
    return add(parts, path, frames) ? 0
                                    : refuse(adding->list, line, "not enough memory", parts->next);
}

struct app_audio *app_audio_open_list(const char *list, const struct base_diag_sink *sink)
{
    struct parts *parts = make(list, sink);
    if (parts == NULL) {
        return NULL;
    }
    parts->silent_gaps = true;
    struct adding adding = {parts, list};
    int result = app_audio_list_each(list, add_listed, &adding, sink);
    if (result == 0 && parts->count == 0) {
        result = refuse(list, 0, "the list has no sound", sink);
    }
    return finish(parts, result);
}
