/* The painter's side of a recording: what the show is told, as records in a ring. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/set/record/record.h"
#include "base/os/file.h"
#include "base/os/thread.h"
#include "engine/feed/loader.h"

enum {
    RING = 1 << 24,       /* bytes: half a minute of sound and more */
    STATE_SECONDS = 1,    /* between states */
    STATES_TO_KEEP = 10,  /* each so many is kept for good */
    STATE_ROOM = 1 << 20, /* bytes at first, beside the pixels */
};

/* The past has a state more where drawing took so long since the last one, and so many seconds
 * have passed: its pictures are not further from a state than that. */
static const double work_between = 0.15;
static const double least_between = 0.2;

static void give_up(struct app_set_recorder *recorder)
{
    int on = APP_SET_ON;
    (void)atomic_compare_exchange_strong(&recorder->phase, &on, APP_SET_FAILED);
    if (recorder->keeps == APP_SET_KEEPS) {
        recorder->keeps = APP_SET_KEEPS_ANEW;
    }
}

static bool is_on(const struct app_set_recorder *recorder)
{
    return atomic_load_explicit(&recorder->phase, memory_order_relaxed) == APP_SET_ON;
}

static void put(struct app_set_recorder *recorder, struct app_set_record record,
                const struct app_set_piece *more, size_t count)
{
    struct app_set_piece pieces[5];
    record.after = recorder->after;
    record.bar = recorder->bar;
    pieces[0] = (struct app_set_piece){&record, sizeof record};
    for (size_t i = 0; i < count; i++) {
        pieces[i + 1] = more[i];
    }
    if (!app_set_ring_put(&recorder->ring, pieces, count + 1)) {
        give_up(recorder); /* the writer says so */
    }
}

static void put_one(struct app_set_recorder *recorder, enum app_set_record_kind kind, double number)
{
    put(recorder, (struct app_set_record){.kind = kind, .number = number}, NULL, 0);
}

/* ---- what the show is told ---- */

static void tell_call(struct app_set_recorder *recorder, const struct engine_call *call)
{
    const struct app_set_piece piece = {call, offsetof(struct engine_call, text) +
                                                  strlen(call->text) + 1};
    put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_CALL}, &piece, 1);
}

static void tell_take(struct app_set_recorder *recorder, const struct engine_told *told)
{
    const struct engine_loaded *loaded = rend_cue_user(told->cue);
    const struct engine_preset *preset = loaded->preset;
    const struct app_set_taken taken = {.change = loaded->change,
                                        .moment = loaded->moment,
                                        .seconds = told->seconds,
                                        .path = strlen(preset->path) + 1,
                                        .name = strlen(preset->name) + 1,
                                        .text = preset->size,
                                        .again = told->again};
    const struct app_set_piece pieces[] = {{&taken, sizeof taken},
                                           {preset->path, taken.path},
                                           {preset->name, taken.name},
                                           {preset->text, taken.text}};
    put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_PRESET}, pieces, 4);
}

static void tell_light(struct app_set_recorder *recorder, const struct engine_told *told)
{
    const size_t count =
        told->count < sizeof recorder->levels ? told->count : sizeof recorder->levels;
    uint8_t levels[sizeof recorder->levels] = {0};
    if (count > 0) {
        memcpy(levels, told->levels, count);
    }
    if (memcmp(levels, recorder->levels, sizeof levels) != 0) {
        const struct app_set_piece piece = {recorder->levels, sizeof recorder->levels};
        memcpy(recorder->levels, levels, sizeof levels);
        put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_LIGHT}, &piece, 1);
    }
}

static void tell_controls(struct app_set_recorder *recorder, const struct engine_told *told)
{
    const size_t count = told->count < ENGINE_CONTROLS_MAX ? told->count : ENGINE_CONTROLS_MAX;
    const size_t size = count * sizeof *told->controls;
    if (count != recorder->control_count ||
        (size > 0 && memcmp(told->controls, recorder->controls, size) != 0)) {
        if (size > 0) {
            memcpy(recorder->controls, told->controls, size);
        }
        recorder->control_count = count;
        const struct app_set_piece piece = {recorder->controls, size};
        put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_CONTROLS, .count = count},
            &piece, 1);
    }
}

/* A clock that is not there says so in each frame. */
static void tell_tempo(struct app_set_recorder *recorder, const struct engine_told *told)
{
    const struct app_set_tempo tempo = {told->source, told->bpm, told->beats, told->runs};
    struct app_set_tempo *last = &recorder->tempo[told->source];
    const bool says = told->bpm != 0 || last->bpm != 0;
    *last = tempo;
    if (says) {
        const struct app_set_piece piece = {&tempo, sizeof tempo};
        put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_TEMPO}, &piece, 1);
    }
}

static void tell_frame(struct app_set_recorder *recorder, const struct engine_told *told)
{
    const struct app_set_piece piece = {told->sound, told->count * 2 * sizeof *told->sound};
    put(recorder,
        (struct app_set_record){
            .kind = APP_SET_RECORD_FRAME, .frame = told->frame, .count = told->count},
        &piece, 1);
    recorder->after = 0;
}

static void tell(void *user, const struct engine_told *told)
{
    struct app_set_recorder *recorder = user;
    if (!is_on(recorder) && recorder->keeps != APP_SET_KEEPS) {
        return;
    }
    switch (told->kind) {
    case ENGINE_TOLD_TAKE:
        tell_take(recorder, told);
        break;
    case ENGINE_TOLD_DIVISORS: {
        const struct app_set_piece piece = {told->divisors,
                                            REND_SHADER_STAGES * sizeof *told->divisors};
        put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_SHADERS}, &piece, 1);
        break;
    }
    case ENGINE_TOLD_PRESETS:
        put(recorder,
            (struct app_set_record){
                .kind = APP_SET_RECORD_STEPS, .number = told->steps, .count = told->hard},
            NULL, 0);
        break;
    case ENGINE_TOLD_WAIT_ANEW:
        put_one(recorder, APP_SET_RECORD_ANEW, 0);
        break;
    case ENGINE_TOLD_HOLD:
        put_one(recorder, APP_SET_RECORD_STILL, told->seconds);
        break;
    case ENGINE_TOLD_STEP:
        recorder->after++;
        break;
    case ENGINE_TOLD_FRAME:
        tell_frame(recorder, told);
        break;
    case ENGINE_TOLD_MORE:
        put_one(recorder, APP_SET_RECORD_MORE, 0);
        break;
    case ENGINE_TOLD_DMX:
        tell_light(recorder, told);
        break;
    case ENGINE_TOLD_CONTROLS:
        tell_controls(recorder, told);
        break;
    case ENGINE_TOLD_TEMPO:
        tell_tempo(recorder, told);
        break;
    case ENGINE_TOLD_OBEY:
        tell_call(recorder, told->call);
        break;
    case ENGINE_TOLD_PUT: {
        const struct app_set_piece piece = {told->key.data, told->key.size};
        put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_PUT, .number = told->value},
            &piece, 1);
        break;
    }
    case ENGINE_TOLD_RESIZE: /* a window's picture keeps its size, and no state comes to it while */
    case ENGINE_TOLD_RESTORE: /* it is recorded */
        give_up(recorder);
        break;
    case ENGINE_TOLD_REACH:
    case ENGINE_TOLD_ADVANCE:
    case ENGINE_TOLD_COUNT:
        break;
    }
}

struct engine_watcher app_set_recorder_watcher(struct app_set_recorder *recorder)
{
    return (struct engine_watcher){recorder, tell};
}

/* ---- frames ---- */

void app_set_round(float *samples, size_t count)
{
    static const float whole = 8388608; /* 2^23 */
    for (size_t i = 0; i < count; i++) {
        const float scaled = rintf(samples[i] * whole);
        samples[i] = (scaled >= whole    ? whole - 1
                      : scaled >= -whole ? scaled
                      : scaled < -whole  ? -whole
                                         : 0) /
                     whole;
    }
}

void app_set_recorder_switch(struct app_set_recorder *recorder, bool on)
{
    if (recorder == NULL) {
        return;
    }
    int phase = atomic_load(&recorder->phase);
    if (on && (phase == APP_SET_OFF || phase == APP_SET_FAILED)) {
        atomic_store(&recorder->phase, APP_SET_OPENS);
        (void)sem_post(&recorder->wake);
    } else if (!on && phase == APP_SET_ON) {
        put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_END}, NULL, 0);
        (void)atomic_compare_exchange_strong(&recorder->phase, &phase, APP_SET_ENDS);
    }
}

void app_set_recorder_want(struct app_set_recorder *recorder, const char *name)
{
    if (name != NULL) {
        (void)snprintf(recorder->folder, sizeof recorder->folder, "%s", name);
    }
    app_set_recorder_switch(recorder, true);
}

bool app_set_recorder_is_on(const struct app_set_recorder *recorder)
{
    const int phase = recorder != NULL ? atomic_load(&recorder->phase) : APP_SET_OFF;
    return phase == APP_SET_ON || phase == APP_SET_OPENS || phase == APP_SET_READY;
}

const char *app_set_recorder_folder(const struct app_set_recorder *recorder)
{
    return recorder != NULL && is_on(recorder) ? recorder->current : NULL;
}

bool app_set_recorder_clip(struct app_set_recorder *recorder, froth *show)
{
    if (recorder == NULL || (!is_on(recorder) && recorder->keeps != APP_SET_KEEPS)) {
        return false;
    }
    put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_CLIP, .frame = froth_frame(show)},
        NULL, 0);
    return true;
}

/* Saves the show into the slot; false: not now. */
static bool save(struct app_set_recorder *recorder, froth *show)
{
    struct app_set_slot *slot = &recorder->slot;
    if (atomic_load(&slot->turn) != APP_SET_SLOT_FREE) {
        return false;
    }
    engine_keep(instance_engine(show), &recorder->kept);
    const size_t kept = engine_kept_save(&recorder->kept, slot->bytes, slot->room);
    size_t state = 0;
    const int result =
        instance_save(show, kept > 0 ? slot->bytes + kept : NULL, slot->room - kept, &state);
    slot->size = kept + state;
    if (kept == 0 || result == FROTH_TOO_SMALL) {
        slot->wanted = 2 * sizeof recorder->kept + state;
        atomic_store(&slot->turn, APP_SET_SLOT_SMALL);
        (void)sem_post(&recorder->wake);
    }
    return kept > 0 && result == FROTH_OK;
}

/* Each so many pixels one. */
static void take_thumb(struct app_set_thumb *thumb, const struct app_set_shown *shown)
{
    const int width = shown->width;
    const int height = shown->height;
    const int across = (width + APP_SET_THUMB_WIDTH - 1) / APP_SET_THUMB_WIDTH;
    const int down = (height + APP_SET_THUMB_HEIGHT - 1) / APP_SET_THUMB_HEIGHT;
    const int step = across > down ? across : down;
    uint32_t *to = thumb->pixels;
    thumb->width = width / step;
    thumb->height = height / step;
    for (int y = 0; y < thumb->height; y++) {
        const uint32_t *from = shown->pixels + (size_t)(y * step + step / 2) * shown->stride;
        for (int x = 0; x < thumb->width; x++) {
            *to++ = from[x * step + step / 2];
        }
    }
}

/* Behind the beginning, or the last one. */
static void put_state(struct app_set_recorder *recorder, uint64_t frame,
                      const struct app_set_shown *shown)
{
    struct app_set_thumb *thumb = &recorder->slot.thumb;
    enum app_set_lasts lasts = APP_SET_OF_PAST;
    thumb->width = 0;
    if (frame >= recorder->due) {
        lasts = recorder->states++ % STATES_TO_KEEP == 0 ? APP_SET_FOR_GOOD : APP_SET_OF_SECOND;
        recorder->due = frame + (uint64_t)(STATE_SECONDS * app_set_rate(&recorder->head.config));
        if (recorder->past != NULL && shown->pixels != NULL) {
            take_thumb(thumb, shown);
        }
    }
    recorder->last = frame;
    recorder->worked = recorder->work;
    atomic_store(&recorder->slot.turn, APP_SET_SLOT_FULL);
    put(recorder,
        (struct app_set_record){
            .kind = APP_SET_RECORD_STATE, .frame = frame, .number = recorder->work, .count = lasts},
        NULL, 0);
}

/* From a state on: what inputs hold is in it. */
static void put_begin(struct app_set_recorder *recorder, enum app_set_record_kind kind,
                      uint64_t frame)
{
    memcpy(recorder->levels, recorder->kept.dmx, sizeof recorder->levels);
    memcpy(recorder->controls, recorder->kept.controls, sizeof recorder->controls);
    recorder->control_count = recorder->kept.control_count;
    recorder->states = 0;
    recorder->after = 0;
    recorder->due = 0;
    const struct app_set_piece piece = {recorder->levels, sizeof recorder->levels};
    put(recorder, (struct app_set_record){.kind = kind, .frame = frame}, &piece, 1);
}

/* Whether the past needs a state between two seconds. */
static bool is_far(const struct app_set_recorder *recorder, uint64_t frame)
{
    return recorder->keeps == APP_SET_KEEPS && recorder->work - recorder->worked >= work_between &&
           (double)(frame - recorder->last) >= least_between * app_set_rate(&recorder->head.config);
}

void app_set_recorder_frame(struct app_set_recorder *recorder, froth *show,
                            const struct app_set_shown *shown)
{
    if (recorder == NULL) {
        return;
    }
    const struct engine_tempo *tempo = &engine_state(instance_engine(show))->tempo.now;
    const uint64_t frame = froth_frame(show);
    const int phase = atomic_load(&recorder->phase);
    recorder->bar = tempo->bpm > 0 ? tempo->beats / 4 : 0;
    recorder->work += shown->work;
    const bool flows = phase == APP_SET_ON || recorder->keeps == APP_SET_KEEPS;
    if (phase == APP_SET_READY && save(recorder, show)) {
        atomic_store(&recorder->phase, APP_SET_ON);
        put_begin(recorder, APP_SET_RECORD_BEGIN, frame);
        put_state(recorder, frame, shown);
    } else if (recorder->keeps == APP_SET_KEEPS_ANEW &&
               app_set_ring_room(&recorder->ring) > RING / 2 && save(recorder, show)) {
        recorder->keeps = APP_SET_KEEPS;
        put_begin(recorder, APP_SET_RECORD_KEEP, frame);
        put_state(recorder, frame, shown);
    } else if (flows && (frame >= recorder->due || is_far(recorder, frame)) &&
               save(recorder, show)) {
        put_state(recorder, frame, shown);
    }
}

/* ---- pictures ---- */

static char *copy(const char *text)
{
    return text != NULL ? strdup(text) : NULL;
}

static void note(struct app_set_recorder *recorder, const struct rend_picture_request *request,
                 const char *path)
{
    enum { NOTES = 10000 };
    const char *preset = request->preset_path != NULL ? request->preset_path : "";
    const char *name = request->file != NULL ? request->file : request->name;
    (void)pthread_mutex_lock(&recorder->lock);
    size_t i = 0;
    while (i < recorder->note_count && (strcmp(recorder->notes[i].preset, preset) != 0 ||
                                        strcmp(recorder->notes[i].name, name) != 0)) {
        i++;
    }
    if (i == recorder->note_count && i < NOTES) {
        struct app_set_note *more = realloc(recorder->notes, (i + 1) * sizeof *recorder->notes);
        if (more != NULL) {
            recorder->notes = more;
            more[i] =
                (struct app_set_note){copy(preset), copy(name), request->file != NULL, NULL, 0};
            recorder->note_count += more[i].preset != NULL && more[i].name != NULL;
        }
    }
    if (i < recorder->note_count) {
        free(recorder->notes[i].path);
        recorder->notes[i].path = copy(path);
    }
    (void)pthread_mutex_unlock(&recorder->lock);
}

static bool find(void *user, const struct rend_picture_request *request, char *path, size_t size)
{
    struct app_set_recorder *recorder = user;
    const struct rend_pictures *pictures = &recorder->pictures;
    const bool found = pictures->find(pictures->user, request, path, size);
    if (found) {
        note(recorder, request, path);
    }
    return found;
}

static int measure(void *user, const char *path, struct rend_extent *extent,
                   const struct base_diag_sink *sink)
{
    const struct rend_pictures *pictures = &((struct app_set_recorder *)user)->pictures;
    return pictures->measure(pictures->user, path, extent, sink);
}

static int load(void *user, const char *path, int halvings, size_t room,
                struct rend_picture *picture, const struct base_diag_sink *sink)
{
    const struct rend_pictures *pictures = &((struct app_set_recorder *)user)->pictures;
    return pictures->load(pictures->user, path, halvings, room, picture, sink);
}

struct rend_pictures app_set_recorder_pictures(struct app_set_recorder *recorder,
                                               const struct rend_pictures *pictures)
{
    recorder->pictures = *pictures;
    return (struct rend_pictures){recorder, find, measure, load, pictures->memory, pictures->seed};
}

/* ---- its life ---- */

struct app_set_recorder *app_set_recorder_create(const struct app_set_head *head, uint64_t space,
                                                 struct app_set_past *past,
                                                 const struct base_diag_sink *sink)
{
    const size_t pixels = (size_t)head->config.width * (size_t)head->config.height;
    struct app_set_recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder != NULL) {
        recorder->sink = sink;
        recorder->head = *head;
        recorder->space = space;
        recorder->past = past;
        recorder->keeps = past != NULL ? APP_SET_KEEPS_ANEW : APP_SET_KEEPS_NOT;
        recorder->slot.room = 8 * pixels + STATE_ROOM;
        recorder->slot.bytes = malloc(recorder->slot.room);
        (void)pthread_mutex_init(&recorder->lock, NULL);
        (void)sem_init(&recorder->wake, 0, 0);
        recorder->runs =
            recorder->slot.bytes != NULL && app_set_ring_open(&recorder->ring, RING) == 0 &&
            pthread_create(&recorder->thread, NULL, app_set_writer_main, recorder) == 0;
    }
    if (recorder == NULL || !recorder->runs) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "nothing can be recorded: not enough memory, or no thread");
        app_set_recorder_close(recorder);
        return NULL;
    }
    return recorder;
}

void app_set_recorder_close(struct app_set_recorder *recorder)
{
    if (recorder == NULL) {
        return;
    }
    app_set_recorder_switch(recorder, false);
    atomic_store(&recorder->quit, true);
    if (recorder->runs) {
        (void)sem_post(&recorder->wake);
        (void)pthread_join(recorder->thread, NULL);
    }
    for (size_t i = 0; i < recorder->note_count; i++) {
        free(recorder->notes[i].preset);
        free(recorder->notes[i].name);
        free(recorder->notes[i].path);
    }
    free(recorder->notes);
    free(recorder->slot.bytes);
    app_set_ring_close(&recorder->ring);
    (void)pthread_mutex_destroy(&recorder->lock);
    (void)sem_destroy(&recorder->wake);
    free(recorder);
}

int app_set_recorder_begin(struct app_set_recorder *recorder, const char *name)
{
    static const double patience = 10;
    if (name != NULL) {
        (void)snprintf(recorder->folder, sizeof recorder->folder, "%s", name);
    }
    atomic_store(&recorder->phase, APP_SET_OPENS);
    (void)sem_post(&recorder->wake);
    const double until = base_clock_seconds() + patience;
    while (atomic_load(&recorder->phase) == APP_SET_OPENS && base_clock_seconds() < until) {
        base_clock_sleep_until(base_clock_seconds() + 0.001);
    }
    int ready = APP_SET_READY;
    if (!atomic_compare_exchange_strong(&recorder->phase, &ready, APP_SET_ON)) {
        return -1;
    }
    const struct app_set_piece piece = {recorder->levels, sizeof recorder->levels};
    put(recorder, (struct app_set_record){.kind = APP_SET_RECORD_BEGIN}, &piece, 1);
    return 0;
}
