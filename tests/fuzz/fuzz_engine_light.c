/* Whatever comes over the network as Art-Net and sACN ends within its packet, and what several
 * sources make of it stays within its tables. The first byte says into how many packets the rest is
 * divided; each is read as both. What was read is written again and read as the same. */
#include <stdlib.h>
#include <string.h>

#include "engine/light/merge.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PACKETS = 8 };

struct ends {
    struct engine_merge sacn;
    struct engine_merge artnet;
    uint64_t now;
};

static void ensure(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void hear_artnet(struct ends *ends, const uint8_t *bytes, size_t size)
{
    struct engine_artnet read;
    struct engine_artnet again;
    uint8_t written[ENGINE_ARTNET_PACKET];
    const uint8_t address[4] = {10, 0, 0, (uint8_t)(ends->now % 3)};
    switch (engine_artnet_read(&read, bytes, size)) {
    case ENGINE_ARTNET_IS_LEVELS: {
        (void)engine_merge_artnet(&ends->artnet, &read.levels, address, ends->now);
        const size_t wrote = engine_artnet_write_levels(written, &read.levels);
        ensure(engine_artnet_read(&again, written, wrote) == ENGINE_ARTNET_IS_LEVELS);
        ensure(again.levels.universe == read.levels.universe &&
               again.levels.count == read.levels.count &&
               memcmp(again.levels.levels, read.levels.levels, read.levels.count) == 0);
        break;
    }
    case ENGINE_ARTNET_IS_REPLY: {
        const struct engine_artnet_reply reply = read.reply;
        ensure(reply.outputs <= ENGINE_ARTNET_PORTS && reply.inputs <= ENGINE_ARTNET_PORTS);
        ensure(strlen(reply.short_name) < ENGINE_ARTNET_SHORT &&
               strlen(reply.long_name) < ENGINE_ARTNET_LONG);
        const size_t wrote = engine_artnet_write_reply(written, &reply);
        ensure(engine_artnet_read(&again, written, wrote) == ENGINE_ARTNET_IS_REPLY);
        ensure(strcmp(again.reply.long_name, reply.long_name) == 0);
        break;
    }
    case ENGINE_ARTNET_IS_SYNC:
        engine_merge_sync_artnet(&ends->artnet, address, ends->now);
        break;
    default:
        break;
    }
}

static void hear_sacn(struct ends *ends, const uint8_t *bytes, size_t size)
{
    struct engine_sacn read;
    struct engine_sacn again;
    uint8_t written[ENGINE_SACN_PACKET];
    uint16_t universes[ENGINE_SACN_PAGE];
    size_t wrote;
    switch (engine_sacn_read(&read, bytes, size)) {
    case ENGINE_SACN_IS_LEVELS:
        ensure(strlen(read.name) < ENGINE_SACN_NAME && read.count <= ENGINE_SACN_CHANNELS);
        (void)engine_merge_sacn(&ends->sacn, &read, ends->now);
        wrote = engine_sacn_write_levels(written, &read);
        ensure(engine_sacn_read(&again, written, wrote) == ENGINE_SACN_IS_LEVELS);
        ensure(again.universe == read.universe && again.count == read.count &&
               memcmp(again.levels, read.levels, read.count) == 0);
        break;
    case ENGINE_SACN_IS_SYNC:
        engine_merge_sync_sacn(&ends->sacn, read.sync, ends->now);
        break;
    case ENGINE_SACN_IS_LIST:
        for (size_t i = 0; i < read.universes; i++) {
            universes[i] = engine_sacn_universe(&read, i);
        }
        wrote = engine_sacn_write_list(written, &read, universes);
        ensure(engine_sacn_read(&again, written, wrote) == ENGINE_SACN_IS_LIST);
        ensure(again.universes == read.universes);
        break;
    default:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ends *ends = calloc(1, sizeof *ends);
    const size_t count = size > 0 ? 1 + data[0] % PACKETS : 0;
    uint8_t levels[ENGINE_MERGE_CHANNELS];
    for (size_t i = 0; ends != NULL && i < count; i++) {
        const size_t part = (size - 1) / count;
        /* In memory of its own, so that a read behind its end is seen. */
        uint8_t *bytes = malloc(part > 0 ? part : 1);
        if (bytes != NULL) {
            ends->artnet.artnet = true;
            memcpy(bytes, data + 1 + i * part, part);
            hear_artnet(ends, bytes, part);
            hear_sacn(ends, bytes, part);
            ensure(engine_merge_levels(&ends->sacn, ends->now, levels) <= ENGINE_MERGE_SOURCES);
            ensure(engine_merge_levels(&ends->artnet, ends->now, levels) <=
                   ENGINE_MERGE_ARTNET_SOURCES);
        }
        free(bytes);
        ends->now += 700;
    }
    free(ends);
    return 0;
}
