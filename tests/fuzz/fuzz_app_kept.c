/* Whatever bytes stand in the files that froth keeps for its user, or that he keeps for it: they
 * are taken or refused, never believed further than their ranges. The first byte says which: o
 * opinions of presets, v verdicts, w words, b what froth bench has printed. */
#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bench/bench.h"
#include "app/library/inside.h"
#include "in_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FOLDER = 64 };

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* A new folder, with the bytes in a file of this name. */
static void make_folder(char folder[static FOLDER], const char *name, const uint8_t *data,
                        size_t size)
{
    char path[FOLDER + 32];
    (void)strcpy(folder, "/tmp/froth_kept_XXXXXX");
    require(mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    require(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

/* With what was put aside in it. */
static void remove_folder(const char *folder)
{
    char path[FOLDER + 256];
    DIR *entries = opendir(folder);
    require(entries != NULL);
    for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        (void)unlink(path);
    }
    (void)closedir(entries);
    require(rmdir(folder) == 0);
}

static void try_opinions(struct base_span text, const struct base_diag_sink *sink,
                         const struct base_diag_list *messages)
{
    struct app_library_opinions opinions = {0};
    require(app_library_opinions_read(&opinions, "fuzz", text, sink) == 0);
    require(opinions.damaged == (messages->count > 0));
    for (size_t i = 0; i < opinions.count; i++) {
        const struct preset_opinion *opinion = &opinions.items[i].opinion;
        require(opinion->stars >= 0 && opinion->stars <= PRESET_STARS);
        require(i == 0 || opinions.items[i].content >= opinions.items[i - 1].content);
    }
    app_library_opinions_free(&opinions);
}

static void try_words(struct base_span text, const struct base_diag_sink *sink,
                      const struct base_diag_list *messages)
{
    struct preset_words words;
    const bool read = preset_words_read(&words, "fuzz", text, sink) == 0;
    require(read != (messages->by_severity[BASE_ERROR] > 0));
    if (read) {
        (void)preset_words_find(&words, "A funny name, twice");
        preset_words_free(&words);
    }
}

static void try_bench(const uint8_t *data, size_t size, const struct base_diag_sink *sink,
                      const struct base_diag_list *messages)
{
    static struct app_bench bench;
    static struct app_bench_before before;
    bench = (struct app_bench){.case_count = 1, .frames = 4};
    bench.cases[0] = (struct app_bench_case){640, 480, 1};
    const int result = app_bench_read(&before, &bench, fuzz_in_file(data, size), sink);
    require((result == 0) != (messages->by_severity[BASE_ERROR] > 0));
    for (size_t i = 0; i < APP_BENCH_SERIES_MAX; i++) {
        require(isnan(before.median[i]) || before.median[i] >= 0);
    }
    require(memchr(before.set, '\0', sizeof before.set) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct base_diag_list messages;
    char folder[FOLDER];
    messages = (struct base_diag_list){.count = 0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    const uint8_t *bytes = data + 1;
    const size_t count = size - 1;
    if (size == 0) {
        return 0;
    }
    if (data[0] == 'w') {
        try_words((struct base_span){(const char *)bytes, count}, &sink, &messages);
    } else if (data[0] == 'b') {
        try_bench(bytes, count, &sink, &messages);
    } else if (data[0] == 'v') {
        make_folder(folder, "verdicts.txt", bytes, count);
        struct app_verdicts *verdicts = app_verdicts_load(folder);
        require(verdicts != NULL);
        const enum app_library_verdict verdict = app_verdicts_get(verdicts, 0x0123456789abcdef);
        require(verdict >= APP_VERDICT_UNKNOWN && verdict <= APP_VERDICT_FAILED);
        app_verdicts_free(verdicts);
        remove_folder(folder);
    } else {
        try_opinions((struct base_span){(const char *)bytes, count}, &sink, &messages);
    }
    return 0;
}
