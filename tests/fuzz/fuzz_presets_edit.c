/* Whatever bytes come in, and whatever value: the text is refused as it would be read, or the
 * result is the same preset with just that value. The first byte is the key's row, the next four
 * the value's bits, the rest is the text. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "presets/file.h"
#include "presets/milk/preset.h"
#include "presets/presets.h"

enum { HEAD = 5, GROWTH = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition) {
        abort();
    }
}

static void check_changed(struct preset *preset, const struct preset_key *key, double value,
                          const char *text, size_t size)
{
    struct preset changed;
    require(text[size] == '\0');
    require(preset_read(&changed, "changed.milk", text, size, NULL) == 0);
    preset_key_set(key, preset, preset_key_limit(key, value));
    require(preset_equal(preset, &changed));
    preset_free(&changed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    float value;
    if (size < HEAD) {
        return 0;
    }
    const struct preset_key *key = &preset_keys[data[0] % PRESET_KEY_ROWS];
    memcpy(&value, data + 1, sizeof value);
    if (key->group != PRESET_GROUP_PRESET) {
        return 0;
    }
    const struct base_span text = {(const char *)data + HEAD, size - HEAD};
    struct preset preset;
    const int refused = preset_read(&preset, "fuzz.milk", text.data, text.size, NULL);
    size_t changed_size = 0;
    char *changed = preset_edit_set(text, key, (double)value, &changed_size);
    if (changed != NULL) {
        require(refused == 0 && !isnan(value));
        check_changed(&preset, key, (double)value, changed, changed_size);
    } else {
        require(refused != 0 || preset.language == PRESET_LANGUAGE_BOARD || isnan(value) ||
                text.size + GROWTH > PRESET_FILE_MAX);
    }
    if (refused == 0) {
        preset_free(&preset);
    }
    free(changed);
    return 0;
}
