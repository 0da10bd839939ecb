/* The library: folders of presets scanned in the background and watched for changes, with what the
 * operator thinks of them. Threads of its own scan, watch, and paint thumbnails in idle time.
 *
 * Threads: opening and closing are for the thread that starts and ends the program; all else may be
 * called by any thread that is allowed to wait, such as the loader's and the operator's. The
 * painter may call app_library_idle, which never waits, and nothing else; a thread that hears may
 * call nothing. One lock guards all entries. Most functions hold it for microseconds, but a search,
 * or app_library_state after a change, looks at every entry and may hold it for ten milliseconds:
 * this is how long any function may wait. app_library_wait and app_library_close wait for the
 * scan's thread, and functions of playlists for files, none of them with the lock held.
 *
 * An entry has a number that stays the same while the library is open, also when files come and go.
 * What the operator thinks (ratings, favourites, tags, hidden) is kept by the content of the file
 * in `data`/library.yaml (inside.h says how), so it survives moves; the index (path, size, time,
 * content hash), what `froth check` found, and thumbnails are kept in `cache`, and may be deleted
 * at any time. All files are written beside and renamed. Several frothes may run at once: opinions,
 * playlists and verdicts take in what others wrote, of the index the last one counts, and files are
 * never half there. */
#ifndef APP_LIBRARY_LIBRARY_H
#define APP_LIBRARY_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/feed/order.h"

/* A number that no entry has. */
#define APP_LIBRARY_NONE UINT32_MAX

enum {
    APP_LIBRARY_STARS = 5,
    APP_THUMBNAIL_WIDTH = 160,
    APP_THUMBNAIL_HEIGHT = 90,
    APP_LIBRARY_TAGS = 256, /* bytes of an entry's tags */
};

struct app_library_setup {
    const char *const *paths; /* presets, folders, playlists (.txt, .m3u, .yaml); copied */
    size_t path_count;
    const char *data; /* folders, made where missing; NULL: nothing is kept */
    const char *cache;
    uint64_t seed;        /* of the random order */
    bool thumbnails;      /* painted in idle time */
    const char *textures; /* as --textures */
    size_t memory;        /* bytes that a preset may take while its thumbnail is painted */
    const char *words;    /* list of words of names that are not for the audience; NULL:
                             `data`/words.txt,    which need not exist; copied */
};

struct app_library;

/* Returns at once; the first presets are there within a moment (app_library_wait). NULL with a
 * message without memory or threads. Messages go to the sink from any thread. */
struct app_library *app_library_open(const struct app_library_setup *setup,
                                     const struct base_diag_sink *sink);
void app_library_close(struct app_library *library); /* NULL is fine; writes what is not yet */

/* Another folder, scanned and watched as the others from now on; how many presets it has is told as
 * a note. False if too many wait to be scanned. */
bool app_library_add_folder(struct app_library *library, const char *path);
/* A preset that may lie anywhere; it comes behind the others. APP_LIBRARY_NONE if it is no file. */
uint32_t app_library_add_file(struct app_library *library, const char *path);

/* Waits until there is a preset or there will be none. False: there is none. */
bool app_library_wait(struct app_library *library);

struct app_library_state {
    size_t presets; /* known, hidden and failed ones included */
    size_t failed;
    size_t thumbnails;
    bool scanning;
    uint64_t revision; /* rises with every change of the list or of an entry */
};
struct app_library_state app_library_state(struct app_library *library);

enum app_library_verdict {
    APP_VERDICT_UNKNOWN,
    APP_VERDICT_OK,
    APP_VERDICT_DEGRADED, /* shown all the same */
    APP_VERDICT_FAILED, /* error, time-out, crash, or it could not be loaded: marked and skipped */
};

struct app_library_entry {
    uint32_t number;
    char path[1024];
    char name[256];              /* without folder and ending */
    char folder[256];            /* below the folder that was named */
    char tags[APP_LIBRARY_TAGS]; /* divided by blanks */
    int stars;                   /* the operator's, 0..5; 0 if he gave none */
    int file_stars; /* what the file says of itself (fRating), which counts for nothing */
    bool rated;     /* by the operator */
    bool favourite;
    bool hidden;
    bool unnamed; /* its name is not for the audience */
    bool gone;    /* the file is not there any more */
    enum app_library_verdict verdict;
};

/* False if there is no such entry. */
bool app_library_entry(struct app_library *library, uint32_t number,
                       struct app_library_entry *entry);

/* The entry with this path, or the first in order whose name contains the text; APP_LIBRARY_NONE.
 */
uint32_t app_library_find(struct app_library *library, const char *path_or_name);

/* Search as you type. All words of the query must be found in name, folder or tags, without case;
 * words may be: text, -text (not), fav, stars>=N, file>=N, tag:NAME, failed, hidden, unnamed. Best
 * first: whole name, beginning of the name, beginning of a word, anywhere; then by name. Hidden
 * entries are left out unless asked for. Writes at most `most` numbers and returns how many fit the
 * query. Among 50,000 entries within 10 ms. An empty query gives the list in order; while a
 * playlist is played, that in its own, with APP_LIBRARY_NONE for each that is not there. */
size_t app_library_search(struct app_library *library, const char *query, uint32_t *numbers,
                          size_t most);

/* Says in a few words what is wrong with a query, and where, or why it finds nothing; empty if
 * there is nothing to say. */
void app_library_search_says(struct app_library *library, const char *query, bool found, char *says,
                             size_t size);

/* What is to be played: a playlist (path, or the name of one in `data`/playlists), or NULL for all.
 * Plain text: a path on each line, # for comments, relative to the list's folder. YAML: a list of
 * paths, or of maps with `preset`, `seconds` and `transition`. Returns 0, or -1 with a message; the
 * former then stays. */
int app_library_playlist(struct app_library *library, const char *name,
                         const struct base_diag_sink *sink);
/* What is played, if it is a playlist: its item at a place from 0. False if there is none. */
struct app_library_item {
    char path[1024];
    double seconds; /* < 0: the list does not say */
    char transition[32];
    bool current; /* it was shown last */
};
bool app_library_item(struct app_library *library, size_t at, struct app_library_item *item);
/* Names of the playlists of `data`; returns how many there are, writes at most `most`. */
size_t app_library_playlists(struct app_library *library, char (*names)[256], size_t most);
/* Adds an entry to a playlist of `data`, which is made if it is new. */
int app_library_playlist_add(struct app_library *library, const char *name, uint32_t number,
                             const struct base_diag_sink *sink);

/* Reads the playlist of `data` that is played again, where it is the one with this name and has
 * changed; the show goes on where it was. */
int app_library_playlist_again(struct app_library *library, const char *name,
                               const struct base_diag_sink *sink);
/* Moves the item `from` of a playlist of `data` to the place `to`, or out of it
 * (APP_LIBRARY_OUT). Where it is the one that is played, `played`, that goes on where it was. */
enum { APP_LIBRARY_OUT = 100000 };
int app_library_playlist_move(struct app_library *library, const char *name, bool played,
                              size_t from, size_t to, const struct base_diag_sink *sink);

/* From now on only what fits this query is chosen, in order and by chance; NULL or one without
 * words: all. False if nothing that may be shown fits, all being scanned, and nothing has changed.
 * Going back, and what is chosen by hand, are not limited. */
bool app_library_limit(struct app_library *library, const char *query);

/* The next one to be shown, `steps` on in what is played (back through the history if negative),
 * and now the current one. Order as listed, or random: each with a chance of 1 + stars squared,
 * none again before half of the others were shown. Hidden, failed and gone entries are skipped.
 * The choice says what the playlist says of it. False if there is none. */
bool app_library_step(struct app_library *library, int steps, struct engine_choice *choice);
/* This one now; it joins the history. */
bool app_library_choose(struct app_library *library, uint32_t number, struct engine_choice *choice);
uint32_t app_library_current(struct app_library *library);
void app_library_random(struct app_library *library, bool random);

/* The operator's opinion; kept within some seconds. */
void app_library_rate(struct app_library *library, uint32_t number, int stars); /* 0..5 */
void app_library_favourite(struct app_library *library, uint32_t number, bool favourite);
void app_library_hide(struct app_library *library, uint32_t number, bool hidden);
/* Adds a tag (letters, digits, - and _), or takes it away. False if it is no tag or does not fit.
 */
bool app_library_tag(struct app_library *library, uint32_t number, const char *tag, bool on);

/* What loading or playing it came to; a failed one is not chosen again while its file stays as it
 * is. Kept in the cache. */
void app_library_judge(struct app_library *library, uint32_t number,
                       enum app_library_verdict verdict);

/* Whether it is still to be said that the entry's file, as it is, cannot be loaded: true for the
 * first who asks. The library asks itself when it reads a file that is no preset. */
bool app_library_tell(struct app_library *library, uint32_t number);

/* Copies the thumbnail (0x00RRGGBB, APP_THUMBNAIL_WIDTH x HEIGHT). False while there is none; it is
 * then painted sooner than others. */
bool app_library_thumbnail(struct app_library *library, uint32_t number, uint32_t *pixels);

/* Thumbnails are painted only while allowed: the show comes first. Never waits. */
void app_library_idle(struct app_library *library, bool allowed);

/* What `froth check` and the player found out about presets, kept in the cache by the content of
 * the file: a text file of lines "HASH STATUS". Written beside and renamed; what cannot be read
 * counts as not there. One thread at a time. */

struct app_verdicts;

/* folder: of the cache, NULL: nothing is kept. NULL without memory. */
struct app_verdicts *app_verdicts_load(const char *folder);
void app_verdicts_free(struct app_verdicts *verdicts);

enum app_library_verdict app_verdicts_get(const struct app_verdicts *verdicts, uint64_t content);
void app_verdicts_set(struct app_verdicts *verdicts, uint64_t content,
                      enum app_library_verdict verdict);
/* Writes them with what others wrote since. Returns 0, or -1: nothing has changed on disk. */
int app_verdicts_save(struct app_verdicts *verdicts);

#endif
