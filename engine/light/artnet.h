/* Art-Net 4: packets read in place and written. Pure functions without memory of their own; no
 * packet, whatever is in it, makes them read outside it. Layouts: spec/control.md and the published
 * protocol. */
#ifndef ENGINE_LIGHT_ARTNET_H
#define ENGINE_LIGHT_ARTNET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ENGINE_ARTNET_PORT = 6454, /* of UDP */
    ENGINE_ARTNET_UNIVERSES = 32768,
    ENGINE_ARTNET_CHANNELS = 512,
    ENGINE_ARTNET_HEAD = 18,   /* bytes of a packet with levels before them */
    ENGINE_ARTNET_POLL = 14,   /* bytes of what asks for nodes */
    ENGINE_ARTNET_SYNC = 14,   /* bytes of what shows levels that were held */
    ENGINE_ARTNET_REPLY = 239, /* bytes of what a node answers */
    ENGINE_ARTNET_PACKET = ENGINE_ARTNET_HEAD + ENGINE_ARTNET_CHANNELS,
    ENGINE_ARTNET_SHORT = 18, /* bytes of names with their NUL */
    ENGINE_ARTNET_LONG = 64,
    ENGINE_ARTNET_PORTS = 4, /* of one reply */
};

enum engine_artnet_kind {
    ENGINE_ARTNET_NONE, /* not valid, or of no interest here */
    ENGINE_ARTNET_IS_POLL,
    ENGINE_ARTNET_IS_REPLY,
    ENGINE_ARTNET_IS_LEVELS,
    ENGINE_ARTNET_IS_SYNC,
};

/* Levels for the channels of one universe. */
struct engine_artnet_levels {
    uint8_t sequence; /* 1..255; 0: not used */
    uint8_t physical; /* the input of the source */
    uint16_t universe;
    const uint8_t *levels; /* in the packet */
    size_t count;          /* 2..512, even */
};

/* What a node says of itself: up to four universes of one net and sub-net. */
struct engine_artnet_reply {
    uint8_t address[4];                   /* of IPv4 */
    uint8_t bind;                         /* 1: its first reply; the others follow */
    uint8_t mac[6];                       /* of the node's interface */
    char short_name[ENGINE_ARTNET_SHORT]; /* printable ASCII when read, ends in NUL */
    char long_name[ENGINE_ARTNET_LONG];
    size_t outputs; /* universes that it takes from the network */
    uint16_t output[ENGINE_ARTNET_PORTS];
    size_t inputs; /* universes that it sends to the network */
    uint16_t input[ENGINE_ARTNET_PORTS];
};

struct engine_artnet {
    struct engine_artnet_levels levels; /* of IS_LEVELS */
    struct engine_artnet_reply reply;   /* of IS_REPLY */
};

/* What is in the packet, and its kind. NONE: *read is not to be used. */
enum engine_artnet_kind engine_artnet_read(struct engine_artnet *read, const uint8_t *bytes,
                                           size_t size);

/* These write whole packets into `to`, which has room for ENGINE_ARTNET_PACKET bytes, and return
 * their size. An odd count is filled up with one 0. All universes of a reply lie in the net and
 * sub-net of the first (the same number but for its last four bits). */
size_t engine_artnet_write_levels(uint8_t *to, const struct engine_artnet_levels *levels);
size_t engine_artnet_write_poll(uint8_t *to);
size_t engine_artnet_write_sync(uint8_t *to);
size_t engine_artnet_write_reply(uint8_t *to, const struct engine_artnet_reply *reply);

#endif
