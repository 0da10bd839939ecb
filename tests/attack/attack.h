/* The attack on froth's readers: inputs, made by chance or by a recipe, are fed to fuzz targets in
 * processes of their own, and judged. */
#ifndef TESTS_ATTACK_ATTACK_H
#define TESTS_ATTACK_ATTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* A row of readers.def. */
struct attack_reader {
    const char *name;
    const char *target; /* name of the fuzz target */
    int (*feed)(const uint8_t *data, size_t size);
    const char *prefix;
    const char *seeds;
    unsigned mebibytes;
    unsigned milliseconds;
};

extern const struct attack_reader attack_readers[];
extern const size_t attack_reader_count;

/* NULL: there is no reader of this name. */
const struct attack_reader *attack_reader_of(struct base_span name);

/* Bytes that grow. Zero-initialise. */
struct attack_bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

enum { ATTACK_BYTES_MAX = 64 * 1024 * 1024 };

/* False without room; nothing is then added. */
bool attack_bytes_add(struct attack_bytes *bytes, const void *data, size_t size);
void attack_bytes_free(struct attack_bytes *bytes);

/* The bytes of a file below a folder (NULL: path is all of it) are added. */
bool attack_bytes_add_file(struct attack_bytes *bytes, const char *source, const char *path);

/* ---- feeding ---- */

enum attack_end {
    ATTACK_NOT_FED,
    ATTACK_FED,
    ATTACK_CRASHED,
    ATTACK_HUNG,
};

struct attack_result {
    enum attack_end end;
    int signal;         /* by which it crashed; 0: it ended with an exit code */
    float milliseconds; /* of the processor */
    float mebibytes;    /* more than before, at most */
    unsigned severity;  /* of the worst message, and its text */
    char message[200];
};

struct attack_plan {
    void *user;
    size_t count;
    size_t jobs;        /* processes at the same time */
    double patience;    /* seconds of the processor for one input; of the clock ten times that */
    const char *folder; /* of what the processes write, exists */
    /* Makes input `number` and says who reads it; the same whenever it is asked. */
    const struct attack_reader *(*make)(void *user, size_t number, struct attack_bytes *input);
    /* In the calling process: what it came to, when it did; NULL: not wanted. The log is the file
     * of what the process wrote. */
    void (*found)(void *user, size_t number, const struct attack_result *result, const char *log);
};

/* Feeds all of them. Results for each, to be freed with attack_results_free; NULL without memory or
 * processes. *leaks: processes at whose end memory was found that nobody held. */
struct attack_result *attack_run(const struct attack_plan *plan, size_t *leaks);
void attack_results_free(struct attack_result *results, size_t count);

/* ---- mutations ---- */

struct attack_seeds; /* good inputs of all readers */

/* source: the project's folder. NULL if a reader has none, which is said. */
struct attack_seeds *attack_seeds_load(const char *source);
void attack_seeds_free(struct attack_seeds *seeds);

/* The reader's input of this seed and number: a good one that is flipped, cut, doubled, spliced
 * with another, or whose numbers are others. *kind: a letter for each change. */
void attack_mutate(const struct attack_seeds *seeds, const struct attack_reader *reader,
                   uint64_t seed, uint64_t number, struct attack_bytes *input, char kind[static 8]);

/* ---- hostile files ---- */

/* A line of tests/attack/hostile/NAME.txt, whose first one explains them. */
struct attack_row {
    const struct attack_reader *reader;
    unsigned line;
    struct base_span recipe;
    struct base_span expected; /* a part of the first of the worst messages; empty: none at all */
    bool unknown;              /* what is expected is still to be written */
    unsigned mebibytes;
    unsigned milliseconds;
};

struct attack_hostile {
    const char *source;
    struct attack_row *rows;
    size_t count;
    char **texts;
    size_t text_count;
};

/* Rows of this reader, NULL: of all. False after a message. */
bool attack_hostile_load(struct attack_hostile *hostile, const char *source,
                         const struct attack_reader *only);
void attack_hostile_free(struct attack_hostile *hostile);

/* False if the recipe is none, or makes more than ATTACK_BYTES_MAX. */
bool attack_cook(const struct attack_hostile *hostile, const struct attack_row *row,
                 struct attack_bytes *input);

#endif
