/* Folders whose changes are told by the system. Without that, nothing can be watched, and the
 * caller has to look from time to time. One thread, but for app_library_watch_wake. */
#ifndef APP_LIBRARY_WATCH_H
#define APP_LIBRARY_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct app_library_watch;

/* NULL without memory or descriptors. */
struct app_library_watch *app_library_watch_open(void);
void app_library_watch_close(struct app_library_watch *watch); /* NULL is fine */

/* False: it cannot be watched. A folder may be added again. */
bool app_library_watch_add(struct app_library_watch *watch, const char *folder, uint32_t root);

/* Sleeps until something has happened, it is woken, or the time is over. */
void app_library_watch_wait(struct app_library_watch *watch, double seconds);
void app_library_watch_wake(struct app_library_watch *watch); /* any thread; never waits */

enum app_library_event_kind {
    APP_LIBRARY_EVENT_NONE,
    APP_LIBRARY_EVENT_FILE,   /* this file has come, changed or gone */
    APP_LIBRARY_EVENT_MADE,   /* this file has come, and may still be written */
    APP_LIBRARY_EVENT_FOLDER, /* this folder has come or gone */
    APP_LIBRARY_EVENT_LOST,   /* anything may have happened */
};

struct app_library_event {
    enum app_library_event_kind kind;
    char path[2048];
    uint32_t root;
};

/* What has happened since; kind NONE when there is no more. Never waits. */
struct app_library_event app_library_watch_next(struct app_library_watch *watch);

#endif
