#include "app/set/record/trim.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/set/record/files.h"
#include "app/set/record/home.h"
#include "app/set/record/pictures.h"
#include "base/os/file.h"
#include "engine/tempo/tempo.h"

enum { PATH = 4096 + 512 };

struct trim {
    const struct app_set *set;
    const char *folder;
    const struct base_diag_sink *sink;
    uint64_t first; /* the frame before the part, and its last one */
    uint64_t last;
    size_t begin; /* index of the first frame */
    size_t end;   /* and behind the last */
};

static int fail(const struct trim *trim, const char *what)
{
    base_report(trim->sink, BASE_ERROR, (struct base_place){.file = trim->folder}, NULL, "%s",
                what);
    return -1;
}

static void path_of_state(const struct trim *trim, char *path)
{
    (void)snprintf(path, PATH, "%s/states/%010" PRIu64 ".state", trim->folder, trim->first);
}

/* A state that the set has. */
static int copy_state(const struct trim *trim)
{
    char path[PATH];
    uint8_t *bytes = NULL;
    size_t size = 0;
    path_of_state(trim, path);
    int result = trim->set->store->read_state(trim->set, trim->first, &bytes, &size, trim->sink);
    if (result == 0 && app_set_state_write(path, trim->first, bytes, size) != 0) {
        result = fail(trim, strerror(errno));
    }
    free(bytes);
    return result;
}

/* The show as it stands behind frame `first`. */
static int write_state(const struct trim *trim, double from, const struct app_options *options)
{
    const struct app_set_wishes wishes = {.as_shown = true,
                                          .from = from,
                                          .threads = app_options_threads(options),
                                          .cpu = app_options_cpu(options)};
    struct app_set_play *play = app_set_play_open(trim->set, &wishes, trim->sink);
    if (play == NULL) {
        return -1;
    }
    app_set_play_skip(play);
    froth *show = app_set_play_show(play);
    char path[PATH];
    uint8_t *bytes = NULL;
    size_t size = 0;
    path_of_state(trim, path);
    int result = app_set_state_take(show, &bytes, &size);
    result = result == 0 ? app_set_state_write(path, trim->first, bytes, size) : result;
    free(bytes);
    app_set_play_close(play);
    return result == 0 ? 0 : fail(trim, "the state at its beginning cannot be written");
}

static int copy_preset(const struct trim *trim, struct base_span name)
{
    char path[PATH];
    char *text = NULL;
    size_t size = 0;
    if (trim->set->store->read_preset(trim->set, name, &text, &size, trim->sink) != 0) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/%.*s", trim->folder, (int)name.size, name.data);
    const int result = base_file_write(path, text, size, BASE_FILE_OVER);
    free(text);
    return result == 0 ? 0 : fail(trim, strerror(errno));
}

static int copy_pictures(const struct trim *trim)
{
    const struct app_set *set = trim->set;
    struct app_set_log *log = calloc(1, sizeof *log);
    char path[PATH];
    int result = 0;
    (void)snprintf(path, sizeof path, "%s/pictures.yaml", trim->folder);
    if (log == NULL || app_set_log_open(log, path) != 0) {
        free(log);
        return fail(trim, strerror(errno));
    }
    for (size_t i = 0; i < set->picture_count && result == 0; i++) {
        struct app_set_picture picture = set->pictures[i];
        char name[APP_SET_PICTURE];
        const bool found = set->store->find_picture(set, &picture, path, sizeof path);
        if (found && app_set_picture_copy(path, trim->folder, name)) {
            picture.picture = name;
            app_set_picture_add(log, &picture);
        } else {
            base_report(trim->sink, BASE_ERROR, (struct base_place){.file = path}, NULL,
                        "this picture cannot be copied: %s", strerror(errno));
            result = -1;
        }
    }
    result = app_set_log_flush(log) == 0 ? result : fail(trim, strerror(errno));
    app_set_log_close(log);
    free(log);
    return result;
}

static int write_events(const struct trim *trim)
{
    const struct app_set_events *events = &trim->set->events;
    struct app_set_log *log = calloc(1, sizeof *log);
    struct app_set_head head = events->head;
    char text[APP_SET_LINE];
    char path[PATH];
    int result = 0;
    (void)snprintf(path, sizeof path, "%s/events.yaml", trim->folder);
    if (log == NULL || app_set_log_open(log, path) != 0) {
        free(log);
        return fail(trim, strerror(errno));
    }
    head.first = trim->first;
    app_set_log_add(log, text, app_set_head_write(&head, text));
    for (size_t i = 0; i < events->count && result == 0; i++) {
        const struct app_set_event *event = &events->items[i];
        if (event->frame > trim->first && event->frame <= trim->last &&
            event->kind != APP_SET_END) {
            app_set_log_add(log, text, app_set_event_write(event, &head, text));
            result = event->kind == APP_SET_PRESET ? copy_preset(trim, event->text) : 0;
        }
    }
    const struct app_set_event end = {.kind = APP_SET_END, .frame = trim->last + 1};
    app_set_log_add(log, text, app_set_event_write(&end, &head, text));
    if (app_set_log_flush(log) != 0) {
        result = fail(trim, strerror(errno));
    }
    app_set_log_close(log);
    free(log);
    return result;
}

static int write_frames(const struct trim *trim)
{
    const struct app_set *set = trim->set;
    char path[PATH];
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL) {
        return fail(trim, strerror(errno));
    }
    size_t said = trim->begin > 0 ? set->frames[trim->begin - 1].said : 0;
    uint64_t heard = trim->begin > 0 ? set->frames[trim->begin - 1].heard : 0;
    for (size_t i = trim->begin; i < trim->end; i++) {
        const struct app_set_frame *frame = &set->frames[i];
        for (; said < frame->said; said++) {
            const struct app_set_said *words = &set->said[said];
            (void)fprintf(file, "t %s %.17g %.17g %d\n", engine_tempo_name(words->source),
                          words->bpm, words->beats, words->runs);
        }
        (void)fprintf(file, "%" PRIu64 " %" PRIu64 "\n", frame->number, frame->heard - heard);
        heard = frame->heard;
    }
    const bool written = fclose(file) == 0;
    (void)snprintf(path, sizeof path, "%s/frames.txt", trim->folder);
    const int result = written ? base_file_write(path, text, size, BASE_FILE_OVER) : -1;
    free(text);
    return result == 0 ? 0 : fail(trim, strerror(errno));
}

static int copy_sound(const struct trim *trim, struct app_set_sound *sound)
{
    enum { BLOCK = 4096 };
    const struct app_set *set = trim->set;
    const uint64_t from = trim->begin > 0 ? set->frames[trim->begin - 1].heard : 0;
    uint64_t left = set->frames[trim->end - 1].heard - from;
    float samples[2 * BLOCK];
    struct app_set_ear ear = {.audio = NULL};
    uint64_t at = from;
    size_t got = 1;
    int result = 0;
    while (left > 0 && got > 0 && result == 0) {
        const size_t most = left < BLOCK ? (size_t)left : BLOCK;
        result = set->store->hear(set, &ear, at, samples, most, &got, trim->sink);
        result = result == 0 && got > 0 ? app_set_sound_add(sound, samples, got) : result;
        at += got;
        left -= got;
    }
    app_set_ear_close(&ear);
    return app_set_sound_end(sound) == 0 && result == 0 && left == 0
               ? 0
               : fail(trim, "the sound cannot be copied");
}

static int write_sound(const struct trim *trim)
{
    struct app_set_sound *sound = calloc(1, sizeof *sound);
    struct app_set_keeper *keeper = calloc(1, sizeof *keeper);
    int result = -1;
    if (sound != NULL && keeper != NULL && app_set_keeper_open(keeper) == 0) {
        sound->log.file = -1;
        sound->keeper = keeper;
        (void)snprintf(sound->folder, sizeof sound->folder, "%s/sound", trim->folder);
        result = copy_sound(trim, sound);
        app_set_keeper_close(keeper);
    }
    free(sound);
    free(keeper);
    return result;
}

int app_set_trim(const struct app_set *set, double from, double to, const char *folder,
                 const struct app_options *options, const struct base_diag_sink *sink)
{
    const struct app_set_head *head = &set->events.head;
    const double rate = app_set_rate(&head->config);
    struct trim trim = {.set = set, .folder = folder, .sink = sink};
    trim.first = head->first + (uint64_t)llround(from * rate);
    trim.last = isfinite(to) ? head->first + (uint64_t)llround(to * rate) : UINT64_MAX;
    while (trim.begin < set->frame_count && set->frames[trim.begin].number <= trim.first) {
        trim.begin++;
    }
    for (trim.end = trim.begin;
         trim.end < set->frame_count && set->frames[trim.end].number <= trim.last;) {
        trim.end++;
    }
    if (trim.begin == trim.end) {
        return fail(&trim, "there are no frames in this part of the set");
    }
    uint64_t state = 0;
    const bool has_state = set->store->find_state(set, trim.first, &state) && state == trim.first;
    trim.last = set->frames[trim.end - 1].number;
    if (!has_state) {
        /* With a frame that was drawn. */
        trim.first = set->frames[trim.begin].number - 1;
        from = (double)(trim.first - head->first) / rate;
    }
    if (app_set_folders_make(folder) != 0) {
        return fail(&trim, app_set_folders_text(errno));
    }
    if (trim.first > 0 &&
        (has_state ? copy_state(&trim) : write_state(&trim, from, options)) != 0) {
        return -1;
    }
    return write_events(&trim) == 0 && copy_pictures(&trim) == 0 && write_frames(&trim) == 0 &&
                   write_sound(&trim) == 0
               ? 0
               : -1;
}
