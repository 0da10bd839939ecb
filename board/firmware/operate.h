/* The menu's task: takes the presses of buttons and remote control, changes settings, draws the
 * panel, and leaves what else is asked for to the program. It goes on while a patch is compiled. */
#ifndef BOARD_FIRMWARE_OPERATE_H
#define BOARD_FIRMWARE_OPERATE_H

#include "board/firmware/inputs.h"
#include "board/firmware/net/net.h"
#include "board/firmware/patches.h"
#include "board/firmware/show.h"
#include "board/operate/gain.h"
#include "board/operate/menu.h"

struct board_operate {
    struct board_tasks *tasks;
    const struct board_timer *timer;
    struct board_inputs *inputs;
    struct board_show *show;
    const struct board_patches *patches;
    const struct board_net *net;
    struct board_settings *settings; /* the numbers that the menu has, it changes */
    uint32_t fps;
    /* The program writes; of the patch that is shown. */
    const char *shown;          /* its name */
    volatile int32_t current;   /* its number, -1: it is off the list */
    volatile uint32_t shown_at; /* when; and beats by then */
    volatile uint32_t beats_then;
    /* The program takes. */
    volatile uint32_t names;   /* how often the name was asked for */
    volatile bool saves;       /* the settings are to be kept */
    volatile bool updates;     /* the program is to be replaced */
    volatile uint32_t changed; /* bits of settings that the operator has changed */
    volatile bool open;        /* the menu is on the screen */
    /* The task's own. */
    struct board_menu menu;
    struct board_gain gain;
    struct board_watch watch; /* since the start */
    uint32_t ticks;           /* that it has seen */
    uint32_t measured_at;     /* when the pictures of a second were counted */
    uint32_t pictures;        /* by then */
    uint32_t tenths;          /* of pictures in a second */
    uint16_t *panel;
    uint32_t drawn; /* bits of the lines that stand in the panel as in `lines` */
    struct board_panel_line lines[BOARD_PANEL_LINES];
};

/* Sets the watch, and takes memory for the panel; without memory the menu stays closed. locked: it
 * does so anyway. All but what is the task's own is set before. */
void board_operate_begin(struct board_operate *operate, bool locked);

/* The task; user: a struct board_operate. */
void board_operate_run(void *user);

/* Milliseconds since the start, as the task has seen them last. */
uint32_t board_operate_now(const struct board_operate *operate);

/* Takes `changed`. */
uint32_t board_operate_take_changed(struct board_operate *operate);

#endif
