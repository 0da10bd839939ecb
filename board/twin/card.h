/* The memory card and its controller: a shift register for the command line, one for the four data
 * lines, and a clock that stands whenever software is late (spec/milkymist-one-devices.md section
 * 1). The card is one for SD's own bus, which is read and written by blocks. Bit for bit, and in
 * the cycles of the controller; nothing happens before somebody asks.
 *
 * Of writing, nothing was recorded. The controller's part is what it does when it reads; the card's
 * is that of the SD Physical Layer Simplified Specification, from memory: behind the answer to
 * CMD24 a start bit on each line, the block, 16 bits of checksum on each line, an end bit; two
 * clocks later, on line 0, the status 0 010 1 (taken) or 0 101 1 (wrong checksum); then line 0 is
 * low until the block is stored. Until then the card does not answer commands that read or write.
 */
#ifndef BOARD_TWIN_CARD_H
#define BOARD_TWIN_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/twin/power/cut.h"

enum {
    BOARD_TWIN_CARD_BLOCK = 512,
    BOARD_TWIN_CARD_WORDS = BOARD_TWIN_CARD_BLOCK / 4 + 2, /* with the checksums */
    BOARD_TWIN_CARD_COMMAND = 6,
    BOARD_TWIN_CARD_ANSWER = 17,
    BOARD_TWIN_CARD_NAME = 15,
    BOARD_TWIN_CARD_POWER_CLOCKS = 74, /* that a card wants before it hears a command */
};

/* What kind of card it is. Anyone may set it, at best before the card is used. */
struct board_twin_card_kind {
    bool high_capacity;                 /* addresses are numbers of blocks */
    uint16_t address;                   /* its own, on its bus */
    uint8_t name[BOARD_TWIN_CARD_NAME]; /* what it tells of itself */
    unsigned busy;         /* how often it is asked for its voltages until it is ready */
    unsigned answer_delay; /* clocks from the end of a command to its answer */
    unsigned data_delay;   /* clocks from the end of a command to its data; 1 at least */
    bool locked;           /* write-protected */
    unsigned store_cycles; /* of the board, that storing a block takes */
};

/* Bits that the controller takes from the lines some cycles after the clock's edge. */
struct board_twin_card_sample {
    int64_t at; /* cycle */
    uint8_t command;
    uint8_t data;
};

/* How far the card is with a block that is written. */
enum board_twin_card_write {
    BOARD_TWIN_CARD_WRITES_NOTHING,
    BOARD_TWIN_CARD_WAITS,
    BOARD_TWIN_CARD_TAKES,
    BOARD_TWIN_CARD_TELLS,
};

struct board_twin_card {
    const uint8_t *bytes; /* of the image; NULL: no card. The caller's */
    uint8_t *writable;    /* the same bytes; NULL: the card is locked */
    size_t size;
    struct board_twin_cut cut;
    bool out;           /* it is not in its slot */
    uint64_t pulled_in; /* words of data until it is pulled out; 0: it stays */
    struct board_twin_card_kind kind;
    uint64_t blocks;  /* read */
    uint64_t written; /* blocks */

    /* The controller. */
    uint32_t divider;
    uint32_t enable;
    uint32_t was_enabled; /* before it was written last */
    int64_t enabled_at;   /* when */
    uint32_t pending;
    uint32_t start;
    uint8_t command; /* shift registers, and how many bits of each are through */
    uint32_t data;
    unsigned command_bits;
    unsigned data_groups;
    int64_t ticked; /* cycle of the last edge of the clock, and of the next one */
    int64_t tick_at;
    bool high;       /* the clock is */
    uint64_t clocks; /* rising edges of the card's clock since the reset */
    struct board_twin_card_sample samples[2];
    unsigned sample_count;

    /* The card; edges are counted by `clocks`. */
    uint64_t hears_from; /* a command that begins before then is lost */
    uint64_t heard;      /* the bits of the command that comes in */
    unsigned heard_bits;
    bool deaf;        /* that command is lost */
    bool application; /* CMD55 came: the next command is one of an application */
    unsigned asked;   /* how often it was asked for its voltages */
    bool addressed;   /* it has told its address since it has power */
    bool selected;
    bool wide;    /* data on four lines */
    bool goes_on; /* blocks follow until a stop */
    uint8_t answer[BOARD_TWIN_CARD_ANSWER];
    unsigned answer_size; /* 0: none is under way */
    uint64_t answer_at;   /* its first bit */
    size_t block;         /* address of the one being read */
    bool reading;
    uint64_t data_at; /* its start bits */
    enum board_twin_card_write writing;
    uint64_t takes_from; /* a block's start bits, at the earliest */
    size_t target;       /* address of the one being written */
    unsigned groups;     /* of it, checksums among them, that have come */
    uint8_t taken[BOARD_TWIN_CARD_BLOCK];
    uint16_t sums[4]; /* that came behind it */
    unsigned status;  /* the bits that say whether it was right, and when they begin */
    uint64_t status_at;
    int64_t busy_until;    /* cycle until which it stores */
    uint16_t checksums[4]; /* of what each line has carried of it */
};

/* As after a reset before cycle 0; the card and its kind stay. */
void board_twin_card_reset(struct board_twin_card *card);

/* Takes the card out of its slot, and puts it back: it knows nothing of what was before then, and
 * wants clocks before it hears. */
void board_twin_card_pull(struct board_twin_card *card, uint64_t now);
void board_twin_card_insert(struct board_twin_card *card, uint64_t now);

/* Takes the card out in the middle of a block: the one that is read after `blocks` others. */
void board_twin_card_pull_later(struct board_twin_card *card, uint32_t blocks);

/* A read gives what was before cycle `now`. `now` never goes back. */
uint32_t board_twin_card_read(struct board_twin_card *card, uint64_t now, uint32_t offset);
void board_twin_card_write(struct board_twin_card *card, uint64_t now, uint32_t offset,
                           uint32_t value);

#endif
