#include "tmu/models/arch.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/os/yaml.h"
#include "base/text.h"

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
#include "tmu/models/arch.def"
};
#undef ROW

static const struct choice {
    size_t offset; /* of the member */
    uint32_t value;
    const char *word;
} choices[] = {
#define TMU_ARCH_CHOICE(section, key, name, word)                                                  \
    {offsetof(struct tmu_arch, section##_##key), name, word},
#include "tmu/models/arch.def"
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

static void read_value(struct reader *reader, const struct key *key, const struct base_yaml *node)
{
    bool truth = false;
    switch (key->kind) {
    case KEY_WORD:
        read_word(reader, key, node);
        break;
    case KEY_TRUTH:
        if (base_yaml_truth(node, &truth)) {
            *count_of(reader->arch, key->offset) = truth;
        } else {
            refuse_value(reader, key, "true, false", node);
        }
        break;
    default: {
        char range[HINT_MAX];
        double number = 0;
        int64_t whole = 0;
        const bool counts = key->kind == KEY_COUNT;
        const bool read =
            counts ? base_yaml_integer(node, &whole) : base_yaml_number(node, &number);
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
        if (key != NULL) {
            read_value(reader, key, node);
            continue;
        }
        char list[HINT_MAX] = ""; /* of the section's keys, or the closest of them */
        struct base_closest closest = {0};
        for (size_t i = 0; i < KEYS; i++) {
            if (strcmp(keys[i].section, section) == 0) {
                add_word(list, keys[i].name);
                base_closest_try(&closest, node->key.data, keys[i].name);
            }
        }
        if (closest.name != NULL) {
            base_closest_hint(&closest, "", list, sizeof list);
        }
        base_report(reader->sink, BASE_ERROR, place_of_key(reader, node), list,
                    "unknown key '%.32s' in %s", node->key.data, section);
        reader->errors++;
    }
}

static void read_sections(struct reader *reader, const struct base_yaml *root)
{
    if (root->kind != BASE_YAML_MAP) {
        base_report(reader->sink, BASE_ERROR, place_of(reader, root),
                    "see tmu/models/arch/ for examples",
                    "a machine file must be a map of sections");
        reader->errors++;
        return;
    }
    for (const struct base_yaml *node = root->first; goes_on(reader, node); node = node->next) {
        const char *section = NULL;
        char list[HINT_MAX] = ""; /* of all sections */
        for (size_t i = 0; i < KEYS; i++) {
            if (section == NULL && base_span_equal(node->key, base_span_of(keys[i].section))) {
                section = keys[i].section;
            }
            if (i == 0 || strcmp(keys[i].section, keys[i - 1].section) != 0) {
                add_word(list, keys[i].section);
            }
        }
        if (section != NULL) {
            read_section(reader, section, node);
            continue;
        }
        base_report(reader->sink, BASE_ERROR, place_of_key(reader, node), list,
                    "unknown section '%.32s'", node->key.data);
        reader->errors++;
    }
}

bool tmu_arch_change(struct tmu_arch *arch, const char *file, struct base_span text,
                     const struct base_diag_sink *sink)
{
    struct base_arena arena = {0};
    struct tmu_arch changed = *arch;
    struct reader reader = {&changed, file, sink, 0};
    const struct base_yaml *root = base_yaml_read(&arena, file, text, sink);
    if (root != NULL) {
        read_sections(&reader, root);
    }
    if (root != NULL && reader.errors == 0) {
        const char *key = NULL;
        const char *problem = tmu_arch_problem(&changed, &key);
        if (problem != NULL) {
            /* The place is that of the key to be changed, of its section, or of the file. */
            char section[WORD_MAX] = "";
            const char *dot = strchr(key, '.');
            (void)snprintf(section, sizeof section, "%.*s", (int)(dot - key), key);
            const struct base_yaml *map = base_yaml_get(root, section);
            const struct base_yaml *node = map != NULL ? base_yaml_get(map, dot + 1) : NULL;
            const struct base_yaml *shown = node != NULL ? node : map != NULL ? map : root;
            base_report(sink, BASE_ERROR, place_of(&reader, shown), NULL, "%s: %s", key, problem);
            reader.errors++;
        }
    }
    base_arena_free(&arena);
    if (root == NULL || reader.errors > 0) {
        return false;
    }
    *arch = changed;
    return true;
}

bool tmu_arch_read(struct tmu_arch *arch, const char *name, const char *file, struct base_span text,
                   const struct base_diag_sink *sink)
{
    *arch = (struct tmu_arch){.name = ""};
    (void)snprintf(arch->name, sizeof arch->name, "%s", name);
    for (size_t i = 0; i < KEYS; i++) {
        if (keys[i].kind == KEY_RATE) {
            *rate_of(arch, keys[i].offset) = keys[i].start;
        } else {
            *count_of(arch, keys[i].offset) = (uint32_t)keys[i].start;
        }
    }
    return tmu_arch_change(arch, file, text, sink);
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

static bool is_power(uint32_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

struct level {
    uint32_t bytes;
    uint32_t line_bytes;
    uint32_t ways;
    bool pairs;
};

static bool level_fits(const struct level *level)
{
    const uint32_t lines = level->bytes / level->line_bytes;
    const uint32_t ways = level->ways == 0 ? lines : level->ways;
    return lines > 0 && level->bytes % level->line_bytes == 0 && lines % ways == 0 &&
           is_power(lines / ways);
}

/* Of keys of one section: a rule that all machines keep, the key to change, and what to say. */
struct rule {
    bool kept;
    const char *key;
    const char *problem;
};

static const char *first_broken(const struct rule *rules, size_t count, const char **key)
{
    for (size_t i = 0; i < count; i++) {
        if (!rules[i].kept) {
            *key = rules[i].key;
            return rules[i].problem;
        }
    }
    return NULL;
}

static const char *cache_problem(const struct tmu_arch *arch, const char **key)
{
    const struct level level = {arch->cache_bytes, arch->cache_line_bytes, arch->cache_ways,
                                arch->cache_replacement == TMU_REPLACE_PAIRS ||
                                    arch->cache_replacement == TMU_REPLACE_CLOCKED_PAIRS};
    const struct rule rules[] = {
        {is_power(level.line_bytes), "cache.line_bytes", "a line must be a power of two"},
        {is_power(level.line_bytes) && level_fits(&level), "cache.bytes",
         "the cache must be a power of two of sets, each of the given ways and lines"},
        {level.bytes / level.line_bytes <= TMU_ARCH_LINES, "cache.bytes", "too many lines"},
        {level.line_bytes >= (arch->texture_texel_bits + 7) / 8, "cache.line_bytes",
         "a line must hold a texel"},
        {!level.pairs || level.ways == 4, "cache.replacement", "pairs need four ways"},
        {!arch->cache_last_line || arch->requests_ports == 1, "cache.last_line",
         "a register for the last line needs a single port"},
    };
    return first_broken(rules, sizeof rules / sizeof *rules, key);
}

static const char *second_problem(const struct tmu_arch *arch, const char **key)
{
    const struct level level = {arch->second_bytes, arch->second_line_bytes, arch->second_ways,
                                arch->second_replacement == TMU_REPLACE_SECOND_PAIRS ||
                                    arch->second_replacement == TMU_REPLACE_SECOND_CLOCKED_PAIRS};
    if (level.bytes == 0) {
        return NULL;
    }
    const struct rule rules[] = {
        {is_power(level.line_bytes), "second.line_bytes", "a line must be a power of two"},
        {level.line_bytes >= arch->cache_line_bytes, "second.line_bytes",
         "a line must hold one of the first level"},
        {is_power(level.line_bytes) && level_fits(&level), "second.bytes",
         "the cache must be a power of two of sets, each of the given ways and lines"},
        {level.bytes / level.line_bytes <= TMU_ARCH_LINES, "second.bytes", "too many lines"},
        {!level.pairs || level.ways == 4, "second.replacement", "pairs need four ways"},
    };
    return first_broken(rules, sizeof rules / sizeof *rules, key);
}

/* Lines and bursts are made of a few transactions, so that no model takes for ever. */
enum { TRANSACTIONS = 64 };

static const char *memory_problem(const struct tmu_arch *arch, const char **key)
{
    const uint32_t most = arch->memory_word_bytes * arch->memory_burst_words * TRANSACTIONS;
    const struct rule rules[] = {
        {arch->cache_line_bytes <= most &&
             (arch->second_bytes == 0 || arch->second_line_bytes <= most),
         "memory.burst_words", "a line must be read in 64 transactions or less"},
        {arch->target_burst_bytes <= most &&
             arch->target_burst_bytes / TRANSACTIONS <= arch->cache_line_bytes,
         "target.burst_bytes", "a burst may hold 64 transactions and 64 lines of the cache"},
        {is_power(arch->memory_word_bytes), "memory.word_bytes", "a word must be a power of two"},
        {is_power(arch->memory_burst_words), "memory.burst_words",
         "a transaction must be a power of two of words"},
        {is_power(arch->memory_row_bytes), "memory.row_bytes", "a row must be a power of two"},
        {arch->memory_row_bytes >= arch->memory_word_bytes * arch->memory_burst_words,
         "memory.row_bytes", "a row must hold a transaction"},
        {arch->memory_refresh_interval == 0 ||
             arch->memory_refresh_interval > 2 * arch->memory_refresh_cycles,
         "memory.refresh_interval", "no time is left between refreshes"},
        {arch->background_bytes_per_second <= arch->machine_clock * arch->memory_word_bytes,
         "background.bytes_per_second", "more than the bus can carry"},
        {is_power(arch->memory_channel_bytes) &&
             arch->memory_channel_bytes >= arch->memory_word_bytes * arch->memory_burst_words,
         "memory.channel_bytes",
         "a part of a channel must be a power of two that holds a transaction"},
        {is_power(arch->target_burst_bytes), "target.burst_bytes",
         "a burst must be a power of two"},
        {arch->machine_units == 1 ||
             (arch->memory_kind == TMU_MEMORY_FIXED && arch->target_writes == TMU_WRITES_NONE &&
              arch->background_bytes_per_second == 0),
         "machine.units", "units cannot share a memory: memory.kind fixed, target.writes none"},
        {arch->machine_unit_columns % 2 == 0, "machine.unit_columns", "a quad belongs to one unit"},
        {arch->texture_levels == 1 || arch->requests_group == TMU_GROUP_QUAD, "texture.levels",
         "mip levels are chosen by quads: requests.group must be quad"},
    };
    return first_broken(rules, sizeof rules / sizeof *rules, key);
}

const char *tmu_arch_problem(const struct tmu_arch *arch, const char **key)
{
    const char *problem = cache_problem(arch, key);
    problem = problem != NULL ? problem : second_problem(arch, key);
    return problem != NULL ? problem : memory_problem(arch, key);
}

/* Distances in texels, as the thesis counts them (spec/tmu.md section 7). */
struct places {
    uint64_t line;    /* texels */
    uint64_t modulus; /* lines of the cache */
};

static bool is_free(const struct places *places, uint64_t lines)
{
    return lines % places->modulus != 0;
}

static bool is_safe(const struct places *places, uint64_t distance)
{
    return distance < places->line || (is_free(places, distance / places->line) &&
                                       is_free(places, distance / places->line + 1));
}

static bool refuse(const struct base_diag_sink *sink, const char *name, const char *distance,
                   uint64_t texels)
{
    char hint[128];
    (void)snprintf(hint, sizeof hint, "another cache size or texture size (%s = %llu texels)",
                   distance, (unsigned long long)texels);
    base_report(sink, BASE_ERROR, (struct base_place){NULL, 0, 0}, hint,
                "machine %s: texels of one pixel fall on the same line of the cache", name);
    return false;
}

static bool check_wrapped(const struct tmu_arch *arch, const struct places *places, uint64_t width,
                          uint64_t height, const struct base_diag_sink *sink)
{
    const struct {
        uint64_t distance;
        const char *name;
    } rows[] = {
        {width * (height - 1) - 1, "width * (height - 1) - 1"},
        {width * (height - 1), "width * (height - 1)"},
        {width * (height - 1) + 1, "width * (height - 1) + 1"},
        {height > 1 ? width * (height - 2) + 1 : 0, "width * (height - 2) + 1"},
        {2 * width - 1, "2 * width - 1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows && height > 1; i++) {
        if (!is_safe(places, rows[i].distance)) {
            return refuse(sink, arch->name, rows[i].name, rows[i].distance);
        }
    }
    /* Between the first texel and the last one only: the first one begins a line. */
    const uint64_t corner = width * height - 1;
    return corner < places->line || is_free(places, corner / places->line) ||
           refuse(sink, arch->name, "width * height - 1", corner);
}

bool tmu_arch_check_conflicts(const struct tmu_arch *arch, uint32_t texture_width,
                              uint32_t texture_height, const struct base_diag_sink *sink)
{
    const bool tiled = arch->texture_tile_width * arch->texture_tile_height > 1;
    if (arch->cache_ways != 1 || tiled || arch->requests_filter != TMU_FILTER_BILINEAR ||
        texture_width == 0 || texture_height == 0) {
        return true;
    }
    const uint64_t line_texels = (uint64_t)arch->cache_line_bytes * 8 / arch->texture_texel_bits;
    const struct places places = {line_texels > 0 ? line_texels : 1,
                                  arch->cache_bytes / arch->cache_line_bytes};
    static const char *const names[3] = {"width - 1", "width", "width + 1"};
    for (uint64_t i = 0; i < 3; i++) {
        if (!is_safe(&places, texture_width + i - 1)) {
            return refuse(sink, arch->name, names[i], texture_width + i - 1);
        }
    }
    return !arch->requests_weightless ||
           check_wrapped(arch, &places, texture_width, texture_height, sink);
}

const char *tmu_arch_builtin_name(size_t index)
{
    return index < tmu_arch_texts_count ? tmu_arch_texts[index].name : NULL;
}

void tmu_arch_builtin_names(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < tmu_arch_texts_count && used < size; i++) {
        const int length =
            snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", tmu_arch_texts[i].name);
        used += length > 0 ? (size_t)length : 0;
    }
}

bool tmu_arch_builtin(struct tmu_arch *arch, const char *name, const struct base_diag_sink *sink)
{
    for (size_t i = 0; i < tmu_arch_texts_count; i++) {
        if (strcmp(tmu_arch_texts[i].name, name) == 0) {
            return tmu_arch_read(arch, name, name, base_span_of(tmu_arch_texts[i].text), sink);
        }
    }
    char names[128];
    char hint[160];
    struct base_closest closest = {0};
    for (size_t i = 0; i < tmu_arch_texts_count; i++) {
        base_closest_try(&closest, name, tmu_arch_texts[i].name);
    }
    tmu_arch_builtin_names(names, sizeof names);
    base_closest_hint(&closest, names, hint, sizeof hint);
    base_report(sink, BASE_ERROR, (struct base_place){NULL, 0, 0}, hint,
                "no machine is called '%.32s'", name);
    return false;
}
