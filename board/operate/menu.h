/* The menu over the picture, for the three buttons and a remote control: a pure machine of presses
 * and time. It draws nothing and changes nothing but its state and the settings; what else is to be
 * done it asks for.
 *
 *                 MENU                     PATCHES, CHOOSE
 *     closed ───────────────> the rows ───────────────────> the patches, the status
 *        <──────────────────────────────── MENU <──────────────────
 *          MENU, 10 seconds without a press */
#ifndef BOARD_OPERATE_MENU_H
#define BOARD_OPERATE_MENU_H

#include <stdbool.h>
#include <stdint.h>

#include "board/operate/keys.h"
#include "board/operate/text.h"
#include "board/storage/settings.h"

enum { BOARD_MENU_STAYS = 10000 /* milliseconds without a press */ };

enum board_menu_page {
    BOARD_MENU_CLOSED,
    BOARD_MENU_ROWS,
    BOARD_MENU_PATCHES,
    BOARD_MENU_STATUS,
    BOARD_MENU_PAGES,
};

/* Zero at start: closed. */
struct board_menu {
    uint8_t page; /* enum board_menu_page */
    bool locked;  /* it never opens */
    bool editing; /* up and down change the value of the row; of an action: it waits for a second
                     press */
    uint32_t row;
    uint32_t rows_top;   /* the first row that is seen */
    int32_t patch;       /* the one that is selected */
    int32_t patches_top; /* the first one that is seen */
    uint32_t touched;    /* time of the last press */
};

/* What the menu shows of the show. */
struct board_menu_facts {
    int32_t patches;   /* that there are, at least 1 */
    int32_t current;   /* number of the one that is shown; -1: it is not among them */
    const char *shown; /* its name */
    const char *(*name)(void *user, int32_t number); /* BOARD_PANEL_COLUMNS bytes may be read */
    void *user;
    uint32_t seconds;     /* since the start */
    uint32_t tenths;      /* of pictures, in a second */
    uint32_t left_out;    /* blocks of sound without a picture */
    uint32_t beats;       /* heard with this patch */
    int32_t next_seconds; /* until the patch gives way, -1: it does not by time */
    uint8_t level;        /* of the sound, 0 to BOARD_PANEL_BAR */
    uint32_t address;     /* of the board on the network, version 4; 0: none */
    const char *program;  /* its name and version */
};

enum board_menu_wish {
    BOARD_MENU_NOTHING,
    BOARD_MENU_STEP,    /* `number` patches onward, 1 or -1 */
    BOARD_MENU_LOAD,    /* the patch `number`, which may be beyond those that there are */
    BOARD_MENU_NAME,    /* the name of the patch on the screen */
    BOARD_MENU_CHANGED, /* the setting `number` was changed */
    BOARD_MENU_SAVE,    /* the settings are to be kept */
    BOARD_MENU_UPDATE,  /* the program is to be replaced by the one on the card */
};

struct board_menu_request {
    enum board_menu_wish wish;
    int32_t number;
};

/* now: milliseconds, as for the keys. */
struct board_menu_request board_menu_press(struct board_menu *menu, struct board_press press,
                                           struct board_settings *settings,
                                           const struct board_menu_facts *facts, uint32_t now);

/* Closes the menu when its time has come. To be called now and then. */
void board_menu_pass(struct board_menu *menu, uint32_t now);

/* What the menu shows; nothing of use while it is closed. */
void board_menu_write(const struct board_menu *menu, const struct board_settings *settings,
                      const struct board_menu_facts *facts,
                      struct board_panel_line lines[static BOARD_PANEL_LINES]);

/* Title and value of a setting that has a row, for a caption: "BRIGHTNESS 75%". Others: "". */
void board_menu_write_setting(enum board_setting setting, const struct board_settings *settings,
                              char *text, size_t size);

#endif
