#include "ui/key_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/closest.h"
#include "base/utf8.h"
#include "ui/text.h"

enum { MODIFIERS = 4, SHIFT = 1 << 3, REPLACEMENT = 0xFFFD };

static const char *const modifiers[MODIFIERS] = {"Ctrl+", "Alt+", "Super+", "Shift+"};

static const char *const names[] = {
#define UI_KEY(name) name,
#include "ui/keys.def"
};

static bool begins(struct base_span text, struct base_span with)
{
    return text.size > with.size &&
           base_span_equal_nocase((struct base_span){text.data, with.size}, with);
}

static unsigned take_modifiers(struct base_span *text)
{
    unsigned found = 0;
    for (int i = 0; i < MODIFIERS; i++) {
        const struct base_span word = base_span_of(modifiers[i]);
        if ((found & 1u << i) == 0 && begins(*text, word)) {
            found |= 1u << i;
            text->data += word.size;
            text->size -= word.size;
            i = -1;
        }
    }
    return found;
}

static const char *find_named(struct base_span text)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (base_span_equal_nocase(text, base_span_of(names[i]))) {
            return names[i];
        }
    }
    return NULL;
}

static bool is_character(struct base_span text)
{
    struct base_span rest = text;
    const uint32_t code = base_utf8_next(&rest);
    return rest.size == 0 && code > 0x20 && code != 0x7F && code != REPLACEMENT &&
           !(code >= 0x80 && code < 0xA0);
}

static const char *refuse(struct base_span text, char *hint, size_t hint_size)
{
    char word[UI_KEY_NAME] = "";
    struct base_closest closest = {0};
    if (text.size > 0 && text.size < sizeof word) {
        memcpy(word, text.data, text.size);
        word[text.size] = '\0';
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        base_closest_try(&closest, word, names[i]);
    }
    base_closest_hint(&closest, "keys are called as in 'Ctrl+Z', 'Shift+I', 'PageUp' or '!'", hint,
                      hint_size);
    return "is no key";
}

static void write_name(char name[static UI_KEY_NAME], unsigned found, const char *key)
{
    name[0] = '\0';
    for (int i = 0; i < MODIFIERS; i++) {
        const size_t used = strlen(name);
        (void)snprintf(name + used, UI_KEY_NAME - used, "%s",
                       (found & 1u << i) != 0 ? modifiers[i] : "");
    }
    const size_t used = strlen(name);
    (void)snprintf(name + used, UI_KEY_NAME - used, "%s", key);
}

const char *ui_key_name(char name[static UI_KEY_NAME], struct base_span text, char *hint,
                        size_t hint_size)
{
    hint[0] = '\0';
    const unsigned found = take_modifiers(&text);
    const char *named = text.size > 0 ? find_named(text) : NULL;
    if (named != NULL) {
        write_name(name, found, named);
        return NULL;
    }
    if (text.size == 0 || text.size > 4 || !is_character(text)) {
        return refuse(text, hint, hint_size);
    }
    const bool ascii = text.size == 1;
    const bool letter = !ascii || isalpha((unsigned char)text.data[0]) != 0;
    char character[5] = {0};
    memcpy(character, text.data, text.size);
    character[0] = ascii ? (char)toupper((unsigned char)character[0]) : character[0];
    if (!letter && (found & SHIFT) != 0) {
        (void)snprintf(hint, hint_size, "a character is named by itself, without Shift");
        return "is no key";
    }
    write_name(name, found, character);
    return NULL;
}
