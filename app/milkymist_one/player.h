/* The program that interrupts run before: chooses and compiles patches, obeys the console. */
#ifndef APP_MILKYMIST_ONE_PLAYER_H
#define APP_MILKYMIST_ONE_PLAYER_H

#include "app/milkymist_one/console.h"
#include "app/milkymist_one/inputs.h"
#include "app/milkymist_one/patches.h"
#include "app/milkymist_one/show.h"

enum { BOARD_PLAYER_LINE = 80 };

struct board_player {
    struct board_show *show;
    struct board_console *console;
    struct board_inputs *inputs;
    struct board_patches *patches;
    uint32_t fps;
    struct rend_board_loaded *loaded; /* what is shown */
    int32_t number;                   /* of it; of what was tried last */
    bool silent;                      /* nothing is written into the picture */
    char error[200];                  /* the first of the patch that was tried last */
    char line[BOARD_PLAYER_LINE + 1]; /* of the console */
    uint32_t line_size;
};

/* Compiles and shows a patch. False with a message on console and screen if it cannot
 * be; what was shown goes on. */
bool board_player_load(struct board_player *player, int32_t number);

/* Looks once at console and inputs and does what they ask for. */
void board_player_look(struct board_player *player);

#endif
