#include "app/play_instead.h"

#include <stdio.h>
#include <sys/stat.h>

#include "presets/library.h"

enum { SECONDS = 10, PRESETS = 4, NAMES_MAX = 1000, NAME_SIZE = 32 };

static const struct base_place NOWHERE = {0};

static int find_free_name(char name[static NAME_SIZE])
{
    struct stat status;
    (void)snprintf(name, NAME_SIZE, "froth-demo.mp4");
    for (int i = 2; lstat(name, &status) == 0; i++) {
        if (i > NAMES_MAX) {
            base_report(&base_diag_stderr, BASE_ERROR, NOWHERE, "use froth render and -o",
                        "there are too many files froth-demo-N.mp4");
            return -1;
        }
        (void)snprintf(name, NAME_SIZE, "froth-demo-%d.mp4", i);
    }
    return 0;
}

static struct app_size even_size(struct app_size size)
{
    return (struct app_size){size.width + size.width % 2, size.height + size.height % 2};
}

/* Some presets of the folder, from all over it: each is to be seen for a while. */
static int paint_some(struct app_options *options, const char *folder)
{
    struct preset_list list = {0};
    const char *some[PRESETS];
    if (preset_list_add(&list, folder, &base_diag_stderr) != 0) {
        return APP_EXIT_FAILED;
    }
    options->inputs = some;
    options->input_count = list.count < PRESETS ? list.count : PRESETS;
    for (size_t i = 0; i < options->input_count; i++) {
        some[i] = list.paths[i * list.count / options->input_count];
    }
    const int result = app_render(options);
    preset_list_free(&list);
    return result;
}

int app_play_instead(const struct app_options *options, const char *folder)
{
    char name[NAME_SIZE];
    if (find_free_name(name) != 0) {
        return APP_EXIT_FAILED;
    }
    struct app_options changed = *options;
    changed.command = APP_RENDER;
    changed.output = name;
    changed.size = even_size(options->size);
    changed.audio = options->audio != NULL ? options->audio : "demo";
    changed.audio_device = NULL;
    if (options->audio_device != NULL) {
        base_report(&base_diag_stderr, BASE_NOTE, NOWHERE, NULL,
                    "--audio-device is for a window; the built-in tune is heard in its place");
    }
    if (options->duration < 0) {
        changed.duration = SECONDS;
    }
    base_report(&base_diag_stderr, BASE_NOTE, NOWHERE, NULL,
                "painting %g seconds into %s instead of a window", changed.duration, name);
    return options->input_count == 0 ? paint_some(&changed, folder) : app_render(&changed);
}
