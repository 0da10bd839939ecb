#include "board/twin/lines.h"

#include <string.h>

#include "board/twin/system.h"

enum {
    SAMPLE = 8389, /* cycles; 16 of them are a bit */
    OVERSAMPLING = 16,
    FIRST = 4, /* samples from the first light to the first bit that is taken */
    CODE_BITS = 14,
    CODE_MASK = 0x1FFF,
    HALVES = 2 * CODE_BITS,
    PAUSE = HALVES + 8, /* half bits from the beginning of a code to that of the next */
};

/* The first light is the second half of a first bit, which is 1: dark, then light. */
static bool light_at(const struct board_twin_infrared *infrared, uint64_t cycle)
{
    if (infrared->taken == infrared->queued || cycle < infrared->sends_at) {
        return infrared->light;
    }
    const struct board_twin_remote_code *code =
        &infrared->queue[infrared->taken % BOARD_TWIN_INFRARED_CODES];
    const uint64_t half = (cycle - infrared->sends_at) / code->half + 1;
    if (half >= HALVES) {
        return false;
    }
    const unsigned all = 1u << (CODE_BITS - 1) | code->bits;
    return (all >> (CODE_BITS - 1 - half / 2) & 1) == half % 2;
}

static uint64_t sample_time(const struct board_twin_infrared *infrared, unsigned number)
{
    return (infrared->began + FIRST + (uint64_t)number * OVERSAMPLING) * SAMPLE;
}

static void see_light(struct board_twin_infrared *infrared, uint64_t now)
{
    infrared->receiving = true;
    infrared->began = (now + SAMPLE - 1) / SAMPLE;
    infrared->samples = 0;
    infrared->bits = 0;
}

/* The next rise of light in what is being sent. */
static void find_light(struct board_twin_infrared *infrared)
{
    if (infrared->taken == infrared->queued || infrared->receiving) {
        return;
    }
    const uint32_t length = infrared->queue[infrared->taken % BOARD_TWIN_INFRARED_CODES].half;
    for (uint64_t half = 0; half < HALVES; half++) {
        const uint64_t at = infrared->sends_at + half * length;
        const bool before = half > 0 && light_at(infrared, at - 1);
        if (at >= infrared->listens_from && !before && light_at(infrared, at)) {
            see_light(infrared, at);
            return;
        }
    }
}

/* The next code begins when the one before and its pause are over. */
static void leave(struct board_twin_infrared *infrared, uint64_t now)
{
    while (infrared->taken != infrared->queued) {
        const uint64_t over =
            infrared->sends_at +
            (uint64_t)PAUSE * infrared->queue[infrared->taken % BOARD_TWIN_INFRARED_CODES].half;
        if (now < over) {
            return;
        }
        infrared->taken++;
        infrared->sends_at = over;
    }
}

/* Looks at the light at samples before a cycle. A flash that is over at the first one is none. */
static void take_bits(struct board_twin_infrared *infrared, uint64_t now)
{
    while (infrared->receiving && infrared->samples < CODE_BITS) {
        const uint64_t at = sample_time(infrared, infrared->samples);
        if (at >= now) {
            return;
        }
        const bool light = light_at(infrared, at);
        infrared->bits = infrared->bits << 1 | light;
        infrared->samples++;
        if (infrared->samples == 1 && !light) {
            infrared->receiving = false;
            infrared->listens_from = at;
        }
    }
}

bool board_twin_infrared_send(struct board_twin_infrared *infrared, uint64_t now, uint32_t code,
                              uint32_t half)
{
    leave(infrared, now);
    if (infrared->queued - infrared->taken == BOARD_TWIN_INFRARED_CODES) {
        return false;
    }
    if (infrared->queued == infrared->taken && infrared->sends_at < now) {
        infrared->sends_at = now;
    }
    infrared->queue[infrared->queued++ % BOARD_TWIN_INFRARED_CODES] =
        (struct board_twin_remote_code){(uint16_t)(code & CODE_MASK), half > 0 ? half : 1};
    find_light(infrared);
    return true;
}

void board_twin_infrared_set_light(struct board_twin_infrared *infrared, uint64_t now, bool light)
{
    take_bits(infrared, now);
    if (light && !infrared->light && !infrared->receiving) {
        see_light(infrared, now);
    }
    infrared->light = light;
}

/* The first sample shows whether it is a code; the last one is followed by one more bit's time.
 * Without a code on its way the next one may wait for its pause to end. */
uint64_t board_twin_infrared_due(const struct board_twin_infrared *infrared)
{
    if (infrared->receiving) {
        return infrared->samples == 0 ? sample_time(infrared, 0) + 1
                                      : sample_time(infrared, CODE_BITS);
    }
    return infrared->taken != infrared->queued
               ? infrared->sends_at +
                     (uint64_t)PAUSE *
                         infrared->queue[infrared->taken % BOARD_TWIN_INFRARED_CODES].half
               : UINT64_MAX;
}

bool board_twin_infrared_event(struct board_twin_infrared *infrared, uint64_t now)
{
    bool comes = false;
    take_bits(infrared, now);
    if (infrared->receiving && infrared->samples == CODE_BITS &&
        sample_time(infrared, CODE_BITS) <= now) {
        infrared->code = infrared->bits & CODE_MASK;
        infrared->receiving = false;
        infrared->listens_from = now;
        comes = true;
    }
    if (!infrared->receiving) {
        leave(infrared, now);
        find_light(infrared);
    }
    return comes;
}

enum {
    BIT = 320,
    BREAK = 8640,
    MARK = 640,
    SLOT = 11 * BIT,
    SLOTS = BOARD_TWIN_DMX + 1,
    FRAME = 1815360,
    BEGINS = 322,       /* the first break */
    BREAK_LEAST = 7039, /* of the receiver */
    STORED = 3364,      /* cycles from the beginning of a slot */
};

/* Slots that have begun by a cycle have their values. */
static void send_slots(struct board_twin_dmx_out *out, uint64_t now)
{
    if (now < BEGINS) {
        return;
    }
    const uint64_t frame = (now - BEGINS) / FRAME;
    const uint64_t at = (now - BEGINS) % FRAME;
    const uint64_t begun = at < BREAK + MARK ? 0 : (at - BREAK - MARK) / SLOT + 1;
    const unsigned slots = begun < SLOTS ? (unsigned)begun : SLOTS;
    unsigned from = out->slots;
    if (frame != out->frame) {
        const unsigned first = frame - out->frame > 1 ? 1 : from;
        for (unsigned i = first > 0 ? first : 1; i < SLOTS; i++) {
            out->sent[i - 1] = out->channels[i - 1];
        }
        from = 0;
    }
    for (unsigned i = from > 0 ? from : 1; i < slots; i++) {
        out->sent[i - 1] = out->channels[i - 1];
    }
    out->frame = frame;
    out->slots = slots;
}

uint32_t board_twin_dmx_out_read(const struct board_twin_dmx_out *out, uint32_t offset)
{
    if (offset == BOARD_TWIN_dmx_out_through) {
        return out->through;
    }
    return offset / 4 < BOARD_TWIN_DMX ? out->channels[offset / 4] : 0;
}

void board_twin_dmx_out_write(struct board_twin_dmx_out *out, uint64_t now, uint32_t offset,
                              uint32_t value)
{
    send_slots(out, now);
    if (offset == BOARD_TWIN_dmx_out_through) {
        out->through = (value & 1) != 0;
    } else if (offset / 4 < BOARD_TWIN_DMX) {
        out->channels[offset / 4] = (uint8_t)value;
    }
}

bool board_twin_dmx_out_level(struct board_twin_dmx_out *out, uint64_t now)
{
    send_slots(out, now);
    if (now < BEGINS || out->slots == 0) {
        return now < BEGINS || (now - BEGINS) % FRAME >= BREAK;
    }
    const uint64_t at = (now - BEGINS) % FRAME - BREAK - MARK;
    const uint64_t bit = at / SLOT < SLOTS ? at % SLOT / BIT : SLOT / BIT;
    if (bit == 0 || bit > 8) {
        return bit != 0;
    }
    return out->slots > 1 && (out->sent[out->slots - 2] >> (bit - 1) & 1) != 0;
}

static void store(struct board_twin_dmx_in *in, uint64_t now)
{
    if (in->stores && in->store_at <= now) {
        in->channels[in->coming] = in->value;
        in->stores = false;
    }
}

uint32_t board_twin_dmx_in_read(struct board_twin_dmx_in *in, uint64_t now, uint32_t offset)
{
    store(in, now);
    return offset / 4 < BOARD_TWIN_DMX ? in->channels[offset / 4] : 0;
}

void board_twin_dmx_in_break(struct board_twin_dmx_in *in, uint64_t now, uint32_t low)
{
    store(in, now);
    in->receiving = low >= BREAK_LEAST;
    in->slot = -1;
}

void board_twin_dmx_in_slot(struct board_twin_dmx_in *in, uint64_t now, uint8_t value, bool bad)
{
    store(in, now);
    if (!in->receiving || bad) {
        in->receiving = false;
        return;
    }
    if (in->slot >= 0) {
        in->stores = true;
        in->coming = in->slot % BOARD_TWIN_DMX;
        in->value = value;
        in->store_at = now + STORED;
    }
    in->slot++;
}

enum {
    OFF = 0, /* states of a slot */
    READY = 1,
    FULL = 2,
    STATES = 3,
    COUNT = 0x7FF,
    PIN_OUT = 1, /* management pins */
    PIN_IN = 2,
    PIN_DRIVEN = 4,
    PIN_CLOCK = 8,
    SEND_CYCLES = 15, /* around the bytes of a packet: of sending and of receiving */
    RECEIVE_CYCLES = 5,
};

/* A byte is two clocks of 25 MHz, 6.4 cycles; half bytes. */
static uint64_t line_cycles(size_t halves)
{
    return (uint64_t)halves * 16 / 5;
}

/* Of clause 22: a frame is 32 ones, then start 01, operation, place, register, two bits in which
 * the wire changes hands, 16 bits of data. */
enum {
    PHY_PLACE = 1,
    PHY_ONES = 32,
    PHY_HEAD = 14,
    PHY_FRAME = 32,
    PHY_READ = 6, /* start and operation */
    PHY_STATUS = 1,
    PHY_IDENTITY = 2, /* and 3 */
    PHY_LINK = 4,
};

static uint16_t phy_register(struct board_twin_phy *phy, unsigned number)
{
    if (number == PHY_STATUS) {
        const bool up = phy->link && !phy->dropped;
        phy->dropped = !phy->link;
        return (uint16_t)(0x7809 | (up ? PHY_LINK : 0));
    }
    return number == PHY_IDENTITY ? 0x0022 : number == PHY_IDENTITY + 1 ? 0x1619 : 0;
}

/* The clock rises. */
static void phy_clock(struct board_twin_phy *phy, unsigned bit)
{
    if (phy->count == 0) {
        const bool begins = bit == 0 && phy->ones >= PHY_ONES;
        phy->ones = bit == 1 ? phy->ones + 1 : 0;
        phy->frame = 0;
        phy->count = begins;
        return;
    }
    phy->frame = phy->frame << 1 | bit;
    phy->count++;
    if (phy->count == PHY_HEAD) {
        phy->answers = phy->frame >> 10 == PHY_READ && (phy->frame >> 5 & 31) == PHY_PLACE;
        phy->value = phy->answers ? phy_register(phy, phy->frame & 31) : 0;
    }
    phy->answers = phy->answers && phy->count < PHY_FRAME;
    phy->count = phy->count < PHY_FRAME ? phy->count : 0;
}

/* What it holds the wire at. */
static unsigned phy_bit(const struct board_twin_phy *phy)
{
    enum { DATA = PHY_HEAD + 2 };
    if (!phy->answers || phy->count == PHY_HEAD) {
        return 1;
    }
    return phy->count < DATA ? 0u : phy->value >> (15 - (phy->count - DATA)) & 1u;
}

void board_twin_ethernet_plug(struct board_twin_ethernet *ethernet, bool link)
{
    ethernet->phy.link = link;
    ethernet->phy.dropped = ethernet->phy.dropped || !link;
}

void board_twin_ethernet_reset(struct board_twin_ethernet *ethernet)
{
    memset(ethernet, 0, sizeof *ethernet);
    ethernet->slot = -1;
}

uint32_t board_twin_ethernet_read(const struct board_twin_ethernet *ethernet, uint32_t offset)
{
    switch (offset) {
    case BOARD_TWIN_ethernet_reset:
        return ethernet->reset;
    case BOARD_TWIN_ethernet_mdio:
        /* Where neither software nor the chip drives the pin it is high. */
        return ethernet->pins | ((ethernet->pins & (PIN_DRIVEN | PIN_OUT)) == PIN_DRIVEN ||
                                         phy_bit(&ethernet->phy) == 0
                                     ? 0u
                                     : PIN_IN);
    case BOARD_TWIN_ethernet_state0:
        return ethernet->state[0];
    case BOARD_TWIN_ethernet_count0:
        return ethernet->count[0];
    case BOARD_TWIN_ethernet_state1:
        return ethernet->state[1];
    case BOARD_TWIN_ethernet_count1:
        return ethernet->count[1];
    case BOARD_TWIN_ethernet_send:
        return ethernet->sends;
    default:
        return 0;
    }
}

/* A slot that is taken away while a packet comes into it loses that. */
static void set_state(struct board_twin_ethernet *ethernet, int slot, uint32_t state)
{
    if (ethernet->slot == slot && state != READY) {
        ethernet->slot = -1;
    }
    ethernet->state[slot] = state;
}

void board_twin_ethernet_write(struct board_twin_ethernet *ethernet, uint64_t now, uint32_t offset,
                               uint32_t value)
{
    switch (offset) {
    case BOARD_TWIN_ethernet_reset:
        ethernet->reset = value & 1;
        break;
    case BOARD_TWIN_ethernet_mdio:
        if ((value & ~ethernet->pins & PIN_CLOCK) != 0 && ethernet->reset == 0) {
            phy_clock(&ethernet->phy,
                      (value & PIN_DRIVEN) == 0 ? phy_bit(&ethernet->phy) : value & PIN_OUT);
        }
        ethernet->pins = value & (PIN_OUT | PIN_DRIVEN | PIN_CLOCK);
        break;
    case BOARD_TWIN_ethernet_state0:
        set_state(ethernet, 0, value & STATES);
        break;
    case BOARD_TWIN_ethernet_state1:
        set_state(ethernet, 1, value & STATES);
        break;
    case BOARD_TWIN_ethernet_send:
        ethernet->sends = value & COUNT;
        ethernet->sent_at = now + SEND_CYCLES + line_cycles(2 * (size_t)ethernet->sends);
        break;
    default:
        break;
    }
}

bool board_twin_ethernet_line(const struct board_twin_ethernet *ethernet)
{
    return ethernet->state[0] == FULL || ethernet->state[1] == FULL;
}

uint64_t board_twin_ethernet_due(const struct board_twin_ethernet *ethernet)
{
    const uint64_t sent = ethernet->sends > 0 ? ethernet->sent_at : UINT64_MAX;
    const uint64_t received = ethernet->receiving ? ethernet->received_at : UINT64_MAX;
    return sent < received ? sent : received;
}

bool board_twin_ethernet_event(struct board_twin_ethernet *ethernet, uint64_t now, size_t *size)
{
    if (ethernet->receiving && ethernet->received_at <= now) {
        ethernet->receiving = false;
        if (ethernet->slot >= 0) {
            ethernet->state[ethernet->slot] = FULL;
            ethernet->count[ethernet->slot] = ethernet->size;
        }
        ethernet->slot = -1;
    }
    const bool sent = ethernet->sends > 0 && ethernet->sent_at <= now;
    *size = sent ? ethernet->sends : 0;
    ethernet->sends = sent ? 0 : ethernet->sends;
    return sent;
}

bool board_twin_ethernet_receive(struct board_twin_ethernet *ethernet, uint64_t now,
                                 const uint8_t *bytes, size_t size, bool odd)
{
    if (size > BOARD_TWIN_ETHERNET_PACKET || ethernet->receiving) {
        return false;
    }
    ethernet->slot = -1;
    for (int i = 0; i < BOARD_TWIN_ETHERNET_SLOTS && ethernet->slot < 0; i++) {
        ethernet->slot = ethernet->state[i] == READY ? i : -1;
    }
    ethernet->receiving = true;
    ethernet->received_at = now + RECEIVE_CYCLES + line_cycles(2 * size - odd);
    ethernet->size = (uint32_t)(size - odd);
    if (ethernet->slot >= 0) {
        memcpy(&ethernet->memory[(size_t)ethernet->slot * BOARD_TWIN_ETHERNET_SLOT], bytes,
               size - odd);
    }
    return true;
}
