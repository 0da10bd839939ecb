/* Rendering a case. */
#include "../heard.h"
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/io/picture.h"
#include "engine/picture.h"
#include "base/os/print.h"
#include "base/random.h"
#include "presets/presets.h"

enum { NEXT_FRAME = 4, NEXT_FRAMES = 30 };
enum { TEXT_MAX = 512 * 1024 };

struct stage {
    struct rend_patch *patch;
    struct rend_patch *next; /* NULL: nothing follows */
    struct rend_show *show;
    struct app_audio *audio;
    uint32_t *pixels;
    unsigned char *row;
    struct rend_config config;
};

static void append_lines(char *text, const char *set)
{
    size_t used = strlen(text);
    for (; *set != '\0' && used + 2 < TEXT_MAX; set++) {
        text[used++] = *set == '|' ? '\n' : *set;
    }
    text[used++] = '\n';
    text[used] = '\0';
}

/* The preset with the lines of `set` behind its first one: of two lines for the same, the first
 * applies. Returns the size, 0 with a message. */
static size_t read_text(const char *path, const char *set, char text[static TEXT_MAX])
{
    FILE *file = fopen(path, "r");
    size_t used = 0;
    if (file != NULL && fgets(text, TEXT_MAX / 4, file) != NULL) {
        append_lines(text, set);
        used = strlen(text);
        used += fread(text + used, 1, TEXT_MAX - used, file);
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    if (used == 0 || used == TEXT_MAX) {
        (void)fprintf(stderr, "%s: error: cannot be read\n", path);
        return 0;
    }
    return used;
}

/* NULL, with messages, if there is anything to complain of, or, if that does not matter, no
 * memory. */
static struct rend_patch *compile(const struct golden_case *of, const struct preset *preset)
{
    struct base_diag_list messages = {0};
    const struct base_diag_sink sink = base_diag_list_sink(&messages);
    struct rend_patch *patch = rend_patch_create(preset, NULL, &sink);
    for (size_t i = 0; !of->lenient && i < messages.count; i++) {
        char line[512];
        (void)base_diag_format(&messages.items[i], line, sizeof line);
        (void)fprintf(stderr, "%s: %s\n", of->name, line);
    }
    if (!of->lenient && messages.count > 0) {
        rend_patch_free(patch);
        return NULL;
    }
    return patch;
}

static struct rend_patch *load(const struct golden_table *table, const struct golden_case *of,
                               const char *name, const char *set)
{
    char path[GOLDEN_PATH_MAX + 80];
    char text[TEXT_MAX] = "";
    struct preset preset;
    (void)snprintf(path, sizeof path, "%s/%s.milk", table->folder, name);
    const size_t size = read_text(path, set, text);
    if (size == 0) {
        return NULL;
    }
    if (preset_read(&preset, path, text, size, NULL) != 0) {
        (void)fprintf(stderr, "%s: error: no preset\n", path);
        return NULL;
    }
    struct rend_patch *patch = compile(of, &preset);
    preset_free(&preset);
    return patch;
}

static bool take(struct stage *stage, const struct rend_patch *patch, struct rend_change change)
{
    const struct rend_moment moment = rend_show_moment(stage->show);
    struct rend_cue *cue =
        rend_cue_create(&stage->config, patch, &change, &moment, &base_diag_stderr);
    if (cue != NULL) {
        rend_show_take(stage->show, cue);
    }
    return cue != NULL;
}

static bool set_up(struct stage *stage, const struct golden_table *table,
                   const struct golden_case *of, const char *set, enum base_cpu_level cpu,
                   const struct rend_device *device)
{
    const struct rend_config config = {
        .width = of->size.width,
        .height = of->size.height,
        .mesh_x = of->mesh.width,
        .mesh_y = of->mesh.height,
        .fps = HEARD_FPS,
        .cpu = cpu,
        .device = device,
    };
    const size_t pixels = (size_t)of->size.width * (size_t)of->size.height;
    if ((stage->patch = load(table, of, of->preset, set)) == NULL ||
        (of->next[0] != '\0' && (stage->next = load(table, of, of->next, "")) == NULL) ||
        (stage->show = rend_show_create(&config)) == NULL ||
        (stage->audio = app_audio_open(of->sound, &base_diag_stderr)) == NULL ||
        (stage->row = malloc(3 * (size_t)of->size.width)) == NULL ||
        (stage->pixels = calloc(pixels, sizeof *stage->pixels)) == NULL) {
        return false;
    }
    stage->config = config;
    return take(stage, stage->patch, (struct rend_change){.seed = 0});
}

static void tear_down(struct stage *stage)
{
    free(stage->pixels);
    free(stage->row);
    app_audio_close(stage->audio);
    rend_show_free(stage->show);
    rend_patch_free(stage->next);
    rend_patch_free(stage->patch);
}

static void step(struct stage *stage, const struct golden_case *of, unsigned frame)
{
    float sound[2 * HEARD_SAMPLES];
    const struct rend_input input = heard_input(stage->audio, frame, sound);
    if (frame == NEXT_FRAME && stage->next != NULL) {
        (void)take(stage, stage->next,
                   (struct rend_change){of->way, (double)NEXT_FRAMES / HEARD_FPS, 1, 0, NULL});
    }
    (void)rend_show_step(stage->show, &input, stage->pixels, (size_t)of->size.width);
}

static bool keep(struct stage *stage, const struct golden_case *of, size_t index,
                 struct golden_pictures *pictures)
{
    const size_t bytes = (size_t)of->size.width * (size_t)of->size.height * sizeof(uint32_t);
    pictures->pixels[index] = malloc(bytes);
    if (pictures->pixels[index] == NULL) {
        return false;
    }
    memcpy(pictures->pixels[index], stage->pixels, bytes);
    pictures->hashes[index] =
        engine_picture_hash(stage->pixels, of->size.width, of->size.height, stage->row, NULL);
    return true;
}

int golden_draw(const struct golden_table *table, const struct golden_case *of, const char *set,
                enum base_cpu_level cpu, const struct rend_device *device,
                struct golden_pictures *pictures)
{
    struct stage stage = {0};
    *pictures = (struct golden_pictures){0};
    bool good = set_up(&stage, table, of, set, cpu, device);
    unsigned frame = 0;
    for (size_t i = 0; good && i < of->frame_count; i++) {
        while (frame < of->frames[i]) {
            step(&stage, of, ++frame);
        }
        good = keep(&stage, of, i, pictures);
    }
    tear_down(&stage);
    if (!good) {
        golden_pictures_free(pictures);
    }
    return good ? 0 : -1;
}

void golden_pictures_free(struct golden_pictures *pictures)
{
    for (size_t i = 0; i < GOLDEN_FRAMES_MAX; i++) {
        free(pictures->pixels[i]);
        pictures->pixels[i] = NULL;
    }
}
