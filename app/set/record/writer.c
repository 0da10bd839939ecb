/* The writer's thread of a recording: records to files, and to the past in memory. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/set/record/clip.h"
#include "app/set/record/files.h"
#include "app/set/record/home.h"
#include "app/set/record/pictures.h"
#include "app/set/record/record.h"
#include "app/set/set.h"
#include "base/os/file.h"
#include "base/os/thread.h"

enum { PATH = 4096, PENDING = 4096, STATES = 300 /* so many are there, each second */ };

static const double look_seconds = 0.1;
static const double rest_seconds = 1e6; /* where nothing comes before it is woken */
static const double sync_seconds = 0.4;
static const double space_seconds = 10; /* between looks at what recordings take */

/* What happened since the last frame, whose number is not known before it is drawn. */
struct pending {
    struct app_set_record record;
    struct app_set_event event;
    char text[PENDING];
    char name[APP_SET_NAME];
    char path[ENGINE_PATH];
};

struct writer {
    struct app_set_recorder *recorder;
    struct app_set_head head;
    char folder[PATH];
    int place; /* the folder's descriptor; -1: no recording is open */
    bool began;
    bool told; /* why it ended */
    struct app_set_log events;
    struct app_set_log frames;
    struct app_set_log pictures;
    struct app_set_sound sound;
    uint8_t levels[ENGINE_DMX_CHANNELS];
    struct pending *pending;
    size_t pending_count;
    size_t pending_room;
    struct app_set_tempo tempo[ENGINE_TEMPO_SOURCES];
    bool says[ENGINE_TEMPO_SOURCES];
    uint64_t last; /* frame */
    struct app_set_keeper keeper;
    struct app_set_clips clips;
    struct app_set_record state; /* that the keeper writes, */
    void *packed;                /* its bytes, */
    size_t packed_size;
    atomic_bool writes_state;             /* until it is done */
    struct app_set_record states[STATES]; /* and those that it has written */
    size_t state_count;
    double synced;
    double looked;
    unsigned char *room; /* for a record */
    size_t room_size;
};

/* ---- the end ---- */

static void tell(struct writer *writer, const char *why)
{
    if (!writer->told) {
        base_report(writer->recorder->sink, BASE_ERROR, (struct base_place){.file = writer->folder},
                    "the show goes on; what was recorded until then is whole",
                    "the recording has ended: %s", why);
    }
    writer->told = true;
}

static void close_files(struct writer *writer)
{
    app_set_log_close(&writer->events);
    app_set_log_close(&writer->frames);
    app_set_log_close(&writer->pictures);
    app_set_log_close(&writer->sound.log);
    base_file_close(&writer->place);
    writer->pending_count = writer->recorder->past != NULL ? writer->pending_count : 0;
    writer->began = false;
}

static bool is_open(const struct writer *writer)
{
    return writer->place >= 0;
}

static void fail(struct writer *writer, const char *why)
{
    tell(writer, why);
    close_files(writer);
    atomic_store(&writer->recorder->phase, APP_SET_FAILED);
}

/* What happened now is in no recording, and the past begins behind it. */
static void lose(struct writer *writer)
{
    if (is_open(writer)) {
        fail(writer, "not enough memory");
    }
    if (writer->recorder->past != NULL) {
        app_set_past_begin(writer->recorder->past, writer->last);
    }
}

/* Whether what happens is for the files. */
static bool writes(const struct writer *writer)
{
    return is_open(writer) && writer->began;
}

/* ---- the beginning ---- */

static void open_recording(struct writer *writer)
{
    struct app_set_recorder *recorder = writer->recorder;
    char path[PATH + 32];
    writer->told = false;
    memcpy(writer->folder, recorder->folder, sizeof writer->folder);
    const bool named = writer->folder[0] != '\0';
    recorder->folder[0] = '\0'; /* the next one gets a name of its own */
    if (!named) {
        char home[PATH];
        if (!app_set_home(home, sizeof home) ||
            !app_set_name_by_time(home, writer->folder, sizeof writer->folder)) {
            fail(writer, "there is no folder for recordings");
            return;
        }
        app_set_make_room(writer->folder, recorder->space);
    }
    if (app_set_folders_make(writer->folder) != 0) {
        fail(writer, app_set_folders_text(errno));
        return;
    }
    writer->place = open(writer->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    app_set_keep(writer->place);
    static const struct {
        const char *name;
        size_t log;
    } logs[] = {{"events.yaml", offsetof(struct writer, events)},
                {"frames.txt", offsetof(struct writer, frames)},
                {"pictures.yaml", offsetof(struct writer, pictures)}};
    bool good = writer->place >= 0;
    for (size_t i = 0; good && i < sizeof logs / sizeof *logs; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", writer->folder, logs[i].name);
        good = app_set_log_open((struct app_set_log *)((char *)writer + logs[i].log), path) == 0;
    }
    if (!good) {
        fail(writer, strerror(errno));
        return;
    }
    (void)snprintf(writer->sound.folder, sizeof writer->sound.folder, "%s/sound", writer->folder);
    writer->state_count = 0;
    writer->sound.number = 0;
    writer->sound.keeper = &writer->keeper;
    for (size_t i = 0; i < recorder->note_count; i++) {
        recorder->notes[i].written = 0;
    }
    memcpy(recorder->current, writer->folder, sizeof recorder->current);
    int opens = APP_SET_OPENS;
    (void)atomic_compare_exchange_strong(&recorder->phase, &opens, APP_SET_READY);
}

static void begin(struct writer *writer, const struct app_set_record *record,
                  const unsigned char *levels)
{
    char text[APP_SET_LINE];
    struct tm parts;
    const time_t now = time(NULL);
    writer->head = writer->recorder->head;
    writer->head.first = record->frame;
    if (localtime_r(&now, &parts) != NULL) {
        (void)strftime(writer->head.begun, sizeof writer->head.begun, "%Y-%m-%d %H:%M:%S", &parts);
    }
    const size_t size = app_set_head_write(&writer->head, text);
    app_set_log_add(&writer->events, text, size);
    memcpy(writer->levels, levels, sizeof writer->levels);
    memset(writer->says, 0, sizeof writer->says);
    writer->began = true;
    writer->synced = base_clock_seconds();
    base_report(writer->recorder->sink, BASE_NOTE, (struct base_place){.file = writer->folder},
                NULL, "the show is being recorded");
}

/* ---- what happens between frames ---- */

static struct pending *add_pending(struct writer *writer, const struct app_set_record *record,
                                   enum app_set_kind kind)
{
    if (writer->pending_count == writer->pending_room) {
        const size_t room = 2 * writer->pending_room + 16;
        struct pending *more = realloc(writer->pending, room * sizeof *more);
        if (more == NULL) {
            lose(writer);
            return NULL;
        }
        writer->pending = more;
        writer->pending_room = room;
    }
    struct pending *pending = &writer->pending[writer->pending_count++];
    pending->record = *record;
    pending->event =
        (struct app_set_event){.kind = kind, .after = record->after, .bar = record->bar};
    pending->text[0] = '\0';
    return pending;
}

static void number_to(char *text, size_t size, double value)
{
    (void)snprintf(text, size, "%.15g", value);
    if (strtod(text, NULL) != value) {
        (void)snprintf(text, size, "%.17g", value);
    }
}

/* A call as a command. False: it did nothing. */
static bool words_of(const struct engine_call *call, char *text, size_t size)
{
    const struct engine_command_row *row = &engine_command_rows[call->command];
    char digits[40];
    number_to(digits, sizeof digits, call->number);
    switch (row->argument) {
    case ENGINE_ARGUMENT_SWITCH:
        (void)snprintf(text, size, "%s%s", row->name,
                       call->to == ENGINE_SWITCH_ON    ? " on"
                       : call->to == ENGINE_SWITCH_OFF ? " off"
                                                       : "");
        return true;
    case ENGINE_ARGUMENT_STEP:
        (void)snprintf(text, size, "%s %s%s", row->name, call->absolute ? "=" : "", digits);
        return isfinite(call->number);
    case ENGINE_ARGUMENT_NUMBER:
        (void)snprintf(text, size, "%s %s", row->name, digits);
        return isfinite(call->number);
    case ENGINE_ARGUMENT_TEXT:
        (void)snprintf(text, size, "%s %s", row->name, call->text);
        return call->text[0] != '\0';
    case ENGINE_ARGUMENT_MAYBE:
        (void)snprintf(text, size, "%s %s", row->name, call->text);
        return true;
    default:
        (void)snprintf(text, size, "%s", row->name);
        return true;
    }
}

static void take_command(struct writer *writer, const struct app_set_record *record,
                         const unsigned char *more, size_t size)
{
    struct pending *pending = add_pending(writer, record, APP_SET_COMMAND);
    struct engine_call call = {.command = ENGINE_COMMAND_NONE};
    bool does = true;
    if (pending == NULL) {
        return;
    }
    if (record->kind == APP_SET_RECORD_CALL) {
        memcpy(&call, more, size);
        does = words_of(&call, pending->text, sizeof pending->text);
    } else if (record->kind == APP_SET_RECORD_STEPS) {
        (void)snprintf(pending->text, sizeof pending->text, "%s %d",
                       record->count != 0 ? "cut" : "next", (int)record->number);
    } else {
        char digits[40];
        number_to(digits, sizeof digits, record->number);
        (void)snprintf(pending->text, sizeof pending->text, "set %.*s %s", (int)size,
                       (const char *)more, digits);
        does = isfinite(record->number);
    }
    writer->pending_count -= !does;
}

/* What changed of all channels; it may take several lines. */
static void take_light(struct writer *writer, const struct app_set_record *record,
                       const unsigned char *levels)
{
    enum { LINE = 3000 };
    size_t channel = 0;
    while (channel < ENGINE_DMX_CHANNELS) {
        struct pending *pending = add_pending(writer, record, APP_SET_LIGHT);
        size_t used = 0;
        if (pending == NULL) {
            return;
        }
        for (; channel < ENGINE_DMX_CHANNELS && used < LINE; channel++) {
            if (levels[channel] != writer->levels[channel]) {
                used +=
                    (size_t)snprintf(pending->text + used, sizeof pending->text - used, "%s%zu=%u",
                                     used > 0 ? " " : "", channel + 1, levels[channel]);
                writer->levels[channel] = levels[channel];
            }
        }
        writer->pending_count -= used == 0;
    }
}

static void take_controls(struct writer *writer, const struct app_set_record *record,
                          const unsigned char *more)
{
    struct pending *pending = add_pending(writer, record, APP_SET_CONTROLS);
    size_t used = 0;
    for (size_t i = 0; pending != NULL && i < record->count; i++) {
        struct rend_held held;
        char digits[40];
        memcpy(&held, more + i * sizeof held, sizeof held);
        number_to(digits, sizeof digits, held.value);
        used += (size_t)snprintf(pending->text + used, sizeof pending->text - used, "%s%.23s=%s",
                                 used > 0 ? " " : "", held.name, digits);
        used = used < sizeof pending->text ? used : sizeof pending->text - 1;
    }
}

/* ---- out of the buffers ---- */

/* What frames say is there before they are. */
static bool write_logs(struct writer *writer)
{
    return app_set_log_flush(&writer->events) == 0 && app_set_log_flush(&writer->pictures) == 0 &&
           (writer->sound.number == 0 || app_set_log_flush(&writer->sound.log) == 0) &&
           app_set_log_flush(&writer->frames) == 0;
}

/* ---- presets and the pictures that they name ---- */

static void keep_pictures(struct writer *writer, const char *preset, uint64_t content)
{
    struct app_set_recorder *recorder = writer->recorder;
    (void)pthread_mutex_lock(&recorder->lock);
    for (size_t i = 0; i < recorder->note_count; i++) {
        struct app_set_note *note = &recorder->notes[i];
        char name[APP_SET_PICTURE];
        char hash[24];
        if (strcmp(note->preset, preset) != 0 || note->path == NULL) {
            continue;
        }
        if (recorder->past != NULL) {
            app_set_past_picture(recorder->past, preset, note->name, note->is_file, note->path);
        }
        if (!writes(writer) || note->written == content ||
            !app_set_picture_copy(note->path, writer->folder, name)) {
            continue;
        }
        char file[PATH + APP_SET_PICTURE];
        (void)snprintf(file, sizeof file, "%s/%s", writer->folder, name);
        app_set_keeper_sync_path(&writer->keeper, file);
        note->written = content;
        (void)snprintf(hash, sizeof hash, "%016" PRIx64, content);
        app_set_picture_add(&writer->pictures,
                            &(struct app_set_picture){base_span_of(hash), base_span_of(preset),
                                                      note->name, note->is_file, name});
    }
    (void)pthread_mutex_unlock(&recorder->lock);
}

static void take_preset(struct writer *writer, const struct app_set_record *record,
                        const unsigned char *more)
{
    struct app_set_taken taken;
    struct pending *pending = add_pending(writer, record, APP_SET_PRESET);
    char file[PATH + 64];
    if (pending == NULL) {
        return;
    }
    memcpy(&taken, more, sizeof taken);
    const char *path = (const char *)more + sizeof taken;
    const char *name = path + taken.path;
    const char *text = name + taken.name;
    const char *ending = strrchr(path, '.');
    const uint64_t content = base_content_hash(text, taken.text);
    (void)snprintf(pending->text, sizeof pending->text, "presets/%016" PRIx64 "%s", content,
                   ending != NULL && strcmp(ending, ".fnp") == 0 ? ".fnp" : ".milk");
    (void)snprintf(pending->name, sizeof pending->name, "%s", name);
    (void)snprintf(pending->path, sizeof pending->path, "%s", path);
    pending->event.change = taken.change;
    pending->event.moment = taken.moment;
    pending->event.begins = true;
    pending->event.seconds = taken.seconds;
    pending->event.again = taken.again;
    (void)snprintf(file, sizeof file, "%s/%.48s", writer->folder, pending->text);
    if (writer->recorder->past != NULL) {
        app_set_past_preset(writer->recorder->past, pending->text, text, taken.text);
    }
    if (writes(writer) && access(file, F_OK) != 0) {
        /* A new file may take its time. */
        if (!write_logs(writer) || base_file_write(file, text, taken.text, BASE_FILE_CACHE) != 0) {
            fail(writer, strerror(errno));
            return;
        }
        app_set_keeper_sync_path(&writer->keeper, file);
    }
    keep_pictures(writer, path, content);
}

/* ---- states ---- */

/* Takes away the state of five minutes ago, unless it is one of those that last. */
static void drop_state(struct writer *writer, const struct app_set_record *record)
{
    struct app_set_record *oldest = &writer->states[writer->state_count++ % STATES];
    if (writer->state_count > STATES && oldest->count != APP_SET_FOR_GOOD) {
        char path[PATH + 64];
        (void)snprintf(path, sizeof path, "%s/states/%010" PRIu64 ".state", writer->folder,
                       oldest->frame);
        (void)unlink(path);
    }
    *oldest = *record;
}

/* By the keeper's thread, to which the packed state belongs until then. */
static void write_state(void *user)
{
    struct writer *writer = user;
    const struct app_set_record *record = &writer->state;
    char path[PATH + 64];
    (void)snprintf(path, sizeof path, "%s/last.state", writer->folder);
    bool good = base_file_write(path, writer->packed, writer->packed_size, BASE_FILE_CACHE) == 0;
    app_set_keeper_sync_path(&writer->keeper, path);
    if (good) {
        (void)snprintf(path, sizeof path, "%s/states/%010" PRIu64 ".state", writer->folder,
                       record->frame);
        good = base_file_write(path, writer->packed, writer->packed_size, BASE_FILE_CACHE) == 0;
        drop_state(writer, record);
    }
    if (good && record->count == APP_SET_FOR_GOOD) {
        app_set_keeper_sync_path(&writer->keeper, path);
    }
    if (!good) {
        atomic_store(&writer->keeper.error, errno);
    }
    free(writer->packed);
    atomic_store(&writer->writes_state, false);
}

static void take_state(struct writer *writer, const struct app_set_record *record)
{
    struct app_set_slot *slot = &writer->recorder->slot;
    struct app_set_past *past = writer->recorder->past;
    const bool file =
        writes(writer) && record->count != APP_SET_OF_PAST && !atomic_load(&writer->writes_state);
    void *packed = NULL;
    size_t size = 0;
    if (past == NULL && !file) {
        atomic_store(&slot->turn, APP_SET_SLOT_FREE);
        return;
    }
    const bool good =
        app_set_state_pack(record->frame, slot->bytes, slot->size, &packed, &size) == 0;
    const struct app_set_thumb *thumb = slot->thumb.width > 0 ? &slot->thumb : NULL;
    if (good && file) {
        void *copy = past != NULL ? malloc(size) : packed;
        if (copy != NULL && copy != packed) {
            memcpy(copy, packed, size);
        }
        writer->state = *record;
        writer->packed = copy;
        writer->packed_size = size;
        atomic_store(&writer->writes_state, copy != NULL);
        if (copy != NULL && !app_set_keeper_run(&writer->keeper, write_state, writer)) {
            free(copy);
            atomic_store(&writer->writes_state, false);
        }
    }
    if (good && past != NULL) {
        app_set_past_state(past, record->frame, record->number, packed, size, thumb);
    }
    atomic_store(&slot->turn, APP_SET_SLOT_FREE);
}

static void enlarge_slot(struct app_set_slot *slot)
{
    if (atomic_load(&slot->turn) == APP_SET_SLOT_SMALL) {
        const size_t room = slot->wanted + slot->wanted / 4;
        uint8_t *more = realloc(slot->bytes, room);
        if (more != NULL) {
            slot->bytes = more;
            slot->room = room;
            atomic_store(&slot->turn, APP_SET_SLOT_FREE);
        }
    }
}

/* ---- frames ---- */

static void write_pending(struct writer *writer, uint64_t frame)
{
    char text[2 * APP_SET_LINE];
    for (size_t i = 0; i < writer->pending_count; i++) {
        struct pending *pending = &writer->pending[i];
        struct app_set_event *event = &pending->event;
        event->frame = frame;
        event->text = base_span_of(pending->text);
        event->name = base_span_of(event->kind == APP_SET_PRESET ? pending->name : "");
        event->path = base_span_of(event->kind == APP_SET_PRESET ? pending->path : "");
        if (event->kind == APP_SET_STILL) {
            event->seconds = pending->record.number;
        }
        if (writer->recorder->past != NULL) {
            app_set_past_event(writer->recorder->past, event);
        }
        if (writes(writer)) {
            app_set_log_add(&writer->events, text, app_set_event_write(event, &writer->head, text));
        }
    }
    writer->pending_count = 0;
}

static void write_tempo(struct writer *writer)
{
    for (unsigned i = 0; i < ENGINE_TEMPO_SOURCES; i++) {
        char text[160];
        const struct app_set_tempo *tempo = &writer->tempo[i];
        if (writer->says[i] && writer->recorder->past != NULL) {
            const struct app_set_said said = {(enum engine_tempo_source)i, tempo->bpm, tempo->beats,
                                              tempo->runs};
            app_set_past_said(writer->recorder->past, &said);
        }
        if (writer->says[i] && writes(writer)) {
            const int size = snprintf(text, sizeof text, "t %s %.17g %.17g %d\n",
                                      engine_tempo_name((enum engine_tempo_source)i), tempo->bpm,
                                      tempo->beats, tempo->runs);
            app_set_log_add(&writer->frames, text, (size_t)size);
        }
        writer->says[i] = false;
    }
}

static void take_frame(struct writer *writer, const struct app_set_record *record,
                       const unsigned char *more, size_t size)
{
    char text[64];
    const float *samples = (const float *)(const void *)more;
    const size_t count = size / (2 * sizeof *samples);
    write_pending(writer, record->frame);
    write_tempo(writer);
    writer->last = record->frame;
    if (writer->recorder->past != NULL) {
        app_set_past_frame(writer->recorder->past, record->frame, samples, count, record->bar);
    }
    if (!writes(writer)) {
        return;
    }
    const int used = snprintf(text, sizeof text, "%" PRIu64 " %zu\n", record->frame, record->count);
    app_set_log_add(&writer->frames, text, (size_t)used);
    if (app_set_sound_add(&writer->sound, samples, count) != 0) {
        fail(writer, strerror(errno));
    }
}

static void sync_logs(struct writer *writer)
{
    app_set_keeper_sync(&writer->keeper, writer->events.file);
    app_set_keeper_sync(&writer->keeper, writer->pictures.file);
    app_set_keeper_sync(&writer->keeper, writer->sound.log.file);
    app_set_keeper_sync(&writer->keeper, writer->frames.file);
}

static void take_clip(struct writer *writer, const struct app_set_record *record)
{
    static const double seconds = 15;
    const double to = app_set_seconds(&writer->head, record->frame + 1);
    if (!writes(writer)) {
        app_set_clips_keep(&writer->clips, writer->recorder->past, record->frame, seconds);
    } else if (write_logs(writer)) {
        app_set_clips_make(&writer->clips, writer->folder, to - seconds, to);
    }
}

static void end(struct writer *writer)
{
    if (!is_open(writer)) {
        return;
    }
    if (writes(writer)) {
        char text[APP_SET_LINE];
        const struct app_set_event event = {.kind = APP_SET_END, .frame = writer->last + 1};
        app_set_log_add(&writer->events, text, app_set_event_write(&event, &writer->head, text));
    }
    bool good = write_logs(writer);
    sync_logs(writer);
    good = app_set_sound_end(&writer->sound) == 0 && good;
    if (!good) {
        tell(writer, strerror(errno));
    } else if (!writer->told) {
        base_report(writer->recorder->sink, BASE_NOTE, (struct base_place){.file = writer->folder},
                    "froth render makes a video of it", "the recording has ended");
    }
    close_files(writer);
}

static void take(struct writer *writer, const unsigned char *bytes, size_t size)
{
    struct app_set_record record;
    memcpy(&record, bytes, sizeof record);
    const unsigned char *more = bytes + sizeof record;
    const size_t rest = size - sizeof record;
    if (record.kind == APP_SET_RECORD_END) {
        end(writer);
        int ends = APP_SET_ENDS;
        (void)atomic_compare_exchange_strong(&writer->recorder->phase, &ends, APP_SET_OFF);
        return;
    }
    if (!is_open(writer) && writer->recorder->past == NULL) {
        if (record.kind == APP_SET_RECORD_STATE) {
            atomic_store(&writer->recorder->slot.turn, APP_SET_SLOT_FREE);
        }
        return;
    }
    struct pending *pending = NULL;
    switch (record.kind) {
    case APP_SET_RECORD_BEGIN:
        if (is_open(writer)) {
            begin(writer, &record, more);
        }
        break;
    case APP_SET_RECORD_KEEP:
        memcpy(writer->levels, more, sizeof writer->levels);
        app_set_past_begin(writer->recorder->past, record.frame);
        break;
    case APP_SET_RECORD_CALL:
    case APP_SET_RECORD_PUT:
    case APP_SET_RECORD_STEPS:
        take_command(writer, &record, more, rest);
        break;
    case APP_SET_RECORD_PRESET:
        take_preset(writer, &record, more);
        break;
    case APP_SET_RECORD_SHADERS:
        pending = add_pending(writer, &record, APP_SET_SHADERS);
        if (pending != NULL) {
            memcpy(pending->event.shaders, more, sizeof pending->event.shaders);
        }
        break;
    case APP_SET_RECORD_STILL:
        (void)add_pending(writer, &record, APP_SET_STILL);
        break;
    case APP_SET_RECORD_ANEW:
        (void)add_pending(writer, &record, APP_SET_ANEW);
        break;
    case APP_SET_RECORD_MORE:
        (void)add_pending(writer, &record, APP_SET_MORE);
        break;
    case APP_SET_RECORD_LIGHT:
        take_light(writer, &record, more);
        break;
    case APP_SET_RECORD_CONTROLS:
        take_controls(writer, &record, more);
        break;
    case APP_SET_RECORD_TEMPO: {
        struct app_set_tempo tempo;
        memcpy(&tempo, more, sizeof tempo);
        writer->tempo[tempo.source] = tempo;
        writer->says[tempo.source] = true;
        break;
    }
    case APP_SET_RECORD_STATE:
        take_state(writer, &record);
        break;
    case APP_SET_RECORD_FRAME:
        take_frame(writer, &record, more, rest);
        break;
    case APP_SET_RECORD_CLIP:
        take_clip(writer, &record);
        break;
    case APP_SET_RECORD_END:
        break;
    }
}

static void drain(struct writer *writer)
{
    struct app_set_ring *ring = &writer->recorder->ring;
    for (size_t size = app_set_ring_next(ring); size > 0; size = app_set_ring_next(ring)) {
        if (size > writer->room_size) {
            unsigned char *more = realloc(writer->room, size);
            if (more == NULL) {
                fail(writer, "not enough memory");
                base_clock_sleep_until(base_clock_seconds() + look_seconds);
                continue;
            }
            writer->room = more;
            writer->room_size = size;
        }
        app_set_ring_take(ring, writer->room, size);
        take(writer, writer->room, size);
    }
}

/* ---- the disk ---- */

static bool is_there(const struct writer *writer)
{
    struct stat open;
    struct stat named;
    return fstat(writer->place, &open) == 0 && stat(writer->folder, &named) == 0 &&
           open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

static void flush(struct writer *writer)
{
    const double now = base_clock_seconds();
    if (!is_open(writer)) {
        return;
    }
    if (!write_logs(writer)) {
        fail(writer, strerror(errno));
        return;
    }
    if (now - writer->synced < sync_seconds || !app_set_keeper_is_idle(&writer->keeper)) {
        return;
    }
    writer->synced = now;
    sync_logs(writer);
    const int error = atomic_load(&writer->keeper.error);
    if (error != 0) {
        fail(writer, strerror(error));
    } else if (!is_there(writer)) {
        fail(writer, "its folder is gone");
    } else if (writer->recorder->space > 0 && now - writer->looked > space_seconds) {
        writer->looked = now;
        if (!app_set_make_room(writer->folder, writer->recorder->space)) {
            fail(writer, "it takes all the space that recordings may have");
        }
    }
}

void *app_set_writer_main(void *user)
{
    struct app_set_recorder *recorder = user;
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        base_report(recorder->sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "nothing can be recorded: not enough memory");
        return NULL;
    }
    writer->recorder = recorder;
    writer->clips.sink = recorder->sink;
    (void)app_set_keeper_open(&writer->keeper);
    writer->place = writer->events.file = writer->frames.file = writer->pictures.file =
        writer->sound.log.file = -1;
    bool quit = false;
    while (!quit) {
        const bool rests = !is_open(writer) && recorder->past == NULL;
        base_clock_wait(&recorder->wake, rests ? rest_seconds : look_seconds);
        quit = atomic_load(&recorder->quit);
        enlarge_slot(&recorder->slot);
        if (atomic_load(&recorder->phase) == APP_SET_OPENS && !is_open(writer)) {
            open_recording(writer);
        }
        drain(writer);
        if (is_open(writer) && atomic_load(&recorder->phase) == APP_SET_FAILED) {
            fail(writer, "the disk is too slow");
        }
        flush(writer);
    }
    end(writer);
    close_files(writer);
    app_set_keeper_close(&writer->keeper);
    app_set_clips_close(&writer->clips);
    free(writer->pending);
    free(writer->room);
    free(writer);
    return NULL;
}
