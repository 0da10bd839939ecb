/* The presets that are known: where their files are, what is in them, what the operator thinks.
 * Plain data; one thread at a time. An entry keeps its number for ever, also when its file goes and
 * comes again. */
#ifndef PRESETS_LIBRARY_CATALOG_H
#define PRESETS_LIBRARY_CATALOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number that no entry has. */
#define PRESET_NONE UINT32_MAX

enum {
    PRESET_STARS = 5,
    PRESET_PATH_MAX = 1023, /* bytes; files with longer paths are left out */
    PRESET_SHOWN_MAX = 255, /* bytes of a name or folder that is shown */
    PRESET_TAGS_MAX = 255,  /* bytes of an entry's tags with the blanks between */
    PRESET_CATALOG_MAX = 1000000,
};

/* What tells one version of a file from another. */
struct preset_stamp {
    uint64_t size;
    int64_t seconds; /* of the last change, since 1970 */
    int64_t nanoseconds;
};

bool preset_stamp_equal(const struct preset_stamp *a, const struct preset_stamp *b);

enum preset_verdict {
    PRESET_VERDICT_UNKNOWN,
    PRESET_VERDICT_OK,
    PRESET_VERDICT_DEGRADED,
    PRESET_VERDICT_FAILED,
};

/* What the operator thinks. Plain data that owns `tags`; NULL: there are none. */
struct preset_opinion {
    char *tags; /* divided by blanks */
    int stars;  /* if rated: 0..PRESET_STARS */
    bool rated;
    bool favourite;
    bool hidden;
};

struct preset_entry {
    struct preset_stamp stamp;
    uint64_t content; /* hash of the file, once known */
    uint64_t former;  /* the caller's: what the file held when it was known before; 0: the same */
    uint64_t shown;   /* number of the turn in which it was shown last; 0: never */
    struct preset_opinion opinion;
    uint32_t root;  /* the order: by root, place, path */
    uint32_t place; /* in a playlist; else 0 */
    uint32_t path;  /* offsets in the catalogue's texts; NUL-terminated */
    uint32_t name;
    uint32_t folder;
    uint8_t file_stars; /* the file's own rating, which is nobody's opinion */
    uint8_t verdict;    /* enum preset_verdict */
    bool known;         /* content and file_stars are those of the file */
    bool refused;       /* it is no preset */
    bool gone;
    bool unnamed; /* its name is not for the audience */
    bool touched; /* the caller's: the opinion is newer than what is kept */
    bool judged;  /* the caller's: the verdict is newer than what is kept */
    bool told;    /* the caller's: it was reported that the file is refused */
    bool strange; /* the caller's: nothing was known of the file before */
    bool pictured;
};

/* What a search reads of each entry, close together. */
struct preset_sought {
    uint64_t letters;   /* of name and folder, as in fold.h */
    uint64_t starts;    /* those that begin a word */
    uint32_t text;      /* offset in `folded`: name, NUL, folder, NUL */
    uint16_t name_size; /* bytes */
    uint16_t folder_size;
};

struct preset_text {
    char *data;
    size_t size;
    size_t capacity;
};

struct preset_catalog {
    struct preset_entry *entries; /* by number */
    struct preset_sought *keys;   /* by number */
    uint32_t count;
    uint32_t capacity;
    uint32_t *listed;  /* numbers of those that are not gone, in order */
    uint32_t *named;   /* the same by name */
    uint32_t present;  /* of both */
    uint32_t *buckets; /* room for preset_search: a number for each entry */
    uint8_t *ranks;    /* room for preset_search: one for each entry */
    uint32_t *slots;   /* numbers + 1 by hash of the path; 0: empty */
    uint32_t slot_count;
    struct preset_text text;
    struct preset_text folded;
};

void preset_catalog_free(struct preset_catalog *catalog);

/* A file and its place in the order. */
struct preset_position {
    const char *path;
    size_t shown_from; /* bytes at the start of the path, with the / after them, that are not shown
                          as part of the folder */
    uint32_t root;     /* the order, as in struct preset_entry */
    uint32_t place;
};

/* Adds a file, or finds it there; one that was gone comes back at its old place. PRESET_NONE if the
 * path is too long, the catalogue full or memory short. */
uint32_t preset_catalog_add(struct preset_catalog *catalog, const struct preset_position *position);

uint32_t preset_catalog_find(const struct preset_catalog *catalog, const char *path);

/* Marks a file that is not there any more. */
void preset_catalog_lose(struct preset_catalog *catalog, uint32_t number);

/* The entry's index in `listed`; of one that is gone, that of the entry after it. */
uint32_t preset_catalog_index(const struct preset_catalog *catalog, uint32_t number);

/* Valid until the next entry is added. Name and folder are whole UTF-8 without control characters,
 * whatever the file is called. */
const char *preset_catalog_path(const struct preset_catalog *catalog, uint32_t number);
const char *preset_catalog_name(const struct preset_catalog *catalog, uint32_t number);
const char *preset_catalog_folder(const struct preset_catalog *catalog, uint32_t number);

/* The operator's stars; 0 where he gave none, whatever the file says of itself. */
int preset_entry_stars(const struct preset_entry *entry);

/* Whether the entry may be shown: it is neither gone nor hidden nor failed. */
bool preset_entry_playable(const struct preset_entry *entry);

/* Whether a text can be a tag: letters, digits, - and _, one at least. */
bool preset_is_tag(const char *tag, size_t size);
bool preset_has_tag(const struct preset_opinion *opinion, const char *tag, size_t size);
/* Adds a tag or takes it away; true if it is so now. False: no tag, no room or no memory; nothing
 * changed.
 */
bool preset_set_tag(struct preset_opinion *opinion, const char *tag, bool on);

/* A deep copy over `to`, whose tags are freed. False without memory: `to` is as before. */
bool preset_opinion_copy(struct preset_opinion *to, const struct preset_opinion *from);
bool preset_opinion_empty(const struct preset_opinion *opinion);

/* Names of files as they are shown and searched. A name may be any bytes; what comes out is whole
 * UTF-8 without control characters. */

/* The file's name without folders and ending, at most PRESET_SHOWN_MAX bytes with ? for what cannot
 * be shown. */
void preset_shown_name(char *name, const char *path);

/* What lies between the first `from` bytes of the path and the file's name, without a / at either
 * end, at most PRESET_SHOWN_MAX bytes with ? for what cannot be shown. */
void preset_shown_folder(char *folder, const char *path, size_t from);

/* Texts as a search compares them: without case, without accents. */

enum { PRESET_FOLDED_MAX = 765 }; /* bytes: three times those of a name */

/* Writes the text folded, and returns its size without the NUL; `to` has PRESET_FOLDED_MAX + 1
 * bytes. Two texts whose letters differ in case, width or accents alone become equal: Unicode's
 * case folding and compatibility decomposition, without the marks that Latin, Greek, Cyrillic,
 * Hebrew and Arabic letters carry, and without strokes through Latin ones. Vowel signs of other
 * scripts stay, and so do the voiced kana. What is no UTF-8 becomes U+FFFD, what goes beyond the
 * room is left out. */
size_t preset_fold(char *to, const char *text);

/* Of folded texts. */

/* A byte of a letter or digit, or of any character beyond ASCII. */
bool preset_is_letter(char letter);

/* Whether a word begins at this byte of the text: it is the first one, or there is neither letter
 * nor digit before. */
bool preset_starts_word(const char *text, const char *at);

/* A bit for each letter of the text, or for those that begin a word only. Letters a to z and digits
 * have bits of their own, others share some. */
uint64_t preset_letter_bit(char letter);
uint64_t preset_letters(const char *text, size_t size, bool beginnings);

#endif
