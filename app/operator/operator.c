#include "app/operator/operator.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/operator/state.h"
#include "base/os/thread.h"

/* ---- messages and counters ---- */

struct app_messages {
    struct base_diag_sink on;
    pthread_mutex_t lock;
    uint64_t said; /* all that ever came */
    size_t count;
    struct app_message kept[APP_MESSAGES_KEPT];
};

struct app_messages *app_messages_create(const struct base_diag_sink *on)
{
    struct app_messages *messages = calloc(1, sizeof *messages);
    if (messages != NULL) {
        messages->on = *on;
        (void)pthread_mutex_init(&messages->lock, NULL);
    }
    return messages;
}

void app_messages_free(struct app_messages *messages)
{
    if (messages != NULL) {
        (void)pthread_mutex_destroy(&messages->lock);
        free(messages);
    }
}

/* Tells whether two texts are the same but for their numbers. */
static bool alike(const char *a, const char *b)
{
    static const char digits[] = "0123456789.";
    while (*a != '\0' && *b != '\0') {
        const size_t number_a = strspn(a, digits);
        const size_t number_b = strspn(b, digits);
        if ((number_a > 0) != (number_b > 0) || (number_a == 0 && *a != *b)) {
            return false;
        }
        a += number_a > 0 ? number_a : 1;
        b += number_b > 0 ? number_b : 1;
    }
    return *a == *b;
}

/* What was said before moves up to the newest with one more time; a note with other numbers takes
 * the former's place. Where there is no room the oldest note goes, then the oldest of all. */
static void keep(struct app_messages *messages, struct app_message *next)
{
    struct app_message *kept = messages->kept; /* the oldest first */
    size_t gone = messages->count;
    for (size_t i = 0; i < messages->count && gone == messages->count; i++) {
        const bool note = next->severity == BASE_NOTE && alike(kept[i].text, next->text);
        if (kept[i].severity == next->severity && (note || strcmp(kept[i].text, next->text) == 0)) {
            next->times += kept[i].times;
            gone = i;
        }
    }
    if (gone == APP_MESSAGES_KEPT) {
        gone = 0;
        while (gone < APP_MESSAGES_KEPT && kept[gone].severity != BASE_NOTE) {
            gone++;
        }
        gone = gone < APP_MESSAGES_KEPT ? gone : 0;
    }
    if (gone < messages->count) {
        messages->count--;
        memmove(&kept[gone], &kept[gone + 1], (messages->count - gone) * sizeof *kept);
    }
    kept[messages->count++] = *next;
    messages->said++;
}

static void receive(void *user, const struct base_diag *diag)
{
    struct app_messages *messages = user;
    (void)pthread_mutex_lock(&messages->lock);
    if (diag->severity >= BASE_NOTE) {
        struct app_message next = {.severity = diag->severity, .times = 1};
        /* Short enough for a line: no folder, and of a note just what it says. */
        struct base_diag shorter = *diag;
        const char *file = diag->place.file;
        const char *slash = file == NULL ? NULL : strrchr(file, '/');
        shorter.place.file = slash == NULL ? file : slash + 1;
        if (file == NULL || diag->severity == BASE_NOTE) {
            (void)snprintf(next.text, sizeof next.text, "%s%s%s", diag->what,
                           diag->hint[0] != '\0' ? "; " : "", diag->hint);
        } else {
            (void)base_diag_format(&shorter, next.text, sizeof next.text);
        }
        keep(messages, &next);
    }
    (void)pthread_mutex_unlock(&messages->lock);
    messages->on.receive(messages->on.user, diag);
}

struct base_diag_sink app_messages_sink(struct app_messages *messages)
{
    return (struct base_diag_sink){receive, messages};
}

size_t app_messages_newest(struct app_messages *messages, struct app_message *to, size_t most,
                           uint64_t *revision)
{
    (void)pthread_mutex_lock(&messages->lock);
    const size_t count = messages->count < most ? messages->count : most;
    for (size_t i = 0; i < count; i++) {
        to[i] = messages->kept[messages->count - 1 - i];
    }
    *revision = messages->said;
    (void)pthread_mutex_unlock(&messages->lock);
    return count;
}

double app_memory_used(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*u %lu", &pages) != 1) {
        pages = 0;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

double app_memory_most(void)
{
    enum { KIBI = 1024 };
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss * KIBI : 0;
}

void app_counters_print(FILE *out, const struct app_counters *counters)
{
    const double mib = 1024.0 * 1024.0;
    (void)fprintf(out, "counter presets shown: %u\n", counters->shown);
    (void)fprintf(out, "counter presets that could not be loaded: %u\n", counters->failed);
    (void)fprintf(out, "counter presets left for being slow: %u\n", counters->slow);
    (void)fprintf(out, "counter frames: %" PRIu64 "\n", counters->frames);
    (void)fprintf(out, "counter frames late: %" PRIu64 "\n", counters->late);
    (void)fprintf(out, "counter stages drawn by the device: %" PRIu64 "\n", counters->stages);
    (void)fprintf(out, "counter frames shown by the device: %" PRIu64 "\n", counters->by_device);
    (void)fprintf(out, "counter frames that never left it: %" PRIu64 "\n", counters->stayed);
    (void)fprintf(out, "counter steps: %" PRIu64 "\n", counters->steps);
    (void)fprintf(out, "counter steps over budget: %" PRIu64 "\n", counters->events);
    (void)fprintf(out, "counter sound frames lost: %" PRIu64 "\n", counters->dropped);
    if (counters->targets > 0) {
        (void)fprintf(out, "counter pictures shared: %" PRIu64 "\n", counters->shared);
        (void)fprintf(out, "counter pictures left out: %" PRIu64 "\n", counters->left_out);
    }
    (void)fprintf(out, "counter memory after a minute: %.1f MiB\n",
                  counters->memory_after_minute / mib);
    (void)fprintf(out, "counter memory at the end: %.1f MiB\n", counters->memory / mib);
    (void)fprintf(out, "counter most memory until the first minute: %.1f MiB\n",
                  counters->most_after_minute / mib);
    (void)fprintf(out, "counter most memory until the end: %.1f MiB\n", counters->most / mib);
}

/* ---- the painter's side ---- */

enum {
    EVENTS = 256,
    CALLS = 64,
    DROPS = 64,
    NOTES = 32,
    SURFACE_MAX = 8192,
};

/* Seconds from one drawing of the view to the next. */
static const double shown_seconds = 0.033;
static const double hidden_seconds = 0.1;

void app_operator_event(struct app_operator *view, const struct ui_event *event)
{
    const bool ends = event->kind == UI_EVENT_KEY &&
                      (strcmp(event->key, "Escape") == 0 || strcmp(event->key, "Enter") == 0);
    if (base_queue_push(&view->events, event) && (ends || event->kind == UI_EVENT_PRESS)) {
        (void)atomic_fetch_add(&view->asked, 1);
    }
    (void)sem_post(&view->wake);
}

void app_operator_paste(struct app_operator *view, char *text)
{
    free(atomic_exchange(&view->paste, text));
}

void app_operator_drop(struct app_operator *view, char *path)
{
    if (path != NULL && !base_queue_push(&view->drops, &path)) {
        free(path);
    }
    (void)sem_post(&view->wake);
}

char *app_operator_copied(struct app_operator *view)
{
    if (atomic_load_explicit(&view->copied, memory_order_relaxed) == NULL) {
        return NULL;
    }
    return atomic_exchange(&view->copied, NULL);
}

bool app_operator_has_keyboard(const struct app_operator *view)
{
    return app_operator_knows_keyboard(view) && atomic_load(&view->has_keyboard);
}

bool app_operator_knows_keyboard(const struct app_operator *view)
{
    return atomic_load(&view->answered) == atomic_load(&view->asked);
}

/* A command waits for the snapshot of the frame in which it was given, if it has to do with the
 * preset: that holds what the commands before it have changed. */
struct operator_call {
    struct engine_call call;
    uint64_t turn;
};

void app_operator_do(struct app_operator *view, const struct engine_call *call)
{
    const bool waits = ui_command_rows[call->command].of_preset;
    const struct operator_call item = {*call, waits ? view->published + 1 : 0};
    if (base_queue_push(&view->calls, &item)) {
        (void)atomic_fetch_add(&view->asked, 1);
    }
    (void)sem_post(&view->wake);
}

bool app_operator_is_busy(const struct app_operator *view)
{
    return base_queue_waiting(&view->calls) > CALLS / 2;
}

bool app_operator_call(struct app_operator *view, struct engine_call *call)
{
    return base_queue_pop(&view->orders, call);
}

void app_operator_note(struct app_operator *view, enum app_note note, uint32_t preset, double a,
                       double b)
{
    const struct app_operator_note item = {note, preset, a, b, ""};
    (void)base_queue_push(&view->notes, &item);
}

void app_operator_note_of(struct app_operator *view, enum app_note note, const char *name)
{
    struct app_operator_note item = {.note = note, .preset = APP_LIBRARY_NONE};
    memcpy(item.name, name, strnlen(name, sizeof item.name - 1));
    (void)base_queue_push(&view->notes, &item);
}

double app_operator_memory(const struct app_operator *view)
{
    return atomic_load(&view->memory);
}

struct app_snapshot *app_operator_snapshot(struct app_operator *view)
{
    return &view->snapshots[base_latest_back(&view->snapshot_turn)];
}

void app_snapshot_of_show(struct app_snapshot *snapshot, const struct rend_show *show, bool whole)
{
    const struct rend *front = rend_show_front(show);
    snapshot->changes = rend_show_changes(show);
    snapshot->variable_count = 0;
    snapshot->mesh_columns = 0;
    if (front == NULL) {
        return;
    }
    snapshot->heard = rend_heard(front);
    for (size_t i = 0; i < PRESET_KEY_ROWS; i++) {
        snapshot->shown.values[i] = rend_value(front, i);
    }
    if (whole) {
        const size_t all = rend_variables(front, snapshot->variables, APP_SNAPSHOT_VARIABLES);
        snapshot->variable_count = all < APP_SNAPSHOT_VARIABLES ? all : APP_SNAPSHOT_VARIABLES;
        const struct tmu_mesh mesh = rend_mapping(front).mesh;
        const size_t count = (size_t)(mesh.columns + 1) * (size_t)(mesh.rows + 1);
        snapshot->mesh_rows = 0;
        if (count <= APP_SNAPSHOT_VERTICES) {
            snapshot->mesh_columns = mesh.columns;
            snapshot->mesh_rows = mesh.rows;
            memcpy(snapshot->vertices, mesh.vertices, count * sizeof *mesh.vertices);
        }
    }
}

int app_snapshot_step(int width, int height)
{
    const int by_width = (width + APP_SNAPSHOT_WIDTH - 1) / APP_SNAPSHOT_WIDTH;
    const int by_height = (height + APP_SNAPSHOT_HEIGHT - 1) / APP_SNAPSHOT_HEIGHT;
    return by_width > by_height ? by_width : by_height;
}

void app_snapshot_picture(struct app_snapshot *snapshot, const struct ui_surface *picture)
{
    const int step = app_snapshot_step(picture->width, picture->height);
    snapshot->picture_width = picture->width / step;
    snapshot->picture_height = picture->height / step;
    uint32_t *to = snapshot->picture;
    for (int y = 0; y < snapshot->picture_height; y++) {
        const uint32_t *from = picture->pixels + (size_t)(y * step + step / 2) * picture->stride;
        for (int x = 0; x < snapshot->picture_width; x++) {
            *to++ = from[x * step + step / 2];
        }
    }
}

void app_snapshot_wave(float *wave, const float *interleaved, size_t frames)
{
    const size_t count = frames < APP_SNAPSHOT_WAVE ? frames : APP_SNAPSHOT_WAVE;
    const float *from = interleaved + 2 * (frames - count);
    memmove(wave, wave + count, (APP_SNAPSHOT_WAVE - count) * sizeof *wave);
    for (size_t i = 0; i < count; i++) {
        wave[APP_SNAPSHOT_WAVE - count + i] = 0.5f * (from[2 * i] + from[2 * i + 1]);
    }
}

void app_operator_publish(struct app_operator *view)
{
    struct app_snapshot *snapshot = app_operator_snapshot(view);
    const bool changed = snapshot->version != view->version;
    view->version = snapshot->version;
    snapshot->turn = ++view->published;
    base_latest_publish(&view->snapshot_turn);
    if (changed) {
        (void)sem_post(&view->wake);
    }
}

const struct app_operator_told *app_operator_told(struct app_operator *view)
{
    (void)base_latest_take(&view->told_turn);
    return &view->told[base_latest_front(&view->told_turn)];
}

const struct ui_surface *app_operator_surface(struct app_operator *view, bool *fresh)
{
    *fresh = base_latest_take(&view->surface_turn);
    view->surface_known = view->surface_known || *fresh;
    const struct ui_surface *surface = &view->surfaces[base_latest_front(&view->surface_turn)];
    return view->surface_known && surface->pixels != NULL ? surface : NULL;
}

const struct ui_tiles *app_operator_tiles(const struct app_operator *view)
{
    return &view->tiles[base_latest_front(&view->surface_turn)];
}

void app_operator_screenshot(struct app_operator *view, const struct ui_surface *picture)
{
    if (atomic_load(&view->shot_waits)) {
        return;
    }
    for (int y = 0; y < view->shot.height; y++) {
        memcpy(view->shot.pixels + (size_t)y * view->shot.stride,
               picture->pixels + (size_t)y * picture->stride,
               (size_t)view->shot.width * sizeof *picture->pixels);
    }
    atomic_store(&view->shot_waits, true);
    (void)sem_post(&view->wake);
}

/* ---- the operator's side ---- */

void app_operator_order(struct app_operator *view, const char *format, ...)
{
    char words[ENGINE_CALL_TEXT];
    struct engine_call call;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (ui_call_parse(&call, base_span_of(words), (struct base_place){0}, &view->sink) == 0) {
        (void)base_queue_push(&view->orders, &call);
    }
}

void app_operator_say(struct app_operator *view, enum base_severity severity, const char *format,
                      ...)
{
    char text[APP_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    base_report(&view->sink, severity, (struct base_place){0}, NULL, "%s", text);
}

static void report_note(struct app_operator *view, const struct app_operator_note *note)
{
    static const struct {
        enum base_severity severity;
        const char *what;
        const char *hint;
    } rows[APP_NOTE_COUNT] = {
#define APP_NOTE(id, severity, what, hint) {severity, what, hint},
#include "app/operator/notes.def"
    };
    char text[APP_MESSAGE_SIZE] = "";
    size_t used = 0;
    const double numbers[2] = {note->a, note->b};
    size_t number = 0;
    for (const char *from = rows[note->note].what; *from != '\0' && used + 64 < sizeof text;) {
        if (strncmp(from, "%g", 2) == 0 && number < 2) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%g", numbers[number++]);
            from += 2;
        } else if (strncmp(from, "%s", 2) == 0) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s", note->name);
            from += 2;
        } else {
            text[used++] = *from++;
        }
    }
    struct app_library_entry entry;
    const bool about = app_library_entry(view->setup.library, note->preset, &entry);
    base_report(&view->sink, rows[note->note].severity,
                (struct base_place){.file = about ? entry.path : NULL},
                rows[note->note].hint[0] != '\0' ? rows[note->note].hint : NULL, "%s", text);
}

/* A frame takes either keys or typed text, as many as it has room for, so that their order is kept.
 */
static bool is_in_turn(const struct ui_imui_input *input, const struct ui_event *event)
{
    switch (event->kind) {
    case UI_EVENT_KEY:
        return input->key_count < UI_IMUI_KEYS && input->typed[0] == '\0';
    case UI_EVENT_TEXT:
        return input->key_count == 0 &&
               strlen(input->typed) + sizeof event->text <= sizeof input->typed;
    default:
        return true;
    }
}

/* Returns false if the event ends the frame, so that no frame sees a press and its release. */
static bool take_event(struct ui_imui_input *input, const struct ui_event *event)
{
    size_t used = 0;
    input->mouse_inside = event->kind == UI_EVENT_KEY || event->kind == UI_EVENT_TEXT
                              ? input->mouse_inside
                              : event->kind != UI_EVENT_LEAVE;
    input->shift = event->shift;
    switch (event->kind) {
    case UI_EVENT_KEY:
        (void)snprintf(input->keys[input->key_count++], sizeof *input->keys, "%s", event->key);
        return true;
    case UI_EVENT_TEXT:
        used = strlen(input->typed);
        (void)snprintf(input->typed + used, sizeof input->typed - used, "%s", event->text);
        return true;
    case UI_EVENT_WHEEL:
        input->wheel += event->wheel;
        return true;
    case UI_EVENT_MOVE:
    case UI_EVENT_PRESS:
    case UI_EVENT_LET_GO:
        input->mouse_x = event->x;
        input->mouse_y = event->y;
        if (event->kind != UI_EVENT_MOVE && strcmp(event->key, "MouseLeft") == 0) {
            const bool down = event->kind == UI_EVENT_PRESS;
            input->mouse_down = down;
            input->pressed = input->pressed || down;
            input->released = input->released || !down;
            input->double_click = input->double_click || (down && event->clicks == 2);
        }
        return event->kind == UI_EVENT_MOVE;
    default:
        return true;
    }
}

/* What happened since the last frame; a button that was pressed or let go ends it. Returns whether
 * more is waiting. */
static bool take_events(struct app_operator *view)
{
    struct ui_imui_input *input = &view->input;
    struct ui_event event;
    input->time = base_clock_seconds();
    input->pressed = input->released = input->double_click = false;
    input->wheel = 0;
    input->key_count = 0;
    input->typed[0] = '\0';
    while (view->holds || base_queue_pop(&view->events, &event)) {
        event = view->holds ? view->held : event;
        view->holds = false;
        if (!is_in_turn(input, &event)) {
            view->held = event;
            view->holds = true;
            return true;
        }
        if (!take_event(input, &event)) {
            return true;
        }
    }
    return false;
}

/* Makes the slot as large as the view; false without memory or if the view is not shown. */
static bool fit_surface(struct ui_surface *surface, const struct ui_window_pixels *wanted)
{
    if (wanted->width < 1 || wanted->height < 1 || wanted->width > SURFACE_MAX ||
        wanted->height > SURFACE_MAX) {
        return false;
    }
    if (surface->width == wanted->width && surface->height == wanted->height) {
        return true;
    }
    uint32_t *pixels =
        calloc((size_t)wanted->width * (size_t)wanted->height, sizeof *surface->pixels);
    if (pixels == NULL) {
        return false;
    }
    free(surface->pixels);
    *surface = (struct ui_surface){pixels, wanted->width, wanted->height, (size_t)wanted->width};
    return true;
}

/* Returns whether more events wait. */
static bool draw(struct app_operator *view)
{
    struct ui_surface *surface = &view->surfaces[base_latest_back(&view->surface_turn)];
    const bool more = take_events(view);
    const bool fits = fit_surface(surface, &view->now->view);
    if (fits) {
        const int size = app_operator_text_size(&view->now->view);
        if (view->ui == NULL) {
            view->ui = ui_imui_create(size, &view->sink);
        } else if (size != view->text_size) {
            (void)ui_imui_resize(view->ui, size, &view->sink);
        }
        view->text_size = size;
    }
    if (!fits || view->ui == NULL) {
        if (view->ui != NULL) {
            ui_imui_focus(view->ui, 0); /* a view that comes back is not typed into */
        }
        atomic_store(&view->has_keyboard, false);
        return more;
    }
    char *text = atomic_exchange(&view->paste, NULL);
    if (text != NULL && ui_editor_set_clipboard(view->text.editor, base_span_of(text)) == 0) {
        free(view->clip);
        view->clip = text;
    } else {
        free(text);
    }
    view->input.elsewhere = view->now->keys_elsewhere;
    ui_imui_begin(view->ui, surface, &view->input);
    app_operator_draw(view, surface);
    ui_imui_end(view->ui);
    if (view->focus != 0 && !more) { /* behind an Escape that came before the command */
        ui_imui_focus(view->ui, view->focus);
        view->focus = 0;
    }
    /* Hands over what was cut or copied. */
    const struct base_span now = ui_editor_clipboard(view->text.editor);
    const struct base_span told = base_span_of(view->clip != NULL ? view->clip : "");
    if (!base_span_equal(now, told)) {
        free(view->clip);
        view->clip = strndup(now.data, now.size);
        free(atomic_exchange(&view->copied, view->clip == NULL ? NULL : strdup(view->clip)));
    }
    atomic_store(&view->has_keyboard, ui_imui_wants_keys(view->ui));
    ui_tiles_of(&view->tiles[base_latest_back(&view->surface_turn)], surface);
    base_latest_publish(&view->surface_turn);
    return more;
}

static const double turn_seconds = 0.005; /* between looks for the snapshot of a command */

static void take_snapshot(struct app_operator *view)
{
    if (base_latest_take(&view->snapshot_turn)) {
        view->now = &view->snapshots[base_latest_front(&view->snapshot_turn)];
    }
}

/* Carries out the commands whose turn it is, all of them at the end. Returns whether `next` is one
 * that waits. */
static bool obey_calls(struct app_operator *view, struct operator_call *next, bool waits)
{
    while (waits || base_queue_pop(&view->calls, next)) {
        if (view->now->turn < next->turn && !atomic_load(&view->quit)) {
            return true;
        }
        app_operator_obey(view, &next->call);
        waits = false;
    }
    return false;
}

/* Seconds until the view is drawn again by itself: drawing takes at most a quarter of a processor,
 * which the show may need. */
static double wait_seconds(const struct app_operator *view, bool waits)
{
    const double shown = 3 * view->drawing > shown_seconds ? 3 * view->drawing : shown_seconds;
    return waits ? turn_seconds : view->now->view.width > 0 ? shown : hidden_seconds;
}

static void tell(struct app_operator *view)
{
    app_operator_tell(view, &view->told[base_latest_back(&view->told_turn)]);
    base_latest_publish(&view->told_turn);
}

static void *operator_main(void *argument)
{
    struct app_operator *view = argument;
    struct operator_call next;
    bool waits = false;
    while (!atomic_load(&view->quit)) {
        base_clock_wait(&view->wake, wait_seconds(view, waits));
        while (sem_trywait(&view->wake) == 0) {
        }
        struct app_operator_note note;
        const unsigned asked = atomic_load(&view->asked);
        take_snapshot(view);
        while (base_queue_pop(&view->notes, &note)) {
            report_note(view, &note);
        }
        waits = obey_calls(view, &next, waits);
        char *path;
        while (base_queue_pop(&view->drops, &path)) {
            app_operator_take_drop(view, path);
            free(path);
        }
        if (atomic_load(&view->shot_waits)) {
            const struct engine_call shot = {.command = UI_COMMAND_SCREENSHOT};
            app_operator_obey(view, &shot);
            atomic_store(&view->shot_waits, false);
        }
        view->message_count = app_messages_newest(view->setup.messages, view->messages,
                                                  APP_OPERATOR_MESSAGES, &view->message_revision);
        app_operator_follow(view);
        /* Once a second. */
        const double clock = base_clock_seconds();
        if (view->measured == 0 || clock - view->measured >= 1) {
            view->measured = clock;
            atomic_store(&view->memory, app_memory_used());
            engine_device_watch(view->setup.device, &view->sink);
        }
        const double begun = base_clock_seconds();
        while (draw(view)) {
        }
        tell(view);
        view->drawing = base_clock_seconds() - begun;
        if (!waits) {
            atomic_store(&view->answered, asked);
        }
    }
    /* What was asked for just before the end is still done. */
    take_snapshot(view);
    (void)obey_calls(view, &next, waits);
    app_operator_keep_edits(view);
    return NULL;
}

/* ---- beginning and end ---- */

static bool allocate(struct app_operator *view)
{
    const struct app_operator_setup *setup = &view->setup;
    const size_t pixels = (size_t)setup->width * (size_t)setup->height;
    view->shot = (struct ui_surface){calloc(pixels, sizeof(uint32_t)), setup->width, setup->height,
                                     (size_t)setup->width};
    view->snapshots = calloc(BASE_LATEST_SLOTS, sizeof *view->snapshots);
    view->list.found = calloc(APP_FOUND_MAX, sizeof *view->list.found);
    view->playlists = calloc(APP_PLAYLISTS_MAX, sizeof *view->playlists);
    view->text.editor = ui_editor_create();
    const bool queues = base_queue_init(&view->events, sizeof(struct ui_event), EVENTS) == 0 &&
                        base_queue_init(&view->calls, sizeof(struct operator_call), CALLS) == 0 &&
                        base_queue_init(&view->orders, sizeof(struct engine_call), CALLS) == 0 &&
                        base_queue_init(&view->drops, sizeof(char *), DROPS) == 0 &&
                        base_queue_init(&view->notes, sizeof(struct app_operator_note), NOTES) == 0;
    return queues && view->shot.pixels != NULL && view->snapshots != NULL &&
           view->list.found != NULL && view->playlists != NULL && view->text.editor != NULL;
}

static void release(struct app_operator *view)
{
    for (int i = 0; i < BASE_LATEST_SLOTS; i++) {
        free(view->surfaces[i].pixels);
    }
    char *path;
    while (view->drops.items != NULL && base_queue_pop(&view->drops, &path)) {
        free(path);
    }
    base_queue_free(&view->drops);
    base_queue_free(&view->events);
    base_queue_free(&view->calls);
    base_queue_free(&view->orders);
    base_queue_free(&view->notes);
    ui_imui_free(view->ui);
    ui_editor_free(view->text.editor);
    free(view->text.given);
    free(view->text.former);
    free(view->clip);
    free(atomic_load(&view->paste));
    free(atomic_load(&view->copied));
    app_board_look_free(view->hardware.look);
    free(view->list.found);
    free(view->playlists);
    free(view->snapshots);
    free(view->shot.pixels);
    (void)sem_destroy(&view->wake);
    free(view);
}

struct app_operator *app_operator_start(const struct app_operator_setup *setup,
                                        const struct base_diag_sink *sink)
{
    struct app_operator *view = calloc(1, sizeof *view);
    if (view != NULL) {
        view->setup = *setup;
        view->sink = app_messages_sink(setup->messages);
        view->list.stale = true;
        base_latest_init(&view->snapshot_turn);
        base_latest_init(&view->surface_turn);
        base_latest_init(&view->told_turn);
        (void)sem_init(&view->wake, 0, 0);
        if (allocate(view)) {
            view->now = &view->snapshots[base_latest_front(&view->snapshot_turn)];
            if (pthread_create(&view->thread, NULL, operator_main, view) == 0) {
                return view;
            }
        }
        release(view);
    }
    base_report(sink, BASE_ERROR, (struct base_place){0}, NULL,
                "the operator's view cannot be started");
    return NULL;
}

void app_operator_stop(struct app_operator *view)
{
    if (view != NULL) {
        atomic_store(&view->quit, true);
        (void)sem_post(&view->wake);
        (void)pthread_join(view->thread, NULL);
        release(view);
    }
}
