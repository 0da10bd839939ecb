/* Which keys and mouse buttons call which commands: YAML files, two of which come with froth
 * (ui/bindings/milkdrop.yaml, the usual one, and projectm.yaml). Immutable once made. */
#ifndef UI_BINDINGS_H
#define UI_BINDINGS_H

#include <stddef.h>

#include "base/diag.h"
#include "base/span.h"
#include "ui/command.h"

struct ui_bindings;

struct ui_binding {
    const char *key;   /* "Space", "Shift+I", "Ctrl+Z", "MouseRight", "WheelUp" */
    const char *words; /* as in the file: "zoom -1" */
    struct ui_call call;
};

/* A profile that comes with froth by its name, or else a file: a map of keys (ui/key_name.h) and
 * commands with their arguments. A file may say `profile: NAME` to begin with that one's; `Key:
 * none` takes a key away. NULL with messages at line and column. */
struct ui_bindings *ui_bindings_load(const char *name, const struct base_diag_sink *sink);
struct ui_bindings *ui_bindings_read(const char *file, struct base_span text,
                                     const struct base_diag_sink *sink);
void ui_bindings_free(struct ui_bindings *bindings); /* NULL is fine */

/* NULL if the key is bound to nothing. Key names are compared without ASCII case, as the window
 * says them. Neither allocates nor locks. */
const struct ui_call *ui_bindings_find(const struct ui_bindings *bindings, const char *key);

/* All of them, in the order of the file. */
size_t ui_bindings_count(const struct ui_bindings *bindings);
const struct ui_binding *ui_bindings_at(const struct ui_bindings *bindings, size_t index);

/* The keys of a command, divided by two blanks, for help; empty if there are none. */
void ui_bindings_keys(const struct ui_bindings *bindings, enum ui_command command, char *text,
                      size_t size);

/* Names of the profiles that come with froth, the usual one first, NULL after the last. */
extern const char *const ui_bindings_profiles[];

/* The YAML text of one of them; NULL if there is none of this name. */
const char *ui_bindings_text(const char *profile);

#endif
