/* The texts of ui/bindings/, in alphabetical order; written by the build (tools/embed_text.cmake).
 */
#ifndef UI_BINDINGS_TEXTS_H
#define UI_BINDINGS_TEXTS_H

#include <stddef.h>

struct ui_bindings_builtin {
    const char *name;
    const char *text;
};

extern const struct ui_bindings_builtin ui_bindings_texts[];
extern const size_t ui_bindings_texts_count;

#endif
