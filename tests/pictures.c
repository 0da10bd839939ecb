/* pictures LEVEL [--every N] [--size WxH] [--frames N,N...] FILE...: hashes of pictures drawn at
 * that level of the processor (base/cpu.h): of one case in N of tables of golden pictures, and of
 * presets, which are drawn with the size and up to four frames that are given. A line for each
 * picture; exit code 1 if one of a table is not the one that stands there, or cannot be drawn.
 * pictures --levels: the levels of this processor, a line each. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio_source.h"
#include "golden/golden.h"

/* Only built-in sounds are heard here. */
struct app_audio *app_audio_open_file(const char *path, const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = path}, "give demo or test",
                "no sound of this name");
    return NULL;
}

struct app_audio *app_audio_open_parts(const char *folder, const struct base_diag_sink *sink)
{
    return app_audio_open_file(folder, sink);
}

struct app_audio *app_audio_open_list(const char *list, const struct base_diag_sink *sink)
{
    return app_audio_open_parts(list, sink);
}

bool app_audio_is_list(const char *name)
{
    (void)name;
    return false;
}

/* Returns how many pictures are wrong. */
static int draw(const struct golden_table *table, const struct golden_case *of,
                enum base_cpu_level level)
{
    struct golden_pictures pictures;
    int wrong = 0;
    if (golden_draw(table, of, of->set, level, NULL, &pictures) != 0) {
        (void)fprintf(stderr, "%s: cannot be drawn\n", of->name);
        return 1;
    }
    for (size_t i = 0; i < of->frame_count; i++) {
        printf("%s %s %u %016" PRIx64 "\n", table->name, of->name, of->frames[i],
               pictures.hashes[i]);
        if (i < of->hash_count && of->hashes[i] != pictures.hashes[i]) {
            (void)fprintf(stderr, "%s %s: frame %u is another one\n", table->name, of->name,
                          of->frames[i]);
            wrong++;
        }
    }
    golden_pictures_free(&pictures);
    return wrong;
}

static int draw_table(struct golden_table *table, const char *path, enum base_cpu_level level,
                      size_t every)
{
    int wrong = 0;
    if (golden_table_read(table, path) != 0) {
        return 1;
    }
    for (size_t i = 0; i < table->count; i += every) {
        wrong += draw(table, &table->cases[i], level);
    }
    return wrong;
}

static int draw_preset(struct golden_table *table, const char *path, enum base_cpu_level level,
                       struct golden_case one)
{
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    const int length = (int)(strlen(name) - strlen(".milk"));
    *table = (struct golden_table){.name = "preset"};
    (void)snprintf(table->folder, sizeof table->folder, "%.*s", (int)(name - path), path);
    if (table->folder[0] == '\0') {
        (void)snprintf(table->folder, sizeof table->folder, ".");
    }
    (void)snprintf(one.name, sizeof one.name, "%.*s", length, name);
    (void)snprintf(one.preset, sizeof one.preset, "%.*s", length, name);
    return draw(table, &one, level);
}

static bool is_preset(const char *path)
{
    const size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".milk") == 0;
}

/* What the command line says. */
struct wish {
    enum base_cpu_level level;
    size_t every;
    struct golden_case preset; /* as which presets are drawn */
    int files;                 /* the first argument that is one */
};

static bool read_level(const char *name, enum base_cpu_level *level)
{
    for (int i = 0; i <= (int)base_cpu_best(); i++) {
        if (strcmp(name, base_cpu_level_name((enum base_cpu_level)i)) == 0) {
            *level = (enum base_cpu_level)i;
            return true;
        }
    }
    return false;
}

static bool read_frames(const char *text, struct golden_case *of)
{
    char *end = NULL;
    of->frame_count = 0;
    do {
        const unsigned long frame = strtoul(text, &end, 10);
        const unsigned before = of->frame_count > 0 ? of->frames[of->frame_count - 1] : 0;
        if (of->frame_count == GOLDEN_FRAMES_MAX || frame <= before || frame > 100000) {
            return false;
        }
        of->frames[of->frame_count++] = (unsigned)frame;
        text = end + 1;
    } while (*end == ',');
    return *end == '\0';
}

static bool read_size(const char *text, struct golden_pair *size)
{
    char *end = NULL;
    const long width = strtol(text, &end, 10);
    const long height = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    *size = (struct golden_pair){(int)width, (int)height};
    return *end == '\0' && width >= REND_SIZE_MIN && width <= REND_SIZE_MAX &&
           height >= REND_SIZE_MIN && height <= REND_SIZE_MAX;
}

static bool read_wish(int argc, char **argv, struct wish *wish)
{
    bool good = argc > 2 && read_level(argv[1], &wish->level);
    int i = 2;
    for (; good && i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--every") == 0) {
            wish->every = strtoul(argv[i + 1], NULL, 10);
            good = wish->every > 0;
        } else if (strcmp(argv[i], "--size") == 0) {
            good = read_size(argv[i + 1], &wish->preset.size);
        } else {
            good = strcmp(argv[i], "--frames") == 0 && read_frames(argv[i + 1], &wish->preset);
        }
    }
    wish->files = i;
    return good && i < argc;
}

int main(int argc, char **argv)
{
    static struct golden_table table;
    struct wish wish = {.every = 1,
                        .preset = {.size = {48, 36},
                                   .mesh = {16, 12},
                                   .sound = "demo",
                                   .frames = {1, 5},
                                   .frame_count = 2,
                                   .lenient = true}};
    if (argc == 2 && strcmp(argv[1], "--levels") == 0) {
        for (int i = 0; i <= (int)base_cpu_best(); i++) {
            puts(base_cpu_level_name((enum base_cpu_level)i));
        }
        return 0;
    }
    if (!read_wish(argc, argv, &wish)) {
        (void)fprintf(stderr, "usage: pictures LEVEL [--every N] [--size WxH] [--frames N,N...] "
                              "TABLE.txt|PRESET.milk...\n       pictures --levels\n");
        return 2;
    }
    int wrong = 0;
    for (int i = wish.files; i < argc; i++) {
        wrong += is_preset(argv[i]) ? draw_preset(&table, argv[i], wish.level, wish.preset)
                                    : draw_table(&table, argv[i], wish.level, wish.every);
    }
    return wrong == 0 ? 0 : 1;
}
