/* Good inputs, and changes to them. */
#include <ctype.h>
#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "attack.h"
#include "base/random.h"

enum { SEED_MAX = 1 << 20, INPUT_MAX = 1 << 21, PATH = 4096, CHANGES = 4, COPIES = 64 };

struct seed {
    struct attack_bytes bytes; /* with the prefix */
    char *path;
};

struct pool {
    struct seed *seeds; /* by path */
    size_t count;
};

struct attack_seeds {
    struct pool *pools; /* of each reader */
};

/* ---- bytes ---- */

bool attack_bytes_add(struct attack_bytes *bytes, const void *data, size_t size)
{
    if (size > ATTACK_BYTES_MAX - bytes->size) {
        return false;
    }
    if (bytes->size + size > bytes->capacity) {
        const size_t capacity = 2 * (bytes->size + size) + 64;
        uint8_t *more = realloc(bytes->data, capacity);
        if (more == NULL) {
            return false;
        }
        bytes->data = more;
        bytes->capacity = capacity;
    }
    if (size > 0) {
        memcpy(bytes->data + bytes->size, data, size);
    }
    bytes->size += size;
    return true;
}

void attack_bytes_free(struct attack_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct attack_bytes){0};
}

bool attack_bytes_add_file(struct attack_bytes *bytes, const char *source, const char *path)
{
    char whole[2 * PATH];
    uint8_t chunk[4096];
    (void)snprintf(whole, sizeof whole, "%s%s%s", source != NULL ? source : "",
                   source != NULL ? "/" : "", path);
    FILE *file = fopen(whole, "rb");
    bool good = file != NULL;
    while (good) {
        const size_t size = fread(chunk, 1, sizeof chunk, file);
        if (size == 0) {
            break;
        }
        good = attack_bytes_add(bytes, chunk, size);
    }
    good = good && !ferror(file);
    if (file != NULL) {
        (void)fclose(file);
    }
    return good;
}

/* ---- seeds ---- */

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct seed *)a)->path, ((const struct seed *)b)->path);
}

static void add_seed(struct pool *pool, const char *source, const char *path, const char *prefix,
                     bool prefixed)
{
    struct seed seed = {0};
    const size_t length = strlen(prefix);
    struct stat facts;
    char whole[2 * PATH];
    (void)snprintf(whole, sizeof whole, "%s/%s", source, path);
    if (stat(whole, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size > SEED_MAX) {
        return;
    }
    const bool good = (prefixed || attack_bytes_add(&seed.bytes, prefix, length)) &&
                      attack_bytes_add_file(&seed.bytes, source, path) &&
                      seed.bytes.size >= length &&
                      (length == 0 || memcmp(seed.bytes.data, prefix, length) == 0);
    struct seed *more = good ? realloc(pool->seeds, (pool->count + 1) * sizeof *pool->seeds) : NULL;
    seed.path = more != NULL ? strdup(path) : NULL;
    pool->seeds = more != NULL ? more : pool->seeds;
    if (seed.path == NULL) {
        attack_bytes_free(&seed.bytes);
        return;
    }
    pool->seeds[pool->count++] = seed;
}

/* folder: below the source, NULL: there is none. */
static void add_folder(struct pool *pool, const char *source, const char *folder,
                       const char *pattern, const char *prefix, bool prefixed)
{
    char path[PATH];
    char whole[2 * PATH];
    (void)snprintf(whole, sizeof whole, "%s/%s", source, folder);
    DIR *entries = opendir(whole);
    const struct dirent *entry = entries != NULL ? readdir(entries) : NULL;
    for (; entry != NULL; entry = readdir(entries)) {
        if (entry->d_name[0] != '.' && fnmatch(pattern, entry->d_name, 0) == 0) {
            (void)snprintf(path, sizeof path, "%.2000s/%s", folder, entry->d_name);
            add_seed(pool, source, path, prefix, prefixed);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
}

static void fill(struct pool *pool, const char *source, const struct attack_reader *reader)
{
    char folder[PATH];
    (void)snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", reader->target);
    add_folder(pool, source, folder, "*", reader->prefix, true);
    struct base_span patterns = base_span_of(reader->seeds);
    for (;;) {
        const struct base_span word = base_span_next_word(&patterns);
        if (word.size == 0) {
            break;
        }
        (void)snprintf(folder, sizeof folder, "%.*s", (int)word.size, word.data);
        char *name = strrchr(folder, '/');
        *name++ = '\0';
        add_folder(pool, source, folder, name, reader->prefix, false);
    }
    if (pool->count > 1) {
        qsort(pool->seeds, pool->count, sizeof *pool->seeds, by_path);
    }
}

struct attack_seeds *attack_seeds_load(const char *source)
{
    struct attack_seeds *seeds = calloc(1, sizeof *seeds);
    bool good = seeds != NULL;
    if (good) {
        seeds->pools = calloc(attack_reader_count, sizeof *seeds->pools);
        good = seeds->pools != NULL;
    }
    for (size_t i = 0; good && i < attack_reader_count; i++) {
        fill(&seeds->pools[i], source, &attack_readers[i]);
        if (seeds->pools[i].count == 0) {
            (void)fprintf(stderr, "%s has no good inputs\n", attack_readers[i].name);
            good = false;
        }
    }
    if (!good) {
        attack_seeds_free(seeds);
        return NULL;
    }
    return seeds;
}

void attack_seeds_free(struct attack_seeds *seeds)
{
    for (size_t i = 0; seeds != NULL && seeds->pools != NULL && i < attack_reader_count; i++) {
        for (size_t k = 0; k < seeds->pools[i].count; k++) {
            attack_bytes_free(&seeds->pools[i].seeds[k].bytes);
            free(seeds->pools[i].seeds[k].path);
        }
        free(seeds->pools[i].seeds);
    }
    if (seeds != NULL) {
        free(seeds->pools);
        free(seeds);
    }
}

/* ---- changes ---- */

static size_t below(struct base_rng *rng, size_t limit)
{
    return limit > 0 ? base_rng_next(rng) % limit : 0;
}

/* A part: mostly short, now and then anything. */
static size_t choose_part(struct base_rng *rng, size_t size, size_t *from)
{
    *from = below(rng, size);
    const size_t most = size - *from;
    const size_t length = 1 + below(rng, below(rng, 4) == 0 ? most : most < 64 ? most : 64);
    return length < most ? length : most;
}

/* Of the bytes from `head` on, which are those behind the prefix. */
static void flip(struct base_rng *rng, struct attack_bytes *bytes, size_t head)
{
    static const uint8_t odd[] = {0, 0xFF, 0x7F, 0x80, '\n', '"', '(', '{', '-', '0', '9', 0x1B};
    for (size_t left = 1 + below(rng, 8); left > 0 && bytes->size > head; left--) {
        uint8_t *byte = &bytes->data[head + below(rng, bytes->size - head)];
        if (below(rng, 2) == 0) {
            *byte ^= (uint8_t)(1u << below(rng, 8));
        } else {
            *byte = odd[below(rng, sizeof odd)];
        }
    }
}

/* The end, or a part in the middle, is left out. */
static void cut(struct base_rng *rng, struct attack_bytes *bytes, size_t head)
{
    size_t from;
    if (bytes->size <= head) {
        return;
    }
    const size_t length = choose_part(rng, bytes->size - head, &from);
    if (below(rng, 2) == 0) {
        bytes->size = head + from;
        return;
    }
    uint8_t *at = bytes->data + head + from;
    memmove(at, at + length, bytes->size - head - from - length);
    bytes->size -= length;
}

/* A part stands there many times. */
static void double_part(struct base_rng *rng, struct attack_bytes *bytes, size_t head)
{
    size_t from;
    struct attack_bytes made = {0};
    if (bytes->size <= head) {
        return;
    }
    const size_t length = choose_part(rng, bytes->size - head, &from);
    bool good = attack_bytes_add(&made, bytes->data, head + from);
    for (size_t left = 2 + below(rng, COPIES); good && left > 0 && made.size < INPUT_MAX; left--) {
        good = attack_bytes_add(&made, bytes->data + head + from, length);
    }
    good = good && attack_bytes_add(&made, bytes->data + head + from, bytes->size - head - from);
    if (!good) {
        attack_bytes_free(&made);
        return;
    }
    attack_bytes_free(bytes);
    *bytes = made;
}

/* Goes on as another does. */
static void splice(struct base_rng *rng, struct attack_bytes *bytes, size_t head,
                   const struct pool *pool)
{
    const struct attack_bytes *other = &pool->seeds[below(rng, pool->count)].bytes;
    bytes->size = head + below(rng, bytes->size - head + 1);
    const size_t from = head + below(rng, other->size - head + 1);
    (void)attack_bytes_add(bytes, other->data + from, other->size - from);
}

/* A number in digits becomes another, or four bytes do. */
static void renumber(struct base_rng *rng, struct attack_bytes *bytes, size_t head)
{
    static const char *const texts[] = {"0",          "-1",    "4294967296", "2147483648",
                                        "1e309",      "-1e39", "nan",        "99999999999999999999",
                                        "0x7fffffff", "65536", "1e-320",     "2147483647"};
    static const uint32_t words[] = {0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x10000, 0xFFFF};
    size_t from = head + below(rng, bytes->size - head + 1);
    while (from < bytes->size && !isdigit(bytes->data[from])) {
        from++;
    }
    size_t to = from;
    while (to < bytes->size && isdigit(bytes->data[to])) {
        to++;
    }
    if (from == to || below(rng, 4) == 0) {
        const uint32_t word = words[below(rng, sizeof words / sizeof *words)];
        if (bytes->size - head >= sizeof word) {
            const size_t at = head + below(rng, bytes->size - head - sizeof word + 1);
            memcpy(bytes->data + at, &word, sizeof word);
        }
        return;
    }
    const char *text = texts[below(rng, sizeof texts / sizeof *texts)];
    struct attack_bytes made = {0};
    if (attack_bytes_add(&made, bytes->data, from) && attack_bytes_add(&made, text, strlen(text)) &&
        attack_bytes_add(&made, bytes->data + to, bytes->size - to)) {
        attack_bytes_free(bytes);
        *bytes = made;
    } else {
        attack_bytes_free(&made);
    }
}

void attack_mutate(const struct attack_seeds *seeds, const struct attack_reader *reader,
                   uint64_t seed, uint64_t number, struct attack_bytes *input, char kind[static 8])
{
    struct base_rng rng;
    const struct pool *pool = &seeds->pools[reader - attack_readers];
    const size_t head = strlen(reader->prefix);
    base_rng_seed(&rng, seed, number);
    const struct attack_bytes *good = &pool->seeds[below(&rng, pool->count)].bytes;
    size_t changes = 1 + below(&rng, CHANGES);
    (void)attack_bytes_add(input, good->data, good->size);
    memset(kind, 0, 8);
    for (size_t i = 0; i < changes && input->size >= head; i++) {
        kind[i] = "fcdsn"[below(&rng, 5)];
        switch (kind[i]) {
        case 'f':
            flip(&rng, input, head);
            break;
        case 'c':
            cut(&rng, input, head);
            break;
        case 'd':
            double_part(&rng, input, head);
            break;
        case 's':
            splice(&rng, input, head, pool);
            break;
        default:
            renumber(&rng, input, head);
            break;
        }
    }
}
