#include "renderer/show.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/offload.h"
#include "renderer/save.h"
#include "renderer/stages.h"

enum { ROW_BAND_ROWS = 32, RETIRED_MAX = 6 };

struct rend_cue {
    struct rend *rend;
    struct rend_way way;
    uint16_t *when;
    struct rend_change change; /* what it was made from */
    bool goes_on;              /* it has run in a show of another size */
};

struct rend_show {
    struct rend_config config;
    rend_cross_row cross;
    struct rend_cue *front;   /* what runs, or comes */
    struct rend_cue *leaving; /* while the transition of `front` runs and the old one still lives */
    struct rend_cue *next;    /* taken since the last step */
    bool changing;
    bool stays;                  /* the newest picture, on the device, */
    bool crossed;                /* which has mixed it */
    struct rend_weights weights; /* with these, or the processor */
    double began;                /* time of the first frame of the transition */
    uint32_t *picture;           /* what leaves, as it is shown; width * height */
    int divisors[REND_SHADER_STAGES];
    struct rend_cue *retired[RETIRED_MAX];
    size_t retired_count;
};

struct rend_cue *rend_cue_create(const struct rend_config *config, const struct rend_patch *patch,
                                 const struct rend_change *change, const struct rend_moment *moment,
                                 const struct base_diag_sink *sink)
{
    const bool soft = change->seconds > 0;
    const size_t size = soft ? rend_way_size(change->transition, config->width, config->height) : 0;
    struct rend_cue *cue = calloc(1, sizeof *cue);
    if (cue != NULL) {
        cue->change = *change;
        cue->rend = rend_create(config);
        cue->when = size > 0 ? malloc(size) : NULL;
    }
    if (cue == NULL || cue->rend == NULL || (size > 0 && cue->when == NULL)) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, "the former preset goes on",
                    "not enough memory to start the preset");
        rend_cue_free(cue);
        return NULL;
    }
    struct rend *rend = cue->rend;
    rend->clock = (struct rend_clock){
        .time = moment->time, .fps = moment->fps, .frame = moment->frame, .progress = 0};
    memcpy(rend->sound.absolute, moment->absolute, sizeof rend->sound.absolute);
    memcpy(rend->sound.average, moment->average, sizeof rend->sound.average);
    memcpy(rend->sound.long_average, moment->long_average, sizeof rend->sound.long_average);
    if (rend_load(rend, patch, change->planned, sink) != 0) {
        rend_cue_free(cue);
        return NULL;
    }
    if (soft) {
        cue->way = rend_way_make(change->transition, config->width, config->height, change->seed,
                                 cue->when);
        rend_offload_load_cross(rend, cue->way.when);
    }
    return cue;
}

void rend_cue_free(struct rend_cue *cue)
{
    if (cue != NULL) {
        rend_free(cue->rend);
        free(cue->when);
        free(cue);
    }
}

void *rend_cue_user(const struct rend_cue *cue)
{
    return cue->change.user;
}

struct rend_show *rend_show_create(const struct rend_config *config)
{
    const size_t size = (size_t)config->width * (size_t)config->height;
    struct rend_show *show = calloc(1, sizeof *show);
    uint32_t *picture = malloc(size * sizeof *picture);
    if (show == NULL || picture == NULL) {
        free(show);
        free(picture);
        return NULL;
    }
    memset(picture, 0, size * sizeof *picture);
    show->config = *config;
    show->cross = rend_cross_for(config->cpu);
    show->picture = picture;
    show->divisors[0] = show->divisors[1] = 1;
    return show;
}

static void retire(struct rend_show *show, struct rend_cue **cue)
{
    if (*cue != NULL) {
        assert(show->retired_count < RETIRED_MAX);
        show->retired[show->retired_count++] = *cue;
        *cue = NULL;
    }
}

struct rend_cue *rend_show_retired(struct rend_show *show)
{
    return show->retired_count > 0 ? show->retired[--show->retired_count] : NULL;
}

void rend_show_end(struct rend_show *show)
{
    retire(show, &show->next);
    retire(show, &show->leaving);
    retire(show, &show->front);
    show->changing = false;
    show->stays = false;
}

void rend_show_free(struct rend_show *show)
{
    if (show == NULL) {
        return;
    }
    rend_show_end(show);
    for (size_t i = 0; i < show->retired_count; i++) {
        rend_cue_free(show->retired[i]);
    }
    free(show->picture);
    free(show);
}

void rend_show_take(struct rend_show *show, struct rend_cue *cue)
{
    retire(show, &show->next);
    show->next = cue;
}

bool rend_show_changes(const struct rend_show *show)
{
    return show->changing;
}

/* What a frame of the cue's preset cost, if that is limited; else 0. */
static int64_t spent(const struct rend_cue *cue)
{
    return cue != NULL && cue->rend->config.cost > 0 ? cue->rend->spent : 0;
}

/* Begins with the cue that was taken. What leaves is a preset that goes on, or, in the middle of
 * another transition, the picture as it stands. One that takes more than half of what a frame may
 * cost leaves at once. */
static void begin_next(struct rend_show *show, double time)
{
    struct rend_cue *next = show->next;
    const bool soft = next->change.seconds > 0 && show->front != NULL &&
                      spent(show->front) <= show->config.cost / 2;
    const bool frozen = show->changing;
    show->next = NULL;
    if (!next->goes_on) {
        next->rend->equations.start_time = time;
    }
    rend_set_divisors(next->rend, show->divisors);
    if (show->front != NULL) {
        /* The one that comes takes over what was heard, and paints on what was painted. */
        struct rend_section_canvas *old_canvas = &show->front->rend->canvas;
        struct rend_section_canvas *new_canvas = &next->rend->canvas;
        next->rend->sound = show->front->rend->sound;
        if ((!soft || frozen) && !old_canvas->lent && !new_canvas->lent) {
            const struct rend_section_canvas canvas = *old_canvas;
            *old_canvas = *new_canvas;
            *new_canvas = canvas;
        } else {
            const struct tmu_surface *picture = &old_canvas->surface[1 - old_canvas->current];
            rend_copy_texels(show->config.pool, new_canvas->surface[1 - new_canvas->current].pixels,
                             picture->pixels, picture->stride * (size_t)picture->height);
        }
    }
    retire(show, &show->leaving);
    if (soft && !frozen) {
        show->leaving = show->front;
        show->front = NULL;
    }
    retire(show, &show->front);
    show->front = next;
    show->changing = soft;
    show->began = time;
}

/* What leaves is in the show's picture, what comes in pixels. */
struct crossing {
    const struct rend_show *show;
    uint32_t *pixels;
    size_t stride;
};

static void cross_row_band(void *user, size_t band)
{
    const struct crossing *crossing = user;
    const struct rend_show *show = crossing->show;
    const size_t width = (size_t)show->config.width;
    const size_t end = (band + 1) * ROW_BAND_ROWS;
    const size_t height = (size_t)show->config.height;
    const uint16_t *when = show->front->way.when;
    for (size_t y = band * ROW_BAND_ROWS; y < end && y < height; y++) {
        uint32_t *row = crossing->pixels + y * crossing->stride;
        show->cross(row, show->picture + y * width, row, when != NULL ? when + y * width : NULL,
                    width, &show->weights);
    }
}

static void cross(const struct rend_show *show, uint32_t *pixels, size_t stride)
{
    struct crossing crossing = {show, pixels, stride};
    const size_t bands = ((size_t)show->config.height + ROW_BAND_ROWS - 1) / ROW_BAND_ROWS;
    base_pool_run(show->config.pool, cross_row_band, &crossing, bands);
}

static void fetch_leaving(struct rend_show *show)
{
    if (show->leaving != NULL && rend_stays(show->leaving->rend)) {
        rend_fetch(show->leaving->rend, show->picture, (size_t)show->config.width);
    }
}

static void fetch_both(struct rend_show *show, uint32_t *pixels, size_t stride)
{
    fetch_leaving(show);
    if (rend_stays(show->front->rend)) {
        rend_fetch(show->front->rend, pixels, stride);
    }
    cross(show, pixels, stride);
}

/* Mixes what both presets have drawn: on the device, if both pictures stay there. */
static void mix_both(struct rend_show *show, const struct rend_input *input, uint32_t *pixels,
                     size_t stride)
{
    struct rend *front = show->front->rend;
    const bool may_stay = input->may_stay;
    show->crossed =
        show->leaving != NULL && rend_stays(show->leaving->rend) && rend_stays(front) &&
        rend_offload_cross(front, show->leaving->rend, &show->weights, may_stay && !input->wanted);
    show->stays = show->crossed && may_stay;
    if (!show->crossed) {
        fetch_both(show, pixels, stride);
    } else if (!may_stay) {
        rend_show_fetch(show, pixels, stride);
    }
}

static unsigned step_change(struct rend_show *show, const struct rend_input *input,
                            uint32_t *pixels, size_t stride)
{
    const double rounding = 1e-9;
    const double done =
        (input->time - show->began + 1 / input->fps) / show->front->change.seconds + rounding;
    const bool mixes = done < 1;
    struct rend_input both = *input;
    if (mixes) {
        both.may_stay = show->leaving != NULL && show->front->rend->shaders.cross_on_device != NULL;
        both.wanted = false;
    }
    if (show->leaving != NULL) {
        (void)rend_step(show->leaving->rend, &both, show->picture, (size_t)show->config.width);
    }
    const unsigned events = rend_step(show->front->rend, &both, pixels, stride);
    if (mixes) {
        show->weights = rend_way_weights(&show->front->way, done > 0 ? done : 0);
        mix_both(show, input, pixels, stride);
    } else {
        retire(show, &show->leaving);
        show->changing = false;
        show->stays = rend_stays(show->front->rend);
    }
    /* Where both do not fit into a frame, what leaves stands still from now on. */
    if (spent(show->leaving) + spent(show->front) > show->config.cost) {
        fetch_leaving(show);
        retire(show, &show->leaving);
    }
    return events;
}

unsigned rend_show_step(struct rend_show *show, const struct rend_input *input, uint32_t *pixels,
                        size_t stride)
{
    unsigned events = 0;
    show->crossed = false;
    show->stays = false;
    if (show->next != NULL && show->changing && show->next->change.seconds > 0) {
        /* One frame more of the transition, before the next one begins from it. */
        const size_t width = (size_t)show->config.width;
        struct rend_input wanted = *input;
        wanted.may_stay = false;
        events = step_change(show, &wanted, pixels, stride);
        for (size_t y = 0; y < (size_t)show->config.height; y++) {
            memcpy(show->picture + y * width, pixels + y * stride, width * sizeof *pixels);
        }
        begin_next(show, input->time + 1 / input->fps);
        return events;
    }
    if (show->next != NULL) {
        begin_next(show, input->time);
    }
    if (show->front == NULL) {
        rend_blacken(&show->config, pixels, stride);
        return 0;
    }
    if (show->changing) {
        return step_change(show, input, pixels, stride);
    }
    events = rend_step(show->front->rend, input, pixels, stride);
    show->stays = rend_stays(show->front->rend);
    return events;
}

bool rend_show_stays(const struct rend_show *show)
{
    return show->stays;
}

void rend_show_fetch(struct rend_show *show, uint32_t *pixels, size_t stride)
{
    struct rend *front = show->front->rend;
    if (!show->crossed) {
        rend_fetch(front, pixels, stride);
    } else if (!rend_offload_shown(front, pixels, stride)) {
        fetch_both(show, pixels, stride);
    }
}

struct rend_device_shown rend_show_shown(const struct rend_show *show)
{
    return rend_offload_where(show->front->rend);
}

void rend_show_hear(struct rend_show *show, const struct rend_input *input)
{
    struct rend_cue *const cues[] = {show->front, show->leaving};
    for (size_t i = 0; i < sizeof cues / sizeof *cues; i++) {
        if (cues[i] != NULL) {
            rend_hear(cues[i]->rend, input);
        }
    }
}

/* ---- another size ---- */

static void scale(struct tmu_surface *to, const struct tmu_surface *from)
{
    for (int y = 0; y < to->height; y++) {
        const size_t line = (size_t)((int64_t)y * from->height / to->height);
        const uint32_t *old_row = from->pixels + line * from->stride;
        uint32_t *row = to->pixels + (size_t)y * to->stride;
        for (int x = 0; x < to->width; x++) {
            row[x] = old_row[(int64_t)x * from->width / to->width];
        }
    }
}

/* Equations go on, with all that they remember: none of it depends on the picture's size. */
static void go_on(struct rend_cue *to, struct rend_cue *from)
{
    const struct rend_section_equations equations = to->rend->equations;
    to->rend->equations = from->rend->equations;
    from->rend->equations = equations;
    to->rend->clock = from->rend->clock;
    to->rend->values = from->rend->values;
    to->rend->shaders.chances = from->rend->shaders.chances;
    to->goes_on = true;
}

void rend_show_follow(struct rend_show *show, struct rend_show *former)
{
    const bool waits = former->next != NULL && former->next->goes_on;
    struct rend_cue *painted = waits ? former->next : former->front;
    struct rend_cue *runs = former->next == NULL || waits ? painted : NULL;
    if (show->next != NULL && painted != NULL) {
        struct rend *to = show->next->rend;
        struct rend *from = painted->rend;
        to->sound = from->sound;
        scale(&to->canvas.surface[1 - to->canvas.current],
              &from->canvas.surface[1 - from->canvas.current]);
    }
    if (show->next != NULL && runs != NULL && runs->rend->patch == show->next->rend->patch) {
        go_on(show->next, runs);
    }
    rend_show_end(former);
    while (former->retired_count > 0) {
        assert(show->retired_count < RETIRED_MAX);
        show->retired[show->retired_count++] = former->retired[--former->retired_count];
    }
}

/* ---- saved ---- */

static const double second_max = 1e12;

static void walk_cues(struct rend_archive *archive, struct rend_saved_cue saved[REND_ROLES])
{
    for (int role = 0; role < REND_ROLES; role++) {
        struct rend_saved_cue *cue = &saved[role];
        struct rend_change *change = &cue->change;
        cue->there = rend_archive_number(archive, cue->there ? 1 : 0, 1) != 0;
        if (cue->there) {
            cue->patch = rend_archive_number(archive, cue->patch, UINT64_MAX);
            change->transition = (enum rend_transition)rend_archive_number(
                archive, (uint64_t)change->transition, REND_TRANSITIONS - 1);
            change->seconds = rend_archive_real(archive, change->seconds, -second_max, second_max);
            change->seed = rend_archive_number(archive, change->seed, UINT64_MAX);
            change->planned = rend_archive_real(archive, change->planned, -INFINITY, INFINITY);
        }
    }
}

/* The show, with the cues that it has or is to have. */
static void walk_show(struct rend_archive *archive, struct rend_show *show,
                      struct rend_cue *const cues[REND_ROLES],
                      struct rend_saved_cue saved[REND_ROLES])
{
    const struct rend_config *config = &show->config;
    rend_archive_begin(archive, REND_SECTION_SHOW);
    walk_cues(archive, saved);
    const bool changing = rend_archive_number(archive, show->changing ? 1 : 0, 1) != 0;
    const double began = rend_archive_real(archive, show->began, -second_max, second_max);
    rend_archive_ints(archive, show->divisors, REND_SHADER_STAGES, 1, REND_DIVISOR_MAX);
    const struct rend_saved_cue *front = &saved[REND_ROLE_FRONT];
    if (changing ? !front->there || !(front->change.seconds > 0) : saved[REND_ROLE_LEAVING].there) {
        rend_archive_refuse(archive, "a transition without its presets");
    }
    for (int role = 0; role < REND_ROLES; role++) {
        const bool crosses = role == REND_ROLE_NEXT || (role == REND_ROLE_FRONT && changing);
        const struct rend_change *change = &saved[role].change;
        const struct rend_cue *cue = cues[role];
        if (saved[role].there != (cue != NULL)) {
            rend_archive_refuse(archive, "it has other cues");
        } else if (crosses && cue != NULL &&
                   (cue->change.transition != change->transition ||
                    cue->change.seconds != change->seconds || cue->change.seed != change->seed)) {
            /* The pattern of a transition is made from the change. */
            rend_archive_refuse(archive, "a cue has another transition");
        }
    }
    rend_archive_end(archive);
    if (changing && !saved[REND_ROLE_LEAVING].there) {
        rend_archive_begin(archive, REND_SECTION_PICTURE);
        rend_archive_pixels(archive, show->picture, config->width, config->height,
                            (size_t)config->width);
        rend_archive_end(archive);
    }
    for (int role = 0; role < REND_ROLES; role++) {
        if (cues[role] != NULL) {
            rend_archive_rend(archive, cues[role]->rend);
        }
    }
    if (archive->mode == REND_ARCHIVE_RESTORE) {
        show->changing = changing;
        show->began = began;
    }
}

/* Measuring and saving change nothing. */
static size_t save_show(struct rend_archive *archive, const struct rend_show *show)
{
    struct rend_cue *const cues[REND_ROLES] = {show->front, show->leaving, show->next};
    struct rend_saved_cue saved[REND_ROLES] = {{.there = false}};
    for (int role = 0; role < REND_ROLES; role++) {
        if (cues[role] != NULL) {
            saved[role].there = true;
            saved[role].patch = rend_patch_content(cues[role]->rend->patch);
            saved[role].change = cues[role]->change;
        }
    }
    walk_show(archive, (struct rend_show *)(uintptr_t)show, cues, saved);
    return archive->at;
}

size_t rend_show_save_size(const struct rend_show *show)
{
    struct rend_archive archive = {.mode = REND_ARCHIVE_MEASURE};
    return save_show(&archive, show);
}

size_t rend_show_save(const struct rend_show *show, void *bytes, size_t size)
{
    struct rend_archive archive = {.mode = REND_ARCHIVE_SAVE, .to = bytes, .size = size};
    return rend_show_save_size(show) > size ? 0 : save_show(&archive, show);
}

int rend_show_saved_cues(const void *bytes, size_t size, struct rend_saved_cue saved[REND_ROLES],
                         const struct base_diag_sink *sink)
{
    struct rend_archive archive = {.mode = REND_ARCHIVE_CHECK, .from = bytes, .size = size};
    memset(saved, 0, REND_ROLES * sizeof *saved);
    rend_archive_begin(&archive, REND_SECTION_SHOW);
    walk_cues(&archive, saved);
    return rend_archive_is_good(&archive, NULL, sink) ? 0 : -1;
}

int rend_show_restore(struct rend_show *show, struct rend_cue *const cues[REND_ROLES],
                      const void *bytes, size_t size, const struct base_diag_sink *sink)
{
    struct rend_cue **const own[REND_ROLES] = {&show->front, &show->leaving, &show->next};
    struct rend_cue *cast[REND_ROLES];
    struct rend_saved_cue saved[REND_ROLES];
    if (rend_show_saved_cues(bytes, size, saved, sink) != 0) {
        return -1;
    }
    for (int role = 0; role < REND_ROLES; role++) {
        cast[role] = cues[role] == NULL && saved[role].there ? *own[role] : cues[role];
    }
    struct rend_archive archive = {.mode = REND_ARCHIVE_CHECK, .from = bytes, .size = size};
    walk_show(&archive, show, cast, saved);
    rend_archive_finish(&archive);
    if (!rend_archive_is_good(&archive, "the show goes on as it was", sink)) {
        return -1;
    }
    archive = (struct rend_archive){.mode = REND_ARCHIVE_RESTORE, .from = bytes, .size = size};
    walk_show(&archive, show, cast, saved);
    show->stays = false;
    for (int role = 0; role < REND_ROLES; role++) {
        if (cast[role] != *own[role]) {
            retire(show, own[role]);
            *own[role] = cast[role];
        }
    }
    return 0;
}

struct rend_moment rend_show_moment(const struct rend_show *show)
{
    struct rend_moment moment = {.fps = show->config.fps};
    if (show->front != NULL) {
        const struct rend *rend = show->front->rend;
        moment.time = rend->clock.time;
        moment.fps = rend->clock.fps;
        moment.frame = rend->clock.frame;
        memcpy(moment.absolute, rend->sound.absolute, sizeof moment.absolute);
        memcpy(moment.average, rend->sound.average, sizeof moment.average);
        memcpy(moment.long_average, rend->sound.long_average, sizeof moment.long_average);
    }
    return moment;
}

void rend_show_set_divisors(struct rend_show *show, const int divisors[REND_SHADER_STAGES])
{
    memcpy(show->divisors, divisors, sizeof show->divisors);
    if (show->front != NULL) {
        rend_set_divisors(show->front->rend, divisors);
    }
    if (show->leaving != NULL) {
        rend_set_divisors(show->leaving->rend, divisors);
    }
}

const struct rend *rend_show_front(const struct rend_show *show)
{
    return show->front != NULL ? show->front->rend : NULL;
}

bool rend_show_set_value(struct rend_show *show, size_t key, double value)
{
    return show->front != NULL && rend_set_value(show->front->rend, key, value);
}

bool rend_show_set_newest(struct rend_show *show, size_t key, double value)
{
    return show->next != NULL ? rend_set_value(show->next->rend, key, value)
                              : rend_show_set_value(show, key, value);
}
