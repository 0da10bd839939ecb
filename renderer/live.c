/* Values that change while a preset runs, and a look at its variables. */
#include <math.h>
#include <string.h>

#include "renderer/stages.h"

enum { NO_ROW = -1 };

/* Row of presets/keys.def to place among those of the whole preset. */
static int stored_row(size_t key)
{
    static const int rows[] = {
#define LIVE_PRESET(field)            REND_STORED_##field
#define LIVE_WAVE(field)              NO_ROW
#define LIVE_SHAPE(field)             NO_ROW
#define PRESET_KEY(group, field, ...) LIVE_##group(field),
#include "presets/keys.def"
#undef LIVE_PRESET
#undef LIVE_WAVE
#undef LIVE_SHAPE
    };
    return key < sizeof rows / sizeof *rows ? rows[key] : NO_ROW;
}

bool rend_set_value(struct rend *rend, size_t key, double value)
{
    const int row = stored_row(key);
    if (rend->patch == NULL || row == NO_ROW || isnan(value)) {
        return false;
    }
    rend->equations.stored[row] = preset_key_limit(&preset_keys[key], value);
    return true;
}

double rend_value(const struct rend *rend, size_t key)
{
    const int row = stored_row(key);
    return rend->patch == NULL || row == NO_ROW ? 0 : rend->equations.stored[row];
}

struct listing {
    const struct rend *rend;
    struct rend_variable_view *views;
    size_t most;
    size_t count;
};

static void add_range(struct listing *listing, size_t first, size_t end)
{
    const struct pfpu_scope *scope = listing->rend->patch->frame.scope;
    for (size_t i = first; i < end; i++) {
        if (listing->count < listing->most) {
            struct rend_variable_view *view = &listing->views[listing->count];
            const char *name = pfpu_scope_name(scope, i);
            const size_t size = strnlen(name, sizeof view->name - 1);
            memcpy(view->name, name, size);
            memset(view->name + size, 0, sizeof view->name - size);
            view->value = listing->rend->equations.frame.values[i];
        }
        listing->count++;
    }
}

static size_t stored_end(const struct rend_patch *patch)
{
    size_t end = REND_VAR_STORED;
    for (int i = 0; i < REND_STORED_COUNT; i++) {
        end += patch->stored_variable[i] >= 0 ? 1 : 0;
    }
    return end;
}

size_t rend_variables(const struct rend *rend, struct rend_variable_view *views, size_t most)
{
    if (rend->patch == NULL) {
        return 0;
    }
    struct listing listing = {rend, views, most, 0};
    const size_t own = stored_end(rend->patch);
    add_range(&listing, own, pfpu_scope_size(rend->patch->frame.scope));
    if (rend->patch->own_extras) {
        add_range(&listing, REND_VAR_EXTRAS, REND_VAR_INPUTS);
    }
    add_range(&listing, REND_VAR_MONITOR, own);
    add_range(&listing, REND_VAR_Q, REND_VAR_Q + REND_QS);
    return listing.count;
}
