#include "engine/light/artnet.h"

#include <string.h>

static const uint8_t id[8] = "Art-Net";

enum {
    VERSION = 14,
    OP_POLL = 0x2000,
    OP_REPLY = 0x2100,
    OP_LEVELS = 0x5000,
    OP_SYNC = 0x5200,
    /* Places in a reply. */
    REPLY_ADDRESS = 10,
    REPLY_PORT = 14,
    REPLY_NET = 18,
    REPLY_SUBNET = 19,
    REPLY_SHORT = 26,
    REPLY_LONG = 44,
    REPLY_REPORT = 108,
    REPLY_COUNT = 173,
    REPLY_TYPES = 174,
    REPLY_GOOD_INPUT = 178,
    REPLY_GOOD_OUTPUT = 182,
    REPLY_INPUTS = 186,
    REPLY_OUTPUTS = 190,
    REPLY_STYLE = 200,
    REPLY_MAC = 201,
    REPLY_BIND_ADDRESS = 207,
    REPLY_BIND = 211,
    REPLY_STATUS2 = 212,
    REPLY_LEAST = 207,  /* of older nodes */
    TYPE_OUTPUT = 0x80, /* levels of DMX512, which are 0 in the low bits */
    TYPE_INPUT = 0x40,
    TYPE_KIND = 0x3f,
    WIDE_ADDRESSES = 0x08, /* 15 bits */
};

static unsigned read_16(const uint8_t *high_first)
{
    return (unsigned)high_first[0] << 8 | high_first[1];
}

static void write_16(uint8_t *to, unsigned value)
{
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

static void read_name(char *name, size_t room, const uint8_t *bytes)
{
    size_t size = 0;
    while (size + 1 < room && bytes[size] != 0) {
        name[size] = bytes[size] >= 0x20 && bytes[size] < 0x7f ? (char)bytes[size] : '?';
        size++;
    }
    memset(name + size, 0, room - size);
}

static void read_reply(struct engine_artnet_reply *reply, const uint8_t *bytes, size_t size)
{
    *reply = (struct engine_artnet_reply){.bind = size > REPLY_BIND ? bytes[REPLY_BIND] : 1};
    memcpy(reply->address, bytes + REPLY_ADDRESS, sizeof reply->address);
    memcpy(reply->mac, bytes + REPLY_MAC, sizeof reply->mac);
    read_name(reply->short_name, sizeof reply->short_name, bytes + REPLY_SHORT);
    read_name(reply->long_name, sizeof reply->long_name, bytes + REPLY_LONG);
    const unsigned above = (bytes[REPLY_NET] & 0x7fu) << 8 | (bytes[REPLY_SUBNET] & 0xfu) << 4;
    const unsigned ports = bytes[REPLY_COUNT];
    for (unsigned i = 0; i < ENGINE_ARTNET_PORTS && i < ports; i++) {
        const uint8_t type = bytes[REPLY_TYPES + i];
        if ((type & TYPE_KIND) == 0 && (type & TYPE_OUTPUT) != 0) {
            reply->output[reply->outputs++] = (uint16_t)(above | (bytes[REPLY_OUTPUTS + i] & 0xfu));
        }
        if ((type & TYPE_KIND) == 0 && (type & TYPE_INPUT) != 0) {
            reply->input[reply->inputs++] = (uint16_t)(above | (bytes[REPLY_INPUTS + i] & 0xfu));
        }
    }
}

enum engine_artnet_kind engine_artnet_read(struct engine_artnet *read, const uint8_t *bytes,
                                           size_t size)
{
    if (size < 10 || memcmp(bytes, id, sizeof id) != 0) {
        return ENGINE_ARTNET_NONE;
    }
    const unsigned code = (unsigned)bytes[9] << 8 | bytes[8];
    if (code == OP_REPLY) { /* the one without a version */
        if (size < REPLY_LEAST) {
            return ENGINE_ARTNET_NONE;
        }
        read_reply(&read->reply, bytes, size);
        return ENGINE_ARTNET_IS_REPLY;
    }
    if (size < 12 || read_16(bytes + 10) < VERSION) {
        return ENGINE_ARTNET_NONE;
    }
    if (code == OP_POLL) {
        return ENGINE_ARTNET_IS_POLL;
    }
    if (code == OP_SYNC) {
        return ENGINE_ARTNET_IS_SYNC;
    }
    if (code != OP_LEVELS || size < ENGINE_ARTNET_HEAD) {
        return ENGINE_ARTNET_NONE;
    }
    const size_t count = read_16(bytes + 16);
    if (count < 2 || count > ENGINE_ARTNET_CHANNELS || count % 2 != 0 ||
        size < ENGINE_ARTNET_HEAD + count) {
        return ENGINE_ARTNET_NONE;
    }
    read->levels =
        (struct engine_artnet_levels){.sequence = bytes[12],
                                      .physical = bytes[13],
                                      .universe = (uint16_t)((bytes[15] & 0x7fu) << 8 | bytes[14]),
                                      .levels = bytes + ENGINE_ARTNET_HEAD,
                                      .count = count};
    return ENGINE_ARTNET_IS_LEVELS;
}

static void write_head(uint8_t *to, unsigned code)
{
    memcpy(to, id, sizeof id);
    to[8] = (uint8_t)code;
    to[9] = (uint8_t)(code >> 8);
    write_16(to + 10, VERSION);
}

size_t engine_artnet_write_levels(uint8_t *to, const struct engine_artnet_levels *levels)
{
    const size_t most = ENGINE_ARTNET_CHANNELS;
    const size_t given = levels->count < most ? levels->count : most;
    const size_t count = given < 2 ? 2 : given + given % 2;
    write_head(to, OP_LEVELS);
    to[12] = levels->sequence;
    to[13] = levels->physical;
    to[14] = (uint8_t)levels->universe;
    to[15] = (uint8_t)(levels->universe >> 8 & 0x7f);
    write_16(to + 16, (unsigned)count);
    memset(to + ENGINE_ARTNET_HEAD, 0, count);
    memcpy(to + ENGINE_ARTNET_HEAD, levels->levels, given);
    return ENGINE_ARTNET_HEAD + count;
}

size_t engine_artnet_write_poll(uint8_t *to)
{
    write_head(to, OP_POLL);
    to[12] = 0x02; /* nodes also answer by themselves where something of them changes */
    to[13] = 0x10; /* no diagnostics are asked for; their least weight */
    return ENGINE_ARTNET_POLL;
}

size_t engine_artnet_write_sync(uint8_t *to)
{
    write_head(to, OP_SYNC);
    to[12] = 0;
    to[13] = 0;
    return ENGINE_ARTNET_SYNC;
}

static void write_name(uint8_t *to, size_t room, const char *name)
{
    memcpy(to, name, strnlen(name, room - 1));
}

size_t engine_artnet_write_reply(uint8_t *to, const struct engine_artnet_reply *reply)
{
    static const char report[] = "#0001 [0000] froth";
    const unsigned any = reply->outputs > 0  ? reply->output[0]
                         : reply->inputs > 0 ? reply->input[0]
                                             : 0;
    const size_t most = reply->outputs > reply->inputs ? reply->outputs : reply->inputs;
    memset(to, 0, ENGINE_ARTNET_REPLY);
    memcpy(to, id, sizeof id);
    to[8] = (uint8_t)(OP_REPLY & 0xff);
    to[9] = (uint8_t)(OP_REPLY >> 8);
    memcpy(to + REPLY_ADDRESS, reply->address, sizeof reply->address);
    to[REPLY_PORT] = (uint8_t)(ENGINE_ARTNET_PORT & 0xff); /* the low byte first, here alone */
    to[REPLY_PORT + 1] = (uint8_t)(ENGINE_ARTNET_PORT >> 8);
    to[REPLY_NET] = (uint8_t)(any >> 8 & 0x7f);
    to[REPLY_SUBNET] = (uint8_t)(any >> 4 & 0xf);
    write_16(to + 20, 0x00ff); /* no number of a maker is assigned */
    to[23] = 0xd0;             /* set up by its own program alone */
    write_name(to + REPLY_SHORT, ENGINE_ARTNET_SHORT, reply->short_name);
    write_name(to + REPLY_LONG, ENGINE_ARTNET_LONG, reply->long_name);
    memcpy(to + REPLY_REPORT, report, sizeof report);
    write_16(to + REPLY_COUNT - 1,
             (unsigned)(most < ENGINE_ARTNET_PORTS ? most : ENGINE_ARTNET_PORTS));
    for (size_t i = 0; i < ENGINE_ARTNET_PORTS; i++) {
        if (i < reply->outputs) {
            to[REPLY_TYPES + i] |= TYPE_OUTPUT;
            to[REPLY_GOOD_OUTPUT + i] = 0x80;
            to[REPLY_OUTPUTS + i] = reply->output[i] & 0xf;
        }
        if (i < reply->inputs) {
            to[REPLY_TYPES + i] |= TYPE_INPUT;
            to[REPLY_GOOD_INPUT + i] = 0x80;
            to[REPLY_INPUTS + i] = reply->input[i] & 0xf;
        }
    }
    to[REPLY_STYLE] = 0; /* a node */
    memcpy(to + REPLY_MAC, reply->mac, sizeof reply->mac);
    memcpy(to + REPLY_BIND_ADDRESS, reply->address, sizeof reply->address);
    to[REPLY_BIND] = reply->bind;
    to[REPLY_STATUS2] = WIDE_ADDRESSES;
    return ENGINE_ARTNET_REPLY;
}
