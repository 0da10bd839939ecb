/* How packets of Open Sound Control stand in a stream of bytes: each with its size before it, four
 * bytes, the highest first (version 1.0), or between two END of SLIP (RFC 1055; version 1.1). The
 * first byte that comes says which. Bytes in, packets out; no sockets. */
#ifndef APP_OSC_FRAMING_H
#define APP_OSC_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APP_OSC_PACKET = 65536,                  /* bytes of a packet, at most */
    APP_OSC_FRAMED = 4 + 2 * APP_OSC_PACKET, /* and with what divides it from others */
};

/* All zero but `in`, which need not be: nothing has come. */
struct app_osc_framing {
    bool begun; /* a byte has come, which said: */
    bool is_slip;
    bool wrong; /* what came is no packet: no more comes of it */
    size_t read;
    uint8_t in[APP_OSC_FRAMED]; /* what came and is no packet yet: `read` bytes */
};

void app_osc_framing_begin(struct app_osc_framing *framing);

/* Where the next bytes go; sets *room, which is 0 while packets have to be taken first. */
uint8_t *app_osc_framing_room(struct app_osc_framing *framing, size_t *room);

/* So many were written there. */
void app_osc_framing_came(struct app_osc_framing *framing, size_t size);

/* Stores the next packet and returns its size; 0: it is not whole yet, or `wrong` is set. */
size_t app_osc_framing_next(struct app_osc_framing *framing, uint8_t packet[static APP_OSC_PACKET]);

/* Writes a packet of at most APP_OSC_PACKET bytes as it goes out, in at most
 * app_osc_framing_size(is_slip, size) bytes; returns how many. */
size_t app_osc_framing_size(bool is_slip, size_t size);
size_t app_osc_framing_write(bool is_slip, const uint8_t *packet, size_t size, uint8_t *to);

#endif
