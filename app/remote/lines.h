/* What the page for the phone and froth say to each other over its socket (docs/remote.md): one
 * line of text for each thing that the page asks, one object of JSON for each that it is told. No
 * clock, no socket; nothing that comes from outside makes it read or write outside its own. */
#ifndef APP_REMOTE_LINES_H
#define APP_REMOTE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/control/control.h"
#include "app/library/library.h"

enum {
    APP_REMOTE_LINE = 512,   /* bytes of a line, at most */
    APP_REMOTE_SEARCH = 128, /* of a search, with its NUL */
    APP_REMOTE_ENTRIES = 120,
    APP_REMOTE_FROM = 65536, /* the furthest entry that a list may begin with */
};

enum app_remote_kind {
    APP_REMOTE_CALL,
    APP_REMOTE_VALUE,
    APP_REMOTE_LIST,
    APP_REMOTE_WHERE,
    APP_REMOTE_VALUES,
    APP_REMOTE_WATCH,
};

/* A part of what a search finds. */
struct app_remote_ask {
    uint32_t from;  /* 0..APP_REMOTE_FROM */
    uint32_t count; /* 1..APP_REMOTE_ENTRIES */
    char search[APP_REMOTE_SEARCH];
};

/* A line that was understood. */
struct app_remote_line {
    enum app_remote_kind kind;
    struct engine_call call;   /* CALL: one that a phone may give (commands.def) */
    unsigned value;            /* VALUE: one that it may set */
    double number;             /* finite */
    struct app_remote_ask ask; /* LIST; of WHERE the search */
    bool on;                   /* WATCH */
    bool dated;                /* the page says which state it has seen: */
    double seen;               /* the `now` of that */
};

/* Reads a line. Returns NULL, or in a few words what is wrong with it; *line is then undefined. */
const char *app_remote_read(struct app_remote_line *line, struct base_span text);

/* Why a phone may not call a command or set a value; NULL: it may. */
const char *app_remote_refuses(unsigned command);
bool app_remote_sets(unsigned value);

/* ---- what the page is told; each writes one whole object ---- */

void app_remote_write_hello(FILE *out, int width, int height);

/* What a client has been told of the values. Zero-initialise. */
struct app_remote_told {
    bool any;
    double values[APP_VALUE_COUNT];
};

/* A frame of the show, with the values that differ from *told, which is brought up to it. now: by
 * which the page says what it has seen. */
void app_remote_write_state(FILE *out, const struct app_seen *seen, struct app_remote_told *told,
                            double now);

/* The values that a phone may set. */
void app_remote_write_values(FILE *out);

/* What the library has for a list, and at which place of what is found a preset stands. They lock,
 * as app_library_search. False, with nothing written, without memory. */
bool app_remote_write_list(FILE *out, struct app_library *library,
                           const struct app_remote_ask *ask);
bool app_remote_write_where(FILE *out, struct app_library *library, const char *search,
                            uint32_t preset);

void app_remote_write_note(FILE *out, const char *text);
void app_remote_write_changed(FILE *out);

#endif
