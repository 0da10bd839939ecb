/* What the operator thinks of presets: the list in memory and as text, and how the lists of several
 * frothes come together. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/library/inside.h"
#include "base/os/file.h"
#include "base/os/yaml.h"
#include "base/os/print.h"

static const struct preset_opinion nothing = {0};

static void free_item(struct app_library_opinion *item)
{
    free(item->name);
    free(item->opinion.tags);
    free(item->kept.tags);
}

void app_library_opinions_free(struct app_library_opinions *opinions)
{
    for (size_t i = 0; i < opinions->count; i++) {
        free_item(&opinions->items[i]);
    }
    free(opinions->items);
    *opinions = (struct app_library_opinions){0};
}

/* ---- the list ---- */

/* By content; of the same, as they stand in the file. */
static int compare(const void *a, const void *b)
{
    const struct app_library_opinion *left = a;
    const struct app_library_opinion *right = b;
    return left->content != right->content
               ? (left->content > right->content ? 1 : -1)
               : (left->line > right->line) - (left->line < right->line);
}

/* Returns how many items come before the content. */
static size_t rank_of(const struct app_library_opinions *opinions, uint64_t content)
{
    size_t low = 0;
    size_t high = opinions->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (opinions->items[middle].content < content) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct app_library_opinion *find(const struct app_library_opinions *opinions,
                                        uint64_t content)
{
    const size_t at = rank_of(opinions, content);
    return at < opinions->count && opinions->items[at].content == content ? &opinions->items[at]
                                                                          : NULL;
}

const struct preset_opinion *app_library_opinions_get(const struct app_library_opinions *opinions,
                                                      uint64_t content)
{
    const struct app_library_opinion *item = find(opinions, content);
    return item != NULL && !preset_opinion_empty(&item->opinion) ? &item->opinion : NULL;
}

/* For so many items more. False without memory. */
static bool make_room(struct app_library_opinions *opinions, size_t more)
{
    if (more <= opinions->capacity - opinions->count) {
        return true;
    }
    const size_t capacity = 2 * opinions->capacity + 64 + more;
    struct app_library_opinion *items = realloc(opinions->items, capacity * sizeof *items);
    if (items == NULL) {
        return false;
    }
    opinions->items = items;
    opinions->capacity = capacity;
    return true;
}

/* The item of the content, which is made if there is none; NULL without memory. */
static struct app_library_opinion *enter(struct app_library_opinions *opinions, uint64_t content,
                                         const char *name)
{
    struct app_library_opinion *item = find(opinions, content);
    if (item != NULL) {
        return item;
    }
    char *copy = strdup(name != NULL ? name : "");
    if (copy == NULL || !make_room(opinions, 1)) {
        free(copy);
        return NULL;
    }
    const size_t at = rank_of(opinions, content);
    item = &opinions->items[at];
    memmove(item + 1, item, (opinions->count - at) * sizeof *item);
    *item = (struct app_library_opinion){.content = content, .name = copy};
    opinions->count++;
    return item;
}

bool app_library_opinions_set(struct app_library_opinions *opinions, uint64_t content,
                              const char *name, const struct preset_opinion *opinion)
{
    if (preset_opinion_empty(opinion) && find(opinions, content) == NULL) {
        return true;
    }
    struct app_library_opinion *item = enter(opinions, content, name);
    if (item == NULL || !preset_opinion_copy(&item->opinion, opinion)) {
        return false;
    }
    item->left = 0;
    return true;
}

bool app_library_opinions_rename(struct app_library_opinions *opinions, uint64_t from, uint64_t to)
{
    const struct preset_opinion *old = app_library_opinions_get(opinions, from);
    if (old == NULL) {
        return false;
    }
    struct preset_opinion copy = {0};
    const bool renamed = preset_opinion_copy(&copy, old) &&
                         app_library_opinions_set(opinions, to, find(opinions, from)->name, &copy);
    if (renamed) {
        (void)app_library_opinions_set(opinions, from, "", &nothing);
    }
    free(copy.tags);
    return renamed;
}

/* The day as a number whose digits are those of a date. */
static int32_t days_ago(int days)
{
    enum { DAY = 24 * 3600 };
    const time_t then = time(NULL) - (time_t)days * DAY;
    struct tm parts = {0};
    (void)gmtime_r(&then, &parts);
    return ((parts.tm_year + 1900) * 100 + parts.tm_mon + 1) * 100 + parts.tm_mday;
}

void app_library_opinions_leave(struct app_library_opinions *opinions, uint64_t content)
{
    struct app_library_opinion *item = find(opinions, content);
    if (item != NULL && item->left == 0) {
        item->left = days_ago(0);
    }
}

bool app_library_opinions_left(const struct app_library_opinions *opinions, uint64_t content)
{
    const struct app_library_opinion *item = find(opinions, content);
    return item != NULL && item->left != 0;
}

bool app_library_opinions_seen(struct app_library_opinions *opinions, uint64_t content)
{
    struct app_library_opinion *item = find(opinions, content);
    const bool was_left = item != NULL && item->left != 0;
    if (was_left) {
        item->left = 0;
    }
    return was_left;
}

/* ---- two opinions come together ---- */

bool app_library_opinions_equal(const struct preset_opinion *a, const struct preset_opinion *b)
{
    const bool same_tags =
        a->tags == NULL || b->tags == NULL ? a->tags == b->tags : strcmp(a->tags, b->tags) == 0;
    return same_tags && a->rated == b->rated && a->stars == b->stars &&
           a->favourite == b->favourite && a->hidden == b->hidden;
}

/* Sets, or takes away, the tags of `from` that are not in `but`. False without memory. */
static bool change_tags(struct preset_opinion *opinion, const struct preset_opinion *from,
                        const struct preset_opinion *but, bool on)
{
    for (const char *at = from->tags != NULL ? from->tags : ""; *at != '\0';) {
        const size_t size = strcspn(at, " ");
        char tag[PRESET_TAGS_MAX + 1];
        if (size < sizeof tag && !preset_has_tag(but, at, size)) {
            memcpy(tag, at, size);
            tag[size] = '\0';
            const bool fits =
                !on || opinion->tags == NULL || strlen(opinion->tags) + 1 + size <= PRESET_TAGS_MAX;
            if (fits && !preset_set_tag(opinion, tag, on)) {
                return false;
            }
        }
        at += size + (at[size] == ' ');
    }
    return true;
}

bool app_library_opinions_merge(struct preset_opinion *mine, const struct preset_opinion *before,
                                const struct preset_opinion *theirs)
{
    if (app_library_opinions_equal(before, theirs)) {
        return true;
    }
    struct preset_opinion merged = {0};
    if (!preset_opinion_copy(&merged, theirs) || !change_tags(&merged, mine, before, true) ||
        !change_tags(&merged, before, mine, false)) {
        free(merged.tags);
        return false;
    }
    if (mine->rated != before->rated || mine->stars != before->stars) {
        merged.rated = mine->rated;
        merged.stars = mine->stars;
    }
    merged.favourite = mine->favourite != before->favourite ? mine->favourite : merged.favourite;
    merged.hidden = mine->hidden != before->hidden ? mine->hidden : merged.hidden;
    free(mine->tags);
    *mine = merged;
    return true;
}

/* ---- reading ---- */

enum {
    PART_ENTRIES = 4096, /* that are read as one document */
    TOLD_MAX = 20,
};

/* A text of which a list is read. It is read in parts, each a document of its own: where one cannot
 * be read it is halved, until the entry that is at fault stands alone. */
struct reader {
    struct app_library_opinions *opinions;
    const char *path;
    struct base_span text;
    const struct base_diag_sink *sink;
    size_t *starts;  /* bytes at which entries begin; the first one: 0, the last one: the end */
    uint32_t *lines; /* in which entries begin, from 1 */
    size_t count;    /* of entries, with what stands before them as the first */
    uint32_t first;  /* the line in which the part begins */
    size_t told;
};

static void tell(struct reader *reader, enum base_severity severity, struct base_place place,
                 const char *hint, const char *what)
{
    if (reader->told++ < TOLD_MAX) {
        base_report(reader->sink, severity, place, hint, "%s", what);
    }
    reader->opinions->damaged = true;
}

static void warn_at(struct reader *reader, uint32_t line, uint32_t column, const char *what)
{
    tell(reader, BASE_WARNING, (struct base_place){reader->path, reader->first - 1 + line, column},
         "it is left out", what);
}

/* Of a part that cannot be read: the places are those of the whole text. */
static void take_message(void *user, const struct base_diag *diag)
{
    struct reader *reader = user;
    struct base_place place = diag->place;
    place.line += place.line > 0 ? reader->first - 1 : 0;
    tell(reader, diag->severity, place, diag->hint, diag->what);
}

/* "2030-01-31" as 20300131; false: it is no date. */
static bool read_date(struct base_span text, int32_t *date)
{
    enum { SIZE = 10 };
    *date = 0;
    for (size_t i = 0; i < text.size && text.size == SIZE; i++) {
        const bool dash = i == 4 || i == 7;
        if (dash ? text.data[i] != '-' : text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
        *date = dash ? *date : *date * 10 + (text.data[i] - '0');
    }
    return text.size == SIZE;
}

static bool take_value(const struct base_yaml *node, struct app_library_opinion *item)
{
    int64_t stars = 0;
    if (base_span_equal(node->key, base_span_of("stars"))) {
        item->opinion.rated =
            base_yaml_integer(node, &stars) && stars >= 0 && stars <= PRESET_STARS;
        item->opinion.stars = item->opinion.rated ? (int)stars : 0;
        return item->opinion.rated;
    }
    if (base_span_equal(node->key, base_span_of("favourite"))) {
        return base_yaml_truth(node, &item->opinion.favourite);
    }
    if (base_span_equal(node->key, base_span_of("hidden"))) {
        return base_yaml_truth(node, &item->opinion.hidden);
    }
    if (base_span_equal(node->key, base_span_of("tags"))) {
        bool right = node->kind == BASE_YAML_LIST;
        for (const struct base_yaml *tag = node->first; right && tag != NULL; tag = tag->next) {
            right = tag->kind == BASE_YAML_SCALAR &&
                    preset_is_tag(tag->text.data, tag->text.size) &&
                    preset_set_tag(&item->opinion, tag->text.data, true);
        }
        return right;
    }
    if (node->kind != BASE_YAML_SCALAR) {
        return false;
    }
    if (base_span_equal(node->key, base_span_of("left"))) {
        return read_date(node->text, &item->left);
    }
    if (base_span_equal(node->key, base_span_of("name"))) {
        free(item->name);
        item->name = strndup(node->text.data, PRESET_SHOWN_MAX);
        return true;
    }
    return false;
}

/* False without memory. */
static bool take_entry(struct reader *reader, const struct base_yaml *entry)
{
    struct app_library_opinion item = {.line = reader->first - 1 + entry->key_line};
    if (!base_content_read(&item.content, entry->key) || entry->kind != BASE_YAML_MAP) {
        warn_at(reader, entry->key_line, entry->key_column, "this is no entry of a preset");
        return true;
    }
    if (!make_room(reader->opinions, 1)) {
        return false;
    }
    for (const struct base_yaml *node = entry->first; node != NULL; node = node->next) {
        errno = 0;
        if (!take_value(node, &item)) {
            if (errno == ENOMEM) {
                free_item(&item);
                return false;
            }
            warn_at(reader, node->key_line, node->key_column, "this says nothing of a preset");
        }
    }
    reader->opinions->items[reader->opinions->count++] = item;
    return true;
}

/* 1: it is read; 0: it is not to be understood; -1: there is no memory. Messages of a text that is
 * not understood go to the sink. */
static int read_part(struct reader *reader, size_t first, size_t end,
                     const struct base_diag_sink *sink)
{
    struct base_arena arena = {0};
    const size_t from = reader->starts[first];
    const struct base_span part = {reader->text.data + from, reader->starts[end] - from};
    reader->first = reader->lines[first];
    const struct base_yaml *root = base_yaml_read(&arena, reader->path, part, sink);
    int result = root != NULL ? 1 : errno == ENOMEM ? -1 : 0;
    if (root != NULL && root->kind != BASE_YAML_MAP) {
        const struct base_place place = {reader->path, reader->first - 1 + root->line,
                                         root->column};
        base_report(sink, BASE_ERROR, place, NULL, "this is no list of opinions");
        result = 0;
    }
    const struct base_yaml *entry = result > 0 ? root->first : NULL;
    for (; entry != NULL && result > 0; entry = entry->next) {
        result = take_entry(reader, entry) ? 1 : -1;
    }
    base_arena_free(&arena);
    return result;
}

/* False without memory. */
static bool read_parts(struct reader *reader, size_t first, size_t end)
{
    int result = 0;
    if (end - first <= PART_ENTRIES) {
        result = read_part(reader, first, end, NULL);
    }
    if (result == 0 && end - first == 1) {
        const struct base_diag_sink sink = {take_message, reader};
        result = read_part(reader, first, end, &sink);
        return result >= 0;
    }
    if (result == 0) {
        const size_t middle = first + (end - first) / 2;
        return read_parts(reader, first, middle) && read_parts(reader, middle, end);
    }
    return result > 0;
}

/* Whether an entry begins here: a content in digits, in quotes or not, and a colon. */
static bool begins_entry(struct base_span rest)
{
    const bool quoted = rest.size > 0 && (rest.data[0] == '"' || rest.data[0] == '\'');
    const size_t colon = BASE_CONTENT_DIGITS + (quoted ? 2 : 0);
    uint64_t content;
    return rest.size > colon && rest.data[colon] == ':' &&
           base_content_read(&content, (struct base_span){rest.data + quoted, BASE_CONTENT_DIGITS});
}

/* False without memory. */
static bool find_entries(struct reader *reader)
{
    const struct base_span text = reader->text;
    size_t lines = 1;
    for (size_t i = 0; i < text.size; i++) {
        lines += text.data[i] == '\n';
    }
    reader->starts = calloc(lines + 2, sizeof *reader->starts);
    reader->lines = calloc(lines + 2, sizeof *reader->lines);
    if (reader->starts == NULL || reader->lines == NULL) {
        return false;
    }
    reader->lines[0] = 1;
    reader->count = 1;
    size_t at = 0;
    for (uint32_t line = 1; at < text.size; line++) {
        const char *end = memchr(text.data + at, '\n', text.size - at);
        if (begins_entry((struct base_span){text.data + at, text.size - at})) {
            reader->starts[reader->count] = at;
            reader->lines[reader->count++] = line;
        }
        at = end != NULL ? (size_t)(end + 1 - text.data) : text.size;
    }
    reader->starts[reader->count] = text.size;
    return true;
}

/* Of a content that stands twice, what both say is taken; of two ratings the later one. */
static bool join_twins(struct reader *reader)
{
    struct app_library_opinions *opinions = reader->opinions;
    size_t used = 0;
    bool joined = true;
    for (size_t i = 0; i < opinions->count; i++) {
        struct app_library_opinion *item = &opinions->items[i];
        struct app_library_opinion *last = used > 0 ? &opinions->items[used - 1] : NULL;
        if (last == NULL || last->content != item->content) {
            opinions->items[used++] = *item;
            continue;
        }
        tell(reader, BASE_WARNING, (struct base_place){reader->path, item->line, 1},
             "what both say is taken", "this preset stands twice");
        if (item->opinion.rated) {
            last->opinion.rated = true;
            last->opinion.stars = item->opinion.stars;
        }
        last->opinion.favourite = last->opinion.favourite || item->opinion.favourite;
        last->opinion.hidden = last->opinion.hidden || item->opinion.hidden;
        last->left = item->left == 0 ? 0 : last->left;
        joined = change_tags(&last->opinion, &item->opinion, &nothing, true) && joined;
        free_item(item);
    }
    opinions->count = used;
    return joined;
}

int app_library_opinions_read(struct app_library_opinions *opinions, const char *path,
                              struct base_span text, const struct base_diag_sink *sink)
{
    *opinions = (struct app_library_opinions){0};
    struct reader reader = {
        .opinions = opinions, .path = path, .text = text, .sink = sink, .first = 1};
    bool read = find_entries(&reader) && read_parts(&reader, 0, reader.count);
    if (read && opinions->count > 1) {
        qsort(opinions->items, opinions->count, sizeof *opinions->items, compare);
        read = join_twins(&reader);
    }
    free(reader.starts);
    free(reader.lines);
    if (reader.told > TOLD_MAX) {
        base_report(sink, BASE_WARNING, (struct base_place){.file = path}, NULL,
                    "%zu more line%s of this file cannot be read", reader.told - TOLD_MAX,
                    base_plural(reader.told - TOLD_MAX));
    }
    if (!read) {
        app_library_opinions_free(opinions);
    }
    return read ? 0 : -1;
}

/* ---- writing ---- */

/* Within double quotes. What YAML knows no letter for is escaped; bytes that are no text become
 * U+FFFD. */
static void print_name(FILE *out, const char *name)
{
    struct base_span rest = base_span_of(name);
    while (rest.size > 0) {
        const char *letter = rest.data;
        const uint32_t point = base_utf8_next(&rest);
        const size_t size = (size_t)(rest.data - letter);
        const bool plain =
            (point >= 0x20 && point < 0x7F) ||
            (point >= 0xA0 && point < 0xD800 && point != 0x2028 && point != 0x2029) ||
            (point >= 0xE000 && point < 0xFFFE && point != 0xFEFF && size > 1) || point >= 0x10000;
        if (point == '"' || point == '\\') {
            (void)fprintf(out, "\\%c", (char)point);
        } else if (plain) {
            (void)fwrite(letter, 1, size, out);
        } else {
            (void)fprintf(out, "\\u%04X", (unsigned)point);
        }
    }
}

static void print_item(FILE *out, const struct app_library_opinion *item)
{
    const struct preset_opinion *opinion = &item->opinion;
    (void)fprintf(out, "\"%016" PRIx64 "\": {name: \"", item->content);
    print_name(out, item->name != NULL ? item->name : "");
    (void)fputs("\"", out);
    if (opinion->rated) {
        (void)fprintf(out, ", stars: %d", opinion->stars);
    }
    if (opinion->favourite) {
        (void)fputs(", favourite: true", out);
    }
    if (opinion->hidden) {
        (void)fputs(", hidden: true", out);
    }
    if (opinion->tags != NULL) {
        (void)fputs(", tags: [", out);
        for (const char *at = opinion->tags; *at != '\0';) {
            const size_t length = strcspn(at, " ");
            (void)fprintf(out, "%s\"%.*s\"", at > opinion->tags ? ", " : "", (int)length, at);
            at += length + (at[length] == ' ');
        }
        (void)fputs("]", out);
    }
    if (item->left != 0) {
        (void)fprintf(out, ", left: %04d-%02d-%02d", (int)(item->left / 10000),
                      (int)(item->left / 100 % 100), (int)(item->left % 100));
    }
    (void)fputs("}\n", out);
}

char *app_library_opinions_print(const struct app_library_opinions *opinions, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL) {
        return NULL;
    }
    (void)fputs("# What you think of presets, by the content of their files.\n", out);
    for (size_t i = 0; i < opinions->count; i++) {
        if (!preset_opinion_empty(&opinions->items[i].opinion)) {
            print_item(out, &opinions->items[i]);
        }
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed || *size > APP_LIBRARY_OPINIONS_TEXT) {
        free(text);
        errno = ENOMEM;
        return NULL;
    }
    return text;
}

/* ---- the list and its file come together ---- */

/* Gives each content of `theirs` an item in `mine`, empty and without a name where it is new: from
 * the end of both, so that each item moves once. False without memory. */
static bool make_places(struct app_library_opinions *mine,
                        const struct app_library_opinions *theirs)
{
    size_t fresh = 0;
    for (size_t i = 0, at = 0; i < theirs->count; i++) {
        const uint64_t content = theirs->items[i].content;
        while (at < mine->count && mine->items[at].content < content) {
            at++;
        }
        fresh += at == mine->count || mine->items[at].content != content;
    }
    if (!make_room(mine, fresh)) {
        return false;
    }
    size_t from = mine->count;
    size_t to = mine->count + fresh;
    mine->count = to;
    for (size_t i = theirs->count; from < to; i--) {
        const uint64_t content = theirs->items[i - 1].content;
        while (from > 0 && mine->items[from - 1].content > content) {
            mine->items[--to] = mine->items[--from];
        }
        if (from == 0 || mine->items[from - 1].content != content) {
            mine->items[--to] = (struct app_library_opinion){.content = content};
        }
    }
    return true;
}

static bool take_one(struct app_library_opinion *item, const struct app_library_opinion *their)
{
    if (item->name == NULL && their->name != NULL) {
        item->name = strdup(their->name);
        if (item->name == NULL) {
            return false;
        }
    }
    if (!app_library_opinions_merge(&item->opinion, &item->kept, &their->opinion) ||
        !preset_opinion_copy(&item->kept, &their->opinion)) {
        return false;
    }
    item->left = item->left == item->kept_left ? their->left : item->left;
    item->kept_left = their->left;
    return true;
}

/* They took it away. */
static bool lose_one(struct app_library_opinion *item)
{
    if (!app_library_opinions_merge(&item->opinion, &item->kept, &nothing)) {
        return false;
    }
    (void)preset_opinion_copy(&item->kept, &nothing);
    item->kept_left = 0;
    return true;
}

bool app_library_opinions_take(struct app_library_opinions *mine,
                               const struct app_library_opinions *theirs)
{
    bool taken = make_places(mine, theirs);
    for (size_t i = 0, their = 0; taken && i < mine->count; i++) {
        struct app_library_opinion *item = &mine->items[i];
        if (their < theirs->count && theirs->items[their].content == item->content) {
            taken = take_one(item, &theirs->items[their++]);
        } else if (!theirs->damaged) {
            taken = lose_one(item);
        }
    }
    return taken;
}

/* Drops the items of which nothing is kept and nothing is to be kept. */
static void drop_empty(struct app_library_opinions *opinions)
{
    size_t used = 0;
    for (size_t i = 0; i < opinions->count; i++) {
        struct app_library_opinion *item = &opinions->items[i];
        if (preset_opinion_empty(&item->opinion) && preset_opinion_empty(&item->kept)) {
            free_item(item);
        } else {
            opinions->items[used++] = *item;
        }
    }
    opinions->count = used;
}

bool app_library_opinions_changes(const struct app_library_opinions *opinions,
                                  struct app_library_opinions *changes)
{
    for (size_t i = 0; i < opinions->count; i++) {
        const struct app_library_opinion *item = &opinions->items[i];
        if (!app_library_opinions_equal(&item->opinion, &item->kept) ||
            item->left != item->kept_left) {
            struct app_library_opinion copy = {.content = item->content, .left = item->left};
            if (!make_room(changes, 1) || !preset_opinion_copy(&copy.opinion, &item->opinion)) {
                return false;
            }
            changes->items[changes->count++] = copy;
        }
    }
    return true;
}

void app_library_opinions_note(struct app_library_opinions *opinions,
                               struct app_library_opinions *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        struct app_library_opinion *item = find(opinions, changes->items[i].content);
        if (item != NULL) {
            free(item->kept.tags);
            item->kept = changes->items[i].opinion;
            item->kept_left = changes->items[i].left;
            changes->items[i].opinion.tags = NULL;
        }
    }
    drop_empty(opinions);
}

/* ---- what an edit has left behind ---- */

enum { LEFT_DAYS = 30 };

uint64_t *app_library_opinions_old(const struct app_library_opinions *opinions, size_t *count)
{
    const int32_t limit = days_ago(LEFT_DAYS);
    size_t left = 0;
    for (size_t i = 0; i < opinions->count; i++) {
        left += opinions->items[i].left != 0 && opinions->items[i].left < limit;
    }
    uint64_t *contents = left > 0 ? calloc(left, sizeof *contents) : NULL;
    *count = 0;
    for (size_t i = 0; contents != NULL && i < opinions->count; i++) {
        if (opinions->items[i].left != 0 && opinions->items[i].left < limit) {
            contents[(*count)++] = opinions->items[i].content;
        }
    }
    return contents;
}
