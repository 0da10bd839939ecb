/* One page that is open: what it asks goes to the show, and what it is to be told waits here until
 * it can be sent. Little waits, however slow it is: of each kind the newest, of lists
 * APP_REMOTE_LISTS. So whoever reads slowly gets what is then the newest state. No clock, no
 * socket.
 *
 * All functions belong to one thread. `now`: seconds of a clock that does not go back. */
#ifndef APP_REMOTE_CLIENT_H
#define APP_REMOTE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "app/control/control.h"
#include "app/library/library.h"
#include "app/remote/lines.h"

enum {
    APP_REMOTE_LISTS = 8,   /* that wait for being sent */
    APP_REMOTE_RATE = 60,   /* lines a second that are taken, for as long as it may be */
    APP_REMOTE_ONCE = 120,  /* and at once */
    APP_REMOTE_STATES = 20, /* states a second, at most */
    APP_REMOTE_LATE = 3, /* seconds since the state that a page had seen, after which what it sent
                            is refused: a network may keep it back and bring it later */
};

/* The show as all pages see it. */
struct app_remote_show {
    struct app_inlet *inlet;
    struct app_library *library; /* NULL: there are no lists */
    int width;
    int height;
    struct app_seen seen;
    uint64_t revision; /* of the library, and its thumbnails */
    size_t thumbnails;
    double looked; /* now, at the library */
};

/* Looks at the show, and every second at the library; locks. True if that has changed. */
bool app_remote_show_look(struct app_remote_show *show, double now);

/* Plain data; begin sets it up. */
struct app_remote_client {
    double lines; /* that may come at once, */
    double lines_at;
    bool hello; /* what is to be told */
    bool values;
    bool where;
    bool changed;
    const char *note; /* NULL: none */
    char search[APP_REMOTE_SEARCH];
    struct app_remote_ask lists[APP_REMOTE_LISTS];
    size_t first;
    size_t count;
    bool watches;
    uint64_t frame; /* that was told last */
    double told_at;
    struct app_remote_told told;
};

void app_remote_client_begin(struct app_remote_client *client, double now);

/* Whether one more line is taken now; if not, it has to wait. */
bool app_remote_client_ready(struct app_remote_client *client, double now);

/* A line that came. What is not understood, or late, is refused at the inlet, and told. */
void app_remote_client_hear(struct app_remote_client *client, struct app_remote_show *show,
                            struct base_span line, double now);

/* The library has changed. */
void app_remote_client_changed(struct app_remote_client *client);

/* Whether there is anything to be told. */
bool app_remote_client_waits(const struct app_remote_client *client,
                             const struct app_remote_show *show, double now);

/* Writes the next thing to be told, if there is one, as one object. */
void app_remote_client_tell(struct app_remote_client *client, const struct app_remote_show *show,
                            FILE *out, double now);

#endif
