/* How long the library takes to find presets and to answer.
 *   speed_library [FOLDER]
 * Copies the presets of FOLDER (presets/originals) until there are 10,000, each with a line of its
 * own, in a folder of its own under /tmp, and prints milliseconds: until the first can be shown,
 * until all are read, the same for a second start; and for many queries among 10,000 and among
 * 50,000 entries the slowest one's median of many rounds, and the worst of all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/library/library.h"
#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "presets/library/find.h"
#include "presets/library/search.h"

enum { COPIES = 10000, FOLDERS = 20, MANY = 50000, ROUNDS = 20, PATH_SIZE = 4096 };

static const char *const queries[] = {
    "",     "a",        "e",       "i",         "fr",          "froth",      "o",
    "an",   "the",      "flow",    "clockwork", "e r",         "a e i o",    "-a",
    "fav",  "stars>=3", "tag:x e", "folder 1",  "froth - a",   "zzz",        "-zzz",
    "e -a", "milk 0",   "0",       "copy 1234", "folder copy", "f o l d e r"};
enum { QUERIES = sizeof queries / sizeof *queries };

static double milliseconds(double since)
{
    return (base_clock_seconds() - since) * 1e3;
}

static void fail(const char *what)
{
    (void)fprintf(stderr, "speed_library: %s\n", what);
    exit(EXIT_FAILURE);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* "FOLDER/folder 3/Name copy 123.milk" */
static void copy_name(char *path, const char *root, const char *original, int number)
{
    const char *name = name_of(original);
    const size_t stem = strlen(name) - strlen(".milk");
    (void)snprintf(path, PATH_SIZE, "%s/folder %d/%.*s copy %d.milk", root, number % FOLDERS,
                   (int)stem, name, number);
}

static void copy(const char *root, const char *original, int number)
{
    char path[PATH_SIZE];
    char line[32];
    size_t size;
    char *text = base_file_read(original, BASE_CONTENT_MAX, &size, NULL);
    const int added = snprintf(line, sizeof line, "\n// %d\n", number);
    char *whole = text != NULL ? realloc(text, size + sizeof line) : NULL;
    if (whole == NULL) {
        fail("a preset cannot be read");
    }
    memcpy(whole + size, line, (size_t)added);
    copy_name(path, root, original, number);
    if (base_file_save(path, whole, size + (size_t)added) != 0) {
        fail("a copy cannot be written");
    }
    free(whole);
}

/* The library until it has read everything; then it stays open. */
static struct app_library *run(const char *what, const char *root, const char *presets)
{
    char cache[PATH_SIZE];
    char data[PATH_SIZE];
    (void)snprintf(cache, sizeof cache, "%s/cache", root);
    (void)snprintf(data, sizeof data, "%s/data", root);
    const struct app_library_setup setup = {
        .paths = &presets, .path_count = 1, .data = data, .cache = cache, .seed = 1};
    const double start = base_clock_seconds();
    struct app_library *library = app_library_open(&setup, &base_diag_stderr);
    struct engine_choice choice;
    if (library == NULL || !app_library_wait(library) || !app_library_step(library, 1, &choice)) {
        fail("there are no presets");
    }
    const double first = milliseconds(start);
    while (app_library_state(library).scanning) {
        (void)nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    printf("%-14s first usable %8.1f ms   complete %8.1f ms   %zu presets\n", what, first,
           milliseconds(start), app_library_state(library).presets);
    return library;
}

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

/* What is measured: the library, or the catalogue alone. */
struct searched {
    struct app_library *library;
    struct preset_catalog *catalog;
};

static void search(const struct searched *in, const char *text)
{
    static uint32_t numbers[MANY];
    struct preset_query query;
    if (in->library != NULL) {
        (void)app_library_search(in->library, text, numbers, MANY);
    } else {
        preset_query_read(&query, text);
        (void)preset_search(in->catalog, &query, numbers, MANY);
    }
}

static void measure(const char *what, const struct searched *in)
{
    double worst = 0;
    double slowest = 0;
    const char *query = "";
    for (int i = 0; i < QUERIES; i++) {
        double taken[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            const double start = base_clock_seconds();
            search(in, queries[i]);
            taken[round] = milliseconds(start);
        }
        qsort(taken, ROUNDS, sizeof *taken, compare);
        worst = taken[ROUNDS - 1] > worst ? taken[ROUNDS - 1] : worst;
        query = taken[ROUNDS / 2] > slowest ? queries[i] : query;
        slowest = taken[ROUNDS / 2] > slowest ? taken[ROUNDS / 2] : slowest;
    }
    printf("%-14s slowest query %6.2f ms ('%s')   worst of all %6.2f ms\n", what, slowest, query,
           worst);
}

static void search_many(const struct preset_list *originals)
{
    struct preset_catalog catalog = {0};
    const double begin = base_clock_seconds();
    for (int i = 0; i < MANY; i++) {
        char path[PATH_SIZE];
        copy_name(path, "root", originals->paths[(size_t)i % originals->count], i);
        (void)preset_catalog_add(&catalog, &(struct preset_position){path, 4, 0, 0});
    }
    printf("%-14s in no order   %8.1f ms\n", "50,000 added", milliseconds(begin));
    measure("50,000 search", &(struct searched){.catalog = &catalog});
    preset_catalog_free(&catalog);
}

int main(int argc, char **argv)
{
    char root[] = "/tmp/froth-speed-XXXXXX";
    char presets[PATH_SIZE];
    char command[64];
    struct preset_list originals = {0};
    const char *folder = argc > 1 ? argv[1] : TEST_SOURCE "/presets/originals";
    if (preset_list_add(&originals, folder, &base_diag_stderr) != 0 || mkdtemp(root) == NULL) {
        fail("nothing to copy");
    }
    (void)snprintf(presets, sizeof presets, "%s/presets", root);
    for (int i = 0; i < COPIES; i++) {
        copy(presets, originals.paths[(size_t)i % originals.count], i);
    }
    app_library_close(run("first start", root, presets));
    struct app_library *library = run("second start", root, presets);
    measure("10,000 search", &(struct searched){.library = library});
    app_library_close(library);
    search_many(&originals);
    preset_list_free(&originals);
    (void)snprintf(command, sizeof command, "rm -r %s", root);
    return system(command) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
