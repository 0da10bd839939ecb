#include "app/feed/presets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- their order ---- */

static struct app_library *library_of(void *user)
{
    return ((const struct app_presets *)user)->library;
}

static bool step(void *user, int steps, struct engine_choice *choice)
{
    return app_library_step(library_of(user), steps, choice);
}

static bool choose(void *user, uint32_t number, struct engine_choice *choice)
{
    return app_library_choose(library_of(user), number, choice);
}

static size_t count(void *user)
{
    return app_library_state(library_of(user)).presets;
}

static bool wait_for_first(void *user)
{
    return app_library_wait(library_of(user));
}

static bool grows(void *user)
{
    return app_library_state(library_of(user)).scanning;
}

static void mark(void *user, uint32_t number)
{
    struct app_presets *presets = user;
    struct app_library_entry entry;
    presets->former =
        app_library_entry(presets->library, number, &entry) ? entry.verdict : APP_VERDICT_UNKNOWN;
    app_library_judge(presets->library, number, APP_VERDICT_FAILED);
}

static void unmark(void *user, uint32_t number)
{
    const struct app_presets *presets = user;
    app_library_judge(presets->library, number, presets->former);
}

static bool tells(void *user, uint32_t number)
{
    return app_library_tell(library_of(user), number);
}

static size_t list(void *user, uint32_t *numbers, size_t most)
{
    return app_library_search(library_of(user), "", numbers, most);
}

struct engine_source app_presets_source(struct app_presets *presets)
{
    return (struct engine_source){presets, step, choose, count, wait_for_first,
                                  grows,   mark, unmark, tells, list};
}

/* ---- their names ---- */

static void *dress(void *user, const struct engine_choice *choice, const char *name)
{
    const struct app_presets *presets = user;
    struct app_name *dressed = calloc(1, sizeof *dressed);
    if (dressed == NULL) {
        return NULL;
    }
    struct app_library_entry entry;
    if (app_library_entry(presets->library, choice->number, &entry)) {
        dressed->favourite = entry.favourite;
        dressed->stars = entry.stars;
    }
    const bool named = strncmp(name, "froth - ", 8) == 0; /* as the originals are */
    (void)snprintf(dressed->title, sizeof dressed->title, "%s%s",
                   choice->unnamed ? "froth"
                   : named         ? ""
                                   : "froth - ",
                   choice->unnamed ? "" : name);
    dressed->line = presets->overlay != NULL && !choice->unnamed
                        ? ui_overlay_name(presets->overlay, name)
                        : NULL;
    return dressed;
}

static void undress(void *dress)
{
    struct app_name *dressed = dress;
    if (dressed != NULL) {
        ui_line_free(dressed->line);
        free(dressed);
    }
}

struct engine_dresser app_presets_dresser(struct app_presets *presets)
{
    return (struct engine_dresser){presets, dress, undress};
}

const struct app_name *app_presets_name(const struct engine_loaded *loaded)
{
    return loaded->dress;
}
