/* In the place of ip.c where the program is built without lwIP. */
#include "board/firmware/net/ip.h"

struct board_ip *board_ip_create(const struct board_ip_setup *setup, const char **problem)
{
    (void)setup;
    *problem = "this program was built without; tools/lm32 --lwip fetches what it needs";
    return NULL;
}

void board_ip_frame(struct board_ip *ip, uint8_t *bytes, size_t size)
{
    (void)ip;
    (void)bytes;
    (void)size;
}

void board_ip_half_second(struct board_ip *ip, bool link)
{
    (void)ip;
    (void)link;
}

void board_ip_send(struct board_ip *ip, struct board_peer peer, const uint8_t *bytes, size_t size)
{
    (void)ip;
    (void)peer;
    (void)bytes;
    (void)size;
}

uint32_t board_ip_address(const struct board_ip *ip)
{
    (void)ip;
    return 0;
}
