/* The memory card: blocks of an SD card, in the order of accesses of spec/milkymist-one-devices.md
 * section 1. The card's clock stands whenever the program is late, and goes on with what it has not
 * cleared, so tasks may interrupt any of these for as long as they like. For the program alone. */
#ifndef BOARD_FIRMWARE_STORAGE_CARD_H
#define BOARD_FIRMWARE_STORAGE_CARD_H

#include <stdbool.h>
#include <stdint.h>

struct board_card {
    bool there;       /* it has answered, and every time since */
    bool by_blocks;   /* high capacity: addresses count blocks, not bytes */
    uint32_t address; /* its own, on the bus */
};

/* Looks for a card and makes it ready. Takes some milliseconds if there is none, and a second at
 * most. */
void board_card_begin(struct board_card *card);

/* Asks the card whether it is still there, the same one since board_card_begin. Takes ten
 * milliseconds if it is not. */
bool board_card_stays(struct board_card *card);

/* `read` of struct board_fat; user: the card. */
int board_card_read(void *user, uint32_t block, uint8_t *bytes);

/* `write` of struct board_fat; user: the card. Returns when the card has stored the block. That
 * takes some milliseconds as a rule, a second at most. */
int board_card_write(void *user, uint32_t block, const uint8_t *bytes);

#endif
