/* Sound that lies in a folder, a file for each minute: 000001.flac, 000002.flac and so on; the last
 * may be a WAV that is still being written. All but the last have a whole minute. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/io/audio_source.h"

enum { PATH = 4096, PARTS = 100000 };

static const uint64_t MINUTE = UINT64_C(60) * APP_AUDIO_RATE;

struct parts {
    struct app_audio audio;
    char *folder;
    struct base_diag_sink sink; /* of one part: without warnings */
    const struct base_diag_sink *next;
    uint64_t frames;       /* in all */
    uint64_t at;           /* the next one */
    uint64_t open;         /* number of the part that is open, from 1; 0: none */
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

static bool path_of(const char *folder, uint64_t number, char path[static PATH])
{
    static const char *const endings[] = {"flac", "wav"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const int size = snprintf(path, PATH, "%s/%06u.%s", folder, (unsigned)number, endings[i]);
        if (size > 0 && size < PATH && access(path, F_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* Opens the part of the next frame there. */
static bool turn_to(struct parts *parts)
{
    char path[PATH];
    const uint64_t number = parts->at / MINUTE + 1;
    if (parts->open == number) {
        return true;
    }
    app_audio_close(parts->one);
    parts->open = 0;
    parts->one =
        path_of(parts->folder, number, path) ? app_audio_open_file(path, &parts->sink) : NULL;
    if (parts->one == NULL ||
        (parts->at % MINUTE > 0 && app_audio_seek(parts->one, parts->at % MINUTE) != 0)) {
        (void)snprintf(parts->audio.error, sizeof parts->audio.error, "minute %u cannot be read",
                       (unsigned)number);
        return false;
    }
    parts->open = number;
    return true;
}

static size_t parts_read(struct app_audio *audio, float *interleaved, size_t frames)
{
    struct parts *parts = (struct parts *)audio;
    size_t done = 0;
    while (done < frames && parts->at < parts->frames && audio->error[0] == '\0' &&
           !atomic_load(&audio->stopped) && turn_to(parts)) {
        const uint64_t left = MINUTE - parts->at % MINUTE;
        const uint64_t all = parts->frames - parts->at;
        const uint64_t most = left < all ? left : all;
        const size_t wanted = frames - done < most ? frames - done : (size_t)most;
        const size_t got = app_audio_read(parts->one, interleaved + 2 * done, wanted);
        done += got;
        parts->at += got;
        if (got < wanted) {
            (void)snprintf(audio->error, sizeof audio->error, "minute %u is cut off",
                           (unsigned)parts->open);
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
    free(parts->folder);
    free(parts);
}

static const struct app_audio_kind parts_kind = {parts_read, parts_seek, parts_close};

/* Counts the parts and measures the last. */
static bool measure(struct parts *parts)
{
    char path[PATH];
    uint64_t count = 0;
    while (count < PARTS && path_of(parts->folder, count + 1, path)) {
        count++;
    }
    if (count == 0) {
        return true;
    }
    (void)path_of(parts->folder, count, path);
    /* A file that was just begun has nothing to be read. */
    struct app_audio *last = app_audio_open_file(path, count > 1 ? NULL : &parts->sink);
    const double seconds = last != NULL ? app_audio_seconds(last) : 0;
    parts->frames = (count - 1) * MINUTE + (uint64_t)(seconds * APP_AUDIO_RATE + 0.5);
    app_audio_close(last);
    return last != NULL || count > 1;
}

struct app_audio *app_audio_open_parts(const char *folder, const struct base_diag_sink *sink)
{
    struct parts *parts = calloc(1, sizeof *parts);
    char *copy = strdup(folder);
    if (parts == NULL || copy == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = folder}, NULL,
                    "not enough memory");
        free(parts);
        free(copy);
        return NULL;
    }
    *parts = (struct parts){.folder = copy, .next = sink};
    parts->audio.kind = &parts_kind;
    parts->sink = (struct base_diag_sink){receive, parts};
    if (!measure(parts)) {
        parts_close(&parts->audio);
        return NULL;
    }
    parts->audio.seconds = (double)parts->frames / APP_AUDIO_RATE;
    return &parts->audio;
}
