/* Pointer-and-length text. A span never owns its bytes and need not end in NUL. */
#ifndef BASE_SPAN_H
#define BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct base_span {
    const char *data;
    size_t size;
};

static inline struct base_span base_span_of(const char *text)
{
    return (struct base_span){text, strlen(text)};
}

static inline bool base_span_equal(struct base_span a, struct base_span b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* ASCII case only; independent of the locale. */
bool base_span_equal_nocase(struct base_span a, struct base_span b);

/* Takes the next word, of those divided by blanks, off the front of *text; empty if none is left.
 */
struct base_span base_span_next_word(struct base_span *text);

/* One line of program text together with where it stands in its file. */
struct base_source_line {
    struct base_span text;
    uint32_t line;   /* from 1 */
    uint32_t column; /* of text.data[0], from 1 */
};

/* A block of program text as it stands in a file; lines in the order of the program. Plain data: it
 * points to lines and texts that somebody else owns. */
struct base_source {
    const char *file; /* for messages; NUL-terminated */
    const struct base_source_line *lines;
    size_t count;
};

#endif
