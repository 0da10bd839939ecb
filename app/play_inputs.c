#include "app/play_inputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/folder.h"

/* folder = the program's folder, then suffix; false where the system does not tell. */
static bool beside_program(char folder[static APP_PLAY_PATH_MAX], const char *suffix)
{
    const ssize_t length = readlink("/proc/self/exe", folder, APP_PLAY_PATH_MAX - 1);
    if (length <= 0) {
        return false;
    }
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash == NULL) {
        return false;
    }
    const size_t used = (size_t)(slash - folder);
    if (used + strlen(suffix) + 1 > APP_PLAY_PATH_MAX) {
        return false;
    }
    (void)snprintf(slash, APP_PLAY_PATH_MAX - used, "%s", suffix);
    return true;
}

static bool find_shipped(char folder[static APP_PLAY_PATH_MAX])
{
    const char *named = getenv("FROTH_PRESETS");
    if (named != NULL && named[0] != '\0' && strlen(named) < APP_PLAY_PATH_MAX) {
        (void)snprintf(folder, APP_PLAY_PATH_MAX, "%s", named);
        return true;
    }
    if (beside_program(folder, "/../share/froth/presets") && app_is_folder(folder)) {
        return true;
    }
    (void)snprintf(folder, APP_PLAY_PATH_MAX, "%s", FROTH_PRESETS);
    return app_is_folder(folder);
}

static int need_shipped(char folder[static APP_PLAY_PATH_MAX], const struct base_diag_sink *sink)
{
    if (find_shipped(folder)) {
        return 0;
    }
    base_report(sink, BASE_ERROR, (struct base_place){0},
                "name a preset or a folder, or set FROTH_PRESETS", "no presets were found");
    return -1;
}

int app_play_inputs(struct preset_list *list, const struct app_options *options,
                    char folder[static APP_PLAY_PATH_MAX], const struct base_diag_sink *sink)
{
    folder[0] = '\0';
    if (options->input_count == 0) {
        return need_shipped(folder, sink) == 0 ? preset_list_add(list, folder, sink) : -1;
    }
    for (size_t i = 0; i < options->input_count; i++) {
        (void)preset_list_add(list, options->inputs[i], sink);
    }
    return list->count > 0 ? 0 : -1;
}

int app_play_paths_of(struct app_play_paths *paths, const struct app_options *options,
                      const struct base_diag_sink *sink)
{
    *paths = (struct app_play_paths){.paths = options->inputs, .count = options->input_count};
    if (options->input_count > 0) {
        return 0;
    }
    if (need_shipped(paths->shipped, sink) != 0) {
        return -1;
    }
    const bool own = !options->no_library &&
                     app_folder_path(APP_FOLDER_DATA, "/presets", paths->own, sizeof paths->own) &&
                     app_is_folder(paths->own);
    paths->usual[0] = paths->shipped;
    paths->usual[1] = paths->own;
    paths->paths = paths->usual;
    paths->count = own ? 2 : 1;
    return 0;
}
