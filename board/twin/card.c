#include "board/twin/card.h"

#include <string.h>

enum {
    COMMAND_IN = 2, /* bits of enable and pending */
    DATA_IN = 8,
    START_BITS = 0x40,
    START_MASK = 0xC0,
    STATE_READY = 0x0900, /* transfer state, ready for data */
    STATE_APPLICATION = 0x20,
    ADDRESS = 0x4D31, /* of the card on its bus */
    READ_BLOCK = 17,
    READ_BLOCKS = 18,
    SHORT_ANSWER = 6,
    LONG_ANSWER = 17,
};

static const uint32_t VOLTAGES = 0x80FF8000;     /* powered up, standard capacity */
static const uint32_t OUT_OF_RANGE = 0x80000000; /* of a status */

void board_twin_card_reset(struct board_twin_card *card)
{
    const struct board_twin_card old = *card;
    *card = (struct board_twin_card){
        .bytes = old.bytes, .size = old.size, .out = old.out, .pulled_in = old.pulled_in};
}

static void lose_power(struct board_twin_card *card)
{
    card->application = false;
    card->addressed = false;
    card->selected = false;
    card->goes_on = false;
    card->words_left = 0;
    card->answer_size = 0;
}

void board_twin_card_pull(struct board_twin_card *card)
{
    lose_power(card);
    card->out = true;
    card->pulled_in = 0;
}

void board_twin_card_insert(struct board_twin_card *card)
{
    lose_power(card);
    card->out = false;
    card->pulled_in = 0;
}

void board_twin_card_pull_later(struct board_twin_card *card, uint32_t blocks)
{
    card->pulled_in = (uint64_t)blocks * BOARD_TWIN_CARD_WORDS + BOARD_TWIN_CARD_WORDS / 2;
}

static uint8_t crc7(const uint8_t *bytes, size_t size)
{
    unsigned crc = 0;
    for (size_t i = 0; i < size; i++) {
        for (unsigned bit = 8; bit-- > 0;) {
            const unsigned top = (crc >> 6 ^ bytes[i] >> bit) & 1;
            crc = (crc << 1 & 0x7F) ^ (top != 0 ? 0x09u : 0);
        }
    }
    return (uint8_t)(crc << 1 | 1);
}

static void answer(struct board_twin_card *card, uint8_t first, uint32_t argument)
{
    card->answer[0] = first;
    for (unsigned i = 0; i < 4; i++) {
        card->answer[1 + i] = (uint8_t)(argument >> (24 - 8 * i));
    }
    card->answer[5] = crc7(card->answer, 5);
    card->answer_size = SHORT_ANSWER;
    card->answer_at = 0;
}

/* What the card is called (CMD2), or how large it is (CMD9, version 1: blocks of 512 bytes, the
 * count in units of 512 blocks). */
static void answer_long(struct board_twin_card *card, bool size)
{
    uint8_t *bytes = &card->answer[1];
    memset(card->answer, 0, sizeof card->answer);
    card->answer[0] = 0x3F;
    if (size) {
        const uint32_t units = (uint32_t)(card->size / ((size_t)BOARD_TWIN_CARD_BLOCK * 512));
        const uint32_t count = units > 0 ? units - 1 : 0;
        bytes[5] = 0x59; /* classes, and reads of 2^9 bytes */
        bytes[6] = (uint8_t)(count >> 10 & 3);
        bytes[7] = (uint8_t)(count >> 2);
        bytes[8] = (uint8_t)(count << 6);
        bytes[9] = 3; /* 2^(7 + 2) blocks to a unit */
        bytes[10] = 0x80;
    } else {
        memcpy(&bytes[3], "FROTH", 5);
    }
    bytes[15] = crc7(bytes, 15);
    card->answer_size = LONG_ANSWER;
    card->answer_at = 0;
}

static void begin_block(struct board_twin_card *card, size_t address)
{
    card->block = address;
    card->words_left = BOARD_TWIN_CARD_WORDS;
    card->blocks++;
}

/* Whether a command that names a card means this one. */
static bool is_called(const struct board_twin_card *card, uint32_t argument)
{
    return card->addressed && argument >> 16 == ADDRESS;
}

static void execute(struct board_twin_card *card, unsigned number, uint32_t argument)
{
    const bool application = card->application;
    card->application = number == 55;
    card->answer_size = 0;
    if (application) {
        if (number == 41) {
            answer(card, 0x3F, VOLTAGES);
            card->answer[5] = 0xFF;
        } else {
            answer(card, (uint8_t)number, STATE_READY | STATE_APPLICATION);
        }
        return;
    }
    answer(card, (uint8_t)number, STATE_READY);
    switch (number) {
    case 0:
        lose_power(card);
        break;
    case 2:
    case 9:
    case 10:
        answer_long(card, number == 9);
        break;
    case 3:
        answer(card, (uint8_t)number, (uint32_t)ADDRESS << 16 | STATE_READY);
        card->addressed = true;
        break;
    case 7:
        card->selected = is_called(card, argument);
        break;
    case 8:
        answer(card, (uint8_t)number, argument & 0xFFF);
        break;
    case 12:
        card->goes_on = false;
        card->words_left = 0;
        break;
    case 13:
        card->answer_size = is_called(card, argument) ? SHORT_ANSWER : 0;
        break;
    case READ_BLOCK:
    case READ_BLOCKS:
        card->goes_on = number == READ_BLOCKS;
        if (card->selected && argument < card->size) {
            begin_block(card, argument);
        } else if (card->selected) {
            answer(card, (uint8_t)number, STATE_READY | OUT_OF_RANGE);
        }
        break;
    case 55:
        answer(card, (uint8_t)number, STATE_READY | STATE_APPLICATION);
        break;
    default:
        break;
    }
}

/* Behind the block come its checksums, and behind the image zeros. */
static uint32_t next_word(struct board_twin_card *card)
{
    if (card->words_left == 0) {
        return 0;
    }
    const unsigned at = BOARD_TWIN_CARD_WORDS - card->words_left--;
    uint32_t word = 0;
    for (size_t i = 0; i < 4 && at < BOARD_TWIN_CARD_BLOCK / 4; i++) {
        const size_t place = card->block + 4 * (size_t)at + i;
        word = word << 8 | (place < card->size ? card->bytes[place] : 0);
    }
    if (card->pulled_in > 0 && --card->pulled_in == 0) {
        board_twin_card_pull(card);
    } else if (card->words_left == 0 && card->goes_on) {
        begin_block(card, card->block + BOARD_TWIN_CARD_BLOCK);
    }
    return word;
}

uint32_t board_twin_card_read(struct board_twin_card *card, uint32_t offset)
{
    const bool answers = card->answer_at < card->answer_size;
    switch (offset) {
    case BOARD_TWIN_CARD_DIVIDER:
        return card->divider;
    case BOARD_TWIN_CARD_ENABLE:
        return card->enable;
    case BOARD_TWIN_CARD_PENDING:
        return card->enable & ((answers ? COMMAND_IN : 0u) | (card->words_left > 0 ? DATA_IN : 0u));
    case BOARD_TWIN_CARD_CMD:
        return answers ? card->answer[card->answer_at++] : 0xFF;
    case BOARD_TWIN_CARD_DAT:
        return next_word(card);
    default:
        return 0;
    }
}

void board_twin_card_write(struct board_twin_card *card, uint32_t offset, uint32_t value)
{
    uint8_t *bytes = card->command;
    switch (offset) {
    case BOARD_TWIN_CARD_DIVIDER:
        card->divider = value & 0x7FF;
        break;
    case BOARD_TWIN_CARD_ENABLE:
        card->enable = value & 0xF;
        break;
    case BOARD_TWIN_CARD_CMD:
        if (card->command_size == 0 && (value & START_MASK) != START_BITS) {
            break;
        }
        bytes[card->command_size++] = (uint8_t)value;
        if (card->command_size < BOARD_TWIN_CARD_COMMAND) {
            break;
        }
        card->command_size = 0;
        if (card->bytes != NULL && !card->out) {
            execute(card, bytes[0] & 0x3F,
                    (uint32_t)bytes[1] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 8 |
                        bytes[4]);
        }
        break;
    default:
        break;
    }
}
