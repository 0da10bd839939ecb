#include "engine/light/merge.h"

#include <string.h>

static struct engine_merge_source *find(struct engine_merge *merge,
                                        const uint8_t id[ENGINE_SACN_CID])
{
    for (size_t i = 0; i < ENGINE_MERGE_SOURCES; i++) {
        struct engine_merge_source *source = &merge->sources[i];
        if (source->there && memcmp(source->id, id, sizeof source->id) == 0) {
            return source;
        }
    }
    return NULL;
}

static void forget_lost(struct engine_merge *merge, uint64_t lost, uint64_t now)
{
    for (size_t i = 0; i < ENGINE_MERGE_SOURCES; i++) {
        struct engine_merge_source *source = &merge->sources[i];
        source->there = source->there && (now < source->heard || now - source->heard <= lost);
    }
}

/* A free place among the first `most`; else that of the least priority, if that is below. NULL:
 * none. */
static struct engine_merge_source *place_for(struct engine_merge *merge, size_t most,
                                             uint8_t priority)
{
    struct engine_merge_source *least = NULL;
    for (size_t i = 0; i < most; i++) {
        struct engine_merge_source *source = &merge->sources[i];
        if (!source->there) {
            return source;
        }
        if (source->priority < priority && (least == NULL || source->priority < least->priority)) {
            least = source;
        }
    }
    return least;
}

static void fill(uint8_t levels[ENGINE_MERGE_CHANNELS], const uint8_t *from, size_t count)
{
    if (count > 0) {
        memcpy(levels, from, count);
    }
    memset(levels + count, 0, ENGINE_MERGE_CHANNELS - count);
}

static void take(struct engine_merge *merge, struct engine_merge_source *source, bool hold,
                 const uint8_t *levels, size_t count)
{
    source->holds = hold;
    fill(hold ? source->held : source->levels, levels, count);
    if (!hold) {
        source->changed = ++merge->turns;
    }
}

static void show_held(struct engine_merge *merge, struct engine_merge_source *source)
{
    if (source->holds) {
        memcpy(source->levels, source->held, sizeof source->levels);
        source->holds = false;
        source->changed = ++merge->turns;
    }
}

enum engine_merge_heard engine_merge_sacn(struct engine_merge *merge,
                                          const struct engine_sacn *packet, uint64_t now)
{
    enum { LATE = 20 };
    forget_lost(merge, ENGINE_MERGE_SACN_LOST, now);
    struct engine_merge_source *source = find(merge, packet->cid);
    if (source != NULL) {
        const int step = (int8_t)(uint8_t)(packet->sequence - source->sequence);
        if (step <= 0 && step > -LATE) {
            merge->late++;
            return ENGINE_MERGE_LATE;
        }
    }
    if (packet->terminated) {
        if (source != NULL) {
            source->there = false;
        }
        return source != NULL ? ENGINE_MERGE_ENDED : ENGINE_MERGE_PREVIEW;
    }
    if (packet->preview) {
        return ENGINE_MERGE_PREVIEW;
    }
    const bool fresh = source == NULL;
    if (fresh) {
        source = place_for(merge, ENGINE_MERGE_SOURCES, packet->priority);
        if (source == NULL) {
            merge->refused++;
            return ENGINE_MERGE_REFUSED;
        }
        *source = (struct engine_merge_source){.there = true};
        memcpy(source->id, packet->cid, sizeof source->id);
    }
    if (packet->sync != source->sync) {
        source->synced = false;
    }
    source->sequence = packet->sequence;
    source->priority = packet->priority;
    source->forced = packet->forced;
    source->sync = packet->sync;
    source->heard = now;
    /* Without a sync so far levels are shown at once; once there was one they wait for the next,
     * unless the source allows to go on without. */
    const bool lost = now - source->synced_at > ENGINE_MERGE_SACN_LOST;
    take(merge, source, source->sync != 0 && source->synced && !(lost && source->forced),
         packet->levels, packet->count);
    return fresh ? ENGINE_MERGE_NEW : ENGINE_MERGE_TAKEN;
}

void engine_merge_sync_sacn(struct engine_merge *merge, uint16_t sync, uint64_t now)
{
    for (size_t i = 0; i < ENGINE_MERGE_SOURCES; i++) {
        struct engine_merge_source *source = &merge->sources[i];
        if (source->there && source->sync == sync) {
            source->synced = true;
            source->synced_at = now;
            show_held(merge, source);
        }
    }
}

enum engine_merge_heard engine_merge_artnet(struct engine_merge *merge,
                                            const struct engine_artnet_levels *packet,
                                            const uint8_t address[4], uint64_t now)
{
    uint8_t id[ENGINE_SACN_CID] = {0};
    memcpy(id, address, 4);
    id[4] = packet->physical;
    forget_lost(merge, ENGINE_MERGE_ARTNET_LOST, now);
    struct engine_merge_source *source = find(merge, id);
    const bool fresh = source == NULL;
    if (fresh) {
        source = place_for(merge, ENGINE_MERGE_ARTNET_SOURCES, 0);
        if (source == NULL) {
            merge->refused++;
            return ENGINE_MERGE_REFUSED;
        }
        *source = (struct engine_merge_source){.there = true};
        memcpy(source->id, id, sizeof id);
    } else if (packet->sequence != 0 && source->sequence != 0 &&
               now - source->heard <= ENGINE_MERGE_ARTNET_STALLED &&
               (int8_t)(uint8_t)(packet->sequence - source->sequence) < 0) {
        merge->late++;
        return ENGINE_MERGE_LATE;
    }
    source->sequence = packet->sequence;
    source->heard = now;
    source->synced = source->synced && now - source->synced_at <= ENGINE_MERGE_ARTNET_SYNC;
    take(merge, source, source->synced, packet->levels, packet->count);
    return fresh ? ENGINE_MERGE_NEW : ENGINE_MERGE_TAKEN;
}

void engine_merge_sync_artnet(struct engine_merge *merge, const uint8_t address[4], uint64_t now)
{
    unsigned others = 0;
    for (size_t i = 0; i < ENGINE_MERGE_SOURCES; i++) {
        const struct engine_merge_source *source = &merge->sources[i];
        others += source->there && memcmp(source->id, address, 4) != 0;
    }
    for (size_t i = 0; i < ENGINE_MERGE_SOURCES; i++) {
        struct engine_merge_source *source = &merge->sources[i];
        if (source->there && others == 0) {
            source->synced = true;
            source->synced_at = now;
            show_held(merge, source);
        }
    }
    /* While several send, each of them is shown as it comes. */
    for (size_t i = 0; i < ENGINE_MERGE_SOURCES && others > 0; i++) {
        show_held(merge, &merge->sources[i]);
        merge->sources[i].synced = false;
    }
}

unsigned engine_merge_levels(struct engine_merge *merge, uint64_t now,
                             uint8_t levels[ENGINE_MERGE_CHANNELS])
{
    unsigned count = 0;
    uint8_t priority = 0;
    forget_lost(merge, merge->artnet ? ENGINE_MERGE_ARTNET_LOST : ENGINE_MERGE_SACN_LOST, now);
    uint64_t newest = 0;
    for (size_t i = 0; i < ENGINE_MERGE_SOURCES; i++) {
        const struct engine_merge_source *source = &merge->sources[i];
        count += source->there;
        priority = source->there && source->priority > priority ? source->priority : priority;
        newest = source->there && source->changed > newest ? source->changed : newest;
    }
    memset(levels, 0, ENGINE_MERGE_CHANNELS);
    for (size_t i = 0; i < ENGINE_MERGE_SOURCES; i++) {
        const struct engine_merge_source *source = &merge->sources[i];
        if (!source->there || source->priority != priority ||
            (merge->latest && source->changed != newest)) {
            continue;
        }
        for (size_t k = 0; k < ENGINE_MERGE_CHANNELS; k++) {
            levels[k] = source->levels[k] > levels[k] ? source->levels[k] : levels[k];
        }
    }
    return count;
}
