/* What the operator thinks of presets, by their content: the file data/library.yaml. One thread at
 * a time. Each preset has a line of its own:
 *   "0123456789abcdef": {name: "...", stars: 4, favourite: true, hidden: true, tags: ["calm"]} */
#ifndef APP_LIBRARY_OPINIONS_H
#define APP_LIBRARY_OPINIONS_H

#include "base/diag.h"
#include "base/span.h"
#include "presets/catalog.h"

struct app_library_opinion {
    uint64_t content;
    char *name; /* for people who read the file; may be NULL */
    struct preset_opinion opinion;
};

struct app_library_opinions {
    struct app_library_opinion *items; /* by content */
    size_t count;
    size_t capacity;
};

/* Reads the text of the file. What is wrong in an entry is left out with a warning; a text that is
 * not YAML is an error, and -1. */
int app_library_opinions_read(struct app_library_opinions *opinions, const char *path,
                              struct base_span text, const struct base_diag_sink *sink);
void app_library_opinions_free(struct app_library_opinions *opinions);

/* NULL: there is none. Valid until the next is set. */
const struct preset_opinion *app_library_opinions_get(const struct app_library_opinions *opinions,
                                                      uint64_t content);

/* Copies; an empty opinion is none. False without memory. */
bool app_library_opinions_set(struct app_library_opinions *opinions, uint64_t content,
                              const char *name, const struct preset_opinion *opinion);

/* The text of the file, malloc'ed; NULL without memory. */
char *app_library_opinions_print(const struct app_library_opinions *opinions, size_t *size);

#endif
