#include "board/firmware/settings.h"

#include <stdlib.h>
#include <string.h>

void board_kept_begin(struct board_kept *kept)
{
    memset(kept, 0, sizeof *kept);
    board_settings_init(&kept->settings);
    kept->saved = kept->settings;
}

bool board_kept_command(struct board_kept *kept, enum board_setting setting, struct base_span value)
{
    if (!board_settings_set(&kept->settings, setting, value)) {
        return false;
    }
    board_settings_take(&kept->commanded, &kept->settings, setting);
    kept->is_commanded[setting] = true;
    return true;
}

/* A commanded setting that was changed since is the user's. */
struct board_settings board_kept_wanted(const struct board_kept *kept)
{
    struct board_settings wanted = kept->settings;
    for (int i = 0; i < BOARD_SETTINGS; i++) {
        const enum board_setting setting = (enum board_setting)i;
        if (kept->is_commanded[i] &&
            board_settings_equal(&kept->settings, &kept->commanded, setting)) {
            board_settings_take(&wanted, &kept->saved, setting);
        }
    }
    return wanted;
}

bool board_kept_changed(const struct board_kept *kept)
{
    const struct board_settings wanted = board_kept_wanted(kept);
    bool changed = false;
    for (int i = 0; i < BOARD_SETTINGS; i++) {
        changed = changed || !board_settings_equal(&wanted, &kept->saved, (enum board_setting)i);
    }
    return changed;
}

bool board_kept_load(struct board_kept *kept, struct board_patches *patches,
                     const struct base_diag_sink *sink)
{
    enum { TEXT_MAX = 16384 };
    char *text;
    size_t size;
    if (board_kept_changed(kept)) {
        return true;
    }
    if (!board_patches_read(patches, BOARD_KEPT_FILE, TEXT_MAX, &text, &size, sink)) {
        return false;
    }
    struct board_settings settings;
    board_settings_init(&settings);
    const bool good = text == NULL || board_settings_read(&settings, BOARD_KEPT_FILE,
                                                          (struct base_span){text, size}, sink);
    const bool has = good && text != NULL;
    free(text);
    if (has) {
        kept->saved = settings;
        for (int i = 0; i < BOARD_SETTINGS; i++) {
            if (!kept->is_commanded[i]) {
                board_settings_take(&kept->settings, &settings, (enum board_setting)i);
            }
        }
    }
    return good;
}

bool board_kept_save(struct board_kept *kept, struct board_patches *patches,
                     const struct base_diag_sink *sink)
{
    const struct board_settings wanted = board_kept_wanted(kept);
    char text[BOARD_SETTINGS_TEXT];
    const size_t size = board_settings_write(&wanted, text, sizeof text);
    if (!board_patches_store(patches, BOARD_KEPT_FILE, text, size, sink)) {
        return false;
    }
    kept->saved = wanted;
    return true;
}
