#include "board/firmware/net/minimac.h"

#include <string.h>

#include "base/random.h"
#include "board/firmware/cpu.h"

/* Packet memory, past the caches; in words. */
#define PACKETS       ((volatile uint32_t *)0xB0000000u)
#define FLASH_ADDRESS ((const volatile uint32_t *)0x802200E0u)

enum {
    SLOTS = 2,
    SLOT_WORDS = 512,
    OUT_AT = 2 * SLOT_WORDS,
    READY = 1,
    FULL = 2,
    PREAMBLE = 8, /* bytes, with the one that ends it */
    PREAMBLE_MAX = 16,
    PREAMBLE_BYTE = 0x55,
    PREAMBLE_END = 0xD5,
    CHECKSUM = 4,
    SHORTEST = 60,    /* without checksum */
    PATIENCE = 11000, /* cycles: the longest frame takes 9840 */
};

/* Pins of the network chip's bus. */
enum { PIN_OUT = 1, PIN_IN = 2, PIN_DRIVEN = 4, PIN_CLOCK = 8 };

/* Its frames and registers (IEEE 802.3, clause 22). */
enum {
    PREAMBLE_BITS = 32,
    READS = 6,      /* start and operation: 01 10 */
    HEAD_BITS = 14, /* those, place and register */
    STATUS = 1,
    IDENTITY = 2,
    LINK = 4, /* of the status: up since it was read last */
    NOBODY = 0xFFFF,
    PLACES = 32,
};

/* What is left of a checksum over a frame with its own. */
static const uint32_t WHOLE = 0x2144DF1Cu;

static const enum board_csr states[SLOTS] = {BOARD_CSR_ethernet_state0, BOARD_CSR_ethernet_state1};
static const enum board_csr counts[SLOTS] = {BOARD_CSR_ethernet_count0, BOARD_CSR_ethernet_count1};

static uint8_t byte_of(const volatile uint32_t *words, uint32_t at)
{
    return (uint8_t)(words[at / 4] >> (24 - 8 * (at % 4)));
}

bool board_minimac_begin(struct board_minimac *mac)
{
    static const uint8_t shared[BOARD_MINIMAC_ADDRESS] = {0x02, 'F', 'R', 'O', 'T', 'H'};
    memset(mac, 0, sizeof *mac);
    mac->off = true;
    mac->phy = -1;
    board_write(BOARD_CSR_ethernet_reset, 1);
    for (uint32_t i = 0; i < BOARD_MINIMAC_ADDRESS; i++) {
        mac->address[i] = byte_of(FLASH_ADDRESS, i);
    }
    const bool group = (mac->address[0] & 1) != 0; /* erased flash memory is all ones */
    static const uint8_t zero[BOARD_MINIMAC_ADDRESS];
    const bool valid = !group && memcmp(mac->address, zero, sizeof zero) != 0;
    if (!valid) {
        memcpy(mac->address, shared, sizeof shared);
    }
    return valid;
}

static void set_interrupt(struct board_minimac *mac, bool on)
{
    const bool were_on = board_interrupts_on(false);
    const uint32_t bit = 1u << BOARD_INTERRUPT_ethernet_in;
    const uint32_t mask = board_interrupt_mask();
    board_interrupt_mask_set(on ? mask | bit : mask & ~bit);
    mac->off = !on;
    (void)board_interrupts_on(were_on);
}

void board_minimac_pause(struct board_minimac *mac)
{
    if (!mac->off) {
        set_interrupt(mac, false);
    }
}

void board_minimac_resume(struct board_minimac *mac)
{
    if (mac->off) {
        set_interrupt(mac, true);
    }
}

/* Where the frame begins in a slot; 0: nowhere. A chip may have cut the preamble short. */
static uint32_t begin_of(const volatile uint32_t *slot, uint32_t count)
{
    uint32_t at = 0;
    while (at < PREAMBLE_MAX && at < count && byte_of(slot, at) == PREAMBLE_BYTE) {
        at++;
    }
    return at < count && at < PREAMBLE_MAX && byte_of(slot, at) == PREAMBLE_END ? at + 1 : 0;
}

static bool is_for(const struct board_minimac *mac, const volatile uint32_t *slot, uint32_t begin)
{
    bool ours = true;
    bool all = true;
    for (uint32_t i = 0; i < BOARD_MINIMAC_ADDRESS; i++) {
        const uint8_t byte = byte_of(slot, begin + i);
        ours = ours && byte == mac->address[i];
        all = all && byte == UINT8_MAX;
    }
    return ours || all;
}

static void copy_frame(struct board_minimac *mac, const volatile uint32_t *slot, uint32_t count)
{
    const uint32_t begin = begin_of(slot, count);
    const uint32_t size = count - begin;
    if (begin == 0 || size < SHORTEST + CHECKSUM || size > BOARD_MINIMAC_FRAME) {
        mac->damaged++;
        return;
    }
    if (!is_for(mac, slot, begin)) {
        return;
    }
    struct board_minimac_frame *frame = &mac->frames[mac->written % BOARD_MINIMAC_RING];
    frame->size = size - CHECKSUM;
    if (begin % 4 == 0) {
        /* Half a word further than in the slot. */
        uint32_t *to = (uint32_t *)(void *)frame->bytes;
        const volatile uint32_t *from = slot + begin / 4;
        const uint32_t words = (size + 3) / 4;
        uint32_t before = 0;
        for (uint32_t i = 0; i < words; i++) {
            const uint32_t word = from[i];
            to[i] = before << 16 | word >> 16;
            before = word;
        }
        to[words] = before << 16;
    } else {
        for (uint32_t i = 0; i < size; i++) {
            frame->bytes[BOARD_MINIMAC_PAD + i] = byte_of(slot, begin + i);
        }
    }
    mac->written = mac->written + 1;
}

/* The line is up as long as a slot holds a frame; where there is no room it must be kept from
 * coming again. */
static void take(void *user)
{
    struct board_minimac *mac = user;
    const uint32_t began = board_cycles();
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (board_read(states[i]) != FULL) {
            continue;
        }
        if (mac->written - mac->read == BOARD_MINIMAC_RING) {
            set_interrupt(mac, false);
            break;
        }
        copy_frame(mac, PACKETS + i * SLOT_WORDS, board_read(counts[i]));
        board_write(states[i], READY);
    }
    mac->cycles = mac->cycles + (board_cycles() - began);
}

void board_minimac_start(struct board_minimac *mac, struct board_interrupt_handlers *handlers)
{
    board_write(BOARD_CSR_ethernet_reset, 0);
    for (uint32_t i = 0; i < SLOTS; i++) {
        board_write(states[i], 0);
        board_write(states[i], READY);
    }
    mac->off = false;
    board_interrupt_handle(handlers, BOARD_INTERRUPT_ethernet_in, take, mac);
}

struct board_minimac_frame *board_minimac_frame(struct board_minimac *mac)
{
    while (board_minimac_has_frames(mac)) {
        struct board_minimac_frame *frame = &mac->frames[mac->read % BOARD_MINIMAC_RING];
        if (base_crc32(BASE_CRC32_START, frame->bytes + BOARD_MINIMAC_PAD,
                       frame->size + CHECKSUM) == WHOLE) {
            return frame;
        }
        mac->damaged++;
        board_minimac_drop(mac);
    }
    return NULL;
}

void board_minimac_drop(struct board_minimac *mac)
{
    mac->read = mac->read + 1;
}

uint8_t *board_minimac_out(struct board_minimac *mac)
{
    return (uint8_t *)mac->out;
}

static bool is_free(void)
{
    const uint32_t began = board_cycles();
    while (board_read(BOARD_CSR_ethernet_send) != 0) {
        if (board_cycles() - began > PATIENCE) {
            return false;
        }
    }
    return true;
}

bool board_minimac_send(struct board_minimac *mac, size_t size)
{
    uint8_t *frame = board_minimac_out(mac) + BOARD_MINIMAC_PAD;
    if (size + CHECKSUM > BOARD_MINIMAC_FRAME || !is_free()) {
        mac->stuck++;
        return false;
    }
    if (size < SHORTEST) {
        memset(frame + size, 0, SHORTEST - size);
        size = SHORTEST;
    }
    const uint32_t sum = base_crc32(BASE_CRC32_START, frame, size);
    for (unsigned i = 0; i < CHECKSUM; i++) {
        frame[size++] = (uint8_t)(sum >> (8 * i));
    }
    volatile uint32_t *to = PACKETS + OUT_AT;
    *to++ = 0x55555555u;
    *to++ = 0x555555D5u;
    for (size_t i = 0; i < (size + 3) / 4; i++) {
        *to++ = mac->out[i] << 16 | mac->out[i + 1] >> 16;
    }
    board_write(BOARD_CSR_ethernet_send, (uint32_t)(PREAMBLE + size));
    mac->sent++;
    return true;
}

/* ---- the network chip ---- */

static void write_bits(uint32_t bits, unsigned count)
{
    while (count-- > 0) {
        const uint32_t out = (bits >> count & 1) * PIN_OUT | PIN_DRIVEN;
        board_write(BOARD_CSR_ethernet_mdio, out);
        board_write(BOARD_CSR_ethernet_mdio, out | PIN_CLOCK);
    }
}

/* The chip's bit changes behind the rise of the clock. */
static uint32_t read_bits(unsigned count)
{
    uint32_t bits = 0;
    while (count-- > 0) {
        board_write(BOARD_CSR_ethernet_mdio, 0);
        bits = bits << 1 | ((board_read(BOARD_CSR_ethernet_mdio) & PIN_IN) != 0);
        board_write(BOARD_CSR_ethernet_mdio, PIN_CLOCK);
    }
    return bits;
}

static uint32_t read_chip(unsigned place, unsigned number)
{
    write_bits(UINT32_MAX, PREAMBLE_BITS);
    write_bits((uint32_t)READS << 10 | place << 5 | number, HEAD_BITS);
    (void)read_bits(1); /* nobody drives */
    (void)read_bits(1); /* the chip answers 0 */
    const uint32_t value = read_bits(16);
    board_write(BOARD_CSR_ethernet_mdio, 0);
    return value;
}

bool board_minimac_look(struct board_minimac *mac, unsigned place)
{
    const uint32_t value = read_chip(place % PLACES, IDENTITY);
    const bool there = value != NOBODY && value != 0;
    mac->phy = there ? (int)(place % PLACES) : mac->phy;
    return there;
}

bool board_minimac_link(const struct board_minimac *mac)
{
    return mac->phy < 0 || (read_chip((unsigned)mac->phy, STATUS) & LINK) != 0;
}
