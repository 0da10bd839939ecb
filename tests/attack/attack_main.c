/* attack: feeds froth's readers with what is meant to break them, and says what did.
 *
 *   --source FOLDER [--seed N] [--count N]  mutations of good files, shared among the readers
 *   --source FOLDER --hostile               hostile files, held against what is expected of each
 *   --source FOLDER --hostile --write       their lists, with what was said in the place of ?
 *   --feed READER FILE...                   files as they are, in this process
 *   --readers                               their names
 *
 * --reader NAME: this one only. --only N: this mutation, or line, only. --keep FOLDER: where inputs
 * that broke something are left, with what was written about it (attack-found). --jobs N: processes
 * at a time. --patience S: seconds of the processor for one input (20). --slack N: all limits of
 * time are N times as long (1). Exit code 0: nothing was found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attack.h"

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

enum { PATH = 4096, ROWS_LEAST = 100, KIND = 8 };

#define FUZZER(name) int name(const uint8_t *data, size_t size);
#include "fuzzers.def"
#undef FUZZER

const struct attack_reader attack_readers[] = {
#define ATTACK_READER(name, target, prefix, seeds, mebibytes, milliseconds)                        \
    {#name, "fuzz_" #target, fuzz_##target, prefix, seeds, mebibytes, milliseconds},
#include "readers.def"
};
const size_t attack_reader_count = sizeof attack_readers / sizeof *attack_readers;

struct options {
    const char *source;
    const char *keep;
    const struct attack_reader *reader;
    unsigned long seed;
    unsigned long count;
    unsigned long only; /* 0: all of them */
    unsigned long jobs;
    double patience;
    float slack;
    bool hostile;
    bool write;
};

struct attack {
    const struct options *options;
    const struct attack_seeds *seeds;     /* NULL: hostile files */
    const struct attack_hostile *hostile; /* NULL: mutations */
    size_t findings;
};

const struct attack_reader *attack_reader_of(struct base_span name)
{
    for (size_t i = 0; i < attack_reader_count; i++) {
        if (base_span_equal(base_span_of(attack_readers[i].name), name)) {
            return &attack_readers[i];
        }
    }
    return NULL;
}

/* Every fuzz target is attacked. */
static bool is_every_target_read(void)
{
    static const char *const targets[] = {
#define FUZZER(name) #name,
#include "fuzzers.def"
#undef FUZZER
    };
    bool good = true;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        bool read = false;
        for (size_t k = 0; k < attack_reader_count; k++) {
            read = read || strcmp(attack_readers[k].target, targets[i]) == 0;
        }
        if (!read) {
            (void)fprintf(stderr, "%s: no row of readers.def attacks it\n", targets[i]);
        }
        good = good && read;
    }
    return good;
}

/* ---- inputs by number ---- */

/* The number by which chance makes an input: from 1, so that 0 is none. */
static uint64_t number_of(const struct attack *attack, size_t at)
{
    return attack->options->only > 0 ? attack->options->only : at + 1;
}

static const struct attack_reader *reader_at(const struct attack *attack, size_t at)
{
    if (attack->hostile != NULL) {
        return attack->hostile->rows[at].reader;
    }
    return attack->options->reader != NULL
               ? attack->options->reader
               : &attack_readers[number_of(attack, at) % attack_reader_count];
}

static const struct attack_reader *make(void *user, size_t at, struct attack_bytes *input)
{
    const struct attack *attack = user;
    const struct attack_reader *reader = reader_at(attack, at);
    char kind[KIND];
    if (attack->hostile == NULL) {
        attack_mutate(attack->seeds, reader, attack->options->seed, number_of(attack, at), input,
                      kind);
    } else if (!attack_cook(attack->hostile, &attack->hostile->rows[at], input)) {
        (void)fprintf(stderr, "hostile/%s.txt:%u: this is no recipe\n", reader->name,
                      attack->hostile->rows[at].line);
        return NULL;
    }
    return reader;
}

/* ---- what was found ---- */

static void copy_file(const char *from, const char *to)
{
    struct attack_bytes bytes = {0};
    FILE *file = attack_bytes_add_file(&bytes, NULL, from) ? fopen(to, "wb") : NULL;
    if (file != NULL && bytes.size > 0) {
        (void)fwrite(bytes.data, 1, bytes.size, file);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    attack_bytes_free(&bytes);
}

/* Says it and keeps the input. */
static void report(struct attack *attack, size_t at, const char *log, const char *what)
{
    const struct options *options = attack->options;
    const struct attack_reader *reader = reader_at(attack, at);
    const bool hostile = attack->hostile != NULL;
    const unsigned long number =
        hostile ? attack->hostile->rows[at].line : (unsigned long)number_of(attack, at);
    char path[PATH];
    char text[PATH + 8];
    struct attack_bytes input = {0};
    attack->findings++;
    (void)snprintf(path, sizeof path, "%s/%s-%s%lu", options->keep, reader->name,
                   hostile ? "line" : "", number);
    if (make(attack, at, &input) != NULL) {
        FILE *file = fopen(path, "wb");
        if (file != NULL) {
            if (input.size > 0) {
                (void)fwrite(input.data, 1, input.size, file);
            }
            (void)fclose(file);
        }
    }
    attack_bytes_free(&input);
    (void)snprintf(text, sizeof text, "%s.log", path);
    if (log != NULL) {
        copy_file(log, text);
    }
    if (hostile) {
        printf("FOUND hostile/%s.txt:%lu: %s; %s\n", reader->name, number, what, path);
    } else {
        printf("FOUND %s: %s; %s; again: --reader %s --seed %lu --only %lu\n", reader->name, what,
               path, reader->name, options->seed, number);
    }
}

static void found(void *user, size_t at, const struct attack_result *result, const char *log)
{
    struct attack *attack = user;
    char what[80];
    if (result->end == ATTACK_NOT_FED) { /* at the end of a process */
        char path[PATH];
        (void)snprintf(path, sizeof path, "%s/leaks-%zu.log", attack->options->keep,
                       attack->findings);
        copy_file(log, path);
        attack->findings++;
        printf("FOUND memory that nobody holds: %s\n", path);
        return;
    }
    (void)snprintf(what, sizeof what,
                   result->end == ATTACK_HUNG ? "it hangs" : "it dies (signal %d)", result->signal);
    report(attack, at, log, what);
}

/* Whether a result is as it has to be; says what is not. */
static void judge(struct attack *attack, size_t at, const struct attack_result *result)
{
    const struct attack_reader *reader = reader_at(attack, at);
    const struct attack_row *row = attack->hostile != NULL ? &attack->hostile->rows[at] : NULL;
    const float milliseconds =
        (float)(row != NULL ? row->milliseconds : reader->milliseconds) * attack->options->slack;
    const float mebibytes = (float)(row != NULL ? row->mebibytes : reader->mebibytes);
    char what[700];
    if (result->end == ATTACK_NOT_FED) {
        report(attack, at, NULL, "it could not be made");
    }
    if (result->end != ATTACK_FED) {
        return;
    }
    if (result->milliseconds > milliseconds) {
        (void)snprintf(what, sizeof what, "it takes %.0f ms and may take %.0f",
                       (double)result->milliseconds, (double)milliseconds);
        report(attack, at, NULL, what);
    }
    if (!SANITIZED && result->mebibytes > mebibytes) {
        (void)snprintf(what, sizeof what, "it takes %.1f MiB and may take %.0f",
                       (double)result->mebibytes, (double)mebibytes);
        report(attack, at, NULL, what);
    }
    if (row == NULL || row->unknown) {
        return;
    }
    char wanted[220];
    (void)snprintf(wanted, sizeof wanted, "%.*s", (int)row->expected.size, row->expected.data);
    const bool quiet = row->expected.size == 0;
    if (quiet ? result->message[0] != '\0' : strstr(result->message, wanted) == NULL) {
        (void)snprintf(what, sizeof what, "it says '%s' in place of '%s'", result->message, wanted);
        report(attack, at, NULL, what);
    }
}

/* ---- tables ---- */

static void print_reader(const struct attack *attack, const struct attack_result *results,
                         size_t count, const struct attack_reader *reader)
{
    size_t fed = 0;
    size_t refused = 0;
    float slowest = 0;
    float largest = 0;
    for (size_t i = 0; i < count; i++) {
        if (reader_at(attack, i) != reader || results[i].end != ATTACK_FED) {
            continue;
        }
        fed++;
        refused += results[i].severity >= BASE_ERROR;
        slowest = results[i].milliseconds > slowest ? results[i].milliseconds : slowest;
        largest = results[i].mebibytes > largest ? results[i].mebibytes : largest;
    }
    if (fed > 0) {
        printf("%-16s %8zu %8zu %10.1f %10.1f\n", reader->name, fed, refused, (double)slowest,
               (double)largest);
    }
}

static int run(struct attack *attack, size_t count)
{
    const struct options *options = attack->options;
    size_t leaks = 0;
    const struct attack_plan plan = {.user = attack,
                                     .count = count,
                                     .jobs = options->jobs,
                                     .patience = options->patience,
                                     .folder = options->keep,
                                     .make = make,
                                     .found = found};
    (void)mkdir(options->keep, 0777);
    struct attack_result *results = attack_run(&plan, &leaks);
    if (results == NULL) {
        (void)fprintf(stderr, "attack: no memory or no process\n");
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < count; i++) {
        judge(attack, i, &results[i]);
    }
    if (options->write) {
        for (size_t i = 0; i < count; i++) {
            const struct attack_row *row = &attack->hostile->rows[i];
            if (row->unknown) {
                printf("%s %u \"%s\"\n", row->reader->name, row->line, results[i].message);
            }
        }
    } else {
        printf("%-16s %8s %8s %10s %10s\n", "reader", "read", "refused", "slowest ms", "most MiB");
        for (size_t i = 0; i < attack_reader_count; i++) {
            print_reader(attack, results, count, &attack_readers[i]);
        }
        printf("%zu %s, %zu findings\n", count,
               attack->hostile != NULL ? "hostile files" : "mutations", attack->findings);
    }
    attack_results_free(results, count);
    (void)rmdir(options->keep); /* where nothing lies in it */
    return attack->findings == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int run_hostile(struct attack *attack)
{
    struct attack_hostile hostile;
    const struct options *options = attack->options;
    if (!attack_hostile_load(&hostile, options->source, options->reader)) {
        return EXIT_FAILURE;
    }
    bool enough = true;
    for (size_t i = 0; i < attack_reader_count; i++) {
        size_t rows = 0;
        for (size_t k = 0; k < hostile.count; k++) {
            rows += hostile.rows[k].reader == &attack_readers[i];
        }
        if (rows < ROWS_LEAST &&
            (options->reader == NULL || options->reader == &attack_readers[i])) {
            (void)fprintf(stderr, "hostile/%s.txt: %zu rows, of which there have to be %d\n",
                          attack_readers[i].name, rows, ROWS_LEAST);
            enough = false;
        }
    }
    for (size_t k = 0; options->only > 0 && k < hostile.count; k++) {
        if (hostile.rows[k].line == options->only) {
            hostile.rows[0] = hostile.rows[k];
            hostile.count = 1;
        }
    }
    attack->hostile = &hostile;
    const int code = run(attack, hostile.count);
    attack_hostile_free(&hostile);
    return enough || options->write ? code : EXIT_FAILURE;
}

static int run_mutations(struct attack *attack)
{
    struct attack_seeds *seeds = attack_seeds_load(attack->options->source);
    if (seeds == NULL) {
        return EXIT_FAILURE;
    }
    attack->seeds = seeds;
    const int code = run(attack, attack->options->only > 0 ? 1 : attack->options->count);
    attack_seeds_free(seeds);
    return code;
}

static int feed_files(const struct attack_reader *reader, char **paths)
{
    for (; reader != NULL && *paths != NULL; paths++) {
        struct attack_bytes bytes = {0};
        if (!attack_bytes_add_file(&bytes, NULL, *paths)) {
            (void)fprintf(stderr, "%s: cannot be read\n", *paths);
            return EXIT_FAILURE;
        }
        (void)reader->feed(bytes.data, bytes.size);
        attack_bytes_free(&bytes);
    }
    return reader != NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int usage(void)
{
    (void)fprintf(stderr, "usage: see the head of tests/attack/attack_main.c\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct options options = {.source = ".",
                              .keep = "attack-found",
                              .seed = 1,
                              .count = 10000,
                              .patience = 20,
                              .slack = 1};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    options.jobs = processors < 1 ? 1 : processors > 32 ? 32 : (unsigned long)processors;
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        i++;
        if (strcmp(name, "--hostile") == 0 || strcmp(name, "--write") == 0) {
            options.hostile = true;
            options.write = options.write || strcmp(name, "--write") == 0;
            i--;
        } else if (strcmp(name, "--readers") == 0) {
            for (size_t k = 0; k < attack_reader_count; k++) {
                puts(attack_readers[k].name);
            }
            return EXIT_SUCCESS;
        } else if (value == NULL) {
            return usage();
        } else if (strcmp(name, "--feed") == 0) {
            return feed_files(attack_reader_of(base_span_of(value)), argv + i + 1);
        } else if (strcmp(name, "--source") == 0) {
            options.source = value;
        } else if (strcmp(name, "--keep") == 0) {
            options.keep = value;
        } else if (strcmp(name, "--reader") == 0) {
            options.reader = attack_reader_of(base_span_of(value));
            if (options.reader == NULL) {
                return usage();
            }
        } else if (strcmp(name, "--seed") == 0) {
            options.seed = strtoul(value, NULL, 10);
        } else if (strcmp(name, "--count") == 0) {
            options.count = strtoul(value, NULL, 10);
        } else if (strcmp(name, "--only") == 0) {
            options.only = strtoul(value, NULL, 10);
        } else if (strcmp(name, "--jobs") == 0) {
            options.jobs = strtoul(value, NULL, 10);
        } else if (strcmp(name, "--patience") == 0) {
            options.patience = strtod(value, NULL);
        } else if (strcmp(name, "--slack") == 0) {
            options.slack = strtof(value, NULL);
        } else {
            return usage();
        }
    }
    if (options.jobs < 1 || options.jobs > 32 || !is_every_target_read()) {
        return EXIT_FAILURE;
    }
    struct attack attack = {.options = &options};
    return options.hostile ? run_hostile(&attack) : run_mutations(&attack);
}
