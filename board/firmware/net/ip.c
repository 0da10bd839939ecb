#include "board/firmware/net/ip.h"

#include <stdlib.h>
#include <string.h>

#include "lwip/dhcp.h"
#include "lwip/etharp.h"
#include "lwip/init.h"
#include "lwip/netif.h"
#include "lwip/udp.h"
#include "netif/ethernet.h"

enum { SECOND = 2, MINUTE = 120 /* half seconds */ };

struct board_ip {
    struct board_ip_setup setup;
    struct netif netif;
    struct udp_pcb *socket;
    uint32_t halves; /* seconds since the start */
};

static err_t send_frame(struct netif *netif, struct pbuf *packet)
{
    const struct board_ip *ip = netif->state;
    const u16_t size = (u16_t)(packet->tot_len - ETH_PAD_SIZE);
    if (size > BOARD_IP_FRAME) {
        return ERR_BUF;
    }
    (void)pbuf_copy_partial(packet, ip->setup.out, size, ETH_PAD_SIZE);
    ip->setup.send(ip->setup.user, size);
    return ERR_OK;
}

static err_t begin(struct netif *netif)
{
    const struct board_ip *ip = netif->state;
    netif->hwaddr_len = ETH_HWADDR_LEN;
    memcpy(netif->hwaddr, ip->setup.address, ETH_HWADDR_LEN);
    netif->mtu = 1500;
    netif->name[0] = 'e';
    netif->name[1] = 'n';
    netif->hostname = "froth";
    netif->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET;
    netif->output = etharp_output;
    netif->linkoutput = send_frame;
    return ERR_OK;
}

/* Each frame is one piece, and so is what is in it. */
static void hear(void *user, struct udp_pcb *socket, struct pbuf *packet, const ip_addr_t *address,
                 u16_t port)
{
    const struct board_ip *ip = user;
    (void)socket;
    const struct board_peer peer = {lwip_ntohl(ip_addr_get_ip4_u32(address)), port};
    ip->setup.hear(ip->setup.user, peer, packet->payload, packet->len);
    pbuf_free(packet);
}

static void take_fixed(struct board_ip *ip)
{
    const uint32_t mask = ip->setup.bits == 0 ? 0 : UINT32_MAX << (32 - ip->setup.bits);
    const ip4_addr_t address = {lwip_htonl(ip->setup.fixed)};
    const ip4_addr_t network = {lwip_htonl(mask)};
    const ip4_addr_t none = {0};
    netif_set_addr(&ip->netif, &address, &network, &none);
}

struct board_ip *board_ip_create(const struct board_ip_setup *setup, const char **problem)
{
    struct board_ip *ip = calloc(1, sizeof *ip);
    *problem = "not enough memory";
    if (ip == NULL) {
        return NULL;
    }
    ip->setup = *setup;
    lwip_init();
    ip->socket = udp_new();
    if (netif_add_noaddr(&ip->netif, ip, begin, ethernet_input) == NULL || ip->socket == NULL ||
        udp_bind(ip->socket, IP4_ADDR_ANY, setup->port) != ERR_OK) {
        free(ip);
        return NULL;
    }
    udp_recv(ip->socket, hear, ip);
    netif_set_default(&ip->netif);
    netif_set_up(&ip->netif);
    if (!setup->dhcp) {
        take_fixed(ip);
    } else if (dhcp_start(&ip->netif) != ERR_OK) {
        free(ip);
        return NULL;
    }
    return ip;
}

void board_ip_frame(struct board_ip *ip, uint8_t *bytes, size_t size)
{
    struct pbuf *packet = pbuf_alloc(PBUF_RAW, (u16_t)(size + ETH_PAD_SIZE), PBUF_REF);
    if (packet == NULL) {
        return;
    }
    packet->payload = bytes - ETH_PAD_SIZE;
    if (ip->netif.input(packet, &ip->netif) != ERR_OK) {
        pbuf_free(packet);
    }
}

void board_ip_half_second(struct board_ip *ip, bool link)
{
    ip->halves++;
    if (link && !netif_is_link_up(&ip->netif)) {
        netif_set_link_up(&ip->netif);
    } else if (!link && netif_is_link_up(&ip->netif)) {
        netif_set_link_down(&ip->netif);
    }
    dhcp_fine_tmr();
    if (ip->halves % SECOND == 0) {
        etharp_tmr();
    }
    if (ip->halves % MINUTE == 0) {
        dhcp_coarse_tmr();
    }
    /* Whoever answers later is listened to all the same. */
    if (link && ip->setup.dhcp && ip->halves >= SECOND * BOARD_IP_DHCP_SECONDS &&
        board_ip_address(ip) == 0) {
        take_fixed(ip);
    }
}

void board_ip_send(struct board_ip *ip, struct board_peer peer, const uint8_t *bytes, size_t size)
{
    struct pbuf *packet = pbuf_alloc(PBUF_TRANSPORT, (u16_t)size, PBUF_RAM);
    if (packet != NULL) {
        const ip_addr_t address = IPADDR4_INIT(lwip_htonl(peer.address));
        (void)pbuf_take(packet, bytes, (u16_t)size);
        (void)udp_sendto(ip->socket, packet, &address, peer.port);
        pbuf_free(packet);
    }
}

uint32_t board_ip_address(const struct board_ip *ip)
{
    return lwip_ntohl(ip4_addr_get_u32(netif_ip4_addr(&ip->netif)));
}
