/* Where a set in a folder keeps what takes room: states, presets, sound and pictures as files. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/set/set.h"
#include "base/os/file.h"
#include "presets/file.h"

enum { PATH = 4096 + 512 };

static bool find_state(const struct app_set *set, uint64_t frame, uint64_t *found)
{
    char path[PATH];
    bool any = false;
    (void)snprintf(path, sizeof path, "%s/states", set->folder);
    DIR *entries = opendir(path);
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        uint64_t number = 0;
        int used = 0;
        if (sscanf(entry->d_name, "%10" SCNu64 ".state%n", &number, &used) == 1 && used > 0 &&
            entry->d_name[used] == '\0' && number <= frame && (!any || number > *found)) {
            *found = number;
            any = true;
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    return any;
}

static int read_state(const struct app_set *set, uint64_t frame, uint8_t **bytes, size_t *size,
                      const struct base_diag_sink *sink)
{
    char path[PATH];
    uint64_t number = 0;
    (void)snprintf(path, sizeof path, "%s/states/%010" PRIu64 ".state", set->folder, frame);
    return app_set_state_read(path, &number, bytes, size, sink);
}

static int read_preset(const struct app_set *set, struct base_span name, char **text, size_t *size,
                       const struct base_diag_sink *sink)
{
    char path[PATH];
    struct base_file file;
    (void)snprintf(path, sizeof path, "%s/%.*s", set->folder, (int)name.size, name.data);
    if (base_file_load(&file, path, PRESET_FILE_MAX, sink) != 0) {
        return -1;
    }
    *text = malloc(file.size + 1);
    *size = file.size;
    if (*text != NULL) {
        memcpy(*text, file.data, file.size);
    }
    base_file_free(&file);
    return *text != NULL ? 0 : -1;
}

static int hear(const struct app_set *set, struct app_set_ear *ear, uint64_t from, float *samples,
                size_t frames, size_t *got, const struct base_diag_sink *sink)
{
    *got = 0;
    if (ear->audio == NULL) {
        char path[PATH];
        (void)snprintf(path, sizeof path, "%s/sound", set->folder);
        ear->audio = app_audio_open(path, sink);
        ear->at = 0;
    }
    if (ear->audio == NULL || (ear->at != from && app_audio_seek(ear->audio, from) != 0)) {
        return -1;
    }
    *got = frames > 0 ? app_audio_read(ear->audio, samples, frames) : 0;
    ear->at = from + *got;
    return 0;
}

static bool find_picture(const struct app_set *set, const struct app_set_picture *picture,
                         char *path, size_t size)
{
    const int length = snprintf(path, size, "%s/%s", set->folder, picture->picture);
    return length > 0 && (size_t)length < size;
}

const struct app_set_store app_set_folder = {find_state, read_state, read_preset, hear,
                                             find_picture};

void app_set_ear_close(struct app_set_ear *ear)
{
    app_audio_close(ear->audio);
    ear->audio = NULL;
}
