#include "engine/loading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/os/file.h"
#include "engine/course.h"
#include "presets/presets.h"

int engine_playlist_load(struct preset_playlist *list, const char *path,
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
            struct engine_changes changes = {0};
            if (item->transition[0] != '\0' && !engine_changes_set(&changes, item->transition)) {
                char hint[160];
                engine_changes_hint(item->transition, hint, sizeof hint);
                base_report(sink, BASE_WARNING, (struct base_place){path, item->line, item->column},
                            hint, "there is no transition '%s'", item->transition);
                item->transition[0] = '\0';
            }
        }
    }
    return result;
}

bool engine_playlist_holds(const char *path, const struct preset_playlist_item *item,
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

struct rend_patch *engine_patch_load(const char *path, struct base_span text,
                                     struct rend_resources *resources,
                                     char name[ENGINE_PRESET_NAME],
                                     const struct base_diag_sink *sink)
{
    struct preset preset;
    const int read = text.data == NULL ? preset_read_file(&preset, path, sink)
                                       : preset_read(&preset, path, text.data, text.size, sink);
    if (read != 0) {
        return NULL;
    }
    if (name != NULL) {
        (void)snprintf(name, ENGINE_PRESET_NAME, "%s", preset.name);
    }
    struct rend_patch *patch = rend_patch_create(&preset, resources, sink);
    preset_free(&preset);
    return patch;
}
