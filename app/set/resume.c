/* A show that goes on where it was cut off. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/set/set.h"
#include "base/os/file.h"

enum { PATH = 4096, HEAD_MOST = 512 << 20 };

/* The newest recording without a name. */
static bool find_newest(char found[static PATH], const struct base_diag_sink *sink)
{
    char home[PATH];
    DIR *entries = app_set_home(home, sizeof home) ? opendir(home) : NULL;
    const struct dirent *entry;
    found[0] = '\0';
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        char path[PATH];
        const int size = snprintf(path, sizeof path, "%s/%s", home, entry->d_name);
        if (entry->d_name[0] != '.' && size > 0 && (size_t)size < sizeof path &&
            strcmp(path, found) > 0 && app_set_is(path)) {
            memcpy(found, path, (size_t)size + 1);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    if (found[0] == '\0') {
        base_report(sink, BASE_ERROR, (struct base_place){0},
                    "froth play --record always makes one; --resume NAME names another folder",
                    "there is no recording to go on from");
    }
    return found[0] != '\0';
}

/* Of events.yaml no more than the head. */
static int read_head(struct app_set_resume *resume, const struct base_diag_sink *sink)
{
    static const char mark[] = "\nevents:\n";
    char path[PATH + 32];
    struct base_file file;
    (void)snprintf(path, sizeof path, "%s/events.yaml", resume->folder);
    if (base_file_load(&file, path, HEAD_MOST, sink) != 0) {
        return -1;
    }
    size_t size = file.size;
    for (size_t i = 0; i + sizeof mark - 1 <= file.size && size == file.size; i++) {
        size = memcmp(file.data + i, mark, sizeof mark - 1) == 0 ? i + sizeof mark - 1 : size;
    }
    struct app_set_events events = {.count = 0};
    const int result =
        app_set_events_read(&events, path, (struct base_span){file.data, size}, sink);
    resume->head = events.head;
    app_set_events_free(&events);
    base_file_free(&file);
    return result;
}

int app_set_resume_read(struct app_set_resume *resume, const char *name,
                        const struct base_diag_sink *sink)
{
    char path[PATH + 32];
    uint64_t frame = 0;
    *resume = (struct app_set_resume){.state = NULL};
    if (strcmp(name, "on") == 0) {
        if (!find_newest(resume->folder, sink)) {
            return -1;
        }
    } else {
        (void)snprintf(resume->folder, sizeof resume->folder, "%s", name);
    }
    if (read_head(resume, sink) != 0) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/last.state", resume->folder);
    return app_set_state_read(path, &frame, &resume->state, &resume->size, sink);
}

void app_set_resume_free(struct app_set_resume *resume)
{
    free(resume->state);
    resume->state = NULL;
}

void app_set_resume_options(const struct app_set_resume *resume, struct app_options *options)
{
    static const char *const levels[] = {"fft", "fir", "board"};
    const struct froth_config *config = &resume->head.config;
    options->size = (struct app_size){config->width, config->height};
    options->mesh = (struct app_size){config->mesh_width, config->mesh_height};
    options->fps = app_set_frame_rate(config);
    options->step_rate =
        config->step_rate > 0 ? engine_rate_of(config->step_rate) : (struct engine_rate){0, 1};
    options->between = config->between != 0 ? "blend" : "newest";
    options->levels = levels[config->levels];
    options->seed = config->seed;
}
