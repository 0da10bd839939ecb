#include "app/play/tweaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "presets/file.h"
#include "presets/milk/preset.h"

void app_tweaks_forget(struct app_tweaks *tweaks)
{
    tweaks->done = 0;
    tweaks->count = 0;
    memset(tweaks->forgotten, 0, sizeof tweaks->forgotten);
}

static bool change(struct app_tweaks *tweaks, struct rend_show *show, struct app_tweak tweak)
{
    if (!rend_show_set_value(show, tweak.key, tweak.after)) {
        return false;
    }
    tweak.after = rend_value(rend_show_front(show), tweak.key);
    if (tweak.after != tweak.before) {
        struct app_tweak *last = tweaks->done > 0 ? &tweaks->items[tweaks->done - 1] : NULL;
        if (last != NULL && last->by_set && tweak.by_set && last->key == tweak.key) {
            last->after = tweak.after;
        } else {
            if (tweaks->done == APP_TWEAKS_DEPTH) {
                tweaks->forgotten[tweaks->items[0].key] = true;
                memmove(tweaks->items, tweaks->items + 1,
                        (APP_TWEAKS_DEPTH - 1) * sizeof *tweaks->items);
                tweaks->done--;
            }
            tweaks->items[tweaks->done++] = tweak;
        }
        tweaks->count = tweaks->done;
    }
    return true;
}

bool app_tweaks_adjust(struct app_tweaks *tweaks, struct rend_show *show, enum ui_command command,
                       double steps)
{
    const struct ui_adjust_row *row = ui_adjust_of(command);
    const struct rend *front = rend_show_front(show);
    const struct preset_key *key = row == NULL ? NULL : preset_key_find(base_span_of(row->key));
    if (key == NULL || front == NULL) {
        return false;
    }
    struct app_tweak tweak = {.key = (size_t)(key - preset_keys)};
    tweak.before = rend_value(front, tweak.key);
    tweak.after = ui_adjust_value(row, tweak.before, steps);
    return change(tweaks, show, tweak);
}

bool app_tweaks_set(struct app_tweaks *tweaks, struct rend_show *show, const char *text)
{
    const struct rend *front = rend_show_front(show);
    const char *blank = strchr(text, ' ');
    if (blank == NULL || front == NULL) {
        return false;
    }
    char *end = NULL;
    const double value = strtod(blank, &end);
    const struct preset_key *key =
        preset_key_find((struct base_span){text, (size_t)(blank - text)});
    if (key == NULL || end == blank || *end != '\0' || !isfinite(value)) {
        return false;
    }
    struct app_tweak tweak = {.key = (size_t)(key - preset_keys), .after = value, .by_set = true};
    tweak.before = rend_value(front, tweak.key);
    return change(tweaks, show, tweak);
}

bool app_tweaks_undo(struct app_tweaks *tweaks, struct rend_show *show)
{
    if (tweaks->done == 0) {
        return false;
    }
    const struct app_tweak *tweak = &tweaks->items[--tweaks->done];
    return rend_show_set_value(show, tweak->key, tweak->before);
}

bool app_tweaks_redo(struct app_tweaks *tweaks, struct rend_show *show)
{
    if (tweaks->done == tweaks->count) {
        return false;
    }
    const struct app_tweak *tweak = &tweaks->items[tweaks->done++];
    return rend_show_set_value(show, tweak->key, tweak->after);
}

void app_tweaks_changed(const struct app_tweaks *tweaks, bool changed[static PRESET_KEY_ROWS])
{
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        changed[i] = tweaks->forgotten[i];
    }
    for (size_t i = 0; i < tweaks->done; i++) {
        changed[tweaks->items[i].key] = true;
    }
}

void app_tweaks_again(const struct app_tweaks *tweaks, struct rend_show *show)
{
    for (size_t i = 0; i < tweaks->done; i++) {
        (void)rend_show_set_newest(show, tweaks->items[i].key, tweaks->items[i].after);
    }
}
