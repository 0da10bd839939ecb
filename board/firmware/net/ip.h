/* Addresses and datagrams over Ethernet: ARP, IPv4, ICMP, UDP and DHCP by lwIP, which this room's
 * ip.c alone knows. There is one of it, for lwIP has one; one task uses it. */
#ifndef BOARD_FIRMWARE_NET_IP_H
#define BOARD_FIRMWARE_NET_IP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/net/transfer.h"

enum { BOARD_IP_FRAME = 1514, BOARD_IP_DHCP_SECONDS = 8 };

/* Addresses are numbers: 192.168.0.42 is 0xC0A8002A. */
struct board_ip_setup {
    const uint8_t *address; /* of Ethernet, six bytes */
    bool dhcp;              /* asks for an address; fixed is what it takes if nobody answers */
    uint32_t fixed;
    unsigned bits; /* of it, that are the network's */
    uint16_t port; /* of UDP, that `hear` is for */
    uint8_t *out;  /* where frames to send are put, BOARD_IP_FRAME bytes; at a multiple of 4, and 2
                      more */
    void (*send)(void *user, size_t size);
    void (*hear)(void *user, struct board_peer peer, const uint8_t *bytes, size_t size);
    void *user;
};

struct board_ip;

/* Once; all else belongs to the task. NULL, and why, without memory or where the program was built
 * without lwIP. */
struct board_ip *board_ip_create(const struct board_ip_setup *setup, const char **problem);

/* A frame has come, without its checksum: at a multiple of 4 and 2 more. What it asks for is sent,
 * and told to `hear`, before this returns. The bytes may be changed. */
void board_ip_frame(struct board_ip *ip, uint8_t *bytes, size_t size);

/* Half a second has gone by. link: there is a cable with something at its other end. */
void board_ip_half_second(struct board_ip *ip, bool link);

/* Sends a datagram from the port. Without an address, memory or a way there it is lost. */
void board_ip_send(struct board_ip *ip, struct board_peer peer, const uint8_t *bytes, size_t size);

/* The board's address; 0: it has none yet. */
uint32_t board_ip_address(const struct board_ip *ip);

#endif
