#include "presets/library/catalog.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/random.h"
#include "base/text.h"

enum { ENTRIES_FIRST = 256, TEXT_MAX = UINT32_MAX / 2 };

bool preset_stamp_equal(const struct preset_stamp *a, const struct preset_stamp *b)
{
    return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

void preset_catalog_free(struct preset_catalog *catalog)
{
    for (uint32_t i = 0; i < catalog->count; i++) {
        free(catalog->entries[i].opinion.tags);
    }
    free(catalog->entries);
    free(catalog->keys);
    free(catalog->listed);
    free(catalog->named);
    free(catalog->buckets);
    free(catalog->ranks);
    free(catalog->slots);
    free(catalog->text.data);
    free(catalog->folded.data);
    *catalog = (struct preset_catalog){0};
}

const char *preset_catalog_path(const struct preset_catalog *catalog, uint32_t number)
{
    return catalog->text.data + catalog->entries[number].path;
}

const char *preset_catalog_name(const struct preset_catalog *catalog, uint32_t number)
{
    return catalog->text.data + catalog->entries[number].name;
}

const char *preset_catalog_folder(const struct preset_catalog *catalog, uint32_t number)
{
    return catalog->text.data + catalog->entries[number].folder;
}

/* ---- room ---- */

/* Reallocates an array. place: of a pointer to objects of any kind, all of which look alike here.
 */
static bool resize(void *place, size_t count, size_t size)
{
    void *array;
    memcpy(&array, place, sizeof array);
    void *grown = realloc(array, count * size);
    if (grown != NULL) {
        memcpy(place, &grown, sizeof grown);
    }
    return grown != NULL;
}

/* Room for as many slots as hold twice the entries. */
static bool rehash(struct preset_catalog *catalog, uint32_t slot_count)
{
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < catalog->slot_count; i++) {
        if (catalog->slots[i] != 0) {
            const char *path = preset_catalog_path(catalog, catalog->slots[i] - 1);
            uint64_t at = base_hash(BASE_HASH_START, path, strlen(path));
            while (slots[at % slot_count] != 0) {
                at++;
            }
            slots[at % slot_count] = catalog->slots[i];
        }
    }
    free(catalog->slots);
    catalog->slots = slots;
    catalog->slot_count = slot_count;
    return true;
}

static bool reserve(struct preset_text *text, size_t size)
{
    if (text->size + size <= text->capacity) {
        return true;
    }
    const size_t capacity = 2 * text->capacity + size + 4096;
    if (capacity > TEXT_MAX || !resize(&text->data, capacity, 1)) {
        return false;
    }
    text->capacity = capacity;
    return true;
}

/* Appends a text with its NUL; the caller has made room. Returns where it begins. */
static uint32_t append(struct preset_text *text, const char *data)
{
    const size_t at = text->size;
    const size_t size = strlen(data) + 1;
    memcpy(text->data + at, data, size);
    text->size += size;
    return (uint32_t)at;
}

/* ---- paths ---- */

static uint32_t *slot_of(const struct preset_catalog *catalog, const char *path)
{
    uint64_t at = base_hash(BASE_HASH_START, path, strlen(path));
    for (;; at++) {
        uint32_t *slot = &catalog->slots[at % catalog->slot_count];
        if (*slot == 0 || strcmp(preset_catalog_path(catalog, *slot - 1), path) == 0) {
            return slot;
        }
    }
}

uint32_t preset_catalog_find(const struct preset_catalog *catalog, const char *path)
{
    const uint32_t *slot = catalog->slot_count > 0 ? slot_of(catalog, path) : NULL;
    return slot != NULL && *slot != 0 ? *slot - 1 : PRESET_NONE;
}

/* ---- orders ---- */

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

typedef int (*comparison)(const struct preset_catalog *catalog, uint32_t a, uint32_t b);

static int compare_listed(const struct preset_catalog *catalog, uint32_t a, uint32_t b)
{
    const struct preset_entry *left = &catalog->entries[a];
    const struct preset_entry *right = &catalog->entries[b];
    if (left->root != right->root) {
        return compare_numbers(left->root, right->root);
    }
    if (left->place != right->place) {
        return compare_numbers(left->place, right->place);
    }
    /* The order is that in which folders are walked: a / comes before every other letter. */
    const char *one = preset_catalog_path(catalog, a);
    const char *other = preset_catalog_path(catalog, b);
    while (*one != '\0' && *one == *other) {
        one++;
        other++;
    }
    const int order =
        (*one == '/' ? 0 : (unsigned char)*one) - (*other == '/' ? 0 : (unsigned char)*other);
    return order != 0 ? order : compare_numbers(a, b);
}

static int compare_named(const struct preset_catalog *catalog, uint32_t a, uint32_t b)
{
    const int order = strcmp(catalog->folded.data + catalog->keys[a].text,
                             catalog->folded.data + catalog->keys[b].text);
    return order != 0 ? order : compare_listed(catalog, a, b);
}

/* How many of the order come before the entry. */
static uint32_t rank_of(const struct preset_catalog *catalog, const uint32_t *order,
                        comparison compare, uint32_t number)
{
    uint32_t low = 0;
    uint32_t high = catalog->present;
    if (high > 0 && compare(catalog, order[high - 1], number) < 0) {
        return high;
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare(catalog, order[middle], number) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void insert(const struct preset_catalog *catalog, uint32_t *order, comparison compare,
                   uint32_t number)
{
    const uint32_t at = rank_of(catalog, order, compare, number);
    memmove(order + at + 1, order + at, (catalog->present - at) * sizeof *order);
    order[at] = number;
}

static void take_out(const struct preset_catalog *catalog, uint32_t *order, comparison compare,
                     uint32_t number)
{
    const uint32_t at = rank_of(catalog, order, compare, number);
    memmove(order + at, order + at + 1, (catalog->present - at - 1) * sizeof *order);
}

static void enter(struct preset_catalog *catalog, uint32_t number)
{
    insert(catalog, catalog->listed, compare_listed, number);
    insert(catalog, catalog->named, compare_named, number);
    catalog->present++;
    catalog->entries[number].gone = false;
}

void preset_catalog_lose(struct preset_catalog *catalog, uint32_t number)
{
    if (!catalog->entries[number].gone) {
        take_out(catalog, catalog->listed, compare_listed, number);
        take_out(catalog, catalog->named, compare_named, number);
        catalog->present--;
        catalog->entries[number].gone = true;
        catalog->entries[number].known = false;
    }
}

uint32_t preset_catalog_index(const struct preset_catalog *catalog, uint32_t number)
{
    return rank_of(catalog, catalog->listed, compare_listed, number);
}

/* ---- entries ---- */

static bool add_texts(struct preset_catalog *catalog, uint32_t number,
                      const struct preset_position *position)
{
    struct preset_entry *entry = &catalog->entries[number];
    char name[PRESET_SHOWN_MAX + 1];
    char folder[PRESET_SHOWN_MAX + 1];
    preset_shown_name(name, position->path);
    preset_shown_folder(folder, position->path, position->shown_from);
    const size_t shown = strlen(name) + strlen(folder) + 2;
    if (!reserve(&catalog->text, strlen(position->path) + 1 + shown) ||
        !reserve(&catalog->folded, 2 * (PRESET_FOLDED_MAX + 1))) {
        return false;
    }
    entry->path = append(&catalog->text, position->path);
    entry->name = append(&catalog->text, name);
    entry->folder = append(&catalog->text, folder);
    struct preset_sought *key = &catalog->keys[number];
    char text[PRESET_FOLDED_MAX + 1];
    key->name_size = (uint16_t)preset_fold(text, name);
    key->letters = preset_letters(text, key->name_size, false);
    key->starts = preset_letters(text, key->name_size, true);
    key->text = append(&catalog->folded, text);
    key->folder_size = (uint16_t)preset_fold(text, folder);
    key->letters |= preset_letters(text, key->folder_size, false);
    key->starts |= preset_letters(text, key->folder_size, true);
    (void)append(&catalog->folded, text);
    return true;
}

uint32_t preset_catalog_add(struct preset_catalog *catalog, const struct preset_position *position)
{
    const uint32_t old = preset_catalog_find(catalog, position->path);
    if (old != PRESET_NONE) {
        if (catalog->entries[old].gone) {
            enter(catalog, old);
        }
        return old;
    }
    if (strlen(position->path) > PRESET_PATH_MAX) {
        return PRESET_NONE;
    }
    if (catalog->count == catalog->capacity) {
        const uint32_t capacity = catalog->capacity > 0 ? catalog->capacity * 2 : ENTRIES_FIRST;
        if (catalog->count >= PRESET_CATALOG_MAX ||
            !resize(&catalog->entries, capacity, sizeof *catalog->entries) ||
            !resize(&catalog->keys, capacity, sizeof *catalog->keys) ||
            !resize(&catalog->listed, capacity, sizeof *catalog->listed) ||
            !resize(&catalog->named, capacity, sizeof *catalog->named) ||
            !resize(&catalog->buckets, capacity, sizeof *catalog->buckets) ||
            !resize(&catalog->ranks, capacity, sizeof *catalog->ranks) ||
            !rehash(catalog, 2 * capacity)) {
            return PRESET_NONE;
        }
        catalog->capacity = capacity;
    }
    const uint32_t number = catalog->count;
    catalog->entries[number] =
        (struct preset_entry){.root = position->root, .place = position->place};
    if (!add_texts(catalog, number, position)) {
        return PRESET_NONE;
    }
    *slot_of(catalog, position->path) = number + 1;
    catalog->count++;
    enter(catalog, number);
    return number;
}

int preset_entry_stars(const struct preset_entry *entry)
{
    return entry->opinion.rated ? entry->opinion.stars : 0;
}

bool preset_entry_playable(const struct preset_entry *entry)
{
    return !entry->gone && !entry->opinion.hidden && entry->verdict != PRESET_VERDICT_FAILED;
}

/* ---- opinions ---- */

bool preset_is_tag(const char *tag, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char letter = tag[i];
        if (!((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
              (letter >= '0' && letter <= '9') || letter == '-' || letter == '_')) {
            return false;
        }
    }
    return size > 0;
}

/* The tag among others, without case; NULL: it is not there. */
static char *find_tag(char *tags, const char *tag, size_t size)
{
    for (char *at = tags; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, " ");
        if (length == size &&
            base_span_equal_nocase((struct base_span){at, size}, (struct base_span){tag, size})) {
            return at;
        }
        at += length + (at[length] == ' ');
    }
    return NULL;
}

bool preset_has_tag(const struct preset_opinion *opinion, const char *tag, size_t size)
{
    return find_tag(opinion->tags, tag, size) != NULL;
}

bool preset_set_tag(struct preset_opinion *opinion, const char *tag, bool on)
{
    const size_t size = strlen(tag);
    if (!preset_is_tag(tag, size)) {
        return false;
    }
    char *at = find_tag(opinion->tags, tag, size);
    if (on == (at != NULL)) {
        return true;
    }
    if (on) {
        const size_t old = opinion->tags != NULL ? strlen(opinion->tags) : 0;
        const size_t blank = old > 0;
        if (old + blank + size > PRESET_TAGS_MAX ||
            !resize(&opinion->tags, old + blank + size + 1, 1)) {
            return false;
        }
        if (old > 0) {
            opinion->tags[old] = ' ';
        }
        memcpy(opinion->tags + old + blank, tag, size + 1);
        return true;
    }
    const char *behind = at + size;
    if (*behind == ' ') {
        behind++;
    } else if (at > opinion->tags) {
        at--;
    }
    memmove(at, behind, strlen(behind) + 1);
    if (opinion->tags[0] == '\0') {
        free(opinion->tags);
        opinion->tags = NULL;
    }
    return true;
}

bool preset_opinion_copy(struct preset_opinion *to, const struct preset_opinion *from)
{
    char *tags = from->tags != NULL ? strdup(from->tags) : NULL;
    if (from->tags != NULL && tags == NULL) {
        return false;
    }
    free(to->tags);
    *to = *from;
    to->tags = tags;
    return true;
}

bool preset_opinion_empty(const struct preset_opinion *opinion)
{
    return !opinion->rated && !opinion->favourite && !opinion->hidden && opinion->tags == NULL;
}

/* ---- names of files as they are shown ---- */

static void copy(char *shown, const char *text, size_t size)
{
    size_t used = 0;
    struct base_span rest = {text, size};
    while (rest.size > 0) {
        const char *letter = rest.data;
        const uint32_t point = base_utf8_next(&rest);
        const size_t length = (size_t)(rest.data - letter);
        const bool malformed = point == BASE_UTF8_REPLACEMENT && length == 1;
        const bool control =
            point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x2028 || point == 0x2029;
        const bool plain = !malformed && !control;
        const size_t wanted = plain ? length : 1;
        if (used + wanted > PRESET_SHOWN_MAX) {
            break;
        }
        memcpy(shown + used, plain ? letter : "?", wanted);
        used += wanted;
    }
    shown[used] = '\0';
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

void preset_shown_name(char *name, const char *path)
{
    const char *file = file_name(path);
    const char *point = strrchr(file, '.');
    copy(name, file, point != NULL && point > file ? (size_t)(point - file) : strlen(file));
}

void preset_shown_folder(char *folder, const char *path, size_t from)
{
    const size_t end = (size_t)(file_name(path) - path);
    size_t last = end > 0 ? end - 1 : 0;
    while (from < last && path[from] == '/') {
        from++;
    }
    while (last > from && path[last - 1] == '/') {
        last--;
    }
    copy(folder, path + (from < last ? from : last), from < last ? last - from : 0);
}

/* ---- folding ---- */

enum {
    LETTERS_MAX = PRESET_FOLDED_MAX + 32,
    LONGEST = 18, /* code points that one becomes at most */
};

/* Marks above and below letters that those who type a name leave out. */
static bool is_accent(utf8proc_int32_t code)
{
    return (code >= 0x0300 && code <= 0x036F) || (code >= 0x0591 && code <= 0x05C7) ||
           (code >= 0x064B && code <= 0x065F) || code == 0x0640 || code == 0x0670 ||
           (code >= 0x1AB0 && code <= 0x1AFF) || (code >= 0x1DC0 && code <= 0x1DFF) ||
           (code >= 0x20D0 && code <= 0x20FF);
}

/* Letters with a stroke, which Unicode does not take for marks, and the dotless i. */
static utf8proc_int32_t without_stroke(utf8proc_int32_t code)
{
    static const struct {
        utf8proc_int32_t code;
        char letter;
    } letters[] = {{0x111, 'd'}, {0x127, 'h'}, {0x131, 'i'},
                   {0x142, 'l'}, {0xF8, 'o'},  {0x167, 't'}};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].code == code) {
            return letters[i].letter;
        }
    }
    return code;
}

size_t preset_fold(char *to, const char *text)
{
    size_t size = 0;
    for (; text[size] != '\0' && (text[size] & 0x80) == 0 && size < PRESET_FOLDED_MAX; size++) {
        const char letter = text[size];
        to[size] = letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter;
    }
    if (text[size] == '\0' || size == PRESET_FOLDED_MAX) {
        to[size] = '\0';
        return size;
    }
    /* The last ASCII letter may carry the first accent. */
    size -= size > 0;
    utf8proc_int32_t letters[LETTERS_MAX];
    utf8proc_ssize_t count = 0;
    struct base_span rest = base_span_of(text + size);
    while (rest.size > 0 && count + LONGEST < LETTERS_MAX) {
        utf8proc_int32_t parts[LONGEST];
        int boundary = 0;
        const utf8proc_ssize_t found = utf8proc_decompose_char(
            (utf8proc_int32_t)base_utf8_next(&rest), parts, LONGEST,
            UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD, &boundary);
        for (utf8proc_ssize_t i = 0; i < found && i < LONGEST; i++) {
            if (!is_accent(parts[i])) {
                letters[count++] = without_stroke(parts[i]);
            }
        }
    }
    count = utf8proc_normalize_utf32(letters, count, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    for (utf8proc_ssize_t i = 0; i < count; i++) {
        utf8proc_uint8_t bytes[4];
        const size_t length = (size_t)utf8proc_encode_char(letters[i], bytes);
        if (size + length > PRESET_FOLDED_MAX) {
            break;
        }
        memcpy(to + size, bytes, length);
        size += length;
    }
    to[size] = '\0';
    return size;
}

bool preset_is_letter(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') ||
           (unsigned char)letter >= 0x80;
}

static bool is_inside(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

bool preset_starts_word(const char *text, const char *at)
{
    if (at == text || is_inside(*at)) {
        return at == text;
    }
    const char *before = at - 1;
    if ((*before & 0x80) == 0) {
        return !preset_is_letter(*before);
    }
    while (before > text && is_inside(*before)) {
        before--;
    }
    struct base_span letter = {before, (size_t)(at - before)};
    const utf8proc_category_t kind = utf8proc_category((utf8proc_int32_t)base_utf8_next(&letter));
    return kind == UTF8PROC_CATEGORY_CN || kind > UTF8PROC_CATEGORY_NO;
}

uint64_t preset_letter_bit(char letter)
{
    const unsigned byte = (unsigned char)letter;
    return UINT64_C(1) << (letter >= 'a' && letter <= 'z'   ? byte - 'a'
                           : letter >= '0' && letter <= '9' ? byte - '0' + 26
                           : byte >= 0x80                   ? byte % 16 + 36
                                                            : byte % 12 + 52);
}

uint64_t preset_letters(const char *text, size_t size, bool beginnings)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        if (!beginnings || preset_starts_word(text, text + i)) {
            bits |= preset_letter_bit(text[i]);
        }
    }
    return bits;
}
