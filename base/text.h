/* Pointer-and-length text. A span never owns its bytes and need not end in NUL. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

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

/* Code points of UTF-8 (RFC 3629). */

enum { BASE_UTF8_REPLACEMENT = 0xFFFD };

/* Takes the next code point off the front of *text, which must not be empty. Each byte that is not
 * part of a well-formed sequence gives BASE_UTF8_REPLACEMENT; one that stands in the text itself
 * has three bytes. */
uint32_t base_utf8_next(struct base_span *text);

/* The name that may have been meant by a word that names nothing. */

/* Single-letter changes that turn a into b; large if one is long. */
size_t base_distance(const char *a, const char *b);

/* The closest of several names. Zero-initialise, then try each name. */
struct base_closest {
    const char *name; /* the closest so far; NULL: none is close, more than 3 changes are a guess */
    size_t changes;
};
void base_closest_try(struct base_closest *closest, const char *word, const char *name);

/* "did you mean NAME?", or `else_hint` if none is close. */
void base_closest_hint(const struct base_closest *closest, const char *else_hint, char *text,
                       size_t size);

#endif
