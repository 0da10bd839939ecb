#include "board/twin/card.h"

#include <string.h>

#include "board/twin/system.h"

enum {
    COMMAND_OUT = 1, /* bits of enable and pending */
    COMMAND_IN = 2,
    DATA_OUT = 4,
    DATA_IN = 8,
    COMMAND_STARTED = 1, /* bits of start */
    DATA_STARTED = 2,
    DIVIDER_MASK = 0x7FF,
    COUNTER = 2048,  /* of the clock's divider: it goes round */
    SHIFT_DELAY = 2, /* cycles from the clock's edge until a bit is taken */
    UNIT = 8,        /* bits of a byte, groups of four of a word */
    COMMAND_BITS = 8 * BOARD_TWIN_CARD_COMMAND,
    GAP = 8, /* clocks between two commands */
    HIGH = 1,
    ALL_HIGH = 0xF,
};

enum {
    STATE_IDLE = 0x0100, /* of a status; all are ready for data */
    STATE_IDENTIFIED = 0x0500,
    STATE_STANDBY = 0x0700,
    STATE_TRANSFER = 0x0900,
    STATE_STORING = 0x0E00, /* not ready for data */
    STATE_APPLICATION = 0x20,
    STOP = 12,
    READ_BLOCK = 17,
    READ_BLOCKS = 18,
    WRITE_BLOCK = 24,
    SHORT_ANSWER = 6,
    LONG_ANSWER = 17,
    LINES = 4,
    NIBBLES = 2 * BOARD_TWIN_CARD_BLOCK,
    CHECKSUM_BITS = 16,
    WRITE_GAP = 2,  /* clocks between an answer and a block that follows it, at least */
    STATUS_GAP = 2, /* clocks between a block and what the card says of it */
    STATUS_BITS = 5,
    TAKEN = 0x05, /* 0 010 1 */
    WRONG = 0x0B, /* 0 101 1 */
};

static const uint32_t VOLTAGES = 0x00FF8000;
static const uint32_t POWERED_UP = 0x80000000; /* of the answer with the voltages */
static const uint32_t HIGH_CAPACITY = 0x40000000;
static const uint32_t OUT_OF_RANGE = 0x80000000; /* of a status */
static const uint32_t WRITE_PROTECTED = 0x04000000;

void board_twin_card_reset(struct board_twin_card *card)
{
    const struct board_twin_card old = *card;
    *card = (struct board_twin_card){.bytes = old.bytes,
                                     .writable = old.writable,
                                     .size = old.size,
                                     .cut = old.cut,
                                     .out = old.out,
                                     .pulled_in = old.pulled_in,
                                     .kind = old.kind,
                                     .divider = 0x3FF,
                                     .tick_at = 0x400};
}

static void lose_power(struct board_twin_card *card)
{
    card->application = false;
    card->asked = 0;
    card->addressed = false;
    card->selected = false;
    card->wide = false;
    card->goes_on = false;
    card->reading = false;
    card->writing = BOARD_TWIN_CARD_WRITES_NOTHING;
    card->busy_until = 0;
    card->answer_size = 0;
    card->heard_bits = 0;
}

static void pull(struct board_twin_card *card)
{
    lose_power(card);
    card->out = true;
    card->pulled_in = 0;
}

void board_twin_card_pull_later(struct board_twin_card *card, uint32_t blocks)
{
    card->pulled_in = (uint64_t)blocks * BOARD_TWIN_CARD_WORDS + BOARD_TWIN_CARD_WORDS / 2;
}

/* ---- The card. ---- */

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

/* A checksum of 16 bits with one bit more, polynomial x^16 + x^12 + x^5 + 1. */
static uint16_t crc16(uint16_t crc, unsigned bit)
{
    const unsigned top = ((unsigned)crc >> 15 ^ bit) & 1;
    return (uint16_t)((unsigned)crc << 1 ^ (top != 0 ? 0x1021u : 0));
}

static void answer(struct board_twin_card *card, uint8_t first, uint32_t argument)
{
    card->answer[0] = first;
    for (unsigned i = 0; i < 4; i++) {
        card->answer[1 + i] = (uint8_t)(argument >> (24 - 8 * i));
    }
    card->answer[5] = crc7(card->answer, 5);
    card->answer_size = SHORT_ANSWER;
}

static bool is_locked(const struct board_twin_card *card)
{
    return card->writable == NULL || card->kind.locked;
}

/* What the card is called (CMD2, CMD10), or how large it is (CMD9): version 1 counts units of 512
 * blocks of 512 bytes, less one, and so does version 2, of units of 1024 blocks. */
static void answer_long(struct board_twin_card *card, bool size)
{
    uint8_t *bytes = &card->answer[1];
    const uint32_t units = (uint32_t)(card->size / ((size_t)BOARD_TWIN_CARD_BLOCK *
                                                    (card->kind.high_capacity ? 1024 : 512)));
    const uint32_t count = units > 0 ? units - 1 : 0;
    memset(card->answer, 0, sizeof card->answer);
    card->answer[0] = 0x3F;
    if (!size) {
        memcpy(bytes, card->kind.name, BOARD_TWIN_CARD_NAME);
    } else if (card->kind.high_capacity) {
        bytes[0] = 0x40;
        bytes[5] = 0x59; /* classes, and reads of 2^9 bytes */
        bytes[7] = (uint8_t)(count >> 16 & 0x3F);
        bytes[8] = (uint8_t)(count >> 8);
        bytes[9] = (uint8_t)count;
    } else {
        bytes[5] = 0x59;
        bytes[6] = (uint8_t)(count >> 10 & 3);
        bytes[7] = (uint8_t)(count >> 2);
        bytes[8] = (uint8_t)(count << 6);
        bytes[9] = 3; /* 2^(7 + 2) blocks to a unit */
        bytes[10] = 0x80;
    }
    bytes[14] = size && is_locked(card) ? 0x20 : bytes[14];
    bytes[15] = size ? crc7(bytes, 15) : crc7(card->answer + 1, 15);
    card->answer_size = LONG_ANSWER;
}

static void begin_block(struct board_twin_card *card, size_t address, uint64_t delay)
{
    card->block = address;
    card->reading = true;
    card->data_at = card->clocks + delay;
    memset(card->checksums, 0, sizeof card->checksums);
    card->blocks++;
}

static void begin_write(struct board_twin_card *card, size_t address)
{
    const bool inside = address < card->size && card->size - address >= BOARD_TWIN_CARD_BLOCK;
    const uint32_t wrong = !inside ? OUT_OF_RANGE : is_locked(card) ? WRITE_PROTECTED : 0;
    answer(card, WRITE_BLOCK, STATE_TRANSFER | wrong);
    card->writing = wrong == 0 ? BOARD_TWIN_CARD_WAITS : BOARD_TWIN_CARD_WRITES_NOTHING;
    card->target = address;
    card->groups = 0;
    memset(card->checksums, 0, sizeof card->checksums);
    memset(card->sums, 0, sizeof card->sums);
}

/* Whether a command that names a card means this one. */
static bool is_called(const struct board_twin_card *card, uint32_t argument)
{
    return card->addressed && argument >> 16 == card->kind.address;
}

static void answer_application(struct board_twin_card *card, unsigned number, uint32_t argument)
{
    if (number == 41) {
        const bool high = card->kind.high_capacity;
        const bool ready =
            card->asked >= card->kind.busy && (!high || (argument & HIGH_CAPACITY) != 0);
        card->asked++;
        answer(card, 0x3F,
               VOLTAGES | (ready ? POWERED_UP : 0) | (ready && high ? HIGH_CAPACITY : 0));
        card->answer[5] = 0xFF; /* that answer has no checksum */
        return;
    }
    if (number == 6) {
        card->wide = (argument & 3) == 2;
    }
    answer(card, (uint8_t)number, STATE_TRANSFER | STATE_APPLICATION);
}

/* Whether it stores a block. */
static bool is_busy(const struct board_twin_card *card)
{
    return card->ticked < card->busy_until;
}

/* A command that it does not know gets no answer. */
static void execute(struct board_twin_card *card, unsigned number, uint32_t argument)
{
    const bool application = card->application;
    const bool busy = is_busy(card) || card->writing != BOARD_TWIN_CARD_WRITES_NOTHING;
    const size_t address =
        card->kind.high_capacity ? (size_t)argument * BOARD_TWIN_CARD_BLOCK : argument;
    card->application = number == 55;
    card->answer_size = 0;
    if (application) {
        answer_application(card, number, argument);
        return;
    }
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
        answer(card, (uint8_t)number, (uint32_t)card->kind.address << 16 | STATE_IDENTIFIED);
        card->addressed = true;
        break;
    case 7:
        card->selected = is_called(card, argument);
        answer(card, (uint8_t)number, STATE_STANDBY);
        break;
    case 8:
        answer(card, (uint8_t)number, argument & 0xFFF);
        break;
    case STOP:
        card->goes_on = false;
        card->reading = false;
        card->writing = BOARD_TWIN_CARD_WRITES_NOTHING;
        answer(card, (uint8_t)number, STATE_TRANSFER);
        break;
    case 13:
        if (is_called(card, argument)) {
            answer(card, (uint8_t)number, busy ? STATE_STORING : STATE_TRANSFER);
        }
        break;
    case 16:
        answer(card, (uint8_t)number, STATE_TRANSFER);
        break;
    case READ_BLOCK:
    case READ_BLOCKS:
        if (!card->selected || busy) {
            break;
        }
        card->goes_on = number == READ_BLOCKS;
        answer(card, (uint8_t)number, STATE_TRANSFER | (address < card->size ? 0 : OUT_OF_RANGE));
        if (address < card->size) {
            begin_block(card, address, card->kind.data_delay);
        }
        break;
    case WRITE_BLOCK:
        if (card->selected && !busy) {
            begin_write(card, address);
        }
        break;
    case 55:
        answer(card, (uint8_t)number, STATE_IDLE | STATE_APPLICATION);
        break;
    default:
        break;
    }
}

/* A bit of a command. One without end bit or with a wrong checksum is no command. */
static void hear(struct board_twin_card *card, unsigned bit)
{
    if (card->heard_bits == 0) {
        if (bit != 0) {
            return;
        }
        card->deaf = card->clocks < card->hears_from;
    }
    card->heard = card->heard << 1 | bit;
    if (++card->heard_bits < COMMAND_BITS) {
        return;
    }
    uint8_t bytes[BOARD_TWIN_CARD_COMMAND];
    for (unsigned i = 0; i < BOARD_TWIN_CARD_COMMAND; i++) {
        bytes[i] = (uint8_t)(card->heard >> (COMMAND_BITS - 8 - 8 * i));
    }
    card->heard_bits = 0;
    card->hears_from = card->clocks + GAP + 1;
    if (!card->deaf && bytes[0] >> 6 == 1 && crc7(bytes, 5) == bytes[5]) {
        execute(card, bytes[0] & 0x3F, (uint32_t)(card->heard >> 8));
        card->answer_at = card->clocks + card->kind.answer_delay;
    }
}

/* The next bit of the answer. */
static unsigned speak(struct board_twin_card *card)
{
    if (card->clocks < card->answer_at) {
        return HIGH;
    }
    const uint64_t at = card->clocks - card->answer_at;
    const unsigned bit = card->answer[at / 8] >> (7 - at % 8) & 1;
    if (at + 1 == 8 * (uint64_t)card->answer_size) {
        card->answer_size = 0;
        card->hears_from = card->clocks + GAP + 1;
        card->takes_from = card->clocks + WRITE_GAP;
    }
    return bit;
}

/* The next bit of each data line: start bits, the block, checksums, end bits. Behind the image are
 * zeros. On one line the controller never sees a start. */
static unsigned send_data(struct board_twin_card *card)
{
    if (card->clocks < card->data_at) {
        return ALL_HIGH;
    }
    const uint64_t at = card->clocks - card->data_at;
    unsigned group = ALL_HIGH;
    if (at == 0) {
        group = 0;
    } else if (at <= NIBBLES) {
        const size_t place = card->block + (size_t)(at - 1) / 2;
        const unsigned byte = place < card->size ? card->bytes[place] : 0;
        group = at % 2 != 0 ? byte >> 4 : byte & 15;
        for (unsigned i = 0; i < LINES; i++) {
            card->checksums[i] = crc16(card->checksums[i], group >> i & 1);
        }
    } else if (at <= NIBBLES + CHECKSUM_BITS) {
        group = 0;
        for (unsigned i = 0; i < LINES; i++) {
            const unsigned sum = card->checksums[i];
            group |= (sum >> (NIBBLES + CHECKSUM_BITS - at) & 1) << i;
        }
    } else {
        card->reading = false;
        if (card->goes_on) {
            begin_block(card, card->block + BOARD_TWIN_CARD_BLOCK, card->kind.data_delay);
        }
    }
    if (at > 0 && at % UNIT == 0 && card->pulled_in > 0 && --card->pulled_in == 0) {
        pull(card);
    }
    return card->wide ? group : ALL_HIGH;
}

/* Of a block that has come: stores it, if its checksums are right. */
static void end_write(struct board_twin_card *card, unsigned group)
{
    const bool right =
        memcmp(card->sums, card->checksums, sizeof card->sums) == 0 && group == ALL_HIGH;
    card->writing = BOARD_TWIN_CARD_TELLS;
    card->status = right ? TAKEN : WRONG;
    card->status_at = card->clocks + STATUS_GAP + 1;
    if (right) {
        board_twin_cut_write(&card->cut, card->writable + card->target, card->taken,
                             BOARD_TWIN_CARD_BLOCK);
        card->written++;
    }
}

/* The next bits of a block that is written. */
static void take_data(struct board_twin_card *card, unsigned group)
{
    if (card->writing == BOARD_TWIN_CARD_WAITS) {
        const bool starts =
            card->answer_size == 0 && card->clocks > card->takes_from && group == 0 && card->wide;
        card->writing = starts ? BOARD_TWIN_CARD_TAKES : BOARD_TWIN_CARD_WAITS;
        return;
    }
    const unsigned at = card->groups++;
    if (at < NIBBLES) {
        uint8_t *byte = &card->taken[at / 2];
        *byte = (uint8_t)(at % 2 == 0 ? group << 4 : *byte | group);
    }
    for (unsigned i = 0; i < LINES; i++) {
        const unsigned bit = group >> i & 1;
        if (at < NIBBLES) {
            card->checksums[i] = crc16(card->checksums[i], bit);
        } else if (at < NIBBLES + CHECKSUM_BITS) {
            card->sums[i] = (uint16_t)((unsigned)card->sums[i] << 1 | bit);
        }
    }
    if (at == NIBBLES + CHECKSUM_BITS) {
        end_write(card, group);
    }
}

/* What the card puts on line 0 about the block that it was given: its status, then low while it
 * stores. */
static unsigned tell(struct board_twin_card *card)
{
    if (card->writing != BOARD_TWIN_CARD_TELLS) {
        return is_busy(card) ? 0 : HIGH;
    }
    if (card->clocks < card->status_at) {
        return HIGH;
    }
    const uint64_t at = card->clocks - card->status_at;
    if (at + 1 == STATUS_BITS) {
        card->writing = BOARD_TWIN_CARD_WRITES_NOTHING;
        card->busy_until = card->status == TAKEN ? card->ticked + card->kind.store_cycles : 0;
    }
    return card->status >> (STATUS_BITS - 1 - at) & 1;
}

/* ---- The controller. ---- */

/* Whether an enabled unit waits for software: then the clock stands. */
static bool is_held(const struct board_twin_card *card)
{
    const uint32_t outputs = card->enable & (COMMAND_OUT | DATA_OUT);
    const uint32_t inputs = card->enable & (COMMAND_IN | DATA_IN);
    return (outputs & ~card->pending) != 0 || (inputs & card->pending) != 0;
}

/* Whether a clock more changes nothing but its count. */
static bool is_quiet(const struct board_twin_card *card)
{
    const bool silent = card->bytes == NULL || card->out ||
                        (card->answer_size == 0 && !card->reading && card->heard_bits == 0 &&
                         card->writing == BOARD_TWIN_CARD_WRITES_NOTHING);
    const uint32_t waits = ((card->start & COMMAND_STARTED) != 0 ? 0u : COMMAND_IN) |
                           ((card->start & DATA_STARTED) != 0 ? 0u : DATA_IN);
    return silent && (card->enable & ~waits) == 0;
}

/* What the controller puts on the command line, which is high by itself. */
static unsigned driven(const struct board_twin_card *card, uint32_t enable)
{
    return (enable & COMMAND_OUT) != 0 ? card->command >> 7 : HIGH;
}

/* A rising edge: card and controller see each other's lines, the controller as they were a cycle
 * ago. So a fast clock makes it take what it has just sent itself for a start bit. */
static void rise(struct board_twin_card *card)
{
    const unsigned out = driven(card, card->enable);
    unsigned command =
        driven(card, card->enabled_at + 1 == card->ticked ? card->was_enabled : card->enable);
    unsigned data = (card->enable & DATA_OUT) != 0 ? card->data >> 28 : ALL_HIGH;
    card->clocks++;
    if (card->bytes != NULL && !card->out) {
        if (card->answer_size > 0) {
            command &= speak(card);
        } else {
            hear(card, out);
        }
        if (card->reading) {
            data &= send_data(card);
        }
        if (card->writing == BOARD_TWIN_CARD_WAITS || card->writing == BOARD_TWIN_CARD_TAKES) {
            take_data(card, data);
        } else if (tell(card) == 0) {
            data &= (unsigned)ALL_HIGH - 1;
        }
    }
    card->samples[card->sample_count++] = (struct board_twin_card_sample){
        card->ticked + SHIFT_DELAY, (uint8_t)command, (uint8_t)data};
}

/* A unit takes the next bit: counts to eight, and then has, or has sent, one. */
static void count(struct board_twin_card *card, unsigned *bits, uint32_t in, uint32_t out)
{
    if (++*bits < UNIT) {
        return;
    }
    *bits = 0;
    card->pending |= card->enable & in;
    card->pending &= ~(card->enable & out);
}

static void take_sample(struct board_twin_card *card)
{
    const struct board_twin_card_sample sample = card->samples[0];
    card->samples[0] = card->samples[1];
    card->sample_count--;
    if ((card->enable & COMMAND_IN) != 0 && sample.command == 0) {
        card->start |= COMMAND_STARTED;
    }
    if ((card->enable & COMMAND_OUT) != 0 ||
        ((card->enable & COMMAND_IN) != 0 && (card->start & COMMAND_STARTED) != 0)) {
        card->command = (uint8_t)(card->command << 1 | sample.command);
        count(card, &card->command_bits, COMMAND_IN, COMMAND_OUT);
    }
    if ((card->enable & DATA_OUT) != 0 ||
        ((card->enable & DATA_IN) != 0 && (card->start & DATA_STARTED) != 0)) {
        card->data = card->data << 4 | sample.data;
        count(card, &card->data_groups, DATA_IN, DATA_OUT);
    }
    if ((card->enable & DATA_IN) != 0 && sample.data == 0) {
        card->start |= DATA_STARTED;
    }
}

/* Passes over edges at which nothing happens, up to and including a cycle. */
static void skip(struct board_twin_card *card, int64_t cycle)
{
    const bool held = is_held(card);
    if (card->sample_count > 0 || card->tick_at > cycle || (!held && !is_quiet(card))) {
        return;
    }
    const int64_t period = (int64_t)card->divider + 1;
    const int64_t ticks = (cycle - card->tick_at) / period + 1;
    if (!held) {
        card->clocks += (uint64_t)(ticks + !card->high) / 2;
        card->high = card->high != (ticks % 2 != 0);
    }
    card->ticked = card->tick_at + (ticks - 1) * period;
    card->tick_at = card->ticked + period;
}

/* All that happens up to and including a cycle. A clock that stands looks twice in each of its
 * periods whether it can go on. */
static void go_on(struct board_twin_card *card, int64_t cycle)
{
    for (;;) {
        skip(card, cycle);
        const bool takes = card->sample_count > 0 && card->samples[0].at < card->tick_at;
        if ((takes ? card->samples[0].at : card->tick_at) > cycle) {
            return;
        }
        if (takes) {
            take_sample(card);
            continue;
        }
        card->ticked = card->tick_at;
        card->tick_at += (int64_t)card->divider + 1;
        if (is_held(card)) {
            continue;
        }
        card->high = !card->high;
        if (card->high) {
            rise(card);
        }
    }
}

/* The counter compares for equality: above the new value it goes round once. */
static void divide_by(struct board_twin_card *card, int64_t now, uint32_t divider)
{
    const int64_t counter = (now - card->ticked) % COUNTER;
    card->divider = divider;
    card->ticked = now - counter;
    card->tick_at = card->ticked + divider + 1 + (counter > (int64_t)divider ? COUNTER : 0);
}

uint32_t board_twin_card_read(struct board_twin_card *card, uint64_t now, uint32_t offset)
{
    go_on(card, (int64_t)now - 1);
    switch (offset) {
    case BOARD_TWIN_card_divider:
        return card->divider;
    case BOARD_TWIN_card_enable:
        return card->enable;
    case BOARD_TWIN_card_pending:
        return card->pending;
    case BOARD_TWIN_card_start:
        return card->start;
    case BOARD_TWIN_card_command:
        return card->command;
    case BOARD_TWIN_card_data:
        return card->data;
    default:
        return 0;
    }
}

void board_twin_card_write(struct board_twin_card *card, uint64_t now, uint32_t offset,
                           uint32_t value)
{
    go_on(card, (int64_t)now);
    switch (offset) {
    case BOARD_TWIN_card_divider:
        divide_by(card, (int64_t)now, value & DIVIDER_MASK);
        break;
    case BOARD_TWIN_card_enable:
        card->was_enabled = card->enable;
        card->enabled_at = (int64_t)now;
        card->enable = value & (COMMAND_OUT | COMMAND_IN | DATA_OUT | DATA_IN);
        break;
    case BOARD_TWIN_card_pending:
        card->pending &= ~(value & (COMMAND_IN | DATA_IN));
        card->command_bits = (value & COMMAND_IN) != 0 ? 0 : card->command_bits;
        card->data_groups = (value & DATA_IN) != 0 ? 0 : card->data_groups;
        break;
    case BOARD_TWIN_card_start:
        card->start &= ~value;
        break;
    case BOARD_TWIN_card_command:
        card->command = (uint8_t)value;
        card->pending |= COMMAND_OUT;
        break;
    case BOARD_TWIN_card_data:
        card->data = value;
        card->pending |= DATA_OUT;
        break;
    default:
        break;
    }
}

void board_twin_card_pull(struct board_twin_card *card, uint64_t now)
{
    go_on(card, (int64_t)now);
    pull(card);
}

void board_twin_card_insert(struct board_twin_card *card, uint64_t now)
{
    go_on(card, (int64_t)now);
    lose_power(card);
    card->out = false;
    card->pulled_in = 0;
    card->hears_from = card->clocks + BOARD_TWIN_CARD_POWER_CLOCKS;
}
