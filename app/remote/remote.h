/* The page for the phone (docs/remote.md): a server in a thread of its own, which serves the page,
 * small pictures of presets and a live socket. What it hears comes to the show by its inlet; what
 * it tells is read from the door and the library. */
#ifndef APP_REMOTE_REMOTE_H
#define APP_REMOTE_REMOTE_H

#include "app/control/control.h"
#include "app/library/library.h"
#include "app/options/options.h"
#include "base/text.h"

struct app_remote;

/* All outlive it; the inlet is its alone. */
struct app_remote_setup {
    const struct app_options *options;
    struct app_inlet *inlet;
    struct app_library *library;
    const struct base_diag_sink *terminal; /* which neither the audience sees nor a file keeps */
    int width;                             /* of the show's pictures */
    int height;
};

/* Listens and starts the thread, if the options ask for it; else *remote is NULL. Links and codes
 * are told at the terminal, and whispered at the inlet. Returns 0, or -1 with a message; where only
 * the configuration asks for it and the port is taken, *remote is NULL after a warning. */
int app_remote_open(struct app_remote **remote, const struct app_remote_setup *setup,
                    const struct base_diag_sink *sink);

/* Ends the thread; whoever is connected is cut off. NULL is fine. */
void app_remote_close(struct app_remote *remote);

/* Any thread; never waits. Whoever is paired is so no more, and there is another link. NULL:
 * nothing. */
void app_remote_unpair(struct app_remote *remote);

#endif
