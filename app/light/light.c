#include "app/light/light.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>

#include "app/light/map.h"
#include "app/light/network.h"
#include "base/os/thread.h"
#include "base/os/print.h"

enum {
    NICE = 5,
    WAKES = 4,         /* of the thread in a while, behind which what comes is taken together */
    TURN = 512,        /* packets of a protocol that are read before anything else is done */
    IDLE = 100,        /* milliseconds between two looks at the clock, at most */
    KEEP_ALIVE = 800,  /* milliseconds after which levels are sent again */
    REPEATS = 3,       /* times that new levels are sent, for one may be lost */
    ENDINGS = 3,       /* packets that tell the end of a stream */
    POLL_EACH = 2800,  /* milliseconds between two questions for nodes */
    NODE_LOST = 9000,  /* after its last answer */
    LIST_EACH = 10000, /* milliseconds between two lists of universes */
    COUNT_EACH = 1000, /* milliseconds between two looks at what was lost */
    NODES = 256,       /* universes of nodes that are known */
    SOURCES = 64,      /* sources whose lists are known */
    NOTES = 100,       /* messages about others, at most */
};

/* A universe of an Art-Net node. */
struct node {
    uint8_t address[4];
    uint16_t universe;
    bool told;
    uint64_t heard;
};

/* What a source of sACN says that it sends. */
struct lister {
    uint8_t cid[ENGINE_SACN_CID];
    uint64_t universes; /* a hash of them */
};

/* What was sent to a universe. */
struct sent {
    uint8_t levels[ENGINE_MERGE_CHANNELS];
    uint8_t last[ENGINE_MERGE_CHANNELS];
    uint8_t sequence;
    unsigned repeats; /* still to be sent */
    uint64_t at;      /* 0: never */
};

struct app_light {
    struct base_diag_sink sink;
    struct app_light_map map;
    struct app_light_network network;
    struct app_inlet *inlet;
    pthread_t thread;
    bool runs;
    atomic_bool ends;

    /* From the thread to the painter. */
    struct base_latest heard;
    uint8_t levels[BASE_LATEST_SLOTS][ENGINE_DMX_CHANNELS];

    /* From the painter to the thread. */
    int width;
    int height;
    atomic_bool wants; /* a picture, which nobody but the painter then touches */
    atomic_bool shown; /* it is there, and nobody but the thread touches it */
    uint32_t *picture;
    uint8_t patch[REND_DMX_OUTPUTS]; /* the thread's as long as `shown` */

    /* The thread's. */
    uint8_t cid[ENGINE_SACN_CID];
    uint8_t mac[6]; /* as which this show answers: one by chance, of those for local use */
    uint8_t published[ENGINE_DMX_CHANNELS];
    unsigned sources[APP_LIGHT_INPUTS];
    struct engine_merge merges[APP_LIGHT_INPUTS];
    struct engine_zones_curve curve;
    struct engine_light *cells;
    struct sent sent[APP_LIGHT_UNIVERSES];
    struct node nodes[NODES];
    struct lister listers[SOURCES];
    size_t lister_count;
    unsigned notes;
    int trouble[APP_LIGHT_PROTOCOLS]; /* errno that was told last; 0: all goes well */
    bool sends;                       /* a picture was there */
    uint8_t list_sequence;
    uint64_t picture_due;
    uint64_t poll_due;
    uint64_t list_due;
    uint64_t join_due;
    uint64_t count_due;
    uint32_t lost; /* packets */
    double while_begun;
    unsigned wakes; /* since then */
};

static uint64_t now_of(void)
{
    return 1 + (uint64_t)(base_clock_seconds() * 1e3);
}

/* ---- messages ---- */

__attribute__((format(printf, 2, 3))) static void note(struct app_light *light, const char *format,
                                                       ...)
{
    if (light->notes == NOTES) {
        return;
    }
    char text[200];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    base_report(&light->sink, BASE_NOTE, (struct base_place){0},
                ++light->notes == NOTES ? "no more is told of others" : NULL, "%s", text);
}

/* Names come from others: what is no text is left out. */
static const char *plain(char *text, size_t size, const char *name)
{
    size_t used = 0;
    for (; *name != '\0' && used + 1 < size; name++) {
        const bool printable = *name >= 0x20 && *name < 0x7f;
        text[used++] = printable ? *name : '?';
    }
    text[used] = '\0';
    return text;
}

/* "1, 2, 5" of universes in any order; cut with dots. */
static void list_text(char *text, size_t size, const uint16_t *universes, size_t count)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (used + 12 > size) {
            (void)snprintf(text + used, size - used, " ...");
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s%u", i > 0 ? ", " : "", universes[i]);
    }
}

static void say_state(struct app_light *light)
{
    char text[APP_INLET_STATUS] = "another program hears it too; ";
    const bool shared =
        light->network.shared[APP_LIGHT_ARTNET] || light->network.shared[APP_LIGHT_SACN];
    const size_t before = shared ? strlen(text) : 0;
    size_t used = before;
    for (size_t i = 0; i < light->map.input_count && used < sizeof text; i++) {
        const struct app_light_input *input = &light->map.inputs[i];
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s %u: %u source%s",
                             i > 0 ? ", " : "", input->artnet ? "Art-Net" : "sACN", input->universe,
                             light->sources[i], base_plural(light->sources[i]));
    }
    if (light->map.output_count > 0 && used < sizeof text) {
        (void)snprintf(text + used, sizeof text - used, "%s%zu universe%s sent",
                       used > before ? ", " : "", light->map.output_count,
                       base_plural(light->map.output_count));
    }
    app_inlet_say(light->inlet, text);
}

static void tell_trouble(struct app_light *light, enum app_light_protocol protocol, int error)
{
    static const char *const names[] = {"Art-Net", "sACN"};
    if (error == light->trouble[protocol]) {
        return;
    }
    light->trouble[protocol] = error;
    if (error != 0) {
        base_report(&light->sink, BASE_WARNING, (struct base_place){0}, "it is tried again",
                    "%s cannot be sent: %s", names[protocol], strerror(error));
    } else {
        base_report(&light->sink, BASE_NOTE, (struct base_place){0}, NULL, "%s is sent again",
                    names[protocol]);
    }
}

/* ---- what is heard ---- */

static void set_value(void *user, unsigned value, double number)
{
    (void)app_inlet_value(user, value, number);
}

static void call_command(void *user, const struct engine_call *call)
{
    (void)app_inlet_call(user, call);
}

static void publish(struct app_light *light, const uint8_t levels[ENGINE_DMX_CHANNELS])
{
    const struct app_light_audience audience = {light->inlet, set_value, call_command};
    memcpy(light->levels[base_latest_back(&light->heard)], levels, ENGINE_DMX_CHANNELS);
    base_latest_publish(&light->heard);
    app_light_map_follow(&light->map, light->published, levels, &audience);
    memcpy(light->published, levels, ENGINE_DMX_CHANNELS);
}

static void merge_all(struct app_light *light, uint64_t now)
{
    uint8_t levels[ENGINE_DMX_CHANNELS] = {0};
    bool changed = false;
    for (size_t i = 0; i < light->map.input_count; i++) {
        const unsigned sources =
            engine_merge_levels(&light->merges[i], now, levels + i * ENGINE_MERGE_CHANNELS);
        changed = changed || sources != light->sources[i];
        if (sources == 0 && light->sources[i] > 0) {
            note(light, "%s universe %u: nobody sends any more",
                 light->map.inputs[i].artnet ? "Art-Net" : "sACN", light->map.inputs[i].universe);
        }
        light->sources[i] = sources;
    }
    if (changed) {
        say_state(light);
    }
    if (memcmp(levels, light->published, sizeof levels) != 0) {
        publish(light, levels);
    }
}

static void hear_list(struct app_light *light, const struct engine_sacn *packet)
{
    struct lister *lister = NULL;
    uint64_t hash = 1469598103934665603u + packet->page;
    uint16_t universes[ENGINE_SACN_PAGE];
    for (size_t i = 0; i < packet->universes; i++) {
        universes[i] = engine_sacn_universe(packet, i);
        hash = (hash ^ universes[i]) * 1099511628211u;
    }
    for (size_t i = 0; i < light->lister_count; i++) {
        if (memcmp(light->listers[i].cid, packet->cid, sizeof packet->cid) == 0) {
            lister = &light->listers[i];
        }
    }
    if (lister == NULL && light->lister_count < SOURCES) {
        lister = &light->listers[light->lister_count++];
        memcpy(lister->cid, packet->cid, sizeof lister->cid);
    }
    if (lister != NULL && lister->universes != hash && packet->last_page == 0 &&
        memcmp(packet->cid, light->cid, sizeof light->cid) != 0) {
        char name[ENGINE_SACN_NAME];
        char text[80];
        list_text(text, sizeof text, universes, packet->universes);
        note(light, "sACN: '%s' has the universes %s", plain(name, sizeof name, packet->name),
             text);
        lister->universes = hash;
    }
}

static void hear_sacn(struct app_light *light, const uint8_t *bytes, size_t size,
                      const uint8_t from[4], uint64_t now)
{
    struct engine_sacn packet;
    const enum engine_sacn_kind kind = engine_sacn_read(&packet, bytes, size);
    if (kind == ENGINE_SACN_IS_LIST) {
        hear_list(light, &packet);
    }
    for (size_t i = 0; i < light->map.input_count; i++) {
        struct engine_merge *merge = &light->merges[i];
        const uint16_t universe = light->map.inputs[i].universe;
        if (merge->artnet) {
            continue;
        }
        if (kind == ENGINE_SACN_IS_SYNC) {
            engine_merge_sync_sacn(merge, packet.sync, now);
        }
        if (kind != ENGINE_SACN_IS_LEVELS || packet.universe != universe) {
            continue;
        }
        if (packet.sync != 0) {
            (void)app_light_network_join(&light->network, packet.sync);
        }
        char name[ENGINE_SACN_NAME];
        (void)plain(name, sizeof name, packet.name);
        switch (engine_merge_sacn(merge, &packet, now)) {
        case ENGINE_MERGE_NEW:
            note(light, "sACN universe %u: '%s' at %u.%u.%u.%u sends, priority %u", universe, name,
                 from[0], from[1], from[2], from[3], packet.priority);
            break;
        case ENGINE_MERGE_ENDED:
            note(light, "sACN universe %u: '%s' has ended", universe, name);
            break;
        case ENGINE_MERGE_REFUSED:
            app_inlet_refuse(light->inlet);
            break;
        default:
            break;
        }
    }
    if (kind == ENGINE_SACN_NONE) {
        app_inlet_refuse(light->inlet);
    }
}

/* ---- Art-Net's nodes ---- */

static void hear_reply(struct app_light *light, const struct engine_artnet_reply *reply,
                       const uint8_t from[4], uint64_t now)
{
    char name[ENGINE_ARTNET_LONG];
    if (memcmp(reply->mac, light->mac, sizeof light->mac) == 0) {
        return; /* what this show has answered to itself */
    }
    for (size_t i = 0; i < reply->outputs; i++) {
        struct node *place = NULL;
        for (size_t k = 0; k < NODES; k++) {
            struct node *node = &light->nodes[k];
            const bool lives = node->heard != 0 && now - node->heard <= NODE_LOST;
            if (lives && node->universe == reply->output[i] &&
                memcmp(node->address, from, 4) == 0) {
                place = node;
                break;
            }
            place = !lives && place == NULL ? node : place;
        }
        if (place == NULL) {
            app_inlet_refuse(light->inlet);
            continue;
        }
        if (place->universe != reply->output[i] || memcmp(place->address, from, 4) != 0) {
            note(light, "Art-Net: '%s' at %u.%u.%u.%u has universe %u",
                 plain(name, sizeof name,
                       reply->long_name[0] != '\0' ? reply->long_name : reply->short_name),
                 from[0], from[1], from[2], from[3], reply->output[i]);
        }
        memcpy(place->address, from, 4);
        place->universe = reply->output[i];
        place->heard = now;
    }
}

/* A node with all that is heard: four universes of one sub-net in a packet. */
static void answer_poll(struct app_light *light, const uint8_t to[4])
{
    uint8_t bytes[ENGINE_ARTNET_PACKET];
    struct engine_artnet_reply reply = {.short_name = "froth"};
    app_light_network_own(to, reply.address);
    memcpy(reply.mac, light->mac, sizeof reply.mac);
    memcpy(reply.long_name, light->map.name, strnlen(light->map.name, sizeof reply.long_name - 1));
    for (size_t i = 0; i < light->map.input_count; i++) {
        if (!light->map.inputs[i].artnet) {
            continue;
        }
        reply.bind++;
        reply.outputs = 1;
        reply.output[0] = light->map.inputs[i].universe;
        (void)app_light_network_send(&light->network, APP_LIGHT_ARTNET, to, bytes,
                                     engine_artnet_write_reply(bytes, &reply));
    }
    if (reply.bind == 0) {
        reply.bind = 1;
        (void)app_light_network_send(&light->network, APP_LIGHT_ARTNET, to, bytes,
                                     engine_artnet_write_reply(bytes, &reply));
    }
}

static void hear_artnet(struct app_light *light, const uint8_t *bytes, size_t size,
                        const uint8_t from[4], uint64_t now)
{
    struct engine_artnet packet;
    const enum engine_artnet_kind kind = engine_artnet_read(&packet, bytes, size);
    if (kind == ENGINE_ARTNET_IS_POLL) {
        answer_poll(light, from);
    } else if (kind == ENGINE_ARTNET_IS_REPLY) {
        hear_reply(light, &packet.reply, from, now);
    } else if (kind == ENGINE_ARTNET_NONE) {
        app_inlet_refuse(light->inlet);
    }
    for (size_t i = 0; i < light->map.input_count; i++) {
        struct engine_merge *merge = &light->merges[i];
        const uint16_t universe = light->map.inputs[i].universe;
        if (merge->artnet && kind == ENGINE_ARTNET_IS_SYNC) {
            engine_merge_sync_artnet(merge, from, now);
        }
        if (!merge->artnet || kind != ENGINE_ARTNET_IS_LEVELS ||
            packet.levels.universe != universe) {
            continue;
        }
        switch (engine_merge_artnet(merge, &packet.levels, from, now)) {
        case ENGINE_MERGE_NEW:
            note(light, "Art-Net universe %u: %u.%u.%u.%u sends", universe, from[0], from[1],
                 from[2], from[3]);
            break;
        case ENGINE_MERGE_REFUSED:
            app_inlet_refuse(light->inlet);
            break;
        default:
            break;
        }
    }
}

static void hear(struct app_light *light, uint64_t now)
{
    static const struct {
        enum app_light_protocol protocol;
        void (*hear)(struct app_light *light, const uint8_t *bytes, size_t size,
                     const uint8_t from[4], uint64_t now);
    } ways[] = {{APP_LIGHT_SACN, hear_sacn}, {APP_LIGHT_ARTNET, hear_artnet}};
    uint8_t bytes[2048];
    uint8_t from[4];
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        for (int i = 0; i < TURN; i++) {
            const size_t size = app_light_network_receive(&light->network, ways[way].protocol,
                                                          bytes, sizeof bytes, from);
            if (size == 0) {
                break;
            }
            ways[way].hear(light, bytes, size, from, now);
        }
    }
}

/* ---- what is sent ---- */

static void send_sacn(struct app_light *light, const struct app_light_output *output,
                      struct sent *sent, bool ends)
{
    uint8_t bytes[ENGINE_SACN_PACKET];
    uint8_t to[4];
    struct engine_sacn packet = {.priority = output->priority,
                                 .sequence = sent->sequence++,
                                 .terminated = ends,
                                 .universe = output->universe,
                                 .levels = sent->last,
                                 .count = ends ? 0 : ENGINE_SACN_CHANNELS};
    memcpy(packet.cid, light->cid, sizeof packet.cid);
    memcpy(packet.name, light->map.name, sizeof packet.name);
    engine_sacn_group(output->universe, to);
    tell_trouble(light, APP_LIGHT_SACN,
                 app_light_network_send(&light->network, APP_LIGHT_SACN,
                                        output->has_to ? output->to : to, bytes,
                                        engine_sacn_write_levels(bytes, &packet)));
}

static void send_artnet(struct app_light *light, const struct app_light_output *output,
                        struct sent *sent, uint64_t now)
{
    uint8_t bytes[ENGINE_ARTNET_PACKET];
    sent->sequence = sent->sequence == 255 ? 1 : (uint8_t)(sent->sequence + 1);
    const struct engine_artnet_levels levels = {.sequence = sent->sequence,
                                                .universe = output->universe,
                                                .levels = sent->last,
                                                .count = output->channels};
    const size_t size = engine_artnet_write_levels(bytes, &levels);
    if (output->has_to) {
        tell_trouble(
            light, APP_LIGHT_ARTNET,
            app_light_network_send(&light->network, APP_LIGHT_ARTNET, output->to, bytes, size));
        return;
    }
    for (size_t i = 0; i < NODES; i++) {
        const struct node *node = &light->nodes[i];
        if (node->heard != 0 && now - node->heard <= NODE_LOST &&
            node->universe == output->universe) {
            tell_trouble(light, APP_LIGHT_ARTNET,
                         app_light_network_send(&light->network, APP_LIGHT_ARTNET, node->address,
                                                bytes, size));
        }
    }
}

/* Sends what is new, what was sent only once or twice, and what was sent long ago. fresh: a
 * picture has come. */
static void send_all(struct app_light *light, bool fresh, uint64_t now)
{
    for (size_t i = 0; i < light->map.output_count; i++) {
        const struct app_light_output *output = &light->map.outputs[i];
        struct sent *sent = &light->sent[i];
        if (fresh && memcmp(sent->levels, sent->last, sizeof sent->last) != 0) {
            memcpy(sent->last, sent->levels, sizeof sent->last);
            sent->repeats = REPEATS;
        }
        if ((fresh && sent->repeats > 0) || sent->at == 0 || now - sent->at >= KEEP_ALIVE) {
            sent->repeats -= sent->repeats > 0;
            sent->at = now;
            if (output->artnet) {
                send_artnet(light, output, sent, now);
            } else {
                send_sacn(light, output, sent, false);
            }
        }
    }
}

static void light_fixtures(struct app_light *light)
{
    const struct app_light_map *map = &light->map;
    for (size_t i = 0; i < map->zone_count; i++) {
        engine_zones_average(&map->zones[i].zone, &light->curve, light->picture,
                             (size_t)light->width, light->width, light->height,
                             light->cells + map->zones[i].first_cell);
    }
    for (size_t i = 0; i < map->fixture_count; i++) {
        const struct app_light_fixture *fixture = &map->fixtures[i];
        engine_zones_fixture(light->sent[fixture->output].levels + fixture->channel, fixture->order,
                             &light->cells[fixture->cell], fixture->dim);
    }
    for (size_t i = 0; i < map->output_count; i++) {
        if (map->outputs[i].patch > 0) {
            memcpy(light->sent[i].levels + map->outputs[i].patch - 1, light->patch,
                   sizeof light->patch);
        }
    }
}

static int compare_universes(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

static void send_list(struct app_light *light)
{
    uint8_t bytes[ENGINE_SACN_PACKET];
    uint8_t to[4];
    uint16_t universes[APP_LIGHT_UNIVERSES];
    struct engine_sacn packet = {0};
    for (size_t i = 0; i < light->map.output_count; i++) {
        if (!light->map.outputs[i].artnet) {
            universes[packet.universes++] = light->map.outputs[i].universe;
        }
    }
    if (packet.universes > 0) {
        qsort(universes, packet.universes, sizeof *universes, compare_universes);
        memcpy(packet.cid, light->cid, sizeof packet.cid);
        memcpy(packet.name, light->map.name, sizeof packet.name);
        engine_sacn_group(ENGINE_SACN_DISCOVERY, to);
        (void)app_light_network_send(&light->network, APP_LIGHT_SACN, to, bytes,
                                     engine_sacn_write_list(bytes, &packet, universes));
    }
}

/* ---- the thread ---- */

/* What is done by the clock. Returns the milliseconds until the next of it. */
static int keep_time(struct app_light *light, uint64_t now)
{
    const uint64_t each = (uint64_t)(1000 / light->map.rate);
    if (light->map.output_count > 0 && now >= light->picture_due) {
        /* Late ones are left out, and the rate is kept. */
        light->picture_due =
            now - light->picture_due > each ? now + each : light->picture_due + each;
        atomic_store(&light->wants, true);
    }
    if (now >= light->poll_due && light->network.listens[APP_LIGHT_ARTNET] &&
        light->map.output_count > 0) {
        light->poll_due = now + POLL_EACH;
        app_light_network_poll(&light->network);
    }
    if (now >= light->list_due) {
        light->list_due = now + LIST_EACH;
        send_list(light);
    }
    if (now >= light->join_due) {
        light->join_due = now + LIST_EACH;
        app_light_network_rejoin(&light->network);
    }
    if (now >= light->count_due) {
        const uint32_t lost = app_light_network_lost(&light->network);
        light->count_due = now + COUNT_EACH;
        app_inlet_lose(light->inlet, lost - light->lost);
        light->lost = lost;
    }
    const uint64_t left = light->picture_due > now ? light->picture_due - now : 0;
    return light->map.output_count > 0 && left < IDLE ? (int)left + 1 : IDLE;
}

static void end_streams(struct app_light *light)
{
    for (int k = 0; k < ENDINGS; k++) {
        for (size_t i = 0; i < light->map.output_count; i++) {
            if (!light->map.outputs[i].artnet && light->sent[i].at != 0) {
                send_sacn(light, &light->map.outputs[i], &light->sent[i], true);
            }
        }
    }
}

/* In a flood a wake for each packet would cost more than the packets do. */
static void breathe(struct app_light *light)
{
    static const double a_while = 0.01;
    static const double breath = 0.001;
    const double now = base_clock_seconds();
    if (now - light->while_begun >= a_while) {
        light->while_begun = now;
        light->wakes = 0;
    }
    if (light->wakes++ >= WAKES) {
        base_clock_sleep_until(now + breath);
    }
}

static void *run(void *user)
{
    struct app_light *light = user;
    int wait = 0;
    (void)setpriority(PRIO_PROCESS, 0, NICE); /* on Linux: of this thread; the show comes first */
    say_state(light);
    while (!atomic_load(&light->ends)) {
        app_light_network_wait(&light->network, wait);
        const uint64_t now = now_of();
        hear(light, now);
        merge_all(light, now);
        const bool fresh = atomic_load(&light->shown);
        if (fresh) {
            light_fixtures(light);
            atomic_store(&light->shown, false);
            light->sends = true;
        }
        if (light->sends) {
            send_all(light, fresh, now);
        }
        wait = keep_time(light, now);
        breathe(light);
    }
    end_streams(light);
    return NULL;
}

/* ---- the program's side ---- */

static int fail_memory(const struct base_diag_sink *sink)
{
    base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
    return -1;
}

static int read_map(struct app_light *light, const struct app_options *options)
{
    struct app_light_map *map = &light->map;
    if ((options->artnet >= 0 && options->artnet != (uint16_t)options->artnet) ||
        (options->sacn >= 0 && options->sacn != (uint16_t)options->sacn)) {
        base_report(&light->sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "universes are whole numbers");
        return -1;
    }
    if (options->artnet >= 0) {
        (void)app_light_map_hear(
            map, (struct app_light_input){.artnet = true, .universe = (uint16_t)options->artnet});
    }
    if (options->sacn >= 0) {
        (void)app_light_map_hear(map,
                                 (struct app_light_input){.universe = (uint16_t)options->sacn});
    }
    return options->light != NULL ? app_light_map_load(map, options->light, &light->sink) : 0;
}

static int open_network(struct app_light *light)
{
    const struct app_light_map *map = &light->map;
    bool uses[APP_LIGHT_PROTOCOLS] = {false};
    bool listens[APP_LIGHT_PROTOCOLS] = {false};
    for (size_t i = 0; i < map->input_count; i++) {
        listens[map->inputs[i].artnet ? APP_LIGHT_ARTNET : APP_LIGHT_SACN] = true;
        light->merges[i].artnet = map->inputs[i].artnet;
        light->merges[i].latest = map->inputs[i].latest;
    }
    for (size_t i = 0; i < map->output_count; i++) {
        const struct app_light_output *output = &map->outputs[i];
        uses[output->artnet ? APP_LIGHT_ARTNET : APP_LIGHT_SACN] = true;
        /* Nodes answer to the port. */
        listens[APP_LIGHT_ARTNET] =
            listens[APP_LIGHT_ARTNET] || (output->artnet && !output->has_to);
    }
    uses[APP_LIGHT_ARTNET] = uses[APP_LIGHT_ARTNET] || listens[APP_LIGHT_ARTNET];
    uses[APP_LIGHT_SACN] = uses[APP_LIGHT_SACN] || listens[APP_LIGHT_SACN];
    if (app_light_network_open(&light->network, uses, listens,
                               map->has_interface ? map->interface : NULL, &light->sink) != 0) {
        return -1;
    }
    for (size_t i = 0; i < map->input_count; i++) {
        if (!map->inputs[i].artnet) {
            (void)app_light_network_join(&light->network, map->inputs[i].universe);
            (void)app_light_network_join(&light->network, ENGINE_SACN_DISCOVERY);
        }
    }
    return 0;
}

int app_light_open(struct app_light **made, const struct app_options *options, int width,
                   int height, const struct base_diag_sink *sink)
{
    *made = NULL;
    if (options->artnet < 0 && options->sacn < 0 && options->light == NULL) {
        return 0;
    }
    struct app_light *light = calloc(1, sizeof *light);
    if (light == NULL) {
        return fail_memory(sink);
    }
    light->sink = *sink;
    light->width = width;
    light->height = height;
    light->network = (struct app_light_network){.sockets = {-1, -1}, .wake = -1};
    base_latest_init(&light->heard);
    app_light_map_init(&light->map);
    engine_zones_curve(&light->curve);
    int result = read_map(light, options);
    bool reached = true;
    if (result == 0) {
        light->cells = calloc(light->map.cell_count + 1, sizeof *light->cells);
        light->picture = calloc((size_t)width * (size_t)height, sizeof *light->picture);
        result = light->cells == NULL || light->picture == NULL ? fail_memory(sink) : 0;
    }
    if (result == 0) {
        result = open_network(light);
        reached = result == 0;
    }
    /* A number of version 4 as of RFC 4122. */
    if (result == 0 && getrandom(light->cid, sizeof light->cid, 0) != sizeof light->cid) {
        memcpy(light->cid, &width, sizeof width);
    }
    memcpy(light->mac, light->cid, sizeof light->mac);
    light->mac[0] = (uint8_t)((light->mac[0] & 0xfc) | 0x02);
    light->cid[6] = (uint8_t)((light->cid[6] & 0x0f) | 0x40);
    light->cid[8] = (uint8_t)((light->cid[8] & 0x3f) | 0x80);
    if (result != 0) {
        app_light_close(light);
        const bool insists = reached && (app_options_insist(options, "artnet") ||
                                         app_options_insist(options, "sacn") ||
                                         app_options_insist(options, "light"));
        if (!insists) {
            base_report(sink, BASE_WARNING, (struct base_place){0}, NULL,
                        "the show goes on without light");
        }
        return insists ? -1 : 0;
    }
    *made = light;
    return 0;
}

int app_light_start(struct app_light *light, struct app_inlet *inlet)
{
    if (light == NULL) {
        return 0;
    }
    light->inlet = inlet;
    light->picture_due = light->poll_due = light->list_due = now_of();
    light->join_due = now_of() + LIST_EACH;
    const int error = pthread_create(&light->thread, NULL, run, light);
    if (error != 0) {
        base_report(&light->sink, BASE_ERROR, (struct base_place){0}, NULL,
                    "no thread for light: %s", strerror(error));
        return -1;
    }
    light->runs = true;
    return 0;
}

void app_light_close(struct app_light *light)
{
    if (light == NULL) {
        return;
    }
    if (light->runs) {
        atomic_store(&light->ends, true);
        app_light_network_wake(&light->network);
        (void)pthread_join(light->thread, NULL);
    }
    app_light_network_close(&light->network);
    app_light_map_free(&light->map);
    free(light->cells);
    free(light->picture);
    free(light);
}

const uint8_t *app_light_levels(struct app_light *light, size_t *count)
{
    *count = ENGINE_DMX_CHANNELS;
    return light != NULL && base_latest_take(&light->heard)
               ? light->levels[base_latest_front(&light->heard)]
               : NULL;
}

void app_light_show(struct app_light *light, const uint32_t *pixels, size_t stride,
                    const uint8_t patch[REND_DMX_OUTPUTS])
{
    if (light == NULL || !atomic_load(&light->wants)) {
        return;
    }
    /* The thread has not averaged the last one yet. */
    if (atomic_load(&light->shown)) {
        return;
    }
    atomic_store(&light->wants, false);
    for (int y = 0; y < light->height; y++) {
        memcpy(light->picture + (size_t)y * (size_t)light->width, pixels + (size_t)y * stride,
               (size_t)light->width * sizeof *pixels);
    }
    memcpy(light->patch, patch, sizeof light->patch);
    atomic_store(&light->shown, true);
    app_light_network_wake(&light->network);
}
