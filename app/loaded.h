/* A preset with everything that a show needs of it. */
#ifndef APP_LOADED_H
#define APP_LOADED_H

#include <stdbool.h>
#include <stdint.h>

#include "app/changes.h"
#include "app/library.h"
#include "base/diag.h"
#include "base/span.h"
#include "renderer/show.h"

/* Owns patch and cue; rend_cue_user of the cue gives it back. */
struct app_loaded {
    struct rend_patch *patch;
    struct rend_cue *cue;
    struct app_loaded *next; /* for the loader's use */
    uint32_t number;         /* of the library */
    double seconds;          /* how long it is to be shown; < 0: as usual */
    bool again;              /* another version of the preset that was shown before */
    char path[1024];
    char name[256];
    char title[264]; /* of a window that shows it */
};

struct app_loaded_setup {
    struct rend_config config;
    struct rend_resources *resources;
};

/* Compiles the text of the file `choice->path`, or reads that file if text.data is NULL, and makes
 * it ready for the change. NULL with a message. Loader's thread. */
struct app_loaded *app_loaded_create(const struct app_loaded_setup *setup,
                                     const struct app_library_choice *choice, struct base_span text,
                                     const struct rend_moment *moment,
                                     const struct rend_change *change,
                                     const struct base_diag_sink *sink);

/* With all that follow it by `next`. NULL is fine. */
void app_loaded_free(struct app_loaded *loaded);

#endif
