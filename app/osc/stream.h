/* Packets of Open Sound Control over TCP: connections that are taken and read without waiting. What
 * is answered has the form of what came (framing.h).
 *
 * Whoever sends what is no packet, or does not take his answers, is cut off; of more than
 * APP_OSC_STREAMS the one that was silent for longest makes room. All functions belong to one
 * thread. */
#ifndef APP_OSC_STREAM_H
#define APP_OSC_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/osc/framing.h"

struct pollfd;

enum {
    APP_OSC_STREAMS = 16,     /* connections, by number from 0 */
    APP_OSC_UNSENT = 1 << 18, /* bytes of answers that may wait */
};

/* What comes of connections; both may send answers. */
struct app_osc_stream_taker {
    void *user;
    /* The packet lies at an address that is a multiple of 4, and may be changed. */
    void (*take)(void *user, unsigned stream, uint8_t *packet, size_t size);
    /* The connection is over, and its number free. */
    void (*ended)(void *user, unsigned stream);
    /* Whether it is worth more than one that was silent as long. */
    bool (*keeps)(void *user, unsigned stream);
};

struct app_osc_streams;

/* Listens at the port of all the machine's addresses. NULL, and errno says why. */
struct app_osc_streams *app_osc_streams_open(unsigned port,
                                             const struct app_osc_stream_taker *taker);
/* Without telling of ends. NULL is fine. */
void app_osc_streams_close(struct app_osc_streams *streams);

/* What to wait for: at most APP_OSC_STREAMS + 1; returns how many. */
size_t app_osc_streams_poll(const struct app_osc_streams *streams, struct pollfd *to);

/* Takes what has come at `now`, of at most so many packets; returns how many there were, with those
 * that were none. */
unsigned app_osc_streams_serve(struct app_osc_streams *streams, double now, unsigned most);

/* Never waits. False: the connection is over, or ends with the next call of serve. */
bool app_osc_streams_send(struct app_osc_streams *streams, unsigned stream, const uint8_t *packet,
                          size_t size);

unsigned app_osc_streams_count(const struct app_osc_streams *streams);

#endif
