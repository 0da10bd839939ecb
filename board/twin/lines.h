/* What comes and goes over a single line without a word of software: infrared light, and the
 * lights' DMX (spec/milkymist-one-devices.md sections 4, 5). */
#ifndef BOARD_TWIN_LINES_H
#define BOARD_TWIN_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Infrared: the core samples every 134224 cycles from the first rise of light on, without following
 * the edges. Codes of the 36 kHz norm, whose bits are longer, arrive with other bits. */

enum {
    BOARD_TWIN_INFRARED_HALF = 67114, /* cycles of half a bit that it understands, 38 kHz */
    BOARD_TWIN_INFRARED_NORM = 71111, /* of the 36 kHz norm */
    BOARD_TWIN_INFRARED_CODES = 16,   /* that may wait to be sent, a power of two */
};

struct board_twin_remote_code {
    uint16_t bits; /* 13 */
    uint32_t half; /* cycles */
};

struct board_twin_infrared {
    uint32_t code; /* the last one */
    bool receiving;
    uint64_t began; /* sample at which light was seen */
    unsigned samples;
    uint32_t bits;
    uint64_t listens_from;

    bool light; /* as somebody has set it, where nothing is being sent */
    struct board_twin_remote_code queue[BOARD_TWIN_INFRARED_CODES];
    unsigned queued; /* counts of all codes ever put in, and of those that are through */
    unsigned taken;
    uint64_t sends_at; /* the first light of the one that is being sent */
};

/* Sends a code of 13 bits with half bits of so many cycles. False if too many wait. */
bool board_twin_infrared_send(struct board_twin_infrared *infrared, uint64_t now, uint32_t code,
                              uint32_t half);

/* Sets the light, for one who sends no codes. */
void board_twin_infrared_set_light(struct board_twin_infrared *infrared, uint64_t now, bool light);

/* When something happens; UINT64_MAX: never. */
uint64_t board_twin_infrared_due(const struct board_twin_infrared *infrared);

/* What happens until now. True: a code has come, and its interrupt. */
bool board_twin_infrared_event(struct board_twin_infrared *infrared, uint64_t now);

/* DMX. The transmitter sends all 512 channels, over and over; a value is taken when its slot
 * begins. */

enum { BOARD_TWIN_DMX = 512 };

struct board_twin_dmx_out {
    uint8_t channels[BOARD_TWIN_DMX];
    uint8_t sent[BOARD_TWIN_DMX]; /* in this frame or, behind `slots`, in the one before */
    uint64_t frame;               /* number */
    unsigned slots;               /* that have begun in it */
    bool through;                 /* the input goes straight out */
};

uint32_t board_twin_dmx_out_read(const struct board_twin_dmx_out *out, uint32_t offset);
void board_twin_dmx_out_write(struct board_twin_dmx_out *out, uint64_t now, uint32_t offset,
                              uint32_t value);

/* The line at a cycle that is not before the last access; what is sent by itself, not passed
 * through. */
bool board_twin_dmx_out_level(struct board_twin_dmx_out *out, uint64_t now);

/* The receiver does not look at the start code, and goes round behind 512 slots. */
struct board_twin_dmx_in {
    uint8_t channels[BOARD_TWIN_DMX];
    bool receiving;
    int slot; /* the next one; -1: the start code */
    bool stores;
    int coming; /* the channel that is stored at store_at */
    uint8_t value;
    uint64_t store_at;
};

uint32_t board_twin_dmx_in_read(struct board_twin_dmx_in *in, uint64_t now, uint32_t offset);

/* A desk sends: the line low for so many cycles; a slot, whose first stop bit is low if it is bad.
 */
void board_twin_dmx_in_break(struct board_twin_dmx_in *in, uint64_t now, uint32_t low);
void board_twin_dmx_in_slot(struct board_twin_dmx_in *in, uint64_t now, uint8_t value, bool bad);

/* The network's registers: two slots for packets that come in, one place for the one that goes out.
 * Software provides preamble, padding and checksum. */

enum {
    BOARD_TWIN_ETHERNET_SLOTS = 2,
    BOARD_TWIN_ETHERNET_SLOT = 2048,    /* bytes from one slot to the next */
    BOARD_TWIN_ETHERNET_OUT = 4096,     /* where the packet lies that goes out */
    BOARD_TWIN_ETHERNET_MEMORY = 16384, /* of which the slots and that place are the beginning */
    BOARD_TWIN_ETHERNET_PACKET = 2047,  /* bytes at most */
};

/* The network chip's two wires of management (IEEE 802.3, clause 22): it answers reads of its basic
 * registers at one place of the bus. A link that was down is told once, though it is up again. */
struct board_twin_phy {
    bool link;
    bool dropped;   /* it was down since it was told last */
    uint32_t ones;  /* before a frame */
    uint32_t frame; /* its bits that have come */
    unsigned count; /* of them, and of those behind; 0: between frames */
    uint16_t value; /* that is read */
    bool answers;
};

struct board_twin_ethernet {
    struct board_twin_phy phy;
    uint8_t memory[BOARD_TWIN_ETHERNET_MEMORY];
    uint32_t reset;
    uint32_t pins;
    uint32_t state[BOARD_TWIN_ETHERNET_SLOTS];
    uint32_t count[BOARD_TWIN_ETHERNET_SLOTS];
    uint32_t sends; /* bytes */
    uint64_t sent_at;
    int slot;             /* that a packet is coming into; -1: none, it is lost */
    bool receiving;       /* a packet is on the line */
    uint64_t received_at; /* its end */
    uint32_t size;
};

void board_twin_ethernet_reset(struct board_twin_ethernet *ethernet);
uint32_t board_twin_ethernet_read(const struct board_twin_ethernet *ethernet, uint32_t offset);
void board_twin_ethernet_write(struct board_twin_ethernet *ethernet, uint64_t now, uint32_t offset,
                               uint32_t value);

/* The cable: with something at its other end, or not. */
void board_twin_ethernet_plug(struct board_twin_ethernet *ethernet, bool link);

/* Whether the interrupt line of reception is up: a level. */
bool board_twin_ethernet_line(const struct board_twin_ethernet *ethernet);

/* When something happens; UINT64_MAX: never. */
uint64_t board_twin_ethernet_due(const struct board_twin_ethernet *ethernet);

/* What happens until now. True: the packet of *size bytes at BOARD_TWIN_ETHERNET_OUT is out, and
 * its interrupt comes. */
bool board_twin_ethernet_event(struct board_twin_ethernet *ethernet, uint64_t now, size_t *size);

/* A packet comes in, with preamble and checksum; odd: the last byte is only half. It is lost if no
 * slot is ready. False if it is too large, or the one before is still on the line. */
bool board_twin_ethernet_receive(struct board_twin_ethernet *ethernet, uint64_t now,
                                 const uint8_t *bytes, size_t size, bool odd);

#endif
