/* pictures LEVEL EVERY FILE...: hashes of pictures drawn at that level of the processor
 * (base/cpu.h): of one case in EVERY of tables of golden pictures, and of presets. A line for
 * each picture; exit code 1 if one of a table is not the one that stands there, or cannot be drawn.
 */
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

/* Returns how many pictures are wrong. */
static int draw(const struct golden_table *table, const struct golden_case *of,
                enum base_cpu_level level)
{
    struct golden_pictures pictures;
    int wrong = 0;
    if (golden_draw(table, of, of->set, level, &pictures) != 0) {
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

static int draw_preset(struct golden_table *table, const char *path, enum base_cpu_level level)
{
    const char *name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    struct golden_case one = {
        .size = {48, 36}, .mesh = {16, 12}, .sound = "demo", .frames = {1, 5}, .frame_count = 2};
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

int main(int argc, char **argv)
{
    static struct golden_table table;
    int level = 0;
    while (argc > 1 && level <= (int)base_cpu_best() &&
           strcmp(argv[1], base_cpu_level_name((enum base_cpu_level)level)) != 0) {
        level++;
    }
    const size_t every = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    if (argc < 4 || every == 0 || level > (int)base_cpu_best()) {
        (void)fprintf(stderr, "usage: pictures LEVEL EVERY TABLE.txt|PRESET.milk...\n");
        return 2;
    }
    int wrong = 0;
    for (int i = 3; i < argc; i++) {
        wrong += is_preset(argv[i])
                     ? draw_preset(&table, argv[i], (enum base_cpu_level)level)
                     : draw_table(&table, argv[i], (enum base_cpu_level)level, every);
    }
    return wrong == 0 ? 0 : 1;
}
