/* The memory card and its controller: an SD card of standard capacity that is only read. Its bytes
 * are a FAT image. Answers and blocks are there at once. */
#ifndef BOARD_TWIN_CARD_H
#define BOARD_TWIN_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOARD_TWIN_CARD_BLOCK = 512,
    BOARD_TWIN_CARD_WORDS = BOARD_TWIN_CARD_BLOCK / 4 + 2, /* with the checksums, which are 0 */
    BOARD_TWIN_CARD_COMMAND = 6,
    BOARD_TWIN_CARD_ANSWER = 17,
};

/* Registers that stand in no published description but the core's: bytes from the block's start. */
enum board_twin_card_register {
    BOARD_TWIN_CARD_DIVIDER = 0x00,
    BOARD_TWIN_CARD_ENABLE =
        0x04, /* bits: 0 send commands, 1 receive answers, 2, 3 data likewise */
    BOARD_TWIN_CARD_PENDING = 0x08, /* the same bits: a byte or word waits; ones clear 1 and 3 */
    BOARD_TWIN_CARD_START = 0x0C,   /* bit 0 answers, bit 1 data: wait for the start bit */
    BOARD_TWIN_CARD_CMD = 0x10,     /* bytes */
    BOARD_TWIN_CARD_DAT = 0x14,     /* words */
};

struct board_twin_card {
    const uint8_t *bytes; /* of the image; NULL: no card. The caller's */
    size_t size;
    bool out;           /* it is not in its slot */
    uint64_t pulled_in; /* words of data until it is pulled out; 0: it stays */
    uint32_t divider;
    uint32_t enable;
    uint8_t command[BOARD_TWIN_CARD_COMMAND];
    unsigned command_size;
    bool application; /* CMD55 came: the next command is one of an application */
    bool addressed;   /* it has told its address since it has power */
    bool selected;
    bool goes_on; /* blocks follow until a stop */
    uint8_t answer[BOARD_TWIN_CARD_ANSWER];
    unsigned answer_size;
    unsigned answer_at;
    size_t block; /* address of the one being read */
    unsigned words_left;
    uint64_t blocks; /* read */
};

/* Takes the card out of its slot, and puts it back: it knows nothing of what was before then. */
void board_twin_card_pull(struct board_twin_card *card);
void board_twin_card_insert(struct board_twin_card *card);

/* Takes the card out in the middle of a block: the one that is read after `blocks` others. */
void board_twin_card_pull_later(struct board_twin_card *card, uint32_t blocks);

/* As after a reset; the card stays where it is. */
void board_twin_card_reset(struct board_twin_card *card);
uint32_t board_twin_card_read(struct board_twin_card *card, uint32_t offset);
void board_twin_card_write(struct board_twin_card *card, uint32_t offset, uint32_t value);

#endif
