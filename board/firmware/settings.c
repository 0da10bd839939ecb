#include "board/firmware/settings.h"

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
