#include "board/operate/keys.h"

#include <stddef.h>

enum {
    MIDDLE = 1, /* by number from 0 */
    UNSURE = 1 << 8,
    CODE = 0x1FFF,
    SECOND_START = 1 << 12, /* 0 in the commands from EXTENDED on */
    COMMAND = 63,
    EXTENDED = 64,
    DIGITS = 10,
};

static void push(struct board_keys *keys, enum board_key key, bool repeated)
{
    const uint32_t written = keys->written;
    if (key != BOARD_KEY_NONE && written - keys->taken < BOARD_PRESSES) {
        keys->presses[written % BOARD_PRESSES] = (struct board_press){(uint8_t)key, repeated};
        keys->written = written + 1;
    }
}

static void change(struct board_keys *keys, unsigned button, enum board_key key, uint32_t now)
{
    keys->down ^= 1u << button;
    keys->changed[button] = now;
    if ((keys->down >> button & 1) != 0) {
        keys->repeats[button] = now + BOARD_PRESS_REPEATS;
        keys->long_told = button == MIDDLE ? false : keys->long_told;
        push(keys, button == MIDDLE ? BOARD_KEY_NONE : key, false);
    } else if (button == MIDDLE && !keys->long_told) {
        push(keys, key, false);
    }
}

static void hold(struct board_keys *keys, unsigned button, enum board_key key, uint32_t now)
{
    if (button == MIDDLE) {
        if (!keys->long_told && now - keys->changed[button] >= BOARD_PRESS_LONG) {
            keys->long_told = true;
            push(keys, BOARD_KEY_MENU, false);
        }
    } else if ((int32_t)(now - keys->repeats[button]) >= 0) {
        keys->repeats[button] = now + BOARD_PRESS_EVERY;
        push(keys, key, true);
    }
}

void board_keys_buttons(struct board_keys *keys, uint32_t down, uint32_t now)
{
    static const enum board_key buttons[BOARD_BUTTONS] = {BOARD_KEY_UP, BOARD_KEY_CHOOSE,
                                                          BOARD_KEY_DOWN};
    for (unsigned i = 0; i < BOARD_BUTTONS; i++) {
        const bool changed = ((down ^ keys->down) >> i & 1) != 0;
        if (changed && now - keys->changed[i] >= BOARD_PRESS_BOUNCE) {
            change(keys, i, buttons[i], now);
        } else if (!changed && (down >> i & 1) != 0) {
            hold(keys, i, buttons[i], now);
        }
    }
}

enum board_key board_key_of(uint32_t command)
{
    static const struct {
        uint8_t command;
        uint8_t key;
    } rows[] = {
#define BOARD_REMOTE(number, name) {number, BOARD_KEY_##name},
#include "board/operate/remote.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].command == command) {
            return (enum board_key)rows[i].key;
        }
    }
    return command < DIGITS ? (enum board_key)(BOARD_KEY_DIGIT + command) : BOARD_KEY_NONE;
}

void board_keys_remote(struct board_keys *keys, uint32_t code, uint32_t now)
{
    const uint32_t above = (code & SECOND_START) != 0 ? 0 : EXTENDED;
    const enum board_key plain = board_key_of(above + (code & COMMAND));
    const enum board_key key =
        plain != BOARD_KEY_NONE ? plain : board_key_of(above + (~code & COMMAND));
    const uint32_t sure = code & (CODE & ~(uint32_t)UNSURE);
    const bool held =
        keys->codes > 0 && sure == keys->code && now - keys->code_at < BOARD_REMOTE_FORGOTTEN;
    keys->codes++;
    keys->code = sure;
    keys->code_at = now;
    if (!held) {
        keys->code_since = now;
        push(keys, key, false);
    } else if (now - keys->code_since >= BOARD_PRESS_REPEATS) {
        push(keys, key, true);
    }
}

bool board_keys_take(struct board_keys *keys, struct board_press *press)
{
    const uint32_t taken = keys->taken;
    if (taken == keys->written) {
        return false;
    }
    *press = keys->presses[taken % BOARD_PRESSES];
    keys->taken = taken + 1;
    return true;
}
