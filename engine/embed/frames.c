/* Pictures of an instance, in the host's memory. */
#include <stdlib.h>
#include <string.h>

#include "base/os/file.h"
#include "base/os/thread.h"
#include "engine/embed/instance.h"
#include "engine/picture.h"
#include "renderer/save.h"

static const double FRAMES_MAX = 1e9;

size_t froth_format_bytes(int format)
{
    return format >= 0 && format < ENGINE_FORMATS ? engine_format_bytes((enum engine_format)format)
                                                  : 0;
}

static bool is_good(const struct froth_picture *picture)
{
    return picture != NULL && picture->pixels != NULL && picture->width >= REND_SIZE_MIN &&
           picture->width <= REND_SIZE_MAX && picture->height >= REND_SIZE_MIN &&
           picture->height <= REND_SIZE_MAX && froth_format_bytes(picture->format) > 0 &&
           picture->stride >= (size_t)picture->width * froth_format_bytes(picture->format) &&
           picture->stride <= SIZE_MAX / REND_SIZE_MAX;
}

static unsigned char *row_of(const struct froth_picture *picture, int y)
{
    return (unsigned char *)picture->pixels + (size_t)y * picture->stride;
}

/* The picture is such that a step can be drawn into it. */
static bool is_plain(const struct froth_picture *picture)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, sizeof first);
    return first == 1 && picture->format == FROTH_BGRX && picture->stride % sizeof(uint32_t) == 0 &&
           (uintptr_t)picture->pixels % _Alignof(uint32_t) == 0;
}

/* Seconds of one thread with AVX2. */
static double estimate_of(const froth *show, const struct engine_loaded *loaded)
{
    const double pixels = (double)show->config.width * show->config.height;
    return pixels * rend_patch_pixel_seconds(loaded->preset->patch);
}

void instance_take(froth *show, struct engine_loaded *loaded, bool again)
{
    const struct engine_loaded *former = show->current;
    const bool beside =
        loaded->soft && former != NULL && !rend_show_changes(engine_show(show->engine));
    const bool shaded = rend_patch_has_shaders(loaded->preset->patch);
    engine_take(show->engine, loaded->cue, loaded->seconds, again);
    instance_took(show, loaded);
    if (again) {
        show->governor.running.shaded = shaded;
    } else if (show->adaptive) {
        const bool listed = loaded->number != ENGINE_NUMBER_NONE;
        engine_governor_change(&show->governor,
                               listed ? loaded->number
                                      : (uint32_t)rend_patch_content(loaded->preset->patch),
                               shaded, beside, estimate_of(show, loaded));
        instance_set_divisors(show);
    }
    if (show->extras.took != NULL) {
        show->extras.took(show->extras.user, loaded, again);
    }
    instance_retire(show);
}

/* Takes the newest preset, but for one that waits for the beat; a newer one takes its place. */
static void take_newest(froth *show)
{
    struct engine_loaded *newest = engine_loader_take(show->loader);
    if (newest != NULL) {
        instance_drop_waiting(show);
        show->waiting = newest;
    }
    struct engine_loaded *loaded = show->waiting;
    const struct engine_loaded *former = show->current;
    const bool again =
        loaded != NULL && loaded->again && former != NULL && former->number == loaded->number;
    if (loaded != NULL && (former == NULL || again || !engine_waits(show->engine))) {
        show->waiting = NULL;
        instance_take(show, loaded, again);
    }
}

int instance_resize(froth *show, int width, int height)
{
    if (show->waiting != NULL) { /* for the beat, which a picture of another size does not */
        struct engine_loaded *loaded = show->waiting;
        show->waiting = NULL;
        instance_take(show, loaded, false);
    }
    struct rend_config config = show->config;
    config.width = width;
    config.height = height;
    uint32_t *kept = calloc((size_t)width * (size_t)height, sizeof *kept);
    bool failed = kept == NULL;
    struct engine_loaded *loaded =
        failed ? NULL : engine_loader_resize(show->loader, &config, show->current, &failed);
    if (!failed &&
        !engine_resize(show->engine, width, height, loaded != NULL ? loaded->cue : NULL)) {
        if (loaded != NULL) {
            engine_loader_retire(show->loader, loaded);
        }
        loaded = engine_loader_resize(show->loader, &show->config, show->current, &failed);
        if (loaded != NULL) {
            engine_loader_retire(show->loader, loaded);
        }
        failed = true;
    }
    if (failed) {
        free(kept);
        return FROTH_NO_MEMORY;
    }
    free(show->kept);
    show->kept = kept;
    show->lost = true;
    show->config = config;
    show->current = NULL;
    if (loaded != NULL) {
        instance_took(show, loaded);
    }
    instance_retire(show);
    return FROTH_OK;
}

struct engine_loaded *instance_make(froth *show, const char *path, struct base_span text,
                                    const struct rend_change *change,
                                    const struct rend_moment *moment)
{
    const struct rend_moment now = rend_show_moment(engine_show(show->engine));
    engine_loader_tell(show->loader, &now);
    return engine_loader_remake(show->loader, NULL, path, text, change, moment);
}

/* Computes shaders more coarsely before frames come late, and finer where there is time. While one
 * preset gives way to the next, both take the time. */
static void adapt(froth *show, double seconds, bool both)
{
    const bool ends = show->governor.both && !both;
    if (!engine_governor_step(&show->governor, seconds, both)) {
        return;
    }
    instance_set_divisors(show);
    if (!ends && show->extras.adapted != NULL) {
        show->extras.adapted(show->extras.user, engine_governor_divisors[show->governor.level]);
    }
}

static void draw(froth *show, uint64_t frame, const struct froth_picture *picture)
{
    const bool blackout = engine_state(show->engine)->blackout;
    const size_t width = (size_t)picture->width;
    if (show->extras.in_place) {
        (void)engine_frame(show->engine, frame, picture->pixels,
                           picture->stride / sizeof(uint32_t));
        return;
    }
    if (show->direct && is_plain(picture) && !blackout && engine_draws(show->engine, frame)) {
        (void)engine_frame(show->engine, frame, picture->pixels,
                           picture->stride / sizeof(uint32_t));
        show->lost = true;
        return;
    }
    if (show->lost && !engine_draws(show->engine, frame)) {
        engine_step_more(show->engine);
    }
    (void)engine_frame(show->engine, frame, show->kept, width);
    show->lost = false;
    for (int y = 0; y < picture->height; y++) {
        unsigned char *row = row_of(picture, y);
        if (blackout) {
            memset(row, 0, width * froth_format_bytes(picture->format));
        } else {
            engine_format_write((enum engine_format)picture->format, row,
                                show->kept + (size_t)y * width, width);
        }
    }
}

static int render(froth *show, uint64_t frame, const struct froth_picture *picture)
{
    if (picture->width != show->config.width || picture->height != show->config.height) {
        const int result = instance_resize(show, picture->width, picture->height);
        if (result != FROTH_OK) {
            return result;
        }
    }
    engine_reach(show->engine, engine_rate_seconds(show->rate, frame));
    take_newest(show);
    engine_advance(show->engine);
    const double begun = show->adaptive ? base_clock_seconds() : 0;
    const bool changed = rend_show_changes(engine_show(show->engine));
    show->made = 0;
    draw(show, frame, picture);
    engine_device_watch(show->device, &show->sink);
    if (show->adaptive && show->made > 0) {
        adapt(show, base_clock_seconds() - begun,
              changed || rend_show_changes(engine_show(show->engine)));
    }
    const struct rend_moment moment = rend_show_moment(engine_show(show->engine));
    engine_loader_tell(show->loader, &moment);
    return FROTH_OK;
}

static bool may_render(const froth *show, const struct froth_picture *picture)
{
    return show != NULL && is_good(picture) && (!show->extras.in_place || is_plain(picture));
}

int froth_render(froth *show, const struct froth_picture *picture)
{
    if (!may_render(show, picture)) {
        return FROTH_BAD_ARGUMENT;
    }
    return render(show, froth_frame(show) + 1, picture);
}

int froth_render_at(froth *show, double seconds, const struct froth_picture *picture)
{
    static const double rounding = 1e-9; /* frames */
    if (!may_render(show, picture)) {
        return FROTH_BAD_ARGUMENT;
    }
    const double passed = seconds * engine_rate_value(show->rate);
    if (!(passed >= 0 && passed <= FRAMES_MAX)) {
        return FROTH_BAD_ARGUMENT;
    }
    const uint64_t last = froth_frame(show);
    const uint64_t frame = 1 + (uint64_t)(passed + rounding);
    return render(show, frame > last ? frame : last > 0 ? last : 1, picture);
}

uint64_t froth_frame(const froth *show)
{
    return show != NULL ? engine_state(show->engine)->frame : 0;
}

unsigned froth_events(froth *show)
{
    if (show == NULL) {
        return 0;
    }
    const unsigned events = show->events;
    show->events = 0;
    return events;
}

uint64_t froth_picture_hash(const struct froth_picture *picture)
{
    if (!is_good(picture) || picture->format == FROTH_RGB565) {
        return 0;
    }
    const size_t width = (size_t)picture->width;
    uint32_t *pixels = malloc(width * (sizeof *pixels + 3));
    if (pixels == NULL) {
        return 0;
    }
    struct base_content_stream all;
    base_content_stream_begin(&all);
    for (int y = 0; y < picture->height; y++) {
        engine_format_read((enum engine_format)picture->format, pixels, row_of(picture, y), width);
        (void)engine_picture_hash(pixels, picture->width, 1, (unsigned char *)(pixels + width),
                                  &all);
    }
    free(pixels);
    return base_content_stream_hash(&all);
}
