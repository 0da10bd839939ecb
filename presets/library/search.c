#include "presets/library/search.h"

#include <string.h>

#include "presets/library/catalog.h"

/* How well an entry fits; the best first. */
enum rank { RANK_WHOLE, RANK_BEGINNING, RANK_WORD, RANK_ANYWHERE, RANKS, RANK_NONE = RANKS };

static bool is_term(const struct preset_word *word, const char *term)
{
    return word->size == strlen(term) && memcmp(word->text, term, word->size) == 0;
}

static bool begins(const struct preset_word *word, const char *term)
{
    const size_t size = strlen(term);
    return word->size > size && memcmp(word->text, term, size) == 0;
}

static void read_term(struct preset_word *word)
{
    if (word->size > 1 && word->text[0] == '-') {
        word->negated = true;
        word->text++;
        word->size--;
    }
    if (is_term(word, "fav")) {
        word->term = PRESET_TERM_FAVOURITE;
    } else if (is_term(word, "failed")) {
        word->term = PRESET_TERM_FAILED;
    } else if (is_term(word, "hidden")) {
        word->term = PRESET_TERM_HIDDEN;
    } else if (begins(word, "tag:")) {
        word->term = PRESET_TERM_TAG;
        word->text += 4;
        word->size -= 4;
    } else if (begins(word, "stars>=") && word->size == 8 && word->text[7] >= '0' &&
               word->text[7] <= '9') {
        word->term = PRESET_TERM_STARS;
        word->stars = word->text[7] - '0';
    }
}

void preset_query_read(struct preset_query *query, const char *text)
{
    *query = (struct preset_query){0};
    char read[PRESET_QUERY_TEXT + 1] = {0};
    const size_t size = strlen(text);
    memcpy(read, text, size < PRESET_QUERY_TEXT ? size : PRESET_QUERY_TEXT);
    (void)preset_fold(query->text, read);
    const char *at = query->text + strspn(query->text, " \t");
    while (*at != '\0' && query->count < PRESET_QUERY_WORDS) {
        struct preset_word *word = &query->words[query->count++];
        word->text = at;
        word->size = strcspn(at, " \t");
        at += word->size;
        at += strspn(at, " \t");
        read_term(word);
        word->letters = preset_letters(word->text, word->size, false);
        query->hidden = query->hidden || (word->term == PRESET_TERM_HIDDEN && !word->negated);
        if (word->term == PRESET_TERM_TEXT && !word->negated) {
            if (query->joined_size > 0) {
                query->joined[query->joined_size++] = ' ';
            }
            memcpy(query->joined + query->joined_size, word->text, word->size);
            query->joined_size += word->size;
        }
    }
}

static const char *find(const char *text, size_t size, const char *word, size_t word_size)
{
    while (size >= word_size) {
        const char *at = memchr(text, word[0], size - word_size + 1);
        if (at == NULL || memcmp(at, word, word_size) == 0) {
            return at;
        }
        size -= (size_t)(at + 1 - text);
        text = at + 1;
    }
    return NULL;
}

/* The rank of a word in a text. Only with `starts` can the word begin one of the text's. */
static enum rank rank_in(const char *text, size_t size, const struct preset_word *word, bool starts)
{
    const char *at = find(text, size, word->text, word->size);
    if (at == NULL) {
        return RANK_NONE;
    }
    for (const char *next = at; starts && next != NULL;) {
        if (preset_starts_word(text, next)) {
            return RANK_WORD;
        }
        next = find(next + 1, size - (size_t)(next + 1 - text), word->text, word->size);
    }
    return RANK_ANYWHERE;
}

static enum rank better(enum rank a, enum rank b)
{
    return a < b ? a : b;
}

/* Most entries are decided by their letters. */
static enum rank rank_in_key(const struct preset_catalog *catalog, const struct preset_sought *key,
                             const struct preset_word *word)
{
    if ((word->letters & ~key->letters) != 0) {
        return RANK_NONE;
    }
    const bool starts = (key->starts & preset_letter_bit(word->text[0])) != 0;
    if (word->size == 1 && preset_is_letter(word->text[0]) && (word->text[0] & 0x80) == 0) {
        return starts ? RANK_WORD : RANK_ANYWHERE;
    }
    const char *name = catalog->folded.data + key->text;
    const enum rank rank = rank_in(name, key->name_size, word, starts);
    return rank == RANK_WORD
               ? rank
               : better(rank, rank_in(name + key->name_size + 1, key->folder_size, word, starts));
}

static enum rank rank_word(const struct preset_catalog *catalog, uint32_t number,
                           const struct preset_word *word)
{
    const enum rank rank = rank_in_key(catalog, &catalog->keys[number], word);
    const char *tags = catalog->entries[number].opinion.tags;
    if (rank == RANK_WORD || tags == NULL) {
        return rank;
    }
    char folded[PRESET_FOLDED_MAX + 1];
    const size_t size = preset_fold(folded, tags);
    return better(rank, rank_in(folded, size, word, true));
}

static bool fits_term(const struct preset_entry *entry, const struct preset_word *word)
{
    switch (word->term) {
    case PRESET_TERM_FAVOURITE:
        return entry->opinion.favourite;
    case PRESET_TERM_STARS:
        return preset_entry_stars(entry) >= word->stars;
    case PRESET_TERM_TAG:
        return preset_has_tag(&entry->opinion, word->text, word->size);
    case PRESET_TERM_FAILED:
        return entry->verdict == PRESET_VERDICT_FAILED;
    case PRESET_TERM_HIDDEN:
        return entry->opinion.hidden;
    case PRESET_TERM_TEXT:
        break;
    }
    return false;
}

static enum rank rank_entry(const struct preset_catalog *catalog, uint32_t number,
                            const struct preset_query *query)
{
    const struct preset_entry *entry = &catalog->entries[number];
    enum rank rank = RANK_WHOLE;
    if (entry->opinion.hidden && !query->hidden) {
        return RANK_NONE;
    }
    for (size_t i = 0; i < query->count; i++) {
        const struct preset_word *word = &query->words[i];
        if (word->term != PRESET_TERM_TEXT) {
            if (fits_term(entry, word) == word->negated) {
                return RANK_NONE;
            }
            continue;
        }
        const enum rank found = rank_word(catalog, number, word);
        if ((found == RANK_NONE) != word->negated) {
            return RANK_NONE;
        }
        rank = word->negated || rank > found ? rank : found;
    }
    /* The name may be the words, or begin with them. */
    const struct preset_sought *key = &catalog->keys[number];
    const size_t size = query->joined_size;
    if (size == 0 || key->name_size < size ||
        memcmp(catalog->folded.data + key->text, query->joined, size) != 0) {
        return rank;
    }
    return better(rank, key->name_size == size ? RANK_WHOLE : RANK_BEGINNING);
}

size_t preset_search(struct preset_catalog *catalog, const struct preset_query *query,
                     uint32_t *numbers, size_t most)
{
    /* The texts stand in memory by number: reading them so is several times as fast as by name. */
    for (uint32_t i = 0; i < catalog->count; i++) {
        catalog->ranks[i] = (uint8_t)rank_entry(catalog, i, query);
    }
    /* The order is sorted by rank; what does not fit is left out. */
    const uint32_t *order = query->count > 0 ? catalog->named : catalog->listed;
    size_t starts[RANKS + 1] = {0};
    for (uint32_t i = 0; i < catalog->present; i++) {
        const uint8_t rank = catalog->ranks[order[i]];
        starts[rank < RANKS ? rank + 1 : 0]++;
    }
    starts[0] = 0;
    for (size_t i = 1; i <= RANKS; i++) {
        starts[i] += starts[i - 1];
    }
    const size_t fitting = starts[RANKS];
    for (uint32_t i = 0; i < catalog->present; i++) {
        const uint8_t rank = catalog->ranks[order[i]];
        if (rank < RANKS) {
            catalog->buckets[starts[rank]++] = order[i];
        }
    }
    const size_t written = fitting < most ? fitting : most;
    if (written > 0) {
        memcpy(numbers, catalog->buckets, written * sizeof *numbers);
    }
    return fitting;
}

uint32_t preset_find_name(const struct preset_catalog *catalog, const char *text)
{
    char folded[PRESET_FOLDED_MAX + 1];
    const size_t size = strlen(text) <= PRESET_SHOWN_MAX ? preset_fold(folded, text) : 0;
    if (size == 0) {
        return PRESET_NONE;
    }
    for (uint32_t i = 0; i < catalog->present; i++) {
        const struct preset_sought *key = &catalog->keys[catalog->listed[i]];
        if (find(catalog->folded.data + key->text, key->name_size, folded, size) != NULL) {
            return catalog->listed[i];
        }
    }
    return PRESET_NONE;
}
