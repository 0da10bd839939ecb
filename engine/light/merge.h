/* What several sources make of one universe: priorities, highest or latest takes precedence,
 * sequence numbers, sources that end or are lost, levels that are held until they are to be shown
 * together. Plain data without a clock: times are milliseconds of any clock that never goes back.
 *
 * sACN (E1.31-2018, 6.2, 6.7, 6.9): the highest priority counts, channel by channel the highest of
 * equal ones; a source is lost after 2.5 s; a preview changes nothing. A packet is late if its
 * sequence number is 0 to 19 behind.
 *
 * Art-Net 4: two sources at most, told apart by address and physical input; a third one is refused
 * until one of them is lost, after 10 s. A packet is late if its sequence number is 1 to 127
 * behind, unless nothing came for a second. */
#ifndef ENGINE_LIGHT_MERGE_H
#define ENGINE_LIGHT_MERGE_H

#include "engine/light/artnet.h"
#include "engine/light/sacn.h"

enum {
    ENGINE_MERGE_CHANNELS = 512,
    ENGINE_MERGE_SOURCES = 8,
    ENGINE_MERGE_ARTNET_SOURCES = 2,
    ENGINE_MERGE_SACN_LOST = 2500, /* milliseconds */
    ENGINE_MERGE_ARTNET_LOST = 10000,
    ENGINE_MERGE_ARTNET_SYNC = 4000, /* after so long without sync levels are shown at once again */
    ENGINE_MERGE_ARTNET_STALLED = 1000,
};

struct engine_merge_source {
    bool there;
    uint8_t id[ENGINE_SACN_CID]; /* the CID; or the address and the physical input */
    uint8_t priority;
    uint8_t sequence;
    bool forced;        /* of its last packet */
    uint16_t sync;      /* of its last packet; Art-Net: 1 while it syncs */
    bool synced;        /* by sync packets, */
    uint64_t synced_at; /* the last of them */
    uint64_t heard;     /* its last packet that was not late */
    uint64_t changed;   /* turn in which its levels were shown last */
    bool holds;
    uint8_t levels[ENGINE_MERGE_CHANNELS];
    uint8_t held[ENGINE_MERGE_CHANNELS];
};

struct engine_merge {
    bool artnet; /* what it hears; else sACN */
    bool latest; /* Art-Net: the source that was heard last counts, not the highest */
    uint64_t turns;
    uint64_t late;    /* packets */
    uint64_t refused; /* packets of sources for which there is no room */
    struct engine_merge_source sources[ENGINE_MERGE_SOURCES];
};

enum engine_merge_heard {
    ENGINE_MERGE_TAKEN,
    ENGINE_MERGE_NEW,   /* taken, of a source that was not there before */
    ENGINE_MERGE_ENDED, /* the source has ended its stream */
    ENGINE_MERGE_LATE,
    ENGINE_MERGE_REFUSED,
    ENGINE_MERGE_PREVIEW,
};

/* Zeroed but for `artnet` and `latest`, a universe is without sources. It hears one protocol. */
enum engine_merge_heard engine_merge_sacn(struct engine_merge *merge,
                                          const struct engine_sacn *packet, uint64_t now);
enum engine_merge_heard engine_merge_artnet(struct engine_merge *merge,
                                            const struct engine_artnet_levels *packet,
                                            const uint8_t address[4], uint64_t now);

/* Shows what is held for this universe of sync; of Art-Net what the source at this address holds,
 * if it is the only one. */
void engine_merge_sync_sacn(struct engine_merge *merge, uint16_t sync, uint64_t now);
void engine_merge_sync_artnet(struct engine_merge *merge, const uint8_t address[4], uint64_t now);

/* Forgets sources that are lost, and writes the level of each channel; 0 for those that nobody
 * sends. Returns how many sources are there. */
unsigned engine_merge_levels(struct engine_merge *merge, uint64_t now,
                             uint8_t levels[ENGINE_MERGE_CHANNELS]);

#endif
