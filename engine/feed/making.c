#include "engine/feed/making.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/os/file.h"
#include "base/os/thread.h"
#include "presets/presets.h"

static void report(const struct base_diag_sink *sink, const char *path, const char *what)
{
    base_report(sink, BASE_ERROR, (struct base_place){.file = path}, NULL, "%s", what);
}

/* ---- a preset ---- */

static char *copy(struct base_span text)
{
    char *room = malloc(text.size + 1);
    if (room != NULL) {
        memcpy(room, text.data, text.size);
        room[text.size] = '\0';
    }
    return room;
}

static bool read_text(struct engine_preset *preset, struct base_span text,
                      const struct base_diag_sink *sink)
{
    if (text.data != NULL) {
        preset->text = copy(text);
        preset->size = text.size;
        if (preset->text == NULL) {
            report(sink, preset->path, "not enough memory");
        }
        return preset->text != NULL;
    }
    /* One byte more than allowed is enough to refuse a file that is too long. */
    preset->text = base_file_read(preset->path, PRESET_FILE_MAX + 1, &preset->size, NULL);
    if (preset->text == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = preset->path}, NULL, "%s: %s",
                    errno == EINVAL ? "cannot read" : "cannot open",
                    errno == EINVAL ? "not an ordinary file" : strerror(errno));
    }
    return preset->text != NULL;
}

struct engine_preset *engine_preset_make(const struct engine_making *making, const char *path,
                                         struct base_span text, const struct base_diag_sink *sink)
{
    struct engine_preset *preset = calloc(1, sizeof *preset);
    if (preset == NULL || strlen(path) >= sizeof preset->path) {
        report(sink, path, preset == NULL ? "not enough memory" : "the path is too long");
        free(preset);
        return NULL;
    }
    preset->users = 1;
    (void)snprintf(preset->path, sizeof preset->path, "%s", path);
    if (read_text(preset, text, sink)) {
        preset->patch =
            engine_patch_load(preset->path, (struct base_span){preset->text, preset->size},
                              making->resources, preset->name, sink);
    }
    if (preset->patch == NULL) {
        engine_preset_give_back(preset);
        return NULL;
    }
    return preset;
}

void engine_preset_give_back(struct engine_preset *preset)
{
    if (preset != NULL && --preset->users == 0) {
        rend_patch_free(preset->patch);
        free(preset->text);
        free(preset);
    }
}

/* ---- with all that a show needs of it ---- */

void engine_loaded_free(const struct engine_making *making, struct engine_loaded *loaded)
{
    while (loaded != NULL) {
        struct engine_loaded *next = loaded->next;
        rend_cue_free(loaded->cue);
        engine_preset_give_back(loaded->preset);
        if (loaded->dress != NULL) {
            making->dresser.free(loaded->dress);
        }
        free(loaded);
        loaded = next;
    }
}

struct engine_loaded *
engine_loaded_make(const struct engine_making *making, struct engine_preset *preset,
                   const struct engine_choice *choice, const struct rend_moment *moment,
                   const struct rend_change *change, const struct base_diag_sink *sink)
{
    struct engine_loaded *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL) {
        report(sink, preset->path, "not enough memory");
        engine_preset_give_back(preset);
        return NULL;
    }
    *loaded = (struct engine_loaded){
        .preset = preset, .seconds = -1, .number = ENGINE_NUMBER_NONE, .soft = change->seconds > 0};
    loaded->change = *change;
    loaded->moment = *moment;
    struct rend_change ours = *change;
    ours.user = loaded;
    loaded->cue = rend_cue_create(&making->config, preset->patch, &ours, moment, sink);
    if (loaded->cue == NULL) {
        engine_loaded_free(making, loaded);
        return NULL;
    }
    if (choice != NULL) {
        loaded->seconds = choice->seconds;
        loaded->number = choice->number;
        loaded->dress = making->dresser.make != NULL
                            ? making->dresser.make(making->dresser.user, choice, preset->name)
                            : NULL;
    }
    return loaded;
}

double engine_making_step_seconds(const struct engine_making *making,
                                  const struct rend_patch *patch, double budget)
{
    enum { STEPS = 5 };
    const struct rend_config *config = &making->config;
    const struct rend_change cut = {.seconds = 0};
    const struct rend_moment beginning = {.fps = config->fps};
    const size_t pixels = (size_t)config->width * (size_t)config->height;
    struct rend_show *show = rend_show_create(config);
    uint32_t *picture = calloc(pixels, sizeof *picture);
    struct rend_cue *cue = rend_cue_create(config, patch, &cut, &beginning, NULL);
    double best = INFINITY;
    if (show != NULL && picture != NULL && cue != NULL) {
        rend_show_take(show, cue);
        cue = NULL;
        for (unsigned step = 1; step <= STEPS && (step == 1 || best < 8 * budget); step++) {
            const struct rend_input input = {
                .frame = step, .time = step / config->fps, .fps = config->fps};
            const double begun = base_clock_seconds();
            (void)rend_show_step(show, &input, picture, (size_t)config->width);
            best = fmin(best, base_clock_seconds() - begun);
        }
    }
    rend_cue_free(cue);
    rend_show_free(show);
    free(picture);
    return best;
}
