/* The presets that come with froth, built in by tools/embed_text.cmake. */
#ifndef TESTS_BOARD_CORE_PRESET_TEXTS_H
#define TESTS_BOARD_CORE_PRESET_TEXTS_H

#include <stddef.h>

struct preset_text {
    const char *name;
    const char *text;
};

extern const struct preset_text preset_texts[];
extern const size_t preset_texts_count;

#endif
