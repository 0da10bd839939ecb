/* lwIP's settings: no threads, no sockets, no TCP; a little memory of its own, and no clock but the
 * calls of ip.c. */
#ifndef BOARD_FIRMWARE_NET_LWIPOPTS_H
#define BOARD_FIRMWARE_NET_LWIPOPTS_H

#define NO_SYS                    1
#define SYS_LIGHTWEIGHT_PROT      0
#define LWIP_TIMERS               0
#define LWIP_NETCONN              0
#define LWIP_SOCKET               0
#define LWIP_TCP                  0
#define LWIP_STATS                0
#define LWIP_DHCP                 1
#define LWIP_DHCP_MAX_DNS_SERVERS 0
#define DHCP_DOES_ARP_CHECK       0
#define LWIP_NETIF_HOSTNAME       1
#define LWIP_BROADCAST_PING       0
#define IP_REASSEMBLY             0
#define IP_FRAG                   0
#define MEM_ALIGNMENT             4
#define MEM_SIZE                  8192
#define MEMP_NUM_PBUF             8
#define PBUF_POOL_SIZE            4
#define PBUF_POOL_BUFSIZE         256
#define ETH_PAD_SIZE              2
#define ARP_TABLE_SIZE            16
/* The driver has checked each frame; the sums of IP, ICMP and UDP are checked and made as well. */
#define LWIP_CHECKSUM_ON_COPY 0

#endif
