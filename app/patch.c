#include "app/patch.h"

#include <stdlib.h>
#include <string.h>

struct rend_patch *app_patch_load(const char *path, struct rend_resources *resources, char **name,
                                  const struct base_diag_sink *sink)
{
    struct preset preset;
    char *copy = NULL;
    struct rend_patch *patch = NULL;
    if (name != NULL) {
        *name = NULL;
    }
    if (preset_read_file(&preset, path, sink) != 0) {
        return NULL;
    }
    if (name == NULL || (copy = strdup(preset.name)) != NULL) {
        patch = rend_patch_create(&preset, resources, sink);
    } else {
        base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "not enough memory");
    }
    preset_free(&preset);
    if (patch == NULL) {
        free(copy);
    } else if (name != NULL) {
        *name = copy;
    }
    return patch;
}
