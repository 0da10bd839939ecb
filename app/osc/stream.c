#include "app/osc/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 16 };

/* What a connection holds, of its own memory. */
struct bytes {
    struct app_osc_framing framing; /* of what came */
    uint8_t out[APP_OSC_UNSENT];
    _Alignas(8) uint8_t packet[APP_OSC_PACKET];
};

struct stream {
    int socket; /* -1: there is none */
    bool ends;  /* with the next turn */
    bool more;  /* bytes came that are not looked at yet */
    double heard;
    size_t unsent; /* bytes of `out` */
    struct bytes *bytes;
};

struct app_osc_streams {
    struct app_osc_stream_taker taker;
    int socket;
    unsigned turn; /* that is served first */
    struct stream streams[APP_OSC_STREAMS];
};

/* ---- beginning and end ---- */

static int listen_of(int family, unsigned port)
{
    const int on = 1;
    const int off = 0;
    struct sockaddr_in six_no = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    const bool is_six = family == AF_INET6;
    const int listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) {
        return -1;
    }
    (void)setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (is_six) {
        (void)setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    }
    const void *address = is_six ? (const void *)&six : (const void *)&six_no;
    if (bind(listener, address, is_six ? sizeof six : sizeof six_no) == 0 &&
        listen(listener, BACKLOG) == 0) {
        return listener;
    }
    const int wrong = errno;
    (void)close(listener);
    errno = wrong;
    return -1;
}

struct app_osc_streams *app_osc_streams_open(unsigned port,
                                             const struct app_osc_stream_taker *taker)
{
    struct app_osc_streams *streams = calloc(1, sizeof *streams);
    if (streams == NULL) {
        return NULL;
    }
    streams->taker = *taker;
    for (unsigned i = 0; i < APP_OSC_STREAMS; i++) {
        streams->streams[i].socket = -1;
    }
    streams->socket = listen_of(AF_INET6, port);
    if (streams->socket < 0 && errno != EADDRINUSE) {
        streams->socket = listen_of(AF_INET, port);
    }
    if (streams->socket < 0) {
        const int wrong = errno;
        free(streams);
        errno = wrong;
        return NULL;
    }
    return streams;
}

static void drop(struct stream *stream)
{
    if (stream->socket >= 0) {
        (void)close(stream->socket);
    }
    free(stream->bytes);
    *stream = (struct stream){.socket = -1};
}

void app_osc_streams_close(struct app_osc_streams *streams)
{
    if (streams != NULL) {
        for (unsigned i = 0; i < APP_OSC_STREAMS; i++) {
            drop(&streams->streams[i]);
        }
        (void)close(streams->socket);
        free(streams);
    }
}

static void end(struct app_osc_streams *streams, unsigned number)
{
    drop(&streams->streams[number]);
    streams->taker.ended(streams->taker.user, number);
}

/* ---- what goes out ---- */

static void flush(struct stream *stream)
{
    while (stream->unsent > 0 && !stream->ends) {
        const ssize_t sent = send(stream->socket, stream->bytes->out, stream->unsent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            stream->ends = errno != EAGAIN && errno != EWOULDBLOCK;
            return;
        }
        stream->unsent -= (size_t)sent;
        memmove(stream->bytes->out, stream->bytes->out + sent, stream->unsent);
    }
}

bool app_osc_streams_send(struct app_osc_streams *streams, unsigned number, const uint8_t *packet,
                          size_t size)
{
    struct stream *stream = &streams->streams[number];
    if (stream->socket < 0 || stream->ends) {
        return false;
    }
    const bool is_slip = stream->bytes->framing.is_slip;
    if (size > APP_OSC_PACKET ||
        app_osc_framing_size(is_slip, size) > APP_OSC_UNSENT - stream->unsent) {
        stream->ends = true;
        return false;
    }
    stream->unsent +=
        app_osc_framing_write(is_slip, packet, size, stream->bytes->out + stream->unsent);
    flush(stream);
    return !stream->ends;
}

/* ---- what comes in ---- */

static void receive(struct stream *stream)
{
    struct app_osc_framing *framing = &stream->bytes->framing;
    size_t room;
    uint8_t *to = app_osc_framing_room(framing, &room);
    while (room > 0 && !stream->ends) {
        const ssize_t got = recv(stream->socket, to, room, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            stream->ends = got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
            return;
        }
        app_osc_framing_came(framing, (size_t)got);
        to = app_osc_framing_room(framing, &room);
    }
}

/* Reads, and hands over at most so many packets; those that came before the end as well. */
static unsigned serve(struct app_osc_streams *streams, unsigned number, double now, unsigned most)
{
    struct stream *stream = &streams->streams[number];
    unsigned count = 0;
    flush(stream);
    receive(stream);
    const bool closed = stream->ends;
    stream->ends = false;
    stream->more = false;
    while (count < most && !stream->ends) {
        const size_t size = app_osc_framing_next(&stream->bytes->framing, stream->bytes->packet);
        stream->ends = stream->ends || stream->bytes->framing.wrong;
        count += size > 0 || stream->ends;
        if (size == 0) {
            break;
        }
        stream->heard = now;
        streams->taker.take(streams->taker.user, number, stream->bytes->packet, size);
    }
    stream->more = count == most;
    stream->ends = stream->ends || (closed && !stream->more);
    return count;
}

/* The number of a connection that has room, or makes it. */
static unsigned room(struct app_osc_streams *streams)
{
    unsigned worst = 0;
    for (unsigned i = 0; i < APP_OSC_STREAMS; i++) {
        if (streams->streams[i].socket < 0) {
            return i;
        }
        const bool keeps = streams->taker.keeps(streams->taker.user, i);
        const bool worst_keeps = streams->taker.keeps(streams->taker.user, worst);
        const bool longer = streams->streams[i].heard < streams->streams[worst].heard;
        worst = (worst_keeps && !keeps) || (keeps == worst_keeps && longer) ? i : worst;
    }
    end(streams, worst);
    return worst;
}

static void accept_all(struct app_osc_streams *streams, double now)
{
    const int on = 1;
    for (int i = 0; i < BACKLOG; i++) {
        const int socket = accept(streams->socket, NULL, NULL);
        if (socket < 0) {
            return;
        }
        (void)fcntl(socket, F_SETFD, FD_CLOEXEC);
        (void)fcntl(socket, F_SETFL, O_NONBLOCK);
        struct bytes *bytes = malloc(sizeof *bytes);
        if (bytes == NULL) {
            (void)close(socket);
            return;
        }
        app_osc_framing_begin(&bytes->framing);
        (void)setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        streams->streams[room(streams)] =
            (struct stream){.socket = socket, .heard = now, .bytes = bytes};
    }
}

unsigned app_osc_streams_serve(struct app_osc_streams *streams, double now, unsigned most)
{
    unsigned count = 0;
    accept_all(streams, now);
    streams->turn++;
    for (unsigned i = 0; i < APP_OSC_STREAMS; i++) {
        const unsigned number = (streams->turn + i) % APP_OSC_STREAMS;
        struct stream *stream = &streams->streams[number];
        if (stream->socket >= 0 && !stream->ends) {
            count += serve(streams, number, now, most - count);
        }
        if (stream->socket >= 0 && stream->ends) {
            end(streams, number);
        }
    }
    return count;
}

static bool is_full(const struct stream *stream)
{
    return stream->bytes->framing.read == APP_OSC_FRAMED;
}

size_t app_osc_streams_poll(const struct app_osc_streams *streams, struct pollfd *to)
{
    size_t count = 0;
    to[count++] = (struct pollfd){.fd = streams->socket, .events = POLLIN};
    for (unsigned i = 0; i < APP_OSC_STREAMS; i++) {
        const struct stream *stream = &streams->streams[i];
        const bool full = stream->more && is_full(stream);
        if (stream->socket >= 0) {
            to[count++] = (struct pollfd){
                .fd = stream->socket,
                .events = (short)((full ? 0 : POLLIN) | (stream->unsent > 0 ? POLLOUT : 0))};
        }
    }
    return count;
}

unsigned app_osc_streams_count(const struct app_osc_streams *streams)
{
    unsigned count = 0;
    for (unsigned i = 0; i < APP_OSC_STREAMS; i++) {
        count += streams->streams[i].socket >= 0;
    }
    return count;
}
