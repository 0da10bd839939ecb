#include "app/set/past.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/io/audio.h"
#include "base/arena.h"

enum {
    MINUTES = 5,
    SECONDS = 60 * MINUTES,
    SAMPLE = 3, /* bytes: 24 bits */
    STEREO = 2 * SAMPLE,
    SOUND_SHARE = 3, /* sound takes one part in so many of the memory at most */
};

static const double margin = 2;      /* seconds of sound more than there are frames */
static const double recent = 10;     /* seconds in which states are thinned alike */
static const double thumb_every = 1; /* second */
static const size_t READ_MOST = (size_t)1 << 30;

/* Something that grows behind and is cut off before. */
struct list {
    void *items;
    size_t size; /* of one */
    size_t count;
    size_t room;
};

struct moment {
    uint64_t number; /* of the frame */
    uint64_t heard;  /* samples until its end, from the beginning of the show */
    uint64_t said;   /* what clocks have said before it, counted from the beginning of the show */
    double bar;
};

struct state {
    uint64_t frame;
    double work;
    void *packed;
    size_t size;
};

struct happened {
    struct app_set_event event; /* its texts lie in `texts` */
    char *texts;
    size_t size;
};

struct kept_preset {
    char *name; /* then its text */
    const char *text;
    size_t size;
};

struct picture {
    char *preset; /* then name and path */
    const char *name;
    const char *path;
    bool is_file;
    size_t size;
};

struct thumb {
    uint64_t frame;
    struct app_set_thumb picture;
};

struct app_set_past {
    pthread_mutex_t lock;
    struct app_set_head head;
    double fps;
    size_t limit;
    size_t texts;  /* bytes of events, presets and pictures */
    size_t packed; /* bytes of states */
    struct list moments;
    struct list said;
    uint64_t said_before; /* those that were cut off */
    struct list events;
    struct list presets;
    struct list pictures;
    struct list states;
    struct list thumbs;
    uint8_t *sound;    /* a ring of samples */
    size_t sound_room; /* stereo frames */
    uint64_t heard;
    double seconds; /* that it may last */
};

/* ---- lists ---- */

static void *at(const struct list *list, size_t index)
{
    return (char *)list->items + index * list->size;
}

/* Room for one more; NULL: there is no memory. */
static void *add(struct list *list)
{
    if (list->count == list->room) {
        const size_t room = list->room + list->room / 2 + 64;
        void *more = realloc(list->items, room * list->size);
        if (more == NULL) {
            return NULL;
        }
        list->items = more;
        list->room = room;
    }
    return at(list, list->count++);
}

static void cut(struct list *list, size_t first, size_t count)
{
    if (count > 0) {
        memmove(at(list, first), at(list, first + count),
                (list->count - first - count) * list->size);
        list->count -= count;
    }
}

/* ---- what it takes ---- */

static size_t used(const struct app_set_past *past)
{
    const struct list *const lists[] = {&past->moments, &past->said,   &past->events,
                                        &past->presets, &past->states, &past->thumbs,
                                        &past->pictures};
    size_t bytes = sizeof *past + past->texts + past->packed;
    const uint64_t heard = past->heard < past->sound_room ? past->heard : past->sound_room;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        bytes += lists[i]->room * lists[i]->size;
    }
    return bytes + (size_t)heard * STEREO;
}

static void free_event(struct app_set_past *past, struct happened *happened)
{
    past->texts -= happened->size;
    free(happened->texts);
}

static void free_state(struct app_set_past *past, struct state *state)
{
    past->packed -= state->size;
    free(state->packed);
}

static void forget_all(struct app_set_past *past)
{
    for (size_t i = 0; i < past->events.count; i++) {
        free_event(past, at(&past->events, i));
    }
    for (size_t i = 0; i < past->states.count; i++) {
        free_state(past, at(&past->states, i));
    }
    past->moments.count = past->events.count = past->states.count = past->thumbs.count = 0;
    past->said_before += past->said.count;
    past->said.count = 0;
}

/* Presets that no event names any more. */
static void forget_presets(struct app_set_past *past)
{
    for (size_t i = past->presets.count; i > 0; i--) {
        struct kept_preset *preset = at(&past->presets, i - 1);
        const struct base_span name = base_span_of(preset->name);
        bool named = false;
        for (size_t k = 0; k < past->events.count && !named; k++) {
            const struct happened *happened = at(&past->events, k);
            named = happened->event.kind == APP_SET_PRESET &&
                    base_span_equal(happened->event.text, name);
        }
        if (!named) {
            past->texts -= preset->size + name.size + 1;
            free(preset->name);
            cut(&past->presets, i - 1, 1);
        }
    }
}

/* The first moment whose frame is not before this one. */
static size_t moment_of(const struct app_set_past *past, uint64_t frame)
{
    size_t low = 0;
    size_t high = past->moments.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct moment *moment = at(&past->moments, middle);
        if (moment->number < frame) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* All that is before the oldest state, whose own moment stays: it says where sound goes on. */
static void forget_before(struct app_set_past *past)
{
    const struct state *oldest = at(&past->states, 0);
    size_t gone = moment_of(past, oldest->frame);
    if (gone > 0 && gone < past->moments.count) {
        const struct moment *first = at(&past->moments, gone);
        const size_t said = (size_t)(first->said - past->said_before);
        cut(&past->said, 0, said);
        past->said_before += said;
        cut(&past->moments, 0, gone);
    }
    for (gone = 0; gone < past->events.count; gone++) {
        struct happened *happened = at(&past->events, gone);
        if (happened->event.frame > oldest->frame) {
            break;
        }
        free_event(past, happened);
    }
    cut(&past->events, 0, gone);
    if (gone > 0) {
        forget_presets(past);
    }
    for (gone = 0; gone < past->thumbs.count; gone++) {
        const struct thumb *thumb = at(&past->thumbs, gone);
        if (thumb->frame > oldest->frame) {
            break;
        }
    }
    cut(&past->thumbs, 0, gone > 0 ? gone - 1 : 0);
}

/* The state without which the way from its neighbour gets longest by least, where it counts less
 * the older it is. Never the oldest or the newest. 0: there is none. */
static size_t least_state(const struct app_set_past *past)
{
    const size_t count = past->states.count;
    const struct state *newest = at(&past->states, count - 1);
    size_t least = 0;
    double least_cost = INFINITY;
    for (size_t i = 1; i + 1 < count; i++) {
        const struct state *before = at(&past->states, i - 1);
        const struct state *state = at(&past->states, i);
        const struct state *behind = at(&past->states, i + 1);
        const double age = (double)(newest->frame - state->frame) / past->fps;
        const double cost = (behind->work - before->work) / (age + recent);
        if (cost < least_cost) {
            least_cost = cost;
            least = i;
        }
    }
    return least;
}

/* Whether the second of the states is old enough for the past to begin with it, or the first one's
 * sound is gone. */
static bool first_is_gone(const struct app_set_past *past, uint64_t now)
{
    const struct state *first = at(&past->states, 0);
    const struct state *second = at(&past->states, 1);
    const size_t place = moment_of(past, first->frame);
    const struct moment *moment = place < past->moments.count ? at(&past->moments, place) : NULL;
    return (double)now - (double)second->frame >= past->seconds * past->fps ||
           (moment != NULL && past->heard - moment->heard > past->sound_room);
}

static void keep_within(struct app_set_past *past)
{
    const struct state *newest = at(&past->states, past->states.count - 1);
    bool forgets = false;
    while (past->states.count > 1 && first_is_gone(past, newest->frame)) {
        free_state(past, at(&past->states, 0));
        cut(&past->states, 0, 1);
        newest = at(&past->states, past->states.count - 1);
        forgets = true;
    }
    if (forgets) {
        forget_before(past);
    }
    while (past->states.count > 1 && used(past) > past->limit) {
        const size_t least = least_state(past);
        free_state(past, at(&past->states, least));
        cut(&past->states, least, 1);
        if (least == 0) {
            forget_before(past);
        }
    }
}

/* ---- its life ---- */

struct app_set_past *app_set_past_create(const struct app_set_head *head, size_t bytes)
{
    struct app_set_past *past = calloc(1, sizeof *past);
    if (past == NULL) {
        return NULL;
    }
    const size_t sound = bytes / SOUND_SHARE / STEREO;
    const size_t all = (size_t)((SECONDS + margin) * APP_AUDIO_RATE);
    (void)pthread_mutex_init(&past->lock, NULL);
    past->head = *head;
    past->fps = app_set_rate(&head->config);
    past->limit = bytes;
    past->sound_room = sound < all ? sound : all;
    past->sound = malloc(past->sound_room * STEREO);
    past->seconds = fmax((double)past->sound_room / APP_AUDIO_RATE - margin, 1);
    past->moments.size = sizeof(struct moment);
    past->said.size = sizeof(struct app_set_said);
    past->events.size = sizeof(struct happened);
    past->presets.size = sizeof(struct kept_preset);
    past->pictures.size = sizeof(struct picture);
    past->states.size = sizeof(struct state);
    past->thumbs.size = sizeof(struct thumb);
    if (past->sound == NULL) {
        app_set_past_free(past);
        return NULL;
    }
    return past;
}

void app_set_past_free(struct app_set_past *past)
{
    if (past == NULL) {
        return;
    }
    forget_all(past);
    forget_presets(past);
    for (size_t i = 0; i < past->pictures.count; i++) {
        free(((struct picture *)at(&past->pictures, i))->preset);
    }
    free(past->moments.items);
    free(past->said.items);
    free(past->events.items);
    free(past->presets.items);
    free(past->pictures.items);
    free(past->states.items);
    free(past->thumbs.items);
    free(past->sound);
    (void)pthread_mutex_destroy(&past->lock);
    free(past);
}

/* ---- what happens ---- */

void app_set_past_begin(struct app_set_past *past, uint64_t frame)
{
    (void)pthread_mutex_lock(&past->lock);
    forget_all(past);
    forget_presets(past);
    struct moment *moment = add(&past->moments);
    if (moment != NULL) {
        *moment = (struct moment){frame, past->heard, past->said_before, 0};
    }
    (void)pthread_mutex_unlock(&past->lock);
}

static char *put_text(char *to, struct base_span *text)
{
    char *begin = to;
    if (text->size > 0) {
        memcpy(to, text->data, text->size);
    }
    to += text->size;
    *to++ = '\0';
    text->data = begin;
    return to;
}

void app_set_past_event(struct app_set_past *past, const struct app_set_event *event)
{
    const size_t size = event->text.size + event->name.size + event->path.size + 3;
    char *texts = malloc(size);
    (void)pthread_mutex_lock(&past->lock);
    struct happened *happened = texts != NULL ? add(&past->events) : NULL;
    if (happened != NULL) {
        *happened = (struct happened){*event, texts, size};
        char *end = put_text(texts, &happened->event.text);
        end = put_text(end, &happened->event.name);
        (void)put_text(end, &happened->event.path);
        past->texts += size;
    } else {
        free(texts);
        forget_all(past);
    }
    (void)pthread_mutex_unlock(&past->lock);
}

void app_set_past_said(struct app_set_past *past, const struct app_set_said *said)
{
    (void)pthread_mutex_lock(&past->lock);
    struct app_set_said *more = add(&past->said);
    if (more != NULL) {
        *more = *said;
    } else {
        forget_all(past);
    }
    (void)pthread_mutex_unlock(&past->lock);
}

void app_set_past_preset(struct app_set_past *past, const char *name, const char *text, size_t size)
{
    bool there = false;
    const size_t length = strlen(name) + 1;
    (void)pthread_mutex_lock(&past->lock);
    for (size_t i = 0; i < past->presets.count && !there; i++) {
        there = strcmp(((struct kept_preset *)at(&past->presets, i))->name, name) == 0;
    }
    if (!there) {
        char *copy = malloc(length + size);
        struct kept_preset *preset = copy != NULL ? add(&past->presets) : NULL;
        if (preset != NULL) {
            memcpy(copy, name, length);
            memcpy(copy + length, text, size);
            *preset = (struct kept_preset){copy, copy + length, size};
            past->texts += length + size;
        } else {
            free(copy);
            forget_all(past);
        }
    }
    (void)pthread_mutex_unlock(&past->lock);
}

void app_set_past_picture(struct app_set_past *past, const char *preset, const char *name,
                          bool is_file, const char *path)
{
    (void)pthread_mutex_lock(&past->lock);
    struct picture *found = NULL;
    for (size_t i = 0; i < past->pictures.count && found == NULL; i++) {
        struct picture *picture = at(&past->pictures, i);
        found = picture->is_file == is_file && strcmp(picture->preset, preset) == 0 &&
                        strcmp(picture->name, name) == 0
                    ? picture
                    : NULL;
    }
    struct base_span texts[3] = {base_span_of(preset), base_span_of(name), base_span_of(path)};
    const size_t size = texts[0].size + texts[1].size + texts[2].size + 3;
    const bool same = found != NULL && strcmp(found->path, path) == 0;
    char *copy = same ? NULL : malloc(size);
    if (copy != NULL && found == NULL) {
        found = add(&past->pictures);
    } else if (copy != NULL) {
        past->texts -= found->size;
        free(found->preset);
    }
    if (copy != NULL && found != NULL) {
        char *end = put_text(copy, &texts[0]);
        end = put_text(end, &texts[1]);
        (void)put_text(end, &texts[2]);
        *found = (struct picture){copy, texts[1].data, texts[2].data, is_file, size};
        past->texts += size;
    } else {
        free(copy);
    }
    (void)pthread_mutex_unlock(&past->lock);
}

static void put_sound(struct app_set_past *past, const float *samples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *bytes = past->sound + (size_t)((past->heard + i) % past->sound_room) * STEREO;
        for (size_t side = 0; side < 2; side++) {
            const uint32_t value = (uint32_t)(int32_t)lrintf(samples[2 * i + side] * 8388608);
            bytes[SAMPLE * side] = (uint8_t)value;
            bytes[SAMPLE * side + 1] = (uint8_t)(value >> 8);
            bytes[SAMPLE * side + 2] = (uint8_t)(value >> 16);
        }
    }
    past->heard += count;
}

void app_set_past_frame(struct app_set_past *past, uint64_t number, const float *samples,
                        size_t count, double bar)
{
    (void)pthread_mutex_lock(&past->lock);
    struct moment *moment = add(&past->moments);
    if (moment != NULL) {
        put_sound(past, samples, count);
        *moment = (struct moment){number, past->heard, past->said_before + past->said.count, bar};
    } else {
        forget_all(past);
    }
    (void)pthread_mutex_unlock(&past->lock);
}

void app_set_past_state(struct app_set_past *past, uint64_t frame, double work, void *packed,
                        size_t size, const struct app_set_thumb *thumb)
{
    (void)pthread_mutex_lock(&past->lock);
    const bool told = moment_of(past, frame) < past->moments.count;
    struct state *state = told ? add(&past->states) : NULL;
    if (state != NULL) {
        *state = (struct state){frame, work, packed, size};
        past->packed += size;
        const struct thumb *last =
            past->thumbs.count > 0 ? at(&past->thumbs, past->thumbs.count - 1) : NULL;
        const bool due =
            last == NULL || (double)frame >= (double)last->frame + (thumb_every - 0.1) * past->fps;
        struct thumb *small = thumb != NULL && due ? add(&past->thumbs) : NULL;
        if (small != NULL) {
            *small = (struct thumb){frame, *thumb};
        }
        keep_within(past);
    } else {
        free(packed);
    }
    (void)pthread_mutex_unlock(&past->lock);
}

/* ---- as a set ---- */

static bool find_state(const struct app_set *set, uint64_t frame, uint64_t *found)
{
    struct app_set_past *past = set->past;
    bool any = false;
    (void)pthread_mutex_lock(&past->lock);
    for (size_t i = 0; i < past->states.count; i++) {
        const struct state *state = at(&past->states, i);
        if (state->frame <= frame && state->frame >= set->events.head.first) {
            *found = state->frame;
            any = true;
        }
    }
    (void)pthread_mutex_unlock(&past->lock);
    return any;
}

static int read_state(const struct app_set *set, uint64_t frame, uint8_t **bytes, size_t *size,
                      const struct base_diag_sink *sink)
{
    struct app_set_past *past = set->past;
    struct base_span packed = {NULL, 0};
    char *copy = NULL;
    (void)pthread_mutex_lock(&past->lock);
    for (size_t i = 0; i < past->states.count && copy == NULL; i++) {
        const struct state *state = at(&past->states, i);
        if (state->frame == frame) {
            copy = malloc(state->size);
            if (copy != NULL) {
                memcpy(copy, state->packed, state->size);
            }
            packed = (struct base_span){copy, state->size};
        }
    }
    (void)pthread_mutex_unlock(&past->lock);
    if (copy == NULL) {
        base_report(sink, BASE_NOTE, (struct base_place){0}, NULL,
                    "this moment of the show is forgotten");
        return -1;
    }
    uint64_t number = 0;
    const int result = app_set_state_unpack(NULL, packed, &number, bytes, size, sink);
    free(copy);
    return result;
}

static int read_preset(const struct app_set *set, struct base_span name, char **text, size_t *size,
                       const struct base_diag_sink *sink)
{
    struct app_set_past *past = set->past;
    *text = NULL;
    (void)pthread_mutex_lock(&past->lock);
    for (size_t i = 0; i < past->presets.count && *text == NULL; i++) {
        const struct kept_preset *preset = at(&past->presets, i);
        if (base_span_equal(base_span_of(preset->name), name)) {
            *size = preset->size;
            *text = malloc(preset->size + 1);
            if (*text != NULL) {
                memcpy(*text, preset->text, preset->size);
            }
        }
    }
    (void)pthread_mutex_unlock(&past->lock);
    if (*text == NULL) {
        base_report(sink, BASE_NOTE, (struct base_place){0}, NULL,
                    "a preset of this moment is forgotten");
    }
    return *text != NULL ? 0 : -1;
}

static float sample_of(const uint8_t *bytes)
{
    const uint32_t value =
        (uint32_t)bytes[0] << 8 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 24;
    return (float)((int32_t)value / 256) / 8388608;
}

static int hear(const struct app_set *set, struct app_set_ear *ear, uint64_t from, float *samples,
                size_t frames, size_t *got, const struct base_diag_sink *sink)
{
    (void)ear;
    (void)sink;
    struct app_set_past *past = set->past;
    *got = 0;
    (void)pthread_mutex_lock(&past->lock);
    for (; *got < frames && from + *got < past->heard; (*got)++) {
        const uint64_t place = from + *got;
        const uint8_t *bytes = past->sound + (size_t)(place % past->sound_room) * STEREO;
        const bool there = past->heard - place <= past->sound_room;
        samples[2 * *got] = there ? sample_of(bytes) : 0;
        samples[2 * *got + 1] = there ? sample_of(bytes + SAMPLE) : 0;
    }
    (void)pthread_mutex_unlock(&past->lock);
    return 0;
}

static bool find_picture(const struct app_set *set, const struct app_set_picture *picture,
                         char *path, size_t size)
{
    (void)set;
    const size_t length = strlen(picture->picture);
    if (length < size) {
        memcpy(path, picture->picture, length + 1);
    }
    return length < size;
}

static const struct app_set_store in_memory = {find_state, read_state, read_preset, hear,
                                               find_picture};

static bool copy_text(struct base_arena *arena, struct base_span *text)
{
    text->data = base_arena_text(arena, text->data, text->size);
    return text->data != NULL;
}

static bool copy_events(const struct app_set_past *past, struct app_set *set)
{
    struct app_set_events *events = &set->events;
    events->items = base_arena_array(&events->arena, past->events.count + 1, sizeof *events->items);
    bool good = events->items != NULL;
    for (size_t i = 0; good && i < past->events.count; i++) {
        struct app_set_event *event = &events->items[i];
        *event = ((const struct happened *)at(&past->events, i))->event;
        good = copy_text(&events->arena, &event->text) && copy_text(&events->arena, &event->name) &&
               copy_text(&events->arena, &event->path);
        events->count = i + 1;
    }
    return good;
}

static bool copy_moments(const struct app_set_past *past, struct app_set *set)
{
    const size_t count = past->moments.count;
    set->frames = base_arena_array(&set->arena, count + 1, sizeof *set->frames);
    set->said = base_arena_array(&set->arena, past->said.count + 1, sizeof *set->said);
    if (set->frames == NULL || set->said == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const struct moment *moment = at(&past->moments, i);
        set->frames[i] = (struct app_set_frame){moment->number, moment->heard,
                                                (size_t)(moment->said - past->said_before)};
    }
    set->frame_count = count;
    set->said_count = past->said.count;
    if (past->said.count > 0) {
        memcpy(set->said, past->said.items, past->said.count * sizeof *set->said);
    }
    return true;
}

static bool copy_pictures(const struct app_set_past *past, struct app_set *set)
{
    set->pictures = base_arena_array(&set->arena, past->pictures.count + 1, sizeof *set->pictures);
    bool good = set->pictures != NULL;
    for (size_t i = 0; good && i < past->pictures.count; i++) {
        const struct picture *from = at(&past->pictures, i);
        struct app_set_picture *picture = &set->pictures[i];
        picture->path = base_span_of(from->preset);
        picture->is_file = from->is_file;
        picture->name = base_arena_text(&set->arena, from->name, strlen(from->name));
        picture->picture = base_arena_text(&set->arena, from->path, strlen(from->path));
        good = copy_text(&set->arena, &picture->path) && picture->name != NULL &&
               picture->picture != NULL;
        set->picture_count = i + 1;
    }
    return good;
}

bool app_set_past_read(struct app_set_past *past, struct app_set *set)
{
    (void)pthread_mutex_lock(&past->lock);
    const struct state *oldest = past->states.count > 0 ? at(&past->states, 0) : NULL;
    const struct moment *first = past->moments.count > 1 ? at(&past->moments, 0) : NULL;
    bool good = oldest != NULL && first != NULL && first->number <= oldest->frame;
    if (good) {
        set->store = &in_memory;
        set->past = past;
        set->events.head = past->head;
        set->events.head.first = oldest->frame;
        base_arena_init(&set->arena, READ_MOST);
        base_arena_init(&set->events.arena, READ_MOST);
        good = copy_events(past, set) && copy_moments(past, set) && copy_pictures(past, set);
    }
    (void)pthread_mutex_unlock(&past->lock);
    return good;
}

/* ---- looked at ---- */

struct app_set_span app_set_past_span(struct app_set_past *past)
{
    struct app_set_span span = {0, 0, past->fps};
    (void)pthread_mutex_lock(&past->lock);
    if (past->states.count > 0 && past->moments.count > 0) {
        span.first = ((const struct state *)at(&past->states, 0))->frame + 1;
        span.last = ((const struct moment *)at(&past->moments, past->moments.count - 1))->number;
    }
    (void)pthread_mutex_unlock(&past->lock);
    return span;
}

bool app_set_past_thumb(struct app_set_past *past, uint64_t frame, struct app_set_thumb *thumb)
{
    const struct thumb *nearest = NULL;
    uint64_t least = UINT64_MAX;
    (void)pthread_mutex_lock(&past->lock);
    for (size_t i = 0; i < past->thumbs.count; i++) {
        const struct thumb *one = at(&past->thumbs, i);
        const uint64_t away = one->frame > frame ? one->frame - frame : frame - one->frame;
        if (away < least) {
            least = away;
            nearest = one;
        }
    }
    if (nearest != NULL) {
        *thumb = nearest->picture;
    }
    (void)pthread_mutex_unlock(&past->lock);
    return nearest != NULL;
}

size_t app_set_past_marks(struct app_set_past *past, uint64_t from, uint64_t to,
                          struct app_set_mark *marks, size_t most)
{
    size_t count = 0;
    (void)pthread_mutex_lock(&past->lock);
    size_t i = past->events.count;
    while (i > 0 && count < most) {
        const struct app_set_event *event =
            &((const struct happened *)at(&past->events, --i))->event;
        const bool preset = event->kind == APP_SET_PRESET && !event->again;
        if ((preset || event->kind == APP_SET_COMMAND) && event->frame >= from &&
            event->frame <= to) {
            const struct base_span text = preset ? event->name : event->text;
            struct app_set_mark *mark = &marks[count++];
            *mark = (struct app_set_mark){.kind = event->kind, .frame = event->frame};
            (void)snprintf(mark->text, sizeof mark->text, "%.*s", (int)text.size, text.data);
        }
    }
    (void)pthread_mutex_unlock(&past->lock);
    for (size_t k = 0; k < count / 2; k++) {
        const struct app_set_mark mark = marks[k];
        marks[k] = marks[count - 1 - k];
        marks[count - 1 - k] = mark;
    }
    return count;
}

size_t app_set_past_bars(struct app_set_past *past, uint64_t from, uint64_t to, uint64_t *frames,
                         size_t most)
{
    size_t count = 0;
    (void)pthread_mutex_lock(&past->lock);
    for (size_t i = moment_of(past, to + 1); i > 1 && count < most; i--) {
        const struct moment *moment = at(&past->moments, i - 1);
        const struct moment *before = at(&past->moments, i - 2);
        if (moment->number < from) {
            break;
        }
        if (before->bar > 0 && moment->bar > before->bar &&
            floor(moment->bar) > floor(before->bar)) {
            frames[count++] = moment->number;
        }
    }
    (void)pthread_mutex_unlock(&past->lock);
    for (size_t k = 0; k < count / 2; k++) {
        const uint64_t frame = frames[k];
        frames[k] = frames[count - 1 - k];
        frames[count - 1 - k] = frame;
    }
    return count;
}

uint64_t app_set_past_bars_before(struct app_set_past *past, uint64_t frame, double bars)
{
    uint64_t found = 0;
    (void)pthread_mutex_lock(&past->lock);
    size_t i = moment_of(past, frame);
    i -= i == past->moments.count && i > 0;
    const struct moment *moment = i < past->moments.count ? at(&past->moments, i) : NULL;
    const double wanted = moment != NULL ? moment->bar - bars : 0;
    double last = moment != NULL ? moment->bar : 0;
    while (moment != NULL && moment->bar > 0 && moment->bar <= last && found == 0 && i > 0) {
        last = moment->bar;
        found = last <= wanted ? moment->number : 0;
        moment = at(&past->moments, --i);
    }
    (void)pthread_mutex_unlock(&past->lock);
    return found;
}

struct app_set_holds app_set_past_holds(struct app_set_past *past)
{
    (void)pthread_mutex_lock(&past->lock);
    struct app_set_holds holds = {used(past), past->limit, past->states.count, 0};
    if (past->states.count > 0 && past->moments.count > 0) {
        const struct moment *last = at(&past->moments, past->moments.count - 1);
        const struct state *first = at(&past->states, 0);
        holds.seconds = (double)(last->number - first->frame) / past->fps;
    }
    (void)pthread_mutex_unlock(&past->lock);
    return holds;
}
