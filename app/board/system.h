/* The system controller: pins, two timers, identity. */
#ifndef APP_BOARD_SYSTEM_H
#define APP_BOARD_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

enum {
    APP_BOARD_CLOCK = 80000000,
    APP_BOARD_ID = 0x13004D31,
    APP_BOARD_TIMERS = 2,
    APP_BOARD_BUTTONS = 7, /* as bits of the input pins */
};

struct app_board_timer {
    bool runs;
    bool repeats;
    uint32_t compare;
    uint32_t counter; /* at the cycle `since` */
    uint64_t since;
};

struct app_board_system {
    uint32_t pins; /* inputs */
    uint32_t leds;
    uint32_t changes; /* inputs whose change interrupts */
    uint32_t scratch;
    uint32_t lock;
    struct app_board_timer timers[APP_BOARD_TIMERS];
};

/* What a write asks of the machine. */
enum app_board_wish { APP_BOARD_GOES_ON, APP_BOARD_WANTS_RESET, APP_BOARD_WANTS_OFF };

void app_board_system_reset(struct app_board_system *system);
uint32_t app_board_system_read(const struct app_board_system *system, uint64_t now,
                               uint32_t offset);
enum app_board_wish app_board_system_write(struct app_board_system *system, uint64_t now,
                                           uint32_t offset, uint32_t value);

/* When a timer comes to its end; UINT64_MAX: never. */
uint64_t app_board_system_due(const struct app_board_system *system);

/* Returns the interrupts that come now. */
uint32_t app_board_system_event(struct app_board_system *system, uint64_t now);

/* Presses and releases buttons: 3 bits. Returns the interrupts. */
uint32_t app_board_system_press(struct app_board_system *system, uint32_t buttons);

#endif
