#define _DEFAULT_SOURCE /* getifaddrs, struct ip_mreq */

#include "app/light/network.h"

#include <arpa/inet.h>
#ifdef __linux__
#include <asm/socket.h>
#include <linux/sock_diag.h>
#endif
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/light/artnet.h"
#include "engine/light/sacn.h"

/* For what comes while the thread does not run; the system may give less. */
enum { RECEIVE_BUFFER = 1 << 20 };

static const uint16_t ports[APP_LIGHT_PROTOCOLS] = {
    [APP_LIGHT_ARTNET] = ENGINE_ARTNET_PORT,
    [APP_LIGHT_SACN] = ENGINE_SACN_PORT,
};

static const char *const names[APP_LIGHT_PROTOCOLS] = {
    [APP_LIGHT_ARTNET] = "Art-Net",
    [APP_LIGHT_SACN] = "sACN",
};

static struct in_addr in_addr_of(const uint8_t address[4])
{
    struct in_addr result;
    memcpy(&result.s_addr, address, 4);
    return result;
}

/* at: the address that it listens at, if it does. */
static int open_socket(struct app_light_network *network, enum app_light_protocol protocol,
                       bool listens, struct in_addr at)
{
    static const int yes = 1;
    static const int no = 0;
    static const int buffer = RECEIVE_BUFFER;
    const int socket_ = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    network->sockets[protocol] = socket_;
    if (socket_ < 0) {
        return -1;
    }
    int failed = setsockopt(socket_, SOL_SOCKET, SO_BROADCAST, &yes, sizeof yes);
    if (network->has_interface) {
        const struct in_addr own = in_addr_of(network->interface);
        failed |= setsockopt(socket_, IPPROTO_IP, IP_MULTICAST_IF, &own, sizeof own);
    }
    if (listens) {
        const struct sockaddr_in own = {
            .sin_family = AF_INET, .sin_port = htons(ports[protocol]), .sin_addr = at};
        failed |= setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        (void)setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
#ifdef IP_MULTICAST_ALL
        /* Groups that other programs of the machine have joined are theirs. */
        (void)setsockopt(socket_, IPPROTO_IP, IP_MULTICAST_ALL, &no, sizeof no);
#endif
        failed |= bind(socket_, (const struct sockaddr *)(const void *)&own, sizeof own);
    }
    (void)no;
    network->listens[protocol] = listens;
    return failed;
}

int app_light_network_open(struct app_light_network *network, const bool uses[APP_LIGHT_PROTOCOLS],
                           const bool listens[APP_LIGHT_PROTOCOLS], const uint8_t *interface,
                           const struct base_diag_sink *sink)
{
    const struct in_addr any = {0};
    *network = (struct app_light_network){.sockets = {-1, -1}, .has_interface = interface != NULL};
    if (interface != NULL) {
        memcpy(network->interface, interface, sizeof network->interface);
    }
    network->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    for (int p = 0; p < APP_LIGHT_PROTOCOLS; p++) {
        network->shared[p] = listens[p] && app_light_network_is_taken((enum app_light_protocol)p);
        if (network->shared[p]) {
            base_report(
                sink, BASE_WARNING, (struct base_place){0},
                "what is sent to this machine alone reaches one of the two; end the other one",
                "another program of this machine hears %s too", names[p]);
        }
        if (network->wake < 0 ||
            (uses[p] && open_socket(network, (enum app_light_protocol)p, listens[p], any) != 0)) {
            base_report(sink, BASE_ERROR, (struct base_place){0},
                        errno == EADDRNOTAVAIL || errno == ENODEV
                            ? "interface is an address of this machine"
                            : NULL,
                        "%s cannot be spoken: %s", names[p], strerror(errno));
            return -1;
        }
    }
    return 0;
}

int app_light_network_open_group(struct app_light_network *network, uint16_t universe)
{
    uint8_t group[4];
    engine_sacn_group(universe, group);
    *network = (struct app_light_network){.sockets = {-1, -1}, .wake = -1};
    return open_socket(network, APP_LIGHT_SACN, true, in_addr_of(group)) == 0 &&
                   app_light_network_join(network, universe)
               ? 0
               : -1;
}

bool app_light_network_is_taken(enum app_light_protocol protocol)
{
    const struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons(ports[protocol])};
    const int line = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool taken =
        line >= 0 && bind(line, (const struct sockaddr *)(const void *)&any, sizeof any) != 0;
    if (line >= 0) {
        (void)close(line);
    }
    return taken;
}

void app_light_network_close(struct app_light_network *network)
{
    for (int p = 0; p < APP_LIGHT_PROTOCOLS; p++) {
        if (network->sockets[p] >= 0) {
            (void)close(network->sockets[p]);
        }
    }
    if (network->wake >= 0) {
        (void)close(network->wake);
    }
}

/* The networks of this machine that are up: their own addresses, and those that reach all. */
static size_t list_networks(const struct app_light_network *network, unsigned flags,
                            uint8_t own[APP_LIGHT_NETWORKS][4], uint8_t all[APP_LIGHT_NETWORKS][4])
{
    struct ifaddrs *list = NULL;
    size_t count = 0;
    if (getifaddrs(&list) != 0) {
        return 0;
    }
    for (const struct ifaddrs *entry = list; entry != NULL && count < APP_LIGHT_NETWORKS;
         entry = entry->ifa_next) {
        struct sockaddr_in address;
        struct sockaddr_in mask;
        if (entry->ifa_addr == NULL || entry->ifa_addr->sa_family != AF_INET ||
            entry->ifa_netmask == NULL || (entry->ifa_flags & IFF_UP) == 0) {
            continue;
        }
        memcpy(&address, entry->ifa_addr, sizeof address);
        memcpy(&mask, entry->ifa_netmask, sizeof mask);
        const bool wanted =
            network->has_interface
                ? memcmp(&address.sin_addr.s_addr, network->interface, 4) == 0
                : (entry->ifa_flags & flags) == flags && (entry->ifa_flags & IFF_LOOPBACK) == 0;
        if (wanted) {
            const uint32_t last = address.sin_addr.s_addr | ~mask.sin_addr.s_addr;
            memcpy(own[count], &address.sin_addr.s_addr, 4);
            memcpy(all[count], &last, 4);
            count++;
        }
    }
    freeifaddrs(list);
    return count;
}

static void join(const struct app_light_network *network, uint16_t universe)
{
    uint8_t own[APP_LIGHT_NETWORKS][4];
    uint8_t all[APP_LIGHT_NETWORKS][4];
    uint8_t group[4];
    const size_t count = list_networks(network, IFF_MULTICAST, own, all);
    engine_sacn_group(universe, group);
    for (size_t i = 0; i < count; i++) {
        const struct ip_mreq wanted = {in_addr_of(group), in_addr_of(own[i])};
        /* Where it was joined already this does nothing. */
        (void)setsockopt(network->sockets[APP_LIGHT_SACN], IPPROTO_IP, IP_ADD_MEMBERSHIP, &wanted,
                         sizeof wanted);
    }
}

bool app_light_network_join(struct app_light_network *network, uint16_t universe)
{
    for (size_t i = 0; i < network->group_count; i++) {
        if (network->groups[i] == universe) {
            return true;
        }
    }
    if (network->group_count == APP_LIGHT_GROUPS || !network->listens[APP_LIGHT_SACN]) {
        return false;
    }
    network->groups[network->group_count++] = universe;
    join(network, universe);
    return true;
}

void app_light_network_rejoin(const struct app_light_network *network)
{
    for (size_t i = 0; i < network->group_count; i++) {
        join(network, network->groups[i]);
    }
}

void app_light_network_wait(const struct app_light_network *network, int milliseconds)
{
    struct pollfd wanted[APP_LIGHT_PROTOCOLS + 1];
    nfds_t count = 0;
    wanted[count++] = (struct pollfd){.fd = network->wake, .events = POLLIN};
    for (int p = 0; p < APP_LIGHT_PROTOCOLS; p++) {
        if (network->listens[p]) {
            wanted[count++] = (struct pollfd){.fd = network->sockets[p], .events = POLLIN};
        }
    }
    uint64_t woken;
    if (poll(wanted, count, milliseconds) > 0 && wanted[0].revents != 0) {
        const ssize_t got = read(network->wake, &woken, sizeof woken);
        (void)got;
    }
}

void app_light_network_wake(const struct app_light_network *network)
{
    static const uint64_t one = 1;
    const ssize_t written = write(network->wake, &one, sizeof one);
    (void)written;
}

size_t app_light_network_receive(const struct app_light_network *network,
                                 enum app_light_protocol protocol, uint8_t *bytes, size_t room,
                                 uint8_t from[4])
{
    struct sockaddr_in sender = {0};
    socklen_t size = sizeof sender;
    if (!network->listens[protocol]) {
        return 0;
    }
    const ssize_t got = recvfrom(network->sockets[protocol], bytes, room, MSG_DONTWAIT,
                                 (struct sockaddr *)(void *)&sender, &size);
    memcpy(from, &sender.sin_addr.s_addr, 4);
    return got > 0 ? (size_t)got : 0;
}

uint32_t app_light_network_lost(const struct app_light_network *network)
{
    uint32_t lost = 0;
#ifdef SO_MEMINFO
    for (int p = 0; p < APP_LIGHT_PROTOCOLS; p++) {
        uint32_t facts[SK_MEMINFO_VARS] = {0};
        socklen_t size = sizeof facts;
        if (network->listens[p] &&
            getsockopt(network->sockets[p], SOL_SOCKET, SO_MEMINFO, facts, &size) == 0) {
            lost += facts[SK_MEMINFO_DROPS];
        }
    }
#else
    (void)network;
#endif
    return lost;
}

int app_light_network_send(const struct app_light_network *network,
                           enum app_light_protocol protocol, const uint8_t to[4],
                           const uint8_t *bytes, size_t size)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(ports[protocol]), .sin_addr = in_addr_of(to)};
    const ssize_t sent = sendto(network->sockets[protocol], bytes, size, MSG_DONTWAIT,
                                (const struct sockaddr *)(const void *)&address, sizeof address);
    return sent < 0 ? errno : 0;
}

void app_light_network_poll(const struct app_light_network *network)
{
    uint8_t bytes[ENGINE_ARTNET_PACKET];
    uint8_t own[APP_LIGHT_NETWORKS][4];
    uint8_t to[APP_LIGHT_NETWORKS][4];
    const size_t size = engine_artnet_write_poll(bytes);
    const size_t count = list_networks(network, IFF_BROADCAST, own, to);
    for (size_t i = 0; i < count; i++) {
        (void)app_light_network_send(network, APP_LIGHT_ARTNET, to[i], bytes, size);
    }
}

void app_light_network_own(const uint8_t other[4], uint8_t address[4])
{
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons(ENGINE_ARTNET_PORT),
                                   .sin_addr = in_addr_of(other)};
    struct sockaddr_in own = {0};
    socklen_t size = sizeof own;
    const int line = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (line >= 0) {
        if (connect(line, (const struct sockaddr *)(const void *)&to, sizeof to) == 0) {
            (void)getsockname(line, (struct sockaddr *)(void *)&own, &size);
        }
        (void)close(line);
    }
    memcpy(address, &own.sin_addr.s_addr, 4);
}
