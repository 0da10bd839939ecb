#define _GNU_SOURCE /* accept4, IFF_UP */

#include "app/remote/network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 64 };

union address {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    struct sockaddr_storage storage;
};

/* A socket that listens; -1 with errno if it cannot be had. */
static int listen_at(int family, bool open, unsigned port)
{
    const int on = 1;
    union address at = {.any = {.sa_family = (sa_family_t)family}};
    socklen_t size = sizeof at.four;
    if (family == AF_INET) {
        at.four.sin_port = htons((in_port_t)port);
        at.four.sin_addr.s_addr = htonl(open ? INADDR_ANY : INADDR_LOOPBACK);
    } else {
        at.six.sin6_port = htons((in_port_t)port);
        at.six.sin6_addr = open ? in6addr_any : in6addr_loopback;
        size = sizeof at.six;
    }
    const int made = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (made < 0) {
        return -1;
    }
    (void)setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if ((family == AF_INET6 && setsockopt(made, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) != 0) ||
        bind(made, &at.any, size) != 0 || listen(made, BACKLOG) != 0) {
        const int error = errno;
        (void)close(made);
        errno = error;
        return -1;
    }
    return made;
}

int app_remote_listen(bool open, unsigned port, int listeners[APP_REMOTE_LISTENERS], size_t *count)
{
    static const int families[APP_REMOTE_LISTENERS] = {AF_INET, AF_INET6};
    *count = 0;
    for (size_t i = 0; i < APP_REMOTE_LISTENERS; i++) {
        const int made = listen_at(families[i], open, port);
        if (made >= 0) {
            listeners[(*count)++] = made;
        } else if (families[i] == AF_INET || errno == EADDRINUSE || errno == EACCES) {
            return -1;
        }
    }
    return 0;
}

int app_remote_accept(int listener)
{
    return accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

bool app_remote_find_place(int connection, struct app_remote_place *place)
{
    union address here;
    union address there;
    socklen_t here_size = sizeof here;
    socklen_t there_size = sizeof there;
    char text[INET6_ADDRSTRLEN];
    if (getsockname(connection, &here.any, &here_size) != 0 ||
        getpeername(connection, &there.any, &there_size) != 0 ||
        here.any.sa_family != there.any.sa_family) {
        return false;
    }
    if (here.any.sa_family == AF_INET) {
        uint8_t own[4];
        uint8_t other[4];
        memcpy(own, &here.four.sin_addr, sizeof own);
        memcpy(other, &there.four.sin_addr, sizeof other);
        place->own = own[0] == IN_LOOPBACKNET;
        place->from = app_gate_address_four(other);
        return inet_ntop(AF_INET, own, place->address, sizeof place->address) != NULL;
    }
    if (here.any.sa_family != AF_INET6 ||
        inet_ntop(AF_INET6, &here.six.sin6_addr, text, sizeof text) == NULL) {
        return false;
    }
    place->own = IN6_IS_ADDR_LOOPBACK(&here.six.sin6_addr);
    place->from = app_gate_address_six(there.six.sin6_addr.s6_addr);
    (void)snprintf(place->address, sizeof place->address, "[%s]", text);
    return true;
}

bool app_remote_find_address(char *text, size_t size)
{
    struct ifaddrs *all = NULL;
    bool found = false;
    if (getifaddrs(&all) != 0) {
        return false;
    }
    for (const struct ifaddrs *one = all; one != NULL && !found; one = one->ifa_next) {
        struct sockaddr_in four;
        if (one->ifa_addr != NULL && one->ifa_addr->sa_family == AF_INET &&
            (one->ifa_flags & IFF_LOOPBACK) == 0 && (one->ifa_flags & IFF_UP) != 0) {
            memcpy(&four, one->ifa_addr, sizeof four);
            found = inet_ntop(AF_INET, &four.sin_addr, text, (socklen_t)size) != NULL;
        }
    }
    freeifaddrs(all);
    return found;
}
