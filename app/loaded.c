#include "app/loaded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_preset(struct preset *preset, const char *path, struct base_span text,
                       const struct base_diag_sink *sink)
{
    return text.data == NULL ? preset_read_file(preset, path, sink)
                             : preset_read(preset, path, text.data, text.size, sink);
}

static bool compile(struct app_loaded *loaded, const struct app_loaded_setup *setup,
                    struct base_span text, const struct base_diag_sink *sink)
{
    struct preset preset;
    if (read_preset(&preset, loaded->path, text, sink) != 0) {
        return false;
    }
    (void)snprintf(loaded->name, sizeof loaded->name, "%s", preset.name);
    const bool named = strncmp(preset.name, "froth - ", 8) == 0; /* as the originals are */
    (void)snprintf(loaded->title, sizeof loaded->title, "%s%s", named ? "" : "froth - ",
                   loaded->name);
    loaded->patch = rend_patch_create(&preset, setup->resources, sink);
    preset_free(&preset);
    return loaded->patch != NULL;
}

struct app_loaded *app_loaded_create(const struct app_loaded_setup *setup,
                                     const struct app_library_choice *choice, struct base_span text,
                                     const struct rend_moment *moment,
                                     const struct rend_change *change,
                                     const struct base_diag_sink *sink)
{
    struct app_loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = choice->path}, NULL,
                    "not enough memory");
        return NULL;
    }
    loaded->number = choice->number;
    loaded->seconds = choice->seconds;
    (void)snprintf(loaded->path, sizeof loaded->path, "%s", choice->path);
    if (compile(loaded, setup, text, sink)) {
        struct rend_change ours = *change;
        ours.user = loaded;
        loaded->cue = rend_cue_create(&setup->config, loaded->patch, &ours, moment, sink);
    }
    if (loaded->cue == NULL) {
        app_loaded_free(loaded);
        return NULL;
    }
    return loaded;
}

void app_loaded_free(struct app_loaded *loaded)
{
    while (loaded != NULL) {
        struct app_loaded *next = loaded->next;
        rend_cue_free(loaded->cue);
        rend_patch_free(loaded->patch);
        free(loaded);
        loaded = next;
    }
}
