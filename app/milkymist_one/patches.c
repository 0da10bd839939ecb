#include "app/milkymist_one/patches.h"

#include <string.h>

struct rend_board_loaded *board_patches_load(const char *name, const char *text, size_t size,
                                             uint32_t fps, const struct base_diag_sink *sink)
{
    struct preset preset;
    if (preset_read(&preset, name, text, size, sink) != 0) {
        return NULL;
    }
    struct rend_board_loaded *loaded = rend_board_patch_create(&preset, fps, 0, sink);
    preset_free(&preset);
    return loaded;
}

static char small(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
}

static bool begins(const char *name, const char *text)
{
    while (*text != '\0' && small(*name) == small(*text)) {
        name++;
        text++;
    }
    return *text == '\0';
}

static bool has(const char *name, const char *text)
{
    while (*name != '\0' && !begins(name, text)) {
        name++;
    }
    return *name != '\0';
}

int board_patches_find(const char *text, size_t first)
{
    for (size_t i = 0; i < board_patch_texts_count; i++) {
        const size_t number = (first + i) % board_patch_texts_count;
        if (has(board_patch_texts[number].name, text)) {
            return (int)number;
        }
    }
    return -1;
}
