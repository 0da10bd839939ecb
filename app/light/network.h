/* The sockets of Art-Net and sACN (IPv4). By one thread; nothing here waits but
 * app_light_network_wait. */
#ifndef APP_LIGHT_NETWORK_H
#define APP_LIGHT_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum {
    APP_LIGHT_GROUPS = 72,
    APP_LIGHT_NETWORKS = 16, /* of this machine, that are looked at */
};

enum app_light_protocol { APP_LIGHT_ARTNET, APP_LIGHT_SACN, APP_LIGHT_PROTOCOLS };

struct app_light_network {
    int sockets[APP_LIGHT_PROTOCOLS]; /* -1: not open */
    bool listens[APP_LIGHT_PROTOCOLS];
    bool shared[APP_LIGHT_PROTOCOLS]; /* another program listened there when this one was opened */
    int wake;                         /* an eventfd, which ends a wait */
    bool has_interface;
    uint8_t interface[4]; /* the address of the network to be used; else all are */
    size_t group_count;
    uint16_t groups[APP_LIGHT_GROUPS]; /* universes of sACN that are heard */
};

/* Opens what is needed: uses[p], a socket for a protocol; listens[p], one that others can reach,
 * at the protocol's port, which several programs of a machine may share: it is warned of, since
 * what is sent to this machine alone reaches one of them. interface: NULL for all networks. Returns
 * 0, or -1 with a message; close it all the same. */
int app_light_network_open(struct app_light_network *network, const bool uses[APP_LIGHT_PROTOCOLS],
                           const bool listens[APP_LIGHT_PROTOCOLS], const uint8_t *interface,
                           const struct base_diag_sink *sink);
void app_light_network_close(struct app_light_network *network);

/* Opens what hears one universe of sACN by its multicast alone, in all networks: it takes no packet
 * from another program of this machine. Returns 0, or -1 without a message; close it all the same.
 */
int app_light_network_open_group(struct app_light_network *network, uint16_t universe);

/* Whether a program of this machine listens at the protocol's port. */
bool app_light_network_is_taken(enum app_light_protocol protocol);

/* Hears a universe of sACN from now on, in all networks; what has been joined already stays. False
 * if there is no room. */
bool app_light_network_join(struct app_light_network *network, uint16_t universe);

/* Joins all again, in networks that have come since. */
void app_light_network_rejoin(const struct app_light_network *network);

/* Waits until something comes, somebody wakes, or so many milliseconds have passed. */
void app_light_network_wait(const struct app_light_network *network, int milliseconds);

/* Any thread; never waits. */
void app_light_network_wake(const struct app_light_network *network);

/* The next packet, or 0: none. from: the sender's address. */
size_t app_light_network_receive(const struct app_light_network *network,
                                 enum app_light_protocol protocol, uint8_t *bytes, size_t room,
                                 uint8_t from[4]);

/* Packets that the system has dropped since the network was opened, as they came faster than they
 * were taken; 0 where it does not say. */
uint32_t app_light_network_lost(const struct app_light_network *network);

/* Sends to the protocol's port. Returns 0, or the reason as of errno. */
int app_light_network_send(const struct app_light_network *network,
                           enum app_light_protocol protocol, const uint8_t to[4],
                           const uint8_t *bytes, size_t size);

/* Asks the nodes of Art-Net in all networks for what they have. */
void app_light_network_poll(const struct app_light_network *network);

/* The address under which another one sees this machine; all 0 where there is no way. */
void app_light_network_own(const uint8_t other[4], uint8_t address[4]);

#endif
