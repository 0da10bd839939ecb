/* The memory card: blocks of an SD card, read only. The registers are those of the core; nothing
 * published tells more of them. */
#ifndef APP_MILKYMIST_ONE_CARD_H
#define APP_MILKYMIST_ONE_CARD_H

#include <stdbool.h>
#include <stdint.h>

struct board_card {
    bool there;
    bool by_blocks; /* high capacity: addresses count blocks, not bytes */
};

/* Looks for a card and makes it ready: some milliseconds without one, a second at most. */
void board_card_begin(struct board_card *card);

/* `read` of struct base_fat; user: the card. */
int board_card_read(void *user, uint32_t block, uint8_t *bytes);

#endif
