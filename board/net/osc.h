/* Open Sound Control 1.0 (Wright, "The Open Sound Control 1.0 Specification", 2002): packets read
 * and written in place. Pure functions without memory of their own; no packet, whatever is in it,
 * makes them read outside it. */
#ifndef BOARD_NET_OSC_H
#define BOARD_NET_OSC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOARD_OSC_PORT = 4444,   /* of UDP, at which a board listens */
    BOARD_OSC_PACKET = 1472, /* bytes that fit into one Ethernet frame */
    BOARD_OSC_DEPTH = 4,     /* bundles within bundles */
    BOARD_OSC_MESSAGES = 64, /* of a packet */
    BOARD_OSC_ADDRESS = 64,  /* bytes of an address with its NUL; longer ones are not valid */
    BOARD_OSC_ARGUMENTS = 16,
};

/* An argument. Texts and blobs lie in the packet. */
struct board_osc_value {
    /* i, f, s (also of S), b, m (four bytes of MIDI), T, F; any other type of the specification, of
     * which only the place is known: its letter. */
    char type;
    uint32_t word;        /* i, f: the number's bits; T 1, F 0 */
    const uint8_t *bytes; /* s: ends in NUL; b, m */
    size_t size;          /* of them, without the NUL */
};

struct board_osc_message {
    const char *address; /* begins with / and ends in NUL, of letters that can be printed */
    size_t count;
    struct board_osc_value values[BOARD_OSC_ARGUMENTS];
};

/* Calls `take` for each message of the packet in its order, those of bundles too, at once: time
 * tags are not waited for. False, and nothing was taken, if the packet is not valid as a whole, or
 * larger, deeper or fuller than the limits above. take may be NULL: only checks. */
bool board_osc_read(const uint8_t *bytes, size_t size,
                    void (*take)(void *user, const struct board_osc_message *message), void *user);

/* Writes a message with values of the types i, f, s, b, m, T and F. Returns its size, a multiple of
 * 4; 0: there is no room for it. */
size_t board_osc_write(uint8_t *to, size_t room, const char *address,
                       const struct board_osc_value *values, size_t count);

/* Arguments to write; the text must outlive its use. */
struct board_osc_value board_osc_int(int32_t number);
struct board_osc_value
board_osc_float(uint32_t word); /* the bits of a number of single precision */
struct board_osc_value board_osc_text(const char *text);
struct board_osc_value board_osc_blob(const uint8_t *bytes, size_t size);

#endif
