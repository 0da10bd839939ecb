#include "tmu/arch.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/closest.h"
#include "base/yaml.h"

enum key_kind { KEY_COUNT, KEY_RATE, KEY_TRUTH, KEY_WORD };

struct key {
    const char *section;
    const char *name;
    size_t offset; /* of the member */
    enum key_kind kind;
    double low;
    double high;
    double start;
};

#define ROW(section, key, kind, low, high, start)                                                  \
    {#section, #key, offsetof(struct tmu_arch, section##_##key), kind, low, high, start},
static const struct key keys[] = {
#define TMU_ARCH_COUNT(section, key, low, high, start, help)                                       \
    ROW(section, key, KEY_COUNT, low, high, start)
#define TMU_ARCH_RATE(section, key, low, high, start, help)                                        \
    ROW(section, key, KEY_RATE, low, high, start)
#define TMU_ARCH_TRUTH(section, key, start, help) ROW(section, key, KEY_TRUTH, 0, 1, start)
#define TMU_ARCH_WORD(section, key, start, help)  ROW(section, key, KEY_WORD, 0, 0, start)
#include "tmu/arch.def"
};
#undef ROW

static const struct choice {
    size_t offset; /* of the member */
    uint32_t value;
    const char *word;
} choices[] = {
#define TMU_ARCH_CHOICE(section, key, name, word)                                                  \
    {offsetof(struct tmu_arch, section##_##key), name, word},
#include "tmu/arch.def"
};

enum {
    KEYS = sizeof keys / sizeof *keys,
    CHOICES = sizeof choices / sizeof *choices,
    HINT_MAX = 160,
    WORD_MAX = 32,
    ERRORS_MAX = 20 /* then the rest of the file is not looked at */
};

struct reader {
    struct tmu_arch *arch;
    const char *file;
    const struct base_diag_sink *sink;
    unsigned errors;
};

static uint32_t *count_of(struct tmu_arch *arch, size_t offset)
{
    return (uint32_t *)(void *)((char *)arch + offset);
}

static double *rate_of(struct tmu_arch *arch, size_t offset)
{
    return (double *)(void *)((char *)arch + offset);
}

static void set_defaults(struct tmu_arch *arch)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].kind == KEY_RATE) {
            *rate_of(arch, keys[i].offset) = keys[i].start;
        } else {
            *count_of(arch, keys[i].offset) = (uint32_t)keys[i].start;
        }
    }
}

static struct base_place place_of(const struct reader *reader, const struct base_yaml *node)
{
    return (struct base_place){reader->file, node->line, node->column};
}

static struct base_place place_of_key(const struct reader *reader, const struct base_yaml *node)
{
    return (struct base_place){reader->file, node->key_line, node->key_column};
}

/* Adds a word to a list; what does not fit ends it with dots. */
static void add_word(char *list, const char *word)
{
    const size_t used = strlen(list);
    const size_t room = HINT_MAX - used;
    const size_t needed = strlen(word) + (used > 0 ? 2 : 0);
    if (needed + 5 < room) {
        (void)snprintf(list + used, room, "%s%s", used > 0 ? ", " : "", word);
    } else if (used < 3 || strcmp(list + used - 3, "...") != 0) {
        (void)snprintf(list + used, room, " ...");
    }
}

static void refuse_section(struct reader *reader, const struct base_yaml *node)
{
    char list[HINT_MAX] = "";
    for (size_t i = 0; i < KEYS; i++) {
        if (i == 0 || strcmp(keys[i].section, keys[i - 1].section) != 0) {
            add_word(list, keys[i].section);
        }
    }
    base_report(reader->sink, BASE_ERROR, place_of_key(reader, node), list,
                "unknown section '%.32s'", node->key.data);
    reader->errors++;
}

static void refuse_key(struct reader *reader, const char *section, const struct base_yaml *node)
{
    char list[HINT_MAX] = "";
    struct base_closest closest = {0};
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].section, section) != 0) {
            continue;
        }
        add_word(list, keys[i].name);
        base_closest_try(&closest, node->key.data, keys[i].name);
    }
    if (closest.name != NULL) {
        base_closest_hint(&closest, "", list, sizeof list);
    }
    base_report(reader->sink, BASE_ERROR, place_of_key(reader, node), list,
                "unknown key '%.32s' in %s", node->key.data, section);
    reader->errors++;
}

static void refuse_value(struct reader *reader, const struct key *key, const char *hint,
                         const struct base_yaml *node)
{
    static const char *const kinds[] = {[BASE_YAML_LIST] = "a list", [BASE_YAML_MAP] = "a map"};
    const bool scalar = node->kind == BASE_YAML_SCALAR;
    base_report(reader->sink, BASE_ERROR, place_of(reader, node), hint, "%s.%s cannot be %s%.32s%s",
                key->section, key->name, scalar ? "'" : "",
                scalar ? node->text.data : kinds[node->kind], scalar ? "'" : "");
    reader->errors++;
}

static void read_word(struct reader *reader, const struct key *key, const struct base_yaml *node)
{
    char list[HINT_MAX] = "";
    for (size_t i = 0; i < CHOICES; i++) {
        if (choices[i].offset != key->offset) {
            continue;
        }
        if (node->kind == BASE_YAML_SCALAR &&
            base_span_equal(node->text, base_span_of(choices[i].word))) {
            *count_of(reader->arch, key->offset) = choices[i].value;
            return;
        }
        add_word(list, choices[i].word);
    }
    refuse_value(reader, key, list, node);
}

static void read_number(struct reader *reader, const struct key *key, const struct base_yaml *node)
{
    char range[HINT_MAX];
    double number = 0;
    int64_t whole = 0;
    const bool counts = key->kind == KEY_COUNT;
    const bool read = counts ? base_yaml_integer(node, &whole) : base_yaml_number(node, &number);
    number = counts ? (double)whole : number;
    if (!read || !(number >= key->low && number <= key->high)) {
        (void)snprintf(range, sizeof range, "%s from %.15g to %.15g",
                       counts ? "whole numbers" : "numbers", key->low, key->high);
        refuse_value(reader, key, range, node);
    } else if (counts) {
        *count_of(reader->arch, key->offset) = (uint32_t)whole;
    } else {
        *rate_of(reader->arch, key->offset) = number;
    }
}

static void read_truth(struct reader *reader, const struct key *key, const struct base_yaml *node)
{
    bool value = false;
    if (base_yaml_truth(node, &value)) {
        *count_of(reader->arch, key->offset) = value;
    } else {
        refuse_value(reader, key, "true, false", node);
    }
}

static void read_value(struct reader *reader, const struct key *key, const struct base_yaml *node)
{
    switch (key->kind) {
    case KEY_WORD:
        read_word(reader, key, node);
        break;
    case KEY_TRUTH:
        read_truth(reader, key, node);
        break;
    default:
        read_number(reader, key, node);
        break;
    }
}

static const struct key *find_key(const char *section, struct base_span name)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (strcmp(keys[i].section, section) == 0 &&
            base_span_equal(name, base_span_of(keys[i].name))) {
            return &keys[i];
        }
    }
    return NULL;
}

static bool goes_on(const struct reader *reader, const struct base_yaml *node)
{
    return node != NULL && reader->errors < ERRORS_MAX;
}

static void read_section(struct reader *reader, const char *section, const struct base_yaml *map)
{
    if (map->kind != BASE_YAML_MAP) {
        base_report(reader->sink, BASE_ERROR, place_of(reader, map), "write 'key: value' lines",
                    "section '%s' must be a map", section);
        reader->errors++;
        return;
    }
    for (const struct base_yaml *node = map->first; goes_on(reader, node); node = node->next) {
        const struct key *key = find_key(section, node->key);
        if (key == NULL) {
            refuse_key(reader, section, node);
        } else {
            read_value(reader, key, node);
        }
    }
}

static const char *find_section(struct base_span name)
{
    for (size_t i = 0; i < KEYS; i++) {
        if (base_span_equal(name, base_span_of(keys[i].section))) {
            return keys[i].section;
        }
    }
    return NULL;
}

static void read_root(struct reader *reader, const struct base_yaml *root)
{
    if (root->kind != BASE_YAML_MAP) {
        base_report(reader->sink, BASE_ERROR, place_of(reader, root), "see tmu/arch/ for examples",
                    "a machine file must be a map of sections");
        reader->errors++;
        return;
    }
    for (const struct base_yaml *node = root->first; goes_on(reader, node); node = node->next) {
        const char *section = find_section(node->key);
        if (section == NULL) {
            refuse_section(reader, node);
        } else {
            read_section(reader, section, node);
        }
    }
}

/* Points at the key that is to be changed, or at its section, or at the file. */
static void refuse_machine(struct reader *reader, const struct base_yaml *root, const char *name,
                           const char *problem)
{
    char section[WORD_MAX] = "";
    const char *dot = strchr(name, '.');
    (void)snprintf(section, sizeof section, "%.*s", (int)(dot - name), name);
    const struct base_yaml *map = base_yaml_get(root, section);
    const struct base_yaml *node = map != NULL ? base_yaml_get(map, dot + 1) : NULL;
    const struct base_yaml *shown = node != NULL ? node : map != NULL ? map : root;
    base_report(reader->sink, BASE_ERROR, place_of(reader, shown), NULL, "%s: %s", name, problem);
    reader->errors++;
}

bool tmu_arch_read(struct tmu_arch *arch, const char *name, const char *file, struct base_span text,
                   const struct base_diag_sink *sink)
{
    struct base_arena arena = {0};
    struct reader reader = {arch, file, sink, 0};
    *arch = (struct tmu_arch){.name = ""};
    (void)snprintf(arch->name, sizeof arch->name, "%s", name);
    set_defaults(arch);
    const struct base_yaml *root = base_yaml_read(&arena, file, text, sink);
    if (root != NULL) {
        read_root(&reader, root);
    }
    if (root != NULL && reader.errors == 0) {
        const char *key = NULL;
        const char *problem = tmu_arch_problem(arch, &key);
        if (problem != NULL) {
            refuse_machine(&reader, root, key, problem);
        }
    }
    base_arena_free(&arena);
    return root != NULL && reader.errors == 0;
}

bool tmu_arch_resize(struct tmu_arch *arch, uint32_t bytes)
{
    struct tmu_arch other = *arch;
    const struct key *key = find_key("cache", base_span_of("bytes"));
    const char *wrong = NULL;
    other.cache_bytes = bytes;
    if (bytes < key->low || bytes > key->high || tmu_arch_problem(&other, &wrong) != NULL) {
        return false;
    }
    *arch = other;
    return true;
}
