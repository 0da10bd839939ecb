#include "app/playlist_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <sys/stat.h>

#include "app/changes.h"
#include "base/file.h"

static void check_transitions(const char *path, struct preset_playlist *list,
                              const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < list->count; i++) {
        struct preset_playlist_item *item = &list->items[i];
        struct app_changes changes = {0};
        if (item->transition[0] != '\0' && !app_changes_set(&changes, item->transition)) {
            base_report(sink, BASE_WARNING, (struct base_place){path, item->line, item->column},
                        "froth help lists them", "there is no transition '%s'", item->transition);
            item->transition[0] = '\0';
        }
    }
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
        check_transitions(path, list, sink);
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
