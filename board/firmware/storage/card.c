#include "board/firmware/storage/card.h"

#include <stddef.h>

#include "board/firmware/cpu.h"
#include "board/firmware/trap.h"

enum {
    COMMAND_OUT = 1, /* bits of enable and pending */
    COMMAND_IN = 2,
    DATA_OUT = 4,
    DATA_IN = 8,
    START_COMMAND_IN = 1,
    START_DATA_IN = 2,
    SLOW = 250, /* dividers: below 400 kHz until the card is ready */
    FAST = 3,
    COMMAND = 6,
    ANSWER = 6,
    LONG_ANSWER = 17,
    IDLE = 0xFF, /* a byte that says nothing */
    BLOCK = 512,
    WORDS = BLOCK / 4 + 2,     /* with the checksums */
    READS = 3,                 /* of a block whose checksums are wrong */
    PATIENCE = 800000,         /* cycles until an answer, 10 ms */
    DATA_PATIENCE = 16000000,  /* until data, 200 ms */
    TRIES = 1000,              /* of making it ready, a millisecond each */
    STORE_PATIENCE = 80000000, /* until a block is stored, a second */
    WRITES = 3,                /* of a block that did not arrive right */
    POWER_UP = 1000,           /* microseconds of clocks, 74 at least, before the first command */
};

enum {
    GO_IDLE = 0,
    ALL_SEND_CID = 2,
    SEND_ADDRESS = 3,
    SET_BUS_WIDTH = 6, /* behind APPLICATION */
    SELECT = 7,
    SEND_IF_COND = 8,
    SEND_STATUS = 13,
    READ_BLOCK = 17,
    WRITE_BLOCK = 24,
    SEND_OP_COND = 41, /* behind APPLICATION */
    APPLICATION = 55,
};

#define VOLTAGES      0x00300000u
#define HIGH_CAPACITY 0x40000000u
#define POWERED_UP    0x80000000u
#define READ_ERRORS   0xE0380000u /* of a status: address, length, correction, controller */
#define WRITE_ERRORS  0xE6F80000u /* and protection, a lock, command */

/* Tasks may take the processor away for longer than the patience at any place here: what counts is
 * a look behind the time that is up. */
static bool wait_for(uint32_t bit, bool set, uint32_t patience)
{
    const uint32_t begin = board_cycles();
    uint32_t waited = 0;
    do {
        waited = board_cycles() - begin;
        if (((board_read(BOARD_CSR_card_pending) & bit) != 0) == set) {
            return true;
        }
    } while (waited <= patience);
    return false;
}

static void send_byte(uint32_t byte)
{
    board_write(BOARD_CSR_card_command, byte);
    (void)wait_for(COMMAND_OUT, false, PATIENCE);
}

/* A card hears a command only eight clocks after what was before: one byte that says nothing. What
 * still waits from then is cleared while the clock stands, since a word that is left over would
 * come first in the next block, and count as one of it. */
static void send(uint32_t command, uint32_t argument)
{
    uint8_t bytes[COMMAND] = {(uint8_t)(0x40 | command), (uint8_t)(argument >> 24),
                              (uint8_t)(argument >> 16), (uint8_t)(argument >> 8),
                              (uint8_t)argument};
    unsigned sum = 0;
    for (size_t i = 0; i < COMMAND - 1; i++) {
        for (unsigned bit = 8; bit-- > 0;) {
            const unsigned top = (sum >> 6 ^ bytes[i] >> bit) & 1;
            sum = (sum << 1 & 0x7F) ^ (top != 0 ? 0x09u : 0);
        }
    }
    bytes[COMMAND - 1] = (uint8_t)(sum << 1 | 1);
    board_write(BOARD_CSR_card_enable, COMMAND_OUT);
    board_write(BOARD_CSR_card_pending, COMMAND_IN | DATA_IN);
    send_byte(IDLE);
    for (size_t i = 0; i < COMMAND; i++) {
        send_byte(bytes[i]);
    }
}

/* The clock waits for software from now on whenever something has come. */
static void listen(uint32_t inputs, uint32_t starts)
{
    board_write(BOARD_CSR_card_pending, COMMAND_IN | DATA_IN);
    board_write(BOARD_CSR_card_start, starts);
    board_write(BOARD_CSR_card_enable, inputs);
}

/* The argument of a short answer goes to *value. False: no answer. */
static bool ask(uint32_t command, uint32_t argument, size_t size, uint32_t *value)
{
    uint32_t word = 0;
    send(command, argument);
    listen(COMMAND_IN, START_COMMAND_IN);
    for (size_t i = 0; i < size; i++) {
        if (!wait_for(COMMAND_IN, true, PATIENCE)) {
            return false;
        }
        const uint32_t byte = board_read(BOARD_CSR_card_command) & UINT8_MAX;
        board_write(BOARD_CSR_card_pending, COMMAND_IN);
        word = i >= 1 && i <= 4 ? word << 8 | byte : word;
    }
    *value = word;
    return true;
}

static bool ask_application(uint32_t address, uint32_t command, uint32_t argument, uint32_t *value)
{
    return ask(APPLICATION, address << 16, ANSWER, value) && ask(command, argument, ANSWER, value);
}

static bool make_ready(struct board_card *card)
{
    uint32_t value = 0;
    send(GO_IDLE, 0);
    (void)ask(SEND_IF_COND, 0x1AA, ANSWER, &value);
    value = 0;
    for (uint32_t i = 0; i < TRIES && (value & POWERED_UP) == 0; i++) {
        if (!ask_application(0, SEND_OP_COND, VOLTAGES | HIGH_CAPACITY, &value)) {
            return false;
        }
        if ((value & POWERED_UP) == 0) {
            board_wait(1000);
        }
    }
    card->by_blocks = (value & HIGH_CAPACITY) != 0;
    if ((value & POWERED_UP) == 0 || !ask(ALL_SEND_CID, 0, LONG_ANSWER, &value) ||
        !ask(SEND_ADDRESS, 0, ANSWER, &value)) {
        return false;
    }
    card->address = value >> 16;
    return ask(SELECT, card->address << 16, ANSWER, &value) &&
           ask_application(card->address, SET_BUS_WIDTH, 2, &value);
}

void board_card_begin(struct board_card *card)
{
    *card = (struct board_card){.there = false};
    board_write(BOARD_CSR_card_enable, 0);
    board_write(BOARD_CSR_card_divider, SLOW);
    board_wait(POWER_UP);
    card->there = make_ready(card);
    board_write(BOARD_CSR_card_enable, 0);
    board_write(BOARD_CSR_card_divider, FAST);
}

bool board_card_stays(struct board_card *card)
{
    uint32_t value = 0;
    card->there = card->there && ask(SEND_STATUS, card->address << 16, ANSWER, &value);
    board_write(BOARD_CSR_card_enable, 0);
    return card->there;
}

/* The checksums of the four data lines, in turns: 16 groups of four bits, the highest first. */
struct checksums {
    uint32_t high;
    uint32_t low;
};

/* With the eight groups of a word more, polynomial x^16 + x^12 + x^5 + 1; 0 behind the checksums
 * themselves, if they are right. */
static void sum_up(struct checksums *sums, uint32_t word)
{
    uint32_t high = sums->high;
    uint32_t low = sums->low;
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t group = (high ^ word) >> 28;
        high = (high << 4 | low >> 28) ^ group << 16;
        low = low << 4 ^ (group << 20 | group);
        word <<= 4;
    }
    *sums = (struct checksums){high, low};
}

enum reading { READ, READ_WRONG, READ_REFUSED, READ_NOTHING };

/* Data may begin before the answer is over, so both are served as they come. The core takes ones
 * for bytes behind the answer: it must not listen for them then, or the clock stands. */
static enum reading read_block(const struct board_card *card, uint32_t block, uint8_t *bytes)
{
    struct checksums sums = {0, 0};
    uint32_t value = 0;
    size_t answers = 0;
    size_t words = 0;
    send(READ_BLOCK, card->by_blocks ? block : block * BLOCK);
    listen(COMMAND_IN | DATA_IN, START_COMMAND_IN | START_DATA_IN);
    while (words <= WORDS && (answers < ANSWER || words < WORDS)) {
        const uint32_t inputs = (answers < ANSWER ? COMMAND_IN : 0) | DATA_IN;
        if (!wait_for(inputs, true, answers < ANSWER ? PATIENCE : DATA_PATIENCE)) {
            return READ_NOTHING;
        }
        const uint32_t pending = board_read(BOARD_CSR_card_pending);
        if (answers < ANSWER && (pending & COMMAND_IN) != 0) {
            const uint32_t byte = board_read(BOARD_CSR_card_command) & UINT8_MAX;
            value = answers >= 1 && answers <= 4 ? value << 8 | byte : value;
            if (++answers == ANSWER) {
                board_write(BOARD_CSR_card_enable, DATA_IN);
            }
            board_write(BOARD_CSR_card_pending, COMMAND_IN);
            if (answers == ANSWER && (value & READ_ERRORS) != 0) {
                return READ_REFUSED;
            }
        }
        if ((pending & DATA_IN) != 0) {
            const uint32_t word = board_read(BOARD_CSR_card_data);
            board_write(BOARD_CSR_card_pending, DATA_IN);
            sum_up(&sums, word);
            for (size_t k = 0; k < 4 && words < BLOCK / 4; k++) {
                bytes[4 * words + k] = (uint8_t)(word >> (24 - 8 * k));
            }
            words++;
        }
    }
    return words == WORDS && (sums.high | sums.low) == 0 ? READ : READ_WRONG;
}

/* A card that says what is wrong is there; one that says nothing is not. */
int board_card_read(void *user, uint32_t block, uint8_t *bytes)
{
    struct board_card *card = user;
    enum reading reading = READ_WRONG;
    if (!card->there || (!card->by_blocks && block > UINT32_MAX / BLOCK)) {
        return -1;
    }
    for (unsigned i = 0; i < READS && reading == READ_WRONG; i++) {
        reading = read_block(card, block, bytes);
    }
    card->there = reading == READ || reading == READ_REFUSED;
    board_write(BOARD_CSR_card_enable, 0);
    return reading == READ ? 0 : -1;
}

/* ---- writing ---- */

/* What is sent begins with six groups of ones and one of start bits, so that the end bits are the
 * last group of the last word: the card's status follows two clocks behind them. */
enum { LEAD = 6, SENT_WORDS = (LEAD + 1 + 2 * BLOCK + 16 + 1) / 8 };

#define ONES   0xFFFFFFFFu
#define LINE_0 0x11111111u /* of the eight groups of a word */

static bool send_word(uint32_t word)
{
    board_write(BOARD_CSR_card_data, word);
    return wait_for(DATA_OUT, false, PATIENCE);
}

/* The core may count an edge of the clock that came just before it was switched to sending: a word
 * that says nothing goes first. Each word behind it holds seven groups of a word of the block and
 * the first one of the next. */
static bool send_block(const uint8_t *bytes)
{
    struct checksums sums = {0, 0};
    uint32_t before = ONES << 4;
    board_write(BOARD_CSR_card_pending, COMMAND_IN | DATA_IN);
    board_write(BOARD_CSR_card_enable, DATA_OUT);
    bool sent = send_word(ONES);
    for (size_t i = 0; i < SENT_WORDS && sent; i++) {
        uint32_t word = i == WORDS - 2 ? sums.high : i == WORDS - 1 ? sums.low : ONES;
        if (i < BLOCK / 4) {
            word = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 |
                   (uint32_t)bytes[4 * i + 2] << 8 | bytes[4 * i + 3];
            sum_up(&sums, word);
        }
        sent = send_word(before << 4 | word >> 28);
        before = word;
    }
    return sent;
}

static bool take_word(uint32_t *word)
{
    if (!wait_for(DATA_IN, true, PATIENCE)) {
        return false;
    }
    *word = board_read(BOARD_CSR_card_data);
    board_write(BOARD_CSR_card_pending, DATA_IN);
    return true;
}

enum writing { WRITTEN, WRITTEN_WRONG, WRITE_REFUSED, WRITE_NOTHING };

/* What the card says on line 0: 0 010 1 if the block arrived right, 0 101 1 if not. */
static enum writing take_status(void)
{
    enum { GROUPS = 16, SHOWN = 5, RIGHT = 0x05, WRONG = 0x0B };
    uint32_t bits = 0;
    for (unsigned i = 0; i < GROUPS / 8; i++) {
        uint32_t word = 0;
        if (!take_word(&word)) {
            return WRITE_NOTHING;
        }
        for (unsigned k = 0; k < 8; k++) {
            bits = bits << 1 | (word >> (28 - 4 * k) & 1);
        }
    }
    unsigned begin = GROUPS;
    while (begin > SHOWN && (bits >> (begin - 1) & 1) != 0) {
        begin--;
    }
    const uint32_t status = bits >> (begin - SHOWN) & 0x1F;
    return status == RIGHT ? WRITTEN : status == WRONG ? WRITTEN_WRONG : WRITE_NOTHING;
}

/* While the card stores, line 0 is low. */
static bool wait_until_stored(void)
{
    const uint32_t begin = board_cycles();
    uint32_t waited = 0;
    uint32_t word = 0;
    do {
        waited = board_cycles() - begin;
        if (!take_word(&word)) {
            return false;
        }
    } while ((word & LINE_0) != LINE_0 && waited <= STORE_PATIENCE);
    return (word & LINE_0) == LINE_0;
}

/* Busy never shows as a start bit, which has all lines low: the core must take the lines as they
 * are, which it does for as long as the last start bit that it saw was not cleared. */
static enum writing write_block(const struct board_card *card, uint32_t block, const uint8_t *bytes)
{
    uint32_t value = 0;
    if (!ask(WRITE_BLOCK, card->by_blocks ? block : block * BLOCK, ANSWER, &value)) {
        return WRITE_NOTHING;
    }
    if ((value & WRITE_ERRORS) != 0) {
        return WRITE_REFUSED;
    }
    if (!send_block(bytes)) {
        return WRITE_NOTHING;
    }
    board_write(BOARD_CSR_card_pending, COMMAND_IN | DATA_IN);
    board_write(BOARD_CSR_card_enable, DATA_IN);
    const enum writing status = take_status();
    if (status != WRITTEN) {
        return status;
    }
    if (!wait_until_stored() || !ask(SEND_STATUS, card->address << 16, ANSWER, &value)) {
        return WRITE_NOTHING;
    }
    return (value & WRITE_ERRORS) == 0 ? WRITTEN : WRITE_REFUSED;
}

int board_card_write(void *user, uint32_t block, const uint8_t *bytes)
{
    struct board_card *card = user;
    uint8_t before[BLOCK];
    enum writing writing = WRITTEN_WRONG;
    if (!card->there || (!card->by_blocks && block > UINT32_MAX / BLOCK)) {
        return -1;
    }
    if ((board_read(BOARD_CSR_card_start) & START_DATA_IN) == 0 &&
        board_card_read(card, block, before) != 0) {
        return -1;
    }
    for (unsigned i = 0; i < WRITES && writing == WRITTEN_WRONG; i++) {
        writing = write_block(card, block, bytes);
    }
    card->there = writing == WRITTEN || writing == WRITE_REFUSED;
    board_write(BOARD_CSR_card_enable, 0);
    return writing == WRITTEN ? 0 : -1;
}
