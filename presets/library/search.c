#include "presets/library/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
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
    return word->size >= size && memcmp(word->text, term, size) == 0;
}

static bool refuse(struct preset_query *query, const struct preset_word *word, const char *why)
{
    if (query->wrong == NULL) {
        struct base_span before = {query->text, (size_t)(word->text - query->text) - word->negated};
        query->wrong = why;
        query->column = 1;
        while (before.size > 0) {
            (void)base_utf8_next(&before);
            query->column++;
        }
    }
    return false;
}

/* A word such as stars>=3; false if it is none, or a wrong one. */
static bool read_comparison(struct preset_query *query, struct preset_word *word)
{
    size_t key = 0;
    while (key < word->size && word->text[key] >= 'a' && word->text[key] <= 'z') {
        key++;
    }
    const char *sign = word->text + key;
    const size_t left = word->size - key;
    const bool equal = left > 1 && sign[1] == '=';
    if (key == 0 || left == 0 || (sign[0] != '<' && sign[0] != '>' && sign[0] != '=')) {
        return false;
    }
    const bool stars = key == strlen("stars") && begins(word, "stars");
    if (!stars && !(key == strlen("file") && begins(word, "file"))) {
        return sign[0] == '=' && !equal
                   ? false
                   : refuse(query, word, "only stars and file can be compared: stars>=3");
    }
    const char *number = sign + 1 + equal;
    if (word->text + word->size != number + 1 || number[0] < '0' ||
        number[0] > '0' + PRESET_STARS) {
        return refuse(query, word, "stars are compared with 0 to 5: stars>=3");
    }
    const int value = number[0] - '0';
    const int beyond = equal || sign[0] == '=' ? 0 : 1;
    word->term = stars ? PRESET_TERM_STARS : PRESET_TERM_FILE;
    word->low = sign[0] == '<' ? 0 : value + (sign[0] == '>' ? beyond : 0);
    word->high = sign[0] == '>' ? PRESET_STARS : value - (sign[0] == '<' ? beyond : 0);
    return true;
}

static void read_term(struct preset_query *query, struct preset_word *word)
{
    static const struct {
        const char *name;
        enum preset_term term;
    } names[] = {{"fav", PRESET_TERM_FAVOURITE},
                 {"failed", PRESET_TERM_FAILED},
                 {"hidden", PRESET_TERM_HIDDEN},
                 {"unnamed", PRESET_TERM_UNNAMED}};
    if (word->size > 1 && word->text[0] == '-') {
        word->negated = true;
        word->text++;
        word->size--;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (is_term(word, names[i].name)) {
            word->term = names[i].term;
            return;
        }
    }
    if (!begins(word, "tag:")) {
        (void)read_comparison(query, word);
    } else if (!preset_is_tag(word->text + 4, word->size - 4)) {
        (void)refuse(query, word, "tag: is followed by letters, digits, - and _");
    } else {
        word->term = PRESET_TERM_TAG;
        word->text += 4;
        word->size -= 4;
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
        read_term(query, word);
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
    if (*at != '\0') {
        const struct preset_word rest = {.text = at};
        (void)refuse(query, &rest, "from here on nothing is read: a search has 16 words at most");
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

static bool fits_term(const struct preset_entry *entry, const struct preset_word *word)
{
    switch (word->term) {
    case PRESET_TERM_FAVOURITE:
        return entry->opinion.favourite;
    case PRESET_TERM_STARS:
        return preset_entry_stars(entry) >= word->low && preset_entry_stars(entry) <= word->high;
    case PRESET_TERM_FILE:
        return entry->file_stars >= word->low && entry->file_stars <= word->high;
    case PRESET_TERM_TAG:
        return preset_has_tag(&entry->opinion, word->text, word->size);
    case PRESET_TERM_FAILED:
        return entry->verdict == PRESET_VERDICT_FAILED;
    case PRESET_TERM_HIDDEN:
        return entry->opinion.hidden;
    case PRESET_TERM_UNNAMED:
        return entry->unnamed;
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
        enum rank found = rank_in_key(catalog, &catalog->keys[number], word);
        if (found != RANK_WORD && entry->opinion.tags != NULL) {
            char folded[PRESET_FOLDED_MAX + 1];
            const size_t folded_size = preset_fold(folded, entry->opinion.tags);
            found = better(found, rank_in(folded, folded_size, word, true));
        }
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

bool preset_query_fits(const struct preset_catalog *catalog, const struct preset_query *query,
                       uint32_t number)
{
    return rank_entry(catalog, number, query) != RANK_NONE;
}

/* How many entries that are there this word alone lets pass; hidden ones count only if asked for.
 */
static size_t count_fitting(const struct preset_catalog *catalog, const struct preset_query *query,
                            size_t word, bool hidden)
{
    struct preset_query alone = {.hidden = query->hidden || hidden, .count = query->count};
    memcpy(alone.words, query->words, sizeof alone.words);
    if (word < query->count) {
        alone.words[0] = query->words[word];
        alone.count = 1;
    }
    size_t count = 0;
    for (uint32_t i = 0; i < catalog->present; i++) {
        count += rank_entry(catalog, catalog->listed[i], &alone) != RANK_NONE;
    }
    return count;
}

void preset_query_why(const struct preset_catalog *catalog, const struct preset_query *query,
                      char *why, size_t size)
{
    if (catalog->present == 0) {
        (void)snprintf(why, size, "there is no preset yet");
        return;
    }
    const size_t hidden = count_fitting(catalog, query, query->count, true);
    if (hidden > 0) {
        (void)snprintf(why, size, "%zu fit%s, but hidden; the word hidden finds them", hidden,
                       hidden == 1 ? "s" : "");
        return;
    }
    for (size_t i = 0; i < query->count; i++) {
        const struct preset_word *word = &query->words[i];
        if (count_fitting(catalog, query, i, true) == 0) {
            const char *end = word->text + word->size;
            const char *start = word->text;
            while (start > query->text && start[-1] != ' ' && start[-1] != '\t') {
                start--;
            }
            (void)snprintf(why, size, "no preset fits '%.*s'", (int)(end - start), start);
            return;
        }
    }
    (void)snprintf(why, size, "each word fits some presets, but none fits all of them");
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

/* ---- names that are not for the audience ---- */

struct preset_listed_word {
    char *text; /* folded, with a blank for each sign */
    size_t size;
    uint64_t letters;
    uint32_t line;
    bool goes_before; /* it may be the end of a longer word, */
    bool goes_on;     /* or the beginning */
};

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* Folded, with a blank for each sign. Returns the size. */
static size_t make_plain(char *to, const char *text)
{
    const size_t size = preset_fold(to, text);
    for (size_t i = 0; i < size; i++) {
        to[i] = preset_is_letter(to[i]) ? to[i] : ' ';
    }
    return size;
}

static bool refuse_word(const char *path, uint32_t line, const struct base_diag_sink *sink,
                        const char *hint, const char *what)
{
    base_report(sink, BASE_ERROR, (struct base_place){path, line, 1}, hint, "%s", what);
    return false;
}

static bool add_word(struct preset_words *words, const char *path, uint32_t line,
                     struct base_span text, const struct base_diag_sink *sink)
{
    const bool before = text.data[0] == '*';
    const bool on = text.data[text.size - 1] == '*';
    char raw[PRESET_SHOWN_MAX + 1];
    char plain[PRESET_FOLDED_MAX + 1];
    if (text.size > PRESET_SHOWN_MAX) {
        return refuse_word(path, line, sink, NULL, "this is longer than any name");
    }
    (void)snprintf(raw, sizeof raw, "%.*s", (int)text.size, text.data);
    (void)make_plain(plain, raw);
    const char *start = plain + strspn(plain, " ");
    size_t size = strlen(start);
    while (size > 0 && start[size - 1] == ' ') {
        size--;
    }
    if (size == 0) {
        return refuse_word(path, line, sink, "write a word, or fun* for all that begin with it",
                           "there is no letter in this word");
    }
    if (words->count == words->capacity) {
        const size_t capacity = 2 * words->capacity + 64;
        struct preset_listed_word *items = realloc(words->items, capacity * sizeof *items);
        if (items == NULL) {
            return refuse_word(path, line, sink, NULL, "not enough memory");
        }
        words->items = items;
        words->capacity = capacity;
    }
    struct preset_listed_word *word = &words->items[words->count];
    *word = (struct preset_listed_word){.text = strndup(start, size),
                                        .size = size,
                                        .letters = preset_letters(start, size, false),
                                        .line = line,
                                        .goes_before = before,
                                        .goes_on = on};
    if (word->text == NULL) {
        return refuse_word(path, line, sink, NULL, "not enough memory");
    }
    words->count++;
    return true;
}

int preset_words_read(struct preset_words *words, const char *path, struct base_span text,
                      const struct base_diag_sink *sink)
{
    *words = (struct preset_words){0};
    size_t at = text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    for (uint32_t number = 1; at < text.size; number++) {
        const char *start = text.data + at;
        const char *end = memchr(start, '\n', text.size - at);
        struct base_span line = {start, end != NULL ? (size_t)(end - start) : text.size - at};
        at += line.size + 1;
        const char *comment = memchr(line.data, '#', line.size);
        line.size = comment != NULL ? (size_t)(comment - line.data) : line.size;
        while (line.size > 0 && (unsigned char)line.data[0] <= ' ') {
            line.data++;
            line.size--;
        }
        while (line.size > 0 && (unsigned char)line.data[line.size - 1] <= ' ') {
            line.size--;
        }
        if (line.size > 0 && !add_word(words, path, number, line, sink)) {
            preset_words_free(words);
            return -1;
        }
    }
    return 0;
}

void preset_words_free(struct preset_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        free(words->items[i].text);
    }
    free(words->items);
    *words = (struct preset_words){0};
}

/* Whether a word ends before this place: what stands there is no letter, or digits end at a letter
 * and letters at a digit. */
static bool ends_word(const char *name, const char *place)
{
    struct base_span rest = base_span_of(place);
    if (rest.size == 0 || *place == ' ') {
        return true;
    }
    if ((*place & 0x80) == 0) {
        return is_digit(*place) != is_digit(place[-1]);
    }
    (void)base_utf8_next(&rest);
    return preset_starts_word(name, rest.data);
}

static bool begins_word(const char *name, const char *place)
{
    return preset_starts_word(name, place) ||
           ((place[-1] & 0x80) == 0 && is_digit(place[-1]) != is_digit(*place));
}

uint32_t preset_words_find(const struct preset_words *words, const char *name)
{
    char plain[PRESET_FOLDED_MAX + 1];
    const size_t size = words->count > 0 ? make_plain(plain, name) : 0;
    const uint64_t letters = preset_letters(plain, size, false);
    for (size_t i = 0; i < words->count; i++) {
        const struct preset_listed_word *word = &words->items[i];
        const char *at =
            (word->letters & ~letters) == 0 ? find(plain, size, word->text, word->size) : NULL;
        for (; at != NULL;
             at = find(at + 1, size - (size_t)(at + 1 - plain), word->text, word->size)) {
            if ((word->goes_before || begins_word(plain, at)) &&
                (word->goes_on || ends_word(plain, at + word->size))) {
                return word->line;
            }
        }
    }
    return 0;
}
