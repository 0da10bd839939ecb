#include "app/loading/loading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/loading/course.h"
#include "base/os/file.h"
#include "presets/presets.h"

/* Stores the program's folder and the suffix behind it; false where the system does not tell. */
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
    if (beside_program(folder, "/../share/froth/presets") && base_is_folder(folder)) {
        return true;
    }
    (void)snprintf(folder, APP_PLAY_PATH_MAX, "%s", FROTH_PRESETS);
    return base_is_folder(folder);
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
    const bool own =
        !options->no_library &&
        base_folder_path(BASE_FOLDER_DATA, "/presets", paths->own, sizeof paths->own) &&
        base_is_folder(paths->own);
    paths->usual[0] = paths->shipped;
    paths->usual[1] = paths->own;
    paths->paths = paths->usual;
    paths->count = own ? 2 : 1;
    return 0;
}

int app_playlist_load(struct preset_playlist *list, const char *path,
                      const struct base_diag_sink *sink)
{
    size_t size;
    char *text = base_file_read(path, PRESET_PLAYLIST_TEXT + 1, &size, NULL);
    *list = (struct preset_playlist){0};
    if (text == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "%s",
                    strerror(errno));
        return -1;
    }
    const int result = preset_playlist_read(list, path, (struct base_span){text, size}, sink);
    free(text);
    if (result == 0) {
        for (size_t i = 0; i < list->count; i++) {
            struct preset_playlist_item *item = &list->items[i];
            struct app_changes changes = {0};
            if (item->transition[0] != '\0' && !app_changes_set(&changes, item->transition)) {
                base_report(sink, BASE_WARNING, (struct base_place){path, item->line, item->column},
                            "froth help lists them", "there is no transition '%s'",
                            item->transition);
                item->transition[0] = '\0';
            }
        }
    }
    return result;
}

bool app_playlist_holds(const char *path, const struct preset_playlist_item *item,
                        const struct base_diag_sink *sink)
{
    struct stat facts;
    const bool there = stat(item->path, &facts) == 0 && S_ISREG(facts.st_mode);
    if (!there) {
        base_report(sink, BASE_WARNING, (struct base_place){path, item->line, item->column},
                    "it is left out", "there is no preset '%.120s'", item->path);
    }
    return there;
}

struct rend_patch *app_patch_load(const char *path, struct base_span text,
                                  struct rend_resources *resources, char name[APP_PRESET_NAME],
                                  const struct base_diag_sink *sink)
{
    struct preset preset;
    const int read = text.data == NULL ? preset_read_file(&preset, path, sink)
                                       : preset_read(&preset, path, text.data, text.size, sink);
    if (read != 0) {
        return NULL;
    }
    if (name != NULL) {
        (void)snprintf(name, APP_PRESET_NAME, "%s", preset.name);
    }
    struct rend_patch *patch = rend_patch_create(&preset, resources, sink);
    preset_free(&preset);
    return patch;
}

static void receive(void *user, const struct base_diag *diag)
{
    struct app_errors *errors = user;
    errors->count += diag->severity == BASE_ERROR;
    if (errors->next != NULL) {
        errors->next->receive(errors->next->user, diag);
    }
}

struct base_diag_sink app_errors_sink(struct app_errors *errors)
{
    return (struct base_diag_sink){receive, errors};
}
