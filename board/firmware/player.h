/* The program that interrupts run before: chooses and compiles patches, obeys the console. */
#ifndef BOARD_FIRMWARE_PLAYER_H
#define BOARD_FIRMWARE_PLAYER_H

#include "board/firmware/console.h"
#include "board/firmware/inputs.h"
#include "board/firmware/net/net.h"
#include "board/firmware/operate.h"
#include "board/firmware/patches.h"
#include "board/firmware/settings.h"
#include "board/firmware/show.h"
#include "board/operate/advance.h"

enum { BOARD_PLAYER_LINE = 80, BOARD_PLAYER_SAID = 10240 };

struct board_player {
    struct board_show *show;
    struct board_console *console;
    struct board_inputs *inputs;
    struct board_patches *patches;
    struct board_kept *kept;
    struct board_operate *operate;
    struct board_net *net;
    uint32_t fps;
    struct board_loaded *loaded; /* what is shown */
    char shown[BOARD_FAT_NAME];  /* its name */
    struct board_loaded *ahead;  /* what comes next by itself, if it is compiled; NULL: it is not */
    int32_t ahead_number;        /* of it */
    struct board_advance advance; /* when and what that is */
    uint32_t cycles;              /* of the last compilation */
    bool exact;                   /* nothing happens by itself */
    int32_t gain;                 /* that the codec has */
    bool unsaved;                 /* the operator has changed settings, since they were saved */
    uint32_t changed_at;          /* when, in milliseconds */
    int32_t number;               /* of what was asked for last */
    char name[BOARD_FAT_NAME];    /* the same */
    bool silent;                  /* nothing is written into the picture */
    bool deaf;                    /* it was said that no sound comes */
    bool cuts_told;               /* it was said that not all of the patch is drawn */
    uint32_t looked;              /* cycle: last at the card */
    char error[220];              /* the first of the patch that was tried last */
    uint32_t messages;            /* of it, of all kinds */
    char said[BOARD_PLAYER_SAID]; /* lines of the compiler that are not printed yet */
    size_t said_size;
    char told[BOARD_TRANSFER_TEXT];   /* those that were printed last, or the first of them */
    char line[BOARD_PLAYER_LINE + 1]; /* of the console */
    uint32_t line_size;
};

/* Compiles and shows a patch of the list; number -1: the one that has come over the network. False
 * with a message on console and screen if it cannot be; what was shown goes on. */
bool board_player_load(struct board_player *player, int32_t number);

/* Keeps the settings on the card. False with a message on console and screen. */
bool board_player_save(struct board_player *player);

/* Stores a patch on the card: its name there, which ends in .milk or .fnp, and its text. False
 * with a message on console and screen. */
bool board_player_store(struct board_player *player, const char *name, const void *bytes,
                        size_t size);

/* Renews the program in the flash memory by BOOT.BIN of the card; tells how far it is on console
 * and screen. The show goes on. False with a message on both. */
bool board_player_update(struct board_player *player);

/* Has the patches and settings of the card that is there now; says on the console what became of
 * it. */
void board_player_look_at_card(struct board_player *player);

/* Looks once at console, inputs and network and does what they ask for; at the sound and, every two
 * seconds, at the card. True where the network may have more to ask for; all else that is new comes
 * with an interrupt, if only the timer's. */
bool board_player_look(struct board_player *player);

#endif
