/* The memory card and its controller: an SD card of standard capacity that is only read. Its bytes
 * are a FAT image. Answers and blocks are there at once. */
#ifndef APP_BOARD_CARD_H
#define APP_BOARD_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APP_BOARD_CARD_BLOCK = 512,
    APP_BOARD_CARD_WORDS = APP_BOARD_CARD_BLOCK / 4 + 2, /* with the checksums, which are 0 */
    APP_BOARD_CARD_COMMAND = 6,
    APP_BOARD_CARD_ANSWER = 17,
};

/* Registers that stand in no published description but the core's: bytes from the block's start. */
enum app_board_card_register {
    APP_BOARD_CARD_DIVIDER = 0x00,
    APP_BOARD_CARD_ENABLE = 0x04, /* bits: 0 send commands, 1 receive answers, 2, 3 data likewise */
    APP_BOARD_CARD_PENDING = 0x08, /* the same bits: a byte or word waits; ones clear 1 and 3 */
    APP_BOARD_CARD_START = 0x0C,   /* bit 0 answers, bit 1 data: wait for the start bit */
    APP_BOARD_CARD_CMD = 0x10,     /* bytes */
    APP_BOARD_CARD_DAT = 0x14,     /* words */
};

struct app_board_card {
    const uint8_t *bytes; /* of the image; NULL: no card. The caller's */
    size_t size;
    bool out;           /* it is not in its slot */
    uint64_t pulled_in; /* words of data until it is pulled out; 0: it stays */
    uint32_t divider;
    uint32_t enable;
    uint8_t command[APP_BOARD_CARD_COMMAND];
    unsigned command_size;
    bool application; /* CMD55 came: the next command is one of an application */
    bool addressed;   /* it has told its address since it has power */
    bool selected;
    bool goes_on; /* blocks follow until a stop */
    uint8_t answer[APP_BOARD_CARD_ANSWER];
    unsigned answer_size;
    unsigned answer_at;
    size_t block; /* address of the one being read */
    unsigned words_left;
    uint64_t blocks; /* read */
};

/* Takes the card out of its slot, and puts it back: it knows nothing of what was before then. */
void app_board_card_pull(struct app_board_card *card);
void app_board_card_insert(struct app_board_card *card);

/* Takes the card out in the middle of a block: the one that is read after `blocks` others. */
void app_board_card_pull_later(struct app_board_card *card, uint32_t blocks);

/* As after a reset; the card stays where it is. */
void app_board_card_reset(struct app_board_card *card);
uint32_t app_board_card_read(struct app_board_card *card, uint32_t offset);
void app_board_card_write(struct app_board_card *card, uint32_t offset, uint32_t value);

#endif
