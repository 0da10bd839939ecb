/* What the desktop's players play, by MPRIS 2 over the session's message bus. Nothing is asked of a
 * player but to tell. One thread at a time; a player that does not answer within half a
 * second is left alone for half a minute. */
#ifndef APP_TITLES_PLAYERS_H
#define APP_TITLES_PLAYERS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { APP_TRACK_TEXT = 256, APP_TRACK_PATH = 4096 };

/* What is playing. All empty: nothing, or nobody tells. */
struct app_track {
    char title[APP_TRACK_TEXT];  /* UTF-8, one line, cut where it is longer */
    char artist[APP_TRACK_TEXT]; /* several with commas between them; if there is none, the album */
    char cover[APP_TRACK_PATH];  /* path of a picture on this machine; empty: none */
};

struct app_players;

/* NULL with a message where froth is built without D-Bus, or without memory. Nothing is opened yet.
 * stop: once another thread has set it, app_players_wait returns within half a second. */
struct app_players *app_players_open(const atomic_bool *stop, const struct base_diag_sink *sink);
void app_players_close(struct app_players *players); /* NULL is fine */

/* Waits at most so many seconds for news; true if there is any, which *track then holds: of the
 * player that plays, of several the one that began last. A bus that is not there is reported once,
 * and tried again every five seconds. */
bool app_players_wait(struct app_players *players, double seconds, struct app_track *track);

/* The path of a file:// address, with its %-signs resolved. False for other addresses, for another
 * machine's files and for what does not fit. */
bool app_players_path_of(const char *address, char *path, size_t size);

#endif
