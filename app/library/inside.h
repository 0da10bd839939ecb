/* What the parts of the library share, and no other room. */
#ifndef APP_LIBRARY_INSIDE_H
#define APP_LIBRARY_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "app/library/library.h"
#include "app/library/thumbnails.h"
#include "base/random.h"
#include "base/text.h"
#include "presets/library/catalog.h"
#include "presets/library/find.h"
#include "presets/library/order.h"
#include "presets/library/search.h"

/* What the operator thinks of presets, by their content: the file data/library.yaml. One thread at
 * a time. Each preset has a line of its own:
 *   "0123456789abcdef": {name: "...", stars: 4, favourite: true, hidden: true, tags: ["calm"]}
 *
 * A line, or a value, that is not understood costs itself alone; before the file is written again,
 * a copy as it was is kept beside it under a name that is free. Several frothes may write: each
 * takes in, under a lock, what has come to the file, value by value, and of what two have changed
 * the later one counts.
 *
 * When a preset is edited, its opinion goes with it to the new text, also if that was done while no
 * froth ran (app_library_regain), and the line of the old text gets a date (left: 2030-01-31),
 * which it loses if such a text is seen again. Thirty days later it is taken out, if all files of
 * the library have been read and neither they nor the index hold such a text. The lines of files
 * that were deleted stay. */

struct app_library_opinion {
    uint64_t content;
    char *name; /* for people who read the file; may be NULL */
    struct preset_opinion opinion;
    struct preset_opinion kept; /* as the file has it, as far as is known */
    int32_t left;               /* 20300131: since then; 0: its text is in use */
    int32_t kept_left; /* 20300131: since then, as the file has it; 0: its text is in use */
    uint32_t line;     /* of the file when it was read */
};

struct app_library_opinions {
    struct app_library_opinion *items; /* by content */
    size_t count;
    size_t capacity;
    uint64_t hash; /* of the file as it was read or written last */
    bool damaged;  /* not all of that was understood */
};

void app_library_opinions_free(struct app_library_opinions *opinions);

/* NULL: there is none. Valid until the next is set. */
const struct preset_opinion *app_library_opinions_get(const struct app_library_opinions *opinions,
                                                      uint64_t content);

/* What is kept of one content is kept of another one, of which nothing is. False if there is
 * nothing, or without memory. */
bool app_library_opinions_rename(struct app_library_opinions *opinions, uint64_t from, uint64_t to);

/* Copies; an empty opinion is none. False without memory: nothing has changed. */
bool app_library_opinions_set(struct app_library_opinions *opinions, uint64_t content,
                              const char *name, const struct preset_opinion *opinion);

/* The opinion went along with an edit; whether it did; the text is there after all (true: that is
 * news). */
void app_library_opinions_leave(struct app_library_opinions *opinions, uint64_t content);
bool app_library_opinions_left(const struct app_library_opinions *opinions, uint64_t content);
bool app_library_opinions_seen(struct app_library_opinions *opinions, uint64_t content);

/* Takes into `mine`, value by value and tag by tag, what is not `before` in `theirs` and is still
 * as `before` in mine. False without memory: mine is as it was. */
bool app_library_opinions_merge(struct preset_opinion *mine, const struct preset_opinion *before,
                                const struct preset_opinion *theirs);

/* Reads the text of the file. What is wrong is left out with a warning, and the list is damaged.
 * -1 without memory. */
int app_library_opinions_read(struct app_library_opinions *opinions, const char *path,
                              struct base_span text, const struct base_diag_sink *sink);
/* The text of the file, malloc'ed; NULL with errno without memory. */
enum { APP_LIBRARY_OPINIONS_TEXT = 512 * 1024 * 1024 };
char *app_library_opinions_print(const struct app_library_opinions *opinions, size_t *size);

/* Takes in what others have written since: what was changed here stays, the rest is theirs, and
 * what they took away goes, if theirs is not damaged. Both lists are gone through once, whatever
 * is new in them. False without memory: it may be tried again. */
bool app_library_opinions_take(struct app_library_opinions *mine,
                               const struct app_library_opinions *theirs);

/* Copies what is not as it is kept into an empty list; and notes that this is how it is kept now.
 * False without memory. */
bool app_library_opinions_changes(const struct app_library_opinions *opinions,
                                  struct app_library_opinions *changes);
void app_library_opinions_note(struct app_library_opinions *opinions,
                               struct app_library_opinions *changes);

/* The contents, in order, whose opinion went to another text long ago; malloc'ed, NULL: there are
 * none. */
uint64_t *app_library_opinions_old(const struct app_library_opinions *opinions, size_t *count);

bool app_library_opinions_equal(const struct preset_opinion *a, const struct preset_opinion *b);

/* Folders whose changes are told by the system. Without that, nothing can be watched, and the
 * caller has to look from time to time. One thread, but for app_library_watch_wake. */

struct app_library_watch;

/* NULL without memory or descriptors. */
struct app_library_watch *app_library_watch_open(void);
void app_library_watch_close(struct app_library_watch *watch); /* NULL is fine */

void app_library_watch_wake(struct app_library_watch *watch); /* any thread; never waits */

enum { APP_LIBRARY_PATH = 4096 };

enum app_library_root_kind { APP_ROOT_FILE, APP_ROOT_FOLDER, APP_ROOT_LIST };

/* What was named when the library was opened. */
struct app_library_root {
    char *path;
    enum app_library_root_kind kind;
    bool polled; /* looked at from time to time, as nothing tells of changes */
    bool gone;   /* it is a folder that is not there */
    size_t held; /* presets, when it was looked at last */
};

enum { APP_LIBRARY_WANTED = 8 }; /* folders that wait to be scanned */
enum { APP_LIBRARY_GONE = 16 };  /* folders below those that were named, of which it is told */

/* What is played, and what was. Under the library's lock. */
struct app_library_turns {
    struct preset_playlist list;
    uint32_t *numbers; /* of the list's items; PRESET_NONE: not there */
    bool listed;       /* the list is played, not all */
    size_t at;         /* of the current one in the list */
    bool random;
    bool limited; /* only what fits the query comes by itself */
    struct preset_query limit;
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
    struct preset_words words; /* of names that are not for the audience */
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
    uint32_t unpictured;              /* entries with lower numbers have a thumbnail */
    struct app_library_state counted; /* as of its revision */
    char *wanted[APP_LIBRARY_WANTED]; /* folders to be scanned; NULL: none */
    atomic_bool wants;                /* there is one */
    bool listed;                      /* all roots were walked once */
    bool scanning;
    bool opinions_changed; /* since the last writing */
    bool verdicts_changed;
    struct app_thumbnails *thumbnails; /* NULL: none are made */

    /* The scanner's own. */
    struct preset_index index;
    struct app_verdicts *verdicts;
    char *gone[APP_LIBRARY_GONE]; /* folders that are gone, the newest first; NULL: none */
    bool index_changed;
    bool warned_of_cache; /* that it could not be written */
    bool warned_of_opinions;
    double saved; /* when the last writing was */
};

/* Contents, as qsort wants them. */
int app_library_compare_contents(const void *a, const void *b);

/* The scanner's thread; and after its end: reads the files of which the operator has said something
 * before they were read. */
void *app_library_scan(void *library);
void app_library_read_touched(struct app_library *library);

/* ---- the caller holds the lock, during all of these ---- */

/* Adds or finds a file and notes its stamp; a file that has changed is read again by the scanner.
 * PRESET_NONE without room. */
uint32_t app_library_note(struct app_library *library, const struct preset_position *position,
                          const struct stat *facts);
/* The file has to be read again, whatever its stamp. */
void app_library_forget(struct app_library *library, uint32_t number);
/* What was found in the file: its entry is known by that from now on, and has the opinion and the
 * verdict that are kept of this text. */
void app_library_learn(struct app_library *library, uint32_t number,
                       const struct preset_found *found);
/* The entries show what is thought of their texts by now. */
void app_library_show_opinions(struct app_library *library);
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
/* If they have changed. Returns 0, or -1 with errno: they are as they were. */
int app_library_save_opinions(struct app_library *library);
/* Opinions of texts that are gone are found again by the file, once all files were read: where the
 * index has another text for a file, and the new one is nowhere in it, the file was edited. Of a
 * file that the index does not have, by the name alone, where no other file and no other text that
 * is gone has it. While the index of before is there. Returns whether
 * any was found. */
bool app_library_regain(struct app_library *library);
/* Opinions and verdicts, if they have changed. */
void app_library_save(struct app_library *library);
/* Reads the list of words of names that are not for the audience. */
void app_library_load_words(struct app_library *library, const char *path);
void app_library_load_index(struct app_library *library);
/* The index as it is on disk, to be freed; false: there is none. */
bool app_library_read_index(const struct app_library *library, struct preset_index *index);
void app_library_save_index(struct app_library *library);

/* What is in the file, as far as the index knows; false: it has to be read. */
bool app_library_recall(const struct app_library *library, const char *path,
                        const struct preset_stamp *stamp, struct preset_found *found);

#endif
