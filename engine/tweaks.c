#include "engine/tweaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "presets/file.h"

void engine_tweaks_forget(struct engine_tweaks *tweaks)
{
    tweaks->done = 0;
    tweaks->count = 0;
    memset(tweaks->forgotten, 0, sizeof tweaks->forgotten);
}

static bool change(struct engine_tweaks *tweaks, struct rend_show *show, struct engine_tweak tweak)
{
    if (!rend_show_set_value(show, tweak.key, tweak.after)) {
        return false;
    }
    tweak.after = rend_value(rend_show_front(show), tweak.key);
    if (tweak.after != tweak.before) {
        struct engine_tweak *last = tweaks->done > 0 ? &tweaks->items[tweaks->done - 1] : NULL;
        if (last != NULL && last->by_set && tweak.by_set && last->key == tweak.key) {
            last->after = tweak.after;
        } else {
            if (tweaks->done == ENGINE_TWEAKS_DEPTH) {
                tweaks->forgotten[tweaks->items[0].key] = true;
                memmove(tweaks->items, tweaks->items + 1,
                        (ENGINE_TWEAKS_DEPTH - 1) * sizeof *tweaks->items);
                tweaks->done--;
            }
            tweaks->items[tweaks->done++] = tweak;
        }
        tweaks->count = tweaks->done;
    }
    return true;
}

bool engine_tweaks_adjust(struct engine_tweaks *tweaks, struct rend_show *show,
                          const struct engine_call *call)
{
    const struct engine_adjust_row *row = engine_adjust_of(call->command);
    const struct rend *front = rend_show_front(show);
    const struct preset_key *key = row == NULL ? NULL : preset_key_find(base_span_of(row->key));
    if (key == NULL || front == NULL) {
        return false;
    }
    struct engine_tweak tweak = {.key = (size_t)(key - preset_keys)};
    tweak.before = rend_value(front, tweak.key);
    tweak.by_set = call->absolute;
    tweak.after = call->absolute ? fmin(fmax(call->number, row->low), row->high)
                                 : engine_adjust_value(row, tweak.before, call->number);
    return change(tweaks, show, tweak);
}

bool engine_tweaks_put(struct engine_tweaks *tweaks, struct rend_show *show, struct base_span name,
                       double value)
{
    const struct rend *front = rend_show_front(show);
    const struct preset_key *key = preset_key_find(name);
    if (key == NULL || front == NULL || !isfinite(value)) {
        return false;
    }
    struct engine_tweak tweak = {
        .key = (size_t)(key - preset_keys), .after = value, .by_set = true};
    tweak.before = rend_value(front, tweak.key);
    return change(tweaks, show, tweak);
}

bool engine_tweaks_set(struct engine_tweaks *tweaks, struct rend_show *show, const char *text)
{
    const char *blank = strchr(text, ' ');
    char *end = NULL;
    const double value = blank != NULL ? strtod(blank, &end) : 0;
    if (blank == NULL || end == blank || *end != '\0') {
        return false;
    }
    return engine_tweaks_put(tweaks, show, (struct base_span){text, (size_t)(blank - text)}, value);
}

bool engine_tweaks_undo(struct engine_tweaks *tweaks, struct rend_show *show)
{
    if (tweaks->done == 0) {
        return false;
    }
    const struct engine_tweak *tweak = &tweaks->items[--tweaks->done];
    return rend_show_set_value(show, tweak->key, tweak->before);
}

bool engine_tweaks_redo(struct engine_tweaks *tweaks, struct rend_show *show)
{
    if (tweaks->done == tweaks->count) {
        return false;
    }
    const struct engine_tweak *tweak = &tweaks->items[tweaks->done++];
    return rend_show_set_value(show, tweak->key, tweak->after);
}

void engine_tweaks_changed(const struct engine_tweaks *tweaks, bool changed[static PRESET_KEY_ROWS])
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        changed[i] = tweaks->forgotten[i];
    }
    for (size_t i = 0; i < tweaks->done; i++) {
        changed[tweaks->items[i].key] = true;
    }
}

void engine_tweaks_again(const struct engine_tweaks *tweaks, struct rend_show *show)
{
    for (size_t i = 0; i < tweaks->done; i++) {
        (void)rend_show_set_newest(show, tweaks->items[i].key, tweaks->items[i].after);
    }
}
