#define _DEFAULT_SOURCE /* struct ifreq */

#include "app/board/network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/random.h"
#include "board/net/osc.h"

enum {
    ADDRESS = 6, /* bytes, of Ethernet */
    HEAD = 14,
    SHORTEST = 60,
    PREAMBLE = 8,
    CHECKSUM = 4,
    GAP = 77,                        /* cycles between two frames */
    SLICE = BOARD_TWIN_CLOCK / 2000, /* between two looks for frames */
    TYPE_IP = 0x0800,
    TYPE_ARP = 0x0806,
    IP_HEAD = 20,
    UDP_HEAD = 8,
    UDP = 17,
    ARP_SIZE = 28,
    ARP_REQUEST = 1,
    ARP_REPLY = 2,
    /* Programs behind --network udp: they are one computer with a port for each. */
    HOST = 14, /* the last byte of its address */
    CLIENTS = 16,
    FIRST_PORT = 50000,
};

static const uint8_t host_address[ADDRESS] = {0x02, 0, 0, 0, 0, HOST};

struct app_board_network {
    int line; /* TAP device or socket */
    bool datagrams;
    unsigned loss; /* per cent of frames, both ways */
    struct base_rng chance;
    uint64_t free_at; /* cycle from which the line to the board is free */
    bool waits;       /* a frame for the board */
    size_t size;
    uint8_t frame[APP_BOARD_FRAME];
    /* Datagrams: who the board is, as its own frames say, and who has spoken. */
    uint8_t board[ADDRESS];
    uint32_t board_ip; /* 0: not known yet */
    struct sockaddr_in clients[CLIENTS];
    size_t next_client; /* whose place is given away next */
    bool asked;         /* an answer for the board is in `answer` */
    uint8_t answer[HEAD + ARP_SIZE];
};

static void put16(uint8_t *to, uint32_t number)
{
    to[0] = (uint8_t)(number >> 8);
    to[1] = (uint8_t)number;
}

static void put32(uint8_t *to, uint32_t number)
{
    put16(to, number >> 16);
    put16(to + 2, number);
}

static uint32_t get16(const uint8_t *from)
{
    return (uint32_t)from[0] << 8 | from[1];
}

static uint32_t get32(const uint8_t *from)
{
    return get16(from) << 16 | get16(from + 2);
}

size_t app_board_wire(uint8_t wire[APP_BOARD_WIRE], const uint8_t *frame, size_t size)
{
    static const uint8_t preamble[PREAMBLE] = {0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0x55, 0xD5};
    memcpy(wire, preamble, PREAMBLE);
    memcpy(wire + PREAMBLE, frame, size);
    const size_t padding = size < SHORTEST ? SHORTEST - size : 0;
    memset(wire + PREAMBLE + size, 0, padding);
    const uint32_t sum = base_crc32(BASE_CRC32_START, wire + PREAMBLE, size + padding);
    uint8_t *end = wire + PREAMBLE + size + padding;
    for (unsigned i = 0; i < CHECKSUM; i++) {
        end[i] = (uint8_t)(sum >> (8 * i));
    }
    return PREAMBLE + size + padding + CHECKSUM;
}

static void put_head(uint8_t *frame, const uint8_t *to, const uint8_t *from, uint32_t type)
{
    memcpy(frame, to, ADDRESS);
    memcpy(frame + ADDRESS, from, ADDRESS);
    put16(frame + 2 * ADDRESS, type);
}

size_t app_board_datagram(uint8_t frame[APP_BOARD_FRAME], const uint8_t board[6], uint32_t to,
                          uint32_t from, uint16_t from_port, const uint8_t *bytes, size_t count)
{
    uint8_t *ip = frame + HEAD;
    uint8_t *udp = ip + IP_HEAD;
    put_head(frame, board, host_address, TYPE_IP);
    memset(ip, 0, IP_HEAD + UDP_HEAD);
    ip[0] = 0x45;
    put16(ip + 2, (uint32_t)(IP_HEAD + UDP_HEAD + count));
    ip[8] = 64; /* hops */
    ip[9] = UDP;
    put32(ip + 12, from);
    put32(ip + 16, to);
    uint32_t sum = 0;
    for (unsigned i = 0; i < IP_HEAD; i += 2) {
        sum += get16(ip + i);
    }
    sum = (sum & 0xFFFF) + (sum >> 16);
    put16(ip + 10, ~(sum + (sum >> 16)));
    put16(udp, from_port);
    put16(udp + 2, BOARD_OSC_PORT);
    put16(udp + 4, (uint32_t)(UDP_HEAD + count)); /* without a checksum, as IPv4 allows */
    memcpy(udp + UDP_HEAD, bytes, count);
    return HEAD + IP_HEAD + UDP_HEAD + count;
}

/* ---- opening ---- */

struct where {
    const char *name; /* of the device */
    size_t name_size;
    bool datagrams;
    unsigned long port;
    unsigned long loss;
};

static bool read_number(const char **text, unsigned long most, unsigned long *number)
{
    char *end = NULL;
    *number = strtoul(*text, &end, 10);
    const bool good = end != *text && **text >= '0' && **text <= '9' && *number <= most;
    *text = end;
    return good;
}

static bool read_where(const char *what, struct where *where)
{
    static const char tap[] = "tap:";
    static const char udp[] = "udp:";
    static const char loss[] = ",loss=";
    *where = (struct where){.datagrams = strncmp(what, udp, strlen(udp)) == 0};
    if (!where->datagrams && strncmp(what, tap, strlen(tap)) != 0) {
        return false;
    }
    what += strlen(tap);
    if (where->datagrams) {
        if (!read_number(&what, UINT16_MAX, &where->port)) {
            return false;
        }
    } else {
        where->name = what;
        where->name_size = strcspn(what, ",/");
        what += where->name_size;
        if (where->name_size == 0 || where->name_size >= IFNAMSIZ) {
            return false;
        }
    }
    if (strncmp(what, loss, strlen(loss)) == 0) {
        what += strlen(loss);
        return read_number(&what, 99, &where->loss) && *what == '\0';
    }
    return *what == '\0';
}

bool app_board_network_check(const char *what, const struct base_diag_sink *sink)
{
    struct where where;
    const bool good = read_where(what, &where);
    if (!good) {
        base_report(sink, BASE_ERROR, (struct base_place){0},
                    "write it like tap:froth0 or udp:5000", "--network: '%.60s' is no network",
                    what);
    }
    return good;
}

static int open_tap(const struct where *where)
{
    const int line = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    memcpy(request.ifr_name, where->name, where->name_size);
    if (line >= 0 && ioctl(line, TUNSETIFF, &request) != 0) {
        const int problem = errno;
        (void)close(line);
        errno = problem;
        return -1;
    }
    return line;
}

static int open_socket(const struct where *where)
{
    const int line = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const struct sockaddr_in here = {.sin_family = AF_INET,
                                     .sin_port = htons((uint16_t)where->port),
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (line >= 0 && bind(line, (const struct sockaddr *)&here, sizeof here) != 0) {
        const int problem = errno;
        (void)close(line);
        errno = problem;
        return -1;
    }
    return line;
}

struct app_board_network *app_board_network_open(const char *what,
                                                 const struct base_diag_sink *sink)
{
    struct where where;
    struct app_board_network *network = calloc(1, sizeof *network);
    if (network == NULL || !read_where(what, &where)) {
        free(network);
        return NULL;
    }
    network->datagrams = where.datagrams;
    network->loss = (unsigned)where.loss;
    base_rng_seed(&network->chance, 1, 1);
    network->line = where.datagrams ? open_socket(&where) : open_tap(&where);
    if (network->line < 0) {
        base_report(sink, BASE_ERROR, (struct base_place){0},
                    where.datagrams
                        ? "another port may be free"
                        : "root makes one for you: ip tuntap add NAME mode tap user YOU",
                    "--network: %s: %s", what, strerror(errno));
        free(network);
        return NULL;
    }
    return network;
}

void app_board_network_close(struct app_board_network *network)
{
    if (network != NULL) {
        (void)close(network->line);
        free(network);
    }
}

/* ---- datagrams ---- */

static uint32_t host_ip(const struct app_board_network *network)
{
    const uint32_t net = network->board_ip & ~(uint32_t)UINT8_MAX;
    return (network->board_ip & UINT8_MAX) == HOST ? net + HOST + 1 : net + HOST;
}

/* Learns who the board is, and answers when it asks where the computer is. */
static void hear_arp(struct app_board_network *network, const uint8_t *frame)
{
    const uint8_t *arp = frame + HEAD;
    const uint32_t from = get32(arp + 14);
    if (from != 0) {
        memcpy(network->board, arp + 8, ADDRESS);
        network->board_ip = from;
    }
    if (get16(arp + 6) == ARP_REQUEST && get32(arp + 24) == host_ip(network) &&
        network->board_ip != 0) {
        uint8_t *answer = network->answer + HEAD;
        put_head(network->answer, network->board, host_address, TYPE_ARP);
        memcpy(answer, arp, 6);
        put16(answer + 6, ARP_REPLY);
        memcpy(answer + 8, host_address, ADDRESS);
        put32(answer + 14, host_ip(network));
        memcpy(answer + 18, arp + 8, ADDRESS + 4);
        network->asked = true;
    }
}

static void hear_datagram(struct app_board_network *network, const uint8_t *frame, size_t size)
{
    const uint8_t *ip = frame + HEAD;
    const uint8_t *udp = ip + IP_HEAD;
    if (ip[0] != 0x45 || ip[9] != UDP || get32(ip + 16) != host_ip(network)) {
        return;
    }
    const size_t client = get16(udp + 2) - (size_t)FIRST_PORT;
    const size_t count = get16(udp + 4);
    if (client < CLIENTS && count >= UDP_HEAD && HEAD + IP_HEAD + count <= size) {
        (void)sendto(network->line, udp + UDP_HEAD, count - UDP_HEAD, 0,
                     (const struct sockaddr *)&network->clients[client],
                     sizeof network->clients[client]);
    }
}

static size_t port_of(struct app_board_network *network, const struct sockaddr_in *client)
{
    for (size_t i = 0; i < CLIENTS; i++) {
        if (network->clients[i].sin_port == client->sin_port &&
            network->clients[i].sin_addr.s_addr == client->sin_addr.s_addr) {
            return FIRST_PORT + i;
        }
    }
    const size_t place = network->next_client;
    network->next_client = (place + 1) % CLIENTS;
    network->clients[place] = *client;
    return FIRST_PORT + place;
}

static size_t next_datagram(struct app_board_network *network)
{
    uint8_t bytes[BOARD_OSC_PACKET];
    struct sockaddr_in client;
    socklen_t length = sizeof client;
    if (network->asked) {
        network->asked = false;
        memcpy(network->frame, network->answer, sizeof network->answer);
        return sizeof network->answer;
    }
    const ssize_t count = recvfrom(network->line, bytes, sizeof bytes, MSG_TRUNC,
                                   (struct sockaddr *)&client, &length);
    if (count < 0 || (size_t)count > sizeof bytes || network->board_ip == 0) {
        return 0;
    }
    return app_board_datagram(network->frame, network->board, network->board_ip, host_ip(network),
                              (uint16_t)port_of(network, &client), bytes, (size_t)count);
}

/* ---- frames ---- */

static bool is_lost(struct app_board_network *network)
{
    return network->loss > 0 && base_rng_next(&network->chance) % 100 < network->loss;
}

void app_board_network_take(struct app_board_network *network, const uint8_t *bytes, size_t size)
{
    if (size < PREAMBLE + SHORTEST + CHECKSUM || size > APP_BOARD_WIRE) {
        return;
    }
    const uint8_t *frame = bytes + PREAMBLE;
    const size_t length = size - PREAMBLE - CHECKSUM;
    uint8_t good[APP_BOARD_WIRE];
    /* Whoever is at the other end of a cable takes no frame with another checksum. */
    if (app_board_wire(good, frame, length) != size || memcmp(good, bytes, size) != 0 ||
        is_lost(network)) {
        return;
    }
    if (!network->datagrams) {
        /* What the other end has no room for is lost, as on a cable. */
        const ssize_t written = write(network->line, frame, length);
        (void)written;
    } else if (get16(frame + 2 * ADDRESS) == TYPE_ARP) {
        hear_arp(network, frame);
    } else if (get16(frame + 2 * ADDRESS) == TYPE_IP) {
        hear_datagram(network, frame, length);
    }
}

/* Gets the next frame for the board, if there is none yet. */
static void fetch(struct app_board_network *network)
{
    while (!network->waits) {
        size_t size = 0;
        if (network->datagrams) {
            size = next_datagram(network);
        } else {
            const ssize_t got = read(network->line, network->frame, sizeof network->frame);
            size = got > 0 ? (size_t)got : 0;
        }
        if (size == 0) {
            return;
        }
        network->size = size;
        network->waits = size >= HEAD && !is_lost(network);
    }
}

bool app_board_network_run(struct app_board_network *network, struct board_twin *board,
                           uint64_t cycle)
{
    if (network == NULL) {
        return board_twin_run(board, cycle);
    }
    bool shown = false;
    board_twin_ethernet_plug(&board->ethernet, true);
    while (!shown && board->stop == BOARD_TWIN_RUNS && board->cpu.cycles < cycle) {
        const uint64_t now = board->cpu.cycles;
        uint64_t until = now + SLICE;
        fetch(network);
        if (network->waits && network->free_at <= now) {
            uint8_t wire[APP_BOARD_WIRE];
            const size_t size = app_board_wire(wire, network->frame, network->size);
            network->waits = !board_twin_packet(board, wire, size);
            network->free_at = board->ethernet.receiving ? board->ethernet.received_at + GAP : now;
            fetch(network);
        }
        if (network->waits && network->free_at > now && network->free_at < until) {
            until = network->free_at;
        }
        shown = board_twin_run(board, until < cycle ? until : cycle);
    }
    return shown;
}
