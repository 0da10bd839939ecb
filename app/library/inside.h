/* What the operator thinks of presets, by their content: the file data/library.yaml. One thread at
 * a time. Each preset has a line of its own:
 *   "0123456789abcdef": {name: "...", stars: 4, favourite: true, hidden: true, tags: ["calm"]} */
#ifndef APP_LIBRARY_INSIDE_H
#define APP_LIBRARY_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "app/library/library.h"
#include "app/library/thumbnails.h"
#include "app/library/verdicts.h"
#include "base/diag.h"
#include "base/random.h"
#include "base/text.h"
#include "presets/library/catalog.h"
#include "presets/library/choice.h"
#include "presets/library/index.h"
#include "presets/library/playlist.h"

struct app_library_opinion {
    uint64_t content;
    char *name; /* for people who read the file; may be NULL */
    struct preset_opinion opinion;
};

struct app_library_opinions {
    struct app_library_opinion *items; /* by content */
    size_t count;
    size_t capacity;
};

void app_library_opinions_free(struct app_library_opinions *opinions);

/* NULL: there is none. Valid until the next is set. */
const struct preset_opinion *app_library_opinions_get(const struct app_library_opinions *opinions,
                                                      uint64_t content);

/* What is kept of one content is kept of another one, of which nothing is. False if there is
 * nothing. */
bool app_library_opinions_rename(struct app_library_opinions *opinions, uint64_t from, uint64_t to);

/* Copies; an empty opinion is none. False without memory. */
bool app_library_opinions_set(struct app_library_opinions *opinions, uint64_t content,
                              const char *name, const struct preset_opinion *opinion);

/* Folders whose changes are told by the system. Without that, nothing can be watched, and the
 * caller has to look from time to time. One thread, but for app_library_watch_wake. */

struct app_library_watch;

/* NULL without memory or descriptors. */
struct app_library_watch *app_library_watch_open(void);
void app_library_watch_close(struct app_library_watch *watch); /* NULL is fine */

void app_library_watch_wake(struct app_library_watch *watch); /* any thread; never waits */

/* What the parts of the library share; only for app/library. */

enum { APP_LIBRARY_PATH = 4096 };

enum app_library_root_kind { APP_ROOT_FILE, APP_ROOT_FOLDER, APP_ROOT_LIST };

/* What was named when the library was opened. */
struct app_library_root {
    char *path;
    enum app_library_root_kind kind;
    bool polled; /* looked at from time to time, as nothing tells of changes */
};

/* What is played, and what was. Under the library's lock. */
struct app_library_turns {
    struct preset_playlist list;
    uint32_t *numbers; /* of the list's items; PRESET_NONE: not there */
    bool listed;       /* the list is played, not all */
    size_t at;         /* of the current one in the list */
    bool random;
    struct base_rng rng;
    struct preset_history history;
    uint64_t turn;                       /* rises with each that is shown */
    struct preset_candidate *candidates; /* room for choosing */
    uint64_t *room;
    size_t capacity;
};

struct app_library {
    struct app_library_root *roots;
    size_t root_count;
    char *data; /* folders; NULL: nothing is kept */
    char *cache;
    char *textures;
    struct base_diag_sink sink;
    struct app_library_watch *watch;
    pthread_t scanner;
    atomic_bool closing;

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t listed_some;
    struct preset_catalog catalog;
    struct app_library_opinions opinions;
    struct app_library_turns turns;
    uint64_t revision;
    uint32_t unread;                  /* entries with lower numbers are known */
    uint32_t unpictured;              /* likewise, that have a thumbnail */
    struct app_library_state counted; /* as of its revision */
    bool listed;                      /* all roots were walked once */
    bool scanning;
    bool opinions_changed; /* since the last writing */
    bool verdicts_changed;
    struct app_thumbnails *thumbnails; /* NULL: none are made */

    /* The scanner's own. */
    struct preset_index index;
    struct app_verdicts *verdicts;
    bool index_changed;
    bool warned_of_cache; /* that it could not be written */
    bool warned_of_opinions;
    double saved; /* when the last writing was */
};

/* The scanner's thread. */
void *app_library_scan(void *library);

/* ---- under the lock ---- */

/* Adds or finds a file and notes its stamp; a file that has changed is read again by the scanner.
 * PRESET_NONE without room. */
uint32_t app_library_note(struct app_library *library, const struct preset_position *position,
                          const struct stat *facts);
/* The file has to be read again, whatever its stamp. */
void app_library_forget(struct app_library *library, uint32_t number);
/* What was found in the file. */
void app_library_learn(struct app_library *library, uint32_t number,
                       const struct preset_found *found);
/* The entry, or NULL. */
struct preset_entry *app_library_at(struct app_library *library, uint32_t number);
void app_library_changed(struct app_library *library);

/* ---- playlists; not under the lock ---- */

/* Finds the presets of a root that is a list. If it is the only root, it is what is played. */
void app_library_find_list(struct app_library *library, uint32_t root,
                           const struct base_diag_sink *sink);
void app_library_turns_free(struct app_library_turns *turns);

/* ---- files; in the scanner's thread, or after its end, and not under the lock ---- */

/* "folder/name" in APP_LIBRARY_PATH bytes; false: it does not fit. */
bool app_library_join(char *path, const char *folder, const char *name);
struct preset_stamp app_library_stamp(const struct stat *facts);

void app_library_load_opinions(struct app_library *library);
/* Opinions and verdicts, if they have changed. */
void app_library_save(struct app_library *library);
void app_library_load_index(struct app_library *library);
void app_library_save_index(struct app_library *library);

/* What is in the file, as far as the index knows; false: it has to be read. */
bool app_library_recall(const struct app_library *library, const char *path,
                        const struct preset_stamp *stamp, struct preset_found *found);

#endif
