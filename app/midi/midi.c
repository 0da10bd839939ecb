#include "app/midi/state.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/os/file.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "ui/command.h"

enum {
    MAP_TEXT = 1024 * 1024,
    REQUESTS = 64,
    HEARD = 1024,
    BEATS = 256,
    NICE = 5,
    NOTES = 64, /* about devices, at most */
};

static const double look_seconds = 1;      /* between two looks for files that changed */
static const double search_seconds = 2;    /* between two looks for a sequencer */
static const double silent_seconds = 2;    /* of a device's pulses, until another one's count */
static const double status_seconds = 0.05; /* between two times that it is written */
static const double longest_seconds = 0.5;
static const double begin_seconds = 0.02; /* between two looks for the first picture */

static const struct base_place nowhere = {0};

__attribute__((format(printf, 2, 3))) static void note(struct app_midi *midi, const char *format,
                                                       ...)
{
    char text[200];
    if (midi->notes == NOTES) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    base_report(&midi->sink, BASE_NOTE, nowhere,
                ++midi->notes == NOTES ? "no more is told of others" : NULL, "%s", text);
}

/* ---- maps ---- */

/* A number that changes with the file; 0: there is none. */
static uint64_t mark_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return 0;
    }
    const uint64_t time =
        (uint64_t)status.st_mtim.tv_sec * 1000000007u + (uint64_t)status.st_mtim.tv_nsec;
    const uint64_t mark = (time ^ (uint64_t)status.st_size << 20) + (uint64_t)status.st_ino;
    return mark != 0 ? mark : 1;
}

static void free_source(struct app_midi_source *source)
{
    app_midi_map_free(&source->map);
    free(source->takers);
    free(source->movers);
    source->takers = NULL;
    source->movers = NULL;
    source->good = false;
}

/* Takes over what the text says; where that is wrong, what was said before goes on. */
static int read_text(struct app_midi *midi, struct app_midi_source *source, struct base_span text)
{
    struct app_midi_source fresh = {0};
    const int result = app_midi_map_read(&fresh.map, source->path, text, &midi->sink);
    fresh.takers = calloc(fresh.map.row_count + 1, sizeof *fresh.takers);
    fresh.movers = calloc(fresh.map.row_count + 1, sizeof *fresh.movers);
    if (result != 0 || fresh.takers == NULL || fresh.movers == NULL) {
        free_source(&fresh);
        return -1;
    }
    free_source(source);
    source->map = fresh.map;
    source->takers = fresh.takers;
    source->movers = fresh.movers;
    source->good = true;
    midi->changed = true;
    for (int i = 0; i < APP_MIDI_DEVICES; i++) {
        midi->devices[i].greeted = false;
    }
    return 0;
}

static int read_source(struct app_midi *midi, struct app_midi_source *source)
{
    struct base_file file = {0};
    if (base_file_load(&file, source->path, MAP_TEXT, &midi->sink) != 0) {
        return -1;
    }
    const int result = read_text(midi, source, (struct base_span){file.data, file.size});
    base_file_free(&file);
    return result;
}

static struct app_midi_source *add_source(struct app_midi *midi, const char *path, bool wanted)
{
    for (size_t i = 0; i < midi->source_count; i++) {
        if (strcmp(midi->sources[i].path, path) == 0) {
            return &midi->sources[i];
        }
    }
    const size_t size = strlen(path);
    if (midi->source_count == APP_MIDI_MAPS || size >= APP_MIDI_PATH_SIZE) {
        return NULL;
    }
    struct app_midi_source *source = &midi->sources[midi->source_count++];
    memcpy(source->path, path, size + 1);
    source->wanted = wanted;
    return source;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Adds the maps that lie in a folder, by their names. */
static void add_folder(struct app_midi *midi, const char *folder)
{
    char(*names)[APP_MIDI_PATH_SIZE] = calloc(APP_MIDI_MAPS, sizeof *names);
    const size_t before = strlen(folder);
    size_t count = 0;
    DIR *open = names != NULL ? opendir(folder) : NULL;
    for (struct dirent *entry = NULL;
         open != NULL && count < APP_MIDI_MAPS && (entry = readdir(open)) != NULL;) {
        const size_t size = strlen(entry->d_name);
        const bool map = size > 5 && strcmp(entry->d_name + size - 5, ".yaml") == 0;
        if (map && entry->d_name[0] != '.' && before + size + 2 <= APP_MIDI_PATH_SIZE) {
            memcpy(names[count], folder, before);
            names[count][before] = '/';
            memcpy(names[count] + before + 1, entry->d_name, size + 1);
            count++;
        }
    }
    if (open != NULL) {
        (void)closedir(open);
    }
    if (count > 1) {
        qsort(names, count, sizeof *names, by_name);
    }
    for (size_t i = 0; i < count; i++) {
        (void)add_source(midi, names[i], false);
    }
    free(names);
}

/* Looks for maps that came, went or changed. */
void app_midi_look_at_maps(struct app_midi *midi)
{
    char folder[APP_MIDI_PATH_SIZE];
    if (base_folder_path(BASE_FOLDER_CONFIG, "/midi", folder, sizeof folder)) {
        add_folder(midi, folder);
    }
    for (size_t i = 0; i < midi->source_count; i++) {
        struct app_midi_source *source = &midi->sources[i];
        const uint64_t mark = source->path[0] != '\0' ? mark_of(source->path) : 0;
        if (mark == source->mark || source->builtin) {
            continue;
        }
        const bool again = source->mark != 0;
        source->mark = mark;
        if (mark == 0) {
            free_source(source);
            midi->changed = true;
        } else if (read_source(midi, source) == 0 && again && i > 0) {
            note(midi, "%s: read again", source->path);
        }
    }
}

/* ---- devices ---- */

/* Whether a word of --midi means a device of this name. */
static bool is_meant(const char *word, const char *name)
{
    const struct app_midi_map any = {0};
    struct app_midi_row row = {0};
    (void)snprintf(row.device, sizeof row.device, "%s", word);
    return app_midi_row_fits(&any, &row, name);
}

static bool is_wanted(const struct app_midi *midi, const char *name)
{
    bool wanted = midi->all;
    for (size_t i = 0; i < midi->name_count && !wanted; i++) {
        wanted = is_meant(midi->names[i], name);
    }
    return wanted;
}

/* Whether no device has this word of --midi in its name. */
static bool is_missing(const struct app_midi *midi, const char *word)
{
    bool missing = true;
    for (int i = 0; i < APP_MIDI_DEVICES && missing; i++) {
        missing = !midi->devices[i].there || !is_meant(word, midi->devices[i].name);
    }
    return missing;
}

/* It may be a device that comes later, or be mistyped. */
static void tell_missing(struct app_midi *midi)
{
    for (size_t i = 0; i < midi->name_count; i++) {
        if (is_missing(midi, midi->names[i])) {
            base_report(&midi->sink, BASE_WARNING, nowhere,
                        "it is heard once it is there; 'froth devices' lists those that are",
                        "no MIDI device has '%s' in its name", midi->names[i]);
        }
    }
}

static int add_device(struct app_midi *midi, const char *name)
{
    for (int i = 0; i < APP_MIDI_DEVICES; i++) {
        struct app_midi_device *device = &midi->devices[i];
        if (device->there) {
            continue;
        }
        *device = (struct app_midi_device){.there = true};
        size_t used = 0;
        for (; *name != '\0' && used + 1 < sizeof device->name; name++) {
            const bool printable = *name >= 0x20 && *name < 0x7f;
            device->name[used++] = printable ? *name : '?';
        }
        midi->changed = true;
        return i;
    }
    return -1;
}

static int device_came(void *user, const char *name)
{
    struct app_midi *midi = user;
    const int number = is_wanted(midi, name) ? add_device(midi, name) : -1;
    if (number >= 0) {
        note(midi, "MIDI: '%s' is there", midi->devices[number].name);
    }
    return number;
}

/* What a path gives is wanted by that. */
static int raw_came(void *user, const char *name)
{
    return add_device(user, name);
}

static void remove_device(struct app_midi *midi, int number)
{
    midi->devices[number].there = false;
    midi->changed = true;
    if (midi->beat.device == number) {
        midi->beat.device = -1;
    }
}

static void device_went(void *user, int number)
{
    struct app_midi *midi = user;
    note(midi, "MIDI: '%s' has gone", midi->devices[number].name);
    remove_device(midi, number);
}

static void raw_went(void *user, int number)
{
    remove_device(user, number);
}

static void lost(void *user, uint64_t messages)
{
    struct app_midi *midi = user;
    app_inlet_lose(midi->inlet, messages);
}

/* ---- what is heard ---- */

/* Where the row's value stands, as a part of the way between the row's ends. */
static struct engine_midi_stand stand_of(struct app_midi *midi, const struct app_midi_row *row)
{
    if (!midi->looked) {
        (void)app_door_look(app_inlet_door(midi->inlet), &midi->seen);
        midi->looked = true;
    }
    const double at = (midi->seen.values[row->value] - row->from) / (row->to - row->from);
    return (struct engine_midi_stand){midi->seen.frame, fmin(fmax(at, 0), 1), row->fineness};
}

/* A row's call; steps of an encoder go into its number, where it has one. */
static void call_row(struct app_midi *midi, const struct app_midi_row *row, int times)
{
    enum { TIMES = 64 };
    struct engine_call call = row->call;
    const bool counts =
        ui_command_rows[call.command].argument == ENGINE_ARGUMENT_STEP && !call.absolute;
    if (counts && times != 0) {
        call.number *= times;
        (void)app_inlet_call(midi->inlet, &call);
        return;
    }
    for (int i = 0; i < times && i < TIMES; i++) {
        (void)app_inlet_call(midi->inlet, &call);
    }
}

/* True: the row did something. */
static bool move_row(struct app_midi *midi, struct app_midi_source *source, size_t index,
                     int device, const struct engine_midi_move *move)
{
    const struct app_midi_row *row = &source->map.rows[index];
    struct engine_midi_taker *taker = &source->takers[index];
    if (source->movers[index] != device) {
        *taker = (struct engine_midi_taker){0};
        source->movers[index] = device;
    }
    if (row->value == 0) {
        const int times = engine_midi_presses(taker, row->mode, move);
        call_row(midi, row, times);
        return times != 0;
    }
    const struct engine_midi_stand stand = stand_of(midi, row);
    double place;
    if (!engine_midi_take(taker, row->mode, row->step, move, &stand, &place)) {
        return false;
    }
    return app_inlet_value(midi->inlet, row->value, row->from + (row->to - row->from) * place);
}

/* Whether a map is one of a device's: those that come with froth give way to any of the user's that
 * fits, but not to what was learnt. */
bool app_midi_is_for(const struct app_midi *midi, const struct app_midi_source *source,
                     const struct app_midi_device *device)
{
    bool fits = source->good && app_midi_map_fits(&source->map, device->name);
    for (size_t i = 1; fits && source->builtin && i < midi->source_count; i++) {
        const struct app_midi_source *other = &midi->sources[i];
        fits = !other->good || other->builtin || !app_midi_map_fits(&other->map, device->name);
    }
    return fits;
}

/* Whether program changes of a device pick presets: what the first map says of it that says
 * anything. */
static bool takes_programs(const struct app_midi *midi, const struct app_midi_device *device)
{
    for (size_t i = 0; i < midi->source_count; i++) {
        const struct app_midi_source *source = &midi->sources[i];
        if (source->good && source->map.has_programs &&
            app_midi_map_fits(&source->map, device->name)) {
            return source->map.programs;
        }
    }
    return true;
}

/* The first map that has rows for a control is the one that counts. */
static void move_control(struct app_midi *midi, int number, const struct engine_midi_move *move)
{
    struct app_midi_device *device = &midi->devices[number];
    bool known = false;
    bool moved = false;
    for (size_t i = 0; i < midi->source_count && !known; i++) {
        struct app_midi_source *source = &midi->sources[i];
        const bool counts = app_midi_is_for(midi, source, device);
        for (size_t k = 0; counts && k < source->map.row_count; k++) {
            const struct app_midi_row *row = &source->map.rows[k];
            if (engine_midi_same(&row->control, &move->control) &&
                app_midi_row_fits(&source->map, row, device->name)) {
                known = true;
                moved = move_row(midi, source, k, number, move) || moved;
            }
        }
    }
    if (!known && move->control.part == ENGINE_MIDI_IS_PROGRAM && takes_programs(midi, device)) {
        struct engine_call call = {.command = UI_COMMAND_LOAD};
        (void)snprintf(call.text, sizeof call.text, "#%u", (unsigned)move->raw);
        (void)app_inlet_call(midi->inlet, &call);
        known = moved = true;
    }
    if (known || move->control.part == ENGINE_MIDI_IS_CONTROLLER ||
        move->control.part == ENGINE_MIDI_IS_NOTE) {
        char words[APP_MIDI_NAME];
        app_midi_control_words(&move->control, words, sizeof words);
        (void)snprintf(midi->moved, sizeof midi->moved, "%.60s: %s at %u%s", device->name, words,
                       (unsigned)move->raw,
                       !known  ? ", which does nothing"
                       : moved ? ""
                       : move->control.part == ENGINE_MIDI_IS_NOTE && move->raw == 0
                           ? ""
                           : ", not yet where the value is");
        midi->changed = true;
    }
}

static void take_beat(struct app_midi *midi, int number, const struct engine_midi_message *message,
                      double now)
{
    struct app_midi_beat_state *state = &midi->beat;
    if (state->device != number && state->device >= 0 && now - state->at < silent_seconds) {
        return;
    }
    if (message->kind == ENGINE_MIDI_PULSE || message->kind == ENGINE_MIDI_BEGIN) {
        state->device = number;
        state->at = now;
    }
    const struct app_midi_beat beat = {.kind = message->kind,
                                       .position =
                                           (uint16_t)(message->data[0] | message->data[1] << 7),
                                       .at = now};
    (void)base_queue_push(&midi->beats, &beat);
}

struct packed {
    uint8_t size;
    uint8_t bytes[ENGINE_MIDI_BYTES];
};

static void take_message(struct app_midi *midi, int number,
                         const struct engine_midi_message *message, double now)
{
    struct app_midi_device *device = &midi->devices[number];
    struct engine_midi_move moves[ENGINE_MIDI_MOVES];
    switch (message->kind) {
    case ENGINE_MIDI_PULSE:
    case ENGINE_MIDI_BEGIN:
    case ENGINE_MIDI_RESUME:
    case ENGINE_MIDI_HALT:
    case ENGINE_MIDI_POSITION:
        take_beat(midi, number, message, now);
        return;
    default:
        break;
    }
    if (message->channel == 0) {
        return;
    }
    struct packed packed = {0};
    packed.size = (uint8_t)engine_midi_write(packed.bytes, message);
    (void)base_queue_push(&midi->heard, &packed);
    device->messages++;
    const size_t count = engine_midi_moves(&device->says, message, moves);
    if (midi->watches) {
        if (midi->learner_device != number && count > 0) {
            midi->learner = (struct engine_midi_learner){0};
            midi->learner_device = number;
        }
        engine_midi_learn(&midi->learner, moves, count);
        midi->learn_due = now + APP_MIDI_LEARN_SECONDS;
        app_midi_say_learning(midi);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        move_control(midi, number, &moves[i]);
    }
}

static void take_bytes(void *user, int number, const uint8_t *bytes, size_t size)
{
    struct app_midi *midi = user;
    struct engine_midi_message message;
    const double now = base_clock_seconds();
    midi->looked = false;
    for (size_t i = 0; i < size; i++) {
        if (engine_midi_read(&midi->devices[number].reader, bytes[i], &message)) {
            take_message(midi, number, &message, now);
        }
    }
}

/* ---- the thread ---- */

/* Behind the devices that are there: what is asked for and is not. Under the lock. */
static void list_missing(struct app_midi *midi)
{
    struct app_midi_status *status = &midi->status;
    const char *missing[APP_MIDI_RAWS + APP_MIDI_RAWS];
    size_t count = 0;
    for (size_t i = 0; i < midi->raw_count; i++) {
        if (midi->raws[i].descriptor < 0 && !midi->raws[i].done) {
            missing[count++] = app_midi_raw_name(&midi->raws[i]);
        }
    }
    for (size_t i = 0; i < midi->name_count; i++) {
        if (is_missing(midi, midi->names[i])) {
            missing[count++] = midi->names[i];
        }
    }
    for (size_t i = 0; i < count && status->device_count < APP_MIDI_DEVICES; i++) {
        const size_t row = status->device_count++;
        (void)snprintf(status->devices[row].name, sizeof status->devices[row].name, "%s",
                       missing[i]);
        status->devices[row].there = false;
    }
}

static void write_status(struct app_midi *midi)
{
    char text[APP_INLET_STATUS];
    char rows[APP_MIDI_LEARNT][APP_MIDI_SAYS];
    const struct app_midi_map *learnt = &midi->sources[0].map;
    size_t shown = 0;
    size_t there = 0;
    for (; midi->sources[0].good && shown < learnt->row_count && shown < APP_MIDI_LEARNT; shown++) {
        char control[APP_MIDI_NAME];
        char target[APP_MIDI_NAME];
        app_midi_control_words(&learnt->rows[shown].control, control, sizeof control);
        app_midi_target_words(&learnt->rows[shown], target, sizeof target);
        (void)snprintf(rows[shown], sizeof rows[shown], "%.30s: %s: %s", learnt->rows[shown].device,
                       control, target);
    }
    for (int i = 0; i < APP_MIDI_DEVICES; i++) {
        struct app_midi_device *device = &midi->devices[i];
        device->mapped = false;
        for (size_t k = 0; device->there && k < midi->source_count && !device->mapped; k++) {
            const struct app_midi_source *source = &midi->sources[k];
            const bool counts = app_midi_is_for(midi, source, device);
            for (size_t r = 0; counts && r < source->map.row_count; r++) {
                device->mapped =
                    device->mapped ||
                    app_midi_row_fits(&source->map, &source->map.rows[r], device->name);
            }
        }
    }
    (void)pthread_mutex_lock(&midi->lock);
    struct app_midi_status *status = &midi->status;
    status->sequencer = midi->sequencer != NULL;
    memcpy(status->heard, midi->moved, sizeof status->heard);
    status->learnt_count = shown;
    memcpy(status->learnt, rows, shown * sizeof *rows);
    for (int i = 0; i < APP_MIDI_DEVICES; i++) {
        const struct app_midi_device *device = &midi->devices[i];
        if (device->there) {
            memcpy(status->devices[there].name, device->name, sizeof device->name);
            status->devices[there].there = true;
            status->devices[there].messages = device->messages;
            status->devices[there++].mapped = device->mapped;
        }
    }
    status->device_count = there;
    list_missing(midi);
    (void)pthread_mutex_unlock(&midi->lock);
    if (there == 1) {
        (void)snprintf(text, sizeof text, "%s", status->devices[0].name);
    } else if (there == 0) {
        (void)snprintf(text, sizeof text, "%s",
                       midi->sequencer == NULL ? "no sequencer was found"
                       : midi->all             ? "no device is there"
                                               : "no device of --midi is there");
    } else {
        (void)snprintf(text, sizeof text, "%s and %zu more", status->devices[0].name, there - 1);
    }
    app_inlet_say(midi->inlet, text);
    midi->changed = false;
}

static void search(struct app_midi *midi, double now)
{
    char why[APP_MIDI_NAME];
    if ((!midi->all && midi->name_count == 0) || midi->sequencer != NULL ||
        now < midi->search_due) {
        return;
    }
    midi->search_due = now + search_seconds;
    midi->sequencer = app_midi_sequencer_open(&midi->ear, why);
    if (midi->sequencer == NULL && midi->asked && !midi->missed) {
        base_report(&midi->sink, BASE_WARNING, nowhere,
                    "a path such as /dev/snd/midiC1D0 is heard without it", "no MIDI devices: %s",
                    why);
    }
    if (midi->sequencer != NULL) {
        tell_missing(midi);
    }
    midi->missed = midi->sequencer == NULL;
    midi->changed = true;
}

/* Bytes of other ways, which have a device of their own once some have come. */
static void take_given(struct app_midi *midi)
{
    uint8_t bytes[APP_MIDI_GIVEN];
    (void)pthread_mutex_lock(&midi->lock);
    const size_t size = midi->given_size;
    memcpy(bytes, midi->given, size);
    midi->given_size = 0;
    (void)pthread_mutex_unlock(&midi->lock);
    int number = -1;
    for (int i = 0; i < APP_MIDI_DEVICES; i++) {
        number = midi->devices[i].there && midi->devices[i].given ? i : number;
    }
    if (size > 0 && number < 0) {
        number = add_device(midi, "froth");
    }
    if (size > 0 && number >= 0) {
        midi->devices[number].given = true;
        take_bytes(midi, number, bytes, size);
    }
}

/* Waits until something comes or is due. */
static void wait_for(struct app_midi *midi, double now, double send_due)
{
    struct pollfd polls[1 + APP_MIDI_RAWS + APP_MIDI_POLLED] = {
        {.fd = midi->wake, .events = POLLIN}};
    size_t count = 1;
    double due = midi->changed ? midi->status_due : now + longest_seconds;
    due = fmin(due, send_due);
    for (size_t i = 0; i < midi->raw_count; i++) {
        const struct app_midi_raw *raw = &midi->raws[i];
        due = midi->raw_due[i] > 0 ? fmin(due, midi->raw_due[i]) : due;
        if (raw->descriptor >= 0 && !raw->file) {
            polls[count++] = (struct pollfd){.fd = raw->descriptor, .events = POLLIN};
        }
    }
    if (midi->sequencer != NULL) {
        count += app_midi_sequencer_polls(midi->sequencer, polls + count);
    }
    const double wait = fmax(due - now, 0);
    (void)poll(polls, (nfds_t)count, (int)ceil(wait * 1000));
    uint64_t woken;
    (void)!read(midi->wake, &woken, sizeof woken);
}

static void *run(void *user)
{
    struct app_midi *midi = user;
    struct app_midi_request request;
    (void)setpriority(PRIO_PROCESS, 0, NICE); /* on Linux: of this thread */
    midi->changed = true;
    /* What came before the first picture would find no preset, and be lost. */
    while (!atomic_load(&midi->ends) && !app_door_look(app_inlet_door(midi->inlet), &midi->seen)) {
        base_clock_sleep_until(base_clock_seconds() + begin_seconds);
    }
    while (!atomic_load(&midi->ends)) {
        const double now = base_clock_seconds();
        search(midi, now);
        if (now >= midi->look_due) {
            midi->look_due = now + look_seconds;
            app_midi_look_at_maps(midi);
        }
        while (base_queue_pop(&midi->requests, &request)) {
            app_midi_obey(midi, &request);
        }
        take_given(midi);
        if (midi->sequencer != NULL && !app_midi_sequencer_take(midi->sequencer)) {
            base_report(&midi->sink, BASE_WARNING, nowhere, "it is tried again",
                        "the sequencer of MIDI has gone");
            app_midi_sequencer_close(midi->sequencer);
            midi->sequencer = NULL;
            midi->changed = true;
        }
        for (size_t i = 0; i < midi->raw_count; i++) {
            if (midi->raws[i].descriptor >= 0 || now >= midi->raw_due[i]) {
                const double again = app_midi_raw_take(&midi->raws[i], now);
                midi->raw_due[i] = again >= 0 ? now + again : midi->raws[i].done ? INFINITY : 0;
            }
        }
        if (midi->watches && now >= midi->learn_due) {
            app_midi_end_learning(midi, "nothing was learnt");
        }
        if (midi->changed && now >= midi->status_due) {
            midi->status_due = now + status_seconds;
            write_status(midi);
        }
        wait_for(midi, now, app_midi_send_all(midi, now));
    }
    app_midi_leave_all(midi);
    for (size_t i = 0; i < midi->raw_count; i++) {
        app_midi_raw_close(&midi->raws[i]);
    }
    midi->notes = NOTES; /* that devices go with the show is no news */
    app_midi_sequencer_close(midi->sequencer);
    return NULL;
}

/* ---- the program's side ---- */

static int fail_memory(const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, nowhere, NULL, "not enough memory");
    return -1;
}

/* What --midi says. False: nothing is heard. */
static bool choose(struct app_midi *midi, const struct app_list *words)
{
    midi->asked = words->count > 0;
    midi->all = words->count == 0;
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        if (strcmp(word, "off") == 0) {
            return false;
        }
        if (strcmp(word, "all") == 0) {
            midi->all = true;
        } else if (strchr(word, '/') != NULL && midi->raw_count < APP_MIDI_RAWS) {
            midi->raws[midi->raw_count++] =
                (struct app_midi_raw){.path = word, .descriptor = -1, .keeper = -1, .device = -1};
        } else if (strchr(word, '/') == NULL && midi->name_count < APP_MIDI_RAWS) {
            midi->names[midi->name_count++] = word;
        }
    }
    return true;
}

/* A wrong map that only the configuration names is read again when it is mended. */
static int read_maps(struct app_midi *midi, const struct app_options *options)
{
    const struct app_list *maps = &options->midi_map;
    struct app_midi_source *learnt = &midi->sources[0];
    char path[APP_MIDI_PATH_SIZE];
    midi->source_count = 1;
    if (base_folder_path(BASE_FOLDER_CONFIG, "/midi/learnt.yaml", path, sizeof path)) {
        memcpy(learnt->path, path, strlen(path) + 1);
    }
    for (size_t i = 0; i < maps->count; i++) {
        struct app_midi_source *source = add_source(midi, maps->items[i], true);
        if (source == NULL) {
            base_report(&midi->sink, BASE_ERROR, nowhere, NULL, "there are too many maps of MIDI");
            return -1;
        }
        source->mark = mark_of(source->path);
        if (read_source(midi, source) != 0 && app_options_insist(options, "midi-map")) {
            return -1;
        }
    }
    app_midi_look_at_maps(midi);
    for (size_t i = 0; i < app_midi_maps_count; i++) {
        struct app_midi_source *source = add_source(midi, app_midi_maps[i].name, false);
        if (source == NULL) {
            break; /* the user's own fill all the room */
        }
        source->builtin = true;
        if (read_text(midi, source, base_span_of(app_midi_maps[i].text)) != 0) {
            return -1;
        }
    }
    return 0;
}

int app_midi_open(struct app_midi **made, const struct app_options *options,
                  const struct base_diag_sink *sink)
{
    *made = NULL;
    struct app_midi *midi = calloc(1, sizeof *midi);
    if (midi == NULL) {
        return fail_memory(sink);
    }
    midi->sink = *sink;
    midi->beat.device = -1;
    midi->learner_device = -1;
    (void)pthread_mutex_init(&midi->lock, NULL);
    midi->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    const bool hears = choose(midi, &options->midi);
    int result = 0;
    if (midi->wake < 0 ||
        base_queue_init(&midi->requests, sizeof(struct app_midi_request), REQUESTS) != 0 ||
        base_queue_init(&midi->heard, sizeof(struct packed), HEARD) != 0 ||
        base_queue_init(&midi->beats, sizeof(struct app_midi_beat), BEATS) != 0) {
        result = fail_memory(sink);
    }
    if (result == 0 && hears) {
        result = read_maps(midi, options);
    }
    if (result != 0 || !hears) {
        app_midi_close(midi);
        return result;
    }
    *made = midi;
    return 0;
}

int app_midi_start(struct app_midi *midi, struct app_inlet *inlet)
{
    if (midi == NULL) {
        return 0;
    }
    midi->inlet = inlet;
    midi->ear =
        (struct app_midi_ear){midi, device_came, device_went, take_bytes, lost, &midi->sink};
    midi->raw_ear = (struct app_midi_ear){midi, raw_came, raw_went, take_bytes, lost, &midi->sink};
    for (size_t i = 0; i < midi->raw_count; i++) {
        midi->raws[i].ear = &midi->raw_ear;
    }
    const int error = pthread_create(&midi->thread, NULL, run, midi);
    if (error != 0) {
        base_report(&midi->sink, BASE_ERROR, nowhere, NULL, "no thread for MIDI: %s",
                    strerror(error));
        return -1;
    }
    midi->runs = true;
    return 0;
}

static void wake(struct app_midi *midi)
{
    static const uint64_t one = 1;
    (void)!write(midi->wake, &one, sizeof one);
}

void app_midi_close(struct app_midi *midi)
{
    if (midi == NULL) {
        return;
    }
    if (midi->runs) {
        atomic_store(&midi->ends, true);
        wake(midi);
        (void)pthread_join(midi->thread, NULL);
    }
    for (size_t i = 0; i < midi->source_count; i++) {
        free_source(&midi->sources[i]);
    }
    base_queue_free(&midi->requests);
    base_queue_free(&midi->heard);
    base_queue_free(&midi->beats);
    base_file_close(&midi->wake);
    (void)pthread_mutex_destroy(&midi->lock);
    free(midi);
}

/* ---- the painter's side ---- */

static void ask(struct app_midi *midi, const struct app_midi_request *request)
{
    (void)base_queue_push(&midi->requests, request);
    wake(midi);
}

void app_midi_learn(struct app_midi *midi, bool on)
{
    if (midi != NULL && on != app_midi_learns(midi)) {
        atomic_store(&midi->learning, on ? APP_MIDI_WAITS_FOR_MOVE : APP_MIDI_RESTS);
        ask(midi, &(struct app_midi_request){.kind = on ? APP_MIDI_LEARN_ON : APP_MIDI_LEARN_OFF});
    }
}

bool app_midi_learns(const struct app_midi *midi)
{
    return midi != NULL && atomic_load(&midi->learning) != APP_MIDI_RESTS;
}

/* What one has to do before the thing can be touched, and what ends a show. */
static bool is_passed(unsigned command)
{
    switch (command) {
    case UI_COMMAND_LEARN:
    case UI_COMMAND_FORGET:
    case UI_COMMAND_LEAVE:
    case UI_COMMAND_QUIT:
    case UI_COMMAND_OPERATOR:
    case UI_COMMAND_UI_SCALE:
    case UI_COMMAND_PANEL:
    case UI_COMMAND_SEARCH:
    case UI_COMMAND_FIND:
    case UI_COMMAND_MIDI:
        return true;
    default:
        return false;
    }
}

bool app_midi_touch(struct app_midi *midi, const struct engine_call *call, unsigned value)
{
    struct app_midi_request request = {.kind = APP_MIDI_TOUCH, .number = value};
    int expected = APP_MIDI_WAITS_FOR_TOUCH;
    if (midi == NULL || is_passed(call != NULL ? call->command : value) ||
        !atomic_compare_exchange_strong(&midi->learning, &expected, APP_MIDI_TOUCHED)) {
        return false;
    }
    if (call != NULL) {
        request.call = *call;
    }
    ask(midi, &request);
    return true;
}

void app_midi_forget(struct app_midi *midi, unsigned which)
{
    if (midi != NULL) {
        ask(midi, &(struct app_midi_request){.kind = APP_MIDI_FORGET, .number = which});
    }
}

size_t app_midi_heard(struct app_midi *midi, uint8_t bytes[ENGINE_MIDI_BYTES])
{
    struct packed packed;
    if (midi == NULL || !base_queue_pop(&midi->heard, &packed)) {
        return 0;
    }
    memcpy(bytes, packed.bytes, packed.size);
    return packed.size;
}

bool app_midi_beat(struct app_midi *midi, struct app_midi_beat *beat)
{
    return midi != NULL && base_queue_pop(&midi->beats, beat);
}

/* ---- any thread ---- */

void app_midi_status(struct app_midi *midi, struct app_midi_status *status)
{
    (void)pthread_mutex_lock(&midi->lock);
    *status = midi->status;
    (void)pthread_mutex_unlock(&midi->lock);
}

void app_midi_give(struct app_midi *midi, const uint8_t *bytes, size_t size)
{
    (void)pthread_mutex_lock(&midi->lock);
    if (size > APP_MIDI_GIVEN - midi->given_size) {
        app_inlet_lose(midi->inlet, 1);
    } else {
        memcpy(midi->given + midi->given_size, bytes, size);
        midi->given_size += size;
    }
    (void)pthread_mutex_unlock(&midi->lock);
    wake(midi);
}

/* ---- without a show ---- */

struct listing {
    FILE *out;
    bool json;
    unsigned count;
};

static int print_device(void *user, const char *name)
{
    struct listing *listing = user;
    if (listing->json) {
        (void)fputs("{\"midi\":", listing->out);
        base_json_string(listing->out, name);
        (void)fputs("}\n", listing->out);
    } else {
        (void)fputs("MIDI: ", listing->out);
        base_plain(listing->out, name);
        (void)fputc('\n', listing->out);
    }
    listing->count++;
    return -1;
}

void app_midi_print(FILE *out, bool json)
{
    struct listing listing = {out, json, 0};
    const struct app_midi_ear ear = {.user = &listing, .came = print_device};
    char why[APP_MIDI_NAME];
    struct app_midi_sequencer *sequencer = app_midi_sequencer_open(&ear, why);
    if (!json && listing.count == 0) {
        (void)fprintf(out, "no MIDI devices found%s%s\n", sequencer == NULL ? ": " : "",
                      sequencer == NULL ? why : "");
    }
    app_midi_sequencer_close(sequencer);
}
