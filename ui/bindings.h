/* Which keys and mouse buttons call which commands: YAML files, two of which come with froth
 * (ui/bindings/milkdrop.yaml, the usual one, and projectm.yaml) and are completed by the keys that
 * stand in commands.def. Immutable once made. */
#ifndef UI_BINDINGS_H
#define UI_BINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "ui/command.h"

struct ui_bindings;

struct ui_binding {
    const char *key;   /* "Space", "Shift+I", "Ctrl+Z", "MouseRight", "WheelUp" */
    const char *words; /* as in the file: "zoom -1" */
    struct engine_call call;
};

/* A profile that comes with froth by its name, or else a file: a map of keys and
 * commands with their arguments. A file may say `profile: NAME` to begin with that one's; `Key:
 * none` takes a key away. NULL with messages at line and column. */
struct ui_bindings *ui_bindings_load(const char *name, const struct base_diag_sink *sink);
struct ui_bindings *ui_bindings_read(const char *file, struct base_span text,
                                     const struct base_diag_sink *sink);
void ui_bindings_free(struct ui_bindings *bindings); /* NULL is fine */

/* NULL if the key is bound to nothing. Key names are compared without ASCII case, as the window
 * says them. Neither allocates nor locks. */
const struct engine_call *ui_bindings_find(const struct ui_bindings *bindings, const char *key);

/* All of them, in the order of the file. */
size_t ui_bindings_count(const struct ui_bindings *bindings);
const struct ui_binding *ui_bindings_at(const struct ui_bindings *bindings, size_t index);

/* The keys of a command, divided by two blanks, for help; empty if there are none. */
void ui_bindings_keys(const struct ui_bindings *bindings, enum ui_command command, char *text,
                      size_t size);

/* Names of the profiles that come with froth, the usual one first, NULL after the last. */
extern const char *const ui_bindings_profiles[];

/* The YAML text of one of them, for people to begin with: its file in ui/bindings/, then the keys
 * of commands.def that the file leaves free, each below the heading of its command's group, and the
 * commands that have no key. malloc'ed; NULL if there is none of this name, or without memory. */
char *ui_bindings_text(const char *profile);

/* Names of keys and mouse buttons, as the window says them and bindings write them: modifiers in
 * the order Ctrl+ Alt+ Super+ Shift+, then a name of key_names.def, or the key's character. A
 * letter is in upper case: "I" is the key alone, "Shift+I" the key with Shift. Any other character
 * is named by itself, however it is typed, and never with Shift: "!", "<", "Ctrl+/". */

enum { UI_KEY_NAME = 32 }; /* bytes, with the NUL */

/* The name as the window says it, whatever the ASCII case and the order of the modifiers. NULL, or
 * why there is no such key; `hint` (of at least 64 bytes) then has advice or is empty. */
const char *ui_key_name(char name[static UI_KEY_NAME], struct base_span text, char *hint,
                        size_t hint_size);

/* Whether a field or the editor may take this key (as the window names it; "" is typed text) while
 * it has the keyboard: it types, moves, or is one of the usual ones of editing with Ctrl or Alt.
 * Every other key, such as F9, is a command at any time. */
bool ui_key_edits(const char *key);

/* The texts of ui/bindings/, in alphabetical order; written by the build (tools/embed_text.cmake).
 */

struct ui_bindings_builtin {
    const char *name;
    const char *text;
};

extern const struct ui_bindings_builtin ui_bindings_texts[];
extern const size_t ui_bindings_texts_count;

#endif
