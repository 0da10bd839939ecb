/* Cards of what is playing, made ready by a thread beside the show, which asks the desktop's
 * players or reads the tags of the sound file that froth plays. */
#ifndef APP_TITLES_TITLES_H
#define APP_TITLES_TITLES_H

#include <stdbool.h>

#include "app/titles/players.h"
#include "base/text.h"
#include "ui/card.h"

struct app_titles;

struct app_titles_setup {
    int width; /* of the pictures */
    int height;
    const char *sound; /* the file that plays, copied; NULL: the desktop's players are asked */
};

/* Starts the thread, which does nothing until app_titles_want. Messages come from the thread. NULL
 * with a message if it cannot be. */
struct app_titles *app_titles_open(const struct app_titles_setup *setup,
                                   const struct base_diag_sink *sink);
void app_titles_close(struct app_titles *titles); /* with all cards; NULL is fine */

/* From now on it listens. The painter's, as those below: they never wait, allocate or lock, and
 * take NULL, of which nothing plays. */
void app_titles_want(struct app_titles *titles);

/* Whether what plays has changed since the last call; app_titles_card is another one then. */
bool app_titles_take(struct app_titles *titles);

/* The card of what plays, until the next app_titles_take; NULL: nothing plays. */
const struct ui_card *app_titles_card(const struct app_titles *titles);

/* The card of a sound file at once, for a film; it waits for its reader. NULL without memory or
 * font. */
struct ui_card *app_titles_of_file(const char *path, int width, int height,
                                   const struct base_diag_sink *sink);

#endif
