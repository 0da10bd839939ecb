/* The memory card: blocks of an SD card, read only. The registers are those of the core; nothing
 * published tells more of them. */
#ifndef APP_MILKYMIST_ONE_CARD_H
#define APP_MILKYMIST_ONE_CARD_H

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

/* `read` of struct base_fat; user: the card. */
int board_card_read(void *user, uint32_t block, uint8_t *bytes);

#endif
