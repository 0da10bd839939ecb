#include "app/lab/mapper/machines.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/text_reader.h"
#include "tmu/models/arch.h"

enum { KILO = 1024, SIZE_MIN = 16, SIZE_MAX_BYTES = 8 * KILO * KILO, SHOWN_MAX = 40 };

/* Of 640 x 480 pixels of 16 bits, 25 million per second in lines of 800 and pictures of 525 lines
 * (spec/milkymist-one.md section 4). */
static const double SCAN_OUT = 2.0 * 640 * 480 * 25e6 / (800 * 525);

static const struct base_place NOWHERE = {0};

static bool has_size(const struct app_cache_bench *bench, uint32_t bytes)
{
    for (size_t i = 0; i < bench->size_count; i++) {
        if (bench->sizes[i] == bytes) {
            return true;
        }
    }
    return false;
}

/* A size that is there already is not there twice. */
static bool append_size(struct app_cache_bench *bench, uint32_t bytes)
{
    if (has_size(bench, bytes)) {
        return true;
    }
    if (bench->size_count == APP_CACHE_SIZES_MAX) {
        return false;
    }
    bench->sizes[bench->size_count++] = bytes;
    return true;
}

bool app_cache_size_add(struct app_cache_bench *bench, uint32_t bytes)
{
    const bool added = append_size(bench, bytes);
    bench->asked_count = bench->size_count;
    return added;
}

/* Digits, and a K or not. 0 for anything else and for what is out of range. */
static uint32_t read_size(struct base_span text)
{
    uint64_t value = 0;
    size_t at = 0;
    while (at < text.size && isdigit((unsigned char)text.data[at]) && value <= SIZE_MAX_BYTES) {
        value = value * 10 + (uint64_t)(text.data[at++] - '0');
    }
    if (at > 0 && at + 1 == text.size && (text.data[at] == 'K' || text.data[at] == 'k')) {
        value *= KILO;
        at++;
    }
    const bool good = at == text.size && value >= SIZE_MIN && value <= SIZE_MAX_BYTES;
    return good ? (uint32_t)value : 0;
}

int app_cache_sizes_add(struct app_cache_bench *bench, const char *text,
                        const struct base_diag_sink *sink)
{
    const char *end = text - 1;
    do {
        const char *start = end + 1;
        const struct base_span word = {start, strcspn(start, ",")};
        const uint32_t bytes = read_size(word);
        if (bytes == 0) {
            const int shown = (int)(word.size < SHOWN_MAX ? word.size : SHOWN_MAX);
            base_report(sink, BASE_ERROR, NOWHERE, "write 16 to 8192K, as 4096, 4K or 2K,4K,8K",
                        "--size: '%.*s' is not a size of a cache in bytes", shown, start);
            return -1;
        }
        if (!app_cache_size_add(bench, bytes)) {
            base_report(sink, BASE_ERROR, NOWHERE, NULL, "--size: there can be %d sizes at most",
                        APP_CACHE_SIZES_MAX);
            return -1;
        }
        end = start + word.size;
    } while (*end == ',');
    return 0;
}

void app_cache_sizes_add_usual(struct app_cache_bench *bench)
{
    for (uint32_t kilo = 2; kilo <= 128; kilo *= 2) {
        (void)append_size(bench, kilo * KILO);
    }
}

void app_cache_size_text(uint32_t bytes, char *text, size_t size)
{
    const bool whole = bytes % KILO == 0;
    (void)snprintf(text, size, "%" PRIu32 "%s", whole ? bytes / KILO : bytes, whole ? "K" : "");
}

/* "tiny" of "machines/tiny.yaml"; the text needs TMU_ARCH_NAME bytes. */
static void name_of_file(const char *path, char *name)
{
    const char *slash = strrchr(path, '/');
    const char *start = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    const size_t size = dot != NULL && dot > start ? (size_t)(dot - start) : strlen(start);
    (void)snprintf(name, TMU_ARCH_NAME, "%.*s", (int)(size < TMU_ARCH_NAME ? size : TMU_ARCH_NAME),
                   start);
}

static bool read_machine(struct tmu_arch *arch, const char *path, const struct base_diag_sink *sink)
{
    struct base_file file;
    char name[TMU_ARCH_NAME];
    if (base_file_load(&file, path, APP_TEXT_FILE_MAX, sink) != 0) {
        return false;
    }
    name_of_file(path, name);
    const bool good =
        tmu_arch_read(arch, name, path, (struct base_span){file.data, file.size}, sink);
    base_file_free(&file);
    return good;
}

int app_cache_machine_add(struct app_cache_bench *bench, const char *name, bool scan_out,
                          const struct base_diag_sink *sink)
{
    if (bench->machine_count == APP_CACHE_MACHINES_MAX) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "there can be %d machines at most",
                    APP_CACHE_MACHINES_MAX);
        return -1;
    }
    struct tmu_arch *arch = &bench->machines[bench->machine_count];
    const bool is_file = strpbrk(name, "/.") != NULL;
    if (!(is_file ? read_machine(arch, name, sink) : tmu_arch_builtin(arch, name, sink))) {
        return -1;
    }
    const bool free =
        arch->memory_kind == TMU_MEMORY_DRAM && !(arch->background_bytes_per_second > 0);
    if (scan_out && free) {
        arch->background_bytes_per_second = SCAN_OUT;
    }
    bench->machine_count++;
    return 0;
}

/* Says where a message belongs that has no place of its own. */
struct placed {
    const struct base_diag_sink *next;
    const char *file;
};

static void receive_placed(void *user, const struct base_diag *diag)
{
    const struct placed *placed = user;
    struct base_diag copy = *diag;
    copy.place.file = placed->file;
    if (placed->next != NULL) {
        placed->next->receive(placed->next->user, &copy);
    }
}

static enum app_cache_state settle(struct tmu_arch *arch, uint32_t bytes,
                                   const struct base_diag_sink *sink)
{
    if (bytes != APP_CACHE_OWN_SIZE && !tmu_arch_resize(arch, bytes)) {
        struct tmu_arch wanted = *arch;
        const char *key = NULL;
        wanted.cache_bytes = bytes;
        base_report(sink, BASE_ERROR, NOWHERE, tmu_arch_problem(&wanted, &key),
                    "machine %s cannot have this size", arch->name);
        return APP_CACHE_NO_SIZE;
    }
    return tmu_arch_check_conflicts(arch, APP_CACHE_CANVAS, APP_CACHE_CANVAS, sink)
               ? APP_CACHE_RUNS
               : APP_CACHE_CONFLICT;
}

/* Returns 0, 1 for a size that cannot be, or -1 without memory. */
static int start_model(struct app_cache_model *model, const struct tmu_arch *machine,
                       uint32_t bytes, const struct base_diag_sink *sink)
{
    char file[32] = "--size ";
    app_cache_size_text(bytes, file + strlen(file), sizeof file - strlen(file));
    struct placed placed = {sink, bytes == APP_CACHE_OWN_SIZE ? NULL : file};
    const struct base_diag_sink placing = {receive_placed, &placed};
    model->arch = *machine;
    model->state = settle(&model->arch, bytes, &placing);
    if (model->state != APP_CACHE_RUNS) {
        return 1;
    }
    model->sim = tmu_sim_create(&model->arch);
    return model->sim != NULL ? 0 : -1;
}

int app_cache_bench_start(struct app_cache_bench *bench, const struct base_diag_sink *sink)
{
    const size_t count = bench->machine_count * bench->size_count;
    int errors = 0;
    bench->models = calloc(count + 1, sizeof *bench->models);
    for (size_t i = 0; bench->models != NULL && i < count; i++) {
        const size_t size = i % bench->size_count;
        const bool asked = size < bench->asked_count;
        const int result = start_model(&bench->models[i], &bench->machines[i / bench->size_count],
                                       bench->sizes[size], asked ? sink : NULL);
        if (result < 0) {
            app_cache_bench_free(bench);
            break;
        }
        errors += asked ? result : 0;
    }
    if (bench->models == NULL) {
        base_report(sink, BASE_ERROR, NOWHERE, NULL, "not enough memory");
        return -1;
    }
    return errors;
}

void app_cache_bench_free(struct app_cache_bench *bench)
{
    const size_t count = bench->machine_count * bench->size_count;
    for (size_t i = 0; bench->models != NULL && i < count; i++) {
        if (bench->models[i].sim != NULL) {
            tmu_sim_free(bench->models[i].sim);
        }
    }
    free(bench->models);
    bench->models = NULL;
}

const struct app_cache_model *app_cache_model_of(const struct app_cache_bench *bench,
                                                 size_t machine, size_t size)
{
    return &bench->models[machine * bench->size_count + size];
}

struct feed {
    struct app_cache_bench *bench;
    const struct app_cache_runs *runs;
};

static void feed_model(void *user, size_t index)
{
    const struct feed *feed = user;
    struct tmu_sim *sim = feed->bench->models[index].sim;
    if (sim == NULL) {
        return;
    }
    const struct tmu_trace_sink sink = tmu_sim_sink(sim);
    for (size_t i = 0; i < feed->runs->count; i++) {
        const struct app_cache_run *run = &feed->runs->runs[i];
        board_mapper_trace(&run->registers, run->vertices, &sink);
    }
}

void app_cache_bench_feed(struct app_cache_bench *bench, const struct app_cache_runs *runs,
                          struct base_pool *pool)
{
    struct feed feed = {bench, runs};
    base_pool_run(pool, feed_model, &feed, bench->machine_count * bench->size_count);
}

double app_cache_hit_percent(const struct app_cache_model *model)
{
    return model->sim != NULL ? 100 * tmu_sim_report(model->sim, 0).hit_rate : NAN;
}
