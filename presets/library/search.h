/* Searching the catalogue as the operator types. Pure; one thread at a time. */
#ifndef PRESETS_LIBRARY_SEARCH_H
#define PRESETS_LIBRARY_SEARCH_H

#include "presets/library/catalog.h"
#include "presets/library/fold.h"

enum { PRESET_QUERY_WORDS = 16, PRESET_QUERY_TEXT = 255 };

enum preset_term {
    PRESET_TERM_TEXT,
    PRESET_TERM_FAVOURITE, /* fav */
    PRESET_TERM_STARS,     /* stars>=N */
    PRESET_TERM_TAG,       /* tag:NAME */
    PRESET_TERM_FAILED,
    PRESET_TERM_HIDDEN,
};

struct preset_word {
    enum preset_term term;
    bool negated;
    int stars;
    const char *text; /* in the query */
    size_t size;
    uint64_t letters; /* as in fold.h */
};

struct preset_query {
    struct preset_word words[PRESET_QUERY_WORDS];
    size_t count;
    bool hidden;                        /* hidden entries are asked for */
    char text[PRESET_FOLDED_MAX + 1];   /* folded */
    char joined[PRESET_FOLDED_MAX + 1]; /* the words of plain text, a blank between */
    size_t joined_size;
};

/* Any text is a query: words divided by blanks, each a term or plain text, with - in front what is
 * not wanted. What is beyond the limits is left out. The words are folded (fold.h), as names and
 * folders are: "geiss uber" finds "Geiss - Über". The query must not be copied. */
void preset_query_read(struct preset_query *query, const char *text);

/* Writes the numbers of those that fit, best first, `most` of them at most, and returns how many
 * fit. A query without words gives the list in order. */
size_t preset_search(struct preset_catalog *catalog, const struct preset_query *query,
                     uint32_t *numbers, size_t most);

/* The first one in order whose name contains the text, both folded; PRESET_NONE. */
uint32_t preset_find_name(const struct preset_catalog *catalog, const char *text);

#endif
