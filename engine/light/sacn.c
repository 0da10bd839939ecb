#include "engine/light/sacn.h"

#include <string.h>

static const uint8_t id[12] = "ASC-E1.17\0\0";

enum {
    ROOT_LEVELS = 4,
    ROOT_OTHER = 8, /* sync and lists */
    FRAME_LEVELS = 2,
    FRAME_SYNC = 1,
    FRAME_LIST = 2,
    LIST_UNIVERSES = 1,
    DMP_SET = 2,
    DMP_TYPE = 0xa1,
    /* Places in packets; each layer begins with its flags and length. */
    ROOT = 16,
    ROOT_VECTOR = 18,
    ROOT_CID = 22,
    FRAME = 38,
    FRAME_VECTOR = 40,
    FRAME_NAME = 44,
    FRAME_PRIORITY = 108,
    FRAME_SYNC_UNIVERSE = 109,
    FRAME_SEQUENCE = 111,
    FRAME_OPTIONS = 112,
    FRAME_UNIVERSE = 113,
    DMP = 115,
    DMP_VECTOR = 117,
    DMP_COUNT = 123,
    DMP_START = 125,
    SYNC_SEQUENCE = 44,
    SYNC_UNIVERSE = 45,
    LIST = 112,
    LIST_VECTOR = 114,
    LIST_PAGE = 118,
    LIST_LAST = 119,
    PREVIEW = 0x80,
    TERMINATED = 0x40,
    FORCED = 0x20,
};

static unsigned read_16(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static uint32_t read_32(const uint8_t *bytes)
{
    return (uint32_t)read_16(bytes) << 16 | read_16(bytes + 2);
}

static void write_16(uint8_t *to, size_t value)
{
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

/* Whether the layer at this place has at least this vector, and ends within the packet. */
static bool is_layer(const uint8_t *bytes, size_t size, size_t at, size_t least)
{
    const unsigned word = read_16(bytes + at);
    const size_t length = word & 0xfffu;
    return word >> 12 == 7 && length >= least && at + length <= size;
}

static void read_name(char name[ENGINE_SACN_NAME], const uint8_t *bytes)
{
    size_t size = 0;
    while (size + 1 < ENGINE_SACN_NAME && bytes[size] != 0) {
        name[size] = bytes[size] >= 0x20 && bytes[size] != 0x7f ? (char)bytes[size] : '?';
        size++;
    }
    memset(name + size, 0, ENGINE_SACN_NAME - size);
}

static enum engine_sacn_kind read_levels(struct engine_sacn *read, const uint8_t *bytes,
                                         size_t size)
{
    if (size < ENGINE_SACN_HEAD || !is_layer(bytes, size, FRAME, DMP + 2 - FRAME) ||
        !is_layer(bytes, size, DMP, ENGINE_SACN_HEAD - DMP) ||
        read_32(bytes + FRAME_VECTOR) != FRAME_LEVELS || bytes[DMP_VECTOR] != DMP_SET ||
        bytes[DMP_VECTOR + 1] != DMP_TYPE || read_16(bytes + DMP_VECTOR + 2) != 0 ||
        read_16(bytes + DMP_VECTOR + 4) != 1 || bytes[DMP_START] != 0) {
        return ENGINE_SACN_NONE;
    }
    const size_t count = read_16(bytes + DMP_COUNT);
    const size_t room = (read_16(bytes + DMP) & 0xfffu) - (DMP_START - DMP);
    if (count < 1 || count > 1 + ENGINE_SACN_CHANNELS || count > room) {
        return ENGINE_SACN_NONE;
    }
    read_name(read->name, bytes + FRAME_NAME);
    read->priority = bytes[FRAME_PRIORITY];
    read->sync = (uint16_t)read_16(bytes + FRAME_SYNC_UNIVERSE);
    read->sequence = bytes[FRAME_SEQUENCE];
    read->preview = (bytes[FRAME_OPTIONS] & PREVIEW) != 0;
    read->terminated = (bytes[FRAME_OPTIONS] & TERMINATED) != 0;
    read->forced = (bytes[FRAME_OPTIONS] & FORCED) != 0;
    read->universe = (uint16_t)read_16(bytes + FRAME_UNIVERSE);
    read->levels = bytes + ENGINE_SACN_HEAD;
    read->count = count - 1;
    return read->priority <= ENGINE_SACN_PRIORITY_MAX && read->universe >= ENGINE_SACN_FIRST &&
                   read->universe <= ENGINE_SACN_LAST
               ? ENGINE_SACN_IS_LEVELS
               : ENGINE_SACN_NONE;
}

static enum engine_sacn_kind read_sync(struct engine_sacn *read, const uint8_t *bytes, size_t size)
{
    if (size < ENGINE_SACN_SYNC || !is_layer(bytes, size, FRAME, ENGINE_SACN_SYNC - FRAME)) {
        return ENGINE_SACN_NONE;
    }
    read->sequence = bytes[SYNC_SEQUENCE];
    read->sync = (uint16_t)read_16(bytes + SYNC_UNIVERSE);
    return read->sync >= ENGINE_SACN_FIRST && read->sync <= ENGINE_SACN_LAST ? ENGINE_SACN_IS_SYNC
                                                                             : ENGINE_SACN_NONE;
}

static enum engine_sacn_kind read_list(struct engine_sacn *read, const uint8_t *bytes, size_t size)
{
    if (size < ENGINE_SACN_LIST || !is_layer(bytes, size, FRAME, LIST + 2 - FRAME) ||
        !is_layer(bytes, size, LIST, ENGINE_SACN_LIST - LIST) ||
        read_32(bytes + LIST_VECTOR) != LIST_UNIVERSES) {
        return ENGINE_SACN_NONE;
    }
    const size_t count = ((read_16(bytes + LIST) & 0xfffu) - (ENGINE_SACN_LIST - LIST)) / 2;
    if (count > ENGINE_SACN_PAGE || bytes[LIST_PAGE] > bytes[LIST_LAST]) {
        return ENGINE_SACN_NONE;
    }
    read_name(read->name, bytes + FRAME_NAME);
    read->page = bytes[LIST_PAGE];
    read->last_page = bytes[LIST_LAST];
    read->list = bytes + ENGINE_SACN_LIST;
    read->universes = count;
    return ENGINE_SACN_IS_LIST;
}

enum engine_sacn_kind engine_sacn_read(struct engine_sacn *read, const uint8_t *bytes, size_t size)
{
    *read = (struct engine_sacn){0};
    if (size < FRAME_NAME || read_16(bytes) != 16 || read_16(bytes + 2) != 0 ||
        memcmp(bytes + 4, id, sizeof id) != 0 || !is_layer(bytes, size, ROOT, FRAME_NAME - ROOT)) {
        return ENGINE_SACN_NONE;
    }
    memcpy(read->cid, bytes + ROOT_CID, sizeof read->cid);
    const uint32_t root = read_32(bytes + ROOT_VECTOR);
    const uint32_t frame = read_32(bytes + FRAME_VECTOR);
    /* The layers of it end where its root layer does. */
    const size_t end = ROOT + (read_16(bytes + ROOT) & 0xfffu);
    if (root == ROOT_LEVELS) {
        return read_levels(read, bytes, end);
    }
    if (root != ROOT_OTHER) {
        return ENGINE_SACN_NONE;
    }
    return frame == FRAME_SYNC   ? read_sync(read, bytes, end)
           : frame == FRAME_LIST ? read_list(read, bytes, end)
                                 : ENGINE_SACN_NONE;
}

uint16_t engine_sacn_universe(const struct engine_sacn *read, size_t place)
{
    return (uint16_t)read_16(read->list + 2 * place);
}

static void write_layer(uint8_t *to, size_t at, size_t size)
{
    write_16(to + at, 0x7000 | (size - at));
}

/* The layers that all kinds have, for a packet of so many bytes. */
static void write_head(uint8_t *to, const struct engine_sacn *packet, size_t size, unsigned root,
                       unsigned frame)
{
    memset(to, 0, size);
    write_16(to, 16);
    memcpy(to + 4, id, sizeof id);
    write_layer(to, ROOT, size);
    to[ROOT_VECTOR + 3] = (uint8_t)root;
    memcpy(to + ROOT_CID, packet->cid, sizeof packet->cid);
    write_layer(to, FRAME, size);
    to[FRAME_VECTOR + 3] = (uint8_t)frame;
}

size_t engine_sacn_write_levels(uint8_t *to, const struct engine_sacn *levels)
{
    const size_t most = ENGINE_SACN_CHANNELS;
    const size_t count = levels->count < most ? levels->count : most;
    const size_t size = ENGINE_SACN_HEAD + count;
    write_head(to, levels, size, ROOT_LEVELS, FRAME_LEVELS);
    memcpy(to + FRAME_NAME, levels->name, strnlen(levels->name, ENGINE_SACN_NAME - 1));
    to[FRAME_PRIORITY] = levels->priority;
    write_16(to + FRAME_SYNC_UNIVERSE, levels->sync);
    to[FRAME_SEQUENCE] = levels->sequence;
    to[FRAME_OPTIONS] =
        (uint8_t)((levels->preview ? PREVIEW : 0) | (levels->terminated ? TERMINATED : 0) |
                  (levels->forced ? FORCED : 0));
    write_16(to + FRAME_UNIVERSE, levels->universe);
    write_layer(to, DMP, size);
    to[DMP_VECTOR] = DMP_SET;
    to[DMP_VECTOR + 1] = DMP_TYPE;
    write_16(to + DMP_VECTOR + 4, 1);
    write_16(to + DMP_COUNT, 1 + count);
    if (count > 0) {
        memcpy(to + ENGINE_SACN_HEAD, levels->levels, count);
    }
    return size;
}

size_t engine_sacn_write_sync(uint8_t *to, const struct engine_sacn *sync)
{
    write_head(to, sync, ENGINE_SACN_SYNC, ROOT_OTHER, FRAME_SYNC);
    to[SYNC_SEQUENCE] = sync->sequence;
    write_16(to + SYNC_UNIVERSE, sync->sync);
    return ENGINE_SACN_SYNC;
}

size_t engine_sacn_write_list(uint8_t *to, const struct engine_sacn *list,
                              const uint16_t *universes)
{
    const size_t most = ENGINE_SACN_PAGE;
    const size_t count = list->universes < most ? list->universes : most;
    const size_t size = ENGINE_SACN_LIST + 2 * count;
    write_head(to, list, size, ROOT_OTHER, FRAME_LIST);
    memcpy(to + FRAME_NAME, list->name, strnlen(list->name, ENGINE_SACN_NAME - 1));
    write_layer(to, LIST, size);
    to[LIST_VECTOR + 3] = LIST_UNIVERSES;
    to[LIST_PAGE] = list->page;
    to[LIST_LAST] = list->last_page;
    for (size_t i = 0; i < count; i++) {
        write_16(to + ENGINE_SACN_LIST + 2 * i, universes[i]);
    }
    return size;
}

void engine_sacn_group(uint16_t universe, uint8_t address[4])
{
    address[0] = 239;
    address[1] = 255;
    address[2] = (uint8_t)(universe >> 8);
    address[3] = (uint8_t)universe;
}
