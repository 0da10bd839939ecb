/* golden [--out FOLDER] [--few] [--device] TABLE.txt ...: draws all cases of the tables and
 * compares; exit code 1 if any differs, with pictures of those in the folder. --few: what is drawn
 * in another way too, in plain C or with equations, is drawn up to the last frame but one, which
 * under sanitizers is most of the time. --device: the first graphics processor draws, which may be
 * one of software, and nothing is drawn in another way; exit code 77 without one. golden --accept
 * TABLE.txt ...: takes what is drawn now as right: writes hashes and sheets. golden --keys
 * TABLE.txt: every key of a .milk file has a case. */
#include "golden.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gpu/gpu.h"
#include "presets/milk/preset.h"

struct run {
    const char *out; /* folder for pictures of failures */
    bool accept;
    bool few;        /* frames but the last one when a case is drawn in another way */
    struct gpu *gpu; /* NULL: the processor draws */
    size_t failed;
    struct golden_table *table;
    struct golden_pictures *pictures; /* of the cases, at the best level */
    struct golden_image sheet;        /* that stands beside the table */
};

static void fail(struct run *run, const struct golden_case *of, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void fail(struct run *run, const struct golden_case *of, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    run->failed++;
    (void)printf("%s:%u: %s: ", run->table->path, of->line, of->name);
    (void)vprintf(format, arguments);
    (void)putchar('\n');
    va_end(arguments);
}

static size_t pixels_of(const struct golden_case *of)
{
    return (size_t)of->size.width * (size_t)of->size.height;
}

static size_t last_of(const struct golden_case *of)
{
    return of->frame_count - 1;
}

static bool same(const struct golden_case *of, const uint32_t *a, const uint32_t *b)
{
    return memcmp(a, b, pixels_of(of) * sizeof *a) == 0;
}

static const struct golden_pictures *pictures_of(const struct run *run,
                                                 const struct golden_case *of)
{
    return &run->pictures[of - run->table->cases];
}

/* TABLE.txt -> TABLE.png */
static void sheet_path(const struct golden_table *table, char path[GOLDEN_PATH_MAX])
{
    (void)snprintf(path, GOLDEN_PATH_MAX, "%s", table->path);
    char *dot = strrchr(path, '.');
    if (dot != NULL && strlen(dot) >= 4) {
        (void)strcpy(dot, ".png");
    }
}

static void write_picture(const struct run *run, const struct golden_case *of, const char *what,
                          const uint32_t *pixels)
{
    char path[GOLDEN_PATH_MAX];
    (void)mkdir(run->out, 0777);
    (void)snprintf(path, sizeof path, "%s/%s.%s.%s.png", run->out, run->table->name, of->name,
                   what);
    (void)golden_png_write(path, pixels, of->size.width, of->size.height);
}

/* Writes the new picture, and the difference to the old one where there is one. */
static void show(struct run *run, const struct golden_case *of, const uint32_t *new,
                 const uint32_t *old)
{
    write_picture(run, of, "new", new);
    uint32_t *out = malloc(pixels_of(of) * sizeof *out);
    if (old != NULL && out != NULL) {
        const struct golden_difference found = golden_difference(old, new, pixels_of(of), out);
        (void)printf("    %zu of %zu pixels differ, by up to %d of 255\n", found.pixels,
                     pixels_of(of), found.largest);
        write_picture(run, of, "old", old);
        write_picture(run, of, "difference", out);
    }
    (void)printf("    look at %s/%s.%s.*.png\n", run->out, run->table->name, of->name);
    free(out);
}

/* The picture on the sheet, NULL if the sheet does not reach there; to be freed. */
static uint32_t *old_picture(const struct run *run, const struct golden_case *of)
{
    const size_t index = (size_t)(of - run->table->cases);
    uint32_t *old = malloc(pixels_of(of) * sizeof *old);
    if (old == NULL || run->sheet.pixels == NULL ||
        !golden_cut(&run->sheet, golden_sheet_place(run->table, index), of->size, old)) {
        free(old);
        return NULL;
    }
    return old;
}

/* Reports the first frame that differs, and shows the last one, of which the sheet has the old
 * picture, if that differs too. */
static void report_hash(struct run *run, const struct golden_case *of, size_t first,
                        const uint32_t *old)
{
    const struct golden_pictures *pictures = pictures_of(run, of);
    const size_t last = last_of(of);
    fail(run, of, "frame %u: the picture is %016" PRIx64 ", not %016" PRIx64, of->frames[first],
         pictures->hashes[first], of->hashes[first]);
    if (of->hashes[last] != pictures->hashes[last]) {
        show(run, of, pictures->pixels[last], old);
    } else {
        show(run, of, pictures->pixels[first], NULL);
    }
}

static void check_hashes(struct run *run, const struct golden_case *of)
{
    const struct golden_pictures *pictures = pictures_of(run, of);
    if (of->hash_count != of->frame_count) {
        fail(run, of, "%zu hashes for %zu frames", of->hash_count, of->frame_count);
        return;
    }
    uint32_t *old = old_picture(run, of);
    size_t first = 0;
    while (first < of->frame_count && of->hashes[first] == pictures->hashes[first]) {
        first++;
    }
    if (first < of->frame_count) {
        report_hash(run, of, first, old);
    } else if (old == NULL || !same(of, old, pictures->pixels[last_of(of)])) {
        fail(run, of, "the sheet shows something else");
    }
    free(old);
}

static bool is_flat(const struct golden_case *of, const uint32_t *pixels)
{
    size_t i = 1;
    while (i < pixels_of(of) && pixels[i] == pixels[0]) {
        i++;
    }
    return i == pixels_of(of);
}

static void check_against(struct run *run, const struct golden_case *of)
{
    const uint32_t *pixels = pictures_of(run, of)->pixels[last_of(of)];
    const bool flat = strcmp(of->against, "flat") == 0;
    if (is_flat(of, pixels) != flat) {
        fail(run, of, "%s", flat ? "the picture is not flat" : "the picture has one colour only");
    }
    if (flat || of->against[0] == '\0') {
        return;
    }
    const struct golden_case *other = golden_find(run->table, of->against + 1);
    if (other == NULL || pixels_of(other) != pixels_of(of)) {
        fail(run, of, "there is no such case, or of another size: %s", of->against);
        return;
    }
    const bool equal = same(of, pixels, pictures_of(run, other)->pixels[last_of(other)]);
    if (equal != (of->against[0] == '=')) {
        fail(run, of, "the picture is %s that of %s", equal ? "just" : "not", of->against + 1);
    }
}

/* Draws the case in another way, which must show the same. */
static void check_way(struct run *run, const struct golden_case *of, const char *set,
                      enum base_cpu_level cpu, const char *what)
{
    const struct golden_pictures *pictures = pictures_of(run, of);
    struct golden_pictures others;
    struct golden_case way = *of;
    way.frame_count -= run->few && way.frame_count > 1;
    if (golden_draw(run->table, &way, set, cpu, NULL, &others) != 0) {
        fail(run, of, "%s cannot be drawn", what);
        return;
    }
    for (size_t i = 0; i < way.frame_count; i++) {
        if (!same(of, pictures->pixels[i], others.pixels[i])) {
            fail(run, of, "frame %u: %s looks different", of->frames[i], what);
            show(run, of, others.pixels[i], pictures->pixels[i]);
            break;
        }
    }
    golden_pictures_free(&others);
}

/* The row that the first line of `set` is about, NULL if it is about none; its index is that of the
 * wave or shape, value stands behind the =. */
static const struct preset_key *key_of(const char *set, size_t *index, const char **value)
{
    const size_t size = strcspn(set, "=|");
    for (size_t i = 0; set[size] == '=' && i < PRESET_KEY_ROWS; i++) {
        for (*index = 0; *index < preset_group_count(preset_keys[i].group); ++*index) {
            char name[PRESET_NAME_MAX];
            preset_key_name(&preset_keys[i], *index, name);
            if (strlen(name) == size && memcmp(name, set, size) == 0) {
                *value = set + size + 1;
                return &preset_keys[i];
            }
        }
    }
    return NULL;
}

/* "zoom=1.1|rest" -> "per_frame_1=zoom=1.1;|rest" */
static bool in_equations(const char *set, char *out, size_t size)
{
    size_t index = 0;
    const char *value = NULL;
    const struct preset_key *key = key_of(set, &index, &value);
    if (key == NULL || key->variable[0] == '\0') {
        return false;
    }
    char block[64] = "per_frame_";
    if (key->group != PRESET_GROUP_PRESET) {
        (void)snprintf(block, sizeof block, "%s_%zu_per_frame",
                       key->group == PRESET_GROUP_WAVE ? "wave" : "shape", index);
    }
    const size_t length = strcspn(value, "|");
    const int used = snprintf(out, size, "%s1=%s=%.*s;%s", block, key->variable, (int)length, value,
                              value + length);
    return used > 0 && (size_t)used < size;
}

static void check_ways(struct run *run, const struct golden_case *of)
{
    char set[GOLDEN_WORD_MAX + 100];
    check_way(run, of, of->set, BASE_CPU_PLAIN, "in plain C it");
    if (of->equation && !in_equations(of->set, set, sizeof set)) {
        fail(run, of, "cannot be said in equations");
    } else if (of->equation) {
        check_way(run, of, set, base_cpu_best(), "said in equations it");
    }
}

static int draw_all(struct run *run)
{
    const struct rend_device *device = run->gpu != NULL ? gpu_stages(run->gpu) : NULL;
    for (size_t i = 0; i < run->table->count; i++) {
        const struct golden_case *of = &run->table->cases[i];
        if (golden_draw(run->table, of, of->set, base_cpu_best(), device, &run->pictures[i]) != 0) {
            fail(run, of, "cannot be drawn");
            return -1;
        }
    }
    return 0;
}

static void compare_table(struct run *run)
{
    char path[GOLDEN_PATH_MAX];
    sheet_path(run->table, path);
    (void)golden_png_read(path, &run->sheet);
    for (size_t i = 0; i < run->table->count; i++) {
        const struct golden_case *of = &run->table->cases[i];
        check_hashes(run, of);
        check_against(run, of);
        if (run->gpu == NULL) {
            check_ways(run, of);
        }
    }
    free(run->sheet.pixels);
}

static int write_sheet(const struct run *run)
{
    char path[GOLDEN_PATH_MAX];
    const struct golden_table *table = run->table;
    const struct golden_pair size = golden_sheet_size(table);
    uint32_t *pixels = calloc((size_t)size.width * (size_t)size.height, sizeof *pixels);
    for (size_t i = 0; pixels != NULL && i < table->count; i++) {
        const struct golden_case *of = &table->cases[i];
        const struct golden_pair place = golden_sheet_place(table, i);
        const uint32_t *from = run->pictures[i].pixels[last_of(of)];
        for (int y = 0; y < of->size.height; y++) {
            memcpy(pixels + (size_t)(place.height + y) * (size_t)size.width + place.width,
                   from + (size_t)y * (size_t)of->size.width,
                   (size_t)of->size.width * sizeof *pixels);
        }
    }
    sheet_path(table, path);
    const int result =
        pixels != NULL ? golden_png_write(path, pixels, size.width, size.height) : -1;
    free(pixels);
    return result;
}

static int accept_table(struct run *run)
{
    static uint64_t hashes[GOLDEN_CASES_MAX][GOLDEN_FRAMES_MAX];
    for (size_t i = 0; i < run->table->count; i++) {
        const struct golden_case *of = &run->table->cases[i];
        const bool changed =
            of->hash_count != of->frame_count ||
            memcmp(of->hashes, run->pictures[i].hashes, of->frame_count * sizeof(uint64_t)) != 0;
        memcpy(hashes[i], run->pictures[i].hashes, sizeof hashes[i]);
        if (changed) {
            (void)printf("%s: accepted\n", of->name);
        }
    }
    return golden_table_write(run->table, hashes) == 0 ? write_sheet(run) : -1;
}

static void run_table(struct run *run, const char *path)
{
    const size_t before = run->failed;
    if (golden_table_read(run->table, path) != 0) {
        run->failed++;
        return;
    }
    if (draw_all(run) == 0) {
        if (run->accept) {
            run->failed += accept_table(run) != 0;
        } else {
            compare_table(run);
        }
    }
    for (size_t i = 0; i < run->table->count; i++) {
        golden_pictures_free(&run->pictures[i]);
    }
    (void)printf("%s: %zu cases, %zu findings\n", path, run->table->count, run->failed - before);
    if (run->gpu != NULL) {
        const unsigned long long ran = gpu_account(run->gpu).ran;
        (void)printf("%llu stages were drawn by the device so far\n", ran);
        run->failed += ran == 0;
    }
    if (run->failed > before && !run->accept) {
        (void)printf("if the change is meant: tests/golden/rebaseline\n");
    }
}

static bool is_set(const struct golden_table *table, const char *name, const struct preset_key *key)
{
    for (size_t i = 0; i < table->count; i++) {
        const char *set = table->cases[i].set;
        if (strncmp(set, name, strlen(name)) == 0 && set[strlen(name)] == '=' &&
            (key == NULL || strtod(set + strlen(name) + 1, NULL) != key->fallback)) {
            return true;
        }
    }
    return false;
}

/* Wave 0 and shape 0 stand for all. */
static size_t check_keys(const struct golden_table *table)
{
    char name[PRESET_NAME_MAX];
    size_t missing = 0;
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        preset_key_name(&preset_keys[i], 0, name);
        if (!is_set(table, name, &preset_keys[i])) {
            missing++;
            (void)printf("%s: no case sets %s to another value\n", table->path, name);
        }
    }
    for (size_t i = 0; i < PRESET_BLOCK_ROWS; i++) {
        preset_block_name(&preset_blocks[i], 0, name);
        (void)strcat(name, "1");
        if (!preset_blocks[i].shader && !is_set(table, name, NULL)) {
            missing++;
            (void)printf("%s: no case sets %s\n", table->path, name);
        }
    }
    (void)printf("%s: %zu keys without a case\n", table->path, missing);
    return missing;
}

static struct gpu *open_gpu(void)
{
    struct gpu_about about[GPU_DEVICES_MAX];
    return gpu_list(about) > 0 ? gpu_create(about[0].key) : NULL;
}

int main(int argc, char **argv)
{
    static struct golden_table table;
    static struct golden_pictures pictures[GOLDEN_CASES_MAX];
    struct run run = {.out = "golden", .table = &table, .pictures = pictures};
    bool keys = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
            run.out = argv[++i];
        } else if (strcmp(argv[i], "--accept") == 0) {
            run.accept = true;
        } else if (strcmp(argv[i], "--few") == 0) {
            run.few = true;
        } else if (strcmp(argv[i], "--device") == 0) {
            run.gpu = open_gpu();
            if (run.gpu == NULL) {
                (void)printf("there is no device: skipped\n");
                return 77;
            }
        } else if (strcmp(argv[i], "--keys") == 0) {
            keys = true;
        } else if (keys) {
            run.failed += golden_table_read(&table, argv[i]) != 0 || check_keys(&table) > 0;
        } else {
            run_table(&run, argv[i]);
        }
    }
    gpu_free(run.gpu);
    return run.failed == 0 ? 0 : 1;
}
