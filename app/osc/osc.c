/* Open Sound Control over UDP and TCP: who sends, and who is answered. This file alone knows liblo;
 * built without it, froth has no such source. */
#include "app/osc/osc.h"

#ifdef FROTH_LIBLO

#include <errno.h>
#include <lo/lo.h>
#include <netinet/in.h>
#ifdef __linux__
#include <asm/socket.h>
#include <linux/sock_diag.h>
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "app/osc/address.h"
#include "base/os/thread.h"

enum {
    STREAM = 0, /* the client that stands for whoever is answered over TCP */
    HOST = 64,
    PORT = 16,
    PACKET = 65536,
    RECEIVE_BUFFER = 1 << 20,
    STREAMS_MOST = 64, /* connections over TCP */
    DESCRIPTORS = 4096,
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
    struct app_osc *osc;
    lo_server udp;
    lo_server tcp;
    lo_message message; /* that is answered now */
    struct client clients[APP_OSC_CLIENTS];
    unsigned client_count;
    struct reply replies[APP_OSC_CLIENTS];
    size_t reply_next;   /* that is written over */
    unsigned understood; /* packets of which something was taken */
    uint32_t lost;       /* datagrams, as the system counts them */
    uint64_t port;
    bool has_thread;
    pthread_t thread;
    atomic_bool ends;
};

static void say(struct source *source, const char *more)
{
    char text[APP_INLET_STATUS];
    (void)snprintf(text, sizeof text, "port %u, UDP and TCP; %u sender%s%s", (unsigned)source->port,
                   source->client_count, source->client_count == 1 ? "" : "s", more);
    app_inlet_say(source->inlet, text);
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

static bool send_answer(void *user, unsigned client, const char *address,
                        const struct app_osc_value *values, size_t count)
{
    struct source *source = user;
    lo_address to =
        client == STREAM ? lo_message_get_source(source->message) : source->clients[client].address;
    lo_message message = to != NULL ? message_of(values, count) : NULL;
    const bool sent =
        message != NULL && lo_send_message_from(to, client == STREAM ? source->tcp : source->udp,
                                                address, message) > 0;
    if (message != NULL) {
        lo_message_free(message);
    }
    return sent;
}

/* ---- messages ---- */

/* NULL: there is none. */
static struct reply *reply_of(struct source *source, const char *host)
{
    for (size_t i = 0; i < APP_OSC_CLIENTS; i++) {
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
        reply = &source->replies[source->reply_next++ % APP_OSC_CLIENTS];
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
    unsigned oldest = STREAM + 1;
    for (unsigned i = STREAM + 1; i < APP_OSC_CLIENTS && host != NULL && port != NULL; i++) {
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
    say(source, "");
    return oldest;
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
        value.number = (double)argument->f;
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
    lo_address from = lo_message_get_source(message);
    const bool streams = from != NULL && lo_address_get_protocol(from) == LO_TCP;
    struct app_osc_value values[APP_OSC_ARGUMENTS];
    double due = now;
    source->understood++;
    if (from == NULL) {
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
    source->message = message;
    app_osc_hear(source->osc, streams ? STREAM : client_of(source, from, now), streams, address,
                 values, looked, now, due);
    source->message = NULL;
    return 0;
}

/* ---- the thread ---- */

static lo_server listen_at(struct source *source, int protocol)
{
    const struct timeval patience = {.tv_usec = SEND_MS * 1000};
    const int buffer = RECEIVE_BUFFER;
    char port[PORT];
    (void)snprintf(port, sizeof port, "%u", (unsigned)source->port);
    lo_server server = lo_server_new_with_proto(port, protocol, NULL);
    if (server == NULL) {
        return NULL;
    }
    /* What is accepted has these as well. */
    const int socket = lo_server_get_socket_fd(server);
    (void)setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    (void)setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (protocol == LO_UDP) {
        (void)setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    }
    (void)lo_server_max_msg_size(server, PACKET);
    /* Bundles wait in app_osc, which keeps so many and no more. */
    (void)lo_server_enable_queue(server, 0, 1);
    (void)lo_server_add_method(server, NULL, NULL, hear, source);
    return server;
}

/* Connections to this port that are open: sockets that have a peer and this port. */
static unsigned count_streams(const struct source *source)
{
    const long most = sysconf(_SC_OPEN_MAX);
    unsigned count = 0;
    for (int i = 0; i < DESCRIPTORS && i < most; i++) {
        union {
            struct sockaddr any;
            struct sockaddr_in four;
            struct sockaddr_in6 six;
            struct sockaddr_storage storage;
        } name;
        union {
            struct sockaddr any;
            struct sockaddr_storage storage;
        } peer;
        socklen_t size = sizeof name;
        socklen_t peer_size = sizeof peer;
        if (getsockname(i, &name.any, &size) == 0 && getpeername(i, &peer.any, &peer_size) == 0) {
            const in_port_t port = name.any.sa_family == AF_INET    ? name.four.sin_port
                                   : name.any.sa_family == AF_INET6 ? name.six.sin6_port
                                                                    : 0;
            count += ntohs(port) == source->port;
        }
    }
    return count;
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

/* Too many connections would take the descriptors that presets are opened with: all are closed. */
static void limit_streams(struct source *source)
{
    if (source->tcp == NULL) {
        source->tcp = listen_at(source, LO_TCP);
    } else if (count_streams(source) > STREAMS_MOST) {
        lo_server_free(source->tcp);
        source->tcp = listen_at(source, LO_TCP);
        app_inlet_refuse(source->inlet);
        say(source, "; too many connections, all were closed");
    }
}

/* The show comes first where there is not enough of the processor for both; a flood costs no more
 * of it than so many packets do, and what else comes the system drops. */
static void *serve(void *user)
{
    static const double seldom = 1; /* seconds between two counts of connections */
    static const double busy = BUSY_MS / 1000.0;
    struct source *source = user;
    double ticked = 0;
    double counted = 0;
    unsigned read = 0;                        /* packets since `ticked` */
    (void)setpriority(PRIO_PROCESS, 0, NICE); /* on Linux: of this thread */
    while (!atomic_load(&source->ends)) {
        lo_server servers[] = {source->udp, source->tcp};
        int received[] = {0, 0};
        const unsigned before = source->understood;
        const int count = source->tcp != NULL ? 2 : 1;
        const int bytes = lo_servers_recv_noblock(servers, received, count,
                                                  app_osc_waits(source->osc) ? BUSY_MS : IDLE_MS);
        const double now = base_clock_seconds();
        if (bytes > 0 && source->understood == before) {
            app_inlet_refuse(source->inlet);
        }
        read += bytes > 0;
        if (now - ticked >= busy || read >= PACKETS) {
            if (read >= PACKETS) {
                base_clock_sleep_until(ticked + busy);
            }
            ticked = base_clock_seconds();
            read = 0;
            app_osc_tick(source->osc, ticked);
        }
        if (now - counted >= seldom) {
            counted = now;
            limit_streams(source);
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
    if (source->tcp != NULL) {
        lo_server_free(source->tcp);
    }
    for (unsigned i = 0; i < APP_OSC_CLIENTS; i++) {
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
    struct source *source = calloc(1, sizeof *source);
    if (source == NULL) {
        base_report(sink, BASE_ERROR, nowhere, NULL, "not enough memory");
        return -1;
    }
    *state = source;
    source->inlet = inlet;
    source->port = options->osc;
    source->osc = app_osc_create(inlet, send_answer, source);
    errno = 0;
    source->udp = listen_at(source, LO_UDP);
    source->tcp = source->udp != NULL ? listen_at(source, LO_TCP) : NULL;
    if (source->osc == NULL || source->tcp == NULL) {
        base_report(sink, BASE_ERROR, nowhere,
                    "another program may listen there; take another port with --osc",
                    "cannot listen at port %u: %s", (unsigned)source->port,
                    errno != 0 ? strerror(errno) : "it cannot be had");
        return -1;
    }
    say(source, "");
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
    base_report(sink, BASE_ERROR, (struct base_place){0}, "build it with liblo",
                "this froth has no Open Sound Control");
    return -1;
}

const struct app_source_way app_source_osc = {start, NULL, NULL};

#endif
