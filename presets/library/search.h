/* Searching the catalogue as the operator types, and names that are not for the audience. Pure; one
 * thread at a time. */
#ifndef PRESETS_LIBRARY_SEARCH_H
#define PRESETS_LIBRARY_SEARCH_H

#include "base/text.h"
#include "presets/library/catalog.h"

enum { PRESET_QUERY_WORDS = 16, PRESET_QUERY_TEXT = 255 };

enum preset_term {
    PRESET_TERM_TEXT,
    PRESET_TERM_FAVOURITE, /* fav */
    PRESET_TERM_STARS,     /* stars>=N: the operator's; also >, <=, < and = */
    PRESET_TERM_FILE,      /* file>=N: what the file says of itself */
    PRESET_TERM_TAG,       /* tag:NAME */
    PRESET_TERM_FAILED,
    PRESET_TERM_HIDDEN,
    PRESET_TERM_UNNAMED, /* the name is not for the audience */
};

struct preset_word {
    enum preset_term term;
    bool negated;
    int low; /* the stars that fit */
    int high;
    const char *text; /* in the query */
    size_t size;
    uint64_t letters; /* as of preset_letters */
};

struct preset_query {
    struct preset_word words[PRESET_QUERY_WORDS];
    size_t count;
    bool hidden;                        /* hidden entries are asked for */
    const char *wrong;                  /* what is wrong with a word, which then is plain text;
                                           NULL: nothing */
    size_t column;                      /* where, in characters from 1 */
    char text[PRESET_FOLDED_MAX + 1];   /* folded */
    char joined[PRESET_FOLDED_MAX + 1]; /* the words of plain text, a blank between */
    size_t joined_size;
};

/* Any text is a query: words divided by blanks, each a term or plain text, with - in front what is
 * not wanted. What is beyond the limits is left out. The words are folded (preset_fold), as names
 * and folders are: "geiss uber" finds "Geiss - Über". The query must not be copied. */
void preset_query_read(struct preset_query *query, const char *text);

/* Writes the numbers of those that fit, best first, `most` of them at most, and returns how many
 * fit. A query without words gives the list in order. */
size_t preset_search(struct preset_catalog *catalog, const struct preset_query *query,
                     uint32_t *numbers, size_t most);

/* Whether an entry fits. */
bool preset_query_fits(const struct preset_catalog *catalog, const struct preset_query *query,
                       uint32_t number);

/* Says in a few words, without an end of line, why a query that fits nothing does not. */
void preset_query_why(const struct preset_catalog *catalog, const struct preset_query *query,
                      char *why, size_t size);

/* The first one in order whose name contains the text, both folded; PRESET_NONE. */
uint32_t preset_find_name(const struct preset_catalog *catalog, const char *text);

/* Lists of words: presets whose names have one of them are not shown to the audience by name. */

enum { PRESET_WORDS_TEXT = 1024 * 1024 /* bytes of the file */ };

struct preset_words {
    struct preset_listed_word *items;
    size_t count;
    size_t capacity;
};

/* Reads a list held in memory: on each line a word or several, # begins a comment. A name has it
 * where its own words are these; with * at an end also where they go on there: fun* has funny.
 * Case, accents and signs do not count. Returns 0, or -1 after a message (path:line:column); *words
 * is then empty. */
int preset_words_read(struct preset_words *words, const char *path, struct base_span text,
                      const struct base_diag_sink *sink);
void preset_words_free(struct preset_words *words);

/* The line, from 1, of the first word that the name has; 0: it has none. */
uint32_t preset_words_find(const struct preset_words *words, const char *name);

#endif
