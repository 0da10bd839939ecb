/* Three buttons and a remote control as keys. Pure: times are milliseconds that the caller counts,
 * from any start, and may wrap. */
#ifndef BOARD_OPERATE_KEYS_H
#define BOARD_OPERATE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

enum board_key {
    BOARD_KEY_NONE,
    BOARD_KEY_UP,
    BOARD_KEY_DOWN,
    BOARD_KEY_LEFT,
    BOARD_KEY_RIGHT,
    BOARD_KEY_CHOOSE,
    BOARD_KEY_MENU,
    BOARD_KEY_NEXT, /* programme up of a remote control */
    BOARD_KEY_PREVIOUS,
    BOARD_KEY_LOUDER,
    BOARD_KEY_SOFTER,
    BOARD_KEY_BRIGHTER,
    BOARD_KEY_DARKER,
    BOARD_KEY_DIGIT, /* 0; the others follow */
    BOARD_KEY_DIGIT_LAST = BOARD_KEY_DIGIT + 9,
    BOARD_KEYS,
};

struct board_press {
    uint8_t key;
    bool repeated; /* the key is held */
};

enum {
    BOARD_BUTTONS = 3,
    BOARD_PRESSES = 16,          /* that may wait */
    BOARD_PRESS_LONG = 600,      /* from when on a press of the middle button is a long one */
    BOARD_PRESS_REPEATS = 450,   /* from when on a key that is held repeats */
    BOARD_PRESS_EVERY = 120,     /* between its repetitions */
    BOARD_PRESS_BOUNCE = 20,     /* in which a button that changed is not looked at again */
    BOARD_REMOTE_FORGOTTEN = 500 /* without a code, after which the same code is a new press */
};

/* Zero at start. Whoever calls board_keys_buttons and board_keys_remote does so without being
 * interrupted by the other; another one may take presses meanwhile. */
struct board_keys {
    uint32_t down;                   /* bits of the buttons that are taken to be down */
    uint32_t changed[BOARD_BUTTONS]; /* when they were last taken to change */
    uint32_t repeats[BOARD_BUTTONS]; /* when they repeat next */
    bool long_told;                  /* the middle one, which is down, was told as a long press */
    uint32_t codes;                  /* of the remote control */
    uint32_t code;                   /* the last one */
    uint32_t code_at;
    uint32_t code_since; /* from when on it has come again and again */
    struct board_press presses[BOARD_PRESSES];
    volatile uint32_t written; /* presses, of all time */
    volatile uint32_t taken;
};

/* down: bits 0 to 2, the buttons 1 to 3 as the pins say it, which bounce. To be called at each
 * change of a pin and at least 20 times per second. Button 1 is UP and 3 is DOWN, from when they
 * are pressed on and again while they are held; 2 is CHOOSE when it is released, or MENU when it
 * has been down for long. */
void board_keys_buttons(struct board_keys *keys, uint32_t down, uint32_t now);

/* A code of RC5, 13 bits as the infrared receiver gives them (spec/milkymist-one-devices.md section
 * 5): of any device, in the timing of 38 kHz, or in that of 36 kHz, which comes inverted. What
 * remote.def does not name does nothing. A held key sends the same code again and again; the code
 * of a new press has another toggle bit. */
void board_keys_remote(struct board_keys *keys, uint32_t code, uint32_t now);

/* What a command of RC5, 0 to 127, means. */
enum board_key board_key_of(uint32_t command);

/* Takes the oldest press; false: there is none. Presses that come while too many wait are lost. */
bool board_keys_take(struct board_keys *keys, struct board_press *press);

#endif
