/* A set played again: the same calls on a show of the same configuration. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "app/loading/loading.h"
#include "app/set/set.h"
#include "base/os/file.h"
#include "engine/feed/loader.h"
#include "presets/file.h"

enum { PATH = 4096 + 512 };

static const double rounding = 1e-6; /* frames */

struct app_set_play {
    const struct app_set *set;
    struct app_set_wishes wishes;
    const struct base_diag_sink *sink;
    struct app_textures textures;
    struct rend_pictures others; /* where pictures come from that are not the set's */
    froth *show;
    struct engine *engine;
    struct app_set_ear ear;
    struct app_size size;
    struct engine_rate rate;             /* of the pictures */
    struct engine_rate shown;            /* of the show */
    uint32_t *pixels[APP_SET_TURNS_MAX]; /* by turns */
    size_t newest;                       /* of them the one with the last step, */
    size_t next;                         /* and that of the next one */
    bool stays;                          /* the newest picture, on the device */
    uint32_t *black;
    size_t event;   /* the next one */
    size_t frame;   /* of the set's, the next one */
    size_t said;    /* the next one of what clocks said */
    uint64_t fed;   /* samples */
    uint64_t made;  /* pictures of the set so far, from its beginning */
    uint64_t skips; /* of these, how many are not asked for */
    uint64_t total; /* pictures of the whole set */
    uint64_t base;  /* number of the frame before the first, at `rate` */
    unsigned steps; /* of the frame that is made */
    uint64_t upto;  /* frame of the show that it stands for */
    uint64_t state; /* frame of the show at which it begins */
};

/* ---- pictures of presets ---- */

static bool is_of(const struct app_set_picture *picture, const struct rend_picture_request *request)
{
    const char *preset = request->preset_path != NULL ? request->preset_path : "";
    const char *name = request->file != NULL ? request->file : request->name;
    const char *slash = strrchr(preset, '/');
    const char *base = slash != NULL ? slash + 1 : preset;
    return picture->is_file == (request->file != NULL) && strcmp(picture->name, name) == 0 &&
           (base_span_equal(picture->path, base_span_of(preset)) ||
            (picture->preset.size > 0 && strlen(base) >= picture->preset.size &&
             memcmp(base, picture->preset.data, picture->preset.size) == 0));
}

static bool find(void *user, const struct rend_picture_request *request, char *path, size_t size)
{
    const struct app_set_play *play = user;
    for (size_t i = play->set->picture_count; i > 0; i--) {
        const struct app_set_picture *picture = &play->set->pictures[i - 1];
        if (is_of(picture, request)) {
            return play->set->store->find_picture(play->set, picture, path, size);
        }
    }
    return play->others.find(play->others.user, request, path, size);
}

static int measure(void *user, const char *path, struct rend_extent *extent,
                   const struct base_diag_sink *sink)
{
    const struct rend_pictures *others = &((struct app_set_play *)user)->others;
    return others->measure(others->user, path, extent, sink);
}

static int load(void *user, const char *path, int halvings, size_t room,
                struct rend_picture *picture, const struct base_diag_sink *sink)
{
    const struct rend_pictures *others = &((struct app_set_play *)user)->others;
    return others->load(others->user, path, halvings, room, picture, sink);
}

/* ---- events ---- */

static struct base_place place_of(const struct app_set_event *event, const char *file)
{
    return (struct base_place){file, event->line, event->column};
}

static void show_preset(struct app_set_play *play, const struct app_set_event *event)
{
    char path[PATH];
    char *text = NULL;
    size_t size = 0;
    struct rend_moment now = rend_show_moment(engine_show(play->engine));
    (void)snprintf(path, sizeof path, "%s/%.*s", play->set->folder, (int)event->text.size,
                   event->text.data);
    if (play->set->store->read_preset(play->set, event->text, &text, &size, play->sink) != 0) {
        return;
    }
    struct engine_loaded *loaded =
        instance_make(play->show, path, (struct base_span){text, size}, &event->change,
                      event->begins ? &event->moment : &now);
    free(text);
    if (loaded == NULL) {
        char events[PATH];
        (void)snprintf(events, sizeof events, "%s/events.yaml", play->set->folder);
        base_report(play->sink, BASE_ERROR, place_of(event, events), NULL,
                    "this preset cannot be shown; what ran before goes on");
        return;
    }
    loaded->seconds = event->seconds;
    instance_take(play->show, loaded, event->again);
    if (play->wishes.took != NULL) {
        play->wishes.took(play->wishes.user, event);
    }
}

static void set_light(struct app_set_play *play, const struct app_set_event *event)
{
    struct engine_kept *kept = malloc(sizeof *kept);
    struct base_span rest = event->text;
    if (kept == NULL) {
        return;
    }
    engine_keep(play->engine, kept);
    for (struct base_span word = base_span_next_word(&rest); word.size > 0;
         word = base_span_next_word(&rest)) {
        char text[32] = "";
        unsigned channel = 0;
        unsigned level = 0;
        memcpy(text, word.data, word.size < sizeof text ? word.size : sizeof text - 1);
        if (sscanf(text, "%5u=%3u", &channel, &level) == 2 && channel >= 1 &&
            channel <= ENGINE_DMX_CHANNELS && level <= UINT8_MAX) {
            kept->dmx[channel - 1] = (uint8_t)level;
        }
    }
    engine_set_dmx(play->engine, kept->dmx, sizeof kept->dmx);
    free(kept);
}

static void set_controls(struct app_set_play *play, const struct app_set_event *event)
{
    struct rend_held *controls = calloc(ENGINE_CONTROLS_MAX, sizeof *controls);
    size_t count = 0;
    struct base_span rest = event->text;
    for (struct base_span word = base_span_next_word(&rest);
         controls != NULL && word.size > 0 && count < ENGINE_CONTROLS_MAX;
         word = base_span_next_word(&rest)) {
        const char *equals = memchr(word.data, '=', word.size);
        const size_t name = equals != NULL ? (size_t)(equals - word.data) : 0;
        char digits[40] = "";
        if (name > 0 && name < sizeof controls->name && word.size - name - 1 < sizeof digits) {
            memcpy(controls[count].name, word.data, name);
            memcpy(digits, equals + 1, word.size - name - 1);
            controls[count].value = strtod(digits, NULL);
            count += isfinite(controls[count].value) ? 1 : 0;
        }
    }
    if (controls != NULL) {
        engine_set_controls(play->engine, controls, count);
    }
    free(controls);
}

static void obey(struct app_set_play *play, const struct app_set_event *event)
{
    struct engine_call call;
    if (engine_call_parse(&call, &engine_vocabulary, event->text, (struct base_place){0}, NULL) ==
        0) {
        (void)engine_obey(play->engine, &call);
    }
}

static void apply(struct app_set_play *play, const struct app_set_event *event)
{
    switch (event->kind) {
    case APP_SET_COMMAND:
        obey(play, event);
        break;
    case APP_SET_PRESET:
        show_preset(play, event);
        break;
    case APP_SET_SHADERS:
        if (play->wishes.shaders == 0) {
            engine_set_divisors(play->engine, event->shaders);
        }
        break;
    case APP_SET_STILL:
        engine_hold(play->engine, event->seconds);
        break;
    case APP_SET_ANEW:
        engine_wait_anew(play->engine);
        break;
    case APP_SET_MORE:
        engine_step_more(play->engine);
        break;
    case APP_SET_LIGHT:
        set_light(play, event);
        break;
    case APP_SET_CONTROLS:
        set_controls(play, event);
        break;
    case APP_SET_END:
    case APP_SET_KINDS:
        break;
    }
}

/* The next event, if it belongs to what comes before the steps of this frame, or behind so many of
 * them. */
static const struct app_set_event *next_event(const struct app_set_play *play, unsigned steps)
{
    const struct app_set_events *events = &play->set->events;
    const struct app_set_event *event =
        play->event < events->count ? &events->items[play->event] : NULL;
    return event != NULL && (event->frame < play->upto ||
                             (event->frame == play->upto && event->after <= steps))
               ? event
               : NULL;
}

static void apply_events(struct app_set_play *play, unsigned steps, bool up_to_preset)
{
    const struct app_set_event *event = next_event(play, steps);
    while (event != NULL && !(up_to_preset && event->kind == APP_SET_PRESET)) {
        play->event++;
        apply(play, event);
        event = next_event(play, steps);
    }
}

static void stepped(void *user, unsigned events)
{
    struct app_set_play *play = user;
    play->steps++;
    apply_events(play, play->steps, false);
    if (play->wishes.stepped != NULL) {
        play->wishes.stepped(play->wishes.user, events);
    }
}

/* ---- frames ---- */

static void feed(struct app_set_play *play, uint64_t heard)
{
    enum { BLOCK = 1024 };
    float samples[2 * BLOCK];
    while (play->fed < heard) {
        const uint64_t left = heard - play->fed;
        const size_t most = left < BLOCK ? (size_t)left : BLOCK;
        size_t got = 0;
        (void)play->set->store->hear(play->set, &play->ear, play->fed, samples, most, &got, NULL);
        memset(samples + 2 * got, 0, 2 * (most - got) * sizeof *samples);
        (void)froth_add_sound_float(play->show, samples, most, 2, APP_AUDIO_RATE);
        play->fed += most;
    }
}

/* Frame `number` of the engine, which stands for frame `upto` of the show. */
static void make(struct app_set_play *play, uint64_t number, uint64_t upto, size_t said,
                 uint64_t heard)
{
    const struct engine_rate rate = play->wishes.as_shown ? play->shown : play->rate;
    play->upto = upto;
    play->steps = 0;
    apply_events(play, 0, true);
    for (; play->said < said; play->said++) {
        const struct app_set_said *words = &play->set->said[play->said];
        engine_set_tempo(play->engine, words->source, words->bpm, words->beats, words->runs);
    }
    engine_reach(play->engine, engine_rate_seconds(rate, number));
    apply_events(play, 0, false);
    engine_advance(play->engine);
    feed(play, heard);
    const bool draws = engine_draws(play->engine, number);
    (void)engine_frame(play->engine, number, play->pixels[play->next], (size_t)play->size.width);
    if (draws) {
        play->newest = play->next;
        play->stays = engine_picture_stays(play->engine);
    }
    apply_events(play, UINT_MAX, false);
}

/* Samples until frame `at` of the show, which may lie between two. Goes on to the frame there. */
static uint64_t heard_until(struct app_set_play *play, double at)
{
    const struct app_set *set = play->set;
    while (play->frame < set->frame_count &&
           (double)set->frames[play->frame].number <= at + rounding) {
        play->frame++;
    }
    const struct app_set_frame begin = {set->events.head.first, 0, 0};
    const struct app_set_frame *before = play->frame > 0 ? &set->frames[play->frame - 1] : &begin;
    if (play->frame == set->frame_count || (double)before->number >= at - rounding) {
        return before->heard;
    }
    const struct app_set_frame *after = &set->frames[play->frame];
    const double share = (at - (double)before->number) / (double)(after->number - before->number);
    return before->heard + (uint64_t)(share * (double)(after->heard - before->heard));
}

/* Frames of the show at the end of picture `made`. */
static double show_frame(const struct app_set_play *play, uint64_t made)
{
    return (double)play->set->events.head.first +
           (double)made * engine_rate_value(play->shown) / engine_rate_value(play->rate);
}

static void make_next(struct app_set_play *play)
{
    const struct app_set *set = play->set;
    const double at = show_frame(play, ++play->made);
    play->next = (play->newest + 1) % play->wishes.turns;
    if (at <= (double)play->state + rounding) {
        return; /* before the state */
    }
    if (play->wishes.as_shown) {
        while (play->frame < set->frame_count &&
               (double)set->frames[play->frame].number <= at + rounding) {
            const struct app_set_frame *frame = &set->frames[play->frame++];
            make(play, frame->number, frame->number, frame->said, frame->heard);
        }
    } else {
        const uint64_t heard = heard_until(play, at);
        const size_t said = play->frame > 0 ? set->frames[play->frame - 1].said : 0;
        make(play, play->base + play->made, (uint64_t)(at + rounding), said, heard);
    }
}

void app_set_play_skip(struct app_set_play *play)
{
    engine_let_stay(play->engine, play->wishes.later, false);
    while (play->made < play->skips) {
        make_next(play);
    }
}

const uint32_t *app_set_play_next(struct app_set_play *play)
{
    app_set_play_skip(play);
    engine_let_stay(play->engine, play->wishes.later, true);
    make_next(play);
    return engine_state(play->engine)->blackout ? play->black : play->pixels[play->newest];
}

void app_set_play_bring(struct app_set_play *play)
{
    if (play->stays) {
        engine_fetch(play->engine, play->pixels[play->newest], (size_t)play->size.width);
        play->stays = false;
    }
}

/* ---- its beginning ---- */

/* Frames: what is mixed of two steps is not in a state, which then is one a bit before. */
static double margin_of(const struct app_set_play *play)
{
    const bool mixes = play->set->events.head.config.between != 0 && play->skips > 0;
    return mixes ? engine_rate_value(play->shown) / 4 : 0;
}

/* The frame of the show at which a state may stand for the picture behind `skips`: before that
 * which is its picture, and not behind it. */
static uint64_t state_limit(const struct app_set_play *play)
{
    const struct app_set *set = play->set;
    const double first = (double)set->events.head.first;
    const double wanted = show_frame(play, play->skips) - margin_of(play);
    const double picture = show_frame(play, play->skips + 1) + rounding;
    size_t low = 0;
    size_t high = set->frame_count;
    while (low < high) { /* the first one behind the picture */
        const size_t middle = low + (high - low) / 2;
        if ((double)set->frames[middle].number <= picture) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const double drawn = low > 0 ? (double)set->frames[low - 1].number - 1 : first;
    const double limit = play->wishes.as_shown ? fmin(wanted, drawn) : wanted;
    return (uint64_t)fmax(limit, first);
}

static int give_state(struct app_set_play *play, uint64_t number)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (play->set->store->read_state(play->set, number, &bytes, &size, play->sink) != 0) {
        return -1;
    }
    const int result = app_set_state_give(play->show, bytes, size, play->sink);
    play->stays = false;
    free(bytes);
    return result;
}

/* What has happened until the state is in it. */
static void pass_state(struct app_set_play *play)
{
    const struct app_set *set = play->set;
    while (play->event < set->events.count && set->events.items[play->event].frame <= play->state) {
        play->event++;
    }
    while (play->frame < set->frame_count && set->frames[play->frame].number <= play->state) {
        play->fed = set->frames[play->frame].heard;
        play->said = set->frames[play->frame].said;
        play->frame++;
    }
}

static int open_show(struct app_set_play *play, bool from_state)
{
    const struct app_set_head *head = &play->set->events.head;
    const struct app_set_wishes *wishes = &play->wishes;
    const double pixels = (double)play->size.width * play->size.height;
    const double recorded = (double)head->config.width * head->config.height;
    struct froth_config config = head->config;
    play->textures = (struct app_textures){wishes->textures, NULL};
    struct app_options options;
    app_options_default(&options);
    options.seed = config.seed;
    play->others = app_pictures_of(&play->textures, &options);
    const struct rend_pictures pictures = {play, find, measure, load, config.memory, config.seed};
    config.transition = head->transition[0] != '\0' ? head->transition : NULL;
    config.threads = (int)wishes->threads;
    if (!from_state) {
        config.width = play->size.width;
        config.height = play->size.height;
    }
    if (wishes->shaders > 0) {
        config.shader_pixels = wishes->shaders;
    }
    const struct instance_extras extras = {
        .cpu = wishes->cpu,
        .device = wishes->device,
        .observer = wishes->observer,
        .cost = pixels > recorded ? (int64_t)((double)head->cost * pixels / recorded) : head->cost,
        .speed = head->speed,
        .sink = play->sink,
        .pictures = &pictures,
        .in_place = true,
        .repeats = true,
        .stepped = stepped,
        .user = play,
    };
    int why = FROTH_OK;
    play->show = instance_create(&config, &extras, &why);
    if (play->show == NULL) {
        base_report(play->sink, BASE_ERROR, (struct base_place){.file = play->set->folder}, NULL,
                    "the show cannot be made: %s", froth_result_text(why));
        return -1;
    }
    play->engine = instance_engine(play->show);
    return 0;
}

/* At the state, in the size and at the rate that are wanted. */
static int begin(struct app_set_play *play, bool from_state)
{
    const struct froth_config *config = &play->set->events.head.config;
    const bool sized = play->size.width != config->width || play->size.height != config->height;
    if (from_state &&
        (give_state(play, play->state) != 0 ||
         (sized && instance_resize(play->show, play->size.width, play->size.height) != FROTH_OK))) {
        return -1;
    }
    if (!play->wishes.as_shown) {
        engine_retime(play->engine, play->rate);
    }
    pass_state(play);
    return 0;
}

struct app_set_play *app_set_play_open(const struct app_set *set,
                                       const struct app_set_wishes *wishes,
                                       const struct base_diag_sink *sink)
{
    const struct app_set_head *head = &set->events.head;
    struct app_set_play *play = calloc(1, sizeof *play);
    if (play == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return NULL;
    }
    play->set = set;
    play->wishes = *wishes;
    play->wishes.turns = wishes->turns > 0 ? wishes->turns : 1;
    assert(play->wishes.turns <= APP_SET_TURNS_MAX);
    play->sink = sink;
    play->shown = app_set_frame_rate(&head->config);
    play->rate = wishes->rate.numerator > 0 ? wishes->rate : play->shown;
    play->size = wishes->size.width > 0
                     ? wishes->size
                     : (struct app_size){head->config.width, head->config.height};
    const double ratio = engine_rate_value(play->rate) / engine_rate_value(play->shown);
    const uint64_t last = set->frame_count > 0 ? set->frames[set->frame_count - 1].number : 0;
    play->total = (uint64_t)((double)(last - (last > 0 ? head->first : 0)) * ratio + rounding);
    play->base = (uint64_t)((double)head->first * ratio + rounding);
    play->skips =
        wishes->from > 0 ? (uint64_t)llround(wishes->from * engine_rate_value(play->rate)) : 0;
    const bool found = (wishes->from > 0 || head->first > 0) &&
                       set->store->find_state(set, state_limit(play), &play->state);
    const size_t pixels = (size_t)play->size.width * (size_t)play->size.height;
    play->black = calloc(pixels, sizeof *play->black);
    bool good = play->black != NULL;
    for (size_t i = 0; i < play->wishes.turns; i++) {
        play->pixels[i] = calloc(pixels, sizeof(uint32_t));
        good = good && play->pixels[i] != NULL;
    }
    if (!found && head->first > 0) {
        base_report(sink, BASE_ERROR, (struct base_place){.file = set->folder}, NULL,
                    "the state in which it began is not there");
        good = false;
    }
    good = good && open_show(play, found) == 0 && begin(play, found) == 0;
    if (good && set->frame_count > 0 && set->frames[set->frame_count - 1].heard > 0) {
        size_t none;
        good = set->store->hear(set, &play->ear, play->fed, NULL, 0, &none, sink) == 0;
    }
    if (!good) {
        app_set_play_close(play);
        return NULL;
    }
    return play;
}

int app_set_play_seek(struct app_set_play *play, double from)
{
    const struct app_set *set = play->set;
    play->skips = (uint64_t)llround(from * engine_rate_value(play->rate));
    if (!set->store->find_state(set, state_limit(play), &play->state)) {
        base_report(play->sink, BASE_ERROR, (struct base_place){.file = set->folder}, NULL,
                    "there is no state before this time");
        return -1;
    }
    if (give_state(play, play->state) != 0) {
        return -1;
    }
    play->event = play->frame = play->said = 0;
    play->fed = play->made = 0;
    pass_state(play);
    return 0;
}

bool app_set_play_of(struct app_set_play *play, const struct app_set *set)
{
    const uint64_t first = set->events.head.first;
    const uint64_t picture = play->set->events.head.first + play->made;
    const uint64_t last = play->upto;
    play->set = set;
    app_set_ear_close(&play->ear); /* what it reads has become longer too */
    play->event = play->frame = 0;
    while (play->event < set->events.count && set->events.items[play->event].frame <= last) {
        play->event++;
    }
    while (play->frame < set->frame_count && set->frames[play->frame].number <= last) {
        play->frame++;
    }
    play->said = play->frame > 0 ? set->frames[play->frame - 1].said : 0;
    play->made = picture > first ? picture - first : 0;
    return last > 0 && last >= first && play->frame > 0;
}

void app_set_play_close(struct app_set_play *play)
{
    if (play != NULL) {
        froth_free(play->show);
        app_set_ear_close(&play->ear);
        for (size_t i = 0; i < play->wishes.turns; i++) {
            free(play->pixels[i]);
        }
        free(play->black);
        free(play);
    }
}

uint64_t app_set_play_frames(const struct app_set_play *play)
{
    return play->total > play->skips ? play->total - play->skips : 0;
}

uint64_t app_set_play_frame(const struct app_set_play *play)
{
    return play->set->events.head.first + play->made;
}

struct app_size app_set_play_size(const struct app_set_play *play)
{
    return play->size;
}

struct engine_rate app_set_play_rate(const struct app_set_play *play)
{
    return play->rate;
}

froth *app_set_play_show(struct app_set_play *play)
{
    return play->show;
}
