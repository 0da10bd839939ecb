/* Messages for the user of froth: `file:line:column: error: what; hint`. The reader of a file
 * reports; its caller chooses, by the sink, what becomes of the report. */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stddef.h>
#include <stdint.h>

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
