/* Text, where in a file it stands, and messages about it.
 *
 * A span is a pointer and a length: it never owns its bytes and need not end in NUL. */
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

/* Letters that are changed, added, left out, or exchanged with their neighbour to turn a into b;
 * large if one is long. */
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

/* Messages for the user of froth: `file:line:column: error: what; hint`. The reader of a file
 * reports; its caller chooses, by the sink, what becomes of the report. */

enum base_severity {
    BASE_DEBUG, /* for a log that asks for it */
    BASE_NOTE,
    BASE_WARNING,
    BASE_ERROR,
    BASE_SEVERITY_COUNT,
};

/* Where a message points. file may be NULL; line and column count from 1, 0 means unknown. */
struct base_place {
    const char *file;
    uint32_t line;
    uint32_t column;
};

/* A message. The texts are cut, never overrun. place.file must outlive the message. */
struct base_diag {
    enum base_severity severity;
    struct base_place place;
    char what[200];
    char hint[160]; /* empty if there is none */
};

/* Receives each message once, on the thread that reports it; diag is valid during the call only. */
struct base_diag_sink {
    void (*receive)(void *user, const struct base_diag *diag);
    void *user;
};

/* Reports to the sink; a NULL sink drops the message. hint may be NULL. */
void base_report(const struct base_diag_sink *sink, enum base_severity severity,
                 struct base_place place, const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Writes the message as one line without line end; always NUL-terminated. Returns its length. */
size_t base_diag_format(const struct base_diag *diag, char *text, size_t size);

/* "debug", "note", "warning", "error". */
const char *base_severity_name(enum base_severity severity);

/* A sink that keeps the first messages and counts all. Zero-initialise, then base_diag_list_sink.
 */
enum { BASE_DIAG_LIST_MAX = 32 };
struct base_diag_list {
    struct base_diag items[BASE_DIAG_LIST_MAX];
    size_t count;                            /* kept */
    size_t by_severity[BASE_SEVERITY_COUNT]; /* all, kept or not */
};

struct base_diag_sink base_diag_list_sink(struct base_diag_list *list);

#endif
