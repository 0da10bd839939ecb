/* The system's sequencer, of ALSA. This file alone knows its library; built without it, froth hears
 * raw devices only. */
#include "app/midi/wire.h"

#ifdef FROTH_ALSA

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "late/alsa.h"

enum { PORTS = 64, TURN = 512, EVENT = 4096 };

struct port {
    bool there;
    snd_seq_addr_t address;
    int device; /* -1: not wanted */
};

struct app_midi_sequencer {
    const struct app_midi_ear *ear;
    snd_seq_t *handle;
    int own;
    int in;
    int out;
    snd_midi_event_t *decoder;
    snd_midi_event_t *encoder;
    snd_seq_client_info_t *walked; /* while all are gone through, */
    snd_seq_port_info_t *walked_port;
    snd_seq_client_info_t *client; /* and while one is looked at */
    snd_seq_port_info_t *port;
    struct port ports[PORTS];
};

/* What it has to say of its configuration is nobody's concern here. */
__attribute__((format(printf, 5, 6))) static void
say_nothing(const char *file, int line, const char *function, int error, const char *format, ...)
{
    (void)file;
    (void)line;
    (void)function;
    (void)error;
    (void)format;
}

static snd_seq_t *open_handle(int way)
{
    static const char device[] = "/dev/snd/seq";
    snd_seq_t *handle = NULL;
    if (access(device, F_OK) != 0) {
        return NULL;
    }
    (void)snd_lib_error_set_handler(say_nothing);
    return snd_seq_open(&handle, "hw", way, SND_SEQ_NONBLOCK) == 0 ? handle : NULL;
}

/* "Client port", or only the port where that begins with the client's name. */
static void name_port(struct app_midi_sequencer *sequencer, const snd_seq_port_info_t *port,
                      char *name, size_t size)
{
    const int client = snd_seq_port_info_get_client(port);
    const char *own = snd_seq_port_info_get_name(port);
    const char *owner =
        snd_seq_get_any_client_info(sequencer->handle, client, sequencer->client) == 0
            ? snd_seq_client_info_get_name(sequencer->client)
            : "";
    if (strncmp(own, owner, strlen(owner)) == 0) {
        (void)snprintf(name, size, "%s", own);
    } else {
        (void)snprintf(name, size, "%s %s", owner, own);
    }
}

/* Whether others may read from it. */
static bool is_input(const snd_seq_port_info_t *port)
{
    const unsigned wanted = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ;
    const unsigned can = snd_seq_port_info_get_capability(port);
    return (can & wanted) == wanted && (can & SND_SEQ_PORT_CAP_NO_EXPORT) == 0 &&
           snd_seq_port_info_get_client(port) != SND_SEQ_CLIENT_SYSTEM;
}

static struct port *find_port(struct app_midi_sequencer *sequencer, const snd_seq_addr_t *address)
{
    for (size_t i = 0; i < PORTS; i++) {
        struct port *port = &sequencer->ports[i];
        if (port->there && port->address.client == address->client &&
            port->address.port == address->port) {
            return port;
        }
    }
    return NULL;
}

static void add_port(struct app_midi_sequencer *sequencer, const snd_seq_port_info_t *info)
{
    const snd_seq_addr_t *address = snd_seq_port_info_get_addr(info);
    char name[APP_MIDI_NAME];
    struct port *place = NULL;
    for (size_t i = PORTS; i-- > 0;) {
        place = sequencer->ports[i].there ? place : &sequencer->ports[i];
    }
    if (place == NULL || address->client == sequencer->own || !is_input(info) ||
        find_port(sequencer, address) != NULL) {
        return;
    }
    name_port(sequencer, info, name, sizeof name);
    *place = (struct port){.there = true, .address = *address, .device = -1};
    const int device = sequencer->ear->came(sequencer->ear->user, name);
    if (device < 0) {
        return;
    }
    if (snd_seq_connect_from(sequencer->handle, sequencer->in, address->client, address->port) <
        0) {
        sequencer->ear->went(sequencer->ear->user, device);
        return;
    }
    /* Also to it, where it can be written to. */
    (void)snd_seq_connect_to(sequencer->handle, sequencer->out, address->client, address->port);
    place->device = device;
}

static void add_address(struct app_midi_sequencer *sequencer, const snd_seq_addr_t *address)
{
    if (snd_seq_get_any_port_info(sequencer->handle, address->client, address->port,
                                  sequencer->port) == 0) {
        add_port(sequencer, sequencer->port);
    }
}

static void remove_port(struct app_midi_sequencer *sequencer, struct port *port)
{
    if (port != NULL) {
        port->there = false;
        if (port->device >= 0) {
            sequencer->ear->went(sequencer->ear->user, port->device);
        }
    }
}

static void add_all(struct app_midi_sequencer *sequencer)
{
    snd_seq_client_info_t *client = sequencer->walked;
    snd_seq_port_info_t *port = sequencer->walked_port;
    snd_seq_client_info_set_client(client, -1);
    while (snd_seq_query_next_client(sequencer->handle, client) == 0) {
        snd_seq_port_info_set_client(port, snd_seq_client_info_get_client(client));
        snd_seq_port_info_set_port(port, -1);
        while (snd_seq_query_next_port(sequencer->handle, port) == 0) {
            add_port(sequencer, port);
        }
    }
}

static bool open_ports(struct app_midi_sequencer *sequencer)
{
    const unsigned type = SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION;
    snd_seq_t *handle = sequencer->handle;
    sequencer->own = snd_seq_client_id(handle);
    sequencer->in = snd_seq_create_simple_port(
        handle, "in", SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE, type);
    sequencer->out = snd_seq_create_simple_port(
        handle, "out", SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ, type);
    return snd_seq_set_client_name(handle, "froth") == 0 && sequencer->in >= 0 &&
           sequencer->out >= 0 && snd_midi_event_new(EVENT, &sequencer->decoder) == 0 &&
           snd_midi_event_new(EVENT, &sequencer->encoder) == 0 &&
           snd_seq_client_info_malloc(&sequencer->walked) == 0 &&
           snd_seq_client_info_malloc(&sequencer->client) == 0 &&
           snd_seq_port_info_malloc(&sequencer->walked_port) == 0 &&
           snd_seq_port_info_malloc(&sequencer->port) == 0 &&
           snd_seq_connect_from(handle, sequencer->in, SND_SEQ_CLIENT_SYSTEM,
                                SND_SEQ_PORT_SYSTEM_ANNOUNCE) == 0;
}

struct app_midi_sequencer *app_midi_sequencer_open(const struct app_midi_ear *ear, char *why)
{
    struct app_midi_sequencer *sequencer = calloc(1, sizeof *sequencer);
    const char *lacks = base_late_load(&late_alsa);
    (void)snprintf(why, APP_MIDI_NAME, "%s",
                   lacks != NULL ? lacks : "this system has no sequencer");
    if (lacks != NULL) {
        return NULL;
    }
    if (sequencer == NULL) {
        return NULL;
    }
    sequencer->ear = ear;
    sequencer->handle = open_handle(SND_SEQ_OPEN_DUPLEX);
    if (sequencer->handle == NULL || !open_ports(sequencer)) {
        app_midi_sequencer_close(sequencer);
        return NULL;
    }
    /* Each message says its status. */
    snd_midi_event_no_status(sequencer->decoder, 1);
    add_all(sequencer);
    return sequencer;
}

void app_midi_sequencer_close(struct app_midi_sequencer *sequencer)
{
    if (sequencer == NULL) {
        return;
    }
    for (size_t i = 0; i < PORTS; i++) {
        remove_port(sequencer, sequencer->ports[i].there ? &sequencer->ports[i] : NULL);
    }
    if (sequencer->decoder != NULL) {
        snd_midi_event_free(sequencer->decoder);
    }
    if (sequencer->encoder != NULL) {
        snd_midi_event_free(sequencer->encoder);
    }
    snd_seq_client_info_free(sequencer->walked);
    snd_seq_client_info_free(sequencer->client);
    snd_seq_port_info_free(sequencer->walked_port);
    snd_seq_port_info_free(sequencer->port);
    if (sequencer->handle != NULL) {
        (void)snd_seq_close(sequencer->handle);
    }
    free(sequencer);
}

size_t app_midi_sequencer_polls(const struct app_midi_sequencer *sequencer, struct pollfd *polls)
{
    const int count = snd_seq_poll_descriptors(sequencer->handle, polls, APP_MIDI_POLLED, POLLIN);
    return count > 0 ? (size_t)count : 0;
}

static void take_event(struct app_midi_sequencer *sequencer, const snd_seq_event_t *event)
{
    uint8_t bytes[EVENT];
    switch (event->type) {
    case SND_SEQ_EVENT_PORT_START:
    case SND_SEQ_EVENT_PORT_CHANGE:
        add_address(sequencer, &event->data.addr);
        return;
    case SND_SEQ_EVENT_PORT_EXIT:
        remove_port(sequencer, find_port(sequencer, &event->data.addr));
        return;
    default:
        break;
    }
    const struct port *port = find_port(sequencer, &event->source);
    if (port == NULL || port->device < 0) {
        return;
    }
    snd_midi_event_reset_decode(sequencer->decoder);
    const long size = snd_midi_event_decode(sequencer->decoder, bytes, sizeof bytes, event);
    if (size > 0) {
        sequencer->ear->bytes(sequencer->ear->user, port->device, bytes, (size_t)size);
    }
}

bool app_midi_sequencer_take(struct app_midi_sequencer *sequencer)
{
    for (int i = 0; i < TURN; i++) {
        snd_seq_event_t *event = NULL;
        const int result = snd_seq_event_input(sequencer->handle, &event);
        if (result == -ENOSPC) {
            sequencer->ear->lost(sequencer->ear->user, 1);
        } else if (result < 0) {
            return result == -EAGAIN || result == -EINTR;
        } else if (event != NULL) {
            take_event(sequencer, event);
        }
    }
    return true;
}

bool app_midi_sequencer_send(struct app_midi_sequencer *sequencer, int device, const uint8_t *bytes,
                             size_t size)
{
    const struct port *port = NULL;
    for (size_t i = 0; i < PORTS; i++) {
        if (sequencer->ports[i].there && sequencer->ports[i].device == device) {
            port = &sequencer->ports[i];
        }
    }
    bool sent = port != NULL;
    while (sent && size > 0) {
        snd_seq_event_t event;
        snd_seq_ev_clear(&event);
        snd_midi_event_reset_encode(sequencer->encoder);
        const long used = snd_midi_event_encode(sequencer->encoder, bytes, (long)size, &event);
        if (used <= 0 || event.type == SND_SEQ_EVENT_NONE) {
            return false;
        }
        snd_seq_ev_set_source(&event, (unsigned char)sequencer->out);
        snd_seq_ev_set_dest(&event, port->address.client, port->address.port);
        snd_seq_ev_set_direct(&event);
        sent = snd_seq_event_output_direct(sequencer->handle, &event) >= 0;
        bytes += used;
        size -= (size_t)used;
    }
    return sent;
}

#else

struct app_midi_sequencer *app_midi_sequencer_open(const struct app_midi_ear *ear, char *why)
{
    (void)ear;
    (void)snprintf(why, APP_MIDI_NAME, "this froth was built without ALSA");
    return NULL;
}

void app_midi_sequencer_close(struct app_midi_sequencer *sequencer)
{
    (void)sequencer;
}

size_t app_midi_sequencer_polls(const struct app_midi_sequencer *sequencer, struct pollfd *polls)
{
    (void)sequencer;
    (void)polls;
    return 0;
}

bool app_midi_sequencer_take(struct app_midi_sequencer *sequencer)
{
    (void)sequencer;
    return false;
}

bool app_midi_sequencer_send(struct app_midi_sequencer *sequencer, int device, const uint8_t *bytes,
                             size_t size)
{
    (void)sequencer;
    (void)device;
    (void)bytes;
    (void)size;
    return false;
}

#endif
