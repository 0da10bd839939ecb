#include "app/library_opinions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/whole_file.h"
#include "base/yaml.h"

struct reader {
    struct app_library_opinions *opinions;
    const char *path;
    const struct base_diag_sink *sink;
};

static void warn(const struct reader *reader, uint32_t line, uint32_t column, const char *what)
{
    base_report(reader->sink, BASE_WARNING, (struct base_place){reader->path, line, column},
                "it is left out", "%s", what);
}

void app_library_opinions_free(struct app_library_opinions *opinions)
{
    for (size_t i = 0; i < opinions->count; i++) {
        free(opinions->items[i].name);
        free(opinions->items[i].opinion.tags);
    }
    free(opinions->items);
    *opinions = (struct app_library_opinions){0};
}

/* ---- the table ---- */

static int compare(const void *a, const void *b)
{
    const struct app_library_opinion *left = a;
    const struct app_library_opinion *right = b;
    return (left->content > right->content) - (left->content < right->content);
}

/* How many come before the content. */
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

static bool is_at(const struct app_library_opinions *opinions, size_t at, uint64_t content)
{
    return at < opinions->count && opinions->items[at].content == content;
}

const struct preset_opinion *app_library_opinions_get(const struct app_library_opinions *opinions,
                                                      uint64_t content)
{
    const size_t at = rank_of(opinions, content);
    return is_at(opinions, at, content) ? &opinions->items[at].opinion : NULL;
}

static bool make_room(struct app_library_opinions *opinions)
{
    if (opinions->count < opinions->capacity) {
        return true;
    }
    const size_t capacity = 2 * opinions->capacity + 64;
    struct app_library_opinion *items = realloc(opinions->items, capacity * sizeof *items);
    if (items == NULL) {
        return false;
    }
    opinions->items = items;
    opinions->capacity = capacity;
    return true;
}

static void take_out(struct app_library_opinions *opinions, size_t at)
{
    free(opinions->items[at].name);
    free(opinions->items[at].opinion.tags);
    opinions->count--;
    memmove(opinions->items + at, opinions->items + at + 1,
            (opinions->count - at) * sizeof *opinions->items);
}

bool app_library_opinions_set(struct app_library_opinions *opinions, uint64_t content,
                              const char *name, const struct preset_opinion *opinion)
{
    const size_t at = rank_of(opinions, content);
    const bool there = is_at(opinions, at, content);
    if (preset_opinion_empty(opinion)) {
        if (there) {
            take_out(opinions, at);
        }
        return true;
    }
    if (there) {
        return preset_opinion_copy(&opinions->items[at].opinion, opinion);
    }
    struct app_library_opinion item = {.content = content, .name = strdup(name)};
    if (item.name == NULL || !make_room(opinions) || !preset_opinion_copy(&item.opinion, opinion)) {
        free(item.name);
        return false;
    }
    memmove(opinions->items + at + 1, opinions->items + at,
            (opinions->count - at) * sizeof *opinions->items);
    opinions->items[at] = item;
    opinions->count++;
    return true;
}

/* ---- reading ---- */

static bool take_tags(const struct base_yaml *node, struct preset_opinion *opinion)
{
    bool right = node->kind == BASE_YAML_LIST;
    for (const struct base_yaml *tag = node->first; right && tag != NULL; tag = tag->next) {
        right = tag->kind == BASE_YAML_SCALAR && preset_is_tag(tag->text.data, tag->text.size) &&
                preset_set_tag(opinion, tag->text.data, true);
    }
    return right;
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
        return take_tags(node, &item->opinion);
    }
    if (base_span_equal(node->key, base_span_of("name")) && node->kind == BASE_YAML_SCALAR) {
        item->name = strndup(node->text.data, PRESET_SHOWN_MAX);
        return true;
    }
    return false;
}

static bool take_entry(const struct reader *reader, const struct base_yaml *entry)
{
    struct app_library_opinion item = {0};
    if (!app_content_read(&item.content, entry->key) || entry->kind != BASE_YAML_MAP) {
        warn(reader, entry->key_line, entry->key_column, "this is no entry of a preset");
        return true;
    }
    if (!make_room(reader->opinions)) {
        return false;
    }
    for (const struct base_yaml *node = entry->first; node != NULL; node = node->next) {
        if (!take_value(node, &item)) {
            warn(reader, node->key_line, node->key_column, "this says nothing of a preset");
        }
    }
    reader->opinions->items[reader->opinions->count++] = item;
    return true;
}

static int take_entries(const struct reader *reader, const struct base_yaml *root)
{
    if (root->kind != BASE_YAML_MAP) {
        base_report(reader->sink, BASE_ERROR,
                    (struct base_place){reader->path, root->line, root->column}, NULL,
                    "this is no list of opinions");
        return -1;
    }
    for (const struct base_yaml *entry = root->first; entry != NULL; entry = entry->next) {
        if (!take_entry(reader, entry)) {
            base_report(reader->sink, BASE_ERROR, (struct base_place){.file = reader->path}, NULL,
                        "not enough memory");
            return -1;
        }
    }
    return 0;
}

int app_library_opinions_read(struct app_library_opinions *opinions, const char *path,
                              struct base_span text, const struct base_diag_sink *sink)
{
    *opinions = (struct app_library_opinions){0};
    const struct reader reader = {opinions, path, sink};
    struct base_arena arena = {0};
    const struct base_yaml *root = base_yaml_read(&arena, path, text, sink);
    const int result = root != NULL ? take_entries(&reader, root) : -1;
    base_arena_free(&arena);
    if (result != 0) {
        app_library_opinions_free(opinions);
    } else if (opinions->count > 1) {
        qsort(opinions->items, opinions->count, sizeof *opinions->items, compare);
    }
    return result;
}

/* ---- writing ---- */

static void print_name(FILE *out, const char *name)
{
    (void)fputs("name: \"", out);
    for (const char *at = name; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\') {
            (void)fputc('\\', out);
        }
        (void)fputc((unsigned char)*at < 0x20 ? '?' : *at, out);
    }
    (void)fputs("\"", out);
}

static void print_tags(FILE *out, const char *tags)
{
    (void)fputs(", tags: [", out);
    for (const char *at = tags; *at != '\0';) {
        const size_t size = strcspn(at, " ");
        (void)fprintf(out, "%s\"%.*s\"", at > tags ? ", " : "", (int)size, at);
        at += size + (at[size] == ' ');
    }
    (void)fputs("]", out);
}

static void print_item(FILE *out, const struct app_library_opinion *item)
{
    const struct preset_opinion *opinion = &item->opinion;
    (void)fprintf(out, "\"%016" PRIx64 "\": {", item->content);
    print_name(out, item->name != NULL ? item->name : "");
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
        print_tags(out, opinion->tags);
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
        print_item(out, &opinions->items[i]);
    }
    const bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
