/* The operator's view, drawn in a thread of its own, and all commands that wait for files, locks or
 * memory: the painter only hands calls, events and snapshots over, and shows the surface that comes
 * back.
 *
 * All functions but start and stop belong to the thread that paints; they never lock, allocate or
 * wait. */
#ifndef APP_OPERATOR_OPERATOR_H
#define APP_OPERATOR_OPERATOR_H

#include <stdbool.h>

#include "app/feed/loader.h"
#include "app/feed/sound.h"
#include "app/library/library.h"
#include "app/operator/report.h"
#include "ui/bindings.h"
#include "ui/command.h"
#include "ui/window.h"

struct app_operator;

/* All outlive the operator. */
struct app_operator_setup {
    struct app_library *library;
    struct app_loader *loader;
    struct app_sound *sound;
    const struct ui_bindings *bindings;
    struct app_messages *messages;
    int width; /* of the pictures, for screenshots */
    int height;
};

/* NULL with a message without memory or thread. */
struct app_operator *app_operator_start(const struct app_operator_setup *setup,
                                        const struct base_diag_sink *sink);
void app_operator_stop(struct app_operator *view); /* NULL is fine */

/* Something that happened in the window in which the view is shown. */
void app_operator_event(struct app_operator *view, const struct ui_event *event);

/* The system's clipboard, before the event of a key that may want it: a malloc'ed text, taken over;
 * NULL is fine. */
void app_operator_paste(struct app_operator *view, char *text);

/* What was copied in the editor since the last call: a text for the caller to free, or NULL. */
char *app_operator_copied(struct app_operator *view);

/* A field or the editor has the keyboard: keys are the operator's, not the bindings'. */
bool app_operator_has_keyboard(const struct app_operator *view);

/* Carries out a command that is not the painter's. */
void app_operator_do(struct app_operator *view, const struct ui_call *call);

/* A command that the operator gave by his view; false if there is none. */
bool app_operator_call(struct app_operator *view, struct ui_call *call);

enum app_note {
#define APP_NOTE(id, ...) APP_NOTE_##id,
#include "app/operator/notes.def"
    APP_NOTE_COUNT,
};
/* Says something, with up to two numbers, about a preset of the library; APP_LIBRARY_NONE: about
 * none. */
void app_operator_note(struct app_operator *view, enum app_note note, uint32_t preset, double a,
                       double b);

/* The snapshot to be filled, and handing it over. */
struct app_snapshot *app_operator_snapshot(struct app_operator *view);
void app_operator_publish(struct app_operator *view);

/* The newest surface of the view; NULL before the first. *fresh: since the last call. */
const struct ui_surface *app_operator_surface(struct app_operator *view, bool *fresh);

/* Bytes of memory that froth has in use, as of the last second. */
double app_operator_memory(const struct app_operator *view);

/* Writes the picture to a file, unless the one before is still being written. */
void app_operator_screenshot(struct app_operator *view, const struct ui_surface *picture);

#endif
