#include "app/operator/operator.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/operator/state.h"
#include "base/os/clock.h"

enum {
    EVENTS = 256,
    CALLS = 64,
    NOTES = 32,
    SURFACE_MAX = 8192,
};

/* Seconds from one drawing of the view to the next. */
static const double shown_seconds = 0.033;
static const double hidden_seconds = 0.1;

/* ---- the painter's side ---- */

void app_operator_event(struct app_operator *view, const struct ui_event *event)
{
    const bool leaves = event->kind == UI_EVENT_KEY && strcmp(event->key, "Escape") == 0;
    if (base_queue_push(&view->events, event) && leaves) {
        (void)atomic_fetch_add(&view->escapes, 1);
    }
    (void)sem_post(&view->wake);
}

void app_operator_paste(struct app_operator *view, char *text)
{
    free(atomic_exchange(&view->paste, text));
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
    const bool answered = atomic_load(&view->escapes_done) == atomic_load(&view->escapes);
    return answered && atomic_load(&view->has_keyboard);
}

void app_operator_do(struct app_operator *view, const struct ui_call *call)
{
    (void)base_queue_push(&view->calls, call);
    (void)sem_post(&view->wake);
}

bool app_operator_call(struct app_operator *view, struct ui_call *call)
{
    return base_queue_pop(&view->orders, call);
}

void app_operator_note(struct app_operator *view, enum app_note note, uint32_t preset, double a,
                       double b)
{
    const struct app_operator_note item = {note, preset, a, b};
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

void app_operator_publish(struct app_operator *view)
{
    base_latest_publish(&view->snapshot_turn);
}

const struct ui_surface *app_operator_surface(struct app_operator *view, bool *fresh)
{
    *fresh = base_latest_take(&view->surface_turn);
    view->surface_known = view->surface_known || *fresh;
    const struct ui_surface *surface = &view->surfaces[base_latest_front(&view->surface_turn)];
    return view->surface_known && surface->pixels != NULL ? surface : NULL;
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
    char words[UI_CALL_TEXT];
    struct ui_call call;
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
    for (const char *from = rows[note->note].what; *from != '\0' && used + 32 < sizeof text;) {
        if (strncmp(from, "%g", 2) == 0 && number < 2) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%g", numbers[number++]);
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

static void press(struct ui_imui_input *input, const struct ui_event *event, bool down)
{
    if (strcmp(event->key, "MouseLeft") == 0) {
        input->mouse_down = down;
        input->pressed = input->pressed || down;
        input->released = input->released || !down;
        input->double_click = input->double_click || (down && event->clicks == 2);
    }
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
        if (event->kind != UI_EVENT_MOVE) {
            press(input, event, event->kind == UI_EVENT_PRESS);
        }
        return event->kind == UI_EVENT_MOVE;
    default:
        return true;
    }
}

static bool next_event(struct app_operator *view, struct ui_event *event)
{
    if (view->holds) {
        *event = view->held;
        view->holds = false;
        return true;
    }
    return base_queue_pop(&view->events, event);
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
    while (next_event(view, &event)) {
        if (!is_in_turn(input, &event)) {
            view->held = event;
            view->holds = true;
            return true;
        }
        view->escapes_taken +=
            event.kind == UI_EVENT_KEY && strcmp(event.key, "Escape") == 0 ? 1 : 0;
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

static bool fit_text(struct app_operator *view, int size)
{
    if (view->ui == NULL) {
        view->ui = ui_imui_create(size, &view->sink);
    } else if (size != view->text_size) {
        (void)ui_imui_resize(view->ui, size, &view->sink);
    }
    view->text_size = size;
    return view->ui != NULL;
}

/* The order counts: app_operator_has_keyboard reads the second value first. */
static void tell_keyboard(struct app_operator *view, bool has)
{
    atomic_store(&view->has_keyboard, has);
    atomic_store(&view->escapes_done, view->escapes_taken);
}

/* Returns whether more events wait. */
static bool draw(struct app_operator *view)
{
    struct ui_surface *surface = &view->surfaces[base_latest_back(&view->surface_turn)];
    const bool more = take_events(view);
    if (!fit_surface(surface, &view->now->view) ||
        !fit_text(view, app_operator_text_size(&view->now->view))) {
        tell_keyboard(view, false);
        return more;
    }
    char *text = atomic_exchange(&view->paste, NULL);
    if (text != NULL && ui_editor_set_clipboard(view->text.editor, base_span_of(text)) == 0) {
        free(view->clip);
        view->clip = text;
    } else {
        free(text);
    }
    if (view->focus != 0) {
        ui_imui_focus(view->ui, view->focus);
        view->focus = 0;
    }
    ui_imui_begin(view->ui, surface, &view->input);
    app_operator_draw(view, surface);
    ui_imui_end(view->ui);
    /* Hands over what was cut or copied. */
    const struct base_span now = ui_editor_clipboard(view->text.editor);
    const struct base_span told = base_span_of(view->clip != NULL ? view->clip : "");
    if (!base_span_equal(now, told)) {
        free(view->clip);
        view->clip = strndup(now.data, now.size);
        free(atomic_exchange(&view->copied, view->clip == NULL ? NULL : strdup(view->clip)));
    }
    tell_keyboard(view, ui_imui_wants_keys(view->ui));
    base_latest_publish(&view->surface_turn);
    return more;
}

static void wait(struct app_operator *view)
{
    base_clock_wait(&view->wake, view->now->view.width > 0 ? shown_seconds : hidden_seconds);
    while (sem_trywait(&view->wake) == 0) {
    }
}

static void *operator_main(void *argument)
{
    struct app_operator *view = argument;
    while (!atomic_load(&view->quit)) {
        wait(view);
        struct ui_call call;
        struct app_operator_note note;
        if (base_latest_take(&view->snapshot_turn)) {
            view->now = &view->snapshots[base_latest_front(&view->snapshot_turn)];
        }
        while (base_queue_pop(&view->notes, &note)) {
            report_note(view, &note);
        }
        while (base_queue_pop(&view->calls, &call)) {
            app_operator_obey(view, &call);
        }
        if (atomic_load(&view->shot_waits)) {
            const struct ui_call shot = {.command = UI_COMMAND_SCREENSHOT};
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
        }
        while (draw(view)) {
        }
    }
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
                        base_queue_init(&view->calls, sizeof(struct ui_call), CALLS) == 0 &&
                        base_queue_init(&view->orders, sizeof(struct ui_call), CALLS) == 0 &&
                        base_queue_init(&view->notes, sizeof(struct app_operator_note), NOTES) == 0;
    return queues && view->shot.pixels != NULL && view->snapshots != NULL &&
           view->list.found != NULL && view->playlists != NULL && view->text.editor != NULL;
}

static void release(struct app_operator *view)
{
    for (int i = 0; i < BASE_LATEST_SLOTS; i++) {
        free(view->surfaces[i].pixels);
    }
    base_queue_free(&view->events);
    base_queue_free(&view->calls);
    base_queue_free(&view->orders);
    base_queue_free(&view->notes);
    ui_imui_free(view->ui);
    ui_editor_free(view->text.editor);
    free(view->clip);
    free(atomic_load(&view->paste));
    free(atomic_load(&view->copied));
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
