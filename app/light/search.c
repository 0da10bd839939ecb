/* froth devices --light: what of light is on the network. */
#include <stdlib.h>
#include <string.h>

#include "app/light/light.h"
#include "app/light/network.h"
#include "base/os/print.h"
#include "base/os/thread.h"
#include "engine/light/artnet.h"
#include "engine/light/sacn.h"

enum {
    UNIVERSES = 64,    /* of sACN whose levels are heard, from the first on */
    ROWS = 1024,       /* that are told */
    TURN = 512,        /* packets of a socket at a time */
    LOOK = 20,         /* milliseconds between two looks at all sockets */
    NO_UNIVERSE = -1,  /* a node has none */
    NO_PRIORITY = 255, /* it was not said */
};
static const double long_enough = 11; /* seconds: sACN says every ten what there is */
static const double poll_each = 2.8;

enum what { SENDS, OFFERS, TAKES, WHATS };

/* What was found. */
struct row {
    enum what what;
    bool artnet;
    int universe;
    uint8_t address[4];
    uint8_t priority;
    char name[ENGINE_SACN_NAME];
};

struct search {
    bool json;
    FILE *out;
    struct app_light_network ears[1 + UNIVERSES]; /* the first one also hears Art-Net */
    size_t ear_count;
    size_t count;
    struct row rows[ROWS];
};

static void print_plain(const struct row *row, FILE *out)
{
    static const char *const says[WHATS] = {
        [SENDS] = "sends", [OFFERS] = "says that it sends", [TAKES] = "takes it"};
    (void)fputs(row->artnet ? "Art-Net" : "sACN   ", out);
    if (row->universe == NO_UNIVERSE) {
        (void)fputs("  no universe   ", out);
    } else {
        (void)fprintf(out, "  universe %-5d", row->universe);
    }
    (void)fprintf(out, "  %u.%u.%u.%u", row->address[0], row->address[1], row->address[2],
                  row->address[3]);
    if (row->name[0] != '\0') {
        (void)fputs(" '", out);
        base_plain(out, row->name);
        (void)fputs("'", out);
    }
    if (row->universe != NO_UNIVERSE) {
        (void)fprintf(out, " %s", says[row->what]);
    }
    if (row->priority != NO_PRIORITY) {
        (void)fprintf(out, ", priority %u", row->priority);
    }
    (void)fputs("\n", out);
}

static void print_json(const struct row *row, FILE *out)
{
    static const char *const whats[WHATS] = {
        [SENDS] = "sends", [OFFERS] = "offers", [TAKES] = "takes"};
    (void)fprintf(out, "{\"protocol\":\"%s\",\"universe\":", row->artnet ? "artnet" : "sacn");
    if (row->universe == NO_UNIVERSE) {
        (void)fputs("null,\"what\":null", out);
    } else {
        (void)fprintf(out, "%d,\"what\":\"%s\"", row->universe, whats[row->what]);
    }
    (void)fprintf(out, ",\"address\":\"%u.%u.%u.%u\",\"name\":", row->address[0], row->address[1],
                  row->address[2], row->address[3]);
    base_json_string(out, row->name);
    if (row->priority != NO_PRIORITY) {
        (void)fprintf(out, ",\"priority\":%u", row->priority);
    }
    (void)fputs("}\n", out);
}

/* Tells a row, once. What was heard is not told again as what somebody says. */
static void tell(struct search *search, const struct row *row)
{
    for (size_t i = 0; i < search->count; i++) {
        const struct row *known = &search->rows[i];
        if (known->artnet == row->artnet && known->universe == row->universe &&
            memcmp(known->address, row->address, sizeof row->address) == 0 &&
            (known->what == row->what || (known->what == SENDS && row->what == OFFERS))) {
            return;
        }
    }
    if (search->count < ROWS) {
        search->rows[search->count++] = *row;
        (search->json ? print_json : print_plain)(row, search->out);
        (void)fflush(search->out);
    }
}

static void hear_sacn(struct search *search, const uint8_t *bytes, size_t size,
                      const uint8_t from[4])
{
    struct engine_sacn packet;
    const enum engine_sacn_kind kind = engine_sacn_read(&packet, bytes, size);
    struct row row = {.priority = NO_PRIORITY};
    memcpy(row.address, from, sizeof row.address);
    if (kind == ENGINE_SACN_IS_LEVELS && !packet.terminated) {
        row.what = SENDS;
        row.universe = packet.universe;
        row.priority = packet.priority;
        memcpy(row.name, packet.name, sizeof row.name);
        tell(search, &row);
    }
    for (size_t i = 0; kind == ENGINE_SACN_IS_LIST && i < packet.universes; i++) {
        row.what = OFFERS;
        row.universe = engine_sacn_universe(&packet, i);
        memcpy(row.name, packet.name, sizeof row.name);
        tell(search, &row);
    }
}

static void tell_ports(struct search *search, struct row *row, enum what what,
                       const uint16_t *universes, size_t count)
{
    row->what = what;
    for (size_t i = 0; i < count; i++) {
        row->universe = universes[i];
        tell(search, row);
    }
}

static void hear_artnet(struct search *search, const uint8_t *bytes, size_t size,
                        const uint8_t from[4])
{
    struct engine_artnet packet;
    const enum engine_artnet_kind kind = engine_artnet_read(&packet, bytes, size);
    struct row row = {.artnet = true, .priority = NO_PRIORITY};
    memcpy(row.address, from, sizeof row.address);
    if (kind == ENGINE_ARTNET_IS_LEVELS) {
        tell_ports(search, &row, SENDS, &packet.levels.universe, 1);
    } else if (kind == ENGINE_ARTNET_IS_REPLY) {
        const struct engine_artnet_reply *reply = &packet.reply;
        const char *name = reply->long_name[0] != '\0' ? reply->long_name : reply->short_name;
        memcpy(row.name, name, strlen(name) + 1);
        tell_ports(search, &row, TAKES, reply->output, reply->outputs);
        tell_ports(search, &row, OFFERS, reply->input, reply->inputs);
        if (reply->outputs + reply->inputs == 0) {
            row.universe = NO_UNIVERSE;
            tell(search, &row);
        }
    }
}

static void hear(struct search *search, const struct app_light_network *ear)
{
    static void (*const hears[APP_LIGHT_PROTOCOLS])(struct search *, const uint8_t *, size_t,
                                                    const uint8_t[4]) = {
        [APP_LIGHT_ARTNET] = hear_artnet, [APP_LIGHT_SACN] = hear_sacn};
    uint8_t bytes[2048];
    uint8_t from[4];
    for (int p = 0; p < APP_LIGHT_PROTOCOLS; p++) {
        for (int i = 0; i < TURN; i++) {
            const size_t size = app_light_network_receive(ear, (enum app_light_protocol)p, bytes,
                                                          sizeof bytes, from);
            if (size == 0) {
                break;
            }
            hears[p](search, bytes, size, from);
        }
    }
}

/* Packets for this machine alone would come here, and not to a show that runs: then there is no
 * Art-Net. */
static int open_ears(struct search *search, const struct base_diag_sink *sink)
{
    const bool taken = app_light_network_is_taken(APP_LIGHT_ARTNET);
    const bool uses[APP_LIGHT_PROTOCOLS] = {[APP_LIGHT_ARTNET] = !taken};
    if (taken) {
        base_report(sink, BASE_WARNING, (struct base_place){0}, "try again when it has ended",
                    "Art-Net is not looked for: another program of this machine listens to it");
    }
    search->ear_count = 1;
    if (app_light_network_open(&search->ears[0], uses, uses, NULL, sink) != 0) {
        return -1;
    }
    for (unsigned i = 0; i < UNIVERSES; i++) {
        const uint16_t universe =
            (uint16_t)(i == 0 ? ENGINE_SACN_DISCOVERY : ENGINE_SACN_FIRST + i - 1);
        if (app_light_network_open_group(&search->ears[search->ear_count++], universe) != 0) {
            base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "sACN cannot be heard");
            return -1;
        }
    }
    return 0;
}

static void listen(struct search *search)
{
    const double end = base_clock_seconds() + long_enough;
    double poll_due = 0;
    while (base_clock_seconds() < end && !base_stop_wanted()) {
        if (base_clock_seconds() >= poll_due) {
            poll_due = base_clock_seconds() + poll_each;
            app_light_network_poll(&search->ears[0]);
        }
        app_light_network_wait(&search->ears[0], LOOK);
        for (size_t i = 0; i < search->ear_count; i++) {
            hear(search, &search->ears[i]);
        }
    }
}

int app_light_search(bool json, FILE *out, const struct base_diag_sink *sink)
{
    struct search *search = calloc(1, sizeof *search);
    struct base_stop stop;
    if (search == NULL) {
        base_report(sink, BASE_ERROR, (struct base_place){0}, NULL, "not enough memory");
        return -1;
    }
    search->json = json;
    search->out = out;
    base_stop_begin(&stop);
    const int result = open_ears(search, sink);
    if (result == 0) {
        base_report(sink, BASE_NOTE, (struct base_place){0}, "Ctrl-C ends it",
                    "listening for %.0f seconds", long_enough);
        listen(search);
    }
    if (result == 0 && search->count == 0 && !json) {
        (void)fputs("no light found\n", out);
    }
    for (size_t i = 0; i < search->ear_count; i++) {
        app_light_network_close(&search->ears[i]);
    }
    base_stop_end(&stop);
    free(search);
    return result;
}
