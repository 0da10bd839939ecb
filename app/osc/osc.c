/* Open Sound Control over UDP and TCP: who sends, and who is answered. This file alone knows liblo;
 * built without it, froth has no such source. */
#include "app/osc/osc.h"

#ifdef FROTH_LO

#include <errno.h>
#include <math.h>
#ifdef __linux__
#include <asm/socket.h>
#include <linux/sock_diag.h>
#endif
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "app/osc/address.h"
#include "app/osc/stream.h"
#include "base/os/thread.h"
#include "late/lo.h"

enum {
    SENDERS = APP_OSC_CLIENTS - APP_OSC_STREAMS, /* clients over UDP; those over TCP follow */
    HOST = 64,
    PORT = 16,
    WRONG = 56,
    RECEIVE_BUFFER = 1 << 20,
    BUSY_MS = 4, /* between two looks at what is due */
    IDLE_MS = 40,
    SEND_MS = 50,  /* that a client may keep an answer waiting */
    PACKETS = 160, /* that are read in BUSY_MS, at most */
    NICE = 5,
};

/* Somebody who sends over UDP; none where there is no address. */
struct client {
    lo_address address;
    char host[HOST];
    char port[PORT];
    double heard; /* clock */
};

/* Answers for a host go to this port of it, not to the one that it sends from. */
struct reply {
    char host[HOST];
    char port[PORT];
};

struct source {
    struct app_inlet *inlet;
    struct base_diag_sink sink;
    struct app_osc *osc;
    lo_server udp;
    struct app_osc_streams *tcp;
    int stream; /* that the packet came by; -1: over UDP */
    struct client clients[SENDERS];
    unsigned client_count;
    struct reply replies[SENDERS];
    size_t reply_next;   /* that is written over */
    unsigned understood; /* packets of which something was taken */
    char wrong[WRONG];   /* what was refused last, and why */
    uint32_t lost;       /* datagrams, as the system counts them */
    uint64_t port;
    bool has_thread;
    pthread_t thread;
    atomic_bool ends;
};

static void say(struct source *source)
{
    char text[APP_INLET_STATUS];
    const unsigned count =
        source->client_count + (source->tcp != NULL ? app_osc_streams_count(source->tcp) : 0);
    (void)snprintf(text, sizeof text, "port %u; %u sender%s%s%s", (unsigned)source->port, count,
                   count == 1 ? "" : "s", source->wrong[0] != '\0' ? "; " : "", source->wrong);
    app_inlet_say(source->inlet, text);
}

static void say_to_operator(void *user, const char *text)
{
    const struct source *source = user;
    base_report(&source->sink, BASE_NOTE, (struct base_place){0}, NULL, "osc: %s", text);
}

/* ---- answers ---- */

static lo_message message_of(const struct app_osc_value *values, size_t count)
{
    lo_message message = lo_message_new();
    for (size_t i = 0; message != NULL && i < count; i++) {
        if (values[i].type == 's') {
            (void)lo_message_add_string(message, values[i].text);
        } else if (values[i].type == 'i') {
            (void)lo_message_add_int32(message, (int32_t)values[i].number);
        } else {
            (void)lo_message_add_float(message, (float)values[i].number);
        }
    }
    return message;
}

static bool send_over_tcp(struct source *source, unsigned stream, const char *address,
                          lo_message message)
{
    size_t size = 0;
    void *packet = lo_message_serialise(message, address, NULL, &size);
    const bool sent = packet != NULL && app_osc_streams_send(source->tcp, stream, packet, size);
    free(packet);
    return sent;
}

static bool send_answer(void *user, unsigned client, const char *address,
                        const struct app_osc_value *values, size_t count)
{
    struct source *source = user;
    if (strcmp(address, "/error") == 0) {
        (void)snprintf(source->wrong, sizeof source->wrong, "%s", values[0].text);
        say(source);
    }
    lo_message message = message_of(values, count);
    bool sent = false;
    if (message != NULL && client >= SENDERS) {
        sent = send_over_tcp(source, client - SENDERS, address, message);
    } else if (message != NULL && source->clients[client].address != NULL) {
        sent = lo_send_message_from(source->clients[client].address, source->udp, address,
                                    message) > 0;
    }
    if (message != NULL) {
        lo_message_free(message);
    }
    return sent;
}

/* ---- messages ---- */

/* NULL: there is none. */
static struct reply *reply_of(struct source *source, const char *host)
{
    for (size_t i = 0; i < SENDERS; i++) {
        if (strcmp(source->replies[i].host, host) == 0) {
            return &source->replies[i];
        }
    }
    return NULL;
}

/* /reply PORT; 0: to where it comes from, as at first. */
static void set_reply(struct source *source, lo_address from, const struct app_osc_value *values,
                      size_t count)
{
    const char *host = lo_address_get_hostname(from);
    const double port = count == 1 && values[0].text == NULL ? values[0].number : -1;
    if (host == NULL || host[0] == '\0' || strlen(host) >= HOST || !(port >= 0 && port <= 65535)) {
        app_inlet_refuse(source->inlet);
        return;
    }
    struct reply *reply = reply_of(source, host);
    if (reply == NULL) {
        reply = &source->replies[source->reply_next++ % SENDERS];
    }
    *reply = (struct reply){.host = ""};
    if (port > 0) {
        (void)snprintf(reply->host, sizeof reply->host, "%s", host);
        (void)snprintf(reply->port, sizeof reply->port, "%u", (unsigned)port);
    }
}

/* The number of who sends; the one who was silent for longest makes room, unless he subscribes. */
static unsigned client_of(struct source *source, lo_address from, double now)
{
    const char *host = lo_address_get_hostname(from);
    const struct reply *reply = host != NULL ? reply_of(source, host) : NULL;
    const char *port = reply != NULL ? reply->port : lo_address_get_port(from);
    unsigned oldest = 0;
    for (unsigned i = 0; i < SENDERS && host != NULL && port != NULL; i++) {
        struct client *client = &source->clients[i];
        if (client->address != NULL && strcmp(client->host, host) == 0 &&
            strcmp(client->port, port) == 0) {
            client->heard = now;
            return i;
        }
        const struct client *before = &source->clients[oldest];
        const bool keeps = app_osc_subscribes(source->osc, oldest);
        const bool is_kept = app_osc_subscribes(source->osc, i);
        if ((keeps && !is_kept) || (keeps == is_kept && client->heard < before->heard)) {
            oldest = i;
        }
    }
    struct client *client = &source->clients[oldest];
    app_osc_forget(source->osc, oldest);
    if (client->address != NULL) {
        lo_address_free(client->address);
    } else {
        source->client_count++;
    }
    *client = (struct client){.heard = now};
    if (host != NULL && port != NULL && strlen(host) < HOST && strlen(port) < PORT) {
        (void)snprintf(client->host, sizeof client->host, "%s", host);
        (void)snprintf(client->port, sizeof client->port, "%s", port);
        client->address = lo_address_new(client->host, client->port);
    }
    source->client_count -= client->address == NULL;
    say(source);
    return oldest;
}

/* The number that its shortest digits stand for, so that 1.05 is 1.05 in a recording too. */
static double plain_number(float value)
{
    enum { DIGITS_LEAST = 6, DIGITS_MOST = 9 };
    for (int digits = DIGITS_LEAST; isfinite(value) && digits <= DIGITS_MOST; digits++) {
        char text[32];
        (void)snprintf(text, sizeof text, "%.*g", digits, (double)value);
        const double number = strtod(text, NULL);
        if ((float)number == value) {
            return number;
        }
    }
    return (double)value;
}

static struct app_osc_value value_of(char type, const lo_arg *argument)
{
    struct app_osc_value value = {.type = type};
    switch (type) {
    case 'i':
        value.number = argument->i;
        break;
    case 'h':
        value = (struct app_osc_value){'i', (double)argument->h, NULL};
        break;
    case 'f':
        value.number = plain_number(argument->f);
        break;
    case 'd':
        value = (struct app_osc_value){'f', argument->d, NULL};
        break;
    case 's':
    case 'S':
        value = (struct app_osc_value){'s', 0, &argument->s};
        break;
    case 'T':
        value.number = 1;
        break;
    case 'm': /* a byte for the port, and three of a message */
        value.number = argument->m[1] << 16 | argument->m[2] << 8 | argument->m[3];
        break;
    default:
        break;
    }
    return value;
}

static int hear(const char *address, const char *types, lo_arg **arguments, int count,
                lo_message message, void *user)
{
    struct source *source = user;
    const double now = base_clock_seconds();
    const lo_timetag time = lo_message_get_timestamp(message);
    const bool at_once = time.sec == LO_TT_IMMEDIATE.sec && time.frac == LO_TT_IMMEDIATE.frac;
    const bool streams = source->stream >= 0;
    lo_address from = streams ? NULL : lo_message_get_source(message);
    struct app_osc_value values[APP_OSC_ARGUMENTS];
    double due = now;
    source->understood++;
    if (from == NULL && !streams) {
        return 0;
    }
    if (!at_once) {
        lo_timetag clock;
        lo_timetag_now(&clock);
        due = now + lo_timetag_diff(time, clock);
    }
    const size_t looked = count < APP_OSC_ARGUMENTS ? (size_t)count : APP_OSC_ARGUMENTS;
    for (size_t i = 0; i < looked; i++) {
        values[i] = value_of(types[i], arguments[i]);
    }
    if (strcmp(address, "/reply") == 0 && !streams) {
        set_reply(source, from, values, looked);
        return 0;
    }
    const unsigned client =
        streams ? SENDERS + (unsigned)source->stream : client_of(source, from, now);
    app_osc_hear(source->osc, client, address, values, looked, now, due);
    return 0;
}

/* Over TCP. */
static void take_packet(void *user, unsigned stream, uint8_t *packet, size_t size)
{
    struct source *source = user;
    const unsigned before = source->understood;
    source->stream = (int)stream;
    (void)lo_server_dispatch_data(source->udp, packet, size);
    source->stream = -1;
    if (source->understood == before) {
        app_inlet_refuse(source->inlet);
    }
}

static void end_stream(void *user, unsigned stream)
{
    struct source *source = user;
    app_osc_forget(source->osc, SENDERS + stream);
}

static bool keeps_stream(void *user, unsigned stream)
{
    const struct source *source = user;
    return app_osc_subscribes(source->osc, SENDERS + stream);
}

/* ---- the thread ---- */

static bool listen_at(struct source *source)
{
    const struct app_osc_stream_taker taker = {source, take_packet, end_stream, keeps_stream};
    const struct timeval patience = {.tv_usec = SEND_MS * 1000};
    const int buffer = RECEIVE_BUFFER;
    char port[PORT];
    (void)snprintf(port, sizeof port, "%u", (unsigned)source->port);
    source->udp = lo_server_new_with_proto(port, LO_UDP, NULL);
    if (source->udp == NULL) {
        return false;
    }
    const int socket = lo_server_get_socket_fd(source->udp);
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    (void)setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    (void)setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    (void)lo_server_max_msg_size(source->udp, APP_OSC_PACKET);
    /* Bundles wait in app_osc, which keeps so many and no more. */
    (void)lo_server_enable_queue(source->udp, 0, 1);
    (void)lo_server_add_method(source->udp, NULL, NULL, hear, source);
    source->tcp = app_osc_streams_open((unsigned)source->port, &taker);
    return source->tcp != NULL;
}

/* Datagrams that the system had to drop, since they came faster than they are read. */
static void count_lost(struct source *source)
{
#ifdef SO_MEMINFO
    uint32_t facts[SK_MEMINFO_VARS] = {0};
    socklen_t size = sizeof facts;
    const int socket = lo_server_get_socket_fd(source->udp);
    if (getsockopt(socket, SOL_SOCKET, SO_MEMINFO, facts, &size) == 0) {
        app_inlet_lose(source->inlet, facts[SK_MEMINFO_DROPS] - source->lost);
        source->lost = facts[SK_MEMINFO_DROPS];
    }
#else
    (void)source;
#endif
}

/* Datagrams that are there, at most so many; returns how many. */
static unsigned receive(struct source *source, unsigned most)
{
    unsigned count = 0;
    while (count < most) {
        const unsigned before = source->understood;
        if (lo_server_recv_noblock(source->udp, 0) <= 0) {
            break;
        }
        count++;
        if (source->understood == before) {
            app_inlet_refuse(source->inlet);
        }
    }
    return count;
}

/* Waits until something comes. */
static void wait_for_packets(const struct source *source, int milliseconds)
{
    struct pollfd waits[APP_OSC_STREAMS + 2] = {
        {.fd = lo_server_get_socket_fd(source->udp), .events = POLLIN}};
    const size_t count = 1 + app_osc_streams_poll(source->tcp, waits + 1);
    (void)poll(waits, count, milliseconds);
}

/* The show comes first where there is not enough of the processor for both; a flood costs no more
 * of it than so many packets do, and what else comes the system drops, or keeps waiting. */
static void *serve(void *user)
{
    static const double seldom = 1; /* seconds between two counts */
    static const double busy = BUSY_MS / 1000.0;
    struct source *source = user;
    double ticked = 0;
    double counted = 0;
    unsigned streams = 0;
    unsigned read = 0;                        /* packets since `ticked` */
    (void)setpriority(PRIO_PROCESS, 0, NICE); /* on Linux: of this thread */
    while (!atomic_load(&source->ends)) {
        if (read == 0) {
            wait_for_packets(source, app_osc_waits(source->osc) ? BUSY_MS : IDLE_MS);
        }
        const unsigned half = PACKETS / 2; /* so that neither way keeps the other waiting */
        const unsigned datagrams = receive(source, half);
        const double now = base_clock_seconds();
        const unsigned packets = app_osc_streams_serve(source->tcp, now, half);
        read = datagrams == half || packets == half ? read + datagrams + packets : 0;
        if (read >= PACKETS) {
            base_clock_sleep_until(ticked + busy);
            read = 0;
        }
        if (now - ticked >= busy) {
            ticked = base_clock_seconds();
            app_osc_tick(source->osc, ticked);
        }
        if (app_osc_streams_count(source->tcp) != streams) {
            streams = app_osc_streams_count(source->tcp);
            say(source);
        }
        if (now - counted >= seldom) {
            counted = now;
            count_lost(source);
        }
    }
    return NULL;
}

static void stop(void *state)
{
    struct source *source = state;
    atomic_store(&source->ends, true);
    if (source->has_thread) {
        (void)pthread_join(source->thread, NULL);
    }
    if (source->udp != NULL) {
        lo_server_free(source->udp);
    }
    app_osc_streams_close(source->tcp);
    for (unsigned i = 0; i < SENDERS; i++) {
        if (source->clients[i].address != NULL) {
            lo_address_free(source->clients[i].address);
        }
    }
    app_osc_free(source->osc);
    free(source);
}

static int start(void **state, struct app_inlet *inlet, const struct app_options *options,
                 const struct base_diag_sink *sink)
{
    static const struct base_place nowhere = {0};
    if (options->osc == 0) {
        return 0;
    }
    const char *lacks = base_late_load(&late_lo);
    if (lacks != NULL) {
        base_report(sink, BASE_WARNING, nowhere, NULL, "there is no Open Sound Control: %s", lacks);
        app_inlet_say(inlet, lacks);
        return 0;
    }
    struct source *source = calloc(1, sizeof *source);
    if (source == NULL) {
        base_report(sink, BASE_ERROR, nowhere, NULL, "not enough memory");
        return -1;
    }
    *state = source;
    source->inlet = inlet;
    source->port = options->osc;
    source->stream = -1;
    source->sink = *sink;
    const struct app_osc_out out = {source, send_answer, say_to_operator};
    source->osc = app_osc_create(inlet, &out);
    errno = 0;
    if (source->osc == NULL || !listen_at(source)) {
        char text[APP_INLET_STATUS];
        (void)snprintf(text, sizeof text, "cannot listen at port %u: %s", (unsigned)source->port,
                       errno != 0 ? strerror(errno) : "it cannot be had");
        base_report(sink, BASE_WARNING, nowhere,
                    "another program may listen there; take another port with --osc", "%s", text);
        app_inlet_say(inlet, text);
        stop(source);
        *state = NULL;
        return 0;
    }
    say(source);
    source->has_thread = pthread_create(&source->thread, NULL, serve, source) == 0;
    if (!source->has_thread) {
        base_report(sink, BASE_ERROR, nowhere, NULL, "a thread cannot be started");
        return -1;
    }
    return 0;
}

const struct app_source_way app_source_osc = {start, NULL, stop};

#else

static int start(void **state, struct app_inlet *inlet, const struct app_options *options,
                 const struct base_diag_sink *sink)
{
    (void)state;
    (void)inlet;
    if (options->osc == 0) {
        return 0;
    }
    base_report(sink, BASE_WARNING, (struct base_place){0},
                "build it with liblo (Debian: apt install liblo-dev)",
                "this froth has no Open Sound Control");
    return 0;
}

const struct app_source_way app_source_osc = {start, NULL, NULL};

#endif
