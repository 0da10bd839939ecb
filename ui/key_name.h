/* Names of keys and mouse buttons, as the window says them and bindings write them: modifiers in
 * the order Ctrl+ Alt+ Super+ Shift+, then a name of keys.def, or the key's character. A letter is
 * in upper case: "I" is the key alone, "Shift+I" the key with Shift. Any other character is named
 * by itself, however it is typed, and never with Shift: "!", "<", "Ctrl+/". */
#ifndef UI_KEY_NAME_H
#define UI_KEY_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/span.h"

enum { UI_KEY_NAME = 32 }; /* bytes, with the NUL */

/* The name as the window says it, whatever the ASCII case and the order of the modifiers. NULL, or
 * why there is no such key; `hint` (of at least 64 bytes) then has advice or is empty. */
const char *ui_key_name(char name[static UI_KEY_NAME], struct base_span text, char *hint,
                        size_t hint_size);

#endif
