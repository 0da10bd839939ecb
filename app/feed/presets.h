/* The presets of a window's library as its show's loader takes them (engine/feed/loader.h): in the
 * library's order, with verdicts that it keeps, and with their names ready to be drawn. */
#ifndef APP_FEED_PRESETS_H
#define APP_FEED_PRESETS_H

#include "app/library/library.h"
#include "engine/feed/loader.h"
#include "ui/overlay.h"

/* What source and dresser stand on; outlives the loader. */
struct app_presets {
    struct app_library *library;      /* not empty */
    const struct ui_overlay *overlay; /* that shows names; may be NULL */
    enum app_library_verdict former;  /* for their use */
};

/* What the dresser makes of a preset's name. */
struct app_name {
    struct ui_line *line; /* ready to be drawn; NULL: it is not, or it is not for the audience */
    char title[264];      /* of a window that shows it */
    bool favourite;       /* what the library had of it then */
    int stars;
};

struct engine_source app_presets_source(struct app_presets *presets);
struct engine_dresser app_presets_dresser(struct app_presets *presets);

/* The name of a preset that was made ready so; NULL: without memory. */
const struct app_name *app_presets_name(const struct engine_loaded *loaded);

#endif
