#include "base/os/print.h"
#include "test_pfpu.h"
#include "../turns.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

/* With FROTH_SHARED set, compiles and runs every equation block below its presets/ folder. */

enum { FILE_MAX = 1 << 20, ROWS_MAX = 20000, BLOCK_LINES = 4000, REFUSED_MAX = 5 };

struct row {
    struct base_span key;
    struct base_span value;
};

struct totals {
    size_t files;
    size_t blocks;
    size_t refused;
    size_t instructions;
    double seconds;
    double slowest;
};

static char bytes[FILE_MAX];
static struct row rows[ROWS_MAX];
static size_t row_count;

static void read_rows(size_t size)
{
    row_count = 0;
    for (size_t start = 0; start < size && row_count < ROWS_MAX;) {
        size_t end = start;
        while (end < size && bytes[end] != '\n' && bytes[end] != '\r') {
            end++;
        }
        size_t key = start;
        while (key < end && bytes[key] != '=' && bytes[key] != ' ') {
            key++;
        }
        if (key < end) {
            rows[row_count++] =
                (struct row){{bytes + start, key - start}, {bytes + key + 1, end - key - 1}};
        }
        start = end + 1;
    }
}

static const struct row *find_row(const char *key, size_t hint)
{
    for (size_t n = 0; n < row_count; n++) {
        const struct row *row = &rows[(hint + n) % row_count];
        if (base_span_equal_nocase(row->key, base_span_of(key))) {
            return row;
        }
    }
    return NULL;
}

static double seconds_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void compile_block(const struct base_source *source, struct totals *totals,
                          struct pfpu_globals *globals)
{
    struct base_arena arena = {0};
    struct pfpu_program *program = NULL;
    struct pfpu_instance instance;
    struct pfpu_scope *scope = pfpu_scope_create(&arena);
    const double start = seconds_now();
    const enum pfpu_status status =
        pfpu_compile(&pfpu_target_host, scope, source, &arena, &base_diag_stderr, &program);
    const double took = seconds_now() - start;
    totals->blocks++;
    totals->seconds += took;
    totals->slowest = took > totals->slowest ? took : totals->slowest;
    totals->refused += status == PFPU_REFUSED ? 1 : 0;
    assert_true(status != PFPU_NO_MEMORY);
    if (program != NULL) {
        assert_int_equal(pfpu_instance_init(&instance, scope, &arena), 0);
        totals->instructions += pfpu_program_length(program);
        globals->budget = 1000000;
        pfpu_run(program, &instance, globals);
        globals->pool_used = 0;
    }
    base_arena_free(&arena);
}

static void compile_prefix(const char *path, const char *prefix, struct totals *totals,
                           struct pfpu_globals *globals)
{
    static struct base_source_line lines[BLOCK_LINES];
    size_t count = 0;
    size_t hint = 0;
    while (count < BLOCK_LINES) {
        char key[64];
        (void)snprintf(key, sizeof key, "%s%zu", prefix, count + 1);
        const struct row *row = find_row(key, hint);
        if (row == NULL) {
            break;
        }
        hint = (size_t)(row - rows) + 1;
        lines[count] = (struct base_source_line){row->value, (uint32_t)count + 1, 1};
        count++;
    }
    if (count > 0) {
        const struct base_source source = {path, lines, count};
        compile_block(&source, totals, globals);
    }
}

static void compile_file(const char *path, struct totals *totals, struct pfpu_globals *globals)
{
    static const char *const parts[] = {"wave_#_init", "wave_#_per_frame", "wave_#_per_point",
                                        "shape_#_init", "shape_#_per_frame"};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    read_rows(size);
    totals->files++;
    compile_prefix(path, "per_frame_init_", totals, globals);
    compile_prefix(path, "per_frame_", totals, globals);
    compile_prefix(path, "per_pixel_", totals, globals);
    for (int i = 0; i < 4; i++) {
        for (size_t p = 0; p < sizeof parts / sizeof parts[0]; p++) {
            char prefix[32] = {0};
            memcpy(prefix, parts[p], strlen(parts[p]));
            *strchr(prefix, '#') = (char)('0' + i);
            compile_prefix(path, prefix, totals, globals);
        }
    }
}

static void walk(const char *path, struct totals *totals, struct pfpu_globals *globals)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return;
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char name[4096];
        struct stat facts;
        const int length = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof name || stat(name, &facts) != 0) {
            continue;
        }
        if (S_ISDIR(facts.st_mode)) {
            walk(name, totals, globals);
        } else if (length > 5 && strcmp(name + length - 5, ".milk") == 0) {
            compile_file(name, totals, globals);
        }
    }
    (void)closedir(folder);
}

static void test_shared_presets(void **state)
{
    (void)state;
    const char *shared = getenv("FROTH_SHARED");
    if (shared == NULL) {
        SKIP("FROTH_SHARED is not set");
    }
    char path[4096];
    struct totals totals = {0};
    struct pfpu_globals globals;
    assert_int_equal(pfpu_globals_init(&globals, 1), 0);
    (void)snprintf(path, sizeof path, "%s/presets", shared);
    walk(path, &totals, &globals);
    pfpu_globals_free(&globals);
    printf("%zu files, %zu blocks, %zu refused, %zu instructions, %.3f s (slowest %.3f ms)\n",
           totals.files, totals.blocks, totals.refused, totals.instructions, totals.seconds,
           1e3 * totals.slowest);
    assert_true(totals.files > 0);
    assert_true(totals.refused <= REFUSED_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_presets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
